//! Points that others are measured against: what a rival beats everywhere can't be nearest.

use crate::search::outlier::nearby::Candidate;
use crate::search::outlier::region_distances::RegionDistances;

/// Rivals that a point is compared with.
const COMPARED: usize = 4;

/// Rivals that are kept, even where their own term is too expensive.
const KEPT: usize = 16;

/// The rivals of a region, the surest first, and how far any of the k nearest can be.
#[derive(Debug)]
pub(in crate::search) struct Rivals {
    pub points: Vec<u32>,
    cut: f64,
    tie: f64,
}

impl Rivals {
    /// The surest of some points: those whose largest distance is least.
    pub(in crate::search) fn new(distances: &mut RegionDistances, rivals: &[u32]) -> Self {
        let extremes = rivals.iter().map(|&n| {
            let (least, most) = distances.extremes(n as usize);
            (most, least, n)
        });
        let extremes = extremes.collect();
        Self::surest(distances, extremes)
    }

    /// The surest of points of which the largest and the least sum of terms are known.
    pub(in crate::search) fn surest(
        distances: &RegionDistances,
        mut extremes: Vec<(f64, f64, u32)>,
    ) -> Self {
        let k = distances.reference.outlier.k.unwrap_or(1);
        let kept = KEPT.max(3 * k).min(extremes.len());
        if kept < extremes.len() {
            extremes.select_nth_unstable_by(kept - 1, |a, b| a.0.total_cmp(&b.0));
            extremes.truncate(kept);
        }
        extremes.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
        let cut = distances.beyond(extremes[k - 1].0);
        let tie = 2.0 * distances.error + 1e-9 * cut;
        // The first k prove the cut, whatever becomes of them.
        let points = extremes
            .iter()
            .enumerate()
            .filter(|(index, rival)| *index < k || rival.1 <= cut)
            .map(|(_, rival)| rival.2)
            .collect();
        Self { points, cut, tie }
    }

    /// Brings what is known of a point up to date; false where it can't be among the nearest of any
    /// plan.
    pub(in crate::search) fn refresh(
        &self,
        distances: &mut RegionDistances,
        candidate: &mut Candidate,
    ) -> bool {
        let (least, _) = distances.extremes(candidate.n as usize);
        self.admit(distances, least, candidate)
    }

    /// The same, where its least sum of terms is known.
    pub(in crate::search) fn admit(
        &self,
        distances: &RegionDistances,
        least: f64,
        candidate: &mut Candidate,
    ) -> bool {
        let n = candidate.n as usize;
        if least > self.cut {
            return false;
        }
        let reference = distances.reference;
        let term = reference.density[n] * distances.distance(least).max(reference.k_distance[n]);
        let value = match reference.outlier.k {
            None => term * (1.0 - 1e-12),
            Some(_) => term.sqrt(),
        };
        candidate.value = candidate.value.max(value);
        true
    }

    /// Whether a rival is nearer than a point everywhere in the region.
    pub(in crate::search) fn beat(&self, distances: &mut RegionDistances, n: u32) -> bool {
        self.points
            .iter()
            .take(COMPARED)
            .any(|&rival| rival != n && distances.lead(rival as usize, n as usize) > self.tie)
    }
}
