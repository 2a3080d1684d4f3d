//! Damaged, foreign and unsuitable models are refused with place and remedy, and never end in a panic.

use std::path::Path;

use amends::data::{Encoder, Schema, Value};
use amends::import::{Asked, ImportSettings, load_model, read_library_model};
use amends::model::Model;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const FILES: [&str; 9] = [
    "xgboost.json",
    "xgboost-categories.json",
    "xgboost-dart.json",
    "lightgbm.txt",
    "lightgbm-categories.txt",
    "lightgbm-zero.txt",
    "catboost.json",
    "catboost-pairs.json",
    "catboost-lossguide.json",
];

fn text(file: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/trees");
    std::fs::read_to_string(folder.join(file)).unwrap()
}

fn schema() -> Schema {
    Schema::parse(&text("loans.toml"), "loans.toml").unwrap()
}

/// Reads a text, and scores an application where it is a model after all.
fn read(text: &str) -> amends::Result<f64> {
    let schema = schema();
    let reading = read_library_model(text, Asked::default())?;
    let model = Model::imported(&reading.raw, &schema, &ImportSettings::default())?;
    let (number, level) = (Value::Number(1.0), Value::Level(1));
    let record = [number, Value::Code(1), number, level, level, level, Value::Code(0)];
    Ok(model.classifier.score(&Encoder::new(&schema).encode(&record)))
}

fn refusal(file: &str, from: &str, to: &str) -> String {
    let good = text(file);
    assert!(good.contains(from), "{from} is in {file}");
    read(&good.replacen(from, to, 1)).unwrap_err().to_string()
}

/// What a careless or hostile writer may put in.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "",
            "-1",
            "0",
            "1",
            "7",
            "99999999999",
            "-99999999999999999999",
            "1e999",
            "NaN",
            "null",
            "[]",
            "[",
            "]",
            "{",
            "}",
            "\"",
            ",",
            " ",
            "\n",
            "=",
            "Tree=0",
            "end of trees\n",
            "true",
            "é",
            "18446744073709551615",
            "9223372036854775807",
            "-9223372036854775808",
            "4294967296",
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        cases: 1500,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_change_of_a_good_model_is_read_or_refused(
        file in prop::sample::select(FILES.to_vec()), place in 0.0..1.0, cut in 0usize..6, piece in piece(),
    ) {
        let good = text(file);
        let start = (place * good.len() as f64) as usize;
        let changed = format!("{}{piece}{}", &good[..start], &good[(start + cut).min(good.len())..]);
        let _ = read(&changed);
    }

    #[test]
    fn any_cut_off_model_is_refused(file in prop::sample::select(FILES.to_vec()), place in 0.0..0.99) {
        let good = text(file);
        let end = good.find("end of trees").unwrap_or(good.len());
        prop_assert!(read(&good[..(place * end as f64) as usize]).is_err());
    }

    #[test]
    fn any_number_in_any_place_is_read_or_refused(
        file in prop::sample::select(FILES.to_vec()), place in 0.0..1.0, number in any::<i64>(), small in -3i64..200,
        huge in any::<bool>(),
    ) {
        let good = text(file);
        let is_digit = |c: char| c.is_ascii_digit();
        let from = (place * good.len() as f64) as usize;
        if let Some(start) = good[from..].find(is_digit).map(|found| from + found) {
            let rest = good[start..].trim_start_matches(is_digit);
            let number = if huge { number } else { small };
            let _ = read(&format!("{}{number}{rest}", &good[..start]));
        }
    }
}

/// Every change of a good file, and the message about it.
fn check_refusals(changes: &[(&str, &str, &str, &str)]) {
    for &(file, from, to, said) in changes {
        let message = refusal(file, from, to);
        assert!(message.contains(said), "{file}, {from} -> {to}: {message}");
        assert!(message.contains("; "), "{message} has a remedy");
    }
}

#[test]
fn what_is_wrong_with_a_catboost_model_is_said_with_its_place() {
    let leaves = "\"oblivious_trees\":[{\"leaf_values\":[";
    check_refusals(&[
        ("catboost.json", "\"Logloss\"", "\"RMSE\"", "loss_function.type: `RMSE` does not decide"),
        ("catboost.json", "\"Logloss\"", "7", "does not say how it decides"),
        (
            "catboost.json",
            leaves,
            "\"oblivious_trees\":[{\"leaf_values\":[1,",
            "tree 0, leaf_values: has 17",
        ),
        (
            "catboost.json",
            leaves,
            "\"oblivious_trees\":[{\"leaf_values\":[\"a\",",
            "leaf_values[0]",
        ),
        (
            "catboost.json",
            "\"oblivious_trees\"",
            "\"other_trees\"",
            "oblivious_trees: has no trees",
        ),
        ("catboost.json", "\"amount\"", "\"salary\"", "column `salary`: is not a feature or level"),
        ("catboost.json", "\"housing\"", "\"age\"", "column `age`: has categories in the model"),
        (
            "catboost.json",
            "\"float_feature_index\":0",
            "\"float_feature_index\":77",
            "float_feature_index: `77` is not in the file's",
        ),
        ("catboost.json", "\"FloatFeature\"", "\"EstimatedFeature\"", "EstimatedFeature"),
        (
            "catboost.json",
            "\"scale_and_bias\":[1,[0",
            "\"scale_and_bias\":[1,[0,0",
            "has several biases",
        ),
        (
            "catboost-ctr.json",
            "\"ctr_type\":\"Borders\"",
            "\"ctr_type\":\"Magic\"",
            "`Magic` is not a kind of statistic",
        ),
        ("catboost-ctr.json", "\"hash_stride\":3", "\"hash_stride\":2", "is not a list of hashes"),
        ("catboost-ctr.json", "\"ctr_data\"", "\"no_data\"", "has no table in ctr_data"),
        (
            "catboost-threshold.json",
            "threshold\":\"0.3\"",
            "threshold\":\"1.5\"",
            "is not a probability",
        ),
    ]);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn what_is_wrong_with_an_xgboost_model_is_said_with_its_place() {
    check_refusals(&[
        (
            "xgboost.json",
            "binary:logistic",
            "multi:softprob",
            "use binary:logistic or binary:logitraw",
        ),
        (
            "xgboost.json",
            "\"gbtree\"",
            "\"gblinear\"",
            "booster: `gblinear` is not a booster of trees",
        ),
        (
            "xgboost.json",
            "\"num_class\":\"0\"",
            "\"num_class\":\"3\"",
            "num_class: `3` is too many classes",
        ),
        (
            "xgboost.json",
            "\"left_children\":[1,",
            "\"left_children\":[0,",
            "tree 0, node 0: leads to node 0, which was",
        ),
        (
            "xgboost.json",
            "\"left_children\":[1,",
            "\"left_children\":[9999,",
            "node 0: leads to node 9999",
        ),
        ("xgboost.json", "\"left_children\":[1,", "\"left_children\":[", "right_children: has "),
        ("xgboost.json", "\"split_indices\":[", "\"split_indices\":[77,", "split_indices: has"),
        ("xgboost.json", "\"base_score\":\"[", "\"base_score\":\"[1E-1,", "base_score: `[1E-1,"),
        (
            "xgboost.json",
            "\"amount\"",
            "\"salary\"",
            "column `salary`: is not a feature or level of schema",
        ),
        (
            "xgboost.json",
            "\"housing_own\"",
            "\"housing_lent\"",
            "column `housing_lent`: is not a feature or level",
        ),
        (
            "xgboost.json",
            "\"savings\"",
            "\"housing\"",
            "column `housing`: is a number in the model, but",
        ),
        (
            "xgboost-categories.json",
            "\"housing\"",
            "\"age\"",
            "column `age`: has categories in the model",
        ),
        (
            "xgboost-categories.json",
            "116,119,105",
            "116,120,105",
            "`with family` is a level that the model does not know",
        ),
        (
            "xgboost-dart.json",
            "\"weight_drop\":[",
            "\"weight_drop\":[1,",
            "weight_drop: has 9 entries for 8 trees",
        ),
        ("xgboost.json", "{\"learner\"", "{\"learned\"", "is JSON of another kind"),
        (
            "xgboost.json",
            "\"left_children\":[1,",
            "\"left_children\":[\"1\",",
            "gradient_booster.model.trees[0].left_children[0]: `1` is a text, not a whole number",
        ),
        (
            "xgboost.json",
            "\"split_indices\"",
            "\"split_indexes\"",
            "model.trees[0]: has no `split_indices`",
        ),
        (
            "xgboost.json",
            "\"default_left\":[",
            "\"default_left\":[\"left\",",
            "default_left[0]: `left` is a text, not true, false, 0 or 1",
        ),
    ]);
}

#[test]
fn what_is_wrong_with_a_lightgbm_model_is_said_with_its_place() {
    check_refusals(&[
        (
            "lightgbm.txt",
            "objective=binary",
            "objective=regression",
            "objective: `regression sigmoid:1` does not",
        ),
        ("lightgbm.txt", "objective=", "objectiv=", "objective: `(none)` does not decide"),
        ("lightgbm.txt", "version=v4", "version=v2", "version: `v2` is a version"),
        ("lightgbm.txt", "num_tree_per_iteration=1", "num_tree_per_iteration=3", "fit two classes"),
        ("lightgbm.txt", "is_linear=0", "is_linear=1", "tree 0: has linear models in its leaves"),
        ("lightgbm.txt", "Tree=1", "Three=1", "has 7 of its 8 trees"),
        (
            "lightgbm.txt",
            "left_child=1",
            "left_child=x",
            "tree 0, left_child: `x` is not the number",
        ),
        (
            "lightgbm.txt",
            "num_leaves=9",
            "num_leaves=8",
            "tree 0, leaf_value: has 9 entries, not 8",
        ),
        (
            "lightgbm.txt",
            "num_leaves=9",
            "num_leaves=18446744073709551615",
            "leaf_value: has 9 entries",
        ),
        ("lightgbm.txt", "end of trees", "", "is cut short"),
        (
            "lightgbm-categories.txt",
            "[[",
            "[[\"x\"],[",
            "has the texts of 3 columns, and it is unclear",
        ),
        ("lightgbm.txt", "tree\n", "forest\n", "is neither JSON nor a text of LightGBM"),
    ]);
}

#[test]
fn files_of_another_kind_are_refused_with_what_to_save() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    let refusal = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        load_model(&path, &schema(), &ImportSettings::default()).unwrap_err().to_string()
    };
    for (bytes, said) in [
        (&b"\x80\x04\x95pickle"[..], "model: is not a model file that can be read: it is not text"),
        (b"{L\x00\x00\xffubjson", "pickles, UBJSON and .cbm are not read"),
        (b"", "is neither JSON nor a text of LightGBM"),
        (b"[{\"nodeid\": 0}]", "save the model with save_model"),
        (b"{\"name\": \"tree\", \"tree_info\": []}", "is LightGBM's dump_model"),
        (b"{\"format\": \"pmml\", \"version\": 1}", "is not the format of a model file"),
        (b"{\"learner\": 3}", "XGBoost model, learner: `3` is not an object"),
        (b"{\"learner\": {", "is broken JSON"),
    ] {
        let message = refusal(bytes);
        assert!(message.contains(said), "{message}");
        assert!(message.contains("; "), "{message} has a remedy");
    }
}

#[test]
fn a_path_of_endless_splits_is_refused() {
    let nodes = 2001;
    let join = |number: &dyn Fn(usize) -> i64| {
        (0..nodes).map(|node| number(node).to_string()).collect::<Vec<_>>().join(",")
    };
    let inner = |node: usize| node.is_multiple_of(2) && node + 2 < nodes;
    let left = join(&|node| if inner(node) { node as i64 + 1 } else { -1 });
    let right = join(&|node| if inner(node) { node as i64 + 2 } else { -1 });
    let zeros = join(&|_| 0);
    let tree = format!(
        "{{\"left_children\":[{left}],\"right_children\":[{right}],\"split_indices\":[{zeros}],\
         \"split_conditions\":[{zeros}],\"default_left\":[{zeros}]}}"
    );
    let good = text("xgboost.json");
    let (head, _) = good.split_once("\"trees\":[").unwrap();
    let (_, tail) = good.split_once("]},\"name\":\"gbtree\"").unwrap();
    let message =
        read(&format!("{head}\"trees\":[{tree}]}},\"name\":\"gbtree\"{tail}")).unwrap_err();
    assert!(message.to_string().contains("tree 0: is more than 500 splits deep"), "{message}");
}
