//! "Now" and "then": two vertical lines with labels that never collide.

use maud::{Markup, html};

use super::{WIDTH, number, width_of};

/// From a label to its line.
const GAP: f64 = 4.0;
/// The feet of the letters in both rows of labels, and where the lines below them begin.
const ROWS: [(f64, f64); 2] = [(11.0, 2.0), (25.0, 16.0)];
/// The room that both rows of labels take.
pub(super) const LABELS: f64 = 31.0;

/// A line and its label.
pub(super) struct Mark {
    pub x: f64,
    pub label: String,
    /// Lines that are to be reached are bold, those that are left are dashed.
    pub is_goal: bool,
}

/// Both lines, down to the foot of the picture, and where the picture may begin: not every one needs both rows of labels.
pub(super) fn marks(marks: [Mark; 2], foot: f64) -> (Markup, f64) {
    let [first, second] = marks;
    let (left, right) = if first.x <= second.x { (first, second) } else { (second, first) };
    // Labels go outwards. One for which there is no room there goes inwards above the other, whose line begins below it.
    let left_fits = left.x - GAP - width_of(&left.label) >= 0.0;
    let right_fits = right.x + GAP + width_of(&right.label) <= WIDTH;
    let (left_row, right_row) = match (left_fits, right_fits) {
        (false, _) => (0, 1),
        (true, false) => (1, 0),
        (true, true) => (1, 1),
    };
    // Where both have to go inwards, they are far apart, unless labels are as long as the picture.
    let top = if left_row.min(right_row) == 0 { 0.0 } else { ROWS[1].1 - ROWS[0].1 };
    let drawn = html! {
        (mark(&left, left_fits, ROWS[left_row], foot))
        (mark(&right, !right_fits, ROWS[right_row], foot))
    };
    (drawn, top)
}

fn mark(mark: &Mark, to_the_left: bool, (feet, top): (f64, f64), foot: f64) -> Markup {
    let x = if to_the_left { mark.x - GAP } else { mark.x + GAP };
    let (anchor, weight) = (to_the_left.then_some("end"), mark.is_goal.then_some("600"));
    let (width, dashes) = if mark.is_goal { ("2", None) } else { ("1.5", Some("4 2")) };
    html! {
        path d={ "M" (number(mark.x)) " " (top) "V" (number(foot)) } stroke="currentColor"
            stroke-width=(width) stroke-dasharray=[dashes] fill="none" {}
        text x=(number(x)) y=(feet) text-anchor=[anchor] font-weight=[weight] { (mark.label) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(a: (f64, &str), b: (f64, &str)) -> String {
        let mark = |(x, label): (f64, &str), is_goal| Mark { x, label: label.to_owned(), is_goal };
        marks([mark(a, false), mark(b, true)], 100.0).0.into_string()
    }

    #[test]
    fn labels_stand_on_the_outer_sides_of_their_lines() {
        let picture = drawn((150.0, "now 5"), (155.0, "then 6"));
        assert!(
            picture.contains("<text x=\"146\" y=\"25\" text-anchor=\"end\">now 5"),
            "{picture}"
        );
        assert!(
            picture.contains("<text x=\"159\" y=\"25\" font-weight=\"600\">then 6"),
            "{picture}"
        );
    }

    #[test]
    fn labels_without_room_stand_above_the_other_line() {
        let picture = drawn((8.0, "now 5"), (2.0, "then 4"));
        assert!(picture.contains("<text x=\"6\" y=\"11\" font-weight=\"600\">then 4"), "{picture}");
        assert!(picture.contains("<text x=\"12\" y=\"25\">now 5"), "{picture}");
        let picture = drawn((318.0, "now 5"), (310.0, "then 4"));
        assert!(
            picture.contains("<text x=\"314\" y=\"11\" text-anchor=\"end\">now 5"),
            "{picture}"
        );
    }
}
