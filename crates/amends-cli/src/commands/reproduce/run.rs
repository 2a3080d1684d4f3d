//! What the command does.

use std::io::Write;
use std::time::Instant;

use amends_reproduce::{Data, Finish, RESULTS, Reproduction};
use amends_run::Output;
use amends_run::interrupt::{self, STOP};

use super::args::ReproduceCommand;
use crate::commands::Outcome;
use crate::progress;

pub fn run(command: &ReproduceCommand) -> anyhow::Result<Outcome> {
    let began = Instant::now();
    let without_heloc = !command.study.data.contains(&Data::Heloc);
    let mut reproduction = Reproduction::open(command.study.clone(), &command.settings)?;
    if reproduction.repaired() {
        eprintln!("note: the last line of {RESULTS} was incomplete; its task is run again");
    }
    if without_heloc {
        eprintln!(
            "note: without HELOC, whose file may not be passed on; give yours with --heloc FILE"
        );
    }
    interrupt::handle_ctrl_c(crate::STOPPED)?;
    let before = reproduction.done();
    let bar = progress::bar_with_message(reproduction.tasks());
    let budget = command.budget.map(|budget| budget.saturating_sub(began.elapsed()));
    let finish = reproduction.run(budget, &STOP, &|progress| {
        bar.set_position(progress.done as u64);
        bar.set_message(progress.message);
    });
    bar.finish_and_clear();
    let finish = finish?;
    let page = reproduction.write_report(finish)?;
    let mut out = Output::standard();
    writeln!(
        out,
        "{} tasks done now, {before} before, in {:.0} s.{}",
        reproduction.done() - before,
        began.elapsed().as_secs_f64(),
        match finish {
            Finish::Done => "",
            Finish::Stopped => " Stopped: the report is partial; the same command continues.",
            Finish::OutOfBudget =>
                " The time of a quick run is used up: the report is partial; the same command continues.",
        }
    )?;
    writeln!(out, "Report: {}", page.display())?;
    out.finish()?;
    Ok(if finish == Finish::Stopped { Outcome::Stopped } else { Outcome::Answered })
}
