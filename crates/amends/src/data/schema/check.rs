//! What makes a schema usable.

use std::collections::HashSet;

use super::{Change, Feature, Kind, Schema};
use crate::decimal::{MOST_DECIMALS, decimals, is_noisy};
use crate::{InputError, Result};

/// What is wrong with a schema, and where.
pub(super) struct Problem {
    pub location: Location,
    pub flaw: Flaw,
}

/// What part of a schema has a problem.
pub(super) enum Location {
    /// The whole of it, or the target.
    Whole,
    Feature(usize),
}

/// What is wrong with a feature, and the key of the schema file to blame where it is a single one.
pub(in crate::data) struct Flaw {
    pub(in crate::data) key: Option<&'static str>,
    pub(in crate::data) error: Box<InputError>,
}

impl Flaw {
    pub(in crate::data) fn of(key: &'static str, error: InputError) -> Self {
        Self { key: Some(key), error: Box::new(error) }
    }
}

impl From<InputError> for Flaw {
    fn from(error: InputError) -> Self {
        Self { key: None, error: Box::new(error) }
    }
}

impl Schema {
    /// Checks names, levels, codes, rules and the target.
    ///
    /// [`Schema::parse`] and [`Schema::read`] have done so already; a schema put together in code has not been checked.
    pub fn check(&self) -> Result<()> {
        self.check_features()?;
        Ok(self.find_rule_problem().map_err(|(_, error)| error)?)
    }

    /// Checks features and target by themselves, without the rules between features.
    pub(crate) fn check_features(&self) -> Result<()> {
        self.find_feature_problem().map_err(|problem| {
            let Problem { location, flaw: Flaw { key, error } } = problem;
            let error = match location {
                Location::Feature(index) => {
                    error.at(format!("feature `{}`", self.features[index].name))
                }
                Location::Whole => *error,
            };
            key.into_iter().fold(error, InputError::at)
        })?;
        Ok(())
    }

    /// The first problem of target and features, with its location so that a file's line can be named.
    pub(super) fn find_feature_problem(&self) -> Result<(), Problem> {
        let problem = |location, flaw: Flaw| Problem { location, flaw };
        self.check_target().map_err(|error| problem(Location::Whole, error.into()))?;
        if self.features.is_empty() {
            let error =
                InputError::new("has no features").remedy("add a [[feature]] for each column");
            return Err(problem(Location::Whole, error.into()));
        }
        let mut seen = HashSet::new();
        for (index, feature) in self.features.iter().enumerate() {
            check_feature(feature).map_err(|flaw| problem(Location::Feature(index), flaw))?;
            let repeated = !seen.insert(feature.name.as_str());
            if repeated {
                let error = InputError::new("is listed twice").remedy("keep one of the two");
                return Err(problem(Location::Feature(index), error.into()));
            }
            if feature.name == self.target.column {
                let error = InputError::new("is the target, which a model must not see")
                    .remedy("remove it from the features, or name another target column");
                return Err(problem(Location::Feature(index), error.into()));
            }
        }
        Ok(())
    }

    fn check_target(&self) -> Result<(), InputError> {
        let target = &self.target;
        for (field, text) in [
            ("name", &self.name),
            ("target.column", &target.column),
            ("target.favourable", &target.favourable),
            ("target.unfavourable", &target.unfavourable),
        ] {
            check_text(text).map_err(|error| error.at(field))?;
        }
        if target.favourable == target.unfavourable {
            return Err(InputError::new("is both the favourable and the unfavourable outcome")
                .at("target")
                .value(&target.favourable)
                .remedy("name the two different outcomes"));
        }
        Ok(())
    }
}

impl Feature {
    /// Checks the feature by itself: its levels and codes, and that its rules fit its kind and each other.
    pub fn check(&self) -> Result<(), InputError> {
        check_feature(self)
            .map_err(|Flaw { key, error }| key.into_iter().fold(*error, InputError::at))
    }
}

fn check_feature(feature: &Feature) -> Result<(), Flaw> {
    check_text(&feature.name).map_err(|error| error.at("name"))?;
    if !feature.is_numeric() {
        // A level and a code tell applicants apart as two levels do; and a fitted model may know a column that never varied.
        let alone = !feature.codes.is_empty() || feature.change == Change::Immutable;
        let categorical = matches!(feature.kind, Kind::Categorical { .. });
        let least = if categorical && alone { 1 } else { 2 };
        check_levels(feature.levels(), least).map_err(|error| Flaw::of("levels", error))?;
    }
    let directed = matches!(feature.change, Change::Increase | Change::Decrease);
    if directed && matches!(feature.kind, Kind::Categorical { .. }) {
        let error = InputError::new("needs an order, which the levels of kind categorical lack")
            .value(feature.change.name())
            .remedy("declare the feature as ordinal with its levels in rising order");
        return Err(Flaw::of("change", error));
    }
    if let Some(step) = feature.step {
        check_step(feature, step).map_err(|error| Flaw::of("step", error))?;
    }
    feature.check_format()?;
    feature.check_limits()?;
    feature.check_level_moves()?;
    feature.check_codes()?;
    feature.check_translations()
}

fn check_step(feature: &Feature, step: f64) -> Result<(), InputError> {
    if !feature.is_numeric() {
        return Err(InputError::new(format!("does not fit kind {}", feature.kind.name()))
            .remedy("only integer and continuous features have a step"));
    }
    if !step.is_finite() || step <= 0.0 {
        return Err(InputError::new("is not above 0").value(step).remedy("give a positive number"));
    }
    if feature.kind == Kind::Integer && step.fract() != 0.0 {
        return Err(InputError::new("is not a whole number")
            .value(step)
            .remedy("give a whole step, or declare the feature as continuous"));
    }
    if decimals(step) > MOST_DECIMALS || is_noisy(step) {
        return Err(InputError::new("has more than 15 digits or 22 decimals")
            .value(step)
            .remedy("round it: multiples of it could not be distinguished"));
    }
    Ok(())
}

fn check_levels(levels: &[String], least: usize) -> Result<(), InputError> {
    if levels.len() < least {
        return Err(InputError::new(format!(
            "{} given, at least {least} are needed",
            levels.len()
        ))
        .remedy("list all levels, or remove the feature: it says nothing about an applicant"));
    }
    let mut seen = HashSet::new();
    for level in levels {
        check_text(level)?;
        if !seen.insert(level) {
            return Err(InputError::new("is listed twice")
                .value(level)
                .remedy("keep one of the two"));
        }
    }
    Ok(())
}

/// Cells lose the blanks around them when a table is read, so a name with blanks would never match.
fn check_text(text: &str) -> Result<(), InputError> {
    if text.is_empty() {
        return Err(InputError::new("is empty").remedy("write the text as it is in the table"));
    }
    if text.trim() != text {
        return Err(InputError::new("starts or ends with a blank")
            .value(text)
            .remedy("remove the blank"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The message for German credit after one spoiling change.
    fn message(spoil: impl Fn(&mut Schema)) -> String {
        let mut schema = Schema::german_free();
        assert!(schema.check().is_ok());
        spoil(&mut schema);
        schema.check().expect_err("the schema was spoilt").to_string()
    }

    #[test]
    fn steps_have_digits_that_people_write() {
        let feature = Feature::new("f", Kind::Continuous);
        assert!(check_step(&feature, 1e-13).is_ok() && check_step(&feature, 1e300).is_ok());
        for step in [1.0 / 3.0, 1e-25] {
            let error = check_step(&feature, step).unwrap_err().to_string();
            assert!(error.contains("more than 15 digits"), "{error}");
        }
    }

    #[test]
    fn problems_name_the_feature() {
        let says = |message: String, part: &str| assert!(message.contains(part), "{message}");
        says(message(|s| s.features.clear()), "has no features");
        says(
            message(|s| s.features[1].name = "duration".into()),
            "feature `duration`: is listed twice",
        );
        says(message(|s| s.features[1].name = "credit_risk".into()), "is the target");
        says(message(|s| s.features[1].name = " x".into()), "` x` starts or ends");
        says(message(|s| s.target.favourable = "bad".into()), "`bad` is both");
        says(message(|s| s.name.clear()), "name: is empty");
        says(message(|s| s.features[7].change = Change::Increase), "`increase` needs an order");
        says(message(|s| s.features[7].step = Some(1.0)), "does not fit kind categorical");
        says(
            message(|s| s.features[0].step = Some(0.5)),
            "feature `duration`, step: `0.5` is not a whole number",
        );
        says(
            message(|s| s.features[0].effort = 0.0),
            "feature `duration`, effort: `0` must be between",
        );
        says(message(|s| s.features[0].step = Some(f64::NAN)), "`NaN` is not above 0");
        let levels = |levels: &[&str]| Kind::Ordinal {
            levels: levels.iter().map(ToString::to_string).collect(),
        };
        says(message(|s| s.features[7].kind = levels(&["a"])), "1 given, at least 2");
        let one = || Kind::Categorical { levels: vec!["a".into()] };
        says(message(|s| s.features[7].kind = one()), "1 given, at least 2");
        let mut fixed = Schema::german_free();
        fixed.features[7].translations.clear();
        (fixed.features[7].kind, fixed.features[7].change) = (one(), Change::Immutable);
        assert!(fixed.check().is_ok());
        says(message(|s| s.features[7].kind = levels(&["a", "b", "a"])), "`a` is listed twice");
    }
}
