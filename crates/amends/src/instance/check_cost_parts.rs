//! What the parts of the cost must satisfy: distance, outlier term and limits.

use super::check::{all_finite, check_finite, same_length, wrong};
use super::{Cost, Distance, Instance, MOST_CHANGE_COST, Outlier};
use crate::Result;

impl Instance {
    pub(super) fn check_distance(&self, columns: usize) -> Result<()> {
        match &self.cost.distance {
            Distance::L1Mahalanobis { factor }
            | Distance::Mahalanobis { factor }
            | Distance::SquaredMahalanobis { factor } => {
                if factor.is_empty() {
                    return wrong("cost.distance.factor", "is empty", "give the rows of U");
                }
                for (index, row) in factor.iter().enumerate() {
                    let place = format!("cost.distance.factor[{index}]");
                    same_length(row.len(), columns, &place, "x has columns")?;
                    all_finite(row, &place)?;
                }
                Ok(())
            }
            Distance::Table { costs } => {
                same_length(
                    costs.len(),
                    self.features.len(),
                    "cost.distance.costs",
                    "there are features",
                )?;
                for (index, (costs, feature)) in costs.iter().zip(&self.features).enumerate() {
                    let place = format!("cost.distance.costs[{index}]");
                    same_length(
                        costs.len(),
                        feature.options.len(),
                        &place,
                        &format!("`{}` has options", feature.name),
                    )?;
                    check_finite(costs, &place)?;
                    let (least, _) = costs.extremes();
                    if least < 0.0 {
                        return wrong(&place, format!("holds {least}"), "costs are 0 or more");
                    }
                    feature.check_own_cost(&self.x, costs, &place)?;
                }
                Ok(())
            }
        }
    }
}

impl Cost {
    pub(super) fn check_limits(&self) -> Result<()> {
        if !(0.0..=MOST_CHANGE_COST).contains(&self.change_cost) {
            return wrong(
                "cost.change_cost",
                format!("is {}", self.change_cost),
                "give a number from 0 to 1e12, or leave it out",
            );
        }
        let limits =
            [("cost.most.distance", self.most.distance), ("cost.most.outlier", self.most.outlier)];
        for (place, limit) in limits {
            if let Some(limit) = limit
                && !(limit.is_finite() && limit >= 0.0)
            {
                return wrong(
                    place,
                    format!("is {limit}"),
                    "a limit is a number of 0 or more; leave it out for no limit",
                );
            }
        }
        if self.most.outlier.is_some() && self.outlier.is_none() {
            return wrong(
                "cost.most.outlier",
                "limits an outlier term, but there is none",
                "give `cost.outlier` (its weight may be 0), or leave the limit out",
            );
        }
        Ok(())
    }
}

impl Outlier {
    pub(super) fn check(&self, columns: usize) -> Result<()> {
        if !self.weight.is_finite() || self.weight < 0.0 {
            return wrong(
                "cost.outlier.weight",
                format!("is {}", self.weight),
                "lambda is a number of 0 or more",
            );
        }
        let count = self.points.len();
        if count == 0 {
            return wrong(
                "cost.outlier.points",
                "is empty",
                "give reference points, or leave `outlier` out",
            );
        }
        if self.points.ranges().is_none_or(|ranges| ranges.len() != columns) {
            for (index, point) in self.points.iter().enumerate() {
                let place = format!("cost.outlier.points[{index}]");
                same_length(point.len(), columns, &place, "x has columns")?;
                all_finite(point, &place)?;
            }
        }
        for (place, values) in
            [("cost.outlier.k_distance", &self.k_distance), ("cost.outlier.density", &self.density)]
        {
            same_length(values.len(), count, place, "there are points")?;
            all_finite(values, place)?;
            if let Some(value) = values.iter().find(|&&value| value < 0.0) {
                return wrong(
                    place,
                    format!("holds {value}"),
                    "distances and densities are 0 or more",
                );
            }
        }
        if let Some(scale) = &self.scale {
            same_length(scale.len(), columns, "cost.outlier.scale", "x has columns")?;
            if let Some(value) = scale.iter().find(|value| !(value.is_finite() && **value > 0.0)) {
                return wrong(
                    "cost.outlier.scale",
                    format!("holds {value}"),
                    "divisors are finite and above 0",
                );
            }
        }
        if let Some(k) = self.k
            && !(1..=count).contains(&k)
        {
            return wrong(
                "cost.outlier.k",
                format!("is {k}, but there are {count} points"),
                "ask for 1 to that many neighbours, or give more points",
            );
        }
        Ok(())
    }
}
