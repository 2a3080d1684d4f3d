//! A whole run: tables are loaded and the results file is opened, tasks are performed, the report is written.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use amends::Result;
use amends::data::{Dataset, HelocCodes};
use amends::engine::SolveSettings;
use amends::milp::default_solver;

use crate::conditions::Conditions;
use crate::report::Report;
use crate::results::{RESULTS, Results, check_folder};
use crate::run::{Finish, Progress, run};
use crate::study::Study;
use crate::task::Data;
use crate::workbench::Workbench;

/// What a run needs to know beside what is measured.
#[derive(Debug, Clone)]
pub struct Settings {
    /// FICO's HELOC file; needed where the study names HELOC.
    pub heloc: Option<PathBuf>,
    /// The folder of results and report.
    pub folder: PathBuf,
    /// The seed of splits and training.
    pub seed: u64,
    /// Threads per solve.
    pub threads: usize,
}

/// An evaluation with its tables and its results file.
pub struct Reproduction {
    study: Study,
    folder: PathBuf,
    workbenches: Vec<Workbench>,
    results: Results,
}

impl Reproduction {
    /// Loads the tables and opens the results file, or creates it.
    pub fn open(study: Study, settings: &Settings) -> Result<Self> {
        SolveSettings { threads: settings.threads, ..SolveSettings::default() }.check()?;
        let workbenches = study
            .data
            .iter()
            .map(|&data| {
                let table = match (data, &settings.heloc) {
                    (Data::Heloc, Some(path)) => Dataset::heloc(path, HelocCodes::Zero)?,
                    _ => Dataset::german_free(),
                };
                Workbench::new(data, table, study.preset, settings.seed, settings.threads)
            })
            .collect::<Result<Vec<Workbench>>>()?;
        check_folder(&settings.folder)?;
        let solver = default_solver();
        let conditions = Conditions::of(&study, solver.name(), settings.threads, settings.seed);
        let results = Results::open(&settings.folder.join(RESULTS), &conditions)?;
        for bench in &workbenches {
            results.check_data(bench.data().name(), bench.fingerprint())?;
        }
        Ok(Self { study, folder: settings.folder.clone(), workbenches, results })
    }

    /// Whether an incomplete last line was removed from the results file.
    pub fn repaired(&self) -> bool {
        self.results.repaired()
    }

    /// How many tasks there are.
    pub fn tasks(&self) -> usize {
        self.study.tasks().len()
    }

    /// How many results the file holds.
    pub fn done(&self) -> usize {
        self.results.records().len()
    }

    /// Performs the tasks that are not done yet, until `stop` is set or the `budget` is used up.
    pub fn run(
        &mut self,
        budget: Option<Duration>,
        stop: &AtomicBool,
        progress: &dyn Fn(Progress),
    ) -> Result<Finish> {
        run(&self.study, &mut self.workbenches, &mut self.results, budget, stop, progress)
    }

    /// Writes the report and returns the path of its page.
    pub fn write_report(&self, finish: Finish) -> anyhow::Result<PathBuf> {
        let sizes = self.workbenches.iter().map(|bench| (bench.data(), bench.sizes())).collect();
        let report = Report { study: &self.study, results: &self.results, finish, sizes };
        report.write(Path::new(&self.folder))
    }
}
