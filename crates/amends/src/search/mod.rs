//! The exact engine: proven plans by branch and bound over boxes of options.
//!
//! A region of the space gives every feature an interval of its options (`region.rs`). It is excluded
//! when no plan in it can be accepted (`score/`), or when a lower bound shows that it holds nothing
//! cheaper than the best plan so far; otherwise it loses options that are too expensive (`tree/tighten.rs`) and is
//! split (`branch.rs`). The region with the least bound comes first (`workers.rs`).
//!
//! **Bounds.** Multipliers join distance, validity and outlier term into a sum over features
//! (`lagrange.rs`). The bound holds for any multipliers, so it does not matter how they are found
//! (`relax.rs`), and carries a margin for the rounding of the sum itself. Linear models join exactly; trees
//! and networks join by a sum that bounds them from above (`bound/losses.rs`). Of the surrogate, each reference point
//! joins on its own, and only where it is nearest (`joint.rs`); the true k-LOF, and distances that are
//! no sum over columns, are bounded apart and added (`nearby.rs`, `neighbours.rs`); in small regions the true k-LOF joins
//! the distance as one convex function (`trade.rs`, `convex.rs`). Where there are many points, distance and
//! validity are bounded first, and the points only looked at where they can decide.
//!
//! **Rules** drop values and regions that can't hold them (`propagate.rs`), are split on where the relaxed point
//! breaks one, and guesses are repaired (`guess/repair.rs`). Plans hold every rule; whether the applicant is
//! accepted already has nothing to do with them.
//!
//! **Limits** on distance and outlier term (`cost_limits.rs`) exclude regions by the bound of either part, and from the
//! start whatever costs more than both limits together.
//!
//! **Ties.** Objectives are compared after rounding to a relative 1e-9, or the gap where that is less (`incumbent.rs`); of plans that
//! tie, the one whose list of option numbers is lexicographically least is preferred. With such a gap the result is the same for
//! every number of threads; with a larger one, threads may end with different plans within the gap of each other.
//!
//! **Any size.** A region may leave many features undecided, and is bounded as if the most useful few of them changed. For
//! linear models under the 2-norm the sets of features that can change in a cheap plan are found instead (`tree/sets/`). Many
//! features, many changes or no limit on changes only make the search longer; it can be stopped at any time and then says what is proven.
//!
//! **Memory.** Open regions take at most about 256 MiB, or what memory there is; beyond that threads work depth first. What a search needs is
//! asked for before it is allocated; a search that does not get it waits for those beside it to end, and begins again alone.

mod bound;
mod guess;
mod incumbent;
mod layout;
mod outlier;
mod score;
mod subsets;
mod tree;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::engine::{Control, Deadline, Progress, Report, SolveSettings};
use crate::error::Large;
use crate::instance::Instance;
use crate::memory::{self, Claim};
use crate::solution::{Plan, Solution, Status};
use crate::{Error, InputError, Result};

pub(crate) use guess::start::start_plan;

use guess::{ascent, start};
use layout::{region, space};
use outlier::reference;
use tree::{feasible, node, workers};

/// By how much the first guess of a plan may exceed the time limit.
const GRACE: Duration = Duration::from_millis(200);

/// Ensembles with more nodes than this take long to lay out.
const LARGE: usize = 100_000;

/// With more nodes times features than this, the first plan is one that is found quickly: looking for a cheap one takes longer.
const WIDE: usize = 1_000_000;

/// How to search.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchSettings {
    /// How long and how exactly. Until a first plan is found, the time limit may be exceeded by a fifth of a second.
    pub solve: SolveSettings,
    /// Whether to guess good plans, at the start and on the way. Without guesses the proof has to
    /// find them itself: slower, and a test of the proof.
    pub guesses: bool,
    /// Stop at the first plan, whatever it costs.
    pub any_plan: bool,
}

impl Default for SearchSettings {
    fn default() -> Self {
        SolveSettings::default().into()
    }
}

impl From<SolveSettings> for SearchSettings {
    fn from(solve: SolveSettings) -> Self {
        Self { solve, guesses: true, any_plan: false }
    }
}

/// What a search took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchWork {
    /// Regions that were looked at.
    pub nodes: u64,
}

/// An answer of the search engine.
pub(crate) type SearchReport = Report<SearchWork>;

/// About what a search needs besides what depends on the size of the model and the table: small lists, and the sets of features of
/// linear models.
const BASE: usize = 16 << 20;

/// Bytes per node of the trees for laying out features: the thresholds, and what lies between them.
const PER_TREE_NODE: usize = 32;

/// Finds the cheapest plan of an instance and proves it, or proves that there is none.
///
/// Where memory is short, searches that run at the same time wait for each other. [`Error::Memory`] means that there is too little
/// of it even for one alone.
pub fn search(
    instance: &Instance,
    settings: &SearchSettings,
    control: &Control,
) -> Result<SearchReport> {
    settings.solve.check()?;
    memory::shared(|| search_once(instance, settings, control))
}

/// Refuses to begin where there is too little memory for a search on one thread, whatever the instance.
pub fn check_memory() -> Result<()> {
    claim(0, 1).map(drop)
}

/// Claims what any search takes, and so many bytes more.
fn claim(bytes: usize, threads: usize) -> Result<Claim> {
    let bytes = bytes.saturating_add(BASE + workers::AT_FIRST);
    Claim::new(bytes, threads).map_err(|bytes| too_little(threads, bytes))
}

fn too_little(threads: usize, bytes: usize) -> Error {
    Error::Memory {
        what: format!("a search with {threads} thread{}", if threads == 1 { "" } else { "s" }),
        bytes,
        large: Large::Search { threads },
    }
}

fn search_once(
    instance: &Instance,
    settings: &SearchSettings,
    control: &Control,
) -> Result<SearchReport> {
    let deadline = Deadline::start(settings.solve.time_limit);
    if instance.already_accepted() {
        let solution = Solution::already_accepted(deadline.elapsed());
        return Ok(Report { solution, work: SearchWork { nodes: 0 } });
    }
    let threads = settings.solve.threads;
    let claim = |bytes| claim(bytes, threads);
    let laying_out = claim(instance.classifier().nodes().saturating_mul(PER_TREE_NODE))?;
    let space = space::Space::new(instance);
    let (points, work) = reference::Reference::bytes(&space);
    drop(laying_out);
    let laying_out = claim(points.saturating_add(threads.saturating_mul(work)))?;
    let reference = reference::Reference::new(&space);
    check_sums(&space, reference.as_ref())?;
    let stopped = AtomicBool::new(false);
    let best =
        incumbent::Incumbent::new(settings.solve.relative_gap, instance.cost(), &space.cost_limits);
    let halted = || {
        if stopped.load(Ordering::Relaxed) {
            return true;
        }
        let stop = control.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
            || deadline.is_over()
            || settings.any_plan && best.objective().is_some();
        if stop {
            stopped.store(true, Ordering::Relaxed);
        }
        stop
    };
    let guess = || {
        // A limit that is over before anything was found would leave the user with nothing.
        let late = || deadline.is_over_by(GRACE) || control.is_cancelled();
        guess_plan(&space, reference.as_ref(), &best, &late, control);
    };
    // A plan comes first where laying out the score takes long. Elsewhere there is nothing to guess where nobody can be accepted.
    let large = instance.classifier().nodes() > LARGE;
    if settings.guesses && large {
        guess();
    }
    let score = space.classifier.bound(&space).map_err(|bytes| too_little(threads, bytes))?;
    // Points and score are laid out by now; what is to come is the threads' work.
    drop(laying_out);
    let _working = claim(threads.saturating_mul(work.saturating_add(score.work())))?;
    let mut whole = region::Region::whole(&space);
    if settings.guesses
        && !large
        && whole.settle(&space)
        && score.narrow(&space, &whole, &score.whole(), None).is_some()
    {
        guess();
    }
    let task = node::Task {
        space: &space,
        reference: reference.as_ref(),
        score: score.as_ref(),
        best: &best,
        guesses: settings.guesses,
        free: feasible::is_free(&space),
        halted: &halted,
    };
    let report = |bound, share| report_progress(control, &best, bound, share);
    let outcome = workers::run(&task, threads, &report);
    conclude(instance, best, &outcome.map_err(|bytes| too_little(threads, bytes))?, &deadline)
}

/// Offers a first plan, where one is found: also where the time limit is over before, unless the user has cancelled.
fn guess_plan<'s>(
    space: &'s space::Space<'s>,
    reference: Option<&'s reference::Reference<'s>>,
    best: &incumbent::Incumbent,
    late: &dyn Fn() -> bool,
    control: &Control,
) {
    let cancelled = || control.is_cancelled();
    let offer = |plan: Option<Plan>| plan.map(|plan| best.offer(plan)).is_some();
    let quick = || offer(ascent::first_plan(space, reference, &cancelled));
    let work = space.instance.classifier().nodes().saturating_mul(space.features.len());
    let found = work > WIDE && quick();
    let _ = offer(start::start_in(space, reference, start::Effort::LIGHT, late))
        || offer(ascent::any_plan(space, reference, late))
        || found
        || quick();
}

fn report_progress(control: &Control, best: &incumbent::Incumbent, bound: f64, share: f64) {
    if let Some(progress) = control.progress {
        let objective = best.objective();
        let bound = objective.map_or(bound, |objective| bound.min(objective));
        progress(Progress { best: objective, bound, share });
    }
}

/// Refuses numbers whose sums overflow.
fn check_sums(space: &space::Space, reference: Option<&reference::Reference>) -> Result<()> {
    let scale = reference.map_or(0.0, reference::Reference::largest_cost);
    // Lengths are roots of sums of squares, which must not overflow either.
    let squares = space.moves * space.moves;
    if (space.distance_scale + squares + space.score_error + scale).is_finite() {
        return Ok(());
    }
    Err(InputError::new("holds numbers too large to add up")
        .at("instance")
        .remedy("rescale columns, costs or points")
        .into())
}

/// What the best plan and the bound amount to, once the plan has passed the check.
fn conclude(
    instance: &Instance,
    best: incumbent::Incumbent,
    outcome: &workers::Outcome,
    deadline: &Deadline,
) -> Result<SearchReport> {
    let objective = best.objective();
    let floor = objective.map_or(f64::INFINITY, |objective| best.tie_floor(objective));
    let bound = outcome.bound.max(0.0).min(floor);
    let (status, bound) = match objective {
        Some(_) if outcome.bound >= floor => (Status::Optimal, Some(bound)),
        Some(_) => (Status::Feasible, Some(bound)),
        None if outcome.bound == f64::INFINITY => (Status::Infeasible, None),
        None => (Status::Timeout, Some(bound)),
    };
    // On the way plans are judged by the reference points within reach. The answer is judged by all of them.
    let plan = best.into_plan();
    let judged = plan.as_ref().and_then(|plan| Plan::judge(instance, plan.choice.clone()));
    if judged != plan {
        let message = "its plan fails the check; this is a mistake of amends, please report the instance file";
        return Err(Error::Solver { solver: "search".to_owned(), message: message.to_owned() });
    }
    let solution = Solution { status, plan, bound, time: deadline.elapsed() };
    Ok(Report { solution, work: SearchWork { nodes: outcome.nodes } })
}
