//! Instances that are put together from checked parts, and instances derived from others.
//!
//! Only the constructors for everyone check: a derived instance is sound by the way it is derived, which debug builds verify.

use std::sync::Arc;

use super::{
    Cost, Distance, FeatureOptions, Instance, InstanceParts, OptionList, OptionRule, OptionSet,
    Options,
};
use crate::Result;
use crate::model::Classifier;

impl Instance {
    /// Puts an instance without rules together and checks it.
    pub fn new(
        x: Vec<f64>,
        features: Vec<FeatureOptions>,
        max_changes: usize,
        classifier: impl Into<Arc<Classifier>>,
        cost: Cost,
    ) -> Result<Self> {
        let (classifier, rules) = (classifier.into(), Vec::new());
        Self::from_parts(InstanceParts { x, features, max_changes, rules, classifier, cost })
    }

    /// Puts an instance together and checks that its parts fit together and that every number can be used.
    pub fn from_parts(parts: InstanceParts) -> Result<Self> {
        let InstanceParts { x, features, max_changes, rules, classifier, cost } = parts;
        let instance = Self { x, features, max_changes, rules, classifier, cost };
        instance.check()?;
        Ok(instance)
    }

    /// The parts of an instance, to change some of them.
    pub fn into_parts(self) -> InstanceParts {
        let Self { x, features, max_changes, rules, classifier, cost } = self;
        InstanceParts { x, features, max_changes, rules, classifier, cost }
    }

    /// The same instance with some parts changed, checked.
    pub fn edited(self, edit: impl FnOnce(&mut InstanceParts)) -> Result<Self> {
        let mut parts = self.into_parts();
        edit(&mut parts);
        Self::from_parts(parts)
    }

    /// The same instance under more rules, checked.
    pub fn with_rules(mut self, rules: impl IntoIterator<Item = OptionRule>) -> Result<Self> {
        self.rules.extend(rules);
        self.check_rules()?;
        Ok(self)
    }

    /// The same problem with another cost, which is known to be sound.
    pub(crate) fn with_cost(&self, cost: Cost) -> Self {
        let derived = Self {
            x: self.x.clone(),
            features: self.features.clone(),
            max_changes: self.max_changes,
            rules: self.rules.clone(),
            classifier: Arc::clone(&self.classifier),
            cost,
        };
        derived.assert_checked();
        derived
    }

    /// Allows another number of changes, at least one.
    pub(crate) fn set_max_changes(&mut self, max_changes: usize) {
        debug_assert!(max_changes > 0);
        self.max_changes = max_changes;
    }

    /// Adds a rule that is known to be sound.
    pub(crate) fn add_rule(&mut self, rule: OptionRule) {
        self.rules.push(rule);
        debug_assert!(self.check_rules().is_ok());
    }

    /// In debug builds, that a derived instance would pass the check.
    fn assert_checked(&self) {
        debug_assert!(self.check().is_ok(), "{}", self.check().unwrap_err());
    }

    /// The same problem with only some of the options: per feature those to keep, the one that changes nothing among
    /// them. The second part maps each feature's new options to the old ones.
    pub(crate) fn with_options(&self, kept: &[OptionSet]) -> (Self, Vec<Kept>) {
        let mut part = self.clone();
        let mut origins = Vec::with_capacity(kept.len());
        for (feature, kept) in part.features.iter_mut().zip(kept) {
            let OptionList { ranges, listed, .. } = feature.options.only(kept);
            // A feature of one column is what engines handle best: columns that no longer move go.
            let moves = |&position: &usize| {
                let own = self.x[feature.columns[position]];
                ranges.iter().any(|range| range.moves(position) || range.value(0, position) != own)
                    || listed.iter().any(|row: &Vec<f64>| row[position] != own)
            };
            let mut moving: Vec<usize> = (0..feature.columns.len()).filter(moves).collect();
            if moving.is_empty() {
                moving.push(0);
            }
            let ranges = ranges.iter().map(|range| range.with_only(&moving)).collect();
            let row = |row: &Vec<f64>| moving.iter().map(|&place| row[place]).collect();
            feature.options = Options::new(ranges, listed.iter().map(row).collect());
            feature.columns = moving.iter().map(|&place| feature.columns[place]).collect();
            origins.push(Kept(kept.clone()));
        }
        if let Distance::Table { costs } = &mut part.cost.distance {
            for (costs, kept) in costs.iter_mut().zip(kept) {
                *costs = costs.only(kept);
            }
        }
        for rule in &mut part.rules {
            rule.keep_options(kept);
        }
        part.assert_checked();
        (part, origins)
    }
}

/// The options of a feature that were kept, in their order.
#[derive(Debug, Clone)]
pub(crate) struct Kept(OptionSet);

impl Kept {
    /// The old option that a new one was.
    pub(crate) fn original(&self, option: usize) -> usize {
        let mut before = 0;
        for &(first, last) in self.0.intervals() {
            let count = last - first + 1;
            if option < before + count {
                return first + option - before;
            }
            before += count;
        }
        unreachable!("every option was one before")
    }
}
