//! The choices behind a cost as users give them, and their check.

use std::str::FromStr;

use serde::Deserialize;

use super::{DistanceKind, ExplainSettings, OutlierKind, Preset};
use crate::{Error, InputError, Result};

/// The choices behind a cost as users give them: by name, and none of them checked. What is left out is the preset's choice.
/// [`CostChoices::check`] makes settings of them.
///
/// ```
/// use amends::explain::{CostChoices, OutlierKind};
///
/// let choices = CostChoices { outlier: Some("none".to_owned()), ..CostChoices::default() };
/// let settings = choices.check("loans", |choice| format!("--{choice}"))?;
/// assert_eq!(settings.outlier, OutlierKind::None);
///
/// let wrong = CostChoices { outlier: Some("nil".to_owned()), ..CostChoices::default() };
/// let refusal = wrong.check("loans", |choice| format!("--{choice}")).unwrap_err();
/// assert!(refusal.to_string().starts_with("--outlier: `nil` is not a known outlier term; "));
/// # Ok::<(), amends::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct CostChoices {
    /// The name of the preset; the product's own where it is left out.
    pub preset: Option<String>,
    /// The name of the distance.
    pub distance: Option<String>,
    /// The name of the factor of the inverse covariance.
    pub factor: Option<String>,
    /// The name of the outlier term.
    pub outlier: Option<String>,
    /// The name of the metric.
    pub metric: Option<String>,
    /// Neighbours of the local outlier factor.
    pub k: Option<usize>,
    /// Whether accepted rows that are equal count once.
    pub distinct: Option<bool>,
    /// Accepted rows that plausibility is measured against.
    pub reference: Option<CountOrAll>,
    /// Prototypes of the surrogate.
    pub prototypes: Option<CountOrAll>,
    /// Values of every number on offer.
    pub options: Option<CountOrAll>,
    /// Whether columns are divided by their standard deviation.
    pub standardise: Option<bool>,
    /// The weight of the outlier term.
    pub lambda: Option<f64>,
    /// What each changed feature costs.
    pub change_cost: Option<f64>,
    /// The most features that may change.
    pub max_changes: Option<usize>,
}

/// A count, or the word `all`; as a number, or as text that nobody has read yet.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum CountOrAll {
    /// A count.
    Count(usize),
    /// Digits, or `all`.
    Text(String),
}

impl CountOrAll {
    /// The count; `None` where all are meant.
    fn read(&self, what: &str, name: String) -> Result<Option<usize>> {
        match self {
            Self::Count(count) => Ok(Some(*count)),
            Self::Text(text) if text == "all" => Ok(None),
            Self::Text(text) => text.parse().map(Some).map_err(|_| {
                InputError::new(format!("is not a number of {what}"))
                    .at(name)
                    .value(text)
                    .remedy("give a whole number, or all")
                    .into()
            }),
        }
    }
}

impl CostChoices {
    /// Settings that can be used, for a schema of some name. In messages a choice is called what `named` makes of its name:
    /// an option of the command line, say.
    pub fn check(
        &self,
        schema_name: &str,
        named: impl Fn(&str) -> String,
    ) -> Result<ExplainSettings> {
        let named = &named;
        let preset: Option<Preset> = choice(self.preset.as_ref(), named("preset"))?;
        let mut settings = ExplainSettings::preset(preset.unwrap_or_default(), schema_name);
        set(&mut settings.distance, choice(self.distance.as_ref(), named("distance"))?);
        set(&mut settings.factor, choice(self.factor.as_ref(), named("factor"))?);
        set(&mut settings.outlier, choice(self.outlier.as_ref(), named("outlier"))?);
        set(&mut settings.metric, choice(self.metric.as_ref(), named("metric"))?);
        if let Some(rows) = &self.reference {
            settings.reference_rows = rows.read("rows", named("reference"))?;
        }
        if let Some(prototypes) = &self.prototypes {
            settings.prototypes = prototypes.read("prototypes", named("prototypes"))?;
        }
        if let Some(options) = &self.options {
            settings.option_limit = options.read("values", named("options"))?;
        }
        set(&mut settings.k, self.k);
        set(&mut settings.distinct, self.distinct);
        set(&mut settings.standardise, self.standardise);
        set(&mut settings.lambda, self.lambda);
        set(&mut settings.change_cost, self.change_cost);
        set(&mut settings.max_changes, self.max_changes);
        self.refuse_unused(&settings, named)?;
        settings.check()?;
        Ok(settings)
    }

    /// Refuses choices that change nothing with this distance and outlier term.
    fn refuse_unused(
        &self,
        settings: &ExplainSettings,
        named: impl Fn(&str) -> String,
    ) -> Result<()> {
        let distance = (named("distance"), settings.distance.name());
        let outlier = (named("outlier"), settings.outlier.name());
        let one_norm = settings.distance == DistanceKind::L1Mahalanobis;
        let term = settings.outlier != OutlierKind::None;
        let surrogate = settings.outlier == OutlierKind::Surrogate;
        for (choice, given, used, (cause, value), user) in [
            ("factor", self.factor.is_some(), one_norm, &distance, "l1-mahalanobis"),
            ("k", self.k.is_some(), term, &outlier, "lof or surrogate"),
            ("metric", self.metric.is_some(), term, &outlier, "lof or surrogate"),
            ("lambda", self.lambda.is_some(), term, &outlier, "lof or surrogate"),
            ("prototypes", self.prototypes.is_some(), surrogate, &outlier, "surrogate"),
        ] {
            if given && !used {
                return Err(InputError::new(format!("has no effect with {cause} {value}"))
                    .at(named(choice))
                    .remedy(format!("leave it out, or use {cause} {user}"))
                    .into());
            }
        }
        Ok(())
    }
}

/// A choice by its name, where there is one.
fn choice<T: FromStr<Err = Error>>(name: Option<&String>, called: String) -> Result<Option<T>> {
    let parsed = name.map(|name| name.parse()).transpose();
    parsed.map_err(|error: Error| error.in_file(called))
}

/// Leaves the preset's choice where there is no other.
fn set<T>(setting: &mut T, chosen: Option<T>) {
    if let Some(chosen) = chosen {
        *setting = chosen;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(choice: &str) -> String {
        format!("--{choice}")
    }

    #[test]
    fn what_is_left_out_is_the_preset_s_choice() {
        for preset in Preset::ALL {
            let choices =
                CostChoices { preset: Some(preset.name().to_owned()), ..CostChoices::default() };
            let settings = choices.check("heloc", named).unwrap();
            assert_eq!(settings, ExplainSettings::preset(*preset, "heloc"));
        }
        let standard = CostChoices::default().check("loans", named).unwrap();
        assert_eq!(standard, ExplainSettings::preset(Preset::Standard, "loans"));
    }

    #[test]
    fn counts_may_be_numbers_texts_or_all() {
        let limit = |options: CountOrAll| {
            let preset = Some("paper".to_owned());
            let choices = CostChoices { preset, options: Some(options), ..CostChoices::default() };
            choices.check("loans", named).map(|settings| settings.option_limit)
        };
        assert_eq!(limit(CountOrAll::Count(7)).unwrap(), Some(7));
        assert_eq!(limit(CountOrAll::Text("7".to_owned())).unwrap(), Some(7));
        assert_eq!(limit(CountOrAll::Text("all".to_owned())).unwrap(), None);
        for wrong in ["some", "-1", "", "0"] {
            assert!(limit(CountOrAll::Text(wrong.to_owned())).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_choice_without_effect_is_refused() {
        let refused = |choices: CostChoices| choices.check("loans", named).unwrap_err().to_string();
        let prototypes = Some(CountOrAll::Count(7));
        let choices = CostChoices { prototypes: prototypes.clone(), ..CostChoices::default() };
        assert_eq!(
            refused(choices),
            "--prototypes: has no effect with --outlier lof; leave it out, or use --outlier surrogate"
        );
        let factor = CostChoices { factor: Some("eigen".to_owned()), ..CostChoices::default() };
        assert!(refused(factor).starts_with("--factor: has no effect with --distance mahalanobis"));
        let none = CostChoices { outlier: Some("none".to_owned()), ..CostChoices::default() };
        for unused in [
            CostChoices { k: Some(5), ..none.clone() },
            CostChoices { metric: Some("manhattan".to_owned()), ..none.clone() },
            CostChoices { lambda: Some(2.0), ..none },
        ] {
            assert!(refused(unused).contains(" has no effect with --outlier none; "));
        }
        let preset = Some("paper".to_owned());
        let used = CostChoices {
            preset,
            prototypes,
            factor: Some("eigen".to_owned()),
            ..CostChoices::default()
        };
        assert!(used.check("loans", named).is_ok());
    }

    #[test]
    fn a_choice_that_cannot_be_used_is_called_what_the_user_calls_it() {
        let wrong = Some("no such".to_owned());
        let refused = |choices: CostChoices| choices.check("loans", named).unwrap_err().to_string();
        let distance = CostChoices { distance: wrong.clone(), ..CostChoices::default() };
        assert!(refused(distance).starts_with("--distance: `no such` is not a known distance; "));
        let preset = CostChoices { preset: wrong, ..CostChoices::default() };
        assert!(refused(preset).starts_with("--preset: `no such` is not a known preset; "));
        let lambda = CostChoices { lambda: Some(-1.0), ..CostChoices::default() };
        assert!(refused(lambda).starts_with("lambda: `-1` is negative or not a number; "));
    }
}
