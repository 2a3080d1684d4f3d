//! More than one plan for one applicant.

use std::time::Duration;

use super::{Case, Explanation};
use crate::engine::{Engine, Solve, SolveReport, SolveSettings};
use crate::instance::Instance;
use crate::plans::{Apart, Front, FrontEnd, FrontPoint, FrontSettings, SeveralEnd, front, several};
use crate::search::Control;
use crate::{Result, Solution, Status};

impl Case<'_> {
    /// The best plans that differ in what they change. Where there is none at all, or nothing to change, the only
    /// explanation says so.
    pub fn several(
        &self,
        count: usize,
        apart: Apart,
        engine: &Engine,
        settings: &SolveSettings,
        control: &Control<'_>,
    ) -> Result<(Vec<Explanation>, SeveralEnd)> {
        if self.is_accepted() {
            let told = self.told(&Solution::already_accepted(Duration::ZERO), engine.name());
            return Ok((vec![told], SeveralEnd::AlreadyAccepted));
        }
        let solver = Spared { case: self, engine };
        let found = several(self.instance(), count, apart, &solver, settings, control)?;
        let told: Vec<Explanation> =
            found.reports.iter().map(|report| self.tell(report)).collect::<Result<_>>()?;
        // That there is no further plan is said by how it ended.
        let plans =
            told.into_iter().enumerate().filter(|(place, told)| *place == 0 || told.plan.is_some());
        Ok((plans.map(|(_, told)| told).collect(), found.end))
    }

    /// The plans that no other plan beats in distance and outlier term at once, in rising distance; empty where there is
    /// no plan. The time limit is for all of it.
    pub fn front(
        &self,
        wanted: &FrontSettings,
        engine: &Engine,
        settings: &SolveSettings,
        control: &Control<'_>,
    ) -> Result<(Vec<Explanation>, FrontEnd)> {
        if self.is_accepted() {
            let told = self.told(&Solution::already_accepted(Duration::ZERO), engine.name());
            return Ok((vec![told], FrontEnd::AlreadyAccepted));
        }
        let solver = Spared { case: self, engine };
        let Front { points, end, time, .. } =
            front(self.instance(), wanted, &solver, settings, control)?;
        let tell = |point: FrontPoint| {
            let status = if point.proven { Status::Optimal } else { Status::Feasible };
            let solution = Solution { status, plan: Some(point.plan), bound: None, time };
            self.tell_plan(&solution, engine.name())
        };
        Ok((points.into_iter().map(tell).collect::<Result<_>>()?, end))
    }
}

/// An engine whose plans have the margin that a case asks for.
struct Spared<'a> {
    case: &'a Case<'a>,
    engine: &'a Engine,
}

impl Solve for Spared<'_> {
    fn solve(
        &self,
        instance: &Instance,
        settings: &SolveSettings,
        control: &Control<'_>,
    ) -> Result<SolveReport> {
        self.case.solve(instance, None, self.engine, settings, control)
    }
}
