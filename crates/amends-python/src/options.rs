//! What the Python side asks for, beside tables and models.

use std::time::Duration;

use amends::answer::Ask;
use amends::data::Schema;
use amends::engine::SolveSettings;
use amends::explain::{ExplainSettings, Goal, Preset, Wishes};
use amends::model::Link;
use amends::plans::{Apart, SeveralSettings};
use amends::{InputError, Result};
use serde::Deserialize;

/// Longer limits than this, some thirty years, are none; clocks overflow on them.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);

/// What "small" and "plausible" mean; what is left out is the preset's.
#[derive(Deserialize)]
pub struct CostOptions {
    preset: String,
    max_changes: Option<usize>,
    distance: Option<String>,
    outlier: Option<String>,
    lambda: Option<f64>,
    k: Option<usize>,
    /// How many values of every number are on offer: a count, or `all`.
    options: Option<Options>,
}

/// A count, or `all`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Options {
    Count(usize),
    Word(String),
}

impl CostOptions {
    pub fn settings(&self, schema: &Schema) -> Result<ExplainSettings> {
        let preset: Preset = self.preset.parse()?;
        let mut settings = ExplainSettings::preset(preset, &schema.name);
        if let Some(distance) = &self.distance {
            settings.distance = distance.parse()?;
        }
        if let Some(outlier) = &self.outlier {
            settings.outlier = outlier.parse()?;
        }
        settings.lambda = self.lambda.unwrap_or(settings.lambda);
        settings.k = self.k.unwrap_or(settings.k);
        settings.max_changes = self.max_changes.unwrap_or(settings.max_changes);
        match &self.options {
            None => {}
            Some(Options::Count(count)) => settings.option_limit = Some(*count),
            Some(Options::Word(word)) if word == "all" => settings.option_limit = None,
            Some(Options::Word(word)) => {
                return Err(InputError::new("is no number of values")
                    .at("options")
                    .value(word)
                    .remedy("give a whole number, or \"all\"")
                    .into());
            }
        }
        settings.check()?;
        Ok(settings)
    }
}

/// A rule in the words of the schema's, or a key of a feature.
#[derive(Deserialize)]
pub struct RuleText {
    text: String,
    /// What people are told instead of the text.
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
pub struct ExplainOptions {
    n_plans: usize,
    /// Sets of changed features of two plans differ in at least so many features.
    apart: Option<usize>,
    time_limit: Option<f64>,
    target_proba: Option<f64>,
    /// Score that plans have to spare.
    margin: f64,
    /// Whether plans hold if changed numbers are off by a step.
    margin_step: bool,
    threads: usize,
    reasons: bool,
    /// For all of them.
    pub rules: Vec<RuleText>,
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
                let apart = self.apart.map_or(Apart::Sets, Apart::Features);
                Ask::several(SeveralSettings { count, apart })?
            }
        };
        Ok(ask.with_reasons(self.reasons))
    }

    pub fn goal(&self, link: Link) -> Result<Goal> {
        let score = match self.target_proba {
            None => 0.0,
            Some(probability) => {
                let wrong = |problem: &str, remedy: &str| {
                    InputError::new(problem).at("target_proba").value(probability).remedy(remedy)
                };
                if !(probability > 0.0 && probability < 1.0) {
                    return Err(wrong(
                        "is no probability to aim at",
                        "give a number between 0 and 1, such as 0.7",
                    )
                    .into());
                }
                link.score_of(probability).ok_or_else(|| {
                    wrong(
                        "can't be told from this model, whose scores are no probabilities",
                        "leave it out, or use a model with probabilities",
                    )
                })?
            }
        };
        Ok(Goal { score, margin: self.margin, step_to_spare: self.margin_step })
    }

    pub fn solve_settings(&self) -> Result<SolveSettings> {
        let limit = |seconds: f64| {
            let usable = Duration::try_from_secs_f64(seconds).ok().filter(|limit| !limit.is_zero());
            usable.map(|limit| limit.min(LONGEST)).ok_or_else(|| {
                InputError::new("is no time to solve in")
                    .at("time_limit")
                    .value(seconds)
                    .remedy("give seconds above 0, or None for no limit")
            })
        };
        let settings = SolveSettings {
            time_limit: self.time_limit.map(limit).transpose()?,
            threads: self.threads,
            ..SolveSettings::default()
        };
        settings.check()?;
        Ok(settings)
    }
}
