//! Figures with their intervals, in words and drawn, in a cell of a table.

use amends::audit::{Estimate, Quantiles, Share};
use maud::{Markup, html};

use crate::picture::{self, BarScale};

/// A share.
pub(super) fn share_cell(share: Share, scale: BarScale) -> Markup {
    let Some(value) = share.share else { return html! { "-" } };
    let text = format!(
        "{:.1} % ({:.1}\u{a0}to\u{a0}{:.1})",
        100.0 * value,
        100.0 * share.low,
        100.0 * share.high
    );
    figure(&text, &picture::bar(share, scale, &text))
}

/// A difference of shares, in points.
pub(super) fn difference_cell(difference: Option<Estimate>, scale: BarScale) -> Markup {
    let Some(estimate) = difference else { return html! { "-" } };
    let Estimate { value, low, high } = estimate;
    let high = high.map_or_else(String::new, |high| format!("{:+.1}", 100.0 * high));
    let text = format!("{:+.1} points ({:+.1}\u{a0}to\u{a0}{high})", 100.0 * value, 100.0 * low);
    figure(&text, &picture::zero_bar(estimate, 0.0, scale, &text))
}

/// A ratio, drawn by its logarithm, so that half and twice are equally far from none.
pub(super) fn ratio_cell(ratio: Option<Estimate>, scale: BarScale) -> Markup {
    let Some(Estimate { value, low, high }) = ratio else { return html! { "-" } };
    let text = match high {
        Some(high) => format!("x {value:.2} ({low:.2}\u{a0}to\u{a0}{high:.2})"),
        None => format!("x {value:.2}"),
    };
    if value <= 0.0 {
        return html! { (text) };
    }
    let logs = Estimate { value: value.log2(), low: low.log2(), high: high.map(f64::log2) };
    figure(&text, &picture::zero_bar(logs, 0.0, scale, &text))
}

/// Quantiles, of which the median is written.
pub(super) fn quantile_cell(quantiles: Quantiles, scale: BarScale, digits: usize) -> Markup {
    let [p5, p25, p50, p75, p95] = quantiles.values().map(|value| format!("{value:.digits$}"));
    let text = format!("5 % {p5}, 25 % {p25}, median {p50}, 75 % {p75}, 95 % {p95}");
    picture::box_plot(quantiles, scale, &text)
}

fn figure(text: &str, picture: &Markup) -> Markup {
    html! { span { (text) } (picture) }
}
