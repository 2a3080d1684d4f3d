//! Figures of an audit in a cell of a table: a bar or a dot with its interval, and quantiles.

use amends::audit::{Estimate, Quantiles, Share};
use maud::{Markup, html};

use super::number;

const WIDE: f64 = 200.0;
const HIGH: f64 = 12.0;
const MIDDLE: f64 = HIGH / 2.0;

/// What the ends of a cell stand for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BarScale {
    pub low: f64,
    pub high: f64,
}

impl BarScale {
    /// From 0 to a round number that is at least this large.
    pub(crate) fn up_to(most: f64) -> Self {
        Self { low: 0.0, high: round_up(most) }
    }

    /// From minus to plus a round number that is at least this large.
    pub(crate) fn around_zero(most: f64) -> Self {
        let most = round_up(most);
        Self { low: -most, high: most }
    }

    /// Where a value is; at an end where it is beyond it.
    fn x(self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low);
        1.0 + share.clamp(0.0, 1.0) * (WIDE - 2.0)
    }
}

/// 1, 2, 2.5 or 5 times a power of ten, so that the ends of a scale can be read.
fn round_up(most: f64) -> f64 {
    if !(most.is_finite() && most > 0.0) {
        return 1.0;
    }
    let power = 10.0_f64.powf(most.log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|step| step * power);
    steps.into_iter().find(|&step| step >= most * (1.0 - 1e-9)).unwrap_or(most)
}

/// A share as a bar, with its interval as a line.
pub(crate) fn bar(share: Share, scale: BarScale, description: &str) -> Markup {
    let length = share.share.map_or(0.0, |share| scale.x(share) - scale.x(0.0));
    cell(
        description,
        &html! {
            rect.track x="1" y="2" width=(WIDE - 2.0) height=(HIGH - 4.0) fill="currentColor" fill-opacity="0.08" {}
            rect.bar x="1" y="2" width=(number(length)) height=(HIGH - 4.0) {}
            @if share.share.is_some() { (whiskers(share.low, Some(share.high), scale)) }
        },
    )
}

/// A comparison as a dot with its interval, and a line where there is no difference.
pub(crate) fn zero_bar(
    estimate: Estimate,
    none: f64,
    scale: BarScale,
    description: &str,
) -> Markup {
    cell(
        description,
        &html! {
            path d={ "M" (number(scale.x(none))) " 0V" (HIGH) } stroke="currentColor" stroke-opacity="0.6" stroke-dasharray="2 2" {}
            (whiskers(estimate.low, estimate.high, scale))
            circle.bar cx=(number(scale.x(estimate.value))) cy=(MIDDLE) r="4" {}
        },
    )
}

/// From 5 to 95 % a line, the middle half a box, the median a thick line.
pub(crate) fn box_plot(quantiles: Quantiles, scale: BarScale, description: &str) -> Markup {
    let [p5, p25, p50, p75, p95] = quantiles.values().map(|value| scale.x(value));
    cell(
        description,
        &html! {
            path d={ "M" (number(p5)) " " (MIDDLE) "H" (number(p95)) } stroke="currentColor" stroke-width="1.5" {}
            rect.bar x=(number(p25)) y="1.5" width=(number((p75 - p25).max(1.0))) height=(HIGH - 3.0) {}
            path d={ "M" (number(p50)) " 0V" (HIGH) } stroke="currentColor" stroke-width="2.5" {}
        },
    )
}

fn whiskers(low: f64, high: Option<f64>, scale: BarScale) -> Markup {
    let (from, to) = (scale.x(low), scale.x(high.unwrap_or(f64::INFINITY)));
    // An end beyond the scale has no bar across it.
    let end = |value: f64, x: f64| {
        (scale.low <= value && value <= scale.high).then(|| format!("M{} 3v6", number(x)))
    };
    let ends = [end(low, from), high.and_then(|high| end(high, to))];
    let ends: String = ends.into_iter().flatten().collect();
    html! {
        path d={ "M" (number(from)) " " (MIDDLE) "H" (number(to)) (ends) } stroke="currentColor" stroke-width="1.5" fill="none" {}
    }
}

fn cell(description: &str, content: &Markup) -> Markup {
    html! {
        svg.cell role="img" aria-label=(description) viewBox={ "0 0 " (WIDE) " " (HIGH) } { (content) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_end_at_round_numbers() {
        for (most, end) in [(0.31, 0.5), (0.2, 0.2), (1.01, 2.0), (37.0, 50.0), (0.0, 1.0)] {
            assert!((BarScale::up_to(most).high - end).abs() < 1e-12, "{most}");
        }
        let scale = BarScale::around_zero(0.15);
        assert_eq!((scale.x(-0.2), scale.x(0.0), scale.x(9.0)), (1.0, 100.0, 199.0));
    }

    #[test]
    fn an_unknown_end_goes_to_the_edge() {
        let estimate = Estimate { value: 1.0, low: 0.5, high: None };
        let picture = zero_bar(estimate, 1.0, BarScale { low: 0.0, high: 2.0 }, "x").into_string();
        assert!(picture.contains("H199M50.5 3v6\""), "{picture}");
    }
}
