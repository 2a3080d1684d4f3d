//! From the command line as typed to checked settings.

use std::str::FromStr;
use std::time::Duration;

use amends::answer::Ask;
use amends::data::Schema;
use amends::engine::{Engine, SolveSettings, time_limit};
use amends::explain::{CostChoices, CountOrAll, ExplainSettings, Goal, OutlierKind};
use amends::import::ImportSettings;
use amends::milp::{CommandSolver, default_solver, solver_by_name};
use amends::model::{Origin, TrainSettings};
use amends::plans::{Apart, SeveralSettings};
use amends::plausibility::Metric;
use amends::{InputError, Result};

use crate::args::{
    CostArgs, EngineArgs, EngineName, ModelArgs, SeveralArgs, TrainingArgs, WishArgs,
};

/// A choice by name, with the option in the message where the name is unknown.
pub fn choice<T: FromStr<Err = amends::Error>>(option: &str, name: &str) -> Result<T> {
    name.parse().map_err(|error: amends::Error| error.in_file(option))
}

pub fn train_settings(args: &TrainingArgs, seed: u64) -> Result<TrainSettings> {
    let settings = TrainSettings {
        seed,
        c: args.c,
        svm_loss: choice("--svm-loss", &args.svm_loss)?,
        trees: args.trees,
        depth: args.depth,
        learning_rate: args.learning_rate,
    };
    settings.check()?;
    Ok(settings)
}

pub fn import_settings(args: &ModelArgs) -> Result<ImportSettings> {
    Ok(ImportSettings {
        class_one: args.class_one.clone(),
        codes: choice("--codes-as", &args.codes_as)?,
    })
}

pub fn explain_settings(args: &CostArgs, schema: &Schema) -> Result<ExplainSettings> {
    let choices = CostChoices {
        preset: Some(args.preset.clone()),
        distance: args.distance.clone(),
        factor: args.factor.clone(),
        outlier: args.outlier.clone(),
        metric: args.metric.clone(),
        k: args.k,
        distinct: args.distinct,
        prototypes: args.prototypes.clone().map(CountOrAll::Text),
        options: args.options.clone().map(CountOrAll::Text),
        standardise: args.standardise,
        lambda: args.lambda,
        max_changes: args.max_changes,
    };
    choices.check(&schema.name, |choice| format!("--{choice}"))
}

/// What plans have to reach, for a model of some origin.
pub fn goal(args: &WishArgs, origin: &Origin) -> Result<Goal> {
    let score = match (args.target_score, args.target_probability) {
        (Some(score), _) => score,
        (None, Some(probability)) => origin.score_to_reach(
            probability,
            "--target-probability",
            "give a score with --target-score",
        )?,
        (None, None) => 0.0,
    };
    Ok(Goal { score, margin: args.margin, step_to_spare: args.margin_step })
}

/// What is asked of every applicant.
pub fn ask(args: &SeveralArgs, no_reasons: bool) -> Result<Ask> {
    let ask = match (args.plans, args.pareto) {
        (Some(count), _) => {
            let apart = args.apart.map_or(Apart::Sets, Apart::Features);
            Ask::several(SeveralSettings { count, apart })?
        }
        (None, Some(at_most)) => Ask::front(at_most, args.resolution)?,
        (None, None) => Ask::best(),
    };
    Ok(ask.with_reasons(!no_reasons))
}

pub fn engine(args: &EngineArgs) -> Result<Engine> {
    let formulation = choice("--formulation", &args.formulation)?;
    if args.engine == EngineName::Search && (args.solver.is_some() || args.solver_command.is_some())
    {
        eprintln!("note: a solver is only used with --engine milp");
    }
    let engine = match args.engine {
        EngineName::Search => Engine::Search,
        EngineName::Milp => Engine::Milp {
            formulation,
            solver: match (&args.solver_command, &args.solver) {
                (Some(command), _) => Box::new(CommandSolver::new(command)?),
                (None, Some(name)) => solver_by_name(name)?,
                (None, None) => default_solver(),
            },
        },
    };
    engine.check(&solve_settings(args)?)?;
    Ok(engine)
}

/// Refuses a cost that no linear program can express, before an applicant meets it.
pub fn check_linear(engine: &Engine, costs: &ExplainSettings) -> Result<()> {
    let linear_distance = costs.distance.is_linear();
    let linear_outlier = match costs.outlier {
        OutlierKind::None => true,
        OutlierKind::Surrogate => costs.metric != Metric::Euclidean,
        OutlierKind::Lof => false,
    };
    if matches!(engine, Engine::Search) || (linear_distance && linear_outlier) {
        return Ok(());
    }
    Err(InputError::new(format!(
        "can't express this cost ({} distance, outlier term {}, {} metric) in linear rows",
        costs.distance.name(),
        costs.outlier.name(),
        costs.metric.name()
    ))
    .at("--engine")
    .value("milp")
    .remedy("add --preset paper or --preset dace, or leave the engine to search")
    .into())
}

pub fn solve_settings(args: &EngineArgs) -> Result<SolveSettings> {
    let settings = SolveSettings {
        time_limit: args.time_limit.map(seconds).transpose()?,
        relative_gap: args.gap,
        threads: args.threads.unwrap_or_else(cores),
    };
    settings.check()?;
    Ok(settings)
}

pub fn seconds(limit: f64) -> Result<Duration> {
    time_limit(limit, "--time-limit")
}

pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
