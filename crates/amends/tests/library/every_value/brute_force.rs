//! The cheapest application of all that an applicant could write and the model accepts.

use amends::data::Value;
use amends::explain::Goal;

use super::cost::Cost;
use super::encoding::{Column, columns, encode, encode_cell};
use super::exact::Exact;
use super::feature::Cell;
use super::moves::{Move, moves};
use super::rule::{Rule, Step};
use super::score::score;
use super::separable::Separable;
use super::world::{Applicant, World};

/// A goal other than 0 is met with a billionth to spare; what lies in between may be told or not.
const TO_SPARE: f64 = 2e-9;

/// One applicant's problem.
pub struct Problem<'a> {
    world: &'a World,
    own: &'a [Cell],
    row: Vec<f64>,
    columns: Vec<Column>,
    pub moves: Vec<Move>,
    cost: Cost,
    goal: Goal,
    max_changes: usize,
}

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

/// How an application stands to the goal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Short,
    Barely,
    Surely,
}

impl<'a> Problem<'a> {
    pub fn new(world: &'a World, applicant: &'a Applicant) -> amends::Result<Self> {
        let World { features, seen, rules, rows, favourable, explainer, .. } = world;
        let settings = explainer.settings();
        let columns = columns(features);
        let binary: Vec<bool> = columns.iter().map(|column| column.binary).collect();
        let effort = |column: &Column| {
            features[column.feature].effort.map_or(1.0, |text| text.parse().expect("a number"))
        };
        let efforts = columns.iter().map(effort).collect();
        let separable = Separable::fit(settings.distance, rows, favourable, &binary, efforts);
        let fitted = explainer.instance(&applicant.record)?.cost;
        Ok(Self {
            world,
            own: &applicant.cells,
            row: encode(features, &applicant.cells),
            columns,
            moves: moves(features, seen, rules, &applicant.cells).expect("few enough values"),
            cost: Cost::new(&fitted, separable),
            goal: settings.goal,
            max_changes: settings.max_changes,
        })
    }

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

    /// The application that the library told, found among all that could be written. Its set of moves, too.
    pub fn read(&self, record: &[Value]) -> Result<(u32, Vec<Cell>), String> {
        let (mut set, mut cells) = (0, self.own.to_vec());
        for (place, its) in self.moves.iter().enumerate() {
            let same = |option: &&Vec<Cell>| {
                its.members.iter().zip(*option).all(|(&f, &cell)| is_value(cell, record[f]))
            };
            let Some(option) = its.options.iter().find(same) else {
                let told = its.members.iter().map(|&f| {
                    let name = &self.world.features[f].name;
                    format!(
                        "{name} = {}",
                        self.world.explainer.schema().features[f].show(record[f])
                    )
                });
                let told: Vec<String> = told.collect();
                return Err(format!("nobody could write {}", told.join(", ")));
            };
            if *option != its.options[0] {
                set |= 1 << place;
            }
            its.members.iter().zip(option).for_each(|(&f, &cell)| cells[f] = cell);
        }
        let kept = (0..cells.len()).all(|f| is_value(cells[f], record[f]));
        if !kept {
            return Err("a code changes that stays behind".to_owned());
        }
        Ok((set, cells))
    }

    /// What an application costs; an error says why it is no plan.
    pub fn judge(&self, set: u32, cells: &[Cell]) -> Result<f64, String> {
        let row = encode(&self.world.features, cells);
        if set.count_ones() as usize > self.max_changes {
            return Err("makes too many changes".to_owned());
        }
        if let Some(rule) = self.broken(cells) {
            return Err(format!("breaks `{}`", rule.words(&self.world.features)));
        }
        if self.reach(cells, &row) == Reach::Short {
            let score = score(&self.world.classifier, &row);
            return Err(format!(
                "is rejected, as it is or off by a step; as it is, its score is {score}"
            ));
        }
        Ok(self.cost.distance(&self.row, &row) + self.cost.outlier(&row))
    }

    fn broken(&self, cells: &[Cell]) -> Option<&Rule> {
        let step = Step { before: self.own, after: cells };
        self.world.rules.iter().find(|rule| !rule.allows(step))
    }

    /// Whether an application reaches the goal, also where its numbers are off by a step if that is asked for.
    fn reach(&self, cells: &[Cell], row: &[f64]) -> Reach {
        let at = self.reach_of(row);
        if at == Reach::Short || !self.goal.step_to_spare {
            return at;
        }
        let mut least = at;
        let mut rows = vec![row.to_vec()];
        for (feature, &cell) in cells.iter().enumerate() {
            let Cell::Number(number) = cell else { continue };
            if cell == self.own[feature] {
                continue;
            }
            let column = self.columns.iter().position(|column| column.feature == feature);
            let column = column.expect("every feature has a column");
            for off in self.off_by_a_step(feature, number) {
                for place in 0..rows.len() {
                    let mut row = rows[place].clone();
                    if row[column] != number.to_f64() {
                        continue;
                    }
                    row[column] = off.to_f64();
                    match self.reach_of(&row) {
                        Reach::Short => return Reach::Short,
                        Reach::Barely => least = Reach::Barely,
                        Reach::Surely => {}
                    }
                    rows.push(row);
                }
            }
        }
        least
    }

    /// What a number may turn out to be, where the data reach.
    fn off_by_a_step(&self, feature: usize, number: Exact) -> Vec<Exact> {
        let seen = &self.world.seen[feature];
        let unit = self.world.features[feature].unit(seen);
        let inside =
            |off: &Exact| seen.numbers.is_some_and(|[low, high]| (low..=high).contains(off));
        [number - unit, number + unit].into_iter().filter(inside).collect()
    }

    fn reach_of(&self, row: &[f64]) -> Reach {
        let goal = self.goal.score + self.goal.margin;
        let score = score(&self.world.classifier, row);
        if score < goal {
            Reach::Short
        } else if goal == 0.0 || score >= goal + TO_SPARE * (1.0 + goal.abs()) {
            Reach::Surely
        } else {
            Reach::Barely
        }
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
        let cost = distance + problem.cost.outlier(&self.row);
        if cost >= limit {
            return;
        }
        let reach = problem.reach(&self.cells, &self.row);
        if reach == Reach::Short {
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

/// Whether the library's value is this cell, to the last bit.
fn is_value(cell: Cell, value: Value) -> bool {
    match (cell, value) {
        (Cell::Number(exact), Value::Number(number)) => exact.to_f64() == number,
        (Cell::Level(level), Value::Level(other)) => level == other,
        (Cell::Code(code), Value::Code(other)) => code == other,
        _ => false,
    }
}
