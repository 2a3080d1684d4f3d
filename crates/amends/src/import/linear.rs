//! A linear model of another library, behind scalers and encoders, as weights over the encoded columns of a schema.

use serde::{Deserialize, Serialize};

use super::columns::{Input, Seen};
use super::feed::{Feed, apply};
use super::{Content, ImportSettings, Library, Link, RawColumn, Unseen};
use crate::data::{Encoder, Kind, Schema};
use crate::model::Linear;
use crate::{InputError, Result};

/// Levels of a ranked feature are taken to be evenly spaced where they are so up to this, relatively.
const EVEN: f64 = 1e-9;

/// A fitted linear model of another library. Positive scores mean its second class, "1".
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RawLinear {
    /// Who fitted it.
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
    /// The same scores over a schema's encoded columns, up to rounding.
    pub fn fold(&self, schema: &Schema, settings: &ImportSettings) -> Result<Linear> {
        if self.feeds.len() != self.weights.len() {
            return Err(InputError::new(format!(
                "has {} weights, but {} columns are fed to it",
                self.weights.len(),
                self.feeds.len()
            ))
            .remedy("give the columns that the model was fitted on")
            .into());
        }
        let encoder = Encoder::new(schema);
        let mut folded = Linear { weights: vec![0.0; encoder.width()], intercept: self.intercept };
        let column = RawColumn { name: None, content: Content::Number };
        for (place, (feed, &weight)) in self.feeds.iter().zip(&self.weights).enumerate() {
            feed.input(&column, schema, settings, Unseen::Refused)
                .and_then(|input| add(&mut folded, &input, weight, schema, &encoder))
                .map_err(|error| error.inside(format!("model column {place}")))?;
        }
        if !settings.one_is_favourable(&schema.target)? {
            folded.intercept = -folded.intercept;
            folded.weights.iter_mut().for_each(|weight| *weight = -*weight);
        }
        Ok(folded)
    }
}

fn add(
    folded: &mut Linear,
    input: &Input,
    weight: f64,
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
            // Straight lines are told by two points; steps that cut off are none.
            let flat = constant.map(|constant| (constant, 0.0));
            let (at_zero, slope) = flat.or_else(|| line(steps)).ok_or_else(|| {
                InputError::new("is cut off by its scaler, which weights can't express")
                    .value(&feature.name)
                    .remedy("fit the scaler without clip")
            })?;
            folded.weights[start] += weight * slope;
            folded.intercept += weight * at_zero;
            for (code, number) in codes.iter().enumerate() {
                let number = number.ok_or_else(missing)?;
                folded.weights[start + 1 + code] += weight * (number - at_zero);
            }
        }
        Seen::Levels(numbers) => {
            let numbers: Vec<f64> = numbers
                .iter()
                .map(|&number| number.ok_or_else(missing))
                .collect::<Result<_, _>>()?;
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
            let uneven = |(rank, number): (usize, &f64)| {
                (first + step * rank as f64 - number).abs() > EVEN * size
            };
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
        }
    }
    Ok(())
}

/// Where the steps send 0, and what they multiply by.
fn line(steps: &[super::Step]) -> Option<(f64, f64)> {
    use super::Step::{Add, Clip, Divide, Multiply, Subtract};
    let slope = steps.iter().try_fold(1.0, |slope, step| match step {
        Add(_) | Subtract(_) => Some(slope),
        Multiply(by) => Some(slope * by),
        Divide(by) => Some(slope / by),
        Clip(..) => None,
    })?;
    Some((apply(steps, 0.0), slope))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Feature, Target};
    use crate::import::Step;

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
