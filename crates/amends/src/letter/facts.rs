//! What a template knows about one applicant.

use std::collections::HashMap;

use chrono::{Days, NaiveDate};
use serde::Serialize;

use super::choices::are_years;
use super::record::record;
use super::waiting::ready;
use super::wishes::{LetterWish, max_changes};
use super::{Language, Law, Lender, LetterKind};
use crate::answer::{Answer, ReasonRecord};
use crate::data::{Feature, Schema};
use crate::explain::{Explainer, Explanation, FeatureChange};
use crate::provenance::Provenance;
use crate::reasons::{ReasonGroup, Reasons};
use crate::{InputError, Result, Setting, Status};

/// Signs of currencies that English has before the amount, as such tables do.
const STANDS_BEFORE: [&str; 11] =
    ["$", "US$", "A$", "C$", "CA$", "NZ$", "R$", "£", "¥", "₹", "Rs."];

/// The most key factors of a credit score that a letter has.
const MAX_FACTORS: usize = 4;

/// What a template knows, under these names.
#[derive(Debug, Clone, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "templates ask for each by its name")]
pub struct LetterFacts<'a> {
    /// The language: `en` or `de`.
    pub language: Language,
    /// The law: `us` or `eu`.
    pub law: Law,
    /// The letter's date.
    pub date: String,
    /// To whom it is written.
    pub applicant: Addressee,
    /// The lender's file.
    pub lender: &'a Lender,
    /// The principal reasons, the weightiest first.
    pub reasons: Vec<ReasonFacts>,
    /// Who the reasons compare the applicant with.
    pub reason_group: ReasonGroup,
    /// `plan`, `none` (there is none, proven) or `unknown`.
    pub outcome: &'static str,
    /// What would have led to approval, the best first.
    pub plans: Vec<PlanFacts>,
    /// The applicant's wishes, under which plans were looked for.
    pub wishes: Vec<String>,
    /// Whether it is proven that no smaller change would have been enough.
    pub proven: bool,
    /// Whether plans have no change that they could do without.
    pub needed: bool,
    /// Whether plans have no change that lowers the score by itself.
    pub harmless: bool,
    /// At most this many features were changed at a time.
    pub max_changes: usize,
    /// Whether plans had to stay accepted with something to spare.
    pub margin: bool,
    /// Among about how many values of every number plans were looked for; none where all were.
    pub values_offered: Option<usize>,
    /// Until when this holds.
    pub valid_until: String,
    /// Whether a plan takes longer than that.
    pub outlasts: bool,
    /// Whether the lender promises approval.
    pub promise: bool,
    /// The credit score that was used.
    pub score: Option<ScoreFacts>,
    /// Until when a review can be asked for (`eu`).
    pub review_until: Option<String>,
    /// What the decision was computed from, in lines.
    pub record: Vec<String>,
    /// The same by name.
    pub provenance: &'a Provenance,
}

/// To whom a letter is written, as far as it is known.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Addressee {
    /// The row in the applicants' table, where they are in one.
    pub row: Option<usize>,
    /// Their name.
    pub name: Option<String>,
    /// The lines of their address.
    pub address: Vec<String>,
    /// The lender's own reference.
    pub reference: Option<String>,
}

/// One principal reason.
#[derive(Debug, Clone, Serialize)]
pub struct ReasonFacts {
    /// The feature's name in the table.
    pub feature: String,
    /// Its title.
    pub title: String,
    /// The applicant's value, with its unit.
    pub value: String,
    /// What is typical of the group, with its unit.
    pub typical: String,
    /// The share of the shortfall, from 0 to 1.
    pub share: f64,
    /// Whether the applicant can act on it; none where that was not settled.
    pub actionable: Option<bool>,
}

/// One way to approval.
#[derive(Debug, Clone, Serialize)]
pub struct PlanFacts {
    /// What changes.
    pub changes: Vec<ChangeFacts>,
    /// Which of them change together, and count as one.
    pub together: Vec<TogetherFacts>,
    /// How long it takes at least, where facts in it only grow with time: `6 months`.
    pub takes: Option<String>,
}

/// Facts that change together.
#[derive(Debug, Clone, Serialize)]
pub struct TogetherFacts {
    /// What they are called together.
    pub name: String,
    /// Their titles.
    pub titles: Vec<String>,
}

/// One feature's change.
#[derive(Debug, Clone, Serialize)]
pub struct ChangeFacts {
    /// The feature's name in the table.
    pub feature: String,
    /// Its title.
    pub title: String,
    /// The value as it is, with its unit.
    pub before: String,
    /// The value that would have led to approval, with its unit.
    pub after: String,
    /// What it changes together with.
    pub together: Option<String>,
}

/// The credit score of an applicant.
#[derive(Debug, Clone, Serialize)]
pub struct ScoreFacts {
    /// The score.
    pub value: String,
    /// When it was computed.
    pub date: String,
    /// The lowest possible score.
    pub lowest: String,
    /// The highest possible score.
    pub highest: String,
    /// What affected it adversely, at most four.
    pub factors: Vec<String>,
}

/// Who is written to: their row, and the cells of columns that are not features.
#[derive(Debug, Clone, Default)]
pub struct Recipient {
    /// The row in the applicants' table, where they are in one.
    pub row: Option<usize>,
    /// The cells of [`Lender::columns`], by column.
    pub cells: HashMap<String, String>,
    /// Their own wishes, under which they were answered.
    pub wishes: Vec<LetterWish>,
}

/// The words and the day of a letter.
pub(super) struct Wording<'a> {
    pub kind: LetterKind,
    pub lender: &'a Lender,
    pub provenance: &'a Provenance,
}

impl<'a> Wording<'a> {
    /// What there is to say to a rejected applicant.
    pub fn facts(
        &self,
        recipient: &Recipient,
        answer: &Answer,
        reasons: &Reasons,
        explainer: &Explainer,
    ) -> Result<LetterFacts<'a>> {
        let with_plan = answer.first().plan.is_some();
        let outcome = match answer.status() {
            _ if with_plan => "plan",
            Status::Infeasible => "none",
            _ => "unknown",
        };
        if reasons.reasons.is_empty() {
            return Err(InputError::new(
                "no feature pulls the score below that of the group, so that there is no principal reason to give",
            )
            .remedy("compare with another group of applicants")
            .remedy_setting(Setting::ReasonGroup)
            .into());
        }
        let (records, schema) = (ReasonRecord::of_all(reasons, explainer), explainer.schema());
        let plans = answer.plans().iter().filter(|plan| plan.plan.is_some());
        let outlasts = self.outlasts(answer, schema);
        Ok(LetterFacts {
            reasons: records.iter().map(|reason| self.reason(reason, schema)).collect(),
            reason_group: reasons.basis.group,
            outcome,
            plans: plans.map(|plan| self.plan(plan, schema)).collect(),
            proven: is_proven(answer) && !explainer.settings().goal.has_margin(),
            needed: explainer.settings().goal.needed,
            harmless: explainer.settings().goal.harmless,
            wishes: self.wishes(&recipient.wishes, schema),
            max_changes: max_changes(&recipient.wishes, explainer.settings().max_changes),
            margin: explainer.settings().goal.has_margin(),
            values_offered: answer.first().values_offered,
            record: self.record(&recipient.wishes, explainer),
            outlasts,
            promise: self.lender.plan.promise && !outlasts,
            ..self.frame(recipient)?
        })
    }

    /// What is the same for everybody, and the addressee.
    pub fn frame(&self, recipient: &Recipient) -> Result<LetterFacts<'a>> {
        let Self { kind, lender, provenance } = *self;
        let day = provenance.day();
        let after = |days: u64| day.checked_add_days(Days::new(days)).unwrap_or(day);
        let review_days = lender.eu.as_ref().and_then(|eu| eu.review_days);
        Ok(LetterFacts {
            language: kind.language,
            law: kind.law,
            date: kind.date(day),
            applicant: addressee(lender, recipient),
            lender,
            reasons: Vec::new(),
            reason_group: ReasonGroup::default(),
            outcome: "unknown",
            plans: Vec::new(),
            wishes: Vec::new(),
            proven: false,
            needed: false,
            harmless: false,
            max_changes: 0,
            margin: false,
            values_offered: None,
            valid_until: kind.date(lender.valid_until(day)),
            outlasts: false,
            promise: lender.plan.promise,
            score: self.score(recipient)?,
            review_until: review_days.map(|days| kind.date(after(days))),
            record: Vec::new(),
            provenance,
        })
    }

    fn reason(&self, reason: &ReasonRecord, schema: &Schema) -> ReasonFacts {
        let feature = feature_of(schema, &reason.feature);
        let texts = [reason.value_text.as_str(), &reason.typical_text];
        let [value, typical] = self.values(feature, texts);
        ReasonFacts {
            feature: reason.feature.clone(),
            title: self.title(feature).to_owned(),
            value,
            typical,
            share: reason.share,
            actionable: reason.actionable,
        }
    }

    fn plan(&self, plan: &Explanation, schema: &Schema) -> PlanFacts {
        let changes: Vec<_> =
            plan.changes.iter().map(|change| self.change(change, schema)).collect();
        let waits = self.waits(plan, schema);
        let longest = waits.max_by_key(|wait| wait.until);
        PlanFacts {
            together: together(&changes),
            takes: longest.map(|wait| self.number(wait.feature, &wait.growth.to_string(), false)),
            changes,
        }
    }

    /// Whether a plan of the answer takes longer than the letter holds.
    pub fn outlasts(&self, answer: &Answer, schema: &Schema) -> bool {
        let end = self.lender.valid_until(self.provenance.day());
        let mut plans = answer.plans().iter();
        plans.any(|plan| self.waits(plan, schema).any(|wait| wait.until > end))
    }

    /// What has to be waited for in a plan.
    fn waits<'s>(
        &self,
        plan: &'s Explanation,
        schema: &'s Schema,
    ) -> impl Iterator<Item = Wait<'s>> {
        let day = self.provenance.day();
        plan.changes.iter().filter_map(move |change| {
            let feature = feature_of(schema, &change.feature);
            let number = |text: &str| feature.plain_number(text)?.parse::<f64>().ok();
            // Without what binary arithmetic adds to a difference.
            let growth = number(&change.after)? - number(&change.before)?;
            let growth = (growth * 1e6).round() / 1e6;
            Some(Wait { feature, growth, until: ready(feature, growth, day)? })
        })
    }

    /// What the decision was computed from, in lines.
    fn record(&self, wishes: &[LetterWish], explainer: &Explainer) -> Vec<String> {
        let mut settings = explainer.used_settings();
        settings.max_changes = max_changes(wishes, settings.max_changes);
        let wishes = self.wishes(wishes, explainer.schema());
        record(self.kind.language, self.provenance, &settings, &wishes)
    }

    fn change(&self, change: &FeatureChange, schema: &Schema) -> ChangeFacts {
        let feature = feature_of(schema, &change.feature);
        let texts = [change.before.as_str(), &change.after];
        let [before, after] = self.values(feature, texts);
        ChangeFacts {
            feature: change.feature.clone(),
            title: self.title(feature).to_owned(),
            before,
            after,
            together: change.together.as_deref().map(|name| self.lender.translate(name).to_owned()),
        }
    }

    /// A feature's title: in the lender's words, or in those that the schema has for the language.
    pub(super) fn title<'t>(&'t self, feature: &'t Feature) -> &'t str {
        let ours = self.lender.translation(feature.title());
        ours.unwrap_or_else(|| feature.title_in(self.kind.language.name()))
    }

    /// Two values of a feature in the words of the letter: numbers with the language's separators and their unit, however the table
    /// writes them.
    pub(super) fn values(&self, feature: &Feature, texts: [&str; 2]) -> [String; 2] {
        let plain = texts.map(|text| feature.plain_number(text));
        let years = feature.unit.is_none() && are_years(&plain);
        [0, 1].map(|at| {
            if let Some(plain) = &plain[at] {
                return self.number(feature, plain, years);
            }
            let ours = self.lender.label_translation(feature.title(), texts[at]);
            let schema = || feature.text_in(self.kind.language.name(), texts[at]);
            ours.unwrap_or_else(schema).to_owned()
        })
    }

    /// A number in plain digits as the language writes it, with its unit.
    fn number(&self, feature: &Feature, plain: &str, is_year: bool) -> String {
        let language = self.kind.language;
        let number = match plain.split_once('.') {
            _ if is_year => plain.to_owned(),
            // Nobody writes 29,437.1 dollars.
            Some((_, tenths)) if tenths.len() == 1 && feature.counts_money() => {
                language.number(&format!("{plain}0"))
            }
            _ => language.number(plain),
        };
        let Some(unit) = &feature.unit else { return number };
        let schema = || feature.unit_in(language.name());
        let unit = self.lender.translation(unit).or_else(schema).unwrap_or(unit);
        let unit = if ["1", "-1"].contains(&plain) { singular(unit) } else { unit };
        if language == Language::English && STANDS_BEFORE.contains(&unit) {
            let (minus, digits) =
                number.strip_prefix('-').map_or(("", number.as_str()), |digits| ("-", digits));
            let gap = if unit.ends_with('.') { "\u{a0}" } else { "" };
            return format!("{minus}{unit}{gap}{digits}");
        }
        // The number stays with its unit where a line breaks.
        format!("{number}\u{a0}{unit}")
    }

    fn score(&self, recipient: &Recipient) -> Result<Option<ScoreFacts>> {
        let us = self.lender.us.as_ref().filter(|_| self.kind.law == Law::UnitedStates);
        let Some(score) = us.and_then(|us| us.score.as_ref()) else { return Ok(None) };
        let cell = |column: &str| {
            let cell = recipient.cells.get(column).map(|cell| cell.trim()).unwrap_or_default();
            if cell.is_empty() {
                return Err(InputError::new("the cell is empty")
                    .column(column)
                    .remedy("fill in the credit score, its date and its key factors"));
            }
            Ok(cell.to_owned())
        };
        let number = |number: Option<f64>| {
            self.kind.language.number(&number.unwrap_or_default().to_string())
        };
        let date = cell(&score.date_column)?;
        let factors = cell(&score.factors_column)?;
        let named = factors.split(';').map(str::trim).filter(|one| !one.is_empty());
        let factors: Vec<String> = named.map(|one| self.lender.translate(one).to_owned()).collect();
        if !(1..=MAX_FACTORS).contains(&factors.len()) {
            let problem = format!("names {} key factors, not 1 to {MAX_FACTORS}", factors.len());
            return Err(InputError::new(problem)
                .column(&score.factors_column)
                .remedy("give the weightiest ones, at most four, separated by semicolons")
                .into());
        }
        let own = cell(&score.column)?;
        let range = score.lowest.unwrap_or(f64::MIN)..=score.highest.unwrap_or(f64::MAX);
        if !own.parse().is_ok_and(|own: f64| range.contains(&own)) {
            return Err(InputError::new(
                "is not a score within the range that the lender's file gives",
            )
            .column(&score.column)
            .value(&own)
            .remedy("correct the score, or lowest and highest in [us.score]")
            .into());
        }
        Ok(Some(ScoreFacts {
            value: self.kind.language.number(&own),
            date: date.parse::<NaiveDate>().map_or(date, |day| self.kind.date(day)),
            lowest: number(score.lowest),
            highest: number(score.highest),
            factors,
        }))
    }
}

/// The feature of this name: answers have only names of the explainer's schema.
pub(super) fn feature_of<'s>(schema: &'s Schema, name: &str) -> &'s Feature {
    let index = schema.feature_index(name).expect("answers are about features of the schema");
    &schema.features[index]
}

/// A fact of a plan that only time changes.
struct Wait<'s> {
    feature: &'s Feature,
    growth: f64,
    until: NaiveDate,
}

/// The changes that are made together, where there are several.
fn together(changes: &[ChangeFacts]) -> Vec<TogetherFacts> {
    let mut groups: Vec<TogetherFacts> = Vec::new();
    for change in changes {
        let Some(name) = &change.together else { continue };
        match groups.iter_mut().find(|group| group.name == *name) {
            Some(group) => group.titles.push(change.title.clone()),
            None => groups
                .push(TogetherFacts { name: name.clone(), titles: vec![change.title.clone()] }),
        }
    }
    groups.retain(|group| group.titles.len() > 1);
    groups
}

/// Gaps above this are differences that a reader of the letter would call a smaller change.
const MAX_GAP: f64 = 1e-5;

/// Whether the first plan is the smallest among all values.
fn is_proven(answer: &Answer) -> bool {
    let first = answer.first();
    let close = first.gap.is_some_and(|gap| gap <= MAX_GAP);
    let complete = close && first.values_offered.is_none() && first.not_needed.is_empty();
    answer.status() == Status::Optimal && complete
}

fn addressee(lender: &Lender, recipient: &Recipient) -> Addressee {
    let columns = &lender.applicant;
    let cell = |column: &String| {
        let cell = recipient.cells.get(column)?.trim();
        (!cell.is_empty()).then(|| cell.to_owned())
    };
    Addressee {
        row: recipient.row,
        name: columns.name.as_ref().and_then(cell),
        address: columns.address.iter().filter_map(cell).collect(),
        reference: columns.reference.as_ref().and_then(cell),
    }
}
/// The name of one of a unit of time, in English and German; other units as they are.
fn singular(unit: &str) -> &str {
    match unit {
        "years" => "year",
        "months" => "month",
        "weeks" => "week",
        "days" => "day",
        "hours" => "hour",
        "Jahre" => "Jahr",
        "Monate" => "Monat",
        "Wochen" => "Woche",
        "Tage" => "Tag",
        "Stunden" => "Stunde",
        _ => unit,
    }
}
