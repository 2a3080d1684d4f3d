//! `amends check-rules`: whether real people keep the rules that plans will have to keep.

use std::io::Write;

use super::Ending;
use amends_run::output::{Output, check_place};

use crate::args::{CheckRulesArgs, Format};
use crate::report::{rules_csv, rules_json, rules_text};
use crate::source::load_dataset;

pub fn run(args: CheckRulesArgs) -> anyhow::Result<Ending> {
    let CheckRulesArgs { file, mut table, format, output } = args;
    table.data = table.data.or(file);
    if let Some(path) = &output {
        check_place(path)?;
    }
    let (dataset, _) = load_dataset(&table)?;
    let tallies = dataset.tally_rules();
    let mut out = Output::to(output.as_deref())?;
    match format {
        Format::Text => writeln!(out, "{}", rules_text(&dataset, &tallies))?,
        Format::Json => {
            for tally in &tallies {
                writeln!(out, "{}", rules_json(&dataset, tally))?;
            }
        }
        Format::Csv => rules_csv(&mut out, &dataset, &tallies)?,
    }
    out.finish()?;
    Ok(Ending::Answered)
}
