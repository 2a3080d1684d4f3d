//! What several test files share: random small instances, and the plain way to solve them.
// Every test file is its own program and uses a part of this.
#![allow(dead_code)]

pub mod brute_force;
pub mod cases;
pub mod random_instance;
pub mod random_rules;
