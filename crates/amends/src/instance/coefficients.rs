//! A number for every option of a feature: single ones, and runs that rise evenly.

use serde::{Deserialize, Serialize};

/// What a feature adds to a sum, option by option.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Entry>", into = "Vec<Entry>")]
pub struct Coefficients {
    runs: Vec<Run>,
}

/// Numbers of options that follow each other, rising evenly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    /// The option of the first number.
    pub start: usize,
    /// The first number.
    pub first: f64,
    /// What is added from option to option.
    pub step: f64,
    /// How many options there are.
    pub count: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Entry {
    One(f64),
    Run(RunEntry),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RunEntry {
    first: f64,
    step: f64,
    count: usize,
}

impl From<Vec<Entry>> for Coefficients {
    fn from(entries: Vec<Entry>) -> Self {
        let mut coefficients = Self::default();
        for entry in entries {
            match entry {
                Entry::One(number) => coefficients.push(number, 0.0, 1),
                Entry::Run(RunEntry { first, step, count }) => {
                    coefficients.push(first, step, count);
                }
            }
        }
        coefficients
    }
}

impl From<Coefficients> for Vec<Entry> {
    fn from(coefficients: Coefficients) -> Self {
        let entry = |&Run { first, step, count, .. }: &Run| {
            if count == 1 { Entry::One(first) } else { Entry::Run(RunEntry { first, step, count }) }
        };
        coefficients.runs.iter().map(entry).collect()
    }
}

impl From<Vec<f64>> for Coefficients {
    fn from(numbers: Vec<f64>) -> Self {
        numbers.into_iter().collect()
    }
}

impl FromIterator<f64> for Coefficients {
    fn from_iter<I: IntoIterator<Item = f64>>(numbers: I) -> Self {
        let mut coefficients = Self::default();
        for number in numbers {
            coefficients.push(number, 0.0, 1);
        }
        coefficients
    }
}

impl Run {
    /// The number of an option of the run, counted from the run's first.
    pub fn at(&self, index: usize) -> f64 {
        self.first + self.step * index as f64
    }

    /// The number of the last option.
    pub fn last(&self) -> f64 {
        self.at(self.count - 1)
    }
}

impl Coefficients {
    /// The same number for all of `count` options.
    pub fn constant(number: f64, count: usize) -> Self {
        let mut coefficients = Self::default();
        coefficients.push(number, 0.0, count);
        coefficients
    }

    /// Adds numbers for the next options.
    pub fn push(&mut self, first: f64, step: f64, count: usize) {
        if count > 0 {
            self.runs.push(Run { start: self.len(), first, step, count });
        }
    }

    /// For how many options there are numbers.
    pub fn len(&self) -> usize {
        self.runs.last().map_or(0, |run| run.start + run.count)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The runs, in the order of options.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The number of an option.
    ///
    /// # Panics
    /// If there is none.
    pub fn at(&self, option: usize) -> f64 {
        let run = &self.runs[self.runs.partition_point(|run| run.start <= option) - 1];
        assert!(option - run.start < run.count, "no such option");
        run.at(option - run.start)
    }

    /// Adds a number to those of an interval of options.
    pub fn raise(&mut self, (from, to): (usize, usize), by: f64) {
        let mut raised = Self::default();
        for run in &self.runs {
            let end = run.start + run.count;
            let (low, high) = (from.clamp(run.start, end), (to + 1).clamp(run.start, end));
            raised.push(run.first, run.step, low - run.start);
            raised.push(run.at(low - run.start) + by, run.step, high - low);
            raised.push(run.at(high - run.start), run.step, end - high);
        }
        *self = raised;
    }

    /// Adds other numbers, option by option.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let mut sum = Self::default();
        let mut option = 0;
        while option < self.len() {
            let of = |list: &Self| list.runs[list.runs.partition_point(|r| r.start <= option) - 1];
            let (a, b) = (of(self), of(other));
            let count = (a.start + a.count).min(b.start + b.count) - option;
            sum.push(a.at(option - a.start) + b.at(option - b.start), a.step + b.step, count);
            option += count;
        }
        sum
    }

    /// The numbers of some of the options, which become the options of their own list.
    #[must_use]
    pub fn only(&self, kept: &super::OptionSet) -> Self {
        let mut only = Self::default();
        for &(first, last) in kept.intervals() {
            for run in &self.runs {
                let low = first.max(run.start);
                let high = (last + 1).min(run.start + run.count);
                if low < high {
                    only.push(run.at(low - run.start), run.step, high - low);
                }
            }
        }
        only
    }

    /// The least and the largest number.
    pub fn extremes(&self) -> (f64, f64) {
        self.runs.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), run| {
            let ends = [run.first, run.last()];
            (least.min(ends[0]).min(ends[1]), most.max(ends[0]).max(ends[1]))
        })
    }

    /// The largest absolute value.
    pub fn largest(&self) -> f64 {
        let (least, most) = self.extremes();
        if self.is_empty() { 0.0 } else { least.abs().max(most.abs()) }
    }

    /// Whether all are finite.
    pub fn is_finite(&self) -> bool {
        self.runs.iter().all(|run| run.first.is_finite() && run.last().is_finite())
    }

    /// Whether all are 0.
    pub(crate) fn is_zero(&self) -> bool {
        self.runs.iter().all(|run| run.first == 0.0 && (run.step == 0.0 || run.count == 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(coefficients: &Coefficients) -> Vec<f64> {
        (0..coefficients.len()).map(|option| coefficients.at(option)).collect()
    }

    #[test]
    fn runs_are_the_numbers_that_they_stand_for() {
        let list: Coefficients =
            serde_json::from_str(r#"[5, {"first": 1, "step": 0.5, "count": 4}, -2]"#).unwrap();
        assert_eq!(numbers(&list), [5.0, 1.0, 1.5, 2.0, 2.5, -2.0]);
        assert_eq!((list.extremes(), list.largest()), ((-2.0, 5.0), 5.0));
        let text = serde_json::to_string(&list).unwrap();
        assert_eq!(serde_json::from_str::<Coefficients>(&text).unwrap(), list);
        let mut raised = list.clone();
        raised.raise((0, 2), 10.0);
        assert_eq!(numbers(&raised), [15.0, 11.0, 11.5, 2.0, 2.5, -2.0]);
        assert_eq!(numbers(&list.plus(&raised)), [20.0, 12.0, 13.0, 4.0, 5.0, -4.0]);
        let kept = [0, 2, 3].into_iter().collect();
        assert_eq!(numbers(&list.only(&kept)), [5.0, 1.5, 2.0]);
        assert!(Coefficients::constant(0.0, 3).is_zero() && !list.is_zero());
    }
}
