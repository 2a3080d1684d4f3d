//! Words that have an order, in English and German.

/// Words of one scale from low to high; words in the same place mean the same.
type Scale = &'static [&'static [&'static str]];

const SCALES: &[Scale] = &[
    // Yes and no.
    &[&["no", "n", "false", "f", "nein"], &["yes", "y", "true", "t", "ja", "j"]],
    // Amounts.
    &[
        &["none", "nothing", "no", "zero", "kein", "keine", "keines", "nichts"],
        &[
            "very low",
            "very little",
            "very few",
            "minimal",
            "sehr niedrig",
            "sehr gering",
            "sehr wenig",
        ],
        &["low", "little", "few", "niedrig", "gering", "wenig", "wenige"],
        &["rather low", "below average", "eher niedrig", "eher gering", "unterdurchschnittlich"],
        &[
            "some",
            "medium",
            "mid",
            "middle",
            "moderate",
            "average",
            "normal",
            "mittel",
            "mittlere",
            "mittlerer",
            "einige",
            "etwas",
            "durchschnittlich",
        ],
        &["rather high", "above average", "eher hoch", "\u{fc}berdurchschnittlich"],
        &["high", "much", "many", "hoch", "viel", "viele"],
        &["very high", "very much", "very many", "sehr hoch", "sehr viel", "sehr viele"],
        &["extreme", "extremely high", "extrem", "extrem hoch"],
    ],
    // Sizes.
    &[
        &["xxs"],
        &["xs", "tiny", "very small", "micro", "sehr klein", "winzig"],
        &["s", "small", "klein"],
        &["m", "medium", "mid", "middle", "mittel", "mittelgro\u{df}"],
        &["l", "large", "big", "gro\u{df}"],
        &["xl", "very large", "huge", "sehr gro\u{df}"],
        &["xxl"],
    ],
    &[
        &["very short", "sehr kurz"],
        &["short", "kurz"],
        &["medium", "mittel"],
        &["long", "lang"],
        &["very long", "sehr lang"],
    ],
    // Quality.
    &[
        &["very poor", "very bad", "terrible", "sehr schlecht"],
        &["poor", "bad", "schlecht"],
        &["below average", "unterdurchschnittlich"],
        &[
            "fair",
            "average",
            "ok",
            "okay",
            "so-so",
            "satisfactory",
            "acceptable",
            "mittel",
            "mittelm\u{e4}\u{df}ig",
        ],
        &["above average", "\u{fc}berdurchschnittlich"],
        &["good", "gut"],
        &["very good", "sehr gut"],
        &["excellent", "outstanding", "exceptional", "ausgezeichnet", "hervorragend", "exzellent"],
    ],
    // German school marks.
    &[
        &["ungen\u{fc}gend"],
        &["mangelhaft"],
        &["ausreichend"],
        &["befriedigend"],
        &["gut"],
        &["sehr gut"],
    ],
    // Agreement.
    &[
        &[
            "strongly disagree",
            "completely disagree",
            "stimme gar nicht zu",
            "stimme \u{fc}berhaupt nicht zu",
            "trifft gar nicht zu",
        ],
        &["disagree", "stimme nicht zu", "trifft nicht zu"],
        &["somewhat disagree", "slightly disagree", "stimme eher nicht zu", "trifft eher nicht zu"],
        &[
            "neutral",
            "undecided",
            "neither agree nor disagree",
            "teils teils",
            "teils/teils",
            "weder noch",
            "unentschieden",
        ],
        &["somewhat agree", "slightly agree", "stimme eher zu", "trifft eher zu"],
        &["agree", "stimme zu", "trifft zu"],
        &[
            "strongly agree",
            "completely agree",
            "stimme voll zu",
            "stimme voll und ganz zu",
            "trifft voll zu",
            "trifft voll und ganz zu",
        ],
    ],
    // Satisfaction.
    &[
        &["very dissatisfied", "very unsatisfied", "sehr unzufrieden"],
        &["dissatisfied", "unsatisfied", "unzufrieden"],
        &["rather dissatisfied", "somewhat dissatisfied", "eher unzufrieden"],
        &["neutral", "neither satisfied nor dissatisfied", "teils teils", "weder noch"],
        &["rather satisfied", "somewhat satisfied", "eher zufrieden"],
        &["satisfied", "zufrieden"],
        &["very satisfied", "sehr zufrieden"],
    ],
    // Frequency.
    &[
        &["never", "nie", "niemals"],
        &["rarely", "seldom", "selten"],
        &["sometimes", "occasionally", "manchmal", "gelegentlich"],
        &["often", "frequently", "oft", "h\u{e4}ufig"],
        &["usually", "mostly", "meistens"],
        &["always", "immer"],
    ],
    // Education.
    &[
        &[
            "none",
            "no education",
            "no schooling",
            "kein",
            "keine",
            "ohne",
            "kein abschluss",
            "ohne abschluss",
        ],
        &["primary", "primary school", "elementary", "elementary school", "basic", "grundschule"],
        &["lower secondary", "middle school", "junior high", "hauptschule", "hauptschulabschluss"],
        &["realschule", "realschulabschluss", "mittlere reife", "mittlerer abschluss"],
        &[
            "secondary",
            "high school",
            "upper secondary",
            "secondary school",
            "abitur",
            "matura",
            "fachabitur",
        ],
        &[
            "vocational",
            "some college",
            "associate",
            "associate degree",
            "ausbildung",
            "berufsausbildung",
            "lehre",
        ],
        &[
            "bachelor",
            "bachelors",
            "bachelor's",
            "bachelor degree",
            "bachelor's degree",
            "college",
            "undergraduate",
        ],
        &[
            "master",
            "masters",
            "master's",
            "master degree",
            "master's degree",
            "postgraduate",
            "diplom",
            "magister",
        ],
        &["doctorate", "phd", "ph.d.", "doctoral", "promotion", "doktor", "doctor"],
    ],
    // Skill.
    &[
        &["unskilled", "ungelernt"],
        &["semi-skilled", "semiskilled", "angelernt"],
        &["skilled", "gelernt"],
        &["highly skilled", "hoch qualifiziert", "hochqualifiziert"],
    ],
    &[
        &["beginner", "novice", "anf\u{e4}nger"],
        &["intermediate", "fortgeschritten"],
        &["advanced"],
        &["expert", "experte"],
    ],
    &[
        &["bronze"],
        &["silver", "silber"],
        &["gold"],
        &["platinum", "platin"],
        &["diamond", "diamant"],
    ],
];

/// What people acquire and don't lose again, recognised by its levels alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Acquired {
    Education,
    Skill,
}

/// Words that are levels of education and of nothing else: a contact may be primary, and a debt secondary.
const DEGREES: [&str; 44] = [
    "no education",
    "no schooling",
    "primary school",
    "elementary school",
    "grundschule",
    "middle school",
    "junior high",
    "hauptschule",
    "hauptschulabschluss",
    "realschule",
    "realschulabschluss",
    "mittlere reife",
    "high school",
    "secondary school",
    "abitur",
    "matura",
    "fachabitur",
    "some college",
    "associate degree",
    "ausbildung",
    "berufsausbildung",
    "bachelor",
    "bachelors",
    "bachelor's",
    "bachelor degree",
    "bachelor's degree",
    "college",
    "undergraduate",
    "masters",
    "master's",
    "master degree",
    "master's degree",
    "postgraduate",
    "diplom",
    "magister",
    "doctorate",
    "phd",
    "ph.d.",
    "doctoral",
    "hs grad",
    "graduate school",
    "graduate",
    "university",
    "universit\u{e4}t",
];

/// Words that are levels of skill and of nothing else.
const SKILLS: [&str; 9] = [
    "unskilled",
    "ungelernt",
    "semi-skilled",
    "semiskilled",
    "angelernt",
    "gelernt",
    "highly skilled",
    "hoch qualifiziert",
    "hochqualifiziert",
];

/// What levels are of, where their words leave no doubt: one of them if all are of one scale, otherwise two and every other one.
pub(super) fn acquired(texts: &[&str]) -> Option<Acquired> {
    let plain: Vec<String> = texts.iter().map(|text| normalised(text)).collect();
    let of_one_scale = ranks(texts).is_some();
    let clear = |words: &[&str]| {
        let known = plain.iter().filter(|text| words.contains(&text.as_str())).count();
        known > 0 && (of_one_scale || (known > 1 && 2 * known >= texts.len()))
    };
    if clear(&DEGREES) {
        return Some(Acquired::Education);
    }
    clear(&SKILLS).then_some(Acquired::Skill)
}

/// The ranks of texts in the first scale that contains all of them, each at a different rank.
pub(super) fn ranks(texts: &[&str]) -> Option<Vec<usize>> {
    let plain: Vec<String> = texts.iter().map(|text| normalised(text)).collect();
    SCALES.iter().find_map(|scale| {
        let rank = |text: &String| scale.iter().position(|place| place.contains(&text.as_str()));
        let ranks: Vec<usize> = plain.iter().map(rank).collect::<Option<_>>()?;
        let mut different = ranks.clone();
        different.sort_unstable();
        different.dedup();
        (different.len() == ranks.len()).then_some(ranks)
    })
}

/// In small letters, with single blanks instead of underscores, hyphens between words, and numbers in front as in "1 - low".
fn normalised(text: &str) -> String {
    let small = text.to_lowercase();
    let words =
        small.split(|c: char| c.is_whitespace() || c == '_').filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join(" ");
    let is_number = |c: char| c.is_ascii_digit() || " .:)-".contains(c);
    let known = |word: &str| {
        SCALES.iter().any(|scale| scale.iter().any(|place| place.contains(&word)))
            || DEGREES.contains(&word)
    };
    let unhyphenated = || joined.replace('-', " ");
    let candidates =
        [joined.clone(), unhyphenated(), joined.trim_start_matches(is_number).to_owned()];
    candidates.iter().find(|word| known(word)).cloned().unwrap_or(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_scale_have_ranks() {
        for (texts, expected) in [
            (&["high", "low", "medium"][..], Some(vec![6, 2, 4])),
            (&["Very_Good", "Poor", "excellent"], Some(vec![6, 1, 7])),
            (&["Stimme eher zu", "stimme nicht zu"], Some(vec![4, 1])),
            (&["klein", "gro\u{df}", "mittel"], Some(vec![2, 4, 3])),
            (&["1 - low", "2 - medium", "3 - high"], Some(vec![2, 4, 6])),
            (&["no", "yes"], Some(vec![0, 1])),
            (&["ja", "nein"], Some(vec![1, 0])),
            (&["High School", "PhD", "Master"], Some(vec![4, 8, 7])),
            (&["Realschule", "Abitur", "Hauptschule"], Some(vec![3, 4, 2])),
            // A word of another scale, two words for one place, and words without an order.
            (&["low", "excellent"], None),
            (&["medium", "mid", "high"], None),
            (&["own", "rent"], None),
        ] {
            assert_eq!(ranks(texts), expected, "{texts:?}");
        }
    }

    #[test]
    fn degrees_and_skills_are_recognised_without_a_name() {
        for (texts, expected) in [
            (&["primary", "secondary", "bachelor", "phd"][..], Some(Acquired::Education)),
            (&["Bachelor", "Master"], Some(Acquired::Education)),
            (&["Bachelor", "other", "none"], None),
            (&["Realschule", "Abitur", "keine"], Some(Acquired::Education)),
            (&["graduate school", "university", "others"], Some(Acquired::Education)),
            (&["unskilled", "skilled", "highly skilled"], Some(Acquired::Skill)),
            (&["primary", "secondary"], None),
            (&["none", "basic", "advanced"], None),
            (&["low", "high"], None),
            (&["phd", "own", "rent", "free"], None),
        ] {
            assert_eq!(acquired(texts), expected, "{texts:?}");
        }
    }

    #[test]
    fn no_word_is_in_two_places_of_a_scale() {
        for scale in SCALES {
            let mut words: Vec<&str> =
                scale.iter().flat_map(|place| place.iter().copied()).collect();
            let all = words.len();
            words.sort_unstable();
            words.dedup();
            assert_eq!(words.len(), all, "{words:?}");
        }
    }
}
