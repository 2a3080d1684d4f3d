//! Who a rejected applicant is compared with.

use serde::Serialize;

use super::ReasonBasis;
use crate::data::{Encoder, Feature, Record, Schema, Value};
use crate::model::{Classifier, is_accepting};
use crate::names::named;
use crate::{InputError, Result, Setting};

/// Who a rejected applicant is compared with, out of the training rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReasonGroup {
    /// Applicants at or slightly above the cut: the tenth of the accepted rows with the lowest scores, but at least 50 rows (or
    /// all accepted ones) and at most 1,000.
    #[default]
    NearCut,
    /// All rows.
    All,
    /// All rows that the model accepts.
    Accepted,
}

named!(ReasonGroup, "reason group", { NearCut => "near-cut", All => "all", Accepted => "accepted" });

/// The group near the cut is this part of the accepted rows.
const NEAR_PART: usize = 10;
/// It has at least so many rows where there are as many.
const LEAST_NEAR: usize = 50;
/// Of so many rows at most the contributions of trees and networks are computed: the time is proportional to them.
const MOST_ROWS: usize = 1000;

/// A group with everything that reasons need of it.
#[derive(Debug, Clone)]
pub(crate) struct ReferenceGroup {
    pub kind: ReasonGroup,
    /// How many rows belong to it.
    pub members: usize,
    /// Those that reasons are computed from, encoded.
    pub rows: Vec<Vec<f64>>,
    /// What is typical of those, per feature.
    pub typical: Vec<Value>,
    /// Their mean score, added up in 64 bits.
    pub mean_score: f64,
}

impl ReferenceGroup {
    /// The group among training records, for a model that accepts from the score `cut` on.
    pub(crate) fn fit(
        kind: ReasonGroup,
        (classifier, cut): (&Classifier, f64),
        encoder: &Encoder,
        schema: &Schema,
        records: &[Record],
    ) -> Result<Self> {
        let score = |record: &Record| classifier.score(&encoder.encode(record));
        let scored = records.iter().map(score).enumerate().filter(|&(_, score)| match kind {
            ReasonGroup::All => true,
            ReasonGroup::NearCut | ReasonGroup::Accepted => is_accepting(score, cut),
        });
        let mut scored: Vec<(usize, f64)> = scored.collect();
        if scored.is_empty() {
            return Err(InputError::new(format!(
                "has no members: the model accepts none of the {} training rows",
                records.len()
            ))
            .setting(Setting::ReasonGroup)
            .value(kind.name())
            .remedy("use all, or other training rows")
            .into());
        }
        // Ties go to the first row.
        scored.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        if kind == ReasonGroup::NearCut {
            let tenth = scored.len().div_ceil(NEAR_PART);
            scored.truncate(tenth.clamp(LEAST_NEAR, MOST_ROWS));
        }
        let members = scored.len();
        let most = match classifier {
            Classifier::Linear(_) => members,
            Classifier::Trees(_) | Classifier::Mlp(_) | Classifier::Combined(_) => {
                members.min(MOST_ROWS)
            }
        };
        let chosen: Vec<&Record> =
            evenly_spaced(members, most).map(|place| &records[scored[place].0]).collect();
        let typical = schema.features.iter().enumerate().map(|(index, feature)| {
            typical(feature, &chosen.iter().map(|record| record[index]).collect::<Vec<_>>())
        });
        let rows: Vec<Vec<f64>> = chosen.iter().map(|record| encoder.encode(record)).collect();
        let scores = rows.iter().map(|row| classifier.score_in_64_bits(row));
        let mean_score = scores.sum::<f64>() / rows.len() as f64;
        Ok(Self { kind, members, typical: typical.collect(), rows, mean_score })
    }

    /// What contributions refer to, of an applicant with this score.
    pub(super) fn basis(&self, score: f64, method: super::Attribution) -> ReasonBasis {
        ReasonBasis {
            group: self.kind,
            members: self.members,
            used: self.rows.len(),
            mean_score: self.mean_score,
            score,
            method,
        }
    }
}

/// So many places out of `of`, at even distances.
fn evenly_spaced(of: usize, count: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |index| (2 * index + 1) * of / (2 * count))
}

/// What is typical of values: their median where most of them are numbers (the lower of two, which somebody has), otherwise the
/// most frequent level or code, of equally frequent ones the first in the schema.
fn typical(feature: &Feature, values: &[Value]) -> Value {
    let mut numbers: Vec<f64> = Vec::new();
    let mut levels = vec![0_usize; feature.levels().len()];
    let mut codes = vec![0_usize; feature.codes.len()];
    for &value in values {
        match value {
            Value::Number(number) => numbers.push(number),
            Value::Level(level) => levels[level] += 1,
            Value::Code(code) => codes[code] += 1,
        }
    }
    numbers.sort_by(f64::total_cmp);
    let median = numbers.get(numbers.len().saturating_sub(1) / 2);
    let numbers = median.map(|&median| (Value::Number(median), numbers.len()));
    let levels = levels.into_iter().enumerate().map(|(level, count)| (Value::Level(level), count));
    let codes = codes.into_iter().enumerate().map(|(code, count)| (Value::Code(code), count));
    let counted = numbers.into_iter().chain(levels).chain(codes);
    let most = counted.reduce(|best, other| if other.1 > best.1 { other } else { best });
    most.map_or(Value::Level(0), |(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Code, Dataset, Kind};
    use crate::model::Linear;

    fn feature(kind: Kind) -> Feature {
        Feature { codes: vec![Code::new("-7", "never")], ..Feature::new("f", kind) }
    }

    #[test]
    fn numbers_have_a_median_and_levels_and_codes_are_counted() {
        let number = feature(Kind::Integer);
        let numbers = |list: &[f64]| list.iter().map(|&n| Value::Number(n)).collect::<Vec<_>>();
        assert_eq!(typical(&number, &numbers(&[9.0, 1.0, 4.0])), Value::Number(4.0));
        assert_eq!(typical(&number, &numbers(&[9.0, 1.0, 4.0, 5.0])), Value::Number(4.0));
        let mut mixed = numbers(&[9.0, 1.0]);
        mixed.extend([Value::Code(0); 2]);
        assert_eq!(typical(&number, &mixed), Value::Number(1.0));
        mixed.push(Value::Code(0));
        assert_eq!(typical(&number, &mixed), Value::Code(0));
        let level = feature(Kind::Ordinal { levels: vec!["a".into(), "b".into(), "c".into()] });
        let levels = [2, 1, 0, 1, 2].map(Value::Level);
        assert_eq!(typical(&level, &levels), Value::Level(1));
    }

    /// The score of German credit's rows is their duration, so that everything is known.
    #[test]
    fn groups_are_cut_by_score() {
        let german = Dataset::german();
        let encoder = Encoder::new(&german.schema);
        let mut weights = vec![0.0; encoder.width()];
        weights[0] = 1.0;
        let classifier = Classifier::Linear(Linear { weights, intercept: 0.0 });
        let fit = |kind, cut| {
            let group = ReferenceGroup::fit(
                kind,
                (&classifier, cut),
                &encoder,
                &german.schema,
                &german.records,
            );
            group.map(|group| (group.members, group.rows.iter().map(|row| row[0]).collect()))
        };
        let mut durations: Vec<f64> =
            german.records.iter().map(|record| encoder.encode(record)[0]).collect();
        durations.sort_by(f64::total_cmp);
        let above = |cut: f64| durations.iter().copied().filter(|&d| d >= cut).collect::<Vec<_>>();
        let whole = |list: Vec<f64>| (list.len(), list);
        assert_eq!(fit(ReasonGroup::All, 12.0).unwrap(), whole(durations.clone()));
        assert_eq!(fit(ReasonGroup::Accepted, 12.0).unwrap(), whole(above(12.0)));
        let near = above(12.0)[..above(12.0).len().div_ceil(10)].to_vec();
        assert!(near.len() > 50, "{}", near.len());
        assert_eq!(fit(ReasonGroup::NearCut, 12.0).unwrap(), whole(near));
        assert_eq!(fit(ReasonGroup::NearCut, 24.0).unwrap(), whole(above(24.0)[..50].to_vec()));
        assert!(above(54.0).len() < 50);
        assert_eq!(fit(ReasonGroup::NearCut, 54.0).unwrap(), whole(above(54.0)));
        let refusal = fit(ReasonGroup::NearCut, 1e6).unwrap_err().to_string();
        assert!(refusal.contains("accepts none of the 1000 training rows; use all"), "{refusal}");
    }

    #[test]
    fn large_groups_are_thinned_evenly() {
        let places: Vec<usize> = evenly_spaced(10, 4).collect();
        assert_eq!(places, [1, 3, 6, 8]);
        assert!(evenly_spaced(7, 7).eq(0..7));
    }
}
