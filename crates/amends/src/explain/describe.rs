//! From a solved instance to an explanation for the applicant, checked on the application itself.

use std::time::Duration;

use super::{Case, Explainer, Explanation, FeatureChange, PlanCosts, PlanFigures, Wishes};
use crate::action::Move;
use crate::data::{Record, Rule, Schema, Value};
use crate::engine::{Engine, SolveReport};
use crate::plausibility::mahalanobis;
use crate::{Error, Plan, Result, Solution};

impl Explainer {
    /// The answer to an applicant who is accepted as they are, as [`Case::explain`] would give it, and `None` for others. Their
    /// case is not built, which takes far longer than their score.
    pub fn already_accepted(
        &self,
        applicant: &Record,
        wishes: &Wishes,
        engine: &Engine,
    ) -> Result<Option<Explanation>> {
        self.check(applicant)?;
        if !self.accepts(applicant) {
            return Ok(None);
        }
        let schema = wishes.schema(&self.schema);
        let rules = schema.rules.iter().chain(&wishes.rules);
        let notes = notes(schema, rules, applicant);
        let solution = Solution::already_accepted(Duration::ZERO);
        Ok(Some(self.describe_without_plan(applicant, &solution, engine.name(), notes)))
    }

    /// The explanation without the parts that need a plan.
    fn describe_without_plan(
        &self,
        applicant: &Record,
        solution: &Solution,
        engine: &'static str,
        notes: Vec<String>,
    ) -> Explanation {
        Explanation {
            status: solution.status,
            score_before: self.score(applicant),
            changes: Vec::new(),
            values_offered: self.settings.option_limit,
            moves: 0,
            plan: None,
            bound: solution.bound,
            gap: solution.gap(),
            time: solution.time,
            engine,
            remark: None,
            solver_failed: false,
            notes,
            not_needed: Vec::new(),
            why_none: None,
        }
    }
}

impl Case<'_> {
    /// Turns a solved instance into an explanation.
    pub(super) fn describe(&self, report: &SolveReport) -> Result<Explanation> {
        let mut explanation = self.describe_plan(&report.solution, report.engine())?;
        explanation.remark = report.remark().map(str::to_owned);
        explanation.solver_failed = report.solver_failed();
        Ok(explanation)
    }

    pub(super) fn describe_plan(
        &self,
        solution: &Solution,
        engine: &'static str,
    ) -> Result<Explanation> {
        let mut explanation = self.describe_without_plan(solution, engine);
        if let Some(plan) = &solution.plan {
            let record = self.record(&plan.choice);
            if let Some(refusal) = self.refusal(&record) {
                return Err(Error::solver(engine, refusal.in_words()));
            }
            explanation.moves = plan.evaluation.changes;
            explanation.changes = self.changes(&record);
            self.add_not_needed(&mut explanation, &plan.choice)?;
            explanation.plan = Some(self.figures(record, plan));
        }
        Ok(explanation)
    }

    /// The explanation without the parts that need a plan.
    pub(super) fn describe_without_plan(
        &self,
        solution: &Solution,
        engine: &'static str,
    ) -> Explanation {
        let notes = notes(self.schema, self.rules.iter().copied(), self.applicant);
        self.explainer.describe_without_plan(self.applicant, solution, engine, notes)
    }

    /// Why a plan can't be shown to the applicant: the model rejects it, or a rule forbids it. Values are exact and rules are
    /// in the instance, so that this hardly ever happens; it is checked on the application itself, apart from all of that.
    pub(super) fn refusal(&self, record: &Record) -> Option<Refusal<'_>> {
        let goal = self.explainer.settings.goal.of_plans();
        if self.explainer.score(record) < goal {
            return Some(Refusal::Rejected);
        }
        let mut rules = self.rules.iter();
        if let Some(&rule) = rules.find(|rule| !rule.allows(self.applicant, record)) {
            let what = format!("breaks the rule `{}`", rule.text);
            return Some(Refusal::Broken { what, features: rule.features(), rule: Some(rule) });
        }
        let harmful = |action: &&Move| {
            self.harmless.as_ref().is_some_and(|harmless| harmless.refuses(&action.members, record))
        };
        if let Some(action) = self.moves.iter().find(harmful) {
            let what = format!("changes `{}`, which lowers the score by itself", action.name);
            return Some(Refusal::Broken { what, features: action.members.clone(), rule: None });
        }
        let broken = self.schema.broken(self.applicant, record);
        broken.iter().filter(|_| !self.lenient).find_map(|one| {
            let what = format!("breaks a rule: {one}");
            Some(Refusal::Broken { what, features: vec![one.feature?], rule: None })
        })
    }

    /// Says which changes the plan could do without.
    fn add_not_needed(&self, explanation: &mut Explanation, choice: &[usize]) -> Result<()> {
        let Some(part) = self.sufficient_part(choice)? else { return Ok(()) };
        let record = self.record(&part);
        let undone = explanation.changes.iter().filter(|change| {
            let index = self.explainer.schema.feature_index(&change.feature);
            index.is_some_and(|index| record[index] == self.applicant[index])
        });
        let (names, titles): (Vec<String>, Vec<&str>) =
            undone.map(|change| (change.feature.clone(), change.title.as_str())).unzip();
        explanation.notes.push(format!(
            "the model would accept this plan without the change of {}, too; the plan has it because all changes together lead to a \
             more usual application, and cost less",
            titles.join(" and ")
        ));
        explanation.not_needed = names;
        Ok(())
    }

    fn changes(&self, record: &Record) -> Vec<FeatureChange> {
        let features = self.explainer.schema.features.iter().enumerate();
        let changed = features.filter(|(f, _)| self.applicant[*f] != record[*f]);
        let described = changed.map(|(f, feature)| FeatureChange {
            feature: feature.name.clone(),
            title: feature.title().to_owned(),
            unit: feature.unit.clone().filter(|_| !matches!(record[f], Value::Code(_))),
            before: feature.describe(self.applicant[f]),
            after: feature.describe_exactly(record[f]),
            together: self
                .moves
                .iter()
                .find(|action| action.members.len() > 1 && action.members.contains(&f))
                .map(|action| action.name.clone()),
        });
        described.collect()
    }

    /// The plan's numbers, from the changed application and not from the solver.
    fn figures(&self, record: Record, plan: &Plan) -> PlanFigures {
        let explainer = self.explainer;
        let before = explainer.encoder.encode(self.applicant);
        let after = explainer.encoder.encode(&record);
        let change: Vec<f64> = after.iter().zip(&before).map(|(to, from)| to - from).collect();
        PlanFigures {
            score: explainer.classifier.score(&after),
            costs: PlanCosts {
                objective: plan.evaluation.objective,
                distance: plan.evaluation.distance,
                outlier: plan.evaluation.outlier,
                change_cost: self.instance().cost().of_changes(plan.evaluation.changes),
                mahalanobis: mahalanobis(&explainer.factor, &change),
                lof: explainer.reported_lof.score(&after),
            },
            record,
        }
    }
}

/// Why a plan can't be shown.
pub(super) enum Refusal<'a> {
    /// The model rejects the application.
    Rejected,
    /// It breaks a rule.
    Broken {
        /// What it breaks.
        what: String,
        /// The features that the rule looks at.
        features: Vec<usize>,
        /// The rule, where it is one between features.
        rule: Option<&'a Rule>,
    },
}

impl Refusal<'_> {
    pub(super) fn in_words(&self) -> String {
        let broken = match self {
            Self::Rejected => "is rejected",
            Self::Broken { what, .. } => what,
        };
        format!("its plan, written in the table's own values, {broken}; please report this")
    }
}

/// What is odd about the application itself, whatever the plan.
fn notes<'a>(
    schema: &Schema,
    rules: impl Iterator<Item = &'a Rule>,
    applicant: &Record,
) -> Vec<String> {
    let features = schema.features.iter().zip(applicant);
    let outside = features.filter_map(|(feature, value)| {
        let (Some([low, high]), Value::Number(own)) = (feature.limits.range, *value) else {
            return None;
        };
        (!(low..=high).contains(&own)).then(|| {
            format!(
                "{} is {}, outside the schema's range of {low} to {high}: it may stay so, and changes lead \
                 into the range",
                feature.title(),
                feature.describe(*value)
            )
        })
    });
    let broken = rules.filter_map(|rule| {
        if !rule.is_about_values() || rule.holds(applicant) {
            return None;
        }
        let then = if rule.must {
            "every plan corrects that"
        } else {
            "it may stay so as long as nothing that the rule names changes"
        };
        Some(format!("the application as it is breaks the rule `{}`: {then}", rule.title()))
    });
    outside.chain(broken).collect()
}
