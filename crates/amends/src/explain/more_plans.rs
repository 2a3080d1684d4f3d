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
        let ends = (SeveralEnd::AlreadyAccepted, SeveralEnd::Stopped);
        self.find_plans(solving, ends, |engine, instance| {
            let found = several(instance, wanted, engine, solving.settings, solving.control)?;
            let explanations: Vec<Explanation> =
                found.reports.iter().map(|report| self.describe(report)).collect::<Result<_>>()?;
            // That there is no further plan is said by how it ended.
            let plans = explanations
                .into_iter()
                .enumerate()
                .filter(|(index, one)| *index == 0 || one.plan.is_some());
            Ok((plans.map(|(_, one)| one).collect(), found.end))
        })
    }

    /// The plans that no other plan beats in distance and outlier term at once, in rising distance; empty where there is
    /// no plan. The time limit is for all of it.
    pub fn front(
        &self,
        wanted: &FrontSettings,
        solving: &Solving<'_>,
    ) -> Result<(Vec<Explanation>, FrontEnd)> {
        let ends = (FrontEnd::AlreadyAccepted, FrontEnd::Stopped { unexplored: 1 });
        self.find_plans(solving, ends, |engine, instance| {
            let Front { points, end, time, .. } =
                front(instance, wanted, engine, solving.settings, solving.control)?;
            let describe = |point: FrontPoint| {
                let status = if point.proven { Status::Optimal } else { Status::Feasible };
                let solution = Solution { status, plan: Some(point.plan), bound: None, time };
                self.describe_plan(&solution, solving.engine.name())
            };
            Ok((points.into_iter().map(describe).collect::<Result<_>>()?, end))
        })
    }

    /// Finds plans with an engine that keeps this case's margin, unless there is nothing to change. `ends` are for that, and for
    /// a solver that breaks down: both have one explanation, which says so.
    fn find_plans<E>(
        &self,
        solving: &Solving<'_>,
        (accepted, stopped): (E, E),
        find: impl FnOnce(&EngineWithMargin<'_>, &Instance) -> Result<(Vec<Explanation>, E)>,
    ) -> Result<(Vec<Explanation>, E)> {
        if let Some(explanation) = self.already_accepted(solving.engine) {
            return Ok((vec![explanation], accepted));
        }
        let began = Instant::now();
        let engine = EngineWithMargin::new(self, solving.engine);
        match find(&engine, self.instance()) {
            Ok((mut plans, end)) => {
                engine.pass_failure_on(&mut plans);
                Ok((plans, end))
            }
            Err(failure @ Error::Solver { .. }) => {
                Ok((vec![self.failed(&failure, solving.engine, began)], stopped))
            }
            Err(other) => Err(other),
        }
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
