//! What a search may spend, and what it has spent.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A time limit, an early end from outside, and a count of what was tried.
#[derive(Debug)]
pub struct Budget<'a> {
    began: Instant,
    limit: Option<Duration>,
    stop: Option<&'a AtomicBool>,
    states: AtomicU64,
}

impl<'a> Budget<'a> {
    /// Until the time is over or `stop` becomes true.
    pub fn new(limit: Option<Duration>, stop: Option<&'a AtomicBool>) -> Budget<'a> {
        Budget { began: Instant::now(), limit, stop, states: AtomicU64::new(0) }
    }

    /// As long as it takes.
    pub fn unlimited() -> Budget<'static> {
        Budget::new(None, None)
    }

    /// A part of what is left, for one model; it counts by itself.
    pub fn part(&self, limit: Duration) -> Budget<'a> {
        let left = self.left().map_or(limit, |left| left.min(limit));
        Budget::new(Some(left), self.stop)
    }

    /// Whether nothing is left.
    pub fn is_spent(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) || self.left() == Some(Duration::ZERO)
    }

    /// What ends it from outside.
    pub fn stop(&self) -> Option<&'a AtomicBool> {
        self.stop
    }

    /// Time left, if it is limited.
    pub fn left(&self) -> Option<Duration> {
        self.limit.map(|limit| limit.saturating_sub(self.began.elapsed()))
    }

    /// Time since the beginning.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// States or systems of equations that were tried.
    pub fn count(&self, states: u64) {
        self.states.fetch_add(states, Ordering::Relaxed);
    }

    /// How many were.
    pub fn counted(&self) -> u64 {
        self.states.load(Ordering::Relaxed)
    }
}
