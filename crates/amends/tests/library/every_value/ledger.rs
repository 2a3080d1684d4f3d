//! Random tables: columns, rows with outcomes, and rules that the library does not refuse.

use amends::data::{Schema, Table};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::draw::{Draw, add_codes, add_limits, levels, numbers, odd_cell, pick};
use super::family::{Family, Rules};
use super::feature::{Cell, Feature};
use super::make_rules::RuleMaker;
use super::rule::Rule;

/// A column of as many numbers as its style has.
const LARGE: i128 = 10_000;

/// A table without a model.
pub struct Ledger {
    pub features: Vec<Feature>,
    /// How numbers are drawn; `None` for levels.
    pub draws: Vec<Option<Draw>>,
    pub rows: Vec<Vec<Cell>>,
    /// Whether the outcome of a row is favourable.
    pub favourable: Vec<bool>,
}

impl Ledger {
    pub fn draw(rng: &mut ChaCha8Rng, family: &Family, max_changes: usize) -> Self {
        let count = rng.random_range(2..5);
        // So many applications, give or take, if every feature has numbers.
        let applications = 10_f64.powf(rng.random_range(2.3..5.4));
        let size = applications.powf(1.0 / max_changes.min(count) as f64) as i128;
        let (mut features, mut draws) = (Vec::new(), Vec::new());
        for place in 0..count {
            let name = ["a", "b", "c", "d"][place];
            let twin = place == 1 && family.rules == Rules::Together && rng.random_bool(0.6);
            let (mut feature, draw) = if twin {
                twin_of(rng, name, &features[0], draws[0])
            } else if place > 0 && rng.random_bool(family.levels) {
                (levels(rng, name), None)
            } else {
                let style = pick(rng, family.numbers);
                let size = if rng.random_bool(0.1) { LARGE } else { size };
                let (feature, draw) = numbers(rng, name, style, size);
                (feature, Some(draw))
            };
            if rng.random_bool(family.codes) {
                add_codes(rng, &mut feature, draw);
            }
            if rng.random_bool(family.limits) {
                add_limits(rng, &mut feature, draw);
            }
            features.push(feature);
            draws.push(draw);
        }
        let mut ledger = Self { features, draws, rows: Vec::new(), favourable: Vec::new() };
        ledger.draw_rows(rng);
        ledger
    }

    /// Rows whose columns go together more or less, some of them twice.
    fn draw_rows(&mut self, rng: &mut ChaCha8Rng) {
        let signs: Vec<f64> = self.features.iter().map(|_| pick(rng, &[1.0, 1.0, -1.0])).collect();
        let tied: Vec<f64> = self.features.iter().map(|_| pick(rng, &[0.0, 0.4, 0.7])).collect();
        let count = rng.random_range(30..81);
        let mut worth = Vec::new();
        for _ in 0..count {
            if !self.rows.is_empty() && rng.random_bool(0.08) {
                let twin = rng.random_range(0..self.rows.len());
                self.rows.push(self.rows[twin].clone());
                worth.push(worth[twin] + rng.random_range(-0.2..0.2));
                continue;
            }
            let luck: f64 = rng.random_range(0.0..1.0);
            let mut total = rng.random_range(-0.5..0.5);
            let mut row = Vec::new();
            for (f, feature) in self.features.iter().enumerate() {
                let share = tied[f] * luck + (1.0 - tied[f]) * rng.random_range(0.0..1.0);
                total += signs[f] * share;
                row.push(self.cell(rng, feature, f, share));
            }
            self.rows.push(row);
            worth.push(total);
        }
        let mut sorted = worth.clone();
        sorted.sort_by(f64::total_cmp);
        let cut = sorted[sorted.len() / 2 + rng.random_range(0..sorted.len() / 5)];
        self.favourable = worth.iter().map(|&worth| worth >= cut).collect();
    }

    fn cell(&self, rng: &mut ChaCha8Rng, feature: &Feature, place: usize, share: f64) -> Cell {
        if !feature.codes.is_empty() && rng.random_bool(0.15) {
            return Cell::Code(rng.random_range(0..feature.codes.len()));
        }
        let Some(draw) = self.draws[place] else {
            let level = (share * feature.levels.len() as f64) as usize;
            return Cell::Level(level.min(feature.levels.len() - 1));
        };
        let number = draw.at(share);
        match feature.codes.iter().position(|code| code.number == Some(number)) {
            Some(code) => Cell::Code(code),
            None => Cell::Number(number),
        }
    }

    /// Somebody's application: cells of one row or of several, and some of no row.
    pub fn application(&self, rng: &mut ChaCha8Rng, odd: f64) -> Vec<Cell> {
        let row = rng.random_range(0..self.rows.len());
        let mix = rng.random_bool(0.4);
        let cell = |(f, feature): (usize, &Feature)| {
            if rng.random_bool(odd) {
                return odd_cell(rng, feature, self.draws[f]);
            }
            self.rows[if mix { rng.random_range(0..self.rows.len()) } else { row }][f]
        };
        self.features.iter().enumerate().map(cell).collect()
    }

    /// Rules that the library does not refuse.
    pub fn rules(&self, rng: &mut ChaCha8Rng, kind: Rules) -> Vec<Rule> {
        let maker = RuleMaker { features: &self.features, draws: &self.draws, rows: &self.rows };
        let mut rules: Vec<Rule> = Vec::new();
        let wanted = match kind {
            Rules::None => 0,
            Rules::Any => rng.random_range(1..4),
            Rules::Narrow => rng.random_range(1..3),
            Rules::Together => pick(rng, &[1, 1, 2]),
        };
        for attempt in 0..wanted {
            let rule = match kind {
                Rules::Together if attempt == 0 => maker.together(rng),
                Rules::Together | Rules::Narrow => maker.narrow(rng),
                _ => maker.any(rng),
            };
            rules.extend(rule);
            if Schema::parse(&self.schema_text(&rules), "world.toml").is_err() {
                rules.pop();
            }
        }
        rules
    }

    pub fn schema_text(&self, rules: &[Rule]) -> String {
        let head = "version = 1\nname = \"world\"\n[target]\ncolumn = \"ok\"\nfavourable = \"yes\"\nunfavourable = \"no\"\n";
        let features = self.features.iter().map(Feature::toml);
        let rules =
            rules.iter().map(|rule| format!("[[rule]]\nrule = '{}'\n", rule.words(&self.features)));
        [head.to_owned()].into_iter().chain(features).chain(rules).collect()
    }

    pub fn table(&self) -> Table {
        table(&self.features, &self.rows, Some(&self.favourable))
    }
}

/// A column whose numbers can move together with those of another.
fn twin_of(
    rng: &mut ChaCha8Rng,
    name: &str,
    other: &Feature,
    draw: Option<Draw>,
) -> (Feature, Option<Draw>) {
    let feature = Feature { step: other.step, ..Feature::new(name, other.kind) };
    let moved =
        |draw: Draw| Draw { base: draw.base + draw.unit.times(rng.random_range(0..9)), ..draw };
    (feature, draw.map(moved))
}

/// The table as text.
pub fn table(features: &[Feature], rows: &[Vec<Cell>], favourable: Option<&[bool]>) -> Table {
    let mut header: Vec<String> = features.iter().map(|feature| feature.name.clone()).collect();
    header.extend(favourable.map(|_| "ok".to_owned()));
    let row = |(place, row): (usize, &Vec<Cell>)| {
        let outcome = favourable.map(|all| if all[place] { "yes" } else { "no" }.to_owned());
        let cells = features.iter().zip(row).map(|(feature, &cell)| feature.text(cell));
        cells.chain(outcome).collect()
    };
    Table { source: "world".into(), header, rows: rows.iter().enumerate().map(row).collect() }
}
