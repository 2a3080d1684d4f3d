//! Lower bounds by duality: multipliers turn the objective into a sum over features.
//!
//! For every `y` in the dual ball of the norm, `|U a| >= y'U a` (squared length: `y'U a - |y|^2 / 4`
//! for every `y`). For `theta >= 0`, a plan of a linear model pays `theta * (need - gain) <= 0`. For
//! `tau` in [0, 1], `max(k_distance, D) >= (1 - tau) * k_distance + tau * D`. What is left is a sum
//! over features, whose least value over a region is found feature by feature. The bound holds
//! for any multipliers, so how they were found (and rounded) does not matter; the rounding of the sum
//! itself is covered by an explicit margin.

use crate::plausibility::Metric;
use crate::search::bound::losses::Losses;
use crate::search::layout::feature::{FeatureKind, Numeric};
use crate::search::layout::region::{Region, Stand};
use crate::search::layout::space::{Norm, Space, dot};
use crate::search::layout::values::ValueIndex;
use crate::search::outlier::reference::{Reference, Spread, term};

/// Multipliers of distance and validity.
#[derive(Debug, Clone)]
pub(in crate::search) struct Duals {
    pub y: Vec<f64>,
    pub theta: f64,
}

impl Duals {
    pub(in crate::search) fn zero(space: &Space) -> Self {
        Self { y: vec![0.0; space.rows], theta: 0.0 }
    }

    /// The least `y'U a` of plans whose distance is at least `bound` by these multipliers.
    pub(in crate::search) fn least_along(&self, norm: Norm, bound: f64) -> f64 {
        if norm == Norm::Squared { bound + 0.25 * dot(&self.y, &self.y) } else { bound }
    }

    /// Shrinks `y` into the dual ball, and `theta` with it; by how much comes back.
    pub(in crate::search) fn make_feasible(&mut self, norm: Norm) -> f64 {
        let size = match norm {
            Norm::Sum => crate::search::layout::space::largest(&self.y),
            Norm::Length => self.y.iter().map(|y| y * y).sum::<f64>().sqrt() * (1.0 + 1e-13),
            Norm::Squared | Norm::None => 1.0,
        };
        let shrink = if size > 1.0 { 1.0 / size } else { 1.0 };
        if size > 1.0 {
            self.theta *= shrink;
            for y in &mut self.y {
                *y *= shrink;
                // Rounding may leave a coordinate a digit above one.
                if norm == Norm::Sum {
                    *y = y.clamp(-1.0, 1.0);
                }
            }
        }
        if !(self.theta >= 0.0 && self.theta.is_finite() && self.y.iter().all(|y| y.is_finite())) {
            self.y.fill(0.0);
            self.theta = 0.0;
        }
        shrink
    }
}

/// The outlier term of one reference point, as the sum over features sees it.
///
/// It only counts where the point is nearest: for a rival r and `mu >= 0`, such plans have
/// `mu * (D_n - D_r) <= 0`, which joins the sum.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Pull {
    pub n: usize,
    /// `weight * density * tau`.
    pub strength: f64,
    /// Rivals and their multipliers; only for squared Euclidean distances.
    pub rivals: [(u32, f64); 2],
}

impl Pull {
    pub(in crate::search) fn new(n: usize, strength: f64) -> Self {
        Self { n, strength, rivals: [(0, 0.0); 2] }
    }

    /// What the rivals' multipliers add up to.
    fn contest(&self) -> f64 {
        self.rivals.iter().map(|rival| rival.1).sum()
    }

    /// The terms of point and rivals at one value of a feature.
    fn term(&self, reference: &Reference, space: &Space, f: usize, index: ValueIndex) -> f64 {
        let own = (self.strength + self.contest()) * reference.term(space, f, index, self.n);
        self.rivals.iter().filter(|rival| rival.1 > 0.0).fold(own, |sum, rival| {
            sum - rival.1 * reference.term(space, f, index, rival.0 as usize)
        })
    }
}

/// What each feature's values are worth under given multipliers.
///
/// The price of a numeric feature is a slope times its change, plus its cost and what its cell costs: a straight line
/// within a cell, so that the ends of cells decide.
#[derive(Debug, Default)]
pub(in crate::search) struct Prices {
    /// Per numeric feature, the price of a change of one.
    slope: Vec<f64>,
    /// Per feature, what is added at every value.
    shift: Vec<f64>,
    /// Prices cell by cell, of features that are not numeric or whose cells differ.
    list: Vec<f64>,
    /// Where a feature's prices begin in `list`; `usize::MAX` where a slope says it all.
    from: Vec<usize>,
    /// The first cell that is listed.
    low: Vec<u32>,
    /// Features that may change, and those that keep their value throughout.
    open: Vec<u32>,
    kept: Vec<u32>,
    constant: f64,
    margin: f64,
    /// Scratch: what undecided features would save.
    savings: Vec<(f64, u32)>,
}

/// What a bound is made of: enough to know what other choices would add.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Bound {
    pub value: f64,
    /// The least saving among the undecided features that were let in, 0 where there is room.
    pub threshold: f64,
}

impl Prices {
    /// Prices under multipliers, for a region and what is inside it.
    pub(in crate::search) fn set(
        &mut self,
        space: &Space,
        region: &Region,
        duals: &Duals,
        losses: Option<&Losses>,
    ) {
        self.clear();
        let (need, error) = match losses {
            None => (-space.score - space.score_error, space.score_error),
            Some(losses) => (-losses.slack, losses.error),
        };
        self.constant = space.fixed_cost + duals.theta * need;
        let mut magnitude = space.distance_scale;
        for (f, feature) in space.features.iter().enumerate() {
            let losses = losses.filter(|losses| duals.theta > 0.0 && losses.any(f));
            let (low, high) = region.spans[f];
            self.low.push(feature.cells.of(low));
            if low == high && feature.is_keep(low) {
                let loss = losses.map_or(0.0, |losses| losses.at(space, f, low));
                let price = feature.cost(low) + duals.theta * loss;
                self.slope.push(0.0);
                self.shift.push(price);
                self.from.push(usize::MAX);
                self.kept.push(f as u32);
                self.constant += price;
                continue;
            }
            self.open.push(f as u32);
            match &feature.kind {
                FeatureKind::Numeric(numeric) => {
                    self.push_number(space, f, numeric, (low, high), duals, losses);
                }
                FeatureKind::Categorical(categorical) => {
                    self.slope.push(0.0);
                    self.shift.push(0.0);
                    self.from.push(self.list.len());
                    for index in low..=high {
                        let loss = losses.map_or(0.0, |losses| losses.at(space, f, index));
                        let cost = feature.cost(index);
                        let price = dot(categorical.image(index, space.rows), &duals.y) + cost;
                        self.list.push(price + duals.theta * (loss - categorical.gain(index)));
                    }
                }
            }
        }
        if space.norm == Norm::Squared {
            let square = duals.y.iter().map(|y| y * y).sum::<f64>();
            self.constant -= 0.25 * square;
            magnitude += square;
            let longest = crate::search::layout::space::largest(&duals.y);
            magnitude += longest * space.features.iter().map(|f| f.largest_move).sum::<f64>();
        }
        let terms = (space.rows + space.features.len() + space.instance.x().len()) as f64;
        self.margin = 8.0 * terms * f64::EPSILON * magnitude + 4.0 * duals.theta * error;
    }

    fn clear(&mut self) {
        self.slope.clear();
        self.shift.clear();
        self.list.clear();
        self.from.clear();
        self.low.clear();
        self.open.clear();
        self.kept.clear();
    }

    /// The prices of a numeric feature that may change.
    fn push_number(
        &mut self,
        space: &Space,
        f: usize,
        numeric: &Numeric,
        (low, high): (ValueIndex, ValueIndex),
        duals: &Duals,
        losses: Option<&Losses>,
    ) {
        let feature = &space.features[f];
        let (first, last) = (feature.cells.of(low), feature.cells.of(high));
        let mut slope = dot(&numeric.image, &duals.y) - duals.theta * numeric.gain;
        let mut shift = 0.0;
        let line = losses.and_then(|losses| losses.line(f));
        if let Some((at_zero, loss_slope)) = line {
            slope += duals.theta * loss_slope;
            shift = duals.theta * at_zero;
        }
        self.slope.push(slope);
        self.shift.push(shift);
        match losses.filter(|losses| losses.is_listed(f)) {
            Some(losses) => {
                self.from.push(self.list.len());
                let cells = first..=last;
                self.list.extend(cells.map(|cell| duals.theta * losses.in_cell(f, cell)));
            }
            None if feature.costs.is_empty() => self.from.push(usize::MAX),
            None => {
                self.from.push(self.list.len());
                self.list.resize(self.list.len() + (last - first) as usize + 1, 0.0);
            }
        }
    }

    /// The price of one value.
    pub(in crate::search) fn at(
        &self,
        space: &Space,
        pull: Option<(&Reference, Pull)>,
        f: usize,
        index: ValueIndex,
    ) -> f64 {
        let cell = space.features[f].cells.of(index);
        let own = self.own(space, f, cell, index);
        own + pull.map_or(0.0, |(reference, pull)| pull.term(reference, space, f, index))
    }

    /// The price of a value in a cell, without any pull.
    fn own(&self, space: &Space, f: usize, cell: u32, index: ValueIndex) -> f64 {
        let feature = &space.features[f];
        let listed = if self.from[f] == usize::MAX {
            0.0
        } else {
            self.list[self.from[f] + (cell - self.low[f]) as usize]
        };
        if !feature.is_numeric() {
            return self.shift[f] + listed;
        }
        let line = if self.slope[f] == 0.0 { 0.0 } else { self.slope[f] * feature.change(index) };
        let cost = if self.from[f] == usize::MAX { 0.0 } else { feature.cost(index) };
        self.shift[f] + line + cost + listed
    }

    /// At most the least price over an interval of values.
    pub(in crate::search) fn least(
        &self,
        space: &Space,
        pull: Option<(&Reference, Pull)>,
        f: usize,
        (low, high): (ValueIndex, ValueIndex),
    ) -> f64 {
        if low == high {
            return self.at(space, pull, f, low);
        }
        let feature = &space.features[f];
        let Some(numeric) = feature.numeric() else {
            return (low..=high)
                .map(|index| self.at(space, pull, f, index))
                .fold(f64::INFINITY, f64::min);
        };
        if self.from[f] == usize::MAX && pull.is_none() {
            let end = if self.slope[f] >= 0.0 { low } else { high };
            return self.own(space, f, 0, end);
        }
        if self.from[f] == usize::MAX {
            return self.shift[f] + self.least_on_line(space, pull, f, (low, high));
        }
        if pull.is_none() && feature.costs.is_empty() {
            return self.least_of_cells(space, f, numeric, (low, high));
        }
        feature.cells.inside((low, high)).fold(f64::INFINITY, |least, (cell, first, last)| {
            let price = if pull.is_none() && first == last {
                self.own(space, f, cell, first)
            } else if pull.is_none() {
                let ends = [first, last].map(|index| self.own(space, f, cell, index));
                ends[0].min(ends[1])
            } else {
                // Costs are straight lines within a cell, too: their least and the rest's least, each on its own.
                let listed = self.list[self.from[f] + (cell - self.low[f]) as usize];
                let costs = [first, last].map(|index| feature.cost(index));
                self.shift[f]
                    + listed
                    + costs[0].min(costs[1])
                    + self.least_on_line(space, pull, f, (first, last))
            };
            least.min(price)
        })
    }

    /// The least price over an interval of a number whose cells are listed and whose costs are a norm's. An ensemble of deep trees has
    /// thousands of cells per number, and most of the search's time goes into this loop.
    fn least_of_cells(
        &self,
        space: &Space,
        f: usize,
        numeric: &Numeric,
        (low, high): (ValueIndex, ValueIndex),
    ) -> f64 {
        let feature = &space.features[f];
        let (first, last) = (feature.cells.of(low), feature.cells.of(high));
        let slope = self.slope[f];
        // Along a line the lower end of a cell is the cheaper one, or the upper.
        let ends = numeric.cell_ends.cheaper(slope);
        let (cut_first, cut_last) = if slope >= 0.0 {
            (low, feature.cells.first(last).max(low))
        } else {
            (feature.cells.last(first, high).min(high), high)
        };
        let cut = self.own(space, f, first, cut_first).min(self.own(space, f, last, cut_last));
        if last - first < 2 {
            return cut;
        }
        let inner = first as usize + 1..last as usize;
        let from = self.from[f] + inner.start - self.low[f] as usize;
        let listed = &self.list[from..from + inner.len()];
        let ends = &ends[inner];
        let price = |(listed, end): (&f64, &f64)| listed + slope * end;
        // In four strands, so that comparisons need not wait for each other.
        let (mut listed, mut ends) = (listed.chunks_exact(4), ends.chunks_exact(4));
        let mut strands = [f64::INFINITY; 4];
        for (listed, ends) in listed.by_ref().zip(ends.by_ref()) {
            for (strand, pair) in strands.iter_mut().zip(listed.iter().zip(ends)) {
                let price = price(pair);
                *strand = if price < *strand { price } else { *strand };
            }
        }
        let rest = listed.remainder().iter().zip(ends.remainder()).map(price);
        let least = strands.into_iter().chain(rest).fold(f64::INFINITY, f64::min);
        cut.min(self.shift[f] + least)
    }

    /// At most the least price in each cell of an interval.
    pub(in crate::search) fn of_cells(
        &self,
        space: &Space,
        pull: Option<(&Reference, Pull)>,
        f: usize,
        span: (ValueIndex, ValueIndex),
        prices: &mut Vec<f64>,
    ) {
        prices.clear();
        let feature = &space.features[f];
        let on_lines = feature.numeric().filter(|_| pull.is_none() && feature.costs.is_empty());
        let Some(numeric) = on_lines else {
            let cells = feature.cells.inside(span);
            prices.extend(cells.map(|(_, low, high)| self.least(space, pull, f, (low, high))));
            return;
        };
        let (first, last) = (feature.cells.of(span.0), feature.cells.of(span.1));
        let slope = self.slope[f];
        let ends = numeric.cell_ends.cheaper(slope);
        let on_line = ends[first as usize..=last as usize].iter();
        let on_line = on_line.map(|end| self.shift[f] + slope * end);
        if self.from[f] == usize::MAX {
            prices.extend(on_line);
        } else {
            let listed = &self.list[self.from[f] + (first - self.low[f]) as usize..];
            prices.extend(on_line.zip(listed).map(|(line, listed)| line + listed));
        }
        // The first and the last cell may be cut off.
        for cell in [first, last] {
            let (low, high) = (feature.cells.first(cell), feature.cells.last(cell, span.1));
            let inside = (low.max(span.0), high.min(span.1));
            prices[(cell - first) as usize] = self.least(space, None, f, inside);
        }
    }

    /// A value of an interval with the least price, without any pull.
    pub(in crate::search) fn cheapest(
        &self,
        space: &Space,
        f: usize,
        span: (ValueIndex, ValueIndex),
    ) -> ValueIndex {
        let cells = space.features[f].cells.inside(span);
        let ends = cells.flat_map(|(cell, first, last)| [(cell, first), (cell, last)]);
        let priced = ends.map(|(cell, index)| (self.own(space, f, cell, index), index));
        priced.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(span.0, |(_, index)| index)
    }

    /// The least of slope times change and the terms of points, over an interval of a numeric feature.
    fn least_on_line(
        &self,
        space: &Space,
        pull: Option<(&Reference, Pull)>,
        f: usize,
        (low, high): (ValueIndex, ValueIndex),
    ) -> f64 {
        let feature = &space.features[f];
        let (least, most) = (feature.change(low), feature.change(high));
        let slope = self.slope[f];
        let Some((reference, pull)) = pull else {
            return if slope >= 0.0 { slope * least } else { slope * most };
        };
        let (inverse, offset) = match &reference.spread[f] {
            Spread::Numeric { inverse, offset } => (inverse, offset),
            Spread::InStep { columns } => {
                // Convex, with a kink where a column meets the point's.
                let price = |t: f64| {
                    let of = |(i, offset): &(f64, Vec<f64>)| (t * i - offset[pull.n]).abs();
                    slope * t + pull.strength * columns.iter().map(of).sum::<f64>()
                };
                let kinks = columns.iter().map(|(i, offset)| offset[pull.n] / i);
                let ends = [least, most].into_iter();
                let all = ends.chain(kinks.map(|kink| kink.clamp(least, most)));
                return all.map(price).fold(f64::INFINITY, f64::min);
            }
            Spread::Options { .. } => return f64::NEG_INFINITY,
        };
        let metric = reference.outlier.metric;
        // A rival's squared distance differs from the point's by something linear in the change.
        let (mut slope, mut constant) = (slope, 0.0);
        for &(rival, mu) in pull.rivals.iter().filter(|rival| rival.1 > 0.0) {
            let (own, other) = (offset[pull.n], offset[rival as usize]);
            slope += 2.0 * mu * inverse * (other - own);
            constant += mu * (own * own - other * other);
        }
        let offset = offset[pull.n];
        let price =
            |t: f64| slope * t + constant + pull.strength * term(metric, t * inverse - offset);
        if metric == Metric::Manhattan {
            let kink = (offset / inverse).clamp(least, most);
            return price(least).min(price(most)).min(price(kink));
        }
        // Convex: the vertex, brought into the interval.
        let curvature = 2.0 * pull.strength * inverse * inverse;
        let vertex = if curvature > 0.0 {
            offset / inverse - slope / curvature
        } else if slope >= 0.0 {
            least
        } else {
            most
        };
        price(vertex.clamp(least, most))
    }

    /// The bound over a region, without the outlier term or with that of one point.
    pub(in crate::search) fn bound(
        &mut self,
        space: &Space,
        region: &Region,
        pull: Option<(&Reference, Pull)>,
    ) -> Bound {
        let mut value = self.constant;
        let mut margin = self.margin;
        if let Some((reference, pull)) = pull {
            let full = reference.outlier.weight * reference.density[pull.n];
            value += (full - pull.strength).max(0.0) * reference.k_distance[pull.n];
            let standing = reference.standing(space, &self.open, &self.kept, pull.n);
            value += pull.strength * standing;
            let mut contest = 0.0;
            for &(rival, mu) in pull.rivals.iter().filter(|rival| rival.1 > 0.0) {
                let other = reference.standing(space, &self.open, &self.kept, rival as usize);
                value += mu * (standing - other);
                contest += mu;
            }
            // Points that are equally near up to rounding count as nearest.
            value -= contest * 1e-11 * reference.scale;
            margin += reference.relative_error
                * (full * reference.k_distance[pull.n]
                    + (pull.strength + 2.0 * contest) * reference.scale);
        }
        self.savings.clear();
        for &f in &self.open {
            let f = f as usize;
            let span = region.spans[f];
            let least = self.least(space, pull, f, span);
            if region.stand(space, f) == Stand::Undecided {
                let keep = space.features[f].keep;
                let kept = self.least(space, pull, f, (span.0.max(keep.0), span.1.min(keep.1)));
                value += kept;
                if least < kept {
                    self.savings.push((least - kept, f as u32));
                }
            } else {
                value += least;
            }
        }
        let left = region.left;
        let mut threshold = 0.0;
        if self.savings.len() > left && left > 0 {
            self.savings.select_nth_unstable_by(left - 1, |a, b| a.0.total_cmp(&b.0));
            threshold = self.savings[left - 1].0;
        }
        let chosen = left.min(self.savings.len());
        value += self.savings[..chosen].iter().map(|s| s.0).sum::<f64>();
        Bound { value: value - margin, threshold }
    }
}
