//! Answers applicants and writes their letters.

use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};

use amends::answer::{Answer, CachedAsk};
use amends::data::Schema;
use amends::explain::Explainer;
use amends::letter::{Language, Lender, LetterWriter, Template};
use amends::model::Model;
use amends::{Error, InputError, Result, Status};
use amends_run::output::Output;
use amends_run::{fingerprint, interrupt};
use serde::{Deserialize, Serialize};

use super::args::{LetterCommand, LettersCommand};
use super::protected::{self, ProtectedReasons, listed};
use super::recipients::Recipients;
use super::write_files::{create_folder, write_lender, write_templates};
use crate::applicants::{Applicant, Applicants, BadRow};
use crate::batch::{AnswerJournal, Conditions, JournalEntry, RowEnd};
use crate::commands::outcome::{Outcome, SolveCount};
use crate::report::provenance;
use crate::source::Source;

pub fn run(command: &LetterCommand) -> anyhow::Result<Outcome> {
    match command {
        LetterCommand::WriteLender(path) => write_lender(path)?,
        LetterCommand::WriteTemplates(folder) => write_templates(folder)?,
        LetterCommand::Letters(command) => return write_letters(command),
    }
    Ok(Outcome::Answered)
}

fn write_letters(command: &LettersCommand) -> anyhow::Result<Outcome> {
    let answers = &command.answers;
    let question = &answers.question;
    let texts = LetterTexts::read(command)?;
    // Read before anything is trained: empty slots are found at once.
    let lender = Lender::parse(&texts.lender.text, &texts.lender.name)?;
    lender.check(command.kind.law, &texts.lender.name)?;
    let (source, table) = Source::load_with_table(&question.setup.data)?;
    let (model, explainer) = source.fit_for(answers)?;
    let provenance = provenance(answers, &source, &model)?;
    let (chosen, requirements) = (&question.applicants, &question.setup.requirements);
    let mut applicants = Applicants::choose(&source, chosen, requirements, &explainer)?;
    let columns = lender.columns(command.kind.law);
    let recipients = Recipients::new(columns, command.key.as_deref(), &mut applicants, table)?;
    recipients.check(&mut applicants, &explainer)?;
    if command.output.is_none() && applicants.len() > 1 {
        return Err(InputError::new(format!(
            "{} letters can't be separated on standard output",
            applicants.len()
        ))
        .at("--output")
        .remedy("name a folder with --output, or a single applicant")
        .into());
    }
    let LetterTexts { lender: lender_file, template, page } = &texts;
    let lender = (lender, lender_file.name.as_str());
    let writer =
        LetterWriter::new(command.kind, lender, provenance, template.clone(), page.clone())?;
    applicants.warn_of_bad_rows();
    note_language(command.kind.language, &writer, explainer.schema());
    let mut journal = open_journal(command, &source, &applicants, (&model, &explainer), &texts)?;
    interrupt::handle_ctrl_c(crate::STOPPED)?;
    let ask = CachedAsk::new(&command.ask, &explainer);
    let mut written = WrittenLetters::new(command)?;
    answers.engine.batch(&applicants, "writing").answer(
        &mut journal,
        &ask,
        |applicant, answer| Letter::of(applicant, answer, &recipients, &writer, &explainer),
        |bad| Letter::of_bad_row(bad.clone()),
        |_, letter| written.write(&letter),
    )?;
    Ok(written.finish(applicants.len()))
}

/// Says once where a letter in German would have the words of a schema that has none in German.
fn note_language(language: Language, writer: &LetterWriter, schema: &Schema) {
    let translated = schema.features.iter().any(|feature| !feature.translations.is_empty());
    if language == Language::German && !translated && writer.lender().translations.is_empty() {
        eprintln!(
            "note: the schema has no German texts, so the letters have its titles, units and labels as they are; add [feature.de] to \
             its features (docs/schema-format.md), or [translations] to the lender's file"
        );
    }
}

/// The files that letters are made of, as texts.
struct LetterTexts {
    lender: Template,
    template: Option<Template>,
    page: Option<Template>,
}

impl LetterTexts {
    fn read(command: &LettersCommand) -> Result<Self> {
        let read = |path: &PathBuf| -> Result<Template> {
            let text = std::fs::read_to_string(path).map_err(|error| Error::file(path, error))?;
            Ok(Template { name: path.display().to_string(), text })
        };
        Ok(Self {
            lender: read(&command.lender)?,
            template: command.template.as_ref().map(read).transpose()?,
            page: command.page.as_ref().map(read).transpose()?,
        })
    }

    /// Stands for all that letters depend on, apart from the answers.
    fn fingerprint(&self) -> String {
        let files = [Some(&self.lender), self.template.as_ref(), self.page.as_ref()];
        fingerprint::of_texts(files.map(|file| file.map_or("", |file| file.text.as_str())))
    }
}

/// An applicant's letter; what a journal keeps of it.
#[derive(Debug, Serialize, Deserialize)]
struct Letter {
    #[serde(flatten)]
    end: RowEnd,
    /// The name of its file, without its ending.
    name: String,
    /// None for those who are accepted as they are.
    text: Option<String>,
    /// The principal reasons that are protected attributes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    protected: Vec<String>,
    /// Whether a plan in it takes longer than the letter holds.
    #[serde(default)]
    outlasts: bool,
}

impl Letter {
    fn of(
        applicant: &Applicant,
        answer: &Answer,
        recipients: &Recipients,
        writer: &LetterWriter,
        explainer: &Explainer,
    ) -> Result<Self> {
        let (recipient, name) = recipients.recipient(applicant);
        let text = match answer.reasons() {
            Some(reasons) => Some(writer.write(&recipient, answer, reasons, explainer)?),
            None => None,
        };
        let protected =
            answer.reasons().map(|reasons| protected::among(reasons, explainer.schema()));
        let (end, protected) =
            (RowEnd::answered(applicant.row, answer), protected.unwrap_or_default());
        let outlasts = text.is_some() && writer.outlasts(answer, explainer);
        Ok(Self { end, name, text, protected, outlasts })
    }

    fn of_bad_row(bad: BadRow) -> Self {
        let end = RowEnd::unread(bad);
        Self { end, name: String::new(), text: None, protected: Vec::new(), outlasts: false }
    }
}

impl JournalEntry for Letter {
    fn row_end(&self) -> Cow<'_, RowEnd> {
        Cow::Borrowed(&self.end)
    }
}

/// The journal, where one is asked for. Letters of another day, or with other texts, are other letters.
fn open_journal(
    command: &LettersCommand,
    source: &Source,
    applicants: &Applicants,
    fitted: (&Model, &Explainer),
    texts: &LetterTexts,
) -> anyhow::Result<AnswerJournal> {
    let LettersCommand { answers, ask, kind, .. } = command;
    let Some(path) = &answers.journal else { return Ok(AnswerJournal::default()) };
    let day = amends_run::machine::now()?.format("%Y-%m-%d");
    let kept = format!(
        "letters of {day} in {} for {} as {}, texts {}, with {ask}",
        kind.language.name(),
        kind.law.name(),
        kind.format.name(),
        texts.fingerprint()
    );
    let conditions = Conditions::of(answers, source, applicants, fitted, Some(kept))?;
    Ok(AnswerJournal::open(path, conditions, |_: &Letter| true)?)
}

/// Letters as they are written, and counted.
struct WrittenLetters<'a> {
    command: &'a LettersCommand,
    count: SolveCount,
    answered: usize,
    accepted: usize,
    protected: ProtectedReasons,
    /// The rows whose plans take longer than their letters hold.
    outlasting: Vec<usize>,
}

impl<'a> WrittenLetters<'a> {
    fn new(command: &'a LettersCommand) -> Result<Self> {
        command.output.as_deref().map_or(Ok(()), create_folder)?;
        let (count, protected) = (SolveCount::default(), ProtectedReasons::default());
        let outlasting = Vec::new();
        Ok(Self { command, count, answered: 0, accepted: 0, protected, outlasting })
    }

    fn write(&mut self, letter: &Letter) -> anyhow::Result<()> {
        self.answered += 1;
        self.count.add_answer(letter);
        self.protected.add(letter.end.row, &letter.protected);
        self.outlasting.extend(letter.outlasts.then_some(letter.end.row));
        self.accepted += usize::from(letter.end.status == Some(Status::AlreadyAccepted));
        let Some(text) = &letter.text else { return Ok(()) };
        let extension = self.command.kind.format.extension();
        let path = self.command.output.as_ref();
        let path = path.map(|folder| folder.join(format!("{}.{extension}", letter.name)));
        let mut output = Output::to(path.as_deref().map(Path::new))?;
        output.write_all(text.as_bytes())?;
        Ok(output.finish()?)
    }

    /// Says on standard error who has no letter, and which reasons the lender should look at.
    fn finish(self, applicants: usize) -> Outcome {
        if self.accepted > 0 {
            let (are, get) = if self.accepted == 1 { ("is", "gets") } else { ("are", "get") };
            eprintln!(
                "note: {} of {applicants} applicants {are} accepted already and {get} no letter",
                self.accepted
            );
        }
        for note in self.protected.notes() {
            eprintln!("{note}");
        }
        if !self.outlasting.is_empty() {
            eprintln!(
                "note: the plan of {} takes longer than the letter holds: it says so, asks to contact you, and promises nothing",
                listed(&self.outlasting)
            );
        }
        self.count.report_bad_rows(applicants);
        let journal = self.command.answers.journal.is_some();
        self.count.ended(self.answered, applicants, journal)
    }
}
