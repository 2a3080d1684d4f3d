//! Names of amounts of which more, or less, is what applicants work for.

use super::education;
use crate::data::guess::names::Words;

const MORE: &str = "more of it is what applicants work for";
pub(super) const EDUCATION: &str = "an education is not lost";
pub(super) const TIME: &str = "it grows with time";
const LESS_ASKED: &str = "asking for less is possible, asking for more is no advice";
const LESS_OWED: &str = "debts can be paid back, and taking on more is no advice";
const FEWER: &str = "applying elsewhere again is no advice";

#[expect(clippy::too_many_lines, reason = "a list of words")]
pub(super) fn more(name: &Words, is_number: bool) -> Option<(&str, &'static str)> {
    const WORDS: [&str; 22] = [
        "income",
        "incomes",
        "salary",
        "salaries",
        "wage",
        "wages",
        "earnings",
        "revenue",
        "revenues",
        "turnover",
        "savings",
        "saving",
        "assets",
        "equity",
        "deposit",
        "deposits",
        "downpayment",
        "einkommen",
        "lohn",
        "verdienst",
        "umsatz",
        "vermoegen",
    ];
    const PARTS: [&str; 9] = [
        "einkommen",
        "gehalt",
        "ersparnis",
        "sparguthaben",
        "eigenkapital",
        "anzahlung",
        "vermoegen",
        "einkuenfte",
        "einnahmen",
    ];
    const PERIODS: [&str; 9] =
        ["annual", "annually", "monthly", "yearly", "month", "year", "net", "gross", "household"];
    const LENGTHS: [&str; 17] = [
        "years",
        "year",
        "yrs",
        "months",
        "month",
        "length",
        "since",
        "duration",
        "time",
        "tenure",
        "seit",
        "jahre",
        "monate",
        "dauer",
        "experience",
        "days",
        "start",
    ];
    let long = |word: &&str| {
        name.one_of(&LENGTHS).is_some()
            || ["beschaeftigungsdauer", "betriebszugehoerigkeit"].contains(word)
    };
    let down = || name.one_of(&["down"]).filter(|_| name.one_of(&["payment"]).is_some());
    let short = || name.one_of(&["inc"]).filter(|_| name.one_of(&PERIODS).is_some());
    let good = || name.one_of(&["satisfactory", "sats"]);
    let amount = name
        .one_of(&WORDS)
        .or_else(good)
        .or_else(|| name.contains(&PARTS))
        .or_else(|| name.ends_with(&["lohn", "guthaben"]))
        .or_else(short)
        .or_else(down);
    if let Some(word) = amount {
        return Some((word, MORE));
    }
    let job = name
        .starts_with(&["employ", "beschaeftig", "betriebszugehoerig"])
        .or_else(|| name.one_of(&["job", "emp"]))
        .filter(long);
    if let Some(word) = job {
        return Some((word, TIME));
    }
    // The codes of an education may be in any order, its levels and years are not.
    let years = || name.one_of(&["years", "yrs", "jahre"]).is_some();
    education(name).filter(|_| !is_number || years()).map(|word| (word, EDUCATION))
}

#[expect(clippy::too_many_lines, reason = "a list of words")]
pub(super) fn less(name: &Words) -> Option<(&str, &'static str)> {
    const AMOUNTS: [&str; 8] = ["amount", "amnt", "amt", "sum", "betrag", "summe", "hoehe", "size"];
    const CREDIT: [&str; 11] = [
        "loan",
        "credit",
        "requested",
        "request",
        "funded",
        "application",
        "applied",
        "kredit",
        "darlehen",
        "antrag",
        "mortgage",
    ];
    const COMPOUNDS: [&str; 8] = [
        "kreditbetrag",
        "kreditsumme",
        "kredithoehe",
        "darlehensbetrag",
        "darlehenssumme",
        "darlehenshoehe",
        "kreditwunsch",
        "loanamount",
    ];
    const DEBTS: [&str; 15] = [
        "debt",
        "debts",
        "indebtedness",
        "owed",
        "owing",
        "dti",
        "schulden",
        "schuldenquote",
        "verschuldung",
        "util",
        "burden",
        "leverage",
        "overdraft",
        "auslastung",
        "schuld",
    ];
    const BEGINNINGS: [&str; 6] =
        ["liabilit", "utilis", "utiliz", "verbindlichkeit", "ueberziehung", "verschuld"];
    const BORROWED: [&str; 17] = [
        "bc",
        "card",
        "debt",
        "il",
        "install",
        "installment",
        "kredit",
        "loan",
        "mort",
        "mortgage",
        "outstanding",
        "rev",
        "revol",
        "revolving",
        "tl",
        "trade",
        "trades",
    ];
    let asked = name
        .one_of(&AMOUNTS)
        .filter(|_| {
            name.one_of(&CREDIT).is_some()
                || name.are(&["amount"])
                || name.are(&["betrag"])
                || name.are(&["hoehe"])
        })
        .or_else(|| name.contains(&COMPOUNDS));
    if let Some(word) = asked {
        return Some((word, LESS_ASKED));
    }
    let balance =
        || name.one_of(&["balance", "bal", "saldo"]).filter(|_| name.one_of(&BORROWED).is_some());
    let principal = || {
        name.one_of(&["principal", "prncp"])
            .filter(|_| name.one_of(&["out", "outstanding", "remaining"]).is_some())
    };
    let owed = name
        .one_of(&DEBTS)
        .or_else(|| name.starts_with(&BEGINNINGS))
        .or_else(|| name.ends_with(&["schulden"]))
        .or_else(balance)
        .or_else(principal);
    if let Some(word) = owed {
        return Some((word, LESS_OWED));
    }
    let asked_elsewhere = name
        .starts_with(&["inquir", "enquir"])
        .or_else(|| name.one_of(&["inq", "anfragen", "kreditanfragen"]));
    asked_elsewhere.map(|word| (word, FEWER))
}
