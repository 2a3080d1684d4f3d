//! Solves one program repeatedly, until an answer passes the check.

use super::work::MilpWork;
use super::{
    EncodedInstance, MilpSettings, Outcome, Solver, SolverAnswer, SolverSettings, SolverTask,
};
use crate::engine::Clock;
use crate::instance::Instance;
use crate::solution::LEAST_IN_GAP;
use crate::{Error, Plan, Result, Status};

/// Claims and judgements may differ by this much, relatively: solvers add up in another order.
const AGREEMENT: f64 = 1e-6;

/// After this many repairs the answer is reported as it is.
const MOST_REPAIRS: usize = 50;

/// How often a program is refined around its answers.
const MOST_SHARPENED: usize = 500;

/// A claim that contradicts a known plan is asked for this many times more, by another way.
const MOST_DOUBTS: u32 = 2;

/// One program, solved repeatedly until an answer passes the check.
pub(super) struct Run<'a> {
    pub instance: &'a Instance,
    /// What the instance's costs were multiplied by.
    pub unit: f64,
    pub solver: &'a dyn Solver,
    pub settings: &'a MilpSettings,
    pub clock: Clock<'a>,
    pub encoded: EncodedInstance<'a>,
    /// The best plan that the checker confirmed.
    pub best: Option<Plan>,
    pub bound: Option<f64>,
    /// The least cost of a true plan that a cut removed from the program; it stays in `best`.
    pub set_aside: f64,
}

impl Run<'_> {
    /// Solves until an answer passes the check or the time is over.
    pub(super) fn until_settled(&mut self, work: &mut MilpWork) -> Result<Status> {
        let mut doubts = self.settings.solver.doubts;
        let mut sharpened = 0;
        loop {
            let Some(solve) = self.clock.next() else { return Ok(self.stopped()) };
            let settings = SolverSettings { solve, doubts };
            let start = self.best.as_ref().map(|plan| self.encoded.point(&plan.choice));
            let program = &self.encoded.program;
            let task = SolverTask { program, settings: &settings, start: start.as_deref() };
            let solved = self.solver.solve(&task);
            let answer = match solved {
                // One program that a solver can't cope with says nothing about the next applicant's.
                Err(breakdown @ Error::Solver { .. }) => {
                    work.remark = Some(format!(
                        "{breakdown}; the plan, if any, is the best that was known before"
                    ));
                    work.solver_failed = true;
                    return Ok(self.stopped());
                }
                solved => solved?,
            };
            work.remark.clone_from(&answer.note);
            match self.judge(&answer) {
                Verdict::Settled(status) => return Ok(status),
                Verdict::Doubtful(_) if doubts < MOST_DOUBTS => {
                    doubts += 1;
                    work.repairs += 1;
                }
                Verdict::Doubtful(remark) => {
                    work.remark = Some(remark);
                    return Ok(self.stopped());
                }
                Verdict::Sharpened if sharpened < MOST_SHARPENED => sharpened += 1,
                Verdict::Sharpened => {
                    work.remark = Some(
                        "the outlier term was too small in the program time and again; the bound is what was proved"
                            .to_owned(),
                    );
                    return Ok(self.stopped());
                }
                Verdict::Repaired if work.repairs < MOST_REPAIRS => work.repairs += 1,
                Verdict::Repaired => {
                    work.remark = Some(format!(
                        "{} kept claiming plans that do not hold; the bound is what it proved",
                        self.solver.name()
                    ));
                    return Ok(self.stopped());
                }
            }
        }
    }

    fn judge(&mut self, answer: &SolverAnswer) -> Verdict {
        if answer.outcome == Outcome::Infeasible {
            return match self.best {
                None => Verdict::Settled(Status::Infeasible),
                Some(_) => self.compare_with_best(Outcome::Optimal, f64::INFINITY),
            };
        }
        // Costs are never negative; what tolerances leave below 0 would look like a gap.
        let bound = answer.bound.map_or(f64::NEG_INFINITY, |bound| bound.max(0.0));
        self.bound = Some(bound.min(self.set_aside)).filter(|bound| bound.is_finite());
        let Some(values) = &answer.values else { return Verdict::Settled(self.stopped()) };
        let claimed = self.encoded.program.objective(values);
        let choice = self.encoded.decode(values);
        let evaluation = self.instance.evaluate(&choice);
        let holds = self.instance.is_valid(&evaluation);
        if holds && self.best.as_ref().is_none_or(|b| evaluation.objective < b.evaluation.objective)
        {
            self.best = Some(Plan { choice: choice.clone(), evaluation: evaluation.clone() });
        }
        if !holds || evaluation.objective > claimed + self.agreement(claimed) {
            if answer.outcome != Outcome::Optimal {
                return Verdict::Settled(self.stopped());
            }
            if self.encoded.sharpen(&choice) {
                return Verdict::Sharpened;
            }
            let claimed_nearest = self.encoded.nearest(values).filter(|_| holds);
            if holds && claimed_nearest == evaluation.nearest {
                self.set_aside = self.set_aside.min(evaluation.objective);
            }
            self.repair(&choice, claimed_nearest, evaluation.nearest);
            return Verdict::Repaired;
        }
        self.compare_with_best(answer.outcome, bound)
    }

    /// A correct optimum is at least as good as every known plan.
    fn compare_with_best(&mut self, outcome: Outcome, bound: f64) -> Verdict {
        let best = self.best.as_ref().map_or(f64::INFINITY, |plan| plan.evaluation.objective);
        let slack = self.agreement(best);
        let bound = bound.min(self.set_aside);
        if bound > best + slack {
            self.bound = None;
            return Verdict::Doubtful(self.contradiction(bound, best));
        }
        self.bound = Some(bound.min(best)).filter(|bound| bound.is_finite());
        match outcome {
            Outcome::Optimal if self.is_proven(bound, best) => Verdict::Settled(Status::Optimal),
            Outcome::Optimal => Verdict::Doubtful(format!(
                "{} claims an optimum, but for the plan of cost {} it proved no more than {}",
                self.solver.name(),
                best / self.unit,
                bound / self.unit
            )),
            Outcome::TimeLimit | Outcome::Infeasible => Verdict::Settled(self.stopped()),
        }
    }

    /// Whether a bound proves a cost to be the least: whether the gap that is reported is within the tolerances.
    fn is_proven(&self, bound: f64, best: f64) -> bool {
        let gap = AGREEMENT.max(self.settings.solver.solve.relative_gap);
        bound >= best - gap * best.abs().max(LEAST_IN_GAP * self.unit)
    }

    /// By how much a claim about a cost of this size may be off: solvers add up in another order. Costs that gaps treat as 0
    /// may be nothing but rounding errors.
    fn agreement(&self, claimed: f64) -> f64 {
        AGREEMENT * claimed.abs().max(1e-3).max(LEAST_IN_GAP * self.unit)
    }

    fn contradiction(&self, bound: f64, best: f64) -> String {
        format!(
            "{} claims that no plan costs less than {}, but one of cost {} is known",
            self.solver.name(),
            bound / self.unit,
            best / self.unit
        )
    }

    /// The status that the best plan and the bound amount to, however the solves ended: a run may stop, out of time or after
    /// too many repairs, when the last bound has reached the best plan already. A gap of 0 is a proof.
    pub(super) fn consistent(&mut self, status: Status, work: &mut MilpWork) -> Status {
        let (Status::Feasible, Some(plan), Some(bound)) = (status, &self.best, self.bound) else {
            return status;
        };
        let best = plan.evaluation.objective;
        if bound > best + self.agreement(best) {
            self.bound = None;
            work.remark.get_or_insert_with(|| self.contradiction(bound, best));
            return Status::Feasible;
        }
        self.bound = Some(bound.min(best));
        if self.is_proven(bound, best) { Status::Optimal } else { Status::Feasible }
    }

    /// Forbids a false combination; where the program can't express the cut, continues with one that can.
    fn repair(&mut self, choice: &[usize], claimed: Option<usize>, nearest: Option<usize>) {
        if let (Some(claimed), Some(nearest)) = (claimed, nearest)
            && claimed != nearest
        {
            self.encoded.separate(claimed, nearest);
        }
        if !self.encoded.forbid(choice, claimed) {
            self.encoded = self.encoded.with_binaries(choice);
            self.encoded.forbid(choice, claimed);
        }
    }

    fn stopped(&self) -> Status {
        if self.best.is_some() { Status::Feasible } else { Status::Timeout }
    }
}

enum Verdict {
    /// The answer passes the check.
    Settled(Status),
    /// The program was too coarse for the answer; it is refined there now.
    Sharpened,
    /// The answer was false; the program now excludes it.
    Repaired,
    /// The answer contradicts what is known; why.
    Doubtful(String),
}
