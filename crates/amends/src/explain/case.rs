//! One applicant's case: what they may do, as an instance, and what a solved instance means to them.

use std::time::{Duration, Instant};

use super::columns::{difference, instance_columns};
use super::margin::Margin;
use super::rules::instance_rules;
use super::{Explainer, Explanation, FeatureChange, PlanFigures};
use crate::action::{Move, moves};
use crate::data::{Record, Rule, Schema, Value};
use crate::engine::{Engine, Solve, SolveReport, SolveSettings, solve};
use crate::instance::{Cost, FeatureOptions, Instance, Limits};
use crate::plans::{Apart, Front, FrontEnd, FrontPoint, FrontSettings, SeveralEnd, front, several};
use crate::plausibility::mahalanobis;
use crate::search::Control;
use crate::{Error, Plan, Result, Solution, Status};

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

    /// The best plans that differ in what they change. Where there is none at all, or nothing to change, the only
    /// explanation says so.
    pub fn several(
        &self,
        count: usize,
        apart: Apart,
        engine: &Engine,
        settings: &SolveSettings,
        control: &Control<'_>,
    ) -> Result<(Vec<Explanation>, SeveralEnd)> {
        if self.is_accepted() {
            let told = self.told(&Solution::already_accepted(Duration::ZERO), engine.name());
            return Ok((vec![told], SeveralEnd::AlreadyAccepted));
        }
        let solver = Spared { case: self, engine };
        let found = several(&self.instance, count, apart, &solver, settings, control)?;
        let told: Vec<Explanation> =
            found.reports.iter().map(|report| self.tell(report)).collect::<Result<_>>()?;
        // That there is no further plan is said by how it ended.
        let plans =
            told.into_iter().enumerate().filter(|(place, told)| *place == 0 || told.plan.is_some());
        Ok((plans.map(|(_, told)| told).collect(), found.end))
    }

    /// The plans that no other plan beats in distance and outlier term at once, in rising distance; empty where there is
    /// no plan. The time limit is for all of it.
    pub fn front(
        &self,
        wanted: &FrontSettings,
        engine: &Engine,
        settings: &SolveSettings,
        control: &Control<'_>,
    ) -> Result<(Vec<Explanation>, FrontEnd)> {
        if self.is_accepted() {
            let told = self.told(&Solution::already_accepted(Duration::ZERO), engine.name());
            return Ok((vec![told], FrontEnd::AlreadyAccepted));
        }
        let solver = Spared { case: self, engine };
        let Front { points, end, time, .. } =
            front(&self.instance, wanted, &solver, settings, control)?;
        let tell = |point: FrontPoint| {
            let status = if point.proven { Status::Optimal } else { Status::Feasible };
            let solution = Solution { status, plan: Some(point.plan), bound: None, time };
            self.tell_plan(&solution, engine.name())
        };
        Ok((points.into_iter().map(tell).collect::<Result<_>>()?, end))
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

    /// Turns a solved instance into what the applicant is told.
    pub(super) fn tell(&self, report: &SolveReport) -> Result<Explanation> {
        let mut explanation = self.tell_plan(&report.solution, report.engine())?;
        explanation.remark = report.remark().map(str::to_owned);
        Ok(explanation)
    }

    fn tell_plan(&self, solution: &Solution, engine: &'static str) -> Result<Explanation> {
        let mut explanation = self.told(solution, engine);
        if let Some(plan) = &solution.plan {
            let record = self.record(&plan.choice);
            self.check(&record, engine)?;
            explanation.moves = plan.evaluation.changes;
            explanation.changes = self.changes(&record);
            explanation.plan = Some(self.figures(record, plan));
        }
        Ok(explanation)
    }

    /// What is told with or without a plan.
    fn told(&self, solution: &Solution, engine: &'static str) -> Explanation {
        Explanation {
            status: solution.status,
            score_before: self.explainer.score(self.applicant),
            changes: Vec::new(),
            moves: 0,
            plan: None,
            bound: solution.bound,
            gap: solution.gap(),
            time: solution.time,
            engine,
            remark: None,
            notes: self.notes(),
            why_none: None,
        }
    }

    /// An applicant is never told what the model rejects or a rule forbids. Options are exact and rules are in the
    /// instance, so this holds; it is checked on the application itself, apart from all of that.
    fn check(&self, record: &Record, engine: &'static str) -> Result<()> {
        let goal = self.explainer.settings.goal.of_plans();
        let broken = if self.explainer.score(record) < goal {
            Some("is rejected".to_owned())
        } else {
            let mut rules = self.rules.iter();
            let broken = rules.find(|rule| !rule.allows(self.applicant, record));
            let broken = broken.map(|rule| format!("breaks the rule `{}`", rule.text));
            broken.or_else(|| {
                let mut broken = self.schema.broken(self.applicant, record).into_iter();
                let own = broken.find(|one| one.feature.is_some() && !self.lenient)?;
                Some(format!("breaks a rule: {own}"))
            })
        };
        let Some(broken) = broken else { return Ok(()) };
        let problem =
            format!("its plan, told in the table's own values, {broken}; please report this");
        Err(Error::solver(engine, problem))
    }

    fn changes(&self, record: &Record) -> Vec<FeatureChange> {
        let features = self.explainer.schema.features.iter().enumerate();
        let changed = features.filter(|(f, _)| self.applicant[*f] != record[*f]);
        let told = changed.map(|(f, feature)| FeatureChange {
            feature: feature.name.clone(),
            title: feature.title().to_owned(),
            unit: feature.unit.clone().filter(|_| !matches!(record[f], Value::Code(_))),
            before: feature.tell(self.applicant[f]),
            after: feature.tell(record[f]),
            together: self
                .moves
                .iter()
                .find(|its| its.members.len() > 1 && its.members.contains(&f))
                .map(|its| its.name.clone()),
        });
        told.collect()
    }

    /// The plan's numbers, from the changed application and not from the solver.
    fn figures(&self, record: Record, plan: &Plan) -> PlanFigures {
        let explainer = self.explainer;
        let before = explainer.encoder.encode(self.applicant);
        let after = explainer.encoder.encode(&record);
        let change: Vec<f64> = after.iter().zip(&before).map(|(to, from)| to - from).collect();
        PlanFigures {
            score: explainer.classifier.score(&after),
            objective: plan.evaluation.objective,
            distance: plan.evaluation.distance,
            outlier: plan.evaluation.outlier,
            mahalanobis: mahalanobis(&explainer.factor, &change),
            lof: explainer.reported_lof.score(&after),
            record,
        }
    }

    /// What is odd about the application itself, whatever the plan.
    fn notes(&self) -> Vec<String> {
        let features = self.schema.features.iter().zip(self.applicant);
        let outside = features.filter_map(|(feature, value)| {
            let (Some([low, high]), Value::Number(own)) = (feature.limits.range, *value) else {
                return None;
            };
            (!(low..=high).contains(&own)).then(|| {
                format!(
                    "{} is {own}, outside the schema's range of {low} to {high}: it may stay so, and changes lead \
                     into the range",
                    feature.title()
                )
            })
        });
        let broken = self.rules.iter().filter_map(|rule| {
            if !rule.is_about_values() || rule.holds(self.applicant) {
                return None;
            }
            let then = if rule.must {
                "every plan mends that"
            } else {
                "it may stay so as long as nothing that the rule names changes"
            };
            Some(format!("the application as it is breaks the rule `{}`: {then}", rule.title()))
        });
        outside.chain(broken).collect()
    }
}

/// An engine whose plans have the margin that a case asks for.
struct Spared<'a> {
    case: &'a Case<'a>,
    engine: &'a Engine,
}

impl Solve for Spared<'_> {
    fn solve(
        &self,
        instance: &Instance,
        settings: &SolveSettings,
        control: &Control<'_>,
    ) -> Result<SolveReport> {
        self.case.solve(instance, self.engine, settings, control)
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
