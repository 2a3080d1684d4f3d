//! Colours of plots. Plotters writes fixed ones, so it is given stand-ins, and these become classes: a picture then reads
//! on paper, on a light screen and on a dark one.

use std::fmt::Write;

use maud::html;
use plotters::style::RGBColor;

/// Words.
pub const INK: RGBColor = RGBColor(3, 0, 0);
/// Axes.
pub const AXIS: RGBColor = RGBColor(4, 0, 0);
pub const GRID: RGBColor = RGBColor(5, 0, 0);
/// The background.
pub const PAPER: RGBColor = RGBColor(6, 0, 0);

/// Colour on light and on dark, and dashes: styles can be distinguished without colours, too.
const STYLES: [(&str, &str, &str); 4] = [
    ("#b3450f", "#ff9a66", "3 4"),
    ("#0b62a6", "#6cb8ff", "9 4"),
    ("#00734f", "#46d6a4", "9 3 2 3"),
    ("#7b2d8b", "#dd9bf0", "none"),
];

/// The stand-in of a style's line.
pub fn line_colour(style: usize) -> RGBColor {
    RGBColor(1, 0, 1 + (style % STYLES.len()) as u8)
}

/// The stand-in of a style's marks.
pub fn mark_colour(style: usize) -> RGBColor {
    RGBColor(2, 0, 1 + (style % STYLES.len()) as u8)
}

/// Names, light and dark colours of everything but lines.
const NEUTRAL: [(RGBColor, &str, &str, &str); 4] = [
    (INK, "ink", "#1f2328", "#e6edf3"),
    (AXIS, "axis", "#57606a", "#9aa4af"),
    (GRID, "grid", "#d8dee4", "#333b45"),
    (PAPER, "paper", "#ffffff", "#14181d"),
];

/// A picture with classes for stand-ins, its own styles and a title.
pub fn themed(svg: &str, title: &str) -> String {
    let mut svg = svg.to_owned();
    for (style, (light, _, dash)) in STYLES.iter().enumerate() {
        let line = hex(line_colour(style));
        let dashed =
            format!("class=\"line s{style}\" stroke=\"{light}\" stroke-dasharray=\"{dash}\"");
        svg = svg.replace(&format!("stroke=\"{line}\""), &dashed);
        let mark = hex(mark_colour(style));
        for attribute in ["stroke", "fill"] {
            let class = format!("class=\"{attribute} s{style}\" {attribute}=\"{light}\"");
            svg = svg.replace(&format!("{attribute}=\"{mark}\""), &class);
        }
    }
    for (colour, name, light, _) in NEUTRAL {
        for attribute in ["stroke", "fill"] {
            let class = format!("class=\"{name}\" {attribute}=\"{light}\"");
            svg = svg.replace(&format!("{attribute}=\"{}\"", hex(colour)), &class);
        }
    }
    let head = html! { title { (title) } }.into_string();
    let head = format!(">\n{head}\n<style>{}</style>\n", css());
    svg.replacen("<svg ", "<svg class=\"plot\" role=\"img\" ", 1).replacen(">\n", &head, 1)
}

/// Dark colours apply on screens only: paper is white.
fn css() -> String {
    let mut dark = String::new();
    for (style, (_, colour, _)) in STYLES.iter().enumerate() {
        let _ = write!(
            dark,
            ".plot .line.s{style},.plot .stroke.s{style}{{stroke:{colour}}}.plot .fill.s{style}{{fill:{colour}}}"
        );
    }
    for (_, name, _, colour) in NEUTRAL {
        let property = if matches!(name, "ink" | "paper") { "fill" } else { "stroke" };
        let _ = write!(dark, ".plot .{name}{{{property}:{colour}}}");
    }
    format!("@media screen and (prefers-color-scheme: dark){{{dark}}}")
}

fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}
