//! Test programs of others that the campaign runs itself, on its own words or on a customer's file: what is kept of each.

use serde::{Deserialize, Serialize};

use crate::project::frozen::Frozen;
use crate::project::settings::run::TestRun;
use crate::project::settings::supplied::SuppliedKind;

/// The version of the record of a run.
pub const RUN_FORMAT: &str = "deckproof/test-run/v1";

/// What happened when a program was run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRecord {
    /// [`RUN_FORMAT`].
    pub format: String,
    /// The name of the run.
    pub id: String,
    /// The executable and its arguments.
    pub command: Vec<String>,
    /// How it ended, or why it did not begin.
    pub end: RunEnd,
    /// SHA-256 of the executable.
    pub executable_sha256: Option<String>,
    /// Whose words it was given: the key of the certified generator, or SHA-256 of the customer's file.
    pub words: RunWords,
    /// After so many seconds it was to be stopped.
    pub time_limit_s: u64,
    /// How long it ran, in whole seconds.
    pub seconds: u64,
    /// How many bytes were written to its standard input; what it read of them only it knows.
    pub bytes_given: u64,
    /// SHA-256 of what it wrote to its standard output.
    pub output_sha256: Option<String>,
    /// Whether it wrote more than is kept.
    pub is_cut: bool,
    /// The beginning of what it wrote to its standard error, hidden characters spelled out.
    pub messages: String,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum RunEnd {
    /// The executable is not there.
    NotInstalled,
    /// It ended by itself.
    Ended {
        /// With this code.
        code: i32,
    },
    /// A signal ended it.
    Killed,
    /// It was stopped at its time limit.
    TimeLimit,
}

/// Whose words a program was given.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum RunWords {
    /// Those of the certified generator under this key.
    Key(String),
    /// Those of the customer's file of this SHA-256.
    File(String),
}

impl RunRecord {
    /// Whether the program was there and ran.
    pub fn has_run(&self) -> bool {
        self.end != RunEnd::NotInstalled
    }

    /// What contradicts itself, or is not what was asked; `None` for a sound record. Nobody can run it again to the same output.
    pub fn fault(&self, asked: &TestRun, words: &RunWords) -> Option<String> {
        let command = asked.command(matches!(words, RunWords::File(_)));
        let own = (self.format.as_str(), &self.id, &self.command, &self.words, self.time_limit_s);
        if own != (RUN_FORMAT, &asked.id, &command, words, asked.time_limit_s) {
            return Some("it is not of this run, command, words or format".to_owned());
        }
        let has_run = self.has_run();
        (has_run != self.executable_sha256.is_some() || has_run != self.output_sha256.is_some())
            .then(|| "it has hashes of an executable and its output exactly where one has run".to_owned())
    }
}

/// Whose words a run is given, as they were frozen.
pub fn run_words(frozen: &Frozen, asked: &TestRun) -> Option<RunWords> {
    let mut files = frozen.supplied.iter();
    let file = files.find(|own| own.item == asked.item && own.holds == SuppliedKind::Words);
    let mut keys = frozen.raw.iter().filter(|own| own.item == asked.item);
    match file {
        Some(file) => Some(RunWords::File(file.sha256.clone())),
        None => keys.next().map(|own| RunWords::Key(own.key.clone())),
    }
}

/// Where the record of a run is.
pub fn run_name(id: &str) -> String {
    format!("runs/{id}.json")
}

/// Where its output is.
pub fn output_name(id: &str) -> String {
    format!("runs/{id}.txt")
}
