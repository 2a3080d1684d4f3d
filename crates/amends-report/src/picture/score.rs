//! The score against the cut: a bar with the accepted side, and marks for "now" and "then".

use maud::{Markup, html};

use super::marks::{LABELS, Mark, marks};
use super::{ACCEPTED, REJECTED, WIDTH, number, svg};
use crate::Context;

const MARGIN: f64 = 8.0;
const BAR: f64 = 9.0;

/// Where the score is, and where it would be with the best plan. Scores that stand for probabilities are drawn as those.
pub(crate) fn score(context: &Context, now: f64, then: Option<f64>, description: &str) -> Markup {
    let probabilities = context
        .probability(context.cut)
        .zip(context.probability(now))
        .filter(|_| then.is_none_or(|then| context.probability(then).is_some()));
    let (cut, shown) = match probabilities {
        Some((cut, _)) => (cut, probability as fn(f64) -> String),
        None => (context.cut, plain as fn(f64) -> String),
    };
    let value = |score: f64| match probabilities {
        Some(_) => context.probability(score).unwrap_or(cut),
        None => score,
    };
    let (low, high) = match probabilities {
        Some(_) => (0.0, 1.0),
        None => limits([Some(now), then, Some(cut)].into_iter().flatten()),
    };
    let x = |value: f64| {
        let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
        MARGIN + share * (WIDTH - 2.0 * MARGIN)
    };
    let (top, cut_x) = (LABELS + 4.0, x(cut));
    let mark = |name: &str, score: f64, is_goal| Mark {
        x: x(value(score)),
        label: format!("{name} {}", shown(value(score))),
        is_goal,
    };
    // Without a plan, the cut itself is what there is to reach.
    let goal = match then {
        Some(then) => mark("then", then, true),
        None => Mark { x: cut_x, label: format!("cut {}", shown(cut)), is_goal: true },
    };
    let foot = top + BAR + 3.0;
    let (marks, start) = marks([mark("now", now, false), goal], foot);
    let content = html! {
        (part("rejected", REJECTED, MARGIN, cut_x, top))
        (part("accepted", ACCEPTED, cut_x, WIDTH - MARGIN, top))
        (marks)
        @if then.is_some() {
            @let label = format!("cut {}", shown(cut));
            @let half = super::width_of(&label) / 2.0;
            text.soft x=(number(cut_x.clamp(half, WIDTH - half))) y=(number(foot + 11.0)) text-anchor="middle" { (label) }
        }
    };
    svg((start, if then.is_some() { foot + 15.0 } else { foot + 2.0 }), description, &content)
}

fn part(class: &str, colour: &str, from: f64, to: f64, top: f64) -> Markup {
    html! {
        rect class=(class) fill=(colour) fill-opacity="0.55" x=(number(from)) y=(number(top))
            width=(number(to - from)) height=(BAR) {}
    }
}

/// All of them, with some room at both ends.
fn limits(scores: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let low = scores.clone().fold(f64::INFINITY, f64::min);
    let high = scores.fold(f64::NEG_INFINITY, f64::max);
    let room = 0.25 * (high - low);
    let room = if room > 0.0 { room } else { 1.0 };
    (low - room, high + room)
}

fn probability(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn plain(score: f64) -> String {
    format!("{score:+.4}")
}
