//! The arguments of `amends reproduce`.

use std::path::PathBuf;
use std::time::Duration;

use amends::explain::Preset;
use amends::{InputError, Result};
use amends_reproduce::{Data, Points, Settings, Study};
use clap::Args;

use crate::args::{choice, number, seconds, whole};

/// A quick run begins no solve after this; the last one, and the report, fit into five minutes.
const QUICK_BUDGET: Duration = Duration::from_secs(280);
const QUICK_LIMIT: Duration = Duration::from_secs(3);

#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// Five minutes on two cores: few applicants, short limits, forests by the search alone
    #[arg(long)]
    quick: bool,
    /// FICO's HELOC file, which may not be passed on with this program
    #[arg(long, value_name = "FILE")]
    heloc: Option<PathBuf>,
    /// The folder of results and report; a second start continues where it stopped
    #[arg(short, long, value_name = "DIR", default_value = "reproduction")]
    output: PathBuf,
    /// Which data sets: german, heloc; both where HELOC's file is given
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    datasets: Vec<String>,
    /// Which models
    #[arg(long, value_delimiter = ',', default_value = "lr,svm,rf", value_name = "NAMES")]
    models: Vec<String>,
    /// Which methods of Table 2 and the figures
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "pairwise,reduced,compact,search",
        value_name = "NAMES"
    )]
    methods: Vec<String>,
    /// N, the reference points of the figures: 20,50,100,200,all (quick: 20,50)
    #[arg(long, value_delimiter = ',', value_name = "NUMBERS")]
    points: Vec<String>,
    /// Rejected applicants per model: 10 (quick: 3)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    applicants: Option<u16>,
    /// Splits of Table 1: 10 (quick: 3)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    splits: Option<u16>,
    /// The settings that the paper leaves open: dace (its code) or paper (its text)
    #[arg(long, default_value = "dace")]
    preset: String,
    /// Stop every solve after this many seconds; the paper's 1200 (N up to 50) and 3600 (above) where left out (quick: 3)
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = number)]
    time_limit: Option<f64>,
    /// Threads per solve
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = whole::<usize>)]
    threads: usize,
    /// The seed of splits and training
    #[arg(long, default_value_t = 0, value_parser = whole::<u64>)]
    seed: u64,
}

/// What is asked of `amends reproduce`, checked.
pub struct ReproduceCommand {
    pub study: Study,
    pub settings: Settings,
    /// No solve begins after this time.
    pub budget: Option<Duration>,
}

impl ReproduceArgs {
    pub fn check(self) -> Result<ReproduceCommand> {
        Ok(ReproduceCommand {
            study: study(&self)?,
            settings: Settings {
                heloc: self.heloc,
                folder: self.output,
                seed: self.seed,
                threads: self.threads,
            },
            budget: self.quick.then_some(QUICK_BUDGET),
        })
    }
}

/// What is measured.
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
        methods: names("--methods", &args.methods)?,
        points,
        applicants: args.applicants.map_or(applicants, usize::from),
        splits: args.splits.map_or(splits, u64::from),
        preset: preset(&args.preset)?,
        time_limit: time_limit.or(args.quick.then_some(QUICK_LIMIT)),
        quick: args.quick,
    })
}

/// The data sets that were named, or all that are available.
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
