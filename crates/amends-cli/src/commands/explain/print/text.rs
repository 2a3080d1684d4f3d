//! Plans as a loan officer reads them.

use std::fmt::Write;

use amends::Status;
use amends::answer::{Answer, FrontEndNames, ReasonWords, WhyWords, Words};
use amends::explain::{Explainer, Explanation, FeatureChange, WhyNone};

use crate::report::capitalised;

/// What the sentences of an answer refer to.
pub const NAMES: FrontEndNames =
    FrontEndNames { time_limit: "--time-limit", all_ways: "--format json lists all" };

/// One applicant's answer: the library's sentences, in lines.
pub fn text(row: usize, answer: &Answer, explainer: &Explainer) -> String {
    let words = Words::new(explainer, NAMES);
    let mut text = format!("Applicant in row {row}: {}", words.verdict(answer));
    if let Some(words) = words.reasons(answer) {
        text.push_str(&reasons(&words));
    }
    let plans = answer.plans().len();
    for (index, explanation) in answer.plans().iter().enumerate() {
        let number = index + 1;
        if let Some(plan) = words.plan(explanation, number, plans) {
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

/// The principal reasons, numbered by their weight.
fn reasons(words: &ReasonWords) -> String {
    let end = if words.reasons.is_empty() { "." } else { ":" };
    let mut text = format!("\n  {}{end}", words.heading);
    for (index, reason) in words.reasons.iter().enumerate() {
        let _ = write!(text, "\n    {}. {reason}", index + 1);
    }
    for note in &words.notes {
        let _ = write!(text, "\n    {note}");
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
    let changes = &explanation.changes;
    let widest = |text: fn(&FeatureChange) -> &str| {
        changes.iter().map(|change| text(change).chars().count()).max().unwrap_or_default()
    };
    let titles = widest(|change| &change.title);
    let befores = widest(|change| &change.before);
    let mut text = String::new();
    for change in changes {
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
