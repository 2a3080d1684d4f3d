//! Principal reasons against their definition: contributions over every coalition of features, and allowed values counted one by
//! one.

use amends::explain::Case;
use amends::model::{Classifier, Sums};
use amends::reasons::{Attribution, Flips, ReasonGroup, Reasons};

use super::encoding::{columns, encode};
use super::feature::Cell;
use super::moves::{Move, moves};
use super::problem::Problem;
use super::score::{score, sizes};
use super::world::{Applicant, World};
use super::{FAMILIES, Family, family};

/// Draws of every family.
const DRAWS: u64 = 12;

#[derive(Debug, Default)]
struct Seen {
    reasons: usize,
    with_flips: usize,
    without_flips: usize,
    stuck: usize,
    /// Features that rules leave no other value, though their own leave some; and those that only change with others.
    frozen: usize,
    together: usize,
    /// Values that a rule between features forbids where nothing else changes.
    forbidden: usize,
}

#[test]
fn contributions_and_counted_moves_are_what_every_value_says() {
    let mut seen = Seen::default();
    for family in FAMILIES.iter().chain([&family("mixed")]) {
        for seed in 0..DRAWS {
            if let Ok(Some(world)) = World::new(family, seed) {
                check(&world, family, seed, &mut seen);
            }
        }
    }
    println!("{seen:?}");
    assert!(seen.reasons > 500, "{seen:?}");
    assert!(seen.with_flips > 50 && seen.without_flips > 50 && seen.stuck > 15, "{seen:?}");
    assert!(seen.forbidden > 100 && seen.frozen > 10 && seen.together > 10, "{seen:?}");
}

fn check(world: &World, family: &Family, seed: u64, seen: &mut Seen) {
    let explainer = world.explainer.clone();
    let explainer = explainer.with_reason_group(ReasonGroup::All, &world.training).unwrap();
    for applicant in &world.applicants {
        let case: Case = explainer.case(&applicant.record, &world.wishes).unwrap();
        let all = case.reasons(world.features.len()).unwrap();
        let place = format!("{}:{seed}", family.name);
        check_contributions(world, applicant, &all, &place);
        check_moves(world, applicant, &all, &place, seen);
        let two = case.reasons(2).unwrap();
        assert_eq!(two.reasons[..], all.reasons[..all.reasons.len().min(2)], "{place}");
    }
}

fn add_up_in_64_bits(classifier: &mut Classifier) {
    match classifier {
        Classifier::Trees(trees) => trees.sums = Sums::Double,
        Classifier::Combined(combined) => {
            combined.members.iter_mut().for_each(|its| add_up_in_64_bits(&mut its.classifier));
        }
        Classifier::Linear(_) | Classifier::Mlp(_) => {}
    }
}

/// Every coalition of features, in 64 bits.
fn check_contributions(world: &World, applicant: &Applicant, all: &Reasons, place: &str) {
    let mut classifier = world.classifier.clone();
    add_up_in_64_bits(&mut classifier);
    let x = encode(&world.features, &applicant.cells);
    let owners: Vec<usize> = columns(&world.features).iter().map(|its| its.feature).collect();
    let features = world.features.len();
    // What is added up on the way to a score may be far larger than the score.
    let sizes = sizes(&classifier);
    let largest = |row: &Vec<f64>| score(&sizes, &row.iter().map(|x| x.abs()).collect::<Vec<_>>());
    let size = world.rows.iter().chain([&x]).map(largest).fold(1.0, f64::max);
    let worth = |coalition: usize| {
        let mixed = |row: &Vec<f64>| {
            let cells =
                (0..x.len()).map(|c| if coalition >> owners[c] & 1 == 1 { x[c] } else { row[c] });
            score(&classifier, &cells.collect::<Vec<f64>>())
        };
        let scores: Vec<f64> = world.rows.iter().map(mixed).collect();
        scores.iter().sum::<f64>() / scores.len() as f64
    };
    let worths: Vec<f64> = (0..1 << features).map(worth).collect();
    let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
    let expected: Vec<f64> = (0..features)
        .map(|f| {
            let without = (0..1_usize << features).filter(|coalition| coalition >> f & 1 == 0);
            let gains = without.map(|coalition| {
                let (own, others) = (coalition.count_ones() as usize, features - 1);
                let gain = worths[coalition | 1 << f] - worths[coalition];
                gain * factorial(own) * factorial(others - own) / factorial(features)
            });
            gains.sum()
        })
        .collect();
    assert_eq!(all.basis.method, Attribution::Exact, "{place}");
    assert_eq!((all.basis.members, all.basis.used), (world.rows.len(), world.rows.len()));
    for (ours, expected) in all.contributions.iter().zip(&expected) {
        assert!((ours - expected).abs() < 1e-11 * size, "{place}: {all:?} {expected:?}");
    }
    let total: f64 = all.contributions.iter().sum();
    assert!((total - (all.basis.score - all.basis.mean_score)).abs() < 1e-11 * size, "{place}");
    // All that pull the score down, the weightiest first, and nothing else.
    let listed: Vec<f64> = all.reasons.iter().map(|reason| reason.contribution).collect();
    assert!(listed.is_sorted() && listed.iter().all(|&value| value < 0.0), "{place}");
    let lowering = expected.iter().filter(|&&value| value < -1e-11 * size).count();
    assert!(listed.len() >= lowering, "{place}: {all:?} {expected:?}");
    let shares: f64 = all.reasons.iter().map(|reason| reason.share).sum();
    assert!(listed.is_empty() || (shares - 1.0).abs() < 1e-9, "{place}: {shares}");
}

/// Every value that the applicant could write instead, with everything else as it is.
fn check_moves(world: &World, applicant: &Applicant, all: &Reasons, place: &str, seen: &mut Seen) {
    let problem = Problem::new(world, applicant).unwrap();
    let cut = world.explainer.settings().goal.score;
    let all_moves = moves(&world.features, &world.seen, &world.rules, &applicant.cells).unwrap();
    let changing = changing(&problem, &all_moves);
    for reason in &all.reasons {
        // Harmful values count, too: they are values that the applicant could write.
        let action = all_moves.iter().find(|its| its.members.contains(&reason.feature));
        let mut flips = Flips { moves: 0, of: 0 };
        let mut has_values = false;
        // A code stays behind where the others of its group move.
        for option in action.iter().flat_map(|its| &its.options[1..]) {
            has_values = true;
            let mut cells = applicant.cells.clone();
            for (&member, &cell) in action.unwrap().members.iter().zip(option) {
                cells[member] = cell;
            }
            if problem.broken(&cells).is_none() {
                flips.of += 1;
                let row = encode(&world.features, &cells);
                flips.moves += usize::from(score(&world.classifier, &row) >= cut);
            } else {
                seen.forbidden += 1;
            }
        }
        assert_eq!(reason.actionable, Some(changing[reason.feature]), "{place}: {reason:?}");
        let can_change = changing[reason.feature];
        seen.frozen += usize::from(has_values && !can_change);
        seen.together += usize::from(can_change && flips.of == 0);
        assert_eq!(reason.flips, Some(flips), "{place}: {reason:?}");
        seen.reasons += 1;
        match flips.moves {
            _ if !can_change => seen.stuck += 1,
            0 => seen.without_flips += 1,
            _ => seen.with_flips += 1,
        }
    }
}

/// The features that have another value in some application that all rules permit, with no more changes than plans may have.
fn changing(problem: &Problem, moves: &[Move]) -> Vec<bool> {
    let mut changing = vec![false; problem.own.len()];
    let mut cells = problem.own.to_vec();
    visit(problem, moves, problem.max_changes, &mut cells, &mut changing);
    changing
}

fn visit(
    problem: &Problem,
    moves: &[Move],
    left: usize,
    cells: &mut [Cell],
    changing: &mut [bool],
) {
    let Some((action, rest)) = moves.split_first() else {
        let changed: Vec<usize> =
            (0..cells.len()).filter(|&f| cells[f] != problem.own[f]).collect();
        let news = changed.iter().any(|&feature| !changing[feature]);
        if news && problem.broken(cells).is_none() {
            for feature in changed {
                changing[feature] = true;
            }
        }
        return;
    };
    visit(problem, rest, left, cells, changing);
    for option in action.options[1..].iter().filter(|_| left > 0) {
        action.members.iter().zip(option).for_each(|(&member, &cell)| cells[member] = cell);
        visit(problem, rest, left - 1, cells, changing);
    }
    action.members.iter().zip(&action.options[0]).for_each(|(&member, &cell)| cells[member] = cell);
}
