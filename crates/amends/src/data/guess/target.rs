//! Which column is the outcome, and which outcome applicants want.

use super::{Cells, Words};
use crate::data::value::level_of;
use crate::data::{Table, Target, some_of};
use crate::{InputError, Setting};

/// The target of a table, and how the favourable outcome was found.
pub(in crate::data) fn guess(
    table: &Table,
    column: &str,
    favourable: Option<&str>,
) -> Result<(Target, String), InputError> {
    let Some(index) = table.column(column) else {
        return Err(InputError::new("is not in the table").column(column).remedy(format!(
            "name the column with the outcome: one of {}",
            some_of(&table.header)
        )));
    };
    let cells = Cells::of(table.rows.iter().map(|row| row[index].as_str()));
    if let Some(row) = cells.first_missing {
        return Err(InputError::new("the outcome is missing")
            .row(row)
            .column(column)
            .remedy("remove the rows without an outcome"));
    }
    let mut outcomes = cells.sorted();
    if outcomes.len() != 2 {
        return Err(InputError::new(format!(
            "has {} different outcomes ({}), but the target needs exactly 2",
            outcomes.len(),
            some_of(&outcomes)
        ))
        .column(column)
        .remedy("name another target, or merge or remove rows until two outcomes are left"));
    }
    let (chosen, because) = match favourable {
        Some(wanted) => {
            let chosen = level_of(&outcomes, wanted).ok_or_else(|| {
                InputError::new("is not an outcome in the table")
                    .column(column)
                    .value(wanted)
                    .remedy(format!("name one of {} as the favourable outcome", some_of(&outcomes)))
                    .remedy_setting(Setting::FavourableOutcome)
            })?;
            (chosen, "you named it".to_owned())
        }
        None => guess_favourable(column, &outcomes).map_err(|doubt| {
            InputError::new(format!(
                "it is not clear which of {} applicants want{doubt}",
                some_of(&outcomes)
            ))
            .column(column)
            .remedy("name the favourable outcome")
            .remedy_setting(Setting::FavourableOutcome)
        })?,
    };
    let favourable = outcomes.swap_remove(chosen);
    let unfavourable = outcomes.swap_remove(0);
    Ok((Target { column: column.to_owned(), favourable, unfavourable }, because))
}

/// The outcome that is surely the good one, and why. A wrong guess would turn every plan around, so doubt is an error, in which
/// the column's name may give a hint.
fn guess_favourable(column: &str, outcomes: &[String]) -> Result<(usize, String), String> {
    const GOOD: [&str; 22] = [
        "good",
        "approved",
        "approve",
        "accepted",
        "accept",
        "granted",
        "paid",
        "fully paid",
        "repaid",
        "pass",
        "passed",
        "favourable",
        "favorable",
        "eligible",
        "gut",
        "genehmigt",
        "bewilligt",
        "angenommen",
        "bezahlt",
        "getilgt",
        "zur\u{fc}ckgezahlt",
        "non-default",
    ];
    const AGREEING: [[&str; 2]; 5] =
        [["1", "0"], ["yes", "no"], ["y", "n"], ["true", "false"], ["ja", "nein"]];
    const ADVERSE: [&str; 22] = [
        "default",
        "bad",
        "risk",
        "delinq",
        "fraud",
        "arrear",
        "charge",
        "loss",
        "lost",
        "reject",
        "declin",
        "denied",
        "late",
        "fail",
        "disease",
        "death",
        "churn",
        "attrition",
        "ausfall",
        "verzug",
        "abgelehnt",
        "ablehnung",
    ];
    let only = |words: &[&str]| {
        let mut hits =
            (0..outcomes.len()).filter(|&i| words.contains(&outcomes[i].to_lowercase().as_str()));
        hits.next().filter(|_| hits.next().is_none())
    };
    let because = |index: usize| format!("guessed, because `{}` is good news", outcomes[index]);
    if let Some(index) = only(&GOOD) {
        return Ok((index, because(index)));
    }
    let pair = AGREEING.iter().find(|pair| pair.iter().all(|word| only(&[word]).is_some()));
    let Some([yes, no]) = pair else { return Err(String::new()) };
    let words = Words::of(column);
    // "default: yes" is bad news.
    match (words.starts_with(&ADVERSE), only(&[yes]), only(&[no])) {
        (Some(bad), _, Some(no)) => {
            Err(format!(": probably `{}`, because the column's name says `{bad}`", outcomes[no]))
        }
        (None, Some(index), _) => Ok((
            index,
            format!("guessed, because `{}` agrees with the name of the column", outcomes[index]),
        )),
        _ => Err(String::new()),
    }
}
