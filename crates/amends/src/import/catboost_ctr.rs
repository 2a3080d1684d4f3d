//! CatBoost's statistics of categories: the counts of a table, made into a number of 32 bits that splits compare.

use std::collections::BTreeMap;

use super::catboost_file::{Cell, Ctr, Element, File, Table};
use super::raw::SAVE_AGAIN;
use super::{Part, RawCombination, Side};
use crate::InputError;

/// The hash that marks an empty row of a table.
const EMPTY: u64 = u64::MAX;

/// All statistics of a file.
pub(super) struct Statistics<'a> {
    /// The first index of their splits.
    first: usize,
    ctrs: &'a [Ctr],
    tables: Option<&'a BTreeMap<String, Table>>,
}

/// One statistic, with its table.
pub(super) struct Statistic<'a> {
    ctr: &'a Ctr,
    table: &'a Table,
}

impl<'a> Statistics<'a> {
    pub(super) fn new(file: &'a File) -> Self {
        let features = &file.features_info;
        let floats = features.float_features.iter().flatten();
        let borders: usize = floats.map(|one| one.borders.as_ref().map_or(0, Vec::len)).sum();
        let categories = features.categorical_features.iter().flatten();
        let values: usize = categories.map(|one| one.values.as_ref().map_or(0, Vec::len)).sum();
        Self {
            // Splits are counted: borders of numbers first, then categories, then statistics.
            first: borders + values,
            ctrs: features.ctrs.as_deref().unwrap_or_default(),
            tables: file.ctr_data.as_ref(),
        }
    }

    /// The statistic that a split compares with a border.
    pub(super) fn find(&self, split: usize, border: f32) -> Result<Statistic<'a>, InputError> {
        let wrong = |problem: &str| {
            InputError::new(problem).at("split_index").value(split).remedy(SAVE_AGAIN)
        };
        let mut left =
            split.checked_sub(self.first).ok_or_else(|| wrong("is not that of a ctr"))?;
        for ctr in self.ctrs {
            let borders = ctr.borders.as_deref().unwrap_or_default();
            if left >= borders.len() {
                left -= borders.len();
                continue;
            }
            if borders[left] != border {
                return Err(wrong("stands for another border than the split's"));
            }
            let table = self.tables.and_then(|tables| tables.get(&ctr.identifier));
            let table = table.ok_or_else(|| {
                InputError::new("has no table in ctr_data")
                    .value(&ctr.identifier)
                    .remedy(SAVE_AGAIN)
            })?;
            return Ok(Statistic { ctr, table });
        }
        Err(wrong("is not in features_info.ctrs"))
    }
}

impl Statistic<'_> {
    /// A split by it: which combinations are above the border. The nodes that it leads to are still to be set.
    pub(super) fn combination(
        &self,
        border: f32,
        float: &dyn Fn(usize, f32) -> Result<Part, InputError>,
        category: &dyn Fn(usize) -> Result<usize, InputError>,
    ) -> Result<RawCombination, InputError> {
        let parts = self.ctr.elements.iter().map(|element| match *element {
            Element::CatFeatureValue { cat_feature_index } => {
                Ok(Part::Category(category(cat_feature_index)?))
            }
            Element::FloatFeature { float_feature_index, border } => {
                float(float_feature_index, border)
            }
            Element::CatFeatureExactValue { cat_feature_index, value } => Ok(Part::Is {
                column: category(cat_feature_index)?,
                category: value.cast_unsigned(),
            }),
        });
        let parts = parts.collect::<Result<_, InputError>>()?;
        let (mut to_left, mut to_right) = (Vec::new(), Vec::new());
        let above = |value: f32| value > border;
        for (hash, counts) in self.rows()? {
            let side = if above(self.value(&counts)?) { &mut to_right } else { &mut to_left };
            side.push(hash);
        }
        to_left.sort_unstable();
        to_right.sort_unstable();
        let unseen = Side::left_if(!above(self.value_of_none()));
        // One side says it all where the others are like those that were never seen.
        match unseen {
            Side::Left => to_left.clear(),
            Side::Right => to_right.clear(),
        }
        Ok(RawCombination { parts, to_left, to_right, unseen, left: 0, right: 0 })
    }

    /// The rows of the table.
    fn rows(&self) -> Result<Vec<(u64, Vec<f64>)>, InputError> {
        let wrong = || {
            InputError::new("is not a list of hashes, each with its counts")
                .at(format!("ctr_data, {}, hash_map", self.ctr.identifier))
                .remedy(SAVE_AGAIN)
        };
        if self.table.hash_stride < 2 {
            return Err(wrong());
        }
        let rows = self.table.hash_map.chunks(self.table.hash_stride).map(|row| {
            let [Cell::Hash(hash), counts @ ..] = row else { return Err(wrong()) };
            let counts = counts.iter().map(|cell| match cell {
                Cell::Number(number) => Ok(*number),
                Cell::Hash(_) => Err(wrong()),
            });
            let counts = counts.collect::<Result<Vec<f64>, _>>()?;
            if counts.len() + 1 != self.table.hash_stride {
                return Err(wrong());
            }
            Ok((hash.parse().map_err(|_| wrong())?, counts))
        });
        let rows = rows.filter(|row| !matches!(row, Ok((EMPTY, _))));
        rows.collect()
    }

    /// The statistic of a combination with these counts, in 32 bits as CatBoost computes it.
    fn value(&self, counts: &[f64]) -> Result<f32, InputError> {
        let wrong = |problem: String| {
            Err(InputError::new(problem)
                .at(format!("ctrs, {}", self.ctr.identifier))
                .value(&self.ctr.ctr_type)
                .remedy("fit with simple_ctr=\"Borders\" and combinations_ctr=\"Borders\", or one_hot_max_size=255"))
        };
        let border = self.ctr.target_border_idx;
        Ok(match (self.ctr.ctr_type.as_str(), counts) {
            ("BinarizedTargetMeanValue" | "FloatTargetMeanValue", &[sum, count]) => {
                self.calc(sum as f32, count as f32)
            }
            ("Counter" | "FeatureFreq", &[count]) => {
                self.calc(count as f32, self.table.counter_denominator as f32)
            }
            ("Buckets", counts) if border < counts.len() => {
                self.calc(counts[border] as f32, counts.iter().sum::<f64>() as f32)
            }
            ("Borders", &[bad, good]) => self.calc(good as f32, (bad + good) as f32),
            ("Borders", counts) if border + 1 < counts.len() => {
                let good: f64 = counts[border + 1..].iter().sum();
                self.calc(good as f32, counts.iter().sum::<f64>() as f32)
            }
            (_, counts) => {
                return wrong(format!("is not a kind of statistic with {} counts", counts.len()));
            }
        })
    }

    /// The statistic of a combination that was never seen.
    fn value_of_none(&self) -> f32 {
        match self.ctr.ctr_type.as_str() {
            "Counter" | "FeatureFreq" => self.calc(0.0, self.table.counter_denominator as f32),
            _ => self.calc(0.0, 0.0),
        }
    }

    fn calc(&self, count: f32, total: f32) -> f32 {
        let share = (count + self.ctr.prior_numerator) / (total + self.ctr.prior_denomerator);
        (share + self.ctr.shift) * self.ctr.scale
    }
}
