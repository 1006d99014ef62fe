//! The progress bar: rate and time left, on standard error, silent when that is no terminal.

use std::fmt::Write;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::cli::audit::question::Question;
use crate::math::decimal::thousands;

/// A bar, or nothing.
pub struct Progress(ProgressBar);

impl Progress {
    /// Draws nothing if `is_quiet` or if standard error is no terminal.
    pub fn start(question: &Question, is_quiet: bool) -> Progress {
        let target = if is_quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(question.decks_to_count(), target);
        let template = match question.decks_to_count() {
            Some(_) => "{wide_bar} {human_pos} of {human_len} decks, {rate} decks/s, {eta} left",
            None => "{spinner} {human_pos} decks, {rate} decks/s",
        };
        let rate = |state: &ProgressState, out: &mut dyn Write| {
            // A bar that cannot be written is no reason to stop counting.
            let _ = write!(out, "{}", thousands(state.per_sec() as u64));
        };
        let style = ProgressStyle::with_template(template).expect("the template is fixed");
        bar.set_style(style.with_key("rate", rate));
        bar.set_position(question.decks_counted());
        bar.reset_eta();
        Progress(bar)
    }

    /// Draws nothing.
    pub fn silent() -> Progress {
        Progress(ProgressBar::hidden())
    }

    /// The first look asked for the repeat: the bar begins again.
    pub fn begin_repeat(&self, question: &Question) {
        self.0.println("The first look says investigate; the declared repeat on the next decks begins.");
        self.0.set_length(question.decks_to_count().unwrap_or(0));
        self.0.set_position(0);
        self.0.reset_eta();
    }

    /// So many more decks are counted.
    pub fn add(&self, decks: u64) {
        self.0.inc(decks);
    }

    /// Clears the line.
    pub fn end(&self) {
        self.0.finish_and_clear();
    }
}
