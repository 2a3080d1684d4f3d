//! `amends instance`: applicants' problems as instance files, one a line.

use std::io::Write;

use amends::explain::Explainer;

use super::Ending;
use crate::args::InstanceArgs;
use crate::output::Output;
use crate::setup::{Source, explain_settings, train_settings};

pub fn run(args: &InstanceArgs) -> anyhow::Result<Ending> {
    let training = train_settings(&args.training, args.data.seed)?;
    let source = Source::load(&args.data)?;
    let costs = explain_settings(&args.cost, &source.dataset.schema)?;
    let model = source.model(&args.model, &training)?;
    let explainer = Explainer::fit(&source.training_part(), &model, &costs)?;
    let applicants = source.applicants(&args.applicants, &explainer)?;
    let mut output = Output::to(args.output.as_deref())?;
    for applicant in &applicants {
        writeln!(output, "{}", explainer.instance(&applicant.record)?.to_json())?;
    }
    output.finish()?;
    Ok(Ending::Answered)
}
