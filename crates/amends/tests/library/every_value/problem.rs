//! One applicant's problem: what they could write, and what makes an application a plan.

use amends::data::Value;
use amends::explain::Goal;

use super::cost::Cost;
use super::encoding::{Column, columns, encode};
use super::exact::Exact;
use super::feature::Cell;
use super::moves::{Move, moves};
use super::rule::{Rule, Step};
use super::score::{score, sizes};
use super::separable::Separable;
use super::world::{Applicant, World};

/// A goal other than 0 is met with a billionth to spare; what lies in between may be reported or not.
const TO_SPARE: f64 = 2e-9;

/// A change lowers the score if it does by more than this, times the sizes of what is added up.
const ROUNDING: f64 = 1e-12;

/// One applicant's problem.
pub struct Problem<'a> {
    pub world: &'a World,
    pub own: &'a [Cell],
    pub row: Vec<f64>,
    pub columns: Vec<Column>,
    pub moves: Vec<Move>,
    pub cost: Cost,
    goal: Goal,
    pub max_changes: usize,
    change_cost: f64,
}

/// How an application stands to the goal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reach {
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
        let fitted =
            explainer.case(&applicant.record, &world.wishes)?.into_instance().into_parts().cost;
        let mut moves = moves(features, seen, rules, &applicant.cells).expect("few enough values");
        if settings.goal.harmless {
            for its in &mut moves {
                leave_out_harmful(world, applicant, its);
            }
        }
        Ok(Self {
            world,
            own: &applicant.cells,
            row: encode(features, &applicant.cells),
            columns,
            moves,
            cost: Cost::new(&fitted, separable),
            goal: settings.goal,
            max_changes: settings.max_changes,
            change_cost: settings.change_cost,
        })
    }

    /// The application that the library reported, found among all that could be written. Its set of moves, too.
    pub fn read(&self, record: &[Value]) -> Result<(u32, Vec<Cell>), String> {
        let (mut set, mut cells) = (0, self.own.to_vec());
        for (place, its) in self.moves.iter().enumerate() {
            let same = |option: &&Vec<Cell>| {
                its.members.iter().zip(*option).all(|(&f, &cell)| is_value(cell, record[f]))
            };
            let Some(option) = its.options.iter().find(same) else {
                let texts = its.members.iter().map(|&f| {
                    let name = &self.world.features[f].name;
                    format!(
                        "{name} = {}",
                        self.world.explainer.schema().features[f].show(record[f])
                    )
                });
                let texts: Vec<String> = texts.collect();
                return Err(format!("nobody could write {}", texts.join(", ")));
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
        if self.could_do_with_less(set, cells) {
            return Err("could do without some of its changes".to_owned());
        }
        Ok(self.cost.distance(&self.row, &row) + self.cost.outlier(&row) + self.cost_of(set))
    }

    /// Whether plans may have no change but those that are needed, and some of these changes are a plan by themselves.
    pub fn could_do_with_less(&self, set: u32, cells: &[Cell]) -> bool {
        if !self.goal.needed {
            return false;
        }
        let is_plan = |part: u32| {
            let mut kept = self.own.to_vec();
            for (place, its) in self.moves.iter().enumerate() {
                if part & (1 << place) != 0 {
                    its.members.iter().for_each(|&f| kept[f] = cells[f]);
                }
            }
            let row = encode(&self.world.features, &kept);
            self.broken(&kept).is_none() && self.reach(&kept, &row) != Reach::Short
        };
        (1..set).any(|part| part & set == part && is_plan(part))
    }

    /// What a set of moves costs by itself: features that move together are one change.
    pub fn cost_of(&self, set: u32) -> f64 {
        self.change_cost * f64::from(set.count_ones())
    }

    pub fn broken(&self, cells: &[Cell]) -> Option<&Rule> {
        let step = Step { before: self.own, after: cells };
        self.world.rules.iter().find(|rule| !rule.allows(step))
    }

    /// Whether an application reaches the goal, also where its numbers are off by a step if that is asked for.
    pub fn reach(&self, cells: &[Cell], row: &[f64]) -> Reach {
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

    pub fn reach_of(&self, row: &[f64]) -> Reach {
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
}

/// Leaves out the options of a move that lower the score where nothing else changes, by more than rounding.
fn leave_out_harmful(world: &World, applicant: &Applicant, its: &mut Move) {
    let own = encode(&world.features, &applicant.cells);
    let before = score(&world.classifier, &own);
    let absolute = sizes(&world.classifier);
    let mut is_own = true;
    its.options.retain(|option| {
        if std::mem::take(&mut is_own) {
            return true;
        }
        let mut cells = applicant.cells.clone();
        its.members.iter().zip(option).for_each(|(&feature, &cell)| cells[feature] = cell);
        let row = encode(&world.features, &cells);
        let larger: Vec<f64> = own.iter().zip(&row).map(|(a, b)| a.abs().max(b.abs())).collect();
        score(&world.classifier, &row) >= before - ROUNDING * score(&absolute, &larger)
    });
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
