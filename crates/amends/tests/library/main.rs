//! The library as its callers meet it. One program, since each would carry the whole library with it.

mod answer;
mod codes;
mod common;
mod documents;
mod every_value;
mod hostile;
mod import;
mod milp;
mod needed;
mod plans;
mod plausibility;
mod real_data;
mod rule_language;
mod schema_rules;
mod search;
mod sklearn_agreement;
mod sums;
