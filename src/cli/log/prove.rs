//! `deckproof log prove`: receipts for players, requests for witnesses.

use std::path::PathBuf;

use clap::Args;

use crate::cli::{CliError, done};
use deckproof_deck::commitment::digest::leaf_hash;
use deckproof_deck::text::exit::Exit;
use deckproof_table::log_folder::key_files::read_small;
use deckproof_table::log_folder::reader::LogReader;
use deckproof_verify::log::entry::several::split;

#[derive(Args)]
#[group(id = "what", required = true, multiple = false)]
pub(super) struct What {
    /// The receipt of the entry at this index, from 0.
    #[arg(long, value_name = "N")]
    index: Option<u64>,
    /// The receipt of the entry in this file; - is standard input. It is looked for from the end of the log.
    #[arg(long, value_name = "FILE")]
    entry: Option<PathBuf>,
    /// What a witness takes that last cosigned the tree of this size: consistency proof and checkpoint.
    #[arg(long, value_name = "SIZE")]
    from: Option<u64>,
}

#[derive(Args)]
pub(super) struct LogProveArguments {
    /// The log's folder.
    folder: PathBuf,
    #[command(flatten)]
    what: What,
}

pub(super) fn run(arguments: &LogProveArguments) -> Result<Exit, CliError> {
    let reader = LogReader::open(&arguments.folder)?;
    let index = match (&arguments.what.from, &arguments.what.entry, arguments.what.index) {
        (Some(old), _, _) => {
            return done(&reader.request(*old)?.to_string());
        }
        (None, Some(path), _) => {
            let text = read_small(path)?;
            // As other files of entries it may end with an empty line.
            let entries = split(&text).unwrap_or_else(|_| vec![&text]);
            let [entry] = entries[..] else {
                let found = entries.len();
                return Err(CliError::Problem(format!(
                    "{}: found {found} entries, wanted one",
                    path.display()
                )));
            };
            reader.index_of(&leaf_hash(entry))?.ok_or_else(|| {
                let is_changed = text.starts_with('\u{feff}') || text.contains('\r') || !text.ends_with('\n');
                let why = if is_changed {
                    "as it is, these bytes are not in the published log; an entry has no byte order mark and no line ends of Windows, and ends with a \
                     line feed: a program may have changed it"
                } else {
                    "this entry is not in the published log"
                };
                CliError::Problem(format!("{}: {why}", path.display()))
            })?
        }
        (None, None, index) => index.expect("one of the three is required"),
    };
    done(&reader.receipt(index)?.to_string())
}
