//! What the `milp` engine tells of its work.

use super::Formulation;
use crate::engine::Report;

/// An answer of the `milp` engine.
pub type MilpReport = Report<MilpWork>;

/// The program's size and the solver's conduct.
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
    /// What the reader should know: a claim that was not confirmed, or how the solver failed.
    pub remark: Option<String>,
    /// Whether the solver broke down. The plan is then the best that was known before, and nothing more was proven.
    pub solver_failed: bool,
}
