//! What an instance must satisfy before any engine sees it.

use super::{Coefficients, Instance};
use crate::model::LARGEST_SCORE;
use crate::{InputError, Result};

impl Instance {
    /// Checks that the parts fit together and that every number can be used.
    pub(super) fn check(&self) -> Result<()> {
        let columns = self.x.len();
        if columns == 0 {
            return wrong("x", "is empty", "give the applicant's encoded columns");
        }
        all_finite(&self.x, "x")?;
        if self.max_changes == 0 {
            return wrong(
                "max_changes",
                "is 0, so nothing may change",
                "allow at least one change",
            );
        }
        self.check_features(columns)?;
        self.check_rules()?;
        self.classifier.check(columns)?;
        self.check_scores()?;
        self.check_distance(columns)?;
        self.cost.outlier.as_ref().map_or(Ok(()), |outlier| outlier.check(columns))?;
        self.check_costs()?;
        self.cost.check_limits()
    }

    /// No plan's score may overflow: an infinite score is above every cut.
    fn check_scores(&self) -> Result<()> {
        let mut sizes: Vec<f64> = self.x.iter().map(|value| value.abs()).collect();
        for feature in &self.features {
            for (position, &column) in feature.columns.iter().enumerate() {
                sizes[column] = sizes[column].max(feature.options.largest(position));
            }
        }
        let largest = self.classifier.largest_score(&sizes);
        if largest <= LARGEST_SCORE {
            return Ok(());
        }
        let share = |column: usize| self.classifier.column_weight(column) * sizes[column];
        let worst = (0..sizes.len()).max_by(|&a, &b| share(a).total_cmp(&share(b)));
        // A column is to blame only where it makes up a good part of the score.
        let blamed = worst.filter(|&column| share(column) >= largest.min(f64::MAX) / 1000.0);
        let Some(column) = blamed else {
            return wrong(
                "classifier",
                format!("has scores of up to {largest:e}, beyond {LARGEST_SCORE:e}"),
                "scale its weights and values down",
            );
        };
        let owner = self.features.iter().position(|feature| feature.columns.contains(&column));
        let place = owner.map_or_else(
            || format!("x[{column}]"),
            |index| format!("features[{index}] `{}`", self.features[index].name),
        );
        wrong(
            &place,
            format!(
                "has values of up to {:e} in column {column}, with a weight of {:e}: scores may exceed {LARGEST_SCORE:e}",
                sizes[column],
                self.classifier.column_weight(column)
            ),
            "give smaller numbers, or scale columns and weights",
        )
    }
}

pub(super) fn wrong<T>(place: &str, problem: impl Into<String>, remedy: &str) -> Result<T> {
    Err(InputError::new(problem).at(place).remedy(remedy).into())
}

pub(super) fn all_finite(values: &[f64], place: &str) -> Result<()> {
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(index) => wrong(
            &format!("{place}[{index}]"),
            format!("is {}, not a finite number", values[index]),
            "give a finite number",
        ),
    }
}

pub(super) fn check_finite(numbers: &Coefficients, place: &str) -> Result<()> {
    if numbers.is_finite() {
        return Ok(());
    }
    wrong(place, "holds a number that is not finite", "give finite numbers")
}

pub(super) fn same_length(found: usize, wanted: usize, place: &str, what: &str) -> Result<()> {
    if found == wanted {
        return Ok(());
    }
    wrong(place, format!("has {found} entries, but {what}: {wanted}"), "make the lengths agree")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::Options;
    use super::super::file::tests::small;
    use super::*;
    use crate::instance::{Distance, Outlier};
    use crate::model::{Classifier, Layer, Linear, Mlp, Sums, Tree, TreeEnsemble};

    fn message(spoil: impl FnOnce(&mut Instance)) -> String {
        let mut instance = small();
        spoil(&mut instance);
        instance.check().unwrap_err().to_string()
    }

    #[test]
    fn scores_that_overflow_are_refused_with_the_column() {
        let linear = |weights: [f64; 4], intercept| {
            Arc::new(Classifier::Linear(Linear { weights: weights.to_vec(), intercept }))
        };
        let tree = |value| Tree {
            feature: vec![-1],
            threshold: vec![0.0],
            left: vec![-1],
            right: vec![-1],
            value: vec![value],
        };
        let layer = |weight| Layer { weights: vec![vec![weight; 4]], bias: vec![0.0] };
        let last = Layer { weights: vec![vec![1e200]], bias: vec![0.0] };
        let cases = [
            // The applicant's own score is infinite, and without check "already accepted".
            (
                message(|i| i.classifier = linear([1e308, 0.0, 0.0, 0.0], 1.0)),
                "features[0] `age`: has values of up to 3.2e1",
            ),
            // An infinite and a minus infinite term: no number at all.
            (
                message(|i| i.classifier = linear([1e308, -1e308, 0.0, 0.0], 1.0)),
                "with a weight of 1e308: scores may exceed 1e300",
            ),
            // Only the score of an option is.
            (
                message(|i| {
                    i.classifier = linear([0.1, 1.0, 0.0, 0.0], -50.0);
                    i.features[1].options.include(&[1e301]);
                }),
                "features[1] `amount`: has values of up to 1e301 in column 1",
            ),
            (
                message(|i| i.classifier = linear([0.0; 4], 1e308)),
                "classifier: has scores of up to 1e308",
            ),
            (
                message(|i| {
                    let trees = vec![tree(1e308), tree(1e308)];
                    let (threshold, sums, trees) = (0.0, Sums::Double, trees.into());
                    let ensemble = TreeEnsemble { threshold, sums, trees };
                    i.classifier = Classifier::Trees(ensemble).into();
                }),
                "classifier: has scores of up to inf",
            ),
            (
                message(|i| {
                    let layers = vec![layer(1e150), last.clone()];
                    i.classifier = Classifier::Mlp(Mlp { layers }).into();
                }),
                "classifier: has scores of up to inf",
            ),
        ];
        for (message, expected) in cases {
            assert!(message.contains(expected), "{message:?} should name {expected:?}");
        }
        let mut instance = small();
        instance.classifier = linear([1e308, 0.0, 0.0, 0.0], 1.0);
        assert!(instance.classifier.score(&instance.x).is_infinite());
        assert!(!instance.already_accepted() && !instance.evaluate(&instance.keep_all()).accepted);
    }

    #[test]
    fn every_kind_of_disagreement_is_named() {
        let outlier = |i: &mut Instance, f: fn(&mut Outlier)| f(i.cost.outlier.as_mut().unwrap());
        let cases = [
            (message(|i| i.x[1] = f64::NAN), "x[1]"),
            (message(|i| i.x.clear()), "x: is empty"),
            (message(|i| i.max_changes = 0), "max_changes"),
            (message(|i| i.features.clear()), "features"),
            (message(|i| i.features[1].options = Options::default()), "has no options"),
            (message(|i| i.features[1].options = Options::listed(vec![vec![3.0]])), "own values"),
            (
                message(|i| i.features[2].options.include(&[1.0, 0.0, 0.0])),
                "features[2] `housing`, options[2]",
            ),
            (message(|i| i.features[2].columns = vec![2, 9]), "column 9"),
            (message(|i| i.features[2].columns = vec![2, 0]), "belongs to features[0] `age`"),
            (message(|i| i.features[1].name = "age".into()), "earlier feature"),
            (message(|i| outlier(i, |o| o.weight = -1.0)), "lambda"),
            (message(|i| i.cost.change_cost = -0.1), "cost.change_cost: is -0.1"),
            (message(|i| i.cost.change_cost = f64::NAN), "cost.change_cost: is NaN"),
            (message(|i| i.cost.change_cost = 1e13), "give a number from 0 to 1e12"),
            (message(|i| i.cost.most.distance = Some(-1.0)), "cost.most.distance: is -1"),
            (message(|i| i.cost.most.outlier = Some(f64::NAN)), "cost.most.outlier: is NaN"),
            (
                message(|i| {
                    i.cost.most.outlier = Some(1.0);
                    i.cost.outlier = None;
                }),
                "cost.most.outlier: limits an outlier term, but there is none",
            ),
            (message(|i| outlier(i, |o| o.density = [1.0].into())), "cost.outlier.density"),
            (
                message(|i| outlier(i, |o| o.k_distance = [1.0; 3].into())),
                "cost.outlier.k_distance",
            ),
            (
                message(|i| {
                    outlier(i, |o| o.points = vec![o.points[0].clone(), vec![1.0, 2.0]].into());
                }),
                "cost.outlier.points[1]",
            ),
            (message(|i| outlier(i, |o| o.points = Vec::new().into())), "cost.outlier.points"),
            (message(|i| outlier(i, |o| o.k = Some(3))), "cost.outlier.k"),
            (
                message(|i| outlier(i, |o| o.scale = Some(vec![1.0, 1.0, 0.0, 1.0]))),
                "cost.outlier.scale",
            ),
        ];
        for (message, expected) in cases {
            assert!(message.contains(expected), "{message:?} should name {expected:?}");
        }
    }

    #[test]
    fn distances_must_fit_the_instance() {
        let table = |costs: Vec<Vec<f64>>| {
            let costs = costs.into_iter().map(Coefficients::from).collect();
            message(|i| i.cost.distance = Distance::Table { costs })
        };
        assert!(table(vec![vec![0.0]]).contains("cost.distance.costs"));
        assert!(table(vec![vec![0.0; 3], vec![0.0], vec![0.0]]).contains("costs[2]"));
        assert!(table(vec![vec![0.0; 3], vec![-1.0], vec![0.0; 2]]).contains("costs[1]"));
        let copies = message(|i| {
            // The applicant's own age, once more.
            let own = i.features[0].options.row(1);
            let mut rows: Vec<Vec<f64>> = (0..3).map(|o| i.features[0].options.row(o)).collect();
            rows.push(own);
            i.features[0].options = Options::listed(rows);
            let costs = [vec![5.0, 4.0, 5.0, 0.0], vec![0.0], vec![0.0; 2]].map(Coefficients::from);
            i.cost.distance = Distance::Table { costs: costs.to_vec() };
        });
        assert!(copies.contains("costs[0]: has the costs 4 and 0 for options 1 and 3"), "{copies}");
        let ragged =
            message(|i| i.cost.distance = Distance::Mahalanobis { factor: vec![vec![1.0; 3]] });
        assert!(ragged.contains("cost.distance.factor[0]"));
    }
}
