//! Process groups of programs that deal, or that test words: ended with all that they have started.

use std::process::Child;
use std::sync::{Mutex, PoisonError};

/// The groups that may have living processes.
static GROUPS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// The group of a program that was started as the first process of one. Its number is nobody else's for as long as the
/// program has not been waited for; then the value has to be dropped.
pub struct ProgramGroup(u32);

impl ProgramGroup {
    /// Of a child in a group of its own.
    pub fn of(child: &Child) -> ProgramGroup {
        groups(|groups| groups.push(child.id()));
        ProgramGroup(child.id())
    }

    /// Ends every process of it.
    pub fn end(self) {
        kill(self.0);
    }
}

impl Drop for ProgramGroup {
    fn drop(&mut self) {
        groups(|groups| groups.retain(|group| *group != self.0));
    }
}

/// Ends the programs that deal, and all that they have started. A terminal's Ctrl-C does not reach them.
pub fn end_all() {
    groups(|groups| groups.drain(..).for_each(kill));
}

fn groups(change: impl FnOnce(&mut Vec<u32>)) {
    change(&mut GROUPS.lock().unwrap_or_else(PoisonError::into_inner));
}

#[cfg(unix)]
fn kill(group: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(group).ok().and_then(Pid::from_raw) {
        // A group whose processes have all ended cannot be stopped, and that is all we want of it.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Elsewhere there are no groups, and the program alone is ended by its parent.
#[cfg(not(unix))]
fn kill(_group: u32) {}
