//! What a certificate cannot say: repeats nobody asked for, records that are no deck, fingerprints that nobody keeps.

use super::*;
use crate::audit::plan::Shard;
use crate::audit::run::{Job, tests};
use crate::audit::verdict::Verdict;
use crate::source::flawed;
use crate::source::record::SourceRecord;
use deckproof_stats::battery::Tier;
use deckproof_stats::battery::duplicates::sketch::Addresses;

const DECKS: u64 = 1_200;

fn plan(source: SourceRecord) -> Plan {
    let ids = ["parity".to_owned(), "cycles".to_owned(), "duplicates".to_owned()];
    Plan::of_selection(source, Some(DECKS), &Selection::of_tiers(&Tier::OF_DECKS).only(&ids))
}

/// A look at so many decks of the plan's source from this one on.
fn look(plan: &Plan, turn: Turn, decks: u64) -> Look {
    let job = Job {
        first_deck: turn.first_deck(),
        decks: Some(decks),
        segments: Shard::WHOLE.segments(decks.div_ceil(SEGMENT_DECKS)),
        threads: 1,
        selection: plan.selection(),
    };
    let mut source = tests::source_of(plan);
    assert!(turn == Turn::First || source.go_on(DECKS + decks));
    let mut state = tests::counted(&job, source.as_mut()).expect("decks");
    Look::of_evidence(plan, turn, &mut state.evidence)
}

fn repeat_of(plan: &Plan) -> Look {
    let decks = plan.repeat.as_ref().expect("a repeat is planned").decks;
    look(plan, Turn::Repeat { first_deck: DECKS }, decks)
}

fn result(plan: &Plan, first: Look, repeat: Option<Look>) -> AuditResult {
    AuditResult::of_looks(plan, plan.source.clone(), first, repeat, None)
}

/// Statistics that read the first decks only, and one that reads every second block: 64 decks and 22 of the third.
#[test]
fn parts_say_how_many_decks_they_read() {
    for (id, part, read) in [
        ("spectral", "lags", 64),
        ("spectral", "short", 128),
        ("spectral", "congruential", 150),
        ("spectral", "differences", 150),
        ("drawn-pairs", "lags", 64),
        ("drawn-pairs", "far-lags", 150),
        ("lags", "lag-2", 86),
    ] {
        let selection = Selection::of_tiers(&Tier::OF_DECKS).only(&[id.to_owned()]);
        let plan = Plan::of_selection(flawed::record("sattolo", 1), Some(150), &selection).without_repeat();
        let result = result(&plan, look(&plan, Turn::First, 150), None);
        assert_eq!(rejudge(&result), Ok(()), "{id}");
        let name = format!("deck.{id}.{part}");
        let own = result.first.statistics.iter().find(|record| record.id == name).expect("it is fed");
        assert_eq!(own.decks, read, "{name}");
    }
}

#[test]
fn a_repeat_that_nothing_asked_for_is_refused() {
    let plan = plan(flawed::record("certified", 5));
    let first = look(&plan, Turn::First, DECKS);
    assert_eq!(first.verdict, Verdict::Pass);
    assert_eq!(rejudge(&result(&plan, first.clone(), None)), Ok(()));
    let error = rejudge(&result(&plan, first, Some(repeat_of(&plan)))).expect_err("it passed at once");
    assert!(error.to_string().contains("a repeat, where the plan and the first look ask for one"), "{error}");
}

#[test]
fn the_looks_of_two_runs_are_compared_one_by_one() {
    let plan = plan(flawed::record("certified", 5));
    let (first, repeat) = (look(&plan, Turn::First, DECKS), repeat_of(&plan));
    let computed = result(&plan, first.clone(), Some(repeat.clone()));
    assert_eq!(compare(&computed, &computed), Ok(()));
    let mut stated = computed.clone();
    stated.repeat.as_mut().expect("it stands there").duplicates[0].kept += 1;
    let error = compare(&stated, &computed).expect_err("another repeat");
    assert!(error.to_string().contains("of the repeat look"), "{error}");
    // The first look of a checkpoint.
    assert_eq!(rejudge_look(&plan, Turn::First, &first), Ok(first.clone()));
    let saved = Look { family_p_value: first.family_p_value / 2.0, ..first };
    let error = rejudge_look(&plan, Turn::First, &saved).expect_err("another p-value");
    assert!(error.to_string().contains("of the saved look"), "{error}");
}

#[test]
fn a_bad_record_lies_inside_the_plan_of_a_source_that_can_have_one() {
    let proof = |before: u64| {
        format!("{}{}.", bad_record_opening(before), DeckError::NoCard { place: 51, found: 52 })
    };
    let recorded = plan(flawed::record("sattolo", 1));
    let check = |plan: &Plan, decks: u64, decks_stated: u64, proof: String| {
        check_bad_record(
            plan,
            Turn::First,
            Some(decks),
            &Look::of_bad_record(plan, Turn::First, decks_stated, proof),
        )
    };
    assert_eq!(check(&recorded, DECKS, 1, proof(1)), Ok(()));
    assert_eq!(check(&recorded, DECKS, DECKS - 1, proof(DECKS - 1)), Ok(()));
    let refused = |answer: Result<(), WrongField>, words: &str| {
        let error = answer.expect_err(words).to_string();
        assert!(error.contains(words), "{error}");
    };
    let inside = "at least 1 and fewer than the plan has";
    refused(check(&recorded, DECKS, DECKS, proof(DECKS)), inside);
    refused(check(&recorded, DECKS, 0, proof(0)), inside);
    refused(check(&recorded, DECKS, 7, proof(8)), "and what is wrong with it");
    refused(
        check(&recorded, DECKS, 7, format!("{}so it was.", bad_record_opening(7))),
        "and what is wrong with it",
    );
    let own = plan(SourceRecord::new("audit").with("key", "07".repeat(32)));
    assert!(own.source.is_certified());
    refused(check(&own, DECKS, 7, proof(7)), "the certified shuffle deals decks");
}

#[test]
fn texts_that_no_deck_error_has_are_known() {
    let card = |index: u8| Card::from_index(index).expect("a card");
    let sound = [
        DeckError::NoCard { place: 0, found: 52 },
        DeckError::NoCard { place: 51, found: 99_999 },
        DeckError::Repeated { place: 51, first: 0, card: card(51) },
        DeckError::Repeated { place: 1, first: 0, card: card(0) },
        DeckError::Count { found: 51 },
        DeckError::Count { found: 0 },
    ];
    for error in sound {
        assert!(is_deck_error(&error.to_string()), "{error}");
    }
    let unsound = [
        DeckError::NoCard { place: 52, found: 60 },
        DeckError::NoCard { place: 3, found: 51 },
        DeckError::Repeated { place: 4, first: 4, card: card(9) },
        DeckError::Repeated { place: 4, first: 5, card: card(9) },
        DeckError::Repeated { place: 52, first: 5, card: card(9) },
        DeckError::Count { found: 52 },
    ];
    for error in unsound {
        assert!(!is_deck_error(&error.to_string()), "{error}");
    }
    for text in ["", "no deck", "1 2 3", &format!("{} ", DeckError::Count { found: 51 })] {
        assert!(!is_deck_error(text), "{text:?}");
    }
}

#[test]
fn fingerprints_that_no_look_leaves_are_refused() {
    let keys_max = EQUAL.keys_max as u64;
    let record = |decks, kept, distinct, halvings, pairs| DuplicateRecord {
        view: View::Deck,
        id: EQUAL.id().to_owned(),
        decks,
        kept,
        distinct,
        halvings,
        pairs,
        alike: None,
    };
    let is_sound = |record: DuplicateRecord| is_sound(&EQUAL, &record);
    for sound in [
        record(0, 0, 0, 0, 0),
        record(100, 100, 100, 0, 0),
        record(100, 100, 98, 0, 2),
        record(100, 100, 98, 0, 3),
        record(keys_max, keys_max, keys_max, 0, 0),
        record(keys_max + 1, 5, 5, 1, 0),
        // However unlikely: the halving dropped nothing but what was then found to come again.
        record(keys_max + 1, keys_max + 1, keys_max, 1, 1),
    ] {
        assert!(is_sound(sound.clone()), "{sound:?}");
    }
    for unsound in [
        record(100, 99, 99, 0, 0),
        record(100, 100, 0, 0, 5_050),
        record(100, 100, 101, 0, 0),
        record(100, 100, 98, 0, 1),
        record(100, 100, 98, 0, 4),
        record(keys_max, 5, 5, 1, 0),
        record(keys_max + 1, keys_max + 2, keys_max, 1, 2),
        record(keys_max + 1, keys_max + 1, keys_max + 1, 0, 0),
    ] {
        assert!(!is_sound(unsound.clone()), "{unsound:?}");
    }
    let named = |pairs: u64, keys: u64| DuplicateRecord {
        alike: Some(Addresses { pairs: vec![[3, 8]], keys, apart: Some(5) }),
        ..record(100, 100, 100 - pairs, 0, pairs)
    };
    assert!(is_sound(named(1, 1)));
    assert!(!is_sound(named(0, 1)), "decks that are alike, and no pair");
    assert!(!is_sound(named(1, 2)), "two keys, and one of them named");
}
