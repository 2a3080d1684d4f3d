//! The quality of models over several splits.

use std::io::Write;

use amends::data::Dataset;
use amends::model::{MeanDeviation, ModelKind, QualitySummary};
use amends_run::output::Output;
use comfy_table::{CellAlignment, Table, presets};
use serde_json::json;

use super::args::EvaluateCommand;
use crate::args::Format;
use crate::report::evaluation_provenance;

/// Writes every model's figures to standard output.
pub fn print(
    command: &EvaluateCommand,
    dataset: &Dataset,
    summaries: &[(ModelKind, QualitySummary)],
) -> anyhow::Result<()> {
    let mut out = Output::standard();
    match command.format {
        Format::Text => {
            writeln!(
                out,
                "{}: {} rows, {} splits of {:.0}:{:.0}, favourable is `{}`",
                dataset.schema.name,
                dataset.len(),
                command.splits,
                100.0 * (1.0 - command.data.test_share),
                100.0 * command.data.test_share,
                dataset.schema.target.favourable
            )?;
            writeln!(out, "{}", table(summaries))?;
        }
        Format::Json => {
            let provenance = evaluation_provenance(&command.data, command.splits, dataset)?;
            for (kind, summary) in summaries {
                let object = json!({
                    "model": kind.short_name(),
                    "quality": summary,
                    "provenance": provenance,
                });
                writeln!(out, "{object}")?;
            }
        }
        Format::Csv => {
            writeln!(out, "model,measure,mean,deviation")?;
            for (kind, summary) in summaries {
                let kind = kind.short_name();
                for (measure, MeanDeviation { mean, deviation }) in summary.named() {
                    writeln!(out, "{kind},{measure},{mean},{deviation}")?;
                }
            }
        }
    }
    out.finish()?;
    Ok(())
}

fn table(summaries: &[(ModelKind, QualitySummary)]) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["model", "accuracy %", "precision %", "recall %", "F1 %"]);
    let cell = |value: &MeanDeviation| {
        format!("{:.1} ± {:.1}", 100.0 * value.mean, 100.0 * value.deviation)
    };
    for (kind, summary) in summaries {
        let mut row = vec![kind.to_string()];
        row.extend(summary.named().iter().map(|(_, value)| cell(value)));
        table.add_row(row);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}
