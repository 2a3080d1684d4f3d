//! Which reference points can matter in a region, and the least outlier term there.
//!
//! A point can only be among the k nearest of some plan in a region (k = 1 for the surrogate) where
//! its least distance does not exceed the k-th least of all points' largest distances. The surrogate
//! is then at least the least `density * max(k_distance, least distance)`. The true k-LOF is the
//! product of two means over the same k points, `mean(density) * mean(reach)`; it is at least the
//! product of the two least means, and by Cauchy-Schwarz at least the square of the least mean of
//! `sqrt(density * reach)`.
//!
//! What is known of a point in a region holds in every smaller one. So a point is only looked at
//! again where it is among the few that decide the bound: the number of points hardly matters.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::best::Best;
use super::ground::Ground;
use super::reference::Reference;
use super::region::Region;
use super::space::Space;

/// Points that others are measured against: what they beat everywhere can't be nearest.
const RIVALS: usize = 4;

/// Points that are kept as possible rivals, even where their own term is too dear.
const RIVALS_KEPT: usize = 16;

/// Up to this many terms, all points are looked at again.
const CHEAP: usize = 8_000;

/// A point that can matter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub n: u32,
    /// At least its weighted outlier term; for the true k-LOF, at least `sqrt(density * reach)`.
    pub value: f64,
    /// At least what plans cost whose nearest point it is.
    pub total: f64,
}

/// The points that can matter in a region, and the least weighted outlier term.
#[derive(Debug, Clone)]
pub(super) struct Nearby {
    pub candidates: Arc<[Candidate]>,
    /// Points that may be nearer than those: the ones whose largest distance is least.
    pub rivals: Arc<[u32]>,
    pub bound: f64,
}

impl Nearby {
    /// All points, with nothing known of them.
    pub(super) fn all(reference: Option<&Reference>) -> Self {
        let count = reference.map_or(0, Reference::count) as u32;
        let candidate = |n: u32| Candidate { n, value: 0.0, total: 0.0 };
        Self {
            candidates: (0..count).map(candidate).collect(),
            rivals: (0..count).collect(),
            bound: 0.0,
        }
    }
}

/// The rivals of a region, the surest first, and how far any of the k nearest can be.
#[derive(Debug)]
pub(super) struct Rivals {
    pub points: Vec<u32>,
    cut: f64,
    tie: f64,
}

impl Rivals {
    pub(super) fn new(ground: &mut Ground, rivals: &[u32]) -> Self {
        let k = ground.reference.outlier.k.unwrap_or(1);
        let mut extremes: Vec<(f64, f64, u32)> = rivals
            .iter()
            .map(|&n| {
                let (least, most) = ground.extremes(n as usize);
                (most, least, n)
            })
            .collect();
        let kept = RIVALS_KEPT.max(3 * k).min(extremes.len());
        if kept < extremes.len() {
            extremes.select_nth_unstable_by(kept - 1, |a, b| a.0.total_cmp(&b.0));
            extremes.truncate(kept);
        }
        extremes.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
        let cut = ground.beyond(extremes[k - 1].0);
        let tie = 2.0 * ground.error + 1e-9 * cut;
        // The first k prove the cut, whatever becomes of them.
        let points = extremes
            .iter()
            .enumerate()
            .filter(|(place, rival)| *place < k || rival.1 <= cut)
            .map(|(_, rival)| rival.2)
            .collect();
        Self { points, cut, tie }
    }

    /// Brings what is known of a point up to date; false where it can't be nearest to any plan.
    pub(super) fn refresh(&self, ground: &mut Ground, candidate: &mut Candidate) -> bool {
        let n = candidate.n as usize;
        let (least, _) = ground.extremes(n);
        if least > self.cut {
            return false;
        }
        let outlier = ground.reference.outlier;
        let reach = ground.distance(least).max(outlier.k_distance[n]);
        let value = outlier.weight * outlier.density[n] * reach * (1.0 - 1e-12);
        candidate.value = candidate.value.max(value);
        true
    }

    /// Whether a rival is nearer than a point everywhere in the region.
    pub(super) fn beat(&self, ground: &mut Ground, n: u32) -> bool {
        self.points
            .iter()
            .take(RIVALS)
            .any(|&rival| rival != n && ground.lead(rival as usize, n as usize) > self.tie)
    }
}

/// The least weighted outlier term of any plan.
pub(super) fn least_outlier(space: &Space, reference: &Reference) -> f64 {
    let mut region = Region::whole(space);
    if !region.settle(space) {
        return 0.0;
    }
    let mut ground = Ground::new(space, reference, &region);
    let all = Nearby::all(Some(reference));
    match reference.outlier.k {
        Some(k) => narrow_lof(&all, &mut ground, k).bound,
        None => narrow_apart(&all, &mut ground, 0.0, &Best::new(1e-9)).bound,
    }
}

/// Narrows a surrogate that can't be joined with the distance: a plain minimum over points.
pub(super) fn narrow_apart(
    nearby: &Nearby,
    ground: &mut Ground,
    floor: f64,
    best: &Best,
) -> Nearby {
    let rivals = Rivals::new(ground, &nearby.rivals);
    let mut candidates: Vec<Candidate> = nearby.candidates.to_vec();
    let all = ground.touched() * candidates.len() <= CHEAP || nearby.bound == 0.0;
    if all {
        candidates.retain_mut(|candidate| {
            rivals.refresh(ground, candidate)
                && !best.beats(floor + candidate.value)
                && !rivals.beat(ground, candidate.n)
        });
    } else {
        candidates.retain(|candidate| !best.beats(floor + candidate.value));
        // The least value decides: look at it again until it stays the least.
        let mut fresh = vec![false; candidates.len()];
        loop {
            let least = (0..candidates.len())
                .min_by(|&a, &b| candidates[a].value.total_cmp(&candidates[b].value));
            let Some(i) = least.filter(|&i| !fresh[i]) else { break };
            fresh[i] = true;
            if !rivals.refresh(ground, &mut candidates[i])
                || rivals.beat(ground, candidates[i].n)
                || best.beats(floor + candidates[i].value)
            {
                candidates.swap_remove(i);
                fresh.swap_remove(i);
            }
        }
    }
    let least = candidates.iter().map(|c| c.value).fold(f64::INFINITY, f64::min);
    Nearby {
        candidates: candidates.into(),
        rivals: rivals.points.into(),
        bound: least.max(nearby.bound),
    }
}

/// Narrows the true k-LOF.
pub(super) fn narrow_lof(nearby: &Nearby, ground: &mut Ground, k: usize) -> Nearby {
    let outlier = ground.reference.outlier;
    let rivals = Rivals::new(ground, &nearby.rivals);
    let mut candidates: Vec<Candidate> = nearby.candidates.to_vec();
    let root = |ground: &mut Ground, candidate: &mut Candidate| {
        let n = candidate.n as usize;
        let (least, _) = ground.extremes(n);
        let reach = ground.distance(least).max(outlier.k_distance[n]);
        candidate.value = candidate.value.max((outlier.density[n] * reach).sqrt());
        if least > rivals.cut {
            candidate.value = f64::INFINITY;
        }
        reach
    };
    let mut means = 0.0;
    let by_value = |a: &Candidate, b: &Candidate| a.value.total_cmp(&b.value);
    if ground.touched() * candidates.len() <= CHEAP || nearby.bound == 0.0 {
        let mut reaches = Vec::with_capacity(candidates.len());
        candidates.retain_mut(|candidate| {
            let reach = root(ground, candidate);
            let inside = candidate.value < f64::INFINITY;
            if inside {
                reaches.push(reach);
            }
            inside
        });
        let mut densities: Vec<f64> =
            candidates.iter().map(|c| outlier.density[c.n as usize]).collect();
        if k <= candidates.len() {
            means = least_mean(&mut densities, k) * least_mean(&mut reaches, k);
        }
        if k < candidates.len() {
            candidates.select_nth_unstable_by(k - 1, by_value);
        }
    } else {
        // The k least values decide: look at them again until they stay the least.
        let mut heap: BinaryHeap<Least> = candidates.drain(..).map(Least).collect();
        while candidates.len() < k
            && let Some(Least(mut candidate)) = heap.pop()
        {
            let before = candidate.value;
            root(ground, &mut candidate);
            if candidate.value <= before {
                candidates.push(candidate);
            } else if candidate.value < f64::INFINITY {
                heap.push(Least(candidate));
            }
        }
        candidates.extend(heap.into_iter().map(|Least(candidate)| candidate));
    }
    if candidates.len() < k {
        // Every plan has k nearest points, so this can only be rounding: know nothing new.
        return nearby.clone();
    }
    let roots = candidates[..k].iter().map(|c| c.value).sum::<f64>() / k as f64;
    let bound = outlier.weight * means.max(roots * roots) * (1.0 - 1e-12);
    Nearby {
        candidates: candidates.into(),
        rivals: rivals.points.into(),
        bound: bound.max(nearby.bound),
    }
}

/// A candidate in a heap: the least value comes first.
struct Least(Candidate);

impl PartialEq for Least {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Least {}

impl PartialOrd for Least {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Least {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.value.total_cmp(&self.0.value)
    }
}

/// The mean of the k least values.
fn least_mean(values: &mut [f64], k: usize) -> f64 {
    if k < values.len() {
        values.select_nth_unstable_by(k - 1, f64::total_cmp);
    }
    values[..k].iter().sum::<f64>() / k as f64
}
