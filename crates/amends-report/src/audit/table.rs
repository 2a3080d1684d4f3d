//! An audit as a tidy table: a line per group and measure.

use amends::audit::{Estimate, Figures, Share};
use amends::{Error, Result};

use super::Audit;

/// A line of the tidy table.
struct Line {
    measure: &'static str,
    item: String,
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    count: Option<usize>,
    of: Option<usize>,
}

impl Line {
    fn share(measure: &'static str, item: &str, share: Share) -> Self {
        Self {
            measure,
            item: item.to_owned(),
            value: share.share,
            low: share.share.map(|_| share.low),
            high: share.share.map(|_| share.high),
            count: Some(share.count),
            of: Some(share.of),
        }
    }

    fn number(measure: &'static str, item: &str, value: Option<f64>, of: Option<usize>) -> Self {
        Self { measure, item: item.to_owned(), value, low: None, high: None, count: None, of }
    }

    fn estimate(measure: &'static str, estimate: Option<Estimate>) -> Self {
        Self {
            measure,
            item: String::new(),
            value: estimate.map(|estimate| estimate.value),
            low: estimate.map(|estimate| estimate.low),
            high: estimate.and_then(|estimate| estimate.high),
            count: None,
            of: None,
        }
    }

    fn cells(self, column: &str, group: &str) -> Vec<String> {
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        let count =
            |value: Option<usize>| value.map_or_else(String::new, |value| value.to_string());
        vec![
            column.to_owned(),
            group.to_owned(),
            self.measure.to_owned(),
            self.item,
            number(self.value),
            number(self.low),
            number(self.high),
            count(self.count),
            count(self.of),
        ]
    }
}

/// The table's columns.
const HEADER: [&str; 9] =
    ["group_column", "group", "measure", "item", "value", "low", "high", "count", "of"];

/// The table as CSV; the groups of everybody have no names.
pub fn groups_csv(audit: &Audit) -> Result<String> {
    let summary = audit.summary;
    let mut table = Vec::new();
    let mut add = |column: &str, group: &str, lines: Vec<Line>| {
        table.extend(lines.into_iter().map(|line| line.cells(column, group)));
    };
    let errors = Line::number("errors", "", Some(audit.errors as f64), Some(audit.asked));
    add("", "", vec![errors]);
    add("", "", lines(&summary.overall));
    for column in &summary.by {
        for group in &column.groups {
            let mut own = lines(&group.figures);
            own.push(Line::estimate("rejected-difference", group.rejected_difference));
            own.push(Line::estimate("infeasible-difference", group.infeasible_difference));
            own.push(Line::estimate("cost-ratio", group.cost_ratio));
            add(&column.column, &group.group, own);
        }
    }
    csv_text(HEADER, table)
}

/// Lines of cells as CSV.
pub(super) fn csv_text<'a>(
    header: impl IntoIterator<Item = &'a str>,
    lines: impl IntoIterator<Item = Vec<String>>,
) -> Result<String> {
    let failed = |source: std::io::Error| Error::File { path: "table".into(), source };
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header).map_err(|error| failed(error.into()))?;
    for line in lines {
        writer.write_record(&line).map_err(|error| failed(error.into()))?;
    }
    let bytes = writer.into_inner().map_err(|error| failed(error.into_error()))?;
    String::from_utf8(bytes).map_err(|error| failed(std::io::Error::other(error)))
}

fn lines(figures: &Figures) -> Vec<Line> {
    let people = figures.applicants;
    let mut lines = vec![Line::number("applicants", "", Some(people as f64), None)];
    let shares = [
        ("accepted", figures.accepted),
        ("rejected", figures.rejected),
        ("with-plan", figures.with_plan),
        ("optimal", figures.optimal),
        ("feasible", figures.feasible),
        ("infeasible", figures.infeasible),
        ("timeout", figures.timeout),
    ];
    lines.extend(shares.map(|(measure, share)| Line::share(measure, "", share)));
    for (measure, quantiles) in figures.costs.named() {
        let Some(quantiles) = quantiles else { continue };
        let named = ["p5", "p25", "p50", "p75", "p95"].into_iter().zip(quantiles.values());
        lines.extend(
            named.map(|(item, value)| {
                Line::number(measure, item, Some(value), Some(quantiles.count))
            }),
        );
    }
    let features = figures.features.iter();
    lines.extend(features.map(|used| Line::share("feature", &used.feature, used.plans)));
    let reasons = figures.reasons.iter();
    lines.extend(reasons.map(|reason| Line::share("reason", &reason.reason, reason.people)));
    if let Some(principal) = &figures.principal_reasons {
        lines.push(Line::share("no-reason-actionable", "", principal.none_actionable));
        lines.push(Line::share("no-reason-flips", "", principal.none_flips));
        for used in &principal.features {
            lines.push(Line::share("principal-reason", &used.feature, used.people));
            lines.push(Line::share("principal-reason-actionable", &used.feature, used.actionable));
        }
    }
    lines
}
