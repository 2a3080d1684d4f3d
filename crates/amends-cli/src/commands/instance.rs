//! `amends instance`: applicants' problems as instance files, one a line.

use std::io::Write;

use super::Ending;
use crate::args::InstanceArgs;
use crate::output::{Output, check_place};
use crate::question::Question;

pub fn run(args: &InstanceArgs) -> anyhow::Result<Ending> {
    args.output.as_deref().map_or(Ok(()), check_place)?;
    let Question { explainer, applicants, .. } = Question::prepare(&args.question, |_| Ok(()))?;
    let mut output = Output::to(args.output.as_deref())?;
    for applicant in &applicants {
        let case = explainer.case(&applicant.record, &applicant.wishes);
        let case = case.map_err(|error| error.in_row(applicant.row))?;
        writeln!(output, "{}", case.instance().to_json())?;
    }
    output.finish()?;
    Ok(Ending::Answered)
}
