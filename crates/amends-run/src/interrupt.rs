//! Ctrl-C: work stops in an orderly way, and what was done is kept.

use std::sync::atomic::{AtomicBool, Ordering};

use amends::answer::Answer;

/// Set by the first Ctrl-C.
pub static STOP: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C stops a run after its running solve; the second one ends the program at once. A general solver can't be
/// stopped in the middle: it ends by itself at its time limit.
pub fn handle_ctrl_c(exit_code: u8) -> anyhow::Result<()> {
    ctrlc::set_handler(move || {
        if STOP.swap(true, Ordering::SeqCst) {
            std::process::exit(i32::from(exit_code));
        }
        eprintln!(
            "\nstopping after the running solve (a general solver runs to its time limit); Ctrl-C again ends at once"
        );
    })?;
    Ok(())
}

/// From now on Ctrl-C does this; the second one ends the program at once.
pub fn on_ctrl_c(exit_code: u8, stop: impl Fn() + Send + 'static) -> anyhow::Result<()> {
    ctrlc::set_handler(move || {
        if STOP.swap(true, Ordering::SeqCst) {
            std::process::exit(i32::from(exit_code));
        }
        stop();
    })?;
    Ok(())
}

/// Whether Ctrl-C was pressed.
pub fn stopped() -> bool {
    STOP.load(Ordering::SeqCst)
}

/// Whether Ctrl-C may have cut an answer short: what was not proven by then is asked for again.
pub fn cut_short(answer: &Answer) -> bool {
    stopped() && !answer.is_settled()
}

/// Stops what is running, as Ctrl-C does.
pub fn stop() {
    STOP.store(true, Ordering::SeqCst);
}
