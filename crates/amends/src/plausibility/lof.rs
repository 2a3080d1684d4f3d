//! The local outlier factor (Breunig, Kriegel, Ng and Sander, 2000) of new points against fixed ones.

use std::sync::Arc;

use super::Metric;
use super::neighbours::{Neighbour, Neighbours};
use super::rows::check_rows;

use crate::{InputError, Result, Setting, memory};

/// Added to a mean reachability before it is inverted: more than k copies of a row would otherwise
/// have infinite density. The same as in scikit-learn.
const LEAST_REACHABILITY: f64 = 1e-10;

/// Reference points with everything that the local outlier factor of a new point depends on.
///
/// A point has exactly k neighbours, as in scikit-learn (the article takes all ties at the k-th distance);
/// of points at the same distance the lowest row comes first. A reference point is not a neighbour of itself, but its copies are.
///
/// ```
/// use amends::plausibility::{LocalOutlierFactor, Metric};
/// let points = (0..20).map(|i| vec![f64::from(i)]).collect();
/// let lof = LocalOutlierFactor::fit(points, 3, Metric::Euclidean, None)?;
/// assert!(lof.score(&[9.5]) < 1.1);
/// assert!(lof.score(&[40.0]) > 5.0);
/// # Ok::<(), amends::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct LocalOutlierFactor {
    neighbours: Arc<Neighbours>,
    k: usize,
    k_distance: Vec<f64>,
    density: Vec<f64>,
}

impl LocalOutlierFactor {
    /// Measures `points`, the accepted rows. Differences are divided by `scale` first where given.
    pub fn fit(
        points: Vec<Vec<f64>>,
        k: usize,
        metric: Metric,
        scale: Option<Vec<f64>>,
    ) -> Result<Self> {
        let width = check_rows(&points, "accepted")?;
        if k == 0 {
            return Err(InputError::new("neighbours have no distance to measure")
                .setting(Setting::Neighbours)
                .value(k)
                .remedy("set k to at least 1; 10 is usual")
                .into());
        }
        if points.len() <= k {
            return Err(too_few(points.len(), k).into());
        }
        check_scale(scale.as_deref(), width)?;

        let bytes = Neighbours::memory(points.len(), width, k + 1);
        memory::check_training(
            || format!("finding the neighbours of {} rows", points.len()),
            bytes,
        )?;
        let neighbours = Arc::new(Neighbours::new(points, metric, scale));
        let unfitted = Self { neighbours, k, k_distance: vec![], density: vec![] };
        Ok(unfitted.measured())
    }

    fn measured(mut self) -> Self {
        let rows = self.neighbours.points().len();
        // A row is among the nearest of its own, or has k copies that come before it.
        let nearest = self.neighbours.of_all(self.k + 1);
        let others = |row: u32, near: &[Neighbour]| -> Vec<Neighbour> {
            near.iter().filter(|n| n.row != row).take(self.k).copied().collect()
        };
        let mut k_distance = vec![0.0; rows];
        for (group, near) in &nearest {
            for &row in self.neighbours.members(*group) {
                k_distance[row as usize] = others(row, near)[self.k - 1].distance;
            }
        }
        self.k_distance = k_distance;
        let mut density = vec![0.0; rows];
        for (group, near) in &nearest {
            for &row in self.neighbours.members(*group) {
                density[row as usize] = self.density_at(&others(row, near));
            }
        }
        self.density = density;
        self
    }

    /// The reference points, to use for something else; copied where a clone still needs them.
    pub(crate) fn into_points(self) -> Vec<Vec<f64>> {
        Arc::try_unwrap(self.neighbours)
            .map_or_else(|shared| shared.points().to_vec(), Neighbours::into_points)
    }

    /// The reference points.
    pub fn points(&self) -> &[Vec<f64>] {
        self.neighbours.points()
    }

    /// Each point's distance to its k-th nearest other point.
    pub fn k_distance(&self) -> &[f64] {
        &self.k_distance
    }

    /// Each point's local reachability density (lrd).
    pub fn density(&self) -> &[f64] {
        &self.density
    }

    /// The local outlier factor of a new point: the mean density of its k nearest reference points
    /// over its own. About 1 for an ordinary point, and larger for points in sparser surroundings. A point that equals a
    /// reference point counts that one as a neighbour.
    ///
    /// # Panics
    /// Where `x` has not as many columns as the reference points.
    pub fn score(&self, x: &[f64]) -> f64 {
        let near = self.neighbours.nearest(x, self.k);
        let theirs: f64 = near.iter().map(|neighbour| self.density[neighbour.row as usize]).sum();
        theirs / self.k as f64 / self.density_at(&near)
    }

    /// The rows of the `k` reference points nearest to `x` (all, where there are fewer), nearest first.
    ///
    /// # Panics
    /// Where `x` has not as many columns as the reference points.
    pub fn nearest(&self, x: &[f64], k: usize) -> Vec<usize> {
        let nearest = self.neighbours.nearest(x, k).into_iter();
        nearest.map(|neighbour| neighbour.row as usize).collect()
    }

    fn density_at(&self, near: &[Neighbour]) -> f64 {
        let reachability: f64 =
            near.iter().map(|n| n.distance.max(self.k_distance[n.row as usize])).sum();
        1.0 / (reachability / near.len() as f64 + LEAST_REACHABILITY)
    }
}

fn too_few(points: usize, k: usize) -> InputError {
    let remedy = match points - 1 {
        0 => "give more accepted rows".to_owned(),
        most => format!("lower it to at most {most}, or give more accepted rows"),
    };
    let problem = format!("neighbours for each row can't be had from {points} accepted rows");
    InputError::new(problem).setting(Setting::Neighbours).value(k).remedy(remedy)
}

/// A scale has one divisor per column, each positive and finite.
fn check_scale(scale: Option<&[f64]>, width: usize) -> Result<()> {
    let Some(scale) = scale else { return Ok(()) };
    if scale.len() != width {
        return Err(InputError::new(format!("divisors for {width} columns"))
            .at("scale")
            .value(scale.len())
            .remedy("give one divisor per column")
            .into());
    }
    if let Some(column) = scale.iter().position(|s| !(s.is_normal() && *s > 0.0)) {
        return Err(InputError::new("can't divide a difference")
            .at("scale")
            .column(column + 1)
            .value(scale[column])
            .remedy("give a positive number; 1 leaves a column as it is")
            .into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(values: &[f64]) -> Vec<Vec<f64>> {
        values.iter().map(|&value| vec![value]).collect()
    }

    #[test]
    fn one_neighbour_on_a_line_by_hand() {
        let lof =
            LocalOutlierFactor::fit(line(&[0.0, 1.0, 3.0]), 1, Metric::Manhattan, None).unwrap();
        assert_eq!(lof.k_distance(), [1.0, 1.0, 2.0]);
        // Reachabilities 1, 1 and max(2, 1).
        assert_eq!(lof.density()[2], 1.0 / (2.0 + 1e-10));
        // 7 reaches 3 over max(4, 2).
        let expected = (4.0 + 1e-10) / (2.0 + 1e-10);
        assert!((lof.score(&[7.0]) - expected).abs() < 1e-14);
    }

    #[test]
    fn ties_go_to_the_lowest_row() {
        let points = line(&[2.0, -1.0, 1.0, -2.0, 1.0]);
        let lof = LocalOutlierFactor::fit(points, 2, Metric::SquaredEuclidean, None).unwrap();
        assert_eq!(lof.nearest(&[0.0], 4), [1, 2, 4, 0]);
        assert_eq!(lof.nearest(&[0.0], 9), [1, 2, 4, 0, 3]);
        assert!(lof.nearest(&[0.0], 0).is_empty());
    }

    #[test]
    fn a_scale_divides_differences() {
        let points = vec![vec![0.0, 0.0], vec![10.0, 0.0], vec![0.0, 2.0]];
        let scaled = Some(vec![10.0, 1.0]);
        let lof = LocalOutlierFactor::fit(points, 1, Metric::Euclidean, scaled).unwrap();
        assert_eq!(lof.k_distance(), [1.0, 1.0, 2.0]);
        assert_eq!(lof.nearest(&[6.0, 0.5], 1), [1]);
    }

    #[test]
    fn copies_have_the_largest_finite_density() {
        let lof = LocalOutlierFactor::fit(line(&[5.0, 5.0, 5.0, 9.0]), 2, Metric::Manhattan, None)
            .unwrap();
        assert_eq!(lof.density()[0], 1.0 / 1e-10);
        assert_eq!(lof.score(&[5.0]), 1.0);
        assert!(lof.score(&[6.0]) > 1e9);
    }

    #[test]
    fn settings_that_mean_nothing_are_refused() {
        let fit = |k, scale| {
            LocalOutlierFactor::fit(line(&[0.0, 1.0, 3.0]), k, Metric::Euclidean, scale)
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            fit(3, None),
            "k: `3` neighbours for each row can't be had from 3 accepted rows; \
             lower it to at most 2, or give more accepted rows"
        );
        assert!(fit(0, None).contains("at least 1"));
        assert!(fit(1, Some(vec![1.0, 1.0])).contains("`2` divisors for 1 columns"));
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(fit(1, Some(vec![bad])).contains("can't divide"));
        }
        assert!(LocalOutlierFactor::fit(vec![], 1, Metric::Euclidean, None).is_err());
        // One row has no neighbour to lower k to.
        let single = LocalOutlierFactor::fit(line(&[0.0]), 1, Metric::Euclidean, None).unwrap_err();
        assert!(!single.to_string().contains("at most 0"), "{single}");
    }
}
