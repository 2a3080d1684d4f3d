//! What the Python side asks for, beside tables and models.

use amends::answer::Ask;
use amends::data::Schema;
use amends::engine::{SolveSettings, time_limit};
use amends::explain::{Goal, Wishes};
use amends::model::Origin;
use amends::plans::SeveralSettings;
use amends::reasons::ReasonGroup;
use amends::{Error, Result};
use serde::Deserialize;

/// A rule in the words of the schema's, or a key of a feature.
#[derive(Deserialize)]
pub struct RuleText {
    text: String,
    /// What people read instead of the text.
    name: Option<String>,
}

/// Reads rules and keys one by one.
pub fn wishes(rules: &[RuleText], schema: &Schema) -> Result<Wishes> {
    let texts = rules.iter().map(|rule| rule.text.as_str());
    let mut wishes = Wishes::parse(texts, schema).map_err(|error| error.file("rules"))?;
    for named in rules.iter().filter(|rule| rule.name.is_some()) {
        for rule in wishes.rules.iter_mut().filter(|rule| rule.text == named.text) {
            rule.name.clone_from(&named.name);
        }
    }
    Ok(wishes)
}

/// The trade-off between distance and outlier term.
#[derive(Deserialize)]
pub struct FrontOptions {
    n_plans: usize,
    resolution: f64,
}

/// How to explain a batch of applicants.
#[derive(Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the names and types of the parameters in Python"
)]
pub struct ExplainOptions {
    n_plans: usize,
    /// Sets of changed features of two plans differ in at least so many features.
    apart: usize,
    /// Whether plans may change everything that a better plan changes, and more.
    supersets: bool,
    time_limit: Option<f64>,
    target_proba: Option<f64>,
    /// Score that plans have to spare.
    margin: f64,
    /// Whether plans hold if changed numbers are off by a step.
    margin_step: bool,
    /// Whether plans have no change that would lower the score by itself.
    harmless: bool,
    /// Whether plans have no change that they could do without.
    #[serde(default)]
    needed: bool,
    threads: usize,
    /// Whether to find out why there is no plan.
    why_none: bool,
    /// The most principal reasons, where those are wanted.
    pub max_reasons: Option<usize>,
    /// Who rejected applicants are compared with.
    #[serde(default)]
    reason_group: Option<String>,
    /// For all of them.
    pub rules: Vec<RuleText>,
    /// Those of the rules that come with the question, and not with the explainer.
    #[serde(default)]
    pub asked: Vec<String>,
    /// The trade-off instead of the best plans.
    front: Option<FrontOptions>,
}

impl ExplainOptions {
    /// What is asked of every applicant.
    pub fn ask(&self) -> Result<Ask> {
        let ask = match (&self.front, self.n_plans) {
            (Some(front), _) => Ask::front(front.n_plans, front.resolution)?,
            (None, 1) => Ask::best(),
            (None, count) => {
                let (apart, supersets) = (self.apart, self.supersets);
                Ask::several(SeveralSettings { count, apart, supersets })?
            }
        };
        let ask = ask.with_why_none(self.why_none);
        self.max_reasons.map_or(Ok(ask.clone()), |most| ask.with_principal_reasons(most))
    }

    /// Who rejected applicants are compared with; `None` where principal reasons are not wanted.
    pub fn reason_group(&self) -> Result<Option<ReasonGroup>> {
        let group = self.reason_group.as_deref().map_or(Ok(ReasonGroup::default()), str::parse);
        let group = group.map_err(|error: Error| error.in_file("reason_group"))?;
        Ok(self.max_reasons.map(|_| group))
    }

    pub fn goal(&self, origin: &Origin) -> Result<Goal> {
        let otherwise = "leave it out, or use a model with probabilities";
        let reach = |probability| origin.score_to_reach(probability, "target_proba", otherwise);
        let score = self.target_proba.map_or(Ok(0.0), reach)?;
        let Self { margin, margin_step, harmless, needed, .. } = *self;
        Ok(Goal { score, margin, step_to_spare: margin_step, harmless, needed })
    }

    pub fn solve_settings(&self) -> Result<SolveSettings> {
        let limit = self.time_limit.map(|seconds| time_limit(seconds, "time_limit"));
        let settings = SolveSettings {
            time_limit: limit.transpose()?,
            threads: self.threads,
            ..SolveSettings::default()
        };
        settings.check()?;
        Ok(settings)
    }
}
