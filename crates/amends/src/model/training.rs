//! Checked training rows, and the entry point to all trainers.

use super::{Classifier, ModelKind, TrainSettings, boost, forest, logistic, svm};
use crate::{InputError, Result};

/// Numbers beyond this overflow when they are squared and added up over many rows.
const LARGEST: f64 = 1e100;

/// Encoded rows with their known outcomes, checked once so that no trainer has to.
#[derive(Debug, Clone, Copy)]
pub struct Training<'a> {
    rows: &'a [Vec<f64>],
    favourable: &'a [bool],
    binary: &'a [bool],
}

impl<'a> Training<'a> {
    /// Checks the rows: at least two, of one width, finite, with both outcomes.
    ///
    /// `favourable` holds one outcome per row (favourable is the positive class), `binary` says per
    /// column whether it holds only 0 and 1; such columns are not standardised.
    pub fn new(
        rows: &'a [Vec<f64>],
        favourable: &'a [bool],
        binary: &'a [bool],
    ) -> Result<Self, InputError> {
        if rows.len() < 2 {
            return Err(InputError::new(format!(
                "holds {} rows, too few to learn from",
                rows.len()
            ))
            .at("training data")
            .remedy("give at least two rows, one of each outcome"));
        }
        if rows.len() != favourable.len() {
            return Err(InputError::new(format!(
                "holds {} rows but {} outcomes",
                rows.len(),
                favourable.len()
            ))
            .at("training data")
            .remedy("give one outcome per row"));
        }
        if binary.is_empty() {
            return Err(InputError::new("has no columns")
                .at("training data")
                .remedy("declare at least one feature"));
        }
        for (index, row) in rows.iter().enumerate() {
            check_row(index + 1, row, binary)?;
        }
        let count = favourable.iter().filter(|&&good| good).count();
        if count == 0 || count == rows.len() {
            let outcome = if count == 0 { "unfavourable" } else { "favourable" };
            return Err(InputError::new(format!("holds only {outcome} outcomes"))
                .at("training data")
                .remedy("give rows of both outcomes, and check which label means favourable"));
        }
        Ok(Self { rows, favourable, binary })
    }

    /// The encoded rows.
    pub fn rows(&self) -> &'a [Vec<f64>] {
        self.rows
    }

    /// One outcome per row.
    pub fn favourable(&self) -> &'a [bool] {
        self.favourable
    }

    /// Per column: whether it holds only 0 and 1.
    pub fn binary(&self) -> &'a [bool] {
        self.binary
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.binary.len()
    }
}

fn check_row(number: usize, row: &[f64], binary: &[bool]) -> Result<(), InputError> {
    if row.len() != binary.len() {
        return Err(InputError::new(format!(
            "has {} numbers, but there are {} columns",
            row.len(),
            binary.len()
        ))
        .row(number)
        .remedy("give one number per column"));
    }
    for (column, (&value, &binary)) in row.iter().zip(binary).enumerate() {
        let problem = if !value.is_finite() {
            "is not a finite number"
        } else if value.abs() > LARGEST {
            "is too large to compute with"
        } else if binary && value != 0.0 && value != 1.0 {
            "is neither 0 nor 1 in a binary column"
        } else {
            continue;
        };
        return Err(InputError::new(problem)
            .row(number)
            .at(format!("encoded column {column}"))
            .value(format_args!("{value:?}"))
            .remedy("correct the value or leave the row out"));
    }
    Ok(())
}

/// Trains a classifier; the same rows and settings give the same classifier on any number of threads.
pub fn train(
    kind: ModelKind,
    training: &Training<'_>,
    settings: &TrainSettings,
) -> Result<Classifier> {
    settings.check()?;
    let classifier = match kind {
        ModelKind::LogisticRegression => Classifier::Linear(logistic::fit(training, settings.c)?),
        ModelKind::LinearSvm => {
            Classifier::Linear(svm::fit(training, settings.c, settings.svm_loss)?)
        }
        ModelKind::RandomForest => Classifier::Trees(forest::fit(training, settings)),
        ModelKind::GradientBoosting => Classifier::Trees(boost::fit(training, settings)),
    };
    classifier.check(training.width())?;
    Ok(classifier)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(rows: &[Vec<f64>], favourable: &[bool], binary: &[bool]) -> String {
        Training::new(rows, favourable, binary).unwrap_err().to_string()
    }

    #[test]
    fn rows_that_teach_nothing_are_refused() {
        let rows = vec![vec![1.0, 0.0], vec![2.0, 1.0]];
        let binary = [false, true];
        assert!(Training::new(&rows, &[true, false], &binary).is_ok());
        assert!(refusal(&rows[..1], &[true], &binary).contains("too few"));
        assert!(refusal(&rows, &[true], &binary).contains("2 rows but 1 outcomes"));
        assert!(refusal(&rows, &[true, true], &binary).contains("only favourable outcomes"));
        assert!(refusal(&rows, &[false, false], &binary).contains("only unfavourable outcomes"));
        assert!(refusal(&[vec![], vec![]], &[true, false], &[]).contains("no columns"));
    }

    #[test]
    fn a_bad_number_is_named_with_its_place() {
        let with = |value: f64| vec![vec![1.0, 0.0], vec![2.0, value]];
        let outcomes = [true, false];
        let error = refusal(&with(f64::NAN), &outcomes, &[false, false]);
        assert!(error.starts_with("row 2, encoded column 1: `NaN` is not"), "{error}");
        assert!(refusal(&with(1e200), &outcomes, &[false, false]).contains("too large"));
        assert!(refusal(&with(0.5), &outcomes, &[false, true]).contains("neither 0 nor 1"));
        assert!(refusal(&[vec![1.0], vec![1.0, 2.0]], &outcomes, &[false]).contains("2 numbers"));
    }

    #[test]
    fn extreme_numbers_end_in_a_finite_model_or_an_error() {
        use crate::model::SvmLoss;
        let sizes = [0.0, 5e-324, 1e-160, 1e-20, 1.0, 1e20, 1e99];
        for (large, small) in sizes.iter().flat_map(|a| sizes.iter().map(move |b| (a, b))) {
            let rows: Vec<Vec<f64>> =
                [1.0, -1.0, 0.5, 2.0].map(|sign| vec![sign * large, small * (sign + 3.0)]).to_vec();
            let training = Training::new(&rows, &[true, false, false, true], &[false; 2]).unwrap();
            for c in [1e-300, 1.0, 1e300] {
                for (kind, svm_loss) in [
                    (ModelKind::LogisticRegression, SvmLoss::SquaredHinge),
                    (ModelKind::LinearSvm, SvmLoss::SquaredHinge),
                    (ModelKind::LinearSvm, SvmLoss::Hinge),
                    (ModelKind::RandomForest, SvmLoss::Hinge),
                    (ModelKind::GradientBoosting, SvmLoss::Hinge),
                ] {
                    let settings = TrainSettings { c, svm_loss, trees: 2, ..Default::default() };
                    match train(kind, &training, &settings) {
                        Ok(model) => assert!(rows.iter().all(|row| model.score(row).is_finite())),
                        Err(error) => assert!(c > 1.0, "{kind} of {large} and {small}: {error}"),
                    }
                }
            }
        }
    }
}
