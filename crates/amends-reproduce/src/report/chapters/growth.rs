//! Running time against the number of reference points.

use amends::model::ModelKind;

use super::ReportContext;
use crate::report::document::{Block, Figure, Table};
use crate::report::plot::{Line, Mark, Plot};
use crate::report::words::{NONE, seconds, short};
use crate::summary::Summary;
use crate::task::{Data, Method, Objective, Points};

/// The models of the paper's figures.
const MODELS: [ModelKind; 2] = [ModelKind::LogisticRegression, ModelKind::LinearSvm];

/// Shorter than any solve, so that a time of 0 can be drawn on a logarithmic scale.
const SHORTEST: f64 = 1e-4;

pub fn blocks(context: &ReportContext) -> Vec<Block> {
    let mut header = vec!["data", "model", "method"];
    let columns: Vec<String> = context.study.points.iter().map(|n| format!("N = {n}")).collect();
    header.extend(columns.iter().map(String::as_str));
    let mut table = Table::new(
        "Mean seconds over the applicants; * marks means in which some solves hit the time limit (a lower bound then).",
        3,
        &header,
    );
    let mut figures = Vec::new();
    for &data in &context.study.data {
        for model in MODELS.into_iter().filter(|model| context.study.models.contains(model)) {
            for method in Method::ALL {
                let cells: Vec<String> = context
                    .study
                    .points
                    .iter()
                    .map(|&n| cell(context, data, model, method, n))
                    .collect();
                if cells.iter().any(|cell| cell != NONE) {
                    let mut row =
                        vec![data.title().to_owned(), short(model), method.name().to_owned()];
                    row.extend(cells);
                    table.rows.push(row);
                }
            }
            figures.extend(figure(context, data, model));
        }
    }
    vec![
        Block::Text(
            "One line per method, on logarithmic scales. Hollow marks: at least one applicant's solve ended at the time limit, so \
             the true mean is higher. A program that would not fit into memory is not drawn."
                .to_owned(),
        ),
        Block::Figures(figures),
        Block::Table(table),
    ]
}

fn summary(
    context: &ReportContext,
    data: Data,
    model: ModelKind,
    method: Method,
    points: Points,
) -> Summary {
    let objective = Objective::Surrogate { points, lambda: context.study.lambda(data) };
    Summary::of(&context.outcomes.solves(data, model, objective, method))
}

fn cell(
    context: &ReportContext,
    data: Data,
    model: ModelKind,
    method: Method,
    points: Points,
) -> String {
    let summary = summary(context, data, model, method, points);
    if summary.run == 0 {
        return if summary.too_large > 0 { "too large".to_owned() } else { NONE.to_owned() };
    }
    let star = if summary.hit_limit > 0 { "*" } else { "" };
    seconds(summary.seconds.map(|seconds| seconds.mean)) + star
}

fn figure(context: &ReportContext, data: Data, model: ModelKind) -> Option<Figure> {
    let count = |points: Points| match points {
        Points::Some(count) => count,
        Points::All => context.accepted(data).unwrap_or(1),
    };
    let mut points = context.study.points.clone();
    points.sort_by_key(|&n| count(n));
    let at = |n: Points| (count(n) as f64).log10();
    let label = |n: Points| match n {
        Points::Some(count) => count.to_string(),
        Points::All => format!("all ({})", count(n)),
    };
    let lines = Method::ALL.into_iter().enumerate().map(|(style, method)| {
        let marks = points.iter().filter_map(|&n| {
            let summary = summary(context, data, model, method, n);
            let mean = summary.seconds?.mean;
            Some(Mark { x: at(n), y: mean.max(SHORTEST), hollow: summary.hit_limit > 0 })
        });
        Line { name: method.name().to_owned(), style, points: marks.collect() }
    });
    let title = format!("{}, {}: mean seconds per plan against N", data.title(), model);
    let plot = Plot {
        x_label: "N, reference points".to_owned(),
        y_label: "seconds".to_owned(),
        ticks: points.iter().map(|&n| (at(n), label(n))).collect(),
        log_y: true,
        lines: lines.filter(|line| !line.points.is_empty()).collect(),
        title: title.clone(),
    };
    Some(Figure {
        name: format!("time-{}-{}", data.name(), model.short_name()),
        svg: plot.svg()?,
        caption: format!("{title}. Hollow: some solves hit the time limit."),
    })
}
