//! Where "now" and "then" lie among accepted and rejected training rows, feature by feature.
//!
//! Numbers are a histogram, accepted rows above the axis and rejected rows below it; levels, and codes among numbers, are bars in
//! rows. Every bar is a share of the accepted or of the rejected rows, so that the two compare however many there are of each.

use std::fmt::Write as _;

use amends::explain::{Bins, OutcomeCounts};
use maud::{Markup, html};

use super::marks::{LABELS, Mark, marks};
use super::{ACCEPTED, FONT, REJECTED, WIDTH, number, percent, shortened, svg, width_of};
use crate::context::FeatureContext;
use crate::{CardChange, Spot};

/// The left and right margins, the height of each half of a histogram, and the room for the labels of its axis.
const MARGIN: f64 = 6.0;
const HALF: f64 = 38.0;
const AXIS: f64 = 17.0;
/// A row of a level: its height, that of a bar in it, and the longest bar.
const ROW: f64 = 38.0;
const BAR: f64 = 8.0;
const LONGEST: f64 = 262.0;
/// More levels than this are not all shown.
const MOST_LEVELS: usize = 8;

/// The picture of one changed feature.
pub(crate) struct DistributionPicture<'a> {
    pub feature: &'a FeatureContext,
    pub change: &'a CardChange,
}

/// A row of bars: a level or a code.
struct Row<'a> {
    label: &'a str,
    counts: OutcomeCounts,
    spot: Spot,
}

/// What the colours and lines mean.
pub(crate) fn key() -> Markup {
    let swatch = |class: &str, colour: &str| {
        html! {
            svg class="swatch" width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" {
                rect class=(class) width="10" height="10" fill=(colour) {}
            }
        }
    };
    html! {
        (swatch("accepted", ACCEPTED)) " accepted training rows, "
        (swatch("rejected", REJECTED)) " rejected training rows, each as a share of its own"
    }
}

impl DistributionPicture<'_> {
    /// The whole picture. Where what does not depend on the applicant is on the page already, under this name, it is used from there.
    pub(crate) fn draw(&self, shared: Option<&str>) -> Markup {
        let rows = self.rows();
        let (marks, top) = self.marks(&rows);
        let content = html! {
            @match shared {
                Some(name) => { use href={ "#" (name) } {} }
                None => { (self.shape(&rows)) }
            }
            (marks)
        };
        svg((top, self.height(rows.len())), &self.description(), &content)
    }

    /// Whether [`DistributionPicture::shared_shape`] is the same for all applicants: not where some levels are left out.
    pub(crate) fn is_shared(&self) -> bool {
        self.feature.levels.len() <= MOST_LEVELS
            && self.codes_shown(None) == self.codes_shown(Some(self.change))
    }

    /// What does not depend on the applicant.
    pub(crate) fn shared_shape(&self) -> Markup {
        self.shape(&self.rows())
    }

    fn shape(&self, rows: &[Row<'_>]) -> Markup {
        let top = self.top_of_rows();
        let longest = self.most_in_rows();
        html! {
            @if let Some(bins) = &self.feature.distribution.bins { (self.histogram(bins)) }
            @for (index, row) in rows.iter().enumerate() {
                (self.row(row, top + index as f64 * ROW, longest))
            }
            @if self.left_out(rows) > 0 {
                text.soft x=(MARGIN) y=(number(top + rows.len() as f64 * ROW + FONT)) {
                    "and " (self.left_out(rows)) " more levels"
                }
            }
        }
    }

    fn histogram(&self, bins: &Bins) -> Markup {
        let middle = LABELS + HALF;
        let shares: Vec<[f64; 2]> = bins.counts.iter().map(|&counts| self.shares(counts)).collect();
        let most = shares.iter().flatten().copied().fold(0.0, f64::max);
        let outline = |side: usize, sign: f64| {
            let mut path = format!("M{MARGIN} {middle}");
            for (index, shares) in shares.iter().enumerate() {
                let height = if most > 0.0 { HALF * shares[side] / most } else { 0.0 };
                let end = MARGIN + (index + 1) as f64 * Self::scale(bins);
                let _ = write!(path, "V{}H{}", number(middle - sign * height), number(end));
            }
            path + &format!("V{middle}z")
        };
        html! {
            path.accepted fill=(ACCEPTED) d=(outline(0, 1.0)) {}
            path.rejected fill=(REJECTED) d=(outline(1, -1.0)) {}
            path.axis d={ "M" (MARGIN) " " (middle) "H" (WIDTH - MARGIN) } stroke="currentColor" stroke-opacity="0.5" {}
            (self.ticks(bins))
        }
    }

    fn ticks(&self, bins: &Bins) -> Markup {
        let foot = LABELS + 2.0 * HALF;
        let mut free_from = 0.0;
        let mut shown = Vec::new();
        for (tick, label) in &self.feature.ticks {
            let half = width_of(label) / 2.0;
            let x = self.place(bins, *tick);
            let text_at = x.clamp(half, WIDTH - half);
            // Numbers that would run into the one before are left out.
            if text_at - half >= free_from {
                free_from = text_at + half + FONT / 2.0;
                shown.push((x, text_at, label));
            }
        }
        html! {
            @for (x, text_at, label) in shown {
                path d={ "M" (number(x)) " " (foot) "v3" } stroke="currentColor" stroke-opacity="0.5" {}
                text.soft x=(number(text_at)) y=(foot + 13.0) text-anchor="middle" fill-opacity="0.75" { (label) }
            }
        }
    }

    fn row(&self, row: &Row<'_>, top: f64, longest: f64) -> Markup {
        let bar = |share: f64, class: &str, colour: &str, y: f64| {
            let width = if longest > 0.0 { LONGEST * share / longest } else { 0.0 };
            html! {
                rect class=(class) fill=(colour) x=(MARGIN) y=(number(y)) width=(number(width)) height=(BAR) {}
                text.soft x=(number(MARGIN + width + 4.0)) y=(number(y + BAR - 1.2)) font-size="9" fill-opacity="0.75" {
                    (percent(share))
                }
            }
        };
        let [accepted, rejected] = self.shares(row.counts);
        html! {
            text x=(MARGIN) y=(number(top + FONT)) { (shortened(row.label, 240.0)) }
            (bar(accepted, "accepted", ACCEPTED, top + FONT + 4.0))
            (bar(rejected, "rejected", REJECTED, top + FONT + 5.0 + BAR))
        }
    }

    /// The lines and labels of both values, and where the picture begins.
    fn marks(&self, rows: &[Row<'_>]) -> (Markup, f64) {
        let CardChange { now, then, before, after, .. } = self.change;
        let spots = [(*now, "now", before, false), (*then, "then", after, true)];
        let bins = self.feature.distribution.bins.as_ref();
        let numbers: Vec<Mark> = spots
            .iter()
            .filter_map(|&(spot, name, value, is_goal)| {
                let Spot::Number(number) = spot else { return None };
                let x = self.place(bins?, number);
                Some(Mark { x, label: format!("{name} {value}"), is_goal })
            })
            .collect();
        let foot = LABELS + 2.0 * HALF;
        let in_rows = spots.iter().filter_map(|&(spot, name, _, is_goal)| {
            let index = rows.iter().position(|row| row.spot == spot)?;
            Some((self.top_of_rows() + index as f64 * ROW, name, is_goal))
        });
        let (lines, top) = match <[Mark; 2]>::try_from(numbers) {
            Ok(both) => marks(both, foot),
            // One number, the other value a code: the same line twice is drawn over itself.
            Err(alone) => {
                alone.into_iter().next().map_or((html! {}, 0.0), |Mark { x, label, is_goal }| {
                    let twin = Mark { x, label: String::new(), is_goal };
                    marks([Mark { x, label, is_goal }, twin], foot)
                })
            }
        };
        let drawn = html! {
            (lines)
            @for (top, name, is_goal) in in_rows {
                @let dashes = (!is_goal).then_some("4 2");
                @let weight = is_goal.then_some("600");
                path d={ "M1.5 " (number(top + 1.0)) "v" (ROW - 6.0) } stroke="currentColor" stroke-width="3" stroke-dasharray=[dashes] {}
                text x=(WIDTH - MARGIN) y=(number(top + FONT)) text-anchor="end" font-weight=[weight] { (name) }
            }
        };
        (drawn, top)
    }

    /// The rows that are shown, in the schema's order.
    fn rows(&self) -> Vec<Row<'_>> {
        let FeatureContext { levels, codes, distribution, .. } = self.feature;
        let shown = self.levels_shown();
        let levels = shown.into_iter().filter_map(|index| {
            let counts = distribution.levels.get(index).copied().unwrap_or_default();
            Some(Row { label: levels.get(index)?, counts, spot: Spot::Level(index) })
        });
        let codes = self.codes_shown(Some(self.change)).into_iter().filter_map(|index| {
            let counts = distribution.codes.get(index).copied().unwrap_or_default();
            Some(Row { label: codes.get(index)?, counts, spot: Spot::Code(index) })
        });
        levels.chain(codes).collect()
    }

    /// The levels now and then, and the most frequent others.
    fn levels_shown(&self) -> Vec<usize> {
        let counts = &self.feature.distribution.levels;
        let own =
            |&level: &usize| [self.change.now, self.change.then].contains(&Spot::Level(level));
        let mut levels: Vec<usize> = (0..self.feature.levels.len()).collect();
        if levels.len() <= MOST_LEVELS {
            return levels;
        }
        let total = |level: usize| counts.get(level).map_or(0, |counts| counts.total());
        levels.sort_by_key(|level| (!own(level), std::cmp::Reverse(total(*level)), *level));
        levels.truncate(MOST_LEVELS - 1);
        levels.sort_unstable();
        levels
    }

    /// The codes that some training row has, and those of a change.
    fn codes_shown(&self, change: Option<&CardChange>) -> Vec<usize> {
        let own = |code: usize| {
            change.is_some_and(|change| [change.now, change.then].contains(&Spot::Code(code)))
        };
        let counts = self.feature.distribution.codes.iter().enumerate();
        let shown = counts.filter(|&(code, counts)| counts.total() > 0 || own(code));
        shown.map(|(code, _)| code).collect()
    }

    fn left_out(&self, rows: &[Row<'_>]) -> usize {
        let shown = rows.iter().filter(|row| matches!(row.spot, Spot::Level(_))).count();
        self.feature.levels.len() - shown.min(self.feature.levels.len())
    }

    fn most_in_rows(&self) -> f64 {
        let distribution = &self.feature.distribution;
        let counts = distribution.levels.iter().chain(&distribution.codes);
        counts.flat_map(|&counts| self.shares(counts)).fold(0.0, f64::max)
    }

    /// The shares of all accepted and of all rejected rows.
    fn shares(&self, counts: OutcomeCounts) -> [f64; 2] {
        let all = self.feature.distribution.rows;
        let share = |count: usize, of: usize| if of == 0 { 0.0 } else { count as f64 / of as f64 };
        [share(counts.accepted, all.accepted), share(counts.rejected, all.rejected)]
    }

    fn scale(bins: &Bins) -> f64 {
        (WIDTH - 2.0 * MARGIN) / bins.counts.len().max(1) as f64
    }

    /// Where a number is. Whole numbers stand for an interval of their own, and are in its middle.
    fn place(&self, bins: &Bins, value: f64) -> f64 {
        let value = if self.feature.whole { value + 0.5 } else { value };
        let place = MARGIN + (value - bins.first) / bins.width * Self::scale(bins);
        place.clamp(MARGIN, WIDTH - MARGIN)
    }

    fn top_of_rows(&self) -> f64 {
        if self.feature.distribution.bins.is_some() {
            LABELS + 2.0 * HALF + AXIS + 6.0
        } else {
            0.0
        }
    }

    fn height(&self, rows: usize) -> f64 {
        let left_out = if self.left_out(&self.rows()) > 0 { FONT + 4.0 } else { 0.0 };
        self.top_of_rows() + rows as f64 * ROW + left_out
    }

    /// The picture in words: what share of the rows is where the applicant is, now and then.
    fn description(&self) -> String {
        let CardChange { title, before, after, now, then, .. } = self.change;
        let at = |spot: Spot| {
            let distribution = &self.feature.distribution;
            let (counts, what) = match spot {
                Spot::Level(level) => (distribution.levels.get(level), "have it"),
                Spot::Code(code) => (distribution.codes.get(code), "have it"),
                Spot::Number(number) => {
                    let bins = distribution.bins.as_ref();
                    (bins.and_then(|bins| bins.counts.get(bins.index(number))), "are near it")
                }
            };
            let [accepted, rejected] = self.shares(counts.copied().unwrap_or_default());
            format!(
                "{} of the accepted and {} of the rejected training rows {what}",
                percent(accepted),
                percent(rejected)
            )
        };
        format!("{title}: now {before}, {}; then {after}, {}.", at(*now), at(*then))
    }
}

#[cfg(test)]
mod tests {
    use amends::explain::Distribution;

    use super::*;

    fn counts(accepted: usize, rejected: usize) -> OutcomeCounts {
        OutcomeCounts { accepted, rejected }
    }

    /// Numbers from 0 to 40 in four intervals, and two codes, one of which no row has.
    fn numbers() -> FeatureContext {
        let counts_of = vec![counts(10, 0), counts(20, 5), counts(10, 5), counts(0, 5)];
        let bins = Bins { first: 0.0, width: 10.0, counts: counts_of, least: 0.0, most: 39.0 };
        FeatureContext {
            title: "Months".into(),
            unit: None,
            whole: true,
            levels: Vec::new(),
            codes: vec!["never late".into(), "unknown".into()],
            ticks: vec![(0.0, "0".into()), (20.0, "20".into())],
            distribution: Distribution {
                rows: counts(50, 20),
                bins: Some(bins),
                levels: Vec::new(),
                codes: vec![counts(10, 5), counts(0, 0)],
            },
        }
    }

    fn levels(count: usize) -> FeatureContext {
        FeatureContext {
            levels: (0..count).map(|level| format!("level {level}")).collect(),
            codes: Vec::new(),
            distribution: Distribution {
                rows: counts(100, 50),
                levels: (0..count).map(|level| counts(level, 1)).collect(),
                ..Distribution::default()
            },
            ..numbers()
        }
    }

    fn drawn(feature: &FeatureContext, now: (Spot, &str), then: (Spot, &str)) -> String {
        let change = CardChange {
            feature: 0,
            title: feature.title.clone(),
            unit: None,
            before: now.1.to_owned(),
            after: then.1.to_owned(),
            by: None,
            together: None,
            now: now.0,
            then: then.0,
        };
        DistributionPicture { feature, change: &change }.draw(None).into_string()
    }

    #[test]
    fn bars_are_shares_of_the_accepted_and_of_the_rejected() {
        let picture = drawn(&numbers(), (Spot::Number(35.0), "35"), (Spot::Number(12.0), "12"));
        // 20 of 50 accepted rows are the most, and as high as a half is; 5 of 20 rejected rows are 5/8 of that.
        let (middle, top) = (LABELS + HALF, LABELS);
        let outline = format!("M6 {middle}V50H83V{top}H160V50H237V{middle}H314V{middle}z");
        assert!(picture.contains(&outline), "{picture}");
        let below = middle + HALF * 0.25 / 0.4;
        assert!(picture.contains(&format!("V{}H160", number(below))), "{picture}");
        assert!(picture.contains(
            "Months: now 35, 0 % of the accepted and 25 % of the rejected training rows are near it; \
             then 12, 40 % of the accepted and 25 % of the rejected training rows are near it."
        ));
        // A whole number is in the middle of its own interval: 12.5 of 40.
        let x = number(MARGIN + 12.5 / 40.0 * (WIDTH - 2.0 * MARGIN));
        assert!(picture.contains(&format!("M{x} ")), "{picture}");
    }

    #[test]
    fn codes_are_rows_below_the_numbers() {
        let picture = drawn(&numbers(), (Spot::Code(0), "never late"), (Spot::Number(5.0), "5"));
        assert!(
            picture.contains(">never late</text>") && !picture.contains("unknown"),
            "{picture}"
        );
        assert!(picture.contains(">now</text>") && picture.contains(">then 5</text>"), "{picture}");
        let unknown = drawn(&numbers(), (Spot::Code(1), "unknown"), (Spot::Number(5.0), "5"));
        assert!(
            unknown.contains(">unknown</text>"),
            "a code that no row has is shown where it is meant"
        );
    }

    #[test]
    fn of_many_levels_those_of_the_applicant_and_the_frequent_are_shown() {
        let feature = levels(20);
        let picture = drawn(&feature, (Spot::Level(0), "level 0"), (Spot::Level(3), "level 3"));
        for shown in ["level 0", "level 3", "level 19", "level 15", "and 13 more levels"] {
            assert!(picture.contains(&format!(">{shown}</text>")), "{shown}: {picture}");
        }
        assert!(!picture.contains(">level 14<"), "{picture}");
        let few = drawn(&levels(3), (Spot::Level(0), "level 0"), (Spot::Level(2), "level 2"));
        assert!(few.contains(">level 1</text>") && !few.contains("more levels"), "{few}");
    }

    #[test]
    fn what_applicants_share_does_not_depend_on_them() {
        let change = |now, then| CardChange {
            feature: 0,
            title: String::new(),
            unit: None,
            before: String::new(),
            after: String::new(),
            by: None,
            together: None,
            now,
            then,
        };
        let (few, many) = (levels(3), levels(20));
        let shape = |now, then| {
            let change = change(Spot::Level(now), Spot::Level(then));
            let picture = DistributionPicture { feature: &few, change: &change };
            assert!(picture.is_shared());
            picture.shared_shape().into_string()
        };
        assert_eq!(shape(0, 1), shape(2, 0));
        let change = change(Spot::Level(0), Spot::Level(1));
        assert!(!DistributionPicture { feature: &many, change: &change }.is_shared());
    }
}
