//! An audit as a compliance officer reads it.

use std::fmt::Write;

use amends::audit::{
    ColumnSummary, Estimate, Figures, PrincipalReasons, Quantiles, ReasonUse, Share,
};
use amends::data::Schema;
use comfy_table::{CellAlignment, Table, presets};

use super::Audit;
use crate::report::header;

/// Changes that are listed one by one; the rest is counted.
const LISTED: usize = 12;
/// Changes that are named for a group.
const NAMED: usize = 2;
/// The columns that hold words instead of numbers.
const WORDS: &str = "most changed";
/// The columns that compare a group with the people of the other groups.
const OTHERS: &str = "against the others";
const FREQUENT: &str = "most frequent reasons";

/// The whole report.
pub fn summary_text(audit: &Audit) -> String {
    let all = &audit.summary.overall;
    let mut text = format!("Audit of {} applicants: {}.\n", all.applicants, audit.who);
    if !audit.complete() {
        let _ = writeln!(
            text,
            "NOT COMPLETE: stopped after {} of {} applicants; the figures are of those alone.",
            all.applicants, audit.asked
        );
    }
    if audit.errors > 0 {
        let _ = writeln!(
            text,
            "{} of {} rows could not be read; they are in no figure.",
            audit.errors, audit.asked
        );
    }
    let _ = writeln!(text, "{}\n", header(audit.model, audit.explainer));
    text.push_str(&decisions(all, audit));
    text.push_str(&costs(all, audit));
    text.push_str(&changes(all, audit.schema));
    if let Some(principal) = &all.principal_reasons {
        text.push_str(&reasons(principal, audit.schema));
    }
    for column in &audit.summary.by {
        text.push_str(&by_column(column, all, audit));
    }
    text.push_str(
        "Ranges (a - b) are 95 % intervals: of shares Wilson's, of their differences Newcombe's, of ratios from ranks. Quantiles lie on \
         the straight line between the two nearest values.",
    );
    text
}

/// Lines of cells in columns; all but names are numbers and go to the right.
fn columns(head: &[&str], lines: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(head);
    table.add_rows(lines);
    for (column, name) in table.column_iter_mut().zip(head).skip(1) {
        if ![WORDS, FREQUENT].contains(name) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let shown = table.to_string();
    // The style leaves a blank before the first column.
    let unpadded = |line| str::strip_prefix(line, " ").unwrap_or(line).trim_end();
    let lines: Vec<&str> = shown.lines().map(unpadded).collect();
    lines.join("\n") + "\n\n"
}

fn percent(share: Share) -> String {
    share.share.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

fn interval(share: Share) -> String {
    if share.of == 0 {
        return "-".to_owned();
    }
    format!("{:.1} - {:.1}", 100.0 * share.low, 100.0 * share.high)
}

fn share_line(name: &str, share: Share) -> Vec<String> {
    vec![name.to_owned(), share.count.to_string(), percent(share), interval(share)]
}

fn decisions(all: &Figures, audit: &Audit) -> String {
    let head = |title| [title, "people", "share", "95 % interval"];
    let decided = vec![
        share_line("  accepted as they are", all.accepted),
        share_line("  rejected", all.rejected),
    ];
    let (cheapest, none) = match audit.explainer.settings().option_limit {
        None => (
            "proven to be the cheapest".to_owned(),
            "no plan exists under these rules, proven".to_owned(),
        ),
        Some(values) => (
            format!("the cheapest among the {values} values offered per number"),
            format!("no plan among the {values} values offered per number"),
        ),
    };
    let able = vec![
        share_line("  there is a plan that leads to approval", all.with_plan),
        share_line(&format!("    {cheapest}"), all.optimal),
        share_line("    a cheaper one is not excluded", all.feasible),
        share_line(&format!("  {none}"), all.infeasible),
        share_line("  not known: time ran out", all.timeout),
    ];
    columns(&head("Decided by the model"), decided) + &columns(&head("Of the rejected"), able)
}

fn costs(all: &Figures, audit: &Audit) -> String {
    let distance = audit.explainer.settings().distance.name();
    let names = [
        "  cost: what is minimised".to_owned(),
        format!("  distance ({distance})"),
        "  Mahalanobis distance".to_owned(),
        "  outlier factor (LOF; ordinary is about 1)".to_owned(),
        "  changes (what moves together is one)".to_owned(),
        "  seconds to solve, with or without a plan".to_owned(),
    ];
    // Where the distance is Mahalanobis' own, once is enough.
    let repeated = all.costs.mahalanobis == all.costs.distance;
    let line = |(name, (measure, quantiles)): (String, (&str, Option<Quantiles>))| {
        let digits = if measure == "changes" { 1 } else { 3 };
        let values = quantiles.map_or_else(
            || vec!["-".to_owned(); 5],
            |found| found.values().iter().map(|value| format!("{value:.digits$}")).collect(),
        );
        (!(repeated && measure == "mahalanobis")).then(|| [vec![name], values].concat())
    };
    let lines = names.into_iter().zip(all.costs.named()).filter_map(line).collect();
    let title = format!("What the {} plans take", all.with_plan.count);
    columns(&[&title, "5 %", "25 %", "median", "75 %", "95 %"], lines)
}

fn changes(all: &Figures, schema: &Schema) -> String {
    let used = all.features.iter().take(LISTED);
    let mut lines: Vec<Vec<String>> = used
        .map(|used| share_line(&format!("  {}", title(schema, &used.feature)), used.plans))
        .collect();
    let more = all.features.len().saturating_sub(LISTED);
    if more > 0 {
        lines.push(vec![format!("  and {more} more")]);
    }
    let mut text = columns(&["What the plans change", "plans", "share", "95 % interval"], lines);
    if !all.reasons.is_empty() {
        let reasons = all.reasons.iter();
        let lines =
            reasons.map(|one| share_line(&format!("  {}", one.reason), one.people)).collect();
        text += &columns(&["Why no plan exists", "people", "share", "95 % interval"], lines);
    }
    text
}

fn reasons(principal: &PrincipalReasons, schema: &Schema) -> String {
    let lines = vec![
        share_line("  none of them can be changed", principal.none_actionable),
        share_line(
            "  no allowed value of a single one would have been enough",
            principal.none_flips,
        ),
    ];
    let mut text =
        columns(&["Principal reasons of the rejected", "people", "share", "95 % interval"], lines);
    let line = |one: &ReasonUse| {
        let name = format!("  {}", title(schema, &one.feature));
        [share_line(&name, one.people), vec![percent(one.actionable)]].concat()
    };
    let mut lines: Vec<Vec<String>> = principal.features.iter().take(LISTED).map(line).collect();
    let more = principal.features.len().saturating_sub(LISTED);
    if more > 0 {
        lines.push(vec![format!("  and {more} more")]);
    }
    let head = ["What the reasons are", "people", "share", "95 % interval", "can be changed"];
    text += &columns(&head, lines);
    text
}

fn title<'a>(schema: &'a Schema, feature: &'a str) -> &'a str {
    schema.feature_index(feature).map_or(feature, |index| schema.features[index].title())
}

/// The groups of one column, everybody first: what was decided, then what plans take.
fn by_column(column: &ColumnSummary, all: &Figures, audit: &Audit) -> String {
    let small = audit.summary.small_group;
    let marked =
        |name: &str, count: usize| format!("  {name}{}", if count < small { " *" } else { "" });
    let mut decided = vec![decided_line("  everybody".to_owned(), all, [None, None])];
    let mut taken = vec![taken_line("  everybody".to_owned(), all, None, audit.schema)];
    for group in &column.groups {
        let figures = &group.figures;
        let name = marked(&group.group, figures.applicants);
        let differences = [group.rejected_difference, group.infeasible_difference];
        decided.push(decided_line(name, figures, differences));
        let name = marked(&group.group, figures.with_plan.count);
        taken.push(taken_line(name, figures, group.cost_ratio, audit.schema));
    }
    let small_reasons = all.principal_reasons.is_some()
        && column.groups.iter().any(|group| group.figures.rejected.count < small);
    let starred = small_reasons || decided.iter().chain(&taken).any(|line| line[0].ends_with(" *"));
    let title = format!("By {}", column.title);
    let mut text = columns(
        &[
            &title,
            "people",
            "rejected",
            "share of people",
            OTHERS,
            "no plan",
            "share of rejected",
            OTHERS,
            "not known",
        ],
        decided,
    );
    text += &columns(&["", "plans", "median cost", OTHERS, WORDS], taken);
    text += &reasons_by_group(column, all, audit);
    if starred {
        text.pop();
        let _ =
            writeln!(text, "  * fewer than {small} people or plans: such figures say little.\n");
    }
    text
}

/// In how many rejections of each group no reason can be changed, where reasons were asked for.
fn reasons_by_group(column: &ColumnSummary, all: &Figures, audit: &Audit) -> String {
    if all.principal_reasons.is_none() {
        return String::new();
    }
    let line = |name: String, figures: &Figures| {
        let Some(principal) = &figures.principal_reasons else {
            return vec![name, "-".to_owned(), "-".to_owned(), "-".to_owned()];
        };
        let frequent = principal.features.iter().take(NAMED).map(|one| {
            let share = 100.0 * one.people.share.unwrap_or_default();
            format!("{} {share:.0} %", title(audit.schema, &one.feature))
        });
        let share = principal.none_actionable;
        let shown = match share.of {
            0 => percent(share),
            _ => format!("{} ({})", percent(share), interval(share)),
        };
        vec![name, share.count.to_string(), shown, frequent.collect::<Vec<String>>().join(", ")]
    };
    let mut lines = vec![line("  everybody".to_owned(), all)];
    let groups = column.groups.iter();
    lines.extend(groups.map(|group| {
        let few = group.figures.rejected.count < audit.summary.small_group;
        line(format!("  {}{}", group.group, if few { " *" } else { "" }), &group.figures)
    }));
    columns(&["", "no reason can be changed", "share of rejected", FREQUENT], lines)
}

fn decided_line(
    name: String,
    figures: &Figures,
    differences: [Option<Estimate>; 2],
) -> Vec<String> {
    let with_interval = |share: Share| match share.of {
        0 => percent(share),
        _ => format!("{} ({})", percent(share), interval(share)),
    };
    let points = |difference: Option<Estimate>| {
        difference.map_or_else(String::new, |Estimate { value, low, high }| {
            let high = high.map_or_else(String::new, |high| format!("{:+.1}", 100.0 * high));
            format!("{:+.1} points ({:+.1} - {high})", 100.0 * value, 100.0 * low)
        })
    };
    let [rejected, infeasible] = differences;
    vec![
        name,
        figures.applicants.to_string(),
        figures.rejected.count.to_string(),
        with_interval(figures.rejected),
        points(rejected),
        figures.infeasible.count.to_string(),
        with_interval(figures.infeasible),
        points(infeasible),
        figures.timeout.count.to_string(),
    ]
}

fn taken_line(
    name: String,
    figures: &Figures,
    ratio: Option<Estimate>,
    schema: &Schema,
) -> Vec<String> {
    let median = figures.costs.objective.map(|objective| format!("{:.3}", objective.p50));
    let ratio = ratio.map(|Estimate { value, low, high }| match high {
        Some(high) => format!("x {value:.2} ({low:.2} - {high:.2})"),
        // Too few plans for an interval.
        None => format!("x {value:.2}"),
    });
    let used = figures.features.iter().take(NAMED);
    let used = used.map(|used| {
        let share = 100.0 * used.plans.share.unwrap_or_default();
        format!("{} {share:.0} %", title(schema, &used.feature))
    });
    vec![
        name,
        figures.with_plan.count.to_string(),
        median.unwrap_or_else(|| "-".to_owned()),
        ratio.unwrap_or_default(),
        used.collect::<Vec<String>>().join(", "),
    ]
}
