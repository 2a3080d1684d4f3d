//! Rows in the coordinates that the tree is built in: centred, divided by the scale and by the table's spread, and for
//! Euclidean distances turned to the principal axes, in which correlated columns take few coordinates.
//!
//! Coordinates only decide which rows are looked at. Distances are computed from the rows themselves, so everything here
//! may round, as long as [`Coordinates::reach`] accounts for it.

use nalgebra::DMatrix;

use super::super::Metric;

/// The axes are computed from about this many rows: more would turn them by very little.
const SAMPLE: usize = 20_000;

/// Wider tables are not turned: that takes the square of the width for every row.
const MOST_TURNED: usize = 128;

/// Axes with at most this share of the variance are left out: without them distances only get smaller.
const NEGLIGIBLE: f64 = 1e-6;

/// How far the axes may be from orthonormal, and the margin for sums of rounded squares.
const RELATIVE_MARGIN: f64 = 1e-9;

/// Tables whose spread is beyond this, or below its inverse, get no coordinates: squares could leave the range of numbers.
const MOST_SPREAD: f64 = 1e100;

/// The squares of smaller differences than this may be rounded to 0.
const LEAST_DIFFERENCE: f64 = 1e-150;

/// How rows become coordinates.
#[derive(Debug, Clone)]
pub(super) struct Coordinates {
    metric: Metric,
    centre: Vec<f64>,
    /// What a column's difference to the centre is multiplied by.
    factor: Vec<f64>,
    projection: Projection,
    /// Coordinates per unit of distance.
    unit: f64,
}

#[derive(Debug, Clone)]
enum Projection {
    /// On these axes, each a unit vector over the columns.
    Axes(Vec<Vec<f64>>),
    /// On these columns.
    Columns(Vec<usize>),
}

impl Coordinates {
    /// Coordinates in which few numbers tell most of the distance, for these rows, of which there is at least one.
    pub(super) fn fit(rows: &[&[f64]], metric: Metric, scale: Option<&[f64]>) -> Self {
        let width = rows[0].len();
        let sample: Vec<&[f64]> =
            rows.iter().step_by(rows.len().div_ceil(SAMPLE)).copied().collect();
        let count = sample.len() as f64;
        let mean = |column: usize| sample.iter().map(|row| row[column] / count).sum();
        let factor =
            scale.map_or_else(|| vec![1.0; width], |scale| scale.iter().map(|s| 1.0 / s).collect());
        let centre = (0..width).map(mean).collect();
        let projection = Projection::Columns(Vec::new());
        let mut fitted = Self { metric, centre, factor, projection, unit: 1.0 };

        let centred: Vec<Vec<f64>> = sample.iter().map(|row| fitted.centred(row)).collect();
        let variance = |column: usize| centred.iter().map(|row| row[column].powi(2)).sum::<f64>();
        let variance: Vec<f64> = (0..width).map(|column| variance(column) / count).collect();
        let spread = variance.iter().sum::<f64>().sqrt();
        let usual = 1.0 / MOST_SPREAD..MOST_SPREAD;
        if !usual.contains(&spread) {
            return fitted;
        }
        fitted.unit = 1.0 / spread;
        let turned = metric != Metric::Manhattan && width <= MOST_TURNED;
        let axes = if turned { principal_axes(&centred) } else { None };
        fitted.projection = axes.map_or_else(
            || {
                let mut columns: Vec<usize> = (0..width).filter(|&c| variance[c] > 0.0).collect();
                columns.sort_by(|&a, &b| variance[b].total_cmp(&variance[a]));
                Projection::Columns(columns)
            },
            Projection::Axes,
        );
        // A row beyond the sample may still be out of range.
        let mut at = vec![0.0; fitted.len()];
        let in_range = rows.iter().all(|row| {
            fitted.write(row, &mut at);
            at.iter().all(|value| value.abs() < MOST_SPREAD)
        });
        if !in_range {
            fitted.projection = Projection::Columns(Vec::new());
        }
        fitted
    }

    /// Coordinates per row. Where the table's numbers are too extreme it is a single one that is always 0: then all rows are looked at.
    pub(super) fn len(&self) -> usize {
        match &self.projection {
            Projection::Axes(axes) => axes.len(),
            Projection::Columns(columns) => columns.len().max(1),
        }
    }

    /// Writes a row's coordinates.
    pub(super) fn write(&self, row: &[f64], to: &mut [f64]) {
        match &self.projection {
            Projection::Axes(axes) => {
                let centred = self.centred(row);
                for (to, axis) in to.iter_mut().zip(axes) {
                    *to = axis.iter().zip(&centred).map(|(a, b)| a * b).sum::<f64>() * self.unit;
                }
            }
            Projection::Columns(columns) => {
                to.fill(0.0);
                for (to, &c) in to.iter_mut().zip(columns) {
                    *to = (row[c] - self.centre[c]) * self.factor[c] * self.unit;
                }
            }
        }
    }

    /// The error that rounding can make in the difference of this row's coordinates and those of a row close to it, in
    /// units of distance.
    ///
    /// A coordinate is a sum of w products of numbers with three roundings: with u for the relative error of one, its error
    /// is at most (w + 4) u times the 1-norm of the centred row, and a vector of them has at most sqrt(w) (in the
    /// 1-norm: w) times that. The other row adds as much, and its own distance, which the relative margin covers.
    pub(super) fn rounding(&self, row: &[f64]) -> f64 {
        let width = row.len() as f64;
        let size: f64 = self.centred(row).iter().map(|value| value.abs()).sum();
        4.0 * width * (width + 4.0) * f64::EPSILON * size
    }

    /// The largest distance in coordinates between a row with this rounding error and any whose computed distance from
    /// it is at most `distance`.
    pub(super) fn reach(&self, distance: f64, rounding: f64) -> f64 {
        let length =
            if self.metric == Metric::SquaredEuclidean { distance.sqrt() } else { distance };
        let reach = (length + LEAST_DIFFERENCE) * (1.0 + 2.0 * RELATIVE_MARGIN) + rounding;
        reach * self.unit
    }

    /// Whether coordinates differ by the sum of absolute differences, not by the root of the sum of squares.
    pub(super) fn is_manhattan(&self) -> bool {
        self.metric == Metric::Manhattan
    }

    fn centred(&self, row: &[f64]) -> Vec<f64> {
        let columns = row.iter().zip(&self.centre).zip(&self.factor);
        columns.map(|((value, centre), factor)| (value - centre) * factor).collect()
    }
}

/// The principal axes of centred rows, the longest first; none where rounding left them too far from orthonormal.
fn principal_axes(centred: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let width = centred[0].len();
    let mut covariance = DMatrix::<f64>::zeros(width, width);
    for row in centred {
        for i in 0..width {
            for j in 0..=i {
                covariance[(i, j)] += row[i] * row[j];
            }
        }
    }
    covariance.fill_upper_triangle_with_lower_triangle();
    let eigen = covariance.symmetric_eigen();
    let product = eigen.eigenvectors.transpose() * &eigen.eigenvectors;
    let deviation = (product - DMatrix::identity(width, width)).norm();
    if deviation.is_nan() || deviation >= RELATIVE_MARGIN {
        return None;
    }
    let total: f64 = eigen.eigenvalues.sum();
    let mut axes: Vec<usize> =
        (0..width).filter(|&axis| eigen.eigenvalues[axis] > NEGLIGIBLE * total).collect();
    axes.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
    let axis = |axis: usize| eigen.eigenvectors.column(axis).iter().copied().collect();
    Some(axes.into_iter().map(axis).collect())
}
