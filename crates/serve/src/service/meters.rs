//! What is counted, for OpenMetrics, and whether hands can be dealt.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::calls::fault::CallFaultKind;
use crate::service::{CosignedCheckpoint, locked};
use deckproof_files::file::free_bytes;

/// Below this the disk counts as full.
const FREE_BYTES_MIN: u64 = 64 << 20;

/// Upper bounds of the times of a sync, in milliseconds.
const SYNC_BOUNDS: [u64; 8] = [1, 2, 5, 10, 20, 50, 100, 1_000];

/// Counters of a service.
#[derive(Default)]
pub struct Meters {
    /// Calls that wait for the thread that writes.
    pub waiting: AtomicU64,
    /// Hands under way.
    pub playing: AtomicU64,
    /// Tables.
    pub tables: AtomicU64,
    /// Entries of the log.
    pub entries: AtomicU64,
    /// Hands that were closed.
    pub closed: AtomicU64,
    /// Hands that were voided.
    pub voided: AtomicU64,
    /// Openings that a quorum of witnesses saw, and those without.
    openings: [AtomicU64; 2],
    /// Witnesses that are left out.
    left_out: Mutex<Vec<String>>,
    /// Witnesses that say that the log was rolled back or forked, where those of a quorum did not cosign.
    accusing: Mutex<Vec<String>>,
    syncs: Mutex<Syncs>,
    calls: Mutex<BTreeMap<(&'static str, &'static str), u64>>,
    stopped: Mutex<Option<String>>,
}

#[derive(Default)]
struct Syncs {
    counts: [u64; SYNC_BOUNDS.len()],
    all: u64,
    seconds: f64,
}

impl Meters {
    /// Counts a call and how it ended.
    pub fn count(&self, call: &'static str, fault: Option<CallFaultKind>) {
        let outcome = fault.map_or("done", CallFaultKind::name);
        *locked(&self.calls).entry((call, outcome)).or_default() += 1;
    }

    /// Counts openings about which witnesses were asked, and notes what there is to say of these.
    pub fn witnessed(&self, openings: u64, asked: &CosignedCheckpoint) {
        self.openings[usize::from(!asked.is_met)].fetch_add(openings, Ordering::Relaxed);
        *locked(&self.left_out) = asked.left_out.clone();
        *locked(&self.accusing) = if asked.is_met { Vec::new() } else { asked.accusing.clone() };
    }

    /// Witnesses that say that the log was rolled back or forked, where those of a quorum did not cosign.
    pub fn accusing(&self) -> Vec<String> {
        locked(&self.accusing).clone()
    }

    /// Witnesses that are left out, for they did not answer in time.
    pub fn left_out(&self) -> Vec<String> {
        locked(&self.left_out).clone()
    }

    /// Counts a sync.
    pub fn synced(&self, took: Duration) {
        let mut syncs = locked(&self.syncs);
        syncs.all += 1;
        syncs.seconds += took.as_secs_f64();
        if let Some(bound) = SYNC_BOUNDS.iter().position(|bound| took <= Duration::from_millis(*bound)) {
            syncs.counts[bound] += 1;
        }
    }

    /// Notes why no hand can be dealt, or that hands can.
    pub fn stop(&self, reason: Option<String>) {
        *locked(&self.stopped) = reason;
    }

    /// Why no hand can be dealt, if none can.
    pub fn stopped(&self, folder: &Path) -> Option<String> {
        locked(&self.stopped).clone().or_else(|| full(folder))
    }

    /// The text of OpenMetrics.
    pub fn text(&self, is_stopped: bool) -> String {
        let mut text = String::new();
        let number = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let gauges = [
            ("deckproof_up", "1 while hands can be dealt.", u64::from(!is_stopped)),
            ("deckproof_waiting_calls", "Calls that wait for the thread that writes.", number(&self.waiting)),
            ("deckproof_playing_hands", "Hands under way.", number(&self.playing)),
            ("deckproof_tables", "Tables.", number(&self.tables)),
            ("deckproof_log_entries", "Entries of the log.", number(&self.entries)),
            (
                "deckproof_witnesses_left_out",
                "Witnesses that did not answer in time, and are left out for a while.",
                locked(&self.left_out).len() as u64,
            ),
            (
                "deckproof_witnesses_accusing",
                "Witnesses that say the log was rolled back or forked, while there is no quorum.",
                locked(&self.accusing).len() as u64,
            ),
        ];
        for (name, help, value) in gauges {
            // Writing to a string does not fail.
            let _ = write!(text, "# TYPE {name} gauge\n# HELP {name} {help}\n{name} {value}\n");
        }
        text.push_str(
            "# TYPE deckproof_hands counter\n# HELP deckproof_hands Hands that ended since the start.\n",
        );
        for (end, counter) in [("closed", &self.closed), ("voided", &self.voided)] {
            let _ = writeln!(text, "deckproof_hands_total{{end=\"{end}\"}} {}", number(counter));
        }
        text.push_str(
            "# TYPE deckproof_openings counter\n# HELP deckproof_openings Openings for which witnesses were called.\n",
        );
        for (quorum, counter) in ["met", "unmet"].iter().zip(&self.openings) {
            let _ = writeln!(text, "deckproof_openings_total{{quorum=\"{quorum}\"}} {}", number(counter));
        }
        text.push_str("# TYPE deckproof_calls counter\n# HELP deckproof_calls Calls by name and outcome.\n");
        for ((call, outcome), count) in &*locked(&self.calls) {
            let _ = writeln!(text, "deckproof_calls_total{{call=\"{call}\",outcome=\"{outcome}\"}} {count}");
        }
        self.sync_text(&mut text);
        text.push_str("# EOF\n");
        text
    }

    fn sync_text(&self, text: &mut String) {
        let name = "deckproof_sync_seconds";
        let _ = write!(
            text,
            "# TYPE {name} histogram\n# UNIT {name} seconds\n# HELP {name} One sync of a batch.\n"
        );
        let syncs = locked(&self.syncs);
        let mut below = 0;
        for (bound, count) in SYNC_BOUNDS.iter().zip(syncs.counts) {
            below += count;
            let _ = writeln!(text, "{name}_bucket{{le=\"{:?}\"}} {below}", *bound as f64 / 1000.0);
        }
        let _ = writeln!(text, "{name}_bucket{{le=\"+Inf\"}} {}", syncs.all);
        let _ = writeln!(text, "{name}_count {}\n{name}_sum {}", syncs.all, syncs.seconds);
    }
}

/// Whether the disk has no room for much longer.
fn full(folder: &Path) -> Option<String> {
    match free_bytes(folder) {
        Err(error) => Some(format!("the disk cannot be looked at: {error}")),
        Ok(free) => {
            free.is_some_and(|bytes| bytes < FREE_BYTES_MIN).then(|| "the disk is full, or nearly".to_owned())
        }
    }
}
