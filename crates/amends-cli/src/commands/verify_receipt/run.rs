//! Verifies a receipt and says what it confirms.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use amends::Error;
use amends::provenance::date_text;
use amends_receipt::{Receipt, SignedReceipt};
use anyhow::bail;
use chrono::Utc;

use super::args::VerifyReceiptCommand;
use super::decide::score;
use crate::commands::Outcome;

pub fn run(command: &VerifyReceiptCommand) -> anyhow::Result<Outcome> {
    let path = command.receipt.as_path();
    let text = std::fs::read_to_string(path).map_err(|error| Error::file(path, error))?;
    let signed = SignedReceipt::parse(&text, &path.display().to_string())?;
    let receipt = match signed.verify(&command.key, Utc::now()) {
        Ok(receipt) => receipt,
        Err(invalid) => bail!("{} is not valid: {invalid}", path.display()),
    };
    let mut text = what_it_confirms(&receipt);
    if let Some(files) = &command.model {
        let score = score(&receipt, files)?;
        if score < receipt.cut {
            bail!(
                "{} is signed, but the model scores the confirmed application {score}, below its cut of {}",
                path.display(),
                receipt.cut
            );
        }
        // The same file gives the same score, up to how sums are rounded on another machine.
        if (score - receipt.plan.score).abs() > 1e-9 * (1.0 + score.abs()) {
            bail!(
                "{} is signed, but the model scores the confirmed application {score}, and the receipt says {}",
                path.display(),
                receipt.plan.score
            );
        }
        let _ = writeln!(text, "The model was asked again and accepts it (score {score:+.4}).");
    }
    io::stdout().write_all(text.as_bytes())?;
    Ok(Outcome::Answered)
}

fn what_it_confirms(receipt: &Receipt) -> String {
    let lender = printable(receipt.lender.as_deref().unwrap_or("The lender"));
    let mut text = format!(
        "Valid until {} (issued {}, number {}).\n{lender} confirms that this change leads to approval, if all else stays as it was:\n",
        date_text(receipt.valid_until),
        date_text(receipt.issued),
        printable(&receipt.number)
    );
    for change in &receipt.plan.changes {
        let _ = writeln!(
            text,
            "  {}: {} -> {}",
            printable(&change.title),
            printable(&change.before),
            printable(&change.after)
        );
    }
    let _ = writeln!(
        text,
        "Score {:+.4}, accepted from {:+.4}. SHA-256 of the model {}, of the schema {}.",
        receipt.plan.score,
        receipt.cut,
        printable(&receipt.model_sha256),
        printable(&receipt.schema_sha256)
    );
    text
}

/// A text of the receipt without what a terminal would obey: control characters, and those that turn the direction of writing,
/// are escaped.
fn printable(text: &str) -> String {
    let turns = |letter: char| matches!(letter, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() || turns(letter) {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_receipt_controls_the_terminal() {
        let hostile = "Bank\u{1b}[2J\u{202e}\r\nMüller";
        assert_eq!(printable(hostile), "Bank\\u{1b}[2J\\u{202e}\\r\\nMüller");
    }
}
