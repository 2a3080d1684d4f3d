//! More than one plan for one applicant.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::{Case, Explanation};
use crate::engine::{Control, Engine, Solve, SolveReport, SolveSettings, Solving, Wanted};
use crate::instance::Instance;
use crate::plans::{
    Front, FrontEnd, FrontPoint, FrontSettings, SeveralEnd, SeveralSettings, front, several,
};
use crate::{Error, Result, Solution, Status};

impl Case<'_> {
    /// The best plans that differ in what they change. Where there is none at all, or nothing to change, the only
    /// explanation says so.
    pub fn several(
        &self,
        wanted: &SeveralSettings,
        solving: &Solving<'_>,
    ) -> Result<(Vec<Explanation>, SeveralEnd)> {
        if let Some(accepted) = self.already_accepted(solving.engine) {
            return Ok((vec![accepted], SeveralEnd::AlreadyAccepted));
        }
        let began = Instant::now();
        match self.find_several(wanted, solving) {
            Err(failure @ Error::Solver { .. }) => {
                Ok((vec![self.failed(&failure, solving.engine, began)], SeveralEnd::Stopped))
            }
            found => found,
        }
    }

    fn find_several(
        &self,
        wanted: &SeveralSettings,
        solving: &Solving<'_>,
    ) -> Result<(Vec<Explanation>, SeveralEnd)> {
        let solver = EngineWithMargin::new(self, solving.engine);
        let found = several(self.instance(), wanted, &solver, solving.settings, solving.control)?;
        let explanations: Vec<Explanation> =
            found.reports.iter().map(|report| self.describe(report)).collect::<Result<_>>()?;
        // That there is no further plan is said by how it ended.
        let plans = explanations
            .into_iter()
            .enumerate()
            .filter(|(index, one)| *index == 0 || one.plan.is_some());
        let mut plans: Vec<Explanation> = plans.map(|(_, one)| one).collect();
        solver.pass_failure_on(&mut plans);
        Ok((plans, found.end))
    }

    /// The plans that no other plan beats in distance and outlier term at once, in rising distance; empty where there is
    /// no plan. The time limit is for all of it.
    pub fn front(
        &self,
        wanted: &FrontSettings,
        solving: &Solving<'_>,
    ) -> Result<(Vec<Explanation>, FrontEnd)> {
        if let Some(accepted) = self.already_accepted(solving.engine) {
            return Ok((vec![accepted], FrontEnd::AlreadyAccepted));
        }
        let began = Instant::now();
        match self.find_front(wanted, solving) {
            Err(failure @ Error::Solver { .. }) => {
                let end = FrontEnd::Stopped { unexplored: 1 };
                Ok((vec![self.failed(&failure, solving.engine, began)], end))
            }
            found => found,
        }
    }

    fn find_front(
        &self,
        wanted: &FrontSettings,
        solving: &Solving<'_>,
    ) -> Result<(Vec<Explanation>, FrontEnd)> {
        let solver = EngineWithMargin::new(self, solving.engine);
        let Front { points, end, time, .. } =
            front(self.instance(), wanted, &solver, solving.settings, solving.control)?;
        let describe = |point: FrontPoint| {
            let status = if point.proven { Status::Optimal } else { Status::Feasible };
            let solution = Solution { status, plan: Some(point.plan), bound: None, time };
            self.describe_plan(&solution, solving.engine.name())
        };
        let mut plans = points.into_iter().map(describe).collect::<Result<Vec<_>>>()?;
        solver.pass_failure_on(&mut plans);
        Ok((plans, end))
    }
}

/// An engine whose plans have the margin that a case asks for.
struct EngineWithMargin<'a> {
    case: &'a Case<'a>,
    engine: &'a Engine,
    /// What was said when a solver broke down first: the report of that solve may not be among those that are kept.
    failure: Mutex<Option<String>>,
}

impl<'a> EngineWithMargin<'a> {
    fn new(case: &'a Case<'a>, engine: &'a Engine) -> Self {
        Self { case, engine, failure: Mutex::new(None) }
    }

    /// Says with the last plan that a solver broke down, unless a plan says so already.
    fn pass_failure_on(self, plans: &mut [Explanation]) {
        let failure = self.failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let (Some(failure), false) = (failure, plans.iter().any(|plan| plan.solver_failed))
            && let Some(last) = plans.last_mut()
        {
            last.solver_failed = true;
            last.remark = Some(failure);
        }
    }
}

impl Solve for EngineWithMargin<'_> {
    fn solve(
        &self,
        instance: &Instance,
        settings: &SolveSettings,
        control: &Control<'_>,
    ) -> Result<SolveReport> {
        let solving = Solving { engine: self.engine, settings, control };
        let report = self.case.solve(instance, None, Wanted::Cheapest, &solving)?;
        if report.solver_failed() {
            let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            failure.get_or_insert_with(|| report.remark().unwrap_or_default().to_owned());
        }
        Ok(report)
    }
}
