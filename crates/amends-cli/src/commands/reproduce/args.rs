//! The command line of `amends reproduce` as typed.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// Five minutes on two cores: few applicants, short limits, forests by the search alone
    #[arg(long)]
    pub quick: bool,
    /// FICO's HELOC file, which may not be passed on with this program
    #[arg(long, value_name = "FILE")]
    pub heloc: Option<PathBuf>,
    /// The folder of results and report; a second start continues where it stopped
    #[arg(short, long, value_name = "DIR", default_value = "reproduction")]
    pub output: PathBuf,
    /// Which data sets: german, heloc; both where HELOC's file is given
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub datasets: Vec<String>,
    /// Which models
    #[arg(long, value_delimiter = ',', default_value = "lr,svm,rf", value_name = "NAMES")]
    pub models: Vec<String>,
    /// Which methods of Table 2 and the figures
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "pairwise,reduced,compact,search",
        value_name = "NAMES"
    )]
    pub methods: Vec<String>,
    /// N, the reference points of the figures: 20,50,100,200,all (quick: 20,50)
    #[arg(long, value_delimiter = ',', value_name = "NUMBERS")]
    pub points: Vec<String>,
    /// Rejected applicants per model: 10 (quick: 3)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub applicants: Option<u16>,
    /// Splits of Table 1: 10 (quick: 3)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub splits: Option<u16>,
    /// The settings that the paper leaves open: dace (its code) or paper (its text)
    #[arg(long, default_value = "dace")]
    pub preset: String,
    /// Stop every solve after this many seconds; the paper's 1200 (N up to 50) and 3600 (above) where left out (quick: 3)
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = crate::args::number)]
    pub time_limit: Option<f64>,
    /// Threads per solve
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = crate::args::whole::<usize>)]
    pub threads: usize,
    /// The seed of splits and training
    #[arg(long, default_value_t = 0, value_parser = crate::args::whole::<u64>)]
    pub seed: u64,
}
