//! The table behind a command, split, and the model that decides on it.

use amends::data::{HelocCodes, Table};
use amends::explain::{ExplainSettings, Explainer};
use amends::import::{Loaded, load_model};
use amends::model::{Model, Origin};
use amends::{InputError, Result};
use amends_run::SplitTable;

use crate::args::{AnswerSettings, DataChoice, ModelChoice, Setup, TableChoice};
use crate::tables::{LoadedTable, load_dataset};

/// A table as the command line names it, split.
pub struct Source {
    pub table: SplitTable,
    /// How HELOC's codes were read, where it is HELOC.
    heloc_codes: Option<HelocCodes>,
}

impl Source {
    pub fn load(choice: &DataChoice) -> Result<Self> {
        Self::load_with_table(choice).map(|(source, _)| source)
    }

    /// With the raw table, which may have columns that the schema does not name; its rows are all of the file's.
    pub fn load_with_table(choice: &DataChoice) -> Result<(Self, Table)> {
        let LoadedTable { dataset, raw, heloc_codes } = load_dataset(&choice.table)?;
        let name = match &choice.table {
            TableChoice::German(_) => dataset.schema.name.clone(),
            TableChoice::Heloc { path, .. } | TableChoice::File { path, .. } => {
                path.display().to_string()
            }
        };
        let table = SplitTable::new(dataset, &name, choice.test_share, choice.seed)?;
        Ok((Self { table, heloc_codes }, raw))
    }

    /// How HELOC's codes were read, where it is HELOC.
    pub fn heloc_codes(&self) -> Option<HelocCodes> {
        self.heloc_codes
    }

    /// The model and the costs, fitted; `check` may refuse the costs before the work is done.
    pub fn fit(
        &self,
        setup: &Setup,
        check: impl FnOnce(&ExplainSettings) -> Result<()>,
    ) -> Result<(Model, Explainer)> {
        let mut costs = setup.costs(&self.table.dataset.schema.name)?;
        check(&costs)?;
        let model = self.model(setup)?;
        costs.goal = setup.requirements.goal(&model.origin)?;
        costs.check()?;
        let explainer = self.table.explainer(&model, &costs)?;
        Ok((model, explainer))
    }

    /// The same for questions that are answered, with the group that reasons refer to.
    pub fn fit_for(&self, answers: &AnswerSettings) -> Result<(Model, Explainer)> {
        let (model, explainer) =
            self.fit(&answers.question.setup, |costs| answers.engine.check_cost(costs))?;
        let explainer = match answers.reasons {
            Some(reasons) => self.table.with_reason_group(explainer, reasons.group)?,
            None => explainer,
        };
        Ok((model, explainer))
    }

    /// A model trained now, or read from a file.
    fn model(&self, setup: &Setup) -> Result<Model> {
        let (name, imports) = match &setup.model {
            ModelChoice::Trained(kind) => return self.table.train(*kind, &setup.training),
            ModelChoice::File { name, imports } => (name, imports),
        };
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

/// Refuses a table without held-out rows, for commands that are about those.
pub fn check_held_out(table: &SplitTable, remedy: &str) -> Result<()> {
    if !table.split.test.is_empty() {
        return Ok(());
    }
    Err(InputError::new("holds out no rows").at("--test-share").value(0).remedy(remedy).into())
}
