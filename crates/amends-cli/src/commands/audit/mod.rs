//! `amends audit`: what many applicants may really do, overall and by group. [`people`] has who is asked, and
//! [`audited`] what is kept of each of them.

mod args;
mod audited;
mod people;
mod print;
mod run;

pub use args::AuditArgs;
pub use run::run;
