//! What is measured: one training, or one applicant's plan by one method. Every task has a key of its own.

use std::fmt;
use std::str::FromStr;

use amends::explain::{DistanceKind, ExplainSettings, OutlierKind, Preset};
use amends::milp::Formulation;
use amends::model::ModelKind;
use amends::plausibility::Metric;
use amends::{Error, InputError};

/// The data sets of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Data {
    /// German credit, embedded.
    German,
    /// HELOC, from FICO's file.
    Heloc,
}

impl Data {
    /// Every data set.
    pub const ALL: [Self; 2] = [Self::German, Self::Heloc];

    /// The name on the command line and in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::German => "german",
            Self::Heloc => "heloc",
        }
    }

    /// The name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::German => "German credit",
            Self::Heloc => "HELOC",
        }
    }
}

/// The ways to solve, in the order of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Method {
    /// A program with the pairwise formulation, by a general solver.
    Pairwise,
    /// The reduced formulation.
    Reduced,
    /// The compact formulation.
    Compact,
    /// The search engine.
    Search,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 4] = [Self::Pairwise, Self::Reduced, Self::Compact, Self::Search];

    /// The name on the command line and in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pairwise => "pairwise",
            Self::Reduced => "reduced",
            Self::Compact => "compact",
            Self::Search => "search",
        }
    }

    /// The program that a general solver is given; `None` for the search.
    pub const fn formulation(self) -> Option<Formulation> {
        match self {
            Self::Pairwise => Some(Formulation::Pairwise),
            Self::Reduced => Some(Formulation::Reduced),
            Self::Compact => Some(Formulation::Compact),
            Self::Search => None,
        }
    }
}

/// N, the reference points of the surrogate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Points {
    /// So many prototypes.
    Some(usize),
    /// Every accepted training row.
    All,
}

impl Points {
    /// N of the paper's Table 2.
    pub const TABLE: Self = Self::Some(20);
    /// N of the paper's figures.
    pub const FIGURES: [Self; 5] =
        [Self::Some(20), Self::Some(50), Self::Some(100), Self::Some(200), Self::All];
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Some(count) => write!(f, "{count}"),
            Self::All => f.write_str("all"),
        }
    }
}

/// Names on the command line.
macro_rules! by_name {
    ($kind:ident, $what:literal) => {
        impl FromStr for $kind {
            type Err = Error;

            fn from_str(name: &str) -> amends::Result<Self> {
                Self::ALL.into_iter().find(|choice| choice.name() == name).ok_or_else(|| {
                    let names = Self::ALL.map(Self::name).join(", ");
                    InputError::new(concat!("is not a known ", $what))
                        .value(name)
                        .remedy(format!("use one or more of: {names}"))
                        .into()
                })
            }
        }
    };
}

by_name!(Data, "data set of the paper");
by_name!(Method, "method");

impl FromStr for Points {
    type Err = Error;

    fn from_str(name: &str) -> amends::Result<Self> {
        match (name, name.parse::<usize>()) {
            ("all", _) => Ok(Self::All),
            (_, Ok(count)) if count > 0 => Ok(Self::Some(count)),
            _ => Err(InputError::new("is not a number of reference points")
                .value(name)
                .remedy("give whole numbers of at least 1, or all; the paper has 20,50,100,200,all")
                .into()),
        }
    }
}

/// What is minimised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Objective {
    /// DACE's and the paper's: l1-Mahalanobis + lambda * 1-LOF among N points.
    Surrogate { points: Points, lambda: f64 },
    /// What that stands for: Mahalanobis + lambda * 10-LOF among all accepted rows.
    True { lambda: f64 },
    /// A cost that DACE compares itself with, and no outlier term.
    Separable(DistanceKind),
}

impl Objective {
    /// The costs that DACE compares itself with.
    pub const SEPARABLE: [Self; 3] = [
        Self::Separable(DistanceKind::Tlps),
        Self::Separable(DistanceKind::Mad),
        Self::Separable(DistanceKind::Pcc),
    ];

    /// The part of a key that names it.
    pub fn name(self) -> String {
        match self {
            Self::Surrogate { points, lambda } => format!("surrogate-{points}-lambda-{lambda}"),
            Self::True { lambda } => format!("true-lambda-{lambda}"),
            Self::Separable(distance) => distance.name().to_owned(),
        }
    }

    /// Its kind, without its numbers.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Surrogate { .. } => "surrogate",
            Self::True { .. } => "true",
            Self::Separable(distance) => distance.name(),
        }
    }

    /// N, where it has one.
    pub fn points(self) -> Option<Points> {
        match self {
            Self::Surrogate { points, .. } => Some(points),
            Self::True { .. } | Self::Separable(_) => None,
        }
    }

    /// The weight of the outlier term, where it has one.
    pub fn lambda(self) -> Option<f64> {
        match self {
            Self::Surrogate { lambda, .. } | Self::True { lambda } => Some(lambda),
            Self::Separable(_) => None,
        }
    }

    /// Every choice behind it, from a preset.
    pub fn settings(self, preset: Preset, data: Data) -> ExplainSettings {
        let base = ExplainSettings::preset(preset, data.name());
        match self {
            Self::Surrogate { points, lambda } => {
                let prototypes = match points {
                    Points::Some(count) => Some(count),
                    Points::All => None,
                };
                ExplainSettings { prototypes, lambda, ..base }
            }
            Self::True { lambda } => ExplainSettings {
                distance: DistanceKind::Mahalanobis,
                outlier: OutlierKind::Lof,
                metric: Metric::SquaredEuclidean,
                k: 10,
                lambda,
                ..base
            },
            Self::Separable(distance) => {
                ExplainSettings { distance, outlier: OutlierKind::None, ..base }
            }
        }
    }
}

/// One thing to do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Task {
    /// Train on the split with this number, and measure.
    Quality { data: Data, model: ModelKind, split: u64 },
    /// Solve.
    Solve(Problem),
}

/// One applicant's plan by one method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Problem {
    pub data: Data,
    pub model: ModelKind,
    pub objective: Objective,
    pub method: Method,
    /// Counted from 1 among the rejected held-out applicants.
    pub applicant: usize,
}

impl Task {
    /// The same for the same task in every run.
    pub fn key(&self) -> String {
        match self {
            Self::Quality { data, model, split } => {
                format!("{}/{}/quality/split-{split}", data.name(), model.short_name())
            }
            Self::Solve(problem) => problem.key(),
        }
    }

    pub const fn data(&self) -> Data {
        match self {
            Self::Quality { data, .. } | Self::Solve(Problem { data, .. }) => *data,
        }
    }
}

impl Problem {
    pub fn key(&self) -> String {
        format!(
            "{}/{}/{}/{}/applicant-{}",
            self.data.name(),
            self.model.short_name(),
            self.objective.name(),
            self.method.name(),
            self.applicant
        )
    }
}
