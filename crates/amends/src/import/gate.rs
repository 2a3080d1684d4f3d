//! One split of another library as splits of encoded columns.
//!
//! A split of another library divides the values of one feature into two sides. Here the same values are
//! divided by `x <= threshold` on the feature's encoded columns, which may take several splits: a set of levels, a number with
//! codes beside it. What the path to the split already determines about the feature is not tested again.

use std::ops::Range;

use super::columns::Seen;
use super::feed::{Step, apply};
use super::float_order::largest;
use super::{Precision, RawSplit, Side, Test};

/// The threshold of a column that holds only 0 and 1.
const HALF: f64 = 0.5;

/// What is known about a feature on the way to a node.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Known {
    /// A number in `(low, high]`, if `number` says that it may be one; or one of these codes.
    Number { number: bool, low: f64, high: f64, codes: Vec<bool> },
    /// One of these levels, or behind them one of these codes.
    Levels(Vec<bool>),
}

/// Where a feature's encoded columns are.
#[derive(Debug, Clone)]
pub(super) struct FeatureColumns {
    pub(super) columns: Range<usize>,
    /// Whether its levels have a column each, rather than a rank.
    pub(super) one_hot: bool,
    /// How many of the columns, at their end, are those of codes.
    pub(super) codes: usize,
}

/// Splits of encoded columns, with a side of the library's split at every end.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Gate {
    /// The side, and what is then known about the feature.
    Go(Side, Known),
    /// `x[column] <= threshold` goes on with the first, anything else with the second.
    Cut(usize, f64, Box<[Gate; 2]>),
}

impl Gate {
    fn cut(column: usize, threshold: f64, left: Self, right: Self) -> Self {
        Self::Cut(column, threshold, Box::new([left, right]))
    }
}

/// Divides the values of a feature that are still possible as a library's split does.
pub(super) fn gate(
    split: &RawSplit,
    seen: &Seen,
    known: &Known,
    feature_columns: &FeatureColumns,
    precision: Precision,
) -> Gate {
    let side = |input: Option<f64>| split.side(input, precision);
    match (seen, known) {
        (Seen::Levels(inputs), Known::Levels(possible)) => {
            let sides: Vec<Side> = inputs.iter().map(|&input| side(input)).collect();
            if feature_columns.one_hot {
                one_hot(&sides, possible, feature_columns.columns.start)
            } else {
                by_rank(&sides, possible, feature_columns)
            }
        }
        (
            Seen::Number { constant, steps, codes },
            Known::Number { number, low, high, codes: possible },
        ) => {
            let pieces = match (number, constant) {
                (false, _) => Vec::new(),
                (true, Some(constant)) => vec![(*high, side(Some(*constant)))],
                (true, None) => pieces(split, steps, precision, *low, *high),
            };
            let codes = sides_of_codes(codes, possible, side);
            Numbers { column: feature_columns.columns.start, count: possible.len(), low: *low }
                .gate(&pieces, &codes)
        }
        (
            Seen::Bins { ends, values, codes },
            Known::Number { number, low, high, codes: possible },
        ) => {
            let bins = ends.iter().copied().chain([f64::INFINITY]).zip(values);
            let sides = bins.map(|(end, &input)| (end, side(input)));
            let pieces = if *number { joined(sides, *low, *high) } else { Vec::new() };
            let codes = sides_of_codes(codes, possible, side);
            Numbers { column: feature_columns.columns.start, count: possible.len(), low: *low }
                .gate(&pieces, &codes)
        }
        // A feature is either numeric or has levels, for both.
        (_, known) => Gate::Go(split.missing, known.clone()),
    }
}

/// The codes that are still possible, with their sides.
fn sides_of_codes(
    codes: &[Option<f64>],
    possible: &[bool],
    side: impl Fn(Option<f64>) -> Side,
) -> Vec<(usize, Side)> {
    let codes = codes.iter().enumerate().filter(|&(code, _)| possible[code]);
    codes.map(|(code, &input)| (code, side(input))).collect()
}

/// Those of the pieces that have numbers in `(low, high]`, where neighbours of one side are one.
fn joined(pieces: impl Iterator<Item = (f64, Side)>, low: f64, high: f64) -> Vec<(f64, Side)> {
    let mut kept: Vec<(f64, Side)> = Vec::new();
    let mut start = f64::NEG_INFINITY;
    for (end, side) in pieces {
        let outside = end <= low || start >= high;
        start = end;
        match kept.last_mut() {
            _ if outside => {}
            Some(last) if last.1 == side => last.0 = end.min(high),
            _ => kept.push((end.min(high), side)),
        }
    }
    kept
}

/// Intervals of numbers `(.., end]` up to `high`, with their sides: neighbours differ.
fn pieces(
    split: &RawSplit,
    steps: &[Step],
    precision: Precision,
    low: f64,
    high: f64,
) -> Vec<(f64, Side)> {
    let round = |x: f64| precision.round(apply(steps, x));
    let mut ends: Vec<f64> = match &split.test {
        Test::AtMost(threshold) => largest(|x| round(x) <= *threshold),
        Test::Below(threshold) => largest(|x| round(x) < *threshold),
        // Categories are not numbers: columns that have them are only matched with levels.
        Test::OneOf(_) => None,
    }
    .into_iter()
    .collect();
    if let Some(width) = split.missing_within {
        ends.extend(largest(|x| round(x) < -width));
        ends.extend(largest(|x| round(x) <= width));
    }
    if let Some(marker) = split.missing_at.map(|marker| precision.round(marker)) {
        ends.extend(largest(|x| round(x) < marker));
        ends.extend(largest(|x| round(x) <= marker));
    }
    ends.retain(|&end| low < end && end < high);
    ends.push(high);
    ends.sort_by(f64::total_cmp);
    ends.dedup();
    // Sides are the same within a piece; the last one may end at infinity.
    let side = |end: f64| {
        let inside = if end.is_finite() { end } else { f64::MAX };
        split.side(Some(apply(steps, inside)), precision)
    };
    joined(ends.into_iter().map(|end| (end, side(end))), low, high)
}

/// The columns of a numeric feature: the number's, then one per code.
struct Numbers {
    column: usize,
    count: usize,
    low: f64,
}

impl Numbers {
    fn gate(&self, pieces: &[(f64, Side)], codes: &[(usize, Side)]) -> Gate {
        let Some((&(end, side), rest)) = pieces.split_first() else {
            return self.codes(None, codes);
        };
        // Beside a code the number's column holds 0.
        let has_zero = self.low < 0.0 && 0.0 <= end;
        let (here, later) = if has_zero { (codes, &[][..]) } else { (&[][..], codes) };
        let here = self.codes(Some((end, side)), here);
        if rest.is_empty() {
            return here;
        }
        let rest = Self { low: end, ..*self }.gate(rest, later);
        Gate::cut(self.column, end, here, rest)
    }

    /// Numbers of one piece, if any, and codes. Codes that go with the numbers need no split of their own.
    fn codes(&self, piece: Option<(f64, Side)>, codes: &[(usize, Side)]) -> Gate {
        let common = piece.map(|(_, side)| side).or_else(|| codes.last().map(|&(_, side)| side));
        let Some(common) = common else {
            // Nothing is possible any more, so either side is right.
            return Gate::Go(Side::Left, self.known(None, &[]));
        };
        let (along, apart): (Vec<_>, Vec<_>) = codes.iter().partition(|&&(_, side)| side == common);
        let along: Vec<usize> = along.into_iter().map(|(code, _)| code).collect();
        let last = Gate::Go(common, self.known(piece.map(|(end, _)| end), &along));
        apart.into_iter().rev().fold(last, |rest, (code, side)| {
            let alone = Gate::Go(side, self.known(None, &[code]));
            Gate::cut(self.column + 1 + code, HALF, rest, alone)
        })
    }

    fn known(&self, end: Option<f64>, codes: &[usize]) -> Known {
        Known::Number {
            number: end.is_some(),
            low: self.low,
            high: end.unwrap_or(f64::INFINITY),
            codes: (0..self.count).map(|code| codes.contains(&code)).collect(),
        }
    }
}

/// Levels with a column each: those of the rarer side are tested one by one.
fn one_hot(sides: &[Side], possible: &[bool], start: usize) -> Gate {
    let on = |side: Side| -> Vec<usize> {
        (0..sides.len()).filter(|&level| possible[level] && sides[level] == side).collect()
    };
    let (left, right) = (on(Side::Left), on(Side::Right));
    let rare = if left.len() < right.len() { Side::Left } else { Side::Right };
    let (few, many) = if rare == Side::Left { (left, right) } else { (right, left) };
    let only = |levels: &[usize]| {
        Known::Levels((0..sides.len()).map(|level| levels.contains(&level)).collect())
    };
    if many.is_empty() {
        return Gate::Go(rare, only(&few));
    }
    let last = Gate::Go(rare.other(), only(&many));
    few.into_iter().rev().fold(last, |rest, level| {
        Gate::cut(start + level, HALF, rest, Gate::Go(rare, only(&[level])))
    })
}

/// Levels with ranks in one column: runs of ranks that go to the same side. Codes have columns behind it, and rank 0.
fn by_rank(sides: &[Side], possible: &[bool], feature_columns: &FeatureColumns) -> Gate {
    let levels = sides.len() - feature_columns.codes;
    let start = feature_columns.columns.start;
    let only = |members: &[usize]| {
        Known::Levels((0..sides.len()).map(|value| members.contains(&value)).collect())
    };
    let mut runs: Vec<(Side, Vec<usize>)> = Vec::new();
    for rank in (0..levels).filter(|&rank| possible[rank]) {
        match runs.last_mut() {
            Some((side, members)) if *side == sides[rank] => members.push(rank),
            _ => runs.push((sides[rank], vec![rank])),
        }
    }
    let codes: Vec<usize> = (levels..sides.len()).filter(|&code| possible[code]).collect();
    if runs.is_empty() {
        // Either side is right where nothing is possible any more.
        runs.push((codes.last().map_or(Side::Left, |&code| sides[code]), Vec::new()));
    }
    // Codes that go with the lowest ranks need no split of their own.
    let (along, apart): (Vec<usize>, Vec<usize>) =
        codes.into_iter().partition(|&code| sides[code] == runs[0].0);
    runs[0].1.extend(along);
    let last = runs.pop().map(|(side, members)| Gate::Go(side, only(&members)));
    let ranks = runs.into_iter().rev().fold(last, |rest, (side, members)| {
        let end = members.iter().copied().filter(|&rank| rank < levels).max()?;
        Some(Gate::cut(start, end as f64 + HALF, Gate::Go(side, only(&members)), rest?))
    });
    let ranks = ranks.unwrap_or_else(|| Gate::Go(Side::Left, only(&[])));
    apart.into_iter().rev().fold(ranks, |rest, code| {
        let alone = Gate::Go(sides[code], only(&[code]));
        Gate::cut(start + 1 + code - levels, HALF, rest, alone)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(test: Test) -> RawSplit {
        let (missing, missing_within, missing_at) = (Side::Right, None, None);
        RawSplit { column: 0, test, missing, missing_within, missing_at, left: 1, right: 2 }
    }

    /// Squares of numbers from -2 to 2; nothing for larger ones.
    fn squares() -> Seen {
        let values = [4.0, 1.0, 0.0, 1.0, 4.0].into_iter().map(Some).chain([None]).collect();
        Seen::Bins { ends: vec![-1.5, -0.5, 0.5, 1.5, 2.5], values, codes: vec![Some(9.0)] }
    }

    fn known(low: f64, high: f64, code: bool) -> Known {
        Known::Number { number: true, low, high, codes: vec![code] }
    }

    /// The cuts of a chain of splits, with the side below each and the last side.
    fn chain(gate: &Gate) -> (Vec<(usize, f64, Side)>, Side) {
        match gate {
            Gate::Go(side, _) => (Vec::new(), *side),
            Gate::Cut(column, threshold, ways) => {
                let Gate::Go(side, _) = ways[0] else { panic!("no chain: {gate:?}") };
                let (mut cuts, last) = chain(&ways[1]);
                cuts.insert(0, (*column, *threshold, side));
                (cuts, last)
            }
        }
    }

    #[test]
    fn pieces_are_divided_by_what_stands_for_them() {
        let columns = FeatureColumns { columns: 3..5, one_hot: false, codes: 1 };
        let everything = known(f64::NEG_INFINITY, f64::INFINITY, false);
        let gate = |test, known: &Known| {
            gate(&split(test), &squares(), known, &columns, Precision::Single)
        };
        let (left, right) = (Side::Left, Side::Right);
        let both_ends = gate(Test::AtMost(1.0), &everything);
        // What is missing above 2.5 goes right, too.
        assert_eq!(chain(&both_ends), (vec![(3, -1.5, right), (3, 1.5, left)], right));
        let all_squares = gate(Test::AtMost(4.0), &everything);
        assert_eq!(chain(&all_squares), (vec![(3, 2.5, left)], right));
        // A path that has tested the number before needs no more splits.
        assert_eq!(chain(&gate(Test::AtMost(1.0), &known(-1.5, 1.0, false))), (vec![], left));
        assert_eq!(chain(&gate(Test::Below(1.0), &known(0.5, 1.5, false))), (vec![], right));
        // The code, beside which the number is 0, is 9 and goes right.
        let Gate::Cut(3, -1.5, ways) = gate(Test::AtMost(1.0), &known(-9.0, 1.0, true)) else {
            panic!("no cut of the number");
        };
        assert!(matches!(&ways[1], Gate::Cut(4, HALF, _)), "{ways:?}");
    }
}
