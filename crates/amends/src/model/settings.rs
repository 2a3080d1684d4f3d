//! Which classifier to train, and its settings.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Link;
use crate::names::named;
use crate::{Error, InputError, Result};

/// The classifiers that can be trained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelKind {
    /// Logistic regression with an L2 penalty.
    LogisticRegression,
    /// A linear support vector machine on standardised columns.
    LinearSvm,
    /// A random forest whose trees vote with their leaves' shares.
    RandomForest,
    /// Trees that are added one after the other, each where the sum so far is wrong.
    GradientBoosting,
}

impl ModelKind {
    /// Every kind, in the order in which they are listed for people.
    pub const ALL: [Self; 4] =
        [Self::LogisticRegression, Self::LinearSvm, Self::RandomForest, Self::GradientBoosting];

    /// What the score says about the probability of approval.
    pub fn link(self) -> Link {
        match self {
            Self::LogisticRegression | Self::GradientBoosting => Link::LogOdds,
            // A forest's score is its mean share of favourable votes minus one half.
            Self::RandomForest => Link::Share,
            Self::LinearSvm => Link::None,
        }
    }

    /// Whether it is an ensemble of trees; the other kinds are linear.
    pub const fn is_of_trees(self) -> bool {
        matches!(self, Self::RandomForest | Self::GradientBoosting)
    }

    /// The name on the command line: `lr`, `svm`, `rf` or `gb`.
    pub fn short_name(self) -> &'static str {
        match self {
            Self::LogisticRegression => "lr",
            Self::LinearSvm => "svm",
            Self::RandomForest => "rf",
            Self::GradientBoosting => "gb",
        }
    }
}

impl fmt::Display for ModelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::LogisticRegression => "logistic regression",
            Self::LinearSvm => "linear SVM",
            Self::RandomForest => "random forest",
            Self::GradientBoosting => "gradient boosting",
        })
    }
}

impl FromStr for ModelKind {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|kind| kind.short_name() == name).ok_or_else(|| {
            let names = Self::ALL.map(|kind| format!("{} ({kind})", kind.short_name()));
            InputError::new("is not a kind of model")
                .value(name)
                .remedy(format!("use one of: {}", names.join(", ")))
                .into()
        })
    }
}

/// How a support vector machine counts a row on the wrong side of its margin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SvmLoss {
    /// The squared shortfall, scikit-learn's default for a linear SVM.
    #[default]
    SquaredHinge,
    /// The shortfall itself.
    Hinge,
}

named!(SvmLoss, "loss", { SquaredHinge => "squared-hinge", Hinge => "hinge" });

/// Settings of training. The defaults are those of the experiments that the papers report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainSettings {
    /// The seed of everything random; the same seed gives the same model.
    pub seed: u64,
    /// The weight of the rows' losses against the penalty on the weights (linear models).
    pub c: f64,
    /// The loss of the support vector machine.
    pub svm_loss: SvmLoss,
    /// The number of trees (forest, boosting).
    pub trees: usize,
    /// The most splits between the root and a leaf of a tree; `None` for the default, 6 in a forest and 3
    /// in boosting.
    pub depth: Option<usize>,
    /// What share of its step a boosted tree takes.
    #[serde(default = "usual_learning_rate")]
    pub learning_rate: f64,
}

/// Also for model files that were written before there was boosting.
const fn usual_learning_rate() -> f64 {
    0.1
}

impl Default for TrainSettings {
    fn default() -> Self {
        Self {
            seed: 0,
            c: 1.0,
            svm_loss: SvmLoss::default(),
            trees: 100,
            depth: None,
            learning_rate: usual_learning_rate(),
        }
    }
}

impl TrainSettings {
    /// The depth of the trees of a kind.
    pub(crate) fn depth_of(&self, kind: ModelKind) -> usize {
        let usual = if kind == ModelKind::GradientBoosting { 3 } else { 6 };
        self.depth.unwrap_or(usual)
    }

    /// Checks that every setting can be used.
    pub fn check(&self) -> Result<()> {
        let wrong = |name: &str, value: &dyn fmt::Display, problem: &str, remedy: &str| {
            Err(InputError::new(problem)
                .at(format!("setting `{name}`"))
                .value(value)
                .remedy(remedy)
                .into())
        };
        if !(self.c > 0.0 && self.c.is_finite()) {
            return wrong(
                "c",
                &format_args!("{:?}", self.c),
                "is not a positive number",
                "give C > 0; 1 is usual",
            );
        }
        if self.trees == 0 {
            return wrong("trees", &0, "must be at least 1", "100 is the default");
        }
        if self.depth == Some(0) {
            return wrong(
                "depth",
                &0,
                "must be at least 1",
                "6 is usual in a forest, 3 in boosting",
            );
        }
        if !(self.learning_rate > 0.0 && self.learning_rate <= 1.0) {
            return wrong(
                "learning-rate",
                &format_args!("{:?}", self.learning_rate),
                "must be above 0 and at most 1",
                "0.1 is usual",
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_found_by_their_short_names() {
        for kind in ModelKind::ALL {
            assert_eq!(kind.short_name().parse::<ModelKind>().unwrap(), kind);
        }
        let error = "xgb".parse::<ModelKind>().unwrap_err().to_string();
        assert!(error.starts_with("`xgb` is not a kind of model; use one of: lr"), "{error}");
    }

    #[test]
    fn settings_that_make_no_model_are_refused_by_name() {
        let refused = |settings: TrainSettings| settings.check().unwrap_err().to_string();
        let fine = TrainSettings::default();
        assert!(fine.check().is_ok());
        for c in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(refused(TrainSettings { c, ..fine.clone() }).contains("setting `c`"));
        }
        assert!(refused(TrainSettings { trees: 0, ..fine.clone() }).contains("setting `trees`"));
        assert!(refused(TrainSettings { depth: Some(0), ..fine.clone() }).contains("`depth`"));
        for learning_rate in [0.0, -0.1, 1.5, f64::NAN, f64::INFINITY] {
            let error = refused(TrainSettings { learning_rate, ..fine.clone() });
            assert!(error.contains("setting `learning-rate`"), "{error}");
        }
    }

    #[test]
    fn settings_from_before_boosting_are_read() {
        let old = r#"{"seed":3,"c":1.0,"svm_loss":"hinge","trees":9,"depth":6}"#;
        let settings: TrainSettings = serde_json::from_str(old).unwrap();
        assert_eq!((settings.depth, settings.learning_rate), (Some(6), 0.1));
    }
}
