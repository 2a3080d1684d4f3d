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
        None => guess_favourable(column, &outcomes).ok_or_else(|| {
            InputError::new(format!(
                "it is not clear which of {} applicants want",
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

/// The outcome that is certainly favourable, and why. A wrong guess would reverse every plan, so the result is `None` in case of doubt.
fn guess_favourable(column: &str, outcomes: &[String]) -> Option<(usize, String)> {
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
    let only = |words: &[&str]| {
        let mut hits =
            (0..outcomes.len()).filter(|&i| words.contains(&outcomes[i].to_lowercase().as_str()));
        hits.next().filter(|_| hits.next().is_none())
    };
    if let Some(index) = only(&GOOD) {
        return Some((index, format!("guessed, because `{}` is good news", outcomes[index])));
    }
    let (yes, no) = AGREEING.iter().find_map(|[yes, no]| Some((only(&[*yes])?, only(&[*no])?)))?;
    let name = Words::of(column);
    let (word, good) = news(&name)?;
    let index = if good { yes } else { no };
    let kind = if good { "good" } else { "bad" };
    Some((index, format!("guessed, because the column's name says `{word}`, which is {kind} news")))
}

/// The word of a target's name that says what its "yes" means, and whether that is good news.
///
/// Every other word must be known to leave that meaning alone: `not_approved`, `paid_late` and `default_free` reverse it, and a
/// list of words that do could never be complete.
#[expect(clippy::too_many_lines, reason = "a list of words")]
fn news(name: &Words) -> Option<(&str, bool)> {
    const GOOD: [&str; 24] = [
        "approved",
        "approval",
        "accepted",
        "granted",
        "good",
        "ok",
        "repaid",
        "paid",
        "eligible",
        "success",
        "successful",
        "passed",
        "favourable",
        "favorable",
        "creditworthy",
        "genehmigt",
        "bewilligt",
        "angenommen",
        "bezahlt",
        "getilgt",
        "gut",
        "zurueckgezahlt",
        "kreditwuerdig",
        "bewilligung",
    ];
    const BAD: [&str; 16] = [
        "default",
        "defaulted",
        "bad",
        "delinquent",
        "rejected",
        "declined",
        "denied",
        "chargeoff",
        "chargedoff",
        "fraud",
        "ausfall",
        "ausgefallen",
        "zahlungsausfall",
        "kreditausfall",
        "abgelehnt",
        "ablehnung",
    ];
    const NEUTRAL: [&str; 38] = [
        "a",
        "account",
        "antrag",
        "applicant",
        "application",
        "back",
        "borrower",
        "client",
        "credit",
        "customer",
        "darlehen",
        "decision",
        "flag",
        "full",
        "fully",
        "got",
        "has",
        "in",
        "is",
        "ist",
        "kredit",
        "label",
        "loan",
        "loans",
        "month",
        "next",
        "off",
        "on",
        "outcome",
        "payment",
        "request",
        "result",
        "status",
        "target",
        "time",
        "was",
        "wurde",
        "y",
    ];
    let one = |good: bool, words: &[&str], opposite: &[&str]| {
        let word = name.one_of(words).filter(|_| name.one_of(opposite).is_none())?;
        let harmless = [words, &NEUTRAL].concat();
        name.only(&harmless).then_some((word, good))
    };
    one(true, &GOOD, &BAD).or_else(|| one(false, &BAD, &GOOD))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn favourable(column: &str, outcomes: [&str; 2]) -> Option<usize> {
        guess_favourable(column, &outcomes.map(str::to_owned)).map(|(index, _)| index)
    }

    #[test]
    fn yes_and_no_mean_what_the_name_says() {
        for name in [
            "approved",
            "Loan_Approved",
            "isApproved",
            "accepted",
            "credit_granted",
            "good",
            "repaid",
            "fully_paid",
            "paid_back",
            "paid_off",
            "eligible",
            "loan_status_approved",
            "Bewilligt",
            "zur\u{fc}ckgezahlt",
            "Kredit bezahlt",
        ] {
            assert_eq!(favourable(name, ["0", "1"]), Some(1), "{name}");
            assert_eq!(favourable(name, ["no", "yes"]), Some(1), "{name}");
            assert_eq!(favourable(name, ["True", "False"]), Some(0), "{name}");
        }
        for name in [
            "default",
            "Defaulted",
            "default.payment.next.month",
            "bad",
            "bad_loan",
            "is_delinquent",
            "rejected",
            "declined",
            "application_denied",
            "Ausfall",
            "Zahlungsausfall",
            "abgelehnt",
        ] {
            assert_eq!(favourable(name, ["0", "1"]), Some(0), "{name}");
            assert_eq!(favourable(name, ["ja", "nein"]), Some(1), "{name}");
        }
    }

    #[test]
    fn names_that_leave_doubt_are_asked_about() {
        let names = "SeriousDlqin2yrs TARGET loan_status not_fully_paid not.fully.paid not_approved unapproved disapproved unpaid \
            overdue past_due missed_payment npl non_performing written_off foreclosure insolvent needs_collection turned_down \
            bankrupt_within_year payment_difficulty dispute withdrawn insolvenz mahnung kuendigung no_default never_late \
            nicht_bezahlt nicht_genehmigt kein_ausfall non_default undefaulted default_free paid_late late_paid \
            approved_then_defaulted bad_or_good risk good_risk charge_back y class outcome ineligible unpaid_loan never_paid \
            paid_by_collection overpaid prepaid paid_amount_missing";
        for name in names.split_whitespace() {
            for outcomes in
                [["0", "1"], ["no", "yes"], ["ja", "nein"], ["false", "true"], ["N", "Y"]]
            {
                assert_eq!(favourable(name, outcomes), None, "{name}");
            }
        }
        // Which of these is the yes is anyone's guess.
        for outcomes in [["1", "2"], ["0.0", "1.0"], ["a", "b"]] {
            assert_eq!(favourable("approved", outcomes), None);
        }
        // Labels that speak for themselves need no name.
        assert_eq!(favourable("loan_status", ["Charged Off", "Fully Paid"]), Some(1));
        assert_eq!(favourable("not_approved", ["approved", "declined"]), Some(0));
    }
}
