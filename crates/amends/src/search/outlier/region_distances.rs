//! Distances between a region and the reference points.

use crate::plausibility::Metric;
use crate::search::layout::region::{Region, Stand};
use crate::search::layout::space::Space;
use crate::search::layout::values::ValueIndex;
use crate::search::outlier::reference::{Reference, Spread, term};

/// A feature that the region lets change.
#[derive(Debug)]
pub(super) struct Touched {
    pub f: usize,
    pub span: (ValueIndex, ValueIndex),
    pub keep: ValueIndex,
    /// The ends of a numeric feature's interval, in the units of the metric.
    pub ends: (f64, f64),
}

/// Some of the reference points.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) enum Points<'p> {
    /// So many of the first.
    First(usize),
    /// Those listed.
    Listed(&'p [u32]),
}

impl Points<'_> {
    pub(in crate::search) fn len(self) -> usize {
        match self {
            Points::First(count) => count,
            Points::Listed(list) => list.len(),
        }
    }

    /// Those that are among so many of the first.
    pub(in crate::search) fn first(self, count: usize) -> Self {
        match self {
            Points::First(all) => Points::First(all.min(count)),
            Points::Listed(list) => {
                Points::Listed(&list[..list.partition_point(|&n| (n as usize) < count)])
            }
        }
    }

    pub(in crate::search) fn at(self, index: usize) -> u32 {
        match self {
            Points::First(_) => index as u32,
            Points::Listed(list) => list[index],
        }
    }
}

/// A region as the metric sees it.
pub(in crate::search) struct RegionDistances<'a> {
    space: &'a Space<'a>,
    pub reference: &'a Reference<'a>,
    pub(super) decided: Vec<Touched>,
    pub(super) undecided: Vec<Touched>,
    pub(super) left: usize,
    /// What a sum of terms may be off by.
    pub error: f64,
    down: Vec<f64>,
    up: Vec<f64>,
}

impl<'a> RegionDistances<'a> {
    pub(in crate::search) fn new(
        space: &'a Space<'a>,
        reference: &'a Reference<'a>,
        region: &Region,
    ) -> Self {
        let mut distances = Self {
            space,
            reference,
            decided: Vec::new(),
            undecided: Vec::new(),
            left: region.left,
            error: reference.relative_error * reference.scale,
            down: Vec::new(),
            up: Vec::new(),
        };
        for (f, feature) in space.features.iter().enumerate() {
            let span = region.spans[f];
            let ends = match &reference.spread[f] {
                Spread::Numeric { inverse, .. } => {
                    (feature.change(span.0) * inverse, feature.change(span.1) * inverse)
                }
                Spread::InStep { .. } => (feature.change(span.0), feature.change(span.1)),
                Spread::Options { .. } => (0.0, 0.0),
            };
            let touched = Touched { f, span, keep: feature.keep.0, ends };
            match region.stand(space, f) {
                Stand::Kept => {}
                Stand::Decided => distances.decided.push(touched),
                Stand::Undecided => distances.undecided.push(touched),
            }
        }
        if distances.undecided.len() <= distances.left {
            distances.decided.append(&mut distances.undecided);
        }
        distances
    }

    /// Whether every feature that may change has its place among the changes.
    pub(in crate::search) fn decides(&self) -> bool {
        self.undecided.is_empty()
    }

    /// The least and the largest sum of terms between a point and the region.
    pub(in crate::search) fn extremes(&mut self, n: usize) -> (f64, f64) {
        let (mut least, mut most) = (self.reference.base()[n], self.reference.base()[n]);
        for touched in &self.decided {
            let (low, high, kept) = self.range(touched, n);
            least += low - kept;
            most += high - kept;
        }
        if self.undecided.is_empty() {
            return (least, most);
        }
        let (mut down, mut up) = (std::mem::take(&mut self.down), std::mem::take(&mut self.up));
        down.clear();
        up.clear();
        for touched in &self.undecided {
            let (low, high, kept) = self.range(touched, n);
            down.push(low - kept);
            up.push(kept - high);
        }
        least += least_few(&mut down, self.left);
        most -= least_few(&mut up, self.left);
        (self.down, self.up) = (down, up);
        (least, most)
    }

    /// The same of several points at once, for regions that leave no change undecided: feature by feature, because
    /// what a feature's points have in common is then looked up once.
    pub(in crate::search) fn extremes_of(&self, points: Points) -> Vec<(f64, f64)> {
        let mut sums: Vec<(f64, f64)> = match points {
            Points::First(count) => {
                self.reference.base()[..count].iter().map(|&b| (b, b)).collect()
            }
            Points::Listed(list) => {
                let base = list.iter().map(|&n| self.reference.base()[n as usize]);
                base.map(|base| (base, base)).collect()
            }
        };
        for touched in &self.decided {
            let (first, last) = touched.ends;
            let add = |sum: &mut (f64, f64), offset: f64| {
                let (below, above) = (first - offset, offset - last);
                let nearest = below.max(above).max(0.0);
                let farthest = below.min(above);
                let kept = offset * offset;
                sum.0 += nearest * nearest - kept;
                sum.1 += farthest * farthest - kept;
            };
            match (&self.reference.spread[touched.f], points) {
                (Spread::Numeric { offset, .. }, Points::First(_))
                    if self.reference.is_squared() =>
                {
                    for (sum, &offset) in sums.iter_mut().zip(offset) {
                        add(sum, offset);
                    }
                }
                (Spread::Numeric { offset, .. }, Points::Listed(list))
                    if self.reference.is_squared() =>
                {
                    for (sum, &n) in sums.iter_mut().zip(list) {
                        add(sum, offset[n as usize]);
                    }
                }
                _ => {
                    for (at, sum) in sums.iter_mut().enumerate() {
                        let (low, high, kept) = self.range(touched, points.at(at) as usize);
                        sum.0 += low - kept;
                        sum.1 += high - kept;
                    }
                }
            }
        }
        sums
    }

    /// How many of the first points can be among the k nearest, judged by how far the region lies from the applicant.
    pub(in crate::search) fn in_reach(&self) -> usize {
        self.reference.in_reach(self.moved())
    }

    /// How many of the first points can have a sum of terms of at most this.
    pub(in crate::search) fn in_reach_of(&self, sum: f64) -> usize {
        self.reference.in_reach_of(self.moved(), sum)
    }

    /// At least the largest sum of terms between the applicant and a plan of the region.
    fn moved(&self) -> f64 {
        let metric = self.reference.outlier.metric;
        let moved = |touched: &Touched| {
            let (first, last) = touched.ends;
            match &self.reference.spread[touched.f] {
                Spread::Numeric { .. } => term(metric, first).max(term(metric, last)),
                Spread::InStep { columns } => {
                    let of = |(inverse, _): &(f64, Vec<f64>)| {
                        term(metric, first * inverse).max(term(metric, last * inverse))
                    };
                    columns.iter().map(of).sum()
                }
                Spread::Options { moved, .. } => {
                    let (low, high) = touched.span;
                    crate::search::layout::space::largest(&moved[low as usize..=high as usize])
                }
            }
        };
        let decided: f64 = self.decided.iter().map(moved).sum();
        let mut undecided: Vec<f64> =
            self.undecided.iter().map(|touched| -moved(touched)).collect();
        decided - least_few(&mut undecided, self.left)
    }

    /// The features whose numbers vary, with their extent, where sums of terms are squares and nothing else varies: the
    /// difference between two points' sums is then linear in the numbers.
    pub(in crate::search) fn varying(&self) -> Option<Vec<(usize, f64)>> {
        if self.reference.outlier.metric == Metric::Manhattan || !self.decides() {
            return None;
        }
        let mut varying = Vec::with_capacity(self.decided.len());
        for touched in self.decided.iter().filter(|touched| touched.span.0 < touched.span.1) {
            if matches!(self.reference.spread[touched.f], Spread::Options { .. }) {
                return None;
            }
            varying.push((touched.f, touched.ends.1 - touched.ends.0));
        }
        Some(varying)
    }

    /// A point's sum of terms in the middle of the region, where nothing but numbers varies.
    pub(in crate::search) fn middle(&self, n: usize) -> f64 {
        let shift = |touched: &Touched| match &self.reference.spread[touched.f] {
            Spread::Numeric { offset, .. } => {
                let middle = 0.5 * (touched.ends.0 + touched.ends.1);
                middle * (middle - 2.0 * offset[n])
            }
            Spread::InStep { .. } | Spread::Options { .. } => {
                let (low, _, kept) = self.range(touched, n);
                low - kept
            }
        };
        self.reference.base()[n] + self.decided.iter().map(shift).sum::<f64>()
    }

    /// The region's extent as the metric sees it: the largest sum of terms between two of its numbers.
    pub(in crate::search) fn extent(&self) -> f64 {
        let metric = self.reference.outlier.metric;
        self.decided.iter().map(|touched| term(metric, touched.ends.1 - touched.ends.0)).sum()
    }

    /// A feature's least and largest term over its interval, and its term where it is kept.
    pub(super) fn range(&self, touched: &Touched, n: usize) -> (f64, f64, f64) {
        match &self.reference.spread[touched.f] {
            Spread::Numeric { offset, .. } => {
                let metric = self.reference.outlier.metric;
                let offset = offset[n];
                let (first, last) = touched.ends;
                let nearest = offset.clamp(first, last);
                let farthest = if offset - first > last - offset { first } else { last };
                (
                    term(metric, nearest - offset),
                    term(metric, farthest - offset),
                    term(metric, offset),
                )
            }
            // Each column's least and largest, added up: at most the least and at least the largest.
            Spread::InStep { columns } => {
                let metric = self.reference.outlier.metric;
                let mut range = (0.0, 0.0, 0.0);
                for (inverse, offset) in columns {
                    let offset = offset[n];
                    let (first, last) = (touched.ends.0 * inverse, touched.ends.1 * inverse);
                    range.0 += term(metric, offset.clamp(first, last) - offset);
                    range.1 += term(metric, first - offset).max(term(metric, last - offset));
                    range.2 += term(metric, offset);
                }
                range
            }
            Spread::Options { terms, .. } => {
                let count = self.reference.count();
                let at = |index: ValueIndex| terms[index as usize * count + n];
                let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
                for index in touched.span.0..=touched.span.1 {
                    least = least.min(at(index));
                    most = most.max(at(index));
                }
                (least, most, at(touched.keep))
            }
        }
    }

    /// By how much the rival is nearer than point `n`, at least, anywhere in the region. Along a
    /// numeric feature the difference of two terms is monotone, so the ends of an interval decide.
    pub(in crate::search) fn lead(&mut self, rival: usize, n: usize) -> f64 {
        let mut lead = self.reference.base()[n] - self.reference.base()[rival];
        for touched in &self.decided {
            lead += self.least_lead(touched, rival, n);
        }
        if !self.undecided.is_empty() {
            let mut down = std::mem::take(&mut self.down);
            down.clear();
            down.extend(self.undecided.iter().map(|touched| self.least_lead(touched, rival, n)));
            lead += least_few(&mut down, self.left);
            self.down = down;
        }
        lead
    }

    /// What a feature's change adds to a lead, at least.
    fn least_lead(&self, touched: &Touched, rival: usize, n: usize) -> f64 {
        match &self.reference.spread[touched.f] {
            Spread::Numeric { offset, .. } => {
                let metric = self.reference.outlier.metric;
                let (own, other) = (offset[n], offset[rival]);
                let ahead = |at: f64| term(metric, at - own) - term(metric, at - other);
                ahead(touched.ends.0).min(ahead(touched.ends.1)) - ahead(0.0)
            }
            Spread::InStep { columns } => {
                let metric = self.reference.outlier.metric;
                let of = |(inverse, offset): &(f64, Vec<f64>)| {
                    let (own, other) = (offset[n], offset[rival]);
                    let ahead = |at: f64| term(metric, at - own) - term(metric, at - other);
                    let ends = [touched.ends.0 * inverse, touched.ends.1 * inverse];
                    ahead(ends[0]).min(ahead(ends[1])) - ahead(0.0)
                };
                columns.iter().map(of).sum()
            }
            Spread::Options { .. } => {
                let ahead = |index: ValueIndex| {
                    self.reference.term(self.space, touched.f, index, n)
                        - self.reference.term(self.space, touched.f, index, rival)
                };
                let (low, high) = touched.span;
                let least = (low..=high).map(ahead).fold(f64::INFINITY, f64::min);
                least - ahead(touched.keep)
            }
        }
    }

    /// A point's distance, at least, from its least sum of terms.
    pub(in crate::search) fn distance(&self, least: f64) -> f64 {
        self.reference.rooted(least - self.error)
    }

    /// Sums of terms beyond this are surely larger than `sum`, whatever rounding did.
    pub(in crate::search) fn beyond(&self, sum: f64) -> f64 {
        sum * (1.0 + 1e-9) + 2.0 * self.error
    }

    /// Whether a single point's term can join the bound of distance and validity.
    pub(in crate::search) fn joins(reference: &Reference) -> bool {
        reference.outlier.k.is_none() && reference.outlier.metric != Metric::Euclidean
    }
}

/// The sum of the few least values, positive ones left out.
fn least_few(values: &mut [f64], few: usize) -> f64 {
    if few == 0 {
        return 0.0;
    }
    if few <= 4 {
        // Nearly every value is turned away by the first comparison.
        let mut least = [0.0_f64; 4];
        for &value in values.iter() {
            let mut value = value;
            for slot in least.iter_mut().take(few) {
                (*slot, value) = (slot.min(value), slot.max(value));
            }
        }
        return least.iter().sum();
    }
    if few < values.len() {
        values.select_nth_unstable_by(few - 1, f64::total_cmp);
    }
    values.iter().take(few).map(|value| value.min(0.0)).sum()
}
