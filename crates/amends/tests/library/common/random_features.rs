//! Random features: listed numbers and levels, and ranges with the own value in, beside or between them.

use amends::instance::{FeatureOptions, Options, ValueRange};
use proptest::collection::vec;
use proptest::prelude::*;

use super::random_instance::{Size, number};

/// A draft of a feature: its own columns and options.
#[derive(Debug, Clone)]
pub enum Draft {
    /// A column that never changes.
    Fixed,
    /// Changes, listed.
    Numeric(Vec<f64>),
    /// How many levels, which it has, and which it may have.
    Level(usize, usize, Vec<usize>),
    /// Values of one column, or of two in step, or of one beside a code that a second column marks.
    Range(DraftRange, Shape),
}

/// What a range moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    One,
    /// The second column is always this many tenths ahead.
    InStep(i32),
    /// Whether the applicant has the code.
    Coded(bool),
}

/// A range in tenths.
#[derive(Debug, Clone, Copy)]
pub struct DraftRange {
    first: i32,
    step: i32,
    count: usize,
    /// Which of its values is the applicant's, if any is.
    own: Option<usize>,
    /// Whether the own value is left out of it, which makes it two.
    hole: bool,
}

/// A draft of a feature.
pub fn draft(size: &Size) -> impl Strategy<Value = Draft> + use<> {
    prop_oneof![
        1 => Just(Draft::Fixed),
        4 => vec(number(), size.options.clone()).prop_map(Draft::Numeric),
        2 => size.levels.clone()
            .prop_flat_map(|levels| (Just(levels), 0..levels, vec(0..levels, 0..4)))
            .prop_map(|(levels, now, to)| Draft::Level(levels, now, to)),
        3 => (range(size), shape()).prop_map(|(range, shape)| Draft::Range(range, shape)),
    ]
}

fn range(size: &Size) -> impl Strategy<Value = DraftRange> + use<> {
    let step = prop_oneof![Just(1), Just(3), Just(5), Just(10)];
    (step, size.values.clone(), proptest::option::of(any::<prop::sample::Index>()), any::<bool>())
        .prop_flat_map(|(step, count, own, hole)| {
            // Often around 0, where everything else is.
            let width = step * i32::try_from(count).unwrap_or(0);
            let own = own.map(|own| own.index(count));
            (-width - 20..20).prop_map(move |first| DraftRange { first, step, count, own, hole })
        })
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        2 => Just(Shape::One),
        1 => (-20..20).prop_map(Shape::InStep),
        1 => any::<bool>().prop_map(Shape::Coded),
    ]
}

impl DraftRange {
    fn tenths(&self, index: usize, ahead: i32) -> f64 {
        f64::from(self.first + ahead + self.step * i32::try_from(index).unwrap_or(0)) / 10.0
    }

    /// The values of the feature at one of the range's options.
    fn row(&self, index: usize, shape: Shape) -> Vec<f64> {
        match shape {
            Shape::One => vec![self.tenths(index, 0)],
            Shape::InStep(ahead) => vec![self.tenths(index, 0), self.tenths(index, ahead)],
            Shape::Coded(_) => vec![self.tenths(index, 0), 0.0],
        }
    }

    /// The options, and the applicant's values where they are not those drawn before.
    fn options(&self, shape: Shape, own: &mut [f64]) -> Options {
        if let Some(index) = self.own {
            own.copy_from_slice(&self.row(index, shape));
        }
        if shape == Shape::Coded(true) {
            own.copy_from_slice(&[0.0, 1.0]);
        }
        let parts = match self.own.filter(|_| self.hole) {
            None => vec![(0, self.count)],
            Some(hole) => vec![(0, hole), (hole + 1, self.count)],
        };
        let (mut ranges, mut listed) = (Vec::new(), Vec::new());
        for (from, to) in parts.into_iter().filter(|(from, to)| from < to) {
            if from + 1 == to {
                listed.push(self.row(from, shape));
                continue;
            }
            let (first, last) = (self.row(from, shape), self.row(to - 1, shape));
            let step = f64::from(self.step) / 10.0;
            ranges.push(ValueRange::new(&first, &last, step).expect("a range of tenths"));
        }
        if matches!(shape, Shape::Coded(_)) {
            listed.push(vec![0.0, 1.0]);
        }
        let mut options = Options::new(ranges, listed);
        options.include(own);
        options
    }
}

/// The features of the drafts, and the applicant's columns that they set.
pub fn features(drafts: &[Draft], x: &mut Vec<f64>) -> Vec<FeatureOptions> {
    let mut features = Vec::new();
    let mut column = 0;
    for draft in drafts {
        let name = format!("f{}", features.len());
        let width = match draft {
            Draft::Fixed | Draft::Numeric(_) | Draft::Range(_, Shape::One) => 1,
            Draft::Level(levels, ..) => *levels,
            Draft::Range(..) => 2,
        };
        let columns: Vec<usize> = (column..column + width).collect();
        match draft {
            Draft::Fixed => {}
            Draft::Numeric(changes) => {
                let mut options: Vec<Vec<f64>> = changes.iter().map(|&c| vec![c]).collect();
                options.insert(changes.len() / 2, vec![0.0]);
                features.push(FeatureOptions::of_changes(name, columns, x, &options));
            }
            Draft::Level(_, now, to) => {
                let row = |level: usize| -> Vec<f64> {
                    (0..width).map(|l| f64::from(u8::from(l == level))).collect()
                };
                x[column..column + width].copy_from_slice(&row(*now));
                let mut values: Vec<Vec<f64>> = to.iter().map(|&to| row(to)).collect();
                values.push(row(*now));
                let options = Options::listed(values);
                features.push(FeatureOptions { name, columns, options });
            }
            Draft::Range(range, shape) => {
                let options = range.options(*shape, &mut x[column..column + width]);
                features.push(FeatureOptions { name, columns, options });
            }
        }
        column += width;
    }
    x.truncate(column.max(1));
    if features.is_empty() {
        features.push(FeatureOptions::of_changes("only", vec![0], x, &[vec![0.0]]));
    }
    features
}
