//! How an instance's features become movable features of the search.
//!
//! A feature of one column, or of several columns that move in step, is numeric: its values have an order. A feature of
//! listed values has none. A feature that has both a range and listed states beside it (a number that a code may stand in
//! for) becomes two: its *state* has no order, its *number* has one, and links tie them together (`links.rs`). The number
//! counts as the change of both.

use crate::instance::{Coefficients, FeatureOptions, Instance, Run, ValueRange};
use crate::search::layout::feature::{Categorical, Feature, FeatureKind, Numeric, State};
use crate::search::layout::values::{CellEnds, Cells, Cuts, Runs, Segment, ValueIndex, Values};

/// What all features are laid out with.
pub(in crate::search) struct Sheet<'a> {
    pub instance: &'a Instance,
    /// The rows of `U`.
    pub factor: &'a [&'a [f64]],
    /// A linear model's weights.
    pub weights: Option<&'a [f64]>,
    /// Thresholds of trees, per column.
    pub cuts: Option<&'a [Vec<f64>]>,
}

/// The movable features that an instance's feature became.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) enum Part {
    /// It has one option only.
    Fixed,
    /// One movable feature.
    Whole(usize),
    /// A state and a number.
    Split { state: usize, number: usize },
}

impl Part {
    /// Whether something holds of one of them.
    pub(in crate::search) fn has(&self, holds: impl Fn(usize) -> bool) -> bool {
        match *self {
            Self::Fixed => false,
            Self::Whole(f) => holds(f),
            Self::Split { state, number } => holds(state) || holds(number),
        }
    }
}

/// At the value of a state where its number decides, there is no option of its own.
pub(in crate::search) const BY_NUMBER: usize = usize::MAX;

impl Sheet<'_> {
    /// The movable features of an instance's feature: one, or its state and its number.
    pub(in crate::search) fn lay_out(
        &self,
        index: usize,
        costs: Option<&Coefficients>,
    ) -> Vec<Feature> {
        let feature = &self.instance.features()[index];
        let moving = |range: &ValueRange| (0..range.width()).filter(|&c| range.moves(c)).count();
        let is_line = feature.columns.len() > 1 && self.is_line(feature);
        // Columns in step that lead past the applicant's own values have no order: a checked instance has few of those.
        let in_step = !is_line && feature.options.ranges().any(|(_, range)| moving(range) > 1);
        if in_step || feature.options.ranges().next().is_none() {
            return vec![self.listed(feature, costs)];
        }
        if feature.columns.len() == 1 || is_line {
            let segments = segments(feature, None);
            return vec![self.spaced(feature.columns.clone(), segments, costs)];
        }
        self.split(feature, costs)
    }

    /// Whether all options lie on one line: every column is moved by the same amount.
    fn is_line(&self, feature: &FeatureOptions) -> bool {
        let even = |row: &[f64]| {
            let moved = |(value, &column): (&f64, &usize)| {
                crate::decimal::difference(*value, self.instance.x()[column])
            };
            let mut amounts = row.iter().zip(&feature.columns).map(moved);
            let first = amounts.next();
            amounts.all(|amount| Some(amount) == first)
        };
        let columns = 0..feature.columns.len();
        let mut ranges = feature.options.ranges();
        let mut listed = feature.options.listed_values();
        ranges.all(|(_, range)| {
            (range.len() == 1 || columns.clone().all(|column| range.moves(column)))
                && even(&range.row(0))
        }) && listed.all(|(_, row)| even(row))
    }

    /// A feature of listed values.
    fn listed(&self, feature: &FeatureOptions, costs: Option<&Coefficients>) -> Feature {
        let x = self.instance.x();
        let numeric = feature.columns.len() == 1;
        let mut options: Vec<usize> = (0..feature.options.len()).collect();
        if numeric {
            let value = |option: usize| feature.options.value(option, 0) + 0.0;
            options.sort_by(|&a, &b| value(a).total_cmp(&value(b)));
        } else {
            options.sort_by_key(|&option| !feature.keeps(x, option));
        }
        let rows: Vec<Vec<f64>> =
            options.iter().map(|&option| feature.options.row(option)).collect();
        let kept: Vec<ValueIndex> = (0..options.len())
            .filter(|&index| feature.keeps(x, options[index]))
            .map(|index| index as ValueIndex)
            .collect();
        let keep = (kept[0], kept[kept.len() - 1]);
        let costs = costs.map(|costs| Runs::listed(options.iter().map(|&option| costs.at(option))));
        let own = x[feature.columns[0]];
        let columns = feature.columns.clone();
        let values = Values::listed(options, rows, own);
        if numeric {
            self.numeric(columns, values, keep, costs)
        } else {
            self.categorical(columns, values, keep, costs, None)
        }
    }

    /// A numeric feature of evenly spaced values.
    fn spaced(
        &self,
        columns: Vec<usize>,
        segments: Vec<Segment>,
        costs: Option<&Coefficients>,
    ) -> Feature {
        let own: Vec<f64> = columns.iter().map(|&column| self.instance.x()[column]).collect();
        let kept = segments.iter().find_map(|s| Some(s.start + s.range.find(&own)? as ValueIndex));
        let kept = kept.unwrap_or(0);
        let costs = costs.map(|costs| runs_of(costs, &segments));
        let values = Values::Spaced { segments, own: own[0] };
        self.numeric(columns, values, (kept, kept), costs)
    }

    /// The state and the number of a feature that has both.
    fn split(&self, feature: &FeatureOptions, costs: Option<&Coefficients>) -> Vec<Feature> {
        let x = self.instance.x();
        let moving = moving_column(feature);
        let others: Vec<usize> =
            (0..feature.columns.len()).filter(|&column| column != moving).collect();
        let part = |row: &[f64]| -> Vec<f64> { others.iter().map(|&column| row[column]).collect() };
        let ranged: Vec<Vec<f64>> =
            feature.options.ranges().map(|(_, range)| part(&range.row(0))).collect();
        // The number: every value of the ranges and of what is listed beside them, and those that go with other states.
        let beside = |row: &[f64]| ranged.contains(&part(row));
        let states = || feature.options.listed_values().filter(|(_, row)| !beside(row));
        let segments = states()
            .fold(segments(feature, Some((moving, &beside))), |segments, (option, row)| {
                with_number(segments, row[moving], option)
            });
        let own = x[feature.columns[moving]];
        let kept = number_of(&segments, own).unwrap_or(0);
        let is_state = |option| states().any(|(state, _)| state == option);
        let number_costs = costs.map(|costs| costs_of_number(costs, &segments, is_state));
        let (mut options, mut rows, mut state_costs) = (Vec::new(), Vec::new(), Vec::new());
        for row in &ranged {
            if !rows.contains(row) {
                options.push(BY_NUMBER);
                rows.push(row.clone());
                state_costs.push(0.0);
            }
        }
        for (option, row) in states() {
            options.push(option);
            rows.push(part(row));
            let number = number_of(&segments, row[moving]).unwrap_or(0);
            let counted = number_costs.as_ref().map_or(0.0, |runs| runs.at(number));
            state_costs.push(costs.map_or(0.0, |costs| costs.at(option)) - counted);
        }
        let own_row: Vec<f64> = others.iter().map(|&c| x[feature.columns[c]]).collect();
        let mut order: Vec<usize> = (0..options.len()).collect();
        order.sort_by_key(|&index| rows[index] != own_row);
        let keep = rows.iter().filter(|row| **row == own_row).count().max(1) as ValueIndex - 1;
        let state_costs =
            costs.map(|_| Runs::listed(order.iter().map(|&index| state_costs[index])));
        let state_columns: Vec<usize> = others.iter().map(|&c| feature.columns[c]).collect();
        let state_values = Values::listed(
            order.iter().map(|&index| options[index]).collect(),
            order.iter().map(|&index| rows[index].clone()).collect(),
            own_row[0],
        );
        let numbers_of = |&index: &usize| match options[index] {
            BY_NUMBER => {
                let own = |s: &&Segment| part(&feature.options.row(s.option)) == rows[index];
                segments.iter().filter(own).map(|s| (s.start, s.last())).collect()
            }
            option => {
                let value = feature.options.value(option, moving);
                number_of(&segments, value).map(|index| (index, index)).into_iter().collect()
            }
        };
        let ties = Some(State { numbers: order.iter().map(numbers_of).collect() });
        let state = self.categorical(state_columns, state_values, (0, keep), state_costs, ties);
        let number_values = Values::Spaced { segments, own };
        let number_column = vec![feature.columns[moving]];
        let number = self.numeric(number_column, number_values, (kept, kept), number_costs);
        vec![state, number]
    }

    /// A column of the factor, row by row.
    fn factor_column(&self, column: usize) -> impl Iterator<Item = f64> {
        self.factor.iter().map(move |row| row[column])
    }

    /// A linear model's weight of a column; 0 for other models.
    fn weight(&self, column: usize) -> f64 {
        self.weights.map_or(0.0, |weights| weights[column])
    }

    /// A numeric feature from its values in rising order.
    fn numeric(
        &self,
        columns: Vec<usize>,
        values: Values,
        keep: (ValueIndex, ValueIndex),
        costs: Option<Runs>,
    ) -> Feature {
        let mut image = vec![0.0; self.factor.len()];
        let mut gain = 0.0;
        for &column in &columns {
            gain += self.weight(column);
            for (image, unit) in image.iter_mut().zip(self.factor_column(column)) {
                *image += unit;
            }
        }
        let farthest = values.change(0).abs().max(values.change(values.count() - 1).abs());
        let sizes = columns.iter().flat_map(|&column| self.factor_column(column)).map(f64::abs);
        let largest_move = farthest * sizes.sum::<f64>();
        let largest_gain = farthest * columns.iter().map(|&c| self.weight(c).abs()).sum::<f64>();
        let (cells, cuts) = self.cells(&columns, &values, costs.as_ref());
        let cell_ends = CellEnds::new(&values, &cells);
        let kind = FeatureKind::Numeric(Numeric { image, gain, cell_ends, cuts });
        let costs = costs.unwrap_or_default();
        Feature { columns, values, keep, costs, largest_gain, largest_move, cells, kind }
    }

    /// A feature of values without an order.
    fn categorical(
        &self,
        columns: Vec<usize>,
        values: Values,
        keep: (ValueIndex, ValueIndex),
        costs: Option<Runs>,
        state: Option<State>,
    ) -> Feature {
        let (mut images, mut gains) = (Vec::new(), Vec::new());
        let (mut largest_move, mut largest_gain) = (0.0_f64, 0.0_f64);
        for index in 0..values.count() {
            let mut image = vec![0.0; self.factor.len()];
            let (mut gain, mut moved, mut gain_size) = (0.0, 0.0, 0.0);
            for (position, &column) in columns.iter().enumerate() {
                let change = values.value(index, position) - self.instance.x()[column];
                gain += self.weight(column) * change;
                gain_size += (self.weight(column) * change).abs();
                for (image, unit) in image.iter_mut().zip(self.factor_column(column)) {
                    *image += change * unit;
                    moved += (change * unit).abs();
                }
            }
            images.extend(image);
            gains.push(gain);
            largest_move = largest_move.max(moved);
            largest_gain = largest_gain.max(gain_size);
        }
        let kind = FeatureKind::Categorical(Categorical { images, gains, state });
        let (costs, cells) = (costs.unwrap_or_default(), Cells::Each);
        Feature { columns, values, keep, costs, largest_gain, largest_move, cells, kind }
    }

    /// The cells of a numeric feature and, per column, which of them each threshold of a tree separates from those below.
    fn cells(
        &self,
        columns: &[usize],
        values: &Values,
        costs: Option<&Runs>,
    ) -> (Cells, Vec<Cuts>) {
        let count = values.count();
        let mut starts: Vec<ValueIndex> = Vec::new();
        if let Some(costs) = costs {
            starts.extend(costs.list().iter().map(|run| run.start as ValueIndex));
        }
        let parted: Vec<Vec<(f64, ValueIndex)>> = (columns.iter().enumerate())
            .map(|(position, &column)| {
                let cuts = self.cuts.map_or(&[][..], |cuts| &cuts[column]);
                let above = |cut: f64| {
                    Values::first_index((0, count - 1), |index| values.value(index, position) > cut)
                };
                cuts.iter().map(|&cut| (cut, above(cut))).collect()
            })
            .collect();
        starts.extend(parted.iter().flatten().map(|cut| cut.1));
        let cells = Cells::starting(starts, count);
        let cuts = parted.iter().map(|cuts| Cuts::new(cuts, &cells, count)).collect();
        (cells, cuts)
    }
}

/// A segment of one value. Its start is still to be found.
fn single(value: f64, option: usize) -> Segment {
    let range = ValueRange::new(&[value], &[value], 1.0).expect("one finite value is a range");
    Segment { start: 0, option, range }
}

/// Whether a listed row belongs to the ranges of a column.
type Belongs<'a> = &'a dyn Fn(&[f64]) -> bool;

/// The options of a feature in rising order of its first column; or those of one column, with the listed rows that are
/// said to belong to it. Listed values part the ranges that they lie in.
fn segments(feature: &FeatureOptions, only: Option<(usize, Belongs)>) -> Vec<Segment> {
    let ranges = feature.options.ranges().map(|(option, range)| {
        let range = only.map_or_else(|| range.clone(), |(column, _)| range.with_only(&[column]));
        Segment { start: 0, option, range }
    });
    let mut segments: Vec<Segment> = ranges.collect();
    for (option, row) in feature.options.listed_values() {
        let row = match only {
            None => row.clone(),
            Some((column, belongs)) if belongs(row) => vec![row[column]],
            Some(_) => continue,
        };
        segments = parted(segments, row[0]);
        let range = ValueRange::new(&row, &row, 1.0).expect("one finite row is a range");
        segments.push(Segment { start: 0, option, range });
    }
    in_order(&mut segments);
    segments
}

/// The column that ranges of numbers move.
fn moving_column(feature: &FeatureOptions) -> usize {
    let columns = 0..feature.columns.len();
    let moving = feature
        .options
        .ranges()
        .find_map(|(_, range)| columns.clone().find(|&column| range.moves(column)));
    moving.unwrap_or(0)
}

/// The same segments with a number of their own for a value that none of them has.
fn with_number(segments: Vec<Segment>, value: f64, option: usize) -> Vec<Segment> {
    if number_of(&segments, value).is_some() {
        return segments;
    }
    let mut segments = parted(segments, value);
    segments.push(single(value, option));
    in_order(&mut segments);
    segments
}

/// Parts the segment that a value lies in, so that the value can stand between two.
fn parted(segments: Vec<Segment>, value: f64) -> Vec<Segment> {
    let mut list = Vec::with_capacity(segments.len() + 1);
    for segment in segments {
        let (below, all) = (segment.range.count_at_most(0, value), segment.range.len());
        if below == 0 || below == all {
            list.push(segment);
            continue;
        }
        let Segment { start, option, range } = segment;
        list.push(Segment { start, option, range: range.part(0, below - 1) });
        list.push(Segment { start, option: option + below, range: range.part(below, all - 1) });
    }
    list
}

/// Sorts segments by their values, and numbers these throughout.
fn in_order(segments: &mut [Segment]) {
    segments.sort_by(|a, b| a.range.value(0, 0).total_cmp(&b.range.value(0, 0)));
    let mut start = 0;
    for segment in segments {
        segment.start = start;
        start += segment.range.len() as ValueIndex;
    }
}

/// The index of the number with this value, where there is one.
fn number_of(segments: &[Segment], value: f64) -> Option<ValueIndex> {
    segments.iter().find_map(|s| Some(s.start + s.range.find(&[value])? as ValueIndex))
}

/// What the number of a feature with states adds to the cost, where it decides; elsewhere its state makes up for it.
fn costs_of_number(
    costs: &Coefficients,
    segments: &[Segment],
    is_state: impl Fn(usize) -> bool,
) -> Runs {
    let runs = segments.iter().flat_map(|segment| {
        if is_state(segment.option) {
            vec![Run { start: segment.start as usize, first: 0.0, step: 0.0, count: 1 }]
        } else {
            runs_of(costs, std::slice::from_ref(segment)).list().to_vec()
        }
    });
    Runs::new(runs.collect())
}

/// Numbers per option as numbers per value.
pub(in crate::search) fn runs_of(numbers: &Coefficients, segments: &[Segment]) -> Runs {
    let mut runs = Vec::new();
    for segment in segments {
        let (from, to) = (segment.option, segment.option + segment.range.len());
        for run in numbers.runs() {
            let (low, high) = (from.max(run.start), to.min(run.start + run.count));
            if low < high {
                runs.push(Run {
                    start: segment.start as usize + (low - from),
                    first: run.at(low - run.start),
                    step: run.step,
                    count: high - low,
                });
            }
        }
    }
    Runs::new(runs)
}
