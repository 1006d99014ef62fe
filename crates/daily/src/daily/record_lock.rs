//! The turn of a job: one at a time writes a record, and who waits for another says so and does not wait for ever.

use std::fs::{File, TryLockError};
use std::io::{Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::visible;
use deckproof_files::file::own;

/// Locked while a record is read or written. What stands in it, who has it and since when, counts only while it is locked.
const LOCK_FILE: &str = "daily.lock";

/// How long a job waits: longer than the row of any day takes, shorter than the time to the next night.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

/// Jobs that follow each other closely need not be told.
const QUIET: Duration = Duration::from_millis(500);

/// How often the lock is looked at.
const PAUSE: Duration = Duration::from_millis(50);

/// Locks the record of a folder until the file is dropped: two jobs at once must not take one place, nor name the same row
/// as the one before theirs. `time` tells the clock, for whoever waits; `warn` gets why it takes so long.
///
/// # Errors
/// [`CouldNotSay`]: another job has it and keeps it, or it cannot be locked.
pub fn wait_for_record(
    folder: &Path,
    time: &dyn Fn() -> String,
    warn: &dyn Fn(&str),
) -> Result<File, CouldNotSay> {
    wait_at_most(PATIENCE, folder, time, warn)
}

fn wait_at_most(
    patience: Duration,
    folder: &Path,
    time: &dyn Fn() -> String,
    warn: &dyn Fn(&str),
) -> Result<File, CouldNotSay> {
    let path = folder.join(LOCK_FILE);
    let failed =
        |error: std::io::Error| CouldNotSay::new(format!("{} cannot be locked: {error}", path.display()), "");
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    let file = own::open(&path, &options).map_err(failed)?;
    let (begun, mut is_announced) = (Instant::now(), false);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(signed(file, &time())),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
            Err(TryLockError::WouldBlock) => {}
        }
        let waited = begun.elapsed();
        if waited >= patience {
            return Err(CouldNotSay::new(
                format!(
                    "{} has the record {}, for which was waited {}",
                    holder(&path),
                    folder.display(),
                    text(patience)
                ),
                "Nothing was examined or recorded. See what that job waits for, end it, and run daily again.",
            ));
        }
        if !is_announced && waited >= QUIET.min(patience) {
            is_announced = true;
            let whole = text(patience);
            warn(&format!(
                "deckproof: {} has the record {}; waiting at most {whole}.",
                holder(&path),
                folder.display()
            ));
        }
        std::thread::sleep(PAUSE);
    }
}

/// Says who has the lock. Where that cannot be written the lock counts all the same.
fn signed(mut file: File, time: &str) -> File {
    let words = format!("process {} since {time}", std::process::id());
    let _ = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(words.as_bytes()));
    file
}

/// Most bytes of what a job says of itself.
const HOLDER_BYTES_MAX: u64 = 100;

/// Who has the lock, as far as he said.
fn holder(path: &Path) -> String {
    match own::read_text_limited(path, HOLDER_BYTES_MAX) {
        Ok(words) if words.starts_with("process ") => format!("another job ({})", visible(&words)),
        _ => "another job".to_owned(),
    }
}

fn text(duration: Duration) -> String {
    match duration.as_secs() {
        seconds if seconds >= 60 => format!("{} minutes", seconds / 60),
        seconds => format!("{seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn who_waits_in_vain_says_for_whom_and_the_next_one_gets_its_turn() {
        let folder = tempfile::tempdir().expect("a folder");
        let time = || "2026-11-23T04:00:00Z".to_owned();
        let wait = || wait_at_most(Duration::from_millis(200), folder.path(), &time, &|_| {});
        let first = wait().expect("nobody has it");
        let CouldNotSay(reason) = wait().expect_err("it is held");
        let own = format!("another job (process {} since 2026-11-23T04:00:00Z)", std::process::id());
        assert!(reason.starts_with(&own) && reason.contains("run daily again"), "{reason}");
        drop(first);
        assert!(wait().is_ok());
        // A file that an earlier program left empty says nobody.
        fs::write(folder.path().join(LOCK_FILE), "").expect("writable");
        let _held = File::open(folder.path().join(LOCK_FILE)).and_then(|file| file.lock().map(|()| file));
        let CouldNotSay(reason) = wait().expect_err("it is held");
        assert!(reason.starts_with("another job has the record"), "{reason}");
    }

    /// Whoever writes in the folder could lead the name of the holder into another file of the user.
    #[cfg(unix)]
    #[test]
    fn a_link_in_place_of_the_lock_is_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let precious = folder.path().join("precious");
        fs::write(&precious, "kept").expect("writable");
        std::os::unix::fs::symlink(&precious, folder.path().join(LOCK_FILE)).expect("a link");
        let error = wait_for_record(folder.path(), &String::new, &|_| {}).expect_err("a link");
        assert!(error.to_string().contains("symbolic link"), "{error}");
        assert_eq!(fs::read_to_string(&precious).expect("it is there"), "kept");
    }
}
