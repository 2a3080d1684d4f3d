//! The outlier term: which reference point is the nearest, and what it costs to be that far from it.
//!
//! mu_n says that n is the nearest point, rho_n is the reachability distance to it. Distances are
//! divided by a common unit, and k-distances and densities with them: with distances in the millions
//! a solver's tolerance on mu would let a wrong point count as the nearest, and the cost of rho would
//! fall below its tolerance on costs.

use super::Formulation;
use super::choice::Choices;
use super::expression::Expression;
use super::separation::Separation;
use super::squares::Squares;
use crate::instance::{Instance, Outlier};
use crate::milp::{Program, ProgramColumn};
use crate::plausibility::Metric;

/// The columns of the outlier term, and what is needed to add rows later.
#[derive(Debug, Clone)]
pub(super) struct OutlierBlock {
    mu: usize,
    rho: usize,
    /// The least distance, where the formulation has a variable for it.
    least: Option<usize>,
    /// Squares of changes that do not belong to single options.
    squares: Squares,
    /// Every point's distance, without the part that is common to all points.
    distinct: Vec<Expression>,
    /// The part that is common to all points, as a column of its own.
    common: Option<Common>,
    unit: f64,
    separation: Separation,
}

/// A column that is at least an expression.
#[derive(Debug, Clone)]
struct Common {
    column: usize,
    at_least: Expression,
}

impl OutlierBlock {
    /// Adds the variables and rows of a formulation.
    pub fn add(
        program: &mut Program,
        instance: &Instance,
        term: &Outlier,
        choices: &Choices,
        formulation: Formulation,
    ) -> Self {
        let mut separation = Separation::of(instance, term, choices);
        let unit = modest_unit(separation.farthest());
        separation.divide(unit);
        let squares = Squares::add(program, instance, term, choices, unit);
        let changes = choices.changes(instance);
        let parts = Parts { instance, term, choices, changes, separation: &separation, unit };
        let distinct: Vec<Expression> = (0..term.points.len()).map(|n| parts.distinct(n)).collect();
        let common = parts.common(program, &squares);

        let mu = program.columns.len();
        for n in 0..term.points.len() {
            let chosen = program.add_binary(format!("mu_{n}"));
            if separation.never_nearest(n) {
                program.columns[chosen].upper = 0.0;
            }
        }
        let rho = program.columns.len();
        let one = (mu..rho).map(|column| (column, 1.0));
        program.add_row("one_nearest".into(), 1.0, 1.0, one);
        for n in 0..term.points.len() {
            program.add_column(ProgramColumn {
                name: format!("rho_{n}"),
                lower: 0.0,
                upper: f64::INFINITY,
                integer: false,
                cost: term.weight * term.density[n] * unit,
            });
        }
        let block = Self { mu, rho, least: None, squares, distinct, common, unit, separation };
        let tight = formulation == Formulation::Compact;
        block.add_reachability(program, term, tight);
        match formulation {
            Formulation::Pairwise => block.add_pairs(program),
            Formulation::Reduced | Formulation::Compact => block.add_least(program),
        }
    }

    /// rho_n >= `k_distance`_n mu_n and rho_n >= D_n - C_n (1 - mu_n).
    fn add_reachability(&self, program: &mut Program, term: &Outlier, tight: bool) {
        for n in 0..self.distinct.len() {
            let (mu, rho) = (self.mu + n, self.rho + n);
            let mut floor = term.k_distance[n] / self.unit;
            if tight {
                floor = floor.max(self.separation.least(n));
            }
            program.add_row(
                format!("reach_floor_{n}"),
                0.0,
                f64::INFINITY,
                [(rho, 1.0), (mu, -floor)],
            );
            let distance = &self.distinct[n];
            let most = self.separation.most(n);
            let common = self.common.iter().map(|common| (common.column, -1.0));
            let terms: Vec<_> =
                distance.times(-1.0).chain(common).chain([(rho, 1.0), (mu, -most)]).collect();
            program.add_row(format!("reach_{n}"), distance.constant - most, f64::INFINITY, terms);
        }
    }

    /// The paper's eq. (8): D_n - D_m <= M (1 - mu_n) for every other point m.
    fn add_pairs(self, program: &mut Program) -> Self {
        for n in 0..self.distinct.len() {
            for m in (0..self.distinct.len()).filter(|&m| m != n) {
                self.add_pair(program, format!("nearest_{n}_{m}"), n, m);
            }
        }
        self
    }

    /// One row of eq. (8), with the least M that the options of this instance prove.
    pub fn add_pair(&self, program: &mut Program, name: String, n: usize, m: usize) {
        let most = self.separation.most_apart(n, m).max(0.0);
        let mut difference = self.distinct[n].clone();
        difference.add(-1.0, &self.distinct[m]);
        let terms: Vec<_> = difference.times(1.0).chain([(self.mu + n, most)]).collect();
        program.add_row(name, f64::NEG_INFINITY, most - difference.constant, terms);
    }

    /// The paper's eq. (11): t <= D_n, and D_n - t <= M_n (1 - mu_n).
    fn add_least(mut self, program: &mut Program) -> Self {
        let least = program.add_column(ProgramColumn {
            name: "t".into(),
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            integer: false,
            cost: 0.0,
        });
        self.least = Some(least);
        for (n, distance) in self.distinct.iter().enumerate() {
            let terms: Vec<_> = distance.times(1.0).chain([(least, -1.0)]).collect();
            program.add_row(format!("nearest_least_{n}"), -distance.constant, f64::INFINITY, terms);
        }
        for (n, distance) in self.distinct.iter().enumerate() {
            let most = self.separation.most_behind(n);
            let terms: Vec<_> =
                distance.times(1.0).chain([(least, -1.0), (self.mu + n, most)]).collect();
            let limit = most - distance.constant;
            program.add_row(format!("nearest_reach_{n}"), f64::NEG_INFINITY, limit, terms);
        }
        self
    }

    /// The whole term, without its weight.
    pub fn total(&self, term: &Outlier) -> Expression {
        let each = term.density.iter().enumerate();
        let terms = each.map(|(n, density)| (self.rho + n, density * self.unit)).collect();
        Expression { terms, constant: 0.0 }
    }

    /// Adds secants of the squares at a plan; `false` where none was missing.
    pub fn sharpen(
        &mut self,
        program: &mut Program,
        instance: &Instance,
        choice: &[usize],
    ) -> bool {
        let Some(term) = &instance.cost().outlier else { return false };
        self.squares.sharpen(program, instance, term, choice, self.unit)
    }

    /// The point that a solution takes for the nearest.
    pub fn nearest(&self, values: &[f64]) -> usize {
        (0..self.distinct.len())
            .max_by(|&a, &b| values[self.mu + a].total_cmp(&values[self.mu + b]))
            .unwrap_or(0)
    }

    /// The column that says that a point is the nearest.
    pub fn chosen(&self, n: usize) -> usize {
        self.mu + n
    }

    /// The values of a plan; the choice variables are already filled in.
    pub fn fill(&self, instance: &Instance, choice: &[usize], values: &mut [f64]) {
        let Some(term) = &instance.cost().outlier else { return };
        self.squares.fill(instance, term, self.unit, choice, values);
        let value = |part: &Expression, values: &[f64]| {
            part.constant + part.terms.iter().map(|&(c, v)| v * values[c]).sum::<f64>()
        };
        if let Some(common) = &self.common {
            values[common.column] = value(&common.at_least, values);
        }
        let changed = instance.apply(choice);
        let (_, nearest) = term.evaluate(&changed);
        let distance = term.metric.distance(&changed, &term.points[nearest], term.scale.as_deref());
        values[self.mu + nearest] = 1.0;
        values[self.rho + nearest] = distance.max(term.k_distance[nearest]) / self.unit;
        if let Some(least) = self.least {
            let distances = self.distinct.iter().map(|part| value(part, values));
            values[least] = distances.fold(f64::INFINITY, f64::min);
        }
    }
}

/// A power of two near the square root of the largest distance: it balances the size of M against
/// the size of costs. Small distances stay as they are.
fn modest_unit(largest: f64) -> f64 {
    if largest <= 1e3 { 1.0 } else { (largest.log2() / 2.0).round().exp2() }
}

/// Distances, split into their parts.
struct Parts<'a> {
    instance: &'a Instance,
    term: &'a Outlier,
    choices: &'a Choices,
    /// The change of every column.
    changes: Vec<Expression>,
    separation: &'a Separation,
    unit: f64,
}

impl Parts<'_> {
    /// Whether a feature enters distances by its amount: `(x + a - p)^2 = a^2 + 2a(x - p) + (x - p)^2`,
    /// where a^2 is the same for all points.
    fn by_amount(&self, feature: usize) -> bool {
        self.term.metric == Metric::SquaredEuclidean && self.choices.is_amount(feature)
    }

    fn scale(&self, column: usize) -> f64 {
        self.term.scale.as_ref().map_or(1.0, |scale| scale[column])
    }

    /// A point's distance, without the squares of amounts.
    fn distinct(&self, n: usize) -> Expression {
        let mut distance = Expression { terms: Vec::new(), constant: self.separation.fixed(n) };
        for (f, feature) in self.instance.features().iter().enumerate() {
            if self.by_amount(f) {
                for &column in &feature.columns {
                    let scale = self.scale(column);
                    let ahead = (self.instance.x()[column] - self.term.points[n][column]) / scale;
                    distance.add(2.0 * ahead / scale / self.unit, &self.changes[column]);
                    distance.constant += ahead * ahead / self.unit;
                }
            } else if let Some(part) =
                self.choices.per_option(f, |option| self.separation.part(n, f, option))
            {
                distance.add(1.0, &part);
            }
        }
        distance
    }

    /// The squares of amounts, as one column.
    fn common(&self, program: &mut Program, squares: &Squares) -> Option<Common> {
        let mut at_least = Expression::default();
        for (f, feature) in
            self.instance.features().iter().enumerate().filter(|&(f, _)| self.by_amount(f))
        {
            if let Some(square) = squares.of_feature(f) {
                at_least.add(1.0, square);
                continue;
            }
            let (column, scale) = (feature.columns[0], self.scale(feature.columns[0]));
            let change = |option| feature.options.value(option, 0) - self.instance.x()[column];
            let squared = |option| (change(option) / scale).powi(2) / self.unit;
            at_least.add(1.0, &self.choices.per_option(f, squared).unwrap_or_default());
        }
        if at_least.terms.is_empty() {
            return None;
        }
        let column = program.add_column(ProgramColumn {
            name: "squares".into(),
            lower: 0.0,
            upper: f64::INFINITY,
            integer: false,
            cost: 0.0,
        });
        let terms: Vec<_> = at_least.times(-1.0).chain([(column, 1.0)]).collect();
        program.add_row("squares_of_amounts".into(), at_least.constant, f64::INFINITY, terms);
        Some(Common { column, at_least })
    }
}
