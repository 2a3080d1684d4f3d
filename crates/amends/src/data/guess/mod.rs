//! What a column of a table probably means, judged by its cells and its name.

mod cells;
mod date_patterns;
mod dates;
mod direction;
mod identifiers;
mod least_change;
mod names;
mod numbers;
mod ranges;
mod scales;
mod sentinels;
mod signs;
mod steps;
pub(super) mod target;

use std::fmt::Write as _;

use cells::rows_in_words;
use chrono::NaiveDate;
use identifiers::MOST_LEVELS;
use numbers::{Attempt, Numbers};

use super::format::written;
use super::infer::About;
use super::value::{is_whole, stands_for_missing};
use super::{CellFormat, Change, Code, DateFormat, Feature, Kind};
use crate::decimal::{MOST_DECIMALS, decimals, value, without_noise};

pub(super) use cells::Cells;
pub(super) use dates::{Dates, read as read_dates, reference_date};
pub(super) use names::{Words, protected_of_a_person};
pub(super) use numbers::Conventions;

/// What to make of a column.
pub(super) enum Guess {
    /// A feature, and what to consider about it.
    Feature(Box<Feature>, About),
    /// Better left out, for this reason.
    LeaveOut(String),
}

/// What a column is read with, beside its own cells.
pub(super) struct Context {
    pub conventions: Conventions,
    /// The day from which dates are counted back.
    pub reference_date: Option<NaiveDate>,
    /// Whether that is today, because there are no dates but births and those that lie ahead.
    pub counted_from_today: bool,
}

/// Numbers beyond this can't be read.
const LARGEST: f64 = 1e15;

/// At most this many different cells may be levels even if they look like numbers.
const FEW_LEVELS: usize = 12;

/// A feature under construction.
struct Draft<'a> {
    name: &'a str,
    words: Words,
    cells: &'a Cells<'a>,
    about: About,
    /// Whether dates are counted before today, because no date says when the table was made.
    counted_from_today: bool,
}

/// Guesses what the column `name` means.
pub(super) fn guess(name: &str, cells: &Cells, context: &Context) -> Guess {
    if cells.counts.is_empty() {
        return Guess::LeaveOut("it is empty".into());
    }
    let words = Words::of(name);
    let useless = identifiers::constant(cells).or_else(|| identifiers::reason(&words, cells));
    if let Some(reason) = useless {
        return Guess::LeaveOut(reason);
    }
    let counted_from_today = context.counted_from_today;
    let draft = Draft { name, words, cells, about: About::default(), counted_from_today };
    if let Some(reason) = dates::mixed(cells) {
        return Guess::LeaveOut(reason);
    }
    if let Some(dates) = read_dates(cells, context.conventions) {
        let reference = context.reference_date.or_else(|| dates.last(NaiveDate::MAX));
        return draft.dates(dates, reference.unwrap_or_default());
    }
    match numbers::read(cells, context.conventions) {
        Attempt::Numbers(_) if cells.counts.len() <= 2 => draft.levels(),
        Attempt::Numbers(numbers) => draft.numbers(numbers),
        // Ranges have numbers in them, too.
        Attempt::Spoilt(reason) => draft.unread(reason),
        Attempt::Texts => match numbers::unread(cells) {
            Some(reason) => draft.unread(reason),
            None => draft.levels(),
        },
    }
}

impl Draft<'_> {
    /// Dates become the time before the reference date.
    fn dates(mut self, mut dates: Dates, reference: NaiveDate) -> Guess {
        dates.explain_years(reference);
        let unit = dates.unit(names::is_birth(&self.words), reference);
        let [first, last] = dates.span(reference);
        let reference = written(reference);
        self.about.unreadable.extend(dates.impossible.iter().map(|&text| text.to_owned()));
        self.about.cells =
            format!("dates {}, as {} before {reference}", dates.pattern, unit.name());
        self.about.found.push(format!(
            "Dates, {first} to {last}, counted in {} before {reference}: change `unit` and `reference_date` if others fit better, \
             and train again.",
            unit.name()
        ));
        self.about.checks.extend(dates.checks);
        if self.counted_from_today {
            self.about.checks.push(format!(
                "No date says when the table was made, so dates are counted before {reference}, the day of this guess: write the day \
                 that the table is from as `reference_date`, and train again."
            ));
        }
        let mut feature = Feature::new(self.name, Kind::Integer);
        feature.unit = Some(unit.name().to_owned());
        let pattern = dates.pattern.to_owned();
        feature.format = CellFormat::Date(DateFormat { pattern, reference, unit });
        let time_passes = direction::guess(&self.words, true, true)
            .filter(|direction| direction.change != Change::Decrease);
        let (missing, states): (Vec<&str>, Vec<&str>) =
            dates.others.iter().partition(|text| stands_for_missing(text));
        self.add_missing(&mut feature, &missing);
        self.add_states(&mut feature, &states, "dates");
        if let Some(direction) = time_passes {
            self.direct(&mut feature, &direction);
        } else {
            feature.change = Change::Immutable;
            self.about.direction = Some(["it is a date".into(), "it can't be changed".into()]);
        }
        self.finish(feature)
    }

    fn numbers(mut self, numbers: Numbers) -> Guess {
        let (Some(&(_, least)), Some(&(_, most))) = (numbers.read.first(), numbers.read.last())
        else {
            return self.levels();
        };
        if least.abs().max(most.abs()) > LARGEST {
            return Guess::LeaveOut("its numbers are too large to compute with, above 1e15".into());
        }
        let whole = numbers.read.iter().all(|&(_, number)| is_whole(number));
        if whole && let Some(word) = names::category(&self.words) {
            let word = word.to_owned();
            if let Some(guess) = self.category(&word, &numbers) {
                return guess;
            }
        }
        let cells = self.cells;
        let sentinels = sentinels::find(&numbers.read, |text| cells.rows_with(&[text]));
        let is_code = |text: &str| sentinels.codes.iter().any(|code| code.text == text);
        let kept: Vec<(&str, f64)> =
            numbers.read.iter().copied().filter(|(text, _)| !is_code(text)).collect();
        let negative = mostly_negative(&kept, cells);
        let mut feature =
            Feature::new(self.name, if whole { Kind::Integer } else { Kind::Continuous });
        let [least, most] = [kept.first(), kept.last()].map(|end| end.map_or(0.0, |end| end.1));
        feature.unit = numbers.format.signs.first().cloned();
        let range = format!("{} to {}", without_noise(least), without_noise(most));
        self.about.cells = format!("{range}{}", described(&numbers));
        self.about.found.push(format!("{} different values, {range}.", kept.len()));
        self.add_step(&mut feature, &kept);
        if whole && kept.len() <= 10 {
            self.about.found.push(
                "If these numbers are codes without an order, write kind = \"categorical\" and list them as levels.".into(),
            );
        }
        feature.format = CellFormat::Number(numbers.format);
        self.about.checks.extend(numbers.checks);
        self.about.checks.extend(sentinels.checks);
        let (missing, states): (Vec<&str>, Vec<&str>) =
            numbers.others.iter().partition(|text| stands_for_missing(text));
        self.add_missing(&mut feature, &missing);
        if !sentinels.codes.is_empty() {
            let texts: Vec<&str> = sentinels.codes.iter().map(|code| code.text.as_str()).collect();
            let rows = rows_in_words(cells.rows_with(&texts));
            let _ = write!(self.about.cells, "; {} in {rows}", texts.join(", "));
        }
        feature.codes.extend(sentinels.codes);
        self.add_states(&mut feature, &states, "numbers");
        // Where lower numbers mean more, as in days before today, names say nothing about directions.
        let direction = direction::guess(&self.words, !negative, true)
            .or_else(|| direction::of_days_ago(&self.words).filter(|_| most <= 0.0))
            .or_else(|| direction::of_unordered(&self.words));
        if let Some(direction) = direction {
            self.direct(&mut feature, &direction);
        }
        let numbers: Vec<(f64, usize)> =
            kept.iter().map(|&(text, number)| (number, cells.rows_with(&[text]))).collect();
        self.add_least_change(&mut feature, &numbers);
        self.finish(feature)
    }

    /// Whole numbers whose name says that they are codes.
    fn category(&mut self, word: &str, numbers: &Numbers) -> Option<Guess> {
        const FEW: usize = 30;
        let place = direction::guess(&self.words, false, true).is_some();
        let different = self.cells.counts.len();
        if !numbers.others.is_empty() || (different > FEW && !place) {
            return None;
        }
        if different > MOST_LEVELS {
            return Some(Guess::LeaveOut(format!(
                "its name says `{word}`: {different} codes without an order are too many levels"
            )));
        }
        let levels: Vec<String> = numbers.read.iter().map(|(text, _)| (*text).to_owned()).collect();
        let mut feature = Feature::new(self.name, Kind::Categorical { levels });
        self.about.found.push(format!(
            "{different} different numbers, taken for codes without an order because its name says `{word}`."
        ));
        self.about.cells = format!("codes {}", shown(feature.levels()));
        self.about.checks.push(format!(
            "its numbers are taken for codes without an order, because its name says `{word}`. If they count something, write \
             kind = \"integer\"; if they have an order, kind = \"ordinal\"."
        ));
        self.add_missing(&mut feature, &[]);
        let direction = direction::guess(&self.words, false, true);
        if let Some(direction) = direction.or_else(|| direction::of_unordered(&self.words)) {
            self.direct(&mut feature, &direction);
        }
        let about = std::mem::take(&mut self.about);
        Some(Guess::Feature(Box::new(feature), about))
    }

    /// Cells that look like numbers, but can't be read as such for this reason: few may be levels.
    fn unread(self, reason: String) -> Guess {
        let texts = self.cells.texts();
        if ranges::sorted(&texts).is_some() {
            return self.levels();
        }
        if let Some(reason) = dates::in_several_forms(self.cells) {
            return Guess::LeaveOut(reason);
        }
        if texts.len() > FEW_LEVELS {
            return Guess::LeaveOut(reason);
        }
        let guess = self.levels();
        let Guess::Feature(mut feature, mut about) = guess else { return guess };
        about.checks.push(format!(
            "its cells are taken for levels without an order, which nobody should change, because {reason}. If they are numbers, correct \
             them and guess again; otherwise correct `change`."
        ));
        feature.change = Change::Immutable;
        let because = "it may be a number that is not read";
        about.direction = Some([because.into(), "advice could be to lower it".into()]);
        Guess::Feature(feature, about)
    }

    /// Texts, or two numbers.
    fn levels(mut self) -> Guess {
        let texts = self.cells.texts();
        let different = texts.len();
        let (kind, ordered) = if let Some(levels) = self.ordered(&texts) {
            (levels, true)
        } else {
            let useless = dates::in_several_forms(self.cells);
            let free_text = || {
                let reason = identifiers::free_text(self.cells)?;
                Some(numbers::leading_zeros(self.cells).unwrap_or(reason))
            };
            if let Some(reason) = useless.or_else(free_text) {
                return Guess::LeaveOut(reason);
            }
            let numbers = texts.iter().all(|text| text.parse::<f64>().is_ok());
            (self.cells.sorted(), different == 2 && numbers)
        };
        let kind = match <[String; 2]>::try_from(kind) {
            Ok(levels) => {
                self.about.found.push("2 different values.".into());
                Kind::Binary { levels }
            }
            Err(levels) if ordered => Kind::Ordinal { levels },
            Err(levels) => {
                self.about.found.push(format!("{different} different texts."));
                if different > 1 {
                    self.about.found.push(
                        "If they have an order, write kind = \"ordinal\" and list them from low to high.".into(),
                    );
                }
                Kind::Categorical { levels }
            }
        };
        let mut feature = Feature::new(self.name, kind);
        self.about.cells = shown(feature.levels());
        if ordered && different > 2 {
            self.about.cells.insert_str(0, "lowest first: ");
        }
        self.check_two_numbers(&texts);
        self.check_spellings(&texts);
        // Two codes have an order as numbers; only of 0 and 1 it is clear what they mean.
        let coded = texts.iter().all(|text| text.parse::<f64>().is_ok()) && texts != ["0", "1"];
        let unordered = direction::of_unordered(&self.words).filter(|_| !ordered || coded);
        let direction = unordered.or_else(|| direction::guess(&self.words, ordered, false));
        if let Some(direction) = direction {
            self.direct(&mut feature, &direction);
        } else if let Some(acquired) = scales::acquired(&texts) {
            let direction = direction::of_levels(acquired, ordered);
            feature.change = direction.change;
            let from = format!("its cells are {}", direction.word);
            self.about.direction = Some([from, direction.reason.to_owned()]);
        }
        self.add_missing(&mut feature, &[]);
        self.finish(feature)
    }

    /// A column of two numbers may be a count, of which the next applicant has a third.
    fn check_two_numbers(&mut self, texts: &[&str]) {
        let numbers: Vec<f64> = texts.iter().filter_map(|text| text.parse().ok()).collect();
        if let &[one, other] = numbers.as_slice()
            && ![[0.0, 1.0], [1.0, 0.0]].contains(&[one, other])
            && names::category(&self.words).is_none()
        {
            self.about.checks.push(format!(
                "its only numbers are {} and {}, taken for two levels. If it counts something, so that others may come, write \
                 kind = \"integer\".",
                one.min(other),
                one.max(other)
            ));
        }
    }

    /// Levels that differ only in capitals are probably the same.
    fn check_spellings(&mut self, texts: &[&str]) {
        let mut small: Vec<(String, &str)> =
            texts.iter().map(|text| (text.to_lowercase(), *text)).collect();
        small.sort();
        let alike = small.windows(2).find(|pair| pair[0].0 == pair[1].0);
        if let Some([(_, one), (_, other)]) = alike {
            self.about.checks.push(format!(
                "`{one}` and `{other}` differ only in capitals, but are separate levels: write them alike in the table if they mean the \
                 same."
            ));
        }
    }

    /// The levels from low to high, if words or ranges say so.
    fn ordered(&mut self, texts: &[&str]) -> Option<Vec<String>> {
        if let Some((levels, with_none)) = ranges::sorted(texts) {
            self.about.found.push("Ranges in rising order.".into());
            if with_none && let Some(none) = levels.first() {
                self.about.checks.push(format!("`{none}` is taken for the lowest level."));
            }
            return Some(levels);
        }
        let ranks = scales::ranks(texts)?;
        let mut levels: Vec<(usize, &str)> = ranks.into_iter().zip(texts.iter().copied()).collect();
        levels.sort_unstable();
        if levels.len() > 2 {
            self.about.found.push("The order was guessed from the words.".into());
        }
        Some(levels.into_iter().map(|(_, text)| text.to_owned()).collect())
    }

    /// Declares missing cells as a code, so that the table can be read.
    fn add_missing(&mut self, feature: &mut Feature, more: &[&str]) {
        let mut spellings: Vec<(&str, usize)> =
            self.cells.missing.iter().map(|(text, rows)| (*text, *rows)).collect();
        spellings.extend(more.iter().map(|text| (*text, self.cells.rows_with(&[text]))));
        // The most frequent first: it is what plans write.
        spellings.sort_by_key(|&(_, rows)| std::cmp::Reverse(rows));
        let Some(&(text, _)) = spellings.first() else { return };
        let count: usize = spellings.iter().map(|(_, rows)| rows).sum();
        let others = spellings[1..].iter().map(|(text, _)| (*text).to_owned()).collect();
        feature.codes.push(Code { others, ..Code::new(text, "missing") });
        let spelt: Vec<&str> = spellings
            .iter()
            .map(|(text, _)| if text.is_empty() { "empty" } else { text })
            .collect();
        self.about.missing = Some(format!("{count} missing ({})", spelt.join(", ")));
        self.about.found.push(format!(
            "{} missing (the first in row {}): this is a state of their own, which nobody enters or leaves.",
            if count == 1 { "1 cell is".to_owned() } else { format!("{count} cells are") },
            self.cells.first_missing.unwrap_or_default()
        ));
    }

    /// Where nearly all numbers are multiples of a round step, new values are, too.
    fn add_step(&mut self, feature: &mut Feature, numbers: &[(&str, f64)]) {
        let cells = self.cells;
        let found = steps::find(&self.words, numbers, |text| cells.rows_with(&[text]));
        let Some(step) = found else { return };
        feature.step = Some(step.size);
        let size = without_noise(step.size);
        let _ = write!(self.about.cells, ", in steps of {size}");
        let off: Vec<String> = step.off.iter().map(|text| (*text).to_owned()).collect();
        let except = match step.off_rows {
            0 => String::new(),
            rows => format!(" but {} ({})", rows_in_words(rows), shown(&off)),
        };
        self.about.found.push(format!(
            "Guessed: step = {size}, because all{except} are multiples of {size}: so are the new values of plans; anybody may keep another."
        ));
    }

    /// Numbers that may change get a least change, so that plans have none that hardly matters.
    fn add_least_change(&mut self, feature: &mut Feature, numbers: &[(f64, usize)]) {
        if feature.change == Change::Immutable {
            return;
        }
        let finest = numbers.iter().map(|&(number, _)| decimals(number)).max().unwrap_or_default();
        let smallest = feature.step.unwrap_or_else(|| value(1, finest.min(MOST_DECIMALS)));
        let whole = feature.kind == Kind::Integer;
        let Some(found) = least_change::find(numbers, whole, smallest) else { return };
        feature.limits.least_change = Some(found.size);
        let least = without_noise(found.size);
        let _ = write!(self.about.cells, "; changes of {least} or more");
        self.about.found.push(format!(
            "Guessed: least_change = {least}, because smaller changes hardly matter ({}).",
            found.reason
        ));
    }

    /// Declares the texts among numbers or dates as codes.
    fn add_states(&mut self, feature: &mut Feature, states: &[&str], among: &str) {
        for &state in states {
            // A label must not look like a number.
            let wordless = !state.contains(char::is_alphabetic) || state.parse::<f64>().is_ok();
            let label = if wordless { format!("none ({state})") } else { state.to_owned() };
            feature.codes.push(Code::new(state, label));
            self.about.checks.push(format!(
                "`{state}` in {} stands among {among}: it is read as a separate state that nobody enters or leaves.",
                rows_in_words(self.cells.rows_with(&[state]))
            ));
        }
    }

    fn direct(&mut self, feature: &mut Feature, direction: &direction::Direction) {
        feature.change = direction.change;
        let from = format!("its name says `{}`", direction.word);
        self.about.direction = Some([from, direction.reason.to_owned()]);
    }

    fn finish(self, feature: Feature) -> Guess {
        Guess::Feature(Box::new(feature), self.about)
    }
}

/// Whether most rows with one of these numbers have a negative one.
fn mostly_negative(numbers: &[(&str, f64)], cells: &Cells) -> bool {
    let rows = |numbers: &[(&str, f64)]| {
        cells.rows_with(&numbers.iter().map(|(text, _)| *text).collect::<Vec<_>>())
    };
    let negative = numbers.partition_point(|(_, number)| *number < 0.0);
    2 * rows(&numbers[..negative]) > rows(numbers)
}

/// How numbers are written, for people.
fn described(numbers: &Numbers) -> String {
    let texts = || numbers.read.iter().rev().map(|(text, _)| *text);
    let negative = numbers.read.iter().rev().filter(|(_, number)| *number < 0.0);
    let mut odd = negative.map(|(text, _)| *text);
    let odd = odd.find(|text| text.starts_with('(') || text.ends_with('-'));
    let negative = odd.map_or_else(String::new, |odd| format!("; {odd} is negative"));
    if CellFormat::Number(numbers.format.clone()).is_plain() {
        return negative;
    }
    let rich = texts().find(|text| text.contains(['.', ',', '\'']) && text.parse::<f64>().is_err());
    format!(", written as {}{negative}", rich.or_else(|| texts().next()).unwrap_or_default())
}

/// A few levels, for a cell of a table.
fn shown(levels: &[String]) -> String {
    const SHOWN: usize = 6;
    let mut parts: Vec<&str> = levels.iter().take(SHOWN).map(String::as_str).collect();
    let rest = format!("{} more", levels.len().saturating_sub(SHOWN));
    if levels.len() > SHOWN {
        parts.push(&rest);
    }
    parts.join(", ")
}

#[cfg(test)]
mod level_tests;
#[cfg(test)]
mod tests;
