//! The cheapest application of all that an applicant could write and the model accepts.

use super::encoding::encode_cell;
use super::feature::Cell;
use super::moves::Move;
use super::problem::{Problem, Reach};

/// An application that holds all rules.
#[derive(Debug, Clone)]
pub struct Found {
    pub cells: Vec<Cell>,
    pub cost: f64,
}

/// The cheapest application that makes a set of moves.
pub struct Best {
    /// The moves, as bits.
    pub set: u32,
    pub found: Found,
    /// The cheapest that reaches the goal with something to spare.
    pub sure: Option<f64>,
}

impl Problem<'_> {
    /// The cheapest application of every set of moves.
    pub fn best(&self) -> Vec<Best> {
        let mut search = Search {
            problem: self,
            encoded: self.moves.iter().map(|its| self.encoded(its)).collect(),
            cells: self.own.to_vec(),
            row: self.row.clone(),
            best: Vec::new(),
        };
        search.visit(0, 0);
        search.best
    }

    /// The columns of every option of a move.
    fn encoded(&self, its: &Move) -> Vec<Vec<(usize, f64)>> {
        let start = |feature: usize| {
            self.columns.iter().position(|column| column.feature == feature).expect("a column")
        };
        let option = |option: &Vec<Cell>| {
            let members = its.members.iter().zip(option);
            let columns = members.flat_map(|(&feature, &cell)| {
                let numbers = encode_cell(&self.world.features[feature], cell);
                numbers
                    .into_iter()
                    .enumerate()
                    .map(move |(place, number)| (start(feature) + place, number))
            });
            columns.collect()
        };
        its.options.iter().map(option).collect()
    }
}

/// Goes through all applications, one move after the other.
struct Search<'a> {
    problem: &'a Problem<'a>,
    encoded: Vec<Vec<Vec<(usize, f64)>>>,
    cells: Vec<Cell>,
    row: Vec<f64>,
    best: Vec<Best>,
}

impl Search<'_> {
    fn visit(&mut self, place: usize, set: u32) {
        let problem = self.problem;
        let Some(its) = problem.moves.get(place) else {
            self.consider(set);
            return;
        };
        self.visit(place + 1, set);
        if set.count_ones() as usize == problem.max_changes {
            return;
        }
        for option in 1..its.options.len() {
            self.take(place, option);
            self.visit(place + 1, set | 1 << place);
        }
        self.take(place, 0);
    }

    fn take(&mut self, place: usize, option: usize) {
        let its = &self.problem.moves[place];
        for (&feature, &cell) in its.members.iter().zip(&its.options[option]) {
            self.cells[feature] = cell;
        }
        for &(column, number) in &self.encoded[place][option] {
            self.row[column] = number;
        }
    }

    fn consider(&mut self, set: u32) {
        let problem = self.problem;
        if problem.reach_of(&self.row) == Reach::Short || problem.broken(&self.cells).is_some() {
            return;
        }
        let place = self.best.iter().position(|best| best.set == set);
        let distance = problem.cost.distance(&problem.row, &self.row);
        let limit = place.map_or(f64::INFINITY, |place| {
            let best = &self.best[place];
            best.sure.unwrap_or(f64::INFINITY).max(best.found.cost)
        });
        if distance >= limit {
            return;
        }
        let cost = distance + problem.cost.outlier(&self.row) + problem.cost_of(set);
        if cost >= limit {
            return;
        }
        let reach = problem.reach(&self.cells, &self.row);
        if reach == Reach::Short {
            return;
        }
        if problem.could_do_with_less(set, &self.cells) {
            return;
        }
        let found = Found { cells: self.cells.clone(), cost };
        let place = place.unwrap_or_else(|| {
            self.best.push(Best { set, found: found.clone(), sure: None });
            self.best.len() - 1
        });
        let best = &mut self.best[place];
        if cost < best.found.cost {
            best.found = found;
        }
        if reach == Reach::Surely && best.sure.is_none_or(|sure| cost < sure) {
            best.sure = Some(cost);
        }
    }
}
