//! What a model's file does not say, so that the user has to.

use serde::{Deserialize, Serialize};

use crate::data::Target;
use crate::names::named;
use crate::{InputError, Result, Setting};

/// What a model's file does not say.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ImportSettings {
    /// The outcome that the model's class 1 stands for. Needed where the schema's outcomes are not 0 and 1 (or false and
    /// true) themselves: a wrong guess would reverse every plan.
    pub class_one: Option<String>,
    /// What the library saw where a number has a code.
    pub codes: CodesAs,
    /// The points from which a scorecard accepts, which needs it; for other models it is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cutoff: Option<f64>,
}

/// What a library saw instead of a code beside the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CodesAs {
    /// The number that the table has, and a missing value for an empty cell or `NA`.
    #[default]
    Written,
    /// A missing value, whatever the code.
    Missing,
}

named!(CodesAs, "way to read codes", { Written => "written", Missing => "missing" });

impl ImportSettings {
    /// Refuses settings for a file of this program, which leaves nothing open.
    pub(super) fn refuse_for_own_file(&self) -> Result<()> {
        self.refuse_cutoff()?;
        let remedy = "leave it out: the file of `amends train` says how its model is read";
        let refused = |setting, value: &str| {
            InputError::new("is for models of other libraries")
                .setting(setting)
                .value(value)
                .remedy(remedy)
                .into()
        };
        match (&self.class_one, self.codes) {
            (Some(outcome), _) => Err(refused(Setting::ClassOne, outcome)),
            (None, CodesAs::Missing) => Err(refused(Setting::CodesAs, self.codes.name())),
            (None, CodesAs::Written) => Ok(()),
        }
    }

    /// Refuses a cutoff for a model that decides by itself.
    pub(super) fn refuse_cutoff(&self) -> Result<()> {
        let Some(cutoff) = self.cutoff else { return Ok(()) };
        Err(InputError::new("is for scorecards, and this model decides by itself")
            .setting(Setting::Cutoff)
            .value(cutoff)
            .remedy("leave it out")
            .into())
    }

    /// The same for a scorecard: from its cutoff on, applicants have the favourable outcome, unless the user says otherwise.
    pub(super) fn for_card(&self, target: &Target) -> Self {
        let class_one = self.class_one.clone().unwrap_or_else(|| target.favourable.clone());
        Self { class_one: Some(class_one), ..self.clone() }
    }

    /// The same with what a file itself says of class 1, which must be what the user says.
    pub(super) fn with_class_of_file(&self, one: Option<String>, target: &Target) -> Result<Self> {
        let Some(one) = one else { return Ok(self.clone()) };
        let outcomes = [&target.favourable, &target.unfavourable];
        let Some(named) = outcomes.into_iter().find(|outcome| same_outcome(&one, outcome)) else {
            return Ok(self.clone());
        };
        match &self.class_one {
            Some(said) if outcomes.contains(&said) && said != named => Err(InputError::new(
                format!("is not what the model file says: its class 1 is `{one}`"),
            )
            .setting(Setting::ClassOne)
            .value(said)
            .remedy("leave it out")
            .into()),
            Some(_) => Ok(self.clone()),
            None => Ok(Self { class_one: Some(named.clone()), ..self.clone() }),
        }
    }

    /// Whether class 1 is the favourable outcome.
    pub(super) fn one_is_favourable(&self, target: &Target) -> Result<bool> {
        let (yes, no) = (&target.favourable, &target.unfavourable);
        if let Some(named) = &self.class_one {
            if named == yes || named == no {
                return Ok(named == yes);
            }
            return Err(InputError::new(format!(
                "is not an outcome of column `{}`",
                target.column
            ))
            .setting(Setting::ClassOne)
            .value(named)
            .remedy(format!("name `{yes}` or `{no}`"))
            .into());
        }
        match (zero_or_one(yes), zero_or_one(no)) {
            (Some(true), Some(false)) => Ok(true),
            (Some(false), Some(true)) => Ok(false),
            _ => Err(InputError::new(format!(
                "does not say which outcome its class 1 stands for, `{yes}` or `{no}`"
            ))
            .remedy("name it, since a wrong guess would reverse every plan")
            .remedy_setting(Setting::ClassOne)
            .into()),
        }
    }
}

/// Whether two texts name the same outcome: 1 is 1.0, and True is true.
fn same_outcome(a: &str, b: &str) -> bool {
    let same_number = matches!((a.parse::<f64>(), b.parse::<f64>()), (Ok(a), Ok(b)) if a == b);
    let is_word =
        |text: &str| text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false");
    a == b || same_number || (is_word(a) && a.eq_ignore_ascii_case(b))
}

/// The class that an outcome names itself: 0 or 1, false or true.
pub(super) fn zero_or_one(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "true" => Some(true),
        "false" => Some(false),
        other => match other.parse::<f64>() {
            Ok(1.0) => Some(true),
            Ok(0.0) => Some(false),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(favourable: &str, unfavourable: &str) -> Target {
        let [favourable, unfavourable] = [favourable, unfavourable].map(str::to_owned);
        Target { column: "outcome".into(), favourable, unfavourable }
    }

    #[test]
    fn own_files_leave_nothing_open() {
        let plain = ImportSettings::default();
        assert!(plain.refuse_for_own_file().is_ok());
        let outcome = ImportSettings { class_one: Some("paid".into()), ..plain.clone() };
        let refusal = outcome.refuse_for_own_file().unwrap_err().to_string();
        assert!(refusal.starts_with("class 1: `paid` is for models of other"), "{refusal}");
        let codes = ImportSettings { codes: CodesAs::Missing, ..plain };
        assert!(codes.refuse_for_own_file().is_err());
    }

    #[test]
    fn class_one_is_named_or_plain_or_refused() {
        let plain = ImportSettings::default();
        assert!(plain.one_is_favourable(&target("1", "0")).unwrap());
        assert!(!plain.one_is_favourable(&target("0.0", "1.0")).unwrap());
        assert!(plain.one_is_favourable(&target("True", "False")).unwrap());
        for unclear in [target("good", "bad"), target("1", "2"), target("yes", "no")] {
            let refusal = plain.one_is_favourable(&unclear).unwrap_err().to_string();
            assert!(refusal.contains("; name it"), "{refusal}");
        }
        let bad = ImportSettings { class_one: Some("bad".into()), ..plain };
        assert!(!bad.one_is_favourable(&target("good", "bad")).unwrap());
        let refusal = bad.one_is_favourable(&target("1", "0")).unwrap_err().to_string();
        assert_eq!(
            refusal,
            "class 1: `bad` is not an outcome of column `outcome`; name `1` or `0`"
        );
    }
}
