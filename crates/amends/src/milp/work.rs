//! What the `milp` engine reports about its work.

use super::Formulation;
use crate::engine::Report;

/// An answer of the `milp` engine.
pub(crate) type MilpReport = Report<MilpWork>;

/// The program's size and how the solver behaved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MilpWork {
    /// The solver's name.
    pub solver: String,
    /// The formulation that was solved.
    pub formulation: Formulation,
    /// Rows of the program.
    pub rows: usize,
    /// Columns of the program.
    pub columns: usize,
    /// Non-zero coefficients of the program.
    pub nonzeros: usize,
    /// How many answers failed the check and were repaired.
    pub repairs: usize,
    /// A remark for the user: a claim that was not confirmed, or how the solver failed.
    pub remark: Option<String>,
    /// Whether the solver broke down. The plan is then the best that was known before, and nothing more was proven.
    pub solver_failed: bool,
}
