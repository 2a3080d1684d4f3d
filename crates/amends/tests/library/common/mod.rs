//! What several test files share: random small instances, and brute force to solve them.

pub mod brute_force;
pub mod cases;
pub mod random_features;
pub mod random_instance;
pub mod random_rules;
pub mod real_data;
pub mod repeatable;
