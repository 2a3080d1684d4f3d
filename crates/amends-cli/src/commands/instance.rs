//! `amends instance`: applicants' problems as instance files, one a line.

use std::io::Write;

use super::Ending;
use crate::args::InstanceArgs;
use crate::output::{Output, check_place};
use crate::setup::{explain_settings, train_settings};
use crate::source::Source;

pub fn run(args: &InstanceArgs) -> anyhow::Result<Ending> {
    args.output.as_deref().map_or(Ok(()), check_place)?;
    let training = train_settings(&args.training, args.data.seed)?;
    let source = Source::load(&args.data)?;
    let costs = explain_settings(&args.cost, &source.dataset.schema)?;
    let model = source.model(&args.model, &training)?;
    let explainer = source.explainer(&model, &costs)?;
    let applicants = source.applicants(&args.applicants, &explainer)?;
    let mut output = Output::to(args.output.as_deref())?;
    for applicant in &applicants {
        writeln!(output, "{}", explainer.instance(&applicant.record)?.to_json())?;
    }
    output.finish()?;
    Ok(Ending::Answered)
}
