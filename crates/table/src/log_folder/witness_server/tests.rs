//! Every status of `add-checkpoint`, over logs that grow, fork and are rolled back.

use super::*;
use crate::log_folder::Log;
use crate::log_folder::key_files::{read_trust, write_trust};
use crate::log_folder::reader::LogReader;
use deckproof_verify::log::vkey::{KeyKind, Signed, Vkey};

const NOW: u64 = 1_800_000_000;

fn signer(name: &str, kind: KeyKind) -> Signer {
    Signer::from_seed(name, kind, Digest::of(name.as_bytes()).bytes()).expect("a name")
}

fn clock() -> MachineClock {
    Box::new(|| Ok(NOW))
}

/// A log of one name and key in a folder, with so many decks.
struct Grown {
    folder: std::path::PathBuf,
    key: Signer,
}

impl Grown {
    fn new(folder: &Path, origin: &str) -> Grown {
        let key = signer(origin, KeyKind::Log);
        Log::init(folder, &key).expect("a new folder");
        Grown { folder: folder.to_owned(), key }
    }

    fn grow(&self, table: &str, hands: std::ops::RangeInclusive<u64>) {
        let mut log = Log::open(&self.folder).expect("a log");
        for hand in hands {
            let root = Digest::of(format!("{table} {hand}"));
            let origin = self.key.name();
            let entry = format!(
                "deckproof/v1 deck\norigin {origin}\ntable {table}\nhand {hand}\nmix none\ndeck {root}\n"
            );
            log.append(&entry).expect("an entry");
        }
        log.publish(&self.key).expect("the disk holds it");
    }

    fn request(&self, old: u64) -> String {
        LogReader::open(&self.folder).expect("a log").request(old).expect("a proof").to_string()
    }

    fn trust(&self, place: &Path) -> Trust {
        write_trust(place, &self.key.vkey(), self.key.name()).expect("nothing stands there");
        read_trust(place).expect("a trust file")
    }
}

struct Case {
    folder: tempfile::TempDir,
    log: Grown,
    trust: Trust,
    witness: Vkey,
}

fn case() -> Case {
    let folder = tempfile::tempdir().expect("a folder");
    let log = Grown::new(&folder.path().join("log"), "stud.example/log1");
    let trust = log.trust(&folder.path().join("trust"));
    log.grow("T-1", 1..=3);
    Case { folder, log, trust, witness: key().vkey() }
}

fn key() -> Signer {
    signer("witness.example/w1", KeyKind::Witness)
}

impl Case {
    fn open(&self, first: &[&str], clock: MachineClock) -> Result<WitnessDesk, CouldNotSay> {
        let first: Vec<String> = first.iter().map(|name| (*name).to_owned()).collect();
        WitnessDesk::open(&self.folder.path().join("w1"), key(), vec![self.trust.clone()], &first, clock)
    }

    fn begin(&self) -> WitnessDesk {
        self.open(&["stud.example/log1"], clock()).expect("a first time")
    }

    fn state(&self) -> String {
        fs::read_to_string(self.begun()).expect("it was begun")
    }

    fn begun(&self) -> PathBuf {
        self.folder.path().join("w1").join(Digest::of(b"stud.example/log1").to_string()).join("checkpoint")
    }
}

/// Asks, and looks at status and text; nothing is kept unless it is 200.
fn check(case: &Case, desk: &mut WitnessDesk, body: &str, status: u16, shown: &str) -> DeskAnswer {
    let before = case.state();
    let answer = desk.add_checkpoint(body.as_bytes());
    assert!(answer.status == status && answer.text.contains(shown), "{status} {shown}: {answer:?}");
    assert_eq!(case.state() == before, status != 200, "{answer:?}");
    answer
}

#[test]
fn a_log_that_grows_is_cosigned_and_each_fault_has_its_status() {
    let case = case();
    let mut desk = case.begin();
    let first = case.log.request(0);
    let hash = Digest::of(b"stud.example/log1").to_string();
    assert_eq!(desk.checkpoint(&hash).expect("readable"), None, "never cosigned");
    let answer = check(&case, &mut desk, &first, 200, "\u{2014} witness.example/w1 ");
    let note =
        Note::parse(&format!("{}{}", case.log.request(0).split_once("\n\n").expect("a note").1, answer.text));
    let note = note.expect("a note with two lines");
    let signed = case.witness.verify(&note.text, &note.signatures[1]);
    assert!(matches!(signed, Some(Signed::ByWitness { time: NOW })), "{answer:?}");
    assert_eq!(desk.checkpoint(&hash).expect("readable"), Some(note.to_string()));
    assert_eq!(desk.checkpoint("00").expect("readable"), None);

    case.log.grow("T-1", 4..=9);
    let grown = case.log.request(3);
    check(&case, &mut desk, &case.log.request(2), 409, "3\n");
    assert_eq!(check(&case, &mut desk, &case.log.request(0), 409, "3\n").kind, "text/x.tlog.size");
    // A hash of the proof altered, one too few, one too many.
    let lines: Vec<&str> = grown.lines().collect();
    let altered = grown.replacen(lines[1], &deck_hash(), 1);
    check(
        &case,
        &mut desk,
        &altered,
        422,
        "the proof does not show that the tree of size 9 holds the tree of size 3",
    );
    check(&case, &mut desk, &grown.replacen(&format!("{}\n", lines[1]), "", 1), 422, "size 3");
    let longer = grown.replacen("old 3\n", &format!("old 3\n{}\n", lines[1]), 1);
    assert!(check(&case, &mut desk, &longer, 422, "size 3").report.is_some(), "the operator hears of it");
    // Signed by nobody, by another key, altered behind the signature, of another log.
    let (head, sign) = grown.rsplit_once("\n\n").expect("signatures");
    let stranger = sign.replace("stud.example/log1", "stud.example/log2");
    check(&case, &mut desk, &format!("{head}\n\n{stranger}"), 403, "no signature of a log key");
    check(&case, &mut desk, &grown.replacen("\n9\n", "\n8\n", 1), 403, "does not verify");
    let other = grown.replace("stud.example/log1", "stud.example/log2");
    check(&case, &mut desk, &other, 404, "no log of this name");
    // An old size beyond the checkpoint; then what is no request at all.
    check(&case, &mut desk, &grown.replacen("old 3", "old 10", 1), 400, "old 10 is larger");
    for body in
        ["", "old 3\n", "old 03\n\nx\n", &grown.replacen("old 3", "old x", 1), "GET / HTTP/1.1\r\n\r\n"]
    {
        check(&case, &mut desk, body, 400, "wanted");
    }
    let many = grown.replacen("old 3\n", &format!("old 3\n{}", format!("{}\n", lines[1]).repeat(64)), 1);
    check(&case, &mut desk, &many, 400, "at most 63 hashes");
    check(&case, &mut desk, &format!("{grown}{}", "x".repeat(REQUEST_BYTES_MAX)), 400, "wanted");
    assert_eq!(desk.add_checkpoint(&[0xff, 0xfe]).status, 400);
    // Lines of others on the note are theirs to publish: what is kept stays short.
    let other = signer("other.example/w1", KeyKind::Witness);
    let (_, note) = grown.split_once("\n\n").expect("a note");
    let line = other.cosign(&Note::parse(note).expect("a note").text, NOW);
    check(&case, &mut desk, &format!("{grown}{}", format!("{line}\n").repeat(9)), 200, "witness.example/w1");
    assert!(!case.state().contains("other.example") && case.state().contains("\n9\n"), "{}", case.state());
    // The tree it has outgrown; the same tree again is no fault, and is cosigned again.
    check(&case, &mut desk, &first, 409, "9\n");
    assert_eq!(desk.add_checkpoint(case.log.request(9).as_bytes()).status, 200);
}

/// A hash that is in no tree.
fn deck_hash() -> String {
    format!("{}=", "A".repeat(43))
}

#[test]
fn a_fork_and_a_rolled_back_log_are_never_cosigned() {
    let case = case();
    let mut desk = case.begin();
    check(&case, &mut desk, &case.log.request(0), 200, "witness");
    // The same name and key, other hands: as large, larger, smaller.
    let fork = Grown::new(&case.folder.path().join("fork"), "stud.example/log1");
    fork.grow("F-1", 1..=2);
    let smaller = fork.request(0);
    let answer = check(&case, &mut desk, &smaller, 409, "3\n");
    assert!(answer.report.is_some_and(|report| report.contains("rolled back")));
    fork.grow("F-1", 3..=3);
    check(&case, &mut desk, &fork.request(3), 422, "fork");
    check(&case, &mut desk, &fork.request(0), 409, "3\n");
    fork.grow("F-1", 4..=5);
    check(&case, &mut desk, &fork.request(3), 422, "fork");
    // The log itself goes on.
    case.log.grow("T-1", 4..=5);
    check(&case, &mut desk, &case.log.request(3), 200, "witness");
}

#[test]
fn a_witness_starts_only_with_what_it_cosigned_and_its_clock_goes_on_over_a_restart() {
    let case = case();
    let lost = case.open(&[], clock()).err().expect("no state").to_string();
    assert!(lost.contains("say --first stud.example/log1") && lost.contains("must not cosign"), "{lost}");
    let stranger = case.open(&["stud.example/log9"], clock()).err().expect("unknown").to_string();
    assert!(stranger.contains("no --trust names this log"), "{stranger}");
    let mut desk = case.begin();
    let busy = case.open(&[], clock()).err().expect("one has it").to_string();
    assert!(busy.contains("another run"), "{busy}");
    check(&case, &mut desk, &case.log.request(0), 200, "witness");
    drop(desk);
    let again = case.open(&["stud.example/log1"], clock()).err().expect("it has a state").to_string();
    assert!(again.contains("says that you have cosigned this log"), "{again}");
    // A second log that never was cosigned is held to the time of the first.
    let second = Grown::new(&case.folder.path().join("log2"), "stud.example/log2");
    let trusts = || vec![case.trust.clone(), read_trust(&case.folder.path().join("trust2")).expect("a file")];
    second.trust(&case.folder.path().join("trust2"));
    let at = |now: u64| -> MachineClock { Box::new(move || Ok(now)) };
    let first = ["stud.example/log2".to_owned()];
    let folder = case.folder.path().join("w1");
    let mut desk = WitnessDesk::open(&folder, key(), trusts(), &first, at(NOW - 61)).expect("states");
    let answer = desk.add_checkpoint(second.request(0).as_bytes());
    assert_eq!((answer.status, answer.text.as_str()), (500, "this witness cannot cosign now\n"));
    assert!(
        answer.report.is_some_and(|report| report.contains("Either it went back now, or it was ahead then"))
    );
    drop(desk);
    let mut desk = WitnessDesk::open(&folder, key(), trusts(), &[], at(NOW - 60)).expect("states");
    assert_eq!(desk.add_checkpoint(second.request(0).as_bytes()).status, 200);
    let note = Note::parse(
        &desk.checkpoint(&Digest::of(b"stud.example/log2").to_string()).expect("readable").expect("cosigned"),
    );
    let note = note.expect("a note");
    assert_eq!(case.witness.verify(&note.text, &note.signatures[1]), Some(Signed::ByWitness { time: NOW }));
    drop(desk);
    let twice = WitnessDesk::open(&folder, key(), vec![case.trust.clone(), case.trust.clone()], &[], at(NOW));
    assert!(twice.err().expect("one log").to_string().contains("found the log stud.example/log1 twice"));
    fs::write(case.begun(), "garbage").expect("writable");
    let damaged = case.open(&[], clock()).err().expect("damaged").to_string();
    assert!(damaged.contains("no checkpoint of three lines"), "{damaged}");
}

/// A lock that somebody else holds is met by the log's own requests alone: others are refused before.
#[test]
fn who_is_not_the_log_is_refused_before_anything_is_locked_or_read() {
    let case = case();
    let mut desk = case.begin();
    let asked = case.log.request(0);
    fs::write(case.begun(), "garbage").expect("writable");
    let altered = asked.replacen("\n3\n", "\n2\n", 1);
    assert_eq!(desk.add_checkpoint(altered.as_bytes()).status, 403);
    let answer = desk.add_checkpoint(asked.as_bytes());
    assert!(answer.status == 500 && answer.report.is_some(), "{answer:?}");
}
