//! Models of other libraries decide here as they do there.

mod fed_codes;
mod fed_trees;
mod library_trees;
mod lowering;
mod scorecards;
