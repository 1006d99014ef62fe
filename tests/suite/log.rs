//! The log on disk against an independent tree, crashes, second writers, damage, and a log too large to read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ct_merkle::mem_backed_tree::MemoryBackedTree;
use deckproof::commitment::digest::{Digest, leaf_hash, tree_root};
use deckproof::log::checkpoint::Checkpoint;
use deckproof::log::note::Note;
use deckproof::log::request::Request;
use deckproof::log::scan::{Scan, ScanRules};
use deckproof::log::tree::{Nodes, TreeHead, is_consistent, root};
use deckproof::log::trust::Trust;
use deckproof::log::vkey::{KeyKind, Signer, Vkey};
use deckproof::log::witness::{Answer, answer};
use deckproof::log::witnessed::Witnessed;
use deckproof::log_folder::reader::LogReader;
use deckproof::log_folder::{Log, LogError};
use serde_json::json;
use sha2::Sha256;
use tempfile::TempDir;

use crate::common::folder::files;
use crate::common::hands_log::{ORIGIN, hand, hands};

fn signer(kind: KeyKind, name: &str, seed: u8) -> Signer {
    Signer::from_seed(name, kind, &[seed; 32]).expect("a name")
}

fn log_key() -> Signer {
    signer(KeyKind::Log, ORIGIN, 7)
}

fn new_log() -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("log");
    Log::init(&path, &log_key()).expect("a new log");
    (folder, path)
}

fn trust(witnesses: &[&Signer], quorum: u64) -> Trust {
    let witness: Vec<String> = witnesses.iter().map(|key| key.vkey().to_string()).collect();
    let json = json!({ "origin": ORIGIN, "log": [log_key().vkey().to_string()], "witness": witness, "quorum": quorum });
    Trust::parse(json.to_string().as_bytes()).expect("a trust file")
}

fn add(path: &Path, entries: &[String]) {
    let mut log = Log::open(path).expect("a log");
    for entry in entries {
        log.append(entry).expect("an entry");
    }
    log.publish(&log_key()).expect("it is written");
}

fn digests(bytes: &[u8]) -> Vec<Digest> {
    bytes.chunks_exact(32).map(|hash| Digest::from_bytes(hash.try_into().expect("32 bytes"))).collect()
}

/// Roots, receipts and consistency proofs are those of the crate `ct-merkle`, whatever the groups in which
/// entries are published.
#[test]
fn tiles_on_disk_give_the_proofs_of_another_program() {
    let (_folder, path) = new_log();
    let mut theirs = MemoryBackedTree::<Sha256, String>::new();
    let all = hands("T-1", 300);
    let mut rest = all.as_slice();
    let mut heads = vec![(0, Digest::of(b""))];
    for group in [1, 2, 3, 250, 1, 255, 256, 70, 62] {
        let (now, later) = rest.split_at(group);
        add(&path, now);
        now.iter().for_each(|entry| theirs.push(entry.clone()));
        rest = later;
        let reader = LogReader::open(&path).expect("a log");
        let tree = reader.checkpoint().tree;
        assert_eq!(
            (tree.size, tree.root.bytes().as_slice()),
            (theirs.len(), theirs.root().as_bytes().as_slice())
        );
        for index in
            [0, 1, 255, 256, 257, 511, 512, 600, tree.size - 1].into_iter().filter(|i| *i < tree.size)
        {
            let receipt = reader.receipt(index).expect("a receipt");
            assert_eq!(receipt.path, digests(theirs.prove_inclusion(index as usize).as_bytes()), "{index}");
            assert_eq!(reader.entry(index).expect("an entry"), all[index as usize]);
            assert_eq!(reader.index_of(&leaf_hash(&all[index as usize])).expect("readable"), Some(index));
        }
        for (old, old_root) in &heads {
            let request = reader.request(*old).expect("a proof");
            if *old > 0 {
                let additions = (tree.size - old) as usize;
                assert_eq!(request.path, digests(theirs.prove_consistency(additions).as_bytes()), "{old}");
            }
            assert!(is_consistent(&TreeHead { size: *old, root: *old_root }, &tree, &request.path));
            assert_eq!(Request::parse(&request.to_string()).as_ref(), Some(&request));
        }
        let publication = fs::read_to_string(path.join("publication")).expect("it is there");
        let last = heads.last().expect("one").0;
        assert_eq!(publication, reader.request(last).expect("a proof").to_string());
        heads.push((tree.size, tree.root));
    }
    assert!(rest.is_empty());
    let scan = scan(&path).expect("sound");
    assert_eq!((scan.closed, scan.tree.size), (300, 900));
}

fn scan(path: &Path) -> Result<deckproof::log::scan::report::Report, String> {
    let reader = LogReader::open(path).map_err(|error| error.to_string())?;
    let (origin, earlier) = (reader.checkpoint().origin.clone(), vec![reader.checkpoint().tree]);
    let mut scan = Scan::new(ScanRules { origin, is_live: false, earlier });
    reader
        .walk::<LogError>(|entry| Ok(scan.entry(entry).unwrap_or(Digest::ZERO)))
        .map_err(|error| error.to_string())?;
    scan.finish().map_err(|refusal| refusal.to_string())
}

#[test]
fn what_was_not_published_is_gone_and_the_log_goes_on() {
    let (_folder, path) = new_log();
    add(&path, &hands("T-1", 100));
    let mut log = Log::open(&path).expect("a log");
    for entry in hands("T-2", 200) {
        log.append(&entry).expect("an entry");
    }
    assert_eq!((log.size(), log.published()), (900, 300));
    assert!(matches!(log.reader().receipt(300), Err(LogError::NoEntry { index: 300, size: 300 })));
    drop(log);
    let old = LogReader::open(&path).expect("a log");
    assert_eq!(old.checkpoint().tree.size, 300);
    // The same places are taken by others: the tiles that were left behind are written again.
    add(&path, &hands("T-3", 100));
    let new = LogReader::open(&path).expect("a log");
    let request = new.request(300).expect("a proof");
    assert!(is_consistent(&old.checkpoint().tree, &new.checkpoint().tree, &request.path));
    let report = scan(&path).expect("sound");
    assert_eq!((report.closed, report.tree.size), (200, 600));
}

/// A machine that stops while entries are published: the old checkpoint stands, and of the new files any
/// may be missing, torn or whole.
#[test]
fn a_log_goes_on_from_every_torn_publication() {
    let (folder, path) = new_log();
    add(&path, &hands("T-1", 80));
    let old = LogReader::open(&path).expect("a log").checkpoint().tree;
    let before: BTreeMap<PathBuf, Vec<u8>> =
        files(&path).into_iter().map(|file| (file.clone(), fs::read(&file).expect("readable"))).collect();
    add(&path, &hands("T-2", 60));
    let after: BTreeMap<PathBuf, Vec<u8>> = files(&path)
        .into_iter()
        .filter(|file| !before.contains_key(file))
        .map(|file| (file.clone(), fs::read(&file).expect("readable")))
        .collect();
    assert!(after.len() >= 5, "{:?}", after.keys());
    let mut tried = 0;
    for torn in 0..after.len() {
        for length in [0, 1, 31, 4000] {
            let name = folder.path().join(format!("{torn}-{length}"));
            let put = |file: &Path, bytes: &[u8]| {
                let to = name.join(file.strip_prefix(&path).expect("it lies there"));
                fs::create_dir_all(to.parent().expect("a folder")).expect("writable");
                fs::write(to, bytes).expect("writable");
            };
            before.iter().for_each(|(file, bytes)| put(file, bytes));
            for (place, (file, bytes)) in after.iter().enumerate().filter(|(place, _)| *place <= torn) {
                put(file, if place == torn { &bytes[..length.min(bytes.len())] } else { bytes });
            }
            add(&name, &hands("T-3", 70));
            let reader = LogReader::open(&name).expect("a log");
            let request = reader.request(old.size).expect("a proof");
            assert!(is_consistent(&old, &reader.checkpoint().tree, &request.path), "{torn} {length}");
            assert_eq!(scan(&name).expect("sound").closed, 150, "{torn} {length}");
            tried += 1;
        }
    }
    assert!(tried >= 20, "{tried}");
}

#[test]
fn a_second_writer_is_turned_away_and_readers_are_not() {
    let (_folder, path) = new_log();
    let mut first = Log::open(&path).expect("a log");
    assert!(matches!(Log::open(&path), Err(LogError::Lock(_))));
    first.append(&hand("T", 1)[0]).expect("an entry");
    first.publish(&log_key()).expect("it is written");
    assert_eq!(LogReader::open(&path).expect("a log").checkpoint().tree.size, 1);
    drop(first);
    assert_eq!(Log::open(&path).expect("it was given back").size(), 1);
}

#[test]
fn strangers_are_turned_away() {
    let (folder, path) = new_log();
    let mut log = Log::open(&path).expect("a log");
    let foreign = hand("T", 1)[0].replace(ORIGIN, "other.example/log");
    assert!(matches!(log.append(&foreign), Err(LogError::Origin { .. })));
    assert!(matches!(log.append("deckproof/v1 deck\n"), Err(LogError::Entry(_))));
    log.append(&hand("T", 1)[0]).expect("an entry");
    assert!(matches!(log.publish(&signer(KeyKind::Log, "other.example", 7)), Err(LogError::Origin { .. })));
    assert!(matches!(log.publish(&signer(KeyKind::Witness, ORIGIN, 7)), Err(LogError::NotALogKey(_))));
    log.publish(&log_key()).expect("the log itself");
    assert!(Log::init(&path, &log_key()).is_err(), "a log is not begun twice");
    assert!(Log::open(folder.path()).is_err());
    assert_eq!(
        fs::read_dir(folder.path()).expect("readable").count(),
        1,
        "no lock is left in a foreign folder"
    );
}

/// A log of 3·10⁸ entries of which only the right edge is on disk: three tiles.
#[test]
fn a_huge_log_is_continued_from_its_right_edge() {
    const SIZE: u64 = 300_000_000;
    struct Tiles(BTreeMap<u32, Vec<Digest>>);
    impl Nodes for Tiles {
        type Error = String;

        fn node(&self, height: u32, index: u64) -> Result<Digest, String> {
            let (level, within) = (height / 8, height % 8);
            let (tile, start) = ((index << within) / 256, (index << within) % 256);
            if tile != (SIZE >> (8 * level)) / 256 {
                return Err(format!("tile {tile} of level {level} is asked for"));
            }
            let start = start as usize;
            Ok(tree_root(&self.0[&level][start..start + (1 << within)]))
        }
    }
    let (_folder, path) = new_log();
    let mut tiles = BTreeMap::new();
    for level in 1..=3u32 {
        let (tile, width) = ((SIZE >> (8 * level)) / 256, (SIZE >> (8 * level)) % 256);
        let hashes: Vec<Digest> = (0..width).map(|n| leaf_hash(&format!("{level} {n}"))).collect();
        let thousands = if tile >= 1000 { format!("x{:03}/", tile / 1000) } else { String::new() };
        let folder = path.join(format!("tile/{level}/{thousands}{:03}.p", tile % 1000));
        fs::create_dir_all(&folder).expect("writable");
        let bytes: Vec<u8> = hashes.iter().flat_map(|hash| *hash.bytes()).collect();
        fs::write(folder.join(width.to_string()), bytes).expect("writable");
        tiles.insert(level, hashes);
    }
    assert_eq!(SIZE % 256, 0, "no entry need be on disk");
    let root = root(&Tiles(tiles), SIZE).expect("the edge is enough");
    let checkpoint = Checkpoint { origin: ORIGIN.to_owned(), tree: TreeHead { size: SIZE, root } };
    fs::write(path.join("checkpoint"), log_key().sign(&checkpoint.to_string()).to_string())
        .expect("writable");
    let mut log = Log::open(&path).expect("the edge is enough");
    for entry in hands("T", 100) {
        log.append(&entry).expect("an entry");
    }
    log.publish(&log_key()).expect("the edge is enough");
    let receipt = log.reader().receipt(SIZE + 299).expect("a receipt");
    let logged = receipt.check(&leaf_hash(&hand("T", 100)[2]), &trust(&[], 1), "receipt").expect("proven");
    assert_eq!((logged.index, logged.witnessed.checkpoint.tree.size), (SIZE + 299, SIZE + 300));
    let request = log.reader().request(SIZE).expect("the edge is enough");
    assert!(is_consistent(&checkpoint.tree, &logged.witnessed.checkpoint.tree, &request.path));
}

/// Every file of a log is spoiled in places: then the log is not opened or its scan fails.
#[test]
fn no_spoiled_byte_passes_a_scan() {
    let (_folder, path) = new_log();
    add(&path, &hands("T", 90));
    let mut spoiled = 0;
    for file in files(&path).into_iter().filter(|file| !file.ends_with("publication")) {
        let sound = fs::read(&file).expect("readable");
        let is_checkpoint = file.ends_with("checkpoint");
        for at in (0..sound.len()).step_by(sound.len() / 24 + 1) {
            let mut bytes = sound.clone();
            bytes[at] ^= 1;
            fs::write(&file, &bytes).expect("writable");
            // The signature of a checkpoint is for the trust file to judge.
            let note = String::from_utf8_lossy(&bytes).into_owned();
            let is_trusted = Witnessed::parse(&note, &trust(&[], 1), "checkpoint").is_ok();
            assert!(scan(&path).is_err() || is_checkpoint && !is_trusted, "{} {at}", file.display());
            spoiled += 1;
        }
        fs::write(&file, &sound[..sound.len() - 1]).expect("writable");
        assert!(scan(&path).is_err(), "{} cut short", file.display());
        fs::write(&file, [&sound[..], b"x"].concat()).expect("writable");
        assert!(scan(&path).is_err(), "{} with more behind it", file.display());
        fs::write(&file, &sound).expect("writable");
    }
    assert!(spoiled > 100 && scan(&path).is_ok(), "{spoiled}");
}

/// c2sp.org/tlog-tiles: "Logs MUST serve partial tiles corresponding to tree sizes for which a checkpoint was
/// produced, but MAY delete any partial tile once the corresponding full tile is available".
#[test]
fn partial_tiles_stay_for_every_checkpoint_until_their_tile_is_full() {
    let (_folder, path) = new_log();
    let mut log = Log::open(&path).expect("a log");
    let mut notes = Vec::new();
    for entry in hands("T", 86) {
        log.append(&entry).expect("an entry");
        log.publish(&log_key()).expect("it is written");
        notes.push(log.reader().note().to_owned());
        if log.size() == 255 {
            for kind in ["0", "entries"] {
                let forms = fs::read_dir(path.join(format!("tile/{kind}/000.p"))).expect("a folder").count();
                assert_eq!(forms, 255, "{kind}");
            }
        }
    }
    drop(log);
    assert!(!path.join("tile/0/000.p").exists() && !path.join("tile/entries/000.p").exists());
    // Whoever holds an old checkpoint still gets proofs under it.
    for (size, note) in (1..).zip(&notes) {
        LogReader::of(&path, note).expect("a log").receipt(size - 1).expect("a receipt");
    }
    let bytes: u64 = files(&path).iter().map(|file| fs::metadata(file).expect("there").len()).sum();
    assert!(bytes / 86 < 2000, "{} bytes a hand", bytes / 86);
    assert_eq!(scan(&path).expect("sound").closed, 86);
}

#[test]
fn witnesses_cosign_growth_and_nothing_else() {
    let (_folder, path) = new_log();
    let witness = signer(KeyKind::Witness, "witness.example/w1", 9);
    let trust = trust(&[&witness], 1);
    add(&path, &hands("T", 3));
    let first = LogReader::open(&path).expect("a log").request(0).expect("a proof");
    let Ok(Answer::Cosign(seen)) = answer(&first, &trust, None) else { panic!("the first checkpoint") };
    assert_eq!(answer(&first, &trust, Some(&seen)), Ok(Answer::StartsElsewhere { last: 9 }));
    add(&path, &hands("T", 5)[9..]);
    let reader = LogReader::open(&path).expect("a log");
    let next = reader.request(9).expect("a proof");
    let Ok(Answer::Cosign(grown)) = answer(&next, &trust, Some(&seen)) else { panic!("it grew") };
    let same = reader.request(15).expect("a proof");
    assert_eq!(answer(&same, &trust, Some(&grown)), Ok(Answer::Cosign(grown.clone())));
    let code = |request: &Request, last: &Checkpoint| {
        answer(request, &trust, Some(last)).err().map(|no| no.code.name())
    };
    assert_eq!(code(&first, &grown), Some("E_LOG_CONSISTENCY"), "rolled back");
    // Another log of the same key: as long, or longer, with a proof of its own.
    let (_other_folder, other) = new_log();
    add(&other, &hands("F", 5));
    let fork = LogReader::open(&other).expect("a log");
    for old in [0, 9, 15] {
        assert_eq!(
            code(&fork.request(old).expect("a proof"), &grown),
            Some("E_LOG_CONSISTENCY"),
            "fork at {old}"
        );
    }
    add(&other, &hands("F", 6)[15..]);
    let fork = LogReader::open(&other).expect("a log").request(15).expect("a proof");
    let is_unproven = |request: &Request, last: &Checkpoint| {
        matches!(answer(request, &trust, Some(last)), Ok(Answer::Unproven { message })
            if message.contains("the tree of size 18 holds the tree of size 15"))
    };
    assert!(is_unproven(&fork, &grown), "longer fork");
    // One bit of a proof, one hash too few, one too many: nobody signed it, so that it says nothing of the log.
    add(&path, &hands("T", 6)[15..]);
    let sound = LogReader::open(&path).expect("a log").request(15).expect("a proof");
    assert!(matches!(answer(&sound, &trust, Some(&grown)), Ok(Answer::Cosign(_))));
    let mut bytes = *sound.path[0].bytes();
    bytes[0] ^= 1;
    let [flipped, fewer, more] = [
        [&[Digest::from_bytes(bytes)], &sound.path[1..]].concat(),
        sound.path[1..].to_vec(),
        [&sound.path[..1], &sound.path].concat(),
    ];
    for path in [flipped, fewer, more] {
        assert!(is_unproven(&Request { path, ..sound.clone() }, &grown));
    }
    let unsigned = Request { note: next.note.replace(ORIGIN, "stud.example/log2"), ..next };
    assert!(answer(&unsigned, &trust, Some(&seen)).is_err());
}

/// An ML-DSA-44 cosignature has 2,420 bytes and type 6: it stays on the note, and is nobody's.
#[test]
fn signature_lines_of_unknown_types_are_kept_and_not_counted() {
    let (_folder, path) = new_log();
    let witness = signer(KeyKind::Witness, "witness.example/w1", 9);
    let trust = trust(&[&witness], 1);
    add(&path, &hands("T", 1));
    let mut log = Log::open(&path).expect("a log");
    let mut note = Note::parse(log.reader().note()).expect("a note");
    let mut stranger = witness.cosign(&note.text, 5);
    stranger.key_id = [1, 2, 3, 4];
    stranger.bytes = vec![6; 8 + 2420];
    note.signatures.push(stranger.clone());
    let judged = Witnessed::parse(&note.to_string(), &trust, "checkpoint").expect("it is ignored");
    assert_eq!(judged.quorum_time, None);
    note.signatures.push(witness.cosign(&note.text, 1_700_000_000));
    log.replace_checkpoint(&note.to_string()).expect("the same checkpoint");
    let kept = Note::parse(LogReader::open(&path).expect("a log").note()).expect("a note");
    assert!(kept.signatures.contains(&stranger) && kept.signatures.len() == 3);
    let judged = Witnessed::parse(&kept.to_string(), &trust, "checkpoint").expect("sound");
    assert_eq!(judged.quorum_time, Some(1_700_000_000));
    let receipt = log.reader().receipt(0).expect("a receipt").to_string();
    assert!(receipt.ends_with(&kept.to_string()), "receipts carry what witnesses gave");
    let other = log_key().sign("stud.example/log1\n3\nYiNzxA9LGgYVcLugvEjGgPa8SvBKXEAfXLzsjIwtLfE=\n");
    assert!(log.replace_checkpoint(&other.to_string()).is_err(), "signatures belong to one checkpoint");
}

/// The example of the Go package golang.org/x/mod/sumdb/note; Ed25519 is deterministic.
#[test]
fn keys_and_signatures_are_those_of_the_go_package() {
    let secret = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
    let public = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    let signer = Signer::parse(secret).expect("a key");
    assert_eq!((signer.vkey().to_string().as_str(), signer.disclose().as_str()), (public, secret));
    let text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
    let note = format!(
        "{text}\n\u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
    );
    assert_eq!(signer.sign(text).to_string(), note);
    let parsed = Note::parse(&note).expect("a note");
    let key = Vkey::parse(public).expect("a key");
    assert!(key.is_named_by(&parsed.signatures[0]) && key.verify(text, &parsed.signatures[0]).is_some());
    assert!(key.verify("another text\n", &parsed.signatures[0]).is_none());
    for wrong in
        ["", "PeterNeumann", &public[1..], &public.replace("c74f", "C74F"), &public.replace('+', " ")]
    {
        assert!(Vkey::parse(wrong).is_err(), "{wrong}");
    }
    for wrong in ["", public, &secret[1..], &secret.replace("c74f20a3", "c74f20a4")] {
        assert!(Signer::parse(wrong).is_err());
    }
}

#[test]
fn policies_of_the_witness_world_are_read() {
    let keys: Vec<Signer> =
        (1..=5).map(|n| signer(KeyKind::Witness, &format!("witness.example/w{n}"), 100 + n)).collect();
    let lines: String = keys
        .iter()
        .enumerate()
        .map(|(n, key)| format!("witness  w{n}\t{} https://w.example\n", key.vkey()))
        .collect();
    let policy = format!(
        "# made by hand\n\nlog {} https://stud.example\n{lines}group x 2 w0 w1 w2\n group y any w3 w4\ngroup all-of-them all x y\nquorum all-of-them\n",
        log_key().vkey()
    );
    let trust = Trust::parse(policy.as_bytes()).expect("a policy");
    assert_eq!(trust.origin, ORIGIN);
    let text = Checkpoint { origin: ORIGIN.to_owned(), tree: TreeHead::empty() }.to_string();
    let met = |who: &[(usize, u64)]| {
        let mut note = log_key().sign(&text);
        note.signatures.extend(who.iter().map(|(n, time)| keys[*n].cosign(&text, *time)));
        Witnessed::parse(&note.to_string(), &trust, "checkpoint").expect("sound").quorum_time
    };
    assert_eq!(met(&[(0, 10), (2, 30), (4, 20)]), Some(30));
    assert_eq!(met(&[(0, 10), (1, 11), (2, 30), (4, 20)]), Some(20));
    assert_eq!(met(&[(0, 10), (1, 11), (2, 30)]), None);
    assert_eq!(met(&[(0, 10), (3, 11), (4, 30)]), None);
    for (wrong, by) in [
        ("quorum all-of-them", "quorum nobody"),
        ("quorum all-of-them", ""),
        ("quorum all-of-them", "quorum all-of-them\nquorum x"),
        ("group x 2", "group x 4"),
        ("group x 2", "group x 0"),
        ("group y any w3 w4", "group y any w2 w4"),
        ("group y any w3 w4", "group y any"),
        ("group y any", "group none any"),
        ("log ", "logs "),
        ("# made", "\u{1} made"),
    ] {
        assert!(policy.contains(wrong), "{wrong}");
        assert!(Trust::parse(policy.replace(wrong, by).as_bytes()).is_err(), "{wrong} as {by}");
    }
    assert!(Trust::parse(policy.trim_end().as_bytes()).is_err(), "a last line without its end");
    let unmet = policy.replace("quorum all-of-them", "quorum none");
    let unmet = Trust::parse(unmet.as_bytes()).expect("a policy");
    let mut note = log_key().sign(&text);
    note.signatures.push(keys[0].cosign(&text, 10));
    assert_eq!(Witnessed::parse(&note.to_string(), &unmet, "checkpoint").expect("sound").quorum_time, None);
    let twice = policy.replace(&keys[1].vkey().to_string(), &keys[0].vkey().to_string());
    assert!(Trust::parse(twice.as_bytes()).expect("its form is right").keys().is_err(), "one key twice");
}
