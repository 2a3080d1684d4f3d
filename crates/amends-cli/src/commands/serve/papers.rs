//! The arguments of `amends serve` about letters and receipts.

use std::path::{Path, PathBuf};

use amends::letter::{Law, Lender, Template};
use amends::{Error, Result};
use amends_receipt::SigningKey;
use amends_web::Receipts;
use clap::Args;

use crate::args::{choice, whole};

/// What the lender hands out.
#[derive(Debug, Args)]
#[command(next_help_heading = "Letters and receipts")]
pub struct PapersArgs {
    /// Offer letters of this lender (`amends letter --write-lender` writes a file to fill in)
    #[arg(long, value_name = "FILE")]
    lender: Option<PathBuf>,
    /// The law that letters follow: us (Regulation B, FCRA) or eu (GDPR, Consumer Credit Directive)
    #[arg(long, default_value = "us", requires = "lender")]
    law: String,
    /// Another template for letters than the built-in one: .md for all formats, .html or .txt for that format
    #[arg(long, value_name = "FILE", requires = "lender")]
    template: Option<PathBuf>,
    /// Another page than the built-in one around letters in HTML
    #[arg(long, value_name = "FILE", requires = "lender")]
    letter_page: Option<PathBuf>,
    /// Sign receipts of plans with this key (`amends receipt-key` makes one)
    #[arg(long, value_name = "FILE")]
    receipt_key: Option<PathBuf>,
    /// How many days a receipt is valid
    #[arg(long, value_name = "DAYS", default_value_t = 30, requires = "receipt_key", value_parser = whole::<u32>)]
    receipt_days: u32,
}

/// What the lender hands out, read from the files that were named.
pub struct Papers {
    pub letters: Option<LetterFiles>,
    pub receipts: Option<Receipts>,
}

/// What letters are made of.
pub struct LetterFiles {
    pub lender: Lender,
    /// The lender's file.
    pub source: String,
    pub law: Law,
    pub template: Option<Template>,
    pub page: Option<Template>,
}

impl PapersArgs {
    pub fn check(self) -> Result<Papers> {
        let read = |path: PathBuf| -> Result<Template> {
            let text = std::fs::read_to_string(&path).map_err(|error| Error::file(&path, error))?;
            Ok(Template { name: path.display().to_string(), text })
        };
        let law = choice("--law", &self.law)?;
        let (template, page) = (self.template, self.letter_page);
        let letters = self.lender.map(|path| -> Result<LetterFiles> {
            let Template { name: source, text } = read(path)?;
            let lender = Lender::parse(&text, &source)?;
            lender.check(law, &source)?;
            let (template, page) = (template.map(read).transpose()?, page.map(read).transpose()?);
            Ok(LetterFiles { lender, source, law, template, page })
        });
        let receipts = self.receipt_key.map(|path| -> Result<Receipts> {
            warn_of_open_key(&path);
            let Template { name, text } = read(path)?;
            Receipts::new(SigningKey::from_pem(&text, &name)?, self.receipt_days)
        });
        Ok(Papers { letters: letters.transpose()?, receipts: receipts.transpose()? })
    }
}

/// Says where others can read the secret key, or write it.
fn warn_of_open_key(path: &Path) {
    #[cfg(unix)]
    if let Ok(about) = std::fs::metadata(path) {
        let mode = std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o777;
        if mode & 0o077 != 0 {
            eprintln!(
                "warning: {} is the secret key, and others can read or change it (mode {mode:03o}); let only the server have it: chmod \
                 600 {}",
                path.display(),
                path.display()
            );
        }
    }
    #[cfg(not(unix))]
    let _ = path;
}
