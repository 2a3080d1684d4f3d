//! Rules laid out for values instead of options.
//!
//! The checker's tolerance of a sum is proportional to the sizes that are added up; here it is the largest that they can
//! be, so that nothing is excluded that the checker would let pass.

use crate::instance::{Coefficients, Instance, Literal, OptionSet, RuleKind, Run, SUM_TOLERANCE};
use crate::search::layout::feature::Feature;
use crate::search::layout::links::{links, split_literal};
use crate::search::layout::movable::{BY_NUMBER, Part as Laid, runs_of};
use crate::search::layout::values::{Runs, ValueIndex, Values};

/// All rules of an instance, as far as they are not settled by features without a choice.
#[derive(Debug, Default)]
pub(in crate::search) struct Rules {
    pub clauses: Vec<Clause>,
    pub sums: Vec<Sum>,
}

/// At least one of these holds.
#[derive(Debug, Clone)]
pub(in crate::search) struct Clause {
    pub literals: Vec<ValueLiteral>,
}

/// The values at which a feature makes a clause hold.
#[derive(Debug, Clone)]
pub(in crate::search) struct ValueLiteral {
    pub f: usize,
    /// In rising order, and apart from each other.
    intervals: Vec<(ValueIndex, ValueIndex)>,
}

/// The coefficients of the taken values add up to at most `most`.
#[derive(Debug)]
pub(in crate::search) struct Sum {
    pub parts: Vec<Part>,
    pub most: f64,
}

/// What a feature adds to a sum.
#[derive(Debug)]
pub(in crate::search) struct Part {
    pub f: usize,
    runs: Runs,
}

impl ValueLiteral {
    pub(in crate::search) fn new(f: usize, mut intervals: Vec<(ValueIndex, ValueIndex)>) -> Self {
        intervals.sort_unstable();
        let mut joined: Vec<(ValueIndex, ValueIndex)> = Vec::with_capacity(intervals.len());
        for (low, high) in intervals {
            match joined.last_mut() {
                Some(before) if low <= before.1 + 1 => before.1 = before.1.max(high),
                _ => joined.push((low, high)),
            }
        }
        Self { f, intervals: joined }
    }

    /// The intervals that reach into a span.
    fn inside(
        &self,
        (low, high): (ValueIndex, ValueIndex),
    ) -> impl Iterator<Item = (ValueIndex, ValueIndex)> {
        let from = self.intervals.partition_point(|interval| interval.1 < low);
        let reaching = self.intervals[from..].iter().take_while(move |i| i.0 <= high);
        reaching.map(move |i| (i.0.max(low), i.1.min(high)))
    }

    /// How many values of an interval hold.
    pub(in crate::search) fn count(&self, span: (ValueIndex, ValueIndex)) -> ValueIndex {
        self.inside(span).map(|(low, high)| high - low + 1).sum()
    }

    /// Whether it holds at a value.
    pub(in crate::search) fn holds(&self, index: ValueIndex) -> bool {
        self.inside((index, index)).next().is_some()
    }

    /// The first and the last value of an interval that hold.
    pub(in crate::search) fn hull(
        &self,
        span: (ValueIndex, ValueIndex),
    ) -> Option<(ValueIndex, ValueIndex)> {
        let mut inside = self.inside(span);
        let first = inside.next()?;
        Some((first.0, inside.last().unwrap_or(first).1))
    }

    /// The longest interval around a value, inside a span, where nothing holds.
    pub(in crate::search) fn gap(
        &self,
        (low, high): (ValueIndex, ValueIndex),
        index: ValueIndex,
    ) -> (ValueIndex, ValueIndex) {
        let after = self.intervals.partition_point(|interval| interval.1 < index);
        let before = after.checked_sub(1).map(|at| self.intervals[at].1 + 1);
        let next = self.intervals.get(after).map(|interval| interval.0.saturating_sub(1));
        (low.max(before.unwrap_or(low)), high.min(next.unwrap_or(high)))
    }
}

impl Part {
    pub(in crate::search) fn at(&self, index: ValueIndex) -> f64 {
        self.runs.at(index)
    }

    /// The least coefficient of an interval.
    pub(in crate::search) fn least(&self, span: (ValueIndex, ValueIndex)) -> f64 {
        self.runs.least(span)
    }

    /// The first and the last value of an interval whose coefficients are at most this.
    pub(in crate::search) fn ends_at_most(
        &self,
        span: (ValueIndex, ValueIndex),
        most: f64,
    ) -> Option<(ValueIndex, ValueIndex)> {
        let first = self.runs.first_at_most(span, most)?;
        Some((first, self.runs.last_at_most(span, most).unwrap_or(first)))
    }

    /// The longest interval around a value, inside a span, with coefficients above this.
    pub(in crate::search) fn run_above(
        &self,
        (low, high): (ValueIndex, ValueIndex),
        index: ValueIndex,
        most: f64,
    ) -> (ValueIndex, ValueIndex) {
        let below = if index > low { self.runs.last_at_most((low, index - 1), most) } else { None };
        let above =
            if index < high { self.runs.first_at_most((index + 1, high), most) } else { None };
        (below.map_or(low, |below| below + 1), above.map_or(high, |above| above - 1))
    }
}

impl Rules {
    /// Lays out an instance's rules for its movable features.
    pub(in crate::search) fn new(
        instance: &Instance,
        features: &[Feature],
        parts: &[Laid],
    ) -> Self {
        let mut rules = Self::default();
        for rule in instance.rules() {
            match &rule.kind {
                RuleKind::AnyOf(literals) => {
                    rules.clauses.extend(clauses(features, parts, literals));
                }
                RuleKind::AtMost { terms, most } => {
                    let mut sums: Vec<Option<Coefficients>> = vec![None; parts.len()];
                    let (mut fixed, mut size) = (0.0, most.abs());
                    for term in terms {
                        size += term.coefficients.largest();
                        if let Laid::Fixed = parts[term.feature] {
                            fixed += term.coefficients.at(0);
                        } else {
                            let sum = &mut sums[term.feature];
                            *sum = Some(match sum {
                                None => term.coefficients.clone(),
                                Some(sum) => sum.plus(&term.coefficients),
                            });
                        }
                    }
                    let each = sums.iter().zip(parts);
                    let laid = each.filter_map(|(sum, part)| Some((sum.as_ref()?, part)));
                    let parts = laid.flat_map(|(sum, part)| sum_parts(features, *part, sum));
                    // The tolerance of the checker, and rounding: a few operations per term, none larger than the sizes
                    // together.
                    let rounding = 16.0 * (terms.len() as f64 + 4.0) * f64::EPSILON;
                    let margin = (rounding + SUM_TOLERANCE) * size;
                    rules.sums.push(Sum { parts: parts.collect(), most: most - fixed + margin });
                }
            }
        }
        rules.clauses.extend(links(features, parts));
        rules
    }

    #[inline]
    pub(in crate::search) fn is_empty(&self) -> bool {
        self.clauses.is_empty() && self.sums.is_empty()
    }

    /// Whether a point holds every rule, as far as rounding lets us say: the checker has the last word.
    #[inline]
    pub(in crate::search) fn hold(&self, index: impl Fn(usize) -> ValueIndex) -> bool {
        self.is_empty() || self.all_hold(index)
    }

    fn all_hold(&self, index: impl Fn(usize) -> ValueIndex) -> bool {
        self.clauses.iter().all(|clause| clause.holds(&index))
            && self.sums.iter().all(|sum| sum.at(&index) <= sum.most)
    }
}

impl Clause {
    pub(in crate::search) fn holds(&self, index: impl Fn(usize) -> ValueIndex) -> bool {
        self.literals.iter().any(|literal| literal.holds(index(literal.f)))
    }
}

impl Sum {
    pub(in crate::search) fn at(&self, index: impl Fn(usize) -> ValueIndex) -> f64 {
        self.parts.iter().map(|part| part.at(index(part.f))).sum()
    }
}

/// A clause over options as clauses over values; none where a feature without a choice makes it hold.
fn clauses(features: &[Feature], parts: &[Laid], literals: &[Literal]) -> Vec<Clause> {
    let mut options: Vec<Option<OptionSet>> = vec![None; parts.len()];
    for literal in literals {
        let known = &mut options[literal.feature];
        *known = Some(match known {
            None => literal.options.clone(),
            Some(known) => known.union(&literal.options),
        });
    }
    let mut clauses = vec![Clause { literals: Vec::new() }];
    for (part, options) in parts.iter().zip(&options) {
        let Some(options) = options else { continue };
        match *part {
            Laid::Fixed if options.is_empty() => {}
            Laid::Fixed => return Vec::new(),
            Laid::Whole(f) => {
                let mut intervals = Vec::new();
                for &interval in options.intervals() {
                    features[f].values.indices_of(interval, &mut intervals);
                }
                for clause in &mut clauses {
                    clause.literals.push(ValueLiteral::new(f, intervals.clone()));
                }
            }
            Laid::Split { state, number } => {
                let ways = split_literal(features, (state, number), options);
                let longer = |clause: Clause| {
                    ways.iter().map(move |way| Clause {
                        literals: clause.literals.iter().chain(way).cloned().collect(),
                    })
                };
                clauses = clauses.into_iter().flat_map(longer).collect();
            }
        }
    }
    clauses
}

/// What the movable features of an instance's feature add to a sum.
fn sum_parts(features: &[Feature], part: Laid, sum: &Coefficients) -> Vec<Part> {
    match part {
        Laid::Fixed => Vec::new(),
        Laid::Whole(f) => vec![Part { f, runs: by_value(&features[f].values, sum) }],
        Laid::Split { state, number } => {
            let numbers = by_value(&features[number].values, sum);
            let at = |index: ValueIndex| match features[state].values.option(index) {
                BY_NUMBER => 0.0,
                // The state's own coefficient; what its number adds is taken off again.
                option => {
                    let ties = features[state].state();
                    let number = ties.and_then(|ties| ties.numbers[index as usize].first());
                    sum.at(option) - number.map_or(0.0, |number| numbers.at(number.0))
                }
            };
            let run = |index: ValueIndex| Run {
                start: index as usize,
                first: at(index),
                step: 0.0,
                count: 1,
            };
            let states = Runs::new((0..=features[state].last()).map(run).collect());
            vec![Part { f: state, runs: states }, Part { f: number, runs: numbers }]
        }
    }
}

/// Numbers per option as numbers per value.
fn by_value(values: &Values, numbers: &Coefficients) -> Runs {
    match values {
        Values::Listed { options, .. } => {
            let run = |(index, &option): (usize, &usize)| Run {
                start: index,
                first: numbers.at(option),
                step: 0.0,
                count: 1,
            };
            Runs::new(options.iter().enumerate().map(run).collect())
        }
        Values::Spaced { segments, .. } => runs_of(numbers, segments),
    }
}
