//! The model that decides: trained now, or read from a file.

use std::path::Path;

use amends::import::{ImportSettings, Loaded, load_model};
use amends::model::{Model, ModelKind, Origin, TrainSettings};
use amends::{InputError, Result};

use super::Source;

impl Source {
    /// A model file, whoever wrote it, or a model trained now.
    pub fn model(
        &self,
        name: &str,
        settings: &TrainSettings,
        imports: &ImportSettings,
    ) -> Result<Model> {
        if let Ok(kind) = name.parse::<ModelKind>() {
            return self.table.train(kind, settings);
        }
        if !Path::new(name).exists() {
            return Err(InputError::new("is neither a kind of model nor a file")
                .at("--model")
                .value(name)
                .remedy(
                    "use lr, svm, rf or gb, or the path of a file that `amends train`, XGBoost or LightGBM wrote",
                )
                .into());
        }
        let Loaded { model, notes } = load_model(name, &self.table.dataset.schema, imports)?;
        for note in notes {
            eprintln!("note: {name}: {note}");
        }
        if matches!(model.origin, Origin::Imported { .. }) {
            self.warn_if_mostly_wrong(name, &model);
        }
        Ok(model)
    }

    /// A model that is mostly wrong may have been read the wrong way round, or on other columns.
    fn warn_if_mostly_wrong(&self, name: &str, model: &Model) {
        let accuracy = model.measure(&self.table.dataset).accuracy;
        if accuracy < 0.5 {
            eprintln!(
                "note: {name}: only {:.0} % of its decisions agree with the table's outcomes; if that \
                 is a surprise, check --class-one, and that its columns mean what the schema's do",
                100.0 * accuracy
            );
        }
    }
}
