//! The names of an audit's figures, as texts and pages have them.

use amends::audit::{Figures, PrincipalReasons, Quantiles, Share};
use amends::explain::Explainer;

/// What the model decides.
pub fn decisions(all: &Figures) -> Vec<(String, Share)> {
    vec![("accepted as they are".to_owned(), all.accepted), ("rejected".to_owned(), all.rejected)]
}

/// What is found out about the rejected, with how deep each is below another.
pub fn abilities(all: &Figures, explainer: &Explainer) -> Vec<(usize, String, Share)> {
    let (cheapest, none) = match explainer.settings().option_limit {
        None => (
            "proven to be the cheapest".to_owned(),
            "no plan exists under these rules, proven".to_owned(),
        ),
        Some(values) => (
            format!("the cheapest among the {values} values offered per number"),
            format!("no plan among the {values} values offered per number"),
        ),
    };
    vec![
        (0, "there is a plan that leads to approval".to_owned(), all.with_plan),
        (1, cheapest, all.optimal),
        (1, "a cheaper one is not excluded".to_owned(), all.feasible),
        (0, none, all.infeasible),
        (0, "not known: time ran out".to_owned(), all.timeout),
    ]
}

/// What plans take, with the digits after the point. Where the distance is Mahalanobis' own, once is enough.
pub fn costs(all: &Figures, explainer: &Explainer) -> Vec<(String, usize, Option<Quantiles>)> {
    let distance = explainer.settings().distance.name();
    let names = [
        "cost: what is minimised".to_owned(),
        format!("distance ({distance})"),
        "Mahalanobis distance".to_owned(),
        "outlier factor (LOF; ordinary is about 1)".to_owned(),
        "changes (what moves together is one)".to_owned(),
        "seconds to solve, with or without a plan".to_owned(),
    ];
    let repeated = all.costs.mahalanobis == all.costs.distance;
    let named = names.into_iter().zip(all.costs.named());
    let kept = named.filter(|(_, (measure, _))| !(repeated && *measure == "mahalanobis"));
    kept.map(|(name, (measure, quantiles))| {
        (name, if measure == "changes" { 1 } else { 3 }, quantiles)
    })
    .collect()
}

/// Whether the rejected can act on their reasons.
pub fn principal(principal: &PrincipalReasons) -> Vec<(String, Share)> {
    vec![
        ("none of them can be changed".to_owned(), principal.none_actionable),
        (
            "no allowed value of a single one would have been enough".to_owned(),
            principal.none_flips,
        ),
    ]
}

/// How intervals and quantiles are computed.
pub const METHODS: &str = "Ranges (a - b, a to b) are 95 % intervals: of shares Wilson's, of their differences Newcombe's, of ratios of medians from \
    ranks. Quantiles lie on the straight line between the two nearest values.";
