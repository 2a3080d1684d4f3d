//! What is served: a model, everything that its applicants share, and the rows that it was fitted on.

use std::sync::Arc;

use amends::data::{Dataset, Record, Rule, Schema, Table};
use amends::explain::{Explainer, Wishes};
use amends::model::Model;
use amends::provenance::Provenance;
use amends::{Engine, InputError, Result};
use amends_report::Context;
use chrono::Utc;
use rayon::prelude::*;
use serde::Serialize;

use crate::letters::Letters;
use crate::receipts::Receipts;
use crate::table_columns::TableColumns;

/// What is served.
pub struct Service {
    pub(crate) model: Model,
    pub(crate) explainer: Arc<Explainer>,
    /// All rows of the table, those that were held out among them.
    pub(crate) dataset: Dataset,
    pub(crate) engine: Engine,
    /// How far from the optimum, relatively, a plan may be.
    pub(crate) gap: f64,
    /// The most principal reasons of a rejection.
    pub(crate) max_reasons: usize,
    /// How everybody may change: the explainer's schema, with the keys that were set for all.
    pub(crate) schema: Schema,
    /// Rules for everybody beside those of the schema.
    pub(crate) rules: Vec<Rule>,
    /// The model and the cost in sentences, and where the answers come from.
    pub(crate) context: Context,
    /// Where the answers come from.
    pub(crate) provenance: Provenance,
    /// Where the lender wants letters to be written.
    pub(crate) letters: Option<Letters>,
    /// Where the lender signs receipts.
    pub(crate) receipts: Option<Receipts>,
    /// The columns that people may be grouped by in audits.
    pub(crate) columns: TableColumns,
    /// The records that the model was not trained on, rising; empty where that is not known.
    pub(crate) held_out: Vec<usize>,
    /// What the model says of each row.
    pub(crate) decisions: Vec<Decision>,
}

/// What the model says of an application.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Decision {
    pub score: f64,
    pub probability: Option<f64>,
    pub accepted: bool,
}

impl Service {
    /// Serves this explainer of this model. `wishes` bind everybody, and the group that reasons refer to must be known
    /// ([`Explainer::with_reason_group`]).
    pub fn new(
        (model, explainer): (Model, Explainer),
        dataset: Dataset,
        wishes: &Wishes,
        provenance: &Provenance,
    ) -> Result<Self> {
        if dataset.schema.fingerprint() != explainer.schema().fingerprint() {
            return Err(InputError::new("has other features than the explainer was fitted on")
                .file(&dataset.schema.name)
                .remedy("serve the table that the model was trained on")
                .into());
        }
        let context = Context::of(&model, &explainer, provenance);
        let decide = |record| Decision::of(&explainer, record);
        let decisions = dataset.records.par_iter().map(decide).collect();
        Ok(Self {
            schema: wishes.schema(explainer.schema()).clone(),
            rules: wishes.rules.clone(),
            explainer: Arc::new(explainer),
            engine: Engine::Search,
            gap: amends::SolveSettings::default().relative_gap,
            max_reasons: amends::reasons::MAX_REASONS,
            model,
            context,
            provenance: provenance.clone(),
            letters: None,
            receipts: None,
            columns: TableColumns::of_features(&dataset.schema),
            held_out: Vec::new(),
            decisions,
            dataset,
        })
    }

    /// The same, solved by another engine and up to another relative gap.
    #[must_use]
    pub fn with_engine(mut self, engine: Engine, gap: f64) -> Self {
        (self.engine, self.gap) = (engine, gap);
        self
    }

    /// The same with another number of reasons at most.
    #[must_use]
    pub fn with_max_reasons(mut self, most: usize) -> Self {
        self.max_reasons = most;
        self
    }

    /// The same, which also writes letters of a lender.
    #[must_use]
    pub fn with_letters(mut self, letters: Letters) -> Self {
        self.letters = Some(letters);
        self
    }

    /// The same, which also signs receipts.
    #[must_use]
    pub fn with_receipts(mut self, receipts: Receipts) -> Self {
        self.receipts = Some(receipts);
        self
    }

    /// The same, whose audits can also group people by columns of the table that are no features. The rows of the data must have
    /// the numbers that they have in this table.
    pub fn with_table(mut self, table: &Table) -> Result<Self> {
        self.columns = self.columns.with_others(table, &self.dataset)?;
        Ok(self)
    }

    /// The same, where the model was not trained on these records: audits are about them unless they are asked for all.
    #[must_use]
    pub fn with_held_out(mut self, mut records: Vec<usize>) -> Self {
        records.retain(|&record| record < self.dataset.len());
        records.sort_unstable();
        records.dedup();
        self.held_out = records;
        self
    }

    /// Where an answer of this moment comes from.
    pub(crate) fn provenance_now(&self) -> Provenance {
        Provenance { date: Utc::now(), ..self.provenance.clone() }
    }

    /// The model that decides.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The record of a row by its number in the table, counted from 1, and its index.
    pub(crate) fn row(&self, number: usize) -> Option<(usize, &Record)> {
        let index = self.dataset.row_numbers.binary_search(&number).ok()?;
        Some((index, self.dataset.records.get(index)?))
    }
}

impl Decision {
    /// The decision on an application.
    pub fn of(explainer: &Explainer, record: &Record) -> Self {
        let score = explainer.score(record);
        let (probability, accepted) =
            (explainer.link().probability(score), explainer.accepts(record));
        Self { score, probability, accepted }
    }
}
