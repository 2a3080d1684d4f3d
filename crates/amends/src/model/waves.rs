//! Rows for the tests of trainers.

/// A wave of this step, at a row.
pub(super) fn wave(i: u32, step: f64) -> f64 {
    (f64::from(i) * step).sin()
}

/// 300 rows of four columns: whole numbers, fractions, a constant and fractions without influence.
pub(super) fn rows() -> Vec<Vec<f64>> {
    let row = |i| vec![(wave(i, 1.3) * 20.0).round(), wave(i, 0.7), 4.0, wave(i, 2.9)];
    (0..300).map(row).collect()
}
