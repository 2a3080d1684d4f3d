//! The local outlier factor from all distances between all rows: slow, and simple. The library excludes most rows without
//! measuring them, and has to agree exactly.

use amends::plausibility::{LocalOutlierFactor, Metric};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Distances and rows, the nearest first, of equally near ones the lowest row first.
fn nearest(
    points: &[Vec<f64>],
    x: &[f64],
    (metric, scale): (Metric, Option<&[f64]>),
    except: Option<usize>,
) -> Vec<(f64, usize)> {
    let mut all: Vec<(f64, usize)> = (0..points.len())
        .filter(|&row| Some(row) != except)
        .map(|row| (metric.distance(x, &points[row], scale), row))
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    all
}

fn check(name: &str, points: &[Vec<f64>], k: usize, metric: Metric, scale: Option<&[f64]>) {
    let lof = LocalOutlierFactor::fit(points.to_vec(), k, metric, scale.map(<[f64]>::to_vec));
    let lof = lof.unwrap();
    let how = (metric, scale);
    let near: Vec<_> =
        (0..points.len()).map(|row| nearest(points, &points[row], how, Some(row))).collect();
    let k_distance: Vec<f64> = near.iter().map(|near| near[k - 1].0).collect();
    let density = |near: &[(f64, usize)]| {
        let reach: f64 = near[..k].iter().map(|&(d, row)| d.max(k_distance[row])).sum();
        1.0 / (reach / k as f64 + 1e-10)
    };
    let densities: Vec<f64> = near.iter().map(|near| density(near)).collect();
    let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    let case = format!("{name}, {metric:?}, scale: {}, k {k}", scale.is_some());
    assert_eq!(bits(lof.k_distance()), bits(&k_distance), "{case}");
    assert_eq!(bits(lof.density()), bits(&densities), "{case}");
    // New points: near rows, between rows, far away from all.
    for row in (0..points.len()).step_by(points.len() / 9 + 1) {
        let other = &points[points.len() - 1 - row];
        for far in [0.0, 0.5, 1.0 + 1e-13, -40.0] {
            let x: Vec<f64> =
                points[row].iter().zip(other).map(|(a, b)| a + far * (b - a)).collect();
            let expected = nearest(points, &x, how, None);
            for count in [0, 1, k, points.len() / 2, points.len() + 3] {
                let rows: Vec<usize> = expected.iter().take(count).map(|near| near.1).collect();
                assert_eq!(lof.nearest(&x, count), rows, "{case}");
            }
            let theirs: f64 = expected[..k].iter().map(|near| densities[near.1]).sum();
            let score = theirs / k as f64 / density(&expected);
            assert_eq!(lof.score(&x).to_bits(), score.to_bits(), "{case}");
        }
    }
}

/// The standard deviation of each column; 1 where nothing varies, or where squares overflow.
fn standard_deviations(points: &[Vec<f64>]) -> Vec<f64> {
    let count = points.len() as f64;
    let of = |column: usize| {
        let mean = points.iter().map(|point| point[column]).sum::<f64>() / count;
        let squares: f64 = points.iter().map(|point| (point[column] - mean).powi(2)).sum();
        let deviation = (squares / count).sqrt();
        if deviation.is_normal() { deviation } else { 1.0 }
    };
    (0..points[0].len()).map(of).collect()
}

/// The rows without their copies, in the order of their first occurrences.
pub fn each_once(rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut kept: Vec<Vec<f64>> = Vec::new();
    for row in rows {
        if !kept.contains(row) {
            kept.push(row.clone());
        }
    }
    kept
}

fn check_all(name: &str, points: &[Vec<f64>]) {
    let scale = standard_deviations(points);
    for metric in [Metric::SquaredEuclidean, Metric::Euclidean, Metric::Manhattan] {
        for k in [1, 10] {
            check(name, points, k, metric, None);
            check(name, points, k, metric, Some(&scale));
        }
    }
}

fn rows(count: usize, seed: u64, row: impl Fn(&mut ChaCha8Rng) -> Vec<f64>) -> Vec<Vec<f64>> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    (0..count).map(|_| row(&mut random)).collect()
}

#[test]
fn independent_columns() {
    for (width, seed) in [(1, 0), (3, 1), (17, 2), (40, 3)] {
        let one = |random: &mut ChaCha8Rng| random.random_range(-1.0..1.0);
        let points = rows(300, seed, |random| (0..width).map(|_| one(random)).collect());
        check_all(&format!("{width} independent columns"), &points);
    }
}

#[test]
fn correlated_columns_in_clusters() {
    let points = rows(700, 4, |random| {
        let centre = f64::from(random.random_range(0..5_i32)) * 7.0;
        let (a, b) = (random.random_range(-1.0..1.0), random.random_range(-1.0..1.0));
        let noise: f64 = random.random_range(-1e-3..1e-3);
        vec![1e4 * (centre + a), centre - b, a + b, a - b + noise, centre * a, 3.0]
    });
    check_all("clusters", &points);
}

#[test]
fn copies_and_ties() {
    let points = rows(600, 5, |random| {
        let level = random.random_range(0..3_usize);
        let mut row: Vec<f64> = (0..3).map(|l| f64::from(u8::from(l == level))).collect();
        row.extend((0..2).map(|_| f64::from(random.random_range(-1..2_i32)) * 0.1));
        // Both zeros are the same number.
        row.push(if random.random_bool(0.5) { 0.0 } else { -0.0 });
        row
    });
    let distinct = each_once(&points);
    assert_eq!(distinct.len(), 27);
    check_all("copies", &points);
    check_all("each once", &distinct);
    check_all("all the same", &vec![vec![0.1, 0.2]; 150]);
}

#[test]
fn whole_numbers_on_a_grid() {
    let points =
        rows(900, 6, |random| (0..4).map(|_| f64::from(random.random_range(0..6_i32))).collect());
    check_all("grid", &points);
}

/// Differences far below the size of the numbers, and sizes far apart.
#[test]
fn numbers_that_lose_digits() {
    let near_one = rows(300, 7, |random| {
        (0..3).map(|_| 1.0 + f64::from(random.random_range(0..40_i32)) * f64::EPSILON).collect()
    });
    check_all("a few bits apart", &near_one);
    let steps = rows(400, 8, |random| {
        let far = f64::from(random.random_range(0..3_i32)) * 1e9;
        vec![far, random.random_range(0.0..1e-3), random.random_range(0.0..1e-6)]
    });
    check_all("large steps beside small differences", &steps);
    let outlying = rows(300, 9, |random| {
        let far = if random.random_bool(0.01) { 1e14 } else { 1.0 };
        (0..4).map(|_| far * random.random_range(-1.0..1.0)).collect()
    });
    check_all("a few rows far away", &outlying);
}

/// Squares of these overflow, or are rounded to 0: rows are then measured one by one.
#[test]
fn numbers_at_the_ends_of_their_range() {
    for size in [1e-200, 1e-160, 1e120, 1e160, 1e300] {
        let points =
            rows(150, 10, |random| (0..3).map(|_| size * random.random_range(-1.0..1.0)).collect());
        check_all(&format!("around {size:e}"), &points);
    }
    let mut points = rows(150, 11, |random| vec![random.random_range(-1.0..1.0), 2.0]);
    points[77][1] = 1e200;
    points[78][1] = -1e308;
    check_all("two rows at the ends", &points);
}
