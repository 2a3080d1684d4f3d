//! Cheap improvement of a rounded point: small steps of the features that change already.

use crate::search::guess::probe::Probe;
use crate::search::layout::space::Move;
use crate::search::layout::values::ValueIndex;

/// Up to this many reference points, steps are also taken two at a time.
const FEW_POINTS: usize = 256;

/// How far a feature steps at a time, either way; the last two only where its values are many.
const STEPS: [ValueIndex; 4] = [1, 2, 16, 256];

/// Features with more values than this take long steps, too.
const MANY: ValueIndex = 1000;

/// Improves a choice of values by small steps while that helps; `None` where no plan below `limit` was met.
pub(in crate::search) fn polish(
    probe: &mut Probe,
    indices: &[ValueIndex],
    limit: f64,
) -> Option<Vec<ValueIndex>> {
    probe.jump(indices);
    let distance = probe.distance(&[]) + probe.least_outlier + probe.change_cost(&[]);
    if probe.changes() > probe.space.instance.max_changes() || distance > 1.2 * limit {
        return None;
    }
    let mut found = None;
    let mut limit = limit;
    // Steps from a point that is no plan, or an expensive one, may lead to a plan that is worth having.
    let mut current = price(probe, &[], 1.2 * limit).unwrap_or(limit);
    if current < limit {
        found = Some(probe.indices.clone());
        limit = current;
    }
    for _ in 0..12 {
        let Some((objective, moves)) = best_step(probe, current) else { break };
        probe.go(&moves);
        current = objective;
        if current < limit {
            limit = current;
            found = Some(probe.indices.clone());
        }
    }
    found
}

/// The best step of one or two changed features that leads to a cheaper plan.
fn best_step(probe: &mut Probe, current: f64) -> Option<(f64, Vec<Move>)> {
    let space = probe.space;
    let mut steps: Vec<Move> = Vec::new();
    for (f, feature) in space.features.iter().enumerate() {
        let index = probe.indices[f];
        if feature.is_keep(index) {
            continue;
        }
        let kinds = if feature.last() > MANY { STEPS.len() } else { 2 };
        for step in &STEPS[..kinds] {
            let to = [index.checked_sub(*step), index.checked_add(*step)];
            steps
                .extend(to.iter().flatten().filter(|&&to| to <= feature.last()).map(|&to| (f, to)));
        }
        steps.push((f, feature.keep.0));
    }
    // With many reference points an outlier term is expensive.
    let pairs = probe.reference.is_none_or(|reference| reference.count() <= FEW_POINTS);
    let mut best: Option<(f64, Vec<Move>)> = None;
    let mut limit = current;
    for (i, &step) in steps.iter().enumerate() {
        if let Some(objective) = price(probe, &[step], limit) {
            limit = objective;
            best = Some((objective, vec![step]));
        }
        if !pairs {
            continue;
        }
        for &other in &steps[i + 1..] {
            if other.0 == step.0 {
                continue;
            }
            if let Some(objective) = price(probe, &[step, other], limit) {
                limit = objective;
                best = Some((objective, vec![step, other]));
            }
        }
    }
    best
}

/// The objective after moves, where they lead to a plan that costs less than `limit`.
fn price(probe: &mut Probe, moves: &[Move], limit: f64) -> Option<f64> {
    let distance = probe.distance(moves);
    if distance + probe.least_outlier + probe.change_cost(moves) >= limit
        || distance > probe.space.cost_limits.distance
        || probe.score(moves) < 0.0
        || !probe.holds_rules(moves)
    {
        return None;
    }
    let objective = probe.objective(distance, moves);
    (objective < limit).then_some(objective)
}
