//! A neural network of another library, behind scalers and encoders, as one over the encoded columns of a schema.

use serde::{Deserialize, Serialize};

use super::linear::FedColumns;
use super::{Feed, ImportSettings, Library, Link, RawLinear};
use crate::Result;
use crate::data::Schema;
use crate::model::{Layer, Mlp};

/// A fitted network of another library, with ReLU between its layers. Positive scores mean its second class, "1".
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RawNetwork {
    /// The library that fitted it.
    pub library: Library,
    /// What each of its columns is made of.
    pub feeds: Vec<Feed>,
    /// The layers, from the columns to the score.
    pub layers: Vec<Layer>,
    /// What the score says about the probability.
    pub link: Link,
}

/// A linear model is a network without hidden layers.
impl From<&RawLinear> for RawNetwork {
    fn from(raw: &RawLinear) -> Self {
        let only = Layer { weights: vec![raw.weights.clone()], bias: vec![raw.intercept] };
        Self { library: raw.library, feeds: raw.feeds.clone(), layers: vec![only], link: raw.link }
    }
}

impl RawNetwork {
    /// The same scores over a schema's encoded columns, up to rounding: the first layer changes, and where a scaler cuts
    /// numbers off, a layer that does so comes before it.
    pub fn fold(&self, schema: &Schema, settings: &ImportSettings) -> Result<Mlp> {
        let fitted = Mlp { layers: self.layers.clone() };
        fitted.check(self.feeds.len())?;
        let columns = FedColumns::new(&self.feeds, schema, settings)?;
        let Mlp { mut layers } = fitted;
        if let Some(first) = layers.first_mut() {
            for (weights, bias) in first.weights.iter_mut().zip(&mut first.bias) {
                let folded = columns.fold(weights, *bias)?;
                (*weights, *bias) = (folded.weights, folded.intercept);
            }
            if !columns.cut_off.is_empty() {
                let before = cutting_layer(&columns, schema, first);
                layers.insert(0, before);
            }
        }
        if !settings.one_is_favourable(&schema.target)?
            && let Some(last) = layers.last_mut()
        {
            let numbers = last.weights.iter_mut().flatten().chain(&mut last.bias);
            numbers.for_each(|number| *number = -*number);
        }
        Ok(Mlp { layers })
    }
}

/// A layer that cuts off what scalers do: `max(low, min(line, high)) = low + max(0, line - low) - max(0, line - high)`. It
/// passes on every other column that the next layer asks for, whose weights are changed to its units.
fn cutting_layer(columns: &FedColumns<'_>, schema: &Schema, next: &mut Layer) -> Layer {
    let width = columns.encoder.width();
    let mut layer = Layer { weights: Vec::new(), bias: Vec::new() };
    // What each unit stands for: a number of the next layer's rows, with a sign.
    let mut units: Vec<(usize, f64)> = Vec::new();
    let mut unit = |stands_for: (usize, f64), column: usize, weight: f64, bias: f64| {
        let mut weights = vec![0.0; width];
        weights[column] = weight;
        layer.weights.push(weights);
        layer.bias.push(bias);
        units.push(stands_for);
    };
    let mut may_be_negative = vec![false; width];
    for (index, feature) in schema.features.iter().enumerate() {
        may_be_negative[columns.encoder.feature_columns(index).start] = feature.is_numeric();
    }
    for column in (0..width).filter(|&column| next.weights.iter().any(|row| row[column] != 0.0)) {
        unit((column, 1.0), column, 1.0, 0.0);
        if may_be_negative[column] {
            unit((column, -1.0), column, -1.0, 0.0);
        }
    }
    for (which, cut_off) in columns.cut_off.iter().enumerate() {
        let line = &cut_off.line;
        for (index, bound) in [line.low, line.high].into_iter().enumerate() {
            let stands_for = (width + 2 * which + index, 1.0);
            unit(stands_for, cut_off.column, line.slope, line.at_zero - bound);
        }
    }
    for row in &mut next.weights {
        *row = units.iter().map(|&(index, sign)| sign * row[index]).collect();
    }
    layer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Code, Encoder, Feature, Kind, Target, Value};
    use crate::import::Step;

    fn schema(favourable: &str) -> Schema {
        let texts = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let features = vec![
            Feature {
                codes: vec![Code::new("-9", "unknown")],
                ..Feature::new("age", Kind::Integer)
            },
            Feature::new("debt", Kind::Continuous),
            Feature::new("housing", Kind::Categorical { levels: texts(&["own", "rent"]) }),
            Feature::new("savings", Kind::Ordinal { levels: texts(&["none", "some", "much"]) }),
        ];
        let other = if favourable == "1" { "0" } else { "1" };
        let target = Target {
            column: "y".into(),
            favourable: favourable.into(),
            unfavourable: other.into(),
        };
        Schema { name: "t".into(), target, features, rules: Vec::new() }
    }

    fn scale(clip: bool) -> Vec<Step> {
        let mut steps = vec![Step::Subtract(40.0), Step::Divide(10.0)];
        // Cut off, and scaled once more.
        steps.extend(
            clip.then_some([Step::Clip(-1.5, 1.0), Step::Multiply(2.0)]).into_iter().flatten(),
        );
        steps
    }

    fn raw(clip: bool) -> RawNetwork {
        let name = str::to_owned;
        let levels = |feature, numbers: &[f64]| Feed::Levels {
            feature: name(feature),
            numbers: numbers.iter().map(|&number| Some(number)).collect(),
        };
        let layers = vec![
            Layer {
                weights: vec![vec![2.0, 1.0, 3.0, -0.5], vec![-1.0, 0.25, 1.0, 1.0]],
                bias: vec![0.5, -1.0],
            },
            Layer { weights: vec![vec![1.0, -2.0], vec![0.5, 1.0]], bias: vec![0.1, 0.2] },
            Layer { weights: vec![vec![1.5, -1.0]], bias: vec![-0.3] },
        ];
        RawNetwork {
            library: Library::ScikitLearn,
            feeds: vec![
                Feed::number("age", scale(clip)),
                Feed::number("debt", vec![Step::Divide(4.0)]),
                levels("housing", &[0.0, 1.0]),
                levels("savings", &[1.0, 3.0, 5.0]),
            ],
            layers,
            link: Link::LogOdds,
        }
    }

    /// Applications with what reaches the network of them.
    fn applications(clip: bool) -> Vec<([Value; 4], [f64; 4])> {
        let mut all = Vec::new();
        for age in [None, Some(-3.0), Some(0.0), Some(25.0), Some(33.0), Some(50.0), Some(71.0)] {
            for (debt, level, rank) in [(-7.0, 0, 2), (0.0, 1, 0), (12.5, 1, 1)] {
                let value = age.map_or(Value::Code(0), Value::Number);
                let scaled =
                    scale(clip).into_iter().fold(age.unwrap_or(-9.0), |x, step| step.apply(x));
                all.push((
                    [value, Value::Number(debt), Value::Level(level), Value::Level(rank)],
                    [scaled, debt / 4.0, level as f64, 1.0 + 2.0 * rank as f64],
                ));
            }
        }
        all
    }

    #[test]
    fn scalers_and_encoders_are_folded_in_whatever_they_cut_off() {
        for clip in [false, true] {
            for favourable in ["1", "0"] {
                let (schema, raw) = (schema(favourable), raw(clip));
                let folded = raw.fold(&schema, &ImportSettings::default()).unwrap();
                let encoder = Encoder::new(&schema);
                folded.check(encoder.width()).unwrap();
                assert_eq!(folded.layers.len(), 3 + usize::from(clip));
                let fitted = Mlp { layers: raw.layers.clone() };
                for (record, fed) in applications(clip) {
                    let sign = if favourable == "1" { 1.0 } else { -1.0 };
                    let (ours, theirs) =
                        (folded.score(&encoder.encode(&record)), sign * fitted.score(&fed));
                    assert!((ours - theirs).abs() < 1e-12, "{record:?}: {ours}, not {theirs}");
                }
            }
        }
    }

    #[test]
    fn a_linear_model_behind_a_scaler_that_cuts_off_is_a_network() {
        let RawNetwork { library, feeds, link, .. } = raw(true);
        let linear =
            RawLinear { library, feeds, weights: vec![2.0, 1.0, 3.0, -0.5], intercept: 0.5, link };
        let schema = schema("1");
        let refusal = linear.fold(&schema, &ImportSettings::default()).unwrap_err().to_string();
        assert!(refusal.contains("`age` is cut off by its scaler"), "{refusal}");
        let folded = RawNetwork::from(&linear).fold(&schema, &ImportSettings::default()).unwrap();
        for (record, fed) in applications(true) {
            let expected: f64 = linear.weights.iter().zip(fed).map(|(w, x)| w * x).sum();
            let score = folded.score(&Encoder::new(&schema).encode(&record));
            assert!((score - expected - 0.5).abs() < 1e-12, "{record:?}");
        }
    }

    #[test]
    fn layers_that_do_not_fit_are_refused() {
        let mut short = raw(false);
        short.feeds.pop();
        let refusal = short.fold(&schema("1"), &ImportSettings::default()).unwrap_err().to_string();
        assert!(refusal.contains("has 4 weights for 3 columns"), "{refusal}");
        let mut uneven = raw(false);
        uneven.feeds[3] = Feed::Levels {
            feature: "savings".into(),
            numbers: vec![Some(1.0), Some(2.0), Some(5.0)],
        };
        let refusal =
            uneven.fold(&schema("1"), &ImportSettings::default()).unwrap_err().to_string();
        assert!(refusal.contains("`savings` has levels that are not evenly"), "{refusal}");
    }
}
