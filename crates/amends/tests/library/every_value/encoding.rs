//! Applications as rows of numbers: a column per number, rank or level, then one per code.

use super::feature::{Cell, Feature, Kind};

/// One encoded column.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    pub feature: usize,
    /// Whether it holds 0 and 1 only.
    pub binary: bool,
}

/// The columns of all features, in order.
pub fn columns(features: &[Feature]) -> Vec<Column> {
    let mut columns = Vec::new();
    for (feature, its) in features.iter().enumerate() {
        let flags = matches!(its.kind, Kind::Binary | Kind::Categorical);
        let own = std::iter::repeat_n(Column { feature, binary: flags }, width(its));
        let codes = std::iter::repeat_n(Column { feature, binary: true }, its.codes.len());
        columns.extend(own.chain(codes));
    }
    columns
}

/// The row of an application.
pub fn encode(features: &[Feature], cells: &[Cell]) -> Vec<f64> {
    features.iter().zip(cells).flat_map(|(feature, &cell)| encode_cell(feature, cell)).collect()
}

/// The columns of one cell.
pub fn encode_cell(feature: &Feature, cell: Cell) -> Vec<f64> {
    let mut row = vec![0.0; width(feature) + feature.codes.len()];
    match cell {
        Cell::Number(number) => row[0] = number.to_f64(),
        Cell::Level(level) if feature.kind == Kind::Categorical => row[level] = 1.0,
        Cell::Level(level) => row[0] = level as f64,
        Cell::Code(code) => row[width(feature) + code] = 1.0,
    }
    row
}

/// How many columns the numbers or levels take.
fn width(feature: &Feature) -> usize {
    if feature.kind == Kind::Categorical { feature.levels.len() } else { 1 }
}
