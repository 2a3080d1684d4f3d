//! What one applicant's plans must respect beside the schema: rules of their own, and keys of the schema set for them.

use crate::data::{CORRECT_FILE, Rule, Schema};
use crate::{InputError, Result, Setting};

/// The keys of a feature that may be set for one applicant: its rules, not what it is.
const KEYS: [&str; 9] = [
    "change",
    "step",
    "range",
    "relative_range",
    "max_change",
    "least_change",
    "one_step",
    "moves",
    "effort",
];

/// One applicant's own rules.
///
/// ```
/// use amends::data::Schema;
/// use amends::explain::Wishes;
///
/// let schema = Schema::german();
/// let wishes = Wishes::parse_list("housing stays; duration.max_change = 12", &schema)?;
/// assert_eq!(wishes.rules.len(), 1);
/// assert_eq!(wishes.schema(&schema).features[0].limits.max_change, Some(12.0));
/// # Ok::<(), amends::InputError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wishes {
    /// Rules in the words of the schema's.
    pub rules: Vec<Rule>,
    /// The schema with the keys that were set, where any were.
    schema: Option<Box<Schema>>,
    /// The most changes, where the applicant has a limit of their own.
    max_changes: Option<usize>,
}

impl Wishes {
    /// Reads wishes one by one: a rule, such as `housing stays`, or a key of a feature, such as
    /// `income.max_change = 500` or `job.change = "immutable"`.
    pub fn parse<'t>(
        texts: impl IntoIterator<Item = &'t str>,
        schema: &Schema,
    ) -> Result<Self, InputError> {
        let mut wishes = Self::default();
        for text in texts {
            wishes.add(text, schema)?;
        }
        Ok(wishes)
    }

    /// The same from one text, separated by semicolons.
    pub fn parse_list(text: &str, schema: &Schema) -> Result<Self, InputError> {
        Self::parse(Rule::split_list(text), schema)
    }

    /// What binds the applicant: the schema, or what their keys made of it.
    pub fn schema<'a>(&'a self, schema: &'a Schema) -> &'a Schema {
        self.schema.as_deref().unwrap_or(schema)
    }

    /// The same for an applicant who is bound by this schema instead of `original`, from which it may differ in how features may
    /// change and in nothing that a model depends on. Its rules need not say anything: those of a feature that must stay as
    /// it is do not, for example.
    pub fn with_schema(mut self, schema: Schema, original: &Schema) -> Result<Self> {
        schema.check_features()?;
        if schema.fingerprint() != original.fingerprint() {
            return Err(InputError::new("is a schema of other features, levels or codes")
                .value(&schema.name)
                .remedy("change only how features may change")
                .into());
        }
        self.schema = Some(Box::new(schema));
        Ok(self)
    }

    /// The same with at most so many changes. A limit above the explainer's own has no effect.
    pub fn with_max_changes(mut self, most: usize) -> Result<Self, InputError> {
        if most == 0 {
            return Err(InputError::new("allows no plan")
                .setting(Setting::MaxChanges)
                .value(most)
                .remedy("allow at least 1 change"));
        }
        self.max_changes = Some(most);
        Ok(self)
    }

    /// The most changes: the explainer's limit, or the applicant's own where that is lower.
    pub fn max_changes(&self, of_all: usize) -> usize {
        self.max_changes.map_or(of_all, |own| own.min(of_all))
    }

    fn add(&mut self, text: &str, schema: &Schema) -> Result<(), InputError> {
        if let Some((feature, key, value)) = as_key(text, schema) {
            let set = with_key(self.schema(schema), feature, key, value);
            let set = set.map_err(|error| error.inside(format!("`{}`", text.trim())))?;
            self.schema = Some(Box::new(set));
        } else {
            self.rules.push(Rule::parse(text, &schema.features)?);
        }
        Ok(())
    }
}

/// A text of the form `feature.key = value`, with one of the keys that may be set. The feature's name may have the sign
/// in it, so the first that makes sense is taken.
fn as_key<'t>(text: &'t str, schema: &Schema) -> Option<(usize, &'t str, &'t str)> {
    text.match_indices('=').find_map(|(sign, _)| {
        let (feature, key) = text[..sign].trim().rsplit_once('.')?;
        let feature = schema.feature_index(&unquoted(feature.trim()))?;
        KEYS.contains(&key.trim()).then(|| (feature, key.trim(), text[sign + 1..].trim()))
    })
}

/// A name without its backquotes, of which a doubled one inside stands for one.
fn unquoted(name: &str) -> String {
    let inside = name.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    inside.map_or_else(|| name.to_owned(), |inside| inside.replace("``", "`"))
}

const AS_IN_FILE: &str =
    "write the value as in the schema file, such as 12, [0, 100] or \"immutable\"";

/// The schema with one key of a feature set, checked as if its file said so.
fn with_key(schema: &Schema, feature: usize, key: &str, value: &str) -> Result<Schema, InputError> {
    let wrong = |problem: String| InputError::new(problem).remedy(AS_IN_FILE);
    let value: toml::Table = toml::from_str(&format!("value = {value}"))
        .map_err(|_| wrong("has no value that can be read".to_owned()))?;
    let mut file: toml::Table =
        toml::from_str(&schema.to_toml()).map_err(|error| wrong(error.to_string()))?;
    let entry = file.get_mut("feature").and_then(|list| list.get_mut(feature));
    if let (Some(toml::Value::Table(entry)), Some(value)) = (entry, value.get("value")) {
        entry.insert(key.to_owned(), value.clone());
        // What is fixed for the applicant has no bounds left to keep.
        if key == "change" && value.as_str() == Some("immutable") {
            let kept = ["change", "effort", "step"];
            entry.retain(|key, _| kept.contains(&key) || !KEYS.contains(&key));
        }
    }
    let text = toml::to_string(&file).map_err(|error| wrong(error.to_string()))?;
    // The lines are those of a file that nobody wrote.
    Schema::parse(&text, "schema").map_err(|error| match error {
        crate::Error::Input(error) => error.without_lines(CORRECT_FILE, AS_IN_FILE),
        other => wrong(other.to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Change;

    fn german(text: &str) -> Result<Wishes, InputError> {
        Wishes::parse_list(text, &Schema::german())
    }

    #[test]
    fn keys_and_rules_stand_side_by_side() {
        let schema = Schema::german();
        let wishes = german(
            "housing stays; credit_amount.range = [500, 4000]; duration.effort = 2.5; \
             duration.change = \"decrease\"; duration <= 36",
        )
        .unwrap();
        assert_eq!(wishes.rules.len(), 2);
        let set = wishes.schema(&schema);
        let feature = |name: &str| &set.features[set.feature_index(name).unwrap()];
        assert_eq!(feature("credit_amount").limits.range, Some([500.0, 4000.0]));
        assert_eq!(
            (feature("duration").effort, feature("duration").change),
            (2.5, Change::Decrease)
        );
        assert_eq!(set.fingerprint(), schema.fingerprint());
        assert_eq!(german(" ; ").unwrap(), Wishes::default());
    }

    #[test]
    fn names_of_any_letters_are_found_in_backquotes() {
        let mut schema = Schema::german();
        for name in ["duration = `x`.step", "a``b", "c; d"] {
            schema.features[0].name = name.to_owned();
            let text = format!("`{}`.max_change = 6", name.replace('`', "``"));
            let wishes = Wishes::parse([text.as_str()], &schema).unwrap();
            assert_eq!(wishes.schema(&schema).features[0].limits.max_change, Some(6.0), "{name}");
        }
    }

    #[test]
    fn immutable_ends_what_bounded_a_change() {
        let text = "duration.max_change = 6; duration.step = 3; duration.change = \"immutable\"";
        let (wishes, schema) = (german(text).unwrap(), Schema::german());
        let duration = &wishes.schema(&schema).features[0];
        assert_eq!((duration.limits.max_change, duration.step), (None, Some(3.0)));
    }

    #[test]
    fn an_own_limit_on_changes_only_narrows() {
        let wishes = Wishes::default().with_max_changes(2).unwrap();
        assert_eq!([1, 2, 4].map(|most| wishes.max_changes(most)), [1, 2, 2]);
        assert_eq!(Wishes::default().max_changes(4), 4);
        let refusal = Wishes::default().with_max_changes(0).unwrap_err().to_string();
        assert!(refusal.contains("allows no plan"), "{refusal}");
    }

    #[test]
    fn another_schema_may_differ_in_how_features_change_alone() {
        let original = Schema::german();
        let mut fixed = original.clone();
        fixed.features[0].change = Change::Immutable;
        fixed.features[0].limits = crate::data::FeatureLimits::default();
        let wishes = Wishes::default().with_schema(fixed.clone(), &original).unwrap();
        assert_eq!(wishes.schema(&original), &fixed);
        let mut other = original.clone();
        other.features[0].name = "length".to_owned();
        assert!(Wishes::default().with_schema(other, &original).is_err());
        fixed.features[0].effort = -1.0;
        assert!(Wishes::default().with_schema(fixed, &original).is_err());
    }

    #[test]
    fn wishes_that_can_not_be_are_refused_with_their_text() {
        for (text, parts) in [
            (
                "duration.max_change = -3",
                ["`duration.max_change = -3`", "is not a size of a change"],
            ),
            ("duration.range = [5, 1]", ["`duration.range = [5, 1]`", "runs from high to low"]),
            ("duration.range = wide", ["`duration.range = wide`", "no value that can be read"]),
            ("housing.max_change = 3", ["`housing.max_change = 3`", "does not fit kind"]),
            ("duration.kind = 3", ["duration.kind", "feature"]),
        ] {
            let message = german(text).unwrap_err().to_string();
            assert!(parts.iter().all(|part| message.contains(part)), "{message}");
        }
    }
}
