//! The search of an audit: the same whatever the machine, in every place that is given, and nothing in fair decks.

use deckproof_predict::deck::{Deck, Observation, Record};
use deckproof_predict::first::{Outcome, Places, WORK_DEFAULT, search_first};
use deckproof_predict::recovery::Recovery;
use deckproof_predict::way::WAYS;

/// `fixtures/node20.txt`: 12 decks of Node.js 20.20.2, 6 calls between two.
fn node() -> Vec<Deck> {
    decks(include_str!("../fixtures/node20.txt"))
}

fn decks(text: &str) -> Vec<Deck> {
    let deck = |line: &str| {
        let cards: Vec<u8> = line.split(' ').map(|card| card.parse().expect("a card")).collect();
        cards.try_into().expect("52 cards")
    };
    text.lines().map(deck).collect()
}

/// Steele, Lea & Flood (2014): every number is a hash of a counter, and no model of the catalogue is.
fn fair(count: usize) -> Vec<Deck> {
    let mut state = 20_261_124u64;
    let mut number = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    };
    let mut deck =
        || WAYS[0].deal(&WAYS[0].ranges().map(|n| ((u128::from(number()) * u128::from(n)) >> 64) as u8));
    (0..count).map(|_| deck()).collect()
}

fn searched(decks: &[Deck], places: &[usize], work: u64, threads: usize) -> Outcome {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| search_first(&Observation::of_decks(decks), Places { begun: places, middle: &[] }, work))
}

/// Enough for the first model in one place: it is the likeliest.
const LITTLE: u64 = 100_000;

#[test]
fn six_decks_are_proof_and_its_json_replays() {
    let decks = node();
    let outcome = searched(&decks[..6], &[], WORK_DEFAULT, 2);
    let own = outcome.recovered.as_ref().expect("Node.js is recovered");
    // 2^134 states, 10^8 dealers and the integers of one run against (1/52!)^6.
    assert!(own.followed.bound_log10 < -340.0, "{}", own.followed.bound_log10);
    let json = serde_json::to_string(&Recovery::new(own, &own.next_decks(1, None))).expect("JSON");
    let read: Recovery = serde_json::from_str(&json).expect("the JSON of a recovery");
    let records: Vec<Record> = decks[..6].iter().map(Record::whole).collect();
    let verified = read.verify(&records).expect("its own records");
    assert_eq!((verified.records, verified.bound_log10), (6, own.followed.bound_log10));
    assert_eq!(read.bound_log10, own.followed.bound_log10);
    let mut others = records.clone();
    others.swap(1, 2);
    assert!(read.verify(&others).is_err());
    // What was not shown comes next.
    let letters = |card: &u8| {
        format!(
            "{}{}",
            b"23456789TJQKA"[usize::from(card / 4)] as char,
            b"cdhs"[usize::from(card % 4)] as char
        )
    };
    assert_eq!(read.next, [decks[6].iter().map(letters).collect::<Vec<_>>().join(" ")]);
}

/// `fixtures/chromium156.txt`: found by sums, which are tried behind small seeds.
#[test]
fn three_dozen_decks_of_a_browser_are_enough_for_the_default() {
    let decks = decks(include_str!("../fixtures/chromium156.txt"));
    let outcome = searched(&decks, &[], WORK_DEFAULT, 2);
    let own = outcome.recovered.expect("Chromium is recovered");
    assert_eq!((own.model, own.followed.records), ("V8 Math.random of 2026", 36));
}

#[test]
fn what_is_tried_depends_on_the_work_alone() {
    let decks = node();
    let outcomes = [1, 2, 5].map(|threads| searched(&decks[..2], &[1], LITTLE, threads));
    assert!(outcomes[0].recovered.is_some() && outcomes[0] == outcomes[1] && outcomes[0] == outcomes[2]);
    let outcomes = [1, 2].map(|threads| searched(&fair(40), &[7, 20], LITTLE, threads));
    assert!(outcomes[0].recovered.is_none() && outcomes[0] == outcomes[1]);
    assert!(outcomes[0].work <= LITTLE && outcomes[0].left_out().count() > 0);
    let nothing = searched(&decks, &[], 0, 1);
    assert!(nothing.recovered.is_none() && nothing.work == 0, "{nothing:?}");
}

#[test]
fn a_generator_behind_other_decks_is_found_where_a_place_is_given() {
    let mut decks = fair(30);
    decks.extend(node());
    assert!(searched(&decks, &[], LITTLE, 2).recovered.is_none());
    let outcome = searched(&decks, &[30], 2 * LITTLE, 2);
    let records: Vec<u64> = outcome.recovered.expect("it begins at record 30").records().collect();
    assert_eq!(records, (30..42).collect::<Vec<_>>());
}
