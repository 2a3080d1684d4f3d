//! Which option every feature takes: binaries, or one integer where the options are evenly spaced.

use super::expression::Expression;
use crate::instance::{Distance, FeatureOptions, Instance, RuleKind};
use crate::milp::{Column, Program};
use crate::model::Classifier;
use crate::plausibility::Metric;

/// Below this many options binaries are as small and give the solver more to branch on.
const LEAST_STEPS: usize = 6;

/// Values this near to a straight line, relatively, are on it.
const STRAIGHT: f64 = 1e-12;

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
}

/// The change of a number with many options, in units of its largest one. Rows that need only the
/// change then have one entry instead of a hundred.
#[derive(Debug, Clone, Copy)]
struct Amount {
    column: usize,
    unit: f64,
}

/// Evenly spaced options: `options[index[j]]` changes the column by `step * (lowest + j)`.
#[derive(Debug, Clone)]
pub(super) struct Ladder {
    pub step: f64,
    pub lowest: i64,
    index: Vec<usize>,
}

impl Ladder {
    fn of(feature: &FeatureOptions) -> Option<Self> {
        if feature.columns.len() != 1 || feature.options.len() < LEAST_STEPS {
            return None;
        }
        let mut index: Vec<usize> = (0..feature.options.len()).collect();
        let change = |option: usize| feature.options[option][0];
        index.sort_by(|&a, &b| change(a).total_cmp(&change(b)));
        let step = change(index[1]) - change(index[0]);
        if step <= 0.0 {
            return None;
        }
        let lowest = (change(index[0]) / step).round() as i64;
        let even =
            index.iter().zip(lowest..).all(|(&option, rung)| change(option) == step * rung as f64);
        even.then_some(Self { step, lowest, index })
    }

    pub fn highest(&self) -> i64 {
        self.lowest + self.index.len() as i64 - 1
    }

    /// Slope and constant of a value per option that is linear in the steps; `None` where it isn't.
    fn line(&self, values: &[f64]) -> Option<(f64, f64)> {
        let (first, last) = (values[self.index[0]], values[self.index[self.index.len() - 1]]);
        let slope = (last - first) / (self.index.len() - 1) as f64;
        let near = STRAIGHT * first.abs().max(last.abs());
        let on_it = |(rung, &option): (usize, &usize)| {
            (first + slope * rung as f64 - values[option]).abs() <= near
        };
        let straight = self.index.iter().enumerate().all(on_it);
        straight.then_some((slope, first - slope * self.lowest as f64))
    }
}

impl Choices {
    /// Adds the variables, "one option per feature", and "at most K features change".
    pub fn add(program: &mut Program, instance: &Instance, compact: bool) -> Self {
        let ladders = compact && steps_suffice(instance);
        let mut kept = Vec::new();
        let mut changed = Vec::new();
        let features = instance
            .features
            .iter()
            .enumerate()
            .map(|(f, feature)| {
                let ladder = Ladder::of(feature).filter(|_| ladders);
                if let Some(ladder) = ladder.filter(|ladder| steps_fit(instance, f, ladder)) {
                    let (choice, flag) = add_steps(program, f, ladder);
                    changed.push(flag);
                    return choice;
                }
                let count = feature.options.len();
                let first = add_binaries(program, f, count);
                let keeps = (0..count).filter(|&i| crate::instance::is_keep(&feature.options[i]));
                kept.push(keeps.map(|i| first + i).collect::<Vec<_>>());
                let amount = if compact { add_amount(program, f, feature, first) } else { None };
                Choice::Binaries { first, count, amount }
            })
            .collect();
        // The paper counts what stays: at least F - K features keep their value. A feature on steps
        // counts against it when its flag allows a change.
        let keeps = kept.iter().flatten().map(|&column| (column, 1.0));
        let least = kept.len() as f64 - instance.max_changes as f64;
        let terms: Vec<_> = keeps.chain(changed.iter().map(|&column| (column, -1.0))).collect();
        program.add_row("changes".into(), least, f64::INFINITY, terms);
        Self { features }
    }

    /// The change of every column of the encoded vector, as an expression.
    pub fn changes(&self, instance: &Instance) -> Vec<Expression> {
        let mut changes = vec![Expression::default(); instance.x.len()];
        for (feature, choice) in instance.features.iter().zip(&self.features) {
            for (place, &column) in feature.columns.iter().enumerate() {
                changes[column] = match choice {
                    Choice::Binaries { amount: Some(amount), .. } => {
                        Expression { terms: vec![(amount.column, amount.unit)], constant: 0.0 }
                    }
                    Choice::Binaries { first, .. } => {
                        weighted(*first, feature.options.iter().map(|option| option[place]))
                    }
                    Choice::Steps { steps, ladder, .. } => {
                        Expression { terms: vec![(*steps, ladder.step)], constant: 0.0 }
                    }
                };
            }
        }
        changes
    }

    /// A value per option as an expression; `None` for a feature on steps.
    pub fn per_option(
        &self,
        feature: usize,
        values: impl Iterator<Item = f64>,
    ) -> Option<Expression> {
        match &self.features[feature] {
            Choice::Binaries { first, .. } => Some(weighted(*first, values)),
            Choice::Steps { .. } => None,
        }
    }

    /// A value per option as an expression, also for a feature on steps where the value is linear in them.
    pub fn sum(&self, feature: usize, values: &[f64]) -> Option<Expression> {
        match &self.features[feature] {
            Choice::Binaries { first, .. } => Some(weighted(*first, values.iter().copied())),
            Choice::Steps { steps, ladder, .. } => {
                let (slope, constant) = ladder.line(values)?;
                Some(Expression { terms: vec![(*steps, slope)], constant })
            }
        }
    }

    /// Whether a feature's change is one entry of a row.
    pub fn is_amount(&self, feature: usize) -> bool {
        !matches!(&self.features[feature], Choice::Binaries { amount: None, .. })
    }

    /// The integer variable and its ladder, for a feature on steps.
    pub fn steps(&self, feature: usize) -> Option<(usize, &Ladder)> {
        match &self.features[feature] {
            Choice::Steps { steps, ladder, .. } => Some((*steps, ladder)),
            Choice::Binaries { .. } => None,
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
                Choice::Steps { steps, ladder, .. } => {
                    let rung =
                        (values[*steps].round() as i64).clamp(ladder.lowest, ladder.highest());
                    ladder.index[(rung - ladder.lowest) as usize]
                }
            })
            .collect()
    }

    pub fn fill(&self, instance: &Instance, choice: &[usize], values: &mut [f64]) {
        for ((variables, feature), &option) in
            self.features.iter().zip(&instance.features).zip(choice)
        {
            match variables {
                Choice::Binaries { first, amount, .. } => {
                    values[first + option] = 1.0;
                    if let Some(amount) = amount {
                        values[amount.column] = feature.options[option][0] / amount.unit;
                    }
                }
                Choice::Steps { steps, changed, ladder } => {
                    let rung = ladder.index.iter().position(|&i| i == option).unwrap_or(0) as i64;
                    values[*steps] = (ladder.lowest + rung) as f64;
                    values[*changed] = f64::from(u8::from(ladder.lowest + rung != 0));
                }
            }
        }
    }

    /// The binaries that are 1 in a plan; `None` where a feature is on steps.
    pub fn binaries(&self, choice: &[usize]) -> Option<Vec<(usize, f64)>> {
        self.features
            .iter()
            .zip(choice)
            .map(|(variables, &option)| match variables {
                Choice::Binaries { first, .. } => Some((first + option, 1.0)),
                Choice::Steps { .. } => None,
            })
            .collect()
    }
}

/// Steps say the change itself, and nothing else of an option: enough where every other part of the
/// program is linear in the change.
fn steps_suffice(instance: &Instance) -> bool {
    let linear_cost = matches!(instance.cost.distance, Distance::L1Mahalanobis { .. });
    let by_amounts = !matches!(instance.classifier, Classifier::Trees(_));
    let quadratic =
        instance.cost.outlier.as_ref().is_none_or(|term| term.metric == Metric::SquaredEuclidean);
    linear_cost && by_amounts && quadratic
}

/// Whether every rule speaks of a feature in a way that is linear in its steps.
fn steps_fit(instance: &Instance, feature: usize, ladder: &Ladder) -> bool {
    instance.rules.iter().all(|rule| match &rule.kind {
        RuleKind::AnyOf(literals) => literals.iter().all(|literal| literal.feature != feature),
        RuleKind::AtMost { terms, .. } => terms
            .iter()
            .filter(|term| term.feature == feature)
            .all(|term| ladder.line(&term.coefficients).is_some()),
    })
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
    f: usize,
    feature: &FeatureOptions,
    first: usize,
) -> Option<Amount> {
    if feature.columns.len() != 1 || feature.options.len() < LEAST_STEPS {
        return None;
    }
    let unit = feature.options.iter().fold(0.0, |m: f64, option| m.max(option[0].abs()));
    if unit == 0.0 {
        return None;
    }
    let column = program.add_column(Column {
        name: format!("amount_{f}"),
        lower: -1.0,
        upper: 1.0,
        integer: false,
        cost: 0.0,
    });
    let mut terms = weighted(first, feature.options.iter().map(|option| option[0] / unit)).terms;
    terms.push((column, -1.0));
    program.add_row(format!("amount_of_{f}"), 0.0, 0.0, terms);
    Some(Amount { column, unit })
}

/// Returns the choice and the binary that says whether it may differ from 0.
fn add_steps(program: &mut Program, feature: usize, ladder: Ladder) -> (Choice, usize) {
    let (low, high) = (ladder.lowest as f64, ladder.highest() as f64);
    let steps = program.add_column(Column {
        name: format!("steps_{feature}"),
        lower: low,
        upper: high,
        integer: true,
        cost: 0.0,
    });
    let changed = program.add_binary(format!("changed_{feature}"));
    program.add_row(
        format!("changed_up_{feature}"),
        f64::NEG_INFINITY,
        0.0,
        [(steps, 1.0), (changed, -high)],
    );
    program.add_row(
        format!("changed_down_{feature}"),
        0.0,
        f64::INFINITY,
        [(steps, 1.0), (changed, -low)],
    );
    (Choice::Steps { steps, changed, ladder }, changed)
}
