//! `amends instance`: applicants' problems as instance files, one a line.

use std::io::{BufWriter, IntoInnerError, Write};

use amends::InputError;
use amends_run::output::{Output, check_place};

use super::Ending;
use crate::args::InstanceArgs;
use crate::question::fit;
use crate::source::Source;

pub fn run(args: &InstanceArgs) -> anyhow::Result<Ending> {
    args.output.as_deref().map_or(Ok(()), check_place)?;
    let source = Source::load(&args.question.data)?;
    let (_, explainer) = fit(&source, &args.question, |_| Ok(()))?;
    let mut applicants =
        source.applicants(&args.question.applicants, &explainer, &args.question.wishes, true)?;
    applicants.check(&explainer, |_, _| {})?;
    let mut output = BufWriter::new(Output::to(args.output.as_deref())?);
    for applicant in applicants.read()? {
        let applicant = applicant?.map_err(InputError::from)?;
        let case = explainer.case(&applicant.record, &applicant.wishes);
        let case = case.map_err(|error| error.in_row(applicant.row))?;
        writeln!(output, "{}", case.instance().to_json())?;
    }
    output.into_inner().map_err(IntoInnerError::into_error)?.finish()?;
    Ok(Ending::Answered)
}
