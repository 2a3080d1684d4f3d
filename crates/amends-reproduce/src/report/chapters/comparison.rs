//! DACE against the costs that it was compared with, and what lambda trades.

use amends::model::ModelKind;

use super::ReportContext;
use crate::published::{DACE_SOURCE, dace_comparison};
use crate::report::document::{Block, Figure, Table};
use crate::report::plot::{Line, Mark, Plot};
use crate::report::words::{mean_deviation, number, short};
use crate::summary::Summary;
use crate::task::{Data, Method, Objective, Points};

pub fn blocks(context: &ReportContext) -> Vec<Block> {
    let mut table = Table::new(
        format!(
            "The same applicants under four costs; mean ± deviation. DACE's own: {DACE_SOURCE}."
        ),
        4,
        &[
            "data",
            "model",
            "cost",
            "solved by",
            "MD",
            "median MD",
            "10-LOF",
            "proven",
            "DACE's own: MD",
            "DACE's own: 10-LOF",
        ],
    );
    let mut trade_off = Table::new(
        "The surrogate with N = 20 under several weights of the outlier term; mean ± deviation.",
        3,
        &["data", "model", "lambda", "MD", "median MD", "10-LOF", "proven"],
    );
    let mut figures = Vec::new();
    for &data in &context.study.data {
        for &model in &context.study.models {
            let start = [data.title().to_owned(), short(model)];
            push_costs(&mut table, &start, context, (data, model));
            for lambda in context.study.lambdas() {
                let found = weighed(context, data, model, lambda);
                push(&mut trade_off, &[&start[..], &[lambda.to_string()]].concat(), &found, &[]);
            }
        }
        figures.extend(figure(context, data, Measure::Distance));
        figures.extend(figure(context, data, Measure::Outlier));
    }
    vec![
        Block::Text(
            "TLPS (log percentile shifts), MAD (differences in median absolute deviations) and PCC (squared differences \
             weighed by correlation with the outcome) add up over columns and have no outlier term; docs/mathematics.md \
             has their formulas. DACE is the cost of Table 2. Smaller is better in both columns; an ordinary application \
             has a 10-LOF of about 1. Costs that know no correlations may take a level that no rejected training row has: the \
             covariance there is its ridge of 1e-6, and the distance up to 1000, which is why medians are given too."
                .to_owned(),
        ),
        Block::Table(table),
        Block::Figures(figures),
        Block::Table(trade_off),
    ]
}

/// A row per cost, of one model on one data set.
fn push_costs(
    table: &mut Table,
    start: &[String],
    context: &ReportContext,
    (data, model): (Data, ModelKind),
) {
    let dace = ("DACE", context.study.table_objective(data));
    let others = ["TLPS", "MAD", "PCC"].into_iter().zip(Objective::SEPARABLE);
    for (name, objective) in others.chain([dace]) {
        let method = Method::Search;
        let found = Summary::of(&context.outcomes.solves(data, model, objective, method));
        let published = dace_comparison(data, model, objective.kind());
        let own = [
            mean_deviation(published.as_ref().map(|own| own.md)),
            mean_deviation(published.map(|own| own.lof)),
        ];
        let words = [name.to_owned(), method.name().to_owned()];
        push(table, &[start, &words].concat(), &found, &own);
    }
}

/// The surrogate's plans under a weight of the outlier term.
fn weighed(context: &ReportContext, data: Data, model: ModelKind, lambda: f64) -> Summary {
    let objective = Objective::Surrogate { points: Points::TABLE, lambda };
    Summary::of(&context.outcomes.solves(data, model, objective, Method::Search))
}

fn push(table: &mut Table, start: &[String], found: &Summary, end: &[String]) {
    if found.run > 0 {
        let mut row = start.to_vec();
        row.extend([
            mean_deviation(found.md),
            number(found.median_md),
            mean_deviation(found.lof),
            format!("{} of {}", found.proven, found.run),
        ]);
        row.extend_from_slice(end);
        table.rows.push(row);
    }
}

#[derive(Clone, Copy)]
enum Measure {
    Distance,
    Outlier,
}

fn figure(context: &ReportContext, data: Data, measure: Measure) -> Option<Figure> {
    let (name, words) = match measure {
        Measure::Distance => ("md", "mean Mahalanobis distance"),
        Measure::Outlier => ("lof", "mean 10-LOF"),
    };
    let lambdas = context.study.lambdas();
    let lines = context.study.models.iter().enumerate().map(|(style, &model)| {
        let marks = lambdas.iter().filter_map(|&lambda| {
            let found = weighed(context, data, model, lambda);
            let value = match measure {
                Measure::Distance => found.md,
                Measure::Outlier => found.lof,
            };
            Some(Mark { x: lambda.log10(), y: value?.mean, hollow: found.hit_limit > 0 })
        });
        Line { name: short(model), style, points: marks.collect() }
    });
    let title = format!("{}: {words} of the plans against lambda", data.title());
    let plot = Plot {
        x_label: "lambda, weight of the outlier term".to_owned(),
        y_label: words.to_owned(),
        ticks: lambdas.iter().map(|&lambda| (lambda.log10(), lambda.to_string())).collect(),
        log_y: false,
        lines: lines.filter(|line| !line.points.is_empty()).collect(),
        title: title.clone(),
    };
    Some(Figure {
        name: format!("lambda-{}-{name}", data.name()),
        svg: plot.svg()?,
        caption: format!("{title}. N = 20, search."),
    })
}
