//! How well decisions agree with what happened.

use serde::{Deserialize, Serialize};

/// The usual four measures, with favourable as the positive class.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quality {
    /// The share of right decisions.
    pub accuracy: f64,
    /// The share of the accepted whose outcome was favourable; undefined where nobody was accepted.
    pub precision: Option<f64>,
    /// The share of the favourable outcomes that were accepted; undefined where there were none.
    pub recall: Option<f64>,
    /// The harmonic mean of precision and recall; undefined where nobody was accepted and no outcome was favourable.
    pub f1: Option<f64>,
}

impl Quality {
    /// Measures decisions against outcomes, one of each per row.
    ///
    /// # Panics
    /// Where the two differ in length.
    pub fn measure(decisions: &[bool], truth: &[bool]) -> Self {
        assert_eq!(decisions.len(), truth.len(), "one decision per outcome");
        let count = |decision: bool, outcome: bool| {
            let pairs = decisions.iter().zip(truth);
            pairs.filter(|&(&d, &t)| (d, t) == (decision, outcome)).count() as f64
        };
        let (accepted_good, accepted_bad) = (count(true, true), count(true, false));
        let (rejected_good, rejected_bad) = (count(false, true), count(false, false));
        Self {
            accuracy: ratio(accepted_good + rejected_bad, decisions.len() as f64).unwrap_or(0.0),
            precision: ratio(accepted_good, accepted_good + accepted_bad),
            recall: ratio(accepted_good, accepted_good + rejected_good),
            f1: ratio(2.0 * accepted_good, 2.0 * accepted_good + accepted_bad + rejected_good),
        }
    }
}

fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

/// A mean and the sample standard deviation around it (0 for a single number).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MeanDeviation {
    /// The mean.
    pub mean: f64,
    /// The sample standard deviation.
    pub deviation: f64,
}

impl MeanDeviation {
    /// Mean and deviation of some numbers; `None` where there are none.
    pub fn of(numbers: &[f64]) -> Option<Self> {
        let count = numbers.len() as f64;
        if numbers.is_empty() {
            return None;
        }
        let mean = numbers.iter().sum::<f64>() / count;
        let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        Some(Self { mean, deviation: (squares / (count - 1.0).max(1.0)).sqrt() })
    }
}

/// Many measurements, as over many splits, in mean and deviation. What is undefined for a split counts as 0 there.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct QualitySummary {
    /// The share of right decisions.
    pub accuracy: MeanDeviation,
    /// The share of the accepted whose outcome was favourable.
    pub precision: MeanDeviation,
    /// The share of the favourable outcomes that were accepted.
    pub recall: MeanDeviation,
    /// The harmonic mean of precision and recall.
    pub f1: MeanDeviation,
}

impl QualitySummary {
    /// Sums up measurements; `None` where there are none.
    pub fn of(measured: &[Quality]) -> Option<Self> {
        let over = |pick: fn(&Quality) -> f64| {
            MeanDeviation::of(&measured.iter().map(pick).collect::<Vec<f64>>())
        };
        Some(Self {
            accuracy: over(|quality| quality.accuracy)?,
            precision: over(|quality| quality.precision.unwrap_or(0.0))?,
            recall: over(|quality| quality.recall.unwrap_or(0.0))?,
            f1: over(|quality| quality.f1.unwrap_or(0.0))?,
        })
    }

    /// The measures by name, in the order of the papers' tables.
    pub fn named(&self) -> [(&'static str, MeanDeviation); 4] {
        [
            ("accuracy", self.accuracy),
            ("precision", self.precision),
            ("recall", self.recall),
            ("f1", self.f1),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows by their counts: accepted and good, accepted and bad, rejected and good, rejected and bad.
    fn from_counts(counts: [usize; 4]) -> Quality {
        let cells = [(true, true), (true, false), (false, true), (false, false)];
        let rows = cells.into_iter().zip(counts).flat_map(|(cell, n)| std::iter::repeat_n(cell, n));
        let (decisions, truth): (Vec<bool>, Vec<bool>) = rows.unzip();
        Quality::measure(&decisions, &truth)
    }

    #[test]
    fn measures_match_a_confusion_matrix_worked_by_hand() {
        // 6 + 1 right of 10; 6 of 8 accepted are good; 6 of 7 good are accepted; 12 / 15.
        let quality = from_counts([6, 2, 1, 1]);
        let (precision, recall, f1) = (Some(0.75), Some(6.0 / 7.0), Some(0.8));
        assert_eq!(quality, Quality { accuracy: 0.7, precision, recall, f1 });
    }

    #[test]
    fn shares_of_nothing_are_undefined() {
        let undefined = Quality { accuracy: 0.0, precision: None, recall: None, f1: None };
        let (recall, f1) = (Some(0.0), Some(0.0));
        let none_accepted = from_counts([0, 0, 3, 1]);
        assert_eq!(none_accepted, Quality { accuracy: 0.25, recall, f1, ..undefined });
        let none_good = from_counts([0, 2, 0, 2]);
        assert_eq!(none_good, Quality { accuracy: 0.5, precision: Some(0.0), f1, ..undefined });
        assert_eq!(from_counts([0; 4]), undefined);
        let one_rejected = from_counts([0, 0, 0, 1]);
        assert_eq!(one_rejected, Quality { accuracy: 1.0, ..undefined });
        let text = serde_json::to_string(&one_rejected).unwrap();
        assert_eq!(text, r#"{"accuracy":1.0,"precision":null,"recall":null,"f1":null}"#);
        assert_eq!(serde_json::from_str::<Quality>(&text).unwrap(), one_rejected);
    }

    #[test]
    fn summaries_hold_mean_and_sample_deviation() {
        assert_eq!(MeanDeviation::of(&[]), None);
        assert_eq!(MeanDeviation::of(&[0.5]), Some(MeanDeviation { mean: 0.5, deviation: 0.0 }));
        let of_three = MeanDeviation::of(&[1.0, 2.0, 6.0]).unwrap();
        // Squares 4 + 1 + 9 = 14, over 2.
        assert_eq!(of_three, MeanDeviation { mean: 3.0, deviation: 7.0_f64.sqrt() });

        assert_eq!(QualitySummary::of(&[]), None);
        let summary =
            QualitySummary::of(&[from_counts([1, 0, 0, 0]), from_counts([0, 0, 0, 1])]).unwrap();
        assert_eq!(summary.accuracy.mean, 1.0);
        assert_eq!(summary.recall, MeanDeviation { mean: 0.5, deviation: 0.5_f64.sqrt() });
    }
}
