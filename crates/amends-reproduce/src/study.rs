//! The whole evaluation as a list of tasks, what matters most first.

use std::collections::HashSet;
use std::time::Duration;

use amends::explain::{ExplainSettings, Preset};
use amends::model::ModelKind;

use crate::task::{Data, Method, Objective, Points, Problem, Task};

/// Weights of the outlier term in DACE's study of the trade-off.
pub const LAMBDAS: [f64; 6] = [0.001, 0.01, 0.1, 1.0, 10.0, 100.0];

/// The paper's limits: this up to [`FEW_POINTS`], ...
const PAPER_LIMIT: Duration = Duration::from_secs(1200);
/// ... and this above.
const PAPER_LIMIT_ABOVE: Duration = Duration::from_secs(3600);
const FEW_POINTS: usize = 50;

/// What is to be measured, checked.
#[derive(Debug, Clone)]
pub struct Study {
    /// Data sets.
    pub data: Vec<Data>,
    /// Models.
    pub models: Vec<ModelKind>,
    /// Methods of Table 2 and the figures.
    pub methods: Vec<Method>,
    /// N, the reference points of the figures.
    pub points: Vec<Points>,
    /// Rejected applicants per model.
    pub applicants: usize,
    /// Splits of Table 1.
    pub splits: u64,
    /// The settings that the paper leaves open.
    pub preset: Preset,
    /// The limit of every solve; the paper's where absent.
    pub time_limit: Option<Duration>,
    /// Whether time is short: forests by the search alone, fewer weights.
    pub quick: bool,
}

impl Study {
    /// The paper's weight of the outlier term.
    pub fn lambda(&self, data: Data) -> f64 {
        ExplainSettings::preset(self.preset, data.name()).lambda
    }

    /// The objective of Table 2.
    pub fn table_objective(&self, data: Data) -> Objective {
        Objective::Surrogate { points: Points::TABLE, lambda: self.lambda(data) }
    }

    /// Weights of the trade-off; fewer where time is short.
    pub fn lambdas(&self) -> Vec<f64> {
        LAMBDAS.into_iter().filter(|&lambda| !self.quick || lambda <= 1.0).collect()
    }

    /// The limit of one solve.
    pub fn limit(&self, objective: Objective) -> Duration {
        self.time_limit.unwrap_or(match objective.points() {
            Some(Points::Some(count)) if count <= FEW_POINTS => PAPER_LIMIT,
            Some(_) => PAPER_LIMIT_ABOVE,
            None => PAPER_LIMIT,
        })
    }

    /// Whether a method is asked for a model. A general solver needs minutes to hours for each forest.
    pub fn takes(&self, model: ModelKind, method: Method) -> bool {
        self.methods.contains(&method)
            && !(self.quick && model.is_of_trees() && method != Method::Search)
    }

    /// Every task once. Quick ones come first, so that a run that is stopped has something of everything.
    pub fn tasks(&self) -> Vec<Task> {
        let mut tasks = Vec::new();
        for split in 1..=self.splits {
            for &data in &self.data {
                tasks.extend(self.models.iter().map(|&model| Task::Quality { data, model, split }));
            }
        }
        tasks.extend(self.objectives());
        for points in self.all_points() {
            tasks.extend(self.programs(points, false));
        }
        if self.points.contains(&Points::TABLE) {
            tasks.extend(self.programs(Points::TABLE, true));
        }
        let mut seen = HashSet::new();
        tasks.retain(|task| seen.insert(task.key()));
        tasks
    }

    /// The points of Table 2 and of the figures.
    fn all_points(&self) -> Vec<Points> {
        let table = self.points.contains(&Points::TABLE).then_some(Points::TABLE);
        table.into_iter().chain(self.points.iter().copied()).collect()
    }

    /// All objectives of all models, by the search.
    fn objectives(&self) -> Vec<Task> {
        let mut tasks = Vec::new();
        for &data in &self.data {
            for &model in &self.models {
                let lambda = self.lambda(data);
                let mut objectives = vec![self.table_objective(data), Objective::True { lambda }];
                objectives.extend(
                    self.lambdas()
                        .into_iter()
                        .map(|lambda| Objective::Surrogate { points: Points::TABLE, lambda }),
                );
                if !model.is_of_trees() {
                    objectives.extend(
                        self.points.iter().map(|&points| Objective::Surrogate { points, lambda }),
                    );
                }
                for objective in objectives {
                    tasks.extend(self.of_applicants(data, model, objective, &[Method::Search]));
                }
                // Asked for whatever the methods of the tables are: plans to compare with, not times.
                for objective in Objective::SEPARABLE {
                    tasks.extend((1..=self.applicants).map(|applicant| {
                        let method = Method::Search;
                        Task::Solve(Problem { data, model, objective, method, applicant })
                    }));
                }
            }
        }
        tasks
    }

    /// The general solver's tasks for one N, of forests or of the others.
    fn programs(&self, points: Points, forests: bool) -> Vec<Task> {
        let mut tasks = Vec::new();
        for &data in &self.data {
            for &model in &self.models {
                if model.is_of_trees() == forests {
                    let objective = Objective::Surrogate { points, lambda: self.lambda(data) };
                    let methods = [Method::Compact, Method::Reduced, Method::Pairwise];
                    tasks.extend(self.of_applicants(data, model, objective, &methods));
                }
            }
        }
        tasks
    }

    fn of_applicants(
        &self,
        data: Data,
        model: ModelKind,
        objective: Objective,
        methods: &[Method],
    ) -> Vec<Task> {
        let mut tasks = Vec::new();
        for applicant in 1..=self.applicants {
            for &method in methods.iter().filter(|&&method| self.takes(model, method)) {
                tasks.push(Task::Solve(Problem { data, model, objective, method, applicant }));
            }
        }
        tasks
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn whole() -> Study {
        Study {
            data: Data::ALL.to_vec(),
            models: ModelKind::ALL.to_vec(),
            methods: Method::ALL.to_vec(),
            points: Points::FIGURES.to_vec(),
            applicants: 10,
            splits: 10,
            preset: Preset::Dace,
            time_limit: None,
            quick: false,
        }
    }

    #[test]
    fn every_task_is_listed_once() {
        let keys: Vec<String> = whole().tasks().iter().map(Task::key).collect();
        assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len());
        assert!(keys.contains(&"german/rf/surrogate-20-lambda-0.01/pairwise/applicant-10".into()));
        assert!(keys.contains(&"heloc/svm/surrogate-all-lambda-1/reduced/applicant-1".into()));
        assert!(keys.contains(&"heloc/lr/true-lambda-1/search/applicant-3".into()));
    }

    #[test]
    fn limits_are_the_paper_s_unless_one_is_given() {
        let study = whole();
        let limit = |points| study.limit(Objective::Surrogate { points, lambda: 1.0 }).as_secs();
        assert_eq!([20, 50, 100].map(|n| limit(Points::Some(n))), [1200, 1200, 3600]);
        assert_eq!(limit(Points::All), 3600);
        let limited = Study { time_limit: Some(Duration::from_secs(9)), ..study };
        assert_eq!(limited.limit(Objective::True { lambda: 1.0 }).as_secs(), 9);
    }

    #[test]
    fn a_quick_study_leaves_forests_to_the_search() {
        let quick = Study { quick: true, ..whole() };
        assert!(quick.takes(ModelKind::RandomForest, Method::Search));
        assert!(!quick.takes(ModelKind::RandomForest, Method::Reduced));
        assert!(whole().takes(ModelKind::RandomForest, Method::Reduced));
    }

    #[test]
    fn cuts_leave_out_what_they_name() {
        let study = Study {
            data: vec![Data::German],
            models: vec![ModelKind::LinearSvm],
            methods: vec![Method::Compact],
            points: vec![Points::Some(50)],
            splits: 0,
            ..whole()
        };
        let mut keys: Vec<String> = study.tasks().iter().map(Task::key).collect();
        let costs = ["/tlps/", "/mad/", "/pcc/"];
        keys.retain(|key| !costs.iter().any(|cost| key.contains(cost)));
        assert_eq!(keys.len(), 10);
        assert!(
            keys.iter().all(|key| key.starts_with("german/svm/surrogate-50-lambda-0.01/compact"))
        );
    }
}
