//! How good the models are.

use amends::model::{MeanDeviation, QualitySummary};

use super::ReportContext;
use crate::published::{Table1, scikit_learn_accuracy, table_1};
use crate::report::document::{Block, Table};
use crate::report::words::{NONE, percent, short};

pub fn blocks(context: &ReportContext) -> Vec<Block> {
    let mut table = Table::new(
        "Held-out rows of seeded 75:25 splits, mean ± deviation over the splits in %; favourable is the positive class.",
        2,
        &[
            "data",
            "model",
            "splits",
            "accuracy",
            "precision",
            "recall",
            "F1",
            "paper: accuracy, precision, recall, F1",
            "scikit-learn 1.9: accuracy",
        ],
    );
    for &data in &context.study.data {
        for &model in &context.study.models {
            let measured = context.outcomes.quality(data, model);
            let Some(summary) = QualitySummary::of(&measured) else { continue };
            let mut row = vec![data.title().to_owned(), short(model), measured.len().to_string()];
            row.extend(
                summary.named().iter().map(|&(_, value): &(_, MeanDeviation)| percent(value)),
            );
            row.push(table_1(data, model).map_or_else(|| "not available".to_owned(), published));
            let known = scikit_learn_accuracy(data, model);
            row.push(known.map_or_else(|| NONE.to_owned(), |known| format!("{known:.1}")));
            table.rows.push(row);
        }
    }
    vec![
        Block::Table(table),
        Block::Text(
            "The paper's Table 1 was not available when this was written, so its column is empty rather than guessed; \
             the accuracies of scikit-learn, over ten splits of its own, are there for orientation."
                .to_owned(),
        ),
    ]
}

fn published(row: &Table1) -> String {
    format!("{:.1}, {:.1}, {:.1}, {:.1}", row.accuracy, row.precision, row.recall, row.f1)
}
