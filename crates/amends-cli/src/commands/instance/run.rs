//! What the command does.

use std::io::{BufWriter, IntoInnerError, Write};

use amends::InputError;
use amends_run::output::Output;

use super::args::InstanceCommand;
use crate::applicants::Applicants;
use crate::commands::Outcome;
use crate::source::Source;

pub fn run(command: &InstanceCommand) -> anyhow::Result<Outcome> {
    let question = &command.question;
    let source = Source::load(&question.setup.data)?;
    let (_, explainer) = source.fit(&question.setup, |_| Ok(()))?;
    let (chosen, requirements) = (&question.applicants, &question.setup.requirements);
    let mut applicants = Applicants::choose(&source, chosen, requirements, &explainer)?;
    applicants.check(&explainer, |_, _| {})?;
    let mut output = BufWriter::new(Output::to(command.output.as_deref())?);
    for applicant in applicants.read()? {
        let applicant = applicant?.map_err(InputError::from)?;
        let case = explainer.case(&applicant.record, &applicant.wishes);
        let case = case.map_err(|error| error.in_row(applicant.row))?;
        writeln!(output, "{}", case.instance().to_json())?;
    }
    output.into_inner().map_err(IntoInnerError::into_error)?.finish()?;
    Ok(Outcome::Answered)
}
