//! Progress on standard error, shown only where a person watches.

use std::time::Duration;

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

/// A sign of life for work of unknown length.
pub fn spinner(what: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    bar.set_message(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}
