//! The files that users edit: a lender's file to fill in, and the built-in templates.

use std::fs;
use std::io::Write;
use std::path::Path;

use amends::letter::{Lender, Template};
use amends::{Error, InputError, Result};
use amends_run::output::Output;

/// Writes a lender's file to fill in.
pub fn write_lender(path: &Path) -> anyhow::Result<()> {
    write(path, Lender::TEMPLATE)
}

/// Writes all built-in templates.
pub fn write_templates(folder: &Path) -> anyhow::Result<()> {
    create_folder(folder)?;
    let templates = Template::all();
    for template in &templates {
        refuse_existing(&folder.join(&template.name))?;
    }
    templates.iter().try_for_each(|template| write(&folder.join(&template.name), &template.text))
}

/// Creates a folder unless it is there.
pub fn create_folder(folder: &Path) -> Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    fs::create_dir(folder).map_err(|error| Error::file(folder, error))
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    refuse_existing(path)?;
    let mut output = Output::to(Some(path))?;
    output.write_all(text.as_bytes())?;
    Ok(output.finish()?)
}

/// What somebody may have edited is not overwritten.
fn refuse_existing(path: &Path) -> Result<()> {
    if !path.is_file() {
        return Ok(());
    }
    Err(InputError::new("exists already")
        .file(path.display().to_string())
        .remedy("name another place, or remove it first")
        .into())
}
