//! Plans of tree ensembles close to the applicant: the highest score within a given distance, by coordinate ascent.
//!
//! The greedy walk of `start.rs` weighs what a move gains against what it costs, and misses plans in which several small
//! changes only pay together. Here the distance is given and only the score counts: one feature at a time goes to the best cell
//! within reach, and a changed feature is exchanged for another while that raises the score. A distance at which a plan was
//! found is made smaller, one at which none was found larger.

use crate::search::guess::probe::Probe;
use crate::search::guess::samples::Samples;
use crate::search::guess::start::{cheapest_keep, exchange};
use crate::search::layout::space::{Move, Norm, Space};
use crate::search::layout::values::{ValueIndex, Values};
use crate::search::outlier::reference::Reference;
use crate::solution::Plan;

/// Distances that are tried.
const DISTANCES: usize = 6;

/// Rounds of exchanges per distance.
const ROUNDS: usize = 3;

/// The search for a shorter distance stops at this relative difference.
const CLOSE: f64 = 0.05;

/// Whether to stop looking.
type Halted<'h> = &'h dyn Fn() -> bool;

/// Looks for any plan, without a thought for its cost: one climb over the features, which only `cancelled` stops.
pub(in crate::search) fn first_plan<'s>(
    space: &'s Space<'s>,
    reference: Option<&'s Reference<'s>>,
    cancelled: Halted,
) -> Option<Plan> {
    if !has_heights(space) {
        return None;
    }
    let keep: Vec<ValueIndex> = space.features.iter().map(cheapest_keep).collect();
    let mut probe = Probe::new(space, reference, keep);
    climb(&mut probe, &Samples::new(space), f64::INFINITY, cancelled).then(|| probe.judge())?
}

/// Looks for any plan, and makes it cheaper.
pub(in crate::search) fn any_plan<'s>(
    space: &'s Space<'s>,
    reference: Option<&'s Reference<'s>>,
    halted: Halted,
) -> Option<Plan> {
    let keep: Vec<ValueIndex> = space.features.iter().map(cheapest_keep).collect();
    closer_plan(&mut Probe::new(space, reference, keep.clone()), &keep, None, halted)
}

/// Whether there is a distance, and a score that many values share, so that the highest one within a distance can be looked for.
fn has_heights(space: &Space) -> bool {
    space.norm != Norm::None && space.instance.classifier().is_step_function()
}

/// Looks for a plan that is cheaper than `best`, or for any plan. `None` where none was found, which proves nothing.
pub(in crate::search) fn closer_plan(
    probe: &mut Probe,
    keep: &[ValueIndex],
    best: Option<&Plan>,
    halted: Halted,
) -> Option<Plan> {
    let space = probe.space;
    if !has_heights(space) {
        return None;
    }
    let samples = Samples::new(space);
    let mut found: Option<Plan> = None;
    let (mut too_near, mut far) = (0.0, best.map(|plan| plan.evaluation.distance));
    for _ in 0..DISTANCES {
        let radius = match far {
            Some(far) if far - too_near <= CLOSE * far => break,
            Some(far) => 0.5 * (too_near + far),
            None => f64::INFINITY,
        };
        probe.jump(keep);
        if !climb(probe, &samples, radius, halted) {
            // Without any limit on the distance there is nothing more to try.
            far?;
            too_near = radius;
            continue;
        }
        exchange(probe, &samples, false, halted);
        let Some(plan) = probe.judge() else { break };
        far = Some(plan.evaluation.distance.min(radius));
        let objective = |plan: &Plan| plan.evaluation.objective;
        let least = found.as_ref().or(best).map_or(f64::INFINITY, objective);
        if objective(&plan) < least {
            found = Some(plan);
        }
        if halted() {
            break;
        }
    }
    found
}

/// Climbs to a plan within a distance; false where the way ends before.
fn climb(probe: &mut Probe, samples: &Samples, radius: f64, halted: Halted) -> bool {
    let most = probe.space.instance.max_changes().min(probe.space.features.len());
    for change in 1..=most {
        // The first changes leave room for the others.
        let reach = radius * (change as f64 / most as f64).sqrt();
        let score = probe.score(&[]);
        match best_move(probe, samples, reach, halted) {
            Some((reached, moves)) if reached > score => probe.go(&moves),
            _ => {}
        }
        if probe.score(&[]) >= 0.0 {
            return true;
        }
    }
    for _ in 0..ROUNDS {
        let mut better = false;
        for f in 0..probe.space.features.len() {
            if halted() {
                return false;
            }
            let (index, keep) = (probe.indices[f], probe.space.features[f].keep.0);
            if probe.space.features[f].is_keep(index) || !probe.holds_rules(&[(f, keep)]) {
                continue;
            }
            let (score, before) = (probe.score(&[]), probe.indices.clone());
            probe.go(&[(f, keep)]);
            match best_move(probe, samples, radius, halted) {
                Some((reached, moves)) if reached > score + 1e-12 * score.abs() => {
                    probe.go(&moves);
                    better = true;
                }
                _ => probe.jump(&before),
            }
            if probe.score(&[]) >= 0.0 {
                return true;
            }
        }
        if !better {
            break;
        }
    }
    false
}

/// The move to the highest score within a distance; of moves that are accepted, the one to the least distance.
fn best_move(
    probe: &mut Probe,
    samples: &Samples,
    radius: f64,
    halted: Halted,
) -> Option<(f64, Vec<Move>)> {
    let space = probe.space;
    let full = probe.changes() >= space.instance.max_changes();
    let mut best: Option<((f64, f64), Vec<Move>)> = None;
    for f in 0..space.features.len() {
        if halted() {
            break;
        }
        if full && space.features[f].is_keep(probe.indices[f]) {
            continue;
        }
        for index in promising(probe, samples, f, radius) {
            let Some(moves) = probe.lawful(&[(f, index)]).map(std::borrow::Cow::into_owned) else {
                continue;
            };
            let distance = probe.distance(&moves);
            if distance > radius || probe.changes_after(&moves) > space.instance.max_changes() {
                continue;
            }
            let value = (probe.score(&moves).min(0.0), -distance);
            if best.as_ref().is_none_or(|best| value > best.0) {
                best = Some((value, moves));
            }
        }
    }
    best.map(|((score, _), moves)| (score, moves))
}

/// The values of a feature to which a move within a distance may go: of a number the nearest value of the cell with the highest
/// score, of other features all, or a sample.
fn promising(probe: &mut Probe, samples: &Samples, f: usize, radius: f64) -> Vec<ValueIndex> {
    let feature = &probe.space.features[f];
    let Some(scores) = probe.scores_along(f).map(<[f64]>::to_vec) else {
        return samples.of(f, probe.indices[f]).collect();
    };
    // The distance is convex along a number: it falls up to its least, and rises from there.
    let last = feature.last();
    let nearest = Values::first_index((0, last - 1), |index| {
        probe.distance(&[(f, index + 1)]) >= probe.distance(&[(f, index)])
    });
    if probe.distance(&[(f, nearest)]) > radius {
        return Vec::new();
    }
    let low = Values::first_index((0, nearest), |index| probe.distance(&[(f, index)]) <= radius);
    let beyond =
        Values::first_index((nearest, last), |index| probe.distance(&[(f, index)]) > radius);
    let span = (low.min(nearest), beyond - 1);
    let mut best: Option<(f64, ValueIndex, ValueIndex)> = None;
    for (cell, first, end) in feature.cells.inside(span) {
        let (score, index) = (scores[cell as usize].min(0.0), nearest.clamp(first, end));
        let away = index.abs_diff(nearest);
        if best.is_none_or(|(most, least, _)| score > most || score == most && away < least) {
            best = Some((score, away, index));
        }
    }
    best.map(|(_, _, index)| index).into_iter().collect()
}
