//! What values the training data has seen.

use serde::{Deserialize, Serialize};

use crate::data::{Schema, Value};
use crate::decimal::{decimals, without_noise};
use crate::{InputError, Result};

/// What the training data has seen of one numeric feature.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
    /// The most decimals that any value is written with, noise of binary arithmetic left out; 0 for whole numbers.
    pub decimals: u32,
}

/// What the training data has seen, feature by feature. Plans never leave it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ranges {
    /// `None` for features with levels, which the schema lists, and for those of which only codes were seen.
    features: Vec<Option<Range>>,
    /// Which codes were seen, per feature.
    #[serde(default)]
    codes: Vec<Vec<bool>>,
}

impl Ranges {
    /// Looks at training records.
    pub fn fit<'a, R>(schema: &Schema, records: impl IntoIterator<Item = &'a R>) -> Result<Self>
    where
        R: AsRef<[Value]> + ?Sized + 'a,
    {
        let mut features: Vec<Option<Range>> = vec![None; schema.features.len()];
        let mut codes: Vec<Vec<bool>> =
            schema.features.iter().map(|feature| vec![false; feature.codes.len()]).collect();
        let mut empty = true;
        for record in records {
            let record = record.as_ref();
            schema.check_record(record)?;
            empty = false;
            for ((range, codes), value) in features.iter_mut().zip(&mut codes).zip(record) {
                match *value {
                    Value::Number(number) => {
                        let seen =
                            range.get_or_insert(Range { min: number, max: number, decimals: 0 });
                        seen.min = seen.min.min(number);
                        seen.max = seen.max.max(number);
                        seen.decimals = seen.decimals.max(decimals(without_noise(number)));
                    }
                    Value::Code(code) => codes[code] = true,
                    Value::Level(_) => {}
                }
            }
        }
        if empty {
            return Err(InputError::new("there are no training records to take the ranges from")
                .remedy("give at least one")
                .into());
        }
        Ok(Self { features, codes })
    }

    /// How many features they were fitted for.
    pub fn len(&self) -> usize {
        self.features.len()
    }

    /// The numbers that were seen of a feature; `None` for one with levels.
    pub fn feature(&self, feature: usize) -> Option<Range> {
        self.features.get(feature).copied().flatten()
    }

    /// Whether a code of a feature was seen.
    pub fn has_code(&self, feature: usize, code: usize) -> bool {
        self.codes.get(feature).and_then(|codes| codes.get(code)).is_some_and(|&seen| seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Dataset;

    #[test]
    fn german_ranges_are_known() {
        let data = Dataset::german();
        let ranges = Ranges::fit(&data.schema, &data.records).unwrap();
        let amount = ranges.feature(data.schema.feature_index("credit_amount").unwrap()).unwrap();
        assert_eq!((amount.min, amount.max), (250.0, 18424.0));
        assert_eq!(amount.decimals, 0);
        assert_eq!(ranges.feature(data.schema.feature_index("housing").unwrap()), None);
        assert!(Ranges::fit(&data.schema, &data.records[..0]).is_err());
    }
}
