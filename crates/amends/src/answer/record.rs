//! An answer for programs: the one shape that every front end serialises.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Answer, ReasonRecord};
use crate::data::{self, Feature};
use crate::explain::{Explainer, Explanation, FeatureChange, Relaxed, Way, WhyNone};
use crate::reasons::ReasonBasis;

/// The status of somebody who could not be answered, because their row could not be read.
pub const ERROR: &str = "error";

/// One plan of an answer, or that there is none; or why somebody could not be answered.
///
/// A field without a value is null, so that every record has the same fields. docs/command-line.md describes them.
#[derive(Debug, Clone, Default, Serialize)]
pub struct PlanRecord<'a> {
    status: &'static str,
    message: Option<&'a str>,
    #[serde(flatten)]
    found: Found<'a>,
    end: Option<String>,
    why_none: Option<WhyNoneRecord<'a>>,
    reasons: Option<Vec<ReasonRecord>>,
    reason_basis: Option<&'a ReasonBasis>,
}

/// What was found, be it under all rules or without some of them.
#[derive(Debug, Clone, Default, Serialize)]
struct Found<'a> {
    objective: Option<f64>,
    bound: Option<f64>,
    gap: Option<f64>,
    distance: Option<f64>,
    outlier: Option<f64>,
    change_cost: Option<f64>,
    mahalanobis: Option<f64>,
    lof: Option<f64>,
    score_before: Option<f64>,
    score_after: Option<f64>,
    probability_before: Option<f64>,
    probability_after: Option<f64>,
    values_offered: Option<usize>,
    moves: Option<usize>,
    changes: Vec<ChangeRecord<'a>>,
    application: Option<Map<String, Value>>,
    seconds: Option<f64>,
    engine: Option<&'static str>,
    remark: Option<&'a str>,
    notes: &'a [String],
    not_needed: &'a [String],
}

/// One feature's change, with its values for programs and for people.
#[derive(Debug, Clone, Serialize)]
struct ChangeRecord<'a> {
    feature: &'a str,
    title: &'a str,
    unit: Option<&'a str>,
    before: Value,
    after: Value,
    before_text: &'a str,
    after_text: &'a str,
    together: Option<&'a str>,
}

#[derive(Debug, Clone, Serialize)]
struct WhyNoneRecord<'a> {
    text: String,
    at_least: usize,
    settled: bool,
    all_ways: bool,
    ways: Vec<WayRecord<'a>>,
    seconds: f64,
}

/// Rules to relax, and the plan that there would be without them.
#[derive(Debug, Clone, Serialize)]
struct WayRecord<'a> {
    relaxed: Vec<RelaxedRecord<'a>>,
    text: String,
    status: &'static str,
    #[serde(flatten)]
    found: Found<'a>,
}

#[derive(Debug, Clone, Serialize)]
struct RelaxedRecord<'a> {
    #[serde(flatten)]
    rule: &'a Relaxed,
    text: String,
}

impl<'a> PlanRecord<'a> {
    /// All plans of an answer, the best first; without a plan, one record that says so.
    pub fn of_answer(answer: &'a Answer, explainer: &Explainer) -> Vec<Self> {
        let end = answer.end_in_words();
        let reasons = answer.reasons();
        let record = |plan| Self {
            end: end.clone(),
            reasons: reasons.map(|reasons| ReasonRecord::of_all(reasons, explainer)),
            reason_basis: reasons.map(|reasons| &reasons.basis),
            ..Self::of(plan, explainer)
        };
        answer.plans().iter().map(record).collect()
    }

    /// A single explanation.
    pub fn of(explanation: &'a Explanation, explainer: &Explainer) -> Self {
        Self {
            status: explanation.status.name(),
            message: None,
            found: Found::of(explanation, explainer),
            end: None,
            why_none: explanation.why_none.as_ref().map(|why| WhyNoneRecord::of(why, explainer)),
            reasons: None,
            reason_basis: None,
        }
    }

    /// Written instead of an answer where there is none; the message says why.
    pub fn error(message: &'a str) -> Self {
        Self { status: ERROR, message: Some(message), ..Self::default() }
    }
}

impl<'a> Found<'a> {
    fn of(explanation: &'a Explanation, explainer: &Explainer) -> Self {
        let plan = explanation.plan.as_ref();
        let costs = plan.map(|plan| plan.costs);
        let link = explainer.link();
        let application = plan.map(|plan| {
            let pairs = explainer.schema().features.iter().zip(&plan.record);
            pairs
                .map(|(feature, &value)| {
                    (feature.name.clone(), cell(feature, &feature.show(value)))
                })
                .collect()
        });
        let change = |change| ChangeRecord::of(change, explainer);
        Self {
            objective: costs.map(|costs| costs.objective),
            bound: explanation.bound,
            gap: explanation.gap,
            distance: costs.map(|costs| costs.distance),
            outlier: costs.map(|costs| costs.outlier),
            change_cost: costs.map(|costs| costs.change_cost),
            mahalanobis: costs.map(|costs| costs.mahalanobis),
            lof: costs.map(|costs| costs.lof),
            score_before: Some(explanation.score_before),
            score_after: plan.map(|plan| plan.score),
            probability_before: link.probability(explanation.score_before),
            probability_after: plan.and_then(|plan| link.probability(plan.score)),
            values_offered: explanation.values_offered,
            moves: Some(explanation.moves),
            changes: explanation.changes.iter().map(change).collect(),
            application,
            seconds: Some(explanation.time.as_secs_f64()),
            engine: Some(explanation.engine),
            remark: explanation.remark.as_deref(),
            notes: &explanation.notes,
            not_needed: &explanation.not_needed,
        }
    }
}

impl<'a> ChangeRecord<'a> {
    fn of(change: &'a FeatureChange, explainer: &Explainer) -> Self {
        let schema = explainer.schema();
        let value = |text: &str| {
            let feature =
                schema.feature_index(&change.feature).map(|index| &schema.features[index]);
            // The text has the separators of the table: 1.234 may be 1234.
            let plain = feature.and_then(|feature| feature.plain_number(text));
            feature.map_or_else(|| text.into(), |it| cell(it, plain.as_deref().unwrap_or(text)))
        };
        Self {
            feature: &change.feature,
            title: &change.title,
            unit: change.unit.as_deref(),
            before: value(&change.before),
            after: value(&change.after),
            before_text: &change.before,
            after_text: &change.after,
            together: change.together.as_deref(),
        }
    }
}

impl<'a> WhyNoneRecord<'a> {
    fn of(why: &'a WhyNone, explainer: &Explainer) -> Self {
        Self {
            text: why.in_words(),
            at_least: why.at_least,
            settled: why.settled,
            all_ways: why.all_ways,
            ways: why.ways.iter().map(|way| WayRecord::of(way, explainer)).collect(),
            seconds: why.time.as_secs_f64(),
        }
    }
}

impl<'a> WayRecord<'a> {
    fn of(way: &'a Way, explainer: &Explainer) -> Self {
        let rules = way.relaxed.iter();
        Self {
            relaxed: rules.map(|rule| RelaxedRecord { rule, text: rule.to_string() }).collect(),
            text: way.in_words(),
            status: way.explanation.status.name(),
            found: Found::of(&way.explanation, explainer),
        }
    }
}

/// A feature's value as [`PlanRecord`] has it in `application`: numbers as numbers, levels and codes that are not numbers as text.
pub fn value_as_json(feature: &Feature, value: data::Value) -> Value {
    cell(feature, &feature.show(value))
}

/// A value as JSON: numbers as the table writes them (3, not 3.0), labels and codes that are not numbers as text.
pub(super) fn cell(feature: &Feature, shown: &str) -> Value {
    let number = |shown: &str| serde_json::from_str(shown).ok().map(Value::Number);
    feature.is_numeric().then(|| number(shown)).flatten().unwrap_or_else(|| shown.into())
}
