//! What the documents say is what the code does: their examples are read, solved and compared.

mod paths;

use std::path::{Path, PathBuf};

use amends::data::{Change, Dataset, Kind, Rule as SchemaRule, Schema, Table, Value, draft};
use amends::engine::Control;
use amends::explain::{ExplainSettings, Preset};
use amends::instance::{Evaluation, Instance, OptionRule, read_instances};
use amends::milp::{Formulation, default_solver, encode};
use amends::model::Classifier;
use amends::{Engine, SolveSettings, Status, solve};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn text(name: &str) -> String {
    let path = docs().join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn small() -> Instance {
    read_instances(&text("examples/small.json"), "small.json").unwrap().remove(0)
}

/// Every choice of options, judged.
fn all_plans(instance: &Instance) -> Vec<(Vec<usize>, Evaluation)> {
    let mut choices = vec![Vec::new()];
    for feature in instance.features() {
        choices = choices
            .into_iter()
            .flat_map(|choice: Vec<usize>| {
                (0..feature.options.len()).map(move |option| [&choice[..], &[option]].concat())
            })
            .collect();
    }
    choices
        .into_iter()
        .map(|choice| {
            let judged = instance.evaluate(&choice);
            (choice, judged)
        })
        .collect()
}

/// The fenced blocks of a page that are written in a language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    page.split(&fence).skip(1).filter_map(|rest| Some(rest.split_once("```")?.0.into())).collect()
}

fn close(found: f64, stated: f64) -> bool {
    (found - stated).abs() < 1e-9
}

#[test]
fn the_instance_page_shows_the_example_file() {
    let page = text("instance-format.md");
    assert!(blocks(&page, "json").contains(&text("examples/small.json")));
}

#[test]
fn the_ranges_of_the_instance_page_have_the_options_that_it_counts() {
    let page = blocks(&text("instance-format.md"), "json");
    let feature = page.iter().find(|block| block.contains("\"ranges\"")).expect("a range");
    let instance = format!(
        r#"{{"version": 2, "x": [1850, 0], "features": [{feature}], "max_changes": 1,
            "classifier": {{"kind": "linear", "weights": [1, 0], "intercept": -1}},
            "cost": {{"distance": {{"kind": "l1-mahalanobis", "factor": [[1, 0], [0, 1]]}}}}}}"#
    );
    let instance = read_instances(&instance, "page").unwrap().remove(0);
    let options = &instance.features()[0].options;
    assert_eq!((options.first_listed(), options.len()), (9_995_000, 9_995_002));
    assert_eq!((options.find(&[0.0, 1.0]), instance.keep(0)), (Some(9_995_000), 9_995_001));
    assert_eq!(
        (options.row(184_999), options.row(185_000)),
        (vec![1849.99, 0.0], vec![1900.0, 0.0])
    );
}

#[test]
fn the_rules_of_the_instance_page_change_the_optimum_as_it_states() {
    let page = blocks(&text("instance-format.md"), "json");
    let rules: Vec<OptionRule> =
        page.iter().find_map(|block| serde_json::from_str(block).ok()).expect("a list of rules");
    let instance = small().with_rules(rules).unwrap();
    assert_eq!(instance.evaluate(&[0, 0, 0]).broken_rules, [1]);
    let plans = all_plans(&instance);
    let valid = plans.iter().filter(|(_, judged)| instance.is_valid(judged));
    let best = valid.min_by(|a, b| a.1.objective.total_cmp(&b.1.objective)).unwrap();
    assert_eq!(best.0, [2, 1, 1]);
    assert!(close(best.1.objective, 4.6));
}

#[test]
fn the_limit_of_the_instance_page_leaves_no_plan_as_it_states() {
    assert!(text("instance-format.md").contains(r#"With `"most": {"distance": 1.7}`"#));
    let within = |most| small().edited(|parts| parts.cost.most.distance = Some(most)).unwrap();
    let instance = within(1.7);
    assert!(all_plans(&instance).iter().all(|(_, judged)| !instance.is_valid(judged)));
    let instance = within(1.8);
    assert!(instance.is_valid(&instance.evaluate(&[0, 0, 0])));
}

#[test]
fn the_small_instance_has_the_optimum_that_its_page_states() {
    let instance = small();
    assert!(close(instance.evaluate(&instance.keep_all()).score, -0.9));
    let plans = all_plans(&instance);
    assert_eq!(plans.len(), 18);
    let valid: Vec<_> = plans.iter().filter(|(_, judged)| instance.is_valid(judged)).collect();
    assert_eq!(valid.len(), 5);
    let mut ranked = valid;
    ranked.sort_by(|a, b| a.1.objective.total_cmp(&b.1.objective));
    assert_eq!(ranked[1].0, [2, 1, 1]);
    assert!(close(ranked[1].1.objective, 4.6), "{:?}", ranked[1]);
    let (choice, judged) = ranked[0];
    assert_eq!(*choice, [0, 0, 0]);
    assert!(close(judged.objective, 2.0), "{judged:?}");
    assert!(close(judged.distance, 1.8), "{judged:?}");
    assert!(close(judged.outlier, 2.0), "{judged:?}");
    assert_eq!(judged.nearest, Some(0));
    assert!(close(judged.score, 0.1), "{judged:?}");
}

#[test]
fn both_engines_prove_the_small_instance_s_optimum() {
    let instance = small();
    let engines = Formulation::ALL
        .iter()
        .map(|&formulation| Engine::Milp { formulation, solver: default_solver() })
        .chain([Engine::Search]);
    for engine in engines {
        let (settings, control) = (SolveSettings::default(), Control::default());
        let solution = solve(&instance, &engine, &settings, &control).unwrap().solution;
        assert_eq!(solution.status, Status::Optimal, "{}", engine.name());
        assert_eq!(solution.plan.unwrap().choice, [0, 0, 0], "{}", engine.name());
    }
}

#[test]
fn the_true_outlier_factor_is_the_one_that_the_page_computes() {
    let instance =
        small().edited(|parts| parts.cost.outlier.as_mut().unwrap().k = Some(2)).unwrap();
    assert!(close(instance.evaluate(&[0, 0, 0]).outlier, 26.625));
}

#[test]
fn the_page_s_network_has_the_optimum_that_it_states() {
    let page = text("instance-format.md");
    let network = blocks(&page, "json").into_iter().find(|block| block.contains("\"mlp\""));
    let network = serde_json::from_str(&network.expect("a network")).unwrap();
    let instance = small().edited(|parts| parts.classifier = network).unwrap();
    assert!(close(instance.classifier().score(instance.x()), -0.4));
    let solver = default_solver();
    let milp = Engine::Milp { formulation: Formulation::Compact, solver };
    for engine in [Engine::Search, milp] {
        let settings = SolveSettings::default();
        let report = solve(&instance, &engine, &settings, &Control::default()).unwrap();
        assert_eq!(report.solution.status, Status::Optimal);
        let plan = report.solution.plan.unwrap();
        assert_eq!(plan.choice, [0, 0, 0]);
        assert!(close(plan.evaluation.objective, 2.0) && close(plan.evaluation.score, 0.2));
    }
}

#[test]
fn the_page_s_trees_are_a_classifier() {
    let page = text("instance-format.md");
    let trees =
        blocks(&page, "json").into_iter().find(|block| block.contains("\"trees\"")).unwrap();
    let classifier: Classifier = serde_json::from_str(&trees).unwrap();
    classifier.check(4).unwrap();
    assert!(close(classifier.score(&[24.0, 50.0, 1.0, 0.0]), -0.3));
    assert!(close(classifier.score(&[18.0, 40.0, 1.0, 0.0]), 0.2));
}

#[test]
fn the_programs_have_the_rows_that_the_mathematics_counts() {
    let instance = small();
    let points = instance.cost().outlier.as_ref().unwrap().points.len();
    let nearest_rows = |formulation| {
        let program = encode(&instance, formulation).unwrap().program;
        program.rows.iter().filter(|row| row.name.starts_with("nearest_")).count()
    };
    assert_eq!(nearest_rows(Formulation::Pairwise), points * (points - 1));
    assert_eq!(nearest_rows(Formulation::Reduced), 2 * points);
    assert_eq!(nearest_rows(Formulation::Compact), 2 * points);
}

#[test]
fn the_programs_have_the_size_that_the_architecture_page_states() {
    let instance = small();
    let size = |formulation| {
        let program = encode(&instance, formulation).unwrap().program;
        (program.columns.len(), program.rows.len())
    };
    let (n, f, d) = (2, 3, 4);
    let o: usize = instance.features().iter().map(|feature| feature.options.len()).sum();
    let shared_rows = f + 2 * d + 2 * n + 3;
    assert_eq!(size(Formulation::Pairwise), (o + d + 2 * n, shared_rows + n * (n - 1)));
    assert_eq!(size(Formulation::Reduced), (o + d + 2 * n + 1, shared_rows + 2 * n));
}

#[test]
fn the_schema_page_shows_a_schema_that_reads_its_table() {
    let page = text("schema-format.md");
    let toml = text("examples/loans.toml");
    assert!(blocks(&page, "toml").contains(&toml));
    let schema = Schema::parse(&toml, "loans.toml").unwrap();
    let table = Table::parse(&text("examples/loans.csv"), "loans.csv").unwrap();
    let loans = Dataset::from_table(&table, &schema).unwrap();
    assert_eq!(loans.len(), 160);
}

/// A schema of the features that the block of the schema page with this text shows.
fn shown_features(part: &str) -> Schema {
    let page = text("schema-format.md");
    let block = blocks(&page, "toml").into_iter().find(|block| block.contains(part)).unwrap();
    let loans = text("examples/loans.toml");
    let head = loans.split("[[feature]]").next().unwrap();
    Schema::parse(&format!("{head}{block}"), "schema-format.md").unwrap()
}

#[test]
fn the_schema_page_s_rules_and_codes_are_read() {
    let rules = shown_features("relative_range");
    assert_eq!(rules.features.len(), 5);
    assert_eq!(rules.features[0].limits.least_change, Some(5.0));
    assert_eq!(rules.features[1].limits.relative_range, Some([0.0, 24.0]));
    assert_eq!(
        (rules.features[2].effort, rules.features[2].limits.max_change),
        (2.0, Some(2500.0))
    );
    assert!(rules.features[3].limits.one_step);
    let account = &rules.features[4];
    let may = |from, to| account.broken(Value::Level(from), Value::Level(to)).is_empty();
    assert!(may(0, 2) && !may(1, 0) && !may(0, 3) && !may(3, 0));
    let codes = shown_features("never late").features.remove(0);
    assert_eq!(codes.parse("-7.0").unwrap(), Value::Code(0));
    assert_eq!(codes.describe(codes.parse("").unwrap()), "not asked");
    assert!(codes.codes[2].leave && !codes.codes[2].enter);
}

#[test]
fn the_schema_page_s_rules_between_features_fit_its_schema() {
    let page = text("schema-format.md");
    let rules = blocks(&page, "toml").into_iter().find(|block| block.contains("[[rule]]")).unwrap();
    let toml = format!("{}{rules}", text("examples/loans.toml"));
    let schema = Schema::parse(&toml, "loans.toml").unwrap();
    assert_eq!(schema.rules.len(), 4);
    assert!(schema.rules[3].must && schema.rules[3].is_about_values());
    let table = Table::parse(&text("examples/loans.csv"), "loans.csv").unwrap();
    let loans = Dataset::from_table(&table, &schema).unwrap();
    assert_eq!(loans.tally_rules().len(), 4);

    let shown = blocks(&page, "text").into_iter().find(|b| b.contains("amount <= 5000")).unwrap();
    assert_eq!(shown.lines().count(), 10);
    for line in shown.lines() {
        let rule = SchemaRule::parse(line, &schema.features).unwrap_or_else(|e| panic!("{e}"));
        rule.check(&schema.features).unwrap_or_else(|e| panic!("{e}"));
    }
}

#[test]
fn the_schema_page_s_refusals_are_refused() {
    let loans = text("examples/loans.toml");
    for (rule, said) in [
        ("age <= 60", "says nothing"),
        ("years_employed falls", "holds for no values"),
        ("at most 2 of amount, income change", "says nothing"),
        ("approved is yes", "is the target"),
        ("age, amount change together", "may not change"),
    ] {
        let toml = format!("{loans}\n[[rule]]\nrule = \"{rule}\"\n");
        let message = Schema::parse(&toml, "loans.toml").unwrap_err().to_string();
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn init_guesses_of_the_loans_what_the_schema_page_says() {
    let table = Table::parse(&text("examples/loans.csv"), "loans.csv").unwrap();
    let draft = draft(&table, "loans", "approved", None).unwrap();
    assert_eq!(draft.schema.target.favourable, "yes");
    assert_eq!(draft.left_out.len(), 1);
    assert_eq!(draft.left_out[0].0, "id");
    let feature = |name: &str| &draft.schema.features[draft.schema.feature_index(name).unwrap()];
    assert_eq!(feature("age").change, Change::Immutable);
    assert_eq!(feature("income").kind, Kind::Continuous);
    assert!(matches!(feature("savings").kind, Kind::Ordinal { .. }));
    // What the file in the examples says by hand is what is guessed.
    let by_hand = Schema::parse(&text("examples/loans.toml"), "loans.toml").unwrap();
    for name in ["age", "years_employed", "savings"] {
        let known = &by_hand.features[by_hand.feature_index(name).unwrap()];
        assert_eq!(
            (&feature(name).kind, feature(name).change),
            (&known.kind, known.change),
            "{name}"
        );
    }
    assert_eq!(
        (feature("income").change, feature("amount").change),
        (Change::Increase, Change::Decrease)
    );
}

fn at_most(rows: usize) -> String {
    format!("all accepted, at most {},{:03}", rows / 1000, rows % 1000)
}

#[test]
fn the_presets_are_those_of_the_table() {
    let page = text("mathematics.md");
    for &preset in Preset::ALL {
        let german = ExplainSettings::preset(preset, "german");
        let heloc = ExplainSettings::preset(preset, "heloc");
        let lambda = if german.lambda == heloc.lambda {
            german.lambda.to_string()
        } else {
            format!("{}; HELOC {}", german.lambda, heloc.lambda)
        };
        let points = match german.outlier.name() {
            "lof" => german.reference_rows.map_or("all accepted".into(), at_most),
            _ => german.prototypes.map_or("all accepted".into(), |count| count.to_string()),
        };
        let row = format!(
            "| `{}` | {} | {} | {} | {} | {points} | {} | {} | {} | {lambda} | {} |",
            preset.name(),
            german.distance.name(),
            german.factor.name(),
            german.outlier.name(),
            german.k,
            if german.distinct { "distinct" } else { "all" },
            german.metric.name(),
            if german.standardise { "standardised" } else { "raw" },
            german.change_cost,
        );
        assert!(page.contains(&row), "mathematics.md lacks {row}");
    }
}
