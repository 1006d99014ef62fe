//! The memory of this process is for nobody else: it leaves no core file, and no other process of the user reads it.
//!
//! Every command is run like this, for most hold a key at some time: of a day, a hand, an audit or a log.

use std::io;

use crate::cli::screen;

/// Closes the memory before anything is read. Where the system refuses, a warning says so, and the command goes on: a table
/// that does not deal is no better kept.
pub fn close_memory() {
    if let Err(error) = without_core().and_then(|()| without_dump()) {
        screen::warn(&format!(
            "deckproof: a core file of this process may be written, which may hold keys: {error}"
        ));
    }
}

/// The soft limit alone: a program that is run by this one may set its own.
#[cfg(unix)]
fn without_core() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Core);
    Ok(setrlimit(Resource::Core, Rlimit { current: Some(0), maximum })?)
}

#[cfg(not(unix))]
fn without_core() -> io::Result<()> {
    Ok(())
}

/// A system that hands cores to a program asks for no limit, but for this.
#[cfg(target_os = "linux")]
fn without_dump() -> io::Result<()> {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};
    Ok(set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
}

#[cfg(not(target_os = "linux"))]
fn without_dump() -> io::Result<()> {
    Ok(())
}
