//! Looks for good multipliers: the relaxed problem of a region by reweighted least squares.
//!
//! Features move freely between their bounds and the number of changes is forgotten. Distance, a
//! linear model's validity and, for squared Euclidean distances, the pull of one reference point go
//! into one small quadratic program, solved again as the weights of the rows adapt to the norm.

use crate::plausibility::Metric;
use crate::search::bound::lagrange::{Duals, Prices, Pull};
use crate::search::bound::losses::Losses;
use crate::search::bound::quadratic::Quadratic;
use crate::search::layout::feature::{Feature, FeatureKind};
use crate::search::layout::region::Region;
use crate::search::layout::space::{Norm, Space, dot};
use crate::search::layout::values::ValueIndex;
use crate::search::outlier::reference::{Reference, Spread};

/// The resting value of a feature that is unknown.
pub(in crate::search) const NOWHERE: ValueIndex = ValueIndex::MAX;

/// Rounds of reweighting at most.
const ROUNDS: usize = 12;

/// Residuals below this part of the largest one count as that, round by round: weights stay bounded
/// while the rows that vanish at the optimum are still unknown.
const FLOORS: [f64; 6] = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6];

/// An unknown of the relaxed problem.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Unknown {
    pub feature: usize,
    /// A feature without an order moves along the line from one option to another.
    pub line: Option<(ValueIndex, ValueIndex)>,
}

/// A feature between two of its values: `share` of the way from one to the other.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Mix {
    pub from: ValueIndex,
    pub to: ValueIndex,
    pub share: f64,
}

impl Mix {
    pub(in crate::search) fn at(index: ValueIndex) -> Self {
        Self { from: index, to: index, share: 0.0 }
    }
}

/// What a relaxed problem found.
#[derive(Debug, Clone)]
pub(in crate::search) struct Relaxed {
    pub duals: Duals,
    pub residual: Vec<f64>,
    pub bound: f64,
    /// How much of the outlier term counts as distance rather than as `k_distance`.
    pub tau: f64,
    /// The rivals of the joined point, and their multipliers.
    pub rivals: [(u32, f64); 2],
    /// Per feature, the relaxed change, where it is numeric.
    pub point: Vec<f64>,
    /// Per feature, where the relaxed point lies between values.
    pub mixes: Vec<Mix>,
}

/// Buffers and the last relaxed point.
#[derive(Debug, Default)]
pub(in crate::search) struct Relaxation {
    pub(in crate::search) program: Quadratic,
    pub(in crate::search) unknowns: Vec<Unknown>,
    images: Vec<f64>,
    fixed: Vec<f64>,
    weights: Vec<f64>,
    residual: Vec<f64>,
    /// Per feature, where the relaxed change lies in its order: the index of the value below it, plus the fraction of the way to the next.
    pub fractional: Vec<f64>,
    /// Per feature, how far the relaxed point moves `U a` by it.
    pub usage: Vec<f64>,
    fixed_gain: f64,
    gains: Vec<f64>,
    /// The relaxed point of the last round, and per unknown the hull of its losses.
    pub(in crate::search) last: Vec<f64>,
    pub(in crate::search) hulls: Vec<Vec<(f64, f64)>>,
    /// The rivals in play.
    pub(in crate::search) rivals: Vec<u32>,
    /// The value of each feature that is not unknown; `NOWHERE` for the others.
    pub(in crate::search) resting: Vec<ValueIndex>,
    /// Features that may differ from the applicant at the relaxed point, and those that don't.
    pub(in crate::search) open: Vec<u32>,
    pub(in crate::search) kept: Vec<u32>,
}

/// What the search around the relaxed problem wants to know.
pub(in crate::search) struct Aim<'a> {
    pub space: &'a Space<'a>,
    pub region: &'a Region,
    /// The result for a similar region, to start from.
    pub start: &'a Relaxed,
    /// The bound at which the region is done with.
    pub enough: f64,
    /// What is added to the bound (outlier terms bounded apart).
    pub extra: f64,
    /// The reference point to join, where the metric allows it.
    pub pull: Option<(&'a Reference<'a>, usize)>,
    /// Points that may be nearer than the joined one.
    pub rivals: &'a [u32],
    /// Whether a linear model's validity counts.
    pub additive: bool,
    /// What other models lose where: their validity as a sum.
    pub losses: Option<&'a Losses>,
    pub halted: &'a dyn Fn() -> bool,
}

impl Aim<'_> {
    /// Whether validity is part of the bound.
    pub(in crate::search) fn valid(&self) -> bool {
        self.additive || self.losses.is_some()
    }
}

/// The share of an outlier term that is joined to the distance, found by bisection.
struct JoinedShare {
    low: f64,
    high: f64,
    tau: f64,
}

impl JoinedShare {
    /// Halves what is possible, `near` being whether this share leads within the k-distance; whether that is enough.
    fn narrow(&mut self, near: bool) -> bool {
        *if near { &mut self.high } else { &mut self.low } = self.tau;
        let settled = !near && self.tau == 1.0 || self.high - self.low < 0.1;
        if !settled {
            self.tau = 0.5 * (self.low + self.high);
        }
        settled
    }
}

impl Relaxation {
    /// Improves multipliers for a region, starting from the rows' residuals of a similar one.
    pub(in crate::search) fn improve(&mut self, prices: &mut Prices, aim: &Aim) -> Relaxed {
        let Aim { space, region, start, .. } = *aim;
        if space.norm == Norm::None {
            return self.by_theta(prices, aim);
        }
        self.set_up(prices, aim);
        let mut best = Relaxed { bound: f64::NEG_INFINITY, ..start.clone() };
        let mut duals = Duals::zero(space);
        self.residual.clear();
        self.residual.extend_from_slice(&start.residual);
        let mut joined = JoinedShare { low: 0.0, high: 1.0, tau: 1.0 };
        self.rivals.clear();
        best.rivals = [(0, 0.0); 2];
        let mut last = f64::NEG_INFINITY;
        for round in 0..ROUNDS {
            self.reweight(space, round);
            self.fill(space, aim, joined.tau);
            self.program.solve();
            self.last.clone_from(&self.program.t);
            self.move_residual(space.rows);
            for (y, (r, w)) in duals.y.iter_mut().zip(self.residual.iter().zip(&self.weights)) {
                *y = r * w;
            }
            duals.theta = if aim.valid() { self.program.rows[0].theta } else { 0.0 };
            let shrink = duals.make_feasible(space.norm);
            prices.set(space, region, &duals, aim.losses);
            let pull = aim.pull.map(|(reference, n)| {
                let full = reference.outlier.weight * reference.density[n];
                let rivals = self.multiplied_rivals(aim, shrink);
                (reference, Pull { n, strength: full * joined.tau, rivals })
            });
            let bound = prices.bound(space, region, pull).value;
            if bound > best.bound {
                best.bound = bound;
                best.duals.clone_from(&duals);
                best.residual.clone_from(&self.residual);
                best.tau = joined.tau;
                best.rivals = pull.map_or([(0, 0.0); 2], |(_, pull)| pull.rivals);
            }
            let missing = aim.enough - aim.extra - best.bound;
            if missing < 0.0 || (aim.halted)() {
                break;
            }
            let settled_tau = match aim.pull {
                None => true,
                Some((reference, n)) => {
                    let near = self.distance(space, reference, n) <= reference.k_distance[n];
                    let settled = joined.narrow(near);
                    !self.meet_rival(space, reference, n, aim) && settled
                }
            };
            let single_round = space.norm != Norm::Sum && aim.pull.is_none();
            if settled_tau && (single_round || round > 0 && bound - last < 0.1 * missing) {
                break;
            }
            last = bound;
        }
        self.note_fractions(space, region);
        self.note_point(&mut best.point);
        best.mixes = self.mixes();
        best
    }

    /// Notes the changes of numbers at the relaxed point.
    fn note_point(&self, point: &mut [f64]) {
        for (unknown, t) in self.unknowns.iter().zip(&self.program.t) {
            if unknown.line.is_none() {
                point[unknown.feature] = *t;
            }
        }
    }

    /// Where the relaxed point moves `U a`.
    fn move_residual(&mut self, rows: usize) {
        self.residual.clear();
        self.residual.extend_from_slice(&self.fixed);
        for (i, t) in self.program.t.iter().enumerate() {
            let image = &self.images[i * rows..(i + 1) * rows];
            for (residual, image) in self.residual.iter_mut().zip(image) {
                *residual += t * image;
            }
        }
    }

    /// Chooses the unknowns, and collects their images and the position of what is fixed.
    fn set_up(&mut self, prices: &mut Prices, aim: &Aim) {
        let Aim { space, region, start, .. } = *aim;
        let rows = space.rows;
        prices.set(space, region, &start.duals, aim.losses);
        self.unknowns.clear();
        self.images.clear();
        self.fixed.clear();
        self.fixed.resize(rows, 0.0);
        self.fixed_gain = 0.0;
        self.gains.clear();
        self.open.clear();
        self.kept.clear();
        self.resting.clear();
        self.resting.resize(space.features.len(), NOWHERE);
        for (f, feature) in space.features.iter().enumerate() {
            let (low, high) = region.spans[f];
            let kept = low == high && feature.is_keep(low);
            if kept { &mut self.kept } else { &mut self.open }.push(f as u32);
            if low == high {
                self.resting[f] = low;
                if !feature.is_keep(low) {
                    feature.add_image(low, 1.0, &mut self.fixed);
                    self.fixed_gain += feature.gain(low);
                }
                continue;
            }
            let categorical = match &feature.kind {
                FeatureKind::Numeric(numeric) => {
                    self.unknowns.push(Unknown { feature: f, line: None });
                    self.gains.push(numeric.gain);
                    self.images.extend_from_slice(&numeric.image);
                    continue;
                }
                FeatureKind::Categorical(categorical) => categorical,
            };
            let cheapest = |without: Option<ValueIndex>| {
                (low..=high).filter(|&index| Some(index) != without).min_by(|&a, &b| {
                    let price = |index| prices.at(space, None, f, index);
                    price(a).total_cmp(&price(b))
                })
            };
            let from = if feature.is_keep(low) { low } else { cheapest(None).unwrap_or(low) };
            feature.add_image(from, 1.0, &mut self.fixed);
            self.fixed_gain += feature.gain(from);
            let Some(to) = cheapest(Some(from)) else { continue };
            self.unknowns.push(Unknown { feature: f, line: Some((from, to)) });
            self.gains.push(categorical.gain(to) - categorical.gain(from));
            let image = |index: ValueIndex| categorical.image(index, rows);
            self.images.extend(image(to).iter().zip(image(from)).map(|(to, from)| to - from));
        }
        self.set_limits(aim);
    }

    /// How far each unknown may go, and where the program starts.
    fn set_limits(&mut self, aim: &Aim) {
        let Aim { space, region, start, .. } = *aim;
        let n = self.unknowns.len();
        self.program.reset(n);
        self.last.clear();
        self.hulls.resize_with(self.hulls.len().max(n), Vec::new);
        for (i, unknown) in self.unknowns.iter().enumerate() {
            let feature = &space.features[unknown.feature];
            let span = region.spans[unknown.feature];
            let (low, high) = match unknown.line {
                None => (feature.change(span.0), feature.change(span.1)),
                Some(_) => (0.0, 1.0),
            };
            self.program.low[i] = low;
            self.program.high[i] = high;
            if unknown.line.is_none() {
                self.program.expect(i, start.point[unknown.feature]);
            }
            self.last.push(0.0_f64.clamp(low, high));
            if let (Some(losses), None) = (aim.losses, unknown.line) {
                losses.hull(space, region, unknown.feature, &mut self.hulls[i]);
            }
        }
    }

    /// The rows' weights for which least squares behave like the norm near the last residual.
    fn reweight(&mut self, space: &Space, round: usize) {
        self.weights.clear();
        match space.norm {
            Norm::Sum => {
                let most = crate::search::layout::space::largest(&self.residual);
                let floor = (most * FLOORS[round.min(FLOORS.len() - 1)]).max(1e-12);
                self.weights.extend(self.residual.iter().map(|r| 1.0 / r.abs().max(floor)));
            }
            Norm::Length => {
                let length = self.residual.iter().map(|r| r * r).sum::<f64>().sqrt();
                self.weights.resize(space.rows, 1.0 / length.max(1e-9));
            }
            Norm::Squared | Norm::None => self.weights.resize(space.rows, 2.0),
        }
    }

    /// Writes the quadratic program for the current weights.
    fn fill(&mut self, space: &Space, aim: &Aim, tau: f64) {
        let (rows, n) = (space.rows, self.unknowns.len());
        self.program.used = 0;
        if aim.additive
            && let Some(row) = self.program.add_row()
        {
            row.need = -space.score - space.score_error - self.fixed_gain;
            row.w.copy_from_slice(&self.gains);
        }
        if let Some(losses) = aim.losses {
            self.fill_losses(space, losses);
        }
        let mut weighted = vec![0.0; rows];
        for i in 0..n {
            let image = &self.images[i * rows..(i + 1) * rows];
            for (weighted, (u, w)) in weighted.iter_mut().zip(image.iter().zip(&self.weights)) {
                *weighted = u * w;
            }
            for j in 0..=i {
                let other = &self.images[j * rows..(j + 1) * rows];
                let dot = dot(&weighted, other);
                self.program.g[i * n + j] = dot;
                self.program.g[j * n + i] = dot;
            }
            self.program.h[i] = dot(&weighted, &self.fixed);
        }
        let Some((reference, point)) = aim.pull else { return };
        self.fill_rivals(space, reference, point);
        let strength = tau * reference.outlier.weight * reference.density[point];
        for (i, unknown) in self.unknowns.iter().enumerate() {
            match (&reference.spread[unknown.feature], unknown.line) {
                (Spread::Numeric { inverse, offset }, _) => {
                    if reference.outlier.metric == Metric::SquaredEuclidean {
                        self.program.g[i * n + i] += 2.0 * strength * inverse * inverse;
                        self.program.h[i] -= 2.0 * strength * inverse * offset[point];
                    }
                }
                (Spread::Options { .. }, Some((from, to))) => {
                    let f = unknown.feature;
                    self.program.h[i] += strength
                        * (reference.term(space, f, to, point)
                            - reference.term(space, f, from, point));
                }
                // Absolute values have no part in a quadratic program.
                (Spread::InStep { .. }, _) | (Spread::Options { .. }, None) => {}
            }
        }
    }

    /// Where the relaxed point lies between values.
    fn mixes(&self) -> Vec<Mix> {
        let mut mixes: Vec<Mix> = self
            .fractional
            .iter()
            .map(|&index| {
                let from = index.floor();
                Mix {
                    from: from as ValueIndex,
                    to: index.ceil() as ValueIndex,
                    share: index - from,
                }
            })
            .collect();
        for (i, unknown) in self.unknowns.iter().enumerate() {
            if let Some((from, to)) = unknown.line {
                mixes[unknown.feature] = Mix { from, to, share: self.program.t[i].clamp(0.0, 1.0) };
            }
        }
        mixes
    }

    /// Notes where the relaxed point lies in every feature's order, and how much it moves there.
    fn note_fractions(&mut self, space: &Space, region: &Region) {
        self.fractional.clear();
        self.fractional.extend(region.spans.iter().map(|span| span.0 as f64));
        self.usage.clear();
        self.usage.resize(region.spans.len(), 0.0);
        for (i, unknown) in self.unknowns.iter().enumerate() {
            let f = unknown.feature;
            let t = self.program.t[i];
            let image = &self.images[i * space.rows..(i + 1) * space.rows];
            self.usage[f] = t.abs() * image.iter().map(|u| u.abs()).sum::<f64>();
            self.fractional[f] = match unknown.line {
                None => fractional_index(&space.features[f], region.spans[f], t),
                Some((from, to)) => (if t > 0.5 { to } else { from }) as f64,
            };
        }
    }
}

/// Where a change lies in the order: the value below it and the fraction of the way to the next.
fn fractional_index(feature: &Feature, (low, high): (ValueIndex, ValueIndex), t: f64) -> f64 {
    let above = feature.first_above((low, high), t);
    if above == low {
        return low as f64;
    }
    if above > high {
        return high as f64;
    }
    let (below, next) = (feature.change(above - 1), feature.change(above));
    (above - 1) as f64 + (t - below) / (next - below)
}
