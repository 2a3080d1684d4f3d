//! The queue of solves: so many at a time, so many waiting, each of which can be stopped.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::refusal::Refusal;

/// Nobody waits longer than this for a solve to begin.
const PATIENCE: Duration = Duration::from_secs(60);

/// A solve usually takes milliseconds, so the queue is soon shorter.
const TRY_AGAIN: u32 = 2;

/// Solves that run or wait.
#[derive(Debug)]
pub struct Solves {
    /// A place in the queue or at work.
    places: Arc<Semaphore>,
    /// A place at work.
    threads: Arc<Semaphore>,
    flags: Mutex<HashMap<u64, Arc<AtomicBool>>>,
    stopping: AtomicBool,
    began: AtomicU64,
    ended: AtomicU64,
    cancelled: AtomicU64,
}

/// How many solves there have been.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SolveCounts {
    /// Those that began.
    pub began: u64,
    /// Those of them that have ended, whatever their result.
    pub ended: u64,
    /// Those that nobody waited for any more, because the client went away or the server was stopped.
    pub cancelled: u64,
}

impl Solves {
    /// At most so many at a time, while at most so many wait.
    pub fn new(threads: usize, waiting: usize) -> Arc<Self> {
        Arc::new(Self {
            places: Arc::new(Semaphore::new(threads.saturating_add(waiting))),
            threads: Arc::new(Semaphore::new(threads)),
            flags: Mutex::default(),
            stopping: AtomicBool::new(false),
            began: AtomicU64::new(0),
            ended: AtomicU64::new(0),
            cancelled: AtomicU64::new(0),
        })
    }

    /// Does work on a thread that may be blocked, once there is room for it. The flag is set when nobody waits for the result
    /// any more: the future was dropped, or the server stops.
    pub async fn run<T, W>(self: &Arc<Self>, work: W) -> Result<T, Refusal>
    where
        T: Send + 'static,
        W: FnOnce(&AtomicBool) -> T + Send + 'static,
    {
        let places = Arc::clone(&self.places);
        let place = places
            .try_acquire_owned()
            .map_err(|_| self.refusal("too many requests are waiting already"))?;
        let thread = timeout(PATIENCE, Arc::clone(&self.threads).acquire_owned()).await;
        let thread = thread
            .map_err(|_| self.refusal("the requests before this one take too long"))?
            .map_err(|_| Refusal::stopping())?;
        let job = Job::begin(self, (place, thread));
        let mut waiter =
            Waiter { solves: Arc::clone(self), flag: Arc::clone(&job.flag), waits: true };
        // Stopping sets the flags that it finds: one that was added later is set here.
        if self.stopping.load(Ordering::SeqCst) {
            return Err(Refusal::stopping());
        }
        let work = move || {
            // The whole job, so that its places are free when the work has ended.
            let job = job;
            work(&job.flag)
        };
        let result = tokio::task::spawn_blocking(work).await;
        waiter.waits = false;
        result.map_err(|_| Refusal::broken())
    }

    /// Stops whatever runs, and lets nothing else begin.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
        self.threads.close();
        self.places.close();
        for flag in self.flags().values() {
            flag.store(true, Ordering::SeqCst);
        }
    }

    /// Whether the server stops.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    /// How many solves there have been.
    pub fn counts(&self) -> SolveCounts {
        let count = |counter: &AtomicU64| counter.load(Ordering::SeqCst);
        let (ended, cancelled) = (count(&self.ended), count(&self.cancelled));
        SolveCounts { began: count(&self.began), ended, cancelled }
    }

    fn refusal(&self, message: &str) -> Refusal {
        if self.is_stopping() { Refusal::stopping() } else { Refusal::busy(message, TRY_AGAIN) }
    }

    fn flags(&self) -> MutexGuard<'_, HashMap<u64, Arc<AtomicBool>>> {
        self.flags.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A solve at work. Its places are free when it ends, not when its client goes away.
struct Job {
    solves: Arc<Solves>,
    id: u64,
    flag: Arc<AtomicBool>,
    _places: (OwnedSemaphorePermit, OwnedSemaphorePermit),
}

impl Job {
    fn begin(solves: &Arc<Solves>, places: (OwnedSemaphorePermit, OwnedSemaphorePermit)) -> Self {
        let id = solves.began.fetch_add(1, Ordering::SeqCst);
        let flag = Arc::new(AtomicBool::new(false));
        solves.flags().insert(id, Arc::clone(&flag));
        Self { solves: Arc::clone(solves), id, flag, _places: places }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.solves.flags().remove(&self.id);
        self.solves.ended.fetch_add(1, Ordering::SeqCst);
    }
}

/// Whoever waits for a result: when it is dropped early, the work is stopped.
struct Waiter {
    solves: Arc<Solves>,
    flag: Arc<AtomicBool>,
    waits: bool,
}

impl Drop for Waiter {
    fn drop(&mut self) {
        if self.waits {
            self.flag.store(true, Ordering::SeqCst);
            self.solves.cancelled.fetch_add(1, Ordering::SeqCst);
        }
    }
}
