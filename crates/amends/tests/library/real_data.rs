//! The embedded and imported data against the tables of DACE's published experiments.

use crate::common::real_data::real_data;
use std::collections::HashMap;

use crate::common::read_applicants;
use amends::data::{Dataset, Encoder, HelocCodes, Schema, Table, draft};

#[test]
#[ignore = "needs the data sets: make test-data"]
fn german_encodes_to_daces_table_column_by_column() {
    let path = real_data("german_onehot.csv");
    let table = Table::read(path).unwrap();
    let data = Dataset::german_free();
    let encoder = Encoder::new(&data.schema);
    let target = table.column("Default").unwrap();
    assert_eq!(table.rows.len(), data.len());
    assert_eq!(table.header.len(), encoder.width() + 1);
    for (index, cells) in table.rows.iter().enumerate() {
        let mut numbers: Vec<f64> = cells.iter().map(|cell| cell.parse().unwrap()).collect();
        let bad = numbers.remove(target) == 1.0;
        assert_eq!(data.favourable[index], !bad, "row {}", index + 1);
        assert_eq!(encoder.encode(&data.records[index]), numbers, "row {}", index + 1);
    }
}

#[test]
#[ignore = "needs the data sets: make test-data"]
fn german_labels_are_ucis_codes_cell_by_cell() {
    let path = real_data("german_raw.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let ours =
        Table::parse(include_str!("../../src/data/german/german.csv"), "german.csv").unwrap();
    let mut labels = HashMap::new();
    for (row, line) in text.lines().enumerate() {
        for (column, code) in line.split(',').enumerate() {
            let cell = &ours.rows[row][column];
            if code.starts_with('A') || column == 20 {
                let label = *labels.entry((column, code.to_owned())).or_insert(cell);
                assert_eq!(label, cell, "row {}: a code has two labels", row + 1);
            } else {
                assert_eq!(cell, code, "row {}", row + 1);
            }
        }
    }
    // 54 codes and 2 outcomes, and no two of a column share a label.
    let mut different: Vec<(usize, &String)> =
        labels.iter().map(|(key, label)| (key.0, *label)).collect();
    different.sort_unstable();
    different.dedup();
    assert_eq!((labels.len(), different.len()), (56, 56));
}

#[test]
#[ignore = "needs the data sets: make test-data"]
fn heloc_raw_with_zeros_is_daces_table() {
    let (raw, zeroed) = (real_data("heloc_raw.csv"), real_data("heloc_zeroed.csv"));
    let from_raw = Dataset::heloc(&raw, HelocCodes::Zero).unwrap();
    assert_eq!(from_raw.len(), 9871);
    assert_eq!(from_raw.schema.features.len(), 23);
    let from_zeroed = Dataset::heloc(&zeroed, HelocCodes::Zero).unwrap();
    assert!(from_raw.records == from_zeroed.records, "the two forms differ");
    assert!(from_raw.favourable == from_zeroed.favourable, "the two forms' outcomes differ");

    let complete = Dataset::heloc(&raw, HelocCodes::Drop).unwrap();
    println!("{} rows have no code", complete.len());
    assert!(complete.len() < from_raw.len());
    assert!(Dataset::heloc(&zeroed, HelocCodes::Drop).is_err());
}

#[test]
#[ignore = "needs the data sets: make test-data"]
fn schemas_of_unknown_tables_are_guessed_well_enough_to_read_them() {
    for (name, target, favourable) in [
        ("wine.csv", "Quality", Some("1")),
        ("diabetes.csv", "DiseaseProgression", Some("0")),
        ("heloc_raw.csv", "RiskPerformance", None),
        ("taiwan_credit.csv", "will_default_next_month", Some("0")),
    ] {
        let table = Table::read(real_data(name)).unwrap();
        let draft = draft(&table, name, target, favourable).unwrap();
        let schema = Schema::parse(&draft.to_toml(), name).unwrap();
        assert_eq!(schema, draft.schema);
        let data = Dataset::from_table(&table, &schema).unwrap();
        let encoder = Encoder::new(&schema);
        for record in &data.records {
            assert_eq!(&encoder.decode(&encoder.encode(record)).unwrap(), record);
        }
        assert_eq!(read_applicants(&data.to_table(), &schema).unwrap(), data.records);
    }
}
