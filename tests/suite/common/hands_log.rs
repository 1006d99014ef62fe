//! Entries of small made-up hands, as a log holds them.

use deckproof::commitment::digest::{Digest, leaf_hash};

pub const ORIGIN: &str = "stud.example/log1";

/// Deck, open and close of one hand of mix none.
pub fn hand(table: &str, number: u64) -> [String; 3] {
    let root = Digest::of(format!("deck of {table} {number}"));
    let deck =
        format!("deckproof/v1 deck\norigin {ORIGIN}\ntable {table}\nhand {number}\nmix none\ndeck {root}\n");
    let open = format!("deckproof/v1 open\ndeck {}\nrules stud-hi\nseats 1,2,5\n", leaf_hash(&deck));
    let transcript = Digest::of(format!("transcript of {table} {number}"));
    let close = format!("deckproof/v1 close\nopen {}\ndealt 12\ntranscript {transcript}\n", leaf_hash(&open));
    [deck, open, close]
}

/// The entries of the first hands of a table.
pub fn hands(table: &str, number: u64) -> Vec<String> {
    (1..=number).flat_map(|n| hand(table, n)).collect()
}
