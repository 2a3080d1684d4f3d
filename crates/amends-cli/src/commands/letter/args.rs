//! The arguments of `amends letter`.

use std::path::PathBuf;

use amends::answer::Ask;
use amends::letter::{LetterFormat, LetterKind};
use amends::plans::SeveralSettings;
use amends::{InputError, Result};
use clap::Args;

use crate::args::{AnswerArgs, AnswerSettings, ReasonChoice, check_output_files, choice, whole};

#[derive(Debug, Args)]
pub struct LetterArgs {
    #[command(flatten)]
    answers: AnswerArgs,
    /// The lender's file: name, address, notices, deadlines (`--write-lender` writes one to fill in)
    #[arg(long, value_name = "FILE", help_heading = "Letters")]
    lender: Option<PathBuf>,
    /// en or de
    #[arg(long, default_value = "en", help_heading = "Letters")]
    language: String,
    /// us (Regulation B, FCRA) or eu (GDPR, Consumer Credit Directive)
    #[arg(long, default_value = "us", help_heading = "Letters")]
    law: String,
    /// html, text or markdown; html where there is an --output, else text
    #[arg(long, help_heading = "Letters")]
    format: Option<String>,
    /// The folder to write to, a file per applicant; standard output, for a single applicant, where it is left out
    #[arg(short, long, value_name = "FOLDER", help_heading = "Letters")]
    output: Option<PathBuf>,
    /// Name files by this column of the applicants' table instead of their row
    #[arg(long, value_name = "COLUMN", help_heading = "Letters")]
    key: Option<String>,
    /// The best N plans, none of which changes everything that a better one changes
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Letters", value_parser = whole::<usize>)]
    plans: usize,
    /// Another template than the built-in one: .md for all formats, .html or .txt for that format
    #[arg(long, value_name = "FILE", help_heading = "Letters")]
    template: Option<PathBuf>,
    /// Another page than the built-in one around letters in HTML
    #[arg(long, value_name = "FILE", help_heading = "Letters")]
    page: Option<PathBuf>,
    /// Write a lender's file to fill in, and nothing else
    #[arg(long, value_name = "FILE", exclusive = true, help_heading = "Letters")]
    write_lender: Option<PathBuf>,
    /// Write the built-in templates into this folder, and nothing else
    #[arg(long, value_name = "FOLDER", exclusive = true, help_heading = "Letters")]
    write_templates: Option<PathBuf>,
}

/// What is asked of `amends letter`, checked.
pub enum LetterCommand {
    /// A file to fill in.
    WriteLender(PathBuf),
    /// The built-in templates.
    WriteTemplates(PathBuf),
    Letters(Box<LettersCommand>),
}

/// Which letters are written, and where.
pub struct LettersCommand {
    pub answers: AnswerSettings,
    /// Which plans and reasons letters have.
    pub ask: Ask,
    pub kind: LetterKind,
    pub lender: PathBuf,
    pub template: Option<PathBuf>,
    pub page: Option<PathBuf>,
    pub key: Option<String>,
    /// The folder; none for standard output.
    pub output: Option<PathBuf>,
}

impl LetterArgs {
    pub fn check(self) -> Result<LetterCommand> {
        if let Some(path) = self.write_lender {
            return Ok(LetterCommand::WriteLender(path));
        }
        if let Some(folder) = self.write_templates {
            return Ok(LetterCommand::WriteTemplates(folder));
        }
        let Some(lender) = self.lender else {
            return Err(InputError::new("letters need the lender's name, address and notices")
                .at("--lender")
                .remedy("write a file with `amends letter --write-lender lender.toml`, fill it in, and give it with --lender")
                .into());
        };
        let output = self.output;
        let format = match self.format {
            Some(name) => choice("--format", &name)?,
            None if output.is_some() => LetterFormat::Html,
            None => LetterFormat::Text,
        };
        let kind = LetterKind {
            language: choice("--language", &self.language)?,
            law: choice("--law", &self.law)?,
            format,
        };
        if let Some(folder) = &output {
            check_folder(folder)?;
        }
        let mut answers = self.answers.check()?;
        if !answers.why_none {
            return Err(InputError::new("has no effect: letters don't say why there is no plan")
                .at("--no-why-none")
                .remedy("leave it out")
                .into());
        }
        let setup = &mut answers.question.setup;
        // Nobody should be told to change what need not change.
        setup.requirements = setup.requirements.clone().with_needed_changes();
        // A letter without its reasons would not be one.
        answers.reasons.get_or_insert(ReasonChoice::default());
        check_output_files(
            output.as_deref(),
            &[("--journal", answers.journal.as_deref())],
            "name a file of its own for the journal",
        )?;
        let plans = match self.plans {
            1 => Ask::best(),
            count => Ask::several(SeveralSettings::new(count))?,
        };
        let ask = answers.with_reasons(plans)?.with_why_none(false);
        let Self { template, page, key, .. } = self;
        let letters = LettersCommand { answers, ask, kind, lender, template, page, key, output };
        Ok(LetterCommand::Letters(Box::new(letters)))
    }
}

/// Refuses a folder that is a file, or that is nowhere.
fn check_folder(folder: &std::path::Path) -> Result<()> {
    if folder.is_dir() || (!folder.exists() && amends::folder_of(folder).is_dir()) {
        return Ok(());
    }
    let error = if folder.exists() {
        InputError::new("is a file").remedy("name a folder: letters are a file each")
    } else {
        InputError::new("is in a folder that does not exist")
            .remedy("create it, or name another place to write to")
    };
    Err(error.at("--output").value(folder.display()).into())
}
