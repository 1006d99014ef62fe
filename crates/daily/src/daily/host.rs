//! The program that carries out days: how it reads options, what it is, its clock, and whom it tells.

use std::ffi::OsString;

use crate::monitoring::config::Config;
use deckproof_audit::certificate::Tool;
use deckproof_audit::session::request::AuditRequest;
use deckproof_report::output::Started;

/// What a day takes from the program that carries it out.
pub struct Host<'a> {
    /// Reads the options of the audit.
    pub options: &'a dyn AuditOptions,
    /// The program, as certificates name it.
    pub tool: &'a dyn Fn() -> Tool,
    /// How many threads count where a configuration does not say.
    pub threads: usize,
    /// Looks at the clock: a run begins.
    pub started: &'a dyn Fn() -> Started,
    /// The wall clock in UTC, such as `2026-11-22T04:00:00Z`.
    pub time: &'a dyn Fn() -> String,
    /// Folders in which programs are looked for, as `PATH` has them.
    pub search_path: OsString,
    /// Gets what somebody should know at once, in whole sentences.
    pub warn: &'a dyn Fn(&str),
}

/// The audit of a day.
#[derive(Debug, Clone)]
pub struct DayAudit {
    /// What is asked of which decks.
    pub request: AuditRequest,
    /// How many threads count, if that is said.
    pub threads: Option<u16>,
}

/// An option of a configuration that the audit does not take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionFault {
    /// Its key, words joined by underscores; empty where none is meant.
    pub key: String,
    /// What is wrong, without what may be a key of decks.
    pub problem: String,
}

/// The options of an audit: a configuration may say each, as it is said on the command line.
pub trait AuditOptions {
    /// Their names, words joined by underscores.
    fn names(&self) -> Vec<String>;

    /// The audit that the options of a configuration ask for.
    ///
    /// # Errors
    /// [`OptionFault`]: the first one that cannot be used.
    fn read(&self, config: &Config) -> Result<DayAudit, OptionFault>;
}

impl Host<'_> {
    /// How many threads count.
    pub(super) fn threads(&self, audit: &DayAudit) -> usize {
        audit.threads.map_or(self.threads, usize::from)
    }
}
