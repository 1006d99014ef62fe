//! How the entry that says who, when and why comes into the log: through the service that runs, or by the key of the log.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::{CliError, check_new, write};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::{Access, Prepared};
use deckproof_serve::service::log_folder;
use deckproof_serve::service::opening::append_unseal;
use deckproof_table::log_folder::key_files::read_key;
use deckproof_table::log_folder::reader::LogReader;
use deckproof_verify::log::entry::{Entry, UnsealEntry};

#[derive(Args)]
pub(in crate::cli) struct RecordArguments {
    /// The socket on which the service answers, which puts the entry of the opening into its log [default: FOLDER/socket].
    #[arg(long, value_name = "FILE", conflicts_with_all = ["listen", "log_key", "append_later"])]
    socket: Option<PathBuf>,
    /// The port on which the service answers, such as 127.0.0.1:7001.
    #[arg(long, value_name = "ADDRESS", requires = "token", conflicts_with_all = ["log_key", "append_later"])]
    listen: Option<std::net::SocketAddr>,
    /// The file with the token of the service, if it wants one.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["log_key", "append_later"])]
    token: Option<PathBuf>,
    /// The secret key of the log, where no service runs: the entry is then put into the log at once.
    #[arg(long, value_name = "FILE", conflicts_with = "append_later")]
    log_key: Option<PathBuf>,
    /// Put the entry into a new file and into no log, for a copy of a folder; the service takes it by its call unseal.
    #[arg(long, value_name = "FILE")]
    append_later: Option<PathBuf>,
}

impl RecordArguments {
    /// Puts a file in its place, and before that records the opening it holds, if it holds one: says where. The file is whole and durable before
    /// the entry, so that no opening is recorded of which nothing came.
    pub fn record(
        &self,
        folder: &Path,
        unseal: Option<UnsealEntry>,
        out: &Path,
        file: Prepared,
    ) -> Result<String, CliError> {
        let recorded = unseal.map(|unseal| self.entry(folder, &unseal)).transpose()?;
        let recorded = recorded.map(|recorded| format!("{recorded}\n")).unwrap_or_default();
        file.put().map_err(|error| CliError::Problem(format!("{}: {error}\n{recorded}", out.display())))?;
        Ok(recorded)
    }

    fn entry(&self, folder: &Path, unseal: &UnsealEntry) -> Result<String, CliError> {
        match (&self.append_later, &self.log_key) {
            (Some(path), _) => {
                check_new(path)?;
                let text = Entry::Unseal(unseal.clone()).to_string();
                write(path, text.as_bytes(), Access::Public)?;
                Ok(format!("who, when and why is in {} and in no log yet", path.display()))
            }
            (None, Some(key)) => {
                let appended = append_unseal(folder, key, read_key(key)?, unseal.clone());
                let index = appended.map_err(|error| {
                    CouldNotSay::new(
                        error,
                        "Nothing was opened. Where a service runs on this folder, leave --log-key out: the service writes the entry.",
                    )
                })?;
                Ok(in_log(index))
            }
            (None, None) => {
                let index = self.by_service(folder, unseal)?;
                let text = Entry::Unseal(unseal.clone()).to_string();
                let log = LogReader::open(&log_folder(folder)).and_then(|log| log.entry(index));
                if log.is_ok_and(|entry| entry == text) {
                    return Ok(in_log(index));
                }
                Ok(format!(
                    "the service answered that who, when and why is the entry with index {index}; the log in this folder does not have it"
                ))
            }
        }
    }

    #[cfg(feature = "serve")]
    fn by_service(&self, folder: &Path, unseal: &UnsealEntry) -> Result<u64, CliError> {
        use crate::cli::serve::http::read_token;
        use deckproof_deck::text::excerpt;
        use deckproof_serve::door::caller;
        use deckproof_serve::door::listen::Listening;
        use serde_json::{Value, json};

        let listening = Listening::of(self.listen, self.socket.as_deref(), folder);
        let token = self.token.as_deref().map(read_token).transpose()?;
        let body = json!({ "entry": Entry::Unseal(unseal.clone()).to_string() }).to_string();
        let answer = caller::call(&listening, token.as_ref().map(|token| token.as_str()), "unseal", body);
        let answer =
            answer.map_err(|error| unrecorded(&format!("no service answers on {listening} ({error})")))?;
        let read: Value = serde_json::from_str(&answer.body).unwrap_or_default();
        match (answer.status, read["index"].as_u64()) {
            (200, Some(index)) => Ok(index),
            (status, _) => {
                let message = read["message"].as_str().unwrap_or(&answer.body);
                Err(unrecorded(&format!("the service answered {status}: {}", excerpt(message, 200))))
            }
        }
    }

    #[cfg(not(feature = "serve"))]
    fn by_service(&self, _folder: &Path, _unseal: &UnsealEntry) -> Result<u64, CliError> {
        Err(unrecorded("this build was made without the feature serve, so that it calls no service"))
    }
}

fn in_log(index: u64) -> String {
    format!("who, when and why is the entry with index {index} in the log")
}

/// Why there is no entry, and what to do.
fn unrecorded(problem: &str) -> CliError {
    CouldNotSay::new(
        problem,
        "Nothing was opened, for each opening is an entry of the log. Start the service, or give the key of the log (--log-key), or of a copy \
         that deals no more put the entry into a file (--append-later).",
    )
    .into()
}
