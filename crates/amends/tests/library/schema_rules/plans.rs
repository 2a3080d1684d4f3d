//! No plan breaks a rule, and none that holds them all is cheaper.

use amends::engine::Control;
use amends::explain::Goal;
use amends::milp::{Formulation, default_solver};
use amends::model::ModelKind;
use amends::{Engine, Preset, SolveSettings, Status};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::world::{World, schema};

/// Goes through random schemas; `try_world` is given every one with its random stream.
pub fn worlds(
    seed: u64,
    count: usize,
    mut try_world: impl FnMut(&mut ChaCha8Rng, &amends::data::Schema),
) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut tried = 0;
    while tried < count {
        let rules = rng.random_range(0..4);
        if let Some(schema) = schema(&mut rng, rules) {
            tried += 1;
            try_world(&mut rng, &schema);
        }
    }
}

#[test]
fn plans_are_the_best_of_all_applications_that_hold_the_rules() {
    for (seed, kind) in [(1, ModelKind::LogisticRegression), (2, ModelKind::RandomForest)] {
        let (mut plans, mut none) = (0, 0);
        worlds(seed, 60, |rng, schema| {
            let world = World::new(rng, schema, kind, Goal::default(), Preset::Standard);
            for applicant in world.rejected().take(4) {
                let found = world.explain(applicant);
                assert_eq!(found.values_offered, None);
                let allowed = world.candidates(applicant).into_iter();
                let allowed = allowed.filter(|one| one.broken == 0 && one.moves <= 2);
                let best = allowed.min_by(|a, b| a.cost.total_cmp(&b.cost));
                match (found.plan, best) {
                    (Some(plan), Some(best)) => {
                        assert_eq!(found.status, Status::Optimal);
                        let broken = schema.broken(applicant, &plan.record);
                        assert!(broken.is_empty(), "{broken:?}");
                        let off = (plan.costs.objective - best.cost).abs();
                        assert!(off <= 1e-7 * best.cost, "{} {}", plan.costs.objective, best.cost);
                        plans += 1;
                    }
                    (None, None) => {
                        assert_eq!(found.status, Status::Infeasible);
                        none += 1;
                    }
                    (plan, best) => {
                        let reported = plan.map(|plan| plan.record);
                        let best = best.map(|best| best.record);
                        panic!("{kind}: {reported:?} {best:?} {applicant:?} {}", schema.to_toml());
                    }
                }
            }
        });
        assert!(plans > 60 && none > 40, "{kind}: {plans} {none}");
    }
}

#[test]
fn programs_agree_with_the_search_under_every_rule() {
    let milp = Engine::Milp { formulation: Formulation::Compact, solver: default_solver() };
    let mut plans = 0;
    worlds(3, 20, |rng, schema| {
        let kind = ModelKind::LogisticRegression;
        let world = World::new(rng, schema, kind, Goal::default(), Preset::Dace);
        for applicant in world.rejected().take(2) {
            let explain = |engine: &Engine| {
                let settings = SolveSettings::default();
                world.explainer.explain(applicant, engine, &settings, &Control::default()).unwrap()
            };
            let (ours, theirs) = (explain(&Engine::Search), explain(&milp));
            assert_eq!(ours.status, theirs.status, "{:?}", theirs.remark);
            let cost = |explanation: &amends::Explanation| {
                explanation.plan.as_ref().map(|plan| plan.costs.objective)
            };
            if let (Some(ours), Some(cost)) = (cost(&ours), cost(&theirs)) {
                assert!((ours - cost).abs() <= 1e-6 * ours, "{ours} {cost}");
                let record = &theirs.plan.as_ref().unwrap().record;
                assert!(schema.broken(applicant, record).is_empty());
                plans += 1;
            }
        }
    });
    assert!(plans > 10, "{plans}");
}
