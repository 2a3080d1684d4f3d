//! An audit as a compliance officer reads it.

use std::fmt::Write;

use amends::audit::{
    ColumnSummary, Estimate, Figures, PrincipalReasons, Quantiles, ReasonUse, Share,
};
use amends::data::Schema;
use amends_report::{Audit, words};
use comfy_table::{CellAlignment, Table, presets};

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
    let schema = audit.explainer.schema();
    let mut text = format!("{}.\n{}\n\n", audit.title(), audit.lines().join("\n"));
    text.push_str(&decisions(all, audit));
    text.push_str(&costs(all, audit));
    text.push_str(&changes(all, schema));
    if let Some(principal) = &all.principal_reasons {
        text.push_str(&reasons(principal, schema));
    }
    for column in &audit.summary.by {
        text.push_str(&by_column(column, all, audit));
    }
    text.push_str(words::METHODS);
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
    let decided = words::decisions(all);
    let decided = decided.iter().map(|(name, share)| share_line(&format!("  {name}"), *share));
    let able = words::abilities(all, audit.explainer);
    let able = able.iter().map(|(depth, name, share)| {
        share_line(&format!("  {}{name}", "  ".repeat(*depth)), *share)
    });
    columns(&head("Decided by the model"), decided.collect())
        + &columns(&head("Of the rejected"), able.collect())
}

fn costs(all: &Figures, audit: &Audit) -> String {
    let line = |(name, digits, quantiles): (String, usize, Option<Quantiles>)| {
        let values = quantiles.map_or_else(
            || vec!["-".to_owned(); 5],
            |found| found.values().iter().map(|value| format!("{value:.digits$}")).collect(),
        );
        [vec![format!("  {name}")], values].concat()
    };
    let lines = words::costs(all, audit.explainer).into_iter().map(line).collect();
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
    let lines = words::principal(principal);
    let lines =
        lines.iter().map(|(name, share)| share_line(&format!("  {name}"), *share)).collect();
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

/// The groups of one column, all applicants first: what was decided, then what plans take.
fn by_column(column: &ColumnSummary, all: &Figures, audit: &Audit) -> String {
    let small = audit.summary.small_group;
    let marked =
        |name: &str, count: usize| format!("  {name}{}", if count < small { " *" } else { "" });
    let mut decided = vec![decided_line("  everybody".to_owned(), all, None)];
    let mut without = vec![without_plan_line("  everybody".to_owned(), all, None)];
    let mut taken = vec![taken_line("  everybody".to_owned(), all, None, audit.explainer.schema())];
    for group in &column.groups {
        let figures = &group.figures;
        let name = marked(&group.group, figures.applicants);
        decided.push(decided_line(name, figures, group.rejected_difference));
        let name = marked(&group.group, figures.rejected.count);
        without.push(without_plan_line(name, figures, group.infeasible_difference));
        let name = marked(&group.group, figures.with_plan.count);
        taken.push(taken_line(name, figures, group.cost_ratio, audit.explainer.schema()));
    }
    let small_reasons = all.principal_reasons.is_some()
        && column.groups.iter().any(|group| group.figures.rejected.count < small);
    let mut lines = decided.iter().chain(&without).chain(&taken);
    let starred = small_reasons || lines.any(|line| line[0].ends_with(" *"));
    let title = format!("By {}", column.title);
    let mut text = columns(&[&title, "people", "rejected", "share of people", OTHERS], decided);
    text += &columns(&["", "no plan", "share of rejected", OTHERS, "not known"], without);
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
            format!("{} {share:.0} %", title(audit.explainer.schema(), &one.feature))
        });
        let share = principal.none_actionable;
        let frequent = frequent.collect::<Vec<String>>().join(", ");
        vec![name, share.count.to_string(), with_interval(share), frequent]
    };
    let mut lines = vec![line("  everybody".to_owned(), all)];
    let groups = column.groups.iter();
    lines.extend(groups.map(|group| {
        let few = group.figures.rejected.count < audit.summary.small_group;
        line(format!("  {}{}", group.group, if few { " *" } else { "" }), &group.figures)
    }));
    columns(&["", "no reason can be changed", "share of rejected", FREQUENT], lines)
}

fn decided_line(name: String, figures: &Figures, against: Option<Estimate>) -> Vec<String> {
    vec![
        name,
        figures.applicants.to_string(),
        figures.rejected.count.to_string(),
        with_interval(figures.rejected),
        points(against),
    ]
}

fn without_plan_line(name: String, figures: &Figures, against: Option<Estimate>) -> Vec<String> {
    vec![
        name,
        figures.infeasible.count.to_string(),
        with_interval(figures.infeasible),
        points(against),
        figures.timeout.count.to_string(),
    ]
}

fn with_interval(share: Share) -> String {
    match share.of {
        0 => percent(share),
        _ => format!("{} ({})", percent(share), interval(share)),
    }
}

/// A difference of shares, in percentage points.
fn points(difference: Option<Estimate>) -> String {
    difference.map_or_else(String::new, |Estimate { value, low, high }| {
        let high = high.map_or_else(String::new, |high| format!("{:+.1}", 100.0 * high));
        format!("{:+.1} points ({:+.1} to {high})", 100.0 * value, 100.0 * low)
    })
}

fn taken_line(
    name: String,
    figures: &Figures,
    ratio: Option<Estimate>,
    schema: &Schema,
) -> Vec<String> {
    let median = figures.costs.objective.map(|objective| format!("{:.3}", objective.p50));
    let ratio = ratio.map(|Estimate { value, low, high }| match high {
        Some(high) => format!("x {value:.2} ({low:.2} to {high:.2})"),
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
