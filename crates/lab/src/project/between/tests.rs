//! Which audits have decks in common, of fingerprints written down by hand.

use super::*;
use deckproof_audit::audit::plan::Plan;
use deckproof_audit::source::record::SourceRecord;
use deckproof_stats::battery::Tier;
use deckproof_stats::battery::duplicates::EQUAL;

fn frozen(audits: &[(&str, &str, SourceRecord)]) -> Frozen {
    let audits = audits.iter().map(|(id, item, record)| {
        let plan = Plan::new(record.clone(), Some(10), &[Tier::Core]);
        FrozenAudit { id: (*id).to_owned(), item: (*item).to_owned(), plan_sha256: plan.sha256(), plan }
    });
    Frozen {
        format: String::new(),
        report: "1".to_owned(),
        question_sha256: String::new(),
        nonce: String::new(),
        level: 0.01,
        selftest: crate::project::settings::Extent::KnownAnswers,
        files: Vec::new(),
        raw: Vec::new(),
        supplied: Vec::new(),
        audits: audits.collect(),
    }
}

/// The records from this one on, counted from 1, of a file of 100.
fn part(first: u64) -> SourceRecord {
    SourceRecord::new("csv")
        .with("sha256", "ab")
        .with("file_records", 100)
        .with("first_record", first)
        .with("last_record", first + 9)
}

fn sketch(keys: &[u128]) -> Sketch {
    let mut sketch = Sketch::new(&EQUAL);
    keys.iter().zip(0..).for_each(|(&key, number)| sketch.push(key, number));
    sketch.settle();
    sketch
}

fn between(frozen: &Frozen, keys: &[&[u128]]) -> BetweenAudits {
    let mut seen = Fingerprints::default();
    for (audit, keys) in keys.iter().enumerate() {
        seen.add(audit, &sketch(keys));
    }
    let found = seen.between(frozen);
    assert_eq!(found.fault(frozen), None);
    found
}

fn common(audits: [&str; 2], decks: u64, first: [u64; 2]) -> CommonDecks {
    CommonDecks { audits: audits.map(str::to_owned), decks, first }
}

#[test]
fn a_record_that_two_audits_read_is_one_draw_and_its_deck_at_another_record_is_not() {
    // Records 1 to 10, 1 to 10 and 6 to 15 of one file.
    let own = frozen(&[("m.a", "m", part(1)), ("m.b", "m", part(1)), ("m.c", "m", part(6))]);
    let first: Vec<u128> = (1..=10).collect();
    let third: Vec<u128> = (6..=15).collect();
    assert_eq!(between(&own, &[&first, &first, &third]).common, []);
    // Record 12, the seventh of the third audit, is record 2.
    let mut again = third.clone();
    again[6] = 2;
    let found = between(&own, &[&first, &first, &again]).common;
    assert_eq!(found, [common(["m.a", "m.c"], 1, [2, 7]), common(["m.b", "m.c"], 1, [2, 7])]);
}

#[test]
fn a_program_that_is_started_twice_and_two_items_have_no_draw_in_common() {
    let stream = SourceRecord::new("stream").with("format", "cards").with("sha256", "");
    let own = frozen(&[("m.a", "m", stream.clone()), ("m.b", "m", stream), ("n.a", "n", part(1))]);
    let found = between(&own, &[&[5, 3, 9, 3], &[9, 5, 7], &[8, 7]]);
    // By hand: 5 and 9 stand in both starts, first 5 as deck 1 and deck 2; 7 is deck 3 there, and deck 2 of the other item.
    assert_eq!(found.common, [common(["m.a", "m.b"], 2, [1, 2]), common(["m.b", "n.a"], 1, [3, 2])]);
    assert_eq!(found.clone().without(&["m.b"]).common, []);
    assert_eq!(found.without(&["m.b"]).compared, ["m.a", "n.a"]);
}

#[test]
fn records_without_a_deck_move_the_numbers_of_those_after_them() {
    // Record 3 is empty: record 6, the first of the second audit, is deck 5 of the first.
    let gap = |first| part(first).with("empty_decks", 1);
    let own = frozen(&[("m.a", "m", gap(1)), ("m.b", "m", gap(6))]);
    assert_eq!(between(&own, &[&[1, 2, 4, 5, 6, 7], &[6, 7, 8]]).common, []);
}

#[test]
fn fingerprints_are_read_back_as_they_were_written_and_an_empty_file_was_not_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let own = frozen(&[("m.a", "m", part(1)), ("m.b", "m", part(11)), ("m.c", "m", part(21))]);
    let mut seen = Fingerprints::default();
    for (audit, keys) in [Some(sketch(&[5, 3])), None, Some(sketch(&[3]))].iter().enumerate() {
        let path = folder.path().join("seen");
        std::fs::write(&path, written(keys.as_ref())).expect("writable");
        seen.read(audit, &path).expect("readable");
    }
    let found = seen.between(&own);
    assert_eq!(found.common, [common(["m.a", "m.c"], 1, [2, 1])]);
    assert_eq!(found.compared, ["m.a", "m.c"]);
}

#[test]
fn a_record_of_audits_in_another_order_or_of_no_audit_is_no_record_of_the_plan() {
    let own = frozen(&[("m.a", "m", part(1)), ("m.b", "m", part(11))]);
    let sound = between(&own, &[&[1], &[1]]);
    let mut turned = sound.clone();
    turned.common[0].audits.reverse();
    let mut foreign = sound.clone();
    foreign.compared.push("n.a".to_owned());
    let mut left_out = sound;
    left_out.compared.pop();
    assert!([turned, foreign, left_out].iter().all(|record| record.fault(&own).is_some()));
}
