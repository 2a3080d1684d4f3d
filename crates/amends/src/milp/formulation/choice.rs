//! Which option every feature takes: binaries, one integer where the options are evenly spaced, or pieces of long ranges.

use std::collections::HashSet;

use super::cutting::{self, is_long};
use super::expression::Expression;
use super::ladder::{LEAST_STEPS, Ladder, steps_suffice};
use super::pieces::Pieces;
use crate::instance::{Coefficients, FeatureOptions, Instance};
use crate::milp::{Program, ProgramColumn};

/// The choice variables of a program.
#[derive(Debug, Clone)]
pub(super) struct Choices {
    features: Vec<Choice>,
}

/// One feature's variables.
#[derive(Debug, Clone)]
enum Choice {
    /// pi_{f,i}: a binary for every option; and, in the compact program, the change as a column.
    Binaries { first: usize, count: usize, amount: Option<Amount> },
    /// The change is `step` times an integer; a binary says whether it may differ from 0.
    Steps { steps: usize, changed: usize, ladder: Ladder },
    /// Long ranges.
    Pieces(Pieces),
}

/// The change of a number with many options, in units of its largest one. Rows that need only the
/// change then have one entry instead of a hundred.
#[derive(Debug, Clone, Copy)]
struct Amount {
    column: usize,
    unit: f64,
}

impl Choices {
    /// Adds the variables, what each change costs, "one option per feature", and "at most K features change". The options of `singles`, plans that cuts
    /// are to forbid, have binaries of their own where ranges are long.
    pub fn add(
        program: &mut Program,
        instance: &Instance,
        compact: bool,
        singles: &[Vec<usize>],
    ) -> Self {
        // Cuts need binaries: pieces can be cut so that there are some, steps can't.
        let ladders =
            compact && steps_suffice(instance) && !instance.features().iter().any(is_long);
        // The paper counts what stays: at least F - K features keep their value. A feature on steps
        // counts against it when its flag allows a change.
        let mut kept = Vec::new();
        let mut least = -(instance.max_changes() as f64);
        let mut add = |(f, feature): (usize, &FeatureOptions)| {
            if let Some(ladder) = ladders.then(|| Ladder::of(instance, f)).flatten() {
                let (steps, changed) = ladder.add(program, f);
                kept.push((changed, -1.0));
                return Choice::Steps { steps, changed, ladder };
            }
            least += 1.0;
            let keeps = feature.keep_set(instance.x());
            let keeps = keeps.intervals().iter().flat_map(|&(first, last)| first..=last);
            if is_long(feature) {
                let singles: Vec<usize> = singles.iter().map(|choice| choice[f]).collect();
                let pieces = Pieces::add(program, f, cutting::pieces(instance, f, &singles));
                kept.extend(keeps.filter_map(|option| Some((pieces.single(option)?, 1.0))));
                return Choice::Pieces(pieces);
            }
            let count = feature.options.len();
            let first = add_binaries(program, f, count);
            kept.extend(keeps.map(|option| (first + option, 1.0)));
            let amount = if compact { add_amount(program, instance, f, first) } else { None };
            Choice::Binaries { first, count, amount }
        };
        let features = instance.features().iter().enumerate().map(&mut add).collect();
        let choices = Self { features };
        if instance.cost().change_cost > 0.0 {
            choices.add_change_cost(program, instance.cost().change_cost, &kept);
        }
        program.add_row("changes".into(), least, f64::INFINITY, kept);
        choices
    }

    /// A feature takes one option, so the cost of its change is that of every binary that does not keep its value.
    fn add_change_cost(&self, program: &mut Program, cost: f64, kept: &[(usize, f64)]) {
        let keeps: HashSet<usize> = kept.iter().map(|&(column, _)| column).collect();
        for choice in &self.features {
            let binaries: Vec<usize> = match choice {
                Choice::Binaries { first, count, .. } => (*first..first + count).collect(),
                Choice::Pieces(pieces) => pieces.parts.iter().map(|part| part.taken).collect(),
                Choice::Steps { changed, .. } => {
                    program.columns[*changed].cost += cost;
                    continue;
                }
            };
            for column in binaries.into_iter().filter(|column| !keeps.contains(column)) {
                program.columns[column].cost += cost;
            }
        }
    }

    /// The change of every column of the encoded vector, as an expression.
    pub fn changes(&self, instance: &Instance) -> Vec<Expression> {
        let mut changes = vec![Expression::default(); instance.x().len()];
        for (feature, choice) in instance.features().iter().zip(&self.features) {
            for (position, &column) in feature.columns.iter().enumerate() {
                let change =
                    |option| feature.options.value(option, position) - instance.x()[column];
                changes[column] = match choice {
                    Choice::Binaries { amount: Some(amount), .. } => {
                        Expression { terms: vec![(amount.column, amount.unit)], constant: 0.0 }
                    }
                    Choice::Binaries { first, count, .. } => {
                        weighted(*first, (0..*count).map(change))
                    }
                    Choice::Steps { steps, ladder, .. } => {
                        Expression { terms: vec![(*steps, ladder.step)], constant: 0.0 }
                    }
                    Choice::Pieces(pieces) => pieces.linear(change),
                };
            }
        }
        changes
    }

    /// A value per option as an expression; linear on every piece of a long range. `None` for a feature on steps.
    pub fn per_option(&self, feature: usize, at: impl Fn(usize) -> f64) -> Option<Expression> {
        match &self.features[feature] {
            Choice::Binaries { first, count, .. } => Some(weighted(*first, (0..*count).map(at))),
            Choice::Pieces(pieces) => Some(pieces.linear(at)),
            Choice::Steps { .. } => None,
        }
    }

    /// A value per option as an expression, also for a feature on steps where the value is linear in them.
    pub fn sum(&self, feature: usize, values: &Coefficients) -> Option<Expression> {
        match &self.features[feature] {
            Choice::Steps { steps, ladder, .. } => {
                let (slope, constant) = ladder.line(values)?;
                Some(Expression { terms: vec![(*steps, slope)], constant })
            }
            _ => self.per_option(feature, |option| values.at(option)),
        }
    }

    /// An option for every binary of a feature: the one that it takes, or the first of its piece.
    pub fn representatives(&self, feature: usize) -> Vec<usize> {
        match &self.features[feature] {
            Choice::Binaries { count, .. } => (0..*count).collect(),
            Choice::Pieces(pieces) => pieces.parts.iter().map(|part| part.piece.first).collect(),
            Choice::Steps { .. } => Vec::new(),
        }
    }

    /// The sum of those binaries of a feature, in the order of [`Choices::representatives`], that are wanted.
    pub fn any(&self, feature: usize, wanted: impl Iterator<Item = bool>) -> Expression {
        let columns: Vec<usize> = match &self.features[feature] {
            Choice::Binaries { first, count, .. } => (*first..first + count).collect(),
            Choice::Pieces(pieces) => pieces.parts.iter().map(|part| part.taken).collect(),
            Choice::Steps { .. } => Vec::new(),
        };
        let terms = columns.into_iter().zip(wanted).filter(|&(_, wanted)| wanted);
        Expression { terms: terms.map(|(column, _)| (column, 1.0)).collect(), constant: 0.0 }
    }

    /// Whether a feature's change is an entry of a row, or few of them.
    pub fn is_amount(&self, feature: usize) -> bool {
        !matches!(&self.features[feature], Choice::Binaries { amount: None, .. })
    }

    /// The integer variable and its ladder, for a feature on steps.
    pub fn steps(&self, feature: usize) -> Option<(usize, &Ladder)> {
        match &self.features[feature] {
            Choice::Steps { steps, ladder, .. } => Some((*steps, ladder)),
            _ => None,
        }
    }

    /// The pieces of a feature with long ranges.
    pub fn pieces(&self, feature: usize) -> Option<&Pieces> {
        match &self.features[feature] {
            Choice::Pieces(pieces) => Some(pieces),
            _ => None,
        }
    }

    pub fn decode(&self, values: &[f64]) -> Vec<usize> {
        self.features
            .iter()
            .map(|choice| match choice {
                Choice::Binaries { first, count, .. } => (0..*count)
                    .max_by(|&a, &b| {
                        values[first + a].total_cmp(&values[first + b]).then(b.cmp(&a))
                    })
                    .unwrap_or(0),
                Choice::Steps { steps, ladder, .. } => ladder.option(values[*steps]),
                Choice::Pieces(pieces) => pieces.decode(values),
            })
            .collect()
    }

    pub fn fill(&self, instance: &Instance, choice: &[usize], values: &mut [f64]) {
        for ((variables, feature), &option) in
            self.features.iter().zip(instance.features()).zip(choice)
        {
            match variables {
                Choice::Binaries { first, amount, .. } => {
                    values[first + option] = 1.0;
                    if let Some(amount) = amount {
                        let own = instance.x()[feature.columns[0]];
                        values[amount.column] =
                            (feature.options.value(option, 0) - own) / amount.unit;
                    }
                }
                Choice::Steps { steps, changed, ladder } => {
                    let rung = ladder.rung(option);
                    values[*steps] = rung as f64;
                    values[*changed] = f64::from(u8::from(rung != 0));
                }
                Choice::Pieces(pieces) => pieces.fill(option, values),
            }
        }
    }

    /// The binaries that are 1 in a plan and only there; `None` where a feature has none.
    pub fn binaries(&self, choice: &[usize]) -> Option<Vec<(usize, f64)>> {
        let binary = |(variables, &option): (&Choice, &usize)| match variables {
            Choice::Binaries { first, .. } => Some((first + option, 1.0)),
            Choice::Steps { .. } => None,
            Choice::Pieces(pieces) => Some((pieces.single(option)?, 1.0)),
        };
        self.features.iter().zip(choice).map(binary).collect()
    }
}

fn weighted(first: usize, values: impl Iterator<Item = f64>) -> Expression {
    let terms =
        values.enumerate().filter(|&(_, v)| v != 0.0).map(|(i, v)| (first + i, v)).collect();
    Expression { terms, constant: 0.0 }
}

fn add_binaries(program: &mut Program, feature: usize, count: usize) -> usize {
    let first = program.columns.len();
    for option in 0..count {
        program.add_binary(format!("pi_{feature}_{option}"));
    }
    let all = (first..first + count).map(|column| (column, 1.0));
    program.add_row(format!("one_option_{feature}"), 1.0, 1.0, all);
    first
}

fn add_amount(
    program: &mut Program,
    instance: &Instance,
    f: usize,
    first: usize,
) -> Option<Amount> {
    let FeatureOptions { columns, options, .. } = &instance.features()[f];
    if columns.len() != 1 || options.len() < LEAST_STEPS {
        return None;
    }
    let change = |option| options.value(option, 0) - instance.x()[columns[0]];
    let unit = (0..options.len()).fold(0.0, |m: f64, option| m.max(change(option).abs()));
    if unit == 0.0 {
        return None;
    }
    let column = program.add_column(ProgramColumn {
        name: format!("amount_{f}"),
        lower: -1.0,
        upper: 1.0,
        integer: false,
        cost: 0.0,
    });
    let mut terms = weighted(first, (0..options.len()).map(|o| change(o) / unit)).terms;
    terms.push((column, -1.0));
    program.add_row(format!("amount_of_{f}"), 0.0, 0.0, terms);
    Some(Amount { column, unit })
}
