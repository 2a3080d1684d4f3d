//! The values of a movable feature in their order, without a list where they are evenly spaced.

use crate::instance::{Run, ValueRange};

/// An option of a movable feature, by its place in the feature's order.
pub(in crate::search) type Place = u64;

/// The values of a feature, place by place.
#[derive(Debug)]
pub(in crate::search) enum Values {
    /// Values one by one.
    Listed {
        /// The instance's option at each place.
        options: Vec<usize>,
        /// The values of the feature's columns, place by place.
        rows: Vec<Vec<f64>>,
        /// The change of the first column at each place.
        changes: Vec<f64>,
    },
    /// Evenly spaced values, in rising order.
    Spaced {
        segments: Vec<Segment>,
        /// The applicant's own value of the first column.
        own: f64,
    },
}

/// Places whose values are evenly spaced.
#[derive(Debug)]
pub(in crate::search) struct Segment {
    /// Its first place.
    pub start: Place,
    /// The instance's option at its first place.
    pub option: usize,
    pub range: ValueRange,
}

impl Segment {
    pub(in crate::search) fn last(&self) -> Place {
        self.start + self.range.len() as Place - 1
    }
}

impl Values {
    /// Values one by one; `own` is the applicant's value of the first column.
    pub(in crate::search) fn listed(options: Vec<usize>, rows: Vec<Vec<f64>>, own: f64) -> Self {
        let changes = rows.iter().map(|row| row[0] - own).collect();
        Self::Listed { options, rows, changes }
    }

    pub(in crate::search) fn count(&self) -> Place {
        match self {
            Self::Listed { options, .. } => options.len() as Place,
            Self::Spaced { segments, .. } => segments.last().map_or(0, |last| last.last() + 1),
        }
    }

    /// The change of the first column.
    #[inline]
    pub(in crate::search) fn change(&self, place: Place) -> f64 {
        match self {
            Self::Listed { changes, .. } => changes[place as usize],
            Self::Spaced { segments, own } => {
                let segment = segment_of(segments, place);
                segment.range.value((place - segment.start) as usize, 0) - own
            }
        }
    }

    /// The value of a column, counted among the feature's own.
    pub(in crate::search) fn value(&self, place: Place, column: usize) -> f64 {
        match self {
            Self::Listed { rows, .. } => rows[place as usize][column],
            Self::Spaced { segments, .. } => {
                let segment = segment_of(segments, place);
                segment.range.value((place - segment.start) as usize, column)
            }
        }
    }

    /// The instance's option at a place.
    pub(in crate::search) fn option(&self, place: Place) -> usize {
        match self {
            Self::Listed { options, .. } => options[place as usize],
            Self::Spaced { segments, .. } => {
                let segment = segment_of(segments, place);
                segment.option + (place - segment.start) as usize
            }
        }
    }

    /// The least option in an interval of places.
    pub(in crate::search) fn least_option(&self, (low, high): (Place, Place)) -> usize {
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

    /// The intervals of places that an interval of options has.
    pub(in crate::search) fn places_of(
        &self,
        (first, last): (usize, usize),
        into: &mut Vec<(Place, Place)>,
    ) {
        match self {
            Self::Listed { options, .. } => {
                let named = options.iter().enumerate();
                let named = named.filter(|(_, option)| (first..=last).contains(option));
                into.extend(named.map(|(place, _)| (place as Place, place as Place)));
            }
            Self::Spaced { segments, .. } => {
                for segment in segments {
                    let from = first.max(segment.option);
                    let to = last.min(segment.option + segment.range.len() - 1);
                    if from <= to {
                        let place =
                            |option: usize| segment.start + (option - segment.option) as Place;
                        into.push((place(from), place(to)));
                    }
                }
            }
        }
    }

    /// The first place of an interval, or the one after it, at which something begins to hold and holds from there on.
    pub(in crate::search) fn first_place(
        (low, high): (Place, Place),
        mut holds: impl FnMut(Place) -> bool,
    ) -> Place {
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

fn segment_of(segments: &[Segment], place: Place) -> &Segment {
    let mut segment = &segments[0];
    for other in &segments[1..] {
        if other.start > place {
            break;
        }
        segment = other;
    }
    segment
}

/// Numbers place by place, in runs that rise evenly.
#[derive(Debug, Clone, Default)]
pub(in crate::search) struct Runs {
    runs: Vec<Run>,
}

impl Runs {
    /// From runs in the order of places, without gaps.
    pub(in crate::search) fn new(runs: Vec<Run>) -> Self {
        Self { runs }
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

    /// The run that a place is in, by its number.
    fn index(&self, place: Place) -> usize {
        // Costs that are listed one by one are runs of one place each, thousands of them, and asked for all the time.
        if self.runs.get(place as usize).is_some_and(|run| run.start as Place == place) {
            return place as usize;
        }
        self.runs.partition_point(|run| run.start as Place <= place).saturating_sub(1)
    }

    pub(in crate::search) fn at(&self, place: Place) -> f64 {
        let run = &self.runs[self.index(place)];
        run.at(place as usize - run.start)
    }

    /// The runs of an interval, cut to it: first and last place, and the numbers there.
    pub(in crate::search) fn inside(
        &self,
        (low, high): (Place, Place),
    ) -> impl Iterator<Item = (Place, Place, &Run)> {
        let runs = self.runs[self.index(low)..].iter();
        runs.take_while(move |run| run.start as Place <= high).map(move |run| {
            let end = (run.start + run.count) as Place - 1;
            (low.max(run.start as Place), high.min(end), run)
        })
    }

    /// The least number of an interval.
    pub(in crate::search) fn least(&self, span: (Place, Place)) -> f64 {
        self.inside(span).fold(f64::INFINITY, |least, (low, high, run)| {
            let at = |place: Place| run.at(place as usize - run.start);
            least.min(at(low)).min(at(high))
        })
    }

    /// The first place of an interval whose number is at most this.
    pub(in crate::search) fn first_at_most(
        &self,
        span: (Place, Place),
        most: f64,
    ) -> Option<Place> {
        self.inside(span).find_map(|(low, high, run)| {
            let fits = |place: Place| run.at(place as usize - run.start) <= most;
            if fits(low) {
                Some(low)
            } else {
                fits(high).then(|| Values::first_place((low, high), fits))
            }
        })
    }

    /// The last place of an interval whose number is at most this.
    pub(in crate::search) fn last_at_most(&self, span: (Place, Place), most: f64) -> Option<Place> {
        let mut found = None;
        for (low, high, run) in self.inside(span) {
            let fits = |place: Place| run.at(place as usize - run.start) <= most;
            if fits(high) {
                found = Some(high);
            } else if fits(low) {
                found = Some(Values::first_place((low, high), |place| !fits(place)) - 1);
            }
        }
        found
    }
}

/// Intervals of a feature's places between which something else than a straight line begins: cells between the thresholds of
/// trees, runs of costs.
#[derive(Debug, Clone)]
pub(in crate::search) enum Cells {
    /// All places are one cell.
    One,
    /// Every place is a cell.
    Each,
    /// The first place of each cell, in rising order.
    Starts(Vec<Place>),
}

impl Cells {
    /// The cells that begin at some places, and at the first.
    pub(in crate::search) fn starting(mut starts: Vec<Place>, count: Place) -> Self {
        starts.push(0);
        starts.sort_unstable();
        starts.dedup();
        starts.retain(|&start| start < count);
        match starts.len() {
            1 => Self::One,
            cells if cells as Place == count => Self::Each,
            _ => Self::Starts(starts),
        }
    }

    /// The cell that a place is in.
    #[inline]
    pub(in crate::search) fn of(&self, place: Place) -> u32 {
        match self {
            Self::One => 0,
            Self::Each => place as u32,
            Self::Starts(starts) => starts.partition_point(|&start| start <= place) as u32 - 1,
        }
    }

    /// The first place of a cell.
    #[inline]
    pub(in crate::search) fn first(&self, cell: u32) -> Place {
        match self {
            Self::One => 0,
            Self::Each => Place::from(cell),
            Self::Starts(starts) => starts[cell as usize],
        }
    }

    /// The last place of a cell, where the last of all is `last`.
    #[inline]
    pub(in crate::search) fn last(&self, cell: u32, last: Place) -> Place {
        match self {
            Self::One => last,
            Self::Each => Place::from(cell),
            Self::Starts(starts) => starts.get(cell as usize + 1).map_or(last, |next| next - 1),
        }
    }

    /// The cells of an interval of places, each with its first and last place, cut to the interval.
    pub(in crate::search) fn inside(
        &self,
        (low, high): (Place, Place),
    ) -> impl Iterator<Item = (u32, Place, Place)> {
        (self.of(low)..=self.of(high))
            .map(move |cell| (cell, self.first(cell).max(low), self.last(cell, high).min(high)))
    }
}

/// A number's changes at both ends of each of its cells, so that pricing thousands of cells needs no arithmetic on places.
#[derive(Debug, Default)]
pub(in crate::search) struct CellEnds {
    /// The change at the first place of each cell.
    pub first: Vec<f64>,
    /// The change at the last place of each cell.
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
    /// From thresholds in rising order, each with the first place above it, of so many places.
    pub(in crate::search) fn new(cuts: &[(f64, Place)], cells: &Cells, count: Place) -> Self {
        let first_cell = |&(_, place): &(f64, Place)| {
            if place < count { cells.of(place) } else { cells.of(count - 1) + 1 }
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
        let all: Vec<f64> = (0..10).map(|place| runs.at(place)).collect();
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
    fn cells_cover_their_places() {
        for cells in [Cells::starting(vec![3, 7, 20], 10), Cells::One, Cells::Each] {
            for place in 0..10 {
                let cell = cells.of(place);
                assert!((cells.first(cell)..=cells.last(cell, 9)).contains(&place));
            }
            let covered: Vec<Place> =
                cells.inside((2, 8)).flat_map(|(_, first, last)| first..=last).collect();
            assert_eq!(covered, (2..=8).collect::<Vec<_>>());
        }
    }
}
