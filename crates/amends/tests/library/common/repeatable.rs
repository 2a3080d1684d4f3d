//! Property tests that draw the same cases in every run.

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// This many cases, the same in every run.
pub fn repeatable(cases: u32) -> ProptestConfig {
    ProptestConfig {
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        cases,
        max_global_rejects: 100_000,
        ..ProptestConfig::default()
    }
}
