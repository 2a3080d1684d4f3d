//! How the values of each feature are distributed among accepted and rejected training rows: counts, not rows.

use serde::{Deserialize, Serialize};

use crate::data::{Dataset, Feature, Kind, Value};

/// About this many intervals of a number are counted at most.
const BINS: f64 = 24.0;

/// Numbers beyond these quantiles are counted in the first and the last interval: a few very large ones would leave all others in one.
const TAILS: [f64; 2] = [0.005, 0.995];

/// Widths that people read easily, in each power of ten.
const WIDTHS: [f64; 4] = [1.0, 2.0, 2.5, 5.0];

/// How the values of one feature are distributed among the training rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Distribution {
    /// All training rows.
    pub rows: OutcomeCounts,
    /// The numbers in intervals; `None` for features with levels and where no row has a number.
    pub bins: Option<Bins>,
    /// The rows of each level, in the schema's order; empty for numbers.
    pub levels: Vec<OutcomeCounts>,
    /// The rows of each code, in the schema's order.
    pub codes: Vec<OutcomeCounts>,
}

/// Training rows by their outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeCounts {
    /// With the favourable outcome.
    pub accepted: usize,
    /// With the other one.
    pub rejected: usize,
}

/// Numbers in intervals of equal width. The first and the last one also count everything beyond them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bins {
    /// The lower end of the first interval, which belongs to it.
    pub first: f64,
    /// The width of every interval.
    pub width: f64,
    /// The rows in each of them.
    pub counts: Vec<OutcomeCounts>,
    /// The smallest number of all rows.
    pub least: f64,
    /// The largest number of all rows.
    pub most: f64,
}

impl OutcomeCounts {
    /// Both together.
    pub fn total(self) -> usize {
        self.accepted + self.rejected
    }

    fn add(&mut self, accepted: bool) {
        if accepted {
            self.accepted += 1;
        } else {
            self.rejected += 1;
        }
    }
}

impl Distribution {
    /// The distributions of all features, in the schema's order.
    pub fn of_all(rows: &Dataset) -> Vec<Self> {
        let mut numbers = Vec::new();
        let features = rows.schema.features.iter().enumerate();
        features.map(|(index, feature)| Self::of(rows, index, feature, &mut numbers)).collect()
    }

    /// `numbers` is reused from feature to feature: one column is in memory at a time.
    fn of(rows: &Dataset, index: usize, feature: &Feature, numbers: &mut Vec<f64>) -> Self {
        numbers.clear();
        numbers.extend(rows.records.iter().filter_map(|record| match record[index] {
            Value::Number(number) => Some(number),
            Value::Level(_) | Value::Code(_) => None,
        }));
        let mut found = Self {
            rows: OutcomeCounts::default(),
            bins: Bins::empty(numbers, feature.kind == Kind::Integer),
            levels: vec![OutcomeCounts::default(); feature.levels().len()],
            codes: vec![OutcomeCounts::default(); feature.codes.len()],
        };
        for (record, &accepted) in rows.records.iter().zip(&rows.favourable) {
            found.rows.add(accepted);
            let counts = match record[index] {
                Value::Number(number) => found.bins.as_mut().and_then(|bins| {
                    let bin = bins.index(number);
                    bins.counts.get_mut(bin)
                }),
                Value::Level(level) => found.levels.get_mut(level),
                Value::Code(code) => found.codes.get_mut(code),
            };
            if let Some(counts) = counts {
                counts.add(accepted);
            }
        }
        found
    }
}

impl Bins {
    /// Intervals for these numbers, which are reordered; nothing is counted yet.
    fn empty(numbers: &mut [f64], whole: bool) -> Option<Self> {
        let last = numbers.len().checked_sub(1)?;
        let mut at = |level: f64| {
            let rank = (level * last as f64).round() as usize;
            *numbers.select_nth_unstable_by(rank, f64::total_cmp).1
        };
        let [low, high] = TAILS.map(&mut at);
        let (least, most) = (at(0.0), at(1.0));
        let width = width((high - low) / BINS, whole);
        let first = (low / width).floor() * width;
        let count = ((high - first) / width).floor() as usize + 1;
        let counts = vec![OutcomeCounts::default(); count];
        Some(Self { first, width, counts, least, most })
    }

    /// The interval of a number; the first or the last one for numbers beyond them.
    pub fn index(&self, number: f64) -> usize {
        // Casts saturate: what is below the first interval becomes 0.
        let index = ((number - self.first) / self.width).floor() as usize;
        index.min(self.counts.len().saturating_sub(1))
    }

    /// The upper end of the last interval.
    pub fn end(&self) -> f64 {
        self.first + self.width * self.counts.len() as f64
    }
}

/// The least width that people read easily and that is at least this; of whole numbers a whole one.
fn width(least: f64, whole: bool) -> f64 {
    let least = if whole { least.max(1.0) } else { least };
    if !(least.is_finite() && least > 0.0) {
        return 1.0;
    }
    let power = 10.0_f64.powi(least.log10().floor() as i32);
    let steps = WIDTHS.iter().chain(&[10.0]).map(|step| step * power);
    let fits = |&step: &f64| step >= least * (1.0 - 1e-9) && !(whole && step.fract() != 0.0);
    steps.into_iter().find(fits).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Code, Schema, Target};

    fn dataset(feature: Feature, rows: &[(Value, bool)]) -> Dataset {
        let target =
            Target { column: "y".into(), favourable: "1".into(), unfavourable: "0".into() };
        Dataset {
            schema: Schema { name: "t".into(), target, features: vec![feature], rules: Vec::new() },
            records: rows.iter().map(|&(value, _)| vec![value]).collect(),
            favourable: rows.iter().map(|&(_, favourable)| favourable).collect(),
            row_numbers: (1..=rows.len()).collect(),
        }
    }

    fn of_numbers(kind: Kind, numbers: &[f64]) -> Distribution {
        let rows: Vec<(Value, bool)> =
            numbers.iter().map(|&number| (Value::Number(number), number < 50.0)).collect();
        Distribution::of_all(&dataset(Feature::new("a", kind), &rows)).remove(0)
    }

    #[test]
    fn every_row_is_counted_once_and_by_its_outcome() {
        for dataset in [Dataset::german()] {
            for (found, index) in Distribution::of_all(&dataset).iter().zip(0..) {
                let bins = found.bins.iter().flat_map(|bins| &bins.counts);
                let counts: Vec<_> = bins.chain(&found.levels).chain(&found.codes).collect();
                let accepted: usize = counts.iter().map(|counts| counts.accepted).sum();
                let all: usize = counts.iter().map(|counts| counts.total()).sum();
                assert_eq!((accepted, all), (700, 1000), "feature {index}");
                assert_eq!((found.rows.accepted, found.rows.rejected), (700, 300));
            }
        }
    }

    #[test]
    fn whole_numbers_have_whole_intervals() {
        let numbers: Vec<f64> = (0..100).map(f64::from).collect();
        let bins = of_numbers(Kind::Integer, &numbers).bins.unwrap();
        assert_eq!((bins.first, bins.width, bins.counts.len()), (0.0, 5.0, 20));
        assert!(bins.counts.iter().all(|counts| counts.total() == 5));
        assert_eq!(bins.counts[9], OutcomeCounts { accepted: 5, rejected: 0 });
        assert_eq!(bins.counts[10], OutcomeCounts { accepted: 0, rejected: 5 });
        let few = of_numbers(Kind::Integer, &[2.0, 3.0, 3.0]).bins.unwrap();
        assert_eq!((few.first, few.width, few.counts.len()), (2.0, 1.0, 2));
    }

    #[test]
    fn extremes_are_in_the_outer_intervals() {
        let mut numbers: Vec<f64> = (0..1000).map(|number| f64::from(number) / 1000.0).collect();
        numbers.extend([1e12, -1e12]);
        let bins = of_numbers(Kind::Continuous, &numbers).bins.unwrap();
        assert!(bins.first >= -0.1 && bins.end() <= 1.1 && bins.counts.len() > 10, "{bins:?}");
        assert_eq!((bins.least, bins.most), (-1e12, 1e12));
        assert_eq!((bins.index(-1e12), bins.index(1e12)), (0, bins.counts.len() - 1));
        assert_eq!(bins.counts.iter().map(|counts| counts.total()).sum::<usize>(), 1002);
    }

    #[test]
    fn equal_numbers_and_no_numbers_are_no_trouble() {
        let same = of_numbers(Kind::Continuous, &[7.0, 7.0]).bins.unwrap();
        assert_eq!((same.counts.len(), same.counts[0].total()), (1, 2));
        let huge = of_numbers(Kind::Continuous, &[-1e15, 1e15]).bins.unwrap();
        assert!(huge.counts.len() < 40 && huge.width > 0.0);
        assert_eq!(of_numbers(Kind::Continuous, &[]).bins, None);
    }

    #[test]
    fn codes_are_apart_from_numbers() {
        let codes = vec![Code::new("-7", "never"), Code::new("-8", "unusable")];
        let feature = Feature { codes, ..Feature::new("a", Kind::Integer) };
        let rows = [(Value::Number(3.0), true), (Value::Code(1), false), (Value::Code(1), true)];
        let found = Distribution::of_all(&dataset(feature, &rows)).remove(0);
        assert_eq!(found.codes[0].total(), 0);
        assert_eq!(found.codes[1], OutcomeCounts { accepted: 1, rejected: 1 });
        assert_eq!(found.bins.unwrap().counts.len(), 1);
    }
}
