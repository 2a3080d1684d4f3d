//! Progress on standard error, shown only where a person watches.

use std::time::Duration;

use amends::search::Progress;
use indicatif::{ProgressBar, ProgressStyle};

/// A bar over a known number of steps.
pub fn bar(steps: usize, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(steps as u64);
    let style = ProgressStyle::with_template("{msg} [{bar:30}] {pos}/{len}, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ");
    bar.set_style(style);
    bar.set_message(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

/// A bar over a known number of steps of very different length: the message says how long they will take.
pub fn bar_with_message(steps: usize) -> ProgressBar {
    let bar = ProgressBar::new(steps as u64);
    let style = ProgressStyle::with_template("[{bar:30}] {pos}/{len}, {wide_msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ");
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

/// A sign of life for work of unknown length.
pub fn spinner(what: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    bar.set_message(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

/// One solve: a sign of life for any engine, and what the search reports on its way.
pub struct Watch(ProgressBar);

impl Watch {
    pub fn start() -> Self {
        Self(spinner("solving"))
    }

    pub fn report(&self, progress: Progress) {
        let best = progress.best.map_or_else(|| "none yet".to_owned(), |best| format!("{best:.6}"));
        self.0.set_message(format!(
            "solving: best {best}, bound {:.6}, {:.0} % of the space done",
            progress.bound,
            100.0 * progress.share
        ));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
