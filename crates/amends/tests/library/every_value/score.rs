//! What a model says about a row, computed from its public numbers.

use amends::model::{
    Classifier, Combine, Combined, Member, Mlp, Sums, Transform, Tree, TreeEnsemble,
};

/// The score of an encoded row.
pub fn score(classifier: &Classifier, row: &[f64]) -> f64 {
    match classifier {
        Classifier::Linear(linear) => weighted(&linear.weights, row) + linear.intercept,
        Classifier::Trees(ensemble) => trees(ensemble, row),
        Classifier::Mlp(network) => relu(network, row),
        Classifier::Combined(combined) => together(combined, row),
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

fn together(combined: &Combined, row: &[f64]) -> f64 {
    let mut values: Vec<f64> = (combined.members.iter())
        .map(|member| {
            member.weight * transformed(&member.transform, score(&member.classifier, row))
        })
        .collect();
    let value = match combined.combine {
        Combine::Sum => values.iter().fold(0.0, |sum, value| sum + value),
        Combine::Minimum => values.iter().fold(f64::INFINITY, |least, value| least.min(*value)),
        Combine::KthLargest(k) => {
            values.sort_by(f64::total_cmp);
            values[values.len() - k]
        }
    };
    value + combined.intercept
}

fn transformed(transform: &Transform, score: f64) -> f64 {
    match transform {
        Transform::Identity => score,
        Transform::Logistic { slope, offset } => 1.0 / (1.0 + (-(slope * score + offset)).exp()),
        Transform::Vote { cut } => f64::from(u8::from(score >= *cut)),
        Transform::Isotonic { scores, values } => {
            let Some(right) = scores.iter().position(|&other| other > score) else {
                return values[values.len() - 1];
            };
            if right == 0 {
                return values[0];
            }
            let slope = (values[right] - values[right - 1]) / (scores[right] - scores[right - 1]);
            let ends = [values[right - 1], values[right]];
            let on_line = slope * (score - scores[right - 1]) + ends[0];
            on_line.max(ends[0].min(ends[1])).min(ends[0].max(ends[1]))
        }
    }
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
        Classifier::Combined(combined) => {
            // Every score, and what becomes of it.
            combined.intercept = combined.intercept.abs();
            for member in &mut combined.members {
                let weight = member.weight.abs();
                let (times, value) = match &member.transform {
                    Transform::Identity => (1.0 + weight, 0.0),
                    Transform::Logistic { .. } | Transform::Vote { .. } => (1.0, 1.0),
                    Transform::Isotonic { values, .. } => {
                        (1.0, values.iter().fold(0.0, |most: f64, value| most.max(value.abs())))
                    }
                };
                combined.intercept += weight * value;
                let classifier = self::sizes(&member.classifier);
                *member = Member { classifier, transform: Transform::Identity, weight: times };
            }
            combined.combine = Combine::Sum;
        }
    }
    sizes
}
