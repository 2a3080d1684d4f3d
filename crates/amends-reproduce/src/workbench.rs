//! Performs one task at a time, and keeps what tasks share: tables, models, fitted costs.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use amends::data::{Change, Dataset};
use amends::engine::Control;
use amends::engine::{Engine, SolveReport, SolveSettings, Work, solve};
use amends::explain::{Explainer, Preset};
use amends::instance::Instance;
use amends::milp::default_solver;
use amends::model::{Model, ModelKind, TrainSettings};
use amends::{Error, Result};
use amends_run::{SplitTable, fingerprint};

use crate::record::{Ending, Measured, Record, SolveRecord};
use crate::study::Study;
use crate::task::{Data, Method, Problem, Task};
use crate::yardstick::Yardstick;

/// Held out for testing, as in the paper.
const TEST_SHARE: f64 = 0.25;

/// Programs with more non-zeros than this (some 2 GB with the solver's copies) are not written.
const MOST_NONZEROS: usize = 40_000_000;

/// One data set and everything that was fitted on it.
pub struct Workbench {
    data: Data,
    table: SplitTable,
    preset: Preset,
    seed: u64,
    threads: usize,
    fingerprint: String,
    yardstick: Option<Yardstick>,
    models: HashMap<ModelKind, Model>,
    explainers: HashMap<String, Explainer>,
    /// Their indices in the data set.
    applicants: HashMap<ModelKind, Vec<usize>>,
}

impl Workbench {
    /// As in the papers, every feature may change: also those that the embedded schema fixes.
    pub fn new(
        data: Data,
        mut dataset: Dataset,
        preset: Preset,
        seed: u64,
        threads: usize,
    ) -> Result<Self> {
        for feature in &mut dataset.schema.features {
            feature.change = Change::Free;
        }
        Ok(Self {
            data,
            fingerprint: fingerprint::of_table(&dataset.to_table()),
            table: SplitTable::new(dataset, data.name(), TEST_SHARE, seed)?,
            preset,
            seed,
            threads,
            yardstick: None,
            models: HashMap::new(),
            explainers: HashMap::new(),
            applicants: HashMap::new(),
        })
    }

    pub fn data(&self) -> Data {
        self.data
    }

    /// Tells tables apart.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Rows to train on and rows held out, and how many of the former are accepted.
    pub fn sizes(&self) -> (usize, usize, usize) {
        let split = &self.table.split;
        let accepted = split.train.iter().filter(|&&row| self.table.dataset.favourable[row]);
        (split.train.len(), split.test.len(), accepted.count())
    }

    /// Does a task of this data set; `None` where `cancel` ended it before it was done.
    pub fn perform(
        &mut self,
        task: &Task,
        study: &Study,
        cancel: &AtomicBool,
    ) -> Result<Option<Record>> {
        let measured = match task {
            Task::Quality { model, split, .. } => {
                let seed = self.seed.wrapping_add(split - 1);
                let dataset = self.table.dataset.clone();
                let table = SplitTable::new(dataset, self.data.name(), TEST_SHARE, seed)?;
                let settings = TrainSettings { seed, ..TrainSettings::default() };
                let trained = table.train(*model, &settings)?;
                let held_out = table.dataset.part(&table.split.test);
                Measured::Quality(trained.quality.unwrap_or_else(|| trained.measure(&held_out)))
            }
            Task::Solve(problem) => match self.solve(problem, study, cancel)? {
                Some(solved) => Measured::Solve(Box::new(solved)),
                None => return Ok(None),
            },
        };
        Ok(Some(Record { key: task.key(), data: self.fingerprint.clone(), measured }))
    }

    fn solve(
        &mut self,
        problem: &Problem,
        study: &Study,
        cancel: &AtomicBool,
    ) -> Result<Option<SolveRecord>> {
        let limit = study.limit(problem.objective);
        self.prepare(problem, study)?;
        let ready = (
            self.explainers.get(&explainer_key(problem)),
            self.models.get(&problem.model),
            self.yardstick.as_ref(),
            self.applicants.get(&problem.model).and_then(|all| all.get(problem.applicant - 1)),
        );
        let (Some(explainer), Some(model), Some(yardstick), Some(&record)) = ready else {
            let absent = SolveRecord::without_plan(0, Ending::Absent, limit.as_secs_f64());
            return Ok(Some(absent));
        };
        let (record, row) =
            (&self.table.dataset.records[record], self.table.dataset.row_numbers[record]);
        let instance = explainer.instance(record)?;
        let mut solved = SolveRecord::without_plan(row, Ending::Broke, limit.as_secs_f64());
        let engine = match problem.method.formulation() {
            None => Engine::Search,
            Some(formulation) => Engine::Milp { formulation, solver: default_solver() },
        };
        if let Engine::Milp { solver, .. } = &engine {
            solved.solver = Some(solver.name().to_owned());
            let nonzeros = expected_nonzeros(&instance, problem.method);
            if nonzeros > MOST_NONZEROS {
                solved.status = Ending::TooLarge;
                solved.remark = Some(format!("about {nonzeros} non-zeros"));
                return Ok(Some(solved));
            }
        }
        let settings = SolveSettings {
            time_limit: Some(limit),
            threads: if engine.uses_threads() { self.threads } else { 1 },
            ..SolveSettings::default()
        };
        let control = Control { cancel: Some(cancel), progress: None };
        match solve(&instance, &engine, &settings, &control) {
            Ok(report) => {
                let cut_short = control.is_cancelled() && report.solution.time < limit;
                if report.solver_failed() {
                    solved.remark = report.remark().map(str::to_owned);
                    return Ok(Some(solved));
                }
                fill(&mut solved, &instance, &report, yardstick, model);
                Ok((solved.status.proven() || !cut_short).then_some(solved))
            }
            Err(Error::Solver { message, .. }) => {
                solved.remark = Some(message);
                Ok(Some(solved))
            }
            Err(error) => Err(error),
        }
    }

    /// Fits what a problem needs and what no problem before it needed.
    fn prepare(&mut self, problem: &Problem, study: &Study) -> Result<()> {
        if self.yardstick.is_none() {
            let training = self.table.dataset.part(&self.table.split.train);
            self.yardstick = Some(Yardstick::fit(&training)?);
        }
        if !self.models.contains_key(&problem.model) {
            let settings = TrainSettings { seed: self.seed, ..TrainSettings::default() };
            self.models.insert(problem.model, self.table.train(problem.model, &settings)?);
        }
        let key = explainer_key(problem);
        if let Some(model) = self.models.get(&problem.model)
            && !self.explainers.contains_key(&key)
        {
            let costs = problem.objective.settings(self.preset, self.data);
            let explainer = self.table.explainer(model, &costs)?;
            self.applicants
                .entry(problem.model)
                .or_insert_with(|| self.table.rejected(&explainer, study.applicants));
            self.explainers.insert(key, explainer);
        }
        Ok(())
    }
}

fn explainer_key(problem: &Problem) -> String {
    format!("{}/{}", problem.model.short_name(), problem.objective.name())
}

/// Every point compares its distance with every other's (`pairwise`) or with the least, and each distance is a sum over
/// all options.
fn expected_nonzeros(instance: &Instance, method: Method) -> usize {
    let points = instance.cost().outlier.as_ref().map_or(0, |outlier| outlier.points.len());
    let options: usize = instance.features().iter().map(|feature| feature.options.len()).sum();
    let rows = match method {
        Method::Pairwise => points * points,
        Method::Reduced | Method::Compact | Method::Search => 3 * points,
    };
    rows * options
}

fn fill(
    solved: &mut SolveRecord,
    instance: &Instance,
    report: &SolveReport,
    yardstick: &Yardstick,
    model: &Model,
) {
    let solution = &report.solution;
    solved.status = solution.status.into();
    solved.seconds = solution.time.as_secs_f64();
    solved.bound = solution.bound;
    if let Work::Milp(work) = &report.work {
        solved.size = Some([work.rows, work.columns, work.nonzeros]);
        solved.refuted = work.repairs;
        solved.remark.clone_from(&work.remark);
    }
    if let Some(plan) = &solution.plan {
        let after = instance.apply(&plan.choice);
        let judged =
            yardstick.judge(instance.x(), &after, &model.classifier, instance.max_changes());
        solved.cost = Some(plan.evaluation.objective);
        solved.md = Some(judged.md);
        solved.lof = Some(judged.lof);
        solved.changes = Some(judged.changes);
        solved.failed = !judged.holds;
    }
}
