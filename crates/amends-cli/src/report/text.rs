//! Plans as a loan officer reads them.

use std::fmt::Write;

use amends::Status;
use amends::explain::{Explainer, Explanation, OutlierKind, PlanFigures};
use amends::model::Model;

use super::{Told, probability};

/// What was explained and how: the model, and what the cost of a plan means.
pub fn header(model: &Model, explainer: &Explainer) -> String {
    let settings = explainer.settings();
    let facts = explainer.facts();
    let outlier = match settings.outlier {
        OutlierKind::None => "no outlier term".to_owned(),
        OutlierKind::Lof => {
            format!("{} x {}-LOF over {} accepted rows", settings.lambda, settings.k, facts.points)
        }
        OutlierKind::Surrogate => format!(
            "{} x 1-LOF over N = {} prototypes (densities with k = {})",
            settings.lambda, facts.points, settings.k
        ),
    };
    let mut text = format!(
        "{}. A plan costs its {} distance + {outlier}.\n\
         Preset {}: {} factor, {} metric, {}, at most {} changed feature{}.",
        capitalised(&model.kind.to_string()),
        settings.distance.name(),
        settings.preset.name(),
        settings.factor.name(),
        settings.metric.name(),
        if settings.standardise { "standardised columns" } else { "raw columns" },
        settings.max_changes,
        if settings.max_changes == 1 { "" } else { "s" }
    );
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
pub fn text(told: &Told, model: &Model) -> String {
    let explanation = told.explanation;
    let score = |score: f64| match probability(model.kind, score) {
        Some(p) => format!("score {score:+.4}, {:.1} % for approval", 100.0 * p),
        None => format!("score {score:+.4}"),
    };
    let mut text = format!("Applicant in row {}: ", told.row);
    let _ = match explanation.status {
        Status::AlreadyAccepted => {
            write!(
                text,
                "already accepted ({}); nothing to change.",
                score(explanation.score_before)
            )
        }
        _ => writeln!(text, "rejected ({}).", score(explanation.score_before)),
    };
    if let Some(plan) = &explanation.plan {
        let count = explanation.changes.len();
        let _ =
            writeln!(text, "  Approved with {count} change{}:", if count == 1 { "" } else { "s" });
        text.push_str(&changes(explanation));
        let _ = writeln!(text, "  Then {}.", score(plan.score));
        let _ = writeln!(text, "  {}", figures(plan));
    }
    let seconds = explanation.time.as_secs_f64();
    let engine = explanation.engine;
    let bound =
        explanation.bound.map_or_else(|| "none proven".to_owned(), |bound| format!("{bound:.6}"));
    let _ = match explanation.status {
        Status::AlreadyAccepted => Ok(()),
        Status::Optimal => write!(
            text,
            "  Optimal: no plan costs less (bound {bound}, gap {:.1e}). {seconds:.3} s, {engine}.",
            explanation.gap.unwrap_or_default()
        ),
        Status::Feasible => write!(
            text,
            "  Feasible: a cheaper plan is not excluded (bound {bound}{}). {seconds:.3} s, {engine}.",
            explanation.gap.map_or_else(String::new, |gap| format!(", gap {:.2} %", 100.0 * gap))
        ),
        Status::Infeasible => write!(
            text,
            "  Infeasible: no plan exists under these rules, proven. {seconds:.3} s, {engine}."
        ),
        Status::Timeout => write!(
            text,
            "  Timeout: no plan found in {seconds:.3} s, none excluded (bound {bound}); give more time with --time-limit. {engine}."
        ),
    };
    for note in explanation.remark.iter().chain(&explanation.notes) {
        let _ = write!(text, "\n  Note: {note}.");
    }
    text
}

/// The changes, one a line, in columns.
fn changes(explanation: &Explanation) -> String {
    let width = |of: &dyn Fn(usize) -> usize| {
        (0..explanation.changes.len()).map(of).max().unwrap_or_default()
    };
    let titles = width(&|i| explanation.changes[i].title.chars().count());
    let befores = width(&|i| explanation.changes[i].before.chars().count());
    let mut text = String::new();
    for change in &explanation.changes {
        let unit = change.unit.as_ref().map_or_else(String::new, |unit| format!(" {unit}"));
        let _ = writeln!(
            text,
            "    {:titles$}  {:>befores$} -> {}{unit}",
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
