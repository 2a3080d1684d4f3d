//! Why there is no plan: the fewest rules whose relaxation gives one, with that plan.
//!
//! Sets of rules are gone through by their size: the limit on changes, the rules between features, and the rules of single
//! features. Each set is asked first whether it gives any plan at all, which needs no costs. All sets of fewer rules have
//! been proven to leave none before a larger one is looked at.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use super::Explanation;
use super::case::Case;
use super::question::{Dropped, Part, Question};
use super::relaxed::{Relaxed, Unit};
use super::subset::subsets;
use crate::engine::{Deadline, SolveReport, SolveSettings, Solving, Wanted};
use crate::{Result, Status};

/// Each of the ways gets this part of the time limit, but not less than the least time, to find its best plan.
const SHARE: u32 = 20;
const LEAST_TIME: Duration = Duration::from_secs(1);

/// Longer is not spent on finding out that a rule is in every way.
const A_MOMENT: Duration = Duration::from_millis(250);

/// Why there is no plan.
#[derive(Debug, Clone)]
pub struct WhyNone {
    /// No plan exists unless at least this many rules are relaxed; proven.
    pub at_least: usize,
    /// Whether more is known than that: the ways, or that no way exists. Otherwise time ran out.
    pub settled: bool,
    /// The sets of that many rules whose relaxation gives a plan, each with its best plan, the cheapest first. None where
    /// not even relaxing all of them gives one.
    pub ways: Vec<Way>,
    /// Whether these are all such sets; otherwise time ran out.
    pub all_ways: bool,
    /// Time it took.
    pub time: Duration,
}

/// A set of rules to relax, and the plan that it gives.
#[derive(Debug, Clone)]
pub struct Way {
    /// The rules.
    pub relaxed: Vec<Relaxed>,
    /// The best plan without them; where it took too long to prove, the best known.
    pub explanation: Explanation,
}

impl WhyNone {
    fn unsettled(at_least: usize) -> Self {
        let (settled, all_ways) = (false, false);
        Self { at_least, settled, ways: Vec::new(), all_ways, time: Duration::ZERO }
    }

    /// In a few words: the cheapest way.
    pub fn in_words(&self) -> String {
        match (self.settled, self.ways.first()) {
            (false, _) => "not settled in time".to_owned(),
            (true, None) => "not even without any rule".to_owned(),
            (true, Some(way)) => way.in_words(),
        }
    }
}

impl Way {
    /// What would have to give way.
    pub fn in_words(&self) -> String {
        let texts: Vec<String> = self.relaxed.iter().map(ToString::to_string).collect();
        texts.join(" and ")
    }
}

impl Case<'_> {
    /// Explains why there is no plan, after [`Case::explain`] has proven that. The time limit is for all of it.
    pub fn why_none(&self, solving: &Solving<'_>) -> Result<WhyNone> {
        let deadline = Deadline::start(solving.settings.time_limit);
        let inquiry = Inquiry { case: self, solving: *solving, deadline };
        let mut why = match inquiry.find() {
            Ok(why) => why,
            Err(Stop::OutOfTime { at_least }) => WhyNone::unsettled(at_least),
            // That there is no plan is proven all the same.
            Err(Stop::Failed(crate::Error::Solver { .. })) => WhyNone::unsettled(1),
            Err(Stop::Failed(error)) => return Err(error),
        };
        why.time = deadline.elapsed();
        Ok(why)
    }
}

/// What ends an inquiry early.
enum Stop {
    OutOfTime { at_least: usize },
    Failed(crate::Error),
}

impl From<crate::Error> for Stop {
    fn from(error: crate::Error) -> Self {
        Self::Failed(error)
    }
}

struct Inquiry<'a> {
    case: &'a Case<'a>,
    solving: Solving<'a>,
    deadline: Deadline,
}

impl<'a> Inquiry<'a> {
    /// The fewest rules to relax and the ways to do so.
    fn find(&self) -> Result<WhyNone, Stop> {
        let settled = |at_least, ways, all_ways| {
            Ok(WhyNone { at_least, settled: true, ways, all_ways, time: Duration::ZERO })
        };
        let rules = self.case.rules.len();
        let dropped = Dropped { max_changes: true, harmless: true, rules: (0..rules).collect() };
        let all = self.question(dropped)?;
        let whole = all.restricted(&all.free, |_| true);
        if self.any_plan(&whole, &all, 1)?.is_none() {
            return settled(1, Vec::new(), true);
        }
        let most = self.rules_of_all_features() + all.units().len();
        for fewest in 1..=most {
            let (sets, all_ways) = self.sets(fewest)?;
            if !sets.is_empty() {
                let ways: Result<Vec<Way>, Stop> = sets.iter().map(|set| self.way(set)).collect();
                let mut ways = ways?;
                let cost = |way: &Way| {
                    way.explanation.plan.as_ref().map_or(f64::INFINITY, |plan| plan.costs.objective)
                };
                ways.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
                return settled(fewest, ways, all_ways);
            }
        }
        settled(most, Vec::new(), true)
    }

    /// How many rules are not those of a single feature: the limit on changes, the rules between features, and that no change
    /// lowers the score by itself, where that is asked for.
    fn rules_of_all_features(&self) -> usize {
        1 + self.case.rules.len() + usize::from(self.case.harmless.is_some())
    }

    /// Every set of this many rules that gives a plan, and whether time was enough for all of them.
    fn sets(&self, size: usize) -> Result<(Vec<Set<'a>>, bool), Stop> {
        let mut sets = Vec::new();
        let mut until: Option<Deadline> = None;
        let between = self.case.rules.len();
        for dropped in subsets(self.rules_of_all_features(), size) {
            // The limit on changes comes first, then rules between features, then that no change is harmful.
            let count = dropped.len();
            let rules = dropped.iter().filter_map(|index| index.checked_sub(1));
            let dropped = Dropped {
                max_changes: dropped.contains(&0),
                harmless: dropped.contains(&(1 + between)),
                rules: rules.filter(|&rule| rule < between).collect(),
            };
            let question = Rc::new(self.question(dropped)?);
            let left = size - count;
            let needed = if left > 1 { self.needed(&question)? } else { BTreeSet::new() };
            let Some(choose) = left.checked_sub(needed.len()) else { continue };
            let others: Vec<Unit> =
                question.units().into_iter().filter(|unit| !needed.contains(unit)).collect();
            for chosen in subsets(others.len(), choose).filter(|chosen| chosen.len() == choose) {
                let mut used = needed.clone();
                used.extend(chosen.iter().map(|&index| others[index]));
                // Where the smallest size is known, others of that size are worth as long again.
                if until.is_some_and(|until| until.is_over()) {
                    return Ok((sets, false));
                }
                match self.set(&question, used, size) {
                    Ok(set) => sets.extend(set),
                    Err(Stop::OutOfTime { .. }) if !sets.is_empty() => return Ok((sets, false)),
                    Err(stop) => return Err(stop),
                }
                if !sets.is_empty() && until.is_none() {
                    let long_enough = 2 * self.deadline.elapsed() + LEAST_TIME;
                    let limit = self.solving.settings.time_limit.map(|_| long_enough);
                    until = Some(self.deadline.with_limit(limit));
                }
            }
        }
        Ok((sets, true))
    }

    /// The rules of single features that every plan of a question goes against: without relaxing one of them there is none,
    /// whatever else is relaxed. What can't be decided quickly is left out, which only means more sets to look at.
    fn needed(&self, question: &Question<'a>) -> Result<BTreeSet<Unit>, Stop> {
        let mut needed = BTreeSet::new();
        for unit in question.units() {
            let part = question.restricted(&question.free, |needs| !needs.contains(&unit));
            if self.is_impossible(&part, question)? {
                needed.insert(unit);
            }
        }
        Ok(needed)
    }

    /// Whether it can be proven quickly that there is no plan.
    fn is_impossible(&self, part: &Part, question: &Question) -> Result<bool, Stop> {
        let time_limit = Some(A_MOMENT);
        let settings = SolveSettings { time_limit, ..self.solving.settings.clone() };
        let report = self.solve(part, question, Wanted::Any, &settings)?;
        Ok(report.solution.status == Status::Infeasible)
    }

    /// Whether a set gives a plan, and with how few changes; this needs no costs, and most sets end here.
    fn set(
        &self,
        question: &Rc<Question<'a>>,
        used: BTreeSet<Unit>,
        at_least: usize,
    ) -> Result<Option<Set<'a>>, Stop> {
        let Some(mut part) = question.part(&question.free, &used) else { return Ok(None) };
        let Some(mut found) = self.any_plan(&part, question, at_least)? else {
            return Ok(None);
        };
        let most = part.instance.max_changes();
        let allowed = self.case.instance().max_changes();
        // Without the limit on changes, one more than it is asked for first: fewer have been asked before.
        let mut changes = most;
        for fewer in allowed + 1..most {
            part.instance.set_max_changes(fewer);
            if let Some(plan) = self.any_plan(&part, question, at_least)? {
                (changes, found) = (fewer, plan);
                break;
            }
        }
        if let Some(plan) = &mut found.solution.plan {
            plan.choice = part.original(&plan.choice);
        }
        // What it costs has not been looked at.
        found.solution.status = Status::Feasible;
        found.solution.bound = None;
        Ok(Some(Set { question: Rc::clone(question), used, changes, found }))
    }

    /// The best plan of a set: it goes against all of these rules and no others.
    fn way(&self, set: &Set) -> Result<Way, Stop> {
        let Set { question, used, changes, found } = set;
        let mut report = None;
        let costed = question.part(question.case.instance(), used);
        if let Some(mut part) = costed {
            part.instance.set_max_changes(*changes);
            let limit =
                self.solving.settings.time_limit.map(|limit| (limit / SHARE).max(LEAST_TIME));
            let settings = SolveSettings { time_limit: limit, ..self.solving.settings.clone() };
            let mut solved = self.solve(&part, question, Wanted::Cheapest, &settings)?;
            if let Some(plan) = &mut solved.solution.plan {
                plan.choice = part.original(&plan.choice);
                report = Some(solved);
            }
        }
        // Where time was too short for any plan with costs, the one that was found without them is known.
        let mut report = report.unwrap_or_else(|| found.clone());
        let instance = question.case.instance();
        if let Some(plan) = &mut report.solution.plan {
            plan.evaluation = instance.evaluate(&plan.choice);
        }
        let plan = report.solution.plan.as_ref();
        let choice = plan.map_or_else(|| instance.keep_all(), |plan| plan.choice.clone());
        let needed = plan.map_or(0, |plan| plan.evaluation.changes);
        let record = question.case.record(&choice);
        let Dropped { max_changes, harmless, rules } = &question.dropped;
        let allowed = self.case.instance().max_changes();
        let limit = max_changes.then_some(Relaxed::MaxChanges { allowed, needed });
        let rules = rules.iter().map(|&rule| self.case.rules[rule].title().to_owned());
        let rules = rules.map(|rule| Relaxed::Rule { rule });
        let schema = self.case.schema;
        let features = used
            .iter()
            .map(|&unit| Relaxed::of_feature(schema, unit, self.case.applicant, &record));
        let harmless = harmless.then_some(Relaxed::Harmless);
        let relaxed = limit.into_iter().chain(harmless).chain(rules).chain(features).collect();
        Ok(Way { relaxed, explanation: question.case.describe(&report)? })
    }

    /// Any plan at all; `None` where it is proven that there is none.
    fn any_plan(
        &self,
        part: &Part,
        question: &Question,
        at_least: usize,
    ) -> Result<Option<SolveReport>, Stop> {
        if self.deadline.is_over() {
            return Err(Stop::OutOfTime { at_least });
        }
        let time_limit = self.deadline.left();
        let settings = SolveSettings { time_limit, ..self.solving.settings.clone() };
        let report = self.solve(part, question, Wanted::Any, &settings)?;
        match report.solution.status {
            Status::Infeasible => Ok(None),
            Status::Timeout => Err(Stop::OutOfTime { at_least }),
            Status::Optimal | Status::Feasible | Status::AlreadyAccepted => Ok(Some(report)),
        }
    }

    fn solve(
        &self,
        part: &Part,
        question: &Question,
        wanted: Wanted,
        settings: &SolveSettings,
    ) -> Result<SolveReport, Stop> {
        let case = &question.case;
        let solving = Solving { settings, ..self.solving };
        Ok(case.solve(&part.instance, Some(part), wanted, &solving)?)
    }

    fn question(&self, dropped: Dropped) -> Result<Question<'a>, Stop> {
        Ok(Question::new(self.case, dropped)?)
    }
}

/// A set of rules that gives a plan.
struct Set<'a> {
    question: Rc<Question<'a>>,
    /// The rules of single features in it.
    used: BTreeSet<Unit>,
    /// The fewest changes that do.
    changes: usize,
    /// A plan with so many, whatever it costs.
    found: SolveReport,
}
