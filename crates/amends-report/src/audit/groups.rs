//! The groups of a column, each compared with the people of the others.

use amends::audit::{ColumnSummary, Estimate, Figures, GroupSummary, Share};
use maud::{Markup, html};

use super::cells::{difference_cell, quantile_cell, ratio_cell, share_cell};
use super::{AuditReport, table, title};
use crate::picture::BarScale;

/// Changes and reasons that are named for a group.
const NAMED: usize = 3;
/// Ratios are drawn up to this many doublings: beyond it, the figures say more than the picture.
const DOUBLINGS: f64 = 3.0;

/// Everything about the groups of one column.
pub(super) fn groups(column: &ColumnSummary, report: &AuditReport<'_>) -> Markup {
    let all = &report.summary.overall;
    let groups = Groups { column, report };
    html! {
        (groups.shares("Rejected", "people", |figures| figures.rejected, |group| group.rejected_difference))
        (groups.shares("No plan, proven", "rejected", |figures| figures.infeasible, |group| group.infeasible_difference))
        (groups.costs())
        @if all.principal_reasons.is_some() { (groups.reasons()) }
        @if groups.starred() {
            p.quiet { "* fewer than " (report.summary.small_group) " people or plans: such figures say little." }
        }
    }
}

struct Groups<'a> {
    column: &'a ColumnSummary,
    report: &'a AuditReport<'a>,
}

impl Groups<'_> {
    fn all(&self) -> &Figures {
        &self.report.summary.overall
    }

    fn small(&self, people: usize) -> bool {
        people < self.report.summary.small_group
    }

    /// Whether some group is marked as small.
    fn starred(&self) -> bool {
        let mut groups = self.column.groups.iter();
        groups.any(|group| {
            let figures = &group.figures;
            [figures.applicants, figures.rejected.count, figures.with_plan.count]
                .into_iter()
                .any(|people| self.small(people))
        })
    }

    /// A group's name, with a star where these few say little.
    fn name(&self, group: &GroupSummary, people: usize) -> Markup {
        html! { th.word scope="row" { (group.group) @if self.small(people) { " *" } } }
    }

    /// A share of each group, and how it differs from that of the others.
    fn shares(
        &self,
        name: &str,
        of: &str,
        share: fn(&Figures) -> Share,
        difference: fn(&GroupSummary) -> Option<Estimate>,
    ) -> Markup {
        let groups = &self.column.groups;
        let shares = groups.iter().map(|group| share(&group.figures)).chain([share(self.all())]);
        let known = shares.filter(|share| share.of > 0);
        let scale = BarScale::up_to(known.map(|share| share.high).fold(0.0, f64::max));
        let ends = groups
            .iter()
            .filter_map(difference)
            .flat_map(|one| [-one.low, one.high.unwrap_or(1.0)]);
        let around = BarScale::around_zero(ends.fold(0.0, f64::max));
        let all = share(self.all());
        let end = points(around.high);
        let head: [(&str, &str); 5] = [
            ("word", name),
            ("number", of),
            ("number", "of them"),
            ("figure", &format!("share, 95 % interval; bars from 0 to {} %", points(scale.high))),
            ("figure", &format!("against the others; from \u{2212}{end} to +{end} points")),
        ];
        table(
            name,
            "compared",
            &head,
            &html! {
                tr.all {
                    th.word scope="row" { "everybody" }
                    td.number { (all.of) }
                    td.number { (all.count) }
                    td.figure { (share_cell(all, scale)) }
                    td.figure {}
                }
                @for group in groups {
                    @let own = share(&group.figures);
                    tr {
                        (self.name(group, own.of))
                        td.number { (own.of) }
                        td.number { (own.count) }
                        td.figure { (share_cell(own, scale)) }
                        td.figure { (difference_cell(difference(group), around)) }
                    }
                }
            },
        )
    }

    /// What plans cost in each group, and what they change.
    fn costs(&self) -> Markup {
        let groups = &self.column.groups;
        let quantiles = |figures: &Figures| figures.costs.objective;
        let ends = groups.iter().filter_map(|group| quantiles(&group.figures));
        let most = ends.chain(quantiles(self.all())).map(|found| found.p95).fold(0.0, f64::max);
        let scale = BarScale::up_to(most);
        let logs = groups.iter().filter_map(|group| group.cost_ratio).flat_map(|ratio| {
            let ends = [Some(ratio.low), ratio.high, Some(ratio.value)];
            ends.into_iter().flatten().filter(|&end| end > 0.0).map(|end| end.log2().abs())
        });
        let doublings = logs.fold(1.0, f64::max).ceil().min(DOUBLINGS);
        let around = BarScale { low: -doublings, high: doublings };
        let factor = doublings.exp2();
        let line = |name: Markup, figures: &Figures, ratio: Markup| {
            let found = quantiles(figures);
            html! {
                tr class=[std::ptr::eq(figures, self.all()).then_some("all")] {
                    (name)
                    td.number { (figures.with_plan.count) }
                    td.number { (found.map_or_else(|| "-".to_owned(), |found| format!("{:.3}", found.p50))) }
                    td.figure { @if let Some(found) = found { (quantile_cell(found, scale, 3)) } }
                    td.figure { (ratio) }
                    td.word { (self.most_changed(figures)) }
                }
            }
        };
        let head: [(&str, &str); 6] = [
            ("word", "Cost of the plans"),
            ("number", "plans"),
            ("number", "median"),
            ("figure", &format!("5, 25, 50, 75, 95 %; from 0 to {}", scale.high)),
            ("figure", &format!("median against the others; from x 1/{factor} to x {factor}")),
            ("word", "most changed"),
        ];
        table(
            "Cost of the plans",
            "compared",
            &head,
            &html! {
                (line(html! { th.word scope="row" { "everybody" } }, self.all(), html! {}))
                @for group in groups {
                    (line(self.name(group, group.figures.with_plan.count), &group.figures, ratio_cell(group.cost_ratio, around)))
                }
            },
        )
    }

    /// In how many rejections of each group no reason can be changed.
    fn reasons(&self) -> Markup {
        let groups = self.column.groups.iter();
        let everybody = html! { th.word scope="row" { "everybody" } };
        let lines =
            groups.map(|group| (self.name(group, group.figures.rejected.count), &group.figures));
        let lines: Vec<(Markup, &Figures)> =
            [(everybody, self.all())].into_iter().chain(lines).collect();
        let head = [
            ("word", "Principal reasons"),
            ("figure", "no reason can be changed, share of rejected; bars from 0 to 100 %"),
            ("word", "most frequent reasons"),
        ];
        table(
            "Principal reasons",
            "compared",
            &head,
            &html! {
                @for (name, figures) in lines {
                    tr class=[std::ptr::eq(figures, self.all()).then_some("all")] {
                        (name)
                        @match &figures.principal_reasons {
                            Some(principal) => {
                                td.figure { (share_cell(principal.none_actionable, super::WHOLE)) }
                                @let used = principal.features.iter().map(|one| (one.feature.as_str(), one.people));
                                td.word { (self.named(used)) }
                            }
                            None => { td.figure { "-" } td.word {} }
                        }
                    }
                }
            },
        )
    }

    fn most_changed(&self, figures: &Figures) -> String {
        self.named(figures.features.iter().map(|used| (used.feature.as_str(), used.plans)))
    }

    /// The first few features with their shares.
    fn named<'a>(&self, features: impl Iterator<Item = (&'a str, Share)>) -> String {
        let schema = self.report.explainer.schema();
        let one = |(feature, share): (&str, Share)| {
            let percent = 100.0 * share.share.unwrap_or_default();
            format!("{} {percent:.0} %", title(schema, feature))
        };
        features.take(NAMED).map(one).collect::<Vec<String>>().join(", ")
    }
}

fn points(share: f64) -> String {
    let text = format!("{:.3}", 100.0 * share);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
