//! The solvers that are built in, by name.

#[cfg(feature = "highs")]
use super::Highs;
use super::{Microlp, Solver};
use crate::{InputError, Result, Setting};

/// The names that [`solver_by_name`] knows in this build, the default first.
pub const BUILT_IN_SOLVERS: &[&str] =
    if cfg!(feature = "highs") { &["highs", "microlp"] } else { &["microlp"] };

/// The best solver in this build: HiGHS, or microlp where HiGHS was not compiled in.
pub fn default_solver() -> Box<dyn Solver> {
    #[cfg(feature = "highs")]
    return Box::new(Highs);
    #[cfg(not(feature = "highs"))]
    Box::new(Microlp)
}

/// A built-in solver.
///
/// ```
/// assert_eq!(amends::milp::solver_by_name("microlp")?.name(), "microlp");
/// # Ok::<(), amends::Error>(())
/// ```
pub fn solver_by_name(name: &str) -> Result<Box<dyn Solver>> {
    match name {
        "microlp" => Ok(Box::new(Microlp)),
        #[cfg(feature = "highs")]
        "highs" => Ok(Box::new(Highs)),
        _ => Err(unknown(name).into()),
    }
}

fn unknown(name: &str) -> InputError {
    let built_in = BUILT_IN_SOLVERS.join(", ");
    let (problem, remedy) = if name == "highs" {
        (
            "is not part of this build",
            format!("build with the cargo feature `highs`, or use one that is: {built_in}"),
        )
    } else if cfg!(feature = "highs") {
        ("is not a solver", format!("use one that is built in: {built_in}"))
    } else {
        (
            "is not a solver",
            format!(
                "use one that is built in: {built_in} (HiGHS needs a build with the cargo feature `highs`)"
            ),
        )
    };
    InputError::new(problem)
        .at("solver")
        .value(name)
        .remedy(format!("{remedy}; any other can be run by its command"))
        .remedy_setting(Setting::SolverCommand)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_name_finds_its_solver_and_the_first_is_the_default() {
        for name in BUILT_IN_SOLVERS {
            assert_eq!(solver_by_name(name).unwrap().name(), *name);
        }
        assert_eq!(default_solver().name(), BUILT_IN_SOLVERS[0]);
    }

    #[test]
    fn an_unknown_name_lists_what_is_built_in() {
        let message = solver_by_name("cplex").err().unwrap().to_string();
        assert!(message.starts_with("solver: `cplex` is not a solver"), "{message}");
        assert!(message.contains("microlp"), "{message}");
        assert!(message.ends_with("can be run by its command"), "{message}");
    }

    #[cfg(not(feature = "highs"))]
    #[test]
    fn highs_says_how_to_build_it() {
        let message = solver_by_name("highs").err().unwrap().to_string();
        assert!(message.contains("cargo feature `highs`"), "{message}");
    }
}
