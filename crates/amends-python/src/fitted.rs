//! A model with everything that its applicants share, behind the Python class `Explainer`.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use amends::data::{Dataset, Record, Schema, Table, read_applicants};
use amends::engine::{Engine, SolveSettings};
use amends::explain::{ExplainSettings, Explainer, Goal, Wishes};
use amends::import::Link;
use amends::model::Model;
use amends::search::Control;
use amends::{InputError, Result, Status};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::answer::json;
use crate::model_spec::ModelSpec;
use crate::options::{CostOptions, ExplainOptions};
use crate::raised;
use crate::watch::watched;

/// A fitted explainer.
#[pyclass(frozen)]
pub struct Fitted {
    training: Dataset,
    model: Model,
    costs: ExplainSettings,
    /// One explainer per goal that was asked for: the goal is part of what is fitted.
    explainers: Mutex<HashMap<[u64; 2], Arc<Explainer>>>,
}

#[pymethods]
impl Fitted {
    #[new]
    fn new(
        py: Python<'_>,
        schema: &str,
        header: Vec<String>,
        rows: Vec<Vec<String>>,
        model: &str,
        costs: &str,
    ) -> PyResult<Self> {
        watched(py, |_| Self::fit(schema, header, rows, model, costs))?.map_err(raised)
    }

    /// The scores of applications, above 0 where the model accepts.
    fn score(
        &self,
        py: Python<'_>,
        header: Vec<String>,
        rows: Vec<Vec<String>>,
    ) -> PyResult<Vec<f64>> {
        py.detach(|| {
            let explainer = self.explainer(Goal::default())?;
            let records = self.read(header, rows)?;
            Ok(records.iter().map(|record| explainer.score(record)).collect())
        })
        .map_err(raised)
    }

    /// Plans for applications: a list of JSON texts, one per plan, for each of them.
    fn explain(
        &self,
        py: Python<'_>,
        header: Vec<String>,
        rows: Vec<Vec<String>>,
        options: &str,
    ) -> PyResult<Vec<Vec<String>>> {
        watched(py, |cancel| {
            let options: ExplainOptions = read_json(options, "explain")?;
            let records = self.read(header, rows)?;
            self.answer_all(&records, &options, cancel)
        })?
        .map_err(raised)
    }

    /// Refuses rules that can't be read or can't hold.
    #[expect(clippy::needless_pass_by_value, reason = "lists of Python arrive by value")]
    fn check_rules(&self, rules: Vec<String>) -> PyResult<()> {
        self.wishes(&rules).map(|_| ()).map_err(raised)
    }

    /// Writes the model for `amends explain --model`.
    fn save(&self, path: &str) -> PyResult<()> {
        self.model.save(path).map_err(raised)
    }

    /// The schema file that goes with the model.
    fn schema(&self) -> String {
        self.training.schema.to_toml()
    }

    /// What the score says about the probability: `log-odds`, `share` or `none`.
    fn link(&self) -> &'static str {
        match self.model.origin.link() {
            Link::LogOdds => "log-odds",
            Link::Share => "share",
            Link::None => "none",
        }
    }
}

impl Fitted {
    fn fit(
        schema: &str,
        header: Vec<String>,
        rows: Vec<Vec<String>>,
        model: &str,
        costs: &str,
    ) -> Result<Self> {
        let schema = Schema::parse(schema, "schema")?;
        let costs: CostOptions = read_json(costs, "settings")?;
        let costs = costs.settings(&schema)?;
        let model = ModelSpec::parse(model)?.model(&schema)?;
        let training = Dataset::from_table(&table(header, rows)?, &schema)?;
        let fitted = Self { training, model, costs, explainers: Mutex::default() };
        fitted.explainer(Goal::default())?;
        Ok(fitted)
    }

    fn wishes(&self, rules: &[String]) -> Result<Wishes> {
        let parsed = Wishes::parse(rules.iter().map(String::as_str), &self.training.schema);
        Ok(parsed.map_err(|error| error.file("rules"))?)
    }

    fn read(&self, header: Vec<String>, rows: Vec<Vec<String>>) -> Result<Vec<Record>> {
        read_applicants(&table(header, rows)?, &self.training.schema)
    }

    fn explainer(&self, goal: Goal) -> Result<Arc<Explainer>> {
        let mut known = self.explainers.lock().unwrap_or_else(PoisonError::into_inner);
        let key = [goal.score.to_bits(), goal.margin.to_bits()];
        if let Some(explainer) = known.get(&key) {
            return Ok(Arc::clone(explainer));
        }
        let costs = ExplainSettings { goal, ..self.costs.clone() };
        let explainer = Arc::new(Explainer::fit(&self.training, &self.model, &costs)?);
        known.insert(key, Arc::clone(&explainer));
        Ok(explainer)
    }

    /// Answers applicants in parallel, each on one thread; a single one gets all threads.
    fn answer_all(
        &self,
        records: &[Record],
        options: &ExplainOptions,
        cancel: &AtomicBool,
    ) -> Result<Vec<Vec<String>>> {
        let explainer = self.explainer(options.goal(self.model.origin.link())?)?;
        let settings = options.solve_settings()?;
        let wishes = Wishes::parse(options.rules.iter().map(String::as_str), &self.training.schema)
            .map_err(|error| error.file("rules"))?;
        let answer = |record: &Record, settings: &SolveSettings| {
            if cancel.load(Ordering::Relaxed) {
                return Ok(Vec::new());
            }
            self.answer(&explainer, record, &wishes, options, settings, cancel)
        };
        if let [record] = records {
            return Ok(vec![answer(record, &settings)?]);
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.threads).build();
        let pool = pool.map_err(|error| {
            InputError::new(format!("can't be started ({error})"))
                .at("n_jobs")
                .value(settings.threads)
                .remedy("ask for fewer")
        })?;
        let single = SolveSettings { threads: 1, ..settings };
        pool.install(|| records.par_iter().map(|record| answer(record, &single)).collect())
    }

    fn answer(
        &self,
        explainer: &Explainer,
        record: &Record,
        wishes: &Wishes,
        options: &ExplainOptions,
        settings: &SolveSettings,
        cancel: &AtomicBool,
    ) -> Result<Vec<String>> {
        let control = Control { cancel: Some(cancel), progress: None };
        let case = explainer.case(record, wishes)?;
        let engine = Engine::Search;
        let mut plans = if options.n_plans == 1 {
            vec![case.explain(&engine, settings, &control)?]
        } else {
            case.several(options.n_plans, options.apart(), &engine, settings, &control)?.0
        };
        if let [only] = &mut plans[..]
            && options.reasons
            && only.status == Status::Infeasible
        {
            only.why_none = Some(case.why_none(&engine, settings, &control)?);
        }
        Ok(plans.iter().map(|plan| json(plan, &self.model, explainer).to_string()).collect())
    }
}

fn table(header: Vec<String>, rows: Vec<Vec<String>>) -> Result<Table> {
    if let Some(short) = rows.iter().position(|row| row.len() != header.len()) {
        return Err(InputError::new("has another number of cells than there are columns")
            .row(short + 1)
            .remedy("give a data frame")
            .into());
    }
    Ok(Table { source: "X".to_owned(), header, rows })
}

fn read_json<T: serde::de::DeserializeOwned>(text: &str, what: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| {
        InputError::new(format!("can't be used ({error})"))
            .at(what)
            .remedy("give numbers and names as docs/python.md has them")
            .into()
    })
}
