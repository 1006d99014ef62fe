//! What lies beside two shares: which hands they open, since when they lie here, and the hashes of both.

use std::fmt::Write as _;

use deckproof_deck::text::date::Date;

use crate::vault::shares::SHARE_NAMES;

const FIRST_LINE: &str = "deckproof/vault/v1 hands";

/// Hands of a table, from one to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HandRange {
    /// The table.
    pub table: String,
    /// The first.
    pub first: u64,
    /// The last.
    pub last: u64,
}

/// A share as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SharePrint {
    /// How long it is.
    pub bytes: u64,
    /// Its SHA-256.
    pub hash: String,
}

/// The index of two shares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShareIndex {
    /// The log.
    pub origin: String,
    /// The day on which they were written.
    pub day: Date,
    /// Both.
    pub shares: [SharePrint; 2],
    /// What they open.
    pub hands: Vec<HandRange>,
}

impl ShareIndex {
    /// The text.
    pub fn print(&self) -> String {
        let mut text = format!("{FIRST_LINE}\norigin {}\nday {}\n", self.origin, self.day);
        for (name, share) in SHARE_NAMES.iter().zip(&self.shares) {
            // Writing to a string does not fail.
            let _ = writeln!(text, "share {name} {} {}", share.bytes, share.hash);
        }
        for HandRange { table, first, last } in &self.hands {
            let _ = writeln!(text, "hands {first} {last} {table}");
        }
        text
    }

    /// Reads the text.
    pub fn parse(text: &str) -> Option<ShareIndex> {
        let mut lines = text.strip_suffix('\n')?.split('\n');
        if lines.next() != Some(FIRST_LINE) {
            return None;
        }
        let origin = lines.next()?.strip_prefix("origin ")?.to_owned();
        let day = lines.next()?.strip_prefix("day ")?.parse().ok()?;
        let mut share = |name: &str| {
            let (bytes, hash) = lines
                .next()?
                .strip_prefix("share ")?
                .strip_prefix(name)?
                .strip_prefix(' ')?
                .split_once(' ')?;
            Some(SharePrint { bytes: bytes.parse().ok()?, hash: hash.to_owned() })
        };
        let shares = [share(SHARE_NAMES[0])?, share(SHARE_NAMES[1])?];
        let hands = lines.map(|line| {
            let mut words = line.strip_prefix("hands ")?.splitn(3, ' ');
            let (first, last) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
            Some(HandRange { table: words.next()?.to_owned(), first, last })
        });
        Some(ShareIndex { origin, day, shares, hands: hands.collect::<Option<_>>()? })
    }
}
