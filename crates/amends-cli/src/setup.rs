//! From the command line as typed to checked settings and loaded data.

use std::path::Path;
use std::time::Duration;

use amends::data::{Dataset, Encoder, HelocCodes, Record, Schema, Table, read_applicants};
use amends::engine::{Engine, SolveSettings};
use amends::explain::{ExplainSettings, Explainer, Preset};
use amends::milp::{CommandSolver, default_solver, solver_by_name};
use amends::model::{Model, ModelKind, Quality, Split, TrainSettings, Training, holdout, train};
use amends::{InputError, Result};

use crate::args::{
    ApplicantArgs, Codes, CostArgs, DataArgs, EngineArgs, EngineName, KnownData, TrainingArgs,
};

/// Applicants to explain where the user names none.
const DEFAULT_REJECTED: usize = 3;

/// A table, encoded and split.
pub struct Source {
    pub dataset: Dataset,
    pub encoder: Encoder,
    pub rows: Vec<Vec<f64>>,
    pub split: Split,
}

/// An applicant and how to call them.
pub struct Applicant {
    /// The row in its table, counted from 1.
    pub row: usize,
    pub record: Record,
}

impl Source {
    pub fn load(args: &DataArgs) -> Result<Self> {
        Self::new(load_dataset(args)?, args.test_share, args.seed)
    }

    pub fn new(dataset: Dataset, test_share: f64, seed: u64) -> Result<Self> {
        if !(test_share > 0.0 && test_share < 1.0) {
            return Err(InputError::new("is no share")
                .at("--test-share")
                .value(test_share)
                .remedy("give a number between 0 and 1, such as 0.25")
                .into());
        }
        let encoder = Encoder::new(&dataset.schema);
        let rows: Vec<Vec<f64>> = dataset.records.iter().map(|r| encoder.encode(r)).collect();
        let split = holdout(rows.len(), test_share, seed);
        Ok(Self { dataset, encoder, rows, split })
    }

    /// The training rows as a data set of their own.
    pub fn training_part(&self) -> Dataset {
        Dataset {
            schema: self.dataset.schema.clone(),
            records: self
                .split
                .train
                .iter()
                .map(|&row| self.dataset.records[row].clone())
                .collect(),
            favourable: self.split.train.iter().map(|&row| self.dataset.favourable[row]).collect(),
        }
    }

    /// Trains a model on the training rows and measures it on the others.
    pub fn train(&self, kind: ModelKind, settings: &TrainSettings) -> Result<Model> {
        let pick = |of: &[usize]| -> (Vec<Vec<f64>>, Vec<bool>) {
            of.iter().map(|&row| (self.rows[row].clone(), self.dataset.favourable[row])).unzip()
        };
        let (rows, favourable) = pick(&self.split.train);
        let binary: Vec<bool> = self.encoder.columns().iter().map(|column| column.binary).collect();
        let classifier = train(kind, &Training::new(&rows, &favourable, &binary)?, settings)?;
        let (rows, truth) = pick(&self.split.test);
        let decisions: Vec<bool> = rows.iter().map(|row| classifier.accepts(row)).collect();
        Ok(Model {
            kind,
            schema_name: self.dataset.schema.name.clone(),
            schema_fingerprint: self.dataset.schema.fingerprint(),
            columns: self.encoder.columns().iter().map(|column| column.name.clone()).collect(),
            settings: settings.clone(),
            quality: Some(Quality::measure(&decisions, &truth)),
            classifier,
        })
    }

    /// A model file, or a model trained now.
    pub fn model(&self, name: &str, settings: &TrainSettings) -> Result<Model> {
        if let Ok(kind) = name.parse::<ModelKind>() {
            return self.train(kind, settings);
        }
        if !Path::new(name).exists() {
            return Err(InputError::new("is neither a kind of model nor a file")
                .at("--model")
                .value(name)
                .remedy("use lr, svm or rf, or the path of a file that `amends train` wrote")
                .into());
        }
        let model = Model::load(name)?;
        let schema = &self.dataset.schema;
        model.check_schema(&schema.name, &schema.fingerprint()).map_err(|e| e.in_file(name))?;
        Ok(model)
    }

    /// The applicants that the user asked for.
    pub fn applicants(
        &self,
        args: &ApplicantArgs,
        explainer: &Explainer,
    ) -> Result<Vec<Applicant>> {
        if let Some(path) = &args.applicants {
            let records = read_applicants(&Table::read(path)?, &self.dataset.schema)?;
            return Ok(records
                .into_iter()
                .enumerate()
                .map(|(index, record)| Applicant { row: index + 1, record })
                .collect());
        }
        if args.row.is_empty() {
            let count = args.rejected.unwrap_or(DEFAULT_REJECTED);
            return Ok(self.rejected(explainer, count));
        }
        let rows = self.dataset.records.len();
        args.row
            .iter()
            .map(|&row| {
                match row.checked_sub(1).and_then(|index| self.dataset.records.get(index)) {
                    Some(record) => Ok(Applicant { row, record: record.clone() }),
                    None => Err(InputError::new("is no row of the table")
                        .at("--row")
                        .value(row)
                        .remedy(format!("rows are counted from 1 to {rows}"))
                        .into()),
                }
            })
            .collect()
    }

    /// The first rejected applicants of the held-out rows, in the table's order.
    pub fn rejected(&self, explainer: &Explainer, count: usize) -> Vec<Applicant> {
        let mut rows = self.split.test.clone();
        rows.sort_unstable();
        rows.into_iter()
            .map(|row| Applicant { row: row + 1, record: self.dataset.records[row].clone() })
            .filter(|applicant| explainer.score(&applicant.record) < 0.0)
            .take(count)
            .collect()
    }
}

fn load_dataset(args: &DataArgs) -> Result<Dataset> {
    let missing = |what: &str, remedy: &str| Err(InputError::new(what).remedy(remedy).into());
    match (args.dataset, &args.data, &args.schema) {
        (None | Some(KnownData::German), None, None) => Ok(Dataset::german()),
        (Some(KnownData::Heloc), Some(path), None) => {
            let codes = match args.heloc_codes {
                Codes::Zero => HelocCodes::Zero,
                Codes::Drop => HelocCodes::Drop,
            };
            Dataset::heloc(path, codes)
        }
        (Some(KnownData::Heloc), None, _) => missing(
            "--dataset heloc needs FICO's file, which may not be passed on with this program",
            "give your own copy with --data FILE",
        ),
        (None, Some(path), Some(schema)) => Dataset::read(path, &Schema::read(schema)?),
        (None, Some(path), None) => missing(
            &format!("{} has no schema", path.display()),
            "write one with `amends init`, edit it, and give it with --schema FILE",
        ),
        (None, None, Some(_)) => missing("--schema needs a table", "give it with --data FILE"),
        (Some(_), _, _) => missing(
            "--dataset names a table and a schema of its own",
            "leave out --dataset, or leave out --schema (and --data for german)",
        ),
    }
}

pub fn train_settings(args: &TrainingArgs, seed: u64) -> Result<TrainSettings> {
    let settings = TrainSettings {
        seed,
        c: args.c,
        svm_loss: args.svm_loss.parse()?,
        trees: args.trees,
        depth: args.depth,
    };
    settings.check()?;
    Ok(settings)
}

pub fn explain_settings(args: &CostArgs, schema: &Schema) -> Result<ExplainSettings> {
    let preset: Preset = args.preset.parse()?;
    let mut settings = ExplainSettings::preset(preset, &schema.name);
    if let Some(distance) = &args.distance {
        settings.distance = distance.parse()?;
    }
    if let Some(factor) = &args.factor {
        settings.factor = factor.parse()?;
    }
    if let Some(outlier) = &args.outlier {
        settings.outlier = outlier.parse()?;
    }
    if let Some(metric) = &args.metric {
        settings.metric = metric.parse()?;
    }
    if let Some(prototypes) = &args.prototypes {
        settings.prototypes = match prototypes.as_str() {
            "all" => None,
            number => Some(number.parse().map_err(|_| {
                InputError::new("is no number of prototypes")
                    .at("--prototypes")
                    .value(number)
                    .remedy("give a whole number, or all")
            })?),
        };
    }
    settings.k = args.k.unwrap_or(settings.k);
    settings.standardise = args.standardise.unwrap_or(settings.standardise);
    settings.lambda = args.lambda.unwrap_or(settings.lambda);
    settings.max_changes = args.max_changes.unwrap_or(settings.max_changes);
    settings.check()?;
    Ok(settings)
}

pub fn engine(args: &EngineArgs) -> Result<Engine> {
    let formulation = args.formulation.parse()?;
    Ok(match args.engine {
        EngineName::Search => Engine::Search,
        EngineName::Milp => Engine::Milp {
            formulation,
            solver: match (&args.solver_command, &args.solver) {
                (Some(command), _) => Box::new(CommandSolver::new(command)?),
                (None, Some(name)) => solver_by_name(name)?,
                (None, None) => default_solver(),
            },
        },
    })
}

pub fn solve_settings(args: &EngineArgs) -> Result<SolveSettings> {
    let settings = SolveSettings {
        time_limit: args.time_limit.map(seconds).transpose()?,
        relative_gap: args.gap,
        threads: args.threads.unwrap_or_else(cores),
    };
    settings.check()?;
    Ok(settings)
}

pub fn seconds(limit: f64) -> Result<Duration> {
    let usable = Duration::try_from_secs_f64(limit).ok().filter(|limit| !limit.is_zero());
    usable.ok_or_else(|| {
        InputError::new("is no time to solve in")
            .at("--time-limit")
            .value(limit)
            .remedy("give seconds above 0, or leave it out for no limit")
            .into()
    })
}

pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
