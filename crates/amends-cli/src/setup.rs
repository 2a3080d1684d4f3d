//! From the command line as typed to checked settings.

use std::str::FromStr;
use std::time::Duration;

use amends::answer::Ask;
use amends::data::Schema;
use amends::engine::{Engine, SolveSettings};
use amends::explain::{ExplainSettings, Goal, OutlierKind, Preset};
use amends::import::ImportSettings;
use amends::milp::{CommandSolver, default_solver, solver_by_name};
use amends::model::{Origin, TrainSettings};
use amends::plans::{Apart, SeveralSettings};
use amends::plausibility::Metric;
use amends::{InputError, Result};

use crate::args::{
    CostArgs, EngineArgs, EngineName, ModelArgs, SeveralArgs, TrainingArgs, WishArgs,
};

/// Longer limits than this, some thirty years, are none; clocks overflow on them.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);

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
    let preset: Preset = choice("--preset", &args.preset)?;
    let mut settings = ExplainSettings::preset(preset, &schema.name);
    if let Some(distance) = &args.distance {
        settings.distance = choice("--distance", distance)?;
    }
    if let Some(factor) = &args.factor {
        settings.factor = choice("--factor", factor)?;
    }
    if let Some(outlier) = &args.outlier {
        settings.outlier = choice("--outlier", outlier)?;
    }
    if let Some(metric) = &args.metric {
        settings.metric = choice("--metric", metric)?;
    }
    if let Some(prototypes) = &args.prototypes {
        settings.prototypes = number_or_all("--prototypes", "prototypes", prototypes)?;
    }
    if let Some(options) = &args.options {
        settings.option_limit = number_or_all("--options", "values", options)?;
    }
    settings.k = args.k.unwrap_or(settings.k);
    settings.distinct = args.distinct.unwrap_or(settings.distinct);
    settings.standardise = args.standardise.unwrap_or(settings.standardise);
    settings.lambda = args.lambda.unwrap_or(settings.lambda);
    settings.max_changes = args.max_changes.unwrap_or(settings.max_changes);
    settings.check()?;
    Ok(settings)
}

/// A count, or none where all are meant.
fn number_or_all(option: &str, what: &str, text: &str) -> Result<Option<usize>> {
    if text == "all" {
        return Ok(None);
    }
    let number = text.parse().map_err(|_| {
        InputError::new(format!("is no number of {what}"))
            .at(option)
            .value(text)
            .remedy("give a whole number, or all")
    });
    Ok(Some(number?))
}

/// What plans have to reach, for a model of some origin.
pub fn goal(args: &WishArgs, origin: &Origin) -> Result<Goal> {
    let score = match (args.target_score, args.target_probability) {
        (Some(score), _) => score,
        (None, None) => 0.0,
        (None, Some(probability)) => {
            let wrong = |problem: &str, remedy: &str| {
                InputError::new(problem)
                    .at("--target-probability")
                    .value(probability)
                    .remedy(remedy)
            };
            if !(probability > 0.0 && probability < 1.0) {
                return Err(wrong(
                    "is no probability to aim at",
                    "give a number between 0 and 1, such as 0.7",
                )
                .into());
            }
            origin.link().score_of(probability).ok_or_else(|| {
                wrong(
                    &format!("can't be told from a {origin}, whose scores are no probabilities"),
                    "give a score with --target-score",
                )
            })?
        }
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
    Ok(match args.engine {
        EngineName::Search => Engine::Search,
        EngineName::Milp => Engine::Milp {
            formulation,
            solver: match (&args.solver_command, &args.solver) {
                (Some(command), _) => Box::new(CommandSolver::new(command)?),
                (None, Some(name)) => solver_by_name(name)?,
                (None, None) => default_solver(),
            },
        },
    })
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
        any_plan: false,
    };
    settings.check()?;
    Ok(settings)
}

pub fn seconds(limit: f64) -> Result<Duration> {
    let usable = Duration::try_from_secs_f64(limit).ok().filter(|limit| !limit.is_zero());
    usable.map(|limit| limit.min(LONGEST)).ok_or_else(|| {
        InputError::new("is no time to solve in")
            .at("--time-limit")
            .value(limit)
            .remedy("give seconds above 0, or leave it out for no limit")
            .into()
    })
}

pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
