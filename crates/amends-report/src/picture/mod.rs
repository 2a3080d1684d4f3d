//! Pictures as SVG, with text alternatives. Sizes are in pixels of the picture's own width, which pages may shrink.
//!
//! Colours stand in attributes, for notebooks; the style sheet of a page overrides them by class.

mod bars;
mod histogram;
mod marks;
mod score;

use maud::{Markup, html};

pub(crate) use bars::{BarScale, bar, box_plot, zero_bar};
pub(crate) use histogram::{DistributionPicture, key};
pub(crate) use score::score;

/// How wide every picture is.
pub(crate) const WIDTH: f64 = 320.0;
/// The colours of accepted and rejected rows, and of bars that are neither: readable on light and dark pages.
pub(crate) const ACCEPTED: &str = "#4a86c5";
pub(crate) const REJECTED: &str = "#cc6f2e";
/// Letters of a label.
const FONT: f64 = 11.0;

/// A picture from its top to its foot, with what it shows in words.
pub(crate) fn svg((top, foot): (f64, f64), description: &str, content: &Markup) -> Markup {
    html! {
        svg role="img" aria-label=(description) viewBox={ "0 " (number(top)) " " (WIDTH) " " (number(foot - top)) } width="100%"
            font-size=(FONT) font-family="system-ui, sans-serif" fill="currentColor" {
            (content)
        }
    }
}

/// A number with as few digits as a picture needs.
pub(crate) fn number(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    // Minus zero would be written as "-0".
    (rounded + 0.0).to_string()
}

/// About how wide a label is: letters of a sans-serif font are half as wide as high, on average a little more.
pub(crate) fn width_of(label: &str) -> f64 {
    label.chars().count() as f64 * FONT * 0.56
}

/// A label that fits, cut at its end where it must be.
pub(crate) fn shortened(label: &str, width: f64) -> String {
    let most = (width / (FONT * 0.56)).floor().max(2.0) as usize;
    if label.chars().count() <= most {
        return label.to_owned();
    }
    let kept: String = label.chars().take(most - 1).collect();
    format!("{}\u{2026}", kept.trim_end())
}

/// A share for people.
pub(crate) fn percent(share: f64) -> String {
    let shown = 100.0 * share;
    if shown > 0.0 && shown < 1.0 { format!("{shown:.1} %") } else { format!("{shown:.0} %") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_cut_only_where_they_must_be() {
        assert_eq!(shortened("short", 200.0), "short");
        let long = shortened("a label that is too long to fit", 80.0);
        assert!(long.ends_with('\u{2026}') && width_of(&long) <= 80.0, "{long}");
        assert_eq!(number(-0.01), "0");
        assert_eq!(number(12.34), "12.3");
    }

    #[test]
    fn what_a_picture_shows_is_escaped() {
        let picture = svg((0.0, 10.0), "\"><script>", &html! { text { "<script>" } }).into_string();
        assert!(!picture.contains("<script>"), "{picture}");
    }
}
