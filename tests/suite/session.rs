//! A whole audit as one library call: crash points, saved runs that were changed, repeats that were cut off.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use deckproof::audit::checkpoint::{self, CheckpointError};
use deckproof::audit::plan::{Plan, Shard};
use deckproof::audit::run::RunError;
use deckproof::audit::verdict::Verdict;
use deckproof::battery::Tier;
use deckproof::certificate::rejudge::rejudge;
use deckproof::certificate::{AuditResult, RepeatMissing};
use deckproof::session::saved::SavedRun;
use deckproof::session::{Session, SessionError, Unwatched, Watch};
use deckproof::source::flawed::{self, Flawed};
use deckproof::source::format::{Format, Numbering, Written};
use deckproof::source::stream::{self, Stream};
use sha2::{Digest, Sha256};

use crate::common::decks::raw;
use crate::common::lab::{KEY, Lab};

const DECKS: u64 = 100;

fn plan_of(name: &str) -> Plan {
    let (name, seed) = name.split_once(':').expect("a seed");
    let record = flawed::record(name, seed.parse().expect("a number"));
    Plan::new(record, Some(DECKS), &[Tier::Core])
}

fn begin(name: &str, path: Option<&Path>) -> Result<Session, SessionError> {
    let source = Box::new(Flawed::open(name, DECKS).expect("it is in the list"));
    Session::begin(plan_of(name), Shard::WHOLE, source, path.map(SavedRun::open).transpose()?)
}

fn answer(name: &str) -> AuditResult {
    begin(name, None).and_then(|mut session| session.answer(1, &Unwatched)).expect("no record is spoilt")
}

/// A dealer whose first hundred decks say investigate, and its whole audit.
fn suspect() -> (String, AuditResult) {
    let names = (1..100).map(|seed| format!("riffle-8:{seed}"));
    let mut audits = names.map(|name| (name.clone(), answer(&name)));
    audits.find(|(_, result)| result.repeat.is_some()).expect("eight riffles are seen at a hundred decks")
}

/// Dies at one save.
struct Crash {
    left: AtomicU64,
}

impl Watch for Crash {
    fn saved(&self) -> io::Result<()> {
        match self.left.fetch_sub(1, Ordering::Relaxed) {
            0 => Err(io::Error::other("the plug was pulled")),
            _ => Ok(()),
        }
    }
}

#[test]
fn a_run_that_dies_after_any_save_goes_on_to_the_same_result() {
    let (name, whole) = suspect();
    let folder = tempfile::tempdir().expect("a scratch folder can be made");
    let path = folder.path().join("run");
    let mut deaths = 0;
    for save in 0.. {
        let crash = Crash { left: AtomicU64::new(save) };
        let mut session = begin(&name, Some(&path)).expect("nothing is saved yet");
        match session.answer(1, &crash) {
            Err(SessionError::Run(RunError::Save(_))) => deaths += 1,
            Ok(result) => {
                assert_eq!(result, whole);
                break;
            }
            Err(error) => panic!("{error}"),
        }
        drop(session);
        let mut session = begin(&name, Some(&path)).expect("it goes on");
        assert_eq!(session.answer(1, &Unwatched).expect("it goes on"), whole, "after save {save}");
        session.end().expect("the checkpoint is removed");
        assert_eq!(std::fs::read_dir(folder.path()).expect("readable").count(), 0);
    }
    // After the round of the first look, when its verdict was saved, and after the round of the repeat.
    assert_eq!(deaths, 3);
}

fn answer_stream(bytes: Vec<u8>) -> AuditResult {
    let record = stream::record(Format::Raw, Numbering::RankSuit);
    let plan = Plan::new(record, Some(DECKS), &[Tier::Core]);
    let reader = io::Cursor::new(bytes);
    let source =
        Stream::open(reader, "decks", &Written::new(Some(Format::Raw), Numbering::RankSuit), Some(DECKS))
            .expect("decks");
    let mut session = Session::begin(plan, Shard::WHOLE, Box::new(source), None).expect("the plan is ours");
    session.answer(1, &Unwatched).expect("the first record is a deck")
}

#[test]
fn decks_before_a_bad_record_of_the_repeat_count_from_its_own_first_deck() {
    let (name, _) = suspect();
    let mut bytes = [raw(&name, DECKS), raw("certified:7", 4 * DECKS)].concat();
    // Record 251, counted from 1, is the 151st of the repeat.
    bytes[250 * 52] = 99;
    let result = answer_stream(bytes);
    let repeat = result.repeat.as_ref().expect("the first look asks");
    assert_eq!((repeat.first_deck, repeat.decks, result.verdict), (100, 150, Verdict::Fail));
    assert!(repeat.proofs[0].starts_with("Record 251 is not a deck: "), "{}", repeat.proofs[0]);
    rejudge(&result).expect("it is consistent");
    let mut moved = result;
    moved.repeat.as_mut().expect("it is there").decks = 250;
    assert!(rejudge(&moved).is_err(), "the proof names another record");
}

#[test]
fn a_repeat_that_was_due_cannot_be_cut_off() {
    let (name, whole) = suspect();
    for reason in [None, Some(RepeatMissing::NotRun), Some(RepeatMissing::StreamEnded)] {
        let mut cut = whole.clone();
        (cut.repeat, cut.repeat_missing, cut.verdict) = (None, reason, Verdict::Investigate);
        assert!(rejudge(&cut).is_err(), "{reason:?}");
    }
    // A stream may end, and says so; it cannot have nobody to count it.
    let mut ended = answer_stream(raw(&name, 3 * DECKS));
    assert_eq!(
        (ended.verdict, ended.repeat_missing),
        (Verdict::Investigate, Some(RepeatMissing::StreamEnded))
    );
    rejudge(&ended).expect("it is consistent");
    ended.repeat_missing = Some(RepeatMissing::NotRun);
    assert!(rejudge(&ended).is_err());
}

/// Changes the header of a saved run and makes its checksum fit.
fn change_header(path: &Path, from: &str, to: &str) {
    let bytes = std::fs::read(path).expect("it was saved");
    let end = bytes.iter().position(|&byte| byte == b'\n').expect("a header");
    let header = std::str::from_utf8(&bytes[..end]).expect("JSON");
    assert!(header.contains(from), "{from} in {header}");
    let mut changed = header.replacen(from, to, 1).into_bytes();
    changed.extend(&bytes[end..bytes.len() - 32]);
    let digest = Sha256::digest(&changed);
    changed.extend(digest);
    std::fs::write(path, changed).expect("the scratch folder is writable");
}

#[test]
fn a_saved_run_that_was_changed_is_never_judged() {
    let folder = tempfile::tempdir().expect("a scratch folder can be made");
    let path = folder.path().join("run");
    let refused = |from: &str, to: &str| {
        drop(begin("certified:1", Some(&path)).expect("nothing is saved yet"));
        change_header(&path, from, to);
        let error = begin("certified:1", Some(&path)).map(|_| ()).expect_err("it was changed");
        let is_named = matches!(
            error,
            SessionError::Checkpoint(CheckpointError::Damaged { .. }) | SessionError::SavedLook { .. }
        );
        assert!(is_named, "{error}");
        std::fs::remove_file(&path).expect("it is there");
    };
    // Nothing was counted, and the run says that it is over.
    refused("\"next_segment\":0", "\"next_segment\":1");
    refused("\"next_segment\":0", "\"next_segment\":9");
    refused("\"first_look\":null", "\"first_look\":\"{}\"");
    refused("\"shard\":{\"index\":1,\"count\":1}", "\"shard\":{\"index\":1,\"count\":0}");
    refused("\"shard\":{\"index\":1,\"count\":1}", "\"shard\":{\"index\":2,\"count\":1}");
    // A forged count of decks does not add up with the counts.
    drop(begin("certified:1", Some(&path)).expect("nothing is saved yet"));
    change_header(&path, "\"next_segment\":0", "\"next_segment\":1");
    change_header(&path, "{\"decks\":0", "{\"decks\":100");
    change_header(&path, "{\"decks\":0", "{\"decks\":99");
    assert!(begin("certified:1", Some(&path)).is_err(), "its counts are all zero");
}

#[test]
fn shards_of_no_parts_are_refused_and_do_not_panic() {
    let lab = Lab::new();
    let source = format!("audit:{KEY}");
    let shard = ["audit", "--source", &source, "--decks", "1000", "--tiers", "core", "--shard", "1/1"];
    lab.run(&[&shard[..], &["--out", "s"]].concat()).ends(0);
    let path = lab.path("s/shard-1-of-1.tally");
    checkpoint::read(Path::new(&path)).expect("it is sound").expect("it is there");
    for (from, to) in [("\"count\":1", "\"count\":0"), ("\"next_segment\":1", "\"next_segment\":0")] {
        change_header(Path::new(&path), from, to);
        let output = lab.run(&["merge", "s/shard-1-of-1.tally", "--out", "m"]).refused();
        assert!(!output.warns("panicked") && !lab.exists("m"), "{output}");
        change_header(Path::new(&path), to, from);
    }
    lab.run(&["merge", "s/shard-1-of-1.tally", "--out", "m"]).ends(0);
}

#[test]
fn files_of_others_are_left_alone_and_nobody_is_told_to_remove_them() {
    let lab = Lab::new();
    lab.write("thesis", "Chapter 1");
    let output = lab.run(&["audit", "--decks", "100", "--checkpoint", "thesis"]);
    assert_eq!((output.code, lab.read("thesis")), (2, b"Chapter 1".to_vec()));
    assert!(!output.err.to_lowercase().contains("remove") && output.warns("left as it is"), "{output}");
    // One of ours that is damaged may go.
    lab.write("ours", "{\"format\":\"deckproof/checkpoint/v3\"");
    lab.run(&["audit", "--decks", "100", "--checkpoint", "ours"]).ends(2).must_warn("Remove this checkpoint");
}

#[test]
fn a_checkpoint_and_a_folder_have_one_writer_at_a_time() {
    let lab = Lab::new();
    let held = [lab.path("run"), lab.path("out")]
        .map(|path| deckproof::file::lock::PathLock::take(Path::new(&path)).expect("nobody holds it"));
    for more in [["--checkpoint", "run"], ["--out", "out"]] {
        let output = lab.run(&[&["audit", "--decks", "1000", "--tiers", "core"][..], &more].concat());
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{more:?}: {output}");
        output.must_warn("another run of this program");
    }
    drop(held);
    lab.write("run.4711.tmp", "left by a killed run");
    let audit = ["audit", "--source", &format!("audit:{KEY}"), "--decks", "1000", "--tiers", "core"];
    lab.run(&[&audit[..], &["--checkpoint", "run", "--out", "out"]].concat()).ends(0);
    for name in ["run", "run.lock", "run.4711.tmp", "out.lock"] {
        assert!(!lab.exists(name), "{name}");
    }
}
