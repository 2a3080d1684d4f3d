//! The commands, a folder each: `args.rs` has its arguments as typed and as checked, `run.rs` what it does, and `print.rs`
//! what its results look like.

mod audit;
mod bench;
mod check_rules;
mod demo;
mod evaluate;
mod explain;
mod export;
mod init;
mod instance;
mod letter;
mod outcome;
mod receipt_key;
mod reproduce;
mod serve;
mod solve;
mod train;
mod verify_receipt;

use clap::{Parser, Subcommand};

pub use outcome::Outcome;

/// Tells a rejected applicant the smallest realistic change that would have got them approved, and proves it.
#[derive(Debug, Parser)]
#[command(
    name = "amends",
    version,
    after_help = "Exit codes: 0 every applicant was answered (a plan, a proven \"none\", or already accepted), \
                  1 something broke (a solver, even for one applicant), 2 bad input, 3 time ran out without a plan for at least one applicant, \
                  4 rows of --applicants could not be read, or letters not be written, and the others were answered, 130 stopped by Ctrl-C (explain, letter, audit, reproduce)."
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Train three models on the embedded German credit data and explain rejected applicants
    Demo(demo::DemoArgs),
    /// Infer a schema file from a table, for you to edit
    Init(init::InitArgs),
    /// Which rows of a table break which rules of its schema
    CheckRules(check_rules::CheckRulesArgs),
    /// Train a model and save it
    Train(train::TrainArgs),
    /// Accuracy, precision, recall and F1 over several seeded splits
    Evaluate(evaluate::EvaluateArgs),
    /// Explain rejected applicants
    Explain(explain::ExplainArgs),
    /// Write a letter to every rejected applicant: the decision, its principal reasons, and what would have led to approval
    Letter(letter::LetterArgs),
    /// What all applicants of a table may really do, in figures, overall and by group
    Audit(audit::AuditArgs),
    /// Open a page in the browser where an applicant's plans answer to wishes at once, and the HTTP API behind it
    Serve(Box<serve::ServeArgs>),
    /// Write applicants' problems as instance files
    Instance(instance::InstanceArgs),
    /// Solve an instance file
    Solve(solve::SolveArgs),
    /// Write an instance as a mixed-integer program for any solver
    Export(export::ExportArgs),
    /// Make the key that `amends serve` signs receipts with
    ReceiptKey(receipt_key::ReceiptKeyArgs),
    /// Verify a receipt: who signed it, what it confirms, and until when
    VerifyReceipt(verify_receipt::VerifyReceiptArgs),
    /// Time both engines on the same applicants, in one run
    Bench(bench::BenchArgs),
    /// Run the papers' evaluation and compare their published figures with ours
    Reproduce(reproduce::ReproduceArgs),
}

/// Checks the arguments of the command that was named, and runs it.
pub fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    match arguments.command {
        Command::Demo(args) => demo::run(&args.check()?),
        Command::Init(args) => init::run(&args.check()?),
        Command::CheckRules(args) => check_rules::run(&args.check()?),
        Command::Train(args) => train::run(&args.check()?),
        Command::Evaluate(args) => evaluate::run(&args.check()?),
        Command::Explain(args) => explain::run(&args.check()?),
        Command::Letter(args) => letter::run(&args.check()?),
        Command::Audit(args) => audit::run(&args.check()?),
        Command::Serve(args) => serve::run((*args).check()?),
        Command::Instance(args) => instance::run(&args.check()?),
        Command::Solve(args) => solve::run(&args.check()?),
        Command::Export(args) => export::run(&args.check()?),
        Command::ReceiptKey(args) => receipt_key::run(&args),
        Command::VerifyReceipt(args) => verify_receipt::run(&args.check()?),
        Command::Bench(args) => bench::run(&args.check()?),
        Command::Reproduce(args) => reproduce::run(&args.check()?),
    }
}
