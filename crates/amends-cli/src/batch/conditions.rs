//! What an applicant's answer depends on, apart from the applicant: a journal of anything else is refused.

use amends::Result;
use amends::explain::Explainer;
use amends::model::Model;
use amends_run::fingerprint;
use amends_run::journal;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::applicants::Applicants;
use crate::args::AnswerSettings;
use crate::source::Source;

/// Who is asked about, and how an audit is cut, is not in here: a journal may be continued for other people and groups.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// The program's version.
    pub version: String,
    /// The schema with all its rules.
    pub schema: String,
    /// The table that was trained on.
    pub data: String,
    /// Which table row numbers belong to.
    pub applicants: String,
    pub seed: u64,
    pub test_share: f64,
    pub model: String,
    pub costs: Map<String, Value>,
    pub engine: String,
    /// In seconds.
    pub time_limit: Option<f64>,
    pub gap: f64,
    /// Rules of the command line, for all applicants.
    pub rules: Vec<String>,
    /// The column of the applicants' own rules.
    pub rules_column: Option<String>,
    /// Whether the rules that stand in the way are looked for where there is no plan.
    pub reasons: bool,
    /// Which principal reasons are given, in words.
    #[serde(default = "no_reasons")]
    pub principal_reasons: String,
    /// What is kept of an applicant: figures for an audit, or plans as they are written.
    #[serde(default = "audit_figures")]
    pub answers: String,
}

/// What every journal kept before there were others.
fn audit_figures() -> String {
    "figures of an audit".to_owned()
}

fn no_reasons() -> String {
    "none".to_owned()
}

impl Conditions {
    /// `answers` is what is kept of an applicant; the figures of an audit where it is none.
    pub fn of(
        asked: &AnswerSettings,
        source: &Source,
        applicants: &Applicants,
        (model, explainer): (&Model, &Explainer),
        answers: Option<String>,
    ) -> Result<Self> {
        let AnswerSettings { question, engine, why_none, reasons, .. } = asked;
        let schema = &source.table.dataset.schema;
        let classifier = serde_json::to_string(&model.classifier)
            .map_err(|error| amends::Error::file("model", error.into()))?;
        let applicants = match applicants {
            Applicants::Rows { .. } => "rows of the table".to_owned(),
            Applicants::File(file) => format!("file {}", file.fingerprint()),
        };
        let costs = match serde_json::to_value(explainer.settings()) {
            Ok(Value::Object(costs)) => costs,
            _ => Map::new(),
        };
        Ok(Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            schema: named(&schema.name, &schema.to_toml()),
            data: data(source),
            applicants,
            seed: question.setup.data.seed,
            test_share: question.setup.data.test_share,
            model: named(model.origin.short_name(), &classifier),
            costs,
            engine: engine.description(),
            time_limit: engine.settings.time_limit.map(|limit| limit.as_secs_f64()),
            gap: engine.settings.relative_gap,
            rules: question.setup.requirements.rules.clone(),
            rules_column: question.setup.requirements.rules_column.clone(),
            reasons: *why_none,
            principal_reasons: reasons.map_or_else(no_reasons, |reasons| {
                format!("at most {}, {}", reasons.most, reasons.group.name())
            }),
            answers: answers.unwrap_or_else(audit_figures),
        })
    }
}

/// The table that was trained on, and its row numbers: where a row that is left out goes missing, all others would get the
/// answers of their neighbours.
fn data(source: &Source) -> String {
    let cells = fingerprint::of_table(&source.table.dataset.to_table());
    let numbers: Vec<String> =
        source.table.dataset.row_numbers.iter().map(usize::to_string).collect();
    fingerprint::of_texts([cells.as_str(), &numbers.join(" ")])
}

/// A name, with what distinguishes it from others of that name.
fn named(name: &str, content: &str) -> String {
    format!("{name} {}", fingerprint::of_texts([content]))
}

impl journal::Conditions for Conditions {
    const FILE: &'static str = "journal";
    const ELSEWHERE: &'static str = "name another file with --journal";

    fn facts(&self) -> Vec<(String, String)> {
        let limit = self.time_limit.map_or_else(|| "none".to_owned(), |limit| format!("{limit} s"));
        let facts = [
            ("version", self.version.clone()),
            ("schema", self.schema.clone()),
            ("data", self.data.clone()),
            ("applicants", self.applicants.clone()),
            ("seed", self.seed.to_string()),
            ("test share", self.test_share.to_string()),
            ("model", self.model.clone()),
            ("engine", self.engine.clone()),
            ("time limit", limit),
            ("gap", self.gap.to_string()),
            ("rules", self.rules.join("; ")),
            ("rules column", self.rules_column.clone().unwrap_or_else(|| "none".to_owned())),
            ("why none", self.reasons.to_string()),
            ("principal reasons", self.principal_reasons.clone()),
            ("answers", self.answers.clone()),
        ];
        let facts = facts.map(|(name, value)| (name.to_owned(), value));
        let costs = self.costs.iter().map(|(name, value)| {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            (name.replace('_', " "), value)
        });
        facts.into_iter().chain(costs).collect()
    }
}
