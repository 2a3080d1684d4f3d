//! How far an applicant may move one feature.

use super::check::Flaw;
use super::{Change, Feature, Kind};
use crate::InputError;

/// The bounds on a feature's move. Keeping the own value is always allowed, whatever they say.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FeatureLimits {
    /// New numbers lie between these two; an end may be infinite.
    pub range: Option<[f64; 2]>,
    /// New numbers minus the own lie between these two, the first at most 0 and the second at least 0.
    pub relative_range: Option<[f64; 2]>,
    /// New numbers are at most this far from the own.
    pub max_change: Option<f64>,
    /// New numbers are at least this far from the own: smaller changes are not worth making.
    pub least_change: Option<f64>,
    /// New levels of an ordinal feature are next to the own.
    pub one_step: bool,
}

/// Binary fractions that people wrote as decimals are this far from them.
const ROUNDING: f64 = 1e-9;

/// Efforts beyond this make other features' moves disappear in rounding.
const LARGEST_EFFORT: f64 = 1000.0;

impl FeatureLimits {
    /// The keys in use, as the schema file writes them.
    fn in_use(&self) -> Vec<(&'static str, String)> {
        let pair = |[low, high]: [f64; 2]| format!("[{low}, {high}]");
        let parts = [
            ("range", self.range.map(pair)),
            ("relative_range", self.relative_range.map(pair)),
            ("max_change", self.max_change.map(|size| size.to_string())),
            ("least_change", self.least_change.map(|size| size.to_string())),
            ("one_step", self.one_step.then(|| "true".to_owned())),
        ];
        parts.into_iter().filter_map(|(key, shown)| Some((key, shown?))).collect()
    }

    /// How far down and up a number may move, as sizes; without regard to the data and to `range`.
    fn reach(&self, change: Change) -> [f64; 2] {
        let [low, high] = self.relative_range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        let most = self.max_change.unwrap_or(f64::INFINITY);
        let down = if change == Change::Increase { 0.0 } else { most.min(-low) };
        let up = if change == Change::Decrease { 0.0 } else { most.min(high) };
        [down, up]
    }
}

impl Feature {
    /// Refuses rules that don't fit the kind, contradict each other, or leave nobody a move.
    pub(super) fn check_limits(&self) -> Result<(), Flaw> {
        self.check_effort()?;
        let in_use = self.limits.in_use();
        for (key, _) in &in_use {
            let (fits, remedy) = match *key {
                "one_step" => (
                    matches!(self.kind, Kind::Ordinal { .. }),
                    "only ordinal features have neighbouring levels; numbers take max_change",
                ),
                _ => (self.is_numeric(), "only integer and continuous features have this rule"),
            };
            if !fits {
                let problem = format!("does not fit kind {}", self.kind.name());
                return Err(Flaw::of(key, InputError::new(problem).remedy(remedy)));
            }
        }
        self.check_immutable(&in_use)?;
        if let Some(range) = self.limits.range {
            check_pair("range", range)?;
            self.check_range(range)?;
        }
        if let Some([low, high]) = self.limits.relative_range {
            check_pair("relative_range", [low, high])?;
            if low > 0.0 || high < 0.0 {
                let error = InputError::new("does not hold 0, the move of who keeps the value")
                    .value(format!("[{low}, {high}]"))
                    .remedy("write a range around 0, and least_change to leave out small moves");
                return Err(Flaw::of("relative_range", error));
            }
        }
        for (key, size) in
            [("max_change", self.limits.max_change), ("least_change", self.limits.least_change)]
        {
            if let Some(size) = size.filter(|size| !(size.is_finite() && *size > 0.0)) {
                let error = InputError::new("is not a size of a change")
                    .value(size)
                    .remedy("give a finite number above 0");
                return Err(Flaw::of(key, error));
            }
        }
        self.check_moves(&in_use)
    }

    fn check_effort(&self) -> Result<(), Flaw> {
        if (1.0 / LARGEST_EFFORT..=LARGEST_EFFORT).contains(&self.effort) {
            return Ok(());
        }
        let error = InputError::new("must be between 0.001 and 1000").value(self.effort).remedy(
            "give 1 for the plain distance, more for a harder move, less for an easier one",
        );
        Err(Flaw::of("effort", error))
    }

    fn check_immutable(&self, in_use: &[(&'static str, String)]) -> Result<(), Flaw> {
        if self.change != Change::Immutable {
            return Ok(());
        }
        let contradiction = |key, what: &str| {
            let error =
                InputError::new(format!("{what} a change that change = \"immutable\" forbids"))
                    .remedy("keep one of the two rules");
            Err(Flaw::of(key, error))
        };
        if let Some((key, _)) = in_use.first() {
            return contradiction(key, "bounds");
        }
        if self.codes.iter().any(|code| code.leave || code.enter) {
            return contradiction("codes", "allow");
        }
        Ok(())
    }

    /// A range without a value that the kind and the step allow could never be entered.
    fn check_range(&self, [low, high]: [f64; 2]) -> Result<(), Flaw> {
        let step = self.step.or((self.kind == Kind::Integer).then_some(1.0));
        let Some(step) = step else { return Ok(()) };
        if (low / step - ROUNDING).ceil() <= (high / step + ROUNDING).floor() {
            return Ok(());
        }
        let what = match self.step {
            Some(step) => format!("holds no multiple of step = {step}"),
            None => "holds no whole number".to_owned(),
        };
        let error = InputError::new(what)
            .value(format!("[{low}, {high}]"))
            .remedy("widen it, or write change = \"immutable\"");
        Err(Flaw::of("range", error))
    }

    /// Whether some move is left to somebody.
    fn check_moves(&self, in_use: &[(&'static str, String)]) -> Result<(), Flaw> {
        let least = self.limits.least_change.unwrap_or(0.0);
        let possible = |reach: f64| match self.kind {
            Kind::Integer => (reach + ROUNDING).floor() >= (least - ROUNDING).ceil().max(1.0),
            _ => reach > 0.0 && reach >= least,
        };
        if self.change == Change::Immutable
            || self.limits.reach(self.change).into_iter().any(possible)
        {
            return Ok(());
        }
        // Directions alone leave moves, and so does a range: another rule is to blame.
        let mut others: Vec<String> = vec![format!("kind = \"{}\"", self.kind.name())];
        if self.change != Change::Free {
            others.push(format!("change = \"{}\"", self.change.name()));
        }
        let mut blamed = None;
        for (key, shown) in in_use.iter().filter(|(key, _)| *key != "range") {
            if let Some((earlier, value)) = blamed.replace((*key, shown.clone())) {
                others.push(format!("{earlier} = {value}"));
            }
        }
        let (key, shown) = blamed.unwrap_or_default();
        let error = InputError::new(format!("leaves no move with {}", others.join(" and ")))
            .value(shown)
            .remedy("loosen one of them, or write change = \"immutable\" alone");
        Err(Flaw::of(key, error))
    }
}

fn check_pair(key: &'static str, [low, high]: [f64; 2]) -> Result<(), Flaw> {
    let (problem, remedy) = if low.is_nan() || high.is_nan() {
        ("is not a range of numbers", "write [low, high]; -inf and inf leave a side open")
    } else if low > high {
        ("runs from high to low", "write the lower end first")
    } else if low == f64::INFINITY || high == f64::NEG_INFINITY {
        ("holds no number", "write [low, high]; -inf as low and inf as high leave a side open")
    } else {
        return Ok(());
    };
    let error = InputError::new(problem).value(format!("[{low}, {high}]")).remedy(remedy);
    Err(Flaw::of(key, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: Kind, change: Change, limits: FeatureLimits) -> Option<String> {
        let feature = Feature { change, limits, ..Feature::new("f", kind) };
        let flaw = feature.check_limits().err()?;
        Some(format!("{}: {}", flaw.key.unwrap_or_default(), flaw.error))
    }

    fn relative(low: f64, high: f64) -> FeatureLimits {
        FeatureLimits { relative_range: Some([low, high]), ..FeatureLimits::default() }
    }

    fn sizes(least: f64, max: f64) -> FeatureLimits {
        FeatureLimits {
            least_change: Some(least),
            max_change: Some(max),
            ..FeatureLimits::default()
        }
    }

    fn absolute(low: f64, high: f64) -> FeatureLimits {
        FeatureLimits { range: Some([low, high]), ..FeatureLimits::default() }
    }

    #[test]
    fn rules_that_leave_moves_are_fine() {
        for (kind, change, limits) in [
            (Kind::Integer, Change::Free, sizes(1.0, 1.0)),
            (Kind::Continuous, Change::Free, sizes(0.3, 0.1 + 0.2)),
            (Kind::Integer, Change::Increase, relative(-10.0, 5.0)),
            (Kind::Continuous, Change::Decrease, relative(f64::NEG_INFINITY, 0.0)),
            (Kind::Integer, Change::Free, absolute(0.0, 0.0)),
            (Kind::Continuous, Change::Free, absolute(0.2, f64::INFINITY)),
        ] {
            assert_eq!(message(kind, change, limits), None);
        }
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "a list of cases")]
    fn contradictions_name_the_rule_and_what_it_meets() {
        let ordinal = Kind::Ordinal { levels: vec!["a".into(), "b".into()] };
        let one_step = FeatureLimits { one_step: true, ..FeatureLimits::default() };
        for (kind, change, limits, expected) in [
            (
                Kind::Integer,
                Change::Increase,
                relative(-10.0, 0.0),
                "relative_range: `[-10, 0]` leaves no move with kind = \"integer\" and change = \"increase\"",
            ),
            (
                Kind::Continuous,
                Change::Free,
                sizes(5.0, 3.0),
                "least_change: `5` leaves no move with kind = \"continuous\" and max_change = 3",
            ),
            (
                Kind::Integer,
                Change::Free,
                FeatureLimits { max_change: Some(0.5), ..FeatureLimits::default() },
                "max_change: `0.5` leaves no move with kind = \"integer\"; loosen",
            ),
            (Kind::Integer, Change::Free, relative(0.0, 0.0), "relative_range: `[0, 0]` leaves no"),
            (
                Kind::Integer,
                Change::Free,
                relative(1.0, 5.0),
                "relative_range: `[1, 5]` does not hold 0",
            ),
            (
                Kind::Integer,
                Change::Free,
                absolute(5.0, 1.0),
                "range: `[5, 1]` runs from high to low",
            ),
            (
                Kind::Integer,
                Change::Free,
                absolute(0.2, 0.8),
                "range: `[0.2, 0.8]` holds no whole number",
            ),
            (
                Kind::Integer,
                Change::Free,
                absolute(f64::NAN, 1.0),
                "range: `[NaN, 1]` is not a range",
            ),
            (
                Kind::Integer,
                Change::Free,
                absolute(f64::INFINITY, f64::INFINITY),
                "range: `[inf, inf]` holds no number",
            ),
            (
                Kind::Integer,
                Change::Free,
                sizes(0.0, 1.0),
                "least_change: `0` is not a size of a change",
            ),
            (
                Kind::Integer,
                Change::Free,
                FeatureLimits { max_change: Some(f64::INFINITY), ..FeatureLimits::default() },
                "max_change: `inf` is not a size",
            ),
            (
                Kind::Integer,
                Change::Immutable,
                absolute(0.0, 1.0),
                "range: bounds a change that change = \"immutable\" forbids; keep one",
            ),
            (ordinal, Change::Free, absolute(0.0, 1.0), "range: does not fit kind ordinal"),
            (Kind::Integer, Change::Free, one_step, "one_step: does not fit kind integer"),
        ] {
            let found = message(kind, change, limits).expect("the rules contradict each other");
            assert!(found.starts_with(expected), "{found}");
        }
    }

    #[test]
    fn steps_and_efforts_are_checked_too() {
        let stepped = Feature {
            step: Some(100.0),
            limits: absolute(10.0, 90.0),
            ..Feature::new("f", Kind::Integer)
        };
        let flaw = stepped.check_limits().unwrap_err();
        assert!(
            flaw.error.to_string().contains("holds no multiple of step = 100"),
            "{}",
            flaw.error
        );
        for effort in [0.0, -1.0, f64::NAN, f64::INFINITY, 1001.0] {
            let feature = Feature { effort, ..Feature::new("f", Kind::Integer) };
            assert_eq!(feature.check_limits().unwrap_err().key, Some("effort"), "{effort}");
        }
    }
}
