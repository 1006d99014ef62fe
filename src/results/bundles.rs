//! The bundles of a hand, put into its folder.

use std::fs::DirBuilder;
use std::path::{Path, PathBuf};

use crate::file::input::FileError;
use crate::file::write_atomic;
use crate::table::logged::remembered;
use crate::table::reveals::{BundleText, BundlesError, BundlesWanted, bundles};
use crate::text::could_not_say::CouldNotSay;

/// Writes the bundles of a hand into the folder `hand-N` of `out`, or of the table; with the proofs of the log that is given, or
/// of the one the table remembers. The paths that were written.
///
/// # Errors
/// [`CouldNotSay`]: the hand cannot be opened, or a bundle not be written.
pub fn write_hand(
    table: &Path,
    log: Option<&Path>,
    out: Option<&Path>,
    hand: u64,
    wanted: BundlesWanted,
) -> Result<Vec<PathBuf>, CouldNotSay> {
    let log = log.map(Path::to_owned).or_else(|| remembered(table));
    let files = bundles(table, hand, log.as_deref(), wanted).map_err(|error| {
        CouldNotSay(match error {
            BundlesError::Log { .. } => format!("{error}; another log is given with --log"),
            BundlesError::NotDealt { seat, .. } => format!("--seat {seat}: {error}"),
            BundlesError::Voided { seat, .. } => {
                format!("--seat {seat}: {error}; --full opens it for the lab")
            }
            error => error.to_string(),
        })
    })?;
    let folder = out.unwrap_or(table).join(format!("hand-{hand}"));
    DirBuilder::new().recursive(true).create(&folder).map_err(|error| FileError::new(&folder, error))?;
    let mut written = Vec::new();
    for BundleText { name, text, access } in files {
        let path = folder.join(name);
        write_atomic(&path, text.as_bytes(), access).map_err(|error| FileError::new(&path, error))?;
        written.push(path);
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::DayKey;
    use crate::stud::rules::RuleSet;
    use crate::stud::seat::{Seat, Seats};
    use crate::table::awaited::AwaitedCut;
    use crate::table::dealing::Dealing;
    use crate::table::durable::DurableTable;
    use crate::table::mix::Announcement;
    use crate::table::storage::Folder;
    use crate::table::{Table, TableName};

    #[test]
    fn bundles_lie_in_the_folder_of_their_hand() {
        let folder = tempfile::tempdir().expect("a folder");
        let (table, out) = (folder.path().join("T-1"), folder.path().join("out"));
        let name = TableName::new("stud.example/log1", "T-1").expect("a name");
        let begun = Table::begin(name, DayKey::fresh().expect("random bytes"), 1).expect("a table");
        let mut dealt = DurableTable::begin(Folder::create(&table).expect("a folder"), begun).expect("new");
        let awaited = AwaitedCut { seeds: Vec::new(), beacon: None, wait: std::time::Duration::ZERO };
        let mut dealing = Dealing {
            rules: RuleSet::named("stud-hi").expect("such rules"),
            seats: Seats::parse("1,2,4").expect("seats"),
            play: None,
            announcement: Announcement::None,
            awaited,
        };
        dealing.deal(&mut dealt, 1).expect("the disk holds it");
        let seat = |text: &str| BundlesWanted::Seat(Seat::parse(text).expect("a seat"));
        let written = write_hand(&table, None, Some(&out), 1, seat("4")).expect("it played");
        assert!(
            written.iter().all(|path| path.starts_with(out.join("hand-1")) && path.is_file()),
            "{written:?}"
        );
        let everything =
            write_hand(&table, None, None, 1, BundlesWanted::Everything).expect("the table's own");
        assert!(everything.len() > written.len() && everything[0].starts_with(table.join("hand-1")));
        let error = write_hand(&table, None, None, 1, seat("3")).expect_err("it did not play").to_string();
        assert!(error.starts_with("--seat 3: "), "{error}");
    }
}
