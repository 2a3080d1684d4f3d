//! How a region is split.

use crate::search::bound::lagrange::{Prices, Pull};
use crate::search::bound::losses::Losses;
use crate::search::bound::relax::Relaxation;
use crate::search::layout::movable::Part;
use crate::search::layout::region::{Region, Stand};
use crate::search::layout::space::{Norm, Space};
use crate::search::layout::values::ValueIndex;
use crate::search::outlier::reference::{Reference, Spread};
use crate::search::outlier::region_distances::RegionDistances;
use crate::search::score::Reach;
use crate::search::tree::node::Task;

/// Up to this many options without an order are split one by one.
const FEW_OPTIONS: ValueIndex = 12;

/// What bounding a region has brought to light.
pub(in crate::search) struct Known<'a> {
    pub relaxation: &'a Relaxation,
    pub prices: &'a Prices,
    pub losses: Option<&'a Losses>,
    pub reach: &'a Reach,
    /// What the bound lacks to exclude the region.
    pub missing: f64,
    /// Whether the true k-LOF may well add what is missing, once the region is small enough for it to be known.
    pub factor: bool,
    /// The reference point that the prices count in.
    pub pull: Option<(&'a Reference<'a>, Pull)>,
}

/// Splits a region of more than one plan into smaller ones that cover it.
pub(in crate::search) fn split(task: &Task, region: &Region, known: &Known) -> Vec<Region> {
    if region.single().is_some() {
        return vec![region.clone()];
    }
    let space = task.space;
    let undecided = region.undecided(space);
    if let Some(reference) = task.reference
        && !RegionDistances::joins(reference)
        && (task.space.cost_limits.term < f64::INFINITY
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
            let accepted = task.score.last_changes(space, region, known.reach);
            return by_feature(task, region, &undecided, accepted.as_deref());
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
            by_feature(task, region, &undecided, None)
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
    let indices: Vec<ValueIndex> = (region.spans.iter().zip(&relaxation.fractional))
        .map(|(&(low, high), index)| (index.round() as ValueIndex).clamp(low, high))
        .collect();
    by_conflict(task.space, region, &indices)
}

/// Where a point breaks a rule: it stays where it is in one of the rule's features, or leaves.
pub(in crate::search) fn by_conflict(
    space: &Space,
    region: &Region,
    indices: &[ValueIndex],
) -> Option<Vec<Region>> {
    let (f, (from, to)) = space.rules.conflict(region, indices)?;
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

fn with_span(region: &Region, f: usize, span: (ValueIndex, ValueIndex)) -> Region {
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
    !task.space.features[f].is_numeric() && high - low <= FEW_OPTIONS
}

/// Whether most features have an order.
fn mostly_numeric(task: &Task, features: &[usize]) -> bool {
    let numeric = features.iter().filter(|&&f| task.space.features[f].is_numeric()).count();
    4 * numeric >= 3 * features.len()
}

/// One feature is given the last place among the changes, whichever it is; not those with which no plan can be accepted.
fn by_feature(
    task: &Task,
    region: &Region,
    undecided: &[usize],
    accepted: Option<&[bool]>,
) -> Vec<Region> {
    let mut kept = region.clone();
    for &f in undecided {
        kept.keep(task.space, f);
    }
    let mut parts = Vec::new();
    // Where no feature changes: a part of every part that lets a feature keep its value. A state that may change while its
    // number stays would take the last place, too.
    let open_state = task.space.parts.iter().any(|part| match *part {
        Part::Split { state, .. } => region.stand(task.space, state) != Stand::Kept,
        Part::Fixed | Part::Whole(_) => false,
    });
    let mut covered = false;
    for &f in undecided {
        let (low, high) = region.spans[f];
        let rejected = accepted.is_some_and(|accepted| !accepted[f]);
        if few_unordered(task, region, f) {
            if rejected {
                continue;
            }
            let indices = (low..=high).filter(|&index| !task.space.features[f].is_keep(index));
            parts.extend(indices.map(|index| with_span(&kept, f, (index, index))));
        } else {
            // The part in which nothing changes is a part of this one, and rejected with it.
            covered = true;
            if rejected {
                continue;
            }
            let mut part = with_span(&kept, f, (low, high));
            part.counted[f] = true;
            parts.push(part);
        }
    }
    // Where changes cost something, the other parts don't count plans that keep the feature.
    if !covered || open_state || task.space.instance.cost().change_cost > 0.0 {
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
            parts.extend((keep.1 + 1..=high).map(|index| with_span(region, f, (index, index))));
        } else {
            parts.push(with_span(region, f, (keep.1 + 1, high)));
        }
    }
    parts.push(with_span(region, f, (low.max(keep.0), high.min(keep.1))));
    parts
}

/// Longer intervals than this are not split close to an end: what is left of them would take as many splits as it has values.
const LONG: ValueIndex = 8;

/// The value nearest to another after which a long interval may be split: not within an eighth of its ends.
fn away_from_ends((low, high): (ValueIndex, ValueIndex), index: ValueIndex) -> ValueIndex {
    let margin = if high - low > LONG { (high - low) / 8 } else { 0 };
    index.clamp(low + margin, high - 1 - margin)
}

/// At the relaxed point, where it falls between two values; around it, where it falls on one.
fn by_value(task: &Task, region: &Region, relaxation: &Relaxation) -> Vec<Region> {
    let step = |f: usize| -> f64 {
        let feature = &task.space.features[f];
        feature.largest_move / feature.last() as f64
    };
    let open = |&f: &usize| region.spans[f].0 < region.spans[f].1;
    let fraction = |f: usize| {
        let (low, high) = region.spans[f];
        let index = relaxation.fractional[f].clamp(low as f64, high as f64);
        (index - index.floor()).min(index.ceil() - index)
    };
    if let Some(f) = (0..region.spans.len())
        .filter(open)
        .filter(|&f| few_unordered(task, region, f))
        .max_by(|&a, &b| step(a).total_cmp(&step(b)))
    {
        let (low, high) = region.spans[f];
        return (low..=high).map(|index| with_span(region, f, (index, index))).collect();
    }
    let broken = (0..region.spans.len())
        .filter(open)
        .filter(|&f| fraction(f) > 1e-6)
        .max_by(|&a, &b| (fraction(a) * step(a)).total_cmp(&(fraction(b) * step(b))));
    if let Some(f) = broken {
        let (low, high) = region.spans[f];
        let below = away_from_ends((low, high), relaxation.fractional[f].floor() as ValueIndex);
        return vec![with_span(region, f, (low, below)), with_span(region, f, (below + 1, high))];
    }
    let width = |f: usize| {
        let (low, high) = region.spans[f];
        (high - low) as f64 * step(f)
    };
    let widest =
        (0..region.spans.len()).filter(open).max_by(|&a, &b| width(a).total_cmp(&width(b)));
    let Some(f) = widest else { return vec![region.clone()] };
    let (low, high) = region.spans[f];
    let at = (relaxation.fractional[f].round() as ValueIndex).clamp(low, high);
    if high - low > LONG {
        let below = away_from_ends((low, high), at);
        return vec![with_span(region, f, (low, below)), with_span(region, f, (below + 1, high))];
    }
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

/// Between the two values of a feature that the multiplier of validity can't decide between: where a
/// little more of it would make the more expensive one the better one.
fn by_trade(task: &Task, region: &Region, known: &Known) -> Option<Vec<Region>> {
    let mut best: Option<(f64, usize, ValueIndex)> = None;
    for (f, &span) in region.spans.iter().enumerate() {
        if span.0 == span.1 {
            continue;
        }
        let feature = &task.space.features[f];
        let price = |index: ValueIndex| known.prices.at(task.space, known.pull, f, index);
        // Within a cell prices are straight lines: its ends decide.
        let ends = || feature.cells.inside(span).flat_map(|(_, first, last)| [first, last]);
        let cheapest = ends().min_by(|&a, &b| price(a).total_cmp(&price(b)))?;
        for index in ends().filter(|&index| index != cheapest) {
            let traded = (feature.gain(index) - feature.gain(cheapest)).abs();
            let rate = (price(index) - price(cheapest)) / traded;
            if traded > 0.0 && best.is_none_or(|best| rate < best.0) {
                best = Some((rate, f, ValueIndex::midpoint(index, cheapest)));
            }
        }
    }
    let (_, f, middle) = best?;
    let (low, high) = region.spans[f];
    Some(vec![with_span(region, f, (low, middle)), with_span(region, f, (middle + 1, high))])
}

/// How near to exclusion keeping each feature brings the region, by price and by lost score.
fn importance(task: &Task, region: &Region, known: &Known) -> Vec<f64> {
    let of = |(f, &(low, high)): (usize, &(ValueIndex, ValueIndex))| {
        let keep = task.space.features[f].keep.0.clamp(low, high);
        let kept = known.prices.at(task.space, known.pull, f, keep);
        let least = known.prices.least(task.space, known.pull, f, (low, high));
        let lost =
            known.losses.map_or(0.0, |losses| losses.alone(task.space, f, keep) / losses.room);
        (kept - least) / known.missing + lost
    };
    region.spans.iter().enumerate().map(of).collect()
}

/// Whether going up or going down costs enough for the bound to distinguish it from keeping the value.
/// Features of many small steps are better split by membership first.
fn sides_matter(task: &Task, region: &Region, known: &Known, f: usize) -> bool {
    let (low, high) = region.spans[f];
    let keep = task.space.features[f].keep;
    let cheapest = |from: ValueIndex, to: ValueIndex| {
        if from < to {
            known.prices.least(task.space, known.pull, f, (from, to - 1))
        } else {
            f64::INFINITY
        }
    };
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
    let mut best: Option<(f64, usize, ValueIndex)> = None;
    let (mut of_cells, mut after): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    let progress = |added: f64, lost: f64| {
        let by_price = (added / known.missing).clamp(0.0, 1.0);
        let by_score = (lost / losses.room).clamp(0.0, 1.0);
        by_price.max(by_score).max(1e-3)
    };
    for (f, &span) in region.spans.iter().enumerate() {
        if span.0 == span.1 {
            continue;
        }
        let least = |part: (ValueIndex, ValueIndex)| known.prices.least(space, known.pull, f, part);
        if losses.line(f).is_some() && !losses.is_listed(f) {
            // Along a line any value will do; the middle of the changes halves what is left.
            let middle = middle(task, f, span);
            let parts = [(span.0, middle), (middle + 1, span.1)];
            let whole = least(span);
            let side = |part| progress(least(part) - whole, losses.least_alone(space, f, part));
            let value = side(parts[0]) * side(parts[1]);
            if best.is_none_or(|best| value > best.0) {
                best = Some((value, f, middle));
            }
            continue;
        }
        after.clear();
        let cells: Vec<(u32, ValueIndex, ValueIndex)> =
            space.features[f].cells.inside(span).collect();
        let mut beyond = f64::INFINITY;
        known.prices.of_cells(space, known.pull, f, span, &mut of_cells);
        for &price in of_cells.iter().rev() {
            beyond = beyond.min(price);
            after.push(beyond);
        }
        let whole = beyond;
        let mut up_to = f64::INFINITY;
        for (at, &(cell, _, last)) in cells.iter().enumerate().take(cells.len() - 1) {
            up_to = up_to.min(of_cells[at]);
            let beyond = after[cells.len() - 2 - at];
            let (lost_below, lost_above) = losses.sides(f, cell);
            let value = progress(up_to - whole, lost_below) * progress(beyond - whole, lost_above);
            if best.is_none_or(|best| value > best.0) {
                best = Some((value, f, last));
            }
        }
    }
    let (_, f, index) = best.filter(|best| best.0 > 2e-3)?;
    let (low, high) = region.spans[f];
    Some(vec![with_span(region, f, (low, index)), with_span(region, f, (index + 1, high))])
}

/// Where outlier terms differ most: in the feature that moves farthest in the units of the metric. Limits on
/// the outlier term exclude regions by its bound alone, which only small regions sharpen.
fn by_spread(task: &Task, region: &Region, reference: &Reference) -> Vec<Region> {
    let space = task.space;
    let width = |f: usize| -> f64 {
        let (low, high) = region.spans[f];
        match &reference.spread[f] {
            Spread::Numeric { inverse, .. } => {
                inverse * (space.features[f].change(high) - space.features[f].change(low))
            }
            Spread::InStep { columns } => {
                let change = space.features[f].change(high) - space.features[f].change(low);
                columns.iter().map(|(inverse, _)| inverse * change).sum()
            }
            Spread::Options { .. } => {
                // As any point sees it; the first will do.
                let terms = (low..=high).map(|index| reference.term(space, f, index, 0));
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
        (low..=high).map(|index| with_span(region, f, (index, index))).collect()
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
            return -1.0;
        }
        match feature.numeric() {
            Some(numeric) if !numeric.image.is_empty() => {
                let unit: f64 = numeric.image.iter().map(|u| u.abs()).sum();
                unit * (feature.change(high) - feature.change(low))
            }
            _ => feature.largest_move * (high - low) as f64 / feature.last() as f64,
        }
    };
    let widest = (0..region.spans.len()).max_by(|&a, &b| width(a).total_cmp(&width(b)));
    widest.map_or_else(|| vec![region.clone()], |f| halves(task, region, f))
}

/// A feature's interval in two: at the middle of its changes, where they have an order.
fn halves(task: &Task, region: &Region, f: usize) -> Vec<Region> {
    let (low, high) = region.spans[f];
    let middle = middle(task, f, (low, high));
    vec![with_span(region, f, (low, middle)), with_span(region, f, (middle + 1, high))]
}

/// The last value of an interval's first half.
fn middle(task: &Task, f: usize, (low, high): (ValueIndex, ValueIndex)) -> ValueIndex {
    let feature = &task.space.features[f];
    let middle = if feature.is_numeric() {
        let half = 0.5 * (feature.change(low) + feature.change(high));
        feature.first_above((low, high), half).saturating_sub(1)
    } else {
        ValueIndex::midpoint(low, high)
    };
    middle.clamp(low, high - 1)
}
