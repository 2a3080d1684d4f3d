//! Which model decides, and how it is trained.

use std::path::Path;

use amends::import::ImportSettings;
use amends::model::{ModelKind, TrainSettings};
use amends::{InputError, Result};
use clap::Args;

use super::{choice, number, one_of, whole};

/// How to train.
#[derive(Debug, Args)]
#[command(next_help_heading = "Training")]
pub struct TrainingArgs {
    /// The weight of the loss against the penalty (lr, svm)
    #[arg(long = "c", default_value_t = 1.0, value_name = "C", value_parser = number)]
    c: f64,
    /// The loss of the support vector machine: squared-hinge or hinge
    #[arg(long, default_value = "squared-hinge", value_name = "LOSS")]
    svm_loss: String,
    /// The number of trees (rf, gb)
    #[arg(long, default_value_t = 100, value_parser = whole::<usize>)]
    trees: usize,
    /// The depth of the trees; 6 (rf) or 3 (gb) where it is left out
    #[arg(long, value_parser = whole::<usize>)]
    depth: Option<usize>,
    /// What share of its step a boosted tree takes (gb)
    #[arg(long, default_value_t = 0.1, value_name = "SHARE", allow_negative_numbers = true, value_parser = number)]
    learning_rate: f64,
}

/// Which model decides.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
pub struct ModelArgs {
    #[arg(long, default_value = "lr", help = model_help())]
    model: String,
    /// The outcome that class 1 of an XGBoost or LightGBM model stands for, where outcomes are not 0 and 1
    #[arg(long, value_name = "OUTCOME")]
    class_one: Option<String>,
    /// What such a model saw where a number has a code: written (as the table has it) or missing
    #[arg(long, value_name = "HOW", default_value = "written")]
    codes_as: String,
}

/// Kinds of models that are compared.
#[derive(Debug, Args)]
pub struct ModelListArgs {
    /// Which models
    #[arg(long, value_delimiter = ',', default_value = "lr,svm,rf,gb")]
    models: Vec<String>,
}

/// Which model decides.
#[derive(Debug, Clone)]
pub enum ModelChoice {
    /// One that is trained now.
    Trained(ModelKind),
    /// A file, whoever wrote it, and how to read that of another library.
    File { name: String, imports: ImportSettings },
}

/// The short names of all kinds of models, as a sentence has them.
pub fn model_names() -> String {
    one_of(ModelKind::ALL.iter().map(|kind| kind.short_name()))
}

fn model_help() -> String {
    let files = "or a file: of `amends train`, of XGBoost (JSON) or of LightGBM (text)";
    format!("{}, trained now; {files}", model_names())
}

impl TrainingArgs {
    pub fn check(self, seed: u64) -> Result<TrainSettings> {
        let settings = TrainSettings {
            seed,
            c: self.c,
            svm_loss: choice("--svm-loss", &self.svm_loss)?,
            trees: self.trees,
            depth: self.depth,
            learning_rate: self.learning_rate,
        };
        settings.check()?;
        Ok(settings)
    }
}

impl ModelArgs {
    pub fn check(self) -> Result<ModelChoice> {
        let codes = choice("--codes-as", &self.codes_as)?;
        if let Ok(kind) = self.model.parse() {
            return Ok(ModelChoice::Trained(kind));
        }
        if Path::new(&self.model).exists() {
            let imports = ImportSettings { class_one: self.class_one, codes };
            return Ok(ModelChoice::File { name: self.model, imports });
        }
        Err(InputError::new("is neither a kind of model nor a file")
            .at("--model")
            .value(self.model)
            .remedy(format!(
                "use {}, or the path of a file that `amends train`, XGBoost or LightGBM wrote",
                model_names()
            ))
            .into())
    }
}

impl ModelListArgs {
    pub fn check(&self) -> Result<Vec<ModelKind>> {
        self.models.iter().map(|name| choice("--models", name)).collect()
    }
}
