//! Upper bounds of a combined score in a region, from bounds of its members' scores there.
//!
//! Where so many of the members must accept, each has a cut of its own, and is bounded by itself: a region is excluded as soon as
//! too many members can't accept in it. Where values add up, each is below a line of the member's score over the scores that
//! the region allows, near the score at the relaxed point; the lines add up. Both get tight as regions shrink, for the
//! members' own bounds do. Either way sums over features above the members' scores join to one above the combination's.

use super::lines::Line;
use super::{Combination, Term};
use crate::model::Combine;
use crate::search::bound::ball::Ball;
use crate::search::bound::losses::Losses;
use crate::search::bound::relax::Mix;
use crate::search::layout::region::Region;
use crate::search::layout::space::Space;
use crate::search::layout::values::ValueIndex;
use crate::search::score::{Counted, MemberBound, MemberReach, Reach, ScoreBound};

/// How strongly members that reject the relaxed point gain in share, and the least share, of what all have.
const STEP: f64 = 2.0;
const LEAST_SHARE: f64 = 1e-4;

/// What bounds a member's score.
type Bound<'s> = Box<dyn MemberBound + 's>;

/// Lines above members' values, each with its slope; then what is added to them, and the error of all.
type Lines = (Vec<(f64, Losses)>, (f64, f64));

/// The members' bounds, and what has to come of them.
pub(super) struct CombinedBound<'s> {
    terms: Vec<&'s Term>,
    combine: Combine,
    intercept: f64,
    members: Vec<Bound<'s>>,
    quorum: Option<Quorum>,
    /// What adding up in another order than the classifier does may change, relatively.
    reordering: f64,
}

/// Acceptance as a number of members that must accept, each by its own score.
struct Quorum {
    least: usize,
    /// Members accept above these scores at most.
    cuts: Vec<f64>,
    /// How far members' scores differ, to compare them.
    scales: Vec<f64>,
}

impl<'s> CombinedBound<'s> {
    pub(super) fn new(
        space: &Space,
        combination: &'s Combination,
        members: Vec<Bound<'s>>,
    ) -> Self {
        let Combination { bounded, points, combine, intercept } = combination;
        let terms: Vec<&Term> = bounded.iter().map(|(term, _)| term).collect();
        let count = terms.len();
        let reordering = if count == points.len() {
            0.0
        } else {
            4.0 * (points.len() as f64 + 4.0) * f64::EPSILON
        };
        let mut bound = Self {
            terms,
            combine: *combine,
            intercept: *intercept,
            members,
            quorum: None,
            reordering,
        };
        let least = match combine {
            Combine::Minimum => Some(count),
            Combine::KthLargest(k) => Some(*k),
            Combine::Sum => (count == 1).then_some(1),
        };
        let Some(least) = least else { return bound };
        let mut region = Region::whole(space);
        let settles = region.settle(space);
        let range = |member: &Bound<'s>| {
            let range = member.range(space, &region, &member.whole(), None).filter(|_| settles);
            range.map_or((f64::NEG_INFINITY, f64::INFINITY), |range| range.0)
        };
        let ranges: Vec<(f64, f64)> = bound.members.iter().map(range).collect();
        let cut = |(term, &range): (&&Term, &(f64, f64))| term.cut(range, *intercept);
        let scale = |(low, high): &(f64, f64)| {
            let scale = high - low;
            if scale > 0.0 && scale.is_finite() { scale } else { 1.0 }
        };
        bound.quorum = Some(Quorum {
            least,
            cuts: bound.terms.iter().zip(&ranges).map(cut).collect(),
            scales: ranges.iter().map(scale).collect(),
        });
        bound
    }

    /// Every member's range in a region, with what matters there.
    fn ranges(
        &self,
        space: &Space,
        region: &Region,
        reach: &Reach,
        ball: Option<&Ball>,
    ) -> Option<Vec<MemberReach>> {
        let members = self.members.iter().zip(reach.members.iter());
        let range = |(member, known): (&Bound<'s>, &MemberReach)| {
            let (range, reach) = member.range(space, region, &known.reach, ball)?;
            Some(MemberReach { reach, range: within(range, known.range)?, share: known.share })
        };
        members.map(range).collect()
    }

    /// Bounds of the combination of members' scores.
    fn combined(&self, members: &[MemberReach]) -> (f64, f64) {
        let ranges = self.terms.iter().zip(members).map(|(term, member)| term.range(member.range));
        let (lows, highs): (Vec<f64>, Vec<f64>) = ranges.unzip();
        let sizes = lows.iter().zip(&highs).map(|(low, high)| low.abs().max(high.abs()));
        let error = self.reordering * (sizes.sum::<f64>() + self.intercept.abs());
        let of = |values: &[f64]| self.combine.of(values) + self.intercept;
        (of(&lows) - error, of(&highs) + error)
    }

    /// What matters where so many members must accept; `None` where too few can.
    fn narrow_quorum(
        &self,
        quorum: &Quorum,
        space: &Space,
        region: &Region,
        reach: &Reach,
        ball: Option<&Ball>,
    ) -> Option<Reach> {
        let mut members: Vec<MemberReach> = reach.members.to_vec();
        let spare = |&i: &usize| (members[i].range.1 - quorum.cuts[i]) / quorum.scales[i];
        // Members that are least sure to accept come first.
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.sort_by(|a, b| spare(a).total_cmp(&spare(b)));
        let mut able = members.len();
        for i in order {
            let known = &mut members[i];
            // A member that accepts everywhere, or nowhere, does so in every part.
            if known.range.0 > quorum.cuts[i] {
                continue;
            }
            if known.range.1 > quorum.cuts[i] {
                let (range, reach) = self.members[i].range(space, region, &known.reach, ball)?;
                (known.range, known.reach) = (within(range, known.range)?, reach);
            }
            if known.range.1 <= quorum.cuts[i] {
                able -= 1;
                if able < quorum.least {
                    return None;
                }
            }
        }
        Some(Reach { members: members.into(), ..Reach::nothing() })
    }

    /// Where all members must accept, each loses values that it can't accept with, and a weighted sum of their scores, less
    /// their cuts, is at least 0. Members that reject the relaxed point have more weight from then on.
    fn losses_of_all(
        &self,
        quorum: &Quorum,
        space: &Space,
        region: &mut Region,
        reach: &mut Reach,
        point: &[Mix],
    ) -> Option<Losses> {
        let mut members = reach.members.to_vec();
        let mut losses: Vec<(usize, Losses)> = Vec::new();
        for (i, known) in members.iter().enumerate() {
            if known.range.0 <= quorum.cuts[i] {
                let above = self.members[i].above(space, region, &known.reach, point)?;
                losses.push((i, above.raised(quorum.cuts[i])));
            }
        }
        let spare: Vec<f64> = (losses.iter())
            .map(|(i, losses)| losses.at_point(space, region, point) / quorum.scales[*i])
            .collect();
        let most = spare.iter().fold(0.0, |most: f64, spare| most.max(spare.abs())).max(1e-300);
        let mut shares: Vec<f64> = (losses.iter().zip(&spare))
            .map(|((i, _), spare)| members[*i].share * (-STEP * spare / most).exp())
            .collect();
        let total: f64 = shares.iter().sum();
        for ((i, _), share) in losses.iter().zip(&mut shares) {
            *share = (*share / total).max(LEAST_SHARE);
            members[*i].share = *share;
        }
        reach.members = members.into();
        let parts: Vec<(f64, &Losses)> = (losses.iter().zip(&shares))
            .map(|((i, losses), share)| (share / quorum.scales[*i], losses))
            .collect();
        // Where all members accept everywhere, nothing is lost.
        let constant = if parts.is_empty() { 1.0 } else { 0.0 };
        let sum = Losses::weighted(space, region, &parts, (constant, 0.0));
        for (_, losses) in &losses {
            if losses.room < -losses.error || !losses.shave(space, region) {
                return None;
            }
        }
        Some(sum)
    }

    /// Lines above the members' values, and so many members as votes that must add up.
    fn lines(
        &self,
        space: &Space,
        region: &Region,
        reach: &Reach,
        point: &[Mix],
        line: impl Fn(usize, (f64, f64), f64) -> Line,
    ) -> Option<Lines> {
        let (mut constant, mut error) = (0.0, 0.0);
        let mut parts: Vec<(f64, Losses)> = Vec::new();
        for (i, known) in reach.members.iter().enumerate() {
            let (low, high) = known.range;
            let flat = line(i, known.range, high);
            error += self.terms[i].size(known.range);
            if flat.slope == 0.0 && line(i, known.range, low).slope == 0.0 {
                constant += flat.constant;
                error += flat.constant.abs();
                continue;
            }
            let above = self.members[i].above(space, region, &known.reach, point)?;
            let line = line(i, known.range, above.at_point(space, region, point));
            constant += line.constant;
            error += line.constant.abs() + line.slope * low.abs().max(high.abs());
            parts.push((line.slope, above));
        }
        let terms = (self.terms.len() + 8) as f64;
        Some((parts, (constant, 16.0 * terms * f64::EPSILON * error)))
    }

    /// A sum above the combined score where values add up.
    fn sum(&self, space: &Space, region: &Region, reach: &Reach, point: &[Mix]) -> Option<Losses> {
        let line = |i: usize, range, at| self.terms[i].line(range, at);
        let (parts, (constant, error)) = self.lines(space, region, reach, point, line)?;
        let parts: Vec<(f64, &Losses)> = parts.iter().map(|(slope, part)| (*slope, part)).collect();
        let error = error + 16.0 * f64::EPSILON * self.intercept.abs();
        Some(Losses::weighted(space, region, &parts, (constant + self.intercept, error)))
    }

    /// A sum above the number of members that can accept, less how many must.
    fn votes(
        &self,
        quorum: &Quorum,
        space: &Space,
        region: &Region,
        reach: &Reach,
        point: &[Mix],
    ) -> Option<Losses> {
        let line = |i: usize, range, at| vote(range, quorum.cuts[i], at);
        let (parts, (constant, error)) = self.lines(space, region, reach, point, line)?;
        let parts: Vec<(f64, &Losses)> = parts.iter().map(|(slope, part)| (*slope, part)).collect();
        Some(Losses::weighted(space, region, &parts, (constant - quorum.least as f64, error)))
    }
}

/// A line above a member's vote, which is at most 1 above the cut and 0 up to it.
fn vote((low, high): (f64, f64), cut: f64, at: f64) -> Line {
    if high <= cut {
        return Line::level(0.0);
    }
    if low >= cut || at >= cut {
        return Line::level(1.0);
    }
    let slope = 1.0 / (cut - low);
    if slope.is_finite() { Line { slope, constant: -slope * low } } else { Line::level(1.0) }
}

/// What is in both of two intervals; `None` where that is nothing, so that a region holds no plan of interest.
fn within(a: (f64, f64), b: (f64, f64)) -> Option<(f64, f64)> {
    let both = (a.0.max(b.0), a.1.min(b.1));
    (both.0 <= both.1).then_some(both)
}

impl ScoreBound for CombinedBound<'_> {
    fn whole(&self) -> Reach {
        let member = |member: &Bound<'_>| MemberReach {
            reach: member.whole(),
            range: (f64::NEG_INFINITY, f64::INFINITY),
            share: 1.0,
        };
        Reach { members: self.members.iter().map(member).collect(), ..Reach::nothing() }
    }

    fn work(&self) -> usize {
        self.members.iter().map(|member| member.work()).sum()
    }

    fn narrow(
        &self,
        space: &Space,
        region: &Region,
        reach: &Reach,
        ball: Option<&Ball>,
    ) -> Option<Reach> {
        if let Some(quorum) = &self.quorum {
            return self.narrow_quorum(quorum, space, region, reach, ball);
        }
        let members = self.ranges(space, region, reach, ball)?;
        let (_, highest) = self.combined(&members);
        (highest >= 0.0).then(|| Reach { members: members.into(), ..Reach::nothing() })
    }

    fn additive(&self) -> bool {
        false
    }

    fn gradual(&self) -> bool {
        self.members.iter().any(|member| member.gradual())
    }

    fn depends_on_point(&self) -> bool {
        true
    }

    fn losses(
        &self,
        space: &Space,
        region: &mut Region,
        reach: &mut Reach,
        point: &[Mix],
    ) -> Option<Losses> {
        let losses = match &self.quorum {
            Some(quorum) if quorum.least == self.members.len() => {
                return self.losses_of_all(quorum, space, region, reach, point);
            }
            Some(quorum) => self.votes(quorum, space, region, reach, point)?,
            None => self.sum(space, region, reach, point)?,
        };
        if losses.room < -losses.error {
            return None;
        }
        losses.shave(space, region).then_some(losses)
    }

    fn last_changes(&self, space: &Space, region: &Region, reach: &Reach) -> Option<Vec<bool>> {
        let quorum = self.quorum.as_ref().filter(|quorum| quorum.least == self.members.len())?;
        let mut all: Option<Vec<bool>> = None;
        for ((member, known), &cut) in
            self.members.iter().zip(reach.members.iter()).zip(&quorum.cuts)
        {
            if known.range.0 > cut {
                continue;
            }
            if let Some(accepted) = member.last_changes_above(space, region, &known.reach, cut) {
                let all = all.get_or_insert_with(|| vec![true; accepted.len()]);
                all.iter_mut().zip(accepted).for_each(|(all, accepted)| *all &= accepted);
            }
        }
        all
    }

    fn count_cells(
        &self,
        space: &Space,
        region: &Region,
        reach: &Reach,
        price: &dyn Fn(usize, (ValueIndex, ValueIndex)) -> f64,
        room: f64,
    ) -> Counted {
        let Some(quorum) = self.quorum.as_ref().filter(|q| q.least == self.members.len()) else {
            return Counted::Unknown;
        };
        for ((member, known), &cut) in
            self.members.iter().zip(reach.members.iter()).zip(&quorum.cuts)
        {
            if known.range.0 > cut {
                continue;
            }
            let counted = member.count_cells_above(space, region, &known.reach, price, (cut, room));
            if !matches!(counted, Counted::Unknown) {
                return counted;
            }
        }
        Counted::Unknown
    }
}

impl MemberBound for CombinedBound<'_> {
    fn range(
        &self,
        space: &Space,
        region: &Region,
        reach: &Reach,
        ball: Option<&Ball>,
    ) -> Option<((f64, f64), Reach)> {
        let members = self.ranges(space, region, reach, ball)?;
        Some((self.combined(&members), Reach { members: members.into(), ..Reach::nothing() }))
    }

    fn above(
        &self,
        space: &Space,
        region: &Region,
        reach: &Reach,
        point: &[Mix],
    ) -> Option<Losses> {
        if self.combine == Combine::Sum {
            return self.sum(space, region, reach, point);
        }
        let highest = self.combined(&reach.members).1;
        let level = || Losses::weighted(space, region, &[], (highest, 0.0));
        if self.combine != Combine::Minimum {
            return Some(level());
        }
        // The least of the values is at most any one of them: that of the member whose is least.
        let ranges = self.terms.iter().zip(reach.members.iter());
        let highs = ranges.map(|(term, member)| term.range(member.range).1).enumerate();
        let Some((i, _)) = highs.min_by(|a, b| a.1.total_cmp(&b.1)) else { return Some(level()) };
        let known = &reach.members[i];
        let above = self.members[i].above(space, region, &known.reach, point)?;
        let line = self.terms[i].line(known.range, above.at_point(space, region, point));
        let size = line.slope * known.range.0.abs().max(known.range.1.abs())
            + line.constant.abs()
            + self.terms[i].size(known.range);
        let error = 64.0 * f64::EPSILON * (size + self.intercept.abs());
        let constant = line.constant + self.intercept;
        Some(Losses::weighted(space, region, &[(line.slope, &above)], (constant, error)))
    }
}
