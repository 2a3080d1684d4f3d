//! What a change costs, computed from the numbers that were fitted.

use amends::explain::DistanceKind;
use amends::instance::{self, Distance, Outlier};
use amends::plausibility::Metric;

use super::separable::Separable;

/// Points this much farther than the nearest, relatively, are as near.
const TIE: f64 = 1e-12;

/// Added to the mean reachability.
const SHIFT: f64 = 1e-10;

/// The cost of one applicant's changes.
pub struct Cost {
    distance: Effort,
    outlier: Option<Outlier>,
}

enum Effort {
    Norm { kind: DistanceKind, factor: Vec<Vec<f64>> },
    Separable(Separable),
}

impl Cost {
    pub fn new(fitted: &instance::Cost, separable: Option<Separable>) -> Self {
        let norm = |kind, factor: &Vec<Vec<f64>>| Effort::Norm { kind, factor: factor.clone() };
        let distance = match (separable, &fitted.distance) {
            (Some(separable), _) => Effort::Separable(separable),
            (None, Distance::L1Mahalanobis { factor }) => norm(DistanceKind::L1Mahalanobis, factor),
            (None, Distance::Mahalanobis { factor }) => norm(DistanceKind::Mahalanobis, factor),
            (None, Distance::SquaredMahalanobis { factor }) => {
                norm(DistanceKind::SquaredMahalanobis, factor)
            }
            (None, _) => panic!("a distance that was not asked for"),
        };
        Self { distance, outlier: fitted.outlier.clone() }
    }

    /// The effort of going from one row to another.
    pub fn distance(&self, from: &[f64], to: &[f64]) -> f64 {
        match &self.distance {
            Effort::Separable(separable) => separable.distance(from, to),
            Effort::Norm { kind, factor } => {
                let along = factor.iter().map(|row| {
                    let change = from.iter().zip(to).map(|(from, to)| to - from);
                    row.iter().zip(change).fold(0.0, |sum, (u, a)| sum + u * a)
                });
                match kind {
                    DistanceKind::L1Mahalanobis => along.map(f64::abs).sum(),
                    DistanceKind::Mahalanobis => along.map(|u| u * u).sum::<f64>().sqrt(),
                    _ => along.map(|u| u * u).sum(),
                }
            }
        }
    }

    /// The weighted outlier term of a row.
    pub fn outlier(&self, row: &[f64]) -> f64 {
        self.outlier.as_ref().map_or(0.0, |term| match term.k {
            Some(k) => term.weight * local_outlier_factor(term, row, k),
            None => term.weight * surrogate(term, row),
        })
    }
}

fn distances(term: &Outlier, row: &[f64]) -> Vec<f64> {
    let to = |point: &Vec<f64>| {
        let mut sum = 0.0;
        for (column, (x, p)) in row.iter().zip(point).enumerate() {
            let apart = (x - p) / term.scale.as_ref().map_or(1.0, |scale| scale[column]);
            sum += if term.metric == Metric::Manhattan { apart.abs() } else { apart * apart };
        }
        if term.metric == Metric::Euclidean { sum.sqrt() } else { sum }
    };
    term.points.iter().map(to).collect()
}

fn local_outlier_factor(term: &Outlier, row: &[f64], k: usize) -> f64 {
    let distances = distances(term, row);
    let mut nearest: Vec<usize> = (0..distances.len()).collect();
    // Sorting keeps equally near points in their order.
    nearest.sort_by(|&a, &b| distances[a].total_cmp(&distances[b]));
    let (mut density, mut reach) = (0.0, 0.0);
    for &n in &nearest[..k] {
        density += term.density[n];
        reach += distances[n].max(term.k_distance[n]);
    }
    density / k as f64 * (reach / k as f64 + SHIFT)
}

fn surrogate(term: &Outlier, row: &[f64]) -> f64 {
    let distances = distances(term, row);
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let near = (0..distances.len()).filter(|&n| distances[n] <= least * (1.0 + TIE));
    let of = |n: usize| term.density[n] * distances[n].max(term.k_distance[n]);
    near.map(of).fold(f64::INFINITY, f64::min)
}
