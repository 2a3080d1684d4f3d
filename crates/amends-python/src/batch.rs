//! Applicants answered side by side, as Python asked for them.

use std::sync::atomic::Ordering;

use amends::data::Record;
use amends::engine::{Engine, SolveSettings};
use amends::explain::{Explainer, Wishes};
use amends::model::Model;
use amends::plans::{FrontEnd, SeveralEnd};
use amends::search::Control;
use amends::{Error, Large, Result, Status};
use rayon::prelude::*;

use crate::answer::json;
use crate::options::ExplainOptions;
use crate::watch::Beside;

/// The stack of a thread.
const THREAD: usize = 2 << 20;

/// One applicant's plans as JSON, and how the search for more than one ended: `all`, `no further`, `complete`, `capped` or
/// `stopped`.
pub type Told = (Vec<String>, &'static str);

/// What all applicants of a call share.
pub struct Batch<'a> {
    pub model: &'a Model,
    pub explainer: &'a Explainer,
    pub wishes: Wishes,
    pub settings: SolveSettings,
    pub options: &'a ExplainOptions,
    pub beside: &'a Beside,
}

impl Batch<'_> {
    /// Answers applicants in parallel, each on one thread; a single one gets all threads.
    pub fn answer(&self, records: &[Record]) -> Result<Vec<Told>> {
        if let [record] = records {
            return Ok(vec![self.one(0, record, &self.settings)?]);
        }
        let threads = self.settings.threads.min(records.len()).max(1);
        let pool = pool(threads)?;
        let single = SolveSettings { threads: 1, ..self.settings.clone() };
        let one = |(index, record)| self.one(index, record, &single);
        pool.install(|| records.par_iter().enumerate().map(one).collect())
    }

    fn one(&self, index: usize, record: &Record, settings: &SolveSettings) -> Result<Told> {
        if self.beside.cancel.load(Ordering::Relaxed) {
            return Ok((Vec::new(), "stopped"));
        }
        let control = Control { cancel: Some(&self.beside.cancel), progress: None };
        let engine = Engine::Search;
        let in_row = |error: Error| error.in_row(index + 1).in_file("X");
        let accepted = self.explainer.already_accepted(record, &self.wishes, &engine);
        if let Some(accepted) = accepted.map_err(in_row)? {
            self.beside.done.fetch_add(1, Ordering::Relaxed);
            let end = if self.options.front.is_some() { "complete" } else { "all" };
            return Ok((vec![json(&accepted, self.model, self.explainer).to_string()], end));
        }
        let case = self.explainer.case(record, &self.wishes).map_err(in_row)?;
        let (mut plans, end) = if let Some(front) = &self.options.front {
            let wanted = front.settings(self.explainer.settings().outlier);
            let (plans, end) = case.front(&wanted, &engine, settings, &control)?;
            // Whether there is no plan, or none was found in time, one solve tells.
            if plans.is_empty() {
                (vec![case.explain(&engine, settings, &control)?], front_end(end))
            } else {
                (plans, front_end(end))
            }
        } else if self.options.n_plans == 1 {
            (vec![case.explain(&engine, settings, &control)?], "all")
        } else {
            let (count, apart) = (self.options.n_plans, self.options.apart());
            let (plans, end) = case.several(count, apart, &engine, settings, &control)?;
            (plans, several_end(end))
        };
        if let [only] = &mut plans[..]
            && self.options.reasons
            && only.status == Status::Infeasible
        {
            only.why_none = Some(case.why_none(&engine, settings, &control)?);
        }
        let texts = plans.iter().map(|plan| json(plan, self.model, self.explainer).to_string());
        let told = (texts.collect(), end);
        self.beside.done.fetch_add(1, Ordering::Relaxed);
        Ok(told)
    }
}

/// So many threads, or as many as can be started.
fn pool(threads: usize) -> Result<rayon::ThreadPool> {
    let build = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let fewer =
        std::iter::successors(Some(threads), |&threads| (threads > 1).then_some(threads / 2));
    let started = fewer.map(build).find_map(std::result::Result::ok);
    started.ok_or_else(|| Error::Memory {
        what: "a thread".to_owned(),
        bytes: THREAD,
        large: Large::Search { threads: 1 },
    })
}

fn several_end(end: SeveralEnd) -> &'static str {
    match end {
        SeveralEnd::AllFound | SeveralEnd::AlreadyAccepted => "all",
        SeveralEnd::NoFurther => "no further",
        SeveralEnd::Stopped => "stopped",
    }
}

fn front_end(end: FrontEnd) -> &'static str {
    match end {
        FrontEnd::Complete | FrontEnd::AlreadyAccepted => "complete",
        FrontEnd::Capped { .. } => "capped",
        FrontEnd::Stopped { .. } => "stopped",
    }
}
