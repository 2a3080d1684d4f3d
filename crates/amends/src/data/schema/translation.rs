//! A feature's texts in another language, for letters and pages.

use std::collections::HashSet;

use super::Feature;
use super::check::Flaw;
use crate::InputError;
use crate::data::some_of;
use crate::names::nearest;

/// The languages that texts may be translated to, by their codes: keys of a feature in the schema file.
pub(super) const LANGUAGES: [&str; 1] = ["de"];

/// A feature's texts in another language. What is not translated keeps its own text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Translation {
    /// Its name for people.
    pub label: Option<String>,
    /// What its numbers count.
    pub unit: Option<String>,
    /// Levels as the table has them, each with its text, in the schema's order.
    pub levels: Vec<(String, String)>,
    /// Codes as the table has them, each with its text, in the schema's order.
    pub codes: Vec<(String, String)>,
}

impl Feature {
    /// Its name for people in a language.
    pub fn title_in(&self, language: &str) -> &str {
        let label = self.translation(language).and_then(|texts| texts.label.as_deref());
        label.unwrap_or_else(|| self.title())
    }

    /// What its numbers count, in a language.
    pub fn unit_in(&self, language: &str) -> Option<&str> {
        let unit = self.translation(language).and_then(|texts| texts.unit.as_deref());
        unit.or(self.unit.as_deref())
    }

    /// A level, or the label of a code, in a language; any other text as it is.
    ///
    /// ```
    /// let schema = amends::data::Schema::german();
    /// let housing = &schema.features[schema.feature_index("housing").unwrap()];
    /// assert_eq!((housing.title_in("de"), housing.text_in("de", "own")), ("Wohnen", "Eigentum"));
    /// assert_eq!((housing.title_in("en"), housing.text_in("en", "own")), ("Housing", "own"));
    /// ```
    pub fn text_in<'a>(&'a self, language: &str, text: &'a str) -> &'a str {
        let Some(texts) = self.translation(language) else { return text };
        let code = self.codes.iter().find(|code| code.label == text);
        let (list, value) = match code {
            Some(code) => (&texts.codes, code.text.as_str()),
            None => (&texts.levels, text),
        };
        list.iter().find(|(own, _)| own == value).map_or(text, |(_, text)| text)
    }

    fn translation(&self, language: &str) -> Option<&Translation> {
        self.translations.get(language)
    }

    pub(super) fn check_translations(&self) -> Result<(), Flaw> {
        for (language, texts) in &self.translations {
            let Some(key) = LANGUAGES.iter().find(|known| *known == language) else {
                let error = InputError::new("is not a language that texts are translated to")
                    .value(language)
                    .remedy(format!("use one of {}", LANGUAGES.join(", ")));
                return Err(error.into());
            };
            self.check_translation(texts).map_err(|error| Flaw::of(key, error))?;
        }
        Ok(())
    }

    fn check_translation(&self, texts: &Translation) -> Result<(), InputError> {
        if texts.unit.is_some() && self.unit.is_none() {
            return Err(InputError::new("translates a unit, but the feature has none")
                .remedy("add the unit to the feature, or remove its translation"));
        }
        let codes: Vec<String> = self.codes.iter().map(|code| code.text.clone()).collect();
        check_known("level", &texts.levels, self.levels())?;
        check_known("code", &texts.codes, &codes)?;
        let own = [&texts.label, &texts.unit].into_iter().flatten();
        let lists = texts.levels.iter().chain(&texts.codes).map(|(_, text)| text);
        if let Some(bad) = own.chain(lists).find(|text| text.is_empty() || text.trim() != *text) {
            return Err(InputError::new("is empty, or starts or ends with a blank")
                .value(bad)
                .remedy("write a text, or leave the translation out"));
        }
        // Applicants read nothing else of a value.
        let mut seen = HashSet::new();
        let shown = |list: &[(String, String)], value: &str, text: &str| {
            let found = list.iter().find(|(own, _)| own == value);
            found.map_or_else(|| text.to_owned(), |(_, text)| text.clone())
        };
        let levels = self.levels().iter().map(|level| shown(&texts.levels, level, level));
        let codes = self.codes.iter().map(|code| shown(&texts.codes, &code.text, &code.label));
        for text in levels.chain(codes) {
            if !seen.insert(text.clone()) {
                return Err(InputError::new("is the text of two levels or codes")
                    .value(text)
                    .remedy("give each words of its own, so that a plan can distinguish them"));
            }
        }
        Ok(())
    }
}

fn check_known(what: &str, texts: &[(String, String)], known: &[String]) -> Result<(), InputError> {
    let mut seen = HashSet::new();
    for (value, _) in texts {
        if !known.contains(value) {
            let remedy = match nearest(value, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => "remove it".to_owned(),
                None => format!("the {what}s are {}", some_of(known)),
            };
            let problem = format!("is not a {what} of this feature");
            return Err(InputError::new(problem).value(value).remedy(remedy));
        }
        if !seen.insert(value) {
            let error = InputError::new(format!("is a {what} that is translated twice"));
            return Err(error.value(value).remedy("keep one of the two"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Code, Kind};

    fn feature() -> Feature {
        let levels = vec!["own".into(), "rent".into()];
        let codes = vec![Code::new("", "not known")];
        Feature { codes, ..Feature::new("housing", Kind::Categorical { levels }) }
    }

    fn with(texts: Translation) -> Feature {
        Feature { translations: [("de".to_owned(), texts)].into(), ..feature() }
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|&(value, text)| (value.to_owned(), text.to_owned())).collect()
    }

    #[test]
    fn what_is_not_translated_keeps_its_own_text() {
        let german = with(Translation {
            label: Some("Wohnen".into()),
            levels: pairs(&[("rent", "Miete")]),
            codes: pairs(&[("", "unbekannt")]),
            ..Translation::default()
        });
        assert!(german.check_translations().is_ok());
        assert_eq!((german.title_in("de"), german.title_in("fr")), ("Wohnen", "housing"));
        for (text, expected) in
            [("rent", "Miete"), ("own", "own"), ("not known", "unbekannt"), ("3", "3")]
        {
            assert_eq!((german.text_in("de", text), german.text_in("en", text)), (expected, text));
        }
        assert_eq!(german.unit_in("de"), None);
    }

    #[test]
    fn translations_of_nothing_and_doubtful_ones_are_refused() {
        let none = Translation::default;
        for (texts, problem) in [
            (Translation { unit: Some("m".into()), ..none() }, "translates a unit"),
            (Translation { levels: pairs(&[("rend", "x")]), ..none() }, "`rend` is not a level"),
            (Translation { codes: pairs(&[("rent", "x")]), ..none() }, "`rent` is not a code"),
            (Translation { label: Some(" x".into()), ..none() }, "` x` is empty, or"),
            (Translation { levels: pairs(&[("own", "")]), ..none() }, "`` is empty, or"),
            (
                Translation { levels: pairs(&[("own", "rent")]), ..none() },
                "`rent` is the text of two",
            ),
            (
                Translation { levels: pairs(&[("own", "a"), ("own", "b")]), ..none() },
                "`own` is a level that is translated twice",
            ),
        ] {
            let flaw = with(texts).check_translations().unwrap_err();
            assert!(flaw.error.to_string().starts_with(problem), "{}", flaw.error);
            assert_eq!(flaw.key, Some("de"));
        }
        let near = with(Translation { levels: pairs(&[("rend", "x")]), ..none() });
        let message = near.check_translations().unwrap_err().error.to_string();
        assert!(message.ends_with("did you mean `rent`?"), "{message}");
        let other = Feature { translations: [("xx".to_owned(), none())].into(), ..feature() };
        assert!(other.check_translations().is_err());
    }
}
