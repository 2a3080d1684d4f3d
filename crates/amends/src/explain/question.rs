//! A case with some rules left out, and which of the others each of its options goes against.

use std::collections::BTreeSet;

use super::case::{Bounds, Case, possible_moves};
use super::margin::Margin;
use super::relaxed::{Unit, units, without_feature_rules};
use crate::Result;
use crate::action::{Domain, Move, Piece};
use crate::data::{Record, Rule, Schema, Value};
use crate::decimal::sum;
use crate::instance::{
    self, Coefficients, Cost, Distance, Instance, Kept, Limits, Literal, OptionSet,
};

/// What is left out beside rules of single features.
#[derive(Debug, Clone)]
pub(super) struct Dropped {
    /// Whether any number of changes is allowed.
    pub max_changes: bool,
    /// Whether changes may lower the score by themselves.
    pub harmless: bool,
    /// Rules between features, by their index in the case.
    pub rules: Vec<usize>,
}

/// A case without the dropped rules and with every option that rules of single features forbid.
pub(super) struct Question<'a> {
    pub case: Case<'a>,
    /// Its instance where plans cost nothing.
    pub free: Instance,
    /// Per move, the rules of single features that its options go against; `None` where no rule could allow them.
    needs: Vec<Vec<Piece<Option<BTreeSet<Unit>>>>>,
    pub dropped: Dropped,
}

/// A question with only some of its options.
pub(super) struct Part {
    pub instance: Instance,
    kept: Vec<OptionSet>,
    origins: Vec<Kept>,
}

impl<'a> Question<'a> {
    pub(super) fn new(case: &Case<'a>, dropped: Dropped) -> Result<Self> {
        let Case { explainer, applicant, schema, .. } = *case;
        let kept = case.rules.iter().enumerate();
        let kept = kept.filter(|(index, _)| !dropped.rules.contains(index));
        let rules: Vec<&'a Rule> = kept.map(|(_, rule)| *rule).collect();
        let max_changes =
            if dropped.max_changes { schema.features.len() } else { case.instance().max_changes() };
        let margin = explainer.settings.goal.step_to_spare.then(|| Margin::new(explainer));
        let wide = without_feature_rules(schema);
        let harmless = case.harmless.is_some() && !dropped.harmless;
        let wider = Bounds { schema: &wide, rules: rules.clone(), max_changes, harmless };
        let mut moves = possible_moves(explainer, applicant, &wider, margin.as_ref())?;
        let bounds = Bounds { schema, rules, max_changes, harmless };
        if explainer.settings.option_limit.is_some() {
            // Few values of a wider range are others than few of a narrower one.
            let narrower = possible_moves(explainer, applicant, &bounds, margin.as_ref())?;
            for (wider, narrower) in moves.iter_mut().zip(narrower) {
                wider.options = joined(&narrower, wider);
                wider.keep = narrower.keep;
            }
        }
        let needs = moves.iter().map(|action| needs(schema, applicant, action)).collect();
        let mut case = Case::with_moves(explainer, applicant, bounds, moves, margin)?;
        case.lenient = true;
        let free_of =
            |feature: &instance::FeatureOptions| Coefficients::constant(0.0, feature.options.len());
        let costs = case.instance().features().iter().map(free_of).collect();
        let cost = Cost {
            distance: Distance::Table { costs },
            outlier: None,
            change_cost: 0.0,
            most: Limits::default(),
        };
        let free = case.instance().with_cost(cost);
        Ok(Self { case, free, needs, dropped })
    }

    /// The rules of single features that some option goes against.
    pub(super) fn units(&self) -> Vec<Unit> {
        let needs = self.needs.iter().flatten().filter_map(|piece| piece.is.as_ref());
        let all: BTreeSet<Unit> = needs.flatten().copied().collect();
        all.into_iter().collect()
    }

    /// The part whose options go against no other rules than are allowed.
    pub(super) fn restricted(
        &self,
        whole: &Instance,
        allowed: impl Fn(&BTreeSet<Unit>) -> bool,
    ) -> Part {
        let kept = |needs: &Vec<Piece<Option<BTreeSet<Unit>>>>| -> OptionSet {
            let kept = needs.iter().filter(|piece| piece.is.as_ref().is_some_and(&allowed));
            kept.map(|piece| (piece.first, piece.last)).collect()
        };
        let kept: Vec<OptionSet> = self.needs.iter().map(kept).collect();
        let (instance, origins) = whole.with_options(&kept);
        Part { instance, kept, origins }
    }

    /// The part whose plans go against all of these rules and no others; `None` where no option goes against one.
    pub(super) fn part(&self, whole: &Instance, used: &BTreeSet<Unit>) -> Option<Part> {
        let mut part = self.restricted(whole, |needs| needs.is_subset(used));
        for unit in used {
            let against = self.needs.iter().zip(&part.kept).enumerate();
            let against = against.map(|(feature, (needs, kept))| {
                let uses = |piece: &&Piece<Option<BTreeSet<Unit>>>| {
                    piece.is.as_ref().is_some_and(|needs| needs.contains(unit))
                };
                let options: OptionSet =
                    needs.iter().filter(uses).map(|piece| (piece.first, piece.last)).collect();
                Literal { feature, options: options.intersection(kept) }
            });
            let against: Vec<Literal> =
                against.filter(|literal| !literal.options.is_empty()).collect();
            if against.is_empty() {
                return None;
            }
            let mut rule = instance::OptionRule::any_of("relaxed rules are used", against);
            part.narrow(&mut rule);
            part.instance.add_rule(rule);
        }
        Some(part)
    }
}

impl Part {
    /// A choice of the part's options as one of the question's.
    pub(super) fn original(&self, choice: &[usize]) -> Vec<usize> {
        self.origins.iter().zip(choice).map(|(kept, &option)| kept.original(option)).collect()
    }

    /// Makes a rule about the question's options one about those of the part.
    pub(super) fn narrow(&self, rule: &mut instance::OptionRule) {
        rule.keep_options(&self.kept);
    }
}

/// Listed options of two moves of the same features, each once.
fn joined(first: &Move, second: &Move) -> Domain {
    let mut rows: Vec<Vec<Value>> = (0..first.len()).map(|option| first.values(option)).collect();
    for option in 0..second.len() {
        let row = second.values(option);
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    Domain::listed(rows)
}

/// The rules of single features that the options of a move go against.
fn needs(schema: &Schema, applicant: &Record, action: &Move) -> Vec<Piece<Option<BTreeSet<Unit>>>> {
    let mut breaks = Vec::new();
    for (member_index, &member) in action.members.iter().enumerate() {
        let limits = &schema.features[member].limits;
        let mut numbers: Vec<f64> = limits.range.into_iter().flatten().collect();
        if let Value::Number(own) = applicant[member] {
            let sizes = limits.max_change.into_iter().chain(limits.least_change);
            let sizes = sizes.flat_map(|size| [-size, size]);
            let by = limits.relative_range.into_iter().flatten().chain(sizes);
            numbers.extend(by.filter(|by| by.is_finite()).map(|by| sum(own, by)));
            numbers.push(own);
        }
        numbers.retain(|number| number.is_finite());
        breaks.extend(numbers.into_iter().map(|number| (member_index, number)));
    }
    action.options.pieces(&breaks, |row| {
        let mut all = BTreeSet::new();
        for (&member, &value) in action.members.iter().zip(row) {
            all.extend(units(schema, member, applicant[member], value)?);
        }
        Some(all)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::{Ranges, moves};
    use crate::data::{Change, Feature, Kind, Target};

    #[test]
    fn every_option_needs_what_the_schema_says() {
        let target =
            Target { column: "y".into(), favourable: "1".into(), unfavourable: "0".into() };
        let mut amount = Feature::new("amount", Kind::Continuous);
        amount.change = Change::Increase;
        amount.limits = crate::data::FeatureLimits {
            range: Some([1.25, 8.5]),
            relative_range: Some([-2.0, 3.5]),
            max_change: Some(3.25),
            least_change: Some(0.75),
            one_step: false,
        };
        let mut other = Feature::new("other", Kind::Integer);
        other.change = Change::Immutable;
        let schema =
            Schema { name: "t".into(), target, features: vec![amount, other], rules: Vec::new() };
        let record = |a: f64, b: f64| vec![Value::Number(a), Value::Number(b)];
        let ranges = Ranges::fit(&schema, &[record(-10.05, 0.0), record(20.0, 9.0)]).unwrap();
        let wide = without_feature_rules(&schema);
        for own in [record(4.5, 3.0), record(0.3, 3.0), record(19.99, 30.0), record(4.123, 3.0)] {
            let list = moves(&wide, &ranges, &own, &[], None).unwrap();
            for action in &list {
                let mut next = 0;
                let pieces = needs(&schema, &own, action);
                for piece in &pieces {
                    assert_eq!(piece.first, next);
                    for option in piece.first..=piece.last {
                        let member = action.members[0];
                        let broken = units(&schema, member, own[member], action.values(option)[0]);
                        let expected: BTreeSet<Unit> = broken.unwrap().into_iter().collect();
                        assert_eq!(piece.is.as_ref(), Some(&expected), "{own:?} {option}");
                    }
                    next = piece.last + 1;
                }
                assert_eq!(next, action.len());
                assert!(pieces.len() < 30 && action.len() >= 10, "{}", pieces.len());
            }
        }
    }
}
