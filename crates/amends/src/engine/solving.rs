//! Solving an instance or a case: by what, how long and how exactly.

use super::{Control, Engine, SolveReport, SolveSettings, solve};
use crate::{Instance, Result};

/// Solves instances: an engine does, or an engine under demands that no instance can express.
pub trait Solve {
    /// Solves an instance.
    fn solve(
        &self,
        instance: &Instance,
        settings: &SolveSettings,
        control: &Control<'_>,
    ) -> Result<SolveReport>;
}

impl Solve for Engine {
    fn solve(
        &self,
        instance: &Instance,
        settings: &SolveSettings,
        control: &Control<'_>,
    ) -> Result<SolveReport> {
        solve(instance, self, settings, control)
    }
}

/// How an applicant's case is solved: by what, how long and how exactly, and who may stop it.
#[derive(Clone, Copy)]
pub struct Solving<'a> {
    /// What solves it.
    pub engine: &'a Engine,
    /// How long and how exactly.
    pub settings: &'a SolveSettings,
    /// Who watches it, and may stop it.
    pub control: &'a Control<'a>,
}
