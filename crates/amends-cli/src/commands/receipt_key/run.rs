//! Makes a key and keeps its secret half in a file that only its owner can read.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use amends::{Error, InputError};
use amends_receipt::SigningKey;

use super::args::ReceiptKeyArgs;
use crate::commands::Outcome;

pub fn run(args: &ReceiptKeyArgs) -> anyhow::Result<Outcome> {
    let path = args.file.as_path();
    let key = SigningKey::generate()?;
    let mut file = create(path).map_err(|error| refusal(path, error))?;
    let written = file.write_all(key.to_pem()?.as_bytes()).and_then(|()| file.sync_all());
    written.map_err(|error| Error::file(path, error))?;
    let mut output = io::stdout().lock();
    writeln!(
        output,
        "The secret key is in {}: keep it where only the server can read it.\nThe public key, for everybody who verifies receipts:\n{}",
        path.display(),
        key.public_key()
    )?;
    Ok(Outcome::Answered)
}

/// A new file: a key that is overwritten leaves receipts that nobody can verify.
fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn refusal(path: &Path, error: io::Error) -> Error {
    if error.kind() == ErrorKind::AlreadyExists {
        return InputError::new("exists already")
            .at("FILE")
            .value(path.display())
            .remedy("name a new file: receipts that the old key signed need its public half")
            .into();
    }
    Error::file(path, error)
}
