//! Lower bounds of distance and validity: multipliers, balls, and small convex programs.

pub(in crate::search) mod ball;
pub(in crate::search) mod convex;
pub(in crate::search) mod few;
pub(in crate::search) mod inequalities;
pub(in crate::search) mod lagrange;
pub(in crate::search) mod losses;
pub(in crate::search) mod quadratic;
pub(in crate::search) mod relax;
pub(in crate::search) mod theta;
pub(in crate::search) mod trade;
mod weighted_losses;
