//! A model with everything that its applicants share, behind the Python class `Explainer`.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use amends::data::{Dataset, Schema};
use amends::explain::{CostChoices, Explainer, Goal};
use amends::model::Link;
use amends::model::Model;
use amends::provenance::{sha256, sha256_of_dataset};
use amends::reasons::{MAX_REASONS, ReasonGroup};
use amends::{InputError, Result};
use amends_web::{Server, Service, Settings};
use pyo3::prelude::*;

use crate::batch::Batch;
use crate::columns::{Column, OwnedColumn, columns, records};
use crate::errors::raised;
use crate::model_spec::ModelSpec;
use crate::options::{ExplainOptions, RuleText, wishes};
use crate::report::{self, Hashes, Sample};
use crate::watch::{PATIENCE, awaited, watched};

/// A fitted explainer.
#[pyclass(frozen)]
pub struct Fitted {
    training: Dataset,
    model: Model,
    /// For the model's own cut.
    explainer: Arc<Explainer>,
    /// For the other goals and groups that were asked for.
    others: Mutex<HashMap<GoalKey, Arc<Explainer>>>,
    /// The rows that it is fitted on, where these are not all.
    sample: Option<Sample>,
    /// The hashes of the model and of the rows, which are computed for the first answer.
    hashes: OnceLock<(String, String)>,
}

/// A goal, compared exactly, and who rejected applicants are compared with.
type GoalKey = (u64, u64, [bool; 3], Option<ReasonGroup>);

#[pymethods]
impl Fitted {
    #[new]
    #[pyo3(signature = (schema, columns, favourable, model, costs, reference, seed=None))]
    #[expect(clippy::too_many_arguments, reason = "all that is fitted once, by position")]
    fn new(
        py: Python<'_>,
        schema: String,
        columns: Vec<Column>,
        favourable: Vec<bool>,
        model: String,
        costs: String,
        reference: Option<Vec<usize>>,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        let sample = reference.as_ref().map(|rows| Sample {
            rows: rows.len(),
            of: favourable.len(),
            random_state: seed,
        });
        let fit = move || Self::fit(&schema, &columns, favourable, &model, &costs, reference);
        let fitted = awaited(py, fit)?.map_err(raised)?;
        Ok(Self { sample, ..fitted })
    }

    /// The scores of applications, above 0 where the model accepts.
    #[expect(clippy::needless_pass_by_value, reason = "objects of Python arrive by value")]
    fn score(&self, py: Python<'_>, columns: Vec<Column>) -> PyResult<Vec<f64>> {
        py.detach(|| {
            let records = records(&columns, &self.training.schema)?;
            Ok(records.iter().map(|record| self.explainer.score(record)).collect())
        })
        .map_err(raised)
    }

    /// The scores of the training rows, which are not copied for it.
    fn training_scores(&self, py: Python<'_>) -> Vec<f64> {
        let records = &self.training.records;
        py.detach(|| records.iter().map(|record| self.explainer.score(record)).collect())
    }

    /// Plans for applications: for each of them its answer as JSON.
    /// `report` is called with how many applications are done.
    #[pyo3(signature = (columns, options, report=None))]
    #[expect(clippy::needless_pass_by_value, reason = "objects of Python arrive by value")]
    fn explain(
        &self,
        py: Python<'_>,
        columns: Vec<Column>,
        options: &str,
        report: Option<Py<PyAny>>,
    ) -> PyResult<Vec<String>> {
        amends::search::check_memory().map_err(raised)?;
        watched(py, report.as_ref(), |shared| {
            let options: ExplainOptions = read_json(options, "explain")?;
            let records = records(&columns, &self.training.schema)?;
            let goal = options.goal(&self.model.origin)?;
            let explainer = self.explainer(goal, options.reason_group()?)?;
            let batch = Batch {
                explainer: &explainer,
                ask: options.ask()?,
                wishes: wishes(&options.rules, &self.training.schema)?,
                settings: options.solve_settings()?,
                shared,
            };
            batch.answer(&records)
        })?
        .map_err(raised)
    }

    /// Where the answers to such a question come from, as JSON: for reports, and for `to_dict`.
    fn origin(&self, py: Python<'_>, options: &str) -> PyResult<String> {
        py.detach(|| {
            let options: ExplainOptions = read_json(options, "explain")?;
            let goal = options.goal(&self.model.origin)?;
            let explainer = self.explainer(goal, options.reason_group()?)?;
            let (model, data) = self.hashes()?;
            let schema = sha256(&self.schema_with(&options.rules)?);
            let hashes = Hashes { model, schema, data };
            let settings = options.solve_settings()?;
            let provenance = report::provenance(&settings, hashes, options.asked, self.sample)?;
            Ok(report::origin(&self.model, &explainer, provenance, self.sample))
        })
        .map_err(raised)
    }

    /// Answers over HTTP on a port of this machine until Python's signals stop it. `announce` is called with the address once
    /// the server listens.
    #[expect(clippy::needless_pass_by_value, reason = "objects of Python arrive by value")]
    fn serve(&self, py: Python<'_>, options: &str, port: u16, announce: Py<PyAny>) -> PyResult<()> {
        amends::search::check_memory().map_err(raised)?;
        let server = py.detach(|| self.server(options, port)).map_err(raised)?;
        announce.call1(py, (server.url(),))?;
        let stopper = server.stopper();
        watched(py, None, |shared| {
            let ended = AtomicBool::new(false);
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    while !ended.load(Ordering::Relaxed) && !shared.cancel.load(Ordering::Relaxed) {
                        std::thread::sleep(PATIENCE);
                    }
                    stopper.stop();
                });
                let result = server.run();
                ended.store(true, Ordering::Relaxed);
                result
            })
        })?
        .map_err(raised)
    }

    /// Refuses rules that can't be read, and those that the schema file with them could not have: contradictions, and rules that say
    /// nothing.
    fn check_rules(&self, rules: &str) -> PyResult<()> {
        let rules: Vec<RuleText> = read_json(rules, "rules").map_err(raised)?;
        let schema = self.schema_of(&rules).map_err(raised)?;
        schema.check().map_err(|error| raised(error.in_file("rules")))
    }

    /// Writes the model for `amends explain --model`.
    fn save(&self, path: &str) -> PyResult<()> {
        self.model.save(path).map_err(raised)
    }

    /// The schema file that goes with the model, these rules with it.
    fn schema(&self, rules: &str) -> PyResult<String> {
        let rules: Vec<RuleText> = read_json(rules, "rules").map_err(raised)?;
        let text = self.schema_with(&rules).map_err(raised)?;
        Schema::parse(&text, "schema").map_err(raised)?;
        Ok(text)
    }

    /// The training rows, and which of them had the favourable outcome.
    fn training(&self) -> (Vec<OwnedColumn>, Vec<bool>) {
        let Dataset { schema, records, favourable, .. } = &self.training;
        (columns(records, schema), favourable.clone())
    }

    /// What was fitted, as JSON.
    fn facts(&self) -> String {
        serde_json::json!({
            "settings": self.explainer.settings(),
            "facts": self.explainer.facts(),
            "model": self.model.origin.to_string(),
        })
        .to_string()
    }

    /// What the score says about the probability: `log-odds`, `share` or `none`.
    fn link(&self) -> &'static str {
        match self.model.origin.link() {
            Link::LogOdds | Link::LogOddsFrom(_) => "log-odds",
            Link::Share | Link::ShareFrom(_) => "share",
            Link::None => "none",
        }
    }
}

impl Fitted {
    fn fit(
        schema: &str,
        columns: &[Column],
        favourable: Vec<bool>,
        model: &str,
        costs: &str,
        reference: Option<Vec<usize>>,
    ) -> Result<Self> {
        let schema = Schema::parse(schema, "schema")?;
        let costs: CostChoices = read_json(costs, "settings")?;
        let costs = costs.check(&schema.name, cost_parameter)?;
        let model = ModelSpec::parse(model)?.model(&schema)?;
        let records = records(columns, &schema)?;
        if favourable.len() != records.len() {
            return Err(InputError::new("has another number of outcomes than X has rows")
                .at("y")
                .remedy("give one outcome per row")
                .into());
        }
        let row_numbers = (1..=records.len()).collect();
        let training = Dataset { schema, records, favourable, row_numbers };
        if reference.iter().flatten().any(|&row| row >= training.len()) {
            return Err(InputError::new("names a row that X does not have")
                .at("n_reference")
                .remedy("fit again on all of X")
                .into());
        }
        let explainer = match reference {
            None => Explainer::fit(&training, &model, &costs)?,
            Some(rows) => {
                Explainer::fit(&training.part(&rows), &model, &costs)?.with_ranges_of(&training)?
            }
        };
        let explainer = Arc::new(explainer);
        let (others, hashes) = (Mutex::default(), OnceLock::new());
        Ok(Self { training, model, explainer, others, sample: None, hashes })
    }

    /// The schema file with these rules. It is not read again: for applicants alone, rules may say nothing.
    fn schema_with(&self, rules: &[RuleText]) -> Result<String> {
        Ok(self.schema_of(rules)?.to_toml())
    }

    fn schema_of(&self, rules: &[RuleText]) -> Result<Schema> {
        let wishes = wishes(rules, &self.training.schema)?;
        let mut schema = wishes.schema(&self.training.schema).clone();
        schema.rules.extend(wishes.rules);
        Ok(schema)
    }

    /// A server of what such a question asks about, which listens.
    fn server(&self, options: &str, port: u16) -> Result<Server> {
        let options: ExplainOptions = read_json(options, "serve")?;
        let goal = options.goal(&self.model.origin)?;
        let explainer = self.explainer(goal, options.reason_group()?)?;
        let solve = options.solve_settings()?;
        let (model, data) = self.hashes()?;
        let schema = sha256(&self.schema_with(&options.rules)?);
        let hashes = Hashes { model, schema, data };
        let provenance = report::provenance(&solve, hashes, options.asked.clone(), self.sample)?;
        let wishes = wishes(&options.rules, &self.training.schema)?;
        let fitted = (self.model.clone(), Explainer::clone(&explainer));
        let service = Service::new(fitted, self.training.clone(), &wishes, &provenance)?
            .with_max_reasons(options.max_reasons.unwrap_or(MAX_REASONS));
        let usual = Settings::default();
        let time_limit = solve.time_limit.unwrap_or(usual.time_limit);
        Server::bind(service, Settings { port, time_limit, threads: solve.threads, ..usual })
    }

    fn hashes(&self) -> Result<(String, String)> {
        if let Some(hashes) = self.hashes.get() {
            return Ok(hashes.clone());
        }
        let hashes = (report::model_hash(&self.model)?, sha256_of_dataset(&self.training));
        Ok(self.hashes.get_or_init(|| hashes).clone())
    }

    fn explainer(&self, goal: Goal, group: Option<ReasonGroup>) -> Result<Arc<Explainer>> {
        if goal == Goal::default() && group.is_none() {
            return Ok(Arc::clone(&self.explainer));
        }
        let mut known = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        let Goal { score, margin, step_to_spare, harmless, needed } = goal;
        let key = (score.to_bits(), margin.to_bits(), [step_to_spare, harmless, needed], group);
        if let Some(explainer) = known.get(&key) {
            return Ok(Arc::clone(explainer));
        }
        let mut explainer = Explainer::clone(&self.explainer).with_goal(goal)?;
        if let Some(group) = group {
            explainer = explainer
                .with_reason_group(group, &self.training)
                .map_err(|error| error.in_file("the rows of fit"))?;
        }
        let explainer = Arc::new(explainer);
        known.insert(key, Arc::clone(&explainer));
        Ok(explainer)
    }
}

pub fn read_json<T: serde::de::DeserializeOwned>(text: &str, what: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| {
        InputError::new(format!("can't be used ({error})"))
            .at(what)
            .remedy("give numbers and names as docs/python.md has them")
            .into()
    })
}

/// The parameter of a choice behind the cost.
fn cost_parameter(choice: &str) -> String {
    match choice {
        "k" => "n_neighbors",
        "lambda" => "outlier_weight",
        "reference" => "n_reference",
        other => other,
    }
    .to_owned()
}
