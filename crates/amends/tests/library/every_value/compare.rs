//! The library's answer, compared with a search through every application.

use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use amends::engine::Control;
use amends::explain::Case;
use amends::plans::{SeveralEnd, SeveralSettings};
use amends::{Engine, Explanation, SolveSettings, Solving, Status};

use super::brute_force::Best;
use super::feature::Cell;
use super::problem::Problem;
use super::world::{Applicant, World};

/// How much more expensive than the cheapest a plan may be that is called optimal, relatively.
const DEARER: f64 = 2e-6;

/// How much cheaper it may be: rounding alone.
const CHEAPER: f64 = 1e-9;

/// Costs below this count as this, as in the gap that the library reports.
const SMALLEST: f64 = 1e-9;

/// No applicant of these worlds takes longer.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Plans that are asked for where several are.
const PLANS: usize = 4;

/// What both found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Plan,
    None,
}

/// Compares the library with every application of one applicant. An error says what is wrong.
pub fn compare(world: &World, applicant: &Applicant) -> Result<Outcome, String> {
    let problem = Problem::new(world, applicant).map_err(|error| format!("refused: {error}"))?;
    let best = problem.best();
    let (settings, control) = (settings(), Control::default());
    let solving = Solving { engine: &Engine::Search, settings: &settings, control: &control };
    let explained = caught(|case: &Case<'_>| case.explain(&solving));
    let judge = Judge { world, applicant, problem: &problem };
    judge.offered()?;
    judge.first(&best, &explained(world, applicant)?)?;
    if world.several {
        for (apart, supersets) in [(1, false), (1, true), (2, false), (2, true), (3, false)] {
            let wanted = SeveralSettings { count: PLANS, apart, supersets };
            let explained = caught(|case: &Case<'_>| case.several(&wanted, &solving));
            let explained = explained(world, applicant)?;
            judge
                .several(&best, &wanted, &explained)
                .map_err(|error| format!("{wanted:?}: {error}"))?;
        }
    }
    Ok(if best.is_empty() { Outcome::None } else { Outcome::Plan })
}

fn settings() -> SolveSettings {
    SolveSettings { time_limit: Some(TIME_LIMIT), ..SolveSettings::default() }
}

/// Asks the library; refusals and panics become texts.
fn caught<T>(
    ask: impl Fn(&Case<'_>) -> amends::Result<T>,
) -> impl Fn(&World, &Applicant) -> Result<T, String> {
    move |world, applicant| {
        let run = || ask(&world.explainer.case(&applicant.record, &world.wishes)?);
        match catch_unwind(AssertUnwindSafe(run)) {
            Ok(answer) => answer.map_err(|error| format!("the library fails: {error}")),
            Err(_) => Err("the library panics".to_owned()),
        }
    }
}

struct Judge<'a> {
    world: &'a World,
    applicant: &'a Applicant,
    problem: &'a Problem<'a>,
}

impl Judge<'_> {
    /// As many values are offered as could be written. One more that the last check refuses would go unnoticed, or end in an
    /// error.
    fn offered(&self) -> Result<(), String> {
        let instance = self.world.explainer.case(&self.applicant.record, &self.world.wishes);
        let instance = instance.map_err(|error| error.to_string())?.into_instance();
        let offered: usize = instance.features().iter().map(|its| its.options.len() - 1).sum();
        let written: usize = self.problem.moves.iter().map(|its| its.options.len() - 1).sum();
        if offered == written {
            return Ok(());
        }
        Err(format!("{offered} values are offered beside the own, but {written} could be written"))
    }

    /// Judges the only plan.
    fn first(&self, best: &[Best], explained: &Explanation) -> Result<(), String> {
        let left: Vec<&Best> = best.iter().collect();
        match &explained.plan {
            Some(_) => self.plan(&left, explained).map(|_| ()),
            None => self.none(&left, explained.status),
        }
    }

    /// Judges plans that differ: each is the cheapest of those that are far enough from all before it.
    fn several(
        &self,
        best: &[Best],
        wanted: &SeveralSettings,
        (explained, end): &(Vec<Explanation>, SeveralEnd),
    ) -> Result<(), String> {
        let mut left: Vec<&Best> = best.iter().collect();
        let plans: Vec<&Explanation> =
            explained.iter().filter(|explained| explained.plan.is_some()).collect();
        for (place, explained) in plans.iter().enumerate() {
            let set = self
                .plan(&left, explained)
                .map_err(|error| format!("plan {}: {error}", place + 1))?;
            left.retain(|best| {
                let apart = (best.set ^ set).count_ones() as usize;
                apart >= wanted.apart && (wanted.supersets || best.set & set != set)
            });
        }
        let expected =
            if plans.len() == PLANS { SeveralEnd::AllFound } else { SeveralEnd::NoFurther };
        if *end != expected {
            return Err(format!("{end:?} after {} plans", plans.len()));
        }
        if plans.len() == PLANS { Ok(()) } else { self.none(&left, Status::Infeasible) }
    }

    /// There is no plan.
    fn none(&self, left: &[&Best], status: Status) -> Result<(), String> {
        let sure = left.iter().filter(|best| best.sure.is_some());
        let missed = sure.min_by(|a, b| a.found.cost.total_cmp(&b.found.cost));
        if let Some(missed) = missed {
            let (text, cost) = (self.text(&missed.found.cells), missed.found.cost);
            let doubts = self.doubts(&missed.found.cells);
            return Err(format!("{status:?}, but {text} is a plan that costs {cost}{doubts}"));
        }
        if status == Status::Infeasible {
            Ok(())
        } else {
            Err(format!("{status:?}, but there is no plan"))
        }
    }

    /// There is a plan, and it is the cheapest. Gives the moves that it makes.
    fn plan(&self, left: &[&Best], explained: &Explanation) -> Result<u32, String> {
        let plan = explained.plan.as_ref().expect("asked for a plan alone");
        let (set, cells) = self.problem.read(&plan.record)?;
        let text = self.text(&cells);
        let cost = self.problem.judge(set, &cells).map_err(|error| format!("{text} {error}"))?;
        if explained.status != Status::Optimal {
            return Err(format!("{text} is called {:?}", explained.status));
        }
        if !left.iter().any(|best| best.set == set) {
            return Err(format!("{text} makes a set of moves that is taken"));
        }
        let near = |a: f64, b: f64, by: f64| (a - b).abs() <= by * a.max(b).max(SMALLEST);
        if !near(cost, plan.costs.objective, CHEAPER) {
            return Err(format!(
                "{text} costs {cost}, but is said to cost {}",
                plan.costs.objective
            ));
        }
        let of = |cost: &dyn Fn(&Best) -> f64| {
            left.iter().map(|best| cost(best)).fold(f64::INFINITY, f64::min)
        };
        let least = of(&|best| best.found.cost);
        let sure = of(&|best| best.sure.unwrap_or(f64::INFINITY));
        if plan.costs.objective > sure && !near(plan.costs.objective, sure, DEARER) {
            let better = left.iter().min_by(|a, b| a.found.cost.total_cmp(&b.found.cost));
            let better = &better.expect("some plan costs less").found.cells;
            let (better, doubts) = (self.text(better), self.doubts(better));
            let cost = plan.costs.objective;
            return Err(format!("{text} costs {cost}, but {better} costs {least}{doubts}"));
        }
        if plan.costs.objective < least && !near(plan.costs.objective, least, CHEAPER) {
            return Err(format!("{text} costs {}, less than any: {least}", plan.costs.objective));
        }
        if let Some(bound) =
            explained.bound.filter(|&bound| bound > sure && !near(bound, sure, CHEAPER))
        {
            return Err(format!("the bound {bound} is above the cost of a plan, {sure}"));
        }
        self.words(&cells, set, explained)?;
        Ok(set)
    }

    /// The changes are written as a person would write them.
    fn words(&self, cells: &[Cell], set: u32, explained: &Explanation) -> Result<(), String> {
        let own = &self.applicant.cells;
        let mut expected = Vec::new();
        for (f, feature) in self.world.features.iter().enumerate() {
            if own[f] != cells[f] {
                expected.push((
                    feature.name.clone(),
                    feature.shown(own[f]),
                    feature.shown(cells[f]),
                ));
            }
        }
        let changes = explained.changes.iter().cloned();
        let said: Vec<_> =
            changes.map(|change| (change.feature, change.before, change.after)).collect();
        if said != expected {
            return Err(format!("tells {said:?}, not {expected:?}"));
        }
        if explained.moves != set.count_ones() as usize {
            return Err(format!("counts {} changes of {}", explained.moves, set.count_ones()));
        }
        Ok(())
    }

    /// What the library's own check of an application says against it, to tell at once who is wrong.
    fn doubts(&self, cells: &[Cell]) -> String {
        let features = self.world.features.iter().zip(cells);
        let schema = self.world.explainer.schema();
        let read = features.zip(&schema.features);
        let record: Result<Vec<_>, _> =
            read.map(|((feature, &cell), own)| own.parse(&feature.text(cell))).collect();
        let Ok(record) = record else { return "; the library can't read it".to_owned() };
        let mut doubts = String::new();
        for broken in schema.broken(&self.applicant.record, &record) {
            let _ = write!(doubts, "; the library says: {broken}");
        }
        let score = self.world.explainer.score(&record);
        if score < self.world.explainer.settings().goal.of_plans() {
            let _ = write!(doubts, "; the library rejects it with {score}");
        }
        doubts
    }

    /// An application in the table's words.
    fn text(&self, cells: &[Cell]) -> String {
        let cells = self.world.features.iter().zip(cells);
        let cells: Vec<String> = cells
            .map(|(feature, &cell)| format!("{} = {}", feature.name, feature.text(cell)))
            .collect();
        format!("({})", cells.join(", "))
    }
}
