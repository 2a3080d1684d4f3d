//! Plans as a loan officer reads them.

use std::fmt::Write;

use amends::Status;
use amends::explain::{Explainer, Explanation, OutlierKind, PlanFigures, WhyNone};
use amends::model::Model;

use crate::answer::Answer;

/// More ways out than this are only counted.
const TOLD_WAYS: usize = 4;

/// What was explained and how: the model, and what the cost of a plan means.
pub fn header(model: &Model, explainer: &Explainer) -> String {
    let settings = explainer.settings();
    let facts = explainer.facts();
    let outlier = match settings.outlier {
        OutlierKind::None => "no outlier term".to_owned(),
        OutlierKind::Lof => {
            let distinct = if settings.distinct { "distinct " } else { "" };
            format!(
                "{} x {}-LOF over {} {distinct}accepted rows",
                settings.lambda, settings.k, facts.points
            )
        }
        OutlierKind::Surrogate => format!(
            "{} x 1-LOF over N = {} prototypes (densities with k = {})",
            settings.lambda, facts.points, settings.k
        ),
    };
    let mut text = format!(
        "{}. A plan costs its {} distance + {outlier}.\n\
         Preset {}: {} factor, {} metric, {}, at most {} changed feature{}.",
        capitalised(&model.origin.to_string()),
        settings.distance.name(),
        settings.preset.name(),
        settings.factor.name(),
        settings.metric.name(),
        if settings.standardise { "standardised columns" } else { "raw columns" },
        settings.max_changes,
        if settings.max_changes == 1 { "" } else { "s" }
    );
    let goal = settings.goal;
    if goal.score != 0.0 {
        let _ = write!(text, "\nAccepted from a score of {:.4} on", goal.score);
        if let Some(p) = model.origin.link().probability(goal.score) {
            let _ = write!(text, " ({:.1} % for approval)", 100.0 * p);
        }
        text.push('.');
    }
    if goal.margin > 0.0 {
        let _ = write!(text, "\nPlans have {} of score to spare.", goal.margin);
    }
    if goal.step_to_spare {
        text.push_str("\nPlans hold if any of their changed numbers are off by a step.");
    }
    if facts.ridge > 0.0 {
        let _ = write!(
            text,
            "\nThe covariance of the {} rejected rows is singular: {} was added to its diagonal.",
            facts.rejected, facts.ridge
        );
    }
    text
}

/// One applicant's answer.
pub fn text(answer: &Answer, model: &Model) -> String {
    let first = &answer.plans[0];
    let before = score(first.score_before, model);
    let mut text = format!("Applicant in row {}: ", answer.row);
    if first.status == Status::AlreadyAccepted {
        let _ = write!(text, "already accepted ({before}); nothing to change.");
    } else {
        let _ = write!(text, "rejected ({before}).");
    }
    for (place, explanation) in answer.plans.iter().enumerate() {
        let place = (answer.plans.len() > 1).then_some(place + 1);
        text.push_str(&plan_text(place, explanation, model));
    }
    if let Some(end) = &answer.end {
        let _ = write!(text, "\n  {}.", capitalised(end));
    }
    for note in &first.notes {
        let _ = write!(text, "\n  Note: {note}.");
    }
    text
}

fn score(score: f64, model: &Model) -> String {
    match model.origin.link().probability(score) {
        Some(p) => format!("score {score:+.4}, {:.1} % for approval", 100.0 * p),
        None => format!("score {score:+.4}"),
    }
}

/// One plan (of several: which), or why there is none, and what is proven about it.
fn plan_text(place: Option<usize>, explanation: &Explanation, model: &Model) -> String {
    let mut text = String::new();
    if let Some(plan) = &explanation.plan {
        let name =
            place.map_or_else(|| "Approved".to_owned(), |place| format!("Plan {place}: approved"));
        let _ = writeln!(text, "\n  {name} with {}:", counted(explanation.moves));
        text.push_str(&changes(explanation));
        let _ = writeln!(text, "  Then {}.", score(plan.score, model));
        let _ = write!(text, "  {}", figures(plan));
    }
    let seconds = explanation.time.as_secs_f64();
    let engine = explanation.engine;
    let bound =
        explanation.bound.map_or_else(|| "none proven".to_owned(), |bound| format!("{bound:.6}"));
    let _ = match explanation.status {
        Status::AlreadyAccepted => Ok(()),
        Status::Optimal if explanation.bound.is_none() => {
            let among = among(explanation, "Proven: no plan is better", "No plan is better");
            write!(text, "\n  {among} in distance and outlier term at once.")
        }
        Status::Optimal => {
            let other =
                if place.is_some_and(|place| place > 1) { " that differs enough" } else { "" };
            let optimal = format!("Optimal: no cheaper plan{other} exists");
            write!(
                text,
                "\n  {} (bound {bound}, gap {:.1e}). {seconds:.3} s, {engine}.",
                among(explanation, &optimal, "Best"),
                explanation.gap.unwrap_or_default()
            )
        }
        Status::Feasible => write!(
            text,
            "\n  Feasible: a cheaper plan is not excluded (bound {bound}{}). {seconds:.3} s, {engine}.",
            explanation.gap.map_or_else(String::new, |gap| format!(", gap {:.2} %", 100.0 * gap))
        ),
        Status::Infeasible => {
            let proven = "Infeasible: no plan exists under these rules, proven";
            let none = among(explanation, proven, "No plan");
            write!(text, "\n  {none}. {seconds:.3} s, {engine}.")
        }
        Status::Timeout if explanation.solver_failed => write!(
            text,
            "\n  Timeout: no plan found before the solver failed, none excluded (bound {bound}). {seconds:.3} s, {engine}."
        ),
        Status::Timeout => write!(
            text,
            "\n  Timeout: no plan found in {seconds:.3} s, none excluded (bound {bound}); give more time with --time-limit. {engine}."
        ),
    };
    if let Some(why) = &explanation.why_none {
        text.push_str(&why_none(why, explanation, model));
    }
    if let Some(remark) = &explanation.remark {
        let _ = write!(text, "\n  Note: {remark}.");
    }
    text
}

/// What is claimed where every value was on offer, or what can be said of the few that were.
fn among(explanation: &Explanation, of_all: &str, of_few: &str) -> String {
    explanation.values_offered.map_or_else(
        || of_all.to_owned(),
        |values| format!("{of_few} among the {values} values offered per number"),
    )
}

/// The rules that stand in the way, and the plans that there would be without them.
fn why_none(why: &WhyNone, told: &Explanation, model: &Model) -> String {
    let seconds = why.time.as_secs_f64();
    let proven = told.values_offered.map_or_else(
        || "proven".to_owned(),
        |values| format!("among the {values} values offered per number"),
    );
    if !why.settled {
        return match why.at_least {
            1 => format!(
                "\n  Why not could not be settled in {seconds:.1} s; give more time with --time-limit."
            ),
            fewest => format!(
                "\n  Why not could not be settled in {seconds:.1} s: at least {fewest} rules stand in the way ({proven}). \
                 Give more time with --time-limit."
            ),
        };
    }
    if why.ways.is_empty() {
        return format!(
            "\n  Why: the rules are not what stands in the way. With any number of changes and without any rule, no values \
             that the training rows know of lead to approval ({proven}, {seconds:.3} s)."
        );
    }
    let fewest = match why.at_least {
        1 => "one rule".to_owned(),
        fewest => format!("{fewest} rules together"),
    };
    let mut text = format!(
        "\n  Why: {fewest} would have to give way, no fewer ({proven}, {seconds:.3} s). There would be a plan"
    );
    for way in why.ways.iter().take(TOLD_WAYS) {
        let _ = write!(text, "\n  - {}:\n", way.in_words());
        text.push_str(&changes(&way.explanation));
        if let Some(plan) = &way.explanation.plan {
            let score = match model.origin.link().probability(plan.score) {
                Some(p) => format!("{:.1} % for approval", 100.0 * p),
                None => format!("score {:+.4}", plan.score),
            };
            let optimal = way.explanation.status == Status::Optimal;
            let proof = match way.explanation.values_offered {
                None if optimal => "proven best",
                _ => "best known",
            };
            let _ = write!(text, "    {score}, cost {:.6} ({proof}).", plan.objective);
        }
    }
    if !why.all_ways {
        text.push_str("\n  There may be more ways of that size: not all were looked at.");
    }
    match why.ways.len().saturating_sub(TOLD_WAYS) {
        0 => {}
        more => {
            let _ = write!(
                text,
                "\n  and in {more} more way{} (--format json lists all).",
                if more == 1 { "" } else { "s" }
            );
        }
    }
    text
}

fn counted(changes: usize) -> String {
    format!("{changes} change{}", if changes == 1 { "" } else { "s" })
}

/// The changes, one a line, in columns. What moves together is one change and says so.
fn changes(explanation: &Explanation) -> String {
    let width = |of: &dyn Fn(usize) -> usize| {
        (0..explanation.changes.len()).map(of).max().unwrap_or_default()
    };
    let titles = width(&|i| explanation.changes[i].title.chars().count());
    let befores = width(&|i| explanation.changes[i].before.chars().count());
    let mut text = String::new();
    for change in &explanation.changes {
        let unit = change.unit.as_ref().map_or_else(String::new, |unit| format!(" {unit}"));
        let together = change
            .together
            .as_ref()
            .map_or_else(String::new, |name| format!("  (with the others of `{name}`)"));
        let _ = writeln!(
            text,
            "    {:titles$}  {:>befores$} -> {}{unit}{together}",
            change.title, change.before, change.after
        );
    }
    text
}

fn figures(plan: &PlanFigures) -> String {
    format!(
        "Cost {:.6} = distance {:.6} + weighted outlier term {:.6}; Mahalanobis {:.3}, LOF {:.3}.",
        plan.objective,
        plan.distance,
        plan.objective - plan.distance,
        plan.mahalanobis,
        plan.lof
    )
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}
