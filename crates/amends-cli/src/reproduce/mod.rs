//! The papers' evaluation, run again: which tasks there are ([`study`]), doing them ([`run`], [`workbench`]), keeping what
//! they found ([`results`]), and telling it beside what was published ([`chapters`], [`published`]).

mod args;
mod chapters;
mod conditions;
mod csv;
mod document;
mod estimate;
mod html;
mod markdown;
mod plot;
mod plot_axis;
mod plot_colours;
mod published;
mod record;
mod results;
mod run;
mod study;
mod summary;
mod task;
mod words;
mod workbench;
mod write;
mod yardstick;

pub use args::ReproduceArgs;
pub use conditions::Conditions;
pub use results::Results;
pub use run::{Finish, run};
pub use study::Study;
pub use task::{Data, Method, Points};
pub use workbench::Workbench;
pub use write::{RESULTS, Report, check_folder};
