//! What the command does.

use std::io::Write;
use std::time::{Duration, Instant};

use amends::data::{Dataset, HelocCodes};
use amends::engine::Control;
use amends::engine::SolveSettings;
use amends::explain::{ExplainSettings, Preset};
use amends::instance::{Instance, read_instances};
use amends::milp::{self, Formulation, MilpSettings, SolverSettings, default_solver};
use amends::model::{Classifier, ModelKind, TrainSettings};
use amends::search::{SearchSettings, search};
use amends::{Solution, Status};
use amends_run::SplitTable;
use amends_run::output::Output;
use indicatif::ProgressBar;

use super::args::BenchCommand;
use super::print::{BenchCell, Timing, bench_table};
use crate::commands::Outcome;
use crate::input::read_text;
use crate::progress;

/// The setting with every accepted row as a prototype.
const EVERY_ROW: &str = "N = all";

/// The slowest applicants, on which threads are compared.
const SLOWEST: usize = 5;

pub fn run(command: &BenchCommand) -> anyhow::Result<Outcome> {
    let bench = Bench { command, bar: progress::spinner("preparing") };
    let mut sources = Vec::new();
    if command.german {
        sources.push(SplitTable::new(Dataset::german_free(), "german", 0.25, command.seed)?);
    }
    if let Some(path) = &command.heloc {
        let heloc = Dataset::heloc(path, HelocCodes::Zero)?;
        sources.push(SplitTable::new(heloc, "heloc", 0.25, command.seed)?);
    }
    let mut cells = Vec::new();
    for source in &sources {
        for &kind in &command.kinds {
            cells.extend(bench.model(source, kind)?);
        }
    }
    for path in &command.instances {
        let (text, name) = read_text(path)?;
        cells.push(bench.cell(&name, "instance file", &read_instances(&text, &name)?)?);
    }
    bench.bar.finish_and_clear();
    let mut out = Output::standard();
    writeln!(out, "{}", bench_table(&cells, default_solver().name()))?;
    out.finish()?;
    if let Some(path) = &command.output {
        let mut file = Output::to(Some(path))?;
        writeln!(file, "{}", serde_json::to_string_pretty(&cells)?)?;
        file.finish()?;
    }
    Ok(Outcome::Answered)
}

struct Bench<'a> {
    command: &'a BenchCommand,
    bar: ProgressBar,
}

impl Bench<'_> {
    /// One model under the paper's setting, with every accepted row as a prototype, and under the
    /// true objective.
    fn model(&self, source: &SplitTable, kind: ModelKind) -> anyhow::Result<Vec<BenchCell>> {
        let settings = TrainSettings { seed: self.command.seed, ..TrainSettings::default() };
        let model = source.train(kind, &settings)?;
        let schema = &source.dataset.schema.name;
        let dace = ExplainSettings::preset(Preset::Dace, schema);
        let all = ExplainSettings { prototypes: None, ..dace.clone() };
        let standard = ExplainSettings::preset(Preset::Standard, schema);
        let name = format!("{schema} {}", kind.short_name());
        let mut cells = Vec::new();
        for (what, costs) in [("N = 20", dace), (EVERY_ROW, all), ("true LOF", standard)] {
            self.bar.set_message(format!("{name}, {what}: fitting"));
            let explainer = source.explainer(&model, &costs)?;
            let instances = source
                .rejected_anywhere(&explainer, self.command.applicants)
                .iter()
                .map(|&record| explainer.instance(&source.dataset.records[record]))
                .collect::<Result<Vec<_>, _>>()?;
            cells.push(self.cell(&name, what, &instances)?);
        }
        Ok(cells)
    }

    fn cell(&self, name: &str, what: &str, instances: &[Instance]) -> anyhow::Result<BenchCell> {
        let single = self.searches(name, what, instances, 1)?;
        let mut slowest: Vec<usize> = (0..instances.len()).collect();
        slowest.sort_by(|&a, &b| single[b].1.cmp(&single[a].1));
        slowest.truncate(SLOWEST);
        let slow: Vec<Instance> = slowest.iter().map(|&i| instances[i].clone()).collect();
        let double = self.searches(name, what, &slow, 2)?;
        let total =
            |times: &mut dyn Iterator<Item = Duration>| times.sum::<Duration>().as_secs_f64();
        let one = total(&mut slowest.iter().map(|&i| single[i].1));
        let two = total(&mut double.iter().map(|&(_, time)| time));
        let mut milp = Vec::new();
        let linear = instances.first().is_some_and(|instance| {
            matches!(instance.classifier(), Classifier::Linear(_))
                && milp::encode(instance, Formulation::Reduced).is_ok()
        });
        let same: Vec<_> = single.iter().take(self.command.milp_applicants).copied().collect();
        // Trees and thousands of prototypes are out of reach for a general solver.
        if linear && what != EVERY_ROW && !same.is_empty() {
            for formulation in [Formulation::Reduced, Formulation::Compact] {
                let solved = self.programs(name, formulation, &instances[..same.len()])?;
                let ratio = Timing::of(&solved).median / Timing::of(&same).median;
                milp.push((formulation.name(), Timing::of(&solved), ratio));
            }
        }
        Ok(BenchCell {
            name: name.to_owned(),
            setting: what.to_owned(),
            search: Timing::of(&single),
            two_threads: (two > 0.0).then(|| one / two),
            milp,
        })
    }

    fn searches(
        &self,
        name: &str,
        what: &str,
        instances: &[Instance],
        threads: usize,
    ) -> anyhow::Result<Vec<(Status, Duration)>> {
        let settings = SearchSettings::from(SolveSettings {
            time_limit: Some(self.command.limit),
            threads,
            ..SolveSettings::default()
        });
        let solve = |(index, instance): (usize, &Instance)| {
            self.bar.set_message(format!(
                "{name}, {what}: search {}/{}, {threads} threads",
                index + 1,
                instances.len()
            ));
            let begin = Instant::now();
            let solution: Solution = search(instance, &settings, &Control::default())?.solution;
            Ok((solution.status, begin.elapsed()))
        };
        instances.iter().enumerate().map(solve).collect()
    }

    /// The general solver alone: without this project's start, and without a second opinion.
    fn programs(
        &self,
        name: &str,
        formulation: Formulation,
        instances: &[Instance],
    ) -> anyhow::Result<Vec<(Status, Duration)>> {
        let solver = default_solver();
        let solve = |(index, instance): (usize, &Instance)| {
            self.bar.set_message(format!(
                "{name}: {} {}/{}",
                formulation.name(),
                index + 1,
                instances.len()
            ));
            let settings = MilpSettings {
                formulation,
                solver: SolverSettings::from(SolveSettings {
                    time_limit: Some(self.command.milp_limit),
                    ..SolverSettings::default().solve
                }),
                start: None,
            };
            let report = milp::solve(instance, solver.as_ref(), &settings)?;
            // A solver that broke down has proven nothing in all of its time.
            let time = if report.work.solver_failed {
                self.command.milp_limit
            } else {
                report.solution.time
            };
            Ok((report.solution.status, time))
        };
        instances.iter().enumerate().map(solve).collect()
    }
}
