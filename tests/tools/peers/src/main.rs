//! Reads a log of deckproof by independent implementations: signed notes and tiles as `signed_note` and
//! `tlog_tiles` read them, rounds of the beacon as `drand-verify` checks them.
//! `cargo run -- LOG VKEY` from this folder; it prints what it proved, and ends with an error otherwise.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use drand_verify::{G2PubkeyRfc, Pubkey, derive_randomness};
use signed_note::{Note, StandardVerifier, VerifierList};
use tlog_tiles::{
    Checkpoint, Hash, Tile, TileHashReader, TileReader, check_record, check_tree, prove_record, prove_tree,
    record_hash, tree_hash,
};

/// The public key of drand quicknet, which checks out of its hash in PROTOCOL.md, section 7.
const QUICKNET: &str = "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a";

struct Folder(PathBuf);

impl Folder {
    /// `tile/<height>/<level>/…` of that crate is `tile/<level>/…` here.
    fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.0.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }
}

impl TileReader for Folder {
    fn height(&self) -> u8 {
        8
    }

    fn read_tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<u8>>, tlog_tiles::Error> {
        Ok(tiles.iter().map(|tile| self.read(&tile.path().replacen("tile/8/", "tile/", 1))).collect())
    }

    fn save_tiles(&self, _tiles: &[Tile], _data: &[Vec<u8>]) {}
}

/// The entries of the log, from its bundles.
fn entries(log: &Folder, size: u64) -> Vec<Vec<u8>> {
    let mut entries = Vec::new();
    for tile in 0..size.div_ceil(256) {
        let width = (size - tile * 256).min(256);
        let part = if width < 256 { format!(".p/{width}") } else { String::new() };
        assert!(tile < 1000, "this check reads small logs");
        let bytes = log.read(&format!("tile/entries/{tile:03}{part}"));
        let mut rest = &bytes[..];
        while let Some((length, after)) = rest.split_first_chunk::<2>() {
            let (entry, after) = after.split_at(u16::from_be_bytes(*length).into());
            entries.push(entry.to_vec());
            rest = after;
        }
    }
    assert_eq!(entries.len() as u64, size);
    entries
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len() / 2)
        .map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).expect("hexadecimal"))
        .collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let log = Folder(words.next().ok_or("wanted the folder of a log")?.into());
    let vkey = words.next().ok_or("wanted the vkey of the log")?;
    let known = VerifierList::new(vec![Box::new(
        StandardVerifier::new(&vkey).map_err(|error| format!("{error:?}"))?,
    )]);
    let note = Note::from_bytes(&log.read("checkpoint")).map_err(|error| format!("{error:?}"))?;
    let (verified, others) = note.verify(&known).map_err(|error| format!("{error:?}"))?;
    let checkpoint = Checkpoint::from_bytes(note.text()).map_err(|_| "no checkpoint")?;
    println!(
        "checkpoint of {}: {} entries, {} signature of the log, {} of others",
        checkpoint.origin(),
        checkpoint.size(),
        verified.len(),
        others.len()
    );

    let (size, root) = (checkpoint.size(), *checkpoint.hash());
    let reader = TileHashReader::new(size, root, &log);
    let failed = |error: tlog_tiles::Error| format!("{error:?}");
    if size == 0 {
        return Ok(());
    }
    assert!(tree_hash(size, &reader).map_err(failed)? == root, "another root");
    let mut rounds = 0;
    for (index, entry) in entries(&log, size).iter().enumerate() {
        let proof = prove_record(size, index as u64, &reader).map_err(failed)?;
        check_record(&proof, size, root, index as u64, record_hash(entry)).map_err(failed)?;
        let text = std::str::from_utf8(entry)?;
        if let Some(line) =
            text.lines().find(|line| text.starts_with("deckproof/v1 cut") && line.starts_with("beacon "))
        {
            let words: Vec<&str> = line.split(' ').collect();
            let key: [u8; 96] = hex(QUICKNET).try_into().expect("96 bytes");
            let signature = hex(words[3]);
            let key = G2PubkeyRfc::from_fixed(key).map_err(|_| "no key")?;
            assert!(key.verify(words[1].parse()?, b"", &signature)?, "not signed: {line}");
            assert_eq!(derive_randomness(&signature).to_vec(), hex(words[2]));
            rounds += 1;
        }
    }
    println!("{size} entries lead to the root; {rounds} rounds of the beacon are quicknet's");
    let mut checked = 0;
    for old in (1..=size).step_by(size.div_ceil(100) as usize) {
        let head: Hash = tree_hash(old, &reader).map_err(failed)?;
        let proof = prove_tree(size, old, &reader).map_err(failed)?;
        check_tree(&proof, size, root, old, head).map_err(failed)?;
        checked += 1;
    }
    println!("{checked} older trees are its beginning");
    Ok(())
}
