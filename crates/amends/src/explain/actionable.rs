//! Whether an applicant can give a feature another value at all: whether some complete change, with all rules and the limit on
//! changes, does so.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::Case;
use super::case::feature_options;
use super::rules::{allowed_alone, instance_rules, sum_cuts};
use crate::Result;
use crate::action::Move;
use crate::data::{Demand, Record, Rule, Value};
use crate::engine::{Control, Engine, Progress, SolveSettings, Solving, Wanted, find};
use crate::instance::{
    Coefficients, Cost, Distance, FeatureOptions, Instance, InstanceParts, Limits, Literal,
    OptionRule, OptionSet, Options,
};
use crate::model::{Classifier, Linear};
use crate::solution::Status;

/// After so many reports of the search, one per 256 regions, the question is left open. A count ends every run at the same point,
/// which a time limit does not.
const MOST_REPORTS: usize = 16;

/// So many changes that only rounding lets pass are taken away before the question is left open.
const MOST_ROUNDED: usize = 20;

/// The complete changes that one applicant may make.
pub(super) struct CompleteChanges<'a> {
    case: &'a Case<'a>,
    /// Every value that rules of single features allow.
    moves: &'a [Move],
    /// Made when the first feature needs it.
    instance: Cell<Option<Instance>>,
}

impl<'a> CompleteChanges<'a> {
    pub(super) fn new(case: &'a Case<'a>, moves: &'a [Move]) -> Self {
        Self { case, moves, instance: Cell::new(None) }
    }

    /// Whether some complete change gives the feature another value; `None` where that was not settled. `alone` are the options of
    /// its move that are allowed where nothing else changes.
    pub(super) fn change(
        &self,
        feature: usize,
        move_index: usize,
        alone: &OptionSet,
    ) -> Result<Option<bool>> {
        let other = self.other_values(feature, move_index);
        if !other.intersection(alone).is_empty() {
            return Ok(Some(true));
        }
        let members = &self.moves[move_index].members;
        let own: Vec<&Rule> =
            self.case.rules.iter().copied().filter(|rule| binds(rule, members)).collect();
        let open = allowed_alone(&own, self.moves, self.case.applicant, move_index);
        // Most features that can't change are settled without a search.
        if other.intersection(&open).is_empty() {
            return Ok(Some(false));
        }
        self.search(Literal { feature: move_index, options: other })
    }

    /// The options of a move in which one of its members has another value.
    fn other_values(&self, feature: usize, move_index: usize) -> OptionSet {
        let action = &self.moves[move_index];
        let own = self.case.applicant[feature];
        let member = action.members.iter().position(|&member| member == feature);
        let breaks: Vec<(usize, f64)> = match (member, own) {
            (Some(member), Value::Number(number)) => vec![(member, number)],
            _ => Vec::new(),
        };
        let other = |row: &[Value]| member.is_some_and(|member| row[member] != own);
        let pieces = action.options.pieces(&breaks, other).into_iter();
        pieces.filter(|piece| piece.is).map(|piece| (piece.first, piece.last)).collect()
    }

    /// Looks for a complete change with one of these options.
    fn search(&self, wanted: Literal) -> Result<Option<bool>> {
        let free = self.instance.take().map_or_else(|| self.free(), Ok)?;
        self.instance.set(Some(free.clone()));
        let mut asked =
            free.with_rules([OptionRule::any_of("the feature changes", vec![wanted])])?;
        for _ in 0..MOST_ROUNDED {
            let choice = match any_choice(&asked)? {
                Found::Choice(choice) => choice,
                Found::Nothing => return Ok(Some(false)),
                Found::Unsettled => return Ok(None),
            };
            let record = self.record(&choice);
            let broken = |rule: &&&Rule| !rule.allows(self.case.applicant, &record);
            let Some(rule) = self.case.rules.iter().find(broken) else { return Ok(Some(true)) };
            asked = asked.with_rules(self.cuts(rule, &choice)?)?;
        }
        Ok(None)
    }

    /// The applicant's options and rules where every complete change is a plan and costs nothing. The model has no say in what is
    /// permitted: another column decides that is 1 in every plan, as one more change.
    fn free(&self) -> Result<Instance> {
        let Case { explainer, applicant, ref rules, .. } = *self.case;
        let mut x = explainer.encoder.encode(applicant);
        let mut features: Vec<FeatureOptions> =
            self.moves.iter().map(|action| feature_options(explainer, &x, action)).collect();
        let mut weights = vec![0.0; x.len()];
        features.push(FeatureOptions {
            name: "changes".to_owned(),
            columns: vec![x.len()],
            options: Options::new(Vec::new(), vec![vec![0.0], vec![1.0]]),
        });
        x.push(0.0);
        weights.push(1.0);
        let no_cost = |feature: &FeatureOptions| Coefficients::constant(0.0, feature.options.len());
        let cost = Cost {
            distance: Distance::Table { costs: features.iter().map(no_cost).collect() },
            outlier: None,
            change_cost: 0.0,
            most: Limits::default(),
        };
        Instance::from_parts(InstanceParts {
            x,
            max_changes: self.case.instance().max_changes() + 1,
            rules: instance_rules(rules, self.moves, applicant)?,
            classifier: Arc::new(Classifier::Linear(Linear { weights, intercept: -0.5 })),
            cost,
            features,
        })
    }

    /// The application that a choice leads to.
    fn record(&self, choice: &[usize]) -> Record {
        let mut record = self.case.applicant.clone();
        for (action, &option) in self.moves.iter().zip(choice) {
            for (&member, value) in action.members.iter().zip(action.values(option)) {
                record[member] = value;
            }
        }
        record
    }

    /// Rules that take a choice away which breaks a sum of many digits, and others with it.
    fn cuts(&self, rule: &Rule, choice: &[usize]) -> Result<Vec<OptionRule>> {
        let mut cuts = sum_cuts(rule, self.moves, self.case.applicant, choice)?;
        let features = rule.features();
        let named = |action: &Move| action.members.iter().any(|member| features.contains(member));
        let others = self.moves.iter().enumerate().filter(|(_, action)| named(action));
        let others = others.map(|(feature, action)| {
            let taken: OptionSet = std::iter::once(choice[feature]).collect();
            Literal { feature, options: taken.complement(action.len()) }
        });
        cuts.push(OptionRule::any_of("another change", others.collect()));
        Ok(cuts)
    }
}

/// What a bounded search for any choice ends with.
enum Found {
    Choice(Vec<usize>),
    /// Proven.
    Nothing,
    Unsettled,
}

/// Looks for any choice that an instance without costs allows.
fn any_choice(instance: &Instance) -> Result<Found> {
    let (enough, reports) = (AtomicBool::new(false), AtomicUsize::new(0));
    let count = |_: Progress| {
        if reports.fetch_add(1, Ordering::Relaxed) + 1 >= MOST_REPORTS {
            enough.store(true, Ordering::Relaxed);
        }
    };
    let control = Control { cancel: Some(&enough), progress: Some(&count) };
    let settings = SolveSettings::default();
    let solving = Solving { engine: &Engine::Search, settings: &settings, control: &control };
    let solution = find(instance, Wanted::Any, &solving)?.solution;
    Ok(match (solution.plan, solution.status) {
        (Some(plan), _) => Found::Choice(plan.choice),
        (None, Status::Infeasible) => Found::Nothing,
        (None, _) => Found::Unsettled,
    })
}

/// Whether a rule forbids values of these features whatever the others are.
fn binds(rule: &Rule, members: &[usize]) -> bool {
    match &rule.demand {
        Demand::AtMost { most: 0, features } => {
            features.iter().any(|feature| members.contains(feature))
        }
        _ => rule.features().iter().all(|feature| members.contains(feature)),
    }
}
