//! An applicant's wishes as JSON, and what the library makes of them.

use amends::data::{Change, Feature, Rule, Value};
use amends::explain::Wishes;
use amends::letter::{FeatureWish, LetterWish};
use amends::{Result, nearest_name};
use serde_json::{Map, Value as Json, json};

use super::Fields;
use super::fields::{MOST_PROBLEMS, cut};
use super::narrow::{check, levels_rule, narrowed};
use crate::refusal::Problem;
use crate::service::Service;

/// More rules than this nobody writes by hand.
const MOST_RULES: usize = 50;

/// A longer rule is none that a person wrote.
const LONGEST_RULE: usize = 1000;

/// No feature has more levels than this that a person would choose from.
const MOST_LEVELS: usize = 1000;

/// Effort factors lie between the inverse of this and this.
const LARGEST_EFFORT: f64 = 1000.0;

const CHANGES: [(&str, Change); 3] =
    [("free", Change::Free), ("increase", Change::Increase), ("decrease", Change::Decrease)];

/// What an applicant wants of a feature.
#[derive(Debug, Clone, PartialEq)]
pub enum Key {
    /// It stays as it is.
    Locked,
    /// New numbers lie in it.
    Range([f64; 2]),
    /// It only goes this way.
    Change(Change),
    /// A change costs so many times as much.
    Effort(f64),
    /// New levels or codes are among these.
    Levels(Vec<Value>),
}

/// An applicant's wishes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WishList {
    /// The most changes.
    pub max_changes: Option<usize>,
    /// What is wanted of features, by their index.
    pub keys: Vec<(usize, Key)>,
    /// Rules as they were written and read.
    pub rules: Vec<Rule>,
}

/// One of the wishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WishId {
    /// The most changes.
    MaxChanges,
    /// One of the keys, by its index in the list.
    Key(usize),
    /// One of the rules, by its index in the list.
    Rule(usize),
}

impl Key {
    /// The name of the key in requests.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Locked => "locked",
            Self::Range(_) => "range",
            Self::Change(_) => "change",
            Self::Effort(_) => "effort",
            Self::Levels(_) => "levels",
        }
    }
}

impl WishList {
    /// Reads wishes, and checks each of them against the schema.
    pub fn read(object: &Map<String, Json>, service: &Service) -> Result<Self, Vec<Problem>> {
        let mut fields = Fields::new(object, "wishes.".to_owned(), None);
        let most = service.explainer.settings().max_changes;
        let mut list =
            Self { max_changes: fields.whole("max_changes", [1, most]), ..Self::default() };
        let most_features = service.schema.features.len() + MOST_PROBLEMS;
        for (name, wish) in fields.object("features").into_iter().flatten().take(most_features) {
            if let Some(index) = service.schema.feature_index(name) {
                match read_feature(&service.schema.features[index], wish) {
                    Ok(keys) => list.keys.extend(keys.into_iter().map(|key| (index, key))),
                    Err(problems) => fields.add_all(problems),
                }
            } else {
                let known = service.schema.features.iter().map(|feature| feature.name.as_str());
                let remedy = match nearest_name(name, known) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "leave it out, or see /api/v1/schema for the features".to_owned(),
                };
                fields.add(Problem::new(format!("`{}` is not a feature", cut(name)), remedy));
            }
        }
        if let Some(rules) = fields.get("rules") {
            match read_rules(rules, service) {
                Ok(rules) => list.rules = rules,
                Err(problems) => fields.add_all(problems),
            }
        }
        let problems = fields.problems();
        if problems.is_empty() { Ok(list) } else { Err(problems) }
    }

    /// What the library makes of them, with what binds everybody.
    pub fn wishes(&self, service: &Service) -> Result<Wishes> {
        let mut schema = service.schema.clone();
        let mut rules = service.rules.clone();
        for (index, feature) in schema.features.iter_mut().enumerate() {
            let keys: Vec<&Key> =
                self.keys.iter().filter(|(of, _)| *of == index).map(|(_, key)| key).collect();
            for key in &keys {
                if let Key::Levels(values) = key {
                    rules.push(levels_rule(index, feature, values));
                }
            }
            *feature = narrowed(feature, keys);
        }
        rules.extend(self.rules.iter().cloned());
        let mut wishes = Wishes::default();
        wishes.rules = rules;
        let wishes = wishes.with_schema(schema, service.explainer.schema())?;
        match self.max_changes {
            Some(most) => Ok(wishes.with_max_changes(most)?),
            None => Ok(wishes),
        }
    }

    /// The wishes as a letter states them: those that take something away.
    pub fn stated(&self, service: &Service) -> Vec<LetterWish> {
        let most = service.explainer.settings().max_changes;
        let own = self.max_changes.filter(|&own| own < most).map(LetterWish::MaxChanges);
        let features = self.keys.iter().map(|(index, key)| {
            let wish = match key {
                Key::Locked => FeatureWish::Stays,
                Key::Range(range) => FeatureWish::Range(*range),
                Key::Change(change) => FeatureWish::Direction(*change),
                Key::Effort(factor) => FeatureWish::Effort(*factor),
                Key::Levels(values) => FeatureWish::Levels(values.clone()),
            };
            LetterWish::Feature(service.schema.features[*index].name.clone(), wish)
        });
        let rules = self.rules.iter().map(|rule| LetterWish::Rule(rule.text.clone()));
        own.into_iter().chain(features).chain(rules).collect()
    }

    /// Each wish.
    pub fn ids(&self) -> Vec<WishId> {
        let keys = (0..self.keys.len()).map(WishId::Key);
        let rules = (0..self.rules.len()).map(WishId::Rule);
        self.max_changes.map(|_| WishId::MaxChanges).into_iter().chain(keys).chain(rules).collect()
    }

    /// All wishes but one.
    #[must_use]
    pub fn without(&self, id: WishId) -> Self {
        let mut rest = self.clone();
        match id {
            WishId::MaxChanges => rest.max_changes = None,
            WishId::Key(index) => {
                rest.keys.remove(index);
            }
            WishId::Rule(index) => {
                rest.rules.remove(index);
            }
        }
        rest
    }

    /// How a wish is called in answers.
    pub fn name(&self, id: WishId, service: &Service) -> Json {
        match id {
            WishId::MaxChanges => json!({"key": "max_changes"}),
            WishId::Key(index) => {
                let (feature, key) = &self.keys[index];
                json!({"feature": service.schema.features[*feature].name, "key": key.name()})
            }
            WishId::Rule(index) => json!({"rule": index}),
        }
    }
}

/// What is wanted of one feature.
fn read_feature(feature: &Feature, wish: &Json) -> Result<Vec<Key>, Vec<Problem>> {
    let place = format!("wishes.features.{}", feature.name);
    let Json::Object(object) = wish else {
        let problem = Problem::new(format!("`{place}` is not an object"), "give its wishes in {}");
        return Err(vec![problem.of_feature(&feature.name)]);
    };
    let mut fields = Fields::new(object, format!("{place}."), Some(&feature.name));
    let mut keys = Vec::new();
    if fields.flag("locked", false) {
        keys.push(Key::Locked);
    }
    keys.extend(read_range(&mut fields).map(Key::Range));
    if let Some(value) = fields.get("change") {
        match CHANGES.iter().find(|(name, _)| value.as_str() == Some(name)) {
            Some((_, change)) => keys.push(Key::Change(*change)),
            None => fields.add_wrong("change", value, "`free`, `increase` or `decrease`"),
        }
    }
    keys.extend(fields.positive("effort", LARGEST_EFFORT).map(Key::Effort));
    keys.extend(read_levels(&mut fields, feature).map(Key::Levels));
    for key in &keys {
        if let Err(problem) = check(key, feature) {
            fields.add(problem);
        }
    }
    // What only the schema's own check knows, such as a step that no number of the range is a multiple of.
    if let Err(error) = narrowed(feature, &keys).check() {
        fields.add(Problem::of_input(&error));
    }
    let problems = fields.problems();
    if problems.is_empty() { Ok(keys) } else { Err(problems) }
}

fn read_range(fields: &mut Fields) -> Option<[f64; 2]> {
    let value = fields.get("range")?;
    let ends: Option<Vec<f64>> =
        value.as_array().and_then(|ends| ends.iter().map(Json::as_f64).collect());
    match ends.as_deref() {
        Some(&[low, high]) if low <= high => Some([low, high]),
        Some(&[high, low]) => {
            let problem = Problem::new(
                format!("`{}range` begins with its higher number", fields.place()),
                format!("give [{low}, {high}]"),
            );
            fields.add(problem);
            None
        }
        _ => {
            fields.add_wrong("range", value, "a list of two numbers");
            None
        }
    }
}

fn read_levels(fields: &mut Fields, feature: &Feature) -> Option<Vec<Value>> {
    let value = fields.get("levels")?;
    let Some(list) = value.as_array().filter(|list| (1..=MOST_LEVELS).contains(&list.len())) else {
        fields.add_wrong("levels", value, &format!("a list of 1 to {MOST_LEVELS} levels"));
        return None;
    };
    let mut values = Vec::new();
    for level in list {
        match level.as_str().map(|text| feature.value_of_text(text)) {
            Some(Ok(value)) if values.contains(&value) => {}
            Some(Ok(value)) => values.push(value),
            Some(Err(error)) => fields.add(Problem::of_input(&error.column(&feature.name))),
            None => fields.add_wrong("levels", level, "a level in quotes"),
        }
    }
    Some(values)
}

fn read_rules(value: &Json, service: &Service) -> Result<Vec<Rule>, Vec<Problem>> {
    let refused = |message: String, remedy: &str| vec![Problem::new(message, remedy)];
    let Some(list) = value.as_array() else {
        return Err(refused("`wishes.rules` is not a list".to_owned(), "give a list of texts"));
    };
    if list.len() > MOST_RULES {
        return Err(refused(format!("more than {MOST_RULES} rules"), "send fewer"));
    }
    let mut rules = Vec::new();
    let mut problems = Vec::new();
    for (index, rule) in list.iter().enumerate() {
        let text = rule.as_str().filter(|text| text.len() <= LONGEST_RULE);
        let Some(text) = text else {
            let message =
                format!("`wishes.rules[{index}]` is not a text of at most {LONGEST_RULE} bytes");
            problems.push(Problem::new(message, "write a rule such as \"housing stays\""));
            continue;
        };
        match Rule::parse(text, &service.schema.features) {
            Ok(rule) => rules.push(rule),
            Err(error) => problems.push(Problem::of_input(&error)),
        }
    }
    if problems.is_empty() { Ok(rules) } else { Err(problems) }
}
