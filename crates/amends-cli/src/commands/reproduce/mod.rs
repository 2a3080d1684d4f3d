//! `amends reproduce`: the papers' evaluation, run again and put beside what they published.

mod args;

use std::io::Write;
use std::time::{Duration, Instant};

use amends::explain::Preset;
use amends::{InputError, Result};
use amends_reproduce::{Data, Finish, Method, Points, RESULTS, Reproduction, Settings, Study};
use amends_run::Output;
use amends_run::interrupt::{self, STOP};

use super::Ending;
use crate::progress;
use crate::setup::{choice, seconds};

pub use args::ReproduceArgs;

/// A quick run begins no solve after this; the last one, and the report, fit into five minutes.
const QUICK_BUDGET: Duration = Duration::from_secs(280);
const QUICK_LIMIT: Duration = Duration::from_secs(3);

pub fn run(args: &ReproduceArgs) -> anyhow::Result<Ending> {
    let began = Instant::now();
    let study = study(args)?;
    let without_heloc = !study.data.contains(&Data::Heloc);
    let settings = Settings {
        heloc: args.heloc.clone(),
        folder: args.output.clone(),
        seed: args.seed,
        threads: args.threads,
    };
    let mut reproduction = Reproduction::open(study, &settings)?;
    if reproduction.repaired() {
        eprintln!("note: the last line of {RESULTS} was incomplete; its task is run again");
    }
    if without_heloc {
        eprintln!(
            "note: without HELOC, whose file may not be passed on; give yours with --heloc FILE"
        );
    }
    interrupt::heed(crate::STOPPED)?;
    let before = reproduction.done();
    let bar = progress::bar_with_message(reproduction.tasks());
    let budget = args.quick.then(|| QUICK_BUDGET.saturating_sub(began.elapsed()));
    let finish = reproduction.run(budget, &STOP, &|progress| {
        bar.set_position(progress.done as u64);
        bar.set_message(progress.message);
    });
    bar.finish_and_clear();
    let finish = finish?;
    let page = reproduction.write_report(finish)?;
    let mut out = Output::standard();
    writeln!(
        out,
        "{} tasks done now, {before} before, in {:.0} s.{}",
        reproduction.done() - before,
        began.elapsed().as_secs_f64(),
        match finish {
            Finish::Done => "",
            Finish::Stopped => " Stopped: the report is partial; the same command continues.",
            Finish::OutOfBudget =>
                " The time of a quick run is used up: the report is partial; the same command continues.",
        }
    )?;
    writeln!(out, "Report: {}", page.display())?;
    out.finish()?;
    Ok(if finish == Finish::Stopped { Ending::Stopped } else { Ending::Answered })
}

/// What was asked for, checked.
fn study(args: &ReproduceArgs) -> Result<Study> {
    let (applicants, splits) = if args.quick { (3, 3) } else { (10, 10) };
    let points = match (args.points.is_empty(), args.quick) {
        (false, _) => names("--points", &args.points)?,
        (true, true) => Points::FIGURES[..2].to_vec(),
        (true, false) => Points::FIGURES.to_vec(),
    };
    let time_limit = args.time_limit.map(seconds).transpose()?;
    Ok(Study {
        data: data(args)?,
        models: names("--models", &args.models)?,
        methods: names::<Method>("--methods", &args.methods)?,
        points,
        applicants: args.applicants.map_or(applicants, usize::from),
        splits: args.splits.map_or(splits, u64::from),
        preset: preset(&args.preset)?,
        time_limit: time_limit.or(args.quick.then_some(QUICK_LIMIT)),
        quick: args.quick,
    })
}

/// The data sets that were named, or all that are at hand.
fn data(args: &ReproduceArgs) -> Result<Vec<Data>> {
    if args.datasets.is_empty() {
        let heloc = args.heloc.as_ref().map(|_| Data::Heloc);
        return Ok([Data::German].into_iter().chain(heloc).collect());
    }
    let named: Vec<Data> = names("--datasets", &args.datasets)?;
    if named.contains(&Data::Heloc) && args.heloc.is_none() {
        return Err(InputError::new(
            "needs FICO's file, which may not be passed on with this program",
        )
        .at("--datasets")
        .value("heloc")
        .remedy("give your own copy with --heloc FILE")
        .into());
    }
    Ok(named)
}

/// Each name once, in the order given.
fn names<T>(option: &str, names: &[String]) -> Result<Vec<T>>
where
    T: std::str::FromStr<Err = amends::Error> + PartialEq,
{
    let mut chosen = Vec::new();
    for name in names {
        let one = choice(option, name)?;
        if !chosen.contains(&one) {
            chosen.push(one);
        }
    }
    Ok(chosen)
}

fn preset(name: &str) -> Result<Preset> {
    match choice("--preset", name)? {
        Preset::Standard => Err(InputError::new("is not a setting of the papers")
            .at("--preset")
            .value(name)
            .remedy("use dace or paper; the true objective is in the report in any case")
            .into()),
        preset => Ok(preset),
    }
}
