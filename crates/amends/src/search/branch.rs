//! How a region is split.

use super::ground::Ground;
use super::lagrange::{Prices, Pull};
use super::node::Task;
use super::reference::{Reference, Spread};
use super::region::{Region, Stand};
use super::relax::Relaxation;
use super::score::Losses;
use super::space::{Norm, Space};

/// Up to this many options without an order are split one by one.
const FEW_OPTIONS: u32 = 12;

/// What bounding a region has brought to light.
pub(super) struct Known<'a> {
    pub relaxation: &'a Relaxation,
    pub prices: &'a Prices,
    pub losses: Option<&'a Losses>,
    /// What the bound lacks to exclude the region.
    pub missing: f64,
    /// Whether the true k-LOF may well add what is missing, once the region is small enough for it to be known.
    pub factor: bool,
    /// The reference point that the prices count in.
    pub pull: Option<(&'a Reference<'a>, Pull)>,
}

/// Splits a region of more than one plan into smaller ones that cover it.
pub(super) fn split(task: &Task, region: &Region, known: &Known) -> Vec<Region> {
    if region.single().is_some() {
        return vec![region.clone()];
    }
    let space = task.space;
    let undecided: Vec<usize> =
        (0..region.spans.len()).filter(|&f| region.stand(space, f) == Stand::Undecided).collect();
    if let Some(reference) = task.reference
        && !Ground::joins(reference)
        && (task.space.caps.term < f64::INFINITY
            || known.factor && task.score.additive() && undecided.is_empty())
    {
        return by_spread(task, region, reference);
    }
    if !task.score.additive() {
        if undecided.is_empty() {
            return by_rule(task, region, known.relaxation)
                .or_else(|| by_progress(task, region, known))
                .unwrap_or_else(|| match task.reference.filter(|_| known.factor) {
                    Some(reference) => by_spread(task, region, reference),
                    None => by_width(task, region),
                });
        }
        if region.left == 1 {
            return by_feature(task, region, &undecided);
        }
        let importance = importance(task, region, known);
        let most = |a: &&usize, b: &&usize| importance[**a].total_cmp(&importance[**b]);
        return undecided.iter().max_by(most).map_or_else(Vec::new, |&f| {
            if sides_matter(task, region, known, f) {
                by_direction(task, region, f)
            } else {
                by_membership(task, region, f)
            }
        });
    }
    if space.norm == Norm::None
        && let Some(parts) =
            by_rule(task, region, known.relaxation).or_else(|| by_trade(task, region, known))
    {
        return parts;
    }
    let relaxation = known.relaxation;
    let used = undecided
        .iter()
        .filter(|&&f| relaxation.usage[f] > 1e-9)
        .max_by(|&&a, &&b| relaxation.usage[a].total_cmp(&relaxation.usage[b]));
    let using = undecided.iter().filter(|&&f| relaxation.usage[f] > 1e-9).count();
    match used {
        Some(_) if using > region.left && region.left == 1 && mostly_numeric(task, &undecided) => {
            by_feature(task, region, &undecided)
        }
        Some(&f) if using > region.left => by_direction(task, region, f),
        _ => {
            by_rule(task, region, relaxation).unwrap_or_else(|| by_value(task, region, relaxation))
        }
    }
}

/// Splits by a rule that the relaxed point breaks.
fn by_rule(task: &Task, region: &Region, relaxation: &Relaxation) -> Option<Vec<Region>> {
    if task.space.rules.is_empty() {
        return None;
    }
    let places: Vec<u32> = (region.spans.iter().zip(&relaxation.place))
        .map(|(&(low, high), place)| (place.round() as u32).clamp(low, high))
        .collect();
    by_conflict(task.space, region, &places)
}

/// Where a point breaks a rule: it stays where it is in one of the rule's features, or leaves.
pub(super) fn by_conflict(space: &Space, region: &Region, places: &[u32]) -> Option<Vec<Region>> {
    let (f, (from, to)) = space.rules.conflict(region, places)?;
    let (low, high) = region.spans[f];
    let mut parts = vec![with_span(region, f, (from, to))];
    if low < from {
        parts.push(with_span(region, f, (low, from - 1)));
    }
    if to < high {
        parts.push(with_span(region, f, (to + 1, high)));
    }
    (parts.len() > 1).then_some(parts)
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

/// Whether a feature is split into single options: without an order they have little in common, so
/// each on its own is bounded far better.
fn few_unordered(task: &Task, region: &Region, f: usize) -> bool {
    let (low, high) = region.spans[f];
    !task.space.features[f].numeric && high - low <= FEW_OPTIONS
}

/// Whether most features have an order.
fn mostly_numeric(task: &Task, features: &[usize]) -> bool {
    let numeric = features.iter().filter(|&&f| task.space.features[f].numeric).count();
    4 * numeric >= 3 * features.len()
}

/// One feature is given the last place among the changes, whichever it is.
fn by_feature(task: &Task, region: &Region, undecided: &[usize]) -> Vec<Region> {
    let mut kept = region.clone();
    for &f in undecided {
        kept.keep(task.space, f);
    }
    let mut parts = Vec::new();
    // Where no feature changes: a part of every part that lets a feature keep its value.
    let mut covered = false;
    for &f in undecided {
        let (low, high) = region.spans[f];
        if few_unordered(task, region, f) {
            let places = (low..=high).filter(|&place| !task.space.features[f].is_keep(place));
            parts.extend(places.map(|place| with_span(&kept, f, (place, place))));
        } else {
            let mut part = with_span(&kept, f, (low, high));
            part.counted[f] = true;
            parts.push(part);
            covered = true;
        }
    }
    if !covered {
        parts.push(kept);
    }
    parts
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
        if few_unordered(task, region, f) {
            parts.extend((keep.1 + 1..=high).map(|place| with_span(region, f, (place, place))));
        } else {
            parts.push(with_span(region, f, (keep.1 + 1, high)));
        }
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
    if let Some(f) = (0..region.spans.len())
        .filter(open)
        .filter(|&f| few_unordered(task, region, f))
        .max_by(|&a, &b| step(a).total_cmp(&step(b)))
    {
        let (low, high) = region.spans[f];
        return (low..=high).map(|place| with_span(region, f, (place, place))).collect();
    }
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

/// Between the two places of a feature that the multiplier of validity can't decide between: where a
/// little more of it would make the dearer one the better one.
fn by_trade(task: &Task, region: &Region, known: &Known) -> Option<Vec<Region>> {
    let mut best: Option<(f64, usize, u32)> = None;
    for (f, &(low, high)) in region.spans.iter().enumerate() {
        if low == high {
            continue;
        }
        let gain = &task.space.features[f].gain;
        let price = |place: u32| known.prices.at(task.space, known.pull, f, place);
        let cheapest = (low..=high).min_by(|&a, &b| price(a).total_cmp(&price(b)))?;
        for place in (low..=high).filter(|&place| place != cheapest) {
            let traded = (gain[place as usize] - gain[cheapest as usize]).abs();
            let rate = (price(place) - price(cheapest)) / traded;
            if traded > 0.0 && best.is_none_or(|best| rate < best.0) {
                best = Some((rate, f, u32::midpoint(place, cheapest)));
            }
        }
    }
    let (_, f, middle) = best?;
    let (low, high) = region.spans[f];
    Some(vec![with_span(region, f, (low, middle)), with_span(region, f, (middle + 1, high))])
}

/// How near to exclusion keeping each feature brings the region, by price and by lost score.
fn importance(task: &Task, region: &Region, known: &Known) -> Vec<f64> {
    let of = |(f, &(low, high)): (usize, &(u32, u32))| {
        let keep = task.space.features[f].keep.0.clamp(low, high);
        let price = |place| known.prices.at(task.space, known.pull, f, place);
        let least = (low..=high).map(price).fold(f64::INFINITY, f64::min);
        let lost = known.losses.map_or(0.0, |losses| losses.alone(f, keep) / losses.room);
        (price(keep) - least) / known.missing + lost
    };
    region.spans.iter().enumerate().map(of).collect()
}

/// Whether going up or going down is dear enough for the bound to tell them from keeping the value.
/// Features of many small steps are better split by membership first.
fn sides_matter(task: &Task, region: &Region, known: &Known, f: usize) -> bool {
    let (low, high) = region.spans[f];
    let keep = task.space.features[f].keep;
    let price = |place| known.prices.at(task.space, known.pull, f, place);
    let cheapest = |from: u32, to: u32| (from..to).map(price).fold(f64::INFINITY, f64::min);
    let least = cheapest(low, high + 1);
    let below = cheapest(low, keep.0) - least;
    let above = cheapest(keep.1 + 1, high + 1) - least;
    below.max(above) > 0.2 * known.missing
}

/// Where both sides come nearest to being excluded, by price or by lost score; `None` where no split
/// promises anything on both sides.
fn by_progress(task: &Task, region: &Region, known: &Known) -> Option<Vec<Region>> {
    let losses = known.losses?;
    let space = task.space;
    let mut best: Option<(f64, usize, u32)> = None;
    let mut after: Vec<f64> = Vec::new();
    for (f, &(low, high)) in region.spans.iter().enumerate() {
        if low == high {
            continue;
        }
        let price = |place: u32| known.prices.at(space, known.pull, f, place);
        after.clear();
        let mut least = f64::INFINITY;
        for place in (low..=high).rev() {
            least = least.min(price(place));
            after.push(least);
        }
        let whole = least;
        let mut up_to = f64::INFINITY;
        for place in low..high {
            up_to = up_to.min(price(place));
            let beyond = after[(high - place - 1) as usize];
            let (lost_below, lost_above) = losses.sides(f, place);
            let progress = |dearer: f64, lost: f64| {
                let by_price = (dearer / known.missing).clamp(0.0, 1.0);
                let by_score = (lost / losses.room).clamp(0.0, 1.0);
                by_price.max(by_score).max(1e-3)
            };
            let value = progress(up_to - whole, lost_below) * progress(beyond - whole, lost_above);
            if best.is_none_or(|best| value > best.0) {
                best = Some((value, f, place));
            }
        }
    }
    let (_, f, place) = best.filter(|best| best.0 > 2e-3)?;
    let (low, high) = region.spans[f];
    Some(vec![with_span(region, f, (low, place)), with_span(region, f, (place + 1, high))])
}

/// Where outlier terms differ most: in the feature that moves farthest in the units of the metric. Limits on
/// the outlier term exclude regions by its bound alone, which only small regions sharpen.
fn by_spread(task: &Task, region: &Region, reference: &Reference) -> Vec<Region> {
    let space = task.space;
    let width = |f: usize| -> f64 {
        let (low, high) = region.spans[f];
        match &reference.spread[f] {
            Spread::Numeric { inverse, .. } => {
                let change = &space.features[f].change;
                inverse * (change[high as usize] - change[low as usize])
            }
            Spread::Options { .. } => {
                // As any point sees it; the first will do.
                let terms = (low..=high).map(|place| reference.term(space, f, place, 0));
                let (least, most) = terms
                    .fold((f64::INFINITY, 0.0_f64), |(least, most), t| (least.min(t), most.max(t)));
                (most - least).sqrt()
            }
        }
    };
    let open = (0..region.spans.len()).filter(|&f| region.spans[f].0 < region.spans[f].1);
    let Some(f) = open.max_by(|&a, &b| width(a).total_cmp(&width(b))) else {
        return vec![region.clone()];
    };
    let (low, high) = region.spans[f];
    if region.stand(space, f) == Stand::Undecided {
        by_direction(task, region, f)
    } else if few_unordered(task, region, f) {
        (low..=high).map(|place| with_span(region, f, (place, place))).collect()
    } else {
        halves(task, region, f)
    }
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
    widest.map_or_else(|| vec![region.clone()], |f| halves(task, region, f))
}

/// A feature's interval in two: at the middle of its changes, where they have an order.
fn halves(task: &Task, region: &Region, f: usize) -> Vec<Region> {
    let (low, high) = region.spans[f];
    let feature = &task.space.features[f];
    let middle = if feature.numeric {
        let half = 0.5 * (feature.change[low as usize] + feature.change[high as usize]);
        let inside = &feature.change[low as usize..=high as usize];
        low + inside.partition_point(|&c| c <= half) as u32 - 1
    } else {
        u32::midpoint(low, high)
    };
    let middle = middle.clamp(low, high - 1);
    vec![with_span(region, f, (low, middle)), with_span(region, f, (middle + 1, high))]
}
