//! What `explain`, `instance` and `audit` are asked: these applicants, this model, these costs.

use amends::data::Schema;
use amends::explain::{ExplainSettings, Explainer};
use amends::model::Model;

use crate::args::{QuestionArgs, WishArgs};
use crate::setup::{explain_settings, goal, import_settings, train_settings};
use crate::source::{Applicant, Source, common_wishes};

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
        let mut applicants = source.applicants(&args.applicants, &explainer, &args.wishes)?;
        if args.applicants.applicants.is_none() {
            add_common_wishes(&mut applicants, &args.wishes, &source.dataset.schema)?;
        }
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
    let imports = import_settings(&args.model)?;
    let mut costs = explain_settings(&args.cost, &source.dataset.schema)?;
    check(&costs)?;
    let model = source.model(&args.model.model, &training, &imports)?;
    costs.goal = goal(&args.wishes, &model.origin)?;
    let explainer = source.explainer(&model, &costs)?;
    Ok((model, explainer))
}

/// Gives the wishes of the command line to people of the table.
pub fn add_common_wishes(
    applicants: &mut [Applicant],
    asked: &WishArgs,
    schema: &Schema,
) -> amends::Result<()> {
    let common = common_wishes(asked, schema)?;
    for applicant in applicants {
        applicant.wishes = common.clone();
    }
    Ok(())
}
