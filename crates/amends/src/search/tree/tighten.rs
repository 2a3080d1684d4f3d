//! Drops options that the multipliers prove too expensive.

use crate::search::bound::lagrange::{Prices, Pull};
use crate::search::layout::region::{Region, Stand};
use crate::search::layout::values::ValueIndex;
use crate::search::outlier::nearby::Nearby;
use crate::search::outlier::reference::Reference;
use crate::search::outlier::region_distances::RegionDistances;
use crate::search::tree::node::Task;

/// Up to this many points, options are judged against each of them.
const FEW: usize = 6;

/// Shortens intervals from their ends to what costs at most `limit`; false where nothing is left.
pub(in crate::search) fn tighten(
    task: &Task,
    region: &mut Region,
    prices: &mut Prices,
    nearby: &Nearby,
    limit: f64,
) -> bool {
    if task.space.cost_limits.distance < limit {
        // Distance and validity alone, against the limit on the distance.
        let Some(spans) = spans(task, region, prices, None, task.space.cost_limits.distance) else {
            return false;
        };
        region.spans = spans;
    }
    let mut union: Option<Box<[(ValueIndex, ValueIndex)]>> = None;
    let joint =
        task.reference.filter(|reference| RegionDistances::joins(reference) && nearby.len() <= FEW);
    if let Some(reference) = joint {
        for n in nearby.points() {
            let strength = reference.outlier.weight * reference.density[n as usize];
            let pull = Pull::new(n as usize, strength);
            let spans = spans(task, region, prices, Some((reference, pull)), limit);
            let Some(spans) = spans else { continue };
            union = Some(match union {
                None => spans,
                Some(union) => {
                    union.iter().zip(&spans).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1))).collect()
                }
            });
        }
    } else {
        union = spans(task, region, prices, None, limit - nearby.bound);
    }
    match union {
        None => false,
        Some(spans) => {
            region.spans = spans;
            true
        }
    }
}

/// The intervals of values under which one kind of bound is at most `most`.
fn spans(
    task: &Task,
    region: &Region,
    prices: &mut Prices,
    pull: Option<(&Reference, Pull)>,
    most: f64,
) -> Option<Box<[(ValueIndex, ValueIndex)]>> {
    let space = task.space;
    let whole = prices.bound(space, region, pull);
    let base = whole.value;
    if base > most {
        return None;
    }
    let mut spans = region.spans.clone();
    for (f, span) in spans.iter_mut().enumerate() {
        let (low, high) = *span;
        if low == high {
            continue;
        }
        let feature = &space.features[f];
        let undecided = region.stand(space, f) == Stand::Undecided;
        let least = prices.least(space, pull, f, *span);
        let kept = if undecided {
            prices.least(space, pull, f, (low.max(feature.keep.0), high.min(feature.keep.1)))
        } else {
            0.0
        };
        // What the bound becomes when the feature takes a value: its own share replaced, and for an
        // undecided feature that was not let in, the least of those that were put out.
        let without = if undecided {
            let saving = least - kept;
            base - if saving < whole.threshold { saving } else { whole.threshold } - kept
        } else {
            base - least
        };
        // An undecided feature may keep its value at little cost.
        let keep = (low.max(feature.keep.0), high.min(feature.keep.1));
        let spared = undecided && keep.0 <= keep.1;
        let expensive = |part: (ValueIndex, ValueIndex)| {
            !(spared && part.0 <= keep.1 && keep.0 <= part.1)
                && without + prices.least(space, pull, f, part) > most
        };
        *span = affordable((low, high), expensive)?;
    }
    Some(spans)
}

/// An interval from its first to its last value that is not too expensive; `None` where all are. Halves that are expensive
/// throughout go, until a single value is not.
fn affordable(
    (mut low, mut high): (ValueIndex, ValueIndex),
    expensive: impl Fn((ValueIndex, ValueIndex)) -> bool,
) -> Option<(ValueIndex, ValueIndex)> {
    if expensive((low, high)) {
        return None;
    }
    if expensive((low, low)) {
        let (mut from, mut to) = (low, high);
        while from < to {
            let middle = from.midpoint(to);
            if expensive((from, middle)) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        low = from;
    }
    if expensive((high, high)) {
        let (mut from, mut to) = (low, high);
        while from < to {
            let middle = from.midpoint(to) + (to - from) % 2;
            if expensive((middle, to)) {
                to = middle - 1;
            } else {
                from = middle;
            }
        }
        high = from;
    }
    (low < high || low == high && !expensive((low, high))).then_some((low, high))
}
