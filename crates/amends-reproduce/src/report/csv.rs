//! Everything that was measured as tidy tables: one row per solve, one row per training.

use std::io::Write;

use crate::record::Measured;
use crate::study::Study;
use crate::summary::Outcomes;
use crate::task::Task;

const SOLVES: [&str; 23] = [
    "data",
    "model",
    "objective",
    "points",
    "lambda",
    "method",
    "solver",
    "applicant",
    "row",
    "status",
    "seconds",
    "limit",
    "cost",
    "bound",
    "mahalanobis",
    "lof_10",
    "changes",
    "rows",
    "columns",
    "nonzeros",
    "refuted",
    "failed",
    "remark",
];

/// One row per solve.
pub fn solves(study: &Study, outcomes: &Outcomes, out: impl Write) -> csv::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(SOLVES)?;
    for task in study.tasks() {
        let Task::Solve(problem) = &task else { continue };
        let Some(solve) = outcomes.solve(problem) else { continue };
        let number = |value: Option<f64>| value.map_or_else(String::new, |v| v.to_string());
        let count = |value: Option<usize>| value.map_or_else(String::new, |v| v.to_string());
        let size = |index: usize| count(solve.size.map(|size| size[index]));
        csv.write_record([
            problem.data.name().to_owned(),
            problem.model.short_name().to_owned(),
            problem.objective.kind().to_owned(),
            problem.objective.points().map_or_else(String::new, |points| points.to_string()),
            number(problem.objective.lambda()),
            problem.method.name().to_owned(),
            solve.solver.clone().unwrap_or_default(),
            problem.applicant.to_string(),
            solve.row.to_string(),
            solve.status.name().to_owned(),
            solve.seconds.to_string(),
            solve.limit.to_string(),
            number(solve.cost),
            number(solve.bound),
            number(solve.md),
            number(solve.lof),
            count(solve.changes),
            size(0),
            size(1),
            size(2),
            solve.refuted.to_string(),
            solve.failed.to_string(),
            solve.remark.clone().unwrap_or_default(),
        ])?;
    }
    csv.flush()?;
    Ok(())
}

/// One row per training.
pub fn quality(
    study: &Study,
    records: &std::collections::HashMap<String, crate::record::Record>,
    out: impl Write,
) -> csv::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["data", "model", "split", "accuracy", "precision", "recall", "f1"])?;
    for task in study.tasks() {
        let Task::Quality { data, model, split } = task else { continue };
        let Some(record) = records.get(&task.key()) else { continue };
        let Measured::Quality(quality) = record.measured else { continue };
        csv.write_record([
            data.name().to_owned(),
            model.short_name().to_owned(),
            split.to_string(),
            quality.accuracy.to_string(),
            or_empty(quality.precision),
            or_empty(quality.recall),
            or_empty(quality.f1),
        ])?;
    }
    csv.flush()?;
    Ok(())
}

/// A figure, or an empty cell where it is undefined.
fn or_empty(figure: Option<f64>) -> String {
    figure.map_or_else(String::new, |figure| figure.to_string())
}
