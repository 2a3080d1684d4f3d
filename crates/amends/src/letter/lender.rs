//! The lender's file: the facts of a letter that neither the model nor the applicant knows.

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};
use serde::{Deserialize, Serialize};

use super::Law;
use super::lender_shape::LENDER;
use crate::{InputError, Result, toml_text};

/// What to do about an empty slot.
const FILL_IN: &str = "fill in the lender's file";

/// What a lender says in every letter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lender {
    /// Who decided.
    #[serde(default)]
    pub creditor: Creditor,
    /// The columns that letters are addressed by.
    #[serde(default)]
    pub applicant: ApplicantColumns,
    /// How long plans hold, and whether they are promises.
    #[serde(default)]
    pub plan: PlanTerms,
    /// What the law of the United States asks for.
    pub us: Option<UnitedStates>,
    /// What the law of the European Union asks for.
    pub eu: Option<EuropeanUnion>,
    /// Other words for the titles, units and labels of the schema.
    #[serde(default)]
    pub translations: BTreeMap<String, String>,
}

/// Who decided.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Creditor {
    /// The creditor's name.
    pub name: String,
    /// The lines of the address.
    pub address: Vec<String>,
    /// Who answers questions about the decision.
    pub contact: String,
}

/// Columns of the applicants' table that letters are addressed by.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ApplicantColumns {
    /// The column of names.
    pub name: Option<String>,
    /// The columns of the lines of the address.
    pub address: Vec<String>,
    /// The column of the lender's own reference.
    pub reference: Option<String>,
}

/// How long plans hold, and whether they are promises.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlanTerms {
    /// Days from the letter's date.
    pub valid_days: Option<u64>,
    /// A day, as 2027-01-31.
    pub valid_until: Option<String>,
    /// Whether an application with exactly the values of the plan will be approved until then.
    pub promise: bool,
}

/// What Regulation B and the Fair Credit Reporting Act ask for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UnitedStates {
    /// The notice of the Equal Credit Opportunity Act, with the agency.
    pub ecoa_notice: String,
    /// Any further text.
    pub further_notice: Option<String>,
    /// Where a consumer report was used.
    pub report: Option<ConsumerReport>,
    /// Where a credit score was used.
    pub score: Option<CreditScore>,
}

/// The consumer reporting agency whose report was used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConsumerReport {
    /// Its name.
    pub agency: String,
    /// The lines of its address.
    pub address: Vec<String>,
    /// Its telephone number.
    pub telephone: String,
    /// Days within which a free report can be asked for.
    pub free_report_days: u64,
}

impl Default for ConsumerReport {
    fn default() -> Self {
        let (agency, address, telephone) = Default::default();
        Self { agency, address, telephone, free_report_days: 60 }
    }
}

/// The credit score that was used: columns of the applicants' table, and its range.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CreditScore {
    /// The column of scores.
    pub column: String,
    /// The column of the days on which they were computed.
    pub date_column: String,
    /// The column of key factors, separated by semicolons.
    pub factors_column: String,
    /// The lowest possible score.
    pub lowest: Option<f64>,
    /// The highest possible score.
    pub highest: Option<f64>,
}

/// What the General Data Protection Regulation and the Consumer Credit Directive ask for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EuropeanUnion {
    /// The procedure that was actually applied, in plain words.
    pub procedure: String,
    /// Who reviews the decision in person.
    pub review_contact: String,
    /// Days within which a review can be asked for.
    pub review_days: Option<u64>,
    /// How the data protection officer is reached.
    pub data_protection_officer: String,
    /// The supervisory authority.
    pub supervisory_authority: String,
    /// A service that offers advice on debt, where that is appropriate.
    pub debt_advice: Option<String>,
    /// Any further text.
    pub further_notice: Option<String>,
}

impl Lender {
    /// The file to fill in, with comments.
    pub const TEMPLATE: &str = include_str!("lender.toml");

    /// Reads a lender's file, of which `source` is the name.
    pub fn parse(text: &str, source: &str) -> Result<Self> {
        let lender: Self = toml::from_str(text).map_err(|error| {
            let remedy = "correct it, or compare it with a newly written lender's file";
            toml_text::explain(&LENDER, text, &error).file(source).or_remedy(remedy)
        })?;
        lender.check_terms().map_err(|error| error.file(source))?;
        Ok(lender)
    }

    /// Refuses a file in which a slot is empty that letters under this law need.
    pub fn check(&self, law: Law, source: &str) -> Result<()> {
        let empty: Vec<String> = self
            .slots(law)
            .into_iter()
            .filter_map(|(slot, full)| (!full).then_some(slot))
            .collect();
        let error = match &empty[..] {
            [] => return Ok(()),
            [slot] => InputError::new("is empty").at(slot).remedy(format!("{FILL_IN}{}", hint(slot))),
            slots => InputError::new(format!("these slots are empty: {}", slots.join(", "))).remedy(
                format!("{FILL_IN}; remove the tables us.report and us.score if no report or score was used"),
            ),
        };
        Err(error.file(source).into())
    }

    /// The slots that letters under a law need, and whether they are filled in.
    fn slots(&self, law: Law) -> Vec<(String, bool)> {
        let text = |slot: &str, text: &str| (slot.to_owned(), !text.trim().is_empty());
        let lines = |slot: &str, lines: &[String]| {
            (slot.to_owned(), lines.iter().any(|line| !line.trim().is_empty()))
        };
        let number = |slot: &str, found: bool| (slot.to_owned(), found);
        let Creditor { name, address, contact } = &self.creditor;
        let mut slots = vec![
            text("creditor.name", name),
            lines("creditor.address", address),
            text("creditor.contact", contact),
        ];
        match law {
            Law::UnitedStates => {
                let us = self.us.clone().unwrap_or_default();
                slots.push(text("us.ecoa_notice", &us.ecoa_notice));
                if let Some(report) = &us.report {
                    slots.push(text("us.report.agency", &report.agency));
                    slots.push(lines("us.report.address", &report.address));
                    slots.push(text("us.report.telephone", &report.telephone));
                }
                if let Some(score) = &us.score {
                    slots.push(text("us.score.column", &score.column));
                    slots.push(text("us.score.date_column", &score.date_column));
                    slots.push(text("us.score.factors_column", &score.factors_column));
                    slots.push(number("us.score.lowest", score.lowest.is_some()));
                    slots.push(number("us.score.highest", score.highest.is_some()));
                }
            }
            Law::EuropeanUnion => {
                let eu = self.eu.clone().unwrap_or_default();
                slots.push(text("eu.procedure", &eu.procedure));
                slots.push(text("eu.review_contact", &eu.review_contact));
                slots.push(number("eu.review_days", eu.review_days.is_some()));
                slots.push(text("eu.data_protection_officer", &eu.data_protection_officer));
                slots.push(text("eu.supervisory_authority", &eu.supervisory_authority));
            }
        }
        slots
    }

    /// How long plans hold must be said, once, and in a way that can be read.
    fn check_terms(&self) -> Result<(), InputError> {
        let PlanTerms { valid_days, valid_until, .. } = &self.plan;
        let remedy = "give either valid_days = 30 or valid_until = \"2027-01-31\"";
        match (valid_days, valid_until) {
            (None, None) => {
                Err(InputError::new("does not say how long plans hold").at("plan").remedy(remedy))
            }
            (Some(_), Some(_)) => {
                Err(InputError::new("says twice how long plans hold").at("plan").remedy(remedy))
            }
            (None, Some(day)) if day.parse::<NaiveDate>().is_err() => {
                Err(InputError::new("is not a day")
                    .at("plan.valid_until")
                    .value(day)
                    .remedy(remedy))
            }
            (Some(days), None) if *days > 36_500 => Err(InputError::new("is more than a century")
                .at("plan.valid_days")
                .value(days)
                .remedy(remedy)),
            _ => Ok(()),
        }
    }

    /// The day until which plans of a given day are valid.
    pub fn valid_until(&self, day: NaiveDate) -> NaiveDate {
        let fixed = self.plan.valid_until.as_deref().and_then(|day| day.parse().ok());
        let days = Days::new(self.plan.valid_days.unwrap_or_default());
        fixed.or_else(|| day.checked_add_days(days)).unwrap_or(day)
    }

    /// The columns of the applicants' table that letters under a law need beside the features.
    pub fn columns(&self, law: Law) -> Vec<String> {
        let ApplicantColumns { name, address, reference } = &self.applicant;
        let mut columns: Vec<String> =
            name.iter().chain(address).chain(reference).cloned().collect();
        if let (Law::UnitedStates, Some(score)) =
            (law, self.us.as_ref().and_then(|us| us.score.as_ref()))
        {
            let CreditScore { column, date_column, factors_column, .. } = score;
            columns.extend([column, date_column, factors_column].map(Clone::clone));
        }
        columns
    }

    /// A text of the schema in the lender's words, where the lender has any for it.
    pub fn translation(&self, text: &str) -> Option<&str> {
        self.translations.get(text).map(String::as_str)
    }

    /// A text of the schema in the lender's words, or as it is.
    pub fn translate<'a>(&'a self, text: &'a str) -> &'a str {
        self.translation(text).unwrap_or(text)
    }

    /// A label of a feature in the lender's words, where the lender has any for it: those for this feature, `"Title: label"`, come
    /// before those for any.
    pub fn label_translation(&self, title: &str, label: &str) -> Option<&str> {
        let own = self.translation(&format!("{title}: {label}"));
        own.or_else(|| self.translation(label))
    }
}

/// What else can be done about an empty slot.
fn hint(slot: &str) -> &'static str {
    if slot.starts_with("us.report") {
        ", or remove the table us.report if no consumer report was used"
    } else if slot.starts_with("us.score") {
        ", or remove the table us.score if no credit score was used"
    } else {
        ""
    }
}
