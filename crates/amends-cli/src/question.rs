//! What `explain`, `instance` and `audit` are asked: these applicants, this model, these costs.

use amends::explain::{ExplainSettings, Explainer};
use amends::model::Model;

use crate::args::QuestionArgs;
use crate::setup::{explain_settings, train_settings};
use crate::source::{Applicant, Source};

/// A question, ready to be answered.
pub struct Question {
    pub source: Source,
    pub model: Model,
    pub explainer: Explainer,
    pub applicants: Vec<Applicant>,
}

impl Question {
    /// Loads, trains and fits; `check` may refuse the costs before the work is done.
    pub fn prepare(
        args: &QuestionArgs,
        check: impl FnOnce(&ExplainSettings) -> amends::Result<()>,
    ) -> amends::Result<Self> {
        let source = Source::load(&args.data)?;
        let (model, explainer) = fit(&source, args, check)?;
        let applicants = source.applicants(&args.applicants, &explainer)?;
        Ok(Self { source, model, explainer, applicants })
    }
}

/// The model and the costs, on a table; `check` may refuse the costs before the work is done.
pub fn fit(
    source: &Source,
    args: &QuestionArgs,
    check: impl FnOnce(&ExplainSettings) -> amends::Result<()>,
) -> amends::Result<(Model, Explainer)> {
    let training = train_settings(&args.training, args.data.seed)?;
    let costs = explain_settings(&args.cost, &source.dataset.schema)?;
    check(&costs)?;
    let model = source.model(&args.model, &training)?;
    let explainer = source.explainer(&model, &costs)?;
    Ok((model, explainer))
}
