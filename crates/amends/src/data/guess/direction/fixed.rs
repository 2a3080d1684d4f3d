//! Names of what applicants can't or shouldn't change: families, other people, the past, places, what others decide.

use crate::data::guess::names::{Words, is_measure};

pub(super) fn family(name: &Words) -> Option<&str> {
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
        size.and(name.one_of(&["household", "family", "fam", "haushalt", "familie", "liable"]))
    })
    // German credit data: persons to be maintained.
    .or_else(|| name.one_of(&["pers"]).filter(|_| name.are(&["pers"])))
}

/// Somebody else's income or debts, which the applicant can't raise or lower.
pub(super) fn another_person(name: &Words) -> Option<&str> {
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
        .or_else(|| name.one_of(&["circle"]).filter(|_| name.one_of(&["social"]).is_some()))
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

/// Words about what has happened.
const PAST_WORDS: [&str; 38] = [
    "history",
    "coll",
    "dlq",
    "lien",
    "liens",
    "moral",
    "zahlungsmoral",
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

/// Beginnings of such words.
const PAST_BEGINNINGS: [&str; 14] = [
    "bishkred",
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

pub(super) fn past(name: &Words) -> Option<&str> {
    let first = || {
        let credit = ["credit", "loan", "line", "account", "trade", "kredit", "konto"];
        name.one_of(&["first", "erster", "erste", "erstes"])
            .filter(|_| name.one_of(&credit).is_some())
    };
    // Public records are bankruptcies and judgements.
    let public = || name.one_of(&["pub", "public"]).and(name.one_of(&["rec", "record", "records"]));
    name.one_of(&PAST_WORDS)
        .or_else(|| name.starts_with(&PAST_BEGINNINGS))
        .or_else(|| name.contains(&["verzug", "kredithistorie", "kontoalter"]))
        .or_else(|| name.ends_with(&["dpd"]))
        .or_else(first)
        .or_else(public)
        .or_else(|| time_since(name))
        .or_else(|| opened_so_far(name))
        .or_else(|| numbered_months(name))
}

/// The time since the last event of a kind, or how old a file is on average: another event would not make it longer.
fn time_since(name: &Words) -> Option<&str> {
    const LAST: [&str; 6] = ["last", "latest", "old", "rcnt", "recent", "recently"];
    let event = || name.one_of(&LAST).filter(|_| name.one_of(&["since", "sin"]).is_some());
    let average = || name.one_of(&["average", "avg"]).and(name.one_of(&["file"]));
    // Days since the telephone or the identity card changed.
    let changed = || {
        name.one_of(&["publish", "published", "registration"])
            .or_else(|| name.one_of(&["last"]).and(name.one_of(&["change", "changed"])))
            .filter(|_| name.one_of(&["days", "months", "years"]).is_some())
    };
    event().or_else(average).or_else(changed)
}

/// How many accounts were opened in a time that has passed, or altogether.
fn opened_so_far(name: &Words) -> Option<&str> {
    let time =
        || name.one_of(&["3m", "6m", "12m", "24m", "36m"]).or_else(|| name.starts_with(&["last"]));
    let opened =
        || name.one_of(&["op", "open", "opened", "openin", "opening"]).and_then(|_| time());
    let accounts = ["acc", "accounts", "num", "number", "of", "total", "trades"];
    let total = || name.one_of(&["total"]).filter(|_| name.only(&accounts));
    let total = || total().filter(|_| name.one_of(&["acc", "accounts", "trades"]).is_some());
    opened().or_else(total)
}

/// The state of payment in one of several months, as in Taiwan's credit data: `pay_0`, `pay_2`.
fn numbered_months(name: &Words) -> Option<&str> {
    name.last().filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()))?;
    name.one_of(&["pay"]).filter(|_| name.has(2))
}

/// When and how somebody applied: the answer would be to apply again on another day.
pub(super) fn circumstance(name: &Words) -> Option<&str> {
    // A wage per hour is none.
    let is_amount = is_measure(name) || name.numerator().is_some();
    name.one_of(&["weekday", "wochentag", "hour", "uhrzeit", "suite"]).filter(|_| !is_amount)
}

pub(super) fn purpose(name: &Words) -> Option<&str> {
    name.one_of(&["purpose", "reason", "zweck", "verwendung", "verw"])
        .or_else(|| name.contains(&["zweck"]))
}

/// Scores of bureaus, and rates that the lender sets.
pub(super) fn set_by_others(name: &Words) -> Option<&str> {
    const WORDS: [&str; 10] = [
        "score", "scores", "rating", "fico", "schufa", "bureau", "apr", "zins", "zinsen",
        "zinssatz",
    ];
    const GRADED: [&str; 8] =
        ["grade", "subgrade", "sub", "loan", "credit", "risk", "internal", "kredit"];
    let interest =
        || name.one_of(&["interest", "int"]).filter(|_| name.one_of(&["rate"]).is_some());
    let alone = || name.one_of(&["rate"]).filter(|_| name.only(&["rate", "loan", "credit"]));
    let outside = || {
        name.one_of(&["external", "ext"])
            .filter(|_| name.one_of(&["risk", "source", "estimate"]).is_some())
    };
    let estimate = || name.one_of(&["risk"]).filter(|_| name.one_of(&["estimate"]).is_some());
    let grade = || name.one_of(&["grade", "subgrade"]).filter(|_| name.only(&GRADED));
    name.one_of(&WORDS)
        .or_else(|| name.contains(&["bonitaet", "creditscore"]))
        .or_else(interest)
        .or_else(alone)
        .or_else(outside)
        .or_else(estimate)
        .or_else(grade)
}

pub(super) fn location(name: &Words) -> Option<&str> {
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
        .or_else(|| {
            name.starts_with(&["residence", "wohndauer", "wohnhaft", "wohnort", "wohnzeit"])
        })
        .or_else(state)
}
