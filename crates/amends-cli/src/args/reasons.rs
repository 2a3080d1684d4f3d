//! Which principal reasons of a rejection are wanted.

use amends::Result;
use amends::answer::Ask;
use amends::reasons::{MAX_REASONS, ReasonGroup};
use clap::Args;

use super::{choice, whole};

#[derive(Debug, Args)]
#[command(next_help_heading = "Reasons")]
pub struct ReasonArgs {
    /// Give the principal reasons of every rejection, whether or not the applicant can act on them
    #[arg(long)]
    reasons: bool,
    /// Who rejected applicants are compared with: near-cut (the accepted training rows with the lowest scores), all or accepted
    #[arg(long, value_name = "GROUP", requires = "reasons", default_value = ReasonGroup::NearCut.name())]
    reason_group: String,
    /// The most reasons per applicant
    #[arg(long, value_name = "N", requires = "reasons", default_value_t = MAX_REASONS, value_parser = whole::<usize>)]
    max_reasons: usize,
}

/// The principal reasons that are wanted.
#[derive(Debug, Clone, Copy)]
pub struct ReasonChoice {
    /// Who rejected applicants are compared with.
    pub group: ReasonGroup,
    /// The most reasons per applicant.
    pub most: usize,
}

impl ReasonArgs {
    /// None where none are wanted.
    pub fn check(self) -> Result<Option<ReasonChoice>> {
        let group = choice("--reason-group", &self.reason_group)?;
        let most = self.max_reasons;
        Ask::best().with_principal_reasons(most)?;
        Ok(self.reasons.then_some(ReasonChoice { group, most }))
    }
}
