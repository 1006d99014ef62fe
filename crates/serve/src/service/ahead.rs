//! Syncs of everything by another thread, ahead of the one that all tables wait for: what other programs left on the disk
//! may take minutes.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A sync that takes no longer may be waited for.
const SHORT: Duration = Duration::from_millis(20);

/// So often it is tried, for others may write all the time.
const ROUNDS_MAX: u32 = 8;

/// What makes everything durable.
type SyncAll = Arc<dyn Fn() -> io::Result<()> + Send + Sync>;

/// Syncs, one after the other, until little is left.
pub struct SyncAhead {
    sync: SyncAll,
    running: Option<JoinHandle<io::Result<Duration>>>,
    rounds: u32,
}

impl SyncAhead {
    /// No sync runs yet.
    pub fn of(sync: SyncAll) -> SyncAhead {
        SyncAhead { sync, running: None, rounds: 0 }
    }

    /// Whether the next sync will be short; until then one runs, and nobody waits for it.
    ///
    /// # Errors
    /// The operating system's.
    pub fn is_done(&mut self) -> io::Result<bool> {
        if self.running.as_ref().is_some_and(|running| !running.is_finished()) {
            return Ok(false);
        }
        if let Some(running) = self.running.take() {
            let took = running.join().unwrap_or_else(|_| Err(io::Error::other("the sync ended")))?;
            if took <= SHORT || self.rounds >= ROUNDS_MAX {
                self.rounds = 0;
                return Ok(true);
            }
        }
        let sync = Arc::clone(&self.sync);
        let timed = move || {
            let begin = Instant::now();
            sync().map(|()| begin.elapsed())
        };
        self.running = Some(thread::Builder::new().name("sync".to_owned()).spawn(timed)?);
        self.rounds += 1;
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::sync::{Mutex, PoisonError};

    use super::*;

    /// Until the running sync has ended.
    fn until_done(ahead: &mut SyncAhead) -> io::Result<()> {
        while !ahead.is_done()? {
            thread::yield_now();
        }
        Ok(())
    }

    #[test]
    fn nobody_waits_for_a_long_sync_and_a_short_one_ends_it() {
        let (release, waits) = channel::<()>();
        let waits = Mutex::new(waits);
        let sync = move || {
            // Released once, and then at once.
            let _ = waits.lock().unwrap_or_else(PoisonError::into_inner).recv();
            Ok(())
        };
        let mut ahead = SyncAhead::of(Arc::new(sync));
        assert!((0..100).all(|_| ahead.is_done().is_ok_and(|done| !done)), "it was not waited for");
        drop(release);
        until_done(&mut ahead).expect("it ends");
        // For the next segment it begins again.
        assert!(ahead.is_done().is_ok_and(|done| !done));
    }

    #[test]
    fn a_disk_that_is_never_idle_and_one_that_fails_end_it_too() {
        let mut slow = SyncAhead::of(Arc::new(|| {
            thread::sleep(2 * SHORT);
            Ok(())
        }));
        until_done(&mut slow).expect("it ends");
        let mut failing = SyncAhead::of(Arc::new(|| Err(io::Error::other("no disk"))));
        assert!(until_done(&mut failing).is_err());
    }
}
