//! Runs worlds, counts what came of them, and says how to see a failure again.

use std::fmt::Write;

use super::compare::{Outcome, compare};
use super::family::Family;
use super::world::{Applicant, World};

/// What came of some worlds.
#[derive(Debug, Default)]
pub struct Tally {
    pub applicants: usize,
    pub plans: usize,
    pub none: usize,
    /// Draws that made no world.
    pub skipped: usize,
    /// How many applications each applicant could make.
    applications: Vec<usize>,
    pub failures: Vec<Failure>,
}

/// An applicant for whom the library's answer is wrong.
#[derive(Debug)]
pub struct Failure {
    pub family: &'static str,
    pub seed: u64,
    /// What is wrong, in a line.
    pub what: String,
    /// All there is to know.
    pub report: String,
}

impl Tally {
    /// Runs the world of a seed.
    pub fn run(&mut self, family: &Family, seed: u64) {
        let world = match World::new(family, seed) {
            Ok(Some(world)) => world,
            Ok(None) => {
                self.skipped += 1;
                return;
            }
            Err(error) => {
                let what = format!("the world is refused: {error}");
                self.applicants += 1;
                let report = what.clone();
                self.failures.push(Failure { family: family.name, seed, what, report });
                return;
            }
        };
        for applicant in &world.applicants {
            self.applicants += 1;
            self.applications.push(applicant.applications);
            match compare(&world, applicant) {
                Ok(Outcome::Plan) => self.plans += 1,
                Ok(Outcome::None) => self.none += 1,
                Err(what) => {
                    let report = report(&world, applicant, &what);
                    self.failures.push(Failure { family: family.name, seed, what, report });
                }
            }
        }
    }

    /// One line about all of it.
    pub fn line(&self) -> String {
        let mut applications = self.applications.clone();
        applications.sort_unstable();
        format!(
            "{} applicants: {} plans, {} proven to have none, {} failures; applications {} (median) to {}; \
             {} draws made no world",
            self.applicants,
            self.plans,
            self.none,
            self.failures.len(),
            applications.get(applications.len() / 2).unwrap_or(&0),
            applications.last().unwrap_or(&0),
            self.skipped
        )
    }

    /// Fails with the first few failures, the first one in full.
    pub fn check(&self) {
        let Some(first) = self.failures.first() else { return };
        let mut text = format!("{}\n", self.line());
        for failure in self.failures.iter().take(12) {
            let _ = writeln!(text, "  {}:{}: {}", failure.family, failure.seed, failure.what);
        }
        panic!("{text}The first of them:\n{}", first.report);
    }
}

fn report(world: &World, applicant: &Applicant, what: &str) -> String {
    let cells = world.features.iter().zip(&applicant.cells);
    let cells: Vec<String> = cells
        .map(|(feature, &cell)| format!("{} = {:?}", feature.name, feature.text(cell)))
        .collect();
    let model = serde_json::to_string(&world.classifier).unwrap_or_default();
    let model: String = model.chars().take(3000).collect();
    format!(
        "{what}\nApplicant: {}\nTo see it again: AMENDS_FUZZ_WORLD={}:{} cargo test -p amends --test library every_value::long_run\n\
         {:?}\n{:?}\n{model}\n{}",
        cells.join(", "),
        world.family,
        world.seed,
        world.maker,
        world.explainer.settings(),
        world.schema_text,
    )
}
