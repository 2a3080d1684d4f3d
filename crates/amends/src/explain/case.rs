//! One applicant's case: what they may do, as an instance, and what a solved instance means to them.

use std::time::{Duration, Instant};

use super::columns::{difference, instance_columns};
use super::margin::Margin;
use super::rules::instance_rules;
use super::{Explainer, Explanation};
use crate::action::{Move, moves};
use crate::data::{Record, Rule, Schema, Value};
use crate::engine::{Engine, SolveReport, SolveSettings, solve};
use crate::instance::{Cost, FeatureOptions, Instance, Limits};
use crate::search::Control;
use crate::{Result, Solution, Status};

/// A goal other than the model's own cut is met with this to spare, times one plus its size: moving the cut rounds.
const TO_SPARE: f64 = 1e-9;

/// One applicant under one set of rules, ready to be solved.
pub struct Case<'a> {
    pub(super) explainer: &'a Explainer,
    pub(super) applicant: &'a Record,
    /// How features may change: the explainer's schema, with the applicant's own keys.
    pub(super) schema: &'a Schema,
    /// Whether plans may break rules of single features, to see what stands in their way.
    pub(super) lenient: bool,
    /// The rules of the schema and those of the applicant.
    pub(super) rules: Vec<&'a Rule>,
    /// What the applicant may do; one feature of the instance each.
    pub(super) moves: Vec<Move>,
    instance: Instance,
    margin: Option<Margin>,
}

/// What binds an applicant: normally the schema's rules and their own.
pub(super) struct Bounds<'a> {
    /// Says how each feature may change.
    pub schema: &'a Schema,
    /// What ties features together.
    pub rules: Vec<&'a Rule>,
    /// The most changes.
    pub max_changes: usize,
}

impl<'a> Case<'a> {
    pub(super) fn new(
        explainer: &'a Explainer,
        applicant: &'a Record,
        bounds: Bounds<'a>,
    ) -> Result<Self> {
        let margin = explainer.settings.goal.step_to_spare.then(|| Margin::new(explainer));
        let moves = possible_moves(explainer, applicant, &bounds, margin.as_ref())?;
        Self::with_moves(explainer, applicant, bounds, moves, margin)
    }

    pub(super) fn with_moves(
        explainer: &'a Explainer,
        applicant: &'a Record,
        bounds: Bounds<'a>,
        moves: Vec<Move>,
        margin: Option<Margin>,
    ) -> Result<Self> {
        let x = explainer.encoder.encode(applicant);
        let features: Vec<FeatureOptions> =
            moves.iter().map(|its| feature_options(explainer, &x, its)).collect();
        let cost = Cost {
            distance: explainer.distance(bounds.schema, &x, &features),
            outlier: explainer.outlier.clone(),
            most: Limits::default(),
        };
        let goal = explainer.settings.goal.of_plans();
        let classifier = if goal == 0.0 {
            explainer.classifier.clone()
        } else {
            explainer.classifier.with_cut_at(goal + TO_SPARE * (1.0 + goal.abs()))
        };
        let mut rules = instance_rules(&bounds.rules, &moves, applicant)?;
        if let Some(margin) = &margin {
            rules.extend(margin.linear_rule(&classifier, &x, &features, &moves, applicant));
        }
        let mut instance = Instance::new(x, features, bounds.max_changes, classifier, cost)?;
        instance.rules = rules;
        instance.check()?;
        let Bounds { schema, rules, .. } = bounds;
        Ok(Self { explainer, applicant, schema, lenient: false, rules, moves, instance, margin })
    }

    /// The case as numbers.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// The case as numbers, to keep.
    pub fn into_instance(self) -> Instance {
        self.instance
    }

    /// Whether the applicant is accepted as they are.
    pub fn is_accepted(&self) -> bool {
        self.explainer.accepts(self.applicant)
    }

    /// Explains the applicant.
    pub fn explain(
        &self,
        engine: &Engine,
        settings: &SolveSettings,
        control: &Control<'_>,
    ) -> Result<Explanation> {
        if self.is_accepted() {
            return Ok(self.told(&Solution::already_accepted(Duration::ZERO), engine.name()));
        }
        let report = self.solve(&self.instance, engine, settings, control)?;
        self.tell(&report)
    }

    /// Explains the applicant, and where there is no plan, why. The time limit is for each of the two.
    pub fn explain_with_reasons(
        &self,
        engine: &Engine,
        settings: &SolveSettings,
        control: &Control<'_>,
    ) -> Result<Explanation> {
        let mut explanation = self.explain(engine, settings, control)?;
        if explanation.status == Status::Infeasible {
            explanation.why_none = Some(self.why_none(engine, settings, control)?);
        }
        Ok(explanation)
    }

    /// Solves an instance of this case, with the margin that plans must have.
    pub(super) fn solve(
        &self,
        instance: &Instance,
        engine: &Engine,
        settings: &SolveSettings,
        control: &Control<'_>,
    ) -> Result<SolveReport> {
        let Some(margin) = &self.margin else { return solve(instance, engine, settings, control) };
        let began = Instant::now();
        let mut settings = settings.clone();
        let limit = settings.time_limit;
        let mut instance = instance.clone();
        loop {
            let mut report = solve(&instance, engine, &settings, control)?;
            report.solution.time = began.elapsed();
            let Some(plan) = &report.solution.plan else { return Ok(report) };
            let cuts = margin.cuts(self, &self.record(&plan.choice))?;
            if cuts.is_empty() {
                return Ok(report);
            }
            let cancelled =
                control.cancel.is_some_and(|c| c.load(std::sync::atomic::Ordering::Relaxed));
            let left = limit.map(|limit| limit.saturating_sub(began.elapsed()));
            if cancelled
                || left.is_some_and(|left| left.is_zero())
                || report.solution.status != Status::Optimal
            {
                // The bound holds: cuts only take plans away.
                report.solution.plan = None;
                report.solution.status = Status::Timeout;
                return Ok(report);
            }
            settings.time_limit = left;
            instance.rules.extend(cuts);
        }
    }

    /// Whether plans must hold if numbers are off by a step.
    pub(super) fn has_margin(&self) -> bool {
        self.margin.is_some()
    }

    /// The application that a choice of options leads to.
    pub(super) fn record(&self, choice: &[usize]) -> Record {
        let mut record = self.applicant.clone();
        for (its, &option) in self.moves.iter().zip(choice) {
            for (&member, &value) in its.members.iter().zip(&its.options[option]) {
                record[member] = value;
            }
        }
        record
    }
}

/// What an applicant may do. What the engine scores and what the applicant is told must be the same application to the
/// last digit, so a value that x + a can't express exactly is no option.
pub(super) fn possible_moves(
    explainer: &Explainer,
    applicant: &Record,
    bounds: &Bounds,
    margin: Option<&Margin>,
) -> Result<Vec<Move>> {
    let cuts = match (&explainer.cut_points, margin) {
        (Some(cuts), Some(margin)) => Some(margin.finer(cuts)),
        (cuts, _) => cuts.clone(),
    };
    let limit = explainer.settings.option_limit;
    let ranges = &explainer.ranges;
    let mut list = moves(bounds.schema, ranges, applicant, cuts.as_deref(), limit, &bounds.rules)?;
    let x = explainer.encoder.encode(applicant);
    for its in &mut list {
        let kept = its.options[its.keep].clone();
        let exact = |(&member, &value): (&usize, &Value)| {
            let to = explainer.encoder.encode_value(member, value);
            let mut pairs = explainer.encoder.feature_columns(member).zip(to);
            pairs.all(|(column, to)| x[column] + difference(x[column], to) == to)
        };
        let Move { members, options, .. } = its;
        options.retain(|option| members.iter().zip(option).all(exact));
        its.keep = its.options.iter().position(|option| *option == kept).unwrap_or(0);
    }
    Ok(list)
}

/// A move as the columns and changes of an instance.
fn feature_options(explainer: &Explainer, x: &[f64], its: &Move) -> FeatureOptions {
    let mut columns = Vec::new();
    let mut options = vec![Vec::new(); its.options.len()];
    for (place, &member) in its.members.iter().enumerate() {
        let feature = &explainer.schema.features[member];
        let all = explainer.encoder.feature_columns(member);
        let encoded: Vec<Vec<f64>> = its
            .options
            .iter()
            .map(|option| explainer.encoder.encode_value(member, option[place]))
            .collect();
        let moving = instance_columns(feature, &x[all.clone()], &encoded);
        for (changes, to) in options.iter_mut().zip(&encoded) {
            changes.extend(moving.iter().map(|&c| difference(x[all.start + c], to[c])));
        }
        columns.extend(moving.iter().map(|&c| all.start + c));
    }
    FeatureOptions { name: its.name.clone(), columns, options }
}
