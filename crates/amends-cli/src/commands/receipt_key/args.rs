//! The arguments of `amends receipt-key`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub struct ReceiptKeyArgs {
    /// The file to write the secret key to, in PEM; it must not exist
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}
