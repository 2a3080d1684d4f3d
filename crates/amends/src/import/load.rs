//! Any model file: this program's own, XGBoost's, LightGBM's or CatBoost's, recognised by its content.

use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::xgboost_file::as_json;
use super::{
    Feed, ImportSettings, Library, Link, RawEnsemble, RawLinear, RawNetwork, RawTables, catboost,
    lightgbm, scorecard, xgboost,
};
use crate::data::{Encoder, Schema};
use crate::error::Large;
use crate::model::{Classifier, Combined, Model, Origin};
use crate::{Error, InputError, Result, memory};

/// A model that was read, with notes for its user.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// The model, over the schema's encoded columns.
    pub model: Model,
    /// Notes: what the file leaves open, and how it was decided.
    pub notes: Vec<String>,
}

/// A library's file that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The trees.
    pub raw: RawEnsemble,
    /// Notes: what the file leaves open, and how it was decided.
    pub notes: Vec<String>,
    /// The outcome that the model's class 1 stands for, where the file says it.
    pub class_one: Option<String>,
}

/// How XGBoost is asked for its predictions: with `dart`, the answers differ in the last digits of 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Asked {
    /// As `Booster.predict` asks, with a `DMatrix`.
    #[default]
    ByMatrix,
    /// As `XGBClassifier` and `Booster.inplace_predict` ask.
    InPlace,
}

/// The format of a file.
enum Format {
    Own,
    XgBoost,
    LightGbm,
    CatBoost,
    /// A scorecard in PMML.
    Pmml,
    /// A scorecard in CSV.
    Card,
}

/// The memory that reading takes, as a multiple of the file's size: up to 10 was measured, for trees of our own files.
const WHILE_READ: usize = 12;

/// Reads a model file for a schema, of this program or of another library.
pub fn load_model(
    path: impl AsRef<Path>,
    schema: &Schema,
    settings: &ImportSettings,
) -> Result<Loaded> {
    let path = path.as_ref();
    memory::check_file(path, WHILE_READ, Large::Model)?;
    let bytes = std::fs::read(path).map_err(|error| Error::file(path, error))?;
    parse_model(&bytes, schema, settings).map_err(|error| error.in_file(path))
}

fn parse_model(bytes: &[u8], schema: &Schema, settings: &ImportSettings) -> Result<Loaded> {
    let text = std::str::from_utf8(bytes).map_err(|_| {
        unknown("is not text").remedy(
            "of XGBoost and CatBoost save model.json, of LightGBM model.txt; pickles, UBJSON and .cbm are not read",
        )
    })?;
    let text = &*as_json(text);
    if let Format::Own = format(text)? {
        settings.refuse_for_own_file()?;
        let model = Model::parse(text)?;
        model.check_schema(&schema.name, &schema.fingerprint())?;
        return Ok(Loaded { model, notes: Vec::new() });
    }
    let card = match format(text)? {
        Format::Pmml => Some(scorecard::parse_pmml(text)?),
        Format::Card => Some(scorecard::parse_csv(text)?),
        _ => None,
    };
    if let Some(card) = card {
        let settings = settings.for_card(&schema.target);
        let model = Model::imported_tables(&card.tables(schema, &settings)?, schema, &settings)?;
        return Ok(Loaded { model, notes: card.notes });
    }
    settings.refuse_cutoff()?;
    let Reading { raw, notes, class_one } = read_library_model(text, Asked::default())?;
    let settings = settings.with_class_of_file(class_one, &schema.target)?;
    let model = Model::imported(&raw, schema, &settings)?;
    Ok(Loaded { model, notes })
}

/// Reads the text of a model that XGBoost, LightGBM or CatBoost saved.
pub fn read_library_model(text: &str, asked: Asked) -> Result<Reading> {
    let text = &*as_json(text);
    let reading = match format(text)? {
        Format::XgBoost => xgboost::parse(text, asked)?,
        Format::LightGbm => lightgbm::parse(text)?,
        Format::CatBoost => catboost::parse(text)?,
        Format::Pmml | Format::Card => {
            return Err(InputError::new("is a scorecard, which has no trees of its own")
                .remedy("load it with the schema of its table")
                .into());
        }
        Format::Own => {
            return Err(InputError::new("is a model of this program, not of another library")
                .remedy("give it as it is, with the schema that it was trained for")
                .into());
        }
    };
    reading.raw.check()?;
    Ok(reading)
}

impl Model {
    /// A model of another library over the encoded columns of a schema.
    pub fn imported(raw: &RawEnsemble, schema: &Schema, settings: &ImportSettings) -> Result<Self> {
        let origin = origin(raw.library, raw.link, schema, settings)?;
        Self::of(origin, Classifier::Trees(raw.lower(schema, settings)?), schema)
    }

    /// Trees of another library behind a pipeline: one feed per column of its trees.
    pub fn imported_fed(
        raw: &RawEnsemble,
        feeds: &[Feed],
        schema: &Schema,
        settings: &ImportSettings,
    ) -> Result<Self> {
        let origin = origin(raw.library, raw.link, schema, settings)?;
        let trees = raw.lower_fed(feeds, schema, settings)?;
        Self::of(origin, Classifier::Trees(trees), schema)
    }

    /// A linear model of another library, its pipeline folded into the weights; behind scalers that cut numbers off, a network.
    pub fn imported_linear(
        raw: &RawLinear,
        schema: &Schema,
        settings: &ImportSettings,
    ) -> Result<Self> {
        if raw.is_cut_off() {
            return Self::imported_network(&RawNetwork::from(raw), schema, settings);
        }
        let origin = origin(raw.library, raw.link, schema, settings)?;
        Self::of(origin, Classifier::Linear(raw.fold(schema, settings)?), schema)
    }

    /// A sum of step functions of another library, a tree per feature.
    pub fn imported_tables(
        raw: &RawTables,
        schema: &Schema,
        settings: &ImportSettings,
    ) -> Result<Self> {
        let origin = origin(raw.library, raw.link, schema, settings)?;
        Self::of(origin, Classifier::Trees(raw.lower(schema, settings)?), schema)
    }

    /// A neural network of another library, its pipeline folded into the weights of the first layer.
    pub fn imported_network(
        raw: &RawNetwork,
        schema: &Schema,
        settings: &ImportSettings,
    ) -> Result<Self> {
        let origin = origin(raw.library, raw.link, schema, settings)?;
        Self::of(origin, Classifier::Mlp(raw.fold(schema, settings)?), schema)
    }

    /// A combination of classifiers over the schema's encoded columns, such as those of models that were imported for it.
    pub fn combined(
        library: Library,
        link: Link,
        combined: Combined,
        schema: &Schema,
    ) -> Result<Self> {
        Self::of(Origin::Imported { library, link }, Classifier::Combined(combined), schema)
    }

    fn of(origin: Origin, classifier: Classifier, schema: &Schema) -> Result<Self> {
        let encoder = Encoder::new(schema);
        classifier.check(encoder.width())?;
        Ok(Self {
            origin,
            schema_name: schema.name.clone(),
            schema_fingerprint: schema.fingerprint(),
            columns: encoder.columns().iter().map(|column| column.name.clone()).collect(),
            quality: None,
            classifier,
        })
    }
}

/// Where a model comes from; the link of a file is that of its class 1.
fn origin(
    library: Library,
    link: Link,
    schema: &Schema,
    settings: &ImportSettings,
) -> Result<Origin> {
    let favourable = settings.one_is_favourable(&schema.target)?;
    Ok(Origin::Imported { library, link: if favourable { link } else { link.turned() } })
}

fn unknown(problem: &str) -> InputError {
    InputError::new(format!("is not a model file that can be read: it {problem}"))
}

fn format(text: &str) -> Result<Format> {
    #[derive(Deserialize)]
    struct Keys {
        format: Option<IgnoredAny>,
        learner: Option<IgnoredAny>,
        tree_info: Option<IgnoredAny>,
        features_info: Option<IgnoredAny>,
    }
    const HOW: &str = "give a file that `amends train` wrote, XGBoost's \
                       booster.save_model(\"model.json\"), LightGBM's booster.save_model(\"model.txt\") or \
                       CatBoost's model.save_model(\"model.json\", format=\"json\"), or a scorecard in PMML or CSV";
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.lines().next().is_some_and(|line| line.trim_end() == "tree") {
        return Ok(Format::LightGbm);
    }
    if text.starts_with('<') {
        return Ok(Format::Pmml);
    }
    if scorecard::is_card(text) {
        return Ok(Format::Card);
    }
    if text.starts_with('[') {
        let list = unknown("is a list, perhaps of dump_model");
        return Err(list.remedy("save the model with save_model, which keeps all of it").into());
    }
    let keys: Keys = match serde_json::from_str(text) {
        Ok(keys) => keys,
        Err(error) if text.starts_with('{') => {
            return Err(unknown(&format!("is broken JSON ({error})")).remedy(HOW).into());
        }
        Err(_) => {
            return Err(unknown("is neither JSON nor a text of LightGBM").remedy(HOW).into());
        }
    };
    match keys {
        Keys { format: Some(_), .. } => Ok(Format::Own),
        Keys { learner: Some(_), .. } => Ok(Format::XgBoost),
        Keys { features_info: Some(_), .. } => Ok(Format::CatBoost),
        Keys { tree_info: Some(_), .. } => {
            let dump = unknown("is LightGBM's dump_model");
            Err(dump.remedy("save the model with booster.save_model(\"model.txt\")").into())
        }
        _ => Err(unknown("is JSON of another kind").remedy(HOW).into()),
    }
}
