//! How a region is split.

use super::node::Task;
use super::region::{Region, Stand};
use super::relax::Relaxation;
use super::score::Reach;

/// Splits a region of more than one plan into smaller ones that cover it.
pub(super) fn split(
    task: &Task,
    region: &Region,
    relaxation: &Relaxation,
    reach: &Reach,
) -> Vec<Region> {
    if region.single().is_some() {
        return vec![region.clone()];
    }
    let space = task.space;
    let undecided: Vec<usize> =
        (0..region.spans.len()).filter(|&f| region.stand(space, f) == Stand::Undecided).collect();
    if !task.score.additive() {
        if undecided.is_empty() {
            return by_width(task, region);
        }
        let importance = task.score.importance(region, reach);
        let most = |a: &&usize, b: &&usize| importance[**a].total_cmp(&importance[**b]);
        return undecided
            .iter()
            .max_by(most)
            .map_or_else(Vec::new, |&f| by_membership(task, region, f));
    }
    let used = undecided
        .iter()
        .filter(|&&f| relaxation.usage[f] > 1e-9)
        .max_by(|&&a, &&b| relaxation.usage[a].total_cmp(&relaxation.usage[b]));
    let using = undecided.iter().filter(|&&f| relaxation.usage[f] > 1e-9).count();
    match used {
        Some(&f) if using > region.left => by_direction(task, region, f),
        _ => by_value(task, region, relaxation),
    }
}

fn with_span(region: &Region, f: usize, span: (u32, u32)) -> Region {
    let mut part = region.clone();
    part.spans[f] = span;
    part
}

/// The feature is given a place among the changes, or keeps its value.
fn by_membership(task: &Task, region: &Region, f: usize) -> Vec<Region> {
    let mut member = region.clone();
    member.counted[f] = true;
    let mut kept = region.clone();
    kept.keep(task.space, f);
    vec![member, kept]
}

/// The feature goes down, goes up, or keeps its value.
fn by_direction(task: &Task, region: &Region, f: usize) -> Vec<Region> {
    let (low, high) = region.spans[f];
    let keep = task.space.features[f].keep;
    let mut parts = Vec::with_capacity(3);
    if low < keep.0 {
        parts.push(with_span(region, f, (low, keep.0 - 1)));
    }
    if high > keep.1 {
        parts.push(with_span(region, f, (keep.1 + 1, high)));
    }
    parts.push(with_span(region, f, (low.max(keep.0), high.min(keep.1))));
    parts
}

/// At the relaxed point, where it falls between two places; around it, where it falls on one.
fn by_value(task: &Task, region: &Region, relaxation: &Relaxation) -> Vec<Region> {
    let step = |f: usize| -> f64 {
        let feature = &task.space.features[f];
        feature.largest_move / f64::from(feature.last())
    };
    let open = |&f: &usize| region.spans[f].0 < region.spans[f].1;
    let fraction = |f: usize| {
        let (low, high) = region.spans[f];
        let place = relaxation.place[f].clamp(f64::from(low), f64::from(high));
        (place - place.floor()).min(place.ceil() - place)
    };
    let broken = (0..region.spans.len())
        .filter(open)
        .filter(|&f| fraction(f) > 1e-6)
        .max_by(|&a, &b| (fraction(a) * step(a)).total_cmp(&(fraction(b) * step(b))));
    if let Some(f) = broken {
        let (low, high) = region.spans[f];
        let below = (relaxation.place[f].floor() as u32).clamp(low, high - 1);
        return vec![with_span(region, f, (low, below)), with_span(region, f, (below + 1, high))];
    }
    let width = |f: usize| {
        let (low, high) = region.spans[f];
        f64::from(high - low) * step(f)
    };
    let widest =
        (0..region.spans.len()).filter(open).max_by(|&a, &b| width(a).total_cmp(&width(b)));
    let Some(f) = widest else { return vec![region.clone()] };
    let (low, high) = region.spans[f];
    let at = (relaxation.place[f].round() as u32).clamp(low, high);
    let mut parts = Vec::with_capacity(3);
    if low < at {
        parts.push(with_span(region, f, (low, at - 1)));
    }
    parts.push(with_span(region, f, (at, at)));
    if at < high {
        parts.push(with_span(region, f, (at + 1, high)));
    }
    parts
}

/// In the middle of the feature whose interval spans the largest distance.
fn by_width(task: &Task, region: &Region) -> Vec<Region> {
    let width = |f: usize| -> f64 {
        let (low, high) = region.spans[f];
        let feature = &task.space.features[f];
        if low == high {
            -1.0
        } else if feature.numeric && !feature.image.is_empty() {
            let unit: f64 = feature.image.iter().map(|u| u.abs()).sum();
            unit * (feature.change[high as usize] - feature.change[low as usize])
        } else {
            feature.largest_move * f64::from(high - low) / f64::from(feature.last())
        }
    };
    let widest = (0..region.spans.len()).max_by(|&a, &b| width(a).total_cmp(&width(b)));
    let Some(f) = widest else { return vec![region.clone()] };
    let (low, high) = region.spans[f];
    let feature = &task.space.features[f];
    let middle = if feature.numeric {
        let half = 0.5 * (feature.change[low as usize] + feature.change[high as usize]);
        let inside = &feature.change[low as usize..=high as usize];
        low + inside.partition_point(|&c| c <= half) as u32 - 1
    } else {
        (low + high) / 2
    };
    let middle = middle.clamp(low, high - 1);
    vec![with_span(region, f, (low, middle)), with_span(region, f, (middle + 1, high))]
}
