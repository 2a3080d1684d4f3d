//! What long runs share: a [`journal`] to continue from, [`output`] files that appear whole or not at all, Ctrl-C
//! ([`interrupt`]), a table split for training and testing ([`split_table`]), and what results are recorded with
//! ([`fingerprint`], [`machine`]).

#![deny(missing_docs)]

pub mod fingerprint;
pub mod interrupt;
pub mod journal;
pub mod machine;
pub mod output;
pub mod split_table;

pub use output::Output;
pub use split_table::SplitTable;
