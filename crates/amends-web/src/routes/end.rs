//! How a search for several plans ended, as a name that front ends translate.

use amends::answer::{Answer, End};
use amends::plans::{FrontEnd, SeveralEnd};

/// The name of an answer's end; `None` where only the best plan was asked for, and for who is accepted already.
pub fn end_kind(answer: &Answer) -> Option<&'static str> {
    match answer.end() {
        End::Best
        | End::Several(SeveralEnd::AlreadyAccepted)
        | End::Front { end: FrontEnd::AlreadyAccepted, .. } => None,
        End::Several(SeveralEnd::AllFound) => Some("all-found"),
        End::Several(SeveralEnd::NoFurther) => Some("no-further"),
        End::Front { end: FrontEnd::Complete, .. } => Some("complete"),
        End::Front { end: FrontEnd::Capped { .. }, .. } => Some("capped"),
        End::Several(SeveralEnd::Stopped) | End::Front { end: FrontEnd::Stopped { .. }, .. } => {
            Some("stopped")
        }
    }
}
