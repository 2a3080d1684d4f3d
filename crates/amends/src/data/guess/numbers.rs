//! How a column writes its numbers.

use std::collections::{BTreeMap, BTreeSet};

use super::cells::{Cells, rows_in_words};
use super::signs::{self, Meaning, take_apart};
use crate::data::{CellFormat, Grouping, NumberFormat};

/// What the other columns of the table show, for columns that could be read in more than one way.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::data) struct Conventions {
    /// Columns with a decimal point, and with a decimal comma, that can't be read otherwise.
    pub points: usize,
    pub commas: usize,
    /// Columns with Indian groups of digits.
    pub indian: usize,
    /// Columns of dates that can only be read with the day, or with the month first.
    pub days_first: usize,
    pub months_first: usize,
    /// Whether amounts are in dollars.
    pub dollars: bool,
}

/// A column of numbers.
#[derive(Debug)]
pub(super) struct Numbers<'a> {
    pub format: NumberFormat,
    /// Each different cell with its number, from the least to the largest.
    pub read: Vec<(&'a str, f64)>,
    /// Cells that are not numbers.
    pub others: Vec<&'a str>,
    /// What should be checked.
    pub checks: Vec<String>,
}

/// The result of trying to read a column as numbers.
pub(super) enum Attempt<'a> {
    Numbers(Numbers<'a>),
    /// Nearly all cells are numbers, and this is why the column can't be read as such.
    Spoilt(String),
    Texts,
}

/// A decimal separator, a separator of thousands, and how many digits it groups.
type Separators = (char, Option<char>, Grouping);

const POINT: Separators = ('.', None, Grouping::Threes);
const COMMA: Separators = (',', None, Grouping::Threes);

/// Every way to write numbers, the likelier first. Indian groups include groups of three.
const WAYS: [Separators; 12] = [
    POINT,
    COMMA,
    ('.', Some(','), Grouping::Threes),
    (',', Some('.'), Grouping::Threes),
    ('.', Some('\''), Grouping::Threes),
    (',', Some('\''), Grouping::Threes),
    ('.', Some(' '), Grouping::Threes),
    (',', Some(' '), Grouping::Threes),
    ('.', Some(','), Grouping::Indian),
    (',', Some('.'), Grouping::Indian),
    ('.', Some(' '), Grouping::Indian),
    (',', Some(' '), Grouping::Indian),
];

/// At most this many texts may occur among numbers, in columns with many more numbers.
const MOST_STATES: usize = 3;

impl Conventions {
    /// Adds what one column shows beyond doubt.
    pub fn add(&mut self, cells: &Cells) {
        let Some(candidates) = Candidates::of(cells) else { return };
        self.dollars |= candidates.signs.iter().any(|sign| signs::is_dollar(sign));
        match candidates.separators().as_slice() {
            [(decimal, _, grouping)] if candidates.shows_separators() => {
                match decimal {
                    ',' => self.commas += 1,
                    _ => self.points += 1,
                }
                self.indian += usize::from(*grouping == Grouping::Indian);
            }
            _ => {}
        }
    }

    /// Whether other columns have decimal commas, and more of them than decimal points.
    pub fn has_commas(&self) -> bool {
        self.commas > self.points
    }
}

/// The cells of a column that look like numbers.
struct Candidates<'a> {
    cells: Vec<(&'a str, &'a str)>,
    others: Vec<&'a str>,
    signs: Vec<String>,
    /// How many rows have a sign.
    signed_rows: usize,
    number_rows: usize,
    zero_cells_unsigned: bool,
}

impl<'a> Candidates<'a> {
    fn of(cells: &Cells<'a>) -> Option<Self> {
        let mut found = Self {
            cells: Vec::new(),
            others: Vec::new(),
            signs: Vec::new(),
            signed_rows: 0,
            number_rows: 0,
            zero_cells_unsigned: true,
        };
        let mut signs: BTreeMap<&str, usize> = BTreeMap::new();
        for (&text, &rows) in &cells.counts {
            let apart = take_apart(text);
            let readable = |number: &str| WAYS.iter().any(|&way| reads(way, &[], number));
            match apart.filter(|apart| readable(apart.number)) {
                None => found.others.push(text),
                Some(apart) => {
                    found.cells.push((text, apart.number));
                    found.number_rows += rows;
                    if let Some(sign) = apart.sign {
                        *signs.entry(sign).or_default() += rows;
                        found.signed_rows += rows;
                    } else {
                        let zero = apart.number.chars().all(|c| "0.,".contains(c));
                        found.zero_cells_unsigned &= zero;
                    }
                }
            }
        }
        let mut signs: Vec<(&str, usize)> = signs.into_iter().collect();
        // The most frequent first: it becomes the unit.
        signs.sort_by_key(|&(_, rows)| std::cmp::Reverse(rows));
        found.signs = signs.into_iter().map(|(sign, _)| sign.to_owned()).collect();
        (!found.cells.is_empty()).then_some(found)
    }

    /// The ways that read every number. A separator of thousands that is in no cell is left out.
    fn separators(&self) -> Vec<Separators> {
        let all = |way: Separators| self.cells.iter().all(|(_, number)| reads(way, &[], number));
        let ways: Vec<Separators> = WAYS.into_iter().filter(|&way| all(way)).collect();
        let simple = |decimal| ways.contains(&(decimal, None, Grouping::Threes));
        let needed = |&(decimal, thousands, grouping): &Separators| {
            let threes = grouping == Grouping::Threes
                || !ways.contains(&(decimal, thousands, Grouping::Threes));
            thousands.is_none() || (!simple(decimal) && threes)
        };
        let ways: Vec<Separators> = ways.iter().copied().filter(needed).collect();
        // In a table that has 1234 without a separator, 1.234 is not 1234.
        let long = |number: &str| {
            let digits = number.trim_start_matches(|c: char| !c.is_ascii_digit());
            digits.chars().take_while(char::is_ascii_digit).count() > 3
        };
        if self.cells.iter().any(|(_, number)| long(number)) {
            let plain: Vec<Separators> =
                ways.iter().copied().filter(|(_, thousands, _)| thousands.is_none()).collect();
            if !plain.is_empty() {
                return plain;
            }
        }
        ways
    }

    /// Whether some number has a point or a comma.
    fn shows_separators(&self) -> bool {
        self.cells.iter().any(|(_, number)| number.contains(['.', ',']))
    }

    /// Whether the signs mean the same, so that numbers can be compared; otherwise why not.
    fn check_signs(&self, rows: impl Fn(&str) -> usize) -> Result<(), String> {
        let meanings: BTreeSet<Option<usize>> = self
            .signs
            .iter()
            .filter_map(|sign| signs::meaning(sign))
            .map(|meaning| match meaning {
                Meaning::Unit(unit) => Some(unit),
                Meaning::Multiplier => None,
            })
            .collect();
        let shown = || {
            let shown: Vec<String> = self
                .signs
                .iter()
                .map(|sign| format!("`{sign}` in {}", rows_in_words(rows(sign))))
                .collect();
            shown.join(", ")
        };
        if meanings.len() > 1 {
            return Err(format!(
                "its numbers are in different units ({}): convert them to one",
                shown()
            ));
        }
        let multiplied = meanings.contains(&None);
        if multiplied && (self.signs.len() > 1 || !self.zero_cells_unsigned) {
            return Err(format!(
                "only some of its numbers are multiplied ({}): write them out",
                shown()
            ));
        }
        Ok(())
    }
}

/// Reads a column as numbers.
pub(super) fn read<'a>(cells: &Cells<'a>, conventions: Conventions) -> Attempt<'a> {
    let Some(candidates) = Candidates::of(cells) else { return Attempt::Texts };
    if has_leading_zeros(&candidates) {
        return Attempt::Texts;
    }
    let mostly = 5 * candidates.cells.len() >= 4 * cells.counts.len();
    let states = &candidates.others;
    let few_states = states.is_empty()
        || (states.len() <= MOST_STATES
            && candidates.cells.len() >= 10
            && states.iter().all(|state| !state.contains(|c: char| c.is_ascii_digit())));
    if !few_states {
        return if mostly && candidates.cells.len() >= 10 {
            Attempt::Spoilt(not_numbers(&candidates.others))
        } else {
            Attempt::Texts
        };
    }
    let rows_with_sign = |sign: &str| {
        let has = |text: &&&str| take_apart(text).and_then(|apart| apart.sign) == Some(sign);
        let texts: Vec<&str> = cells.counts.keys().filter(has).copied().collect();
        cells.rows_with(&texts)
    };
    if let Err(reason) = candidates.check_signs(rows_with_sign) {
        return Attempt::Spoilt(reason);
    }
    let mut checks = Vec::new();
    let Some(way) = choose(&candidates, conventions, &mut checks) else {
        return Attempt::Spoilt(
            "its numbers are written in different ways, some with a decimal point and some with a decimal comma: \
             write them in one"
                .into(),
        );
    };
    let format = format_of(way, &candidates.signs);
    let cell_format = CellFormat::Number(format.clone());
    let mut read: Vec<(&str, f64)> = Vec::with_capacity(candidates.cells.len());
    for &(text, _) in &candidates.cells {
        match cell_format.read(text) {
            Ok(number) if number.is_finite() => read.push((text, number)),
            _ => return Attempt::Spoilt(unknown_format(text)),
        }
    }
    read.sort_by(|a, b| a.1.total_cmp(&b.1));
    let unsigned = candidates.number_rows - candidates.signed_rows;
    let percent = candidates.signs.iter().any(|sign| signs::is_percent(sign));
    if percent && unsigned > 0 && !candidates.zero_cells_unsigned {
        checks.push(format!(
            "{} without the percent sign, read as percent, too: make sure that none of them is a fraction such as 0.12.",
            if unsigned == 1 { "1 row has a number".to_owned() } else { format!("{unsigned} rows have numbers") }
        ));
    }
    checks.extend(about_multiplier(&format.signs, &read));
    Attempt::Numbers(Numbers { format, read, others: candidates.others, checks })
}

/// The separators of a column; what was doubtful about them goes to `checks`.
fn choose(
    candidates: &Candidates,
    conventions: Conventions,
    checks: &mut Vec<String>,
) -> Option<Separators> {
    let (decimal, thousands, grouping) = choose_plainly(candidates, conventions, checks)?;
    // Where other columns have lakhs, larger amounts of this one will, too.
    let indian = thousands.is_some() && conventions.indian > 0;
    Some((decimal, thousands, if indian { Grouping::Indian } else { grouping }))
}

fn choose_plainly(
    candidates: &Candidates,
    conventions: Conventions,
    checks: &mut Vec<String>,
) -> Option<Separators> {
    let ways = candidates.separators();
    if !candidates.shows_separators() {
        // An applicant's 1.200 EUR must not become 1.2, even if no row has as much.
        let groups = conventions.has_commas() && !candidates.signs.is_empty();
        return match ways.as_slice() {
            [] => None,
            _ if groups && ways.contains(&COMMA) => Some((',', Some('.'), Grouping::Threes)),
            _ if conventions.has_commas() => {
                ways.iter().find(|way| way.1.is_some() && way.0 == ',').or(ways.first()).copied()
            }
            _ => ways.first().copied(),
        };
    }
    let (first, others) = ways.split_first()?;
    if others.is_empty() {
        return Some(*first);
    }
    let wanted = if conventions.has_commas() { ',' } else { '.' };
    let chosen = ways.iter().find(|(decimal, ..)| *decimal == wanted).unwrap_or(first);
    let example = candidates.cells.iter().find(|(_, number)| number.contains(['.', ',']));
    let (cell, _) = example?;
    let values: BTreeSet<String> =
        ways.iter().filter_map(|&way| value(way, candidates, cell)).collect();
    if values.len() > 1 {
        let values: Vec<String> = values.into_iter().collect();
        let because = match (conventions.commas, conventions.points) {
            (0, 0) => "though no other column shows how this table writes numbers",
            (commas, points) if commas == points => {
                "though other columns have decimal points as well as commas"
            }
            _ => "as in other columns",
        };
        checks.push(format!(
            "`{cell}` could be {}; it is read as {}, {because}. If that is wrong, change `decimal` and `thousands`.",
            values.join(" or "),
            value(*chosen, candidates, cell).unwrap_or_default()
        ));
    }
    Some(*chosen)
}

fn value(way: Separators, candidates: &Candidates, cell: &str) -> Option<String> {
    CellFormat::Number(format_of(way, &candidates.signs))
        .read(cell)
        .ok()
        .map(|number| number.to_string())
}

fn format_of((decimal, thousands, grouping): Separators, signs: &[String]) -> NumberFormat {
    NumberFormat { decimal, thousands, grouping, signs: signs.to_vec() }
}

fn reads(way: Separators, signs: &[String], text: &str) -> bool {
    format_of(way, signs)
        .plain(text)
        .is_some_and(|plain| plain.parse::<f64>().is_ok_and(f64::is_finite))
}

/// Whether numbers begin with zeros, as account numbers and postcodes do.
fn has_leading_zeros(candidates: &Candidates) -> bool {
    candidates.cells.iter().any(|(_, number)| begins_with_zeros(number))
}

fn begins_with_zeros(text: &str) -> bool {
    text.len() > 1 && text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Why a column of too many codes is left out, if its cells are digits that begin with zeros.
pub(super) fn leading_zeros(cells: &Cells) -> Option<String> {
    let texts = cells.texts();
    let digits = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
    let example = texts.iter().find(|text| begins_with_zeros(text))?;
    (10 * texts.iter().filter(|text| digits(text)).count() >= 9 * texts.len()).then(|| {
        format!(
            "its cells begin with zeros, such as `{example}`, as identifiers and codes do, and {} different ones are too many levels; if \
             they are numbers, write them without these zeros",
            texts.len()
        )
    })
}

/// Why a column is not read as numbers although most of its cells have nothing but digits, separators and known signs.
pub(super) fn unread(cells: &Cells) -> Option<String> {
    let texts = cells.texts();
    let readable = |number: &str| WAYS.iter().any(|&way| reads(way, &[], number));
    let shaped: Vec<(&str, bool)> = texts
        .iter()
        .filter_map(|text| {
            signs::digits_in(text).map(|(number, plain)| (*text, plain && readable(number)))
        })
        .collect();
    let example = shaped.iter().find(|(_, readable)| !readable)?.0;
    (5 * shaped.len() >= 4 * texts.len()).then(|| unknown_format(example))
}

fn unknown_format(example: &str) -> String {
    format!(
        "most of its cells consist of digits, separators and signs, but no format of numbers reads `{example}`: write it as 1234.5, \
         1,234.50, 1.234,50 or 12,34,567.50, with at most one sign"
    )
}

/// What should be checked where a sign behind the numbers multiplies them.
fn about_multiplier(signs: &[String], read: &[(&str, f64)]) -> Option<String> {
    let sign = signs.first()?;
    let factor = signs::multiplier(sign)?;
    let &(example, number) = read.last()?;
    Some(format!(
        "the unit `{sign}` may mean {factor}: `{example}` is read as {number} in this unit. Applications must be written with it, too; \
         to have plain numbers, write them out in the table."
    ))
}

fn not_numbers(texts: &[&str]) -> String {
    let shown: Vec<String> = texts.iter().take(3).map(|text| format!("`{text}`")).collect();
    let more = texts.len().saturating_sub(shown.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!(
        "most of its cells are numbers, but these are not: {}{more}; correct them, or declare them as codes",
        shown.join(", ")
    )
}
