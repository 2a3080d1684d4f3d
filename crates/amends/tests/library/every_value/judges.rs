//! The judge of rules here and the library's own check, written apart, agree where numbers are neither tiny nor huge.

use amends::data::{BrokenRule, Record};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::family;
use super::feature::Cell;
use super::problem::Problem;
use super::rule::Step;
use super::world::World;

/// Applications that are tried for each applicant.
const TRIED: usize = 100;

#[test]
fn both_judges_agree() {
    let (mut allowed, mut forbidden) = (0, 0);
    for name in ["rules", "together", "equations", "limits", "codes"] {
        for seed in 0..20 {
            let Ok(Some(world)) = World::new(&family(name), seed) else { continue };
            for applicant in &world.applicants {
                let problem = Problem::new(&world, applicant).unwrap();
                let rng = &mut ChaCha8Rng::seed_from_u64(seed);
                for _ in 0..TRIED {
                    let mut cells = applicant.cells.clone();
                    for its in &problem.moves {
                        let option = &its.options[rng.random_range(0..its.options.len())];
                        if rng.random_bool(0.6) {
                            its.members.iter().zip(option).for_each(|(&f, &cell)| cells[f] = cell);
                        }
                    }
                    let (holds, fails) = agree(&world, &applicant.cells, &applicant.record, &cells);
                    allowed += holds;
                    forbidden += fails;
                }
            }
        }
    }
    assert!(allowed > 1000 && forbidden > 1000, "{allowed} {forbidden}");
}

/// How many of the schema's rules an application holds, and how many it breaks, by both judges.
fn agree(world: &World, own: &[Cell], before: &Record, cells: &[Cell]) -> (usize, usize) {
    let schema = world.explainer.schema();
    let texts = world.features.iter().zip(cells).map(|(feature, &cell)| feature.text(cell));
    let read = schema.features.iter().zip(texts);
    let after: Record = read.map(|(feature, text)| feature.parse(&text).unwrap()).collect();
    let broken = schema.broken(before, &after);
    let context = || format!("{before:?} {after:?} {broken:?}\n{}", world.schema_text);
    let local = broken.iter().any(|broken| matches!(broken.what, BrokenRule::Local(_)));
    assert!(!local, "{}", context());
    let mut fails = 0;
    for (place, rule) in world.rules.iter().take(schema.rules.len()).enumerate() {
        let theirs = broken.iter().any(|broken| broken.what == BrokenRule::Cross(place));
        let mine = !rule.allows(Step { before: own, after: cells });
        assert_eq!(mine, theirs, "{}", context());
        fails += usize::from(mine);
    }
    (schema.rules.len() - fails, fails)
}
