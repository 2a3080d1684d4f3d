//! More than one plan for an applicant: the best few that differ, and the proven trade-off between effort
//! and plausibility.
//!
//! Both are made of ordinary solves, by either engine: [`several`] adds a rule after each plan, [`front`] puts
//! limits on distance and outlier term.

mod boxes;
mod front;
mod several;

pub use front::{Front, FrontEnd, FrontPoint, FrontSettings, front};
pub use several::{Several, SeveralEnd, SeveralSettings, several};
