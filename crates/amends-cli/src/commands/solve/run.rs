//! What the command does.

use std::io::Write;

use amends::engine::Control;
use amends::engine::solve;
use amends::instance::read_instances;
use amends_run::output::Output;

use super::args::SolveCommand;
use super::print::{solved_json, solved_text};
use crate::args::EngineChoice;
use crate::commands::outcome::{Outcome, SolveCount};
use crate::input::read_text;
use crate::progress::SolveProgress;
use crate::report::solve_provenance;

pub fn run(command: &SolveCommand) -> anyhow::Result<Outcome> {
    let EngineChoice { engine, settings, .. } = &command.engine;
    let (text, source) = read_text(&command.file)?;
    let instances = read_instances(&text, &source)?;
    let provenance = solve_provenance(&command.engine, &text)?;
    let mut output = Output::to(None)?;
    let mut count = SolveCount::default();
    for (index, instance) in instances.iter().enumerate() {
        let watch = SolveProgress::start();
        let progress = |progress| watch.report(progress);
        let control = Control { progress: Some(&progress), cancel: None };
        let report = solve(instance, engine, settings, &control)?;
        drop(watch);
        if command.json {
            writeln!(output, "{}", solved_json(instance, &report, &provenance))?;
        } else {
            if index > 0 {
                writeln!(output)?;
            }
            writeln!(output, "{}", solved_text(instance, &report))?;
        }
        output.flush()?;
        count.add_solve(report.solution.status, report.solver_failed());
    }
    Ok(count.outcome())
}
