//! Words that make something else of an amount, or reverse what more of it means.

use crate::data::guess::names::Words;

/// Whether a name is about a property other than an amount, or about an absence.
pub(super) fn is_about(name: &Words) -> bool {
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
pub(super) fn turned_round(name: &Words) -> bool {
    const BEGINNINGS: [&str; 8] =
        ["garnish", "loss", "schwank", "steuer", "verlust", "volatil", "withdraw", "pfaend"];
    // Compounds of German: Einkommensteuer, Gehaltspfaendung, Einkommensverlust.
    const PARTS: [&str; 6] = ["abzug", "abzueg", "steuer", "pfaend", "verlust", "ausfall"];
    name.one_of(&TURNING)
        .or_else(|| name.starts_with(&BEGINNINGS))
        .or_else(|| name.contains(&PARTS))
        .is_some()
}
