//! The sentences of an answer, as a loan officer reads them. Front ends only arrange them.

use serde::{Deserialize, Serialize};

use super::end::{among, proven};
use super::{Answer, ReasonWords};
use crate::Status;
use crate::explain::{Explainer, Explanation, PlanFigures, WhyNone};

/// An optimum with a larger gap than this may be beaten by a plan that people would call cheaper.
const EXACT: f64 = 1e-5;

/// More ways out than this are only counted.
const SHOWN_WAYS: usize = 4;

/// What plans are asked to be with `--harmless`, after what is said of them.
const HARMLESS: &str = " in which no change lowers the score by itself";

/// What a front end calls the things that sentences refer to.
#[derive(Debug, Clone, Copy)]
pub struct FrontEndNames {
    /// The option for the time limit: "--time-limit".
    pub time_limit: &'static str,
    /// Where all ways out are, where only the first few are shown: "--format json lists all".
    pub all_ways: &'static str,
}

/// Words the answers of one explainer for one front end.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    explainer: &'a Explainer,
    names: FrontEndNames,
}

/// The sentences about one plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanWords {
    /// What stands above the changes: "Approved with 2 changes".
    pub heading: String,
    /// The score after the changes.
    pub after: String,
    /// The cost, and what it is made of.
    pub figures: String,
}

/// The sentences about why there is no plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WhyWords {
    /// All of it in one sentence without capital and full stop.
    pub short: String,
    /// What would have to give way, and that no fewer rules do. Where ways are shown, they end its last sentence.
    pub head: String,
    /// The ways that are shown, the cheapest first.
    pub ways: Vec<WayWords>,
    /// That there are more ways, or may be.
    pub rest: Vec<String>,
}

/// A way out: what it relaxes, above the changes of its plan, and what the plan comes to, below them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WayWords {
    /// The end of "There would be a plan".
    pub relaxed: String,
    /// The score and the cost of the plan; `None` where no plan was found in time.
    pub plan: Option<String>,
}

impl<'a> Words<'a> {
    /// The words of one front end.
    pub const fn new(explainer: &'a Explainer, names: FrontEndNames) -> Self {
        Self { explainer, names }
    }

    /// How it stands with the applicant before any change.
    pub fn verdict(&self, answer: &Answer) -> String {
        let before = self.score(answer.first().score_before);
        if answer.status() == Status::AlreadyAccepted {
            format!("already accepted ({before}); nothing to change.")
        } else {
            format!("rejected ({before}).")
        }
    }

    /// The sentences about a plan, where there is one: one of so many `plans`, counted from 1.
    pub fn plan(
        &self,
        explanation: &Explanation,
        number: usize,
        plans: usize,
    ) -> Option<PlanWords> {
        let plan = explanation.plan.as_ref()?;
        let name =
            if plans > 1 { format!("Plan {number}: approved") } else { "Approved".to_owned() };
        Some(PlanWords {
            heading: format!("{name} with {}", counted(explanation.moves, "change")),
            after: format!("Then {}.", self.score(plan.score)),
            figures: figures(plan),
        })
    }

    /// What is proven about a plan, one of several counted from 1, or about its absence; `None` for those who need none.
    pub fn proof(&self, explanation: &Explanation, number: usize) -> Option<String> {
        let bound = explanation
            .bound
            .map_or_else(|| "none proven".to_owned(), |bound| format!("{bound:.6}"));
        // What is claimed where every value was on offer, or what can be said of the few that were.
        let claim = |of_all: String, of_few: &str| {
            explanation
                .values_offered
                .map_or(of_all, |values| format!("{of_few} {}", among(values)))
        };
        let only = self.restriction();
        let best_of_few =
            if only.is_empty() { "Best".to_owned() } else { format!("Best plan{only}") };
        Some(match explanation.status {
            Status::AlreadyAccepted => return None,
            Status::Optimal if explanation.bound.is_none() => {
                let best = claim(format!("Proven: no plan{only} is better"), "No plan is better");
                format!("{best} in distance and outlier term at once.")
            }
            Status::Optimal => {
                let other = if number > 1 { " that differs enough" } else { "" };
                let gap = explanation.gap.unwrap_or_default();
                if gap > EXACT {
                    let among = explanation.values_offered.map(among);
                    let among = among.map_or_else(String::new, |among| format!(" {among}"));
                    return Some(format!(
                        "Optimal within the gap that was asked for: no plan{other}{only}{among} costs less than {bound} (gap {:.2} %).",
                        100.0 * gap
                    ));
                }
                let best =
                    claim(format!("Optimal: no cheaper plan{other} exists{only}"), &best_of_few);
                format!("{best} (bound {bound}, gap {gap:.1e}).")
            }
            Status::Feasible => {
                let gap = explanation.gap.map(|gap| format!(", gap {:.2} %", 100.0 * gap));
                let gap = gap.unwrap_or_default();
                format!("Feasible: a cheaper plan is not excluded (bound {bound}{gap}).")
            }
            Status::Infeasible => {
                let has_margin = self.explainer.settings().goal.has_margin();
                let margin = if has_margin { " and with this margin" } else { "" };
                let harmless = self.explainer.settings().goal.harmless;
                let only = if harmless { HARMLESS } else { "" };
                let none =
                    format!("Infeasible: no plan exists under these rules{margin}{only}, proven");
                format!("{}.", claim(none, "No plan"))
            }
            Status::Timeout if explanation.solver_failed => format!(
                "Timeout: no plan found before the solver failed, none excluded (bound {bound})."
            ),
            Status::Timeout => format!(
                "Timeout: no plan found in {:.3} s, none excluded (bound {bound}); give more time with {}.",
                explanation.time.as_secs_f64(),
                self.names.time_limit
            ),
        })
    }

    /// Which plans a proof is about, where they are not all: others may be cheaper.
    fn restriction(&self) -> &'static str {
        let goal = &self.explainer.settings().goal;
        match (goal.needed, goal.harmless) {
            (false, false) => "",
            (true, false) => " in which every change is needed",
            (false, true) => HARMLESS,
            (true, true) => " in which every change is needed and none lowers the score by itself",
        }
    }

    /// The principal reasons of the rejection, where they were asked for.
    pub fn reasons(&self, answer: &Answer) -> Option<ReasonWords> {
        answer.reasons().map(|reasons| ReasonWords::of(reasons, self.explainer))
    }

    /// Why there is no plan. `explanation` is the explanation that says that there is none.
    pub fn why_none(&self, why: &WhyNone, explanation: &Explanation) -> WhyWords {
        let shown = why.ways.iter().take(SHOWN_WAYS).map(|way| WayWords {
            relaxed: way.in_words(),
            plan: way.explanation.plan.as_ref().map(|plan| {
                let best = explanation.values_offered.is_none()
                    && way.explanation.status == Status::Optimal;
                let proof = if best { "proven best" } else { "best known" };
                format!("{}, cost {:.6} ({proof}).", self.chance(plan.score), plan.costs.objective)
            }),
        });
        WhyWords {
            short: self.why_in_short(why),
            head: self.why_head(why, explanation),
            ways: shown.collect(),
            rest: self.more_ways(why),
        }
    }

    fn why_in_short(&self, why: &WhyNone) -> String {
        match (why.settled, why.ways.first()) {
            (true, Some(way)) => format!("there would be one {}", way.in_words()),
            (true, None) => "there would be none even without any rule".to_owned(),
            (false, _) => {
                let least = match why.at_least {
                    1 => String::new(),
                    fewest => format!(", but it takes relaxing at least {fewest} rules"),
                };
                format!("not settled in time{least}; give more time with {}", self.names.time_limit)
            }
        }
    }

    fn why_head(&self, why: &WhyNone, explanation: &Explanation) -> String {
        let (seconds, proven) = (why.time.as_secs_f64(), proven(explanation.values_offered));
        let time_limit = self.names.time_limit;
        match (why.settled, why.at_least) {
            (false, 1) => {
                format!(
                    "Why not could not be settled in {seconds:.1} s; give more time with {time_limit}."
                )
            }
            (false, fewest) => format!(
                "Why not could not be settled in {seconds:.1} s: at least {fewest} rules stand in the way ({proven}). \
                 Give more time with {time_limit}."
            ),
            (true, _) if why.ways.is_empty() => format!(
                "Why: the rules are not what stands in the way. With any number of changes and without any rule, no values \
                 that the training rows know of lead to approval ({proven}, {seconds:.3} s)."
            ),
            (true, fewest) => {
                let rules = match fewest {
                    1 => "one rule".to_owned(),
                    fewest => format!("{fewest} rules together"),
                };
                format!(
                    "Why: {rules} would have to give way, no fewer ({proven}, {seconds:.3} s). There would be a plan"
                )
            }
        }
    }

    fn more_ways(&self, why: &WhyNone) -> Vec<String> {
        let mut rest = Vec::new();
        if !why.all_ways && !why.ways.is_empty() {
            rest.push("There may be more ways of that size: not all were looked at.".to_owned());
        }
        let more = why.ways.len().saturating_sub(SHOWN_WAYS);
        if more > 0 {
            let are = if more == 1 { "is" } else { "are" };
            rest.push(format!(
                "There {are} {} ({}).",
                counted(more, "more way"),
                self.names.all_ways
            ));
        }
        rest
    }

    /// A score and, where the model has one, its probability.
    fn score(&self, score: f64) -> String {
        match self.explainer.link().probability(score) {
            Some(p) => format!("score {score:+.4}, {:.1} % for approval", 100.0 * p),
            None => format!("score {score:+.4}"),
        }
    }

    /// The probability of a score, or the score where the model has none.
    fn chance(&self, score: f64) -> String {
        match self.explainer.link().probability(score) {
            Some(p) => format!("{:.1} % for approval", 100.0 * p),
            None => format!("score {score:+.4}"),
        }
    }
}

fn figures(plan: &PlanFigures) -> String {
    let costs = &plan.costs;
    let changes = if costs.change_cost > 0.0 {
        format!(" + changes {:.6}", costs.change_cost)
    } else {
        String::new()
    };
    format!(
        "Cost {:.6} = distance {:.6} + weighted outlier term {:.6}{changes}; Mahalanobis {:.3}, LOF {:.3}.",
        costs.objective,
        costs.distance,
        costs.objective - costs.distance - costs.change_cost,
        costs.mahalanobis,
        costs.lof
    )
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
