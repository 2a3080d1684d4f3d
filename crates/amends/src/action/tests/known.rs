//! Options against those of independently made instances on the real data, where those are at hand.

use crate::real_data::real_data;
use std::path::Path;

use crate::action::Ranges;
use crate::action::limited::options::options;
use crate::data::{Change, Dataset, Encoder, HelocCodes, Record, Value};
use crate::model::Classifier;
use serde::Deserialize;

#[derive(Deserialize)]
struct Instance {
    x: Vec<f64>,
    features: Vec<InstanceFeature>,
    classifier: Classifier,
}

#[derive(Deserialize)]
struct InstanceFeature {
    name: String,
    options: Vec<Vec<f64>>,
}

fn instances(folder: &Path, prefix: &str) -> Vec<(String, Instance)> {
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let named = files.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), path));
    let chosen = named.filter(|(name, _)| name.starts_with(prefix));
    chosen
        .map(|(name, path)| {
            let text = std::fs::read_to_string(path).unwrap();
            (name, serde_json::from_str(&text).unwrap())
        })
        .collect()
}

/// The split thresholds per column.
fn cut_points(classifier: &Classifier, columns: usize) -> Option<Vec<Vec<f64>>> {
    let Classifier::Trees(ensemble) = classifier else { return None };
    let mut cuts = vec![Vec::new(); columns];
    for tree in ensemble.trees.iter() {
        for node in (0..tree.feature.len()).filter(|&node| !tree.is_leaf(node)) {
            cuts[usize::try_from(tree.feature[node]).unwrap()].push(tree.threshold[node]);
        }
    }
    Some(cuts)
}

/// The ends of a linear instance's options: it was made from a training split that is not at hand.
fn ends(instance: &Instance, applicant: &Record) -> [Record; 2] {
    let end = |pick: fn(&[Vec<f64>]) -> &Vec<f64>| {
        let values = applicant.iter().zip(&instance.features).map(|(&own, feature)| match own {
            Value::Number(own) => Value::Number(own + pick(&feature.options)[0]),
            other => other,
        });
        values.collect()
    };
    [end(|options| &options[0]), end(|options| &options[options.len() - 1])]
}

/// Compares the numeric options of every instance whose name starts so, and counts the features compared.
fn compare(mut data: Dataset, folder: &Path, prefix: &str) -> usize {
    for feature in &mut data.schema.features {
        feature.change = Change::Free;
    }
    let encoder = Encoder::new(&data.schema);
    let mut compared = 0;
    for (name, instance) in instances(folder, prefix) {
        let applicant = encoder.decode(&instance.x).unwrap();
        let cuts = cut_points(&instance.classifier, encoder.width());
        let ranges = match &cuts {
            Some(_) => Ranges::fit(&data.schema, &data.records),
            None => Ranges::fit(&data.schema, &ends(&instance, &applicant)),
        };
        let ours =
            options(&data.schema, &ranges.unwrap(), &applicant, cuts.as_deref(), 100).unwrap();
        for (index, theirs) in instance.features.iter().enumerate() {
            let Value::Number(own) = applicant[index] else { continue };
            let values = &ours[index].values;
            let changes: Vec<f64> =
                values.iter().map(|&value| encoder.encode_value(index, value)[0] - own).collect();
            let theirs_changes: Vec<f64> = theirs.options.iter().map(|option| option[0]).collect();
            assert_eq!(changes, theirs_changes, "{name}: {}", theirs.name);
            compared += 1;
        }
    }
    compared
}

#[test]
#[ignore = "needs the data sets: make test-data"]
fn german_instances_have_our_options() {
    assert!(compare(Dataset::german_free(), &real_data("../cases"), "german") > 0);
}

#[test]
#[ignore = "needs the data sets: make test-data"]
fn heloc_instances_have_our_options() {
    let data = Dataset::heloc(real_data("heloc_zeroed.csv"), HelocCodes::Zero).unwrap();
    assert!(compare(data, &real_data("../cases"), "heloc") > 0);
}
