//! The score of a linear model or a network on the way from one application to another.

use crate::model::{Classifier, Mlp};

/// Straight from one encoded row to another.
pub(super) struct ScoreLine<'a> {
    pub classifier: &'a Classifier,
    pub first: &'a [f64],
    pub last: &'a [f64],
}

impl ScoreLine<'_> {
    /// The shares of the way, from 0 to 1, at which a quantity changes its sign that is linear wherever the score is.
    pub(super) fn crossings(&self, quantity: impl Fn(&[f64]) -> f64) -> Vec<f64> {
        let mut shares = vec![0.0, 1.0];
        if let Classifier::Mlp(mlp) = self.classifier {
            // A layer's sums are linear between the points at which a unit of an earlier one begins or ceases to be active.
            for depth in 0..mlp.layers.len().saturating_sub(1) {
                let sums = |share: f64| sums(mlp, depth, &self.row(share));
                shares.extend(changes_of_sign(&shares, sums));
                shares.sort_by(f64::total_cmp);
                shares.dedup();
            }
        }
        let crossings = changes_of_sign(&shares, |share| vec![quantity(&self.row(share))]);
        shares.extend(crossings);
        shares
    }

    fn row(&self, share: f64) -> Vec<f64> {
        let between = |(a, b): (&f64, &f64)| if share == 1.0 { *b } else { a + (b - a) * share };
        self.first.iter().zip(self.last).map(between).collect()
    }
}

/// The sums of a layer.
fn sums(mlp: &Mlp, depth: usize, row: &[f64]) -> Vec<f64> {
    let mut sums = mlp.layers[0].sums(row);
    for layer in &mlp.layers[1..=depth] {
        for sum in &mut sums {
            *sum = sum.max(0.0);
        }
        sums = layer.sums(&sums);
    }
    sums
}

/// Where quantities that are linear between shares change their sign.
fn changes_of_sign(shares: &[f64], quantities: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let known: Vec<Vec<f64>> = shares.iter().map(|&share| quantities(share)).collect();
    let mut found = Vec::new();
    for (ends, values) in shares.windows(2).zip(known.windows(2)) {
        for (a, b) in values[0].iter().zip(&values[1]) {
            if (*a < 0.0) != (*b < 0.0) {
                found.push(ends[0] + (ends[1] - ends[0]) * (a / (a - b)));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Layer, Linear};

    #[test]
    fn a_line_crosses_once() {
        let classifier = Classifier::Linear(Linear { weights: vec![2.0, -1.0], intercept: -1.0 });
        let line = ScoreLine { classifier: &classifier, first: &[0.0, 0.0], last: &[4.0, 0.0] };
        assert_eq!(line.crossings(|row| classifier.score(row)), [0.0, 1.0, 0.125]);
    }

    /// relu(x - 1) - relu(x - 3) rises from 0 to 2 and stays there; relu(1.5 - that) ends at x = 2.5.
    #[test]
    fn kinks_of_all_layers_are_found() {
        let layer = |weights: &[&[f64]], bias: &[f64]| Layer {
            weights: weights.iter().map(|row| row.to_vec()).collect(),
            bias: bias.to_vec(),
        };
        let mlp = Mlp {
            layers: vec![
                layer(&[&[1.0], &[1.0]], &[-1.0, -3.0]),
                layer(&[&[-1.0, 1.0]], &[1.5]),
                layer(&[&[1.0]], &[-0.75]),
            ],
        };
        let classifier = Classifier::Mlp(mlp);
        let line = ScoreLine { classifier: &classifier, first: &[0.0], last: &[10.0] };
        let mut found = line.crossings(|row| classifier.score(row));
        found.sort_by(f64::total_cmp);
        let expected = [0.0, 0.1, 0.175, 0.25, 0.3, 1.0];
        assert_eq!(found.len(), expected.len(), "{found:?}");
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
    }
}
