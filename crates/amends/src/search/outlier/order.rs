//! The reference points in the order of their distance from the applicant: exactly for the nearest, in groups for the rest.
//!
//! Sorting all points of a large table, and reading them in that order from all over the memory, would take longer than the search.
//! Groups keep nearly all of its use: whoever looks for points within a distance looks at the groups up to it.

/// So many of the nearest points are in exact order.
const SORTED: usize = 4096;

/// Each group is about this much of all points before it.
const GROWTH: f64 = 0.125;

/// Groups are chosen by a sample of about this many points.
const SAMPLE: usize = 16_384;

/// Points in groups of rising distance from the applicant, the first in exact order.
#[derive(Debug)]
pub(in crate::search) struct Order {
    /// Per position in the order, the point's row in the instance.
    pub rows: Vec<u32>,
    /// Per row of the instance, its position in the order.
    pub positions: Vec<u32>,
    /// Per position in the order, the sum of terms between the point and the applicant.
    pub base: Vec<f64>,
    /// The end of the first group.
    sorted: usize,
    /// Per further group its least sum, which is at least every sum of the groups before it, and where it starts.
    groups: Vec<(f64, usize)>,
}

impl Order {
    /// The order of points by their sums of terms with the applicant, of which at least the first `k` are in exact order.
    pub(in crate::search) fn new(sums: &[f64], k: usize) -> Self {
        let limits = limits(sums, SORTED.max(4 * k));
        // The group of a point is the number of limits that it reaches.
        let group = |sum: f64| limits.partition_point(|&limit| limit <= sum);
        let groups: Vec<u8> = sums.iter().map(|&sum| group(sum) as u8).collect();
        let mut starts = vec![0_usize; limits.len() + 2];
        for &group in &groups {
            starts[group as usize + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let first = groups.iter().enumerate().filter(|(_, group)| **group == 0);
        let mut nearest: Vec<u32> = first.map(|(row, _)| row as u32).collect();
        let sum = |row: u32| sums[row as usize];
        nearest.sort_unstable_by(|&a, &b| sum(a).total_cmp(&sum(b)).then(a.cmp(&b)));
        let mut rows = nearest;
        rows.resize(sums.len(), 0);
        let mut next = starts.clone();
        for (row, &group) in groups.iter().enumerate().filter(|(_, group)| **group > 0) {
            let position = &mut next[group as usize];
            rows[*position] = row as u32;
            *position += 1;
        }
        let mut positions = vec![0; sums.len()];
        for (position, &row) in rows.iter().enumerate() {
            positions[row as usize] = position as u32;
        }
        let base = rows.iter().map(|&row| sum(row)).collect();
        let groups = limits.iter().zip(&starts[1..]).map(|(&limit, &start)| (limit, start));
        Self { rows, positions, base, sorted: starts[1], groups: groups.collect() }
    }

    /// How many of the first points are surely all with a sum of at most `most`; there may be others among them.
    pub(in crate::search) fn up_to(&self, most: f64) -> usize {
        let reached = self.groups.partition_point(|group| group.0 <= most);
        if reached > 0 {
            return self.groups.get(reached).map_or(self.base.len(), |next| next.1);
        }
        self.base[..self.sorted].partition_point(|&sum| sum <= most)
    }

    /// At most the sum of any point beyond so many of the first; infinity where there is none.
    pub(in crate::search) fn beyond(&self, count: usize) -> f64 {
        if count >= self.base.len() {
            return f64::INFINITY;
        }
        if count < self.sorted {
            return self.base[count];
        }
        let group = self.groups.partition_point(|group| group.1 <= count);
        self.groups[group - 1].0
    }
}

/// The sums at which groups begin, the first group apart.
fn limits(sums: &[f64], sorted: usize) -> Vec<f64> {
    if sums.len() <= 2 * sorted {
        return Vec::new();
    }
    let mut sample: Vec<f64> = sums.iter().step_by(sums.len().div_ceil(SAMPLE)).copied().collect();
    sample.sort_unstable_by(f64::total_cmp);
    let per_sample = sums.len() as f64 / sample.len() as f64;
    let mut limits = Vec::new();
    let mut count = sorted as f64;
    while count < sums.len() as f64 && limits.len() < usize::from(u8::MAX) {
        let limit = sample[((count / per_sample) as usize).min(sample.len() - 1)];
        if limits.last().is_none_or(|&last| last < limit) {
            limits.push(limit);
        }
        count *= 1.0 + GROWTH;
    }
    limits
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn every_point_within_a_sum_is_among_the_first() {
        let mut random = ChaCha8Rng::seed_from_u64(4);
        for (count, levels) in
            [(10, 5.0), (9_000, 1e9), (60_000, 1e9), (60_000, 3.0), (60_000, 1.0)]
        {
            let sums: Vec<f64> =
                (0..count).map(|_| f64::floor(random.random_range(0.0..levels)).sqrt()).collect();
            let order = Order::new(&sums, 5);
            assert!(
                order.rows.iter().zip(&order.base).all(|(&row, &sum)| sums[row as usize] == sum)
            );
            assert!(
                (0..count).all(|row| order.rows[order.positions[row] as usize] as usize == row)
            );
            for _ in 0..50 {
                let most = sums[random.random_range(0..count)];
                let up_to = order.up_to(most);
                let rest = &order.base[up_to..];
                assert!(rest.iter().all(|&sum| sum > most), "{count} points, {levels} levels");
                let least = rest.iter().copied().fold(f64::INFINITY, f64::min);
                assert!(order.beyond(up_to) <= least);
                assert!(up_to == count || order.beyond(up_to) > most);
            }
            assert!(order.base[..order.sorted].is_sorted());
            let some = random.random_range(0..count);
            assert!(order.base[some..].iter().all(|&sum| sum >= order.beyond(some)));
        }
        let sums: Vec<f64> = (0..100_000).map(|_| random.random_range(0.0..1.0)).collect();
        let order = Order::new(&sums, 5);
        // Not many more than there are.
        let within = sums.iter().filter(|&&sum| sum <= 0.3).count();
        assert!(order.up_to(0.3) < within * 6 / 5, "{} for {within}", order.up_to(0.3));
    }
}
