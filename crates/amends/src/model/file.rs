//! The model file: a trained classifier with what is needed to use it on the right table only.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::origin::OriginKeys;
use super::shape::MODEL;
use super::{Classifier, Library, Link, ModelKind, Origin, Quality, TrainSettings};
use crate::data::Schema;
use crate::shape::{Shape, required};
use crate::{Error, InputError, Result, Setting, draft_of};

/// The version of the model file that this program writes and reads.
const MODEL_VERSION: u32 = 1;
const FORMAT: &str = "amends-model";

/// A trained classifier and where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Model {
    /// Where it comes from.
    #[serde(flatten)]
    pub origin: Origin,
    /// The name of the schema whose rows it scores.
    pub schema_name: String,
    /// The fingerprint of that schema.
    pub schema_fingerprint: String,
    /// The encoded columns, by name and in the classifier's order.
    pub columns: Vec<String>,
    /// How well it did on rows that it was not trained on, where that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quality: Option<Quality>,
    /// The classifier.
    pub classifier: Classifier,
}

#[derive(Serialize)]
struct Stored<'a> {
    format: &'a str,
    version: u32,
    #[serde(flatten)]
    model: &'a Model,
}

/// What is read first: files of other formats and versions have other keys.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u64,
}

const HEADER: Shape =
    Shape::Open(&[required("format", &Shape::Text), required("version", &Shape::Count)]);

/// The file with all its keys, those of the origin one by one: only so can unknown ones be refused.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelFile {
    #[serde(rename = "format")]
    _format: String,
    #[serde(rename = "version")]
    _version: u64,
    kind: Option<ModelKind>,
    settings: Option<TrainSettings>,
    library: Option<Library>,
    link: Option<Link>,
    schema_name: String,
    schema_fingerprint: String,
    columns: Vec<String>,
    quality: Option<Quality>,
    classifier: Classifier,
}

impl Model {
    /// Writes the model. The file appears whole or not at all: it is written under
    /// another name in the same folder, then renamed.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        self.check().map_err(|error| error.in_file(path))?;
        let text = self.to_json().map_err(|error| Error::file(path, error))?;
        // A device or a pipe is written to; renaming a file over it would destroy it.
        if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            return fs::write(path, text).map_err(|error| Error::file(path, error));
        }
        write_whole(path, &text).map_err(|error| Error::file(path, error))
    }

    /// The text of the model's file.
    pub fn to_json(&self) -> io::Result<String> {
        let stored = Stored { format: FORMAT, version: MODEL_VERSION, model: self };
        Ok(serde_json::to_string(&stored)?)
    }

    /// Reads a model and checks that its parts belong together.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let text = fs::read_to_string(path).map_err(|error| Error::file(path, error))?;
        Self::parse(&text).map_err(|error| error.in_file(path))
    }

    pub(crate) fn parse(text: &str) -> Result<Self> {
        let unreadable = |shape: &Shape, error: &serde_json::Error| {
            shape
                .explain(text, error)
                .or_remedy("give a file written by `amends train`, or train again")
        };
        let header: Header =
            serde_json::from_str(text).map_err(|error| unreadable(&HEADER, &error))?;
        if header.format != FORMAT {
            return Err(InputError::new("is not the format of a model file")
                .at("format")
                .value(header.format)
                .remedy("give a file written by `amends train`")
                .into());
        }
        if header.version != u64::from(MODEL_VERSION) {
            return Err(InputError::new(format!(
                "is not the version that this program reads, which is {MODEL_VERSION}"
            ))
            .at("version")
            .value(header.version)
            .remedy("train again, or use the program that wrote the file")
            .into());
        }
        let file: ModelFile =
            serde_json::from_str(text).map_err(|error| unreadable(&MODEL, &error))?;
        let ModelFile { kind, settings, library, link, .. } = file;
        let model = Self {
            origin: OriginKeys { kind, settings, library, link }.try_into()?,
            schema_name: file.schema_name,
            schema_fingerprint: file.schema_fingerprint,
            columns: file.columns,
            quality: file.quality,
            classifier: file.classifier,
        };
        model.check()?;
        Ok(model)
    }

    fn check(&self) -> Result<()> {
        if let Origin::Trained { kind, .. } = self.origin {
            let fits = match &self.classifier {
                Classifier::Linear(_) => !kind.is_of_trees(),
                Classifier::Trees(_) => kind.is_of_trees(),
                Classifier::Mlp(_) | Classifier::Combined(_) => false,
            };
            if !fits {
                return Err(InputError::new("does not go with the classifier in the file")
                    .at("kind")
                    .value(kind)
                    .remedy("train again")
                    .into());
            }
        }
        self.classifier.check(self.columns.len())
    }

    /// Refuses a schema other than the one that the model was trained for.
    pub(crate) fn check_schema(&self, name: &str, fingerprint: &str) -> Result<()> {
        if self.schema_name == name && self.schema_fingerprint == fingerprint {
            return Ok(());
        }
        let ours = &self.schema_name;
        let problem = if ours == name {
            format!("was trained for another state of schema `{name}`, which has changed since")
        } else {
            format!("was trained for schema `{ours}` and can't be used with schema `{name}`")
        };
        let error = InputError::new(problem).at("model");
        let Some(reading) = heloc_reading(ours, name) else {
            return Err(error
                .remedy(format!(
                    "give the schema that the model was trained with, or train for `{name}`"
                ))
                .into());
        };
        Err(error
            .remedy(format!(
                "read HELOC's codes {reading}, as for the model, or train again with those as they are read now"
            ))
            .remedy_setting(Setting::SpecialCodes)
            .into())
    }
}

/// How HELOC's codes were read for a model with the one schema, where the other one is at hand.
fn heloc_reading(trained: &str, given: &str) -> Option<&'static str> {
    let [numbers, states] = [Schema::heloc().name, Schema::heloc_codes().name];
    if trained == numbers && given == states {
        Some("as zeros, or without the rows that have some (`zero`, `drop`)")
    } else if trained == states && given == numbers {
        Some("as states of their own (`state`)")
    } else {
        None
    }
}

/// Writes a file that appears whole or not at all.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let mut draft = draft_of(path)?;
    draft.write_all(text.as_bytes())?;
    // Without this a crash after the rename could leave an empty file under the final name.
    draft.as_file().sync_all()?;
    draft.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Linear, Sums, Tree, TreeEnsemble};
    use crate::shape::tests::{assert_plain, spoilt};

    fn trained(kind: ModelKind) -> Origin {
        let settings = TrainSettings { seed: u64::MAX, ..TrainSettings::default() };
        Origin::Trained { kind, settings }
    }

    fn model() -> Model {
        Model {
            origin: trained(ModelKind::LinearSvm),
            schema_name: "german".into(),
            schema_fingerprint: "a1b2".into(),
            columns: vec!["age".into(), "housing: own".into()],
            quality: None,
            // Numbers that a careless writer of decimals would not bring back.
            classifier: Classifier::Linear(Linear {
                weights: vec![0.1 + 0.2, -5e-324],
                intercept: 1.0 / 3.0,
            }),
        }
    }

    fn forest() -> Model {
        let leaf = Tree {
            feature: vec![-1],
            threshold: vec![0.0],
            left: vec![-1],
            right: vec![-1],
            value: vec![0.7 / 3.0],
        };
        let classifier = Classifier::Trees(TreeEnsemble {
            threshold: 0.5,
            sums: Sums::Double,
            trees: vec![leaf].into(),
        });
        let quality =
            Some(Quality { accuracy: 0.7, precision: Some(0.8), recall: None, f1: Some(0.85) });
        Model { origin: trained(ModelKind::RandomForest), quality, classifier, ..model() }
    }

    fn boosted() -> Model {
        Model { origin: trained(ModelKind::GradientBoosting), ..forest() }
    }

    #[test]
    fn a_saved_model_comes_back_exactly_and_leaves_no_draft() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.json");
        let imported = Origin::Imported { library: Library::LightGbm, link: Link::LogOdds };
        let imported = Model { origin: imported, ..forest() };
        for model in [model(), forest(), boosted(), imported] {
            model.save(&path).unwrap();
            assert_eq!(Model::load(&path).unwrap(), model);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_failed_save_leaves_nothing_behind_and_keeps_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let occupied = folder.path().join("model.json");
        // A folder of the same name makes the rename fail after the draft was written.
        fs::create_dir_all(occupied.join("kept")).unwrap();
        let error = model().save(&occupied).unwrap_err().to_string();
        assert!(error.contains("model.json"), "{error}");
        assert!(occupied.join("kept").is_dir());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);

        let broken = Classifier::Linear(Linear { weights: vec![f64::NAN, 0.0], intercept: 0.0 });
        let path = folder.path().join("broken.json");
        assert!(Model { classifier: broken, ..model() }.save(&path).is_err());
        assert!(!path.exists());
    }

    #[test]
    fn other_files_and_versions_are_refused_with_a_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.json");
        model().save(&path).unwrap();
        let good = fs::read_to_string(&path).unwrap();
        let refusal = |from: &str, to: &str| {
            assert!(good.contains(from), "{from} is in the file");
            fs::write(&path, good.replacen(from, to, 1)).unwrap();
            Model::load(&path).unwrap_err().to_string()
        };
        let version = refusal("\"version\":1", "\"version\":2");
        assert!(version.contains("version: `2` is not the version") && version.contains("is 1;"));
        assert!(refusal("amends-model", "pmml").contains("format: `pmml`"));
        assert!(refusal("linear-svm", "random-forest").contains("kind: `random forest`"));
        let boosted = refusal("linear-svm", "gradient-boosting");
        assert!(boosted.contains("kind: `gradient boosting` does not go with"), "{boosted}");
        assert!(refusal("[\"age\",", "[").contains("2 weights, but a row has 1 columns"));
        let mistyped = refusal("\"weights\"", "\"wights\"");
        assert!(
            mistyped.contains("classifier: `wights` is not a known key; did you mean `weights`?"),
            "{mistyped}"
        );
        let unknown = refusal("{", "{\"treshold\":0.5,");
        assert!(unknown.contains("model.json: `treshold` is not a known key"), "{unknown}");
        let settings = refusal("\"seed\":", "\"seat\":1,\"seed\":");
        assert!(settings.contains("settings: `seat` is not a known key"), "{settings}");
        assert!(refusal("{", "").contains("model.json: is not valid JSON"));
        let absent = Model::load(folder.path().join("absent.json")).unwrap_err().to_string();
        assert!(absent.contains("absent.json"), "{absent}");
    }

    #[test]
    fn whatever_is_wrong_with_a_file_is_said_in_the_words_of_the_format() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.json");
        let imported = Origin::Imported { library: Library::LightGbm, link: Link::LogOdds };
        for model in [model(), forest(), Model { origin: imported, ..forest() }] {
            model.save(&path).unwrap();
            let good = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            assert_eq!(MODEL.flaw(&good), None);
            for bad in spoilt(&good) {
                if let Err(error) = Model::parse(&bad.to_string()) {
                    assert_plain(&error.to_string());
                }
            }
        }
    }

    #[test]
    fn another_schema_is_refused_with_both_names() {
        let model = model();
        assert!(model.check_schema("german", "a1b2").is_ok());
        let other = model.check_schema("heloc", "c3d4").unwrap_err().to_string();
        assert!(other.contains("`german`") && other.contains("`heloc`"), "{other}");
        let changed = model.check_schema("german", "c3d4").unwrap_err().to_string();
        assert!(changed.contains("changed since"), "{changed}");
    }

    /// The two schemas of HELOC come from one flag, which is what a user can change.
    #[test]
    fn of_heloc_the_reading_of_codes_is_named() {
        for (trained, given, part) in
            [("heloc", "heloc-codes", "`zero`"), ("heloc-codes", "heloc", "`state`")]
        {
            let model = Model { schema_name: trained.into(), ..model() };
            let refusal = model.check_schema(given, "c3d4").unwrap_err();
            let flag = |setting| (setting == Setting::SpecialCodes).then_some("--heloc-codes");
            let message = refusal.message(flag);
            assert!(message.contains(part) && message.ends_with("(--heloc-codes)"), "{message}");
        }
    }
}
