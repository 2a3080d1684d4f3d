//! The distances that add up over columns, from their formulas in the documentation.

use amends::explain::DistanceKind;

/// Makes the median absolute deviation of a normal column its standard deviation.
const NORMAL: f64 = 1.4826;

/// One cost function a column, times the effort of its feature.
pub struct Separable {
    columns: Vec<Column>,
    efforts: Vec<f64>,
}

enum Column {
    /// The values of the training rows.
    LogShift(Vec<f64>),
    /// The weight of the absolute difference.
    Absolute(f64),
    /// The weight of the squared difference.
    Squared(f64),
}

impl Separable {
    /// Fits a distance; `None` for one that does not add up over columns. `binary` says which columns hold 0 and 1 only.
    pub fn fit(
        kind: DistanceKind,
        rows: &[Vec<f64>],
        favourable: &[bool],
        binary: &[bool],
        efforts: Vec<f64>,
    ) -> Option<Self> {
        let of = |column: usize| {
            let values: Vec<f64> = rows.iter().map(|row| row[column]).collect();
            match kind {
                DistanceKind::Tlps => Some(Column::LogShift(values)),
                DistanceKind::Mad => {
                    Some(Column::Absolute(absolute_weight(&values, binary[column])))
                }
                DistanceKind::Pcc => Some(Column::Squared(correlation(&values, favourable).abs())),
                _ => None,
            }
        };
        let columns = (0..binary.len()).map(of).collect::<Option<Vec<Column>>>()?;
        Some(Self { columns, efforts })
    }

    pub fn distance(&self, from: &[f64], to: &[f64]) -> f64 {
        let pairs = from.iter().zip(to);
        let each = self.columns.iter().zip(&self.efforts).zip(pairs);
        each.map(|((column, effort), (from, to))| effort * column.cost(*from, *to)).sum()
    }
}

impl Column {
    fn cost(&self, from: f64, to: f64) -> f64 {
        match self {
            Self::LogShift(values) => {
                let above =
                    |value: f64| (1 + values.iter().filter(|&&other| other > value).count()) as f64;
                (above(to) / above(from)).log2().abs()
            }
            Self::Absolute(weight) => weight * (to - from).abs(),
            Self::Squared(weight) => weight * (to - from) * (to - from),
        }
    }
}

fn absolute_weight(values: &[f64], binary: bool) -> f64 {
    let middle = median(values.to_vec());
    let spread = median(values.iter().map(|value| (value - middle).abs()).collect());
    if binary || spread == 0.0 { NORMAL * variance(values).sqrt() } else { 1.0 / (NORMAL * spread) }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    f64::midpoint(values[(values.len() - 1) / 2], values[values.len() / 2])
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: Vec<f64> = values.iter().map(|value| (value - mean).powi(2)).collect();
    squares.iter().sum::<f64>() / values.len() as f64
}

/// Pearson's correlation with the outcome; 0 for a constant column.
fn correlation(values: &[f64], favourable: &[bool]) -> f64 {
    let outcome: Vec<f64> = favourable.iter().map(|&good| f64::from(u8::from(good))).collect();
    let (mine, theirs) = (mean(values), mean(&outcome));
    let products: Vec<f64> =
        values.iter().zip(&outcome).map(|(x, y)| (x - mine) * (y - theirs)).collect();
    let deviation = (variance(values) * variance(&outcome)).sqrt();
    if deviation == 0.0 { 0.0 } else { mean(&products) / deviation }
}
