//! The log that dealt hands are to go to: its folder, its key, and whose cosignatures it needs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::log_folder::key_files::{read_own_key, read_trust};
use crate::log_folder::reader::LogReader;
use crate::table::logged::{REMEMBERED, SignedLog, Witnesses, remember};
use crate::table::pending::{AskedWitnesses, cosignatures};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::input::FileError;
use deckproof_verify::log::vkey::Signer;

/// What is asked of the log.
#[derive(Clone)]
pub struct LogOptions {
    /// Its folder.
    pub folder: PathBuf,
    /// The file of its secret key.
    pub key: PathBuf,
    /// Files that witnesses write their cosignatures into.
    pub cosigned: Vec<PathBuf>,
    /// Who asks witnesses over a network.
    pub asked: Option<AskedWitnesses>,
    /// The trust file that names those witnesses.
    pub trust: Option<PathBuf>,
}

/// A log that can be written.
pub struct GivenLog {
    folder: PathBuf,
    /// Its name.
    pub origin: String,
    signer: Signer,
    witnesses: Option<Witnesses>,
}

impl LogOptions {
    /// The log, whose witnesses are waited for that long; `warn` reports when they did not come.
    ///
    /// # Errors
    /// [`CouldNotSay`]: what cannot be parsed or read.
    pub fn read(&self, wait: Duration, warn: fn(&str)) -> Result<GivenLog, CouldNotSay> {
        let origin = LogReader::open(&self.folder)?.checkpoint().origin.clone();
        let signer = read_own_key(&self.key, &self.folder)?;
        if signer.name() != origin {
            let (key, name) = (self.key.display(), signer.name());
            return Err(CouldNotSay(format!(
                "--log-key {key}: it is the key of {name}, the log is {origin}"
            )));
        }
        let of_trust = |path: &PathBuf| {
            read_trust(path)
                .map(|trust| cosignatures(trust, self.cosigned.clone(), self.asked.clone(), wait, warn))
        };
        let witnesses = self.trust.as_ref().map(of_trust).transpose()?;
        Ok(GivenLog { folder: self.folder.clone(), origin, signer, witnesses })
    }
}

impl GivenLog {
    /// For a table that writes to it, which remembers where it is.
    ///
    /// # Errors
    /// [`CouldNotSay`]: the table cannot remember it.
    pub fn open(self, table: &Path) -> Result<SignedLog, CouldNotSay> {
        let remembered = remember(table, &self.folder);
        remembered.map_err(|error| FileError::new(&table.join(REMEMBERED), error))?;
        let log = SignedLog::new(&self.folder, self.signer);
        Ok(match self.witnesses {
            Some(witnesses) => log.with_witnesses(witnesses),
            None => log,
        })
    }
}
