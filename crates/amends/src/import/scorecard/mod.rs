//! Scorecards in files: points for every bin of every characteristic.
//!
//! A file becomes a [`Card`]: per field, conditions with points, of which the first that holds counts. Over a schema it becomes
//! tables of points, one per feature. A card only says how many points an applicant has; from how many points on applicants are
//! accepted is the user's to say.

mod bins;
mod condition;
mod csv;
mod pmml;
mod xml;

use super::feed::Feed;
use super::names::{Names, Subject};
use super::{ImportSettings, Library, Link, RawTables, Tie};
use crate::data::{Feature, Schema, stands_for_missing};
use crate::{InputError, Result, Setting};

use condition::{Condition, Given};

pub(super) use csv::{is_card, parse as parse_csv};
pub(super) use pmml::parse as parse_pmml;

/// A scorecard as its file has it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Card {
    pub(super) library: Library,
    /// The points that everybody has.
    pub(super) initial: f64,
    pub(super) characteristics: Vec<Characteristic>,
    /// What its user should know.
    pub(super) notes: Vec<String>,
}

/// The points of one field.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Characteristic {
    /// Its name in the file.
    pub(super) name: String,
    /// The column that it is about.
    pub(super) field: String,
    /// What counts where the value is missing, if the file says it.
    pub(super) replacement: Option<String>,
    /// Whether it has a bin of special values, of which the file does not say which they are.
    pub(super) special: bool,
    /// Conditions with their points: the first that holds counts.
    pub(super) attributes: Vec<(Condition, f64)>,
}

impl Card {
    /// The card as tables over a schema's features, whose sum is 0 at the cutoff.
    pub(super) fn tables(&self, schema: &Schema, settings: &ImportSettings) -> Result<RawTables> {
        let Some(cutoff) = settings.cutoff else {
            return Err(InputError::new(
                "is a scorecard, which says how many points an applicant has but not how many are enough",
            )
            .remedy("name the points from which applicants are accepted")
            .remedy_setting(Setting::Cutoff)
            .into());
        };
        let names = Names::new(schema);
        let feeds = self.characteristics.iter().map(|one| {
            let feature = match names.find(&one.field)? {
                Subject::Feature(feature) => &schema.features[feature],
                _ => {
                    return Err(InputError::new("is a level of a feature, not a feature")
                        .value(&one.field)
                        .remedy("name the columns of the table in the scorecard")
                        .into());
                }
            };
            one.feed(feature)
                .map_err(|error| error.inside(format!("characteristic `{}`", one.name)).into())
        });
        let feeds = feeds.collect::<Result<Vec<Feed>>>()?;
        let intercept = self.initial - cutoff;
        Ok(RawTables {
            library: self.library,
            weights: vec![1.0; feeds.len()],
            feeds,
            intercept,
            link: Link::None,
            tie: Tie::One,
        })
    }
}

impl Characteristic {
    /// The points of every value of a feature.
    fn feed(&self, feature: &Feature) -> Result<Feed, InputError> {
        let feature_name = feature.name.clone();
        let open = feature
            .codes
            .iter()
            .find(|code| !(code.text.is_empty() || stands_for_missing(&code.text)));
        if let Some(code) = open.filter(|_| self.special) {
            return Err(InputError::new(
                "is a code, and the file does not say whether it is one of the special values",
            )
            .value(&code.text)
            .remedy("save the explainer of the fitted scorecard in Python, which knows them"));
        }
        if !feature.is_numeric() {
            let levels = feature.levels().iter().map(|level| self.points_of_level(level));
            let codes = feature.codes.iter().map(|code| self.points_of_text(&code.text));
            let numbers = levels.chain(codes).map(|points| points.map(Some));
            let numbers = numbers.collect::<Result<_, _>>()?;
            return Ok(Feed::Levels { feature: feature_name, numbers });
        }
        let mut constants = Vec::new();
        self.attributes.iter().for_each(|(condition, _)| condition.constants(&mut constants));
        let mut ends: Vec<f64> = constants
            .into_iter()
            .flat_map(|at: f64| [at.next_down(), at])
            .filter(|end| end.is_finite())
            .collect();
        ends.sort_by(f64::total_cmp);
        ends.dedup();
        // The number behind the last end stands for all that follow.
        let last = ends.last().map_or(0.0, |end| end.next_up());
        let values = ends
            .iter()
            .copied()
            .chain([last])
            .map(|number| self.points(&Given::Number(number)).map(Some));
        let values = values.collect::<Result<Vec<_>, _>>()?;
        let codes = feature.codes.iter().map(|code| self.points_of_text(&code.text).map(Some));
        Ok(Feed::Bins {
            feature: feature_name,
            ends,
            values,
            codes: Some(codes.collect::<Result<_, _>>()?),
        })
    }

    /// The points of a level. Words such as "none" are levels where a bin has them, and missing values elsewhere.
    fn points_of_level(&self, level: &str) -> Result<f64, InputError> {
        let given = Given::Text(level);
        let has_bin =
            self.attributes.iter().any(|(condition, _)| condition.holds(&given) == Some(true));
        if has_bin { self.points(&given) } else { self.points_of_text(level) }
    }

    /// The points of a code as the table writes it.
    fn points_of_text(&self, text: &str) -> Result<f64, InputError> {
        let text = if text.is_empty() || stands_for_missing(text) {
            match &self.replacement {
                Some(instead) => instead.as_str(),
                None => return self.points(&Given::Missing),
            }
        } else {
            text
        };
        self.points(&Given::Text(text))
    }

    fn points(&self, given: &Given<'_>) -> Result<f64, InputError> {
        let first =
            self.attributes.iter().find(|(condition, _)| condition.holds(given) == Some(true));
        first.map(|(_, points)| *points).ok_or_else(|| {
            InputError::new("gets no points, since no bin of the scorecard has it")
                .value(given)
                .remedy("add a bin for it to the scorecard, or remove it from the schema")
        })
    }
}
