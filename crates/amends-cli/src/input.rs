//! Text files, or standard input.

use std::io::Read;
use std::path::Path;

use amends::{Error, Large, check_file_memory};

/// The text of a file, or of standard input for `-`; and how to call it in messages.
pub fn read_text(path: &Path) -> amends::Result<(String, String)> {
    let name = path.display().to_string();
    if name == "-" {
        let mut text = String::new();
        let source = "standard input";
        std::io::stdin().read_to_string(&mut text).map_err(|error| Error::file(source, error))?;
        return Ok((text, source.to_owned()));
    }
    check_file_memory(path, 0, Large::Instances)?;
    let text = std::fs::read_to_string(path).map_err(|error| Error::file(path, error))?;
    Ok((text, name))
}
