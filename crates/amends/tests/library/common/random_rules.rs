//! Random rules: clauses, sums, equalities as two sums, and those that never or always hold.

use amends::instance::{Coefficients, FeatureOptions, Literal, OptionRule, OptionSet, Term};
use proptest::collection::vec;
use proptest::prelude::*;

use super::random_instance::{MANY, number};

/// No rules for about half of the instances, one to three for the others (an equality counts as one).
pub fn rules(
    features: &[FeatureOptions],
    x: &[f64],
) -> impl Strategy<Value = Vec<OptionRule>> + use<> {
    let some = vec(rule(features, x), 1..4).prop_map(|rules| rules.concat());
    prop_oneof![Just(Vec::new()), some]
}

/// One demand, as the one or two rules that say it.
fn rule(features: &[FeatureOptions], x: &[f64]) -> impl Strategy<Value = Vec<OptionRule>> + use<> {
    let clause = vec(literal(features), 0..4).prop_map(|l| vec![OptionRule::any_of("clause", l)]);
    let limit = prop_oneof![(-2..4i32).prop_map(f64::from), -6.0..6.0f64, Just(1e3), Just(-1e3)];
    let sum = (vec(term(features, x), 0..4), limit.clone())
        .prop_map(|(terms, most)| vec![OptionRule::at_most("sum", terms, most)]);
    let equality = (vec(term(features, x), 1..3), number()).prop_map(|(terms, value)| {
        let negative = |term: &Term| {
            let mut coefficients = Coefficients::default();
            for run in term.coefficients.runs() {
                coefficients.push(-run.first, -run.step, run.count);
            }
            Term { feature: term.feature, coefficients }
        };
        let opposite = terms.iter().map(negative).collect();
        vec![
            OptionRule::at_most("no more", terms, value),
            OptionRule::at_most("no less", opposite, -value),
        ]
    });
    let (few_changes, link) = (few_changes(features, x), link(features, x));
    prop_oneof![3 => clause, 3 => sum, 2 => equality, 2 => few_changes, 2 => link]
}

/// At most, or at least, so many of the picked features change.
fn few_changes(
    features: &[FeatureOptions],
    x: &[f64],
) -> impl Strategy<Value = Vec<OptionRule>> + use<> {
    let (features, x) = (features.to_vec(), x.to_vec());
    let sign = prop_oneof![Just(1.0), Just(-1.0)];
    (vec(any::<bool>(), features.len()), 0..3u8, sign).prop_map(move |(picked, count, sign)| {
        let terms = features.iter().enumerate().filter(|(f, _)| picked[*f]).map(|(f, feature)| {
            let mut coefficients = Coefficients::constant(sign, feature.options.len());
            for &kept in feature.keep_set(&x).intervals() {
                coefficients.raise(kept, -sign);
            }
            Term { feature: f, coefficients }
        });
        vec![OptionRule::at_most("how many change", terms.collect(), sign * f64::from(count))]
    })
}

/// Where one feature changes, another one takes one of a few options.
fn link(features: &[FeatureOptions], x: &[f64]) -> impl Strategy<Value = Vec<OptionRule>> + use<> {
    let keep_sets: Vec<OptionSet> = features.iter().map(|its| its.keep_set(x)).collect();
    (0..features.len(), literal(features)).prop_map(move |(f, then)| {
        let keep = keep_sets[f].clone();
        vec![OptionRule::any_of("link", vec![Literal { feature: f, options: keep }, then])]
    })
}

fn literal(features: &[FeatureOptions]) -> impl Strategy<Value = Literal> + use<> {
    let counts: Vec<usize> = features.iter().map(|feature| feature.options.len()).collect();
    (0..counts.len()).prop_flat_map(move |feature| {
        options(counts[feature]).prop_map(move |options| Literal { feature, options })
    })
}

/// Some of a feature's options; intervals where there are many.
fn options(count: usize) -> impl Strategy<Value = OptionSet> {
    if count <= MANY {
        let picked = vec(any::<bool>(), count);
        let set = |picked: Vec<bool>| (0..picked.len()).filter(|&o| picked[o]).collect();
        return picked.prop_map(set).boxed();
    }
    let interval = (0..count, 0..count).prop_map(|(a, b)| (a.min(b), a.max(b)));
    vec(interval, 0..3).prop_map(OptionSet::from_iter).boxed()
}

fn term(features: &[FeatureOptions], x: &[f64]) -> impl Strategy<Value = Term> + use<> {
    let (features, x) = (features.to_vec(), x.to_vec());
    (0..features.len()).prop_flat_map(move |feature| {
        let (its, x) = (features[feature].clone(), x.clone());
        let count = its.options.len();
        // A multiple of the change itself, or anything.
        let multiple = number().prop_map(move |factor| multiple(&its, &x, factor));
        let coefficients = if count <= MANY {
            prop_oneof![multiple, vec(number(), count).prop_map(Coefficients::from)].boxed()
        } else {
            let flat =
                (options(count), number(), number()).prop_map(move |(set, inside, outside)| {
                    let mut coefficients = Coefficients::constant(outside, count);
                    for &interval in set.intervals() {
                        coefficients.raise(interval, inside - outside);
                    }
                    coefficients
                });
            prop_oneof![multiple, flat].boxed()
        };
        coefficients.prop_map(move |coefficients| Term { feature, coefficients })
    })
}

/// A multiple of what every option changes in the first column.
fn multiple(feature: &FeatureOptions, x: &[f64], factor: f64) -> Coefficients {
    let mut coefficients = Coefficients::default();
    let own = x[feature.columns[0]];
    for (_, range) in feature.options.ranges() {
        coefficients.push(factor * (range.value(0, 0) - own), factor * range.step(), range.len());
    }
    for (_, row) in feature.options.listed_values() {
        coefficients.push(factor * (row[0] - own), 0.0, 1);
    }
    coefficients
}
