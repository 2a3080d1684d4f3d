//! A table split into rows to train on and rows held out, and what is fitted on them.

use amends::data::Dataset;
use amends::explain::{ExplainSettings, Explainer};
use amends::model::{Model, ModelKind, Split, TrainSettings, holdout};
use amends::reasons::ReasonGroup;
use amends::{InputError, Result, Setting};

/// A table, split.
#[derive(Debug, Clone)]
pub struct SplitTable {
    /// The table's file, or the data set's name.
    pub name: String,
    /// All rows.
    pub dataset: Dataset,
    /// Which of them are for training, and which are held out.
    pub split: Split,
}

impl SplitTable {
    /// Holds out a share of the rows, drawn by the seed.
    pub fn new(dataset: Dataset, name: &str, test_share: f64, seed: u64) -> Result<Self> {
        if !(0.0..1.0).contains(&test_share) {
            return Err(InputError::new("must be at least 0 and less than 1")
                .setting(Setting::TestShare)
                .value(test_share)
                .remedy("give a number such as 0.25, or 0 to keep all rows")
                .into());
        }
        let split = holdout(dataset.len(), test_share, seed);
        let table = Self { name: name.to_owned(), dataset, split };
        table.check_training_rows()?;
        Ok(table)
    }

    /// Small tables may leave one outcome, or nothing, to learn from.
    fn check_training_rows(&self) -> Result<()> {
        let train = &self.split.train;
        let good = train.iter().filter(|&&row| self.dataset.favourable[row]).count();
        if good > 0 && good < train.len() {
            return Ok(());
        }
        let target = &self.dataset.schema.target;
        let missing = if good == 0 { &target.favourable } else { &target.unfavourable };
        Err(InputError::new(format!(
            "none of the {} rows that are left to train on has the outcome `{missing}`",
            train.len()
        ))
        .file(&self.name)
        .column(&target.column)
        .remedy("add rows, hold out fewer, or draw others with another seed")
        .remedy_setting(Setting::TestShare)
        .remedy_setting(Setting::Seed)
        .into())
    }

    /// Fits distances, densities and ranges on the training rows.
    pub fn explainer(&self, model: &Model, costs: &ExplainSettings) -> Result<Explainer> {
        let fitted = Explainer::fit(&self.dataset.part(&self.split.train), model, costs);
        fitted.map_err(|error| error.in_file(format!("{} (training rows)", self.name)))
    }

    /// Compares rejected applicants with a group of the training rows.
    pub fn with_reason_group(&self, explainer: Explainer, group: ReasonGroup) -> Result<Explainer> {
        let fitted = explainer.with_reason_group(group, &self.dataset.part(&self.split.train));
        fitted.map_err(|error| error.in_file(format!("{} (training rows)", self.name)))
    }

    /// Trains a model on the training rows and measures it on the others.
    pub fn train(&self, kind: ModelKind, settings: &TrainSettings) -> Result<Model> {
        self.dataset.check_features_vary().map_err(|error| error.file(&self.name))?;
        let mut model = Model::fit(&self.dataset.part(&self.split.train), kind, settings)
            .map_err(|error| error.in_file(&self.name))?;
        let held_out = &self.split.test;
        model.quality = (!held_out.is_empty()).then(|| model.measure(&self.dataset.part(held_out)));
        Ok(model)
    }

    /// The first rejected applicants of the held-out rows, in the table's order, as indices of records.
    pub fn rejected(&self, explainer: &Explainer, count: usize) -> Vec<usize> {
        self.rejected_among(&self.split.test, explainer).take(count).collect()
    }

    /// As [`SplitTable::rejected`], followed by those of the training rows where too few are held out.
    pub fn rejected_anywhere(&self, explainer: &Explainer, count: usize) -> Vec<usize> {
        let held_out = self.rejected_among(&self.split.test, explainer);
        held_out.chain(self.rejected_among(&self.split.train, explainer)).take(count).collect()
    }

    fn rejected_among<'a>(
        &'a self,
        rows: &[usize],
        explainer: &'a Explainer,
    ) -> impl Iterator<Item = usize> + use<'a> {
        let records = &self.dataset.records;
        in_order(rows).into_iter().filter(move |&index| !explainer.accepts(&records[index]))
    }
}

/// Indices of records in the table's order.
pub fn in_order(indices: &[usize]) -> Vec<usize> {
    let mut indices = indices.to_vec();
    indices.sort_unstable();
    indices
}
