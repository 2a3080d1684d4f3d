//! The benchmark's table.

use std::time::Duration;

use amends::Status;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

/// One model under one setting.
#[derive(Debug, Serialize)]
pub struct BenchCell {
    pub name: String,
    pub setting: String,
    pub search: Timing,
    /// How many times as fast two threads are as one, on the slowest applicants.
    pub two_threads: Option<f64>,
    /// Formulation, times, and the ratio of its median to the search's on the same applicants.
    pub milp: Vec<(&'static str, Timing, f64)>,
}

/// Many solves of one kind.
#[derive(Debug, Clone, Serialize)]
pub struct Timing {
    pub applicants: usize,
    /// Proven: optimal, infeasible, or already accepted.
    pub settled: usize,
    pub median: f64,
    pub worst: f64,
}

impl Timing {
    pub fn of(solves: &[(Status, Duration)]) -> Self {
        let mut times: Vec<f64> = solves.iter().map(|(_, time)| time.as_secs_f64()).collect();
        times.sort_by(f64::total_cmp);
        let count = times.len();
        let median =
            if count == 0 { 0.0 } else { f64::midpoint(times[(count - 1) / 2], times[count / 2]) };
        let open = |status: Status| matches!(status, Status::Feasible | Status::Timeout);
        Self {
            applicants: solves.len(),
            settled: solves.iter().filter(|(status, _)| !open(*status)).count(),
            median,
            worst: times.last().copied().unwrap_or_default(),
        }
    }
}

pub fn bench_table(cells: &[BenchCell], solver: &str) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let [reduced, compact] =
        ["reduced", "compact"].map(|f| format!("{solver} {f}, median (ratio)"));
    let header =
        ["model", "setting", "proven", "search, median", "worst", "2 threads", &reduced, &compact];
    table.set_header(header);
    for cell in cells {
        let milp = |formulation: &str| {
            let found = cell.milp.iter().find(|(name, _, _)| *name == formulation);
            found.map_or_else(String::new, |(_, timing, ratio)| {
                let unsettled = if timing.settled < timing.applicants { ">" } else { "" };
                format!(
                    "{unsettled}{} ({unsettled}{ratio:.0}), {} of {} proven",
                    duration(timing.median),
                    timing.settled,
                    timing.applicants
                )
            })
        };
        table.add_row([
            cell.name.clone(),
            cell.setting.clone(),
            format!("{} of {}", cell.search.settled, cell.search.applicants),
            duration(cell.search.median),
            duration(cell.search.worst),
            cell.two_threads.map_or_else(String::new, |times| format!("{times:.2} x")),
            milp("reduced"),
            milp("compact"),
        ]);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}

fn duration(seconds: f64) -> String {
    if seconds < 1.0 { format!("{:.1} ms", 1e3 * seconds) } else { format!("{seconds:.2} s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_in_the_middle() {
        let solves = |times: &[u64]| {
            times.iter().map(|&ms| (Status::Optimal, Duration::from_millis(ms))).collect::<Vec<_>>()
        };
        let median = |times: &[u64]| Timing::of(&solves(times)).median;
        assert!((median(&[3, 1, 2]) - 0.002).abs() < 1e-12);
        assert!((median(&[4, 1, 2, 3]) - 0.0025).abs() < 1e-12);
        assert!((median(&[7]) - 0.007).abs() < 1e-12);
        assert!((median(&[]) - 0.0).abs() < 1e-12);
        let open = [(Status::Feasible, Duration::ZERO), (Status::Infeasible, Duration::ZERO)];
        assert_eq!(Timing::of(&open).settled, 1);
    }
}
