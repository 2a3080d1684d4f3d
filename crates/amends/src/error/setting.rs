//! Settings that errors are about. The library names each of them in a word; a program that wraps it says how to set it there,
//! by a flag or a parameter.

/// A setting that is wrong, or whose change is a remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Setting {
    /// Which outcome the class 1 of an imported model stands for.
    ClassOne,
    /// What an imported model saw in place of a code.
    CodesAs,
    /// The points from which a scorecard accepts.
    Cutoff,
    /// The engine; as a remedy, the search.
    Engine,
    /// The outcome that applicants want.
    FavourableOutcome,
    /// What kind of values a feature takes.
    FeatureKind,
    /// The formulation of the mixed-integer program; as a remedy, the compact one.
    Formulation,
    /// The columns that people are grouped by.
    GroupBy,
    /// Whether plans stay accepted when numbers are off by a step.
    MarginStep,
    /// The most features that may change.
    MaxChanges,
    /// The most principal reasons that are given.
    MaxReasons,
    /// Neighbours of the local outlier factor.
    Neighbours,
    /// How many values of every number are on offer.
    OptionLimit,
    /// Who a rejected applicant is compared with for the principal reasons.
    ReasonGroup,
    /// The seed of splits and training.
    Seed,
    /// A solver with a command line.
    SolverCommand,
    /// How the special codes of FICO's HELOC data are read.
    SpecialCodes,
    /// The share of rows that is held out for testing.
    TestShare,
    /// Threads of a solve.
    Threads,
}

impl Setting {
    /// Its name in the library.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClassOne => "class 1",
            Self::CodesAs => "codes",
            Self::Cutoff => "cutoff",
            Self::Engine => "engine",
            Self::FavourableOutcome => "favourable outcome",
            Self::FeatureKind => "kind",
            Self::Formulation => "formulation",
            Self::GroupBy => "by",
            Self::MarginStep => "margin of a step",
            Self::MaxChanges => "max_changes",
            Self::MaxReasons => "max_reasons",
            Self::Neighbours => "k",
            Self::OptionLimit => "option_limit",
            Self::ReasonGroup => "reason_group",
            Self::Seed => "seed",
            Self::SolverCommand => "solver command",
            Self::SpecialCodes => "special codes",
            Self::TestShare => "test share",
            Self::Threads => "threads",
        }
    }
}
