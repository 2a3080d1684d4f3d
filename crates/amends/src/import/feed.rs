//! The preprocessing before a model: which feature each of its input columns is made of, and how.
//!
//! If a library kept the names of columns, these say which ([`super::names`]). A pipeline defines it: a scaler is a few steps of
//! arithmetic on one number, an encoder has a number per level.

use serde::{Deserialize, Serialize};

use super::columns::{Input, Seen, numbers_of_codes, whole};
use super::{ImportSettings, RawColumn, Unseen};
use crate::data::{Feature, Schema};
use crate::{InputError, Result};

/// How an input column of a model is made of one feature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Feed {
    /// The feature as a table has it.
    Whole {
        /// Its name.
        feature: String,
    },
    /// A number, after some arithmetic.
    Number {
        /// The feature's name.
        feature: String,
        /// The arithmetic, in its order.
        steps: Vec<Step>,
        /// The value of every number where it is the same for all, as in a column that marks missing numbers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        constant: Option<f64>,
        /// What the model sees for each code of the schema; `None` is a missing value. Left out, codes go
        /// through the steps as the table writes them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        codes: Option<Vec<Option<f64>>>,
    },
    /// A step function of a number: bins, or what a model that compares a function of the number with thresholds tells apart.
    Bins {
        /// The feature's name.
        feature: String,
        /// The last number of each bin but the last, in ascending order.
        ends: Vec<f64>,
        /// What numbers in each bin become; one more than there are ends.
        values: Vec<Option<f64>>,
        /// What the model sees for each code of the schema. Left out, codes are binned as the table writes them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        codes: Option<Vec<Option<f64>>>,
    },
    /// A number for each level.
    Levels {
        /// The feature's name.
        feature: String,
        /// One number per level of the schema, then one per code; `None` is a missing value.
        numbers: Vec<Option<f64>>,
    },
}

impl Feed {
    /// A number after some arithmetic, its codes as the table writes them.
    pub fn number(feature: impl Into<String>, steps: Vec<Step>) -> Self {
        Self::Number { feature: feature.into(), steps, constant: None, codes: None }
    }
}

/// One step of arithmetic in 64 bits. None of them reverses the order of two numbers, so that a comparison after them is a
/// comparison before them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Adds this.
    Add(f64),
    /// Subtracts this.
    Subtract(f64),
    /// Multiplies by this, which is above 0.
    Multiply(f64),
    /// Divides by this, which is above 0.
    Divide(f64),
    /// Cuts off below the first and above the second.
    Clip(f64, f64),
}

impl Step {
    pub(super) fn apply(self, number: f64) -> f64 {
        match self {
            Self::Add(by) => number + by,
            Self::Subtract(by) => number - by,
            Self::Multiply(by) => number * by,
            Self::Divide(by) => number / by,
            // A comparison each, so that bounds in the wrong order can't panic.
            Self::Clip(low, high) => number.max(low).min(high),
        }
    }

    fn check(self) -> Result<(), InputError> {
        let (finite, rising, value) = match self {
            Self::Add(by) | Self::Subtract(by) => (by.is_finite(), true, by),
            Self::Multiply(by) | Self::Divide(by) => (by.is_finite(), by > 0.0, by),
            Self::Clip(low, high) => (low.is_finite() && high.is_finite(), low < high, low),
        };
        if finite && rising {
            return Ok(());
        }
        Err(InputError::new("is not a step that keeps the order of numbers")
            .value(value)
            .remedy("scale by finite factors above 0, and fit the scaler again"))
    }
}

/// All steps, one after the other.
pub(super) fn apply(steps: &[Step], number: f64) -> f64 {
    steps.iter().fold(number, |number, step| step.apply(number))
}

impl Feed {
    /// What the column holds, for every value of its feature.
    pub(super) fn input(
        &self,
        column: &RawColumn,
        schema: &Schema,
        settings: &ImportSettings,
        unseen: Unseen,
    ) -> Result<Input, InputError> {
        let name = match self {
            Self::Whole { feature }
            | Self::Number { feature, .. }
            | Self::Bins { feature, .. }
            | Self::Levels { feature, .. } => feature,
        };
        let index = schema.feature_index(name).ok_or_else(|| {
            InputError::new(format!("is not a feature of schema `{}`", schema.name))
                .value(name)
                .remedy("declare every column that the model was fitted on")
        })?;
        let feature = &schema.features[index];
        let seen = match self {
            Self::Whole { .. } => return whole(index, column, schema, settings.codes, unseen),
            Self::Number { steps, constant, codes, .. } => {
                check_numeric(feature)?;
                steps.iter().try_for_each(|step| step.check())?;
                let codes = if let Some(codes) = codes {
                    check_count(feature, codes.len(), feature.codes.len(), "codes")?;
                    codes.clone()
                } else {
                    let codes = numbers_of_codes(feature, settings.codes)?.into_iter();
                    codes.map(|code| code.map(|number| apply(steps, number))).collect()
                };
                Seen::Number { constant: *constant, steps: steps.clone(), codes }
            }
            Self::Bins { ends, values, codes, .. } => {
                seen_bins(feature, ends, values, codes.as_deref(), settings)?
            }
            Self::Levels { numbers, .. } => {
                let known = feature.levels().len() + feature.codes.len();
                check_count(feature, numbers.len(), known, "levels and codes")?;
                if feature.is_numeric() {
                    return Err(InputError::new(
                        "has levels in the model, but is a number in the schema",
                    )
                    .value(name)
                    .remedy("declare it as categorical or ordinal"));
                }
                Seen::Levels(numbers.clone())
            }
        };
        Ok(Input { feature: index, seen })
    }
}

/// What a column of bins holds.
fn seen_bins(
    feature: &Feature,
    ends: &[f64],
    values: &[Option<f64>],
    codes: Option<&[Option<f64>]>,
    settings: &ImportSettings,
) -> Result<Seen, InputError> {
    check_numeric(feature)?;
    check_bins(feature, ends, values)?;
    let codes = if let Some(codes) = codes {
        check_count(feature, codes.len(), feature.codes.len(), "codes")?;
        codes.to_vec()
    } else {
        let codes = numbers_of_codes(feature, settings.codes)?.into_iter();
        codes.map(|code| code.and_then(|number| binned(ends, values, number))).collect()
    };
    Ok(Seen::Bins { ends: ends.to_vec(), values: values.to_vec(), codes })
}

/// What a number becomes.
pub(super) fn binned(ends: &[f64], values: &[Option<f64>], number: f64) -> Option<f64> {
    values[ends.partition_point(|&end| end < number)]
}

fn check_numeric(feature: &Feature) -> Result<(), InputError> {
    if feature.is_numeric() {
        return Ok(());
    }
    Err(InputError::new("is a number in the model, but has levels in the schema")
        .value(&feature.name)
        .remedy("declare it as integer or continuous"))
}

fn check_bins(feature: &Feature, ends: &[f64], values: &[Option<f64>]) -> Result<(), InputError> {
    let rising = ends.windows(2).all(|pair| pair[0] < pair[1]);
    let finite = ends.iter().chain(values.iter().flatten()).all(|number| number.is_finite());
    if rising && finite && values.len() == ends.len() + 1 {
        return Ok(());
    }
    Err(InputError::new("has bins that are not finite numbers in ascending order")
        .value(&feature.name)
        .remedy("fit its bins again"))
}

fn check_count(
    feature: &Feature,
    fed: usize,
    known: usize,
    values: &str,
) -> Result<(), InputError> {
    if fed == known {
        return Ok(());
    }
    Err(InputError::new(format!("has {fed} {values} in the model and {known} in the schema"))
        .value(&feature.name)
        .remedy("declare the levels that the encoder was fitted on"))
}
