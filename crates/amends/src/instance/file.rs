//! The instance file: JSON, or JSON lines with one instance per line.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::shape::INSTANCE;
use super::{Cost, FeatureOptions, INSTANCE_VERSION, Instance, OptionRule, Options, ValueRange};
use crate::error::Large;
use crate::model::Classifier;
use crate::{InputError, Result, memory};

/// An instance as the file holds it. An unknown key is refused: a mistyped `rules` that is not looked at would make
/// "optimal" a claim about another problem.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InstanceFile {
    version: u64,
    x: Vec<f64>,
    features: Vec<FeatureFile>,
    max_changes: usize,
    #[serde(default)]
    rules: Vec<OptionRule>,
    classifier: Classifier,
    cost: Cost,
}

/// A feature as the file holds it. Version 1 lists changes, version 2 values and ranges of values.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FeatureFile {
    name: String,
    columns: Vec<usize>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ranges: Vec<RangeFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    options: Vec<Vec<f64>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RangeFile {
    first: Vec<f64>,
    last: Vec<f64>,
    step: f64,
}

/// What is written: the fields by reference, because instances are large.
#[derive(Serialize)]
struct InstanceOut<'a> {
    version: u32,
    x: &'a [f64],
    features: Vec<FeatureFile>,
    max_changes: usize,
    #[serde(skip_serializing_if = "<[OptionRule]>::is_empty")]
    rules: &'a [OptionRule],
    classifier: &'a Classifier,
    cost: &'a Cost,
}

impl Serialize for Instance {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let file = InstanceOut {
            version: INSTANCE_VERSION,
            x: &self.x,
            features: self.features.iter().map(FeatureFile::from).collect(),
            max_changes: self.max_changes,
            rules: &self.rules,
            classifier: &self.classifier,
            cost: &self.cost,
        };
        file.serialize(serializer)
    }
}

/// An instance as read, whose check can name the file.
struct Unchecked(Instance);

impl<'de> Deserialize<'de> for Unchecked {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let file = InstanceFile::deserialize(deserializer)?;
        file.instance().map(Self).map_err(serde::de::Error::custom)
    }
}

impl<'de> Deserialize<'de> for Instance {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let Unchecked(instance) = Unchecked::deserialize(deserializer)?;
        instance.check().map_err(serde::de::Error::custom)?;
        Ok(instance)
    }
}

impl From<&FeatureOptions> for FeatureFile {
    fn from(feature: &FeatureOptions) -> Self {
        let range = |(_, range): (usize, &ValueRange)| RangeFile {
            first: range.row(0),
            last: range.row(range.len() - 1),
            step: range.step(),
        };
        Self {
            name: feature.name.clone(),
            columns: feature.columns.clone(),
            ranges: feature.options.ranges().map(range).collect(),
            options: feature.options.listed_values().map(|(_, row)| row.clone()).collect(),
        }
    }
}

impl InstanceFile {
    /// The instance, or what is wrong with the file. Numbers and lengths are checked later, with all the rest.
    fn instance(self) -> std::result::Result<Instance, String> {
        let Self { version, x, features, max_changes, rules, classifier, cost } = self;
        if !(1..=u64::from(INSTANCE_VERSION)).contains(&version) {
            return Err(format!(
                "version: is {version}, but this program reads versions 1 to {INSTANCE_VERSION}; write the \
                 instance in one of those, or use a newer amends"
            ));
        }
        let features = features.into_iter().enumerate().map(|(index, feature)| {
            let place = format!("features[{index}] `{}`", feature.name);
            feature.options(version, &x).map_err(|problem| format!("{place}{problem}"))
        });
        let features = features.collect::<std::result::Result<Vec<_>, String>>()?;
        let classifier = Arc::new(classifier);
        Ok(Instance { x, features, max_changes, rules, classifier, cost })
    }
}

impl FeatureFile {
    fn options(self, version: u64, x: &[f64]) -> std::result::Result<FeatureOptions, String> {
        let Self { name, columns, ranges, mut options } = self;
        let own: Option<Vec<f64>> = columns.iter().map(|&column| x.get(column).copied()).collect();
        // A column that does not exist is refused with all that is checked later.
        let own = own.unwrap_or_default();
        if version == 1 {
            if !ranges.is_empty() {
                return Err(
                    ": has `ranges`, which version 1 does not know; write version 2".to_owned()
                );
            }
            for row in &mut options {
                for (value, own) in row.iter_mut().zip(&own) {
                    *value += own;
                }
            }
            let options = Options::listed(options);
            return Ok(FeatureOptions { name, columns, options });
        }
        let ranges = ranges.iter().enumerate().map(|(index, range)| {
            ValueRange::new(&range.first, &range.last, range.step)
                .map_err(|problem| format!(", ranges[{index}]: {problem}"))
        });
        let ranges = ranges.collect::<std::result::Result<Vec<_>, String>>()?;
        let mut options = Options::new(ranges, options);
        // The applicant's own values are always an option.
        if own.len() == columns.len() {
            options.include(&own);
        }
        Ok(FeatureOptions { name, columns, options })
    }
}

/// Reads one instance, or several as JSON lines. `source` is named in messages.
pub fn read_instances(text: &str, source: &str) -> Result<Vec<Instance>> {
    if text.trim().is_empty() {
        return Err(InputError::new("is empty")
            .file(source)
            .remedy("give one instance as JSON, or one instance per line")
            .into());
    }
    check_memory(text, source)?;
    match serde_json::from_str(text) {
        Ok(Unchecked(instance)) => {
            instance.check().map_err(|error| error.in_file(source))?;
            Ok(vec![instance])
        }
        Err(error) if !is_json_lines(text) => Err(malformed(text, &error, source)),
        Err(_) => text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
            .map(|(index, line)| {
                let place = format!("{source}, line {}", index + 1);
                let Unchecked(instance) =
                    serde_json::from_str(line).map_err(|error| malformed(line, &error, &place))?;
                instance.check().map_err(|error| error.in_file(&place))?;
                Ok(instance)
            })
            .collect(),
    }
}

/// What an instance takes while it is read, times its text: measured up to 10, for trees.
const WHILE_READ: usize = 16;
/// What it takes from then on: measured up to 1.6.
const ONCE_READ: usize = 2;

fn check_memory(text: &str, source: &str) -> Result<()> {
    let longest = if is_json_lines(text) {
        text.lines().map(str::len).max().unwrap_or_default()
    } else {
        text.len()
    };
    let bytes = WHILE_READ.saturating_mul(longest).saturating_add(ONCE_READ * text.len());
    memory::check_for(|| format!("reading {source}"), bytes, Large::Instances)
}

/// JSON lines: the first line is a whole JSON object on its own, and more follows.
fn is_json_lines(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().unwrap_or_default();
    let whole = first.trim_start().starts_with('{')
        && serde_json::from_str::<serde::de::IgnoredAny>(first).is_ok();
    whole && lines.next().is_some()
}

fn malformed(text: &str, error: &serde_json::Error, source: &str) -> crate::Error {
    INSTANCE
        .explain(text, error)
        .file(source)
        .or_remedy("docs/instance-format.md shows the fields")
        .into()
}

impl Instance {
    /// The instance as JSON on one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an instance has nothing that JSON can't hold")
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::shape::tests::{assert_plain, spoilt};

    /// Age and housing may change, the amount may not.
    const SMALL: &str = r#"{
        "version": 1, "x": [30, 10, 1, 0],
        "features": [
            {"name": "age", "columns": [0], "options": [[-1], [0], [2]]},
            {"name": "amount", "columns": [1], "options": [[0]]},
            {"name": "housing", "columns": [2, 3], "options": [[0, 0], [-1, 1]]}],
        "max_changes": 2,
        "classifier": {"kind": "linear", "weights": [0.1, 0, 0, 0.5], "intercept": -3.5},
        "cost": {
            "distance": {"kind": "l1-mahalanobis",
                         "factor": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]},
            "outlier": {"weight": 0.1, "metric": "squared-euclidean",
                        "points": [[30, 10, 1, 0], [33, 10, 0, 1]],
                        "k_distance": [4, 2], "density": [0.25, 0.5]}}}"#;

    pub(crate) fn small() -> Instance {
        read_instances(SMALL, "small.json").unwrap().remove(0)
    }

    #[test]
    fn what_is_written_reads_back_equal() {
        let instance = small();
        let text = instance.to_json();
        assert_eq!(read_instances(&text, "copy").unwrap(), vec![instance.clone()]);
        let lines = format!("{text}\n\n{text}\n");
        assert_eq!(read_instances(&lines, "lines").unwrap(), vec![instance.clone(), instance]);
    }

    #[test]
    fn ranges_read_back_equal_and_own_values_are_always_there() {
        let text = SMALL.replace(r#""version": 1"#, r#""version": 2"#).replace(
            r#""options": [[-1], [0], [2]]"#,
            r#""ranges": [{"first": [18], "last": [29], "step": 1}]"#,
        );
        let text = text.replace("[[0]]", "[[10]]").replace("[[0, 0], [-1, 1]]", "[[0, 1]]");
        let instance = read_instances(&text, "v2.json").unwrap().remove(0);
        assert_eq!(instance.keep_all(), [12, 0, 1]);
        assert_eq!(instance.apply(&[3, 0, 0]), [21.0, 10.0, 0.0, 1.0]);
        assert_eq!(read_instances(&instance.to_json(), "copy").unwrap(), vec![instance]);
        let odd = text.replace(r#""step": 1"#, r#""step": 2"#);
        let message = read_instances(&odd, "v2.json").unwrap_err().to_string();
        assert!(message.contains("features[0] `age`, ranges[0]: does not lead"), "{message}");
        let old = SMALL.replace(r#""version": 1"#, r#""version": 7"#);
        let message = read_instances(&old, "v7.json").unwrap_err().to_string();
        assert!(message.contains("version: is 7"), "{message}");
    }

    /// Every key that there is.
    const FULL: &str = r#"{
        "version": 2, "x": [30, 10, 1, 0],
        "features": [
            {"name": "age", "columns": [0], "ranges": [{"first": [20], "last": [40], "step": 10}]},
            {"name": "housing", "columns": [2, 3], "options": [[0, 1]]}],
        "max_changes": 2,
        "rules": [
            {"name": "one", "any_of": [{"feature": 0, "options": [0, [1, 2]]}]},
            {"name": "two", "at_most": {"most": 1, "terms": [
                {"feature": 0, "coefficients": [5, {"first": 1, "step": 0.5, "count": 2}]}]}}],
        "classifier": CLASSIFIER,
        "cost": {
            "distance": DISTANCE,
            "outlier": {"weight": 0.1, "metric": "manhattan", "points": [[30, 10, 1, 0]],
                        "k_distance": [4], "density": [0.25], "k": 1, "scale": [1, 1, 1, 1]},
            "most": {"distance": 3, "outlier": 4}}}"#;

    fn full() -> Vec<String> {
        let tables = [
            (
                r#"{"kind": "linear", "weights": [0.1, 0, 0, 0.5], "intercept": -3.5}"#,
                r#"{"kind": "mahalanobis", "factor": [[1, 0, 0, 0]]}"#,
            ),
            (
                r#"{"kind": "trees", "threshold": 0.5, "sums": "double", "trees": [
                    {"feature": [-1], "threshold": [0], "left": [-1], "right": [-1], "value": [0]}]}"#,
                r#"{"kind": "table", "costs": [[0, {"first": 1, "step": 1, "count": 2}], [0, 1]]}"#,
            ),
            (
                r#"{"kind": "mlp", "layers": [{"weights": [[1, 0, 0, 0]], "bias": [-40]}]}"#,
                r#"{"kind": "l1-mahalanobis", "factor": [[1, 0, 0, 0]]}"#,
            ),
        ];
        let text = |(classifier, distance): (&str, &str)| {
            FULL.replace("CLASSIFIER", classifier).replace("DISTANCE", distance)
        };
        tables.into_iter().map(text).collect()
    }

    #[test]
    fn whatever_is_wrong_with_a_file_is_said_in_the_words_of_the_format() {
        for text in full() {
            assert_eq!(read_instances(&text, "full.json").unwrap().len(), 1);
            let good: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(INSTANCE.flaw(&good), None);
            let mut refused = 0;
            for bad in spoilt(&good) {
                if let Err(error) = read_instances(&bad.to_string(), "bad.json") {
                    assert_plain(&error.to_string());
                    refused += 1;
                }
            }
            assert!(refused > 300, "{refused}");
        }
    }

    #[test]
    fn unknown_keys_are_refused_wherever_they_are() {
        for (from, to, said) in [
            ("\"rules\"", "\"rule\"", "bad.json: `rule` is not a known key; did you mean `rules`?"),
            (
                "\"version\"",
                "\"comment\": 1, \"version\"",
                "bad.json: `comment` is not a known key",
            ),
            ("\"ranges\"", "\"range\"", "features[0]: `range` is not a known key; did you mean"),
            (
                "\"intercept\"",
                "\"bias\": 1, \"intercept\"",
                "classifier: `bias` is not a known key",
            ),
            ("\"outlier\": {", "\"outliers\": {", "cost: `outliers` is not a known key"),
            ("\"factor\"", "\"scale\": 1, \"factor\"", "cost.distance: `scale` is not a known key"),
            ("\"any_of\"", "\"anyof\"", "rules[0]: `anyof` is not a known key; did you mean"),
        ] {
            let good = &full()[0];
            assert!(good.contains(from), "{from}");
            let bad = good.replacen(from, to, 1);
            let message = read_instances(&bad, "bad.json").unwrap_err().to_string();
            assert!(message.contains(said), "{message}");
        }
        let old = SMALL.replacen("\"max_changes\"", "\"maxchanges\"", 1);
        let message = read_instances(&old, "old.json").unwrap_err().to_string();
        assert!(message.contains("did you mean `max_changes`?"), "{message}");
        let twice = SMALL.replacen("\"version\": 1", "\"version\": 1, \"version\": 1", 1);
        let message = read_instances(&twice, "old.json").unwrap_err().to_string();
        assert!(message.contains("has a key twice: `version`"), "{message}");
    }

    #[test]
    fn a_broken_line_is_named() {
        let text = small().to_json();
        let broken = format!("{text}\n{{\"version\": 1}}\n");
        let message = read_instances(&broken, "many.jsonl").unwrap_err().to_string();
        assert!(message.starts_with("many.jsonl, line 2: has no `x`"), "{message}");
        let message = read_instances("[1, 2", "a.json").unwrap_err().to_string();
        assert!(message.starts_with("a.json: is not valid JSON (EOF"), "{message}");
        assert!(read_instances(" \n", "a.json").is_err());
    }
}
