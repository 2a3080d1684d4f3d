//! The letter about a rejection, with the reasons and the best plan under the applicant's wishes.

use std::collections::HashMap;

use amends::answer::Ask;
use amends::letter::{Language, LetterFormat, Recipient};
use amends::{InputError, Result};
use axum::extract::State;
use axum::response::Response;
use serde_json::{Map, Value};

use super::answering::{Answering, answer};
use super::file::file;
use crate::app::App;
use crate::refusal::{Problem, Refusal};
use crate::request::{Fields, JsonBody, Question};

/// More than a line of an address is no line.
const LONGEST_CELL: usize = 500;

/// `POST /letter`
pub async fn letter(State(app): State<App>, JsonBody(body): JsonBody) -> Result<Response, Refusal> {
    let Some(letters) = &app.service.letters else {
        return Err(Refusal::not_set_up(
            "the server writes no letters",
            "start it with the lender's file: `amends serve --lender lender.toml`",
        ));
    };
    let mut fields = Fields::of_body(&body);
    let question = Question::read(&mut fields, &app);
    let language = one_of(&mut fields, "language", Language::ALL, Language::name);
    let formats = letters.formats();
    let format = one_of(&mut fields, "format", &formats, LetterFormat::name);
    let cells = recipient(&mut fields, &letters.columns());
    fields.finish()?;
    let question = question.ok_or_else(Refusal::broken)?;
    let ask = Ask::best()
        .with_why_none(false)
        .with_one_time_limit()
        .with_principal_reasons(app.service.max_reasons)?;
    let wishes = question.list.stated(&app.service);
    let recipient = Recipient { row: question.row, cells, wishes };
    let write =
        move |answering: &Answering<'_>| written(answering, &ask, &recipient, (language, format));
    let text = answer(app.clone(), question, write).await?;
    Ok(document(text, format))
}

fn written(
    answering: &Answering<'_>,
    ask: &Ask,
    recipient: &Recipient,
    (language, format): (Language, LetterFormat),
) -> Result<String> {
    let service = &answering.app.service;
    let wishes = answering.wishes(&answering.question.list)?;
    let answer = answering.answer(ask, &wishes)?;
    let (Some(letters), Some(reasons)) = (&service.letters, answer.reasons()) else {
        return Err(InputError::new(
            "the application is accepted as it is, so there is no rejection to write about",
        )
        .remedy("ask for a rejected application")
        .into());
    };
    let writer = letters.writer(language, format, &service.provenance_now())?;
    writer.write(recipient, &answer, reasons, &service.explainer)
}

/// The document, to be saved as a file.
fn document(text: String, format: LetterFormat) -> Response {
    match format {
        LetterFormat::Html => file(text, "text/html; charset=utf-8", "letter.html"),
        LetterFormat::Text => file(text, "text/plain; charset=utf-8", "letter.txt"),
        LetterFormat::Markdown => file(text, "text/markdown; charset=utf-8", "letter.md"),
    }
}

/// One of several choices by its name; the first where none is given.
fn one_of<T: Copy>(
    fields: &mut Fields,
    key: &'static str,
    choices: &[T],
    name: impl Fn(T) -> &'static str,
) -> T {
    let Some(value) = fields.get(key) else { return choices[0] };
    let names: Vec<&str> = choices.iter().map(|&choice| name(choice)).collect();
    let chosen = names.iter().position(|&name| value.as_str() == Some(name));
    if chosen.is_none() {
        fields.add_wrong(key, value, &names.join(" or "));
    }
    choices[chosen.unwrap_or_default()]
}

/// The cells of the recipient that the lender's letters are addressed by.
fn recipient(fields: &mut Fields, columns: &[String]) -> HashMap<String, String> {
    let none = Map::new();
    let given = fields.object("recipient").unwrap_or(&none);
    for (name, cell) in given {
        let remedy = if columns.is_empty() {
            "leave `recipient` out: the lender's file names no columns".to_owned()
        } else {
            format!("the lender's file names `{}`", columns.join("`, `"))
        };
        if !columns.contains(name) {
            let name: String = name.chars().take(40).collect();
            fields.add(Problem::new(format!("`recipient.{name}` is not known"), remedy));
        } else if cell.as_str().is_none_or(|cell| cell.len() > LONGEST_CELL) {
            let message =
                format!("`recipient.{name}` is not a text of at most {LONGEST_CELL} bytes");
            fields.add(Problem::new(message, "give a text"));
        }
    }
    let text = |(name, cell): (&String, &Value)| Some((name.clone(), cell.as_str()?.to_owned()));
    given.iter().filter_map(text).collect()
}
