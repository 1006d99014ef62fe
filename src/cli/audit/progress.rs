//! The progress bar: rate and time left, on standard error, silent when that is no terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::audit::question::Question;

/// A bar, or nothing.
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// Draws nothing if `is_quiet` or if standard error is no terminal.
    pub(super) fn start(question: &Question, is_quiet: bool) -> Progress {
        let target = if is_quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(question.decks_to_count(), target);
        let template = match question.decks_to_count() {
            Some(_) => "{wide_bar} {human_pos} of {human_len} decks, {per_sec}, {eta} left",
            None => "{spinner} {human_pos} decks, {per_sec}",
        };
        bar.set_style(ProgressStyle::with_template(template).expect("the template is fixed"));
        bar.set_position(question.decks_counted());
        bar.reset_eta();
        Progress(bar)
    }

    /// So many more decks are counted.
    pub(super) fn add(&self, decks: u64) {
        self.0.inc(decks);
    }

    /// Clears the line.
    pub(super) fn end(&self) {
        self.0.finish_and_clear();
    }
}
