//! Plans with a target of their own, and plans that stay good if numbers are off by a step.

use amends::data::{Record, Value};
use amends::explain::Goal;
use amends::model::ModelKind;
use amends::{Preset, Status};

use super::plans::worlds;
use super::world::World;

/// Whether an application is accepted however many of its changed numbers are off by one.
pub fn is_robust(world: &World, before: &Record, after: &Record) -> bool {
    let mut outcomes = vec![after.clone()];
    for (f, (&old, &new)) in before.iter().zip(after).enumerate() {
        let (true, Value::Number(number)) = (old != new, new) else { continue };
        let (min, max) = world.seen[f].unwrap();
        for outcome in outcomes.clone() {
            for off in [number - 1.0, number + 1.0] {
                if (min..=max).contains(&off) {
                    let mut outcome = outcome.clone();
                    outcome[f] = Value::Number(off);
                    outcomes.push(outcome);
                }
            }
        }
    }
    let goal = world.explainer.settings().goal.of_plans();
    outcomes.iter().all(|outcome| world.explainer.score(outcome) >= goal)
}

#[test]
fn plans_reach_the_target_and_no_farther_than_they_must() {
    let (mut plans, mut none) = (0, 0);
    worlds(5, 25, |rng, schema| {
        let goal = Goal { score: 0.5, margin: 0.25, ..Goal::default() };
        let kind = ModelKind::LogisticRegression;
        let same = World::new(&mut rng.clone(), schema, kind, Goal::default(), Preset::Standard);
        let same = same.explainer.with_goal(goal).unwrap();
        let world = World::new(rng, schema, kind, goal, Preset::Standard);
        for applicant in world.rejected().take(3) {
            assert!(world.explainer.score(applicant) < 0.5);
            // The goal is no part of what is fitted.
            let instance = world.explainer.instance(applicant).unwrap();
            assert_eq!(same.instance(applicant).unwrap(), instance);
            let found = world.explain(applicant);
            let allowed = world.candidates(applicant).into_iter();
            let allowed = allowed.filter(|one| one.broken == 0 && one.moves <= 2);
            let best = allowed.map(|one| one.cost).fold(f64::INFINITY, f64::min);
            let cost_found = found.plan.map_or(f64::INFINITY, |plan| {
                assert!(plan.score >= 0.75);
                plans += 1;
                plan.costs.objective
            });
            none += usize::from(cost_found.is_infinite());
            assert!(
                cost_found == best || (cost_found - best).abs() <= 1e-7 * best,
                "{cost_found} {best}"
            );
        }
    });
    assert!(plans > 20 && none > 5, "{plans} {none}");
}

#[test]
fn a_step_to_spare_is_one_in_every_direction() {
    let goal = Goal { step_to_spare: true, ..Goal::default() };
    for (seed, kind) in [(6, ModelKind::LogisticRegression), (7, ModelKind::RandomForest)] {
        let (mut plans, mut none, mut weak) = (0, 0, 0);
        worlds(seed, 40, |rng, schema| {
            let world = World::new(rng, schema, kind, goal, Preset::Standard);
            for applicant in world.rejected().take(3) {
                let found = world.explain(applicant);
                let candidates = world.candidates(applicant);
                let allowed = candidates.iter().filter(|one| one.broken == 0 && one.moves <= 2);
                let (robust, others): (Vec<_>, Vec<_>) =
                    allowed.partition(|one| is_robust(&world, applicant, &one.record));
                weak += others.len();
                let best = robust.iter().map(|one| one.cost).fold(f64::INFINITY, f64::min);
                let context = || format!("{applicant:?}\n{}", schema.to_toml());
                if let Some(plan) = found.plan {
                    assert_eq!(found.status, Status::Optimal);
                    assert!(is_robust(&world, applicant, &plan.record));
                    assert!(schema.broken(applicant, &plan.record).is_empty());
                    assert!((plan.costs.objective - best).abs() <= 1e-7 * best, "{}", context());
                    plans += 1;
                } else {
                    assert_eq!(found.status, Status::Infeasible);
                    assert!(best.is_infinite(), "{}", context());
                    none += 1;
                }
            }
        });
        assert!(plans > 20 && none > 20 && weak > 100, "{kind}: {plans} {none} {weak}");
    }
}
