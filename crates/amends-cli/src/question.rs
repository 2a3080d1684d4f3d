//! What `explain`, `instance` and `audit` are asked: this model, these costs.

use amends::explain::{ExplainSettings, Explainer};
use amends::model::Model;

use crate::args::QuestionArgs;
use crate::setup::{explain_settings, goal, import_settings, train_settings};
use crate::source::Source;

/// The model and the costs, on a table; `check` may refuse the costs before the work is done.
pub fn fit(
    source: &Source,
    args: &QuestionArgs,
    check: impl FnOnce(&ExplainSettings) -> amends::Result<()>,
) -> amends::Result<(Model, Explainer)> {
    let training = train_settings(&args.training, args.data.seed)?;
    let imports = import_settings(&args.model)?;
    let mut costs = explain_settings(&args.cost, &source.table.dataset.schema)?;
    check(&costs)?;
    let model = source.model(&args.model.model, &training, &imports)?;
    costs.goal = goal(&args.wishes, &model.origin)?;
    let explainer = source.table.explainer(&model, &costs)?;
    Ok((model, explainer))
}
