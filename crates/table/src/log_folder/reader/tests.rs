//! Reading a log backwards, beyond its end, and with a last entry that is not its leaf.

use std::fs;

use super::*;
use crate::log_folder::Log;
use deckproof_verify::log::vkey::{KeyKind, Signer};

const ORIGIN: &str = "stud.example/log1";

fn deck_entry(number: u64) -> String {
    let root = Digest::of(format!("deck {number}"));
    format!("deckproof/v1 deck\norigin {ORIGIN}\ntable T-1\nhand {number}\nmix none\ndeck {root}\n")
}

/// A log of so many entries.
fn log_of(entries: u64) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log");
    let key = Signer::from_seed(ORIGIN, KeyKind::Log, &[7; 32]).expect("a name");
    Log::init(&path, &key).expect("a new log");
    let mut log = Log::open(&path).expect("a log");
    for number in 1..=entries {
        log.append(&deck_entry(number)).expect("an entry");
    }
    log.publish(&key).expect("it is written");
    (folder, path)
}

#[test]
fn a_walk_back_hears_the_last_entry_first_and_stops_when_it_has_heard_enough() {
    let (_folder, path) = log_of(300);
    let reader = LogReader::open(&path).expect("a log");
    let mut heard = Vec::new();
    reader
        .walk_back(|entry| {
            heard.push(entry.to_owned());
            false
        })
        .expect("it is whole");
    assert_eq!(heard, (1..=300).rev().map(deck_entry).collect::<Vec<_>>());
    let mut count = 0;
    reader
        .walk_back(|entry| {
            count += 1;
            entry == deck_entry(41)
        })
        .expect("it is whole");
    assert_eq!(count, 260);
    // In the last bundle: the one before it is not read at all.
    fs::remove_file(path.join(layout::path(Kind::Entries, 0, TILE_WIDTH))).expect("it was there");
    reader.walk_back(|entry| entry == deck_entry(290)).expect("the last bundle is whole");
    assert!(reader.walk_back(|_| false).is_err());
}

#[test]
fn there_is_no_entry_beyond_the_checkpoint() {
    let (_folder, path) = log_of(3);
    let reader = LogReader::open(&path).expect("a log");
    assert_eq!(reader.entry(2).expect("the last one"), deck_entry(3));
    for index in [3, 4, 256, u64::MAX] {
        let error = reader.entry(index).expect_err("beyond the end").to_string();
        assert_eq!(error, format!("found no entry {index}, the checkpoint has 3"));
    }
}

/// The writer would go on from what it reads, and sign a tree of another text.
#[test]
fn a_last_bundle_whose_entry_is_not_its_leaf_stops_the_writer() {
    let (_folder, path) = log_of(3);
    let file = path.join(layout::path(Kind::Entries, 0, 3));
    let sound = fs::read(&file).expect("the bundle");
    let place = sound.windows(8).position(|window| window == b"table T-").expect("an entry") + 8;
    let mut other = sound.clone();
    other[place] = b'2';
    fs::write(&file, &other).expect("writable");
    let error = Log::open(&path).err().expect("another entry").to_string();
    assert!(error.contains("an entry is not the one its tile has the hash of"), "{error}");
    fs::write(&file, &sound).expect("writable");
    assert!(Log::open(&path).is_ok());
}
