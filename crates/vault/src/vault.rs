//! The vault: what opens the hands that ended, in two shares for two people, neither of which opens anything alone.
//!
//! | in the folder | holds |
//! |---|---|
//! | `N.share-a.age`, `N.share-b.age` | the two shares of the secrets of segment N, each encrypted to its holders |
//! | `N.hands` | which hands they open, since when they lie here, and the hashes of both; written last |
//!
//! The first share is random, the second the secrets XOR the first: one of them alone is random bytes. The operator of the
//! service has the names of the holders and no key, so that the service cannot read what it wrote.

pub mod holders;
pub mod index;
pub mod secrets;
pub mod shares;
#[cfg(feature = "hsm")]
pub mod token;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::vault::holders::{Holders, Identities};
use crate::vault::index::{ShareIndex, SharePrint};
use crate::vault::secrets::VaultSecrets;
use crate::vault::shares::{SHARE_NAMES, join, split};
use deckproof_deck::text::date::Date;
use deckproof_files::file::{Access, if_there, own, sha256, sync_names, write_atomic};

/// Most bytes of a share: a segment of the journal holds far fewer hands.
pub const SHARE_BYTES_MAX: u64 = 64 << 20;

/// Why nothing is put into the vault or taken from it. Holds nothing secret.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VaultError {
    /// The operating system's word.
    #[error("{}: {error}", .path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// A file that is not what it should be.
    #[error("{}: found {found}, wanted {wanted}", .path.display())]
    Unfit {
        /// Which file.
        path: PathBuf,
        /// What was found.
        found: String,
        /// What was wanted.
        wanted: &'static str,
    },
    /// A share that none of the keys opens.
    #[error("{}: found no key for this share, wanted that of one of its holders: one share alone opens nothing", .0.display())]
    NoKey(PathBuf),
    /// A share that is not what was written.
    #[error("{}: found {found}, wanted the share as it was written", .path.display())]
    Altered {
        /// Which file.
        path: PathBuf,
        /// What was found.
        found: &'static str,
    },
    /// Two shares that do not belong together.
    #[error("{}: found two shares that do not fit together, wanted both of one splitting", .0.display())]
    Mismatch(PathBuf),
    /// Not a key, not a hand.
    #[error("{0}")]
    Random(String),
    /// A token of PKCS #11.
    #[error("{}: {problem}", .module.display())]
    Token {
        /// Its module.
        module: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
}

impl VaultError {
    pub(crate) fn file(path: &Path) -> impl Fn(io::Error) -> VaultError + '_ {
        move |error| VaultError::File { path: path.to_owned(), error }
    }
}

/// The folder of a vault.
#[derive(Clone)]
pub struct Vault {
    folder: PathBuf,
}

/// The secrets of one segment, and by whose keys they were opened.
pub struct OpenedShares {
    /// What opens its hands.
    pub secrets: VaultSecrets,
    /// The public keys, first that of share a.
    pub holders: [String; 2],
}

impl Vault {
    /// The vault of a service.
    pub fn of(folder: &Path) -> Vault {
        Vault { folder: folder.join("vault") }
    }

    /// Whether there is one.
    pub fn is_there(&self) -> bool {
        fs::symlink_metadata(&self.folder).is_ok()
    }

    /// Makes the folder, for its owner alone, where it is not there.
    ///
    /// # Errors
    /// [`VaultError::File`].
    pub fn create(&self) -> Result<(), VaultError> {
        own::create_folder(&self.folder).map_err(VaultError::file(&self.folder))?;
        let above = self.folder.parent().unwrap_or(Path::new("."));
        sync_names(above).map_err(VaultError::file(above))
    }

    /// The file of a share, 0 or 1.
    pub fn share_path(&self, segment: u64, share: usize) -> PathBuf {
        self.folder.join(format!("{segment:08}.share-{}.age", SHARE_NAMES[share]))
    }

    fn index_path(&self, segment: u64) -> PathBuf {
        self.folder.join(format!("{segment:08}.hands"))
    }

    /// Writes the secrets of a segment in two shares; all is durable when this returns. The index comes last: without it
    /// nothing counts as written.
    ///
    /// # Errors
    /// [`VaultError`].
    pub fn put(
        &self,
        segment: u64,
        secrets: &VaultSecrets,
        (origin, day): (&str, Date),
        holders: &[Holders; 2],
    ) -> Result<(), VaultError> {
        let shares = split(&secrets.print()).map_err(|error| VaultError::Random(error.to_string()))?;
        let mut prints = Vec::with_capacity(shares.len());
        for (number, share) in shares.iter().enumerate() {
            let path = self.share_path(segment, number);
            let sealed = holders[number].seal(share).map_err(VaultError::file(&path))?;
            if sealed.len() as u64 > SHARE_BYTES_MAX {
                let found = format!("{} bytes", sealed.len());
                return Err(VaultError::Unfit { path, found, wanted: "a share of at most 64 MiB" });
            }
            write_atomic(&path, &sealed, Access::OwnerOnly).map_err(VaultError::file(&path))?;
            prints.push(SharePrint { bytes: sealed.len() as u64, hash: sha256(&sealed) });
        }
        let shares = prints.try_into().unwrap_or_else(|_| unreachable!("there are two shares"));
        let index = ShareIndex { origin: origin.to_owned(), day, shares, hands: secrets.ranges() };
        let path = self.index_path(segment);
        write_atomic(&path, index.print().as_bytes(), Access::OwnerOnly).map_err(VaultError::file(&path))
    }

    /// Whether the secrets of a segment lie here whole.
    ///
    /// # Errors
    /// [`VaultError::File`].
    pub fn holds(&self, segment: u64) -> Result<bool, VaultError> {
        let Some(index) = self.index(segment)? else { return Ok(false) };
        for (number, print) in index.shares.iter().enumerate() {
            let path = self.share_path(segment, number);
            let share =
                if_there(own::read_limited(&path, SHARE_BYTES_MAX)).map_err(VaultError::file(&path))?;
            if share.is_none_or(|bytes| sha256(&bytes) != print.hash) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The index of a segment; nothing if none were written.
    ///
    /// # Errors
    /// [`VaultError`].
    pub fn index(&self, segment: u64) -> Result<Option<ShareIndex>, VaultError> {
        let path = self.index_path(segment);
        let text =
            if_there(own::read_text_limited(&path, SHARE_BYTES_MAX)).map_err(VaultError::file(&path))?;
        let Some(text) = text else { return Ok(None) };
        ShareIndex::parse(&text).map(Some).ok_or_else(|| VaultError::Unfit {
            path,
            found: "another text".to_owned(),
            wanted: "which hands two shares open",
        })
    }

    fn share(&self, segment: u64, number: usize) -> Result<Vec<u8>, VaultError> {
        let path = self.share_path(segment, number);
        own::read_limited(&path, SHARE_BYTES_MAX).map_err(VaultError::file(&path))
    }

    /// Opens both shares of a segment, each by the keys of one of two people, and puts them together.
    ///
    /// # Errors
    /// [`VaultError`].
    pub fn open(&self, segment: u64, people: &[Identities; 2]) -> Result<OpenedShares, VaultError> {
        let sealed = [self.share(segment, 0)?, self.share(segment, 1)?];
        let mut first = None;
        // In whichever order they were named.
        for order in [[0, 1], [1, 0]] {
            match self.open_with(segment, &sealed, [&people[order[0]], &people[order[1]]]) {
                Err(error @ VaultError::NoKey(_)) => drop(first.get_or_insert(error)),
                other => return other,
            }
        }
        Err(first.expect("both orders were tried"))
    }

    fn open_with(
        &self,
        segment: u64,
        sealed: &[Vec<u8>; 2],
        people: [&Identities; 2],
    ) -> Result<OpenedShares, VaultError> {
        let mut shares = [Zeroizing::new(Vec::new()), Zeroizing::new(Vec::new())];
        let mut holders = [String::new(), String::new()];
        for number in 0..shares.len() {
            let path = self.share_path(segment, number);
            let opened = people[number].unseal(&sealed[number]);
            let opened = opened.map_err(|found| VaultError::Altered { path: path.clone(), found })?;
            let (share, holder) = opened.ok_or(VaultError::NoKey(path))?;
            (shares[number], holders[number]) = (share, holder);
        }
        let mismatch = || VaultError::Mismatch(self.share_path(segment, 1));
        let text = join(&shares).ok_or_else(mismatch)?;
        let secrets = VaultSecrets::parse(&text).ok_or_else(mismatch)?;
        Ok(OpenedShares { secrets, holders })
    }

    /// The segments whose shares lie here, by number. The day of each is no earlier than that of one before it: where the clock went back, the later
    /// day holds.
    ///
    /// # Errors
    /// [`VaultError`].
    pub fn segments(&self) -> Result<Vec<(u64, ShareIndex)>, VaultError> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(VaultError::file(&self.folder))? {
            let name = entry.map_err(VaultError::file(&self.folder))?.file_name();
            let segment = name.to_str().and_then(|name| name.strip_suffix(".hands")?.parse().ok());
            let Some(segment) = segment else { continue };
            found.extend(self.index(segment)?.map(|index| (segment, index)));
        }
        found.sort_unstable_by_key(|(segment, _)| *segment);
        for later in 1..found.len() {
            found[later].1.day = found[later].1.day.max(found[later - 1].1.day);
        }
        found.retain(|(segment, _)| {
            (0..SHARE_NAMES.len()).any(|number| self.share_path(*segment, number).exists())
        });
        Ok(found)
    }

    /// Removes both shares of a segment, for good; which hands they opened stays known.
    ///
    /// # Errors
    /// [`VaultError::File`].
    pub fn remove(&self, segment: u64) -> Result<(), VaultError> {
        for number in 0..SHARE_NAMES.len() {
            let path = self.share_path(segment, number);
            own::wipe(&path).map_err(VaultError::file(&path))?;
        }
        Ok(())
    }

    /// Whether the shares of a segment were written and are gone.
    ///
    /// # Errors
    /// [`VaultError`].
    pub fn is_removed(&self, segment: u64) -> Result<bool, VaultError> {
        let is_gone = (0..SHARE_NAMES.len()).all(|number| !self.share_path(segment, number).exists());
        Ok(is_gone && self.index(segment)?.is_some())
    }
}

#[cfg(test)]
mod tests;
