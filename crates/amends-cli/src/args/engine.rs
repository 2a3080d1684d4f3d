//! How to solve.

use amends::engine::{Engine, SolveSettings};
use amends::explain::{ExplainSettings, OutlierKind};
use amends::milp::{CommandSolver, default_solver, solver_by_name};
use amends::plausibility::Metric;
use amends::{InputError, Result};
use clap::{Args, ValueEnum};

use super::{choice, number, seconds, whole};
use crate::applicants::Applicants;
use crate::batch::Batch;

#[derive(Debug, Args)]
#[command(next_help_heading = "Engine")]
pub struct EngineArgs {
    /// search (ours, exact) or milp (a general solver)
    #[arg(long, value_enum, default_value = "search")]
    engine: EngineName,
    /// pairwise, reduced (the default) or compact (milp)
    #[arg(long, value_name = "NAME")]
    formulation: Option<String>,
    /// highs (where it is built in) or microlp (milp)
    #[arg(long)]
    solver: Option<String>,
    /// Any solver through files (milp), such as 'cbc {model} solve solution {solution}'
    #[arg(long, value_name = "COMMAND", conflicts_with = "solver")]
    solver_command: Option<String>,
    /// Stop after this many seconds per applicant; 60 in explain and audit, no limit in solve where it is left out
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = number)]
    time_limit: Option<f64>,
    /// Stop at this relative gap
    #[arg(long, default_value_t = 1e-6, allow_negative_numbers = true, value_parser = number)]
    gap: f64,
    /// Threads; all cores where it is left out
    #[arg(long, value_name = "T", value_parser = whole::<usize>)]
    threads: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EngineName {
    Search,
    Milp,
}

/// An engine, and how long and how exactly it solves.
pub struct EngineChoice {
    pub engine: Engine,
    pub settings: SolveSettings,
    /// The command line of a solver that is run through files.
    solver_command: Option<String>,
}

impl EngineArgs {
    /// Where instances are solved one by one, and each gets all threads.
    pub fn check(self) -> Result<EngineChoice> {
        let threads = self.threads;
        let mut choice = self.check_for_many()?;
        if threads.is_none() && !choice.engine.uses_threads() {
            choice.settings.threads = 1;
        }
        choice.engine.check(&choice.settings)?;
        Ok(choice)
    }

    /// Where many applicants are answered: side by side, on one thread each.
    pub fn check_for_many(self) -> Result<EngineChoice> {
        let engine = self.engine()?;
        let settings = SolveSettings {
            time_limit: self.time_limit.map(seconds).transpose()?,
            relative_gap: self.gap,
            threads: self.threads.unwrap_or_else(all_cores),
        };
        settings.check()?;
        engine.check(&SolveSettings { threads: 1, ..settings.clone() })?;
        Ok(EngineChoice { engine, settings, solver_command: self.solver_command })
    }

    fn engine(&self) -> Result<Engine> {
        let formulation = self.formulation.as_deref().map(|name| choice("--formulation", name));
        let formulation = formulation.transpose()?.unwrap_or_default();
        if self.engine == EngineName::Search {
            return self.refuse_solver().map(|()| Engine::Search);
        }
        Ok(Engine::Milp {
            formulation,
            solver: match (&self.solver_command, &self.solver) {
                (Some(command), _) => Box::new(CommandSolver::new(command)?),
                (None, Some(name)) => solver_by_name(name)?,
                (None, None) => default_solver(),
            },
        })
    }

    /// Refuses what only a general solver would use.
    fn refuse_solver(&self) -> Result<()> {
        let given = [
            ("--formulation", &self.formulation),
            ("--solver", &self.solver),
            ("--solver-command", &self.solver_command),
        ];
        given.into_iter().try_for_each(|(option, value)| {
            let Some(value) = value else { return Ok(()) };
            Err(InputError::new("is for --engine milp only")
                .at(option)
                .value(value)
                .remedy("leave it out, or add --engine milp")
                .into())
        })
    }
}

impl EngineChoice {
    /// Applicants who are answered with this engine. `doing` is a word for people.
    pub fn batch<'a>(&'a self, applicants: &'a Applicants<'a>, doing: &'static str) -> Batch<'a> {
        Batch { applicants, engine: &self.engine, settings: &self.settings, doing }
    }

    /// Refuses a cost that no linear program can express, before an applicant meets it.
    pub fn check_cost(&self, costs: &ExplainSettings) -> Result<()> {
        let linear_distance = costs.distance.is_linear();
        let linear_outlier = match costs.outlier {
            OutlierKind::None => true,
            OutlierKind::Surrogate => costs.metric != Metric::Euclidean,
            OutlierKind::Lof => false,
        };
        if matches!(self.engine, Engine::Search) || (linear_distance && linear_outlier) {
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

    /// The engine with its formulation and solver, for a journal.
    pub fn description(&self) -> String {
        match &self.engine {
            Engine::Search => self.engine.name().to_owned(),
            Engine::Milp { formulation, solver } => {
                let solver = self.solver_command.as_deref().unwrap_or(solver.name());
                format!("{} {} {solver}", self.engine.name(), formulation.name())
            }
        }
    }
}

/// The number of cores of this machine.
pub fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
