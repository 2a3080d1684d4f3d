//! An instance in units in which its numbers are of ordinary size for solvers.
//!
//! Solvers take a row for satisfied, and a bound for reached, up to some 1e-9 whatever the size of the numbers. Costs of that
//! size are 0 to them, and so are distances between rows that are that close. Cost and distances are therefore
//! multiplied by powers of two, which rounds nothing: plans, ties and rules stay what they are.

use crate::instance::{Coefficients, Distance, Instance};
use crate::plausibility::Metric;
use crate::solution::LEAST_IN_GAP;

/// Sizes from two to the first of these powers to two to the second are left as they are.
const ORDINARY: (i32, i32) = (-9, 20);

/// Beyond two to this power, other numbers of the instance would leave the range of 64 bits.
const MOST_EXPONENT: i32 = 300;

/// Powers of two by which an instance is multiplied before it becomes a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Units {
    /// Of distances, weights and costs: of the objective.
    cost: i32,
    /// Of distances to the reference points.
    reference: i32,
}

impl Units {
    /// The units for plans of about this cost; without one, costs are left as they are.
    pub(super) fn new(instance: &Instance, objective: Option<f64>) -> Self {
        // Gaps are relative to at least this, so that it need not be made larger.
        let cost = objective.map_or(0, |objective| exponent(objective.max(LEAST_IN_GAP)));
        let reference = instance.cost().outlier.as_ref().map_or(0, |outlier| {
            let scale = outlier.scale.as_deref();
            let distance = |point: &Vec<f64>| outlier.metric.distance(instance.x(), point, scale);
            let distances = outlier.points.iter().map(distance);
            let size = distances.chain(outlier.k_distance.iter().copied()).fold(0.0, f64::max);
            // Large ones are far enough from the tolerances as they are.
            exponent(size).max(0)
        });
        Self { cost, reference }
    }

    /// The instance in these units: every objective is multiplied by [`Self::factor`].
    pub(super) fn apply(self, instance: &Instance) -> Instance {
        let by = self.factor();
        let mut cost = instance.cost().clone();
        match &mut cost.distance {
            Distance::L1Mahalanobis { factor } | Distance::Mahalanobis { factor } => {
                factor.iter_mut().flatten().for_each(|u| *u *= by);
            }
            Distance::SquaredMahalanobis { factor } => {
                factor.iter_mut().flatten().for_each(|u| *u *= by.sqrt());
            }
            Distance::Table { costs } => {
                for costs in costs {
                    *costs = times(costs, by);
                }
            }
        }
        cost.change_cost *= by;
        if let Some(limit) = &mut cost.most.distance {
            *limit *= by;
        }
        if let Some(outlier) = &mut cost.outlier {
            outlier.weight *= by;
            let distance = power(self.reference);
            let divisor = match outlier.metric {
                Metric::SquaredEuclidean => distance.sqrt(),
                Metric::Euclidean | Metric::Manhattan => distance,
            };
            let scale = outlier.scale.get_or_insert_with(|| vec![1.0; instance.x().len()]);
            for scale in scale {
                *scale /= divisor;
            }
            outlier.k_distance =
                outlier.k_distance.iter().map(|length| length * distance).collect();
            outlier.density = outlier.density.iter().map(|density| density / distance).collect();
        }
        instance.with_cost(cost)
    }

    /// Whether nothing is multiplied.
    pub(super) fn is_plain(self) -> bool {
        (self.cost, self.reference) == (0, 0)
    }

    /// What costs are multiplied by.
    pub(super) fn factor(self) -> f64 {
        power(self.cost)
    }
}

/// The power that brings a size to about 1, even so that its root is a power of two as well; 0 where it is ordinary.
fn exponent(size: f64) -> i32 {
    if !(size.is_normal() && size > 0.0) {
        return 0;
    }
    let power = size.log2().floor() as i32;
    if (ORDINARY.0..ORDINARY.1).contains(&power) {
        return 0;
    }
    (-power / 2 * 2).clamp(-MOST_EXPONENT, MOST_EXPONENT)
}

fn power(exponent: i32) -> f64 {
    2f64.powi(exponent)
}

fn times(numbers: &Coefficients, by: f64) -> Coefficients {
    let mut product = Coefficients::default();
    for run in numbers.runs() {
        product.push(run.first * by, run.step * by, run.count);
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::read_instances;

    fn instance(metric: &str, factor: f64, point: f64) -> Instance {
        let text = format!(
            r#"{{"version": 2, "x": [0, 0],
                "features": [{{"name": "a", "columns": [0], "options": [[0], [1]]}}],
                "max_changes": 1,
                "classifier": {{"kind": "linear", "weights": [1, 0], "intercept": -1}},
                "cost": {{"distance": {{"kind": "l1-mahalanobis", "factor": [[{factor}, 0]]}},
                    "outlier": {{"weight": 0.25, "metric": "{metric}", "points": [[1, {point}], [1, 0]],
                        "k_distance": [0, 0], "density": [1, 1], "scale": [1e9, 1]}},
                    "change_cost": {factor},
                    "most": {{"distance": {factor}}}}}}}"#
        );
        read_instances(&text, "test").unwrap().remove(0)
    }

    #[test]
    fn ordinary_instances_are_left_alone() {
        let instance = instance("manhattan", 1.5, 3.0);
        assert!(Units::new(&instance, Some(1.5)).is_plain());
        assert!(Units::new(&instance, None).is_plain());
        assert_eq!(Units { cost: 0, reference: 0 }.apply(&instance), instance);
    }

    #[test]
    fn every_judgement_is_multiplied_by_the_same_power_of_two() {
        for metric in ["manhattan", "squared-euclidean"] {
            let instance = instance(metric, 3e-8, 1e-7);
            let units = Units::new(&instance, Some(3e-8));
            assert!(units.cost > 20 && units.reference > 20, "{units:?}");
            let scaled = units.apply(&instance);
            for choice in [[0], [1]] {
                let (plain, large) = (instance.evaluate(&choice), scaled.evaluate(&choice));
                assert_eq!(large.objective, plain.objective * units.factor());
                assert_eq!((large.outlier, large.nearest), (plain.outlier, plain.nearest));
                assert_eq!(scaled.is_valid(&large), instance.is_valid(&plain));
            }
            let size = scaled.evaluate(&[1]).objective;
            assert!((0.5..4.0).contains(&size), "{size}");
        }
    }
}
