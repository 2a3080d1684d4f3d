//! Applicants answered side by side, as Python asked for them.

use std::sync::atomic::Ordering;

use amends::answer::{Ask, CachedAsk};
use amends::data::Record;
use amends::engine::Control;
use amends::engine::{Engine, SolveSettings, Solving};
use amends::explain::{Explainer, Wishes};
use amends::{Error, Large, Result};
use rayon::prelude::*;

use crate::answer::json;
use crate::watch::Shared;

/// The stack of a thread.
const THREAD: usize = 2 << 20;

/// What all applicants of a call share.
pub struct Batch<'a> {
    pub explainer: &'a Explainer,
    pub ask: Ask,
    pub wishes: Wishes,
    pub settings: SolveSettings,
    pub shared: &'a Shared,
}

impl Batch<'_> {
    /// Answers applicants in parallel, as JSON, each on one thread; a single one gets all threads.
    pub fn answer(&self, records: &[Record]) -> Result<Vec<String>> {
        let ask = CachedAsk::new(&self.ask, self.explainer);
        if let [record] = records {
            return Ok(vec![self.one(0, record, &ask, &self.settings)?]);
        }
        let threads = self.settings.threads.min(records.len()).max(1);
        let pool = pool(threads)?;
        let single = SolveSettings { threads: 1, ..self.settings.clone() };
        let one = |(index, record)| self.one(index, record, &ask, &single);
        pool.install(|| records.par_iter().enumerate().map(one).collect())
    }

    fn one(
        &self,
        index: usize,
        record: &Record,
        ask: &CachedAsk<'_>,
        settings: &SolveSettings,
    ) -> Result<String> {
        if self.shared.cancel.load(Ordering::Relaxed) {
            // Python raises an exception instead of looking at it.
            return Ok(String::new());
        }
        let control = Control { cancel: Some(&self.shared.cancel), progress: None };
        let solving = Solving { engine: &Engine::Search, settings, control: &control };
        let answer = ask.answer(record, &self.wishes, &solving);
        let answer = answer.map_err(|error| error.in_row(index + 1).in_file("X"))?;
        let text = json(&answer, record, self.explainer);
        self.shared.done.fetch_add(1, Ordering::Relaxed);
        Ok(text)
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
