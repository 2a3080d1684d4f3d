//! Answering a question on a thread of the queue.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use amends::answer::{Answer, Ask};
use amends::engine::{Control, Deadline, SolveSettings, Solving};
use amends::explain::Wishes;

use crate::app::App;
use crate::refusal::Refusal;
use crate::request::{Question, WishList};

/// Where no time is left, this much still is: settings must leave some.
const LEAST_TIME: Duration = Duration::from_millis(1);

/// A question that is being answered: its time runs, and somebody waits.
pub struct Answering<'a> {
    pub app: &'a App,
    pub question: &'a Question,
    deadline: Deadline,
    cancel: &'a AtomicBool,
}

impl Answering<'_> {
    /// Answers an applicant with these wishes, within the time that is left. One thread per request: several at the same time
    /// are answered side by side, and one thread gives the same plan every time.
    pub fn answer(&self, ask: &Ask, wishes: &Wishes) -> amends::Result<Answer> {
        self.answer_within(ask, wishes, 1)
    }

    /// The same within a part of the time that is left, as many such questions share it.
    pub fn answer_within(
        &self,
        ask: &Ask,
        wishes: &Wishes,
        sharers: u32,
    ) -> amends::Result<Answer> {
        let service = &self.app.service;
        let left = self.deadline.left().map(|left| (left / sharers.max(1)).max(LEAST_TIME));
        let settings = SolveSettings { time_limit: left, relative_gap: service.gap, threads: 1 };
        let control = Control { cancel: Some(self.cancel), progress: None };
        let solving = Solving { engine: &service.engine, settings: &settings, control: &control };
        ask.answer(&service.explainer, &self.question.applicant, wishes, &solving)
    }

    /// Whether the time is over.
    pub fn is_over(&self) -> bool {
        self.deadline.is_over()
    }

    /// What the library makes of some of the applicant's wishes.
    pub fn wishes(&self, list: &WishList) -> amends::Result<Wishes> {
        list.wishes(&self.app.service)
    }
}

/// Does work about a question once there is a thread for it; its time runs from then on.
pub async fn answer<T: Send + 'static>(
    app: App,
    question: Question,
    work: impl FnOnce(&Answering<'_>) -> amends::Result<T> + Send + 'static,
) -> Result<T, Refusal> {
    let solves = Arc::clone(&app.solves);
    let result = solves.run(move |cancel| {
        let deadline = Deadline::start(Some(question.time_limit));
        work(&Answering { app: &app, question: &question, deadline, cancel })
    });
    result.await?.map_err(Refusal::from)
}
