//! What one applicant is answered: one plan, several, or none with reasons.

use std::fmt;

use amends::Status;
use amends::engine::{Engine, SolveSettings};
use amends::explain::{Explainer, Explanation, OutlierKind};
use amends::plans::{Apart, FrontEnd, FrontSettings, SeveralEnd};
use amends::search::Control;
use amends_run::interrupt::stopped;

use crate::applicants::Applicant;
use crate::args::SeveralArgs;

/// A local outlier factor of 1 is as ordinary as the neighbours are.
const ORDINARY: f64 = 1.0;

/// How much is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    plans: Plans,
    /// Whether to look for the rules that stand in the way where there is no plan.
    pub reasons: bool,
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plans {
            Plans::Best => write!(f, "the best plan"),
            Plans::Several { count, apart: Apart::Sets } => write!(f, "{count} plans"),
            Plans::Several { count, apart: Apart::Features(apart) } => {
                write!(f, "{count} plans, {apart} changes apart")
            }
            Plans::Front { at_most, resolution } => {
                write!(f, "the trade-off in {at_most} plans, resolution {resolution}")
            }
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Plans {
    Best,
    Several { count: usize, apart: Apart },
    Front { at_most: usize, resolution: f64 },
}

/// An applicant's plans; without a plan, one explanation that says so.
pub struct Answer {
    pub row: usize,
    pub plans: Vec<Explanation>,
    /// How the search for more than one plan ended.
    pub end: Option<String>,
}

impl Answer {
    /// Whether Ctrl-C may have cut it short: what was not proven by then is asked for again.
    pub fn cut_short(&self) -> bool {
        let settled = |plan: &Explanation| {
            let proven = !matches!(plan.status, Status::Feasible | Status::Timeout);
            proven && plan.why_none.as_ref().is_none_or(|why| why.settled)
        };
        stopped() && (self.end.is_some() || !self.plans.iter().all(settled))
    }

    /// Whether a general solver broke down on the way.
    pub fn solver_failed(&self) -> bool {
        self.plans.iter().any(|plan| plan.solver_failed)
    }
}

impl Wanted {
    /// The best plan alone, with reasons where there is none.
    pub const BEST: Self = Self { plans: Plans::Best, reasons: true };

    pub fn new(args: &SeveralArgs, reasons: bool) -> Self {
        let plans = match (args.plans, args.pareto) {
            (Some(count), _) => {
                Plans::Several { count, apart: args.apart.map_or(Apart::Sets, Apart::Features) }
            }
            (None, Some(at_most)) => Plans::Front { at_most, resolution: args.resolution },
            (None, None) => Plans::Best,
        };
        Self { plans, reasons }
    }

    /// Answers one applicant.
    pub fn answer(
        &self,
        explainer: &Explainer,
        applicant: &Applicant,
        engine: &Engine,
        settings: &SolveSettings,
        control: &Control<'_>,
    ) -> amends::Result<Answer> {
        let (record, wishes) = (&applicant.record, &applicant.wishes);
        let in_row = |error: amends::Error| error.in_row(applicant.row);
        let accepted = explainer.already_accepted(record, wishes, engine);
        if let Some(accepted) = accepted.map_err(in_row)? {
            return Ok(Answer { row: applicant.row, plans: vec![accepted], end: None });
        }
        let case = explainer.case(record, wishes).map_err(in_row)?;
        let proven = explainer.settings().option_limit.map_or_else(
            || "proven".to_owned(),
            |values| format!("among the {values} values offered per number"),
        );
        let (mut plans, end) = match self.plans {
            Plans::Best => (vec![case.explain(engine, settings, control)?], None),
            Plans::Several { count, apart } => {
                let (plans, end) = case.several(count, apart, engine, settings, control)?;
                let failed = plans.iter().any(|plan| plan.solver_failed);
                (plans, several_end(end, &proven, failed))
            }
            Plans::Front { at_most, resolution } => {
                let lof = explainer.settings().outlier == OutlierKind::Lof;
                let ordinary = lof.then_some(ORDINARY);
                let wanted = FrontSettings { at_most: Some(at_most), resolution, ordinary };
                let (plans, end) = case.front(&wanted, engine, settings, control)?;
                let failed = plans.iter().any(|plan| plan.solver_failed);
                let end = front_end(end, resolution, &proven, failed);
                // Whether there is no plan, or none was found in time, one solve tells.
                if plans.is_empty() {
                    (vec![case.explain(engine, settings, control)?], None)
                } else {
                    (plans, end)
                }
            }
        };
        if let [only] = &mut plans[..]
            && self.reasons
            && only.status == Status::Infeasible
        {
            only.why_none = Some(case.why_none(engine, settings, control)?);
        }
        Ok(Answer { row: applicant.row, plans, end })
    }
}

fn several_end(end: SeveralEnd, proven: &str, failed: bool) -> Option<String> {
    match end {
        SeveralEnd::AllFound | SeveralEnd::AlreadyAccepted => None,
        SeveralEnd::NoFurther => {
            Some(format!("no further plan differs enough from these, {proven}"))
        }
        SeveralEnd::Stopped => {
            Some(format!("{} before the next plan was proven", why_stopped(failed)))
        }
    }
}

fn why_stopped(failed: bool) -> &'static str {
    if failed { "the solver failed" } else { "time ran out" }
}

fn front_end(end: FrontEnd, resolution: f64, proven: &str, failed: bool) -> Option<String> {
    match end {
        FrontEnd::AlreadyAccepted => None,
        FrontEnd::Complete => Some(format!(
            "no plan beats these in distance and outlier term at once by more than {} %, {proven}",
            100.0 * resolution
        )),
        FrontEnd::Capped { unexplored } => Some(format!(
            "as many as were asked for; there may be more in {unexplored} gaps between them"
        )),
        FrontEnd::Stopped { unexplored } => Some(format!(
            "{}; there may be more in {unexplored} gaps between them",
            why_stopped(failed)
        )),
    }
}
