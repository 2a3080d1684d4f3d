//! The page of answers: an index, then every applicant.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use crate::applicant::Shown;
use crate::look::Look;
use crate::picture::DistributionPicture;
use crate::{Card, Context, page};

/// A page that is made card by card: an applicant's [section](Self::section) can be written away before the next is made, but goes
/// after the page's [head](Self::head), which has the index and the pictures that applicants share, and before its
/// [foot](Self::foot).
pub struct AnswersPage {
    context: Context,
    index: Vec<Line>,
    /// The shared parts of pictures by feature.
    shapes: BTreeMap<usize, Markup>,
}

/// An applicant's line of the index.
struct Line {
    name: String,
    status: String,
    changes: String,
}

impl AnswersPage {
    /// A page without applicants.
    pub const fn new(context: Context) -> Self {
        Self { context, index: Vec::new(), shapes: BTreeMap::new() }
    }

    /// The next applicant's part of the page.
    pub fn section(&mut self, card: &Card) -> String {
        self.share_shapes(card);
        let changes = card.plans.first().map_or_else(Vec::new, |plan| {
            let text = |change: &crate::CardChange| {
                let unit = change.unit.as_ref().map_or_else(String::new, |unit| format!(" {unit}"));
                format!("{}: {} \u{2192} {}{unit}", change.title, change.before, change.after)
            };
            plan.changes.iter().map(text).collect()
        });
        self.index.push(Line {
            name: card.name.clone(),
            status: card.status.clone(),
            changes: changes.join("; "),
        });
        let number = self.index.len();
        let shared: BTreeSet<usize> = self.shapes.keys().copied().collect();
        let name = |feature: usize| shared.contains(&feature).then(|| shape_name(feature));
        let shown = Shown { look: Look::Page, context: &self.context, shared: &name };
        let section = html! {
            section.card id={ "a" (number) } aria-labelledby={ "h" (number) } {
                h2 id={ "h" (number) } { (card.name) " " (shown.badge(&card.status)) }
                p.verdict { (amends::answer::capitalised(&card.verdict)) }
                (shown.body(card))
            }
        };
        section.into_string() + "\n"
    }

    /// Keeps the parts of pictures that other applicants' pictures have, too.
    fn share_shapes(&mut self, card: &Card) {
        for change in card.plans.iter().flat_map(|plan| &plan.changes) {
            let Some(feature) = self.context.features.get(change.feature) else { continue };
            let picture = DistributionPicture { feature, change };
            if !self.shapes.contains_key(&change.feature) && picture.is_shared() {
                self.shapes.insert(change.feature, picture.shared_shape());
            }
        }
    }

    /// What goes before the applicants' sections.
    pub fn head(&self) -> String {
        let people = self.index.len();
        let title = format!("{}: {}", self.context.data, counted(people));
        let content = html! {
            @if people == 0 { p { "No applicants to explain." } }
            @if people > 1 { (self.index()) }
            svg.shapes width="0" height="0" aria-hidden="true" {
                defs {
                    @for (feature, shape) in &self.shapes { g id=(shape_name(*feature)) { (shape) } }
                }
            }
        };
        page::head(&title, &self.context.header) + &content.into_string() + "\n"
    }

    /// What goes after the applicants' sections.
    pub fn foot(&self) -> String {
        page::foot(&self.context.provenance)
    }

    fn index(&self) -> Markup {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for line in &self.index {
            *counts.entry(&line.status).or_default() += 1;
        }
        let counts: Vec<String> =
            counts.iter().map(|(status, count)| format!("{count} {status}")).collect();
        let shown = Shown { look: Look::Page, context: &self.context, shared: &|_| None };
        html! {
            nav aria-labelledby="contents" {
                h2 id="contents" { "Applicants" }
                p { (counts.join(", ")) "." }
                div.scroll tabindex="0" role="region" aria-label="Applicants" {
                    table.index {
                        thead { tr { th scope="col" { "applicant" } th scope="col" { "answer" } th scope="col" { "best plan" } } }
                        tbody {
                            @for (number, line) in (1..).zip(&self.index) {
                                tr {
                                    td { a href={ "#a" (number) } { (line.name) } }
                                    td { (shown.badge(&line.status)) }
                                    td { (line.changes) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The whole page of these cards.
pub fn answers_page(cards: &[Card], context: &Context) -> String {
    let mut page = AnswersPage::new(context.clone());
    let sections: String = cards.iter().map(|card| page.section(card)).collect();
    page.head() + &sections + &page.foot()
}

fn shape_name(feature: usize) -> String {
    format!("f{feature}")
}

fn counted(people: usize) -> String {
    match people {
        1 => "the answer to an applicant".to_owned(),
        _ => format!("the answers to {people} applicants"),
    }
}
