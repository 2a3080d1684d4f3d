//! The figures of all applicants, and of each group compared with them.

use std::cmp::Reverse;
use std::collections::HashMap;

use serde::Serialize;

use super::figures::PeopleTally;
use super::{AuditRow, Estimate, Figures, GroupColumn, Share};

/// Groups of fewer people than this are called small where nothing else is said.
pub const SMALL_GROUP: usize = 10;

/// An audit in figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Groups of fewer people are small.
    pub small_group: usize,
    /// Everybody.
    pub overall: Figures,
    /// By each column.
    pub by: Vec<ColumnSummary>,
}

/// The groups of one column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnSummary {
    /// The column's name in the table.
    pub column: String,
    /// Its title for people.
    pub title: String,
    /// Its groups, without empty ones.
    pub groups: Vec<GroupSummary>,
}

/// One group, compared with the others: all people of the column's other groups. Two groups are compared with each other.
///
/// The others and not all, because only of separate people are there established intervals.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupSummary {
    /// Who they are.
    pub group: String,
    /// Whether they are so few that their figures say little.
    pub small: bool,
    /// What became of them.
    pub figures: Figures,
    /// The share of people whom the model rejects, minus that of the others.
    pub rejected_difference: Option<Estimate>,
    /// The share of the rejected who provably have no plan, minus that of the others.
    pub infeasible_difference: Option<Estimate>,
    /// The median cost of their plans as a multiple of the others'.
    pub cost_ratio: Option<Estimate>,
}

impl Summary {
    /// Counts rows overall and by the groups that they name for each column.
    pub fn of(rows: &[AuditRow], by: &[GroupColumn], small_group: usize) -> Self {
        let mut tally = Tally::new(by.to_vec());
        for row in rows {
            tally.add(row);
        }
        tally.summary(small_group)
    }
}

/// Rows counted one at a time, overall and by group, for more people than fit into memory.
#[derive(Debug, Clone)]
pub struct Tally {
    overall: PeopleTally,
    by: Vec<(GroupColumn, HashMap<String, PeopleTally>)>,
}

impl Tally {
    /// Nobody yet.
    pub fn new(by: Vec<GroupColumn>) -> Self {
        let by = by.into_iter().map(|column| (column, HashMap::new())).collect();
        Self { overall: PeopleTally::default(), by }
    }

    /// Counts one more.
    pub fn add(&mut self, row: &AuditRow) {
        self.overall.add(row);
        for (column, groups) in &mut self.by {
            if let Some(group) = row.groups.get(&column.name) {
                groups.entry(group.clone()).or_default().add(row);
            }
        }
    }

    /// Everybody who was counted in figures; groups of fewer than `small_group` people are small.
    pub fn summary(&self, small_group: usize) -> Summary {
        let overall = self.overall.figures();
        let column =
            |(column, members): &(GroupColumn, HashMap<String, PeopleTally>)| ColumnSummary {
                column: column.name.clone(),
                title: column.title.clone(),
                groups: compare(&in_order(members, column), small_group),
            };
        let by = self.by.iter().map(column).collect();
        Summary { small_group, overall, by }
    }
}

/// The groups that have anybody in them: in the column's order, then by size, then by the alphabet.
fn in_order<'a>(
    groups: &'a HashMap<String, PeopleTally>,
    column: &GroupColumn,
) -> Vec<(&'a str, &'a PeopleTally)> {
    let rank = |group: &str| {
        column.order.iter().position(|known| known == group).unwrap_or(column.order.len())
    };
    let mut groups: Vec<(&str, &PeopleTally)> =
        groups.iter().map(|(group, members)| (group.as_str(), members)).collect();
    groups.sort_by_cached_key(|(group, members)| (rank(group), Reverse(members.people()), *group));
    groups
}

/// Every group beside the others.
fn compare(groups: &[(&str, &PeopleTally)], small_group: usize) -> Vec<GroupSummary> {
    // Sorted once: the costs of a group, and of the others, are then in order, too.
    let costs = groups.iter().enumerate();
    let mut costs: Vec<(f64, usize)> = costs
        .flat_map(|(group, (_, members))| members.costs().map(move |cost| (cost, group)))
        .collect();
    costs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let count = |number: fn(&PeopleTally) -> usize| -> usize {
        groups.iter().map(|(_, members)| number(members)).sum()
    };
    let people = count(PeopleTally::people);
    let (rejected, infeasible) = (count(PeopleTally::rejected), count(PeopleTally::infeasible));
    let summary = |(index, &(group, members)): (usize, &(&str, &PeopleTally))| {
        let figures = members.figures();
        let (own, others): (Vec<_>, Vec<_>) = costs.iter().partition(|&&(_, of)| of == index);
        let cost = |(cost, _): (f64, usize)| cost;
        let own: Vec<f64> = own.into_iter().map(cost).collect();
        let others: Vec<f64> = others.into_iter().map(cost).collect();
        let other_rejected = rejected - members.rejected();
        let others_rejected = Share::of(other_rejected, people - members.people());
        let others_infeasible = Share::of(infeasible - members.infeasible(), other_rejected);
        GroupSummary {
            group: group.to_owned(),
            small: members.people() < small_group,
            rejected_difference: Estimate::of_difference(figures.rejected, others_rejected),
            infeasible_difference: Estimate::of_difference(figures.infeasible, others_infeasible),
            cost_ratio: Estimate::of_median_ratio(&own, &others),
            figures,
        }
    };
    groups.iter().enumerate().map(summary).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::Status;
    use crate::audit::AuditedPlan;
    use crate::explain::PlanCosts;

    fn plan(changed: &[&str], objective: f64) -> AuditedPlan {
        AuditedPlan {
            changes: changed.len(),
            changed: changed.iter().map(|&name| name.to_owned()).collect(),
            costs: PlanCosts {
                objective,
                distance: objective / 2.0,
                outlier: objective / 2.0,
                change_cost: 0.0,
                mahalanobis: objective / 2.0,
                lof: 1.0,
            },
        }
    }

    fn row(row: usize, region: &str, status: Status, plan: Option<AuditedPlan>) -> AuditRow {
        AuditRow {
            row,
            groups: BTreeMap::from([("region".to_owned(), region.to_owned())]),
            status,
            plan,
            seconds: row as f64,
            reason: (status == Status::Infeasible).then(|| "income may not rise".to_owned()),
            principal_reasons: None,
            solver_failed: false,
        }
    }

    /// North: one accepted, two plans. South: a plan, one without, one out of time. East: one accepted.
    fn rows() -> Vec<AuditRow> {
        vec![
            row(1, "north", Status::AlreadyAccepted, None),
            row(2, "north", Status::Optimal, Some(plan(&["debt"], 1.0))),
            row(3, "south", Status::Feasible, Some(plan(&["debt", "income"], 4.0))),
            row(4, "north", Status::Optimal, Some(plan(&["income"], 2.0))),
            row(5, "south", Status::Infeasible, None),
            row(6, "south", Status::Timeout, None),
            row(7, "east", Status::AlreadyAccepted, None),
        ]
    }

    fn column(order: &[&str]) -> GroupColumn {
        let order = order.iter().map(|&group| group.to_owned()).collect();
        GroupColumn { name: "region".into(), title: "Region".into(), order }
    }

    #[test]
    fn everybody_is_counted_once() {
        let overall = Summary::of(&rows(), &[], 10).overall;
        assert_eq!((overall.applicants, overall.accepted.count, overall.rejected.count), (7, 2, 5));
        assert_eq!((overall.optimal.count, overall.feasible.count), (2, 1));
        assert_eq!((overall.infeasible.count, overall.timeout.count), (1, 1));
        assert_eq!((overall.with_plan.count, overall.with_plan.of), (3, 5));
        assert_eq!(overall.accepted.share, Some(2.0 / 7.0));
        let costs = &overall.costs;
        let objective = costs.objective.unwrap();
        assert_eq!((objective.count, objective.p50), (3, 2.0));
        assert_eq!(costs.changes.unwrap().p50, 1.0);
        // Time is that of all five rejected, with a plan or without.
        assert_eq!((costs.seconds.unwrap().count, costs.seconds.unwrap().p50), (5, 4.0));
    }

    #[test]
    fn features_and_reasons_come_by_their_number() {
        let mut rows = rows();
        rows.push(row(8, "east", Status::Optimal, Some(plan(&["income"], 3.0))));
        let overall = Summary::of(&rows, &[], 10).overall;
        let found: Vec<(&str, usize, usize)> = overall
            .features
            .iter()
            .map(|used| (used.feature.as_str(), used.plans.count, used.plans.of))
            .collect();
        assert_eq!(found, [("income", 3, 4), ("debt", 2, 4)]);
        assert_eq!(overall.reasons.len(), 1);
        assert_eq!(overall.reasons[0].reason, "income may not rise");
        assert_eq!((overall.reasons[0].people.count, overall.reasons[0].people.of), (1, 1));
    }

    #[test]
    fn groups_stand_beside_everybody() {
        let summary = Summary::of(&rows(), &[column(&[])], 3);
        let groups = &summary.by[0].groups;
        let names: Vec<&str> = groups.iter().map(|group| group.group.as_str()).collect();
        assert_eq!(names, ["north", "south", "east"], "by size, then by the alphabet");
        assert_eq!(
            groups.iter().map(|group| group.small).collect::<Vec<_>>(),
            [false, false, true]
        );
        let [north, south, east] = &groups[..] else { panic!("three groups") };
        // Costs: 1 and 2 in the north, 4 in the south, none in the east.
        let value = |estimate: Option<Estimate>| estimate.map(|estimate| estimate.value);
        assert_eq!(
            (value(north.cost_ratio), value(south.cost_ratio)),
            (Some(0.375), Some(4.0 / 1.5))
        );
        assert_eq!(north.cost_ratio.unwrap().high, None, "two costs have no interval");
        assert_eq!((east.cost_ratio, east.infeasible_difference), (None, None));
        // Without a plan: none of 2 in the north, 1 of 3 in the south. Rejected: 2 of 3, 3 of 3 and 0 of 1.
        assert_eq!(value(north.infeasible_difference), Some(-1.0 / 3.0));
        assert_eq!(value(south.infeasible_difference), Some(1.0 / 3.0));
        assert_eq!(value(north.rejected_difference), Some(2.0 / 3.0 - 3.0 / 4.0));
        assert_eq!(value(east.rejected_difference), Some(-5.0 / 6.0));
        let share = Estimate::of_difference(Share::of(1, 3), Share::of(0, 2));
        assert_eq!(south.infeasible_difference, share);
        assert_eq!(groups.iter().map(|group| group.figures.applicants).sum::<usize>(), 7);
    }

    #[test]
    fn a_single_group_has_nobody_to_be_compared_with() {
        let rows: Vec<AuditRow> =
            rows().into_iter().filter(|row| row.groups["region"] == "north").collect();
        let summary = Summary::of(&rows, &[column(&[])], 3);
        let north = &summary.by[0].groups[0];
        assert_eq!((north.cost_ratio, north.rejected_difference), (None, None));
    }

    #[test]
    fn a_column_s_own_order_goes_before_size() {
        let summary = Summary::of(&rows(), &[column(&["west", "east", "south"])], 3);
        let names: Vec<&str> =
            summary.by[0].groups.iter().map(|group| group.group.as_str()).collect();
        assert_eq!(names, ["east", "south", "north"], "nobody is in the west");
    }

    #[test]
    fn nobody_has_no_figures() {
        let summary = Summary::of(&[], &[column(&["west"])], 10);
        assert_eq!(summary.overall.with_plan.share, None);
        assert_eq!(summary.overall.costs.objective, None);
        assert!(summary.by[0].groups.is_empty());
    }

    #[test]
    fn rows_survive_their_file() {
        for row in rows() {
            let line = serde_json::to_string(&row).unwrap();
            assert_eq!(serde_json::from_str::<AuditRow>(&line).unwrap(), row, "{line}");
        }
    }
}
