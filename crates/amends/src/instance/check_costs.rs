//! No plan may cost more than 64 bits hold with room to spare: infinite costs can't be compared, and half-way to infinity
//! `0 * infinity` is not a number.

use super::{Cost, Distance, Instance, Outlier};
use crate::plausibility::Metric;
use crate::{InputError, Result};

/// No distance, outlier term or cost may exceed this: engines square them and add up the squares.
pub(super) const LARGEST_COST: f64 = 1e150;

/// How far a column can go.
struct Reach {
    /// At least the size of every value that the column can have.
    size: f64,
    /// The largest change.
    change: f64,
}

impl Instance {
    /// Refuses costs that may overflow, with the number that weighs most in them. Differences of less than 1 count as 1,
    /// since engines also work with what a change of one unit costs.
    pub(super) fn check_costs(&self) -> Result<()> {
        let reach = self.reach_of_columns();
        self.cost.check_distances(&reach)?;
        self.cost.outlier.as_ref().map_or(Ok(()), |outlier| outlier.check_costs(&reach))
    }

    fn reach_of_columns(&self) -> Vec<Reach> {
        let mut reach: Vec<Reach> =
            self.x.iter().map(|x| Reach { size: x.abs(), change: 0.0 }).collect();
        for feature in &self.features {
            for (position, &column) in feature.columns.iter().enumerate() {
                reach[column].size += feature.options.largest(position);
                reach[column].change = feature.options.farthest(position, self.x[column]);
            }
        }
        reach
    }
}

impl Cost {
    fn check_distances(&self, reach: &[Reach]) -> Result<()> {
        match &self.distance {
            Distance::L1Mahalanobis { factor }
            | Distance::Mahalanobis { factor }
            | Distance::SquaredMahalanobis { factor } => {
                let moved = |row: usize, column: usize| match reach[column].change {
                    0.0 => 0.0,
                    change => factor[row][column].abs() * change.max(1.0),
                };
                let mut worst = Worst::default();
                for row in 0..factor.len() {
                    for column in 0..reach.len() {
                        worst.add(moved(row, column), (row, column));
                    }
                }
                let length = worst.sum;
                let squared = matches!(self.distance, Distance::SquaredMahalanobis { .. });
                let most = if squared { length * length } else { length };
                if most <= LARGEST_COST {
                    return Ok(());
                }
                let (row, column) = worst.place;
                Err(InputError::new(format!(
                    "with changes of up to {:e} in that column makes distances beyond {LARGEST_COST:e} possible",
                    reach[column].change
                ))
                .at(format!("cost.distance.factor[{row}][{column}]"))
                .value(format!("{:e}", factor[row][column]))
                .remedy("give the column in larger units, or scale the factor down")
                .into())
            }
            Distance::Table { costs } => {
                let mut worst = Worst::default();
                for (index, costs) in costs.iter().enumerate() {
                    worst.add(costs.largest(), (index, 0));
                }
                if worst.sum <= LARGEST_COST {
                    return Ok(());
                }
                let (index, _) = worst.place;
                Err(InputError::new(format!(
                    "is its largest cost, and costs may add up to something beyond {LARGEST_COST:e}"
                ))
                .at(format!("cost.distance.costs[{index}]"))
                .value(format!("{:e}", costs[index].largest()))
                .remedy("give costs in larger units")
                .into())
            }
        }
    }
}

impl Outlier {
    fn check_costs(&self, reach: &[Reach]) -> Result<()> {
        // Most tables pass by their columns' ranges alone. Where they do not, every point is measured.
        let farthest = self.farthest_by_ranges(reach);
        if farthest.is_some_and(|farthest| self.check_terms(farthest).is_ok()) {
            return Ok(());
        }
        self.check_terms(self.farthest(reach)?)
    }

    /// At least the largest distance between a plan and a point, from the ranges of columns alone.
    fn farthest_by_ranges(&self, reach: &[Reach]) -> Option<f64> {
        let ranges = self.points.ranges()?;
        let farthest: Vec<f64> =
            ranges.iter().map(|range| range.0.abs().max(range.1.abs())).collect();
        let distance = self.largest_distance(reach, &farthest).0;
        (distance <= LARGEST_COST).then_some(distance)
    }

    /// The largest distance between a plan and a point.
    fn farthest(&self, reach: &[Reach]) -> Result<f64> {
        let mut farthest = 0.0_f64;
        for (index, point) in self.points.iter().enumerate() {
            let (distance, column) = self.largest_distance(reach, point);
            if distance > LARGEST_COST {
                return Err(self.too_far(reach, (index, column)));
            }
            farthest = farthest.max(distance);
        }
        Ok(farthest)
    }

    /// The largest distance between a plan and a point, and the column that adds most to it.
    fn largest_distance(&self, reach: &[Reach], point: &[f64]) -> (f64, usize) {
        let mut worst = Worst::default();
        for (column, (reach, value)) in reach.iter().zip(point).enumerate() {
            let scale = self.scale.as_ref().map_or(1.0, |scale| scale[column]);
            let difference = (reach.size + value.abs()).max(1.0) / scale;
            let term = match self.metric {
                Metric::SquaredEuclidean | Metric::Euclidean => difference * difference,
                Metric::Manhattan => difference,
            };
            worst.add(term, (0, column));
        }
        let root = self.metric == Metric::Euclidean;
        (if root { worst.sum.sqrt() } else { worst.sum }, worst.place.1)
    }

    /// Checks what the densities make of distances up to `farthest`.
    fn check_terms(&self, farthest: f64) -> Result<()> {
        let largest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
        let refuse = |place: &str, value: f64, what: &str| {
            Err(InputError::new(format!("{what} beyond {LARGEST_COST:e}"))
                .at(place)
                .value(format!("{value:e}"))
                .remedy("give smaller numbers, or columns in larger units")
                .into())
        };
        let k_distance = largest(&self.k_distance);
        if k_distance > LARGEST_COST {
            return refuse("cost.outlier.k_distance", k_distance, "is a distance");
        }
        let density = largest(&self.density);
        let term = density * farthest.max(k_distance).max(1.0);
        if term > LARGEST_COST {
            return refuse(
                "cost.outlier.density",
                density,
                "makes outlier terms possible that are",
            );
        }
        let cost = self.weight * term.max(1.0);
        if cost > LARGEST_COST {
            return refuse("cost.outlier.weight", self.weight, "makes costs possible that are");
        }
        Ok(())
    }

    /// The divisor is to blame where it is what makes the difference large.
    fn too_far(&self, reach: &[Reach], (point, column): (usize, usize)) -> crate::Error {
        let number = self.points[point][column];
        let size = (reach[column].size + number.abs()).max(1.0);
        let divisor = self.scale.as_ref().map(|scale| scale[column]);
        let what = format!("makes distances beyond {LARGEST_COST:e} possible");
        match divisor {
            Some(divisor) if divisor * size < 1.0 => InputError::new(what)
                .at(format!("cost.outlier.scale[{column}]"))
                .value(format!("{divisor:e}"))
                .remedy("give a larger divisor, such as the column's standard deviation"),
            _ if number.abs() >= reach[column].size => InputError::new(what)
                .at(format!("cost.outlier.points[{point}][{column}]"))
                .value(format!("{number:e}"))
                .remedy("give the column in larger units, or a larger `scale`"),
            _ => InputError::new(format!("is how large the values of that column are; it {what}"))
                .at(format!("x[{column}], and the options of its feature"))
                .value(format!("{:e}", reach[column].size))
                .remedy("give the column in larger units, or a larger `scale`"),
        }
        .into()
    }
}

/// A sum, and where its largest term comes from.
#[derive(Default)]
struct Worst {
    sum: f64,
    largest: f64,
    place: (usize, usize),
}

impl Worst {
    fn add(&mut self, term: f64, place: (usize, usize)) {
        self.sum += term;
        // What is not a number is worse than all others.
        if term > self.largest || term.is_nan() {
            (self.largest, self.place) = (term, place);
        }
    }
}
