//! Solved instances.

use std::fmt::Write;

use amends::engine::{SolveReport, Work};
use amends::instance::Instance;
use serde_json::{Value, json};

/// The JSON object that docs/instance-format.md describes.
pub fn solved_json(instance: &Instance, report: &SolveReport, provenance: &Value) -> Value {
    let solution = &report.solution;
    let plan = solution.plan.as_ref();
    let judged = plan.map(|plan| &plan.evaluation);
    let mut object = json!({
        "status": solution.status,
        "objective": judged.map(|judged| judged.objective),
        "bound": solution.bound,
        "gap": solution.gap(),
        "distance": judged.map(|judged| judged.distance),
        "outlier": judged.map(|judged| judged.outlier),
        "change_cost": judged.map(|judged| instance.cost().of_changes(judged.changes)),
        "nearest": judged.and_then(|judged| judged.nearest),
        "score": judged.map_or_else(|| instance.classifier().score(instance.x()), |judged| judged.score),
        "changes": changes(instance, report).iter().map(|&(feature, option)| json!({
            "name": instance.features()[feature].name,
            "option": option,
            "value": instance.features()[feature].options.row(option),
            "change": instance.features()[feature].change(instance.x(), option),
        })).collect::<Vec<_>>(),
        "seconds": solution.time.as_secs_f64(),
        "engine": report.engine(),
    });
    match &report.work {
        Work::Search(work) => object["nodes"] = work.nodes.into(),
        Work::Milp(work) => {
            object["formulation"] = work.formulation.name().into();
            object["solver"] = work.solver.clone().into();
            object["rows"] = work.rows.into();
            object["columns"] = work.columns.into();
            object["nonzeros"] = work.nonzeros.into();
            object["repairs"] = work.repairs.into();
            object["remark"] = work.remark.clone().into();
        }
    }
    object["provenance"] = provenance.clone();
    object
}

/// The features that a plan changes, with their options.
fn changes(instance: &Instance, report: &SolveReport) -> Vec<(usize, usize)> {
    let Some(plan) = &report.solution.plan else { return Vec::new() };
    let changed = |&(feature, option): &(usize, usize)| !instance.keeps(feature, option);
    plan.choice.iter().copied().enumerate().filter(changed).collect()
}

pub fn solved_text(instance: &Instance, report: &SolveReport) -> String {
    let solution = &report.solution;
    let mut text = format!("status     {}\n", solution.status.name());
    if let Some(plan) = &solution.plan {
        let judged = &plan.evaluation;
        let _ = writeln!(text, "objective  {}", judged.objective);
        let _ = writeln!(text, "distance   {}", judged.distance);
        let _ = writeln!(text, "outlier    {}", judged.outlier);
        if instance.cost().change_cost > 0.0 {
            let cost = instance.cost().of_changes(judged.changes);
            let _ = writeln!(
                text,
                "changes    {} x {} = {cost}",
                judged.changes,
                instance.cost().change_cost
            );
        }
        let _ = writeln!(text, "score      {}", judged.score);
    }
    if let Some(bound) = solution.bound {
        let _ = writeln!(text, "bound      {bound}");
    }
    for (feature, option) in changes(instance, report) {
        let feature = &instance.features()[feature];
        let (value, change) = (feature.options.row(option), feature.change(instance.x(), option));
        let _ = writeln!(text, "change     {} to {value:?}, by {change:?}", feature.name);
    }
    if let Work::Milp(work) = &report.work {
        let _ = writeln!(
            text,
            "program    {}: {} rows, {} columns, {} nonzeros, solved by {}",
            work.formulation.name(),
            work.rows,
            work.columns,
            work.nonzeros,
            work.solver
        );
    }
    if let Some(remark) = report.remark() {
        let _ = writeln!(text, "note       {remark}");
    }
    let _ = write!(text, "seconds    {:.3} ({})", solution.time.as_secs_f64(), report.engine());
    text
}
