//! Rules laid out for places instead of options.
//!
//! A sum's tolerance is proportional to the sizes that are added up, so it goes into the coefficients:
//! `sum c <= most + t (1 + sum |c|)` is `sum (c - t |c|) <= most + t`. Whatever bounds
//! plain sums then bounds these.

use super::space::{Feature, largest};
use crate::instance::{Instance, RuleKind, SUM_TOLERANCE};

/// All rules of an instance, as far as they are not settled by features without a choice.
#[derive(Debug, Default)]
pub(super) struct Rules {
    pub clauses: Vec<Clause>,
    pub sums: Vec<Sum>,
}

/// At least one of these holds.
#[derive(Debug)]
pub(super) struct Clause {
    pub literals: Vec<Places>,
}

/// The places at which a feature makes a clause hold.
#[derive(Debug)]
pub(super) struct Places {
    pub f: usize,
    pub holds: Vec<bool>,
    /// How many places before each one hold.
    before: Vec<u32>,
}

/// The coefficients of the taken places add up to at most `most`.
#[derive(Debug)]
pub(super) struct Sum {
    pub parts: Vec<Part>,
    pub most: f64,
}

/// What a feature adds to a sum.
#[derive(Debug)]
pub(super) struct Part {
    pub f: usize,
    /// Per place; row `l` holds the least of the `2^l` places from each one on.
    least: Vec<Vec<f64>>,
}

impl Places {
    fn new(f: usize, holds: Vec<bool>) -> Self {
        let mut count = 0;
        let mut before = vec![0];
        before.extend(holds.iter().map(|&holds| {
            count += u32::from(holds);
            count
        }));
        Self { f, holds, before }
    }

    /// How many places of an interval hold.
    pub(super) fn count(&self, (low, high): (u32, u32)) -> u32 {
        self.before[high as usize + 1] - self.before[low as usize]
    }
}

impl Part {
    fn new(f: usize, coefficients: Vec<f64>) -> Self {
        let mut least = vec![coefficients];
        let mut width = 1;
        while 2 * width <= least[0].len() {
            let last = &least[least.len() - 1];
            let next = last.iter().zip(&last[width..]).map(|(a, b)| a.min(*b)).collect();
            least.push(next);
            width *= 2;
        }
        Self { f, least }
    }

    pub(super) fn at(&self, place: u32) -> f64 {
        self.least[0][place as usize]
    }

    /// The least coefficient of an interval: of two halves that may overlap.
    pub(super) fn least(&self, (low, high): (u32, u32)) -> f64 {
        let level = (high - low + 1).ilog2();
        let row = &self.least[level as usize];
        row[low as usize].min(row[(high + 1 - (1 << level)) as usize])
    }
}

impl Rules {
    /// Lays out an instance's rules for its movable features.
    pub(super) fn new(instance: &Instance, features: &[Feature]) -> Self {
        let mut rules = Self::default();
        let mut movable = vec![None; instance.features.len()];
        for (f, feature) in features.iter().enumerate() {
            movable[feature.index] = Some(f);
        }
        for rule in &instance.rules {
            match &rule.kind {
                RuleKind::AnyOf(literals) => {
                    let mut holds: Vec<Option<Vec<bool>>> = vec![None; features.len()];
                    let mut settled = false;
                    for literal in literals {
                        match movable[literal.feature] {
                            Some(f) => {
                                let places = holds[f]
                                    .get_or_insert_with(|| vec![false; features[f].original.len()]);
                                for (place, option) in features[f].original.iter().enumerate() {
                                    places[place] |= literal.options.contains(option);
                                }
                            }
                            None => settled |= !literal.options.is_empty(),
                        }
                    }
                    if !settled {
                        let each = holds.into_iter().enumerate();
                        let literals = each.filter_map(|(f, holds)| Some(Places::new(f, holds?)));
                        rules.clauses.push(Clause { literals: literals.collect() });
                    }
                }
                RuleKind::AtMost { terms, most } => {
                    let effective = |c: f64| c - SUM_TOLERANCE * c.abs();
                    let mut sums: Vec<Option<Vec<f64>>> = vec![None; features.len()];
                    let (mut fixed, mut size) = (0.0, most.abs() + 1.0);
                    for term in terms {
                        size += largest(&term.coefficients);
                        match movable[term.feature] {
                            Some(f) => {
                                let sum = sums[f]
                                    .get_or_insert_with(|| vec![0.0; features[f].original.len()]);
                                for (sum, &option) in sum.iter_mut().zip(&features[f].original) {
                                    *sum += effective(term.coefficients[option]);
                                }
                            }
                            None => fixed += effective(term.coefficients[0]),
                        }
                    }
                    // Rounding: a few operations per term, none larger than the sizes together.
                    let margin = 16.0 * (terms.len() as f64 + 4.0) * f64::EPSILON * size;
                    let each = sums.into_iter().enumerate();
                    let parts = each.filter_map(|(f, sum)| Some(Part::new(f, sum?))).collect();
                    rules.sums.push(Sum { parts, most: most + SUM_TOLERANCE - fixed + margin });
                }
            }
        }
        rules
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.clauses.is_empty() && self.sums.is_empty()
    }

    /// Whether a point holds every rule, as far as rounding lets us say: the checker has the last word.
    #[inline]
    pub(super) fn hold(&self, place: impl Fn(usize) -> u32) -> bool {
        self.is_empty() || self.all_hold(place)
    }

    fn all_hold(&self, place: impl Fn(usize) -> u32) -> bool {
        self.clauses.iter().all(|clause| clause.holds(&place))
            && self.sums.iter().all(|sum| sum.at(&place) <= sum.most)
    }
}

impl Clause {
    pub(super) fn holds(&self, place: impl Fn(usize) -> u32) -> bool {
        self.literals.iter().any(|literal| literal.holds[place(literal.f) as usize])
    }
}

impl Sum {
    pub(super) fn at(&self, place: impl Fn(usize) -> u32) -> f64 {
        self.parts.iter().map(|part| part.at(place(part.f))).sum()
    }
}
