//! The checker: what a plan costs and whether it holds, from the instance alone.
//!
//! Engines find plans; this file judges them. It shares no code with the engines.

use super::{Distance, Instance, Outlier};
use crate::model::is_accepting;

/// Points this much farther than the nearest one, relatively, count as nearest too: rounding must
/// not decide between points that are equally near.
const TIE: f64 = 1e-12;

/// Added to the mean reachability, as scikit-learn does, so that duplicated rows have a density.
const DENSITY_SHIFT: f64 = 1e-10;

/// A plan, judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// `distance + weight * outlier + change_cost * changes`.
    pub objective: f64,
    /// The effort of the change.
    pub distance: f64,
    /// The outlier term, without its weight; 0 where the instance has none.
    pub outlier: f64,
    /// The nearest reference point, where the instance has any.
    pub nearest: Option<usize>,
    /// The classifier's score of the changed applicant.
    pub score: f64,
    /// Whether the classifier accepts the changed applicant.
    pub accepted: bool,
    /// How many features change.
    pub changes: usize,
    /// The rules that it breaks, by their index in the instance.
    pub broken_rules: Vec<usize>,
}

impl Instance {
    /// Judges a plan: one option per feature.
    ///
    /// # Panics
    /// If `choice` does not name an option of every feature.
    pub fn evaluate(&self, choice: &[usize]) -> Evaluation {
        self.evaluate_near(choice, None)
    }

    /// The same, where only some reference points, in rising order, can be among the nearest.
    pub(crate) fn evaluate_near(&self, choice: &[usize], near: Option<&[u32]>) -> Evaluation {
        assert_eq!(choice.len(), self.features.len(), "a plan names one option per feature");
        let mut changed = self.x.clone();
        let mut changes = 0;
        for (feature, &option) in self.features.iter().zip(choice) {
            let values = feature.options.row(option);
            let mut pairs = feature.columns.iter().zip(&values);
            changes += usize::from(pairs.any(|(&column, &value)| value != self.x[column]));
            for (&column, &value) in feature.columns.iter().zip(&values) {
                changed[column] = value;
            }
        }
        let change: Vec<f64> = changed.iter().zip(&self.x).map(|(to, from)| to - from).collect();
        let distance = match &self.cost.distance {
            Distance::Table { costs } => {
                costs.iter().zip(choice).map(|(costs, &option)| costs.at(option)).sum()
            }
            Distance::L1Mahalanobis { factor } => {
                factor.iter().map(|row| dot(row, &change).abs()).sum()
            }
            Distance::Mahalanobis { factor } => squared_length(factor, &change).sqrt(),
            Distance::SquaredMahalanobis { factor } => squared_length(factor, &change),
        };
        let (outlier, nearest, weight) = match &self.cost.outlier {
            None => (0.0, None, 0.0),
            Some(term) => {
                let (value, nearest) = match near {
                    None => term.evaluate(&changed),
                    Some(near) => term.among(&changed, near),
                };
                (value, Some(nearest), term.weight)
            }
        };
        let score = self.classifier.score(&changed);
        Evaluation {
            objective: distance + weight * outlier + self.cost.of_changes(changes),
            distance,
            outlier,
            nearest,
            score,
            accepted: is_accepting(score, 0.0),
            changes,
            broken_rules: self.broken_rules(choice),
        }
    }

    /// Whether a plan is one: accepted, within the allowed number of changes and the limits on distance and
    /// outlier term, no rule broken.
    pub fn is_valid(&self, evaluation: &Evaluation) -> bool {
        evaluation.accepted
            && evaluation.changes <= self.max_changes
            && evaluation.broken_rules.is_empty()
            && self.cost.most.hold(evaluation)
    }
}

impl Outlier {
    /// The outlier term at a point, and the nearest reference point.
    pub fn evaluate(&self, at: &[f64]) -> (f64, usize) {
        self.among(at, &(0..self.points.len() as u32).collect::<Vec<u32>>())
    }

    /// The same among some of the points, which are in rising order.
    fn among(&self, at: &[f64], points: &[u32]) -> (f64, usize) {
        let row = |position: usize| points[position] as usize;
        let scale = self.scale.as_deref();
        let distance = |&n: &u32| self.metric.distance(at, &self.points[n as usize], scale);
        let distances: Vec<f64> = points.iter().map(distance).collect();
        let reach = |position: usize| distances[position].max(self.k_distance[row(position)]);
        if let Some(k) = self.k {
            let mut order: Vec<usize> = (0..distances.len()).collect();
            let nearer =
                |&a: &usize, &b: &usize| distances[a].total_cmp(&distances[b]).then(a.cmp(&b));
            // Sorting all of a large table takes longer than anything else here.
            if k < order.len() {
                order.select_nth_unstable_by(k, nearer);
                order.truncate(k);
            }
            order.sort_unstable_by(nearer);
            let neighbours = &order[..k];
            let mean = |value: &dyn Fn(usize) -> f64| {
                neighbours.iter().map(|&place| value(place)).sum::<f64>() / k as f64
            };
            let own_density = 1.0 / (mean(&reach) + DENSITY_SHIFT);
            let density = mean(&|position| self.density[row(position)]);
            return (density / own_density, row(neighbours[0]));
        }
        // Equally near points are interchangeable for the paper's program, which then takes the
        // cheapest; so does this.
        let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
        let term = |position: usize| self.density[row(position)] * reach(position);
        let nearest = (0..distances.len())
            .filter(|&position| distances[position] <= least * (1.0 + TIE))
            .min_by(|&a, &b| term(a).total_cmp(&term(b)))
            .unwrap_or(0);
        (term(nearest), row(nearest))
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn squared_length(factor: &[Vec<f64>], change: &[f64]) -> f64 {
    factor.iter().map(|row| dot(row, change).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::super::file::tests::small;
    use crate::plausibility::Metric;

    #[test]
    fn a_plan_is_judged_by_hand_computed_numbers() {
        let instance = small();
        // age 30 -> 32, housing rent -> own
        let judged = instance.evaluate(&[2, 0, 1]);
        assert_eq!(judged.changes, 2);
        assert!((judged.distance - (2.0 + 1.0 + 1.0)).abs() < 1e-12);
        // The changed applicant is (32, 10, 0, 1); the points are (30, 10, 1, 0) and (33, 10, 0, 1).
        assert_eq!(judged.nearest, Some(1));
        assert!((judged.outlier - 0.5 * 2.0).abs() < 1e-12);
        assert!((judged.objective - (4.0 + 0.1)).abs() < 1e-12);
        assert!((judged.score - (0.1 * 32.0 + 0.5 - 3.5)).abs() < 1e-12);
        assert!(instance.is_valid(&judged));
        // The two columns of housing are one change.
        let mut priced = instance.clone();
        priced.cost.change_cost = 0.25;
        let paid = priced.evaluate(&[2, 0, 1]);
        assert!((paid.objective - (4.0 + 0.1 + 2.0 * 0.25)).abs() < 1e-12);
        assert_eq!((paid.distance, paid.outlier), (judged.distance, judged.outlier));
        assert!(!instance.is_valid(&instance.evaluate(&instance.keep_all())));
    }

    #[test]
    fn true_lof_is_the_ratio_of_densities() {
        let mut instance = small();
        let term = instance.cost.outlier.as_mut().unwrap();
        term.k = Some(2);
        term.metric = Metric::Manhattan;
        // At (30, 10, 1, 0): distances 0 and 5, reachabilities max(0, 4) and max(5, 2).
        let (value, nearest) = term.evaluate(&[30.0, 10.0, 1.0, 0.0]);
        assert_eq!(nearest, 0);
        assert!((value - 0.375 * 4.5).abs() < 1e-9);
    }

    #[test]
    fn equally_near_points_cost_what_the_cheapest_does() {
        let mut instance = small();
        let term = instance.cost.outlier.as_mut().unwrap();
        term.points = vec![vec![29.0, 10.0, 1.0, 0.0], vec![31.0, 10.0, 1.0, 0.0]].into();
        let (value, nearest) = term.evaluate(&[30.0, 10.0, 1.0, 0.0]);
        assert_eq!((value, nearest), (1.0, 0));
        std::sync::Arc::make_mut(&mut term.density)[1] = 0.1;
        assert_eq!(term.evaluate(&[30.0, 10.0, 1.0, 0.0]), (0.2, 1));
    }
}
