//! The values of a movable feature in their order, without a list where they are evenly spaced.

use crate::instance::{Run, ValueRange};

/// The index of a value in its feature's order. (The instance numbers its options in an order of its own, as `usize`.)
pub(in crate::search) type ValueIndex = u64;

/// The values of a feature, in their order.
#[derive(Debug)]
pub(in crate::search) enum Values {
    /// Values one by one.
    Listed {
        /// The instance's option at each value.
        options: Vec<usize>,
        /// At each value, the numbers in the feature's columns.
        rows: Vec<Vec<f64>>,
        /// The change of the first column at each value.
        changes: Vec<f64>,
    },
    /// Evenly spaced values, in rising order.
    Spaced {
        segments: Vec<Segment>,
        /// The applicant's own value of the first column.
        own: f64,
    },
}

/// Consecutive values that are evenly spaced.
#[derive(Debug)]
pub(in crate::search) struct Segment {
    /// The index of its first value.
    pub start: ValueIndex,
    /// The instance's option at its first value.
    pub option: usize,
    pub range: ValueRange,
}

impl Segment {
    pub(in crate::search) fn last(&self) -> ValueIndex {
        self.start + self.range.len() as ValueIndex - 1
    }
}

impl Values {
    /// Values one by one; `own` is the applicant's value of the first column.
    pub(in crate::search) fn listed(options: Vec<usize>, rows: Vec<Vec<f64>>, own: f64) -> Self {
        let changes = rows.iter().map(|row| row[0] - own).collect();
        Self::Listed { options, rows, changes }
    }

    pub(in crate::search) fn count(&self) -> ValueIndex {
        match self {
            Self::Listed { options, .. } => options.len() as ValueIndex,
            Self::Spaced { segments, .. } => segments.last().map_or(0, |last| last.last() + 1),
        }
    }

    /// The change of the first column.
    #[inline]
    pub(in crate::search) fn change(&self, index: ValueIndex) -> f64 {
        match self {
            Self::Listed { changes, .. } => changes[index as usize],
            Self::Spaced { segments, own } => {
                let segment = segment_of(segments, index);
                segment.range.value((index - segment.start) as usize, 0) - own
            }
        }
    }

    /// The value of a column, counted among the feature's own.
    pub(in crate::search) fn value(&self, index: ValueIndex, column: usize) -> f64 {
        match self {
            Self::Listed { rows, .. } => rows[index as usize][column],
            Self::Spaced { segments, .. } => {
                let segment = segment_of(segments, index);
                segment.range.value((index - segment.start) as usize, column)
            }
        }
    }

    /// The instance's option at a value.
    pub(in crate::search) fn option(&self, index: ValueIndex) -> usize {
        match self {
            Self::Listed { options, .. } => options[index as usize],
            Self::Spaced { segments, .. } => {
                let segment = segment_of(segments, index);
                segment.option + (index - segment.start) as usize
            }
        }
    }

    /// The least option in an interval of values.
    pub(in crate::search) fn least_option(&self, (low, high): (ValueIndex, ValueIndex)) -> usize {
        match self {
            Self::Listed { options, .. } => {
                options[low as usize..=high as usize].iter().copied().min().unwrap_or(0)
            }
            Self::Spaced { segments, .. } => {
                let inside = segments.iter().filter(|s| s.start <= high && low <= s.last());
                let first = inside.map(|s| s.option + (low.max(s.start) - s.start) as usize);
                first.min().unwrap_or(0)
            }
        }
    }

    /// The intervals of values that an interval of options covers.
    pub(in crate::search) fn indices_of(
        &self,
        (first, last): (usize, usize),
        into: &mut Vec<(ValueIndex, ValueIndex)>,
    ) {
        match self {
            Self::Listed { options, .. } => {
                let named = options.iter().enumerate();
                let named = named.filter(|(_, option)| (first..=last).contains(option));
                into.extend(named.map(|(index, _)| (index as ValueIndex, index as ValueIndex)));
            }
            Self::Spaced { segments, .. } => {
                for segment in segments {
                    let from = first.max(segment.option);
                    let to = last.min(segment.option + segment.range.len() - 1);
                    if from <= to {
                        let index =
                            |option: usize| segment.start + (option - segment.option) as ValueIndex;
                        into.push((index(from), index(to)));
                    }
                }
            }
        }
    }

    /// The first index of an interval, or the one after it, at which something begins to hold and holds from there on.
    pub(in crate::search) fn first_index(
        (low, high): (ValueIndex, ValueIndex),
        mut holds: impl FnMut(ValueIndex) -> bool,
    ) -> ValueIndex {
        let (mut from, mut to) = (low, high + 1);
        while from < to {
            let middle = from.midpoint(to);
            if holds(middle) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        from
    }
}

fn segment_of(segments: &[Segment], index: ValueIndex) -> &Segment {
    let mut segment = &segments[0];
    for other in &segments[1..] {
        if other.start > index {
            break;
        }
        segment = other;
    }
    segment
}

/// A number per value, in runs that rise evenly.
#[derive(Debug, Clone, Default)]
pub(in crate::search) struct Runs {
    runs: Vec<Run>,
}

impl Runs {
    /// From runs in the order of values, without gaps.
    pub(in crate::search) fn new(runs: Vec<Run>) -> Self {
        Self { runs }
    }

    /// From the number of each value.
    pub(in crate::search) fn listed(numbers: impl Iterator<Item = f64>) -> Self {
        let run = |(start, first)| Run { start, first, step: 0.0, count: 1 };
        Self::new(numbers.enumerate().map(run).collect())
    }

    pub(in crate::search) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Whether all numbers are 0.
    pub(in crate::search) fn is_zero(&self) -> bool {
        self.runs.iter().all(|run| run.first == 0.0 && run.last() == 0.0)
    }

    pub(in crate::search) fn list(&self) -> &[Run] {
        &self.runs
    }

    /// The run that a value is in, by the run's index.
    fn index(&self, index: ValueIndex) -> usize {
        // Costs that are listed one by one are runs of one value each, thousands of them, and asked for all the time.
        if self.runs.get(index as usize).is_some_and(|run| run.start as ValueIndex == index) {
            return index as usize;
        }
        self.runs.partition_point(|run| run.start as ValueIndex <= index).saturating_sub(1)
    }

    pub(in crate::search) fn at(&self, index: ValueIndex) -> f64 {
        let run = &self.runs[self.index(index)];
        run.at(index as usize - run.start)
    }

    /// The runs of an interval, cut to it: first and last value, and the numbers there.
    pub(in crate::search) fn inside(
        &self,
        (low, high): (ValueIndex, ValueIndex),
    ) -> impl Iterator<Item = (ValueIndex, ValueIndex, &Run)> {
        let runs = self.runs[self.index(low)..].iter();
        runs.take_while(move |run| run.start as ValueIndex <= high).map(move |run| {
            let end = (run.start + run.count) as ValueIndex - 1;
            (low.max(run.start as ValueIndex), high.min(end), run)
        })
    }

    /// The least number of an interval.
    pub(in crate::search) fn least(&self, span: (ValueIndex, ValueIndex)) -> f64 {
        self.inside(span).fold(f64::INFINITY, |least, (low, high, run)| {
            let at = |index: ValueIndex| run.at(index as usize - run.start);
            least.min(at(low)).min(at(high))
        })
    }

    /// The first value of an interval whose number is at most this.
    pub(in crate::search) fn first_at_most(
        &self,
        span: (ValueIndex, ValueIndex),
        most: f64,
    ) -> Option<ValueIndex> {
        self.inside(span).find_map(|(low, high, run)| {
            let fits = |index: ValueIndex| run.at(index as usize - run.start) <= most;
            if fits(low) {
                Some(low)
            } else {
                fits(high).then(|| Values::first_index((low, high), fits))
            }
        })
    }

    /// The last value of an interval whose number is at most this.
    pub(in crate::search) fn last_at_most(
        &self,
        span: (ValueIndex, ValueIndex),
        most: f64,
    ) -> Option<ValueIndex> {
        let mut found = None;
        for (low, high, run) in self.inside(span) {
            let fits = |index: ValueIndex| run.at(index as usize - run.start) <= most;
            if fits(high) {
                found = Some(high);
            } else if fits(low) {
                found = Some(Values::first_index((low, high), |index| !fits(index)) - 1);
            }
        }
        found
    }
}

/// Intervals of a feature's values between which something else than a straight line begins: cells between the thresholds of
/// trees, runs of costs.
#[derive(Debug, Clone)]
pub(in crate::search) enum Cells {
    /// All values are one cell.
    One,
    /// Every value is a cell.
    Each,
    /// The first value of each cell, in rising order.
    Starts(Vec<ValueIndex>),
}

impl Cells {
    /// The cells that begin at some values, and at the first.
    pub(in crate::search) fn starting(mut starts: Vec<ValueIndex>, count: ValueIndex) -> Self {
        starts.push(0);
        starts.sort_unstable();
        starts.dedup();
        starts.retain(|&start| start < count);
        match starts.len() {
            1 => Self::One,
            cells if cells as ValueIndex == count => Self::Each,
            _ => Self::Starts(starts),
        }
    }

    /// The cell that a value is in.
    #[inline]
    pub(in crate::search) fn of(&self, index: ValueIndex) -> u32 {
        match self {
            Self::One => 0,
            Self::Each => index as u32,
            Self::Starts(starts) => starts.partition_point(|&start| start <= index) as u32 - 1,
        }
    }

    /// The first value of a cell.
    #[inline]
    pub(in crate::search) fn first(&self, cell: u32) -> ValueIndex {
        match self {
            Self::One => 0,
            Self::Each => ValueIndex::from(cell),
            Self::Starts(starts) => starts[cell as usize],
        }
    }

    /// The last value of a cell, where the last of all is `last`.
    #[inline]
    pub(in crate::search) fn last(&self, cell: u32, last: ValueIndex) -> ValueIndex {
        match self {
            Self::One => last,
            Self::Each => ValueIndex::from(cell),
            Self::Starts(starts) => starts.get(cell as usize + 1).map_or(last, |next| next - 1),
        }
    }

    /// The cells of an interval of values, each with its first and last value, cut to the interval.
    pub(in crate::search) fn inside(
        &self,
        (low, high): (ValueIndex, ValueIndex),
    ) -> impl Iterator<Item = (u32, ValueIndex, ValueIndex)> {
        (self.of(low)..=self.of(high))
            .map(move |cell| (cell, self.first(cell).max(low), self.last(cell, high).min(high)))
    }
}

/// A number's changes at both ends of each of its cells, so that pricing thousands of cells needs no arithmetic on values.
#[derive(Debug, Default)]
pub(in crate::search) struct CellEnds {
    /// The change at the first value of each cell.
    pub first: Vec<f64>,
    /// The change at the last value of each cell.
    pub last: Vec<f64>,
}

impl CellEnds {
    pub(in crate::search) fn new(values: &Values, cells: &Cells) -> Self {
        let inside = || cells.inside((0, values.count() - 1));
        Self {
            first: inside().map(|(_, first, _)| values.change(first)).collect(),
            last: inside().map(|(_, _, last)| values.change(last)).collect(),
        }
    }

    /// Along a line of this slope, one end of every cell is the cheaper one: the changes there.
    #[inline]
    pub(in crate::search) fn cheaper(&self, slope: f64) -> &[f64] {
        if slope >= 0.0 { &self.first } else { &self.last }
    }
}

/// The thresholds that trees compare a column with, each with the first cell above it.
#[derive(Debug, Default)]
pub(in crate::search) struct Cuts {
    thresholds: Vec<f64>,
    cells: Vec<u32>,
}

impl Cuts {
    /// From thresholds in rising order, each with the first value above it, of so many values.
    pub(in crate::search) fn new(
        cuts: &[(f64, ValueIndex)],
        cells: &Cells,
        count: ValueIndex,
    ) -> Self {
        let first_cell = |&(_, index): &(f64, ValueIndex)| {
            if index < count { cells.of(index) } else { cells.of(count - 1) + 1 }
        };
        Self {
            thresholds: cuts.iter().map(|cut| cut.0).collect(),
            cells: cuts.iter().map(first_cell).collect(),
        }
    }

    /// The first cell above a threshold, or the one after the last.
    pub(in crate::search) fn first_above(&self, threshold: f64) -> u32 {
        self.cells[self.thresholds.partition_point(|&cut| cut < threshold)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_searched_without_being_walked() {
        let run = |start, first, step, count| Run { start, first, step, count };
        let runs = Runs::new(vec![run(0, 5.0, -1.0, 4), run(4, 7.0, 0.0, 1), run(5, 0.0, 2.0, 5)]);
        let all: Vec<f64> = (0..10).map(|index| runs.at(index)).collect();
        assert_eq!(all, [5.0, 4.0, 3.0, 2.0, 7.0, 0.0, 2.0, 4.0, 6.0, 8.0]);
        for low in 0..10_u64 {
            for high in low..10 {
                let inside = &all[low as usize..=high as usize];
                let least = inside.iter().copied().fold(f64::INFINITY, f64::min);
                assert_eq!(runs.least((low, high)), least);
                for most in [-1.0, 1.0, 2.0, 3.5, 6.0, 9.0] {
                    let first = inside.iter().position(|&at| at <= most).map(|p| low + p as u64);
                    assert_eq!(runs.first_at_most((low, high), most), first);
                    let last = inside.iter().rposition(|&at| at <= most).map(|p| low + p as u64);
                    assert_eq!(runs.last_at_most((low, high), most), last);
                }
            }
        }
    }

    #[test]
    fn cells_cover_their_values() {
        for cells in [Cells::starting(vec![3, 7, 20], 10), Cells::One, Cells::Each] {
            for index in 0..10 {
                let cell = cells.of(index);
                assert!((cells.first(cell)..=cells.last(cell, 9)).contains(&index));
            }
            let covered: Vec<ValueIndex> =
                cells.inside((2, 8)).flat_map(|(_, first, last)| first..=last).collect();
            assert_eq!(covered, (2..=8).collect::<Vec<_>>());
        }
    }
}
