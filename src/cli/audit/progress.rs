//! The progress bar: rate and time left, on standard error, silent when that is no terminal.

use std::fmt::Write;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use deckproof_audit::session::{Session, Watch};
use deckproof_deck::text::decimal::thousands;

/// A killed run loses about this much, or ten times what saving takes if that is longer.
const SAVE_EVERY: Duration = Duration::from_secs(2);

/// How often a stream that is waited for is shown to be alive.
const TICK: Duration = Duration::from_millis(250);

/// A bar, or nothing, until it is dropped; it also keeps the time between two saves.
pub struct Progress {
    bar: ProgressBar,
    pacing: Mutex<Pacing>,
}

/// When a run is saved.
struct Pacing {
    /// When the last save began or ended, whichever was heard of last.
    since: Instant,
    pause: Duration,
}

impl Progress {
    /// Draws nothing if `is_quiet` or if standard error is no terminal.
    pub fn start(session: &Session, is_quiet: bool) -> Progress {
        let target = if is_quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(session.decks_to_count(), target);
        let arrivals = session.arrivals();
        let template = match (session.decks_to_count(), &arrivals) {
            (Some(_), None) => "{wide_bar} {human_pos} of {human_len} decks, {rate} decks/s, {eta} left",
            // A stream shows its decks as they come; whole segments are counted.
            (Some(_), Some(_)) => {
                "{spinner} {arrived} decks came, {human_pos} of {human_len} are counted, {elapsed}"
            }
            (None, _) => "{spinner} {arrived} decks came, {human_pos} are counted, {elapsed}",
        };
        let arrived = move |_: &ProgressState, out: &mut dyn Write| {
            let decks = arrivals.as_ref().map_or(0, |arrivals| arrivals.load(Ordering::Relaxed));
            let _ = write!(out, "{}", thousands(decks));
        };
        let rate = |state: &ProgressState, out: &mut dyn Write| {
            // A bar that cannot be written is no reason to stop counting.
            let _ = write!(out, "{}", thousands(state.per_sec() as u64));
        };
        let style = ProgressStyle::with_template(template).expect("the template is fixed");
        bar.set_style(style.with_key("rate", rate).with_key("arrived", arrived));
        if session.arrivals().is_some() {
            bar.enable_steady_tick(TICK);
        }
        bar.set_position(session.decks_counted());
        bar.reset_eta();
        Progress { bar, pacing: Mutex::new(Pacing { since: Instant::now(), pause: SAVE_EVERY }) }
    }
}

/// Clears the line.
impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Watch for Progress {
    fn counted(&self, decks: u64) {
        self.bar.inc(decks);
    }

    fn repeat_begins(&self, decks: u64) {
        self.bar.println("The first look says investigate; the declared repeat on the next decks begins.");
        self.bar.set_length(decks);
        self.bar.set_position(0);
        self.bar.reset_eta();
    }

    fn wants_save(&self) -> bool {
        let mut pacing = self.pacing.lock().expect("no holder panics");
        let is_due = pacing.since.elapsed() >= pacing.pause;
        if is_due {
            pacing.since = Instant::now();
        }
        is_due
    }

    fn saved(&self) -> io::Result<()> {
        let mut pacing = self.pacing.lock().expect("no holder panics");
        pacing.pause = SAVE_EVERY.max(10 * pacing.since.elapsed());
        pacing.since = Instant::now();
        Ok(())
    }
}
