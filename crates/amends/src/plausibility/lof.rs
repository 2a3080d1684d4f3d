//! The local outlier factor (Breunig, Kriegel, Ng and Sander, 2000) of new points against fixed ones.

use rayon::prelude::*;

use super::Metric;
use super::rows::check_rows;
use crate::{InputError, Result};

/// Added to a mean reachability before it is inverted: more than k copies of a row would otherwise
/// have infinite density. The same as in scikit-learn.
const LEAST_REACHABILITY: f64 = 1e-10;

/// Reference points with what the local outlier factor of a new point needs to know of them.
///
/// A point has exactly k neighbours, as in scikit-learn (the article takes all that tie for the last
/// place); of points at the same distance the lowest row comes first. A reference point is no
/// neighbour of itself, but its copies are.
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
    points: Vec<Vec<f64>>,
    k: usize,
    metric: Metric,
    scale: Option<Vec<f64>>,
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
                .at("k")
                .value(k)
                .remedy("set k to at least 1; 10 is usual")
                .into());
        }
        if points.len() <= k {
            return Err(too_few(points.len(), k).into());
        }
        check_scale(scale.as_deref(), width)?;

        let unfitted = Self { points, k, metric, scale, k_distance: vec![], density: vec![] };
        Ok(unfitted.measured())
    }

    fn measured(mut self) -> Self {
        let neighbours: Vec<Vec<Neighbour>> = (0..self.points.len())
            .into_par_iter()
            .map(|row| self.closest(&self.points[row], self.k, Some(row)))
            .collect();
        self.k_distance = neighbours.iter().map(|near| near[self.k - 1].distance).collect();
        self.density = neighbours.iter().map(|near| self.density_at(near)).collect();
        self
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
    /// over its own. About 1 for an ordinary point, the larger the lonelier. A point that equals a
    /// reference point counts that one as a neighbour.
    ///
    /// # Panics
    /// Where `x` has not as many columns as the reference points.
    pub fn score(&self, x: &[f64]) -> f64 {
        let near = self.closest(x, self.k, None);
        let theirs: f64 = near.iter().map(|neighbour| self.density[neighbour.row]).sum();
        theirs / self.k as f64 / self.density_at(&near)
    }

    /// The rows of the `k` reference points nearest to `x` (all, where there are fewer), nearest first.
    ///
    /// # Panics
    /// Where `x` has not as many columns as the reference points.
    pub fn nearest(&self, x: &[f64], k: usize) -> Vec<usize> {
        self.closest(x, k, None).into_iter().map(|neighbour| neighbour.row).collect()
    }

    fn closest(&self, x: &[f64], k: usize, except: Option<usize>) -> Vec<Neighbour> {
        assert_eq!(x.len(), self.points[0].len(), "columns of the point and of the reference");
        let scale = self.scale.as_deref();
        let mut all: Vec<Neighbour> = self
            .points
            .iter()
            .enumerate()
            .filter(|&(row, _)| Some(row) != except)
            .map(|(row, p)| Neighbour { distance: self.metric.distance(x, p, scale), row })
            .collect();
        if k < all.len() {
            all.select_nth_unstable_by(k, Neighbour::order);
            all.truncate(k);
        }
        all.sort_unstable_by(Neighbour::order);
        all
    }

    fn density_at(&self, near: &[Neighbour]) -> f64 {
        let reachability: f64 = near.iter().map(|n| n.distance.max(self.k_distance[n.row])).sum();
        1.0 / (reachability / near.len() as f64 + LEAST_REACHABILITY)
    }
}

#[derive(Debug, Clone, Copy)]
struct Neighbour {
    distance: f64,
    row: usize,
}

impl Neighbour {
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        self.distance.total_cmp(&other.distance).then(self.row.cmp(&other.row))
    }
}

fn too_few(points: usize, k: usize) -> InputError {
    let remedy = match points - 1 {
        0 => "give more accepted rows".to_owned(),
        most => format!("lower k to at most {most}, or give more accepted rows"),
    };
    let problem = format!("neighbours for each row can't be had from {points} accepted rows");
    InputError::new(problem).at("k").value(k).remedy(remedy)
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
             lower k to at most 2, or give more accepted rows"
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
