//! Plans with N = 20, by every method.

use super::Story;
use crate::reproduce::document::{Block, Table};
use crate::reproduce::published::{TABLE_2_SOURCE, table_2};
use crate::reproduce::summary::Summary;
use crate::reproduce::task::Method;
use crate::reproduce::words::{mean_deviation, number, seconds, seconds_deviation, short};

pub fn blocks(story: &Story) -> Vec<Block> {
    let mut table = Table::new(
        format!(
            "Mean ± deviation over the applicants. MD, 10-LOF and seconds of the best plan found, proven or not. The paper's: {TABLE_2_SOURCE}."
        ),
        3,
        &[
            "data",
            "model",
            "method",
            "MD",
            "10-LOF",
            "seconds",
            "median s",
            "proven",
            "hit the limit",
            "paper: MD",
            "paper: 10-LOF",
            "paper: seconds",
        ],
    );
    for &data in &story.study.data {
        for &model in &story.study.models {
            for method in Method::ALL {
                let solves =
                    story.outcomes.solves(data, model, story.study.table_objective(data), method);
                let summary = Summary::of(&solves);
                if summary.run == 0 {
                    continue;
                }
                let paper = table_2(data, model);
                table.rows.push(vec![
                    data.title().to_owned(),
                    short(model).to_owned(),
                    method.name().to_owned(),
                    mean_deviation(summary.md),
                    mean_deviation(summary.lof),
                    seconds_deviation(summary.seconds),
                    seconds(summary.median_seconds),
                    format!("{} of {}", summary.proven, summary.run),
                    summary.hit_limit.to_string(),
                    number(paper.map(|row| row.md)),
                    number(paper.map(|row| row.lof)),
                    seconds(paper.and_then(|row| row.seconds(method))),
                ]);
            }
        }
    }
    vec![
        Block::Text(
            "The paper compares DACE's program (pairwise, N² rows) with its own (reduced, 2N rows); both have the same \
             optimum. Compact is our own program, search our exact engine. Settings that the paper leaves open are the \
             preset's, named above."
                .to_owned(),
        ),
        Block::Table(table),
    ]
}
