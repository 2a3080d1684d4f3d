//! One applicant's answer as markup.

use amends::answer::ReasonWords;
use maud::{Markup, html};

use crate::look::Look;
use crate::picture::{self, DistributionPicture};
use crate::{Card, CardChange, CardPlan, CardWhy, Context};

/// A card for a notebook, with its pictures.
pub fn in_notebook(card: &Card, context: &Context) -> String {
    let shown = Shown { look: Look::Notebook, context, shared: &|_| None };
    html! {
        div.amends style=[Look::Notebook.style("card")] {
            div { b { (card.name) } " " (shown.badge(&card.status)) " " (card.verdict) }
            (shown.body(card))
        }
    }
    .into_string()
}

/// Cards as they are shown in one place.
pub(crate) struct Shown<'a> {
    pub look: Look,
    pub context: &'a Context,
    /// The name of what is on the page once for all applicants, where the picture of a feature is.
    pub shared: &'a dyn Fn(usize) -> Option<String>,
}

impl Shown<'_> {
    /// How it ended, in a word.
    pub(crate) fn badge(&self, status: &str) -> Markup {
        html! {
            span class=[(self.look == Look::Page).then(|| format!("badge {status}"))] style=[self.look.badge(status)] {
                (status)
            }
        }
    }

    /// Everything below an applicant's name.
    pub(crate) fn body(&self, card: &Card) -> Markup {
        html! {
            @if let Some(score) = card.score { (self.score(card, score)) }
            @if let Some(reasons) = &card.reasons { (self.reasons(reasons)) }
            @for plan in &card.plans { (self.plan(plan)) }
            @if let Some(proof) = &card.proof { (self.paragraph("plain", proof)) }
            @if let Some(why) = &card.why { (self.why(why)) }
            @for note in &card.notes { (self.paragraph("quiet", note)) }
        }
    }

    fn score(&self, card: &Card, score: f64) -> Markup {
        let best = card.plans.first();
        let then = best.map_or_else(String::new, |plan| format!(" {}", plan.words.after));
        let description = format!("{}{then}", card.verdict);
        html! {
            div class=[self.look.class("score")] style=[self.look.style("score")] {
                (picture::score(self.context, score, best.map(|plan| plan.score), &description))
            }
        }
    }

    fn reasons(&self, words: &ReasonWords) -> Markup {
        html! {
            (self.heading(&words.heading))
            @if !words.reasons.is_empty() {
                ol class=[self.look.class("reasons")] style=[self.look.style("reasons")] {
                    @for reason in &words.reasons { li { (reason) } }
                }
            }
            @for note in &words.notes { (self.paragraph("quiet", note)) }
        }
    }

    fn plan(&self, plan: &CardPlan) -> Markup {
        html! {
            (self.heading(&plan.words.heading))
            (self.changes(&plan.changes, &plan.words.heading))
            (self.paragraph("plain", &plan.words.after))
            (self.pictures(&plan.changes))
            (self.paragraph("quiet", &plan.words.figures))
            (self.paragraph("quiet", &plan.proof))
        }
    }

    /// What changes, as a table.
    fn changes(&self, changes: &[CardChange], label: &str) -> Markup {
        let look = self.look;
        let cell = |name: &'static str| (look.class(name), look.style(name));
        let ((word, word_style), (number, number_style)) = (cell("word"), cell("number"));
        // Columns without a single entry are left out.
        let units = changes.iter().any(|change| change.unit.is_some());
        let steps = changes.iter().any(|change| change.by.is_some());
        let head = [
            ("feature", false, true),
            ("now", true, true),
            ("then", true, true),
            ("unit", false, units),
            ("change", true, steps),
        ];
        html! {
            div class=[look.class("scroll")] style=[look.style("scroll")] tabindex="0" role="region" aria-label=(label) {
                table class=[look.class("changes")] style=[look.style("changes")] {
                    thead {
                        tr {
                            @for (title, is_number, _) in head.into_iter().filter(|(_, _, shown)| *shown) {
                                th scope="col" class=[if is_number { number } else { word }]
                                    style=[if is_number { &number_style } else { &word_style }] { (title) }
                            }
                        }
                    }
                    tbody {
                        @for change in changes {
                            tr {
                                th scope="row" class=[word] style=[&word_style] {
                                    (change.title)
                                    @if let Some(name) = &change.together { " (with the others of " code { (name) } ")" }
                                }
                                td class=[number] style=[&number_style] { (change.before) }
                                td class=[number] style=[&number_style] { b { (change.after) } }
                                @if units {
                                    td class=[word] style=[&word_style] { (change.unit.as_deref().unwrap_or_default()) }
                                }
                                @if steps {
                                    td class=[number] style=[&number_style] { (change.by.as_deref().unwrap_or_default()) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Where the changed features are among the training rows.
    fn pictures(&self, changes: &[CardChange]) -> Markup {
        let look = self.look;
        let pictures: Vec<(&CardChange, DistributionPicture<'_>)> = changes
            .iter()
            .filter_map(|change| {
                let feature = self.context.features.get(change.feature)?;
                Some((change, DistributionPicture { feature, change }))
            })
            .collect();
        html! {
            @if !pictures.is_empty() {
                p class=[look.class("key")] style=[look.style("key")] { (picture::key()) }
                div class=[look.class("pictures")] style=[look.style("pictures")] {
                    @for (change, picture) in &pictures {
                        figure class=[look.class("picture")] style=[look.style("picture")] {
                            figcaption class=[look.class("caption")] style=[look.style("caption")] {
                                (change.title)
                                @if let Some(unit) = &picture.feature.unit { " (" (unit) ")" }
                            }
                            @let shared = (self.shared)(change.feature).filter(|_| picture.is_shared());
                            (picture.draw(shared.as_deref()))
                        }
                    }
                }
            }
        }
    }

    fn why(&self, why: &CardWhy) -> Markup {
        html! {
            (self.paragraph("plain", &why.head))
            @for way in &why.ways {
                (self.heading(&format!("{}:", way.words.relaxed)))
                @if let Some(plan) = &way.words.plan {
                    (self.changes(&way.changes, &way.words.relaxed))
                    (self.paragraph("quiet", plan))
                }
            }
            @for rest in &why.rest { (self.paragraph("quiet", rest)) }
        }
    }

    fn heading(&self, text: &str) -> Markup {
        let (class, style) = (self.look.class("heading"), self.look.style("heading"));
        match self.look {
            Look::Page => html! { h3 class=[class] { (text) } },
            Look::Notebook => html! { div style=[style] { (text) } },
        }
    }

    fn paragraph(&self, name: &'static str, text: &str) -> Markup {
        html! {
            @if !text.is_empty() {
                p class=[self.look.class(name)] style=[self.look.style(name)] { (text) }
            }
        }
    }
}
