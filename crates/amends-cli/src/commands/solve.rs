//! `amends solve`: an instance file, solved and checked.

use std::io::Write;

use amends::engine::solve;
use amends::instance::read_instances;
use amends::search::Control;
use amends_run::output::Output;

use super::{Ending, Endings, read_text};
use crate::args::SolveArgs;
use crate::progress::Watch;
use crate::report::{solved_json, solved_text};
use crate::setup::{engine, solve_settings};

pub fn run(args: &SolveArgs) -> anyhow::Result<Ending> {
    let engine = engine(&args.engine)?;
    let settings = solve_settings(&args.engine)?;
    let (text, source) = read_text(&args.file)?;
    let instances = read_instances(&text, &source)?;
    let mut output = Output::to(None)?;
    let mut endings = Endings::default();
    for (index, instance) in instances.iter().enumerate() {
        let watch = Watch::start();
        let progress = |progress| watch.report(progress);
        let control = Control { progress: Some(&progress), cancel: None };
        let report = solve(instance, &engine, &settings, &control)?;
        drop(watch);
        if args.json {
            writeln!(output, "{}", solved_json(instance, &report))?;
        } else {
            if index > 0 {
                writeln!(output)?;
            }
            writeln!(output, "{}", solved_text(instance, &report))?;
        }
        output.flush()?;
        endings.add(report.solution.status, report.solver_failed());
    }
    Ok(endings.ending())
}
