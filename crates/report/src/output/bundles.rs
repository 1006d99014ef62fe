//! The bundles of hands, put into their folders.

use std::fs::DirBuilder;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::input::FileError;
use deckproof_files::file::lock::{LockError, PathLock, remove_temporaries_of};
use deckproof_files::file::{own, write_atomic};
use deckproof_table::table::logged::remembered;
use deckproof_table::table::reveals::{BundleText, BundlesError, BundlesWanted, HandFiles, bundles};

/// What was written of hands that were asked for.
#[derive(Default)]
pub struct WrittenBundles {
    /// The files.
    pub paths: Vec<PathBuf>,
    /// Hands that were voided, with the reason: of them a player is given the entries.
    pub voided: Vec<(u64, String)>,
    /// Why there is nothing of other hands.
    pub holes: Vec<String>,
}

/// Writes the bundles of hands into the folders `hand-N` of `out`, or of the table; with the proofs of the log that is
/// given, or of the one the table remembers. A hand that has none keeps no other one from its own.
///
/// # Errors
/// [`CouldNotSay`]: nothing can be read, or a file not be written.
pub fn write_hands(
    table: &Path,
    log: Option<&Path>,
    out: Option<&Path>,
    hands: &[RangeInclusive<u64>],
    wanted: BundlesWanted,
) -> Result<WrittenBundles, CouldNotSay> {
    let log = log.map(Path::to_owned).or_else(|| remembered(table));
    let mut written = WrittenBundles::default();
    bundles(table, hands, log.as_deref(), wanted, |read| {
        match read {
            Ok(files) => written.add(out.unwrap_or(table), files)?,
            Err(error) => written.holes.push(named(&error)),
        }
        Ok::<(), Fault>(())
    })
    .map_err(|Fault(reason)| reason)?;
    Ok(written)
}

/// Why nothing more is written.
struct Fault(CouldNotSay);

impl From<BundlesError> for Fault {
    fn from(error: BundlesError) -> Fault {
        Fault(CouldNotSay(named(&error)))
    }
}

impl From<CouldNotSay> for Fault {
    fn from(reason: CouldNotSay) -> Fault {
        Fault(reason)
    }
}

/// What to do about it, where something can be done.
fn named(error: &BundlesError) -> String {
    match error {
        BundlesError::Log { .. } => format!("{error}; another log is given with --log"),
        BundlesError::NotDealt { seat, .. } => format!("--seat {seat}: {error}"),
        error => error.to_string(),
    }
}

impl WrittenBundles {
    fn add(&mut self, out: &Path, HandFiles { hand, files, voided }: HandFiles) -> Result<(), CouldNotSay> {
        let folder = out.join(format!("hand-{hand}"));
        // A full reveal holds a hand key, which a link would have written elsewhere.
        own::check_folder(&folder)
            .and_then(|()| DirBuilder::new().recursive(true).create(&folder))
            .map_err(|error| FileError::new(&folder, error))?;
        // One at a time, so that what another run left there is known to be nobody's.
        let _lock = PathLock::take(&folder).map_err(|error: LockError| CouldNotSay(error.to_string()))?;
        remove_unfinished(&folder);
        for BundleText { name, text, access } in files {
            let path = folder.join(name);
            write_atomic(&path, text.as_bytes(), access).map_err(|error| FileError::new(&path, error))?;
            self.paths.push(path);
        }
        self.voided.extend(voided.map(|reason| (hand, reason)));
        Ok(())
    }
}

/// Removes what a killed run left unfinished: a full reveal among it, beside what is handed out to a player.
fn remove_unfinished(folder: &Path) {
    let is_ours = |name: &str| match name.rsplit_once('.') {
        Some((stem, "json")) => stem == "full-reveal" || stem.starts_with("seat-"),
        Some((stem, "txt" | "proof")) => {
            ["deck", "open", "cut", "close", "void", "transcript"].contains(&stem)
        }
        _ => name == "history.phh",
    };
    remove_temporaries_of(folder, is_ours);
}
