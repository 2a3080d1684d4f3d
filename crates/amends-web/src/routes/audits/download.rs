//! The files of an audit.

use std::sync::Arc;

use amends::Result;
use amends_report::{
    audit_page, error_cells, groups_csv, row_cells, row_columns, rows_csv, rows_json_lines,
    summary_json,
};
use axum::extract::State;
use axum::response::Response;

use crate::app::App;
use crate::audits::{Answered, Job};
use crate::refusal::Refusal;
use crate::request::{PathText, Query};
use crate::routes::file::file;
use crate::service::Service;

/// What is downloaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Json,
    Csv,
    Html,
    RowsCsv,
    RowsJsonLines,
}

const FORMATS: [(&str, Format); 5] = [
    ("json", Format::Json),
    ("csv", Format::Csv),
    ("html", Format::Html),
    ("rows.csv", Format::RowsCsv),
    ("rows.jsonl", Format::RowsJsonLines),
];

/// `GET /audits/{id}/download`
pub async fn download(
    State(app): State<App>,
    PathText(id): PathText,
    mut query: Query,
) -> Result<Response, Refusal> {
    let job = app.audits.get(&id)?;
    let format = query.one_of("format", &FORMATS, Format::Json);
    query.finish()?;
    // Files of many rows are large: as many are written at the same time as solves run.
    let solves = Arc::clone(&app.solves);
    let text = solves.run(move |_| written(&job, format, &app.service)).await??;
    let (kind, name) = match format {
        Format::Json => ("application/json", "audit.json"),
        Format::Csv => ("text/csv; charset=utf-8", "audit.csv"),
        Format::Html => ("text/html; charset=utf-8", "audit.html"),
        Format::RowsCsv => ("text/csv; charset=utf-8", "rows.csv"),
        Format::RowsJsonLines => ("application/x-ndjson", "rows.jsonl"),
    };
    Ok(file(text, kind, name))
}

fn written(job: &Job, format: Format, service: &Service) -> Result<String> {
    match format {
        Format::Json => job.reported(service, summary_json).map(|json| format!("{json}\n")),
        Format::Csv => job.reported(service, groups_csv),
        Format::Html => job.reported(service, |audit| Ok(audit_page(audit))),
        Format::RowsCsv => rows_csv(&row_columns(&job.columns()), rows(job, service)),
        Format::RowsJsonLines => {
            Ok(rows_json_lines(&row_columns(&job.columns()), rows(job, service)))
        }
    }
}

/// The applicants who are answered, in rows.
fn rows(job: &Job, service: &Service) -> impl Iterator<Item = Vec<String>> {
    let columns = job.columns();
    let (_, answers) = job.choose(|_, _| true, 0, usize::MAX);
    answers.into_iter().map(move |(position, answer)| match answer {
        Answered::Row(row) => row_cells(&job.with_groups(position, &row), &columns),
        Answered::Error(message) => {
            let record = job.people.records[position];
            error_cells(service.dataset.row_numbers[record], &message, &columns)
        }
    })
}
