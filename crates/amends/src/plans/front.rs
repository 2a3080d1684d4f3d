//! The trade-off between effort and plausibility: every plan that no other beats in both.

use std::time::Duration;

use super::boxes::{Fact, Gap, Scale};
use crate::engine::{Clock, Control, Solve};
use crate::instance::Instance;
use crate::{InputError, Plan, Result, SolveSettings, Status};

/// Two values that differ by less than this, relatively, are the same up to rounding.
const ROUNDING: f64 = 1e-9;

/// The finest resolution: limits have a tolerance of 1e-9, which must stay far below it.
const FINEST: f64 = 1e-8;

/// How finely and how far to follow the front.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontSettings {
    /// Stop at this many points, spread out as well as they can be; no cap where absent.
    pub at_most: Option<usize>,
    /// Differences below this, relatively, are none: a plan counts as matched where a point of the front is at
    /// most this much worse in each part. From 1e-8 to 0.5. (Values below 0.001 count as 0.001 here.)
    pub resolution: f64,
    /// Outlier terms up to this count as equally good: the front ends at the cheapest plan that reaches it. A
    /// local outlier factor of 1 is as ordinary as the neighbours are; to go lower takes effort for nothing.
    pub ordinary: Option<f64>,
}

impl Default for FrontSettings {
    fn default() -> Self {
        Self { at_most: None, resolution: 1e-6, ordinary: None }
    }
}

impl FrontSettings {
    /// Checks that every setting can be used.
    pub fn check(&self) -> Result<()> {
        if self.at_most == Some(0) {
            return Err(InputError::new("must be at least 1")
                .at("points")
                .value(0)
                .remedy("leave it out for all points")
                .into());
        }
        if !(FINEST..=0.5).contains(&self.resolution) {
            return Err(InputError::new("must be between 1e-8 and 0.5")
                .at("resolution")
                .value(self.resolution)
                .remedy("0.01 is usual")
                .into());
        }
        if let Some(ordinary) = self.ordinary
            && !(ordinary.is_finite() && ordinary > 0.0)
        {
            return Err(InputError::new("is not an outlier term")
                .at("ordinary")
                .value(ordinary)
                .remedy("give a number above 0, such as 1, or leave it out")
                .into());
        }
        Ok(())
    }
}

/// The plans that no other plan beats in distance and outlier term at once.
#[derive(Debug, Clone, PartialEq)]
pub struct Front {
    /// In rising distance and falling outlier term. Objectives count with the instance's own weight.
    pub points: Vec<FrontPoint>,
    /// Whether these are all.
    pub end: FrontEnd,
    /// How many solves it took.
    pub solves: usize,
    /// Wall-clock time.
    pub time: Duration,
}

/// A point of a front: one plan with its two parts of the cost.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontPoint {
    /// The plan, judged by the instance as it was given.
    pub plan: Plan,
    /// Whether it is proven that no plan beats it: it is the cheapest for some weight of the outlier term,
    /// between its neighbours, or the whole front is proven.
    pub proven: bool,
}

/// Whether a front is whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrontEnd {
    /// Proven complete: up to the resolution, every plan is matched by a point in both parts. Without points, it is
    /// proven that there is no plan.
    Complete,
    /// As many points as were asked for; this many boxes between and beyond them are unexplored.
    Capped {
        /// Boxes that may hold further points.
        unexplored: usize,
    },
    /// Time ran out, or the work was cancelled, or an engine gave up; this many boxes are unexplored.
    Stopped {
        /// Boxes that may hold further points.
        unexplored: usize,
    },
    /// The classifier accepts the applicant as they are.
    AlreadyAccepted,
}

/// Finds all plans that no other plan beats in both distance and outlier term, one for each pair of values,
/// and proves that there are no others.
///
/// Limits of the instance hold for the front too; its weight only decides which point is found first. The time
/// limit is for all solves together. Without an outlier term the front is the cheapest plan.
/// [`Control::cancel`] stops it; progress is not reported, since a solve's bound says nothing of the whole.
///
/// ```
/// use amends::instance::read_instances;
/// use amends::plans::{FrontEnd, FrontSettings, front};
/// use amends::engine::Control;
/// use amends::{Engine, SolveSettings};
///
/// // The farther the applicant moves, the nearer they come to the only accepted one on record.
/// let text = r#"{"version": 1, "x": [0],
///     "features": [{"name": "a", "columns": [0], "options": [[0], [1], [2], [3], [4], [5]]}],
///     "max_changes": 1,
///     "classifier": {"kind": "linear", "weights": [1], "intercept": -2},
///     "cost": {"distance": {"kind": "l1-mahalanobis", "factor": [[1]]},
///              "outlier": {"weight": 1, "metric": "squared-euclidean", "points": [[4]],
///                          "k_distance": [0.5], "density": [1]}}}"#;
/// let instance = read_instances(text, "example")?.remove(0);
/// let (settings, control) = (SolveSettings::default(), Control::default());
/// let found = front(&instance, &FrontSettings::default(), &Engine::Search, &settings, &control)?;
/// let pair = |plan: &amends::Plan| (plan.evaluation.distance, plan.evaluation.outlier);
/// let pairs: Vec<_> = found.points.iter().map(|point| pair(&point.plan)).collect();
/// assert_eq!(pairs, [(2.0, 4.0), (3.0, 1.0), (4.0, 0.5)]);
/// assert_eq!(found.end, FrontEnd::Complete);
/// # Ok::<(), amends::Error>(())
/// ```
pub fn front(
    instance: &Instance,
    wanted: &FrontSettings,
    engine: &dyn Solve,
    settings: &SolveSettings,
    control: &Control<'_>,
) -> Result<Front> {
    wanted.check()?;
    settings.check()?;
    let clock = Clock::start(settings, control);
    let mut search = FrontSearch::new(instance, wanted);
    let quiet = control.without_progress();
    let end = loop {
        let unexplored = search.unexplored();
        if unexplored == 0 {
            break FrontEnd::Complete;
        }
        if wanted.at_most.is_some_and(|most| search.points.len() >= most) {
            break FrontEnd::Capped { unexplored };
        }
        let (Some(settings), Some(gap)) = (clock.next(), search.next_gap()) else {
            break FrontEnd::Stopped { unexplored };
        };
        if search.look_into(&gap, engine, &settings, &quiet)? == Status::AlreadyAccepted {
            break FrontEnd::AlreadyAccepted;
        }
    };
    let mut points = search.points;
    if end == FrontEnd::Complete {
        for point in &mut points {
            point.proven = true;
        }
    }
    Ok(Front { points, end, solves: search.solves, time: clock.elapsed() })
}

/// The part of a front that is known so far.
struct FrontSearch<'a> {
    instance: &'a Instance,
    scale: Scale,
    /// Whether to spread points out.
    spread: bool,
    points: Vec<FrontPoint>,
    open: Vec<Gap>,
    /// Boxes that an engine gave up on.
    given_up: usize,
    facts: Vec<Fact>,
    solves: usize,
}

impl<'a> FrontSearch<'a> {
    fn new(instance: &'a Instance, wanted: &FrontSettings) -> Self {
        let ordinary = wanted.ordinary.unwrap_or(0.0);
        Self {
            instance,
            scale: Scale { resolution: wanted.resolution, ordinary },
            spread: wanted.at_most.is_some(),
            points: Vec::new(),
            open: vec![Gap::whole(instance.cost().most)],
            given_up: 0,
            facts: Vec::new(),
            solves: 0,
        }
    }

    /// The largest box that may hold a plan.
    fn next_gap(&mut self) -> Option<Gap> {
        let by_size = |a: &usize, b: &usize| self.open[*a].size().total_cmp(&self.open[*b].size());
        let largest = (0..self.open.len()).max_by(by_size)?;
        Some(self.open.swap_remove(largest))
    }

    /// Looks for a plan in a box, and splits it or closes it.
    fn look_into(
        &mut self,
        gap: &Gap,
        engine: &dyn Solve,
        settings: &SolveSettings,
        control: &Control<'_>,
    ) -> Result<Status> {
        let own = self.instance.cost().outlier.as_ref().map_or(0.0, |outlier| outlier.weight);
        let query =
            if self.solves == 0 { gap.first(own) } else { gap.query(self.scale, self.spread) };
        let within = query.within;
        let mut cost = self.instance.cost().clone();
        cost.most = within;
        // The trade-off is between distance and outlier term alone.
        cost.change_cost = 0.0;
        let weight = cost.outlier.as_mut().map_or(0.0, |outlier| {
            outlier.weight = query.weight;
            query.weight
        });
        let boxed = self.instance.with_cost(cost);
        self.solves += 1;
        let solution = engine.solve(&boxed, settings, control)?.solution;
        let proven = match solution.status {
            Status::Infeasible => Some(f64::INFINITY),
            _ => solution.bound,
        };
        if let Some(bound) = proven {
            self.facts.push(Fact { within, weight, bound });
        }
        if let Some(plan) = solution.plan {
            let proven = solution.status == Status::Optimal;
            let evaluation = self.instance.evaluate(&plan.choice);
            self.open.extend(gap.split(&query, &evaluation, self.scale).into_iter().flatten());
            self.add(FrontPoint { plan: Plan { choice: plan.choice, evaluation }, proven });
        } else if solution.status == Status::Infeasible {
            self.open.extend(gap.rest(&query));
        } else {
            self.given_up += 1;
        }
        Ok(solution.status)
    }

    /// Adds a point where it belongs; what it beats goes, and so does the point where it is beaten.
    fn add(&mut self, point: FrontPoint) {
        let beats = |a: &FrontPoint, b: &FrontPoint| {
            let (a, b) = (&a.plan.evaluation, &b.plan.evaluation);
            a.distance <= b.distance * (1.0 + ROUNDING) && a.outlier <= b.outlier * (1.0 + ROUNDING)
        };
        if self.points.iter().any(|other| beats(other, &point)) {
            return;
        }
        self.points.retain(|other| !beats(&point, other));
        let distance = point.plan.evaluation.distance;
        let index = self.points.partition_point(|other| other.plan.evaluation.distance < distance);
        self.points.insert(index, point);
    }

    /// How many boxes may still hold plans.
    fn unexplored(&mut self) -> usize {
        let facts = &self.facts;
        self.open.retain(|gap| !facts.iter().any(|fact| fact.rules_out(&gap.most)));
        self.open.len() + self.given_up
    }
}
