//! Random rules: clauses, sums, equalities as two sums, and those that never or always hold.

use amends::instance::{FeatureOptions, Literal, Rule, Term};
use proptest::collection::vec;
use proptest::prelude::*;

use super::random_instance::number;

/// No rules for about half of the instances, one to three for the others (an equality counts as one).
pub fn rules(features: &[FeatureOptions]) -> impl Strategy<Value = Vec<Rule>> + use<> {
    let some = vec(rule(features), 1..4).prop_map(|rules| rules.concat());
    prop_oneof![Just(Vec::new()), some]
}

/// One demand, as the one or two rules that say it.
fn rule(features: &[FeatureOptions]) -> impl Strategy<Value = Vec<Rule>> + use<> {
    let clause = vec(literal(features), 0..4).prop_map(|l| vec![Rule::any_of("clause", l)]);
    let limit = prop_oneof![(-2..4i32).prop_map(f64::from), -6.0..6.0f64, Just(1e3), Just(-1e3)];
    let sum = (vec(term(features), 0..4), limit.clone())
        .prop_map(|(terms, most)| vec![Rule::at_most("sum", terms, most)]);
    let equality = (vec(term(features), 1..3), number()).prop_map(|(terms, value)| {
        let negative = |term: &Term| Term {
            feature: term.feature,
            coefficients: term.coefficients.iter().map(|c| -c).collect(),
        };
        let opposite = terms.iter().map(negative).collect();
        vec![Rule::at_most("no more", terms, value), Rule::at_most("no less", opposite, -value)]
    });
    let (few_changes, link) = (few_changes(features), link(features));
    prop_oneof![3 => clause, 3 => sum, 2 => equality, 2 => few_changes, 2 => link]
}

fn keeps(feature: &FeatureOptions, option: usize) -> bool {
    feature.options[option].iter().all(|&change| change == 0.0)
}

/// At most, or at least, so many of the picked features change.
fn few_changes(features: &[FeatureOptions]) -> impl Strategy<Value = Vec<Rule>> + use<> {
    let features = features.to_vec();
    let sign = prop_oneof![Just(1.0), Just(-1.0)];
    (vec(any::<bool>(), features.len()), 0..3u8, sign).prop_map(move |(picked, count, sign)| {
        let terms = features.iter().enumerate().filter(|(f, _)| picked[*f]).map(|(f, feature)| {
            let changes = |option| if keeps(feature, option) { 0.0 } else { sign };
            Term { feature: f, coefficients: (0..feature.options.len()).map(changes).collect() }
        });
        vec![Rule::at_most("how many change", terms.collect(), sign * f64::from(count))]
    })
}

/// Where one feature changes, another one takes one of a few options.
fn link(features: &[FeatureOptions]) -> impl Strategy<Value = Vec<Rule>> + use<> {
    let all = features.to_vec();
    (0..features.len(), literal(features)).prop_map(move |(f, then)| {
        let keep = (0..all[f].options.len()).filter(|&option| keeps(&all[f], option)).collect();
        vec![Rule::any_of("link", vec![Literal { feature: f, options: keep }, then])]
    })
}

fn literal(features: &[FeatureOptions]) -> impl Strategy<Value = Literal> + use<> {
    let counts: Vec<usize> = features.iter().map(|feature| feature.options.len()).collect();
    (0..counts.len()).prop_flat_map(move |feature| {
        vec(any::<bool>(), counts[feature]).prop_map(move |picked| {
            let options = (0..picked.len()).filter(|&option| picked[option]).collect();
            Literal { feature, options }
        })
    })
}

fn term(features: &[FeatureOptions]) -> impl Strategy<Value = Term> + use<> {
    let features = features.to_vec();
    (0..features.len()).prop_flat_map(move |feature| {
        let options = &features[feature].options;
        // A multiple of the change itself, or anything.
        let changes: Vec<f64> = options.iter().map(|option| option[0]).collect();
        let multiple =
            number().prop_map(move |factor| changes.iter().map(|c| factor * c).collect());
        prop_oneof![multiple, vec(number(), options.len())]
            .prop_map(move |coefficients| Term { feature, coefficients })
    })
}
