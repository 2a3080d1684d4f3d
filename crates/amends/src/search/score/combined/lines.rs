//! Lines above rising functions of a score over an interval, near them at one point: pieces of the least concave function above.

/// Halvings of the interval in which a tangent's point lies.
const HALVINGS: usize = 40;

/// `slope * score + constant`, with a slope of at least 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line {
    pub slope: f64,
    pub constant: f64,
}

impl Line {
    /// The same value everywhere.
    pub(super) fn level(constant: f64) -> Self {
        Self { slope: 0.0, constant }
    }

    #[cfg(test)]
    pub(super) fn at(self, score: f64) -> f64 {
        self.slope * score + self.constant
    }

    /// Through a point, raised to be nowhere below some points.
    fn above(slope: f64, points: &[(f64, f64)]) -> Self {
        let slope = if slope.is_finite() { slope.max(0.0) } else { 0.0 };
        let constants = points.iter().map(|(score, value)| value - slope * score);
        Self { slope, constant: constants.fold(f64::NEG_INFINITY, f64::max) }
    }
}

fn sigmoid(z: f64) -> f64 {
    1.0 / (1.0 + (-z).exp())
}

/// Above the logistic function between two numbers, near it at a third.
///
/// Left of 0 the function is convex, right of it concave. The least concave function above it is a chord from the lower end to
/// the point whose tangent passes through the lower end's value, and the function itself from there on.
pub(super) fn logistic((low, high): (f64, f64), at: f64) -> Line {
    let ends = [(low, sigmoid(low)), (high, sigmoid(high))];
    let slope_at = |z: f64| sigmoid(z) * sigmoid(-z);
    let chord = Line::above((ends[1].1 - ends[0].1) / (high - low), &ends);
    if high <= 0.0 {
        return chord;
    }
    // The tangent at a point right of 0 is above the whole function if it is at the lower end.
    let holds = |z: f64| sigmoid(z) + slope_at(z) * (low - z) >= ends[0].1;
    let touch = if low >= 0.0 {
        low
    } else {
        if !holds(high) {
            return chord;
        }
        let (mut below, mut above) = (0.0, high);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (below + above);
            if holds(middle) { above = middle } else { below = middle }
        }
        above
    };
    let z = at.max(touch);
    Line::above(slope_at(z), &[ends[0], (z, sigmoid(z)), ends[1]])
}

/// Above lines between points from left to right, near them at some place: a piece of their upper hull. A value may jump at a point,
/// to what it is there.
pub(super) fn table(points: &[(f64, f64)], at: f64) -> Line {
    let mut hull: Vec<(f64, f64)> = Vec::new();
    for &next in points {
        while let [.., before, last] = hull[..] {
            let rises = (last.1 - before.1) * (next.0 - before.0);
            if rises > (next.1 - before.1) * (last.0 - before.0) {
                break;
            }
            hull.pop();
        }
        hull.push(next);
    }
    let right = hull.partition_point(|point| point.0 <= at).clamp(1, hull.len().max(2) - 1);
    let slope = match (hull.get(right - 1), hull.get(right)) {
        (Some(a), Some(b)) => (b.1 - a.1) / (b.0 - a.0),
        _ => 0.0,
    };
    Line::above(slope, points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_above_the_logistic_function_touch_it_where_it_is_concave() {
        for (low, high) in [(-5.0, -1.0), (-3.0, 0.5), (-4.0, 9.0), (0.5, 3.0), (-900.0, 900.0)] {
            for share in 0..=20 {
                let at = low + (high - low) * f64::from(share) / 20.0;
                let line = logistic((low, high), at);
                for step in 0..=1000 {
                    let z = low + (high - low) * f64::from(step) / 1000.0;
                    assert!(line.at(z) >= sigmoid(z) - 1e-12, "{low} {high} {at} {z}");
                }
                if low >= 0.0 {
                    assert!(line.at(at) <= sigmoid(at) + 1e-12);
                }
                assert!(line.at(high) <= 2.0);
            }
        }
    }

    #[test]
    fn lines_above_tables_are_pieces_of_their_hull() {
        let points = [(0.0, 0.0), (1.0, 0.1), (2.0, 1.0), (4.0, 1.2)];
        assert_eq!(table(&points, 0.5), Line { slope: 0.5, constant: 0.0 });
        let line = table(&points, 3.0);
        assert!((line.slope - 0.1).abs() < 1e-12 && (line.at(2.0) - 1.0).abs() < 1e-12);
        assert_eq!(table(&points[..1], 0.0), Line::level(0.0));
    }
}
