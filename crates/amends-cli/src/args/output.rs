//! Where results are written, and in which format.

use std::path::{Path, PathBuf};

use amends::{InputError, Result};
use amends_run::output::check_writable;
use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub struct OutputArgs {
    /// Where to write; standard output where it is left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
    Csv,
}

impl OutputArgs {
    /// The file to write; none for standard output.
    pub fn path(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// A file that can be written; none for standard output.
    pub fn check(&self) -> Result<Option<PathBuf>> {
        self.path().map_or(Ok(()), check_format)?;
        self.path().map_or(Ok(()), check_writable)?;
        Ok(self.path().map(Path::to_owned))
    }
}

/// Refuses names of files in a format that nothing is written in: whoever opened them would find text.
pub fn check_format(path: &Path) -> Result<()> {
    const OTHERS: [&str; 11] =
        ["pdf", "doc", "docx", "odt", "rtf", "xls", "xlsx", "ods", "png", "jpg", "svg"];
    match file_extension(path).filter(|extension| OTHERS.contains(&extension.as_str())) {
        None => Ok(()),
        Some(extension) => Err(InputError::new(format!("no {extension} files are written"))
            .value(path.display())
            .remedy(
                "write .html, which browsers print as PDF, or .csv, which opens as a spreadsheet",
            )
            .into()),
    }
}

/// The extension of a file's name in small letters.
pub fn file_extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_lowercase())
}

/// Checks the files that a command writes besides its output, each with its option: they can be written, and no two are the same.
pub fn check_output_files(
    output: Option<&Path>,
    files: &[(&str, Option<&Path>)],
    remedy: &str,
) -> Result<()> {
    let mut taken = vec![output.unwrap_or(Path::new("-"))];
    for &(option, path) in files {
        let Some(path) = path else { continue };
        if taken.contains(&path) {
            return Err(InputError::new("is written to already")
                .at(option)
                .value(path.display())
                .remedy(remedy)
                .into());
        }
        check_writable(path)?;
        taken.push(path);
    }
    Ok(())
}
