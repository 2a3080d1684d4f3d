//! The arguments of `amends verify-receipt`.

use std::path::{Path, PathBuf};

use amends::{Error, Result};
use amends_receipt::PublicKey;
use clap::Args;

#[derive(Debug, Args)]
pub struct VerifyReceiptArgs {
    /// The receipt, as it was downloaded
    #[arg(value_name = "RECEIPT")]
    receipt: PathBuf,
    /// The lender's public key, or a file that has it (as `amends receipt-key` prints it, or in PEM)
    #[arg(long, value_name = "KEY")]
    public_key: String,
    /// Ask this model again, as a file; it must be the model that the receipt names
    #[arg(long, value_name = "FILE", requires = "schema")]
    model: Option<PathBuf>,
    /// The schema of the model
    #[arg(long, value_name = "FILE", requires = "model")]
    schema: Option<PathBuf>,
    /// The outcome that class 1 of an XGBoost, LightGBM or CatBoost model stands for, where outcomes are not 0 and 1
    #[arg(long, value_name = "OUTCOME", requires = "model")]
    class_one: Option<String>,
    /// The points from which a scorecard (PMML or CSV) accepts
    #[arg(long, value_name = "POINTS", requires = "model", allow_negative_numbers = true)]
    cutoff: Option<f64>,
}

/// What is asked of `amends verify-receipt`, checked.
pub struct VerifyReceiptCommand {
    pub receipt: PathBuf,
    pub key: PublicKey,
    pub model: Option<ModelFiles>,
}

/// The model that is asked again.
pub struct ModelFiles {
    pub model: PathBuf,
    pub schema: PathBuf,
    pub class_one: Option<String>,
    pub cutoff: Option<f64>,
}

impl VerifyReceiptArgs {
    pub fn check(self) -> Result<VerifyReceiptCommand> {
        let path = Path::new(&self.public_key);
        let key = if path.is_file() {
            let text = std::fs::read_to_string(path).map_err(|error| Error::file(path, error))?;
            PublicKey::parse(&text, &self.public_key)?
        } else {
            PublicKey::parse(&self.public_key, "--public-key")?
        };
        let files = self.model.zip(self.schema);
        let (class_one, cutoff) = (self.class_one, self.cutoff);
        let model = files.map(|(model, schema)| ModelFiles { model, schema, class_one, cutoff });
        Ok(VerifyReceiptCommand { receipt: self.receipt, key, model })
    }
}
