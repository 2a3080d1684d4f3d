//! What values the training data has seen.

use serde::{Deserialize, Serialize};

use super::decimal::decimals;
use crate::data::{Schema, Value};
use crate::{InputError, Result};

/// What the training data has seen of one numeric feature.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
    /// The most decimals that any value is written with; 0 for whole numbers.
    pub decimals: u32,
}

impl Range {
    /// Whether all values were whole numbers.
    pub fn is_whole(&self) -> bool {
        self.decimals == 0
    }
}

/// What the training data has seen, feature by feature. Plans never leave it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ranges {
    /// `None` for features with levels: the schema lists those.
    features: Vec<Option<Range>>,
}

impl Ranges {
    /// Looks at training records.
    pub fn fit<'a, R>(schema: &Schema, records: impl IntoIterator<Item = &'a R>) -> Result<Self>
    where
        R: AsRef<[Value]> + ?Sized + 'a,
    {
        let mut features: Vec<Option<Range>> = vec![None; schema.features.len()];
        let mut empty = true;
        for record in records {
            let record = record.as_ref();
            schema.check_record(record)?;
            empty = false;
            for (range, value) in features.iter_mut().zip(record) {
                if let Value::Number(number) = *value {
                    let seen = range.get_or_insert(Range { min: number, max: number, decimals: 0 });
                    seen.min = seen.min.min(number);
                    seen.max = seen.max.max(number);
                    seen.decimals = seen.decimals.max(decimals(number));
                }
            }
        }
        if empty {
            return Err(InputError::new("there are no training records to take the ranges from")
                .remedy("give at least one")
                .into());
        }
        Ok(Self { features })
    }

    /// How many features they were fitted for.
    pub fn len(&self) -> usize {
        self.features.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.features.is_empty()
    }

    /// What was seen of a feature; `None` for one with levels.
    pub fn feature(&self, feature: usize) -> Option<Range> {
        self.features.get(feature).copied().flatten()
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
        assert!(amount.is_whole());
        assert_eq!(ranges.feature(data.schema.feature_index("housing").unwrap()), None);
        assert!(Ranges::fit(&data.schema, &data.records[..0]).is_err());
    }
}
