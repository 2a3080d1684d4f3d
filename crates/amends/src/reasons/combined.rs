//! Contributions to a combined score: a weighted sum of scores adds up its members' contributions; any other combination is
//! treated as networks are.

use super::network::{MOST_SCORES, contributions_within};
use super::{Attribution, Contributions};
use crate::model::{Classifier, Combine, Combined};

/// Models of so many nodes take about as long per score as networks of usual size.
const USUAL_NODES: usize = 4096;

/// At least so many applications are scored, however long that takes.
const LEAST_SCORES: usize = 1 << 13;

/// Per feature, its contribution.
pub(super) fn contributions(
    combined: &Combined,
    feature_of: &[usize],
    x: &[f64],
    rows: &[Vec<f64>],
) -> Contributions {
    let plain = combined.members.iter().all(|member| member.transform.is_identity());
    if plain && combined.combine == Combine::Sum {
        return sum(combined, feature_of, x, rows);
    }
    let nodes: usize = combined.members.iter().map(|member| member.classifier.nodes()).sum();
    let most = (MOST_SCORES / (1 + nodes / USUAL_NODES)).max(LEAST_SCORES);
    let classifier = Classifier::Combined(combined.clone());
    contributions_within(most, &|row| classifier.score_in_64_bits(row), feature_of, x, rows)
}

/// Contributions to a sum of scores are the sums of the contributions to each.
fn sum(combined: &Combined, feature_of: &[usize], x: &[f64], rows: &[Vec<f64>]) -> Contributions {
    let features = feature_of.last().map_or(0, |last| last + 1);
    let mut total = Contributions::exact(vec![0.0; features]);
    for member in &combined.members {
        let part = super::principal::of_classifier(&member.classifier, feature_of, x, rows);
        for (sum, value) in total.values.iter_mut().zip(&part.values) {
            *sum += member.weight * value;
        }
        let Some(errors) = part.errors else { continue };
        // Members are sampled with the same permutations: their errors may well add up.
        let sums = total.errors.get_or_insert_with(|| vec![0.0; features]);
        for (sum, error) in sums.iter_mut().zip(errors) {
            *sum += member.weight.abs() * error;
        }
        total.method = match (total.method, part.method) {
            (
                Attribution::Sampled { permutations: a },
                Attribution::Sampled { permutations: b },
            ) => Attribution::Sampled { permutations: a.min(b) },
            (_, method) => method,
        };
    }
    total
}
