//! The long run: as many applicants as are asked for, over all families.

use std::env;
use std::str::FromStr;
use std::time::Instant;

use super::family;
use super::family::{FAMILIES, MIXED};
use super::run::Tally;

/// Applicants where nobody asks for more.
const USUAL: usize = 200;

/// A line is printed after so many worlds.
const WORLDS_A_LINE: u64 = 500;

fn asked<T: FromStr>(name: &str) -> Option<T> {
    let text = env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")))
}

#[test]
fn long_run() {
    if let Ok(world) = env::var("AMENDS_FUZZ_WORLD") {
        let (name, seed) = world.split_once(':').expect("a family, a colon, a seed");
        let mut tally = Tally::default();
        tally.run(&family(name), seed.parse().expect("a seed is a number"));
        eprintln!("{}", tally.line());
        tally.failures.iter().for_each(|failure| eprintln!("{}", failure.report));
        return tally.check();
    }
    let wanted = asked("AMENDS_FUZZ").unwrap_or(USUAL);
    let start: u64 = asked("AMENDS_FUZZ_SEED").unwrap_or(1_000_000);
    let families: Vec<_> = FAMILIES.into_iter().chain([MIXED]).collect();
    let began = Instant::now();
    let mut tally = Tally::default();
    let mut world = 0;
    while tally.applicants < wanted {
        let family = &families[world as usize % families.len()];
        let failed = tally.failures.len();
        tally.run(family, start + world);
        for failure in &tally.failures[failed..] {
            eprintln!("{}:{}: {}", failure.family, failure.seed, failure.what);
        }
        world += 1;
        if world % WORLDS_A_LINE == 0 {
            eprintln!("{:.0} s, {world} worlds, {}", began.elapsed().as_secs_f64(), tally.line());
        }
    }
    eprintln!("{:.0} s, {world} worlds, {}", began.elapsed().as_secs_f64(), tally.line());
    tally.check();
}
