//! What the surrogate loses, and how often an answer did not hold.

use amends::model::{MeanDeviation, ModelKind};

use super::ReportContext;
use crate::record::{Ending, SolveRecord};
use crate::report::document::{Block, Table};
use crate::report::words::{NONE, mean_deviation, short};
use crate::summary::median;
use crate::task::{Data, Method, Objective, Problem, Task};

/// Costs that differ by more than this, relatively, are different.
const SAME: f64 = 1e-6;

pub fn blocks(context: &ReportContext) -> Vec<Block> {
    vec![
        Block::Text(
            "The papers minimise a surrogate because the true objective, Mahalanobis distance + lambda × 10-LOF among all \
             accepted rows, is out of reach for their programs. The search takes it as it is. The first table puts the \
             surrogate's plans on the true scale, in raw units and with the papers' lambda."
                .to_owned(),
        ),
        Block::Table(losses(context)),
        Block::Text(
            "No solver's answer is believed: each is decoded to a plan and judged from the applicant's numbers, and a claim of \
             optimality gets a second opinion from the search. An answer that fails is refuted and asked for again; the \
             second table counts them. Its last columns count what got past all that: they should be 0."
                .to_owned(),
        ),
        Block::Table(answers(context)),
    ]
}

/// The surrogate's plans under the true objective.
fn losses(context: &ReportContext) -> Table {
    let mut table = Table::new(
        "True cost = MD + lambda × 10-LOF, of the surrogate's optimal plan (N = 20) and of the true optimum for the same \
         applicants; mean ± deviation, both by the search.",
        2,
        &[
            "data",
            "model",
            "true cost, surrogate's plan",
            "true optimum",
            "loss",
            "median loss in %",
            "10-LOF, surrogate's plan",
            "10-LOF, true optimum",
            "worse",
            "seconds, true optimum",
        ],
    );
    for &data in &context.study.data {
        for &model in &context.study.models {
            table.rows.extend(loss(context, data, model));
        }
    }
    table
}

fn loss(context: &ReportContext, data: Data, model: ModelKind) -> Option<Vec<String>> {
    let lambda = context.study.lambda(data);
    let found = |objective, applicant| {
        let method = Method::Search;
        context.outcomes.solve(&Problem { data, model, objective, method, applicant })
    };
    let pairs: Vec<(&SolveRecord, &SolveRecord)> = (1..=context.study.applicants)
        .filter_map(|applicant| {
            let surrogate = found(context.study.table_objective(data), applicant)?;
            let truth = found(Objective::True { lambda }, applicant)?;
            let proven = surrogate.status == Ending::Optimal && truth.status == Ending::Optimal;
            proven.then_some((surrogate, truth))
        })
        .collect();
    let cost = |solve: &SolveRecord| Some(solve.md? + lambda * solve.lof?);
    let over = |pick: &dyn Fn(&SolveRecord, &SolveRecord) -> Option<f64>| {
        pairs.iter().filter_map(|(surrogate, truth)| pick(surrogate, truth)).collect::<Vec<f64>>()
    };
    let lost = over(&|surrogate, truth| {
        let best = cost(truth)?;
        Some(100.0 * (cost(surrogate)? - best) / best)
    });
    let mean = |numbers: Vec<f64>| mean_deviation(MeanDeviation::of(&numbers));
    if lost.is_empty() {
        return None;
    }
    let worse = lost.iter().filter(|&&percent| percent > 100.0 * SAME).count();
    Some(vec![
        data.title().to_owned(),
        short(model),
        mean(over(&|surrogate, _| cost(surrogate))),
        mean(over(&|_, truth| cost(truth))),
        mean(over(&|surrogate, truth| Some(cost(surrogate)? - cost(truth)?))),
        median(&lost).map_or_else(|| NONE.into(), |percent| format!("{percent:.0}")),
        mean(over(&|surrogate, _| surrogate.lof)),
        mean(over(&|_, truth| truth.lof)),
        format!("{worse} of {}", lost.len()),
        mean(over(&|_, truth| Some(truth.seconds))),
    ])
}

/// How often answers did not hold, by method.
fn answers(context: &ReportContext) -> Table {
    let mut table = Table::new(
        "Over all solves of this report.",
        1,
        &[
            "method",
            "solves",
            "proven optimal",
            "answers refuted",
            "solves with a refuted answer",
            "breakdowns",
            "plans that failed the last check",
            "optima that disagree with the search",
        ],
    );
    let tasks = context.study.tasks();
    for method in Method::ALL {
        let solves: Vec<(&Problem, &SolveRecord)> = tasks
            .iter()
            .filter_map(|task| match task {
                Task::Solve(problem) if problem.method == method => {
                    Some((problem, context.outcomes.solve(problem)?))
                }
                _ => None,
            })
            .filter(|(_, solve)| solve.status.was_run())
            .collect();
        if solves.is_empty() {
            continue;
        }
        let count = |test: &dyn Fn(&Problem, &SolveRecord) -> bool| {
            solves.iter().filter(|(problem, solve)| test(problem, solve)).count().to_string()
        };
        table.rows.push(vec![
            method.name().to_owned(),
            solves.len().to_string(),
            count(&|_, solve| solve.status == Ending::Optimal),
            solves.iter().map(|(_, solve)| solve.refuted).sum::<usize>().to_string(),
            count(&|_, solve| solve.refuted > 0),
            count(&|_, solve| solve.status == Ending::Broke),
            count(&|_, solve| solve.failed),
            count(&|problem, solve| disagrees(context, problem, solve)),
        ]);
    }
    table
}

/// Whether two methods claim different optima of one problem.
fn disagrees(context: &ReportContext, problem: &Problem, solve: &SolveRecord) -> bool {
    let searched = context.outcomes.solve(&Problem { method: Method::Search, ..*problem });
    let optimum = |solve: &SolveRecord| solve.cost.filter(|_| solve.status == Ending::Optimal);
    let Some((ours, theirs)) = searched.and_then(optimum).zip(optimum(solve)) else { return false };
    (ours - theirs).abs() > SAME * ours.abs().max(1e-3)
}
