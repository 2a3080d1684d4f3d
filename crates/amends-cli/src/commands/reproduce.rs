//! `amends reproduce`: the papers' evaluation, run again and put beside what they published.

use std::io::Write;
use std::time::{Duration, Instant};

use amends::data::{Dataset, HelocCodes};
use amends::engine::SolveSettings;
use amends::explain::Preset;
use amends::milp::default_solver;
use amends::{InputError, Result};

use super::Ending;
use crate::interrupt;
use crate::output::Output;
use crate::progress;
use crate::reproduce::{
    Conditions, Data, Finish, Method, Points, RESULTS, Report, ReproduceArgs, Results, Study,
    Workbench, check_folder, run as perform,
};
use crate::setup::{choice, seconds};

/// A quick run begins no solve after this; the last one, and the report, fit into five minutes.
const QUICK_BUDGET: Duration = Duration::from_secs(280);
const QUICK_LIMIT: Duration = Duration::from_secs(3);

pub fn run(args: &ReproduceArgs) -> anyhow::Result<Ending> {
    let began = Instant::now();
    let study = study(args)?;
    SolveSettings { threads: args.threads, ..SolveSettings::default() }.check()?;
    let mut workbenches = study
        .data
        .iter()
        .map(|&data| {
            let table = match (data, &args.heloc) {
                (Data::Heloc, Some(path)) => Dataset::heloc(path, HelocCodes::Zero)?,
                _ => Dataset::german(),
            };
            Workbench::new(data, table, study.preset, args.seed, args.threads)
        })
        .collect::<Result<Vec<Workbench>>>()?;
    check_folder(&args.output)?;
    let conditions = Conditions::of(&study, default_solver().name(), args.threads, args.seed);
    let mut results = Results::open(&args.output.join(RESULTS), &conditions)?;
    for bench in &workbenches {
        results.check_data(bench.data().name(), bench.fingerprint())?;
    }
    if results.mended() {
        eprintln!("note: the last line of {RESULTS} was not whole; its task is done again");
    }
    if !study.data.contains(&Data::Heloc) {
        eprintln!(
            "note: without HELOC, whose file may not be passed on; give yours with --heloc FILE"
        );
    }
    interrupt::heed()?;
    let before = results.records().len();
    let bar = progress::bar_with_message(study.tasks().len());
    let budget = args.quick.then(|| QUICK_BUDGET.saturating_sub(began.elapsed()));
    let finish = perform(&study, &mut workbenches, &mut results, budget, &bar);
    bar.finish_and_clear();
    let finish = finish?;
    let sizes = workbenches.iter().map(|bench| (bench.data(), bench.sizes())).collect();
    let page = Report { study: &study, results: &results, finish, sizes }.write(&args.output)?;
    let mut out = Output::standard();
    writeln!(
        out,
        "{} tasks done now, {before} before, in {:.0} s.{}",
        results.records().len() - before,
        began.elapsed().as_secs_f64(),
        match finish {
            Finish::Done => "",
            Finish::Stopped => " Stopped: the report is partial; the same command goes on.",
            Finish::OutOfBudget =>
                " The time of a quick run is used up: the report is partial; the same command goes on.",
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
