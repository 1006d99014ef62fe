//! Before a new segment begins, what the journal alone had until then is made durable: by another thread first, so that the
//! sync that all tables wait for is short. File by file: a sync of the file system would wait for what other programs wrote.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A sync that took no longer leaves little for the next one.
const SHORT: Duration = Duration::from_millis(20);

/// So often it is tried, for the tables deal on.
const ROUNDS_MAX: u32 = 8;

/// What was written and not synced.
#[derive(Default)]
pub struct Unsynced {
    /// Tiles of the log by name, the last form of each.
    pub tiles: Vec<String>,
    /// Tables whose places were written.
    pub tables: Vec<String>,
}

/// What makes it durable, from any thread.
pub type SyncFiles = Arc<dyn Fn(&Unsynced) -> io::Result<()> + Send + Sync>;

/// Syncs, one after the other, until little is left.
pub struct SyncAhead {
    sync: SyncFiles,
    running: Option<JoinHandle<io::Result<Duration>>>,
    rounds: u32,
}

impl SyncAhead {
    /// No sync runs yet.
    pub fn of(sync: SyncFiles) -> SyncAhead {
        SyncAhead { sync, running: None, rounds: 0 }
    }

    /// Whether the next sync will be short; until then one runs, and nobody waits for it. It takes what is unsynced now.
    ///
    /// # Errors
    /// The operating system's; then nothing is known of what it took.
    pub fn is_done(&mut self, take: impl FnOnce() -> Unsynced) -> io::Result<bool> {
        if self.running.as_ref().is_some_and(|running| !running.is_finished()) {
            return Ok(false);
        }
        let took = self.finish()?;
        if took.is_some_and(|took| took <= SHORT || self.rounds >= ROUNDS_MAX) {
            self.rounds = 0;
            return Ok(true);
        }
        let (sync, unsynced) = (Arc::clone(&self.sync), take());
        let timed = move || {
            let begin = Instant::now();
            sync(&unsynced).map(|()| begin.elapsed())
        };
        self.running = Some(thread::Builder::new().name("sync".to_owned()).spawn(timed)?);
        self.rounds += 1;
        Ok(false)
    }

    /// Waits for the one that runs, and makes the rest durable.
    pub fn end(&mut self, rest: &Unsynced) -> io::Result<()> {
        self.finish()?;
        (self.sync)(rest)
    }

    fn finish(&mut self) -> io::Result<Option<Duration>> {
        let ended = self.running.take().map(JoinHandle::join);
        ended.map(|ended| ended.unwrap_or_else(|_| Err(io::Error::other("the sync ended")))).transpose()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::sync::{Mutex, PoisonError};

    use super::*;

    /// Until the running sync has ended.
    fn until_done(ahead: &mut SyncAhead) -> io::Result<()> {
        while !ahead.is_done(Unsynced::default)? {
            thread::yield_now();
        }
        Ok(())
    }

    #[test]
    fn nobody_waits_for_a_long_sync_and_a_short_one_ends_it() {
        let (release, waits) = channel::<()>();
        let waits = Mutex::new(waits);
        let sync = move |_: &Unsynced| {
            // Released once, and then at once.
            let _ = waits.lock().unwrap_or_else(PoisonError::into_inner).recv();
            Ok(())
        };
        let mut ahead = SyncAhead::of(Arc::new(sync));
        assert!(
            (0..100).all(|_| ahead.is_done(Unsynced::default).is_ok_and(|done| !done)),
            "it was not waited for"
        );
        drop(release);
        until_done(&mut ahead).expect("it ends");
        // For the next segment it begins again.
        assert!(ahead.is_done(Unsynced::default).is_ok_and(|done| !done));
    }

    #[test]
    fn a_disk_that_is_never_idle_and_one_that_fails_end_it_too() {
        let mut slow = SyncAhead::of(Arc::new(|_| {
            thread::sleep(2 * SHORT);
            Ok(())
        }));
        until_done(&mut slow).expect("it ends");
        let mut failing = SyncAhead::of(Arc::new(|_| Err(io::Error::other("no disk"))));
        assert!(until_done(&mut failing).is_err());
    }
}
