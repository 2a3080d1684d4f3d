//! The best few plans that differ in what they change.

use crate::engine::{Clock, Control, Solve};
use crate::instance::Instance;
use crate::{InputError, Plan, Result, SolveReport, SolveSettings, Status};

/// How many plans, and how they must differ from one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeveralSettings {
    /// At most this many plans.
    pub count: usize,
    /// The sets of changed features of any two plans differ in at least this many features: those that one
    /// of the two changes and the other does not.
    pub apart: usize,
    /// Whether a plan may change everything that a better plan changes, and something else. Such a plan is rarely an
    /// alternative: it is the better plan with an unnecessary addition.
    pub supersets: bool,
}

impl SeveralSettings {
    /// This many plans, none of which changes everything that a better one changes.
    pub const fn new(count: usize) -> Self {
        Self { count, apart: 1, supersets: false }
    }

    /// Checks that every setting can be used.
    pub fn check(&self) -> Result<()> {
        if self.count == 0 {
            return Err(InputError::new("must be at least 1")
                .at("plans")
                .value(self.count)
                .remedy("1 is the default")
                .into());
        }
        if self.apart == 0 {
            return Err(InputError::new("must be at least 1")
                .at("apart")
                .value(self.apart)
                .remedy("1 is the default")
                .into());
        }
        Ok(())
    }

    /// Excludes from an instance all plans that are too similar to one with this set of changed features.
    fn exclude_similar(&self, changed: &[usize], instance: &mut Instance) {
        if !self.supersets {
            instance.forbid_supersets(changed);
        } else if self.apart == 1 {
            instance.forbid_set(changed);
        }
        if self.apart > 1 {
            instance.demand_apart(changed, self.apart);
        }
    }
}

/// The best plans, in the order in which they were found: every one is the cheapest that is far enough
/// from all before it.
#[derive(Debug, Clone)]
pub struct Several {
    /// One report per solve. All have a proven plan, but for the last one, which may have none or
    /// an unproven one where `end` says so.
    pub reports: Vec<SolveReport>,
    /// Why there are no more.
    pub end: SeveralEnd,
}

/// Why no further plan was looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeveralEnd {
    /// As many as were asked for, all proven.
    AllFound,
    /// It is proven that no further plan exists.
    NoFurther,
    /// Time ran out, or the solve was cancelled or not confirmed, before the next plan was proven.
    Stopped,
    /// The classifier accepts the applicant as they are.
    AlreadyAccepted,
}

impl Several {
    /// The plans, proven or not.
    pub fn plans(&self) -> impl Iterator<Item = &Plan> {
        self.reports.iter().filter_map(|report| report.solution.plan.as_ref())
    }
}

/// Finds the best plans that differ: the cheapest, then the cheapest far enough from it, and so on.
///
/// The time limit is for all solves together; each may use what is left of it, because a plan only counts as the next best where
/// all before it are proven.
///
/// ```
/// use amends::instance::read_instances;
/// use amends::plans::{SeveralEnd, SeveralSettings, several};
/// use amends::engine::Control;
/// use amends::{Engine, SolveSettings};
///
/// // Either of two features is enough, and so are both together.
/// let text = r#"{"version": 1, "x": [0, 0],
///     "features": [
///         {"name": "a", "columns": [0], "options": [[0], [1], [2]]},
///         {"name": "b", "columns": [1], "options": [[0], [1], [2]]}],
///     "max_changes": 2,
///     "classifier": {"kind": "linear", "weights": [1, 1], "intercept": -2},
///     "cost": {"distance": {"kind": "table", "costs": [[0, 2, 3], [0, 2, 5]]}}}"#;
/// let instance = read_instances(text, "example")?.remove(0);
/// let (settings, control) = (SolveSettings::default(), Control::default());
/// let costs = |wanted: SeveralSettings| -> amends::Result<Vec<f64>> {
///     let found = several(&instance, &wanted, &Engine::Search, &settings, &control)?;
///     assert_eq!(found.end, SeveralEnd::NoFurther);
///     Ok(found.plans().map(|plan| plan.evaluation.objective).collect())
/// };
/// // The second plan changes b alone: a and b together would cost less, but that is the first plan and more.
/// assert_eq!(costs(SeveralSettings::new(5))?, [3.0, 5.0]);
/// assert_eq!(costs(SeveralSettings { supersets: true, ..SeveralSettings::new(5) })?, [3.0, 4.0, 5.0]);
/// # Ok::<(), amends::Error>(())
/// ```
pub fn several(
    instance: &Instance,
    wanted: &SeveralSettings,
    engine: &dyn Solve,
    settings: &SolveSettings,
    control: &Control<'_>,
) -> Result<Several> {
    wanted.check()?;
    settings.check()?;
    let clock = Clock::start(settings, control);
    let mut asked = instance.clone();
    let mut reports: Vec<SolveReport> = Vec::new();
    let end = loop {
        if reports.len() == wanted.count {
            break SeveralEnd::AllFound;
        }
        let Some(settings) = clock.next() else { break SeveralEnd::Stopped };
        let report = engine.solve(&asked, &settings, control)?;
        let status = report.solution.status;
        if let Some(plan) = &report.solution.plan {
            let changed = instance.changed(&plan.choice);
            wanted.exclude_similar(&changed, &mut asked);
        }
        reports.push(report);
        match status {
            Status::Optimal => {}
            Status::Infeasible => break SeveralEnd::NoFurther,
            Status::AlreadyAccepted => break SeveralEnd::AlreadyAccepted,
            Status::Feasible | Status::Timeout => break SeveralEnd::Stopped,
        }
    };
    Ok(Several { reports, end })
}

impl Instance {
    /// The features that a choice of one option per feature changes.
    pub fn changed(&self, choice: &[usize]) -> Vec<usize> {
        (0..self.features().len()).filter(|&f| !self.keeps(f, choice[f])).collect()
    }
}
