//! A small made-up table whose every possible application can be gone through.

use std::fmt::Write;

use amends::data::{Dataset, Demand, Encoder, LocalRule, Record, Rule, Schema, Table, Value};
use amends::engine::Control;
use amends::explain::Goal;
use amends::model::{Model, ModelKind, TrainSettings};
use amends::{Engine, ExplainSettings, Explainer, Explanation, Instance, Preset, SolveSettings};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Rules of every kind, some of which don't go together.
const RULES: [&str; 24] = [
    "at most 1 of income, debt, months changes",
    "at most 2 of income, debt, savings change",
    "income, months change together",
    "income, debt change together",
    "if savings rises then income rises by at least 2",
    "if home changes then savings stays",
    "if debt falls then income does not fall",
    "if income >= 5 then savings is not none",
    "if home is own then debt >= 1",
    "never home is own and savings is none",
    "never income >= 6 and debt <= 1",
    "debt <= income",
    "income + months <= 8",
    "2 * debt - income <= 3",
    "change of income = change of debt",
    "change of income + change of debt <= 2",
    "if income rises then change of months >= 1",
    "months <= 3",
    "must debt <= 2",
    "must income >= 3",
    "home stays",
    "if months is \"never late\" then income <= 5",
    "if not (income >= 4 or debt <= 2) then savings is one of none, some",
    "income rises by at most 3 or income stays",
];

const LIMITS: [&str; 9] = [
    "",
    "",
    "",
    "change = \"increase\"",
    "change = \"decrease\"",
    "change = \"immutable\"",
    "max_change = 2",
    "least_change = 2",
    "range = [1, 5]",
];

pub struct World {
    pub dataset: Dataset,
    /// Per feature, the least and the greatest number of the training rows.
    pub seen: Vec<Option<(f64, f64)>>,
    pub explainer: Explainer,
}

/// A record that could be somebody's, and what it takes to become it.
pub struct Candidate {
    pub record: Record,
    /// Changes, what moves together counted as one.
    pub moves: usize,
    /// Rules that it breaks: of single features, and by their index in the schema.
    pub broken: usize,
    pub cost: f64,
}

/// A schema with random rules; `None` where it is refused because they contradict each other.
pub fn schema(rng: &mut ChaCha8Rng, rules: usize) -> Option<Schema> {
    let limits = |rng: &mut ChaCha8Rng| LIMITS[rng.random_range(0..LIMITS.len())];
    let moves = |rng: &mut ChaCha8Rng| match rng.random_range(0..4) {
        0 => ", leave = true",
        1 => ", enter = true",
        _ => "",
    };
    let mut text = format!(
        "version = 1\nname = \"world\"\n[target]\ncolumn = \"ok\"\nfavourable = \"yes\"\nunfavourable = \"no\"\n\
         [[feature]]\nname = \"income\"\nkind = \"integer\"\n{}\n\
         [[feature]]\nname = \"debt\"\nkind = \"integer\"\n{}\n\
         [[feature]]\nname = \"months\"\nkind = \"integer\"\n{}\n\
         codes = [{{ value = -7, label = \"never late\"{} }}]\n\
         [[feature]]\nname = \"savings\"\nkind = \"ordinal\"\nlevels = [\"none\", \"some\", \"much\"]\n{}\n\
         [[feature]]\nname = \"home\"\nkind = \"categorical\"\nlevels = [\"own\", \"rent\", \"kin\"]\n",
        limits(rng),
        limits(rng),
        limits(rng),
        moves(rng),
        ["", "one_step = true", "change = \"increase\""][rng.random_range(0..3)],
    );
    for _ in 0..rules {
        let rule = RULES[rng.random_range(0..RULES.len())].replace('"', "\\\"");
        let _ = writeln!(text, "[[rule]]\nrule = \"{rule}\"");
    }
    Schema::parse(&text, "world.toml").ok()
}

impl World {
    pub fn new(
        rng: &mut ChaCha8Rng,
        schema: &Schema,
        kind: ModelKind,
        goal: Goal,
        preset: Preset,
    ) -> Self {
        let header = ["income", "debt", "months", "savings", "home", "ok"].map(str::to_owned);
        let mut rows = Vec::new();
        for _ in 0..90 {
            let income = rng.random_range(0..8);
            let debt = rng.random_range(0..6);
            let late = rng.random_range(0..6);
            let months = if late == 5 { "-7".to_owned() } else { late.to_string() };
            let savings = rng.random_range(0..3);
            let home = rng.random_range(0..3);
            let worth = 2 * income - 2 * debt + late + savings + rng.random_range(-4..5);
            rows.push(vec![
                income.to_string(),
                debt.to_string(),
                months,
                ["none", "some", "much"][savings as usize].to_owned(),
                ["own", "rent", "kin"][home].to_owned(),
                if worth >= 9 { "yes" } else { "no" }.to_owned(),
            ]);
        }
        let table = Table { source: "world".into(), header: header.to_vec(), rows };
        let dataset = Dataset::from_table(&table, schema).unwrap();
        let training = TrainSettings { trees: 15, depth: Some(3), ..TrainSettings::default() };
        let model = Model::fit(&dataset, kind, &training).unwrap();
        let mut costs = ExplainSettings::preset(preset, "world");
        costs.max_changes = 2;
        costs.goal = goal;
        let explainer = Explainer::fit(&dataset, &model, &costs).unwrap();
        let seen = (0..schema.features.len()).map(|f| range_seen(&dataset, f)).collect();
        Self { dataset, seen, explainer }
    }

    /// The search engine's answer to an applicant.
    pub fn explain(&self, applicant: &Record) -> Explanation {
        let (settings, control) = (SolveSettings::default(), Control::default());
        self.explainer.explain(applicant, &Engine::Search, &settings, &control).unwrap()
    }

    pub fn rejected(&self) -> impl Iterator<Item = &Record> {
        self.dataset.records.iter().filter(|record| !self.explainer.accepts(record))
    }

    /// Every application that the data knows of and the model accepts, whatever the rules say.
    pub fn candidates(&self, applicant: &Record) -> Vec<Candidate> {
        let schema = &self.dataset.schema;
        let instance = self.explainer.instance(applicant).unwrap();
        let encoder = Encoder::new(schema);
        let goal = self.explainer.settings().goal.of_plans();
        let mut list = vec![Vec::new()];
        for (feature, &own) in applicant.iter().enumerate() {
            let values = self.values(feature, own);
            list = list
                .iter()
                .flat_map(|record: &Record| {
                    values.iter().map(move |&value| [&record[..], &[value]].concat())
                })
                .collect();
        }
        list.retain(|record| self.explainer.score(record) >= goal);
        let judged = list.into_iter().filter_map(|record| {
            let moves = moves(schema, applicant, &record);
            let of_moves = self.explainer.settings().change_cost * moves as f64;
            Some(Candidate {
                moves,
                broken: broken(schema, applicant, &record)?,
                cost: cost(&instance, &encoder, applicant, &record) + of_moves,
                record,
            })
        });
        judged.collect()
    }

    fn values(&self, feature: usize, own: Value) -> Vec<Value> {
        let its = &self.dataset.schema.features[feature];
        let levels = (0..its.levels().len()).map(Value::Level);
        let seen = self.seen[feature].map_or(0..0, |(min, max)| min as i32..max as i32 + 1);
        let numbers = seen.map(|number| Value::Number(f64::from(number)));
        let has_code = |code| self.dataset.records.iter().any(|r| r[feature] == Value::Code(code));
        let codes = (0..its.codes.len()).filter(|&code| has_code(code));
        let mut values: Vec<Value> = levels.chain(numbers).chain(codes.map(Value::Code)).collect();
        if !values.contains(&own) {
            values.push(own);
        }
        values
    }
}

/// How many changes lead from one record to another.
fn moves(schema: &Schema, before: &Record, after: &Record) -> usize {
    changes(schema, before, after).len()
}

/// The changes that lead from one record to another, each with its features: those that change together are one.
pub fn changes(schema: &Schema, before: &Record, after: &Record) -> Vec<Vec<usize>> {
    let groups: Vec<&Vec<usize>> = schema
        .rules
        .iter()
        .filter(|rule| rule.allows(before, after))
        .filter_map(|rule| match &rule.demand {
            Demand::Together(members) => Some(members),
            _ => None,
        })
        .collect();
    let changed = |f: &usize| before[*f] != after[*f];
    let joint = groups.iter().filter(|group| group.iter().any(changed));
    let joint = joint.map(|group| group.iter().copied().filter(changed).collect());
    let alone = (0..before.len()).filter(changed);
    let alone = alone.filter(|f| !groups.iter().any(|group| group.contains(f)));
    joint.chain(alone.map(|f| vec![f])).collect()
}

/// How many rules a change breaks, a feature's ranges counted as one; `None` where no rule could allow it.
fn broken(schema: &Schema, before: &Record, after: &Record) -> Option<usize> {
    let mut count = schema.rules.iter().filter(|rule: &&Rule| !rule.allows(before, after)).count();
    for (feature, (&before, &after)) in schema.features.iter().zip(before.iter().zip(after)) {
        let broken = feature.broken(before, after);
        let any = |rules: &[LocalRule]| rules.iter().any(|rule| broken.contains(rule));
        if any(&[LocalRule::Kind, LocalRule::Step, LocalRule::ReadsAsCode]) {
            return None;
        }
        // A code that may not be left or entered is a rule beside immutability.
        count += usize::from(any(&[LocalRule::CodeLeft, LocalRule::CodeEntered]));
        count += if any(&[LocalRule::Immutable]) {
            1
        } else {
            usize::from(any(&[LocalRule::Direction]))
                + usize::from(any(&[
                    LocalRule::Range,
                    LocalRule::RelativeRange,
                    LocalRule::MaxChange,
                    LocalRule::LeastChange,
                    LocalRule::OneStep,
                ]))
        };
    }
    Some(count)
}

/// What a change costs, from the encoded records and the instance's distance and outlier term alone.
fn cost(instance: &Instance, encoder: &Encoder, before: &Record, after: &Record) -> f64 {
    let (x, y) = (encoder.encode(before), encoder.encode(after));
    let change: Vec<f64> = y.iter().zip(&x).map(|(to, from)| to - from).collect();
    let amends::instance::Distance::Mahalanobis { factor } = &instance.cost().distance else {
        return 0.0;
    };
    let outlier = instance.cost().outlier.as_ref();
    amends::plausibility::mahalanobis(factor, &change)
        + outlier.map_or(0.0, |term| term.weight * term.evaluate(&y).0)
}

fn range_seen(dataset: &Dataset, feature: usize) -> Option<(f64, f64)> {
    let numbers = dataset.records.iter().filter_map(|record| match record[feature] {
        Value::Number(number) => Some((number, number)),
        Value::Code(_) | Value::Level(_) => None,
    });
    numbers.reduce(|seen, number| (seen.0.min(number.0), seen.1.max(number.1)))
}
