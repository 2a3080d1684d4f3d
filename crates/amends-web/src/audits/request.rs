//! What is asked of an audit.

use std::time::Duration;

use amends::audit::{GroupBy, Groups, SMALL_GROUP, stop_after_rejected};
use amends::engine::time_limit;
use amends::{InputError, Result};
use serde_json::{Value, json};

use crate::app::App;
use crate::refusal::Problem;
use crate::request::Fields;
use crate::service::Service;

/// More columns than this nobody compares.
const MOST_COLUMNS: usize = 20;

/// A longer text is no column with cut points.
const LONGEST_COLUMN: usize = 1000;

/// What is asked of an audit.
#[derive(Debug, Clone)]
pub struct Request {
    /// Which rows of the table.
    pub rows: Rows,
    /// Only up to so many whom the model rejects.
    pub rejected: Option<usize>,
    /// The columns that people are grouped by, as they were written.
    pub by: Vec<String>,
    /// Whether the principal reasons of rejections are found.
    pub reasons: bool,
    /// Groups of fewer people are small.
    pub small_group: usize,
    /// The most time per applicant.
    pub time_limit: Duration,
}

/// Which rows of the table are audited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// Those that the model was not trained on.
    HeldOut,
    /// All.
    All,
}

/// Whom an audit is about.
pub struct People {
    /// Their records, rising.
    pub records: Vec<usize>,
    /// Their groups by each column.
    pub groups: Vec<Groups>,
    /// Who they are, in words.
    pub who: String,
}

impl Rows {
    /// Its name in requests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::HeldOut => "held-out",
            Self::All => "all",
        }
    }
}

impl Request {
    /// Reads what is asked among the fields of a body; what is wrong is added to them. `None` only where something is.
    pub fn read(fields: &mut Fields, app: &App) -> Option<Self> {
        let held_out = !app.service.held_out.is_empty();
        let rows = match fields.get("rows") {
            None if held_out => Rows::HeldOut,
            None => Rows::All,
            Some(value) => match value.as_str() {
                Some("all") => Rows::All,
                Some("held-out") if held_out => Rows::HeldOut,
                Some("held-out") => {
                    let remedy = "use `all`";
                    fields.add(Problem::new("no rows of the data are known as held out", remedy));
                    Rows::All
                }
                _ => {
                    fields.add_wrong("rows", value, "`held-out` or `all`");
                    Rows::All
                }
            },
        };
        let rejected = fields.whole("rejected", [1, usize::MAX]);
        let by = read_by(fields);
        let reasons = fields.flag("reasons", false);
        let small_group = fields.whole("small_group", [0, usize::MAX]).unwrap_or(SMALL_GROUP);
        let most = app.settings.time_limit;
        let seconds = fields.positive("time_limit", most.as_secs_f64());
        let limit = seconds.map_or(Ok(most), |seconds| time_limit(seconds, "time_limit"));
        let limit = limit.map_err(|_| {
            fields.add(Problem::new("`time_limit` is too short", "give at least a millisecond"));
        });
        Some(Self { rows, rejected, by: by?, reasons, small_group, time_limit: limit.ok()? })
    }

    /// Whom it is about. This reads the whole table.
    pub fn people(&self, service: &Service) -> Result<People> {
        let dataset = &service.dataset;
        let schema = &dataset.schema;
        let mut by = GroupBy::parse(&self.by, service.columns.names(), &schema.name, schema)?;
        let (mut records, who) = match self.rows {
            Rows::All => ((0..dataset.len()).collect(), "all rows"),
            Rows::HeldOut => (service.held_out.clone(), "the held-out rows"),
        };
        let mut who = format!("{who} of {}", schema.name);
        if let Some(most) = self.rejected {
            let rejected = |record: usize| !service.decisions[record].accepted;
            who.extend(stop_after_rejected(&mut records, most, rejected));
        }
        if records.is_empty() {
            return Err(InputError::new("there is nobody to audit")
                .remedy("choose more rows")
                .into());
        }
        service.columns.note(&mut by, dataset, &records);
        let groups = by.into_iter().map(|by| by.groups(schema)).collect::<Result<_>>()?;
        Ok(People { records, groups, who })
    }

    /// What is asked, as answers repeat it.
    pub fn json(&self) -> Value {
        json!({
            "rows": self.rows.name(),
            "rejected": self.rejected,
            "by": self.by,
            "reasons": self.reasons,
            "small_group": self.small_group,
            "time_limit": self.time_limit.as_secs_f64(),
        })
    }
}

fn read_by(fields: &mut Fields) -> Option<Vec<String>> {
    let Some(value) = fields.get("by") else { return Some(Vec::new()) };
    let text =
        |one: &Value| one.as_str().filter(|one| one.len() <= LONGEST_COLUMN).map(str::to_owned);
    let list = value.as_array().filter(|list| list.len() <= MOST_COLUMNS);
    let list: Option<Vec<String>> = list.and_then(|list| list.iter().map(text).collect());
    if list.is_none() {
        let wanted = "a list of at most 20 columns such as \"housing\" or \"age:30,50\"";
        fields.add_wrong("by", value, wanted);
    }
    list
}
