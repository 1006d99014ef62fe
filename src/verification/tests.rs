//! Files judged as a library call, without a process.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

use crate::verification::judged::{JudgedFiles, judge_all};
use crate::verification::references::JudgedBy;
use crate::verification::{Inspector, Rerun};
use deckproof_audit::audit::plan::{Plan, Shard};
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::certificate::{Certificate, Tool};
use deckproof_audit::session::{Session, Unwatched};
use deckproof_audit::source::list::CATALOGUE;
use deckproof_audit::source::settings::Settings;
use deckproof_deck::text::exit::Exit;
use deckproof_report::document::words::Language;
use deckproof_stats::battery::Tier;

/// Decks that anybody can deal again.
const SOURCE: &str = "audit:00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

fn tool() -> Tool {
    Tool { version: "0.0.0".to_owned(), commit: "0".to_owned(), executable_sha256: "0".repeat(64) }
}

fn certificate() -> Certificate {
    let asked = CATALOGUE.ask(OsStr::new(SOURCE), &Settings::default()).expect("such a source");
    let opened = asked.open(Some(20_000)).expect("it opens");
    let plan = Plan::new(opened.record, opened.decks, &[Tier::Core]);
    let mut session = Session::begin(plan, Shard::WHOLE, opened.source, None).expect("a plan");
    let result = session.answer(1, &Unwatched).expect("decks");
    assert_eq!(result.verdict, Verdict::Pass);
    Certificate { result, tool: tool() }
}

/// Judges texts as files of one call.
fn judge(texts: &[&str], is_wanted: bool) -> JudgedFiles {
    let folder = tempfile::tempdir().expect("a folder");
    let paths: Vec<PathBuf> =
        (0..texts.len()).map(|place| folder.path().join(format!("{place}.json"))).collect();
    paths.iter().zip(texts).for_each(|(path, text)| fs::write(path, text).expect("writable"));
    let wanted = JudgedBy {
        rerun: Rerun { is_wanted, sources: &[] },
        ..JudgedBy::itself(Inspector { tool: &tool, now: 1_800_000_000, threads: 1 })
    };
    judge_all(&paths, &wanted)
}

#[test]
fn a_certificate_is_counted_again_and_a_changed_one_refused() {
    let sound = certificate().to_json();
    let judged = judge(&[&sound], true);
    assert_eq!(judged.exit(), Exit::Passed, "{}", judged.report(Language::English.words()));
    let mut other = certificate();
    other.result.verdict = Verdict::Fail;
    let judged = judge(&[&sound, &other.to_json()], false);
    assert_eq!(judged.exit(), Exit::Refused);
    let lines = judged.lines(Language::English.words());
    assert!(lines.contains("1.json: REFUSED, and no verdict of it counts"), "{lines}");
}

#[test]
fn what_cannot_be_read_is_neither_accepted_nor_refused() {
    let judged = judge(&["a shopping list"], false);
    assert_eq!(judged.exit(), Exit::CouldNotSay);
    assert_eq!(judged.unreadable().count(), 1);
    assert!(judged.lines(Language::English.words()).is_empty());
}
