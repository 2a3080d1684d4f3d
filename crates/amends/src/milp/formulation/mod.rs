//! An instance as a mixed-integer program, in the three formulations.
//!
//! All three share the choice of options, the rules, the limits, the distance rows and the validity rows; they differ in how
//! they model which reference point is the nearest (`outlier.rs`), and `compact` also in how it writes
//! evenly spaced options (`ladder.rs`) and trees (`validity.rs`), and in that it supports long ranges (`pieces.rs`).

mod choice;
mod cutting;
mod distance;
mod expression;
mod ladder;
mod limits;
mod network;
mod outlier;
mod pieces;
mod ranges;
mod rules;
mod separation;
mod squares;
mod validity;

use self::choice::Choices;
use self::outlier::OutlierBlock;
use self::validity::Validity;
use super::Program;
use crate::instance::{Distance, Instance};
use crate::names::named;
use crate::plausibility::Metric;
use crate::{InputError, Result, Setting};

/// How the nearest reference point is modelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Formulation {
    /// DACE's: a row for every ordered pair of points, N(N-1) in all (the paper's eq. 8).
    Pairwise,
    /// The paper's: one variable for the least distance and 2N rows (eq. 11).
    #[default]
    Reduced,
    /// Ours: as `reduced`, with one integer variable instead of many binaries where options are
    /// evenly spaced, the changes of numbers as columns of their own so that rows are short, and
    /// tighter rows for trees. The only one that supports ranges of any length.
    Compact,
}

named!(Formulation, "formulation", { Pairwise => "pairwise", Reduced => "reduced", Compact => "compact" });

/// A program together with what its columns mean.
#[derive(Debug, Clone)]
pub struct EncodedInstance<'a> {
    /// The program.
    pub program: Program,
    instance: &'a Instance,
    choices: Choices,
    deltas: Vec<distance::Delta>,
    validity: Validity,
    outlier: Option<OutlierBlock>,
    cuts: Vec<Cut>,
}

/// What was added to a program after a false claim.
#[derive(Debug, Clone)]
enum Cut {
    /// This plan, or this plan with this nearest point, is forbidden.
    Forbid(Vec<usize>, Option<usize>),
    /// The first point is the nearest only where it is no farther than the second.
    Separate(usize, usize),
    /// The outlier term is exact at this plan.
    Sharpen(Vec<usize>),
}

/// Writes an instance as a program.
///
/// Refuses what a linear program can't express: the 2-norm, the true k-LOF, and the Euclidean metric. Long ranges are for
/// [`Formulation::Compact`] only.
pub fn encode(instance: &Instance, formulation: Formulation) -> Result<EncodedInstance<'_>> {
    check_linear(instance)?;
    cutting::check(instance, formulation)?;
    Ok(write(instance, formulation, &[]))
}

/// Writes an instance whose long ranges have binaries for the options of these plans.
fn write<'a>(
    instance: &'a Instance,
    formulation: Formulation,
    singles: &[Vec<usize>],
) -> EncodedInstance<'a> {
    let compact = formulation == Formulation::Compact;
    let mut program = Program::default();
    let choices = Choices::add(&mut program, instance, compact, singles);
    rules::add(&mut program, instance, &choices);
    let deltas = distance::add(&mut program, instance, &choices, compact);
    let validity = validity::add(&mut program, instance, &choices, compact);
    let outlier = instance
        .cost()
        .outlier
        .as_ref()
        .map(|term| OutlierBlock::add(&mut program, instance, term, &choices, formulation));
    limits::add(&mut program, instance, &choices, &deltas, outlier.as_ref());
    EncodedInstance { program, instance, choices, deltas, validity, outlier, cuts: Vec::new() }
}

fn check_linear(instance: &Instance) -> Result<()> {
    if !validity::is_linear(instance.classifier()) {
        return Err(InputError::new(
            "combines transformed scores, or not all members must accept, which can't be written as a linear program",
        )
        .at("classifier")
        .remedy("use the search engine")
        .remedy_setting(Setting::Engine)
        .into());
    }
    let refused = |what: &str| {
        Err(InputError::new(format!("{what} can't be written as a linear program"))
            .remedy("use a cost that is linear, or the search engine")
            .remedy_setting(Setting::Engine)
            .into())
    };
    match &instance.cost().distance {
        Distance::Mahalanobis { .. } => return refused("the distance `mahalanobis`"),
        Distance::SquaredMahalanobis { .. } => {
            return refused("the distance `squared-mahalanobis`");
        }
        Distance::L1Mahalanobis { .. } | Distance::Table { .. } => {}
    }
    match &instance.cost().outlier {
        Some(term) if term.k.is_some() => refused("the true k-LOF"),
        Some(term) if term.metric == Metric::Euclidean => refused("the metric `euclidean`"),
        _ => Ok(()),
    }
}

impl EncodedInstance<'_> {
    /// The plan that a solution encodes.
    pub fn decode(&self, values: &[f64]) -> Vec<usize> {
        self.choices.decode(values)
    }

    /// The reference point that a solution takes for the nearest.
    pub fn nearest(&self, values: &[f64]) -> Option<usize> {
        self.outlier.as_ref().map(|block| block.nearest(values))
    }

    /// The solution that encodes a valid plan.
    pub fn point(&self, choice: &[usize]) -> Vec<f64> {
        let mut values = vec![0.0; self.program.columns.len()];
        self.choices.fill(self.instance, choice, &mut values);
        distance::fill(&self.deltas, self.instance, choice, &mut values);
        let changed = self.instance.apply(choice);
        self.validity.fill(self.instance.classifier(), &changed, &mut values);
        if let Some(block) = &self.outlier {
            block.fill(self.instance, choice, &mut values);
        }
        values
    }

    /// Forbids a plan that does not hold, or (with `nearest`) a plan together with a point that is
    /// not its nearest. `false` where the formulation has no binaries to express it.
    pub fn forbid(&mut self, choice: &[usize], nearest: Option<usize>) -> bool {
        let Some(mut terms) = self.choices.binaries(choice) else { return false };
        if let (Some(block), Some(n)) = (&self.outlier, nearest) {
            terms.push((block.chosen(n), 1.0));
        }
        let most = terms.len() as f64 - 1.0;
        self.cuts.push(Cut::Forbid(choice.to_vec(), nearest));
        let name = format!("cut_{}", self.cuts.len());
        self.program.add_row(name, f64::NEG_INFINITY, most, terms);
        true
    }

    /// Adds a row, with the tightest constant, by which `claimed` is the nearest point only where it
    /// is no farther than `nearer`.
    pub fn separate(&mut self, claimed: usize, nearer: usize) {
        if let Some(block) = &self.outlier {
            self.cuts.push(Cut::Separate(claimed, nearer));
            let name = format!("cut_{}", self.cuts.len());
            block.add_pair(&mut self.program, name, claimed, nearer);
        }
    }

    /// Makes the outlier term exact at a plan, where long ranges made it too small; `false` where it was exact.
    pub fn sharpen(&mut self, choice: &[usize]) -> bool {
        let Some(block) = &mut self.outlier else { return false };
        let sharper = block.sharpen(&mut self.program, self.instance, choice);
        if sharper {
            self.cuts.push(Cut::Sharpen(choice.to_vec()));
        }
        sharper
    }

    /// The same problem, with all that was added, as a program with a binary for every option of a plan: `compact`
    /// where ranges are long, and else `reduced`, whose options all have one.
    pub(in crate::milp) fn with_binaries(&self, choice: &[usize]) -> Self {
        let long = self.instance.features().iter().any(cutting::is_long);
        let formulation = if long { Formulation::Compact } else { Formulation::Reduced };
        let forbidden = self.cuts.iter().filter_map(|cut| match cut {
            Cut::Forbid(choice, _) => Some(choice.clone()),
            _ => None,
        });
        let singles: Vec<Vec<usize>> = forbidden.chain([choice.to_vec()]).collect();
        let mut program = write(self.instance, formulation, &singles);
        for cut in &self.cuts {
            match cut {
                Cut::Forbid(choice, nearest) => {
                    program.forbid(choice, *nearest);
                }
                Cut::Separate(claimed, nearer) => program.separate(*claimed, *nearer),
                Cut::Sharpen(choice) => {
                    program.sharpen(choice);
                }
            }
        }
        program
    }
}
