//! The words of column names.

use crate::data::Feature;

/// The words of a column's name in small letters, without umlauts.
#[derive(Debug, Clone)]
pub(in crate::data) struct Words(Vec<String>);

impl Words {
    pub fn of(name: &str) -> Self {
        Self(split(name))
    }

    /// The first word that is one of these.
    pub fn one_of(&self, words: &[&str]) -> Option<&str> {
        self.first(|word| words.contains(&word))
    }

    /// The first word that begins with one of these.
    pub fn starts_with(&self, beginnings: &[&str]) -> Option<&str> {
        self.first(|word| beginnings.iter().any(|beginning| word.starts_with(beginning)))
    }

    /// The first word that ends with one of these, as German compounds do.
    pub fn ends_with(&self, endings: &[&str]) -> Option<&str> {
        self.first(|word| endings.iter().any(|ending| word.ends_with(ending)))
    }

    /// The first word with one of these in it, as in German compounds.
    pub fn contains(&self, parts: &[&str]) -> Option<&str> {
        self.first(|word| parts.iter().any(|part| word.contains(part)))
    }

    /// The first word that is one of these with a number behind it, such as `sex1`.
    pub fn numbered(&self, words: &[&str]) -> Option<&str> {
        self.first(|word| words.contains(&word.trim_end_matches(|c: char| c.is_ascii_digit())))
    }

    /// The last word.
    pub fn last(&self) -> Option<&str> {
        self.0.last().map(String::as_str)
    }

    /// Whether these are all its words.
    pub fn are(&self, words: &[&str]) -> bool {
        self.0 == words
    }

    /// Whether it has so many words.
    pub fn has(&self, words: usize) -> bool {
        self.0.len() == words
    }

    /// Whether all its words are among these.
    pub fn only(&self, words: &[&str]) -> bool {
        self.0.iter().all(|word| words.contains(&word.as_str()))
    }

    /// The words before "to" or "of" or "per", if there is one with words on both sides: what is divided.
    pub fn numerator(&self) -> Option<Self> {
        let at =
            self.0.iter().position(|word| ["to", "per", "zu", "pro"].contains(&word.as_str()))?;
        (at > 0 && at + 1 < self.0.len()).then(|| Self(self.0[..at].to_vec()))
    }

    fn first(&self, fits: impl Fn(&str) -> bool) -> Option<&str> {
        self.0.iter().map(String::as_str).find(|word| fits(word))
    }
}

/// Splits a name at signs, at capitals after small letters, and before the last of several capitals: `FICOScore` has two words.
fn split(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (index, &c) in letters.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| letters[index]);
        let after = letters.get(index + 1);
        let begins = c.is_uppercase()
            && (before.is_some_and(|before| before.is_lowercase() || before.is_ascii_digit())
                || (before.is_some_and(char::is_uppercase)
                    && after.is_some_and(|after| after.is_lowercase())));
        if !c.is_alphanumeric() || begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            for small in c.to_lowercase() {
                match small {
                    '\u{e4}' => word.push_str("ae"),
                    '\u{f6}' => word.push_str("oe"),
                    '\u{fc}' => word.push_str("ue"),
                    '\u{df}' => word.push_str("ss"),
                    other => word.push(other),
                }
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

impl Feature {
    /// Whether its name has a word that stands for an attribute that nobody should be advised to change, such as age or sex. A
    /// name may say nothing: this is a hint, not legal advice.
    pub fn is_protected_by_name(&self) -> bool {
        protected_attribute(&Words::of(&self.name)).is_some()
    }
}

/// Words that stand for protected attributes.
const PROTECTED_WORDS: [&str; 28] = [
    "tribe",
    "tribal",
    "anrede",
    "salutation",
    "kirchensteuer",
    "civil",
    "language",
    "sprache",
    "muttersprache",
    "gewerkschaft",
    "female",
    "male",
    "pregnant",
    "welfare",
    "sexual",
    "jahrgang",
    "age",
    "ages",
    "sex",
    "race",
    "dob",
    "religion",
    "nationality",
    "caste",
    "alter",
    "geschlecht",
    "herkunft",
    "konfession",
];

/// Beginnings, for German compounds among others.
const PROTECTED_BEGINNINGS: [&str; 37] = [
    "famges",
    "gastarb",
    "citizen",
    "gender",
    "ethni",
    "verheirat",
    "schwerbehind",
    "lebensalter",
    "altersgruppe",
    "altersklasse",
    "religion",
    "konfession",
    "staatsbuerger",
    "migrationshinter",
    "geschlecht",
    "ehestand",
    "familienstatus",
    "hautfarbe",
    "schwanger",
    "alleinerzieh",
    "gewerkschaft",
    "sexual",
    "immigra",
    "refugee",
    "veteran",
    "marital",
    "married",
    "marriage",
    "national",
    "foreign",
    "birth",
    "disab",
    "familienstand",
    "staatsangeh",
    "geburt",
    "auslaend",
    "behinder",
];

/// The word of a name that stands for a protected attribute.
pub(super) fn protected_attribute(name: &Words) -> Option<&str> {
    // A credit union is a lender, and an account there is nobody's creed.
    let union = || {
        name.one_of(&["union"])
            .filter(|_| name.starts_with(&["member", "labor", "labour"]).is_some())
    };
    let union = || union().filter(|_| name.one_of(&["credit"]).is_none());
    let color =
        || name.one_of(&["color", "colour"]).filter(|_| name.only(&["color", "colour", "skin"]));
    // Husband, wife, unmarried: but a relationship with a bank is none.
    let relationship = || name.one_of(&["relationship"]).filter(|_| name.are(&["relationship"]));
    // Married or single; the members of a family are no status.
    let family = || name.one_of(&["family"]).filter(|_| name.one_of(&["status"]).is_some());
    let assistance = || name.one_of(&["assistance"]).filter(|_| name.one_of(&["public"]).is_some());
    name.one_of(&PROTECTED_WORDS)
        .or_else(|| name.starts_with(&PROTECTED_BEGINNINGS))
        .or_else(|| name.numbered(&PROTECTED_WORDS))
        .or_else(union)
        .or_else(color)
        .or_else(relationship)
        .or_else(assistance)
        .or_else(family)
}

/// The word of a name that stands for a protected attribute of a person: the age of an account or of a car is not.
pub(in crate::data) fn protected_of_a_person(name: &Words) -> Option<&str> {
    const THINGS: [&str; 24] = [
        "account", "accounts", "credit", "loan", "line", "lines", "trade", "trades", "file",
        "history", "oldest", "car", "vehicle", "property", "house", "home", "building", "company",
        "business", "konto", "kredit", "fahrzeug", "auto", "firma",
    ];
    let word = protected_attribute(name)?;
    let years = ["age", "ages", "alter"].contains(&word);
    (!years || name.one_of(&THINGS).is_none()).then_some(word)
}

/// Whether a name is about when somebody was born.
pub(super) fn is_birth(name: &Words) -> bool {
    name.one_of(&["dob", "born", "geb", "geboren"])
        .or_else(|| name.starts_with(&["birth", "geburt"]))
        .is_some()
}

/// Whether a name says that the numbers measure something, whatever its other words say: an income, a population.
pub(super) fn is_measure(name: &Words) -> bool {
    const WORDS: [&str; 17] = [
        "amount",
        "amt",
        "amnt",
        "income",
        "salary",
        "wage",
        "revenue",
        "turnover",
        "balance",
        "price",
        "population",
        "density",
        "betrag",
        "einkommen",
        "lohn",
        "umsatz",
        "einwohner",
    ];
    name.one_of(&WORDS).is_some()
}

/// The word of a name that says that whole numbers are codes of categories.
#[expect(clippy::too_many_lines, reason = "a list of words")]
pub(super) fn category(name: &Words) -> Option<&str> {
    const WORDS: [&str; 50] = [
        "code",
        "type",
        "class",
        "category",
        "region",
        "branch",
        "state",
        "country",
        "province",
        "county",
        "district",
        "city",
        "sex",
        "gender",
        "education",
        "marital",
        "marriage",
        "status",
        "purpose",
        "segment",
        "product",
        "channel",
        "cluster",
        "sector",
        "industry",
        "occupation",
        "profession",
        "job",
        "housing",
        "religion",
        "race",
        "ethnicity",
        "nationality",
        "geschlecht",
        "familienstand",
        "filiale",
        "art",
        "typ",
        "klasse",
        "kategorie",
        "land",
        "bundesland",
        "beruf",
        "branche",
        "zweck",
        "produkt",
        "kanal",
        "gruppe",
        "group",
        "bildung",
    ];
    const ENDS: [&str; 8] =
        ["zip", "zipcode", "postcode", "postal", "plz", "postleitzahl", "schluessel", "kennung"];
    const COUNTS: [&str; 30] = [
        "num", "number", "count", "anzahl", "n", "no", "nr", "amount", "betrag", "years", "months",
        "days", "jahre", "monate", "tage", "score", "rate", "ratio", "percent", "pct", "age",
        "length", "since", "duration", "dauer", "seit", "avg", "mean", "total", "size",
    ];
    // An income type is a type, whatever else its name has.
    let is_kind =
        name.last().is_some_and(|last| ["type", "code", "category", "typ", "art"].contains(&last));
    if name.one_of(&COUNTS).is_some() || (is_measure(name) && !is_kind) {
        return None;
    }
    name.one_of(&WORDS)
        .or_else(|| name.one_of(&ENDS))
        .or_else(|| name.contains(&["zweck", "schluessel"]))
}

/// The word of a name that identifies rows or people; `uniform` says whether the cells look as identifiers do, which words that may
/// stand beside an amount need (`account_balance`).
pub(super) fn identifier(name: &Words, uniform: bool) -> Option<&str> {
    const ALWAYS: [&str; 12] = [
        "id", "ids", "key", "uuid", "guid", "iban", "ssn", "serial", "rownum", "hash", "unnamed",
        "kennung",
    ];
    const AT_THE_END: [&str; 5] = ["number", "no", "nr", "nummer", "num"];
    const PEOPLE: [&str; 9] = [
        "customer",
        "client",
        "applicant",
        "person",
        "case",
        "contract",
        "kunde",
        "vertrag",
        "member",
    ];
    const UNIFORM: [&str; 9] =
        ["account", "konto", "ref", "reference", "index", "row", "ticket", "number", "no"];
    let at_the_end = || name.last().filter(|word| AT_THE_END.contains(word));
    let people = || name.one_of(&PEOPLE).filter(|_| name.only(&PEOPLE));
    name.one_of(&ALWAYS)
        .or_else(|| name.contains(&["nummer", "kontonr", "kundennr"]))
        .or_else(at_the_end)
        .or_else(people)
        .or_else(|| name.one_of(&UNIFORM).filter(|_| uniform))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_at_signs_and_capitals() {
        for (name, expected) in [
            ("years_employed", &["years", "employed"][..]),
            ("FICOScore", &["fico", "score"]),
            ("MSinceOldestTradeOpen", &["m", "since", "oldest", "trade", "open"]),
            ("Verm\u{f6}gen (EUR)", &["vermoegen", "eur"]),
            ("pay_amt1", &["pay", "amt1"]),
        ] {
            assert!(Words::of(name).are(expected), "{:?}", Words::of(name));
        }
        assert!(Words::of("debt_to_income").numerator().is_some_and(|words| words.are(&["debt"])));
        assert!(Words::of("to_income").numerator().is_none());
    }

    #[test]
    fn protected_attributes_are_found_by_whole_words() {
        for name in [
            "age",
            "Age_Years",
            "ApplicantSex",
            "foreign_worker",
            "maritalStatus",
            "race",
            "Gender",
            "marriage",
            "Alter",
            "Familienstand",
            "Geburtsdatum",
        ] {
            assert!(protected_attribute(&Words::of(name)).is_some(), "{name}");
        }
        for name in
            ["mortgage", "AverageMInFile", "trace", "sextant", "average", "percentage", "verwaltet"]
        {
            assert!(protected_attribute(&Words::of(name)).is_none(), "{name}");
        }
    }

    #[test]
    fn counts_are_no_categories() {
        for name in ["region_code", "zip", "education", "job", "Kreditzweck", "PLZ"] {
            assert!(category(&Words::of(name)).is_some(), "{name}");
        }
        for name in [
            "region_income",
            "postal_income",
            "region_population",
            "class_size",
            "education_num",
            "years_education",
            "income",
            "state_tax_amount",
            "MaxDelqEver",
        ] {
            assert!(category(&Words::of(name)).is_none(), "{name}");
        }
    }
}
