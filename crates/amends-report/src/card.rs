//! One applicant's answer as a report shows it: sentences, tables and the numbers behind the pictures, but no markup.
//!
//! It can be stored and read back, so that journals and Python keep it and a page is made when it is wanted.

use amends::answer::{Answer, PlanWords, ReasonWords, WayWords, Words, capitalised};
use amends::data::{Record, Value};
use amends::explain::{Explainer, Explanation};
use serde::{Deserialize, Serialize};

/// One applicant's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// Who the applicant is: "Applicant in row 17".
    pub name: String,
    /// How it ended, by its name in every format.
    pub status: String,
    /// How it stands with the applicant before any change.
    pub verdict: String,
    /// The score before any change; `None` where the row could not be read.
    pub score: Option<f64>,
    /// The principal reasons, where they were asked for.
    pub reasons: Option<ReasonWords>,
    /// The plans, the best first.
    pub plans: Vec<CardPlan>,
    /// What is proven where there is no plan.
    pub proof: Option<String>,
    /// Why there is no plan.
    pub why: Option<CardWhy>,
    /// Whether there are more plans, and what else the reader should know, in sentences.
    pub notes: Vec<String>,
}

/// A plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CardPlan {
    /// The sentences about it.
    pub words: PlanWords,
    /// What is proven, and what else is to be said, in sentences.
    pub proof: String,
    /// The score after its changes.
    pub score: f64,
    /// What it changes.
    pub changes: Vec<CardChange>,
}

/// A feature's change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CardChange {
    /// The feature's index in the schema.
    pub feature: usize,
    /// Its title for people.
    pub title: String,
    /// What its numbers count.
    pub unit: Option<String>,
    /// The value as it is.
    pub before: String,
    /// The value as it would have to be.
    pub after: String,
    /// How far a number moves.
    pub by: Option<String>,
    /// What it moves together with is called, where it does.
    pub together: Option<String>,
    /// Where the value is in the feature's distribution.
    pub now: Spot,
    /// Where the new value is in it.
    pub then: Spot,
}

/// Where a value is in a feature's distribution.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spot {
    /// At a number.
    Number(f64),
    /// At a level, by its index in the schema.
    Level(usize),
    /// At a code, by its index in the schema.
    Code(usize),
}

/// Why there is no plan, and which plans there would be without some of the rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CardWhy {
    /// What would have to give way.
    pub head: String,
    /// The ways that are shown.
    pub ways: Vec<CardWay>,
    /// That there are more ways, or may be.
    pub rest: Vec<String>,
}

/// A way out, with the changes of its plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CardWay {
    /// What it relaxes, and what its plan comes to.
    pub words: WayWords,
    /// The changes of the plan.
    pub changes: Vec<CardChange>,
}

impl Card {
    /// An applicant's answer in the words of a front end.
    pub fn of(
        name: String,
        answer: &Answer,
        applicant: &Record,
        explainer: &Explainer,
        words: &Words<'_>,
    ) -> Self {
        let first = answer.first();
        let count = answer.plans().len();
        let changes = |explanation: &Explanation| changes(explanation, applicant, explainer);
        let plan = |(index, explanation): (usize, &Explanation)| {
            let sentences = words.plan(explanation, index + 1, count)?;
            let proof = words.proof(explanation, index + 1).into_iter();
            let remark = explanation.remark.iter().map(|remark| note(remark));
            Some(CardPlan {
                words: sentences,
                proof: proof.chain(remark).collect::<Vec<String>>().join(" "),
                score: explanation.plan.as_ref()?.score,
                changes: changes(explanation),
            })
        };
        let plans: Vec<CardPlan> = answer.plans().iter().enumerate().filter_map(plan).collect();
        let why = first.why_none.as_ref().map(|why| {
            let sentences = words.why_none(why, first);
            let ways = why.ways.iter().zip(sentences.ways);
            CardWhy {
                head: sentences.head,
                ways: ways
                    .map(|(way, words)| CardWay { words, changes: changes(&way.explanation) })
                    .collect(),
                rest: sentences.rest,
            }
        });
        let end = answer.end_in_words().map(|end| format!("{}.", capitalised(&end)));
        let remark = first.remark.iter().filter(|_| plans.is_empty());
        let notes = remark.chain(&first.notes).map(|text| note(text));
        Self {
            name,
            status: first.status.name().to_owned(),
            verdict: words.verdict(answer),
            score: Some(first.score_before),
            reasons: words.reasons(answer),
            proof: plans.is_empty().then(|| words.proof(first, 1)).flatten(),
            why,
            notes: end.into_iter().chain(notes).collect(),
            plans,
        }
    }

    /// An applicant who could not be answered, and why.
    pub fn error(name: String, failure: &str, message: &str) -> Self {
        Self {
            name,
            status: amends::answer::ERROR.to_owned(),
            verdict: format!("{failure}."),
            score: None,
            reasons: None,
            plans: Vec::new(),
            proof: None,
            why: None,
            notes: vec![format!("{message}.")],
        }
    }
}

fn note(text: &str) -> String {
    format!("Note: {text}.")
}

fn changes(
    explanation: &Explanation,
    applicant: &Record,
    explainer: &Explainer,
) -> Vec<CardChange> {
    let Some(plan) = &explanation.plan else { return Vec::new() };
    let schema = explainer.schema();
    let change = |change: &amends::explain::FeatureChange| {
        let feature = schema.feature_index(&change.feature)?;
        let (now, then) = (*applicant.get(feature)?, *plan.record.get(feature)?);
        Some(CardChange {
            feature,
            title: change.title.clone(),
            unit: change.unit.clone(),
            before: change.before.clone(),
            after: change.after.clone(),
            by: match (now, then) {
                (Value::Number(now), Value::Number(then)) => {
                    let by = Value::Number((then - now).abs());
                    let sign = if then < now { '\u{2212}' } else { '+' };
                    Some(format!("{sign}{}", schema.features[feature].describe(by)))
                }
                _ => None,
            },
            together: change.together.clone(),
            now: now.into(),
            then: then.into(),
        })
    };
    explanation.changes.iter().filter_map(change).collect()
}

impl From<Value> for Spot {
    fn from(value: Value) -> Self {
        match value {
            Value::Number(number) => Self::Number(number),
            Value::Level(level) => Self::Level(level),
            Value::Code(code) => Self::Code(code),
        }
    }
}
