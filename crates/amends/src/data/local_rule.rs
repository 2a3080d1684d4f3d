//! Which of a feature's own rules a change breaks, found from the schema alone.

use super::value::is_whole;
use super::{Change, Feature, Kind, Value};
use crate::decimal::{is_at_most, is_on_step};

/// A rule of a single feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LocalRule {
    /// The new value is one that the feature's `kind` can take.
    Kind,
    /// `change = "immutable"`: it stays as it is.
    Immutable,
    /// `change = "increase"` or `"decrease"`: it goes one way only.
    Direction,
    /// `range`: the new number lies in it.
    Range,
    /// `relative_range`: the new number lies in it, counted from the old.
    RelativeRange,
    /// `max_change`: it moves by at most this.
    MaxChange,
    /// `least_change`: it moves by at least this.
    LeastChange,
    /// `one_step`: it goes to a neighbouring level.
    OneStep,
    /// `moves`: the new level may follow the old.
    Moves,
    /// `step`: the new number is a multiple of it.
    Step,
    /// `codes`: a code without `leave` stays.
    CodeLeft,
    /// `codes`: a code without `enter` can't be entered.
    CodeEntered,
    /// `codes`: a table would read the new number as a code.
    ReadsAsCode,
}

impl LocalRule {
    /// The key of the schema file that holds it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Kind => "kind",
            Self::Immutable | Self::Direction => "change",
            Self::Range => "range",
            Self::RelativeRange => "relative_range",
            Self::MaxChange => "max_change",
            Self::LeastChange => "least_change",
            Self::OneStep => "one_step",
            Self::Moves => "moves",
            Self::Step => "step",
            Self::CodeLeft | Self::CodeEntered | Self::ReadsAsCode => "codes",
        }
    }
}

impl Feature {
    /// Every rule of this feature that a change from one value to another breaks. Keeping a value breaks none.
    ///
    /// A change from a code has no old number to measure from, so that `relative_range`, `max_change`,
    /// `least_change` and the direction don't apply. The range of the data plays no part. Numbers are compared as decimals
    /// on paper, at any scale.
    pub fn broken(&self, before: Value, after: Value) -> Vec<LocalRule> {
        if before == after {
            return Vec::new();
        }
        let mut broken = Vec::new();
        let mut test = |rule, holds: bool| {
            if !holds {
                broken.push(rule);
            }
        };
        test(LocalRule::Kind, self.takes(after));
        test(LocalRule::Immutable, self.change != Change::Immutable);
        if let Value::Number(new) = after {
            test(LocalRule::ReadsAsCode, !self.is_code(new));
            let [low, high] = self.limits.range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
            test(LocalRule::Range, (low..=high).contains(&new));
            test(LocalRule::Step, self.step.is_none_or(|step| is_on_step(new, step)));
        }
        match (before, after) {
            (Value::Number(old), Value::Number(new)) => {
                test(LocalRule::Direction, self.is_on_its_way(old, new));
                let limits = &self.limits;
                let (rise, fall) = ([(1.0, new), (-1.0, old)], [(1.0, old), (-1.0, new)]);
                let [low, high] =
                    limits.relative_range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
                let inside = is_at_most(&rise, high) && is_at_most(&fall, -low);
                test(LocalRule::RelativeRange, inside);
                let (size, shortfall) = if new > old { (rise, fall) } else { (fall, rise) };
                let within = |most: f64| is_at_most(&size, most);
                test(LocalRule::MaxChange, limits.max_change.is_none_or(within));
                let beyond = |least: f64| is_at_most(&shortfall, -least);
                test(LocalRule::LeastChange, limits.least_change.is_none_or(beyond));
            }
            (Value::Level(old), Value::Level(new)) => {
                test(LocalRule::Direction, self.is_on_its_way(old as f64, new as f64));
                test(LocalRule::OneStep, !self.limits.one_step || old.abs_diff(new) <= 1);
                test(LocalRule::Moves, self.lists_move(old, new));
            }
            _ => {
                let code = |value| match value {
                    Value::Code(code) => self.codes.get(code),
                    Value::Number(_) | Value::Level(_) => None,
                };
                test(LocalRule::CodeLeft, code(before).is_none_or(|code| code.leave));
                test(LocalRule::CodeEntered, code(after).is_none_or(|code| code.enter));
            }
        }
        broken.sort_unstable();
        broken
    }

    fn takes(&self, value: Value) -> bool {
        match (value, &self.kind) {
            (Value::Number(number), Kind::Integer) => is_whole(number),
            (Value::Number(number), Kind::Continuous) => number.is_finite(),
            (Value::Number(_), _) => false,
            (Value::Level(level), _) => level < self.levels().len(),
            (Value::Code(code), _) => code < self.codes.len(),
        }
    }

    fn is_on_its_way(&self, old: f64, new: f64) -> bool {
        match self.change {
            Change::Increase => new > old,
            Change::Decrease => new < old,
            Change::Free | Change::Immutable => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Code, FeatureLimits};

    fn number(kind: Kind) -> Feature {
        Feature::new("f", kind)
    }

    fn broken(feature: &Feature, from: f64, to: f64) -> Vec<LocalRule> {
        feature.broken(Value::Number(from), Value::Number(to))
    }

    #[test]
    fn every_broken_rule_is_reported() {
        use LocalRule::{
            Direction, Immutable, Kind as OfKind, LeastChange, MaxChange, Range, ReadsAsCode,
            RelativeRange, Step,
        };
        let mut feature = number(Kind::Integer);
        feature.change = Change::Increase;
        feature.step = Some(5.0);
        feature.codes = vec![Code::new("-9", "none")];
        feature.limits = FeatureLimits {
            range: Some([0.0, 100.0]),
            relative_range: Some([-3.0, 20.0]),
            max_change: Some(30.0),
            least_change: Some(2.0),
            one_step: false,
        };
        assert_eq!(broken(&feature, 50.0, 60.0), []);
        assert_eq!(broken(&feature, 51.0, 51.0), []);
        assert_eq!(broken(&feature, 50.0, 51.0), [LeastChange, Step]);
        assert_eq!(broken(&feature, 50.0, 50.5), [OfKind, LeastChange, Step]);
        assert_eq!(broken(&feature, 90.0, 125.0), [Range, RelativeRange, MaxChange]);
        assert_eq!(
            broken(&feature, 25.0, -9.0),
            [Direction, Range, RelativeRange, MaxChange, Step, ReadsAsCode]
        );
        feature.limits = FeatureLimits::default();
        feature.change = Change::Immutable;
        assert_eq!(broken(&feature, 50.0, 60.0), [Immutable]);
    }

    #[test]
    fn sizes_add_up_as_on_paper() {
        let mut feature = number(Kind::Continuous);
        let exactly = |size| FeatureLimits {
            max_change: Some(size),
            least_change: Some(size),
            ..FeatureLimits::default()
        };
        feature.limits = exactly(0.2);
        assert_eq!(broken(&feature, 0.1, 0.3), []);
        assert_eq!(broken(&feature, 0.1, 0.1 + 0.2), []);
        assert_eq!(broken(&feature, 1e9 + 0.1, 1e9 + 0.3), []);
        assert_eq!(broken(&feature, 0.1, 0.31), [LocalRule::MaxChange]);
        // A slack that grows with the numbers would let this pass.
        feature.limits = exactly(1.0);
        assert_eq!(broken(&feature, 1e12, 1e12 + 2.0), [LocalRule::MaxChange]);
        feature.limits = FeatureLimits::default();
        feature.step = Some(0.1);
        assert_eq!(broken(&feature, 0.0, 0.1 + 0.2), []);
        assert_eq!(broken(&feature, 0.0, 0.35), [LocalRule::Step]);
    }

    #[test]
    fn sizes_count_at_any_scale() {
        let mut feature = number(Kind::Continuous);
        for unit in [1e-13, 1e-6, 1.0, 1e9] {
            let sized = |units: f64| (units * unit * 1e13).round() / 1e13;
            feature.limits = FeatureLimits {
                relative_range: Some([-sized(4.0), sized(5.0)]),
                max_change: Some(sized(4.0)),
                least_change: Some(sized(2.0)),
                ..FeatureLimits::default()
            };
            let to = |units: f64| broken(&feature, sized(7.0), sized(units));
            assert_eq!((to(9.0), to(11.0), to(3.0)), (vec![], vec![], vec![]), "{unit}");
            assert_eq!(to(8.0), [LocalRule::LeastChange], "{unit}");
            assert_eq!(to(12.0), [LocalRule::MaxChange], "{unit}");
            assert_eq!(to(2.0), [LocalRule::RelativeRange, LocalRule::MaxChange], "{unit}");
        }
        feature.limits = FeatureLimits::default();
        feature.step = Some(1e-13);
        assert_eq!(broken(&feature, 0.0, 3e-13), []);
        assert_eq!(broken(&feature, 0.0, 3.5e-13), [LocalRule::Step]);
    }

    #[test]
    fn levels_have_ranks() {
        let levels = ["none", "some", "much"].map(String::from).to_vec();
        let mut feature = number(Kind::Ordinal { levels });
        let level = |from, to| (Value::Level(from), Value::Level(to));
        let broken = |feature: &Feature, (from, to)| feature.broken(from, to);
        feature.limits.one_step = true;
        assert_eq!(broken(&feature, level(0, 1)), []);
        assert_eq!(broken(&feature, level(0, 2)), [LocalRule::OneStep]);
        feature.change = Change::Decrease;
        assert_eq!(broken(&feature, level(0, 2)), [LocalRule::Direction, LocalRule::OneStep]);
        assert_eq!(
            broken(&feature, level(1, 7)),
            [LocalRule::Kind, LocalRule::Direction, LocalRule::OneStep]
        );
        assert_eq!(broken(&feature, (Value::Level(0), Value::Number(1.0))), [LocalRule::Kind]);
    }

    #[test]
    fn codes_are_left_and_entered_where_the_schema_says_so() {
        use LocalRule::{CodeEntered, CodeLeft, Kind as OfKind, Range};
        let mut feature = number(Kind::Integer);
        feature.limits.range = Some([0.0, 10.0]);
        feature.limits.max_change = Some(1.0);
        feature.codes = vec![
            Code { leave: true, ..Code::new("-7", "never") },
            Code { enter: true, ..Code::new("", "missing") },
        ];
        let (never, missing, nine) = (Value::Code(0), Value::Code(1), Value::Number(9.0));
        assert_eq!(feature.broken(never, nine), []);
        assert_eq!(feature.broken(never, Value::Number(11.0)), [Range]);
        assert_eq!(feature.broken(never, missing), []);
        assert_eq!(feature.broken(missing, never), [CodeLeft, CodeEntered]);
        assert_eq!(feature.broken(missing, nine), [CodeLeft]);
        assert_eq!(feature.broken(nine, missing), []);
        assert_eq!(feature.broken(nine, never), [CodeEntered]);
        assert_eq!(feature.broken(nine, Value::Code(2)), [OfKind]);
    }
}
