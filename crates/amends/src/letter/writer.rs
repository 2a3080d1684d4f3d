//! Templates, and the letters that are written with them.

use std::sync::Arc;

use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, ErrorKind, Output, State, UndefinedBehavior, context};

use super::facts::{LetterFacts, Recipient, Wording};
use super::markdown::{escape, tidy, to_html, to_text};
use super::{Language, Law, Lender, LetterFormat, LetterKind, trial};
use crate::answer::Answer;
use crate::explain::Explainer;
use crate::provenance::Provenance;
use crate::reasons::Reasons;
use crate::{InputError, Result};

/// The width of plain text.
const WIDTH: usize = 76;
/// The name of the page around a letter in HTML.
const PAGE: &str = "page.html";

/// A template: its file's name, whose ending says in which format it is written, and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// `.md` for a letter in Markdown, from which all formats are made; `.html` and `.txt` for a letter in that format alone.
    pub name: String,
    /// The text, in the language of the crate minijinja.
    pub text: String,
}

impl Template {
    fn built_in(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), text: text.to_owned() }
    }

    /// All built-in templates, with the page that letters in HTML stand in.
    pub fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for &law in Law::ALL {
            for &language in Language::ALL {
                all.push(Self::letter(law, language));
            }
        }
        all.push(Self::page());
        all
    }

    /// The built-in letter in Markdown.
    pub fn letter(law: Law, language: Language) -> Self {
        let text = match (law, language) {
            (Law::UnitedStates, Language::English) => include_str!("templates/us.en.md"),
            (Law::UnitedStates, Language::German) => include_str!("templates/us.de.md"),
            (Law::EuropeanUnion, Language::English) => include_str!("templates/eu.en.md"),
            (Law::EuropeanUnion, Language::German) => include_str!("templates/eu.de.md"),
        };
        Self::built_in(&format!("{}.{}.md", law.name(), language.name()), text)
    }

    /// The built-in page around a letter.
    pub fn page() -> Self {
        Self::built_in(PAGE, include_str!("templates/page.html"))
    }

    fn has_extension(&self, extension: &str) -> bool {
        self.name.rsplit('.').next().is_some_and(|own| own.eq_ignore_ascii_case(extension))
    }
}

/// Writes letters of one kind for one lender.
pub struct LetterWriter {
    kind: LetterKind,
    lender: Lender,
    provenance: Provenance,
    letter: Template,
    page: Template,
    templates: Arc<Environment<'static>>,
}

impl LetterWriter {
    /// With other templates than the built-in ones where they are given. Refuses templates that can't be used, and a lender with
    /// empty slots, of which `source` is the file.
    pub fn new(
        kind: LetterKind,
        (lender, source): (Lender, &str),
        provenance: Provenance,
        letter: Option<Template>,
        page: Option<Template>,
    ) -> Result<Self> {
        lender.check(kind.law, source)?;
        let day = provenance.day();
        if lender.valid_until(day) < day {
            return Err(InputError::new("is in the past")
                .at("plan.valid_until")
                .file(source)
                .remedy("give a later day, or valid_days = 30")
                .into());
        }
        let letter = letter.unwrap_or_else(|| Template::letter(kind.law, kind.language));
        let page = page.unwrap_or_else(Template::page);
        check_format(&letter, kind.format)?;
        let mut templates = Environment::new();
        templates.set_undefined_behavior(UndefinedBehavior::Strict);
        // Errors say which expression failed.
        templates.set_debug(true);
        templates.set_trim_blocks(true);
        templates.set_lstrip_blocks(true);
        templates.set_auto_escape_callback(|name| match name.rsplit('.').next() {
            Some("html" | "htm") => AutoEscape::Html,
            Some("txt") => AutoEscape::None,
            _ => AutoEscape::Custom("markdown"),
        });
        templates.set_formatter(write_escaped);
        templates.add_filter("lines", lines);
        templates.add_filter("paragraphs", paragraphs);
        for template in [&letter, &page] {
            templates
                .add_template_owned(template.name.clone(), template.text.clone())
                .map_err(|error| refused(&error, template))?;
        }
        let templates = Arc::new(templates);
        let writer = Self { kind, lender, provenance, letter, page, templates };
        writer.try_templates()?;
        Ok(writer)
    }

    /// Writes to a rejected applicant.
    pub fn write(
        &self,
        recipient: &Recipient,
        answer: &Answer,
        reasons: &Reasons,
        explainer: &Explainer,
    ) -> Result<String> {
        self.render(&self.wording().facts(recipient, answer, reasons, explainer)?)
    }

    /// Whether a plan takes longer than the letter about it holds.
    pub fn outlasts(&self, answer: &Answer, explainer: &Explainer) -> bool {
        self.wording().outlasts(answer, explainer.schema())
    }

    /// The lender.
    pub fn lender(&self) -> &Lender {
        &self.lender
    }

    fn wording(&self) -> Wording<'_> {
        Wording { kind: self.kind, lender: &self.lender, provenance: &self.provenance }
    }

    /// Checks the names in templates, and writes letters to nobody, so that mistakes are found before anything is solved.
    fn try_templates(&self) -> Result<()> {
        let score = self.lender.us.as_ref().and_then(|us| us.score.as_ref());
        let cell = |column: String| {
            let lowest =
                score.filter(|score| score.column == column).and_then(|score| score.lowest);
            (column, lowest.map_or_else(|| "1".to_owned(), |lowest| lowest.to_string()))
        };
        let cells = self.lender.columns(self.kind.law).into_iter().map(cell);
        let recipient = Recipient { row: Some(1), cells: cells.collect(), ..Recipient::default() };
        let frame = self.wording().frame(&recipient)?;
        trial::check_names(&self.letter, &self.templates, &trial::letter_names(&frame))?;
        trial::check_names(&self.page, &self.templates, &trial::page_names())?;
        for facts in trial::letters(&frame) {
            self.render(&facts)?;
        }
        Ok(())
    }

    fn render(&self, facts: &LetterFacts<'_>) -> Result<String> {
        let letter = self.fill(&self.letter, Value::from_serialize(facts))?;
        if !self.letter.has_extension("md") {
            return Ok(letter);
        }
        let markdown = tidy(&letter);
        match self.kind.format {
            LetterFormat::Markdown => Ok(markdown),
            LetterFormat::Text => Ok(to_text(&markdown, WIDTH)),
            LetterFormat::Html => {
                let page = context! {
                    language => facts.language,
                    law => facts.law,
                    title => title(&markdown).unwrap_or_else(|| facts.lender.creditor.name.clone()),
                    body => Value::from_safe_string(to_html(&markdown)),
                };
                self.fill(&self.page, page)
            }
        }
    }

    fn fill(&self, template: &Template, facts: Value) -> Result<String> {
        let compiled = self.templates.get_template(&template.name);
        let filled = compiled.and_then(|compiled| compiled.render(facts));
        filled.map_err(|error| refused(&error, template))
    }
}

/// A letter that is not written in Markdown has one format.
fn check_format(letter: &Template, format: LetterFormat) -> Result<()> {
    let known = ["md", "html", "txt"].iter().any(|extension| letter.has_extension(extension));
    if letter.has_extension("md") || letter.has_extension(format.extension()) {
        return Ok(());
    }
    let error = if known {
        InputError::new(format!("is not a template of letters in the format {}", format.name()))
            .remedy("choose the format of the template, or give a template in Markdown (.md), which has all formats")
    } else {
        InputError::new("is not the name of a template").remedy("let it end in .md, .html or .txt")
    };
    Err(error.value(&letter.name).into())
}

/// The first heading of a letter, without marks.
fn title(markdown: &str) -> Option<String> {
    let heading = markdown.lines().find_map(|line| line.strip_prefix("# "))?;
    Some(to_text(heading, usize::MAX).trim_end().to_owned())
}

/// A mistake in a template, with its line.
fn refused(error: &minijinja::Error, template: &Template) -> crate::Error {
    let mut problem = match missing(error) {
        Some(name) => InputError::new("has no value in this letter").value(name),
        None => {
            InputError::new(error.detail().map_or_else(|| error.kind().to_string(), str::to_owned))
        }
    };
    problem = problem
        .file(error.name().unwrap_or(&template.name))
        .remedy("correct the template; docs/letters.md lists what templates know");
    if let Some(line) = error.line() {
        problem = problem.at(format!("line {line}"));
    }
    problem.into()
}

/// The expression that has no value, where that is the mistake.
fn missing(error: &minijinja::Error) -> Option<&str> {
    let range = error.range().filter(|_| error.kind() == ErrorKind::UndefinedError)?;
    let source = error.template_source()?;
    // The range of `reasons[7].title` begins at the bracket.
    let before = source.get(..range.start)?;
    let is_part = |letter: char| letter.is_alphanumeric() || "_.[]".contains(letter);
    let start = before.trim_end_matches(is_part).len();
    let expression = source.get(start..range.end)?.trim();
    (!expression.is_empty() && !expression.contains('\n')).then_some(expression)
}

/// Writes a value so that it stays what it is in the template's format.
fn write_escaped(
    out: &mut Output<'_>,
    state: &State<'_, '_>,
    value: &Value,
) -> Result<(), minijinja::Error> {
    if state.auto_escape() == AutoEscape::Custom("markdown") && !value.is_safe() {
        let text = value.to_string();
        return out.write_str(&escape(&text)).map_err(minijinja::Error::from);
    }
    minijinja::escape_formatter(out, state, value)
}

/// Texts and lists of texts, a line each; those that are empty or missing are left out.
fn lines(state: &State<'_, '_>, value: &Value) -> Result<Value, minijinja::Error> {
    let mut texts = Vec::new();
    collect(value, &mut texts)?;
    let texts = texts.iter().map(|text| in_format(state, text));
    Ok(Value::from_safe_string(texts.collect::<Vec<_>>().join(line_break(state))))
}

/// A text with empty lines, in paragraphs.
fn paragraphs(state: &State<'_, '_>, text: &str) -> Value {
    let mut paragraphs: Vec<Vec<&str>> = vec![Vec::new()];
    for line in text.lines().map(str::trim) {
        if line.is_empty() {
            paragraphs.push(Vec::new());
        } else if let Some(last) = paragraphs.last_mut() {
            last.push(line);
        }
    }
    let shown = paragraphs.iter().filter(|lines| !lines.is_empty());
    let shown = shown.map(|lines| in_format(state, &lines.join(" ")));
    let separator = if state.auto_escape() == AutoEscape::Html { "<br><br>" } else { "\n\n" };
    Value::from_safe_string(shown.collect::<Vec<_>>().join(separator))
}

fn collect(value: &Value, texts: &mut Vec<String>) -> Result<(), minijinja::Error> {
    if value.is_undefined() || value.is_none() {
        return Ok(());
    }
    if let Some(text) = value.as_str() {
        if !text.trim().is_empty() {
            texts.push(text.to_owned());
        }
        return Ok(());
    }
    value.try_iter()?.try_for_each(|one| collect(&one, texts))
}

fn in_format(state: &State<'_, '_>, text: &str) -> String {
    match state.auto_escape() {
        AutoEscape::Custom(_) => escape(text),
        AutoEscape::Html => minijinja::HtmlEscape(text).to_string(),
        _ => text.to_owned(),
    }
}

fn line_break(state: &State<'_, '_>) -> &'static str {
    match state.auto_escape() {
        AutoEscape::Custom(_) => "\\\n",
        AutoEscape::Html => "<br>",
        _ => "\n",
    }
}
