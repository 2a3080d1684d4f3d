//! The exact engine.

mod probe;
mod reference;
mod space;
mod start;

pub use start::start_plan;

// Until the search proper is here, the good plan that it starts from, without a bound.
/// stub
pub struct SearchSettings {
    /// x
    pub time_limit: Option<std::time::Duration>,
    /// x
    pub threads: usize,
    /// x
    pub relative_gap: f64,
}
/// stub
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// x
    pub best: Option<f64>,
    /// x
    pub bound: f64,
    /// x
    pub share: f64,
}
/// stub
#[derive(Default, Clone, Copy)]
pub struct Control<'a> {
    /// x
    pub cancel: Option<&'a std::sync::atomic::AtomicBool>,
    /// x
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
}
/// stub
#[derive(Debug, Clone)]
pub struct SearchReport {
    /// x
    pub solution: crate::Solution,
    /// x
    pub sets: u64,
    /// x
    pub boxes: u64,
}
/// stub
pub fn search(
    instance: &crate::instance::Instance,
    s: &SearchSettings,
    _c: &Control<'_>,
) -> crate::Result<SearchReport> {
    let _ = s.relative_gap;
    let plan = start_plan(instance);
    let status = if plan.is_some() { crate::Status::Feasible } else { crate::Status::Timeout };
    Ok(SearchReport {
        solution: crate::Solution { status, plan, bound: None, time: std::time::Duration::ZERO },
        sets: 0,
        boxes: 0,
    })
}
