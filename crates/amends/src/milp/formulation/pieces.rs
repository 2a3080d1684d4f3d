//! The variables of a feature with long ranges: per piece a binary, and a whole number of steps into it.

use super::cutting::Piece;
use super::expression::Expression;
use crate::milp::{Program, ProgramColumn};

/// One feature's pieces and their columns.
#[derive(Debug, Clone)]
pub(super) struct Pieces {
    pub parts: Vec<Part>,
}

/// A piece with the columns that say whether its options are taken, and which of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub piece: Piece,
    pub taken: usize,
    /// How many steps from its first option on; absent where there is only one.
    pub steps: Option<usize>,
}

impl Pieces {
    /// Adds the variables and "one option": steps are 0 where the piece is not taken.
    pub fn add(program: &mut Program, feature: usize, pieces: Vec<Piece>) -> Self {
        let parts: Vec<Part> = pieces
            .into_iter()
            .enumerate()
            .map(|(position, piece)| {
                let taken = program.add_binary(format!("piece_{feature}_{position}"));
                let steps = (piece.count > 1).then(|| {
                    let most = (piece.count - 1) as f64;
                    let steps = program.add_column(ProgramColumn {
                        name: format!("steps_{feature}_{position}"),
                        lower: 0.0,
                        upper: most,
                        integer: true,
                        cost: 0.0,
                    });
                    // In fractions of the whole range, so that a solver's tolerance has the same effect in all of them.
                    program.add_row(
                        format!("within_{feature}_{position}"),
                        f64::NEG_INFINITY,
                        0.0,
                        [(steps, 1.0 / most), (taken, -1.0)],
                    );
                    steps
                });
                Part { piece, taken, steps }
            })
            .collect();
        let all = parts.iter().map(|part| (part.taken, 1.0));
        program.add_row(format!("one_option_{feature}"), 1.0, 1.0, all);
        Self { parts }
    }

    /// A value per option that is linear on every piece.
    pub fn linear(&self, at: impl Fn(usize) -> f64) -> Expression {
        let mut linear = Expression::default();
        for part in &self.parts {
            let first = at(part.piece.first);
            linear.terms.push((part.taken, first));
            if let Some(steps) = part.steps {
                let slope = (at(part.piece.last()) - first) / (part.piece.count - 1) as f64;
                linear.terms.push((steps, slope));
            }
        }
        linear.terms.retain(|&(_, value)| value != 0.0);
        linear
    }

    /// The option that a solution takes.
    pub fn decode(&self, values: &[f64]) -> usize {
        let by_binary = |a: &&Part, b: &&Part| {
            values[a.taken].total_cmp(&values[b.taken]).then(b.piece.first.cmp(&a.piece.first))
        };
        let Some(part) = self.parts.iter().max_by(by_binary) else { return 0 };
        let most = (part.piece.count - 1) as f64;
        let steps = part.steps.map_or(0.0, |steps| values[steps].round().clamp(0.0, most));
        part.piece.first + steps as usize
    }

    pub fn fill(&self, option: usize, values: &mut [f64]) {
        let part = self.part(option);
        values[part.taken] = 1.0;
        if let Some(steps) = part.steps {
            values[steps] = (option - part.piece.first) as f64;
        }
    }

    /// The piece that an option is in.
    pub fn part(&self, option: usize) -> &Part {
        let after = self.parts.partition_point(|part| part.piece.first <= option);
        &self.parts[after - 1]
    }

    /// The binary that says that exactly this option is taken, where there is one.
    pub fn single(&self, option: usize) -> Option<usize> {
        let part = self.part(option);
        part.steps.is_none().then_some(part.taken)
    }
}
