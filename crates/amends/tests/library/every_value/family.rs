//! The families of worlds: what each of them is made of.

use amends::model::ModelKind;

use super::draw::Style;
use super::make_models::Maker;

/// What the worlds of a family are made of. Shares are between 0 and 1.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    pub name: &'static str,
    /// What numbers look like.
    pub numbers: &'static [Style],
    /// The share of columns with levels.
    pub levels: f64,
    /// The share of columns with codes.
    pub codes: f64,
    /// The share of columns with rules of their own.
    pub limits: f64,
    /// The share of cells of applicants that rows need not have.
    pub odd: f64,
    pub rules: Rules,
    pub models: &'static [Maker],
    pub costs: Costs,
    pub goals: Goals,
    /// Whether several plans are asked for.
    pub several: bool,
}

/// What rules there are between features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    None,
    /// Up to three of any kind.
    Any,
    /// Equations and single values.
    Narrow,
    /// Features that change together, with or without a narrow rule.
    Together,
}

/// What is minimised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Costs {
    /// Mahalanobis distance and true local outlier factor of a small k.
    Standard,
    /// Any distance, outlier term and metric.
    Any,
}

/// What plans have to reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goals {
    /// The model's own cut.
    Own,
    /// Another score, with a margin.
    Score,
    /// The model's own cut, with a step to spare.
    StepToSpare,
    /// The model's own cut, with changes of which none lowers the score by itself.
    Harmless,
    /// The model's own cut, with plans of which no part is a plan; some of them harmless or with a step to spare, too.
    Needed,
    /// The same, and nothing else.
    NeededOnly,
}

const LINEAR: &[Maker] = &[
    Maker::Trained(ModelKind::LogisticRegression),
    Maker::Trained(ModelKind::LinearSvm),
    Maker::Linear,
];

const TREES: &[Maker] = &[
    Maker::Trained(ModelKind::RandomForest),
    Maker::Trained(ModelKind::GradientBoosting),
    Maker::Trees,
    Maker::Windows,
];

const ALL_MODELS: &[Maker] = &[
    Maker::Trained(ModelKind::LogisticRegression),
    Maker::Trained(ModelKind::LinearSvm),
    Maker::Trained(ModelKind::RandomForest),
    Maker::Trained(ModelKind::GradientBoosting),
    Maker::Linear,
    Maker::Trees,
    Maker::SingleTrees,
    Maker::Windows,
    Maker::Network,
];

const COMBINED: &[Maker] = &[Maker::Combined];

const COMMON: &[Style] = &[Style::Few, Style::Wide, Style::Decimals, Style::Steps];

const ALL_STYLES: &[Style] = &[
    Style::Few,
    Style::Wide,
    Style::Decimals,
    Style::LongDecimals,
    Style::Steps,
    Style::Tiny,
    Style::Huge,
    Style::Far,
];

/// Few whole numbers, levels and a linear model.
pub const FEW: Family = Family {
    name: "few",
    numbers: &[Style::Few],
    levels: 0.4,
    codes: 0.15,
    limits: 0.3,
    odd: 0.1,
    rules: Rules::None,
    models: LINEAR,
    costs: Costs::Standard,
    goals: Goals::Own,
    several: false,
};

/// The same with rules between features.
pub const FEW_RULES: Family = Family { name: "few-rules", rules: Rules::Any, ..FEW };

const PLAIN: Family = Family { codes: 0.0, limits: 0.0, odd: 0.0, levels: 0.2, ..FEW };

/// Every family.
pub const FAMILIES: [Family; 30] = [
    FEW,
    FEW_RULES,
    Family { name: "wide", numbers: &[Style::Wide], ..PLAIN },
    Family { name: "decimals", numbers: &[Style::Decimals, Style::LongDecimals], ..PLAIN },
    Family { name: "steps", numbers: &[Style::Steps], ..PLAIN },
    Family {
        name: "scales",
        numbers: &[Style::Tiny, Style::Huge, Style::Far],
        limits: 0.3,
        ..PLAIN
    },
    Family { name: "scaled-trees", numbers: ALL_STYLES, models: TREES, ..PLAIN },
    Family {
        name: "scaled-rules",
        numbers: &[Style::Tiny, Style::Huge, Style::Far],
        rules: Rules::Any,
        ..PLAIN
    },
    Family { name: "outside", numbers: ALL_STYLES, odd: 0.7, limits: 0.4, ..PLAIN },
    Family { name: "codes", numbers: COMMON, codes: 0.8, models: ALL_MODELS, ..PLAIN },
    Family { name: "limits", numbers: COMMON, limits: 1.0, models: ALL_MODELS, odd: 0.2, ..PLAIN },
    Family {
        name: "rules",
        numbers: COMMON,
        rules: Rules::Any,
        models: ALL_MODELS,
        codes: 0.2,
        ..PLAIN
    },
    Family {
        name: "equations",
        numbers: &[Style::Wide, Style::Few, Style::Decimals],
        rules: Rules::Narrow,
        models: ALL_MODELS,
        levels: 0.1,
        ..PLAIN
    },
    Family {
        name: "together",
        numbers: &[Style::Few, Style::Wide, Style::Decimals, Style::Decimals, Style::Steps],
        rules: Rules::Together,
        models: ALL_MODELS,
        codes: 0.2,
        limits: 0.2,
        odd: 0.2,
        levels: 0.1,
        ..PLAIN
    },
    Family { name: "trees", numbers: COMMON, models: TREES, ..PLAIN },
    Family { name: "single", numbers: COMMON, models: &[Maker::SingleTrees], ..PLAIN },
    Family { name: "networks", numbers: COMMON, models: &[Maker::Network], ..PLAIN },
    Family { name: "goals", numbers: COMMON, models: ALL_MODELS, goals: Goals::Score, ..PLAIN },
    Family {
        name: "margin-step",
        numbers: COMMON,
        models: ALL_MODELS,
        goals: Goals::StepToSpare,
        ..PLAIN
    },
    Family {
        name: "harmless",
        numbers: COMMON,
        models: ALL_MODELS,
        goals: Goals::Harmless,
        rules: Rules::Together,
        codes: 0.3,
        limits: 0.3,
        odd: 0.2,
        levels: 0.3,
        ..PLAIN
    },
    Family {
        name: "needed",
        numbers: COMMON,
        models: ALL_MODELS,
        goals: Goals::Needed,
        codes: 0.2,
        limits: 0.2,
        odd: 0.2,
        levels: 0.3,
        ..PLAIN
    },
    Family {
        name: "needed-rules",
        numbers: COMMON,
        models: ALL_MODELS,
        goals: Goals::Needed,
        rules: Rules::Any,
        levels: 0.2,
        ..PLAIN
    },
    Family {
        name: "needed-linear",
        numbers: COMMON,
        models: LINEAR,
        costs: Costs::Any,
        goals: Goals::Needed,
        codes: 0.3,
        limits: 0.3,
        odd: 0.2,
        levels: 0.2,
        rules: Rules::Together,
        ..PLAIN
    },
    Family {
        name: "needed-linear-rules",
        numbers: COMMON,
        models: LINEAR,
        goals: Goals::Needed,
        rules: Rules::Any,
        codes: 0.2,
        levels: 0.2,
        ..PLAIN
    },
    Family {
        name: "needed-scales",
        numbers: ALL_STYLES,
        models: LINEAR,
        goals: Goals::NeededOnly,
        levels: 0.2,
        ..PLAIN
    },
    Family {
        name: "costs",
        numbers: COMMON,
        models: ALL_MODELS,
        costs: Costs::Any,
        limits: 0.3,
        ..PLAIN
    },
    Family {
        name: "several",
        numbers: COMMON,
        models: ALL_MODELS,
        costs: Costs::Any,
        rules: Rules::Any,
        codes: 0.2,
        limits: 0.2,
        odd: 0.2,
        several: true,
        ..PLAIN
    },
    Family {
        name: "combined",
        numbers: COMMON,
        models: COMBINED,
        rules: Rules::Any,
        costs: Costs::Any,
        codes: 0.2,
        limits: 0.2,
        ..PLAIN
    },
    Family {
        name: "combined-goals",
        numbers: COMMON,
        models: COMBINED,
        goals: Goals::Score,
        levels: 0.3,
        ..PLAIN
    },
    Family {
        name: "combined-harmless",
        numbers: COMMON,
        models: COMBINED,
        goals: Goals::Harmless,
        rules: Rules::Together,
        codes: 0.3,
        ..PLAIN
    },
];

/// Everything at once.
pub const MIXED: Family = Family {
    name: "mixed",
    numbers: ALL_STYLES,
    levels: 0.3,
    codes: 0.25,
    limits: 0.4,
    odd: 0.3,
    rules: Rules::Any,
    models: ALL_MODELS,
    costs: Costs::Any,
    goals: Goals::Own,
    several: false,
};
