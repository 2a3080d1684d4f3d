//! Rules from the schema file to the plan, against every application that could be made.
//!
//! What a rule means is asked of the schema, never of the instance: `Schema::broken`, `Feature::broken`, `Rule::allows`.

mod margins;
mod plans;
mod reasons;
mod world;
