//! The explainer: everything that all applicants share, computed once.

use std::sync::Arc;

use serde::Serialize;

use super::case::{Bounds, Case};
use super::columns::{coded_columns, column_scale, with_efforts};
use super::costs::costs;
use super::reference::{Plausibility, Reference};
use super::{DistanceKind, Distribution, ExplainSettings, Explanation, Goal, Wishes};
use crate::action::{Lattice, Ranges};
use crate::data::{Change, Dataset, Encoder, Record, Schema};
use crate::engine::{Control, Engine, SolveSettings, Solving};
use crate::instance::{Distance, FeatureOptions, Instance, Outlier};
use crate::model::{Classifier, LARGEST_SCORE, Link, Model, is_accepting};
use crate::plausibility::{Covariance, LocalOutlierFactor, SeparableCost, factor};
use crate::reasons::ReferenceGroup;
use crate::{InputError, Result, memory};

/// Explains what a model's decision would have taken to change.
#[derive(Clone)]
pub struct Explainer {
    pub(super) schema: Schema,
    pub(super) encoder: Encoder,
    pub(super) classifier: Arc<Classifier>,
    link: Link,
    pub(super) settings: ExplainSettings,
    pub(super) ranges: Ranges,
    pub(super) cut_points: Option<Vec<Vec<f64>>>,
    pub(super) factor: Vec<Vec<f64>>,
    separable: Option<SeparableCost>,
    pub(super) outlier: Option<Outlier>,
    pub(super) reported_lof: LocalOutlierFactor,
    /// Who rejected applicants are compared with, where principal reasons are wanted.
    pub(super) reason_group: Option<Arc<ReferenceGroup>>,
    facts: FitFacts,
    /// By feature; shared by all goals.
    distributions: Arc<[Distribution]>,
}

/// What was fitted, for the reader of a result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FitFacts {
    /// Training rows.
    pub rows: usize,
    /// Accepted training rows.
    pub accepted: usize,
    /// The reference of plausibility: the accepted rows, copies left out where the settings ask for it; a sample of too many.
    pub reference: usize,
    /// How many rows the reference is a sample of; `None` where it is not a sample.
    pub sampled_from: Option<usize>,
    /// Rejected training rows: the covariance comes from them.
    pub rejected: usize,
    /// Added to the covariance's diagonal because it was singular; 0 where it was not.
    pub ridge: f64,
    /// The share of its own that each variance grew by instead, where the ridge is too little for large numbers.
    #[serde(skip_serializing_if = "is_zero")]
    pub relative_ridge: f64,
    /// Reference points in the outlier term.
    pub points: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// The numbers that a feature may take: from the least to the most, a step apart.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct NumberRange {
    /// The least; above the most where the schema's range and the training rows have no number in common.
    pub least: f64,
    /// The most.
    pub most: f64,
    /// How far apart neighbours are.
    pub step: f64,
    /// With how many decimals they are written.
    pub decimals: u32,
}

impl Explainer {
    /// Fits distances, densities and ranges on training rows.
    pub fn fit(training: &Dataset, model: &Model, settings: &ExplainSettings) -> Result<Self> {
        settings.check()?;
        let schema = training.schema.clone();
        model.check_schema(&schema.name, &schema.fingerprint())?;
        if schema.features.iter().all(|feature| feature.change == Change::Immutable) {
            return Err(InputError::new("declares every feature immutable, so nothing may change")
                .file(format!("schema `{}`", schema.name))
                .remedy("set `change` of at least one feature to free, increase or decrease")
                .into());
        }
        let encoder = Encoder::new(&schema);
        // The reference is in memory a second time in the outlier term; fitting it asks for the rest.
        let bytes = 2 * memory::of_rows(training.len(), encoder.width());
        memory::check_training(|| format!("fitting {} rows", training.len()), bytes)?;
        let rows: Vec<Vec<f64>> =
            training.records.iter().map(|record| encoder.encode(record)).collect();
        let scale = settings.standardise.then(|| column_scale(training, &encoder, &rows));
        let separable = settings.distance.separable().map(|kind| {
            let binary: Vec<bool> = encoder.columns().iter().map(|column| column.binary).collect();
            SeparableCost::fit(kind, &rows, &training.favourable, &binary)
        });
        // Moved, not copied: a large table should be in memory as rarely as possible.
        let (mut accepted, mut rejected) = (Vec::new(), Vec::new());
        for (row, &favourable) in rows.into_iter().zip(&training.favourable) {
            if favourable { &mut accepted } else { &mut rejected }.push(row);
        }
        let covariance = Covariance::fit_coded(&rejected, &coded_columns(&schema, &encoder))?;
        let mut facts = FitFacts {
            rows: training.len(),
            accepted: accepted.len(),
            reference: 0,
            sampled_from: None,
            rejected: rejected.len(),
            ridge: covariance.ridge,
            relative_ridge: covariance.relative_ridge,
            points: 0,
        };
        drop(rejected);
        let reference = Reference::new(settings, accepted, scale);
        (facts.reference, facts.sampled_from) = (reference.len(), reference.sampled_from());
        let Plausibility { outlier, reported: reported_lof } = reference.fit()?;
        facts.points = outlier.as_ref().map_or(0, |term| term.points.len());
        let cut_points = model.classifier.cut_points(encoder.width());
        let factor = factor(&covariance, settings.factor)?;
        Ok(Self {
            factor,
            separable: separable.transpose()?,
            ranges: Ranges::fit(&schema, &training.records)?,
            classifier: Arc::new(model.classifier.clone()),
            link: model.origin.link(),
            settings: settings.clone(),
            schema,
            encoder,
            cut_points,
            outlier,
            reported_lof,
            reason_group: None,
            facts,
            distributions: Distribution::of_all(training).into(),
        })
    }

    /// Lets plans go as far as other rows do, and takes the distributions of features from them: for an explainer that was fitted
    /// on a sample of them.
    pub fn with_ranges_of(mut self, rows: &Dataset) -> Result<Self> {
        self.ranges = Ranges::fit(&self.schema, &rows.records)?;
        self.distributions = Distribution::of_all(rows).into();
        Ok(self)
    }

    /// Asks for another goal: what is fitted does not depend on it, but for the group that principal reasons refer to, which has
    /// to be chosen again where others are accepted now.
    pub fn with_goal(mut self, goal: Goal) -> Result<Self> {
        goal.check()?;
        if goal.score != self.settings.goal.score {
            self.reason_group = None;
        }
        self.settings.goal = goal;
        Ok(self)
    }

    /// What was fitted.
    pub fn facts(&self) -> &FitFacts {
        &self.facts
    }

    /// How the values of each feature are distributed among accepted and rejected training rows, in the schema's order.
    pub fn distributions(&self) -> &[Distribution] {
        &self.distributions
    }

    /// The numbers that a feature may take, by the training rows and the schema's `range`; `None` for features with levels,
    /// and where no training row has a number. What depends on an applicant's own number is not part of it.
    pub fn numbers(&self, feature: usize) -> Option<NumberRange> {
        let (of, seen) = (self.schema.features.get(feature)?, self.ranges.feature(feature)?);
        let [low, high] = of.limits.range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        let lattice = Lattice::of(of, seen)?;
        Some(NumberRange {
            least: seen.min.max(low),
            most: seen.max.min(high),
            step: lattice.size(),
            decimals: lattice.decimals,
        })
    }

    /// The choices behind the cost.
    pub fn settings(&self) -> &ExplainSettings {
        &self.settings
    }

    /// What a score says about the probability of approval.
    pub fn link(&self) -> Link {
        self.link
    }

    /// The schema that applications are read by.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The classifier's score of an application; accepted from the goal's score on, 0 unless another is chosen.
    pub fn score(&self, applicant: &Record) -> f64 {
        self.classifier.score(&self.encoder.encode(applicant))
    }

    /// Whether an application is accepted.
    pub fn accepts(&self, applicant: &Record) -> bool {
        is_accepting(self.score(applicant), self.settings.goal.score)
    }

    /// Refuses an application whose score overflows, naming the numbers that weigh most in it: an infinite score would
    /// pass for an acceptance.
    fn check_score(&self, applicant: &Record) -> Result<()> {
        let x = self.encoder.encode(applicant);
        let sizes: Vec<f64> = x.iter().map(|value| value.abs()).collect();
        if self.classifier.largest_score(&sizes) <= LARGEST_SCORE {
            return Ok(());
        }
        let share = |column: usize| self.classifier.column_weight(column) * sizes[column];
        let mut columns: Vec<usize> = (0..x.len()).filter(|&column| share(column) > 0.0).collect();
        columns.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
        let most = columns.first().map_or(0.0, |&column| share(column));
        let mut named: Vec<String> = Vec::new();
        for column in columns.into_iter().take_while(|&c| share(c) >= most / 1000.0).take(3) {
            let index = self.encoder.columns()[column].feature;
            let feature = &self.schema.features[index];
            named.push(format!("`{}` = {}", feature.name, feature.describe(applicant[index])));
        }
        let numbers =
            if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) };
        Err(InputError::new(format!(
            "the model's score of this application overflows{numbers}, so that it decides nothing"
        ))
        .remedy("check these numbers, and the size of the model's weights")
        .into())
    }

    /// Refuses an application that can't be explained: its values don't fit the schema, or its score overflows.
    pub fn check(&self, applicant: &Record) -> Result<()> {
        self.schema.check_record(applicant)?;
        self.check_score(applicant)
    }

    /// An applicant's case under the schema's rules and their own.
    pub fn case<'a>(&'a self, applicant: &'a Record, wishes: &'a Wishes) -> Result<Case<'a>> {
        self.check(applicant)?;
        let schema = wishes.schema(&self.schema);
        let rules = schema.rules.iter().chain(&wishes.rules).collect();
        let max_changes = wishes.max_changes(self.settings.max_changes);
        let harmless = self.settings.goal.harmless;
        Case::new(self, applicant, Bounds { schema, rules, max_changes, harmless })
    }

    /// An applicant's whole problem as numbers.
    pub fn instance(&self, applicant: &Record) -> Result<Instance> {
        Ok(self.case(applicant, &Wishes::default())?.into_instance())
    }

    /// Explains one applicant.
    pub fn explain(
        &self,
        applicant: &Record,
        engine: &Engine,
        settings: &SolveSettings,
        control: &Control<'_>,
    ) -> Result<Explanation> {
        self.case(applicant, &Wishes::default())?.explain(&Solving { engine, settings, control })
    }

    /// What every option costs this applicant; efforts are those of the schema that binds them.
    pub(super) fn distance(
        &self,
        schema: &Schema,
        x: &[f64],
        features: &[FeatureOptions],
    ) -> Result<Distance> {
        if let Some(separable) = &self.separable {
            let columns = self.encoder.columns().iter();
            let efforts: Vec<f64> =
                columns.map(|column| schema.features[column.feature].effort).collect();
            let costs = features.iter().map(|feature| costs(separable, &efforts, x, feature));
            return Ok(Distance::Table { costs: costs.collect::<Result<_>>()? });
        }
        let factor = with_efforts(&self.factor, schema, &self.encoder);
        Ok(match self.settings.distance {
            DistanceKind::Mahalanobis => Distance::Mahalanobis { factor },
            DistanceKind::SquaredMahalanobis => Distance::SquaredMahalanobis { factor },
            _ => Distance::L1Mahalanobis { factor },
        })
    }
}
