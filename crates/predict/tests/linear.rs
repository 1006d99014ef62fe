//! Linear generators recovered from decks that other programs dealt, and none from others.

use std::time::Duration;

use deckproof_predict::budget::Budget;
use deckproof_predict::deck::{DRAWS, Deck, Observation};
use deckproof_predict::generator::Generator;
use deckproof_predict::generator::congruential::RAND48;
use deckproof_predict::generator::xorshift::V8;
use deckproof_predict::mapping::Mapping;
use deckproof_predict::model::Scope;
use deckproof_predict::recovery::Recovery;
use deckproof_predict::search::{Report, Request, search};
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

fn searched(decks: &[Deck], segments: &[usize]) -> Report {
    searched_by("V8 Math.random", decks, segments)
}

fn searched_by(model: &str, decks: &[Deck], segments: &[usize]) -> Report {
    let (seen, mut scope) = (Observation::of_decks(decks), Scope::usual());
    scope.ways.truncate(3);
    scope.starts.truncate(2);
    let models = [model.to_owned()];
    let request = Request { seen: &seen, segments, scope: &scope, models: &models };
    search(&request, &Budget::new(Some(Duration::from_secs(600)), None))
}

/// Some decks that are none of V8.
fn others(count: usize) -> Vec<Deck> {
    let mut state = 1u64;
    let mut deck: Deck = std::array::from_fn(|card| card as u8);
    let mut next = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(state) * n as u128) >> 64) as usize
    };
    let mut shuffled = || {
        (1..52).rev().for_each(|place| deck.swap(place, next(place + 1)));
        deck
    };
    (0..count).map(|_| shuffled()).collect()
}

#[test]
fn one_deck_of_node_fixes_the_state_and_the_others_are_predicted() {
    let decks = node();
    let report = searched(&decks[..9], &[]);
    let [own] = &report.recovered[..] else { panic!("{report:?}") };
    assert_eq!((own.used, own.followed.records, own.followed.missed), (1, 9, 0));
    // What was not shown comes next.
    assert_eq!(own.next_decks(3, None), decks[9..12]);
    let seen = Observation::of_decks(&decks);
    assert!(
        Recovery::new(own, &[])
            .verify(&seen.records[..9])
            .is_ok_and(|verified| verified.bound_log10 < -500.0)
    );
    let mut other = seen.records.clone();
    other.swap(3, 4);
    assert!(Recovery::new(own, &[]).verify(&other).is_err());
}

/// `fixtures/chromium156.txt`: sums in order, of which 32 decks are enough.
#[test]
fn chromium_of_2026_is_recovered_from_sums() {
    let decks = decks(include_str!("../fixtures/chromium156.txt"));
    let report = searched_by("V8 Math.random of 2026", &decks[..32], &[]);
    let [own] = &report.recovered[..] else { panic!("{report:?}") };
    assert_eq!((own.followed.records, own.followed.missed), (32, 0));
    assert_eq!(own.next_decks(4, None), decks[32..36]);
    assert!(searched(&decks[..32], &[]).recovered.is_empty(), "the cache of Node.js 20 is another generator");
}

#[test]
fn a_release_in_the_middle_a_missing_and_a_repeated_record_are_followed() {
    let mut decks = others(30);
    decks.extend(&node());
    decks.remove(34);
    decks.insert(36, decks[35]);
    decks.extend(others(30));
    let report = searched(&decks, &[30]);
    let [own] = &report.recovered[..] else { panic!("{report:?}") };
    let records: Vec<u64> = own.records().collect();
    assert_eq!(records, (30..36).chain(37..42).collect::<Vec<_>>());
}

#[test]
fn other_decks_are_not_recovered() {
    let report = searched(&others(40), &[]);
    assert!(report.recovered.is_empty() && report.not_recovered.len() == 1, "{report:?}");
}

/// The decks of the first of some tables that draw in turn.
fn in_turn(generator: &'static Generator, mapping: Mapping, tables: usize) -> Vec<Deck> {
    let mut state: Vec<u64> = vec![0x1234_5678_9abc; generator.bit_words()];
    state.resize(generator.words, 29);
    (0..1_000).for_each(|_| _ = (generator.next)(&mut state));
    let mut next = || {
        let own = (generator.next)(&mut state);
        (1..tables).for_each(|_| _ = (generator.next)(&mut state));
        own
    };
    let mut deck = || {
        let draws = mapping.draws(generator, &mut next, &WAYS[0].ranges(), &[None; DRAWS]);
        WAYS[0].deal(&draws.expect("no draw is expected"))
    };
    (0..8).map(|_| deck()).collect()
}

#[test]
fn tables_that_draw_in_turn_are_recovered_from_one_of_them() {
    for (model, generator, mapping) in [
        ("V8 Math.random", &V8, Mapping::Float { bits: 52 }),
        ("drand48, Perl rand", &RAND48, Mapping::Float { bits: 48 }),
        ("Java nextInt(n)", &RAND48, Mapping::NextInt),
    ] {
        for (tables, every) in [(2, "2nd"), (3, "3rd"), (4, "4th")] {
            let decks = in_turn(generator, mapping, tables);
            let report = searched_by(&format!("{model}, every {every} number"), &decks[..5], &[]);
            let [own] = &report.recovered[..] else { panic!("{model} {tables}: {report:?}") };
            assert_eq!(
                (own.followed.records, own.next_decks(3, None)),
                (5, decks[5..].to_vec()),
                "{model} {tables}"
            );
            assert!(searched_by(model, &decks[..5], &[]).recovered.is_empty(), "{model} {tables}");
        }
    }
}
