//! One applicant's case: what they may do, as an instance, and what a solved instance means to them.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::columns::instance_columns;
use super::describe::Refusal;
use super::harmless::Harmless;
use super::margin::Margin;
use super::needed::NeededSearch;
use super::question::Part;
use super::rules::{instance_rules, sum_cuts};
use super::{Explainer, Explanation, OutlierKind};
use crate::action::{Limit, Move, moves};
use crate::data::{Record, Rule, Schema, Value};
use crate::engine::{Clock, Engine, SolveReport, Solving, Wanted, find};
use crate::instance::{
    self, Cost, FeatureOptions, Instance, InstanceParts, Limits, Literal, OptionSet, Options,
};
use crate::{Error, Result, Solution, Status};

/// A goal other than the model's own cut is met with this to spare, times one plus its size: moving the cut rounds.
const TO_SPARE: f64 = 1e-12;

/// So many plans that the application's own check refuses are taken away before it is an error: rounding may make some
/// pass the instance.
const MOST_REFUSED: usize = 100;

/// One applicant under one set of rules, ready to be solved.
pub struct Case<'a> {
    pub(super) explainer: &'a Explainer,
    pub(super) applicant: &'a Record,
    /// How features may change: the explainer's schema, with the applicant's own keys.
    pub(super) schema: &'a Schema,
    /// Whether plans may break rules of single features, to see what stands in their way.
    pub(super) lenient: bool,
    /// What plans are checked against where no change may lower the score by itself.
    pub(super) harmless: Option<Harmless<'a>>,
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
    /// Whether no change may lower the score by itself.
    pub harmless: bool,
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
            moves.iter().map(|action| feature_options(explainer, &x, action)).collect();
        let cost = Cost {
            distance: explainer.distance(bounds.schema, &x, &features)?,
            outlier: explainer.outlier.clone(),
            change_cost: explainer.settings.change_cost,
            most: Limits::default(),
        };
        let goal = explainer.settings.goal.of_plans();
        let spare = TO_SPARE * (1.0 + goal.abs());
        let classifier = match &explainer.classifier {
            classifier if goal == 0.0 => Arc::clone(classifier),
            // A score of trees may well be the goal itself, and must not be lost; what is below is found out later.
            classifier if classifier.is_step_function() => {
                Arc::new(classifier.with_cut_at(goal - spare))
            }
            other => Arc::new(other.with_cut_at(goal + spare)),
        };
        let mut rules = instance_rules(&bounds.rules, &moves, applicant)?;
        if let Some(margin) = &margin {
            rules.extend(margin.linear_rule(&classifier, &x, &features, &moves, applicant));
        }
        let max_changes = bounds.max_changes;
        let parts = InstanceParts { x, features, max_changes, rules, classifier, cost };
        let instance = Instance::from_parts(parts)?;
        let Bounds { schema, rules, harmless, .. } = bounds;
        let harmless = harmless.then(|| Harmless::new(explainer, applicant));
        let lenient = false;
        Ok(Self { explainer, applicant, schema, lenient, harmless, rules, moves, instance, margin })
    }

    /// The case as numbers.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// The case as numbers, to keep.
    pub fn into_instance(self) -> Instance {
        self.instance
    }

    /// How the outlier term of its plans is measured.
    pub(crate) fn outlier_kind(&self) -> OutlierKind {
        self.explainer.settings.outlier
    }

    /// Whether the applicant is accepted as they are.
    pub(crate) fn is_accepted(&self) -> bool {
        self.explainer.accepts(self.applicant)
    }

    /// The answer to an applicant who is accepted as they are; `None` for others.
    pub(super) fn already_accepted(&self, engine: &Engine) -> Option<Explanation> {
        let solution = Solution::already_accepted(Duration::ZERO);
        self.is_accepted().then(|| self.describe_without_plan(&solution, engine.name()))
    }

    /// Explains the applicant.
    pub fn explain(&self, solving: &Solving<'_>) -> Result<Explanation> {
        if let Some(accepted) = self.already_accepted(solving.engine) {
            return Ok(accepted);
        }
        let began = Instant::now();
        let report = self.solve(&self.instance, None, Wanted::Cheapest, solving);
        match report.and_then(|report| self.describe(&report)) {
            Err(failure @ Error::Solver { .. }) => Ok(self.failed(&failure, solving.engine, began)),
            explanation => explanation,
        }
    }

    /// An answer of its own for an applicant whose plans failed a check, or whose solver did: others are still answered.
    pub(super) fn failed(&self, failure: &Error, engine: &Engine, began: Instant) -> Explanation {
        let (status, time) = (Status::Timeout, began.elapsed());
        let unknown = Solution { status, plan: None, bound: None, time };
        let mut explanation = self.describe_without_plan(&unknown, engine.name());
        explanation.remark = Some(failure.to_string());
        explanation.solver_failed = true;
        explanation
    }

    /// Solves a checked instance of this case, with the margin that plans must have. Where it has only a part of the
    /// case's options, the report is in terms of that part.
    pub(super) fn solve(
        &self,
        instance: &Instance,
        part: Option<&Part>,
        wanted: Wanted,
        solving: &Solving<'_>,
    ) -> Result<SolveReport> {
        let clock = Clock::start(solving.settings, solving.control);
        let gap = solving.settings.relative_gap;
        let mut settings = solving.settings.clone();
        // Copied only where rules are added: it refers to every row of the reference.
        let mut asked = Cow::Borrowed(instance);
        let with = |asked: Cow<'_, Instance>, mut cuts: Vec<instance::OptionRule>| {
            if let Some(part) = part {
                for cut in &mut cuts {
                    part.narrow(cut);
                }
            }
            asked.into_owned().with_rules(cuts)
        };
        let is_needed = wanted == Wanted::Cheapest && self.explainer.settings.goal.needed;
        let mut needed = is_needed.then(|| NeededSearch::new(self));
        if let Some(rules) = needed.as_ref().map(NeededSearch::rules).filter(|all| !all.is_empty())
        {
            asked = Cow::Owned(with(asked, rules)?);
        }
        let mut refused = 0;
        loop {
            let mut report = find(&asked, wanted, &Solving { settings: &settings, ..*solving })?;
            report.solution.time = clock.elapsed();
            let is_proven = needed.as_mut().is_some_and(|needed| needed.learn(&mut report, gap));
            let Some(plan) = report.solution.plan.as_ref().filter(|_| !is_proven) else {
                return Ok(answer(needed, report, is_proven));
            };
            let choice =
                part.map_or_else(|| plan.choice.clone(), |part| part.original(&plan.choice));
            let mut cuts = self.cuts(&choice, &mut refused, report.engine())?;
            let smaller = match &needed {
                Some(needed) if cuts.is_empty() => needed.smaller(&choice, &mut cuts)?,
                _ => None,
            };
            if cuts.is_empty() {
                return Ok(answer(needed, report, false));
            }
            // Who takes any plan is given the first; otherwise only time is short where the best is not known.
            let stopped = report.solution.status != Status::Optimal && wanted == Wanted::Cheapest;
            asked = Cow::Owned(with(asked, cuts)?);
            if let (Some(needed), Some(smaller), None) = (&mut needed, smaller, part) {
                needed.keep_improved(smaller, &asked, &clock, solving)?;
            }
            let is_proven = needed.as_ref().is_some_and(|needed| needed.is_settled(gap));
            settings = match clock.next() {
                Some(next) if !stopped && !is_proven => next,
                _ => {
                    // The bound holds: cuts only take plans away.
                    report.solution.status = Status::Timeout;
                    report.solution.plan = None;
                    report.solution.time = clock.elapsed();
                    return Ok(answer(needed, report, is_proven));
                }
            };
        }
    }

    /// Rules that take a plan away, and others with it: because the application's own check refuses it, or because it lacks
    /// its margin. None where nothing is wrong.
    fn cuts(
        &self,
        choice: &[usize],
        refused: &mut usize,
        engine: &'static str,
    ) -> Result<Vec<instance::OptionRule>> {
        let record = self.record(choice);
        let Some(refusal) = self.refusal(&record) else { return self.margin_cuts(&record) };
        *refused += 1;
        if *refused > MOST_REFUSED {
            return Err(Error::solver(engine, refusal.in_words()));
        }
        let mut cuts = Vec::new();
        let mut to_blame: Vec<usize> = (0..self.moves.len()).collect();
        match refusal {
            Refusal::Rejected => {
                cuts.push(Margin::without_steps(self.explainer).cut(self, &record));
            }
            Refusal::Broken { features, rule, .. } => {
                // Whatever else changes, these values break it.
                to_blame.retain(|&move_index| {
                    self.moves[move_index].members.iter().any(|member| features.contains(member))
                });
                if let Some(rule) = rule {
                    cuts.extend(sum_cuts(rule, &self.moves, self.applicant, choice)?);
                }
            }
        }
        let other = |feature: usize| {
            let taken: OptionSet = std::iter::once(choice[feature]).collect();
            Literal { feature, options: taken.complement(self.moves[feature].len()) }
        };
        let others = to_blame.into_iter().map(other).collect();
        cuts.push(instance::OptionRule::any_of("another plan", others));
        Ok(cuts)
    }

    /// Rules that take a plan away which lacks its margin; none where it has it, or none is asked for.
    pub(super) fn margin_cuts(&self, record: &Record) -> Result<Vec<instance::OptionRule>> {
        self.margin.as_ref().map_or(Ok(Vec::new()), |margin| margin.cuts(self, record))
    }

    /// What plans need to stay accepted where their numbers are off by a step, if they have to.
    pub(super) fn margin(&self) -> Option<&Margin> {
        self.margin.as_ref()
    }

    /// Whether there are rules between features.
    pub(super) fn has_rules(&self) -> bool {
        !self.rules.is_empty()
    }

    /// The application that a choice of options leads to.
    pub(super) fn record(&self, choice: &[usize]) -> Record {
        let mut record = self.applicant.clone();
        for (action, &option) in self.moves.iter().zip(choice) {
            for (&member, value) in action.members.iter().zip(action.values(option)) {
                record[member] = value;
            }
        }
        record
    }
}

/// The best answer of a search, where plans must have no change that they could do without.
fn answer(needed: Option<NeededSearch<'_>>, report: SolveReport, is_proven: bool) -> SolveReport {
    match needed {
        Some(needed) => needed.answer(report, is_proven),
        None => report,
    }
}

/// What an applicant may do.
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
    let cut_points = cuts.as_deref();
    let limit = explainer.settings.option_limit.map(|values| Limit { values, cut_points });
    let Bounds { schema, rules, harmless, .. } = bounds;
    let mut moves = moves(schema, &explainer.ranges, applicant, rules, limit)?;
    if *harmless {
        let harmless = Harmless::new(explainer, applicant);
        for action in &mut moves {
            action.restrict(&harmless.options(action));
        }
    }
    Ok(moves)
}

/// A move as columns of an instance and their values.
pub(super) fn feature_options(explainer: &Explainer, x: &[f64], action: &Move) -> FeatureOptions {
    let encoder = &explainer.encoder;
    let mut columns = Vec::new();
    // Where each of them comes from: the member's index in the move, and the column's among those of the member.
    let mut origins = Vec::new();
    for (member_index, &member) in action.members.iter().enumerate() {
        let all = encoder.feature_columns(member);
        let ends = action.options.ranges().flat_map(|(_, range)| {
            [0, range.len() - 1].map(|index| Value::Number(range.value(index, member_index)))
        });
        let listed = action.options.listed_values().map(|(_, row)| row[member_index]);
        let encoded: Vec<Vec<f64>> =
            ends.chain(listed).map(|value| encoder.encode_value(member, value)).collect();
        let feature = &explainer.schema.features[member];
        for column in instance_columns(feature, &x[all.clone()], &encoded) {
            columns.push(all.start + column);
            origins.push((member_index, column));
        }
    }
    // The number comes first; beside it no code stands.
    let sources: Vec<Result<usize, f64>> = origins
        .iter()
        .map(|&(member_index, column)| if column == 0 { Ok(member_index) } else { Err(0.0) })
        .collect();
    let ranges = action.options.ranges().map(|(_, range)| range.with_sources(&sources)).collect();
    let row = |(_, row): (usize, &Vec<Value>)| {
        let encoded: Vec<Vec<f64>> = action
            .members
            .iter()
            .zip(row)
            .map(|(&member, &value)| encoder.encode_value(member, value))
            .collect();
        origins.iter().map(|&(member_index, column)| encoded[member_index][column]).collect()
    };
    let options = Options::new(ranges, action.options.listed_values().map(row).collect());
    FeatureOptions { name: action.name.clone(), columns, options }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SolveSettings;
    use crate::data::{Dataset, Encoder};
    use crate::engine::Control;
    use crate::explain::{ExplainSettings, Preset, Wishes};
    use crate::model::{Model, ModelKind, TrainSettings};
    use crate::plans::SeveralSettings;

    #[test]
    fn options_of_the_instance_are_those_of_the_moves() {
        let german = Dataset::german_free();
        let kind = ModelKind::LogisticRegression;
        let model = Model::fit(&german, kind, &TrainSettings::default()).unwrap();
        let encoder = Encoder::new(&german.schema);
        for preset in [Preset::Standard, Preset::Dace] {
            let costs = ExplainSettings::preset(preset, "german");
            let explainer = Explainer::fit(&german, &model, &costs).unwrap();
            let wishes = Wishes::default();
            let case = explainer.case(&german.records[0], &wishes).unwrap();
            for (action, feature) in case.moves.iter().zip(case.instance().features()) {
                assert_eq!(action.len(), feature.options.len());
                for option in (0..action.len()).step_by(37) {
                    let encoded = encoder.encode_value(action.members[0], action.values(option)[0]);
                    assert_eq!(feature.options.row(option), encoded);
                }
                assert_eq!(action.values(action.keep)[0], german.records[0][action.members[0]]);
            }
            let amount = case.instance().features()[1].options.len();
            assert_eq!(amount, if preset == Preset::Standard { 18_175 } else { 101 });
        }
    }

    #[test]
    fn who_has_no_plan_that_passes_the_check_is_answered_all_the_same() {
        let german = Dataset::german_free();
        let kind = ModelKind::LogisticRegression;
        let model = Model::fit(&german, kind, &TrainSettings::default()).unwrap();
        let mut costs = ExplainSettings::preset(Preset::Standard, "german");
        costs.outlier = crate::explain::OutlierKind::None;
        costs.max_changes = 1;
        let explainer = Explainer::fit(&german, &model, &costs).unwrap();
        let wishes = Wishes::default();
        let (settings, control) = (SolveSettings::default(), Control::default());
        let solving = Solving { engine: &Engine::Search, settings: &settings, control: &control };
        let two = SeveralSettings::new(2);
        let mut failed = 0;
        for applicant in german.records.iter().filter(|one| !explainer.accepts(one)).take(8) {
            let mut case = explainer.case(applicant, &wishes).unwrap();
            // Stricter than the options were made for, so that every plan fails the check.
            let mut strict = german.schema.clone();
            for feature in &mut strict.features {
                feature.change = crate::data::Change::Immutable;
            }
            case.schema = &strict;
            let explanation = case.explain(&solving).unwrap();
            let (several, _) = case.several(&two, &solving).unwrap();
            for explanation in several.iter().chain([&explanation]) {
                assert!(explanation.plan.is_none());
                assert_eq!(explanation.solver_failed, explanation.status == Status::Timeout);
                let remark = explanation.remark.as_deref().unwrap_or_default();
                assert_eq!(
                    explanation.solver_failed,
                    remark.contains("but it may not change"),
                    "{remark}"
                );
                failed += usize::from(explanation.solver_failed);
            }
        }
        assert!(failed > 0);
    }
    /// The short way for accepted applicants says what their case says, notes included.
    #[test]
    fn accepted_applicants_are_answered_alike_with_and_without_a_case() {
        let mut german = Dataset::german_free();
        german.schema.features[1].limits.range = Some([4.0, 20.0]);
        let model = Model::fit(&german, ModelKind::LogisticRegression, &TrainSettings::default());
        let costs = ExplainSettings::preset(Preset::Standard, "german");
        let explainer = Explainer::fit(&german, &model.unwrap(), &costs).unwrap();
        let wishes = Wishes::parse(["credit_amount <= 2000"], &german.schema).unwrap();
        let (settings, control) = (SolveSettings::default(), Control::default());
        let solving = Solving { engine: &Engine::Search, settings: &settings, control: &control };
        let mut counts = [0, 0];
        for record in &german.records[..60] {
            let accepted = explainer.already_accepted(record, &wishes, &Engine::Search).unwrap();
            let case = explainer.case(record, &wishes).unwrap();
            assert_eq!(accepted.is_some(), case.is_accepted());
            counts[usize::from(accepted.is_some())] += 1;
            if let Some(accepted) = accepted {
                let built = case.explain(&solving).unwrap();
                assert_eq!(format!("{accepted:?}"), format!("{built:?}"));
                counts[1] += 100 * usize::from(accepted.notes.len() == 2);
            }
        }
        assert!(counts[0] > 0 && counts[1] > 100, "{counts:?}");
    }
}
