//! From a table to a model: encode, train, measure.

use super::{Model, ModelKind, Origin, Quality, TrainSettings, Training, train};
use crate::data::{Dataset, Encoder};
use crate::{Result, memory};

impl Model {
    /// Trains a model on a table.
    pub fn fit(training: &Dataset, kind: ModelKind, settings: &TrainSettings) -> Result<Self> {
        let encoder = Encoder::new(&training.schema);
        // Encoded, and once more as the trainers arrange them.
        let bytes = 2 * memory::of_rows(training.len(), encoder.width());
        memory::check_training(|| format!("training on {} rows", training.len()), bytes)?;
        let rows: Vec<Vec<f64>> =
            training.records.iter().map(|record| encoder.encode(record)).collect();
        let binary: Vec<bool> = encoder.columns().iter().map(|column| column.binary).collect();
        let checked = Training::new(&rows, &training.favourable, &binary)?;
        let classifier = train(kind, &checked, settings)?;
        let settings = TrainSettings { depth: Some(settings.depth_of(kind)), ..settings.clone() };
        Ok(Self {
            origin: Origin::Trained { kind, settings },
            schema_name: training.schema.name.clone(),
            schema_fingerprint: training.schema.fingerprint(),
            columns: encoder.columns().iter().map(|column| column.name.clone()).collect(),
            quality: None,
            classifier,
        })
    }

    /// How well the model does on a table, favourable being the positive class.
    pub fn measure(&self, held_out: &Dataset) -> Quality {
        let encoder = Encoder::new(&held_out.schema);
        let accepts = |record| self.classifier.accepts(&encoder.encode(record));
        let decisions: Vec<bool> = held_out.records.iter().map(|r| accepts(r.as_slice())).collect();
        Quality::measure(&decisions, &held_out.favourable)
    }
}
