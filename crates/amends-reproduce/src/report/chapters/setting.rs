//! Under which conditions everything was measured, and what is missing.

use super::ReportContext;
use crate::report::document::{Block, Table};
use crate::run::Finish;
use crate::task::{Data, Points};

pub fn blocks(context: &ReportContext) -> Vec<Block> {
    let mut blocks = vec![Block::Text(
        "Figures of the paper (Nguyen Thanh, Giang, Le Quy and Ban, 2025) stand beside those of this run. \
         Every distance and outlier factor below was recomputed from the changed application by code that shares \
         nothing with the engines."
            .to_owned(),
    )];
    blocks.extend(warnings(context).into_iter().map(Block::Warning));
    blocks.push(Block::Table(facts(context)));
    blocks
}

fn warnings(context: &ReportContext) -> Vec<String> {
    let mut warnings = Vec::new();
    let (done, tasks) = context.outcomes.progress();
    if done < tasks {
        let why = match context.finish {
            Finish::Stopped => "the run was stopped",
            Finish::OutOfBudget => "the time of a quick run was used up",
            Finish::Done => "some tasks could not be done",
        };
        warnings.push(format!(
            "A partial report: {done} of {tasks} tasks are done, because {why}. The same command continues where it stopped."
        ));
    }
    if !context.study.data.contains(&Data::Heloc) {
        warnings.push(
            "HELOC is missing: FICO's file may not be passed on with this program. Give your own copy with --heloc FILE."
                .to_owned(),
        );
    }
    if context.study.quick {
        warnings.push(
            "A quick run: few applicants, short limits, and forests by the search alone, because a general solver needs \
             minutes to hours for each."
                .to_owned(),
        );
    }
    warnings
}

fn facts(context: &ReportContext) -> Table {
    let mut table = Table::new("The conditions of this run.", 2, &["what", "value"]);
    let rows = [run_facts(context), study_facts(context)].concat();
    table.rows.extend(rows.into_iter().map(|(what, value)| vec![what.to_owned(), value]));
    table
}

/// A condition, and its value.
type Fact = (&'static str, String);

/// Where and how the run took place.
fn run_facts(context: &ReportContext) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut add = |what: &'static str, value: String| facts.push((what, value));
    let header = context.header;
    let conditions = &header.conditions;
    add("begun on", header.began.clone());
    add("program", format!("amends {}, commit {}", conditions.version, header.commit));
    add("machine", conditions.machine.clone());
    add("threads", format!("{} per solve, one solve at a time", conditions.threads));
    add("general solver", format!("{} (the paper: CPLEX 22.1.2)", conditions.solver));
    let limit = conditions.time_limit.map_or_else(
        || "the paper's: 1200 s up to N = 50, 3600 s above".to_owned(),
        |seconds| {
            format!("{seconds} s for every solve (the paper: 1200 s up to N = 50, 3600 s above)")
        },
    );
    add("time limit", limit);
    for &(data, (train, test, accepted)) in context.sizes {
        let codes = match data {
            Data::German => "",
            Data::Heloc => "; codes -7, -8 and -9 as 0, as DACE has them",
        };
        add(
            data.title(),
            format!("{train} rows to train on ({accepted} accepted), {test} held out{codes}"),
        );
    }
    facts
}

/// What was measured.
fn study_facts(context: &ReportContext) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut add = |what: &'static str, value: String| facts.push((what, value));
    let study = context.study;
    add(
        "applicants",
        format!("the first {} rejected held-out ones of each model", study.applicants),
    );
    add(
        "splits of Table 1",
        format!("{}, seeds from {}", study.splits, context.header.conditions.seed),
    );
    let costs = study.table_objective(Data::German).settings(study.preset, Data::German);
    add(
        "preset",
        format!(
            "{}: {} distance with the {} factor, 1-LOF with k = {} ({}), {} metric, raw columns, K = {}",
            costs.preset.name(),
            costs.distance.name(),
            costs.factor.name(),
            costs.k,
            if costs.k == 1 { "among the prototypes" } else { "densities among all accepted rows" },
            costs.metric.name(),
            costs.max_changes
        ),
    );
    add(
        "lambda",
        format!(
            "{} for German credit, {} for HELOC",
            study.lambda(Data::German),
            study.lambda(Data::Heloc)
        ),
    );
    add("what may change", "every feature, as in the papers".to_owned());
    let points: Vec<String> = study.points.iter().map(Points::to_string).collect();
    add("N", points.join(", "));
    add(
        "MD, 10-LOF",
        "Mahalanobis distance (2-norm, covariance of the rejected training rows); true 10-LOF among all accepted \
         training rows, squared Euclidean distances, raw units, as in DACE's published code"
            .to_owned(),
    );
    add(
        "starts and times",
        "programs start from a plan that the search guesses; seconds are wall-clock time of building and solving, without \
         reading data and fitting"
            .to_owned(),
    );
    facts
}
