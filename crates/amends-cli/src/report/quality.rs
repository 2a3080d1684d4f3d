//! The figures of a classifier.

use amends::model::{MeanDeviation, ModelKind, Quality, QualitySummary};
use comfy_table::{CellAlignment, Table, presets};

pub fn quality_line(quality: &Quality) -> String {
    format!(
        "accuracy {:.1} %, precision {:.1} %, recall {:.1} %, F1 {:.1} %",
        100.0 * quality.accuracy,
        100.0 * quality.precision,
        100.0 * quality.recall,
        100.0 * quality.f1
    )
}

pub fn quality_table(summaries: &[(ModelKind, QualitySummary)]) -> String {
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
