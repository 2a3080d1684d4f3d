//! The queue of solves: so many at a time, so many waiting, each of which can be stopped; and solves in the background, which only
//! take threads that nobody waits for.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, TryAcquireError};
use tokio::time::timeout;

use crate::refusal::Refusal;

/// Nobody waits longer than this for a solve to begin.
const PATIENCE: Duration = Duration::from_secs(60);

/// Background solves that found no free thread look again after this time, if not woken before.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

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
    /// Wakes background solves when a thread may be free.
    freed: (Mutex<()>, Condvar),
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
            freed: (Mutex::new(()), Condvar::new()),
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
        let job = Job::begin(self, Arc::default(), (Some(place), thread));
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

    /// Waits for a thread that nobody else waits for, and takes it until the result is dropped: between the solves of a background
    /// job everybody else goes first. The flag is set when the server stops. `None` where it is set already.
    pub fn in_background(self: &Arc<Self>, flag: &Arc<AtomicBool>) -> Option<Job> {
        loop {
            if self.is_stopping() || flag.load(Ordering::SeqCst) {
                return None;
            }
            // A thread that somebody waits for is never free: whoever gives it back gives it to the first who waits.
            match Arc::clone(&self.threads).try_acquire_owned() {
                Ok(thread) => {
                    let job = Job::begin(self, Arc::clone(flag), (None, thread));
                    return (!self.is_stopping()).then_some(job);
                }
                Err(TryAcquireError::Closed) => return None,
                Err(TryAcquireError::NoPermits) => self.wait_for_thread(),
            }
        }
    }

    /// Wakes background solves that wait for a thread, so that they look at their flags.
    pub fn wake(&self) {
        drop(self.freed.0.lock());
        self.freed.1.notify_all();
    }

    fn wait_for_thread(&self) {
        let guard = self.freed.0.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.freed.1.wait_timeout(guard, LOOK_AGAIN));
    }

    /// Stops whatever runs, and lets nothing else begin.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
        self.threads.close();
        self.places.close();
        for flag in self.flags().values() {
            flag.store(true, Ordering::SeqCst);
        }
        self.wake();
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

/// What a solve takes: a place in the queue, unless it works in the background, and one at work.
type Places = (Option<OwnedSemaphorePermit>, OwnedSemaphorePermit);

/// A solve at work. Its places are free when it ends, not when its client goes away.
#[derive(Debug)]
pub struct Job {
    solves: Arc<Solves>,
    id: u64,
    flag: Arc<AtomicBool>,
    places: Option<Places>,
}

impl Job {
    fn begin(solves: &Arc<Solves>, flag: Arc<AtomicBool>, places: Places) -> Self {
        let id = solves.began.fetch_add(1, Ordering::SeqCst);
        solves.flags().insert(id, Arc::clone(&flag));
        Self { solves: Arc::clone(solves), id, flag, places: Some(places) }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.solves.flags().remove(&self.id);
        drop(self.places.take());
        self.solves.ended.fetch_add(1, Ordering::SeqCst);
        self.solves.wake();
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    /// Which solves began, in order, where one in the background holds the only thread while others come.
    #[test]
    fn whoever_waits_goes_before_the_background() {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let solves = Solves::new(1, 8);
        let flag = Arc::default();
        let (began, order) = channel();
        let first = solves.in_background(&flag).unwrap();
        let background = {
            let (solves, flag, began) = (Arc::clone(&solves), Arc::clone(&flag), began.clone());
            std::thread::spawn(move || {
                for _ in 0..3 {
                    let job = solves.in_background(&flag).unwrap();
                    began.send("background").unwrap();
                    drop(job);
                }
            })
        };
        let asked: Vec<_> = (0..3)
            .map(|_| {
                let (solves, began) = (Arc::clone(&solves), began.clone());
                runtime.spawn(async move {
                    solves.run(move |_| began.send("asked").unwrap()).await.map_err(|_| ())
                })
            })
            .collect();
        // All three wait: their places are taken.
        while solves.places.available_permits() > 9 - 3 {
            std::thread::yield_now();
        }
        std::thread::sleep(2 * LOOK_AGAIN);
        assert!(order.try_recv().is_err(), "the thread is taken");
        drop(first);
        background.join().unwrap();
        for one in asked {
            runtime.block_on(one).unwrap().unwrap();
        }
        let order: Vec<&str> = order.try_iter().collect();
        assert_eq!(order, ["asked", "asked", "asked", "background", "background", "background"]);
    }

    #[test]
    fn the_background_ends_when_it_is_cancelled_or_all_stops() {
        let solves = Solves::new(1, 8);
        let held = solves.in_background(&Arc::default()).unwrap();
        let flag = Arc::new(AtomicBool::new(false));
        let waits = {
            let (solves, flag) = (Arc::clone(&solves), Arc::clone(&flag));
            std::thread::spawn(move || solves.in_background(&flag).is_none())
        };
        flag.store(true, Ordering::SeqCst);
        solves.wake();
        assert!(waits.join().unwrap());
        solves.stop();
        assert!(held.flag.load(Ordering::SeqCst), "whoever works hears of it");
        assert!(solves.in_background(&Arc::default()).is_none());
    }
}
