//! Random combinations of classifiers: every transformation and every way to combine.

use amends::model::{Classifier, Combine, Combined, Member, Transform};
use proptest::collection::vec;
use proptest::prelude::*;

/// Numbers of a coarse grid, or from anywhere.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![(-4..5i32).prop_map(|n| f64::from(n) / 2.0), -2.0..2.0f64]
}

/// A table that rises, or falls.
fn isotonic() -> impl Strategy<Value = Transform> {
    (vec((0.05..2.0f64, prop_oneof![Just(0.0), 0.0..0.5f64]), 1..5), number(), any::<bool>())
        .prop_map(|(steps, from, falling)| {
            let (mut score, mut value) = (from, 0.1);
            let (mut scores, mut values) = (Vec::new(), Vec::new());
            for (wide, high) in steps {
                scores.push(score);
                values.push(if falling { -value } else { value });
                (score, value) = (score + wide, value + high);
            }
            Transform::Isotonic { scores, values }
        })
}

fn transform() -> impl Strategy<Value = Transform> {
    prop_oneof![
        3 => Just(Transform::Identity),
        3 => (number(), number()).prop_map(|(slope, offset)| Transform::Logistic { slope, offset }),
        2 => isotonic(),
        2 => number().prop_map(|cut| Transform::Vote { cut }),
    ]
}

/// Up to three members from a strategy, transformed and combined.
pub fn combined(single: BoxedStrategy<Classifier>) -> BoxedStrategy<Classifier> {
    (vec((single, transform(), number()), 1..4), 0..4usize, 0..100usize)
        .prop_map(|(drawn, how, pick)| {
            let combine = match how {
                0 | 1 => Combine::Sum,
                2 => Combine::Minimum,
                _ => Combine::KthLargest(1 + pick % drawn.len()),
            };
            let member = |(classifier, transform, weight): (Classifier, Transform, f64)| {
                let weight = if combine == Combine::Sum { weight } else { 1.0 };
                Member { classifier, transform, weight }
            };
            let members = drawn.into_iter().map(member).collect();
            Classifier::Combined(Combined { members, combine, intercept: 0.0 })
        })
        .boxed()
}

/// Up to three members with their scores as they are, added up; or all of them must accept, sums among them.
pub fn rows(single: BoxedStrategy<Classifier>) -> BoxedStrategy<Classifier> {
    (vec((single, number()), 1..4), any::<bool>())
        .prop_map(|(drawn, every)| {
            let inner = |classifier: &Classifier| match classifier {
                Classifier::Combined(combined) => combined.combine != Combine::Sum,
                _ => false,
            };
            // A sum of minima is none that rows can say.
            let every = every || drawn.iter().any(|(classifier, _)| inner(classifier));
            let combine = if every { Combine::Minimum } else { Combine::Sum };
            let member = |(classifier, weight): (Classifier, f64)| Member {
                weight: if every { 1.0 } else { weight },
                ..Member::new(classifier)
            };
            let members = drawn.into_iter().map(member).collect();
            Classifier::Combined(Combined { members, combine, intercept: 0.0 })
        })
        .boxed()
}
