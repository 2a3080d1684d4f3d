//! Rules in the words of the schema file.

use super::exact::Exact;
use super::feature::{Cell, Feature};
use super::rule::{By, Claim, Form, Rule, Sign, Statement, Term};

impl Rule {
    /// The rule as the schema file writes it.
    pub fn words(&self, features: &[Feature]) -> String {
        let list = |members: &[usize]| {
            let names: Vec<&str> = members.iter().map(|&f| features[f].name.as_str()).collect();
            names.join(", ")
        };
        match self {
            Self::AtMost { most, of } => format!("at most {most} of {} change", list(of)),
            Self::Together(members) => format!("{} change together", list(members)),
            Self::Claim { must, form } => {
                let said = match form {
                    Form::Holds(claim) => claim.words(features),
                    Form::Never(claim) => format!("never {}", claim.words(features)),
                    Form::If(when, then) => {
                        format!("if {} then {}", when.words(features), then.words(features))
                    }
                };
                if *must { format!("must {said}") } else { said }
            }
        }
    }
}

impl Claim {
    fn words(&self, features: &[Feature]) -> String {
        let joined = |claims: &[Self], word: &str| {
            let part = |claim: &Self| match claim {
                Self::Says(_) => claim.words(features),
                _ => format!("({})", claim.words(features)),
            };
            claims.iter().map(part).collect::<Vec<_>>().join(word)
        };
        match self {
            Self::Says(statement) => statement.words(features),
            Self::Not(claim) => format!("not ({})", claim.words(features)),
            Self::And(claims) => joined(claims, " and "),
            Self::Or(claims) => joined(claims, " or "),
        }
    }
}

impl Statement {
    fn words(&self, features: &[Feature]) -> String {
        let name = |feature: usize| features[feature].name.as_str();
        let value = |feature: usize, cell: Cell| match cell {
            Cell::Number(number) => number.to_string(),
            _ => format!("\"{}\"", features[feature].shown(cell)),
        };
        match self {
            Self::Changes(feature) => format!("{} changes", name(*feature)),
            Self::Stays(feature) => format!("{} stays", name(*feature)),
            Self::Moves { feature, up, by } => {
                let verb = if *up { "rises" } else { "falls" };
                let size = by.map_or_else(String::new, |(by, size)| match by {
                    By::Exactly => format!(" by {size}"),
                    By::AtLeast => format!(" by at least {size}"),
                    By::AtMost => format!(" by at most {size}"),
                });
                format!("{} {verb}{size}", name(*feature))
            }
            Self::DoesNotMove { feature, up } => {
                format!("{} does not {}", name(*feature), if *up { "rise" } else { "fall" })
            }
            Self::Is { feature, among, not } => {
                let values: Vec<String> = among.iter().map(|&cell| value(*feature, cell)).collect();
                let not = if *not { "not " } else { "" };
                let one_of = if values.len() > 1 { "one of " } else { "" };
                format!("{} is {not}{one_of}{}", name(*feature), values.join(", "))
            }
            Self::Compares { feature, sign, with } => {
                format!("{} {} {}", name(*feature), sign.words(), value(*feature, *with))
            }
            Self::Sum { terms, sign, constant } => {
                let terms: Vec<String> = terms.iter().map(|term| term.words(features)).collect();
                let sum = terms.join(" + ").replace("+ -", "- ");
                format!("{sum} {} {constant}", sign.words())
            }
        }
    }
}

impl Term {
    fn words(&self, features: &[Feature]) -> String {
        let name = &features[self.feature].name;
        let of = if self.change { format!("change of {name}") } else { name.clone() };
        match self.thousandths {
            1000 => of,
            -1000 => format!("-{of}"),
            factor => format!("{} * {of}", Exact::new(factor, -3)),
        }
    }
}

impl Sign {
    fn words(self) -> &'static str {
        match self {
            Self::AtMost => "<=",
            Self::AtLeast => ">=",
            Self::Below => "<",
            Self::Above => ">",
            Self::Equal => "=",
            Self::Unequal => "!=",
        }
    }
}
