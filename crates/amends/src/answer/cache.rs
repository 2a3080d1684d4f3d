//! Equal applicants are answered once.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Answer, Ask};
use crate::Result;
use crate::data::{Record, Value};
use crate::engine::Solving;
use crate::explain::{Explainer, Explanation, Wishes};

/// Answers that took less time are not kept: solving again is as quick as looking for them.
const WORTH_KEEPING: Duration = Duration::from_millis(1);

/// At most so many different applications are kept, a few kilobytes each. All are dropped when there are more.
const MOST: usize = 256;

/// Answers by the application's values, with the wishes that they hold for.
type Known = HashMap<Vec<(u8, u64)>, (Wishes, Answer)>;

/// A question whose answers are kept for equal applicants: real tables have many, such as people of whom nothing is known.
///
/// Only settled answers are kept ([`Answer::is_settled`]): more time could not change them. Who gets an answer that is kept also gets
/// its solve time.
pub struct CachedAsk<'a> {
    ask: &'a Ask,
    explainer: &'a Explainer,
    known: Mutex<Known>,
}

impl<'a> CachedAsk<'a> {
    /// Nothing is known yet.
    pub fn new(ask: &'a Ask, explainer: &'a Explainer) -> Self {
        Self { ask, explainer, known: Mutex::default() }
    }

    /// Answers one applicant under the schema's rules and their own, as [`Ask::answer`] does. All calls must have equal engines
    /// and gaps; the time limit may differ.
    pub fn answer(
        &self,
        applicant: &Record,
        wishes: &Wishes,
        solving: &Solving<'_>,
    ) -> Result<Answer> {
        let key: Vec<(u8, u64)> = applicant.iter().copied().map(bits).collect();
        if let Some((same, answer)) = self.lock().get(&key)
            && same == wishes
        {
            return Ok(answer.clone());
        }
        let answer = self.ask.answer(self.explainer, applicant, wishes, solving)?;
        let time: Duration = answer.plans().iter().map(time).sum();
        if time >= WORTH_KEEPING && answer.is_settled() && !answer.solver_failed() {
            let mut known = self.lock();
            if known.len() >= MOST {
                known.clear();
            }
            known.insert(key, (wishes.clone(), answer.clone()));
        }
        Ok(answer)
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        // A thread that panicked can't have left an entry half written.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn time(explanation: &Explanation) -> Duration {
    let why_none = explanation.why_none.as_ref().map_or(Duration::ZERO, |why| why.time);
    explanation.time + why_none
}

/// A value as bits that can be compared and hashed.
fn bits(value: Value) -> (u8, u64) {
    match value {
        Value::Number(number) => (0, number.to_bits()),
        Value::Level(level) => (1, level as u64),
        Value::Code(code) => (2, code as u64),
    }
}
