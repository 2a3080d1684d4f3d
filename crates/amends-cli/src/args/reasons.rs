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
    /// Who rejected applicants are compared with: near-cut (the accepted training rows with the lowest scores; the default), all or accepted
    #[arg(long, value_name = "GROUP")]
    reason_group: Option<String>,
    /// The most reasons per applicant; 4 where it is left out
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    max_reasons: Option<usize>,
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
    /// `None` where no reasons are wanted. Options about reasons imply `--reasons`.
    pub fn check(self) -> Result<Option<ReasonChoice>> {
        let wanted = self.reasons || self.reason_group.is_some() || self.max_reasons.is_some();
        let mut reasons = ReasonChoice::default();
        if let Some(name) = &self.reason_group {
            reasons.group = choice("--reason-group", name)?;
        }
        reasons.most = self.max_reasons.unwrap_or(reasons.most);
        Ask::best().with_principal_reasons(reasons.most)?;
        Ok(wanted.then_some(reasons))
    }
}

impl Default for ReasonChoice {
    fn default() -> Self {
        Self { group: ReasonGroup::default(), most: MAX_REASONS }
    }
}
