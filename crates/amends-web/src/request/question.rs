//! What several routes are asked: about an applicant, with wishes, for so long.

use std::time::Duration;

use amends::data::Record;
use amends::engine::time_limit;

use super::fields::whole;
use super::{Fields, WishList, read_application};
use crate::app::App;
use crate::refusal::{Problem, Refusal};

/// An applicant, their wishes, and how long they wait.
pub struct Question {
    /// The application.
    pub applicant: Record,
    /// Its row in the table, where it is one of those.
    pub row: Option<usize>,
    /// What plans must respect beside the schema.
    pub list: WishList,
    /// How long solving may take, all of it.
    pub time_limit: Duration,
}

impl Question {
    /// Reads the parts of a question among the fields of a body; what is wrong is added to what is wrong with the others.
    /// `None` only where something is.
    pub fn read(fields: &mut Fields, app: &App) -> Option<Self> {
        let applicant = read_applicant(fields, app);
        let row = fields.get("row").and_then(whole);
        let list = match fields.object("wishes").map(|wishes| WishList::read(wishes, &app.service))
        {
            None => Some(WishList::default()),
            Some(Ok(list)) => Some(list),
            Some(Err(problems)) => {
                fields.add_all(problems);
                None
            }
        };
        let most = app.settings.time_limit;
        let seconds = fields.positive("time_limit", most.as_secs_f64());
        let time_limit = seconds.map_or(Ok(most), |seconds| time_limit(seconds, "time_limit"));
        let time_limit = time_limit.map_err(|_| {
            fields.add(Problem::new("`time_limit` is too short", "give at least a millisecond"));
        });
        Some(Self { applicant: applicant?, row, list: list?, time_limit: time_limit.ok()? })
    }

    /// Reads a body that is a question and nothing else.
    pub fn read_alone(mut fields: Fields, app: &App) -> Result<Self, Refusal> {
        let question = Self::read(&mut fields, app);
        fields.finish()?;
        question.ok_or_else(Refusal::broken)
    }
}

/// The application itself, or that of a row.
fn read_applicant(fields: &mut Fields, app: &App) -> Option<Record> {
    let application = fields.object("application");
    let row = fields.get("row");
    match (application, row) {
        (Some(application), None) => {
            match read_application(application, app.service.explainer.schema()) {
                Ok(record) => Some(record),
                Err(problems) => {
                    fields.add_all(problems);
                    None
                }
            }
        }
        (None, Some(row)) => {
            let record = whole(row).and_then(|number| app.service.row(number));
            if record.is_none() {
                fields.add_wrong("row", row, "the number of a row of the data, counted from 1");
            }
            record.map(|(_, record)| record.clone())
        }
        (Some(_), Some(_)) => {
            fields.add(Problem::new(
                "both `application` and `row` are given",
                "leave one of them out",
            ));
            None
        }
        (None, None) => {
            let remedy = "give `application` with a value per feature, or the number of a `row`";
            fields.add(Problem::new("there is no applicant", remedy));
            None
        }
    }
}
