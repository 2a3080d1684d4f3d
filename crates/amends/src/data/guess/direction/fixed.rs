//! Names of what applicants can't or shouldn't change: families, other people, the past, places, what others decide.

use crate::data::guess::names::Words;

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
        size.and(name.one_of(&["household", "family", "haushalt", "familie"]))
    })
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

pub(super) fn past(name: &Words) -> Option<&str> {
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

pub(super) fn purpose(name: &Words) -> Option<&str> {
    name.one_of(&["purpose", "reason", "zweck", "verwendung"]).or_else(|| name.contains(&["zweck"]))
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
    let grade = || name.one_of(&["grade", "subgrade"]).filter(|_| name.only(&GRADED));
    name.one_of(&WORDS)
        .or_else(|| name.contains(&["bonitaet", "creditscore"]))
        .or_else(interest)
        .or_else(alone)
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
        .or_else(|| name.starts_with(&["residence", "wohndauer", "wohnhaft", "wohnort"]))
        .or_else(state)
}
