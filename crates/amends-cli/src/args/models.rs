//! Which model decides, and how it is trained.

use std::path::Path;
use std::slice;

use amends::import::ImportSettings;
use amends::model::{ModelKind, TrainSettings};
use amends::{InputError, Result};
use clap::Args;

use super::{choice, number, one_of, whole};

/// How to train.
#[derive(Debug, Args)]
#[command(next_help_heading = "Training")]
pub struct TrainingArgs {
    /// The weight of the loss against the penalty; 1 where it is left out (lr, svm)
    #[arg(long = "c", value_name = "C", allow_negative_numbers = true, value_parser = number)]
    c: Option<f64>,
    /// The loss of the support vector machine: squared-hinge (the default) or hinge (svm)
    #[arg(long, value_name = "LOSS")]
    svm_loss: Option<String>,
    /// The number of trees; 100 where it is left out (rf, gb)
    #[arg(long, value_parser = whole::<usize>)]
    trees: Option<usize>,
    /// The depth of the trees; 6 (rf) or 3 (gb) where it is left out
    #[arg(long, value_parser = whole::<usize>)]
    depth: Option<usize>,
    /// The factor by which the step of each boosted tree is shrunk; 0.1 where it is left out (gb)
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, value_parser = number)]
    learning_rate: Option<f64>,
}

/// Which model decides.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
pub struct ModelArgs {
    #[arg(long, default_value = "lr", help = model_help())]
    model: String,
    /// The outcome that class 1 of an XGBoost, LightGBM or CatBoost model stands for, where outcomes are not 0 and 1
    #[arg(long, value_name = "OUTCOME")]
    class_one: Option<String>,
    /// What such a model saw where a number has a code: written (as the table has it; the default) or missing
    #[arg(long, value_name = "HOW")]
    codes_as: Option<String>,
    /// The points from which a scorecard (PMML or CSV) accepts
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = number)]
    cutoff: Option<f64>,
}

/// Kinds of models that are compared.
#[derive(Debug, Args)]
pub struct ModelListArgs {
    /// Which models, of lr, svm, rf and gb; all of them where it is left out
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    models: Vec<String>,
}

/// Which model decides.
#[derive(Debug, Clone)]
pub enum ModelChoice {
    /// One that is trained now.
    Trained(ModelKind),
    /// A file of any library, and how to read those of others.
    File { name: String, imports: ImportSettings },
}

impl ModelChoice {
    /// The kinds that have to be trained.
    pub fn trained(&self) -> &[ModelKind] {
        match self {
            Self::Trained(kind) => slice::from_ref(kind),
            Self::File { .. } => &[],
        }
    }
}

/// The short names of all kinds of models, as a sentence has them.
pub fn model_names() -> String {
    one_of(ModelKind::ALL.iter().map(|kind| kind.short_name()))
}

fn model_help() -> String {
    let files = "or a file: of `amends train`, of XGBoost or CatBoost (JSON), of LightGBM (text), \
                 or a scorecard (PMML or CSV)";
    format!("{}, trained now; {files}", model_names())
}

impl TrainingArgs {
    /// For training these kinds of models. What none of them uses is refused.
    pub fn check(self, seed: u64, kinds: &[ModelKind]) -> Result<TrainSettings> {
        let usual = TrainSettings::default();
        let svm_loss =
            self.svm_loss.as_deref().map(|name| choice("--svm-loss", name)).transpose()?;
        self.refuse_unused(kinds)?;
        let settings = TrainSettings {
            seed,
            c: self.c.unwrap_or(usual.c),
            svm_loss: svm_loss.unwrap_or(usual.svm_loss),
            trees: self.trees.unwrap_or(usual.trees),
            depth: self.depth,
            learning_rate: self.learning_rate.unwrap_or(usual.learning_rate),
        };
        settings.check()?;
        Ok(settings)
    }

    fn refuse_unused(&self, kinds: &[ModelKind]) -> Result<()> {
        type Uses = fn(ModelKind) -> bool;
        let of_trees: Uses = ModelKind::is_of_trees;
        let given: [(&str, bool, Uses); 5] = [
            ("--c", self.c.is_some(), |kind| !kind.is_of_trees()),
            ("--svm-loss", self.svm_loss.is_some(), |kind| kind == ModelKind::LinearSvm),
            ("--trees", self.trees.is_some(), of_trees),
            ("--depth", self.depth.is_some(), of_trees),
            ("--learning-rate", self.learning_rate.is_some(), |kind| {
                kind == ModelKind::GradientBoosting
            }),
        ];
        for (option, given, uses) in given {
            if !given || kinds.iter().copied().any(uses) {
                continue;
            }
            let users = ModelKind::ALL.into_iter().filter(|&kind| uses(kind));
            return Err(InputError::new("has no effect on this model")
                .at(option)
                .remedy(format!(
                    "leave it out; it is for training {}",
                    one_of(users.map(ModelKind::short_name))
                ))
                .into());
        }
        Ok(())
    }
}

impl ModelArgs {
    pub fn check(self) -> Result<ModelChoice> {
        let codes = self.codes_as.as_deref().map(|name| choice("--codes-as", name)).transpose()?;
        if let Ok(kind) = self.model.parse() {
            let cutoff = self.cutoff.map(|points| points.to_string());
            let given = [
                ("--class-one", self.class_one),
                ("--codes-as", self.codes_as),
                ("--cutoff", cutoff),
            ];
            return given.into_iter().try_fold(
                ModelChoice::Trained(kind),
                |trained, (option, value)| {
                    let Some(value) = value else { return Ok(trained) };
                    Err(InputError::new("is for models of other libraries")
                        .at(option)
                        .value(value)
                        .remedy("leave it out, or name such a model's file with --model")
                        .into())
                },
            );
        }
        if Path::new(&self.model).exists() {
            let codes = codes.unwrap_or_default();
            let imports = ImportSettings { class_one: self.class_one, codes, cutoff: self.cutoff };
            return Ok(ModelChoice::File { name: self.model, imports });
        }
        Err(InputError::new("is neither a kind of model nor a file")
            .at("--model")
            .value(self.model)
            .remedy(format!(
                "use {}, or the path of a file that `amends train`, XGBoost, LightGBM or CatBoost wrote, or of a scorecard",
                model_names()
            ))
            .into())
    }
}

impl ModelListArgs {
    pub fn is_given(&self) -> bool {
        !self.models.is_empty()
    }

    pub fn check(&self) -> Result<Vec<ModelKind>> {
        if !self.is_given() {
            return Ok(ModelKind::ALL.to_vec());
        }
        self.models.iter().map(|name| choice("--models", name)).collect()
    }
}
