//! A good plan in milliseconds: grow one greedily, then exchange its parts while that helps.
//!
//! It proves nothing. Engines that prove use it to have something to compare bounds with.

use crate::instance::Instance;
use crate::search::guess::probe::Probe;
use crate::search::guess::samples::Samples;
use crate::search::layout::space::{Move, Space};
use crate::search::layout::values::ValueIndex;
use crate::search::outlier::reference::Reference;
use crate::solution::Plan;

/// How hard to look.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Effort {
    /// Greedy runs, each forced to begin with another feature.
    runs: usize,
    /// How many of their plans are improved by exchanges.
    improved: usize,
    /// Whether options are also exchanged two at a time.
    pairs: bool,
}

impl Effort {
    /// For engines that find nothing on their own.
    pub(in crate::search) const THOROUGH: Self = Self { runs: 6, improved: 2, pairs: true };
    /// For the search, which guesses again on its way.
    pub(in crate::search) const LIGHT: Self = Self { runs: 3, improved: 1, pairs: false };
}

/// Rounds of exchanges, each of which must pay.
const ROUNDS: usize = 40;

/// Above this many reference points the greedy phase leaves the outlier term to the exchanges.
const FEW_POINTS: usize = 64;

/// A good plan, found greedily and improved by exchanges; `None` where none was found, which does
/// not mean that none exists. Deterministic.
pub fn start_plan(instance: &Instance) -> Option<Plan> {
    let space = Space::new(instance);
    let reference = Reference::new(&space);
    start_in(&space, reference.as_ref(), Effort::THOROUGH, &|| false)
}

/// Whether to stop looking.
type Halted<'h> = &'h dyn Fn() -> bool;

/// The same, for an instance that is laid out already; what was found when it was halted.
pub(in crate::search) fn start_in<'s>(
    space: &'s Space<'s>,
    reference: Option<&'s Reference<'s>>,
    effort: Effort,
    halted: Halted,
) -> Option<Plan> {
    let keep: Vec<ValueIndex> = space.features.iter().map(cheapest_keep).collect();
    let samples = Samples::new(space);
    let mut probe = Probe::new(space, reference, keep.clone());
    let mut found: Vec<(f64, Vec<ValueIndex>)> = Vec::new();
    for moves in first_moves(&mut probe, &samples, halted).iter().take(effort.runs) {
        probe.jump(&keep);
        probe.go(moves);
        if grow(&mut probe, &samples, halted) {
            found.push((full_objective(&mut probe), probe.indices.clone()));
        }
    }
    if found.is_empty() {
        towards_points(&mut probe, &keep, &mut found, halted);
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
    found.dedup_by(|a, b| a.1 == b.1);
    let mut best: Option<Plan> = None;
    for (_, indices) in found.iter().take(effort.improved) {
        probe.jump(indices);
        exchange(&mut probe, &samples, effort.pairs, halted);
        if let Some(plan) = probe.judge()
            && best.as_ref().is_none_or(|b| plan.evaluation.objective < b.evaluation.objective)
        {
            best = Some(plan);
        }
    }
    best
}

pub(in crate::search) fn cheapest_keep(
    feature: &crate::search::layout::feature::Feature,
) -> ValueIndex {
    (feature.keep.0..=feature.keep.1)
        .min_by(|&a, &b| feature.cost(a).total_cmp(&feature.cost(b)))
        .unwrap_or(feature.keep.0)
}

/// What a move achieves for what it costs; moves that only cost are worth nothing.
fn worth(gain: f64, price: f64) -> f64 {
    if gain <= 0.0 { f64::NEG_INFINITY } else { gain / price.max(1e-9) }
}

/// The objective after a move, without the outlier term where it is expensive.
fn rough_objective(probe: &mut Probe, moves: &[Move]) -> f64 {
    let few = probe.reference.is_some_and(|r| r.count() <= FEW_POINTS);
    let outlier = if few { probe.outlier(moves) } else { 0.0 };
    probe.distance(moves) + outlier + probe.change_cost(moves)
}

/// The objective of the current values, limits aside.
fn full_objective(probe: &mut Probe) -> f64 {
    probe.distance(&[]) + probe.outlier(&[]) + probe.change_cost(&[])
}

/// Every feature's move of most worth, best first.
fn first_moves(probe: &mut Probe, samples: &Samples, halted: Halted) -> Vec<Vec<Move>> {
    let (score, objective) = (probe.score(&[]), rough_objective(probe, &[]));
    let mut moves: Vec<(f64, Vec<Move>)> = Vec::new();
    for f in 0..probe.space.features.len() {
        if halted() {
            break;
        }
        let feature = &probe.space.features[f];
        let keep = probe.indices[f];
        let mut best: Option<(f64, f64, Vec<Move>)> = None;
        for index in samples.of(f, keep).filter(|&index| !feature.is_keep(index)) {
            let moves = [(f, index)];
            let Some(moves) = probe.lawful(&moves) else { continue };
            let gain = probe.score(&moves).min(0.0) - score;
            let worth = worth(gain, rough_objective(probe, &moves) - objective);
            // Along a straight line every change is worth the same: then about half of what the score lacks, so that other
            // features do their share.
            let miss = (gain + 0.5 * score).abs();
            let better = |best: &(f64, f64, Vec<Move>)| {
                worth > best.0 * (1.0 + 1e-9) || worth >= best.0 * (1.0 - 1e-9) && miss <= best.1
            };
            if worth > f64::NEG_INFINITY && best.as_ref().is_none_or(better) {
                best = Some((worth, miss, moves.into_owned()));
            }
        }
        let best = best.map(|(worth, _, moves)| (worth, moves));
        moves.extend(best);
    }
    moves.sort_by(|a, b| b.0.total_cmp(&a.0));
    moves.into_iter().map(|(_, m)| m).collect()
}

/// Takes the move of most worth until the classifier accepts; false where it never does. Moves take
/// along what the rules then demand.
fn grow(probe: &mut Probe, samples: &Samples, halted: Halted) -> bool {
    let limit = probe.space.instance.max_changes();
    for _ in 0..3 * limit.min(probe.space.features.len()) + 4 {
        let score = probe.score(&[]);
        if score >= 0.0 {
            return probe.changes() <= limit;
        }
        let objective = rough_objective(probe, &[]);
        let full = probe.changes() >= limit;
        let mut best: Option<(bool, f64, Vec<Move>)> = None;
        for f in 0..probe.space.features.len() {
            if halted() {
                return false;
            }
            let feature = &probe.space.features[f];
            if full && feature.is_keep(probe.indices[f]) {
                continue;
            }
            for index in samples.of(f, probe.indices[f]) {
                let moves = [(f, index)];
                let Some(moves) = probe.lawful(&moves) else { continue };
                let reached = probe.score(&moves);
                let price = rough_objective(probe, &moves) - objective;
                // A move that reaches acceptance is judged by its price alone.
                let done = reached >= 0.0;
                let value = if done { -price } else { worth(reached - score, price) };
                let better = best.as_ref().is_none_or(|b| (done, value) > (b.0, b.1));
                if value > f64::NEG_INFINITY && better {
                    best = Some((done, value, moves.into_owned()));
                }
            }
        }
        let Some((_, _, step)) = best else { return false };
        probe.go(&step);
    }
    probe.score(&[]) >= 0.0 && probe.changes() <= limit
}

/// Where greedy growth fails: imitates reference points, in the features that help most.
fn towards_points(
    probe: &mut Probe,
    keep: &[ValueIndex],
    found: &mut Vec<(f64, Vec<ValueIndex>)>,
    halted: Halted,
) {
    let space = probe.space;
    let Some(outlier) = &space.instance.cost().outlier else { return };
    let limit = space.instance.max_changes();
    for point in outlier.points.iter().take(FEW_POINTS) {
        if halted() {
            return;
        }
        probe.jump(keep);
        for _ in 0..limit.min(space.features.len()) {
            let score = probe.score(&[]);
            let mut step: Option<(f64, Vec<Move>)> = None;
            for f in 0..space.features.len() {
                if space.features[f].is_keep(probe.indices[f]) {
                    let to = [(f, nearest_index(space, f, point))];
                    let Some(to) = probe.lawful(&to) else { continue };
                    let reached = probe.score(&to);
                    if step.as_ref().is_none_or(|(most, _)| reached > *most) {
                        step = Some((reached, to.into_owned()));
                    }
                }
            }
            match step {
                Some((reached, step)) if reached > score => probe.go(&step),
                _ => break,
            }
            if probe.score(&[]) >= 0.0 {
                found.push((full_objective(probe), probe.indices.clone()));
                break;
            }
        }
    }
}

/// The option that brings a feature nearest to a point.
fn nearest_index(space: &Space, f: usize, point: &[f64]) -> ValueIndex {
    let feature = &space.features[f];
    let miss = |index: ValueIndex| -> f64 {
        let columns = feature.columns.iter().enumerate();
        columns.map(|(at, &c)| (feature.values.value(index, at) - point[c]).abs()).sum()
    };
    let nearest = |indices: &mut dyn Iterator<Item = ValueIndex>| {
        indices.min_by(|&a, &b| miss(a).total_cmp(&miss(b))).unwrap_or(0)
    };
    if feature.is_numeric() {
        let column = feature.columns[0];
        let change = point[column] - space.instance.x()[column];
        let above = feature.first_above((0, feature.last()), change);
        return nearest(&mut (above.saturating_sub(1)..=above.min(feature.last())));
    }
    nearest(&mut (0..=feature.last()))
}

/// Exchanges options, one or two at a time, while that makes the plan cheaper. What exceeds a limit is
/// more expensive than every plan.
pub(in crate::search) fn exchange(
    probe: &mut Probe,
    samples: &Samples,
    pairs: bool,
    halted: Halted,
) {
    let distance = probe.distance(&[]);
    let mut objective = probe.objective(distance, &[]);
    for _ in 0..ROUNDS {
        let Some((better, moves)) = best_exchange(probe, samples, objective, pairs, halted) else {
            return;
        };
        objective = better;
        probe.go(&moves);
    }
}

/// The best single move, and where there is none, the best pair of moves.
fn best_exchange(
    probe: &mut Probe,
    samples: &Samples,
    objective: f64,
    pairs: bool,
    halted: Halted,
) -> Option<(f64, Vec<Move>)> {
    let space = probe.space;
    let mut best: Option<(f64, Vec<Move>)> = None;
    let mut limit = objective * (1.0 - 1e-12);
    for f in 0..space.features.len() {
        if halted() {
            return best;
        }
        for index in samples.of(f, probe.indices[f]) {
            let moves = [(f, index)];
            let Some(moves) = probe.lawful(&moves) else { continue };
            if let Some(found) = improves(probe, &moves, limit) {
                limit = found;
                best = Some((found, moves.into_owned()));
            }
        }
    }
    if best.is_some() || !pairs {
        return best;
    }
    let changed: Vec<usize> = (0..space.features.len())
        .filter(|&f| !space.features[f].is_keep(probe.indices[f]))
        .collect();
    for &f in &changed {
        for g in (0..space.features.len()).filter(|&g| g != f) {
            if halted() {
                return best;
            }
            // Two changed features are tuned together once; a kept one replaces f or joins it.
            if changed.contains(&g) && g < f {
                continue;
            }
            for index in samples.of(f, probe.indices[f]) {
                if !changed.contains(&g)
                    && !space.features[f].is_keep(index)
                    && index.abs_diff(probe.indices[f]) > 3
                {
                    continue;
                }
                for other in samples.of(g, probe.indices[g]) {
                    let moves = [(f, index), (g, other)];
                    if let Some(found) = improves(probe, &moves, limit) {
                        limit = found;
                        best = Some((found, moves.to_vec()));
                    }
                }
            }
        }
    }
    best
}

/// The objective after the moves, where they lead to a plan that costs less than `limit`. The cheap
/// questions come first.
fn improves(probe: &mut Probe, moves: &[Move], limit: f64) -> Option<f64> {
    let distance = probe.distance(moves);
    if distance + probe.least_outlier + probe.change_cost(moves) >= limit
        || distance > probe.space.cost_limits.distance
        || probe.changes_after(moves) > probe.space.instance.max_changes()
        || !probe.holds_rules(moves)
        || probe.score(moves) < 0.0
    {
        return None;
    }
    let objective = probe.objective(distance, moves);
    (objective < limit).then_some(objective)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::read_instances;

    #[test]
    fn the_cheap_way_is_found_and_kept_within_the_limit() {
        // Either one feature far or two features a little; the distance favours the two.
        let text = r#"{"version": 1, "x": [0, 0],
            "features": [
                {"name": "a", "columns": [0], "options": [[0], [1], [2], [4]]},
                {"name": "b", "columns": [1], "options": [[0], [1], [2], [4]]}],
            "max_changes": LIMIT,
            "classifier": {"kind": "linear", "weights": [1, 1], "intercept": -4},
            "cost": {"distance": {"kind": "squared-mahalanobis", "factor": [[1, 0], [0, 1]]}}}"#;
        for (limit, objective) in [("2", 8.0), ("1", 16.0)] {
            let text = text.replace("LIMIT", limit);
            let instance = read_instances(&text, "start").unwrap().remove(0);
            let plan = start_plan(&instance).unwrap();
            assert!((plan.evaluation.objective - objective).abs() < 1e-12);
        }
    }

    #[test]
    fn an_impossible_instance_has_no_start() {
        let text = r#"{"version": 1, "x": [0],
            "features": [{"name": "a", "columns": [0], "options": [[0], [1]]}],
            "max_changes": 1,
            "classifier": {"kind": "linear", "weights": [1], "intercept": -4},
            "cost": {"distance": {"kind": "table", "costs": [[0, 1]]}}}"#;
        let instance = read_instances(text, "start").unwrap().remove(0);
        assert!(start_plan(&instance).is_none());
    }
}
