//! Plans as a loan officer reads them.

use std::fmt::Write;

use amends::Status;
use amends::answer::{Answer, FrontEndNames, WhyWords, Words};
use amends::explain::{Explainer, Explanation, OutlierKind, WhyNone};
use amends::model::Model;

/// What the sentences of an answer refer to.
const NAMES: FrontEndNames =
    FrontEndNames { time_limit: "--time-limit", all_ways: "--format json lists all" };

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

/// One applicant's answer: the library's sentences, in lines.
pub fn text(row: usize, answer: &Answer, explainer: &Explainer) -> String {
    let words = Words::new(explainer, NAMES);
    let mut text = format!("Applicant in row {row}: {}", words.verdict(answer));
    let of = answer.plans().len();
    for (index, explanation) in answer.plans().iter().enumerate() {
        let number = index + 1;
        if let Some(plan) = words.plan(explanation, number, of) {
            let _ = writeln!(text, "\n  {}:", plan.heading);
            text.push_str(&changes(explanation));
            let _ = write!(text, "  {}\n  {}", plan.after, plan.figures);
        }
        if let Some(proof) = words.proof(explanation, number) {
            let _ = write!(text, "\n  {proof}{}", work(explanation));
        }
        if let Some(why) = &explanation.why_none {
            text.push_str(&why_none(why, &words.why_none(why, explanation)));
        }
        if let Some(remark) = &explanation.remark {
            let _ = write!(text, "\n  Note: {remark}.");
        }
    }
    if let Some(end) = answer.end_in_words() {
        let _ = write!(text, "\n  {}.", capitalised(&end));
    }
    for note in &answer.first().notes {
        let _ = write!(text, "\n  Note: {note}.");
    }
    text
}

/// What it took. The points of a trade-off are found together, and where time ran out the proof says how much it was.
fn work(explanation: &Explanation) -> String {
    let engine = explanation.engine;
    match explanation.status {
        Status::Optimal if explanation.bound.is_none() => String::new(),
        Status::Timeout if !explanation.solver_failed => format!(" {engine}."),
        _ => format!(" {:.3} s, {engine}.", explanation.time.as_secs_f64()),
    }
}

/// The rules that stand in the way, and the plans that there would be without them.
fn why_none(why: &WhyNone, words: &WhyWords) -> String {
    let mut text = format!("\n  {}", words.head);
    for (way, way_words) in why.ways.iter().zip(&words.ways) {
        let _ = write!(text, "\n  - {}:\n{}", way_words.relaxed, changes(&way.explanation));
        if let Some(plan) = &way_words.plan {
            let _ = write!(text, "    {plan}");
        }
    }
    for sentence in &words.rest {
        let _ = write!(text, "\n  {sentence}");
    }
    text
}

/// The changes, one per line, in columns. What moves together is one change and says so.
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

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}
