//! Open nodes, threads, stopping: the search around the steps.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::{Condvar, Mutex, MutexGuard};

use crate::memory;
use crate::search::tree::node::{Node, Task};
use crate::search::tree::sets::Sets;
use crate::search::tree::step::Worker;

/// About this many bytes of open nodes are kept in order of promise; beyond it threads work off
/// their own nodes depth first, which needs little more.
const MEMORY: usize = 256 << 20;

/// Memory for nodes is asked for in steps of so many bytes.
const STEP: usize = 8 << 20;

/// What a search claims for nodes from the start: a step for open ones, and another for working depth first.
pub(in crate::search) const AT_FIRST: usize = 2 * STEP;

/// After this many nodes a search is long enough to look for a better plan with more effort.
const CLOSER: u64 = 64;

/// A node by its bound: the least comes first, of equals the larger part of the space.
struct Ranked(Node);

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .0
            .least_cost()
            .total_cmp(&self.0.least_cost())
            .then(self.0.share.total_cmp(&other.0.share))
    }
}

/// What the threads share.
struct Open {
    heap: BinaryHeap<Ranked>,
    bytes: usize,
    /// The bytes of nodes that threads keep for themselves.
    own: usize,
    /// The bytes of nodes that there is memory for, as far as it has been asked for.
    granted: usize,
    /// Whether threads had to give up because there was no memory left.
    short: bool,
    /// The bound of the node that each busy thread works on.
    busy: Vec<Option<f64>>,
    /// Threads that wait for a node.
    idle: usize,
    nodes: u64,
    /// The part of the space that is done with.
    done: f64,
}

impl Open {
    /// Whether more nodes can be kept in order of promise.
    fn has_room(&mut self) -> bool {
        self.bytes < MEMORY && self.is_granted()
    }

    /// Whether there is memory for some more nodes.
    fn is_granted(&mut self) -> bool {
        while self.bytes + self.own >= self.granted {
            if !memory::is_free(STEP) {
                return false;
            }
            self.granted += STEP;
        }
        // The list of nodes itself is copied when it grows.
        let list = self.heap.capacity() * size_of::<Ranked>();
        let grows = self.heap.len() == self.heap.capacity();
        !(grows && list > STEP / 8) || memory::is_free(2 * list)
    }

    /// Whether there is no memory left even for working depth first.
    fn is_short(&mut self) -> bool {
        if self.bytes + self.own >= self.granted + STEP && !self.is_granted() {
            self.short = true;
        }
        self.short
    }

    fn push(&mut self, node: Node) {
        self.bytes += size(&node);
        self.heap.push(Ranked(node));
    }

    fn pop(&mut self) -> Option<Node> {
        let Ranked(node) = self.heap.pop()?;
        self.bytes -= size(&node);
        Some(node)
    }

    /// The least bound of anything that is not done with.
    fn bound(&self) -> f64 {
        let waiting = self.heap.peek().map_or(f64::INFINITY, |node| node.0.least_cost());
        self.busy.iter().flatten().copied().fold(waiting, f64::min)
    }
}

/// How a search ended.
pub(in crate::search) struct Outcome {
    /// The least bound left open; infinity where nothing is.
    pub bound: f64,
    pub nodes: u64,
}

/// Called now and then with the least open bound and the share of the space that is done with.
pub(in crate::search) type Report<'a> = dyn Fn(f64, f64) + Sync + 'a;

/// Searches with several threads until nothing is open, or until the task is halted.
///
/// The error is the bytes of nodes for which there was no memory.
pub(in crate::search) fn run(
    task: &Task,
    threads: usize,
    report: &Report,
) -> Result<Outcome, usize> {
    let sets = Sets::new(task);
    let roots = task.roots(&sets);
    let bytes = roots.iter().map(size).sum();
    let heap = roots.into_iter().map(Ranked).collect();
    let open = Mutex::new(Open {
        heap,
        bytes,
        own: 0,
        granted: STEP,
        short: false,
        busy: vec![None; threads],
        idle: 0,
        nodes: 0,
        done: 0.0,
    });
    let wake = Condvar::new();
    std::thread::scope(|scope| {
        for thread in 1..threads {
            let (open, wake, sets) = (&open, &wake, &sets);
            let work = move || work(task, sets, thread, open, wake, report);
            // Fewer threads do the same work.
            if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work(task, &sets, 0, &open, &wake, report);
    });
    let open = open.into_inner().expect("no thread panics with the open nodes");
    if open.short {
        return Err(memory::with_claims(open.bytes + open.own));
    }
    Ok(Outcome { bound: open.bound(), nodes: open.nodes })
}

/// When to go down for a better plan. Regions are looked at in the order of their bounds, so that the best plan may be met
/// last; until then an expensive plan excludes little. Going down now and then, the best part first, meets good plans early.
struct Dive {
    /// How many nodes to go down before returning to the order of bounds.
    left: u64,
    /// Nodes until the next time, and what they were at first.
    wait: u64,
    pause: u64,
    /// The best plan's cost when it began.
    before: Option<f64>,
}

impl Dive {
    /// Nodes that a dive takes.
    const DEPTH: u64 = 48;

    fn new(task: &Task) -> Self {
        // Where the relaxed point tells where a plan is, it is rounded instead.
        let wanted = task.guesses && !task.score.gradual();
        Self { left: 0, wait: if wanted { 0 } else { u64::MAX }, pause: 64, before: None }
    }

    /// Whether the next node belongs to a dive.
    fn next(&mut self, task: &Task) -> bool {
        if self.left > 0 {
            self.left -= 1;
            if self.left == 0 {
                // The less comes of it, the rarer.
                let better = task.best.objective() != self.before;
                self.pause = if better { 64 } else { 2 * self.pause };
                self.wait = self.pause;
            }
            return true;
        }
        if self.wait == u64::MAX {
            return false;
        }
        if self.wait > 0 {
            self.wait -= 1;
            return false;
        }
        (self.left, self.before) = (Self::DEPTH, task.best.objective());
        true
    }
}

/// The nodes that a thread keeps for itself, and what they take.
#[derive(Default)]
struct OwnNodes {
    nodes: Vec<Node>,
    bytes: usize,
}

impl OwnNodes {
    fn push(&mut self, node: Node) {
        self.bytes += size(&node);
        self.nodes.push(node);
    }

    fn pop(&mut self) -> Option<Node> {
        let node = self.nodes.pop()?;
        self.bytes -= size(&node);
        Some(node)
    }

    fn take(&mut self) -> Vec<Node> {
        self.bytes = 0;
        std::mem::take(&mut self.nodes)
    }
}

/// The most promising open node, as soon as there is one; `None` where the search is over or halted.
fn await_node(
    task: &Task,
    thread: usize,
    mut open: MutexGuard<'_, Open>,
    wake: &Condvar,
) -> Option<Node> {
    loop {
        if (task.halted)() || open.short {
            return None;
        }
        if let Some(node) = open.pop() {
            open.busy[thread] = Some(node.least_cost());
            return Some(node);
        }
        if open.busy.iter().all(Option::is_none) {
            return None;
        }
        let pause = std::time::Duration::from_millis(1);
        open.idle += 1;
        open = wake.wait_timeout(open, pause).expect("no thread panics").0;
        open.idle -= 1;
    }
}

#[expect(
    clippy::too_many_lines,
    reason = "one loop with one lock, whose parts would need all of its variables"
)]
/// One thread: takes the most promising node, follows its best part down, leaves the others.
fn work(
    task: &Task,
    sets: &Sets,
    thread: usize,
    shared: &Mutex<Open>,
    wake: &Condvar,
    report: &Report,
) {
    let lock = || shared.lock().expect("no thread panics with the open nodes");
    let mut worker = Worker::new(task, sets);
    // Nodes that found no room among the open ones, or belong to a dive.
    let mut own = OwnNodes::default();
    // What they take, as others know it.
    let mut known_bytes = 0;
    let mut dive = Dive::new(task);
    loop {
        let mut next = own.pop().or_else(|| await_node(task, thread, lock(), wake));
        if next.is_none() {
            wake.notify_all();
            return;
        }
        while let Some(node) = next.take() {
            if (task.halted)() {
                own.push(node);
                break;
            }
            let mut children = worker.step(&node);
            if (task.halted)() {
                // A step that was cut short may have missed parts.
                own.push(node);
                break;
            }
            children.sort_by(|a, b| b.least_cost().total_cmp(&a.least_cost()));
            let mut open = lock();
            open.nodes += 1;
            if open.nodes == CLOSER {
                // Other threads go on meanwhile.
                drop(open);
                worker.look_closer();
                open = lock();
            }
            open.done += node.share - children.iter().map(|child| child.share).sum::<f64>();
            next = children.pop();
            let diving = dive.next(task);
            if !diving && open.has_room() {
                children.append(&mut own.take());
            }
            // Without any plan a thread goes down until it meets one; with one, it only stays with
            // what is most promising, because anything else may never need a look.
            if !diving
                && open.has_room()
                && task.best.objective().is_some()
                && let Some(waiting) = open.heap.peek()
                && next.as_ref().is_some_and(|child| child.least_cost() > waiting.0.least_cost())
            {
                children.extend(next.take());
            }
            let waiting = own.nodes.iter().chain(&children).chain(&next);
            let least = waiting.map(Node::least_cost).fold(f64::INFINITY, f64::min);
            for child in children {
                if !diving && open.has_room() {
                    open.push(child);
                    // Waking a thread is a call of the operating system, which costs much beside a small region.
                    if open.idle > 0 {
                        wake.notify_one();
                    }
                } else {
                    own.push(child);
                }
            }
            open.own = open.own + own.bytes - known_bytes;
            known_bytes = own.bytes;
            open.busy[thread] = (least < f64::INFINITY).then_some(least);
            if open.is_short() {
                return;
            }
            let due = open.nodes.is_multiple_of(256).then(|| (open.bound(), open.done));
            drop(open);
            if let Some((bound, done)) = due {
                report(bound, done);
            }
        }
        let mut open = lock();
        if (task.halted)() {
            open.heap.extend(own.take().into_iter().map(Ranked));
        }
        if own.nodes.is_empty() {
            open.busy[thread] = None;
        }
    }
}

/// About what a node takes, shared parts counted in full.
fn size(node: &Node) -> usize {
    size_of::<Node>()
        + node.region.spans.len() * 17
        + node.reach.size()
        + node.nearby.size()
        + 16 * node.relaxed.residual.len()
}
