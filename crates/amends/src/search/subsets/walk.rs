//! The depth-first walk over sets.

use super::chosen::Chosen;
use super::level::{LEAST_SHARE, Level, added, most_added};
use super::{Directions, slack};

/// The walk, with what may join at each of its levels.
pub(super) struct Walk<'d> {
    pub directions: &'d Directions,
    pub groups: &'d [usize],
    pub least: f64,
    pub most: usize,
    pub error: f64,
    pub levels: Vec<Level>,
    pub chosen: Chosen,
    pub found: Vec<Vec<usize>>,
    pub largest: Vec<f64>,
}

impl Walk<'_> {
    /// Goes through the candidates of a level, of which `left` may join a set that has gained so much; false where too many
    /// sets were found.
    pub(super) fn descend(&mut self, depth: usize, left: usize, gained: f64) -> bool {
        let level = std::mem::take(&mut self.levels[depth]);
        let mut child = match self.levels.get_mut(depth + 1) {
            Some(child) => std::mem::take(child),
            None => Level::default(),
        };
        let mut complete = true;
        for (i, &direction) in level.candidates.iter().enumerate() {
            if !complete {
                break;
            }
            let gained = gained + added(level.gains[i], level.lengths[i]);
            self.chosen.push(self.directions, direction);
            match left {
                0 | 1 => self.offer(gained),
                2 => self.pair(&level, i, gained),
                _ => {
                    child.project(&level, i, self.groups);
                    // Of those that join, shares are at least this part of a length.
                    let spread = self.chosen.spread() / LEAST_SHARE;
                    let enough = self.least / slack(self.error * spread) - gained;
                    // Where nothing is left of the one that joins, the others' shares say nothing without it.
                    let mut dear = level.shares[i] >= LEAST_SHARE
                        && child.most_joined(left - 1, &mut self.largest) < enough;
                    if !dear {
                        child.project_products(&level, i, self.groups);
                        if left > 3 {
                            child.set_shares(left - 1, &mut self.largest);
                            dear = child.most_joined(left - 1, &mut self.largest) < enough;
                        }
                    }
                    if !dear {
                        self.levels[depth + 1] = child;
                        complete = self.descend(depth + 1, left - 1, gained);
                        child = std::mem::take(&mut self.levels[depth + 1]);
                    }
                }
            }
            self.chosen.pop();
            complete &= self.found.len() <= self.most;
        }
        self.levels[depth] = level;
        if let Some(place) = self.levels.get_mut(depth + 1) {
            *place = child;
        }
        complete
    }

    /// A candidate and every one after it.
    fn pair(&mut self, level: &Level, i: usize, gained: f64) {
        /// Lengths below this are looked at closely.
        const SHORT: f64 = 1e-3;
        let count = level.candidates.len();
        let row = &level.products[i * count..][..count];
        let length = level.lengths[i].max(f64::MIN_POSITIVE);
        let ratio = level.gains[i] / length;
        let group = self.groups[level.candidates[i]];
        // A direction with so much left of its length enlarges rounding errors by no more than this.
        let spread = self.chosen.spread();
        let spread = spread + (1.0 + spread) / SHORT;
        let missing = self.least / slack(self.error * spread) - gained;
        for (j, &product) in row.iter().enumerate().skip(i + 1) {
            let own = level.gains[j] - ratio * product;
            let left = level.lengths[j] - product * product / length;
            if left >= SHORT && own * own < missing * left {
                continue;
            }
            if self.groups[level.candidates[j]] != group {
                let most = most_added(own, left, level.limits[j]);
                self.chosen.push(self.directions, level.candidates[j]);
                self.offer(gained + most);
                self.chosen.pop();
            }
        }
    }

    /// Takes the chosen set where it gains enough.
    fn offer(&mut self, gained: f64) {
        // What is not a number may be anything.
        let gained = gained * slack(self.error * self.chosen.spread());
        if gained >= self.least || gained.is_nan() {
            self.found.push(self.chosen.set.clone());
        }
    }
}
