//! Any solver that reads a model file and writes a solution file.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use super::command_template::CommandTemplate;
use super::screen::{round_integers, screen};
use super::{Capabilities, Outcome, Solver, SolverAnswer, SolverSettings, SolverTask};
use crate::engine::Deadline;
use crate::milp::files::{Claim, Names, SolutionFile, number, read_solution};
use crate::milp::{Program, write_mps};
use crate::{Error, Result};

/// How long after the time limit a solver may take to write its solution.
const GRACE: Duration = Duration::from_secs(5);
/// The value of `{time_limit}` where there is none: 30 years.
const NO_TIME_LIMIT: f64 = 1e9;
/// How much of a solver's output an error repeats.
const LINES_TO_QUOTE: usize = 6;

/// A solver that is run as a program of its own.
///
/// The command is split like a shell would split it (quotes keep spaces), but no shell runs. Filled in are `{model}` (a
/// free MPS file), `{solution}` (the file to write), `{time_limit}` (seconds), `{threads}` and `{gap}` (relative).
/// The solution file may be that of cbc, HiGHS, SCIP, GLPK (`-w`), or hold lines of name and value.
///
/// Solvers have loose tolerances by default. The first command is tested; the others follow their manuals:
///
/// ```text
/// cbc {model} ratio {gap} allow 0 integerT 1e-9 primalT 1e-9 dualT 1e-9 timeMode elapsed sec {time_limit} solve solution {solution}
/// highs --time_limit {time_limit} --solution_file {solution} {model}
/// scip -c "set limits time {time_limit} set numerics feastol 1e-9 read {model} optimize write solution {solution} quit"
/// ```
///
/// A solver whose command has no `{time_limit}` is ended by force some seconds after the limit. Without `{threads}` it uses as many
/// as it does by itself, and more than one can't be asked for; without `{gap}`, no other gap than the default can.
///
/// A file says nothing about a bound, so only a claim of optimality gives one; and the values are as exact as the
/// file's digits (cbc writes eight). A start is not passed on.
#[derive(Debug, Clone)]
pub struct CommandSolver {
    template: CommandTemplate,
    name: String,
    grace: Duration,
}

impl CommandSolver {
    /// A solver from its command line, which must have the placeholders `{model}` and `{solution}`.
    pub fn new(command: &str) -> Result<Self> {
        let template = CommandTemplate::parse(command)?;
        let name = Path::new(template.program())
            .file_stem()
            .map_or_else(|| template.program().to_owned(), |stem| stem.to_string_lossy().into());
        Ok(Self { template, name, grace: GRACE })
    }

    /// The same solver with another time after the limit until it is ended by force (5 seconds otherwise).
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    fn error(&self, message: impl Into<String>) -> Error {
        Error::solver(&self.name, message)
    }
}

impl Solver for CommandSolver {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> Capabilities {
        let has = |placeholder| self.template.has(placeholder);
        Capabilities { threads: has("{threads}"), gap: has("{gap}") }
    }

    fn solve(&self, task: &SolverTask<'_>) -> Result<SolverAnswer> {
        let SolverTask { program, settings, .. } = *task;
        if let Some(answer) = screen(&self.name, task)? {
            return Ok(answer);
        }
        let folder = tempfile::Builder::new()
            .prefix("amends-")
            .tempdir()
            .map_err(|source| Error::file(std::env::temp_dir(), source))?;
        let run = Run {
            solver: self,
            settings,
            model: folder.path().join("model.mps").display().to_string(),
            solution: folder.path().join("solution.txt").display().to_string(),
            output: folder.path().join("output.txt").display().to_string(),
        };
        write_model(program, &run.model).map_err(|source| Error::file(&run.model, source))?;
        let ended = run.execute()?;
        let answer = run.read(program, ended);
        // The answer is kept even if the folder can't be removed.
        let _ = folder.close();
        answer
    }
}

fn write_model(program: &Program, path: &str) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    write_mps(program, &mut file)?;
    file.flush()
}

/// One run of a command: its files and how it ends.
struct Run<'a> {
    solver: &'a CommandSolver,
    settings: &'a SolverSettings,
    model: String,
    solution: String,
    output: String,
}

/// Whether a command ended by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    ByItself,
    ByForce,
}

impl Run<'_> {
    fn execute(&self) -> Result<Ended> {
        let limit = self.settings.solve.time_limit;
        let seconds = limit.map_or(NO_TIME_LIMIT, |limit| limit.as_secs_f64());
        let arguments = self.solver.template.fill(&[
            self.model.clone(),
            self.solution.clone(),
            number(seconds),
            self.settings.solve.threads.to_string(),
            number(self.settings.solve.relative_gap),
        ]);
        let output = File::create(&self.output).map_err(|e| Error::file(&self.output, e))?;
        let errors = output.try_clone().map_err(|e| Error::file(&self.output, e))?;
        let program = self.solver.template.program();
        let mut child = Command::new(program)
            .args(&arguments)
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors)
            .spawn()
            .map_err(|error| self.not_started(&error))?;
        let deadline = Deadline::start(limit.map(|limit| limit.saturating_add(self.solver.grace)));
        match wait_until(&mut child, &deadline).map_err(|error| self.not_started(&error))? {
            None => Ok(Ended::ByForce),
            Some(status) if status.success() => Ok(Ended::ByItself),
            Some(status) => Err(self.failed(&format!(
                "ended with {}; run `{program} {}` by hand to see why",
                describe(status),
                arguments.join(" ")
            ))),
        }
    }

    fn read(&self, program: &Program, ended: Ended) -> Result<SolverAnswer> {
        let read = fs::read_to_string(&self.solution);
        if ended == Ended::ByForce && read.is_err() {
            return Ok(SolverAnswer::new(Outcome::TimeLimit, None, None).with_note(
                "the solver did not stop at its time limit and was ended by force; \
                 put {time_limit} into its command",
            ));
        }
        let text = read.map_err(|error| {
            self.failed(&format!(
                "left no solution file ({error}); check how its command uses {{solution}}"
            ))
        })?;
        match read_solution(&text, &Names::of(program).columns) {
            Ok(file) => self.answer(program, file),
            // The file of a solver that was ended while it wrote may be incomplete.
            Err(_) if ended == Ended::ByForce => Ok(SolverAnswer::new(Outcome::TimeLimit, None, None)),
            Err(fault) => Err(self.failed(&format!(
                "wrote a solution file that can't be used: {fault}; formats that can are those of cbc, HiGHS, \
                 SCIP, GLPK and lines of name and value"
            ))),
        }
    }

    fn answer(&self, program: &Program, file: SolutionFile) -> Result<SolverAnswer> {
        let values = file.values.map(|mut values| {
            round_integers(program, &mut values);
            values
        });
        let bound = values.as_ref().map(|values| program.objective(values));
        match file.claim {
            Claim::Optimal if values.is_some() => {
                Ok(SolverAnswer::new(Outcome::Optimal, values, bound))
            }
            Claim::Optimal => {
                Err(self.failed("claims an optimum without giving one; check its command"))
            }
            Claim::OptimalWithinGap => Ok(SolverAnswer::new(Outcome::Optimal, values, None)
                .with_note("optimal within the solver's own gap, which its file does not tell")),
            Claim::Infeasible => Ok(SolverAnswer::new(Outcome::Infeasible, None, None)),
            Claim::Unbounded => Err(self.failed(
                "says that the objective can fall for ever; give every column with a cost a bound",
            )),
            Claim::Stopped => Ok(SolverAnswer::new(Outcome::TimeLimit, values, None)),
            Claim::Silent => Ok(SolverAnswer::new(Outcome::TimeLimit, values, None)
                .with_note("the solver's file does not say whether its solution is optimal")),
        }
    }

    fn not_started(&self, error: &io::Error) -> Error {
        let program = self.solver.template.program();
        let remedy = if error.kind() == io::ErrorKind::NotFound {
            "install it, or write its full path into the solver command"
        } else {
            "check the solver command"
        };
        Error::no_solver(&self.solver.name, format!("can't run `{program}`: {error}; {remedy}"))
    }

    /// An error that repeats the last lines of the solver's output.
    fn failed(&self, message: &str) -> Error {
        let output = fs::read(&self.output).unwrap_or_default();
        let output = String::from_utf8_lossy(&output);
        let lines: Vec<&str> = output.lines().filter(|line| !line.trim().is_empty()).collect();
        let last = lines[lines.len().saturating_sub(LINES_TO_QUOTE)..].join("\n  ");
        if last.is_empty() {
            self.solver.error(format!("{message}; it printed nothing"))
        } else {
            self.solver.error(format!("{message}; it last printed\n  {last}"))
        }
    }
}

fn describe(status: ExitStatus) -> String {
    status.code().map_or_else(|| status.to_string(), |code| format!("exit code {code}"))
}

/// Waits for the end, or ends the child at the deadline and says `None`.
fn wait_until(child: &mut Child, deadline: &Deadline) -> io::Result<Option<ExitStatus>> {
    if deadline.left().is_none() {
        return child.wait().map(Some);
    }
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if deadline.is_over() {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(pause);
        // Short runs are noticed at once, and long ones are polled rarely.
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}
