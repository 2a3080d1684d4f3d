//! Which reference points can matter in a region, and the least outlier term there.
//!
//! A point can only be among the k nearest of some plan in a region (k = 1 for the surrogate) where
//! its least distance does not exceed the k-th least of all points' largest distances. The surrogate
//! is then at least the least `density * max(k_distance, least distance)`. The true k-LOF is the
//! product of two means over the same k points, `mean(density) * mean(reach)`, and by Cauchy-Schwarz
//! at least the square of the mean of `sqrt(density * reach)`, so of its least mean over any k points. Where
//! it is decided which features change, and few points can be among the k nearest, there is a better bound (`neighbours.rs`).
//!
//! What is known of a point in a region holds in every smaller one. So a point is only looked at
//! again where it is among the few that decide the bound: the number of points hardly matters.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;

use crate::search::incumbent::Cutoff;
use crate::search::layout::cost_limits::CostLimits;
use crate::search::outlier::neighbours::{Found, Neighbours};
use crate::search::outlier::region_distances::{Points, RegionDistances};
use crate::search::outlier::rivals::Rivals;

/// Points are counted again where the region's extent is this part of what it was.
const SMALLER: f64 = 0.5;

/// For the true k-LOF, so many points with the least values are listed; the others are known to have more.
const LISTED: usize = 4096;

/// Rivals are looked for among so many of the points nearest to the applicant.
const NEAR_RIVALS: usize = 1024;

/// A point that can matter.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Candidate {
    pub n: u32,
    /// At least its outlier term; for the true k-LOF, at least `sqrt(density * reach)`.
    pub value: f64,
    /// At least what plans cost whose nearest point it is.
    pub total: f64,
}

/// The points that can matter in a region, and the least outlier term.
#[derive(Debug, Clone, Default)]
pub(in crate::search) struct Nearby {
    /// Points by what is known of them in the whole space, the least value first: all, or for the true k-LOF so many.
    whole: Arc<[Candidate]>,
    /// The others have at least this value.
    beyond: f64,
    /// Those before this are known better or do not matter any more.
    used: usize,
    /// Those from here on are too expensive.
    end: usize,
    /// Those known better.
    known: Arc<[Candidate]>,
    /// For the true k-LOF, where it is known of every point: those that can be among the k nearest.
    near: Option<Arc<[u32]>>,
    /// Those that they are among, where they are too many to look at each of them again and again.
    pool: Option<Arc<[u32]>>,
    /// The extent of the region in which they were last found to be too many.
    tried: f64,
    /// Points that may be nearer than those: the ones whose largest distance is least.
    pub rivals: Arc<[u32]>,
    /// No plan has a lesser outlier term.
    pub term: f64,
    /// The same times the term's weight: what it costs at least.
    pub bound: f64,
}

impl Nearby {
    /// All points, in the whole space.
    pub(in crate::search) fn whole(distances: &mut RegionDistances) -> Self {
        let count = distances.reference.count();
        // Any points are valid rivals; of those near the applicant, some are sure to be near everywhere.
        let rivals: Vec<u32> = (0..count.min(NEAR_RIVALS) as u32).collect();
        let rivals = Rivals::new(distances, &rivals);
        let mut whole: Vec<Candidate> = Vec::new();
        distances.each_least(Points::First(count), |distances, n, least| {
            let mut candidate = Candidate { n, value: 0.0, total: 0.0 };
            if rivals.admit(distances, least, &mut candidate) {
                whole.push(candidate);
            }
        });
        let by_value = |a: &Candidate, b: &Candidate| a.value.total_cmp(&b.value);
        let mut beyond = f64::INFINITY;
        if distances.reference.outlier.k.is_some() && whole.len() > LISTED {
            beyond = whole.select_nth_unstable_by(LISTED, by_value).1.value;
            whole.truncate(LISTED);
            whole.shrink_to_fit();
        }
        whole.sort_by(by_value);
        let term = match distances.reference.outlier.k {
            None => whole.first().map_or(0.0, |candidate| candidate.value),
            Some(k) => mean_bound(whole.iter().take(k).map(|candidate| candidate.value), k),
        };
        Self {
            end: whole.len(),
            whole: whole.into(),
            beyond,
            used: 0,
            known: Arc::from([]),
            near: None,
            pool: None,
            tried: f64::INFINITY,
            rivals: rivals.points.into(),
            term,
            bound: term * distances.reference.outlier.weight,
        }
    }

    /// How many points can matter.
    pub(in crate::search) fn len(&self) -> usize {
        self.known.len() + self.end - self.used
    }

    /// The points that those which can be among the k nearest are known to be among.
    pub(in crate::search) fn pool(&self) -> Option<Arc<[u32]>> {
        self.pool.clone()
    }

    /// The same where the outlier term is known to be at least this.
    pub(in crate::search) fn at_least(&self, term: f64, weight: f64) -> Self {
        let term = term.max(self.term);
        Self { term, bound: weight * term, ..self.clone() }
    }

    /// The points that can matter.
    pub(in crate::search) fn points(&self) -> impl Iterator<Item = u32> {
        self.known.iter().chain(&self.whole[self.used..self.end]).map(|candidate| candidate.n)
    }

    /// The same with what the points say that can be among the k nearest.
    fn with_neighbours(&self, near: &Neighbours, distances: &RegionDistances) -> Self {
        let term = near.least_factor().max(self.term);
        let bound = distances.reference.outlier.weight * term;
        Self { near: Some(near.points().collect()), pool: None, term, bound, ..self.clone() }
    }

    /// About the bytes that belong to this region alone.
    pub(in crate::search) fn size(&self) -> usize {
        let list = |list: &Option<Arc<[u32]>>| list.as_deref().map_or(0, size_of_val);
        let lists = list(&self.near) + list(&self.pool);
        size_of_val(&self.known[..]) + size_of_val(&self.rivals[..]) + lists
    }

    /// What is known, for working on the points in the order of their bounds. Values count `weight`.
    pub(in crate::search) fn queue(&self, floor: f64, weight: f64) -> Queue {
        let entry = |&candidate: &Candidate| Entry {
            candidate: Candidate {
                total: candidate.total.max(floor + weight * candidate.value),
                ..candidate
            },
            fresh: false,
            tries: 0,
            own: false,
        };
        Queue {
            heap: self.known.iter().map(entry).collect(),
            whole: Arc::clone(&self.whole),
            beyond: self.beyond,
            used: self.used,
            end: self.end,
            weight,
        }
    }
}

/// A candidate and what has been done about it in this region.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Entry {
    pub candidate: Candidate,
    /// Looked at again in this region.
    pub fresh: bool,
    /// Bounded by the multipliers of this many tries.
    pub tries: u32,
    /// Had its own relaxed problem.
    pub own: bool,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    /// The least bound comes first.
    fn cmp(&self, other: &Self) -> Ordering {
        other.candidate.total.total_cmp(&self.candidate.total)
    }
}

/// Points in the order of their bounds. Those that nothing but the whole space has been asked about
/// stay in their list until it is their turn.
pub(in crate::search) struct Queue {
    heap: BinaryHeap<Entry>,
    whole: Arc<[Candidate]>,
    beyond: f64,
    used: usize,
    end: usize,
    weight: f64,
}

impl Queue {
    /// The point with the least bound, where everything but the outlier term is at least `floor`.
    pub(in crate::search) fn pop(&mut self, floor: f64) -> Option<Entry> {
        let waiting = self.whole[..self.end].get(self.used);
        let known = self.heap.peek().map(|entry| entry.candidate.total);
        match waiting {
            Some(&first) if known.is_none_or(|known| floor + self.weight * first.value < known) => {
                self.used += 1;
                let total = floor + self.weight * first.value;
                let candidate = Candidate { total, ..first };
                Some(Entry { candidate, fresh: false, tries: 0, own: false })
            }
            _ => self.heap.pop(),
        }
    }

    pub(in crate::search) fn push(&mut self, entry: Entry) {
        self.heap.push(entry);
    }

    /// Nothing is left.
    pub(in crate::search) fn clear(&mut self) {
        self.heap.clear();
        self.used = self.end;
    }

    /// Drops points that are too expensive, or beyond the cap, even at what is known of them.
    pub(in crate::search) fn drop_dear(
        &mut self,
        floor: f64,
        best: Cutoff,
        cost_limits: &CostLimits,
    ) {
        let weight = self.weight;
        let expensive = |total: f64| best.beats(total);
        self.heap
            .retain(|e| cost_limits.admits(e.candidate.value) && !expensive(e.candidate.total));
        let open = &self.whole[self.used..self.end];
        let fits =
            |c: &Candidate| cost_limits.admits(c.value) && !expensive(floor + weight * c.value);
        self.end = self.used + open.partition_point(fits);
    }

    /// What is known now; `term` is a bound of the outlier term.
    fn finish(self, rivals: Rivals, term: f64, weight: f64) -> Nearby {
        Nearby {
            whole: self.whole,
            beyond: self.beyond,
            used: self.used,
            end: self.end,
            known: self.heap.into_iter().map(|entry| entry.candidate).collect(),
            near: None,
            pool: None,
            tried: f64::INFINITY,
            rivals: rivals.points.into(),
            term,
            bound: weight * term,
        }
    }

    /// What is known now of a surrogate: the least value bounds it.
    pub(in crate::search) fn finish_least(self, rivals: Rivals, before: f64) -> Nearby {
        let open = &self.whole[self.used..self.end];
        let waiting = open.first().map_or(f64::INFINITY, |first| first.value);
        let known = self.heap.iter().map(|entry| entry.candidate.value);
        let term = known.fold(waiting, f64::min).max(before);
        let weight = self.weight;
        self.finish(rivals, term, weight)
    }
}

/// Narrows a surrogate that can't be joined with the distance: a plain minimum over points.
pub(in crate::search) fn narrow_apart(
    nearby: &Nearby,
    distances: &mut RegionDistances,
    floor: f64,
    best: Cutoff,
    cost_limits: &CostLimits,
) -> Nearby {
    let rivals = Rivals::new(distances, &nearby.rivals);
    let weight = distances.reference.outlier.weight;
    let mut queue = nearby.queue(floor, weight);
    while let Some(mut entry) = queue.pop(floor) {
        if best.beats(entry.candidate.total) {
            queue.clear();
            break;
        }
        if entry.fresh {
            queue.push(entry);
            break;
        }
        entry.fresh = true;
        let candidate = &mut entry.candidate;
        if rivals.refresh(distances, candidate)
            && cost_limits.admits(candidate.value)
            && !rivals.beat(distances, candidate.n)
        {
            candidate.total = floor + weight * candidate.value;
            queue.push(entry);
        }
    }
    queue.drop_dear(floor, best, cost_limits);
    queue.finish_least(rivals, nearby.term)
}

/// Narrows the true k-LOF by the k least values; where it is decided which features change, by every point that can be among
/// the k nearest; these come back, too.
pub(in crate::search) fn narrow_lof(
    nearby: &Nearby,
    distances: &mut RegionDistances,
    k: usize,
) -> (Nearby, Option<Neighbours>) {
    if let Some(near) = &nearby.near {
        // Every plan has k nearest points, so having fewer can only be rounding: know nothing new.
        return match Neighbours::all(distances, k, near) {
            Some(near) => (nearby.with_neighbours(&near, distances), Some(near)),
            None => (nearby.clone(), None),
        };
    }
    let (mut tried, mut pool) = (nearby.tried, nearby.pool.clone());
    if distances.decides() && distances.extent() <= SMALLER * tried {
        tried = distances.extent();
        let points = match &pool {
            Some(pool) => Points::Listed(pool),
            None => Points::First(distances.reference.count()),
        };
        match Neighbours::find(distances, k, points, &nearby.rivals) {
            Found::Few(near) => return (nearby.with_neighbours(&near, distances), Some(near)),
            Found::Fewer(fewer) => pool = Some(fewer.into()),
            Found::Many => {}
        }
    }
    let rivals = Rivals::new(distances, &nearby.rivals);
    let mut queue = nearby.queue(0.0, 1.0);
    let mut least: Vec<Entry> = Vec::with_capacity(k);
    while least.len() < k
        && let Some(mut entry) = queue.pop(0.0)
    {
        if entry.fresh {
            least.push(entry);
            continue;
        }
        entry.fresh = true;
        if rivals.refresh(distances, &mut entry.candidate) {
            entry.candidate.total = entry.candidate.value;
            queue.push(entry);
        }
    }
    let values = least.iter().map(|entry| entry.candidate.value.min(nearby.beyond));
    let mut values: Vec<f64> = values.collect();
    if nearby.beyond < f64::INFINITY {
        values.resize(k, nearby.beyond);
    }
    let term = if values.len() < k {
        // Every plan has k nearest points, so this can only be rounding: know nothing new.
        nearby.term
    } else {
        mean_bound(values.into_iter(), k).max(nearby.term)
    };
    for entry in least {
        queue.push(entry);
    }
    let narrowed = queue.finish(rivals, term, distances.reference.outlier.weight);
    (Nearby { pool, tried, ..narrowed }, None)
}

/// Narrows the true k-LOF of a region that leaves changes undecided, by every point that can be among the k nearest. Worth its
/// time only where much depends on it.
pub(in crate::search) fn narrow_undecided(
    nearby: &Nearby,
    distances: &mut RegionDistances,
    k: usize,
) -> Nearby {
    if distances.decides() || nearby.near.is_some() {
        return nearby.clone();
    }
    let points = match &nearby.pool {
        Some(pool) => Points::Listed(pool),
        None => Points::First(distances.reference.count()),
    };
    match Neighbours::find(distances, k, points, &nearby.rivals) {
        Found::Few(near) => {
            let term = near.least_factor().max(nearby.term);
            let bound = distances.reference.outlier.weight * term;
            Nearby { pool: Some(near.points().collect()), term, bound, ..nearby.clone() }
        }
        Found::Fewer(fewer) => Nearby { pool: Some(fewer.into()), ..nearby.clone() },
        Found::Many => nearby.clone(),
    }
}

/// The bound of the true k-LOF from the k least values.
fn mean_bound(least: impl Iterator<Item = f64>, k: usize) -> f64 {
    let mean = least.sum::<f64>() / k as f64;
    mean * mean * (1.0 - 1e-12)
}
