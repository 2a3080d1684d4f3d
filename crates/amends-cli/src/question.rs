//! What `explain` and `instance` are both asked: these applicants, this model, these costs.

use amends::data::{Rule, Schema};
use amends::explain::{ExplainSettings, Explainer};
use amends::model::Model;

use crate::args::QuestionArgs;
use crate::setup::{explain_settings, goal, train_settings};
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
        let training = train_settings(&args.training, args.data.seed)?;
        let source = Source::load(&args.data)?;
        let mut costs = explain_settings(&args.cost, &source.dataset.schema)?;
        check(&costs)?;
        let common = common_rules(&args.wishes.rules, &source.dataset.schema)?;
        let model = source.model(&args.model, &training)?;
        costs.goal = goal(&args.wishes, model.kind)?;
        let explainer = source.explainer(&model, &costs)?;
        let column = args.wishes.rules_column.as_deref();
        let mut applicants = source.applicants(&args.applicants, &explainer, column)?;
        for applicant in &mut applicants {
            applicant.rules.splice(0..0, common.iter().cloned());
        }
        Ok(Self { source, model, explainer, applicants })
    }
}

/// The rules that the command line gives to every applicant.
fn common_rules(texts: &[String], schema: &Schema) -> amends::Result<Vec<Rule>> {
    let parsed = texts.iter().map(|text| Rule::parse(text, &schema.features));
    Ok(parsed.collect::<Result<Vec<Rule>, _>>().map_err(|error| error.file("--rule"))?)
}
