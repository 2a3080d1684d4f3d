//! A linear model of another library, behind scalers and encoders, as weights over the encoded columns of a schema.

use serde::{Deserialize, Serialize};

use super::columns::{Input, Seen};
use super::feed::{Feed, apply};
use super::{Content, ImportSettings, Library, Link, RawColumn, Step, Unseen};
use crate::data::{Encoder, Feature, Kind, Schema};
use crate::model::Linear;
use crate::{InputError, Result};

/// Levels of a ranked feature count as evenly spaced up to this relative difference.
const EVEN: f64 = 1e-9;

/// A fitted linear model of another library. Positive scores mean its second class, "1".
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RawLinear {
    /// The library that fitted it.
    pub library: Library,
    /// What each of its columns is made of.
    pub feeds: Vec<Feed>,
    /// One weight per column.
    pub weights: Vec<f64>,
    /// Added to the weighted sum.
    pub intercept: f64,
    /// What the score says about the probability.
    pub link: Link,
}

impl RawLinear {
    /// Whether a scaler before it cuts numbers off, so that it is not linear in them.
    pub(crate) fn is_cut_off(&self) -> bool {
        let cuts = |step: &Step| matches!(step, Step::Clip(..));
        let feed =
            |feed: &Feed| matches!(feed, Feed::Number { steps, .. } if steps.iter().any(cuts));
        self.feeds.iter().any(feed)
    }

    /// The same scores over a schema's encoded columns, up to rounding.
    pub fn fold(&self, schema: &Schema, settings: &ImportSettings) -> Result<Linear> {
        let columns = FedColumns::new(&self.feeds, schema, settings)?;
        if let Some(cut_off) = columns.cut_off.first() {
            let name = &columns.encoder.columns()[cut_off.column].name;
            return Err(InputError::new("is cut off by its scaler, which weights can't express")
                .value(name)
                .remedy("read the model as a network, or fit the scaler without clip")
                .into());
        }
        let mut folded = columns.fold(&self.weights, self.intercept)?;
        if !settings.one_is_favourable(&schema.target)? {
            folded.intercept = -folded.intercept;
            folded.weights.iter_mut().for_each(|weight| *weight = -*weight);
        }
        Ok(folded)
    }
}

/// The columns that a model adds up, each as its one feature makes it.
pub(super) struct FedColumns<'a> {
    schema: &'a Schema,
    pub(super) encoder: Encoder,
    inputs: Vec<Input>,
    /// What scalers cut off, with the index of its input.
    pub(super) cut_off: Vec<CutOff>,
}

/// A number that its scaler cuts off: a line of an encoded column, kept between two bounds.
pub(super) struct CutOff {
    input: usize,
    pub(super) column: usize,
    pub(super) line: Line,
}

impl<'a> FedColumns<'a> {
    pub(super) fn new(
        feeds: &[Feed],
        schema: &'a Schema,
        settings: &ImportSettings,
    ) -> Result<Self> {
        let column = RawColumn { name: None, content: Content::Number };
        let inputs = feeds.iter().enumerate().map(|(index, feed)| {
            let input = feed.input(&column, schema, settings, Unseen::Refused);
            input.map_err(|error| error.inside(format!("model column {index}")).into())
        });
        let inputs = inputs.collect::<Result<Vec<Input>>>()?;
        let encoder = Encoder::new(schema);
        let cut_off = inputs.iter().enumerate().filter_map(|(index, input)| {
            let Seen::Number { constant, steps, .. } = &input.seen else { return None };
            let column = encoder.feature_columns(input.feature).start;
            let line = Line::of(*constant, steps);
            line.is_cut_off().then_some(CutOff { input: index, column, line })
        });
        let cut_off = cut_off.collect();
        Ok(Self { schema, encoder, inputs, cut_off })
    }

    /// A weighted sum of the columns as one of the schema's encoded columns and, for everything that is cut off, of two more:
    /// how far its line is above the lower bound, and how far above the upper one.
    pub(super) fn fold(&self, weights: &[f64], intercept: f64) -> Result<Linear> {
        if self.inputs.len() != weights.len() {
            return Err(InputError::new(format!(
                "has {} weights, but {} columns are fed to it",
                weights.len(),
                self.inputs.len()
            ))
            .remedy("give the columns that the model was fitted on")
            .into());
        }
        let width = self.encoder.width() + 2 * self.cut_off.len();
        let mut folded = Linear { weights: vec![0.0; width], intercept };
        for (index, (input, &weight)) in self.inputs.iter().zip(weights).enumerate() {
            let cut_off = self.cut_off.iter().position(|one| one.input == index);
            let above = cut_off.map(|which| self.encoder.width() + 2 * which);
            add(&mut folded, input, weight, above, self.schema, &self.encoder)
                .map_err(|error| error.inside(format!("model column {index}")))?;
        }
        Ok(folded)
    }
}

/// Adds one weighted column; `above` is where the two columns of a number that is cut off are.
fn add(
    folded: &mut Linear,
    input: &Input,
    weight: f64,
    above: Option<usize>,
    schema: &Schema,
    encoder: &Encoder,
) -> Result<(), InputError> {
    let feature = &schema.features[input.feature];
    let start = encoder.feature_columns(input.feature).start;
    let missing = || {
        InputError::new("may be missing, which a linear model has no weight for")
            .value(&feature.name)
            .remedy("remove its codes from the schema, or write numbers for them")
    };
    match &input.seen {
        Seen::Number { constant, steps, codes } => {
            let line = Line::of(*constant, steps);
            if let Some(above) = above {
                folded.weights[above] += weight;
                folded.weights[above + 1] -= weight;
                folded.intercept += weight * line.low;
            } else {
                folded.weights[start] += weight * line.slope;
                folded.intercept += weight * line.at_zero;
            }
            // Beside a code the number's column holds 0.
            let at_zero = constant.unwrap_or_else(|| apply(steps, 0.0));
            for (code, number) in codes.iter().enumerate() {
                let number = number.ok_or_else(missing)?;
                folded.weights[start + 1 + code] += weight * (number - at_zero);
            }
        }
        Seen::Bins { .. } => {
            return Err(InputError::new("is binned before the model, which weights can't express")
                .value(&feature.name)
                .remedy("use a linear model behind bins, or a network without them"));
        }
        Seen::Levels(numbers) => {
            let numbers: Vec<f64> = numbers
                .iter()
                .map(|&number| number.ok_or_else(missing))
                .collect::<Result<_, _>>()?;
            add_levels(folded, feature, start, weight, &numbers)?;
        }
    }
    Ok(())
}

/// Adds a weighted column of levels; `start` is the first of the feature's encoded columns.
fn add_levels(
    folded: &mut Linear,
    feature: &Feature,
    start: usize,
    weight: f64,
    numbers: &[f64],
) -> Result<(), InputError> {
    if matches!(feature.kind, Kind::Categorical { .. }) {
        // Codes have columns as levels do, behind them.
        for (value, number) in numbers.iter().enumerate() {
            folded.weights[start + value] += weight * number;
        }
        return Ok(());
    }
    let (numbers, codes) = numbers.split_at(feature.levels().len());
    let first = numbers[0];
    let step = (numbers[numbers.len() - 1] - first) / (numbers.len() - 1).max(1) as f64;
    let size = numbers.iter().fold(0.0, |size: f64, number| size.max(number.abs()));
    let uneven =
        |(rank, number): (usize, &f64)| (first + step * rank as f64 - number).abs() > EVEN * size;
    if numbers.iter().enumerate().any(uneven) {
        return Err(InputError::new("has levels that are not evenly spaced in the model")
            .value(&feature.name)
            .remedy("declare it as categorical"));
    }
    folded.weights[start] += weight * step;
    folded.intercept += weight * first;
    for (code, number) in codes.iter().enumerate() {
        folded.weights[start + 1 + code] += weight * (number - first);
    }
    Ok(())
}

/// What steps of arithmetic make of a number: a line, between two bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line {
    /// Where the line sends 0, whatever the bounds.
    pub(super) at_zero: f64,
    pub(super) slope: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Line {
    fn of(constant: Option<f64>, steps: &[Step]) -> Self {
        let plain = Self { at_zero: 0.0, slope: 1.0, low: f64::NEG_INFINITY, high: f64::INFINITY };
        if let Some(at_zero) = constant {
            return Self { at_zero, slope: 0.0, ..plain };
        }
        steps.iter().fold(plain, |line, step| {
            let moved = |number| step.apply(number);
            let Self { at_zero, slope, low, high } = line;
            match step {
                Step::Add(_) | Step::Subtract(_) => {
                    Self { at_zero: moved(at_zero), slope, low: moved(low), high: moved(high) }
                }
                Step::Multiply(_) | Step::Divide(_) => Self {
                    at_zero: moved(at_zero),
                    slope: moved(slope),
                    low: moved(low),
                    high: moved(high),
                },
                Step::Clip(..) => Self { low: moved(low), high: moved(high), ..line },
            }
        })
    }

    fn is_cut_off(&self) -> bool {
        self.low.is_finite() || self.high.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Feature, Target};

    fn schema() -> Schema {
        let levels = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let features = vec![
            Feature::new("age", Kind::Integer),
            Feature::new("housing", Kind::Categorical { levels: levels(&["own", "rent"]) }),
            Feature::new("savings", Kind::Ordinal { levels: levels(&["none", "some", "much"]) }),
        ];
        let target =
            Target { column: "y".into(), favourable: "0".into(), unfavourable: "1".into() };
        Schema { name: "t".into(), target, features, rules: Vec::new() }
    }

    fn raw(savings: [f64; 3], clip: bool) -> RawLinear {
        let name = str::to_owned;
        let mut steps = vec![Step::Subtract(40.0), Step::Divide(10.0)];
        steps.extend(clip.then_some(Step::Clip(-1.0, 1.0)));
        let levels = |feature, numbers: &[f64]| Feed::Levels {
            feature: name(feature),
            numbers: numbers.iter().map(|&number| Some(number)).collect(),
        };
        RawLinear {
            library: Library::ScikitLearn,
            feeds: vec![
                Feed::number("age", steps),
                levels("housing", &[0.0, 1.0]),
                levels("savings", &savings),
            ],
            weights: vec![2.0, 3.0, 5.0],
            intercept: 7.0,
            link: Link::LogOdds,
        }
    }

    #[test]
    fn scalers_and_encoders_are_folded_in_and_class_0_turns_the_signs() {
        let folded = raw([1.0, 3.0, 5.0], false).fold(&schema(), &ImportSettings::default());
        // -(7 + 2 (age - 40) / 10 + 3 rent + 5 (1 + 2 rank)).
        let expected = Linear { weights: vec![-0.2, 0.0, -3.0, -10.0], intercept: -4.0 };
        let folded = folded.unwrap();
        assert_eq!(folded.intercept, expected.intercept);
        for (weight, expected) in folded.weights.iter().zip(&expected.weights) {
            assert!((weight - expected).abs() < 1e-15, "{folded:?}");
        }
    }

    #[test]
    fn what_weights_can_not_say_is_refused() {
        let refusal = |raw: RawLinear| {
            raw.fold(&schema(), &ImportSettings::default()).unwrap_err().to_string()
        };
        assert!(refusal(raw([1.0, 3.0, 9.0], false)).contains("`savings` has levels that are not"));
        assert!(refusal(raw([1.0, 3.0, 5.0], true)).contains("`age` is cut off by its scaler"));
        let mut short = raw([1.0, 3.0, 5.0], false);
        short.weights.pop();
        assert!(refusal(short).contains("2 weights, but 3 columns"));
    }
}
