//! The text of a LightGBM model: a head of `key=value` lines, then one section per tree.

use std::collections::HashMap;
use std::str::FromStr;

use super::raw::SAVE_AGAIN;
use crate::{InputError, Result};

/// A model's text, cut into sections.
pub(super) struct Sections<'a> {
    pub(super) head: Section<'a>,
    pub(super) trees: Vec<Section<'a>>,
    /// The texts of category columns of a data frame, as JSON.
    pub(super) pandas_categorical: Option<&'a str>,
}

/// Lines `key=value`, or a key alone.
pub(super) struct Section<'a> {
    fields: HashMap<&'a str, &'a str>,
}

impl<'a> Sections<'a> {
    pub(super) fn cut(text: &'a str) -> Result<Self> {
        let mut sections: Vec<Section<'a>> = vec![Section { fields: HashMap::new() }];
        let mut lines = text.lines().map(str::trim_end);
        let mut ended = false;
        for line in lines.by_ref() {
            if line == "end of trees" {
                ended = true;
                break;
            }
            let (key, value) = line.split_once('=').unwrap_or((line, ""));
            if key == "Tree" {
                sections.push(Section { fields: HashMap::new() });
            } else if let Some(section) = sections.last_mut() {
                section.fields.insert(key, value);
            }
        }
        if !ended {
            return Err(InputError::new("is cut short: it has no line `end of trees`")
                .remedy("save it again with booster.save_model(\"model.txt\")")
                .into());
        }
        let pandas_categorical = lines.find_map(|line| line.strip_prefix("pandas_categorical:"));
        let trees = sections.split_off(1);
        let head = sections.remove(0);
        Ok(Self { head, trees, pandas_categorical })
    }
}

impl<'a> Section<'a> {
    /// Whether there is a line of this key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.fields.contains_key(key)
    }

    /// The text of a key.
    pub(super) fn text(&self, key: &str) -> Result<&'a str, InputError> {
        self.fields
            .get(key)
            .copied()
            .ok_or_else(|| InputError::new("is missing").at(key).remedy(SAVE_AGAIN))
    }

    /// The number of a key.
    pub(super) fn number<T: FromStr>(&self, key: &str) -> Result<T, InputError> {
        number(key, self.text(key)?)
    }

    /// The numbers of a key; there must be `count` of them.
    pub(super) fn numbers<T: FromStr>(
        &self,
        key: &str,
        count: usize,
    ) -> Result<Vec<T>, InputError> {
        let numbers: Vec<T> = self.all_numbers(key)?;
        if numbers.len() != count {
            return Err(InputError::new(format!("has {} entries, not {count}", numbers.len()))
                .at(key)
                .remedy(SAVE_AGAIN));
        }
        Ok(numbers)
    }

    /// The numbers of a key.
    pub(super) fn all_numbers<T: FromStr>(&self, key: &str) -> Result<Vec<T>, InputError> {
        self.text(key)?.split_ascii_whitespace().map(|text| number(key, text)).collect()
    }
}

fn number<T: FromStr>(key: &str, text: &str) -> Result<T, InputError> {
    text.trim().parse().map_err(|_| {
        InputError::new("is not the number that belongs here")
            .at(key)
            .value(text)
            .remedy(SAVE_AGAIN)
    })
}
