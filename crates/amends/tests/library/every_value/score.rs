//! What a model says about a row, computed from its public numbers.

use amends::model::{Classifier, Mlp, Sums, Tree, TreeEnsemble};

/// The score of an encoded row.
pub fn score(classifier: &Classifier, row: &[f64]) -> f64 {
    match classifier {
        Classifier::Linear(linear) => weighted(&linear.weights, row) + linear.intercept,
        Classifier::Trees(ensemble) => trees(ensemble, row),
        Classifier::Mlp(network) => relu(network, row),
    }
}

fn weighted(weights: &[f64], row: &[f64]) -> f64 {
    weights.iter().zip(row).fold(0.0, |sum, (weight, x)| sum + weight * x)
}

fn trees(ensemble: &TreeEnsemble, row: &[f64]) -> f64 {
    let leaves = ensemble.trees.iter().map(|tree| leaf(tree, row));
    let sum = match ensemble.sums {
        Sums::Double => leaves.fold(0.0, |sum, value| sum + value),
        Sums::Single => f64::from(leaves.fold(0.0_f32, |sum, value| sum + value as f32)),
    };
    sum - ensemble.threshold
}

fn leaf(tree: &Tree, row: &[f64]) -> f64 {
    let mut node = 0;
    while let Ok(column) = usize::try_from(tree.feature[node]) {
        let left = row[column] <= tree.threshold[node];
        node = if left { tree.left[node] } else { tree.right[node] } as usize;
    }
    tree.value[node]
}

fn relu(network: &Mlp, row: &[f64]) -> f64 {
    let mut signal = row.to_vec();
    for (place, layer) in network.layers.iter().enumerate() {
        if place > 0 {
            for sum in &mut signal {
                *sum = sum.max(0.0);
            }
        }
        let units = layer.weights.iter().zip(&layer.bias);
        signal = units.map(|(weights, bias)| weighted(weights, &signal) + bias).collect();
    }
    signal[0]
}

/// The same classifier with the sizes of its numbers: it adds up the sizes of what the classifier adds up.
pub fn sizes(classifier: &Classifier) -> Classifier {
    let mut sizes = classifier.clone();
    let absolute = |numbers: &mut Vec<f64>| numbers.iter_mut().for_each(|x| *x = x.abs());
    match &mut sizes {
        Classifier::Linear(linear) => {
            absolute(&mut linear.weights);
            linear.intercept = linear.intercept.abs();
        }
        Classifier::Trees(trees) => {
            let mut all = trees.trees.to_vec();
            for tree in &mut all {
                absolute(&mut tree.value);
            }
            trees.trees = all.into();
            trees.threshold = -trees.threshold.abs();
        }
        Classifier::Mlp(mlp) => {
            for layer in &mut mlp.layers {
                layer.weights.iter_mut().for_each(absolute);
                absolute(&mut layer.bias);
            }
        }
    }
    sizes
}
