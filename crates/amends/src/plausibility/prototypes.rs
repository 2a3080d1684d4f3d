//! A few rows that represent all: the prototypes of MMD-critic (Kim, Khanna and Koyejo, 2016).

use rayon::prelude::*;

use super::Metric;
use super::neighbours::Neighbours;

/// Gains closer than this share of their size count as equal: exponentials differ in the last digit
/// between machines, the choice must not.
const TIE: f64 = 1e-12;

/// exp(-x) is exactly 0 from here on.
const NOTHING: f64 = 746.0;

/// Where more of the rows than one in this many are near enough to count, all of them are added up.
const FEW: usize = 50;

/// The rows of `count` prototypes (all rows, where there are fewer points), in the order they were
/// picked.
///
/// With the kernel k(x, y) = exp(-||x - y||^2 / D) over D columns, a set S of m points represents all
/// n the better, the smaller the squared maximum mean discrepancy is, that is, the larger
///
/// ```text
/// J(S) = 2 / (n m) * sum over i, s in S of k(x_i, s)  -  1 / m^2 * sum over s, s' in S of k(s, s')
/// ```
///
/// Greedily, the next prototype is the point c with the largest J(S + c), which is the largest
///
/// ```text
/// gain(c) = 2 / n * sum over i of k(c, x_i)  -  (2 * sum over s in S of k(c, s) + k(c, c)) / (m + 1)
/// ```
///
/// Of points that tie the lowest row is taken. In raw units the kernel is almost the identity and
/// nearly all points tie; `scale` (one divisor per column) widens it.
pub fn prototypes(points: &[Vec<f64>], count: usize, scale: Option<&[f64]>) -> Vec<usize> {
    let width = points.first().map_or(1, |point| point.len().max(1)) as f64;
    let kernel =
        |a: &[f64], b: &[f64]| (-Metric::SquaredEuclidean.distance(a, b, scale) / width).exp();
    let attraction = likeness_to_all(points, scale, width * NOTHING, &kernel)
        .into_iter()
        .map(|sum| sum * 2.0 / points.len() as f64)
        .collect::<Vec<f64>>();

    let mut likeness_to_picked = vec![0.0; points.len()];
    let mut open: Vec<usize> = (0..points.len()).collect();
    let mut picked = Vec::with_capacity(count.min(points.len()));
    while picked.len() < count && !open.is_empty() {
        // Without k(c, c) = 1, which favours no point but would drown the differences in rounding.
        let repulsion = |c: usize| 2.0 * likeness_to_picked[c] / (picked.len() + 1) as f64;
        let gain = |c: usize| attraction[c] - repulsion(c);
        let best = open.iter().map(|&c| gain(c)).fold(f64::NEG_INFINITY, f64::max);
        let ties = |&c: &usize| gain(c) >= best - TIE * (attraction[c] + repulsion(c));
        let next = open.remove(open.iter().position(ties).unwrap_or(0));
        for &c in &open {
            likeness_to_picked[c] += kernel(&points[c], &points[next]);
        }
        picked.push(next);
    }
    picked
}

/// For each point the sum of its kernel with every point, in the order of the rows. Kernels of points at a squared distance
/// beyond `far` are 0: they are left out where that leaves few, as it does in raw units.
fn likeness_to_all(
    points: &[Vec<f64>],
    scale: Option<&[f64]>,
    far: f64,
    kernel: &(impl Fn(&[f64], &[f64]) -> f64 + Sync),
) -> Vec<f64> {
    let squared = |a: &[f64], b: &[f64]| Metric::SquaredEuclidean.distance(a, b, scale);
    let sample = || points.iter().step_by(points.len().div_ceil(100).max(1));
    let near = sample().flat_map(|a| sample().filter(|b| squared(a, b) <= far)).count();
    if near * FEW >= sample().count().pow(2) {
        let sum = |c: &Vec<f64>| points.iter().map(|x| kernel(c, x)).sum();
        return points.par_iter().map(sum).collect();
    }
    let metric = Metric::SquaredEuclidean;
    let index = Neighbours::new(points.to_vec(), metric, scale.map(<[f64]>::to_vec));
    let sum = |c: &Vec<f64>| {
        let mut near = index.within(c, far);
        near.sort_unstable_by_key(|neighbour| neighbour.row);
        near.iter().map(|neighbour| kernel(c, &points[neighbour.row as usize])).sum()
    };
    points.par_iter().map(sum).collect()
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::*;

    fn random_points(seed: u64, count: usize) -> Vec<Vec<f64>> {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        (0..count).map(|_| (0..3).map(|_| random.random_range(-2.0..2.0)).collect()).collect()
    }

    fn kernel(a: &[f64], b: &[f64]) -> f64 {
        let squares: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
        (-squares / a.len() as f64).exp()
    }

    /// The squared maximum mean discrepancy between all points and the picked ones, term by term.
    fn discrepancy(points: &[Vec<f64>], picked: &[usize]) -> f64 {
        let mean = |a: &[&Vec<f64>], b: &[&Vec<f64>]| {
            let sum: f64 = a.iter().flat_map(|a| b.iter().map(|b| kernel(a, b))).sum();
            sum / (a.len() * b.len()) as f64
        };
        let all: Vec<_> = points.iter().collect();
        let some: Vec<_> = picked.iter().map(|&row| &points[row]).collect();
        mean(&all, &all) - 2.0 * mean(&all, &some) + mean(&some, &some)
    }

    #[test]
    fn each_pick_lowers_the_discrepancy_most() {
        for seed in 0..5 {
            let points = random_points(seed, 40);
            let mut expected: Vec<usize> = Vec::new();
            for _ in 0..8 {
                let after =
                    |row: usize| discrepancy(&points, &[expected.as_slice(), &[row]].concat());
                let best = (0..points.len())
                    .filter(|row| !expected.contains(row))
                    .min_by(|&a, &b| after(a).total_cmp(&after(b)));
                expected.extend(best);
            }
            assert_eq!(prototypes(&points, 8, None), expected);
        }
    }

    #[test]
    fn leaving_out_what_is_too_far_changes_no_bit() {
        for spread in [1.0, 300.0, 3e4] {
            let mut points = random_points(3, 400);
            for (row, point) in points.iter_mut().enumerate() {
                point[0] += spread * f64::from((row % 97) as u32);
                point[1] = spread * point[1].round();
            }
            let kernel = |a: &[f64], b: &[f64]| kernel(a, b);
            let found = likeness_to_all(&points, None, 3.0 * NOTHING, &kernel);
            let all = |c: &Vec<f64>| points.iter().map(|x| kernel(c, x)).sum::<f64>().to_bits();
            let expected: Vec<u64> = points.iter().map(all).collect();
            assert_eq!(found.iter().map(|sum| sum.to_bits()).collect::<Vec<_>>(), expected);
        }
        assert_eq!((-NOTHING).exp(), 0.0);
    }

    #[test]
    fn points_far_apart_tie_and_come_in_order() {
        let points: Vec<_> = (0..9).map(|i| vec![1e3 * f64::from(i * i), 1.0]).collect();
        assert_eq!(prototypes(&points, 4, None), [0, 1, 2, 3]);
    }

    #[test]
    fn a_scale_is_the_same_as_divided_columns() {
        let points = random_points(7, 30);
        let scale = [0.5, 3.0, 1.25];
        let divided: Vec<Vec<f64>> =
            points.iter().map(|p| p.iter().zip(scale).map(|(x, s)| x / s).collect()).collect();
        assert_eq!(prototypes(&points, 6, Some(&scale)), prototypes(&divided, 6, None));
        assert_ne!(prototypes(&points, 6, Some(&scale)), prototypes(&points, 6, None));
    }

    #[test]
    fn never_more_than_there_are_and_none_twice() {
        let points = vec![vec![1.0], vec![1.0], vec![5.0]];
        let mut picked = prototypes(&points, 10, None);
        picked.sort_unstable();
        assert_eq!(picked, [0, 1, 2]);
        assert!(prototypes(&[], 3, None).is_empty());
        assert!(prototypes(&points, 0, None).is_empty());
    }
}
