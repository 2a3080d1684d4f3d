//! The set that a walk is at.

use super::{Directions, MOST_SIZE};

/// change of their products, and changes what the set gains by that times the norm of the products' inverse, relatively, which is at most
/// its trace.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    pub set: Vec<usize>,
    /// The rows of the inverse of the products' triangular root.
    pub inverse: Vec<[f64; MOST_SIZE]>,
    /// The trace of the products' inverse, by the size of the set.
    pub spreads: Vec<f64>,
}

impl Chosen {
    pub(super) fn spread(&self) -> f64 {
        self.spreads.last().copied().unwrap_or(0.0)
    }

    pub(super) fn push(&mut self, directions: &Directions, j: usize) {
        let mut along = [0.0; MOST_SIZE];
        let mut left = directions.product(j, j);
        for (i, row) in self.inverse.iter().enumerate() {
            let products = self.set.iter().map(|&other| directions.product(other, j));
            along[i] = row[..=i].iter().zip(products).map(|(a, b)| a * b).sum();
            left -= along[i] * along[i];
        }
        let mut own = [0.0; MOST_SIZE];
        let mut spread = f64::INFINITY;
        if left > 0.0 {
            let inverse = 1.0 / left.sqrt();
            for (row, along) in self.inverse.iter().zip(along) {
                for (own, part) in own.iter_mut().zip(row) {
                    *own -= along * part * inverse;
                }
            }
            own[self.set.len()] = inverse;
            spread = self.spread() + own.iter().map(|part| part * part).sum::<f64>();
        }
        self.set.push(j);
        self.inverse.push(own);
        self.spreads.push(spread);
    }

    pub(super) fn pop(&mut self) {
        self.set.pop();
        self.inverse.pop();
        self.spreads.pop();
    }
}
