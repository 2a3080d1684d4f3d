//! The nearest rows of a table, exactly: as if every distance were computed and sorted.
//!
//! A tree (`tree.rs`) over coordinates (`coordinates.rs`) excludes most rows by a lower bound of their distance. The distances of the
//! others are computed from the rows themselves, so that they, and with them the order, are those of [`Metric::distance`] to the last bit.
//! Bounds carry a margin for rounding: a row is only excluded where its computed distance is larger.

mod coordinates;
mod tree;

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use super::Metric;
use super::rows::EqualRows;
use coordinates::Coordinates;
use tree::{Body, LANES, Leaf, Node, STRIDE};

/// A row of the table, seen from somewhere.
#[derive(Debug, Clone, Copy)]
pub(super) struct Neighbour {
    pub distance: f64,
    pub row: u32,
}

/// The nearer comes first, of equally near ones the lower row.
impl Ord for Neighbour {
    fn cmp(&self, other: &Self) -> Ordering {
        self.distance.total_cmp(&other.distance).then(self.row.cmp(&other.row))
    }
}

impl PartialOrd for Neighbour {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Neighbour {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Neighbour {}

/// Rows, ready to be asked for those nearest to a point.
#[derive(Debug)]
pub(super) struct Neighbours {
    points: Vec<Vec<f64>>,
    metric: Metric,
    scale: Option<Vec<f64>>,
    /// Rows that are equal are one point of the tree: any number of copies costs no more than one row.
    equal: EqualRows,
    coordinates: Coordinates,
    root: Node,
    /// The groups of equal rows in the tree's order.
    order: Vec<u32>,
}

impl Neighbours {
    /// Prepares rows, of which there is at least one.
    pub(super) fn new(points: Vec<Vec<f64>>, metric: Metric, scale: Option<Vec<f64>>) -> Self {
        let equal = EqualRows::of(&points);
        let distinct: Vec<&[f64]> =
            (0..equal.len()).map(|group| points[equal.first(group)].as_slice()).collect();
        let coordinates = Coordinates::fit(&distinct, metric, scale.as_deref());
        let width = coordinates.len();
        let mut values = vec![0.0; distinct.len() * width];
        values
            .par_chunks_mut(width)
            .zip(&distinct)
            .for_each(|(values, row)| coordinates.write(row, values));
        let order = (0..distinct.len() as u32).collect();
        let (root, order) = Node::build(&values, &coordinates, order);
        Self { points, metric, scale, equal, coordinates, root, order }
    }

    /// About how many bytes it takes to prepare so many rows and to find `k` neighbours of each.
    pub(super) fn memory(rows: usize, width: usize, k: usize) -> usize {
        // Coordinates, again in 32 bits, and boxes; one list of neighbours per row; positions in the tree.
        let coordinates = width.saturating_mul(14);
        let lists = k.saturating_mul(size_of::<Neighbour>()).saturating_add(48);
        rows.saturating_mul(coordinates.saturating_add(lists).saturating_add(48))
    }

    pub(super) fn into_points(self) -> Vec<Vec<f64>> {
        self.points
    }

    pub(super) fn points(&self) -> &[Vec<f64>] {
        &self.points
    }

    /// The `k` rows nearest to a point, nearest first and of equally near ones the lowest row first; all, where there are fewer.
    pub(super) fn nearest(&self, x: &[f64], k: usize) -> Vec<Neighbour> {
        let mut nearest = self.answers(vec![self.query(x, k)]);
        nearest.pop().unwrap_or_default()
    }

    /// The rows within a distance of a point, and their distances, in no particular order.
    pub(super) fn within(&self, x: &[f64], most: f64) -> Vec<Neighbour> {
        let query = self.query(x, usize::MAX);
        let reach = self.coordinates.reach(most, query.rounding);
        let mut found = self.visited(vec![Query { most, reach, ..query }]);
        found.pop().unwrap_or_default().into_vec()
    }

    /// For every group of equal rows the `k` rows nearest to it, itself included; with the group's number.
    pub(super) fn of_all(&self, k: usize) -> Vec<(u32, Vec<Neighbour>)> {
        let leaves = self.root.leaves();
        let of_leaf = |leaf: &&Leaf| {
            let groups = &self.order[leaf.start..][..leaf.len];
            let point = |group: u32| self.points[self.equal.first(group as usize)].as_slice();
            let queries = groups.iter().map(|&group| self.query(point(group), k)).collect();
            groups.iter().copied().zip(self.answers(queries)).collect::<Vec<_>>()
        };
        leaves.par_iter().flat_map_iter(of_leaf).collect()
    }

    /// The rows of a group of equal ones, in rising order.
    pub(super) fn members(&self, group: u32) -> &[u32] {
        self.equal.members(group as usize)
    }

    fn query<'a>(&self, x: &'a [f64], k: usize) -> Query<'a> {
        assert_eq!(x.len(), self.points[0].len(), "columns of the point and of the reference");
        let mut at = vec![0.0; self.coordinates.len()];
        self.coordinates.write(x, &mut at);
        let rounding = self.coordinates.rounding(x);
        let (most, reach) = (f64::INFINITY, f64::INFINITY);
        Query { x, k, most, at, rounding, reach, nearest: BinaryHeap::new() }
    }

    fn answers(&self, queries: Vec<Query>) -> Vec<Vec<Neighbour>> {
        self.visited(queries).into_iter().map(BinaryHeap::into_sorted_vec).collect()
    }

    fn visited(&self, queries: Vec<Query>) -> Vec<BinaryHeap<Neighbour>> {
        let mut visit = Visit {
            index: self,
            focus: middle_of(&queries),
            queries,
            local: Vec::new(),
            arch: Arch::new(),
        };
        let mut all =
            (0..visit.queries.len()).filter(|&query| visit.queries[query].k > 0).collect();
        if self.coordinates.is_manhattan() {
            visit.descend::<true>(&self.root, &mut all, 0);
        } else {
            visit.descend::<false>(&self.root, &mut all, 0);
        }
        visit.queries.into_iter().map(|query| query.nearest).collect()
    }
}

/// A point whose nearest rows are sought.
struct Query<'a> {
    x: &'a [f64],
    /// At most so many rows.
    k: usize,
    /// At most so far away.
    most: f64,
    at: Vec<f64>,
    rounding: f64,
    /// Rows that are farther away in coordinates are not among the nearest.
    reach: f64,
    nearest: BinaryHeap<Neighbour>,
}

impl Query<'_> {
    /// Takes rows at the same distance, in rising order, as far as they are among the nearest; whether any was.
    fn offer(&mut self, distance: f64, rows: &[u32]) -> bool {
        let mut taken = false;
        if distance > self.most {
            return taken;
        }
        for &row in rows {
            let new = Neighbour { distance, row };
            if self.nearest.len() < self.k {
                self.nearest.push(new);
            } else if let Some(mut last) = self.nearest.peek_mut()
                && new < *last
            {
                *last = new;
            } else {
                break;
            }
            taken = true;
        }
        taken
    }
}

fn middle_of(queries: &[Query]) -> Vec<f64> {
    let mut middle = vec![0.0; queries.first().map_or(0, |query| query.at.len())];
    for query in queries {
        for (middle, value) in middle.iter_mut().zip(&query.at) {
            *middle += value / queries.len() as f64;
        }
    }
    middle
}

/// A walk through the tree for points that lie together: what is read of the tree serves all of them.
struct Visit<'a, 'x> {
    index: &'a Neighbours,
    queries: Vec<Query<'x>>,
    /// The middle of the points: of two parts of the tree the one nearer to it comes first.
    focus: Vec<f64>,
    /// A point relative to a leaf.
    local: Vec<[f32; STRIDE]>,
    /// The processor's vector instructions.
    arch: Arch,
}

impl Visit<'_, '_> {
    /// Visits a node for the queries from `from` on, as far as it can hold any of their nearest rows.
    fn descend<const MANHATTAN: bool>(
        &mut self,
        node: &Node,
        active: &mut Vec<usize>,
        from: usize,
    ) {
        let to = active.len();
        let arch = self.arch;
        arch.dispatch(Sift::<MANHATTAN> { queries: &self.queries, node, active, from });
        if active.len() > to {
            match &node.body {
                Body::Leaf(leaf) => {
                    let arch = self.arch;
                    arch.dispatch(Scan::<MANHATTAN> { visit: self, leaf, active: &active[to..] });
                }
                Body::Fork(parts) => {
                    let key = |part: &Node| {
                        (part.distance::<MANHATTAN>(&self.focus), part.eccentricity(&self.focus))
                    };
                    let [left, right] = &**parts;
                    let first = if key(right) < key(left) { [right, left] } else { [left, right] };
                    for part in first {
                        self.descend::<MANHATTAN>(part, active, to);
                    }
                }
            }
        }
        active.truncate(to);
    }

    #[inline(always)]
    fn scan<const MANHATTAN: bool>(&mut self, leaf: &Leaf, query: usize) {
        let index = self.index;
        let query = &mut self.queries[query];
        self.local.clear();
        for (at, middle) in query.at.chunks(STRIDE).zip(leaf.middle.chunks(STRIDE)) {
            let mut local = [0.0; STRIDE];
            for (i, (at, middle)) in at.iter().zip(middle).enumerate() {
                local[i] = (at - middle) as f32;
            }
            self.local.push(local);
        }
        let mut limit = leaf.limit::<MANHATTAN>(query.reach);
        for first in (0..leaf.len).step_by(LANES) {
            let sums = leaf.sums::<MANHATTAN>(first / LANES, &self.local, limit);
            let Some(sums) = sums else { continue };
            for (lane, sum) in sums.into_iter().enumerate().take(leaf.len - first) {
                if sum > limit {
                    continue;
                }
                let group = index.order[leaf.start + first + lane] as usize;
                let point = &index.points[index.equal.first(group)];
                let distance = index.metric.distance(query.x, point, index.scale.as_deref());
                if query.offer(distance, index.equal.members(group))
                    && query.nearest.len() == query.k
                    && let Some(last) = query.nearest.peek()
                {
                    query.reach = index.coordinates.reach(last.distance, query.rounding);
                    limit = leaf.limit::<MANHATTAN>(query.reach);
                }
            }
        }
    }
}

/// Leaves the queries at the end of a list that can have any of their nearest rows in a node.
struct Sift<'v, 'x, const MANHATTAN: bool> {
    queries: &'v [Query<'x>],
    node: &'v Node,
    active: &'v mut Vec<usize>,
    from: usize,
}

impl<const MANHATTAN: bool> WithSimd for Sift<'_, '_, MANHATTAN> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for i in self.from..self.active.len() {
            let query = &self.queries[self.active[i]];
            let limit = if MANHATTAN { query.reach } else { query.reach * query.reach };
            // What is not a number excludes nothing.
            let beyond = self.node.distance::<MANHATTAN>(&query.at) > limit * (1.0 + 1e-9);
            if !beyond {
                self.active.push(self.active[i]);
            }
        }
    }
}

/// Measures the points of a leaf for some queries.
struct Scan<'v, 'a, 'x, const MANHATTAN: bool> {
    visit: &'v mut Visit<'a, 'x>,
    leaf: &'v Leaf,
    active: &'v [usize],
}

impl<const MANHATTAN: bool> WithSimd for Scan<'_, '_, '_, MANHATTAN> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for &query in self.active {
            self.visit.scan::<MANHATTAN>(self.leaf, query);
        }
    }
}
