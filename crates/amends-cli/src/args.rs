//! The command line as typed. `setup.rs` turns it into checked settings.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::audit::AuditArgs;
use crate::commands::ReproduceArgs;
use crate::report::ending;

/// Tells a rejected applicant the smallest realistic change that would have got them approved, and proves it.
#[derive(Debug, Parser)]
#[command(
    name = "amends",
    version,
    after_help = "Exit codes: 0 every applicant was answered (a plan, a proven \"none\", or already accepted), \
                  1 something broke (a solver, even for one applicant), 2 bad input, 3 time ran out without a plan for at least one applicant, \
                  4 rows of --applicants could not be read and the others were answered, 130 stopped by Ctrl-C (explain, audit, reproduce)."
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Train three models on the embedded German credit data and explain rejected applicants
    Demo(DemoArgs),
    /// Infer a schema file from a table, for you to edit
    Init(InitArgs),
    /// Which rows of a table break which rules of its schema
    CheckRules(CheckRulesArgs),
    /// Train a model and save it
    Train(TrainArgs),
    /// Accuracy, precision, recall and F1 over several seeded splits
    Evaluate(EvaluateArgs),
    /// Explain rejected applicants
    Explain(ExplainArgs),
    /// What all applicants of a table may really do, in figures, overall and by group
    Audit(AuditArgs),
    /// Write applicants' problems as instance files
    Instance(InstanceArgs),
    /// Solve an instance file
    Solve(SolveArgs),
    /// Write an instance as a mixed-integer program for any solver
    Export(ExportArgs),
    /// Time both engines on the same applicants, in one run
    Bench(BenchArgs),
    /// Run the papers' evaluation and put their published figures beside ours
    Reproduce(ReproduceArgs),
}

/// Which table.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Data")]
pub struct TableArgs {
    /// A known data set: german (embedded) or heloc (give its file with --data)
    #[arg(long, value_enum)]
    pub dataset: Option<KnownData>,
    /// The table, as CSV
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// The schema of the table, as TOML (`amends init` writes one)
    #[arg(long, value_name = "FILE")]
    pub schema: Option<PathBuf>,
    /// What to do with HELOC's special codes -7, -8 and -9; zero where it is left out, with a note
    #[arg(long, value_enum)]
    pub heloc_codes: Option<Codes>,
}

/// Which table, and how it is split.
#[derive(Debug, Args)]
#[command(next_help_heading = "Data")]
pub struct DataArgs {
    #[command(flatten)]
    pub table: TableArgs,
    /// The seed of the split and of the training
    #[arg(long, default_value_t = 0, value_parser = whole::<u64>)]
    pub seed: u64,
    /// The share of rows that is held out for testing; 0 keeps them all
    #[arg(long, default_value_t = 0.25, value_name = "SHARE", value_parser = number)]
    pub test_share: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KnownData {
    German,
    Heloc,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Codes {
    /// Replace them by 0, as DACE did
    Zero,
    /// Drop rows that hold any
    Drop,
    /// Keep them as states beside the numbers, with rules for real advice
    State,
}

/// How to train.
#[derive(Debug, Args)]
#[command(next_help_heading = "Training")]
pub struct TrainingArgs {
    /// The weight of the loss against the penalty (lr, svm)
    #[arg(long = "c", default_value_t = 1.0, value_name = "C", value_parser = number)]
    pub c: f64,
    /// The loss of the support vector machine: squared-hinge or hinge
    #[arg(long, default_value = "squared-hinge", value_name = "LOSS")]
    pub svm_loss: String,
    /// The number of trees (rf, gb)
    #[arg(long, default_value_t = 100, value_parser = whole::<usize>)]
    pub trees: usize,
    /// The depth of the trees; 6 (rf) or 3 (gb) where it is left out
    #[arg(long, value_parser = whole::<usize>)]
    pub depth: Option<usize>,
    /// What share of its step a boosted tree takes (gb)
    #[arg(long, default_value_t = 0.1, value_name = "SHARE", allow_negative_numbers = true, value_parser = number)]
    pub learning_rate: f64,
}

/// What "small" and "plausible" mean. Everything beside the preset overrides it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Cost of a plan")]
pub struct CostArgs {
    /// standard (Mahalanobis + true 10-LOF, standardised), paper, or dace
    #[arg(long, default_value = "standard")]
    pub preset: String,
    /// l1-mahalanobis, mahalanobis, squared-mahalanobis, tlps, mad or pcc
    #[arg(long)]
    pub distance: Option<String>,
    /// The factor of the inverse covariance: cholesky or eigen
    #[arg(long)]
    pub factor: Option<String>,
    /// The outlier term: lof, surrogate or none
    #[arg(long)]
    pub outlier: Option<String>,
    /// squared-euclidean, euclidean or manhattan
    #[arg(long)]
    pub metric: Option<String>,
    /// Neighbours of the local outlier factor
    #[arg(long, value_parser = whole::<usize>)]
    pub k: Option<usize>,
    /// Count accepted rows that are equal once: true or false
    #[arg(long, value_name = "BOOL")]
    pub distinct: Option<bool>,
    /// N, the surrogate's prototypes: a number, or all
    #[arg(long, value_name = "N")]
    pub prototypes: Option<String>,
    /// How many values of every number are on offer: a number, or all (the standard preset's choice)
    #[arg(long, value_name = "N")]
    pub options: Option<String>,
    /// Divide columns by their standard deviation first: true or false
    #[arg(long, value_name = "BOOL")]
    pub standardise: Option<bool>,
    /// The weight of the outlier term
    #[arg(long, allow_negative_numbers = true, value_parser = number)]
    pub lambda: Option<f64>,
    /// K, the most features that may change
    #[arg(long, value_name = "K", value_parser = whole::<usize>)]
    pub max_changes: Option<usize>,
}

/// What plans have to reach and to hold, beside the schema.
#[derive(Debug, Args)]
#[command(next_help_heading = "What plans must hold")]
pub struct WishArgs {
    /// A rule for every applicant, in the words of the schema's rules, or a key of a feature, such as
    /// 'income.max_change = 500'; may begin with a minus sign (may be given several times)
    #[arg(long = "rule", value_name = "RULE", allow_hyphen_values = true)]
    pub rules: Vec<String>,
    /// The column of --applicants with each applicant's own rules, separated by semicolons
    #[arg(long, value_name = "COLUMN", requires = "applicants")]
    pub rules_column: Option<String>,
    /// Accept from this score on instead of the model's own cut
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true, value_parser = number)]
    pub target_score: Option<f64>,
    /// Accept from this probability of approval on (not svm)
    #[arg(long, value_name = "P", allow_negative_numbers = true, conflicts_with = "target_score", value_parser = number)]
    pub target_probability: Option<f64>,
    /// Plans stay accepted if the model's score drops by this much
    #[arg(long, value_name = "SCORE", default_value_t = 0.0, allow_negative_numbers = true, value_parser = number)]
    pub margin: f64,
    /// Plans stay accepted if any changed numbers are off by a step, up or down
    #[arg(long)]
    pub margin_step: bool,
}

/// How to solve.
#[derive(Debug, Args)]
#[command(next_help_heading = "Engine")]
pub struct EngineArgs {
    /// search (ours, exact) or milp (a general solver)
    #[arg(long, value_enum, default_value = "search")]
    pub engine: EngineName,
    /// pairwise, reduced or compact (milp)
    #[arg(long, default_value = "reduced")]
    pub formulation: String,
    /// highs (where it is built in) or microlp (milp)
    #[arg(long)]
    pub solver: Option<String>,
    /// Any solver through files (milp), such as 'cbc {model} solve solution {solution}'
    #[arg(long, value_name = "COMMAND", conflicts_with = "solver")]
    pub solver_command: Option<String>,
    /// Stop after this many seconds per applicant; 60 in explain and audit, no limit in solve where it is left out
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = number)]
    pub time_limit: Option<f64>,
    /// Stop at this relative gap
    #[arg(long, default_value_t = 1e-6, allow_negative_numbers = true, value_parser = number)]
    pub gap: f64,
    /// Threads; all cores where it is left out
    #[arg(long, value_name = "T", value_parser = whole::<usize>)]
    pub threads: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    Search,
    Milp,
}

/// Which applicants.
#[derive(Debug, Args)]
#[command(next_help_heading = "Applicants")]
pub struct ApplicantArgs {
    /// Rows of the table, counted from 1 (several: 3,17,40)
    #[arg(long, value_delimiter = ',', value_name = "ROWS", value_parser = whole::<usize>)]
    pub row: Vec<usize>,
    /// A CSV or Parquet file of applicants, - for standard input; its columns are the table's, the target may be missing
    #[arg(long, value_name = "FILE", conflicts_with = "row")]
    pub applicants: Option<PathBuf>,
    /// The first N rejected applicants of the held-out rows (3 where nothing else is asked)
    #[arg(long, value_name = "N", conflicts_with_all = ["row", "applicants"], value_parser = whole::<usize>)]
    pub rejected: Option<usize>,
}

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// How many rejected applicants each model explains
    #[arg(long, default_value_t = 2, value_parser = whole::<usize>)]
    pub applicants: usize,
    /// Stop after this many seconds per applicant
    #[arg(long, default_value_t = 5.0, value_name = "SECONDS", allow_negative_numbers = true, value_parser = number)]
    pub time_limit: f64,
}

#[derive(Debug, Args)]
pub struct InitArgs {
    /// The table, as CSV
    pub data: PathBuf,
    /// The column with the decision or outcome
    #[arg(long)]
    pub target: String,
    /// The label that means approved, where it can't be guessed
    #[arg(long)]
    pub favourable: Option<String>,
    /// A name for the schema; the file's where it is left out
    #[arg(long)]
    pub name: Option<String>,
    /// Replace the output file where it exists
    #[arg(long)]
    pub force: bool,
    /// Where to write the schema; standard output where it is left out
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct CheckRulesArgs {
    /// The table, as CSV; the same as --data
    #[arg(value_name = "DATA", conflicts_with = "data")]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub table: TableArgs,
    /// text, json (one object a rule) or csv
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Where to write; standard output where it is left out
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct TrainArgs {
    #[command(flatten)]
    pub data: DataArgs,
    #[command(flatten)]
    pub training: TrainingArgs,
    /// lr, svm, rf or gb
    #[arg(long)]
    pub model: String,
    /// Where to save the model
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

#[derive(Debug, Args)]
pub struct EvaluateArgs {
    #[command(flatten)]
    pub data: DataArgs,
    #[command(flatten)]
    pub training: TrainingArgs,
    /// Which models
    #[arg(long, value_delimiter = ',', default_value = "lr,svm,rf,gb")]
    pub models: Vec<String>,
    /// How many splits, seeded with --seed and the numbers after it
    #[arg(long, default_value_t = 10, value_parser = whole::<u64>)]
    pub splits: u64,
    /// text, json or csv
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// Which model decides.
#[derive(Debug, Args)]
pub struct ModelArgs {
    /// lr, svm, rf or gb, trained now; or a file: of `amends train`, of XGBoost (JSON) or of LightGBM (text)
    #[arg(long, default_value = "lr")]
    pub model: String,
    /// The outcome that class 1 of an XGBoost or LightGBM model stands for, where outcomes are not 0 and 1
    #[arg(long, value_name = "OUTCOME")]
    pub class_one: Option<String>,
    /// What such a model saw where a number has a code: written (as the table has it) or missing
    #[arg(long, value_name = "HOW", default_value = "written")]
    pub codes_as: String,
}

/// Who is asked about, which model decides, and what a plan costs.
#[derive(Debug, Args)]
pub struct QuestionArgs {
    #[command(flatten)]
    pub data: DataArgs,
    #[command(flatten)]
    pub training: TrainingArgs,
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub applicants: ApplicantArgs,
    #[command(flatten)]
    pub cost: CostArgs,
    #[command(flatten)]
    pub wishes: WishArgs,
}

/// More than one plan an applicant.
#[derive(Debug, Args)]
#[command(next_help_heading = "Several plans")]
pub struct SeveralArgs {
    /// The best N plans that change different sets of features
    #[arg(long, value_name = "N", conflicts_with = "pareto", value_parser = whole::<usize>)]
    pub plans: Option<usize>,
    /// Plans differ in at least M changes from every better one
    #[arg(long, value_name = "M", requires = "plans", value_parser = whole::<usize>)]
    pub apart: Option<usize>,
    /// The trade-off between distance and outlier term: every plan that no other beats in both, at most N of them
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "20", value_parser = whole::<usize>)]
    pub pareto: Option<usize>,
    /// Differences in the trade-off below this, relatively, are none
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.01,
        requires = "pareto",
        allow_negative_numbers = true, value_parser = number
    )]
    pub resolution: f64,
}

#[derive(Debug, Args)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub question: QuestionArgs,
    /// Refuse the whole file at its first bad row, before anything is solved, instead of answering the others
    #[arg(long, requires = "applicants", help_heading = "Applicants")]
    pub strict: bool,
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub several: SeveralArgs,
    /// Where there is no plan, don't look for the rules that stand in the way
    #[arg(long)]
    pub no_reasons: bool,
    /// text, json (JSON lines, one object per plan), csv or parquet; by the output's name where it is left out, else text
    #[arg(long, value_enum)]
    pub format: Option<PlanFormat>,
    /// Where to write; standard output where it is left out
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Keep every finished applicant in this file; the same command continues where it stopped
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct InstanceArgs {
    #[command(flatten)]
    pub question: QuestionArgs,
    /// Where to write; standard output where it is left out
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct SolveArgs {
    /// The instance, as JSON or JSON lines; - for standard input
    pub file: PathBuf,
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Print one JSON object an instance
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The instance, as JSON; - for standard input
    pub file: PathBuf,
    /// pairwise, reduced or compact
    #[arg(long, default_value = "reduced")]
    pub formulation: String,
    /// mps or lp; taken from the output's name where it is left out
    #[arg(long, value_enum)]
    pub format: Option<ProgramFormat>,
    /// Where to write; standard output where it is left out
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
    Csv,
}

impl Format {
    /// By the ending of the output's name; text where it says nothing.
    pub fn of_name(path: Option<&Path>) -> Self {
        match path.and_then(ending).as_deref() {
            Some("json") => Self::Json,
            Some("csv") => Self::Csv,
            _ => Self::Text,
        }
    }
}

/// How plans are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlanFormat {
    Text,
    #[value(alias = "json-lines", alias = "jsonl")]
    Json,
    Csv,
    Parquet,
}

impl PlanFormat {
    /// By the ending of the output's name; text where it says nothing.
    pub fn of_name(path: Option<&Path>) -> Self {
        match path.and_then(ending).as_deref() {
            Some("parquet") => Self::Parquet,
            Some("json" | "jsonl" | "ndjson") => Self::Json,
            Some("csv") => Self::Csv,
            _ => Self::Text,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProgramFormat {
    Mps,
    Lp,
}

#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Rejected applicants a model and setting
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..))]
    pub applicants: u16,
    /// Which models
    #[arg(long, value_delimiter = ',', default_value = "lr,svm,rf,gb")]
    pub models: Vec<String>,
    /// FICO's HELOC file, to be timed too
    #[arg(long, value_name = "FILE")]
    pub heloc: Option<PathBuf>,
    /// Leave German credit out
    #[arg(long)]
    pub without_german: bool,
    /// Instance files (JSON lines), each timed as one row of the table
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub instances: Vec<PathBuf>,
    /// Stop the search after this many seconds per applicant
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS", allow_negative_numbers = true, value_parser = number)]
    pub time_limit: f64,
    /// How many of the applicants the general solver is given (linear models, N = 20); 0 for none
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = whole::<usize>)]
    pub milp_applicants: usize,
    /// Stop the general solver after this many seconds per applicant
    #[arg(long, default_value_t = 300.0, value_name = "SECONDS", allow_negative_numbers = true, value_parser = number)]
    pub milp_time_limit: f64,
    /// The seed of the split and of the training
    #[arg(long, default_value_t = 0, value_parser = whole::<u64>)]
    pub seed: u64,
    /// Write the figures as JSON, too
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Reads a number, with a message in plain words.
pub fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "not a number, such as 0.5".to_owned())
}

/// Reads a whole number, with a message in plain words.
pub fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    text.trim().parse().map_err(|_| "not a whole number of 0 or more, or too large".to_owned())
}
