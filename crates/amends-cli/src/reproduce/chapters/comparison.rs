//! DACE against the costs that it was compared with, and what lambda trades.

use amends::model::ModelKind;

use super::Story;
use crate::reproduce::document::{Block, Figure, Table};
use crate::reproduce::plot::{Line, Mark, Plot};
use crate::reproduce::summary::Summary;
use crate::reproduce::task::{Data, Method, Objective, Points};
use crate::reproduce::words::{mean_deviation, short};

pub fn blocks(story: &Story) -> Vec<Block> {
    let mut table = Table::new(
        "The same applicants under four costs, all solved by the search; mean ± deviation.",
        3,
        &["data", "model", "cost", "MD", "10-LOF", "proven"],
    );
    let mut trade_off = Table::new(
        "The surrogate with N = 20 under several weights of the outlier term; mean ± deviation.",
        2,
        &["data", "model", "lambda", "MD", "10-LOF", "proven"],
    );
    let mut figures = Vec::new();
    for &data in &story.study.data {
        for &model in &story.study.models {
            let start = [data.title().to_owned(), short(model).to_owned()];
            let dace = ("DACE", story.study.table_objective(data));
            let others = ["TLPS", "MAD", "PCC"].into_iter().zip(Objective::SEPARABLE);
            for (name, objective) in others.chain([dace]) {
                let found = summary(story, data, model, objective);
                push(&mut table, &start, name.to_owned(), &found);
            }
            for lambda in story.study.lambdas() {
                let found = summary(story, data, model, weighed(lambda));
                push(&mut trade_off, &start, lambda.to_string(), &found);
            }
        }
        figures.extend(figure(story, data, Measure::Distance));
        figures.extend(figure(story, data, Measure::Outlier));
    }
    vec![
        Block::Text(
            "TLPS (log percentile shifts), MAD (differences in median absolute deviations) and PCC (squared differences \
             weighed by correlation with the outcome) add up over columns and have no outlier term; docs/mathematics.md \
             has their formulas. DACE is the cost of Table 2. Smaller is better in both columns; an ordinary application \
             has a 10-LOF of about 1."
                .to_owned(),
        ),
        Block::Table(table),
        Block::Figures(figures),
        Block::Table(trade_off),
    ]
}

fn weighed(lambda: f64) -> Objective {
    Objective::Surrogate { points: Points::TABLE, lambda }
}

fn summary(story: &Story, data: Data, model: ModelKind, objective: Objective) -> Summary {
    Summary::of(&story.outcomes.solves(data, model, objective, Method::Search))
}

fn push(table: &mut Table, start: &[String; 2], name: String, found: &Summary) {
    if found.run > 0 {
        let mut row = start.to_vec();
        row.extend([
            name,
            mean_deviation(found.md),
            mean_deviation(found.lof),
            format!("{} of {}", found.proven, found.run),
        ]);
        table.rows.push(row);
    }
}

#[derive(Clone, Copy)]
enum Measure {
    Distance,
    Outlier,
}

fn figure(story: &Story, data: Data, measure: Measure) -> Option<Figure> {
    let (name, words) = match measure {
        Measure::Distance => ("md", "mean Mahalanobis distance"),
        Measure::Outlier => ("lof", "mean 10-LOF"),
    };
    let lambdas = story.study.lambdas();
    let lines = story.study.models.iter().enumerate().map(|(style, &model)| {
        let marks = lambdas.iter().filter_map(|&lambda| {
            let found = summary(story, data, model, weighed(lambda));
            let value = match measure {
                Measure::Distance => found.md,
                Measure::Outlier => found.lof,
            };
            Some(Mark { x: lambda.log10(), y: value?.mean, hollow: found.hit_limit > 0 })
        });
        Line { name: short(model).to_owned(), style, points: marks.collect() }
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
