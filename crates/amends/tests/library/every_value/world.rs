//! A small random table with a schema, a model, and applicants whose every possible application can be gone through.

use crate::common::read_applicants;
use amends::data::{Dataset, Record, Schema};
use amends::explain::{DensityOver, DistanceKind, Goal, OutlierKind, Wishes};
use amends::model::Classifier;
use amends::plausibility::{FactorKind, Metric};
use amends::{ExplainSettings, Explainer, Preset};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::draw::pick;
use super::encoding::{columns, encode};
use super::family::{Costs, Family, Goals, Rules};
use super::feature::{Cell, Change, Feature, Seen};
use super::ledger::{Ledger, table};
use super::make_models::{Maker, ModelInputs};
use super::moves::applications;
use super::rule::Rule;
use super::score::score;

/// No applicant has more possible applications than this.
const MOST_APPLICATIONS: usize = 300_000;

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
    pub training: Dataset,
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
    /// How many applications they could make.
    pub applications: usize,
}

impl World {
    /// The world of a seed; `None` where the draw makes none, such as a table without a rejected applicant. An error is the
    /// library's.
    #[expect(clippy::too_many_lines, reason = "one choice after the other")]
    pub fn new(family: &Family, seed: u64) -> amends::Result<Option<Self>> {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let narrow = family.rules == Rules::Narrow;
        let max_changes = pick(rng, if narrow { &[2, 2, 2, 3] } else { &[1, 2, 2, 3] });
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
        let inputs =
            ModelInputs { dataset: &dataset, rows: &rows, others: &others, halves: &halves };
        let maker = pick(rng, family.models);
        let model = maker.make(rng, &inputs)?;
        let mut settings = costs(rng, family.costs, favourable);
        settings.goal = goal(rng, family.goals, &rows, &model.classifier);
        let seen: Vec<Seen> = (0..features.len())
            .map(|f| Seen::of(&features[f], cells.iter().map(|row| row[f])))
            .collect();
        settings.max_changes = max_changes;
        let (mut applicants, mut counts) = (Vec::<Vec<Cell>>::new(), Vec::new());
        for _ in 0..30 {
            let cells = ledger.application(rng, family.odd);
            let rejected =
                score(&model.classifier, &encode(features, &cells)) < settings.goal.score;
            if applicants.len() == APPLICANTS || !rejected {
                continue;
            }
            let Some(count) = applications(features, &seen, &rules, &cells) else { continue };
            while settings.max_changes > 1 && count[settings.max_changes] > MOST_APPLICATIONS {
                settings.max_changes -= 1;
            }
            applicants.push(cells);
            counts.push(count);
        }
        let movable = features.iter().any(|feature| feature.change != Change::Immutable);
        if applicants.is_empty() || !movable {
            return Ok(None);
        }
        let explainer = match Explainer::fit(&dataset, &model, &settings) {
            // Too few accepted rows that differ: the table is refused, and rightly so.
            Err(error) if error.to_string().contains("can't be had from") => return Ok(None),
            explainer => explainer?,
        };
        let records = read_applicants(&table(features, &applicants, None), &schema)?;
        let refused = records.iter().find_map(|record| explainer.case(record, &wishes).err());
        if let Some(error) = refused {
            // Two sums of which one must hold are no rule of the library's.
            let known = error.to_string().contains("offers a choice between two comparisons");
            return if known { Ok(None) } else { Err(error) };
        }
        let applicants = applicants.into_iter().zip(records).zip(counts);
        let applicants = applicants
            .map(|((cells, record), counts)| {
                let applications = counts[settings.max_changes];
                Applicant { cells, record, applications }
            })
            .collect();
        let Ledger { features, favourable, .. } = ledger;
        Ok(Some(Self {
            family: family.name,
            seed,
            features,
            rules,
            wishes,
            seen,
            schema_text,
            training: dataset,
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

fn costs(rng: &mut ChaCha8Rng, costs: Costs, favourable: &[bool]) -> ExplainSettings {
    let mut settings = ExplainSettings::preset(Preset::Standard, "world");
    let accepted = favourable.iter().filter(|&&good| good).count();
    settings.k = rng.random_range(1..5).min(accepted.saturating_sub(1)).max(1);
    settings.lambda = pick(rng, &[1.0, 1.0, 0.1, 3.0]);
    settings.change_cost = pick(rng, &[0.0, 0.0, 0.1, 0.1, 0.02, 2.0]);
    if costs == Costs::Any {
        settings.distance = pick(rng, DistanceKind::ALL);
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
        Goals::Harmless => Goal { harmless: true, ..Goal::default() },
        Goals::NeededOnly => Goal { needed: true, ..Goal::default() },
        Goals::Needed => {
            let (harmless, step_to_spare) = (rng.random_bool(0.2), rng.random_bool(0.1));
            Goal { needed: true, harmless, step_to_spare, ..Goal::default() }
        }
        Goals::Score => {
            let mut scores: Vec<f64> = rows.iter().map(|row| score(classifier, row)).collect();
            scores.sort_by(f64::total_cmp);
            let place = rng.random_range(scores.len() / 3..scores.len());
            let spread = scores[scores.len() - 1] - scores[0];
            let margin = pick(rng, &[0.0, 0.013, 0.1]) * spread;
            let step_to_spare = rng.random_bool(0.2);
            Goal { score: scores[place], margin, step_to_spare, ..Goal::default() }
        }
    }
}
