//! The page of an audit: all applicants first, then the groups of each column.

mod cells;
mod groups;
pub mod words;

use amends::audit::{Figures, PrincipalReasons, Share, Summary};
use amends::data::Schema;
use amends::explain::Explainer;
use amends::provenance::Provenance;
use maud::{Markup, html};

use self::cells::{quantile_cell, share_cell};
use crate::context::provenance_rows;
use crate::page;
use crate::picture::{BarScale, percent};

/// What an audit's page is about.
pub struct AuditReport<'a> {
    /// Who was asked about, in a sentence without full stop.
    pub title: &'a str,
    /// What stands below it, in sentences: what is not complete, and what was explained and how.
    pub lines: &'a [String],
    /// The figures.
    pub summary: &'a Summary,
    /// What was asked.
    pub explainer: &'a Explainer,
    /// Where the figures come from.
    pub provenance: &'a Provenance,
}

/// Shares of all applicants are drawn from 0 to 100 %.
const WHOLE: BarScale = BarScale { low: 0.0, high: 1.0 };

/// The page.
pub fn audit_page(report: &AuditReport<'_>) -> String {
    let AuditReport { summary, explainer, .. } = *report;
    let (all, schema) = (&summary.overall, explainer.schema());
    let content = html! {
        (section("decisions", "Decisions", &html! {
            (shares("Decided by the model", "people", &words::decisions(all)))
            @let able: Vec<(String, Share)> = words::abilities(all, explainer)
                .into_iter()
                .map(|(depth, name, share)| ("\u{2003}".repeat(depth) + &name, share))
                .collect();
            (shares("Of the rejected", "people", &able))
        }))
        (section("plans", "Plans", &html! {
            (costs(all, explainer))
            (shares("What the plans change", "plans", &named(schema, all.features.iter().map(|used| (used.feature.as_str(), used.plans)))))
            @if !all.reasons.is_empty() {
                @let reasons = all.reasons.iter().map(|one| (one.reason.clone(), one.people)).collect::<Vec<_>>();
                (shares("Why no plan exists", "people", &reasons))
            }
        }))
        @if let Some(principal) = &all.principal_reasons {
            (section("reasons", "Reasons", &reasons(principal, schema)))
        }
        @for (index, column) in summary.by.iter().enumerate() {
            (section(&format!("by{index}"), &format!("By {}", column.title), &groups::groups(column, report)))
        }
        p.quiet { (words::METHODS) }
    };
    page::head(report.title, report.lines)
        + &content.into_string()
        + "\n"
        + &page::foot(&provenance_rows(explainer, report.provenance))
}

fn section(id: &str, title: &str, content: &Markup) -> Markup {
    html! {
        section id=(id) aria-labelledby={ "h-" (id) } {
            h2 id={ "h-" (id) } { (title) }
            (content)
        }
    }
}

/// Shares as a table with bars.
fn shares(title: &str, counted: &str, lines: &[(String, Share)]) -> Markup {
    shares_with(title, counted, lines, None)
}

/// The same, with one more column: its title and its cells.
fn shares_with(
    title: &str,
    counted: &str,
    lines: &[(String, Share)],
    more: Option<(&str, &[String])>,
) -> Markup {
    let share = "share, 95 % interval; bars from 0 to 100 %";
    let head = [("word", title), ("number", counted), ("figure", share)];
    let head: Vec<_> = head.into_iter().chain(more.map(|(title, _)| ("number", title))).collect();
    table(
        title,
        "shares",
        &head,
        &html! {
            @for (index, (name, share)) in lines.iter().enumerate() {
                tr {
                    th.word scope="row" { (name) }
                    td.number { (share.count) }
                    td.figure { (share_cell(*share, WHOLE)) }
                    @if let Some((_, cells)) = more { td.number { (cells.get(index).map_or("", String::as_str)) } }
                }
            }
        },
    )
}

/// A table in a part that scrolls on small screens; the keyboard must reach it. Its columns have a class and a title.
fn table(title: &str, class: &str, head: &[(&str, &str)], rows: &Markup) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(title) {
            table class={ "figures " (class) } {
                thead { tr { @for (class, title) in head { th class=(class) scope="col" { (title) } } } }
                tbody { (rows) }
            }
        }
    }
}

fn costs(all: &Figures, explainer: &Explainer) -> Markup {
    let title = format!("What the {} plans take", all.with_plan.count);
    let levels = ["5 %", "25 %", "median", "75 %", "95 %"].map(|level| ("number", level));
    let mut head = vec![("word", title.as_str())];
    head.extend(levels);
    head.push(("figure", "from 0 to the 95 % quantile"));
    table(
        &title,
        "quantiles",
        &head,
        &html! {
            @for (name, digits, quantiles) in words::costs(all, explainer) {
                tr {
                    th.word scope="row" { (name) }
                    @match quantiles {
                        Some(found) => {
                            @for value in found.values() { td.number { (format!("{value:.digits$}")) } }
                            td.figure { (quantile_cell(found, BarScale { low: 0.0, high: found.p95.max(f64::MIN_POSITIVE) }, digits)) }
                        }
                        None => { @for _ in 0..5 { td.number { "-" } } td.figure {} }
                    }
                }
            }
        },
    )
}

fn reasons(principal: &PrincipalReasons, schema: &Schema) -> Markup {
    let people = principal.features.iter().map(|one| (one.feature.as_str(), one.people));
    let actionable: Vec<String> = principal
        .features
        .iter()
        .map(|one| one.actionable.share.map_or_else(|| "-".to_owned(), percent))
        .collect();
    html! {
        (shares("Principal reasons of the rejected", "people", &words::principal(principal)))
        (shares_with(
            "What the reasons are",
            "people",
            &named(schema, people),
            Some(("can be changed", &actionable)),
        ))
    }
}

/// The features' titles with their shares.
fn named<'a>(
    schema: &Schema,
    shares: impl Iterator<Item = (&'a str, Share)>,
) -> Vec<(String, Share)> {
    shares.map(|(feature, share)| (title(schema, feature).to_owned(), share)).collect()
}

/// A feature's title.
fn title<'a>(schema: &'a Schema, feature: &'a str) -> &'a str {
    schema.feature_index(feature).map_or(feature, |index| schema.features[index].title())
}
