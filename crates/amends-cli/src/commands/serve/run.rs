//! Fits what is served, listens, and answers until Ctrl-C.

use std::io::{self, Write};

use amends_run::interrupt;
use amends_web::{Letters, Server, Service};

use super::args::ServeCommand;
use super::papers::LetterFiles;
use crate::commands::Outcome;
use crate::report::provenance_of;
use crate::source::Source;

pub fn run(command: ServeCommand) -> anyhow::Result<Outcome> {
    let ServeCommand { setup, engine, reasons, settings, papers, open } = command;
    let (source, raw) = Source::load_with_table(&setup.data)?;
    let (model, explainer) = source.fit(&setup, |costs| engine.check_cost(costs))?;
    let explainer = source.table.with_reason_group(explainer, reasons.group)?;
    let provenance = provenance_of((&setup, &engine), &source, &model)?;
    let wishes = setup.requirements.common_rules(&source.table.dataset.schema)?;
    let gap = engine.settings.relative_gap;
    let held_out = source.table.split.test;
    let mut service = Service::new((model, explainer), source.table.dataset, &wishes, &provenance)?
        .with_engine(engine.engine, gap)
        .with_max_reasons(reasons.most)
        .with_table(&raw)?
        .with_held_out(held_out);
    drop(raw);
    if let Some(files) = papers.letters {
        let LetterFiles { lender, source, law, template, page } = files;
        let letters = Letters::new((lender, &source), law, template, page, &provenance)?;
        service = service.with_letters(letters);
    }
    if let Some(receipts) = papers.receipts {
        service = service.with_receipts(receipts);
    }
    let server = Server::bind(service, settings)?;
    let stopper = server.stopper();
    interrupt::on_ctrl_c(crate::STOPPED, move || stopper.stop())?;
    announce(&server.url())?;
    if open && let Err(error) = opener::open_browser(server.url()) {
        eprintln!("note: the browser can't be opened ({error}); open the address yourself");
    }
    server.run()?;
    Ok(Outcome::Answered)
}

/// Written at once, so that a program that started the server knows that it listens.
fn announce(url: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "amends is at {url}\nPress Ctrl-C to stop")?;
    output.flush()
}
