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
    /// Products of one candidate with those after it.
    pub row: Vec<f64>,
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
                2 => {
                    let count = level.candidates.len();
                    let row = &level.products[i * count..][i + 1..count];
                    self.pairs(&level, i, row, gained);
                }
                _ => {
                    child.project(&level, i, self.groups);
                    // Of those that join, shares are at least this part of a length.
                    let spread = self.chosen.spread() / LEAST_SHARE;
                    let enough = self.least / slack(self.error * spread) - gained;
                    // Where nothing is left of the one that joins, the others' shares say nothing without it.
                    let expensive = level.shares[i] >= LEAST_SHARE
                        && child.most_joined(left - 1, &mut self.largest) < enough;
                    if !expensive && left == 3 {
                        self.triples(&level, i, &child, gained);
                    } else if !expensive {
                        child.project_products(&level, i);
                        child.set_shares(left - 1, &mut self.largest);
                        let expensive = child.most_joined(left - 1, &mut self.largest) < enough;
                        if !expensive {
                            self.levels[depth + 1] = child;
                            complete = self.descend(depth + 1, left - 1, gained);
                            child = std::mem::take(&mut self.levels[depth + 1]);
                        }
                    }
                }
            }
            self.chosen.pop();
            complete &= self.found.len() <= self.most;
        }
        self.levels[depth] = level;
        if let Some(level) = self.levels.get_mut(depth + 1) {
            *level = child;
        }
        complete
    }

    /// The i-th candidate of a level, which is in the set already, and every two of the level below it. Their products are computed row by
    /// row, just before they are used: most of the time of a walk is spent here.
    fn triples(&mut self, level: &Level, i: usize, child: &Level, gained: f64) {
        let mut row = std::mem::take(&mut self.row);
        for (a, &direction) in child.candidates.iter().enumerate() {
            if self.found.len() > self.most {
                break;
            }
            let gained = gained + added(child.gains[a], child.lengths[a]);
            child.project_row(level, i, a, &mut row);
            self.chosen.push(self.directions, direction);
            self.pairs(child, a, &row, gained);
            self.chosen.pop();
        }
        self.row = row;
    }

    /// The i-th candidate of a level, which is in the set already, and every one after it, given its products with them.
    fn pairs(&mut self, level: &Level, i: usize, row: &[f64], gained: f64) {
        /// Lengths below this are looked at closely.
        const SHORT: f64 = 1e-3;
        /// So many are excluded together.
        const TOGETHER: usize = 16;
        let inverse = 1.0 / level.lengths[i].max(f64::MIN_POSITIVE);
        let ratio = level.gains[i] * inverse;
        let group = self.groups[level.candidates[i]];
        // A direction with so much left of its length enlarges rounding errors by no more than this.
        let spread = self.chosen.spread();
        let spread = spread + (1.0 + spread) / SHORT;
        let missing = self.least / slack(self.error * spread) - gained;
        let first = i + 1;
        let remains = |product: f64, gain: f64, length: f64| {
            (gain - ratio * product, length - product * product * inverse)
        };
        let gains = level.gains[first..].chunks(TOGETHER);
        let lengths = level.lengths[first..].chunks(TOGETHER);
        for (part, ((row, gains), lengths)) in
            row.chunks(TOGETHER).zip(gains).zip(lengths).enumerate()
        {
            let mut excluded = 0;
            for ((&product, &gain), &length) in row.iter().zip(gains).zip(lengths) {
                let (own, left) = remains(product, gain, length);
                excluded += u64::from(left >= SHORT) & u64::from(own * own < missing * left);
            }
            if excluded == row.len() as u64 {
                continue;
            }
            for (at, ((&product, &gain), &length)) in row.iter().zip(gains).zip(lengths).enumerate()
            {
                let (own, left) = remains(product, gain, length);
                let j = first + part * TOGETHER + at;
                if left >= SHORT && own * own < missing * left
                    || self.groups[level.candidates[j]] == group
                {
                    continue;
                }
                let most = most_added(own, left, level.limits[j]).min(added(own, left));
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
