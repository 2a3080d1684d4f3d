//! Sets of features first: which of them can change at all in a plan that is cheap enough.
//!
//! Of a linear model, under the length of `U a`, the least distance at which a set S of directions gains what the score
//! lacks is `need / sqrt(w_S' G_SS^-1 w_S)`, with G the products of the directions: a closed form, whatever the values. Most
//! sets are too far away by that alone, and in the few that are left every bound has only as many features to look at as
//! may change. Options without an order count as directions of their own, which only makes the bound lower.

use super::node::{Node, Task};
use super::region::{Region, Stand};
use super::space::{Norm, Space, dot};

/// Larger searches than this many sets begin with the whole space.
const MOST_SETS: u64 = 30_000;

/// What rounding may take off a bound, relatively: generous beside a few products.
const ROUNDING: f64 = 1e-9;

/// The sets of features that the search began with, the most promising first.
#[derive(Debug, Default)]
pub(super) struct Sets {
    /// One bit per feature; empty where there are more features than bits.
    masks: Vec<u128>,
}

impl Sets {
    /// Whether a region of one of the sets repeats what an earlier set covers: plans that change fewer features than the set has
    /// belong to several sets, and are looked for in the first of them.
    pub(super) fn repeats(&self, space: &Space, set: usize, region: &Region) -> bool {
        let Some(&own) = self.masks.get(set) else { return false };
        let kept = |f: &usize| region.stand(space, *f) == Stand::Kept;
        let mask = mask((0..space.features.len()).filter(|f| !kept(f)));
        mask != own && self.masks[..set].iter().any(|earlier| mask & !earlier == 0)
    }
}

fn mask(features: impl Iterator<Item = usize>) -> u128 {
    features.fold(0, |mask, f| mask | 1 << f)
}

/// A way to change one feature.
struct Direction<'s> {
    feature: usize,
    image: &'s [f64],
    gain: f64,
}

/// Parts of the space that together hold every plan that may be the best, one per set of features; `None` where sets are
/// too many or have no closed form.
pub(super) fn parts_by_set(task: &Task, root: &Node) -> Option<(Vec<Node>, Sets)> {
    let space = task.space;
    let limit = space.instance.max_changes;
    if space.norm != Norm::Length
        || !task.score.additive()
        || space.score_error >= -space.score
        || space.features.iter().any(super::space::Feature::is_state)
        || space.features.len() <= limit
        || limit < 2
        // Without a plan to compare with, all sets would stay.
        || task.best.objective().is_none()
    {
        return None;
    }
    let directions = directions(space);
    if count(directions.len() as u64, limit as u64) > MOST_SETS {
        return None;
    }
    let mut walk = Walk::new(task, root, &directions);
    walk.go(0);
    let mut sets = walk.found;
    sets.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    sets.dedup_by(|later, first| later.0 == first.0);
    sets.sort_by(|a, b| a.1.total_cmp(&b.1));
    let masks = match space.features.len() {
        0..=128 => sets.iter().map(|(set, _)| mask(set.iter().copied())).collect(),
        _ => Vec::new(),
    };
    let share = root.share / sets.len().max(1) as f64;
    let node = |(index, (set, distance)): (usize, (Vec<usize>, f64))| {
        let mut region: Region = root.region.clone();
        for f in (0..space.features.len()).filter(|f| !set.contains(f)) {
            region.keep(space, f);
        }
        let floor = root.floor.max(distance);
        let bound = root.bound.max(floor + root.nearby.bound);
        Node { region, bound, floor, share, set: Some(index as u32), ..root.clone() }
    };
    Some((sets.into_iter().enumerate().map(node).collect(), Sets { masks }))
}

fn directions<'s>(space: &'s Space) -> Vec<Direction<'s>> {
    let mut list = Vec::new();
    for (f, feature) in space.features.iter().enumerate() {
        if feature.numeric {
            list.push(Direction { feature: f, image: &feature.image, gain: feature.unit_gain });
            continue;
        }
        for place in (0..=feature.last()).filter(|&place| !feature.is_keep(place)) {
            let at = place as usize;
            let image = &feature.image[at * space.rows..(at + 1) * space.rows];
            list.push(Direction { feature: f, image, gain: feature.gain[at] });
        }
    }
    list
}

/// How many sets of this size there are, at most a large number.
fn count(of: u64, size: u64) -> u64 {
    (0..size.min(of)).fold(1_u64, |count, at| count.saturating_mul(of - at) / (at + 1))
}

/// A walk over sets of directions of different features, with a triangular root that grows row by row.
struct Walk<'a> {
    directions: &'a [Direction<'a>],
    products: Vec<f64>,
    size: usize,
    need: f64,
    /// Sets at this distance or beyond are too far away.
    radius: f64,
    chosen: Vec<usize>,
    /// The rows of the root, and what each direction adds to the gain per distance.
    rows: Vec<Vec<f64>>,
    gains: Vec<f64>,
    found: Vec<(Vec<usize>, f64)>,
}

impl<'a> Walk<'a> {
    fn new(task: &Task, root: &Node, directions: &'a [Direction<'a>]) -> Self {
        let product = |a: &Direction, b: &Direction| dot(a.image, b.image);
        let products =
            directions.iter().flat_map(|a| directions.iter().map(move |b| product(a, b))).collect();
        let space = task.space;
        Self {
            directions,
            products,
            size: space.instance.max_changes,
            need: -space.score - space.score_error,
            radius: space.caps.distance.min(task.best.limit() - root.nearby.bound),
            chosen: Vec::new(),
            rows: Vec::new(),
            gains: Vec::new(),
            found: Vec::new(),
        }
    }

    fn go(&mut self, from: usize) {
        if self.chosen.len() == self.size {
            let gained = dot(&self.gains, &self.gains).sqrt();
            let distance = self.need / gained * (1.0 - ROUNDING);
            if distance.is_nan() || distance <= self.radius {
                let set = self.chosen.iter().map(|&at| self.directions[at].feature).collect();
                self.found.push((set, distance.max(0.0)));
            }
            return;
        }
        for at in from..self.directions.len() {
            let feature = self.directions[at].feature;
            if self.chosen.last().is_some_and(|&last| self.directions[last].feature == feature) {
                continue;
            }
            self.push(at);
            self.go(at + 1);
            self.chosen.pop();
            self.rows.pop();
            self.gains.pop();
        }
    }

    fn push(&mut self, at: usize) {
        let count = self.directions.len();
        let mut row: Vec<f64> = Vec::with_capacity(self.chosen.len() + 1);
        for (other, &chosen) in self.rows.iter().zip(&self.chosen) {
            let known = dot(&other[..row.len()], &row);
            row.push((self.products[at * count + chosen] - known) / other[row.len()]);
        }
        let own = self.products[at * count + at];
        // A direction that the others nearly make up has hardly a length of its own; taking it for longer than it is would
        // make the bound too high, so it gets none, and the set stays.
        let left = own - dot(&row, &row);
        let length = if left > 1e-9 * own { left.sqrt() } else { 0.0 };
        let gain = (self.directions[at].gain - dot(&row, &self.gains)) / length;
        row.push(length);
        self.rows.push(row);
        self.gains.push(if gain.is_finite() { gain } else { f64::INFINITY });
        self.chosen.push(at);
    }
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn sets_are_counted() {
        assert_eq!((count(23, 4), count(5, 5), count(3, 7)), (8855, 1, 1));
        assert!(count(200, 30) > super::MOST_SETS);
    }
}
