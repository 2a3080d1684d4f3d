//! The principal reasons of a rejection: the features that pull an applicant's score below the scores of others.
//!
//! They say why the model rejected, whether or not the applicant can act on it; a plan says what would have led to approval.
//! The two are separate lists. The contribution of a feature is its Shapley value in the game whose players are the features of
//! the schema, with all encoded columns of a feature as one player: a coalition has the values of the applicant, all other
//! features have those of a member of the [group](ReasonGroup), and the model's score is averaged over the group. The
//! contributions add up to the applicant's score minus the mean score of the group. docs/mathematics.md has the definitions.
//!
//! `group.rs` says who is compared with, `linear.rs`, `trees.rs` and `network.rs` compute the contributions per kind of model,
//! `principal.rs` picks the reasons, and `moves.rs` counts the values of a feature that would flip the decision.

use serde::Serialize;

use crate::data::Value;

mod combined;
mod group;
mod linear;
mod moves;
mod network;
mod principal;
#[cfg(test)]
mod tests;
mod trees;

pub use group::ReasonGroup;
pub(crate) use group::ReferenceGroup;
pub(crate) use moves::MoveCounter;
pub(crate) use principal::{Contributions, Principal};

/// At most so many reasons are given unless another number is chosen: the official interpretation of Regulation B says that
/// more than four are not likely to help the applicant.
pub const MAX_REASONS: usize = 4;

/// Why an applicant was rejected.
#[derive(Debug, Clone, PartialEq)]
pub struct Reasons {
    /// The reasons, the weightiest first. Empty where no feature pulls the score below that of the group, which can happen
    /// against a group with rejected members only.
    pub reasons: Vec<Reason>,
    /// The contributions of all features, in the schema's order. They add up to the score minus the mean score of the group.
    pub contributions: Vec<f64>,
    /// What the contributions refer to.
    pub basis: ReasonBasis,
}

/// One reason: a feature that pulls the score down.
#[derive(Debug, Clone, PartialEq)]
pub struct Reason {
    /// The feature's index in the schema.
    pub feature: usize,
    /// The applicant's value.
    pub value: Value,
    /// What is typical of the group: the median of numbers, the most frequent level or code.
    pub typical: Value,
    /// What the feature adds to the score, compared with the group; negative.
    pub contribution: f64,
    /// The standard error of the contribution where it was sampled; `None` where it is exact.
    pub standard_error: Option<f64>,
    /// The contribution as a share of all negative contributions: above 0, and at most 1.
    pub share: f64,
    /// Whether some permitted change of at most as many features as plans may change, with all rules, gives the feature another
    /// value; `None` where that was not settled with bounded effort.
    pub actionable: Option<bool>,
    /// How many other values alone would flip the decision; `None` where they could not be counted.
    pub flips: Option<Flips>,
}

/// How many of a feature's allowed values would flip the decision if nothing else changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Flips {
    /// Allowed values with which the applicant would have been accepted.
    pub moves: usize,
    /// All other values that the applicant may change the feature to without any other change.
    pub of: usize,
}

/// What contributions refer to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReasonBasis {
    /// Who the applicant is compared with.
    pub group: ReasonGroup,
    /// How many members the group has.
    pub members: usize,
    /// How many of them the contributions were computed from: all, or as many as is feasible, evenly spaced by their score.
    pub used: usize,
    /// The mean score of those, added up in 64 bits.
    pub mean_score: f64,
    /// The applicant's score, added up in 64 bits.
    pub score: f64,
    /// How the contributions were computed.
    pub method: Attribution,
}

/// How contributions were computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Attribution {
    /// Exactly.
    Exact,
    /// From random permutations of the features, as many per member of the group.
    Sampled {
        /// How many.
        permutations: usize,
    },
}
