//! Multi-layer perceptrons: layers of weighted sums, with ReLU between them.

use serde::{Deserialize, Serialize};

use crate::{InputError, Result};

/// A neural network: every layer but the last passes on what is positive of its sums. The last one has a
/// single unit, the score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mlp {
    /// The layers, from the columns to the score.
    pub layers: Vec<Layer>,
}

/// One layer: a weighted sum of what comes in and a bias, per unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// One row of weights per unit, one weight per input.
    pub weights: Vec<Vec<f64>>,
    /// One number per unit.
    pub bias: Vec<f64>,
}

impl Layer {
    /// The sums of all units.
    pub fn sums(&self, input: &[f64]) -> Vec<f64> {
        let unit = |(row, bias): (&Vec<f64>, &f64)| {
            row.iter().zip(input).map(|(w, x)| w * x).sum::<f64>() + bias
        };
        self.weights.iter().zip(&self.bias).map(unit).collect()
    }
}

impl Mlp {
    /// The sum of the last layer's unit.
    pub fn score(&self, x: &[f64]) -> f64 {
        let Some((first, others)) = self.layers.split_first() else { return f64::NAN };
        let mut sums = first.sums(x);
        for layer in others {
            // NaN stays NaN.
            for sum in sums.iter_mut().filter(|sum| **sum < 0.0) {
                *sum = 0.0;
            }
            sums = layer.sums(&sums);
        }
        sums.first().copied().unwrap_or(f64::NAN)
    }

    /// A bound of the size of every score, and of every sum on the way to it, where no column exceeds these sizes.
    pub(super) fn largest_score(&self, sizes: &[f64]) -> f64 {
        let mut sizes = sizes.to_vec();
        let mut most = 0.0_f64;
        for layer in &self.layers {
            let unit = |(row, bias): (&Vec<f64>, &f64)| {
                row.iter().zip(&sizes).map(|(w, x)| (w * x).abs()).sum::<f64>() + bias.abs()
            };
            sizes = layer.weights.iter().zip(&layer.bias).map(unit).collect();
            // `max` would ignore NaN.
            most = sizes.iter().fold(most, |most, &size| if size <= most { most } else { size });
        }
        most
    }

    /// An upper bound of the score in a box, by intervals of every unit's sum, and the size of the terms that it is a sum of.
    pub(super) fn highest_in(&self, sides: &[(f64, f64)]) -> (f64, f64) {
        let ((_, highest), size) = self.range_in(sides);
        (highest, size)
    }

    /// A lower bound of the score in a box of rows, by interval arithmetic, and the size of what it is a sum of.
    pub(super) fn lowest_in(&self, sides: &[(f64, f64)]) -> (f64, f64) {
        let ((lowest, _), size) = self.range_in(sides);
        (lowest, size)
    }

    fn range_in(&self, sides: &[(f64, f64)]) -> ((f64, f64), f64) {
        let mut input = sides.to_vec();
        let mut size = 0.0;
        for (index, layer) in self.layers.iter().enumerate() {
            if index > 0 {
                for (low, high) in &mut input {
                    (*low, *high) = (low.max(0.0), high.max(0.0));
                }
            }
            size = 0.0;
            let unit = |(weights, &bias): (&Vec<f64>, &f64)| {
                let mut sum = (bias, bias);
                for (weight, &(low, high)) in weights.iter().zip(&input) {
                    let (a, b) = (weight * low, weight * high);
                    sum = (sum.0 + a.min(b), sum.1 + a.max(b));
                    size += a.abs().max(b.abs());
                }
                sum
            };
            input = layer.weights.iter().zip(&layer.bias).map(unit).collect();
        }
        (input.first().copied().unwrap_or((f64::NEG_INFINITY, f64::INFINITY)), size)
    }

    /// The network of the negative score.
    pub(super) fn negated(&self) -> Self {
        let mut negated = self.clone();
        if let Some(last) = negated.layers.last_mut() {
            let weights = last.weights.iter_mut().flatten();
            weights.chain(&mut last.bias).for_each(|number| *number = -*number);
        }
        negated
    }

    /// Adds to every score.
    pub(super) fn shift(&mut self, by: f64) {
        if let Some(bias) = self.layers.last_mut().and_then(|layer| layer.bias.first_mut()) {
            *bias += by;
        }
    }

    /// Checks shapes and numbers against rows of `columns` numbers.
    pub(crate) fn check(&self, columns: usize) -> Result<()> {
        let wrong = |place: String, problem: String, remedy: &str| {
            Err(InputError::new(problem).at(place).remedy(remedy).into())
        };
        let Some(last) = self.layers.last() else {
            return wrong(
                "classifier.layers".into(),
                "is empty".into(),
                "give at least one layer; the last one has a single unit, the score",
            );
        };
        if last.weights.len() != 1 {
            return wrong(
                format!("classifier.layers[{}].weights", self.layers.len() - 1),
                format!("has {} units, but the last layer has one, the score", last.weights.len()),
                "give the last layer a single row of weights",
            );
        }
        let mut inputs = columns;
        for (index, layer) in self.layers.iter().enumerate() {
            let name = format!("classifier.layers[{index}]");
            let units = layer.weights.len();
            if units == 0 {
                return wrong(
                    format!("{name}.weights"),
                    "is empty".into(),
                    "give one row of weights per unit",
                );
            }
            if layer.bias.len() != units {
                return wrong(
                    format!("{name}.bias"),
                    format!("has {} numbers, but `weights` has {units} rows", layer.bias.len()),
                    "give one bias per unit",
                );
            }
            for (unit, row) in layer.weights.iter().enumerate() {
                if row.len() != inputs {
                    let what = if index == 0 { "columns of a row" } else { "units before it" };
                    return wrong(
                        format!("{name}.weights[{unit}]"),
                        format!("has {} weights for {inputs} {what}", row.len()),
                        "give one row per unit, with one weight per input",
                    );
                }
            }
            let numbers = layer.weights.iter().flatten().chain(&layer.bias);
            if let Some(bad) = numbers.into_iter().find(|number| !number.is_finite()) {
                return Err(InputError::new("is not a finite number")
                    .at(name)
                    .value(bad)
                    .remedy("give finite weights and biases")
                    .into());
            }
            inputs = units;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two hidden units: max(0, a - b) and max(0, b - 1); the score is their difference, less a half.
    fn small() -> Mlp {
        Mlp {
            layers: vec![
                Layer { weights: vec![vec![1.0, -1.0], vec![0.0, 1.0]], bias: vec![0.0, -1.0] },
                Layer { weights: vec![vec![1.0, -1.0]], bias: vec![-0.5] },
            ],
        }
    }

    #[test]
    fn scores_are_computed_by_hand() {
        assert_eq!(small().score(&[3.0, 2.0]), 1.0 - 1.0 - 0.5);
        assert_eq!(small().score(&[1.0, 2.0]), -1.0 - 0.5);
        assert_eq!(small().score(&[2.0, 0.0]), 2.0 - 0.5);
    }

    #[test]
    fn a_network_without_hidden_layers_is_a_weighted_sum() {
        let layers = vec![Layer { weights: vec![vec![2.0, 1.0]], bias: vec![-1.0] }];
        assert_eq!(Mlp { layers }.score(&[1.0, -3.0]), -2.0);
    }

    fn refusal(break_it: impl Fn(&mut Mlp)) -> String {
        let mut mlp = small();
        break_it(&mut mlp);
        mlp.check(2).unwrap_err().to_string()
    }

    #[test]
    fn wrong_shapes_and_numbers_are_refused_where_they_are() {
        assert!(small().check(2).is_ok());
        let message = small().check(3).unwrap_err().to_string();
        assert!(message.contains("layers[0].weights[0]: has 2 weights for 3 columns"), "{message}");
        let message = refusal(|mlp| mlp.layers.clear());
        assert!(message.contains("classifier.layers: is empty"), "{message}");
        let message = refusal(|mlp| mlp.layers[0].bias.truncate(1));
        assert!(message.contains("layers[0].bias: has 1 numbers"), "{message}");
        let message = refusal(|mlp| mlp.layers[1].weights[0].push(1.0));
        assert!(message.contains("layers[1].weights[0]: has 3 weights for 2 units"), "{message}");
        let message = refusal(|mlp| {
            mlp.layers.pop();
        });
        assert!(message.contains("layers[0].weights: has 2 units"), "{message}");
        let message = refusal(|mlp| mlp.layers[0].weights[1][0] = f64::NAN);
        assert!(message.contains("layers[0]: `NaN` is not a finite number"), "{message}");
    }
}
