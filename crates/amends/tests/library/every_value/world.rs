//! A small random table with a schema, a model, and applicants whose every possible application can be gone through.

use amends::data::{Dataset, Record, Schema, Table, read_applicants};
use amends::explain::{DensityOver, DistanceKind, Goal, OutlierKind, Wishes};
use amends::model::Classifier;
use amends::plausibility::{FactorKind, Metric};
use amends::{ExplainSettings, Explainer, Preset};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::draw::{Draw, add_codes, add_limits, levels, numbers, odd_cell, pick};
use super::encoding::{columns, encode};
use super::family::{Costs, Family, Goals, Rules};
use super::feature::{Cell, Feature, Seen};
use super::make_models::{Ground, Maker};
use super::make_rules::RuleMaker;
use super::moves::applications;
use super::rule::Rule;
use super::score::score;

/// No applicant has more possible applications than this.
const MOST_APPLICATIONS: usize = 300_000;

/// A column of as many numbers as its style has.
const LARGE: i128 = 10_000;

/// Applicants of one world.
const APPLICANTS: usize = 2;

pub struct World {
    pub family: &'static str,
    pub seed: u64,
    pub features: Vec<Feature>,
    pub rules: Vec<Rule>,
    /// The last of the rules, where it is the applicants' own and not the schema's.
    pub wishes: Wishes,
    /// What the rows hold of each feature.
    pub seen: Vec<Seen>,
    pub schema_text: String,
    /// The encoded training rows, and whether their outcome is favourable.
    pub rows: Vec<Vec<f64>>,
    pub favourable: Vec<bool>,
    pub classifier: Classifier,
    pub maker: Maker,
    pub explainer: Explainer,
    pub applicants: Vec<Applicant>,
    pub several: bool,
}

/// Who was rejected.
pub struct Applicant {
    pub cells: Vec<Cell>,
    /// The same as the library reads it.
    pub record: Record,
}

/// A table without a model.
struct Ledger {
    features: Vec<Feature>,
    draws: Vec<Option<Draw>>,
    rows: Vec<Vec<Cell>>,
    favourable: Vec<bool>,
}

impl World {
    /// The world of a seed; `None` where the draw makes none, such as a table without a rejected applicant. An error is the
    /// library's.
    pub fn new(family: &Family, seed: u64) -> amends::Result<Option<Self>> {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let max_changes = pick(rng, &[1, 2, 2, 3]);
        let ledger = Ledger::draw(rng, family, max_changes);
        let rules = ledger.rules(rng, family.rules);
        let wished = rules.last().filter(|_| rng.random_bool(0.2));
        let schema_text = ledger.schema_text(&rules[..rules.len() - wished.iter().count()]);
        let Ok(schema) = Schema::parse(&schema_text, "world.toml") else { return Ok(None) };
        let wished = wished.map(|rule| rule.words(&ledger.features));
        let wishes = Wishes::parse(wished.as_deref(), &schema)?;
        let Ledger { features, draws, rows: cells, favourable } = &ledger;
        let dataset = Dataset::from_table(&ledger.table(), &schema)?;
        let rows: Vec<Vec<f64>> = cells.iter().map(|row| encode(features, row)).collect();
        let others: Vec<Vec<Cell>> = (0..20).map(|_| ledger.application(rng, 0.0)).collect();
        let others: Vec<Vec<f64>> = others.iter().map(|row| encode(features, row)).collect();
        let half = |feature: usize| draws[feature].map_or(0.5, |draw| 0.5 * draw.unit.to_f64());
        let halves: Vec<f64> = columns(features).iter().map(|its| half(its.feature)).collect();
        let ground = Ground { dataset: &dataset, rows: &rows, others: &others, halves: &halves };
        let maker = pick(rng, family.models);
        let model = maker.make(rng, &ground)?;
        let mut settings = costs(rng, family.costs, favourable);
        settings.goal = goal(rng, family.goals, &rows, &model.classifier);
        let seen: Vec<Seen> = (0..features.len())
            .map(|f| Seen::of(&features[f], cells.iter().map(|row| row[f])))
            .collect();
        settings.max_changes = max_changes;
        let mut applicants: Vec<Vec<Cell>> = Vec::new();
        for _ in 0..30 {
            let cells = ledger.application(rng, family.odd);
            let rejected =
                score(&model.classifier, &encode(features, &cells)) < settings.goal.score;
            if applicants.len() == APPLICANTS || !rejected {
                continue;
            }
            let Some(counts) = applications(features, &seen, &rules, &cells) else { continue };
            while settings.max_changes > 1 && counts[settings.max_changes] > MOST_APPLICATIONS {
                settings.max_changes -= 1;
            }
            applicants.push(cells);
        }
        let movable =
            features.iter().any(|feature| feature.change != super::feature::Change::Immutable);
        if applicants.is_empty() || !movable {
            return Ok(None);
        }
        let explainer = Explainer::fit(&dataset, &model, &settings)?;
        let records = read_applicants(&table(features, &applicants, None), &schema)?;
        let refused = records.iter().find_map(|record| explainer.case(record, &wishes).err());
        if let Some(error) = refused {
            // Two sums of which one must hold are no rule of the library's.
            let known = error.to_string().contains("offers a choice between two comparisons");
            return if known { Ok(None) } else { Err(error) };
        }
        let applicants = applicants.into_iter().zip(records);
        let applicants = applicants.map(|(cells, record)| Applicant { cells, record }).collect();
        let Ledger { features, favourable, .. } = ledger;
        Ok(Some(Self {
            family: family.name,
            seed,
            features,
            rules,
            wishes,
            seen,
            schema_text,
            rows,
            favourable,
            classifier: model.classifier,
            maker,
            explainer,
            applicants,
            several: family.several,
        }))
    }
}

impl Ledger {
    fn draw(rng: &mut ChaCha8Rng, family: &Family, max_changes: usize) -> Self {
        let count = rng.random_range(2..5);
        // So many applications, give or take, if every feature has numbers.
        let applications = 10_f64.powf(rng.random_range(2.0..5.2));
        let size = applications.powf(1.0 / max_changes.min(count) as f64) as i128;
        let (mut features, mut draws) = (Vec::new(), Vec::new());
        for place in 0..count {
            let name = ["a", "b", "c", "d"][place];
            let (mut feature, draw) = if place > 0 && rng.random_bool(family.levels) {
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
    fn application(&self, rng: &mut ChaCha8Rng, odd: f64) -> Vec<Cell> {
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
    fn rules(&self, rng: &mut ChaCha8Rng, kind: Rules) -> Vec<Rule> {
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

    fn schema_text(&self, rules: &[Rule]) -> String {
        let head = "version = 1\nname = \"world\"\n[target]\ncolumn = \"ok\"\nfavourable = \"yes\"\nunfavourable = \"no\"\n";
        let features = self.features.iter().map(Feature::toml);
        let rules =
            rules.iter().map(|rule| format!("[[rule]]\nrule = '{}'\n", rule.words(&self.features)));
        [head.to_owned()].into_iter().chain(features).chain(rules).collect()
    }

    fn table(&self) -> Table {
        table(&self.features, &self.rows, Some(&self.favourable))
    }
}

fn table(features: &[Feature], rows: &[Vec<Cell>], favourable: Option<&[bool]>) -> Table {
    let mut header: Vec<String> = features.iter().map(|feature| feature.name.clone()).collect();
    header.extend(favourable.map(|_| "ok".to_owned()));
    let row = |(place, row): (usize, &Vec<Cell>)| {
        let outcome = favourable.map(|all| if all[place] { "yes" } else { "no" }.to_owned());
        let cells = features.iter().zip(row).map(|(feature, &cell)| feature.text(cell));
        cells.chain(outcome).collect()
    };
    Table { source: "world".into(), header, rows: rows.iter().enumerate().map(row).collect() }
}

fn costs(rng: &mut ChaCha8Rng, costs: Costs, favourable: &[bool]) -> ExplainSettings {
    let mut settings = ExplainSettings::preset(Preset::Standard, "world");
    let accepted = favourable.iter().filter(|&&good| good).count();
    settings.k = rng.random_range(1..5).min(accepted.saturating_sub(1)).max(1);
    settings.lambda = pick(rng, &[1.0, 1.0, 0.1, 3.0]);
    if costs == Costs::Any {
        let distances = [
            DistanceKind::L1Mahalanobis,
            DistanceKind::Mahalanobis,
            DistanceKind::SquaredMahalanobis,
            DistanceKind::Tlps,
            DistanceKind::Mad,
            DistanceKind::Pcc,
        ];
        settings.distance = pick(rng, &distances);
        settings.factor = pick(rng, &[FactorKind::Cholesky, FactorKind::Eigen]);
        let outliers = [OutlierKind::None, OutlierKind::Surrogate, OutlierKind::Lof];
        settings.outlier = pick(rng, &outliers);
        let metrics = [Metric::SquaredEuclidean, Metric::Euclidean, Metric::Manhattan];
        settings.metric = pick(rng, &metrics);
        settings.standardise = rng.random_bool(0.6);
        settings.density_over = pick(rng, &[DensityOver::Reference, DensityOver::Prototypes]);
        settings.prototypes = pick(rng, &[None, Some(8)]);
        settings.lambda = pick(rng, &[0.0, 0.01, 1.0, 1.0]);
    }
    settings
}

/// A goal that some rows reach and others don't.
fn goal(rng: &mut ChaCha8Rng, goals: Goals, rows: &[Vec<f64>], classifier: &Classifier) -> Goal {
    match goals {
        Goals::Own => Goal::default(),
        Goals::StepToSpare => Goal { step_to_spare: true, ..Goal::default() },
        Goals::Score => {
            let mut scores: Vec<f64> = rows.iter().map(|row| score(classifier, row)).collect();
            scores.sort_by(f64::total_cmp);
            let place = rng.random_range(scores.len() / 3..scores.len());
            let spread = scores[scores.len() - 1] - scores[0];
            let margin = pick(rng, &[0.0, 0.013, 0.1]) * spread;
            Goal { score: scores[place], margin, step_to_spare: rng.random_bool(0.2) }
        }
    }
}
