//! Summary figures of many solves.

use std::collections::HashMap;

use amends::model::{MeanDeviation, ModelKind, Quality};

use crate::record::{Measured, Record, SolveRecord};
use crate::study::Study;
use crate::task::{Data, Method, Objective, Problem, Task};

/// What was measured, looked up by what was asked.
pub struct Outcomes<'a> {
    study: &'a Study,
    records: &'a HashMap<String, Record>,
}

impl<'a> Outcomes<'a> {
    pub fn new(study: &'a Study, records: &'a HashMap<String, Record>) -> Self {
        Self { study, records }
    }

    /// Every split's measures of a model.
    pub fn quality(&self, data: Data, model: ModelKind) -> Vec<Quality> {
        let of_split = |split| {
            let task = Task::Quality { data, model, split };
            match self.records.get(&task.key())?.measured {
                Measured::Quality(quality) => Some(quality),
                Measured::Solve(_) => None,
            }
        };
        (1..=self.study.splits).filter_map(of_split).collect()
    }

    /// One applicant's solve.
    pub fn solve(&self, problem: &Problem) -> Option<&'a SolveRecord> {
        match &self.records.get(&problem.key())?.measured {
            Measured::Solve(solve) => Some(solve),
            Measured::Quality(_) => None,
        }
    }

    /// The solves of every applicant whom a method was asked about.
    pub fn solves(
        &self,
        data: Data,
        model: ModelKind,
        objective: Objective,
        method: Method,
    ) -> Vec<&'a SolveRecord> {
        let of_applicant =
            |applicant| self.solve(&Problem { data, model, objective, method, applicant });
        (1..=self.study.applicants).filter_map(of_applicant).collect()
    }

    /// How many tasks are done, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        let tasks = self.study.tasks();
        let done = tasks.iter().filter(|task| self.records.contains_key(&task.key())).count();
        (done, tasks.len())
    }
}

/// Solves of one kind in few numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Solves that were run.
    pub run: usize,
    pub proven: usize,
    pub hit_limit: usize,
    pub broke: usize,
    pub too_large: usize,
    pub md: Option<MeanDeviation>,
    pub lof: Option<MeanDeviation>,
    pub median_md: Option<f64>,
    pub seconds: Option<MeanDeviation>,
    pub median_seconds: Option<f64>,
}

impl Summary {
    pub fn of(solves: &[&SolveRecord]) -> Self {
        use crate::record::Ending;
        let run: Vec<&SolveRecord> =
            solves.iter().copied().filter(|solve| solve.status.was_run()).collect();
        let count = |test: &dyn Fn(&SolveRecord) -> bool| solves.iter().filter(|s| test(s)).count();
        let over = |pick: &dyn Fn(&SolveRecord) -> Option<f64>| {
            run.iter().filter_map(|solve| pick(solve)).collect::<Vec<f64>>()
        };
        let seconds = over(&|solve| Some(solve.seconds));
        Self {
            run: run.len(),
            proven: count(&|solve| solve.status.proven()),
            hit_limit: count(&|solve| solve.status.hit_limit()),
            broke: count(&|solve| solve.status == Ending::Broke),
            too_large: count(&|solve| solve.status == Ending::TooLarge),
            md: MeanDeviation::of(&over(&|solve| solve.md)),
            lof: MeanDeviation::of(&over(&|solve| solve.lof)),
            median_md: median(&over(&|solve| solve.md)),
            median_seconds: median(&seconds),
            seconds: MeanDeviation::of(&seconds),
        }
    }
}

pub fn median(numbers: &[f64]) -> Option<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len();
    (count > 0).then(|| f64::midpoint(sorted[(count - 1) / 2], sorted[count / 2]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Ending;

    fn solve(status: Ending, seconds: f64, md: Option<f64>) -> SolveRecord {
        SolveRecord { seconds, md, ..SolveRecord::without_plan(1, status, 60.0) }
    }

    #[test]
    fn what_was_not_run_has_no_time() {
        let solves = [
            solve(Ending::Optimal, 2.0, Some(1.0)),
            solve(Ending::Feasible, 60.0, Some(3.0)),
            solve(Ending::Timeout, 60.0, None),
            solve(Ending::TooLarge, 0.0, None),
            solve(Ending::Absent, 0.0, None),
        ];
        let summary = Summary::of(&solves.iter().collect::<Vec<_>>());
        assert_eq!((summary.run, summary.proven, summary.hit_limit), (3, 1, 2));
        assert_eq!((summary.too_large, summary.broke), (1, 0));
        assert_eq!(summary.md.unwrap().mean, 2.0);
        assert_eq!(summary.median_seconds, Some(60.0));
        assert!((summary.seconds.unwrap().mean - 122.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_has_no_summary() {
        let summary = Summary::of(&[]);
        assert_eq!((summary.run, summary.md, summary.median_seconds), (0, None, None));
    }
}
