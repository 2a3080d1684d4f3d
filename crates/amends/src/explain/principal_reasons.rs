//! The principal reasons of an applicant's rejection, with what the applicant can do about each of them.

use std::sync::Arc;

use super::actionable::CompleteChanges;
use super::rules::allowed_alone;
use super::{Case, Explainer};
use crate::action::moves;
use crate::data::Dataset;
use crate::reasons::{MoveCounter, Principal, Reason, ReasonGroup, Reasons, ReferenceGroup};
use crate::{InputError, Result, Setting};

impl Explainer {
    /// Compares rejected applicants with a group of these training rows, so that [principal reasons](Case::reasons) can be asked
    /// for. The group depends on the score from which on applicants are accepted: choose the
    /// [goal](Explainer::with_goal) first.
    pub fn with_reason_group(mut self, group: ReasonGroup, training: &Dataset) -> Result<Self> {
        let fitted = ReferenceGroup::fit(
            group,
            (&self.classifier, self.settings.goal.score),
            &self.encoder,
            &self.schema,
            &training.records,
        )?;
        self.reason_group = Some(Arc::new(fitted));
        Ok(self)
    }

    /// Who rejected applicants are compared with, where that was chosen.
    pub fn reason_group(&self) -> Option<ReasonGroup> {
        self.reason_group.as_ref().map(|group| group.kind)
    }
}

impl Case<'_> {
    /// The principal reasons of the rejection, at most so many. Whether the applicant can act on one is judged by the rules that
    /// bind their plans; it has no influence on which are given.
    pub fn reasons(&self, at_most: usize) -> Result<Reasons> {
        let explainer = self.explainer;
        let Some(group) = &explainer.reason_group else {
            return Err(InputError::new("is not chosen, so that there are no reasons")
                .setting(Setting::ReasonGroup)
                .remedy("fit one with Explainer::with_reason_group, after the goal")
                .into());
        };
        let x = explainer.encoder.encode(self.applicant);
        let (contributions, basis) =
            group.contributions(&explainer.classifier, &explainer.encoder, &x);
        let counter = MoveCounter {
            classifier: &explainer.classifier,
            cut_points: explainer.cut_points.as_deref(),
            encoder: &explainer.encoder,
            x: &x,
            cut: explainer.settings.goal.score,
        };
        // Every allowed value counts, also where plans choose among few.
        let moves = moves(self.schema, &explainer.ranges, self.applicant, &self.rules, None)?;
        let changes = CompleteChanges::new(self, &moves);
        let reason = |principal: Principal| -> Result<Reason> {
            let feature = principal.feature;
            let index = moves.iter().position(|action| action.members.contains(&feature));
            let index = index.expect("every feature of the schema is in a move");
            let allowed = allowed_alone(&self.rules, &moves, self.applicant, index);
            Ok(Reason {
                feature,
                value: self.applicant[feature],
                typical: group.typical[feature],
                contribution: principal.contribution,
                standard_error: contributions.errors.as_ref().map(|errors| errors[feature]),
                share: principal.share,
                actionable: changes.change(feature, index, &allowed)?,
                flips: counter.count(&moves[index], &allowed),
            })
        };
        let reasons = contributions.principal(at_most).into_iter().map(reason);
        let reasons = reasons.collect::<Result<_>>()?;
        Ok(Reasons { reasons, contributions: contributions.values, basis })
    }
}
