//! A k-d tree over the coordinates of distinct rows, with the bounding box of every node.

use super::coordinates::Coordinates;
use crate::partition::partition;

/// Points of a leaf that are measured at once; the compiler makes vector instructions of it.
pub(super) const LANES: usize = 16;

/// Coordinates that are added up before the sums are compared with the limit.
pub(super) const STRIDE: usize = 4;

/// A leaf has at most this many points.
const LEAF: usize = 128;

/// Points that a node is split by: the rest lies much like them.
const SAMPLE: usize = 1024;

/// The relative error of a number that is rounded to 32 bits.
const SINGLE: f64 = 1.0 / (1 << 24) as f64;

/// Points that lie together.
#[derive(Debug)]
pub(super) struct Node {
    /// The smallest of each coordinate.
    low: Vec<f64>,
    /// The largest of each coordinate.
    high: Vec<f64>,
    pub body: Body,
}

#[derive(Debug)]
pub(super) enum Body {
    Leaf(Leaf),
    Fork(Box<[Node; 2]>),
}

/// A few points, in numbers of 32 bits relative to the middle of their box: the error is a share of the leaf's size, however far
/// from the centre of the table it lies.
#[derive(Debug)]
pub(super) struct Leaf {
    /// The position of the first point in the tree's order.
    pub start: usize,
    /// How many points.
    pub len: usize,
    pub middle: Vec<f64>,
    /// What rounding the points to 32 bits can add to a distance.
    slack: f64,
    /// For every group of points, for every few coordinates: the points' coordinates. What is missing in the last few is 0.
    blocks: Vec<[[f32; LANES]; STRIDE]>,
}

/// The coordinates of all points, one after another.
struct Cloud<'a> {
    width: usize,
    values: &'a [f64],
    manhattan: bool,
}

impl Cloud<'_> {
    fn of(&self, point: u32) -> &[f64] {
        &self.values[point as usize * self.width..][..self.width]
    }
}

impl Node {
    /// The tree over points given by their coordinates, and the order of the points in it.
    pub(super) fn build(
        values: &[f64],
        coordinates: &Coordinates,
        mut order: Vec<u32>,
    ) -> (Self, Vec<u32>) {
        let cloud =
            Cloud { width: coordinates.len(), values, manhattan: coordinates.is_manhattan() };
        let root = grow(&cloud, &mut order, 0);
        (root, order)
    }

    /// A lower bound of the distance, squared where it is Euclidean, between a point and those in the box.
    #[inline(always)]
    pub(super) fn distance<const MANHATTAN: bool>(&self, at: &[f64]) -> f64 {
        let (low, high) = (&self.low[..at.len()], &self.high[..at.len()]);
        let term = |low: f64, high: f64, at: f64| {
            let (below, above) = (low - at, at - high);
            // Written out because `max` takes time to look for what is not a number, which counts as 0 here, too.
            let outside = if below > above { below } else { above };
            let outside = if outside > 0.0 { outside } else { 0.0 };
            if MANHATTAN { outside } else { outside * outside }
        };
        // Several sums, so that one addition need not wait for the other, and that they are done at once.
        let mut sums = [0.0; 8];
        let whole = at.len() - at.len() % sums.len();
        for first in (0..whole).step_by(sums.len()) {
            let (low, high, at) = (&low[first..][..8], &high[first..][..8], &at[first..][..8]);
            for lane in 0..8 {
                sums[lane] += term(low[lane], high[lane], at[lane]);
            }
        }
        for i in whole..at.len() {
            sums[i - whole] += term(low[i], high[i], at[i]);
        }
        sums.iter().sum()
    }

    /// The squared distance between a point and the middle of the box.
    pub(super) fn eccentricity(&self, at: &[f64]) -> f64 {
        let sides = at.iter().zip(self.low.iter().zip(&self.high));
        sides.map(|(at, (low, high))| (at - f64::midpoint(*low, *high)).powi(2)).sum()
    }

    /// All leaves, in the tree's order.
    pub(super) fn leaves(&self) -> Vec<&Leaf> {
        let mut leaves = Vec::new();
        let mut open = vec![self];
        while let Some(node) = open.pop() {
            match &node.body {
                Body::Leaf(leaf) => leaves.push(leaf),
                Body::Fork(parts) => open.extend(parts.iter().rev()),
            }
        }
        leaves
    }
}

impl Leaf {
    fn new(cloud: &Cloud, points: &[u32], start: usize, low: &[f64], high: &[f64]) -> Self {
        let middle: Vec<f64> = low.iter().zip(high).map(|(a, b)| f64::midpoint(*a, *b)).collect();
        let halves = low.iter().zip(high).map(|(low, high)| (high - low) / 2.0);
        let size = if cloud.manhattan {
            halves.sum()
        } else {
            halves.map(|half| half * half).sum::<f64>().sqrt()
        };
        // Once for the points, once for the row that is compared with them, and a little for the rounding of this bound.
        let slack = 2.5 * SINGLE * size;
        let mut blocks = Vec::with_capacity(points.len().div_ceil(LANES) * strides(cloud.width));
        for group in points.chunks(LANES) {
            for first in (0..cloud.width).step_by(STRIDE) {
                let mut block = [[0.0; LANES]; STRIDE];
                for (coordinate, lanes) in (first..cloud.width).zip(&mut block) {
                    for (value, &point) in lanes.iter_mut().zip(group) {
                        *value = (cloud.of(point)[coordinate] - middle[coordinate]) as f32;
                    }
                }
                blocks.push(block);
            }
        }
        Self { start, len: points.len(), middle, slack, blocks }
    }

    /// The limit beyond which no sum of [`Leaf::sums`] belongs to a point within `reach`. Rounding makes at most `width + 4`
    /// relative errors of 32 bits.
    pub(super) fn limit<const MANHATTAN: bool>(&self, reach: f64) -> f32 {
        let length = (reach + self.slack) * (1.0 + (self.middle.len() + 8) as f64 * SINGLE);
        let limit = if MANHATTAN { length } else { length * length };
        // Room for the rounding of the limit itself, and for squares that become 0.
        let limit = limit * 1.000_001 + 1e-36;
        if limit < 1e38 { limit as f32 } else { f32::INFINITY }
    }

    /// The distances of a group of points, squared where they are Euclidean; none where all are beyond the limit. `at` is
    /// relative to the middle.
    #[inline(always)]
    pub(super) fn sums<const MANHATTAN: bool>(
        &self,
        group: usize,
        at: &[[f32; STRIDE]],
        limit: f32,
    ) -> Option<[f32; LANES]> {
        let blocks = &self.blocks[group * at.len()..][..at.len()];
        let mut sums = [0.0f32; LANES];
        // Loops over numbers, not iterators: the compiler has to see lengths that it knows. Most points are too far
        // away in the first coordinates already.
        for (at, block) in at.iter().zip(blocks) {
            for coordinate in 0..STRIDE {
                for lane in 0..LANES {
                    let difference = at[coordinate] - block[coordinate][lane];
                    sums[lane] +=
                        if MANHATTAN { difference.abs() } else { difference * difference };
                }
            }
            // What is not a number is not beyond.
            let mut beyond = true;
            for sum in sums {
                beyond &= sum > limit;
            }
            if beyond {
                return None;
            }
        }
        Some(sums)
    }
}

/// Blocks per group of points.
fn strides(width: usize) -> usize {
    width.div_ceil(STRIDE)
}

fn grow(cloud: &Cloud, points: &mut [u32], start: usize) -> Node {
    if points.len() <= LEAF {
        let mut low = vec![f64::INFINITY; cloud.width];
        let mut high = vec![f64::NEG_INFINITY; cloud.width];
        for &point in points.iter() {
            for (i, &value) in cloud.of(point).iter().enumerate() {
                low[i] = low[i].min(value);
                high[i] = high[i].max(value);
            }
        }
        let leaf = Leaf::new(cloud, points, start, &low, &high);
        return Node { low, high, body: Body::Leaf(leaf) };
    }
    let middle = split(cloud, points);
    let (left, right) = points.split_at_mut(middle);
    let (left, right) =
        rayon::join(|| grow(cloud, left, start), || grow(cloud, right, start + middle));
    let low = left.low.iter().zip(&right.low).map(|(a, b)| a.min(*b)).collect();
    let high = left.high.iter().zip(&right.high).map(|(a, b)| a.max(*b)).collect();
    Node { low, high, body: Body::Fork(Box::new([left, right])) }
}

/// Parts points by the coordinate that varies most, near its median and between two values of it, so that equal values
/// stay together. Where a value is too frequent for even parts, two splits at most make its part constant in that coordinate: the
/// depth stays logarithmic.
fn split(cloud: &Cloud, points: &mut [u32]) -> usize {
    let sample: Vec<u32> = points.iter().step_by(points.len().div_ceil(SAMPLE)).copied().collect();
    let variance = |coordinate: usize| {
        let values = sample.iter().map(|&point| cloud.of(point)[coordinate]);
        let mean = values.clone().sum::<f64>() / sample.len() as f64;
        values.map(|value| (value - mean).powi(2)).sum::<f64>()
    };
    let widest = (0..cloud.width).map(|c| (variance(c), c)).max_by(|a, b| a.0.total_cmp(&b.0));
    let coordinate = widest.map_or(0, |(_, coordinate)| coordinate);
    let value = |point: u32| cloud.of(point)[coordinate];
    let mut values: Vec<f64> = sample.iter().map(|&point| value(point)).collect();
    values.sort_unstable_by(f64::total_cmp);
    let half = values.len() / 2;
    let median = values[half];
    let below = values.partition_point(|&value| value < median);
    let up_to = values.partition_point(|&value| value <= median);
    let before = below > 0 && half - below <= up_to - half;
    let middle = if before {
        partition(points, |point| value(point) < median)
    } else {
        partition(points, |point| value(point) <= median)
    };
    // Points that agree in every coordinate.
    if middle == 0 || middle == points.len() { points.len() / 2 } else { middle }
}
