//! What is asked of every applicant, and how one of them is answered.

use std::fmt;

use super::End;
use crate::data::Record;
use crate::engine::{Deadline, Solving};
use crate::explain::{Case, Explainer, Explanation, OutlierKind, Wishes};
use crate::plans::{FrontEnd, FrontSettings, SeveralEnd, SeveralSettings};
use crate::reasons::Reasons;
use crate::{InputError, Result, Setting, Status};

/// A local outlier factor of 1 is as ordinary as the neighbours are.
const ORDINARY: f64 = 1.0;

/// What is asked of every applicant: which plans, whether to find out why there is none, and whether to give the principal reasons
/// of a rejection. Its settings were checked when it was made.
///
/// ```
/// use amends::answer::Ask;
/// use amends::plans::SeveralSettings;
///
/// let three = Ask::several(SeveralSettings::new(3))?;
/// assert_eq!(three.to_string(), "3 plans, 1 or more changes apart");
/// assert!(Ask::front(20, 7.0).is_err());
/// # Ok::<(), amends::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    plans: Plans,
    why_none: bool,
    /// At most so many principal reasons, where they are wanted.
    max_reasons: Option<usize>,
    /// Whether plans and why there is none share one time limit.
    one_time_limit: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Plans {
    Best,
    Several(SeveralSettings),
    Front { at_most: usize, resolution: f64 },
}

impl Ask {
    /// The best plan, and why there is none where that is so.
    pub const fn best() -> Self {
        Self::of(Plans::Best)
    }

    /// The best few plans that differ in what they change, and why there is none where that is so.
    pub fn several(wanted: SeveralSettings) -> Result<Self> {
        wanted.check()?;
        Ok(Self::of(Plans::Several(wanted)))
    }

    /// The trade-off between distance and outlier term, in at most so many plans; differences below the resolution,
    /// relatively, don't count. And why there is no plan where that is so.
    pub fn front(at_most: usize, resolution: f64) -> Result<Self> {
        front_settings(at_most, resolution, None).check()?;
        Ok(Self::of(Plans::Front { at_most, resolution }))
    }

    /// The same, with or without looking for the rules that stand in the way where there is no plan.
    #[must_use]
    pub const fn with_why_none(mut self, why_none: bool) -> Self {
        self.why_none = why_none;
        self
    }

    /// Whether the rules that stand in the way are looked for where there is no plan.
    pub const fn why_none(&self) -> bool {
        self.why_none
    }

    const fn of(plans: Plans) -> Self {
        Self { plans, why_none: true, max_reasons: None, one_time_limit: false }
    }

    /// The same where the time limit is for plans and for why there is none together, instead of for each: somebody waits.
    #[must_use]
    pub const fn with_one_time_limit(mut self) -> Self {
        self.one_time_limit = true;
        self
    }

    /// The same with the principal reasons of a rejection, at most so many. The explainer has to know who applicants are compared
    /// with: [`Explainer::with_reason_group`].
    pub fn with_principal_reasons(mut self, at_most: usize) -> Result<Self> {
        if at_most == 0 {
            return Err(InputError::new("must be at least 1")
                .setting(Setting::MaxReasons)
                .value(0)
                .remedy("4 is the default")
                .into());
        }
        self.max_reasons = Some(at_most);
        Ok(self)
    }

    /// How many principal reasons are given at most; `None` where they are not wanted.
    pub const fn max_reasons(&self) -> Option<usize> {
        self.max_reasons
    }

    /// Answers one applicant under the schema's rules and their own. Who is accepted as they are is answered before their
    /// case is built, which takes far longer than their score.
    pub fn answer(
        &self,
        explainer: &Explainer,
        applicant: &Record,
        wishes: &Wishes,
        solving: &Solving<'_>,
    ) -> Result<Answer> {
        if let Some(accepted) = explainer.already_accepted(applicant, wishes, solving.engine)? {
            return Ok(Answer::new(vec![accepted], self.end_of_accepted()));
        }
        self.answer_case(&explainer.case(applicant, wishes)?, solving)
    }

    /// Answers an applicant whose case is at hand. The time limit is for the plans, and again for why there is
    /// none, unless [`Ask::with_one_time_limit`] says otherwise.
    pub fn answer_case(&self, case: &Case<'_>, solving: &Solving<'_>) -> Result<Answer> {
        let deadline = Deadline::start(solving.settings.time_limit);
        let mut answer = match self.plans {
            Plans::Best => Answer::new(vec![case.explain(solving)?], End::Best),
            Plans::Several(wanted) => {
                let (plans, end) = case.several(&wanted, solving)?;
                Answer::new(plans, End::Several(end))
            }
            Plans::Front { at_most, resolution } => {
                let wanted = front_settings(at_most, resolution, Some(case.outlier_kind()));
                let (mut plans, end) = case.front(&wanted, solving)?;
                // Whether there is no plan, or none was found in time, is decided by one more solve.
                if plans.is_empty() {
                    plans.push(case.explain(solving)?);
                }
                Answer::new(plans, End::Front { end, resolution })
            }
        };
        if let [only] = &mut answer.plans[..]
            && self.why_none
            && only.status == Status::Infeasible
        {
            let mut settings = solving.settings.clone();
            if self.one_time_limit {
                settings.time_limit = deadline.left();
            }
            only.why_none = Some(case.why_none(&Solving { settings: &settings, ..*solving })?);
        }
        if let Some(at_most) = self.max_reasons
            && answer.status() != Status::AlreadyAccepted
        {
            answer.reasons = Some(case.reasons(at_most)?);
        }
        Ok(answer)
    }

    fn end_of_accepted(&self) -> End {
        match self.plans {
            Plans::Best => End::Best,
            Plans::Several(_) => End::Several(SeveralEnd::AlreadyAccepted),
            Plans::Front { resolution, .. } => {
                End::Front { end: FrontEnd::AlreadyAccepted, resolution }
            }
        }
    }
}

fn front_settings(at_most: usize, resolution: f64, outlier: Option<OutlierKind>) -> FrontSettings {
    let ordinary = (outlier == Some(OutlierKind::Lof)).then_some(ORDINARY);
    FrontSettings { at_most: Some(at_most), resolution, ordinary }
}

/// As a journal keeps it, to be continued only by the same question; whether to find out why there is no plan is kept apart.
impl fmt::Display for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plans {
            Plans::Best => write!(f, "the best plan"),
            Plans::Several(SeveralSettings { count, apart, supersets }) => {
                write!(f, "{count} plans, {apart} or more changes apart")?;
                if supersets { write!(f, ", supersets too") } else { Ok(()) }
            }
            Plans::Front { at_most, resolution } => {
                write!(f, "the trade-off in {at_most} plans, resolution {resolution}")
            }
        }
    }
}

/// One applicant's answer: their plans, or a single explanation that says that there is none, or that none is needed.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Never empty.
    plans: Vec<Explanation>,
    end: End,
    reasons: Option<Reasons>,
}

impl Answer {
    const fn new(plans: Vec<Explanation>, end: End) -> Self {
        Self { plans, end, reasons: None }
    }

    /// The principal reasons of the rejection, where they were asked for; those who are accepted have none.
    pub const fn reasons(&self) -> Option<&Reasons> {
        self.reasons.as_ref()
    }

    /// The plans, the best first; without a plan, one explanation that says so.
    pub fn plans(&self) -> &[Explanation] {
        &self.plans
    }

    /// The best plan, or that there is none.
    pub fn first(&self) -> &Explanation {
        &self.plans[0]
    }

    /// How it ended; of several plans, the first.
    pub fn status(&self) -> Status {
        self.first().status
    }

    /// How the search for more than one plan ended.
    pub const fn end(&self) -> End {
        self.end
    }

    /// How the search for more than one plan ended, as a sentence without capital and full stop; `None` where there is nothing
    /// to say.
    pub fn end_in_words(&self) -> Option<String> {
        // Without a plan there is nothing to be more than: the explanation says it all.
        self.first().plan.as_ref()?;
        self.end.in_words(self.first().values_offered, self.solver_failed())
    }

    /// Whether more time could add nothing: all plans are proven, and so are the reasons why there is none.
    pub fn is_settled(&self) -> bool {
        let settled = |plan: &Explanation| {
            let proven = !matches!(plan.status, Status::Feasible | Status::Timeout);
            proven && plan.why_none.as_ref().is_none_or(|why| why.settled)
        };
        self.end_in_words().is_none() && self.plans.iter().all(settled)
    }

    /// Whether a general solver broke down on the way.
    pub fn solver_failed(&self) -> bool {
        self.plans.iter().any(|plan| plan.solver_failed)
    }
}
