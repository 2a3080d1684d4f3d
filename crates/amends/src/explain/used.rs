//! The settings that a result really depends on.

use std::fmt;

use serde::Serialize;

use super::{
    DensityOver, DistanceKind, ExplainSettings, Explainer, FitFacts, Goal, OutlierKind, Preset,
};
use crate::plausibility::{FactorKind, Metric};

/// The settings that a result really depends on; a setting that has no effect is null.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UsedSettings {
    /// The preset that the settings started from.
    pub preset: Preset,
    /// How the effort is measured.
    pub distance: DistanceKind,
    /// Which square root of the inverse covariance: of the 1-norm only.
    pub factor: Option<FactorKind>,
    /// How the outlier term is measured.
    pub outlier: OutlierKind,
    /// Neighbours of the outlier term.
    pub k: Option<usize>,
    /// Whether accepted rows that are equal count once.
    pub distinct: bool,
    /// The prototypes that there are: of the surrogate only.
    pub prototypes: Option<usize>,
    /// Where the surrogate's densities come from.
    pub density_over: Option<DensityOver>,
    /// How far apart two rows are in the outlier term.
    pub metric: Option<Metric>,
    /// Whether columns are divided by their standard deviation before they are measured.
    pub standardise: bool,
    /// The weight of the outlier term.
    pub lambda: Option<f64>,
    /// What each change costs by itself.
    pub change_cost: f64,
    /// At most this many features change.
    pub max_changes: usize,
    /// About this many values of every number are offered beside its own; `None` offers every value.
    pub option_limit: Option<usize>,
    /// What a plan has to reach.
    pub goal: Goal,
}

impl UsedSettings {
    fn of(settings: &ExplainSettings, facts: &FitFacts) -> Self {
        let term = settings.outlier != OutlierKind::None;
        let surrogate = settings.outlier == OutlierKind::Surrogate;
        let one_norm = settings.distance == DistanceKind::L1Mahalanobis;
        Self {
            preset: settings.preset,
            distance: settings.distance,
            factor: one_norm.then_some(settings.factor),
            outlier: settings.outlier,
            k: term.then_some(settings.k),
            distinct: settings.distinct,
            prototypes: surrogate.then_some(facts.points),
            density_over: surrogate.then_some(settings.density_over),
            metric: term.then_some(settings.metric),
            standardise: settings.standardise,
            lambda: term.then_some(settings.lambda),
            change_cost: settings.change_cost,
            max_changes: settings.max_changes,
            option_limit: settings.option_limit,
            goal: settings.goal,
        }
    }
}

/// In short, for the small print of a letter or a page.
impl fmt::Display for UsedSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "preset {}, {} distance", self.preset.name(), self.distance.name())?;
        if let Some(factor) = self.factor {
            write!(f, " ({} factor)", factor.name())?;
        }
        if let (Some(lambda), Some(k)) = (self.lambda, self.k) {
            write!(f, " + {lambda} x {} (k = {k}", self.outlier.name())?;
            if let Some(prototypes) = self.prototypes {
                write!(f, ", {prototypes} prototypes")?;
            }
            write!(f, ")")?;
        }
        if self.change_cost > 0.0 {
            write!(f, " + {} per change", self.change_cost)?;
        }
        let changes = if self.max_changes == 1 { "change" } else { "changes" };
        write!(f, ", at most {} {changes}", self.max_changes)?;
        match self.option_limit {
            None => write!(f, ", every value"),
            Some(values) => write!(f, ", {values} values per number"),
        }
    }
}

impl Explainer {
    /// The settings that results really depend on.
    pub fn used_settings(&self) -> UsedSettings {
        UsedSettings::of(self.settings(), self.facts())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(preset: Preset, change: impl FnOnce(&mut ExplainSettings)) -> UsedSettings {
        let mut settings = ExplainSettings::preset(preset, "loans");
        change(&mut settings);
        let (rows, points) = (40, 17);
        let (reference, sampled_from) = (25, None);
        let facts = FitFacts {
            rows,
            accepted: 25,
            reference,
            sampled_from,
            rejected: 15,
            ridge: 0.0,
            relative_ridge: 0.0,
            points,
        };
        UsedSettings::of(&settings, &facts)
    }

    #[test]
    fn prototypes_are_those_that_there_are() {
        let standard = used(Preset::Standard, |_| {});
        assert_eq!(
            (standard.prototypes, standard.density_over, standard.factor),
            (None, None, None)
        );
        assert_eq!((standard.k, standard.lambda), (Some(10), Some(1.0)));
        let text = "preset standard, mahalanobis distance + 1 x lof (k = 10) + 0.1 per change, at most 4 changes, every value";
        assert_eq!(standard.to_string(), text);
        let paper = used(Preset::Paper, |_| {});
        assert_eq!((paper.prototypes, paper.factor), (Some(17), Some(FactorKind::Cholesky)));
        let all = used(Preset::Dace, |settings| settings.prototypes = None);
        assert_eq!((all.prototypes, all.density_over), (Some(17), Some(DensityOver::Reference)));
    }

    #[test]
    fn without_an_outlier_term_nothing_of_it_is_used() {
        let used = used(Preset::Standard, |settings| settings.outlier = OutlierKind::None);
        assert_eq!((used.k, used.metric, used.lambda), (None, None, None));
        let text = "preset standard, mahalanobis distance + 0.1 per change, at most 4 changes, every value";
        assert_eq!(used.to_string(), text);
    }
}
