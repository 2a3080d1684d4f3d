//! The inequalities of the relaxed problem: what trees may lose, and rivals that must not be nearer.

use crate::plausibility::Metric;
use crate::search::bound::losses::{Losses, tangent};
use crate::search::bound::relax::{Aim, NOWHERE, Relaxation};
use crate::search::layout::space::Space;
use crate::search::layout::values::ValueIndex;
use crate::search::outlier::reference::{Reference, Spread, term};

impl Relaxation {
    /// The row of validity for losses: their hulls' tangents at the last relaxed point.
    pub(in crate::search) fn fill_losses(&mut self, space: &Space, losses: &Losses) {
        let mut need = -losses.slack;
        for (f, &index) in self.resting.iter().enumerate() {
            if index != NOWHERE {
                need += losses.at(space, f, index);
            }
        }
        let Some(row) = self.program.add_row() else { return };
        for (i, unknown) in self.unknowns.iter().enumerate() {
            let f = unknown.feature;
            if let Some((from, to)) = unknown.line {
                need += losses.at(space, f, from);
                row.w[i] = losses.at(space, f, from) - losses.at(space, f, to);
            } else {
                let t = self.last[i];
                let (loss, slope) = tangent(&self.hulls[i], t);
                need += loss - slope * t;
                row.w[i] = -slope;
            }
        }
        row.need = need;
    }

    /// One row per rival: the joined point must not be farther than it.
    pub(in crate::search) fn fill_rivals(
        &mut self,
        space: &Space,
        reference: &Reference,
        point: usize,
    ) {
        for &rival in &self.rivals {
            let rival = rival as usize;
            let Some(row) = self.program.add_row() else { return };
            let standing = |n: usize| reference.standing(space, &self.open, &self.kept, n);
            let mut lead = standing(rival) - standing(point);
            for &f in &self.open {
                let index = self.resting[f as usize];
                if index != NOWHERE {
                    lead += reference.term(space, f as usize, index, rival)
                        - reference.term(space, f as usize, index, point);
                }
            }
            for (i, unknown) in self.unknowns.iter().enumerate() {
                let f = unknown.feature;
                match (&reference.spread[f], unknown.line) {
                    (Spread::Numeric { inverse, offset }, _) => {
                        let (own, other) = (offset[point], offset[rival]);
                        lead += other * other - own * own;
                        row.w[i] = 2.0 * inverse * (own - other);
                    }
                    (Spread::Options { .. }, Some((from, to))) => {
                        let ahead = |index: ValueIndex| {
                            reference.term(space, f, index, rival)
                                - reference.term(space, f, index, point)
                        };
                        lead += ahead(from);
                        row.w[i] = ahead(to) - ahead(from);
                    }
                    // Rivals are only met where distances are squared.
                    (Spread::InStep { .. }, _) | (Spread::Options { .. }, None) => {}
                }
            }
            row.need = -lead;
        }
    }

    /// The rivals in play with the multipliers that the program gave them.
    pub(in crate::search) fn multiplied_rivals(&self, aim: &Aim, shrink: f64) -> [(u32, f64); 2] {
        let mut rivals = [(0, 0.0); 2];
        let first = usize::from(aim.valid());
        let rows = self.program.rows[..self.program.used].iter().skip(first);
        for (slot, (&rival, row)) in rivals.iter_mut().zip(self.rivals.iter().zip(rows)) {
            if row.theta.is_finite() {
                *slot = (rival, row.theta.max(0.0) * shrink);
            }
        }
        rivals
    }

    /// Brings the point that is nearest at the relaxed point into play; true where it is a new one.
    pub(in crate::search) fn meet_rival(
        &mut self,
        space: &Space,
        reference: &Reference,
        point: usize,
        aim: &Aim,
    ) -> bool {
        if reference.outlier.metric != Metric::SquaredEuclidean {
            return false;
        }
        let own = self.distance(space, reference, point);
        let mut nearest: Option<(f64, u32)> = None;
        for &rival in aim.rivals {
            let distance = self.distance(space, reference, rival as usize);
            if distance < own * (1.0 - 1e-6) && nearest.is_none_or(|n| distance < n.0) {
                nearest = Some((distance, rival));
            }
        }
        let Some((_, rival)) = nearest.filter(|n| !self.rivals.contains(&n.1)) else {
            return false;
        };
        if self.rivals.len() == 2 {
            // The one that mattered less goes.
            let [first, second] = self.multiplied_rivals(aim, 1.0);
            self.rivals.remove(usize::from(second.1 < first.1));
        }
        self.rivals.push(rival);
        true
    }

    /// The point's distance at the relaxed point.
    pub(in crate::search) fn distance(
        &self,
        space: &Space,
        reference: &Reference,
        n: usize,
    ) -> f64 {
        let mut sum = reference.standing(space, &self.open, &self.kept, n);
        let mut next = 0;
        for &f in &self.open {
            let f = f as usize;
            let unknown = self.unknowns.get(next).filter(|unknown| unknown.feature == f);
            let Some(unknown) = unknown else {
                sum += reference.term(space, f, self.resting[f], n);
                continue;
            };
            let t = self.program.t[next];
            next += 1;
            sum += match (&reference.spread[f], unknown.line) {
                (Spread::Numeric { inverse, offset }, None) => {
                    term(reference.outlier.metric, t * inverse - offset[n])
                }
                (Spread::InStep { columns }, None) => {
                    let metric = reference.outlier.metric;
                    columns.iter().map(|(i, offset)| term(metric, t * i - offset[n])).sum()
                }
                (_, Some((from, to))) => {
                    (1.0 - t) * reference.term(space, f, from, n)
                        + t * reference.term(space, f, to, n)
                }
                (_, None) => 0.0,
            };
        }
        reference.rooted(sum)
    }
}
