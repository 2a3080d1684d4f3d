//! Applicants whose only plan can be found with pencil and paper.

use crate::common::read_applicants;
use amends::data::{Dataset, Encoder, Schema, Table};
use amends::engine::Control;
use amends::model::{Classifier, Layer, Library, Linear, Link, Mlp, Model, Origin};
use amends::{Engine, ExplainSettings, Explainer, Preset, SolveSettings, Status};

const HEAD: &str = "version = 1\nname = \"known\"\n\
    [target]\ncolumn = \"ok\"\nfavourable = \"1\"\nunfavourable = \"0\"\n";

/// Features of a kind, by name, with further keys.
fn features(list: &[(&str, &str, &str)]) -> String {
    let one = |(name, kind, keys): &(&str, &str, &str)| {
        format!("[[feature]]\nname = \"{name}\"\nkind = \"{kind}\"\n{keys}\n")
    };
    HEAD.to_owned() + &list.iter().map(one).collect::<String>()
}

fn rules(list: &[&str]) -> String {
    let one = |rule: &&str| format!("[[rule]]\nrule = '{rule}'\n");
    list.iter().map(one).collect()
}

fn linear(weights: &[f64], intercept: f64) -> Classifier {
    Classifier::Linear(Linear { weights: weights.to_vec(), intercept })
}

/// Accepts where the first of some columns is within `reach` of `centre`.
fn only(centre: f64, reach: f64, columns: usize) -> Classifier {
    let weights = |sign: f64| {
        let first = [sign].into_iter();
        first.chain(std::iter::repeat_n(0.0, columns - 1)).collect::<Vec<f64>>()
    };
    let apart = Layer { weights: vec![weights(1.0), weights(-1.0)], bias: vec![-centre, centre] };
    let near = Layer { weights: vec![vec![-1.0, -1.0]], bias: vec![reach] };
    Classifier::Mlp(Mlp { layers: vec![apart, near] })
}

/// The changes of the plan that the library gives an applicant.
fn changes(schema: &str, rows: &str, classifier: Classifier, own: &str) -> Vec<(String, String)> {
    let schema = Schema::parse(schema, "known.toml").unwrap();
    let dataset = Dataset::from_table(&Table::parse(rows, "known.csv").unwrap(), &schema).unwrap();
    let columns = Encoder::new(&schema).columns().iter().map(|its| its.name.clone()).collect();
    let model = Model {
        origin: Origin::Imported { library: Library::ScikitLearn, link: Link::None },
        schema_name: schema.name.clone(),
        schema_fingerprint: schema.fingerprint(),
        columns,
        quality: None,
        classifier,
    };
    let mut settings = ExplainSettings::preset(Preset::Standard, "known");
    settings.k = 1;
    let explainer = Explainer::fit(&dataset, &model, &settings).unwrap();
    let header = rows.lines().next().unwrap();
    let table = Table::parse(&format!("{header}\n{own},0\n"), "own.csv").unwrap();
    let applicant = read_applicants(&table, &schema).unwrap().remove(0);
    let (solving, control) = (SolveSettings::default(), Control::default());
    let explanation = explainer.explain(&applicant, &Engine::Search, &solving, &control).unwrap();
    assert_eq!(explanation.status, Status::Optimal, "{own}");
    explanation.changes.into_iter().map(|change| (change.feature, change.after)).collect()
}

fn expect(found: &[(String, String)], expected: &[(&str, &str)]) {
    let found: Vec<(&str, &str)> =
        found.iter().map(|(name, after)| (name.as_str(), after.as_str())).collect();
    assert_eq!(found, expected);
}

#[test]
fn rates_with_one_decimal_come_down_to_a_tenth() {
    // 1 - 10 * rate is 0 at 0.1, and below 0 at every other rate of the table.
    let schema = features(&[("rate", "continuous", "")]);
    let rows = "rate,ok\n0.1,1\n0.2,1\n0.3,0\n0.4,0\n0.5,1\n0.6,0\n";
    for own in ["0.2", "0.3", "0.4", "0.5", "0.6", "0.77"] {
        let found = changes(&schema, rows, linear(&[-10.0], 1.0), own);
        expect(&found, &[("rate", "0.1")]);
    }
}

#[test]
fn one_whole_number_of_a_thousand() {
    let schema = features(&[("a", "integer", "")]);
    let rows = "a,ok\n0,0\n1000,1\n400,0\n500,1\n900,0\n";
    expect(&changes(&schema, rows, only(617.0, 0.0, 1), "3"), &[("a", "617")]);
}

#[test]
fn one_number_of_who_leaves_a_code() {
    let codes = "codes = [{ value = \"\", label = \"missing\", leave = true }]";
    let schema = features(&[("a", "continuous", codes)]);
    let rows = "a,ok\n0.01,0\n9.99,1\n4.5,0\n,0\n5.25,1\n";
    expect(&changes(&schema, rows, only(3.37, 0.001, 2), ""), &[("a", "3.37")]);
}

const PAIRS: &str = "a,b,ok\n0,0,0\n1000,3,1\n400,2,0\n500,3,1\n900,1,0\n20,1,0\n";

#[test]
fn an_equation_leaves_one_pair() {
    // a is 0, 301, 602 or 903.
    let schema = features(&[("a", "integer", ""), ("b", "integer", "")]);
    let schema = schema + &rules(&["must a = 301 * b"]);
    let found = changes(&schema, PAIRS, linear(&[1.0, 0.0], -900.0), "5,1");
    expect(&found, &[("a", "903"), ("b", "3")]);
}

const WIDE: &str = "a,b,ok\n0,0,0\n1000,1000,1\n400,2,0\n500,803,1\n900,1,0\n20,1,0\n";

#[test]
fn steps_of_five_and_three_meet_every_fifteen() {
    let schema = features(&[("a", "integer", "step = 5"), ("b", "integer", "step = 3")]);
    let schema = schema + &rules(&["a, b change together"]);
    // From 31 to 45: of 10, 25, 40 and 55, only 40.
    let found = changes(&schema, WIDE, only(38.0, 7.0, 2), "10,6");
    expect(&found, &[("a", "40"), ("b", "36")]);
}

#[test]
fn a_single_value_decides_a_joint_move() {
    let schema = features(&[("a", "integer", ""), ("b", "integer", "")]);
    let schema = schema + &rules(&["a, b change together", "must a is 995"]);
    let found = changes(&schema, WIDE, linear(&[1.0, 0.0], -900.0), "3,1");
    expect(&found, &[("a", "995"), ("b", "993")]);
}

#[test]
fn nothing_between_the_range_and_the_own_number_is_offered() {
    let schema = features(&[("a", "integer", "step = 100\nrange = [500, 8700]")]);
    let rows = "a,ok\n500,1\n9000,0\n8700,1\n700,1\n8900,0\n";
    // 8700 is the nearest of the range; 8800 would be accepted, too.
    for own in ["8800", "8900", "9000"] {
        let accepts = linear(&[-1.0], own.parse::<f64>().unwrap() - 50.0);
        expect(&changes(&schema, rows, accepts, own), &[("a", "8700")]);
    }
    let schema = features(&[("a", "integer", "step = 100\nrange = [8700, 9000]")]);
    for own in ["8400", "8500", "8600"] {
        let accepts = linear(&[1.0], -own.parse::<f64>().unwrap() - 50.0);
        expect(&changes(&schema, rows, accepts, own), &[("a", "8700")]);
    }
}

/// Large whole numbers and small decimals.
const LONG: &str = "a,b,ok\n100000000000,100,1\n100000000060,100.00001,0\n100000000047,100.000002,1\n\
    100000000057,100.000004,0\n100000000020,100.000008,1\n";

#[test]
fn the_eighteenth_digit_of_a_sum_decides() {
    // 3 * 100000000048 + 1.5 * 100.000004 - 300000000294 is 0.000006.
    let schema = features(&[("a", "integer", ""), ("b", "continuous", "change = \"immutable\"")]);
    for (limit, expected) in [
        ("3 * a + 1.5 * b - 300000000294 <= 0.000009", "100000000048"),
        ("3 * a + 1.5 * b <= 300000000294.000006", "100000000048"),
        ("3 * a + 1.5 * b - 300000000294 <= 0.000005", "100000000047"),
        ("3 * a + 1.5 * b <= 300000000294.000005", "100000000047"),
        ("never 3 * a + 1.5 * b >= 300000000294.000006", "100000000047"),
        ("never 3 * a + 1.5 * b >= 300000000294.000007", "100000000048"),
    ] {
        let schema = schema.clone() + &rules(&[limit]);
        let accepts = linear(&[-1.0, 0.0], 100_000_000_056.0);
        expect(&changes(&schema, LONG, accepts, "100000000057,100.000004"), &[("a", expected)]);
    }
}

#[test]
fn sums_that_64_bits_can_t_hold_are_exact() {
    // With a factor of 15 digits and numbers of 15 digits, nothing but the last of 30 digits decides.
    let schema = features(&[("a", "integer", ""), ("b", "integer", "change = \"immutable\"")]);
    let rows = "a,b,ok\n899999999999900,0,1\n900000000000000,1,0\n899999999999960,1,1\n\
        899999999999980,0,0\n899999999999990,1,1\n";
    for (limit, expected) in [
        // 1.00000000000001 * 900000000000000 = 900000000000009
        ("1.00000000000001 * a - b <= 899999999999999", "899999999999991"),
        ("1.00000000000001 * a - b <= 899999999999998.99999999999991", "899999999999991"),
        ("1.00000000000001 * a - b <= 899999999999998.9999999999999", "899999999999990"),
    ] {
        let schema = schema.clone() + &rules(&[limit]);
        let found = changes(
            &schema,
            rows,
            linear(&[-1.0, 0.0], 899_999_999_999_999.5),
            "900000000000000,1",
        );
        expect(&found, &[("a", expected)]);
    }
}
