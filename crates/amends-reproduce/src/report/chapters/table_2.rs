//! Plans with N = 20, by every method.

use amends::model::ModelKind;

use super::ReportContext;
use crate::published::{TABLE_2_SOURCE, table_2};
use crate::report::document::{Block, Table};
use crate::report::words::{NONE, mean_deviation, number, seconds, seconds_deviation, short};
use crate::summary::Summary;
use crate::task::{Data, Method, Problem};

pub fn blocks(context: &ReportContext) -> Vec<Block> {
    let mut table = Table::new(
        format!(
            "Mean ± deviation over the applicants. MD, 10-LOF and seconds of the best plan found, proven or not; \"times the search\" compares the seconds on the same applicants, > where some hit the limit. The paper's: {TABLE_2_SOURCE}."
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
            "times the search",
            "proven",
            "hit the limit",
            "paper: MD",
            "paper: 10-LOF",
            "paper: seconds",
        ],
    );
    for &data in &context.study.data {
        for &model in &context.study.models {
            let rows = Method::ALL.into_iter();
            table.rows.extend(rows.filter_map(|method| row(context, data, model, method)));
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

/// The figures of a method; none where it was not run.
fn row(
    context: &ReportContext,
    data: Data,
    model: ModelKind,
    method: Method,
) -> Option<Vec<String>> {
    let objective = context.study.table_objective(data);
    let summary = Summary::of(&context.outcomes.solves(data, model, objective, method));
    let paper = table_2(data, model);
    (summary.run > 0).then(|| {
        vec![
            data.title().to_owned(),
            short(model),
            method.name().to_owned(),
            mean_deviation(summary.md),
            mean_deviation(summary.lof),
            seconds_deviation(summary.seconds),
            seconds(summary.median_seconds),
            ratio(context, data, model, method),
            format!("{} of {}", summary.proven, summary.run),
            summary.hit_limit.to_string(),
            number(paper.map(|row| row.md)),
            number(paper.map(|row| row.lof)),
            seconds(paper.and_then(|row| row.seconds(method))),
        ]
    })
}

/// How many times as long a method takes as the search, on the applicants that both were asked about.
fn ratio(context: &ReportContext, data: Data, model: ModelKind, method: Method) -> String {
    let objective = context.study.table_objective(data);
    let time = |method, applicant| {
        let problem = Problem { data, model, objective, method, applicant };
        context.outcomes.solve(&problem).filter(|solve| solve.status.was_run())
    };
    let both: Vec<_> = (1..=context.study.applicants)
        .filter_map(|applicant| time(method, applicant).zip(time(Method::Search, applicant)))
        .collect();
    let (theirs, ours) = both
        .iter()
        .fold((0.0, 0.0), |(theirs, ours), (them, us)| (theirs + them.seconds, ours + us.seconds));
    if method == Method::Search || ours <= 0.0 {
        return NONE.to_owned();
    }
    let more = if both.iter().any(|(them, _)| them.status.hit_limit()) { "> " } else { "" };
    format!("{more}{:.0}", theirs / ours)
}
