//! Linear expressions over the columns of a program.

/// A sum of terms and a constant.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Expression {
    pub terms: Vec<(usize, f64)>,
    pub constant: f64,
}

impl Expression {
    pub fn add(&mut self, factor: f64, other: &Self) {
        if factor != 0.0 {
            self.terms.extend(other.terms.iter().map(|&(column, value)| (column, factor * value)));
            self.constant += factor * other.constant;
        }
    }

    /// The terms times a factor, for a row whose constant goes to the other side.
    pub fn times(&self, factor: f64) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.terms.iter().map(move |&(column, value)| (column, factor * value))
    }
}
