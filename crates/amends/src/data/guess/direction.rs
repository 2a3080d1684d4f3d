//! How an applicant may change a column, by the words of its name.

use super::names::{Words, is_measure, protected_attribute};
use crate::data::Change;

/// A guessed direction and the reason for it, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Direction {
    pub change: Change,
    /// The word that it was guessed from.
    pub word: String,
    pub reason: &'static str,
}

const PROTECTED: &str = "nobody should be advised to change a protected attribute";
const ANOTHER: &str = "it is another person's";
const FAMILY: &str = "nobody should be advised to change their family";
const PAST: &str = "the past can't be changed";
const PURPOSE: &str = "another purpose would be another application";
const PLACE: &str = "nobody should be advised to move";
const AREA: &str = "it describes an area, not the applicant";
const OTHERS: &str = "others decide on it: it follows from the rest";
const MORE: &str = "more of it is what applicants work for";
const EDUCATION: &str = "an education is not lost";
const UNORDERED_EDUCATION: &str = "an education is not lost, and which of these is higher is not known: to advise on it, list them \
                                   from low to high as kind = \"ordinal\" with change = \"increase\"";
const TIME: &str = "it grows with time";
const LESS_ASKED: &str = "asking for less is possible, asking for more is no advice";
const LESS_OWED: &str = "debts can be paid back, and taking on more is no advice";
const FEWER: &str = "applying elsewhere again is no advice";

/// The direction that a name suggests; `ordered` says whether the column's values have an order, `is_number` whether they are numbers.
pub(super) fn guess(name: &Words, ordered: bool, is_number: bool) -> Option<Direction> {
    let direction = |change: Change, word: &str, reason| {
        Some(Direction { change, word: word.to_owned(), reason })
    };
    let fixed = |word: &str, reason| direction(Change::Immutable, word, reason);
    if let Some(word) = protected_attribute(name) {
        return fixed(word, PROTECTED);
    }
    if let Some(word) = family(name) {
        return fixed(word, FAMILY);
    }
    if let Some(word) = another_person(name) {
        return fixed(word, ANOTHER);
    }
    if let Some(word) = past(name) {
        return fixed(word, PAST);
    }
    if let Some(word) = purpose(name) {
        return fixed(word, PURPOSE);
    }
    if let Some(word) = location(name) {
        return fixed(word, if is_measure(name) { AREA } else { PLACE });
    }
    if let Some(word) = set_by_others(name) {
        return fixed(word, OTHERS);
    }
    if !ordered || is_about(name) || turned_round(name) {
        return None;
    }
    // A ratio moves as what is divided does.
    let divided = name.numerator();
    let words = divided.as_ref().unwrap_or(name);
    let less = less(words);
    let more = more(words, is_number);
    let is_share = divided.is_none()
        && name.one_of(&["ratio", "percent", "pct", "share", "quote", "anteil", "rate"]).is_some();
    match (less, more) {
        (Some((word, reason)), None) => direction(Change::Decrease, word, reason),
        (None, Some((word, reason))) if !is_share => direction(Change::Increase, word, reason),
        _ => None,
    }
}

/// Levels of education in an unknown order: any advice could be to give up a degree.
pub(super) fn of_unordered(name: &Words) -> Option<Direction> {
    let word = education(name)?.to_owned();
    Some(Direction { change: Change::Immutable, word, reason: UNORDERED_EDUCATION })
}

fn education(name: &Words) -> Option<&str> {
    const WORDS: [&str; 13] = [
        "education",
        "degree",
        "university",
        "qualification",
        "bildung",
        "abschluss",
        "schulabschluss",
        "bildungsabschluss",
        "berufsabschluss",
        "hochschulabschluss",
        "studium",
        "ausbildung",
        "berufsausbildung",
    ];
    name.one_of(&WORDS).or_else(|| name.numbered(&WORDS))
}

fn family(name: &Words) -> Option<&str> {
    name.one_of(&[
        "children",
        "child",
        "kids",
        "kinder",
        "dependents",
        "dependants",
        "schwanger",
        "alimony",
        "kindergeld",
        "elterngeld",
        "unterhalt",
    ])
    .or_else(|| {
        name.starts_with(&[
            "unterhaltsberecht",
            "unterhaltspflicht",
            "kinderanzahl",
            "kinderzahl",
            "haushaltsgr",
        ])
    })
    .or_else(|| {
        let size = name.one_of(&["size", "members", "persons", "people", "groesse", "personen"]);
        size.and(name.one_of(&["household", "family", "haushalt", "familie"]))
    })
}

/// Somebody else's income or debts, which the applicant can't raise or lower.
fn another_person(name: &Words) -> Option<&str> {
    const PEOPLE: [&str; 23] = [
        "partner",
        "spouse",
        "spouses",
        "husband",
        "husbands",
        "wife",
        "wifes",
        "father",
        "fathers",
        "mother",
        "mothers",
        "parent",
        "parents",
        "ehepartner",
        "ehegatte",
        "ehemann",
        "ehefrau",
        "lebenspartner",
        "eltern",
        "vater",
        "mutter",
        "guardian",
        "parental",
    ];
    const BEGINNINGS: [&str; 3] = ["ehepartner", "ehegatt", "lebenspartner"];
    name.one_of(&PEOPLE)
        .or_else(|| name.starts_with(&BEGINNINGS))
        .or_else(|| fact_about_a_joint_applicant(name))
}

/// What somebody who signs with the applicant has. Whether there is such a person is another question: applicants can ask somebody.
fn fact_about_a_joint_applicant(name: &Words) -> Option<&str> {
    const PEOPLE: [&str; 11] = [
        "applicant",
        "borrower",
        "buerge",
        "co",
        "coapplicant",
        "coborrower",
        "cosigner",
        "guarantor",
        "guarantors",
        "mitantragsteller",
        "mitverdiener",
    ];
    const QUESTIONS: [&str; 6] = ["has", "hat", "is", "joint", "signer", "with"];
    if name.only(&[&PEOPLE[..], &QUESTIONS[..]].concat()) {
        return None;
    }
    let own = ["applicant", "borrower"];
    let others: Vec<&str> = PEOPLE.into_iter().filter(|person| !own.contains(person)).collect();
    name.one_of(&others).or_else(|| name.starts_with(&["mitantrag", "mitkredit", "buerge"]))
}

fn past(name: &Words) -> Option<&str> {
    const WORDS: [&str; 32] = [
        "history",
        "historical",
        "hist",
        "past",
        "previous",
        "previously",
        "prev",
        "prior",
        "ever",
        "oldest",
        "earliest",
        "late",
        "overdue",
        "arrears",
        "missed",
        "worst",
        "former",
        "formerly",
        "historie",
        "frueher",
        "fruehere",
        "bisherige",
        "collection",
        "collections",
        "inkasso",
        "insolvenz",
        "pfaendung",
        "dpd",
        "pfaendungen",
        "settlement",
        "settlements",
        "hardship",
    ];
    const BEGINNINGS: [&str; 13] = [
        "delinq",
        "delq",
        "default",
        "bankrupt",
        "derog",
        "foreclos",
        "repossess",
        "chargeoff",
        "chargedoff",
        "mahnung",
        "verspaet",
        "vergangen",
        "zahlungsausf",
    ];
    let first = || {
        let credit = ["credit", "loan", "line", "account", "trade", "kredit", "konto"];
        name.one_of(&["first", "erster", "erste", "erstes"])
            .filter(|_| name.one_of(&credit).is_some())
    };
    // Public records are bankruptcies and judgements.
    let public = || name.one_of(&["pub", "public"]).and(name.one_of(&["rec", "record", "records"]));
    name.one_of(&WORDS)
        .or_else(|| name.starts_with(&BEGINNINGS))
        .or_else(|| name.contains(&["verzug", "kredithistorie", "kontoalter"]))
        .or_else(first)
        .or_else(public)
}

fn purpose(name: &Words) -> Option<&str> {
    name.one_of(&["purpose", "reason", "zweck", "verwendung"]).or_else(|| name.contains(&["zweck"]))
}

/// Scores of bureaus, and rates that the lender sets.
fn set_by_others(name: &Words) -> Option<&str> {
    const WORDS: [&str; 10] = [
        "score", "scores", "rating", "fico", "schufa", "bureau", "apr", "zins", "zinsen",
        "zinssatz",
    ];
    const GRADED: [&str; 8] =
        ["grade", "subgrade", "sub", "loan", "credit", "risk", "internal", "kredit"];
    let interest =
        || name.one_of(&["interest", "int"]).filter(|_| name.one_of(&["rate"]).is_some());
    let alone = || name.one_of(&["rate"]).filter(|_| name.only(&["rate", "loan", "credit"]));
    let grade = || name.one_of(&["grade", "subgrade"]).filter(|_| name.only(&GRADED));
    name.one_of(&WORDS)
        .or_else(|| name.contains(&["bonitaet", "creditscore"]))
        .or_else(interest)
        .or_else(alone)
        .or_else(grade)
}

fn location(name: &Words) -> Option<&str> {
    const WORDS: [&str; 36] = [
        "zip",
        "zipcode",
        "postcode",
        "postal",
        "plz",
        "postleitzahl",
        "city",
        "town",
        "county",
        "country",
        "region",
        "province",
        "district",
        "address",
        "addr",
        "location",
        "ort",
        "wohnort",
        "stadt",
        "bundesland",
        "land",
        "kreis",
        "landkreis",
        "strasse",
        "street",
        "adresse",
        "branch",
        "filiale",
        "lat",
        "lon",
        "latitude",
        "longitude",
        "geo",
        "neighborhood",
        "neighbourhood",
        "stadtteil",
    ];
    // The state of an account is no place.
    let state = || {
        name.one_of(&["state"]).filter(|_| name.only(&["state", "us", "home", "code", "residence"]))
    };
    name.one_of(&WORDS)
        .or_else(|| name.starts_with(&["residence", "wohndauer", "wohnhaft", "wohnort"]))
        .or_else(state)
}

/// Whether a name is about a property other than an amount, or about an absence.
fn is_about(name: &Words) -> bool {
    name.one_of(&[
        "type",
        "source",
        "status",
        "kind",
        "code",
        "class",
        "category",
        "verified",
        "verification",
        "proof",
        "flag",
        "no",
        "non",
        "without",
        "art",
        "typ",
        "ohne",
        "kein",
        "keine",
        "nachweis",
        "change",
        "growth",
    ])
    // Compounds of German: Einkommensart, Gehaltsnachweis.
    .or_else(|| name.ends_with(&["sart", "typ", "status", "nachweis", "quelle"]))
    .is_some()
}

/// Words that turn the meaning of another round, or make something else of it.
const TURNING: [&str; 66] = [
    "abgehoben",
    "ausgegeben",
    "lack",
    "lacking",
    "missing",
    "spend",
    "spending",
    "spent",
    "unpaid",
    "abzug",
    "abzuege",
    "advance",
    "advances",
    "coverage",
    "cost",
    "costs",
    "cut",
    "decline",
    "declined",
    "decrease",
    "deduction",
    "deductions",
    "drop",
    "expense",
    "expenses",
    "fee",
    "fees",
    "forgiven",
    "free",
    "frei",
    "gap",
    "gebuehr",
    "gebuehren",
    "getilgt",
    "less",
    "lose",
    "lost",
    "minus",
    "never",
    "nicht",
    "not",
    "paid",
    "reduction",
    "rejected",
    "relief",
    "repaid",
    "repayment",
    "shortfall",
    "std",
    "stdev",
    "tax",
    "taxes",
    "variability",
    "variance",
    "variation",
    "vorschuss",
    "waived",
    "zero",
    "below",
    "bounced",
    "gering",
    "low",
    "niedrig",
    "refunded",
    "returned",
    "under",
];

/// Whether a word reverses or changes the meaning of another: a tax on income, savings that were withdrawn,
/// debts that were repaid.
fn turned_round(name: &Words) -> bool {
    const BEGINNINGS: [&str; 8] =
        ["garnish", "loss", "schwank", "steuer", "verlust", "volatil", "withdraw", "pfaend"];
    // Compounds of German: Einkommensteuer, Gehaltspfaendung, Einkommensverlust.
    const PARTS: [&str; 6] = ["abzug", "abzueg", "steuer", "pfaend", "verlust", "ausfall"];
    name.one_of(&TURNING)
        .or_else(|| name.starts_with(&BEGINNINGS))
        .or_else(|| name.contains(&PARTS))
        .is_some()
}

#[expect(clippy::too_many_lines, reason = "a list of words")]
fn more(name: &Words, is_number: bool) -> Option<(&str, &'static str)> {
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
    let amount = name
        .one_of(&WORDS)
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
fn less(name: &Words) -> Option<(&str, &'static str)> {
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
    const BORROWED: [&str; 8] =
        ["card", "revolving", "revol", "loan", "debt", "outstanding", "kredit", "mortgage"];
    let asked = name
        .one_of(&AMOUNTS)
        .filter(|_| {
            name.one_of(&CREDIT).is_some() || name.are(&["amount"]) || name.are(&["betrag"])
        })
        .or_else(|| name.contains(&COMPOUNDS));
    if let Some(word) = asked {
        return Some((word, LESS_ASKED));
    }
    let balance =
        || name.one_of(&["balance", "bal", "saldo"]).filter(|_| name.one_of(&BORROWED).is_some());
    let owed = name
        .one_of(&DEBTS)
        .or_else(|| name.starts_with(&BEGINNINGS))
        .or_else(|| name.ends_with(&["schulden"]))
        .or_else(balance);
    if let Some(word) = owed {
        return Some((word, LESS_OWED));
    }
    let asked_elsewhere = name
        .starts_with(&["inquir", "enquir"])
        .or_else(|| name.one_of(&["inq", "anfragen", "kreditanfragen"]));
    asked_elsewhere.map(|word| (word, FEWER))
}

#[cfg(test)]
mod tests;
