//! The fewest rules that have to be relaxed, counted over every application.

use amends::answer::{Answer, Ask};
use amends::data::{LocalRule, Record, Schema};
use amends::engine::Control;
use amends::explain::{Case, FeatureRule, Goal, Relaxed, Wishes};
use amends::model::ModelKind;
use amends::{Engine, Preset, SolveSettings, Solving, Status};

use super::margins::is_robust;
use super::plans::worlds;
use super::world::{Candidate, World, changes};

/// Rules that a candidate breaks, the limit on changes counted as one.
fn needed(candidate: &Candidate) -> usize {
    candidate.broken + usize::from(candidate.moves > 2)
}

/// The best plan, or why there is none.
fn best_plan_or_why_none(case: &Case<'_>) -> Answer {
    let (settings, control) = (SolveSettings::default(), Control::default());
    let solving = Solving { engine: &Engine::Search, settings: &settings, control: &control };
    Ask::best().answer_case(case, &solving).unwrap()
}

#[test]
fn no_fewer_rules_and_no_cheaper_plan() {
    let (mut one, mut more, mut by_count) = (0, 0, 0);
    worlds(4, 70, |rng, schema| {
        let kind = ModelKind::LogisticRegression;
        let world = World::new(rng, schema, kind, Goal::default(), Preset::Standard);
        for applicant in world.rejected().take(4) {
            let wishes = Wishes::default();
            let case = world.explainer.case(applicant, &wishes).unwrap();
            let answer = best_plan_or_why_none(&case);
            let explanation = answer.first();
            assert_eq!(explanation.status == Status::Infeasible, explanation.why_none.is_some());
            let Some(why) = &explanation.why_none else { continue };
            assert!(why.settled && why.all_ways);
            let candidates = world.candidates(applicant);
            let fewest = candidates.iter().map(needed).min();
            let context = || format!("{applicant:?}\n{}", schema.to_toml());
            assert_eq!(fewest, (!why.ways.is_empty()).then_some(why.at_least), "{}", context());
            let mut limited = false;
            for way in &why.ways {
                assert_eq!(way.relaxed.len(), why.at_least);
                assert_eq!(way.explanation.status, Status::Optimal);
                let plan = way.explanation.plan.as_ref().unwrap();
                let same = candidates.iter().find(|one| one.record == plan.record).unwrap();
                assert_eq!(needed(same), why.at_least, "{}", context());
                check_words(schema, applicant, &plan.record, &way.relaxed);
                assert!((same.cost - plan.costs.objective).abs() <= 1e-7 * same.cost);
                for relaxed in &way.relaxed {
                    if let Relaxed::MaxChanges { allowed, needed } = relaxed {
                        limited = true;
                        assert_eq!((*allowed, *needed), (2, same.moves));
                        by_count += 1;
                    }
                }
            }
            // With more changes the fewest come before the cheapest.
            if let (Some(first), false) = (why.ways.first(), limited) {
                let cheapest = candidates
                    .iter()
                    .filter(|one| needed(one) == why.at_least)
                    .map(|one| one.cost)
                    .fold(f64::INFINITY, f64::min);
                let found = first.explanation.plan.as_ref().unwrap().costs.objective;
                assert!((found - cheapest).abs() <= 1e-7 * cheapest, "{found} {cheapest}");
            }
            *(if why.at_least == 1 { &mut one } else { &mut more }) += 1;
        }
    });
    assert!(one > 30 && more > 5 && by_count > 5, "{one} {more} {by_count}");
}

/// What stands in the way is said as it is: a size that is too small, a number outside its range, or one too far away.
fn check_words(schema: &Schema, before: &Record, after: &Record, relaxed: &[Relaxed]) {
    for one in relaxed {
        let Relaxed::Feature { feature, rule: FeatureRule::Range, .. } = one else { continue };
        let place = schema.feature_index(feature).unwrap();
        let broken = schema.features[place].broken(before[place], after[place]);
        let text = one.to_string();
        let says = |words: &str| text.contains(words);
        assert_eq!(says("change by less"), broken == [LocalRule::LeastChange], "{text} {broken:?}");
        assert_eq!(says("outside its range"), broken == [LocalRule::Range], "{text} {broken:?}");
        let far = [LocalRule::MaxChange, LocalRule::OneStep];
        assert_eq!(says("go farther"), far.iter().any(|rule| broken.contains(rule)), "{text}");
    }
}

/// Whether some change lowers the score if it is the only one.
fn is_harmful(world: &World, before: &Record, after: &Record) -> bool {
    let score = world.explainer.score(before);
    changes(&world.dataset.schema, before, after).iter().any(|features| {
        let mut alone = before.clone();
        for &feature in features {
            alone[feature] = after[feature];
        }
        world.explainer.score(&alone) < score - 1e-9
    })
}

/// What applicants may want although it lowers their score.
const WISHES: [&str; 4] = ["income falls", "debt rises", "income rises", "debt falls"];

/// That no change is harmful is one more rule that may have to give way.
#[test]
fn harmful_changes_are_among_the_reasons() {
    let goal = Goal { harmless: true, ..Goal::default() };
    let (mut in_the_way, mut others) = (0, 0);
    for (seed, kind) in [(21, ModelKind::LogisticRegression), (22, ModelKind::RandomForest)] {
        worlds(seed, 40, |rng, schema| {
            let world = World::new(rng, schema, kind, goal, Preset::Standard);
            for (applicant, wish) in world.rejected().take(4).zip(WISHES.iter().cycle()) {
                let wishes = Wishes::parse([*wish], schema).unwrap();
                let case = world.explainer.case(applicant, &wishes).unwrap();
                let answer = best_plan_or_why_none(&case);
                let explanation = answer.first();
                if let Some(plan) = &explanation.plan {
                    assert!(!is_harmful(&world, applicant, &plan.record));
                }
                let Some(why) = &explanation.why_none else { continue };
                let in_all = |one: &Candidate| {
                    let harmful = is_harmful(&world, applicant, &one.record);
                    let against_wish = !wishes.rules[0].allows(applicant, &one.record);
                    needed(one) + usize::from(harmful) + usize::from(against_wish)
                };
                let fewest = world.candidates(applicant).iter().map(in_all).min();
                let context = format!("{kind} {applicant:?}\n{}", schema.to_toml());
                assert_eq!(fewest, (!why.ways.is_empty()).then_some(why.at_least), "{context}");
                for way in &why.ways {
                    let plan = way.explanation.plan.as_ref().unwrap();
                    let relaxed = way.relaxed.contains(&Relaxed::Harmless);
                    assert_eq!(is_harmful(&world, applicant, &plan.record), relaxed, "{context}");
                    *(if relaxed { &mut in_the_way } else { &mut others }) += 1;
                }
            }
        });
    }
    assert!(in_the_way > 5 && others > 5, "{in_the_way} {others}");
}

#[test]
fn reasons_hold_with_a_step_to_spare() {
    let goal = Goal { step_to_spare: true, ..Goal::default() };
    for (seed, kind) in [(8, ModelKind::LogisticRegression), (9, ModelKind::RandomForest)] {
        let mut explained = 0;
        worlds(seed, 12, |rng, schema| {
            let world = World::new(rng, schema, kind, goal, Preset::Standard);
            for applicant in world.rejected().take(2) {
                let wishes = Wishes::default();
                let case = world.explainer.case(applicant, &wishes).unwrap();
                let answer = best_plan_or_why_none(&case);
                let Some(why) = &answer.first().why_none else { continue };
                let candidates = world.candidates(applicant);
                let robust = candidates
                    .iter()
                    .filter(|one| is_robust(&world, applicant, &one.record))
                    .map(needed)
                    .min();
                let fewest = (!why.ways.is_empty()).then_some(why.at_least);
                assert_eq!(fewest, robust, "{kind} {applicant:?}\n{}", schema.to_toml());
                for way in &why.ways {
                    let plan = way.explanation.plan.as_ref().unwrap();
                    assert!(is_robust(&world, applicant, &plan.record));
                    explained += 1;
                }
            }
        });
        assert!(explained > 5, "{kind}: {explained}");
    }
}
