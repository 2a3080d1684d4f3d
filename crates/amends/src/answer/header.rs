//! What is explained and how, above the plans.

use std::fmt::Write;

use crate::explain::{Explainer, OutlierKind};
use crate::model::Model;

/// What was explained and how, in lines: the model, and what the cost of a plan means.
pub fn header(model: &Model, explainer: &Explainer) -> String {
    let settings = explainer.settings();
    let facts = explainer.facts();
    let mut cost = outlier_term(explainer);
    if settings.change_cost > 0.0 {
        let _ = write!(cost, " + {} per change", settings.change_cost);
    }
    let mut text = format!(
        "{}. A plan costs its {} distance + {cost}.\n\
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
    if goal.harmless {
        text.push_str("\nPlans have no change that would lower the score by itself.");
    }
    if goal.needed {
        text.push_str("\nPlans have no change that they could do without.");
    }
    if facts.ridge > 0.0 {
        let _ = write!(
            text,
            "\nThe covariance of the {} rejected rows is singular: {} was added to its diagonal",
            facts.rejected, facts.ridge
        );
        if facts.relative_ridge > 0.0 {
            let _ = write!(
                text,
                ", or {:e} times a column's variance where that is more, because some columns follow exactly from others, \
                 such as a total from its parts: changes that contradict that cost very much, so leave one of them out",
                facts.relative_ridge
            );
        }
        text.push('.');
    }
    text
}

/// What the outlier term is.
fn outlier_term(explainer: &Explainer) -> String {
    let (settings, facts) = (explainer.settings(), explainer.facts());
    match settings.outlier {
        OutlierKind::None => "no outlier term".to_owned(),
        OutlierKind::Lof => {
            let distinct = if settings.distinct { "distinct " } else { "" };
            let sampled = match facts.sampled_from {
                Some(rows) => format!("a sample of {} of {rows}", facts.points),
                None => facts.points.to_string(),
            };
            format!(
                "{} x {}-LOF over {sampled} {distinct}accepted rows",
                settings.lambda, settings.k
            )
        }
        OutlierKind::Surrogate => format!(
            "{} x 1-LOF over N = {} prototypes (densities with k = {})",
            settings.lambda, facts.points, settings.k
        ),
    }
}

/// With a capital letter at its start.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}
