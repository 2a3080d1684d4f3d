//! Changes that no plan of a linear model needs, found by adding up what each change gains.
//!
//! Where no rule between features stands in the way, a plan stays accepted without a change that gains nothing. So no plan in
//! which every change is needed has one: such options are taken away beforehand. And a plan with a change whose gain is
//! more than it has to spare is one with a change too many: sums over the other changes take all of these away at once.

use super::case::Case;
use super::margin::{Losses, Margin};
use crate::data::Demand;
use crate::instance::{Coefficients, Literal, OptionRule, OptionSet, Term};
use crate::model::Linear;

/// What every change of one applicant gains.
pub(super) struct Gains<'a> {
    case: &'a Case<'a>,
    linear: &'a Linear,
    losses: Losses,
    /// Per move, whether a rule relates its features to each other or to others.
    related: Vec<bool>,
}

impl<'a> Gains<'a> {
    /// `None` unless the model is linear.
    pub(super) fn new(case: &'a Case<'a>) -> Option<Self> {
        let instance = case.instance();
        let (x, features) = (instance.x(), instance.features());
        let without = Margin::without_steps(case.explainer);
        let margin = case.margin().unwrap_or(&without);
        let classifier = instance.classifier();
        let losses = margin.losses(classifier, x, features, &case.moves, case.applicant)?;
        let linear = classifier.as_linear()?;
        Some(Self { case, linear, losses, related: case.related_moves() })
    }

    /// Rules that take away every option that gains nothing, wherever it can be left out.
    pub(super) fn useful_options(&self) -> Vec<OptionRule> {
        let mut rules = Vec::new();
        for (feature, action) in self.case.moves.iter().enumerate() {
            let useless = self.never_better(feature).union(&self.losing(feature));
            let options = useless.complement(action.len());
            if self.related[feature] || options.len() == action.len() {
                continue;
            }
            let kept = std::iter::once(action.keep).collect();
            let literal = Literal { feature, options: options.union(&kept) };
            rules.push(OptionRule::any_of("every change is needed", vec![literal]));
        }
        rules
    }

    /// Options of which no column adds more to the score than it does now: with rounding, too, every sum is at least as high
    /// without them.
    fn never_better(&self, feature: usize) -> OptionSet {
        let (action, encoder) = (&self.case.moves[feature], &self.case.explainer.encoder);
        let (x, weights) = (self.case.instance().x(), &self.linear.weights);
        let members = action.members.iter().enumerate();
        let breaks: Vec<(usize, f64)> = members
            .map(|(index, &member)| (index, x[encoder.feature_columns(member).start]))
            .collect();
        let pieces = action.options.pieces(&breaks, |row| {
            action.members.iter().zip(row).all(|(&member, &value)| {
                let columns = encoder.feature_columns(member);
                let encoded = encoder.encode_value(member, value);
                columns
                    .zip(encoded)
                    .all(|(column, to)| weights[column] * to <= weights[column] * x[column])
            })
        });
        pieces.iter().filter(|piece| piece.is).map(|piece| (piece.first, piece.last)).collect()
    }

    /// Options that lower the score by more than rounding can hide.
    fn losing(&self, feature: usize) -> OptionSet {
        let mut losing = Vec::new();
        let lost = |loss: f64| loss > self.losses.error;
        for run in self.losses.terms[feature].coefficients.runs() {
            // Runs are straight: what loses is at one end of them.
            let (first, last) = (lost(run.at(0)), lost(run.last()));
            let (mut yes, mut no) = if first { (0, run.count - 1) } else { (run.count - 1, 0) };
            match (first, last) {
                (false, false) => continue,
                (true, true) => (),
                _ => {
                    while yes.abs_diff(no) > 1 {
                        let middle = usize::midpoint(yes, no);
                        if lost(run.at(middle)) { yes = middle } else { no = middle }
                    }
                }
            }
            losing.push(match (first, last) {
                (true, true) => (run.start, run.start + run.count - 1),
                (true, false) => (run.start, run.start + yes),
                _ => (run.start + yes, run.start + run.count - 1),
            });
        }
        losing.into_iter().collect()
    }

    /// Rules that take away every plan that is accepted without some changes which this plan can be left without, as far as
    /// rounding allows. Related moves have to be as in this plan: what rules permit depends on them.
    pub(super) fn without(&self, dropped: &[usize], choice: &[usize]) -> Vec<OptionRule> {
        let instance = self.case.instance();
        let others: Vec<usize> =
            (0..self.case.moves.len()).filter(|feature| !dropped.contains(feature)).collect();
        let gains = |feature: usize| -> Coefficients {
            let mut gains = Coefficients::default();
            for run in self.losses.terms[feature].coefficients.runs() {
                gains.push(-run.first, -run.step, run.count);
            }
            gains
        };
        let highest = |&feature: &usize| {
            let runs = self.losses.terms[feature].coefficients.runs().iter();
            runs.map(|run| (-run.first).max(-run.last())).fold(0.0, f64::max)
        };
        let mut tops: Vec<f64> = others.iter().map(highest).collect();
        tops.sort_by(|a, b| b.total_cmp(a));
        let top: f64 = tops.iter().take(instance.max_changes()).sum();
        let most = self.losses.error - instance.classifier().score(instance.x());
        // Added for every condition: unless all of them hold, the sum stays below the limit.
        let weight = (top - most).max(0.0);
        let related = others.iter().filter(|&&feature| self.related[feature]).count();
        let rule = |&removed: &usize| {
            let raised = |feature: usize, mut gains: Coefficients, options: OptionSet| {
                for &interval in options.intervals() {
                    gains.raise(interval, weight);
                }
                Term { feature, coefficients: gains }
            };
            let count = self.case.moves[removed].len();
            let changed = instance.features()[removed].keep_set(instance.x()).complement(count);
            let mut terms = vec![raised(removed, Coefficients::constant(0.0, count), changed)];
            for &feature in &others {
                let same = self.related[feature].then_some(choice[feature]);
                terms.push(raised(feature, gains(feature), same.into_iter().collect()));
            }
            let most = most + weight * (1 + related) as f64;
            OptionRule::at_most("every change is needed", terms, most)
        };
        dropped.iter().map(rule).collect()
    }
}

impl Case<'_> {
    /// Per move, whether a rule between features depends on its values. Rules that limit the number of changes allow every part of
    /// what they allow, and features that change together are one move.
    pub(super) fn related_moves(&self) -> Vec<bool> {
        let formulas = self.rules.iter().filter(|rule| matches!(rule.demand, Demand::Formula(_)));
        let features: Vec<usize> = formulas.flat_map(|rule| rule.features()).collect();
        let related = |member: &usize| features.contains(member);
        self.moves.iter().map(|action| action.members.iter().any(related)).collect()
    }
}
