//! Files that are not what they claim: tables mixed, another generator in the first half, records missing or repeated, no shuffle at all.

use std::time::Duration;

use deckproof_predict::budget::Budget;
use deckproof_predict::deck::{Deck, Observation};
use deckproof_predict::model::{Recovered, Scope};
use deckproof_predict::recovery::Recovery;
use deckproof_predict::search::{Request, search};

/// `fixtures/node20.txt`: 12 decks of Node.js 20.20.2, 6 calls between two.
fn node() -> Vec<Deck> {
    let deck = |line: &str| {
        let cards: Vec<u8> = line.split(' ').map(|card| card.parse().expect("a card")).collect();
        cards.try_into().expect("52 cards")
    };
    include_str!("../fixtures/node20.txt").lines().map(deck).collect()
}

/// `rand() % n` of Visual C++, Fisher–Yates downward.
fn microsoft(count: usize) -> Vec<Deck> {
    let mut state = 20_261_124u32;
    shuffled(count, move |n| {
        state = state.wrapping_mul(214_013).wrapping_add(2_531_011);
        (state >> 16 & 0x7fff) as usize % n
    })
}

/// Steele, Lea & Flood (2014): no model of the catalogue.
fn fair(count: usize) -> Vec<Deck> {
    let mut state = 20_261_125u64;
    shuffled(count, move |n| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(mixed ^ mixed >> 31) * n as u128) >> 64) as usize
    })
}

fn shuffled(count: usize, mut draw: impl FnMut(usize) -> usize) -> Vec<Deck> {
    let mut deal = |_| {
        let mut deck: Deck = std::array::from_fn(|card| card as u8);
        (1..52).rev().for_each(|place| deck.swap(place, draw(place + 1)));
        deck
    };
    (0..count).map(&mut deal).collect()
}

fn searched(decks: &[Deck]) -> Vec<Recovered> {
    let (seen, mut scope) = (Observation::of_decks(decks), Scope::usual());
    scope.ways.truncate(2);
    scope.starts.truncate(2);
    let models =
        ["V8 Math.random".to_owned(), "Microsoft rand() % n".to_owned(), "drand48, Perl rand".to_owned()];
    let request = Request { seen: &seen, segments: &[], scope: &scope, models: &models };
    search(&request, &Budget::new(Some(Duration::from_secs(600)), None)).recovered
}

fn check(decks: &[Deck], wanted: &[(&str, Vec<u64>)]) {
    let mut found: Vec<(&str, Vec<u64>)> =
        searched(decks).iter().map(|own| (own.model, own.records().collect())).collect();
    found.sort();
    assert_eq!(found, wanted);
    // What was recovered holds for these records.
    let records = Observation::of_decks(decks).records;
    assert!(searched(decks).iter().all(|own| Recovery::new(own, &[]).verify(&records).is_ok()));
}

#[test]
fn tables_that_are_mixed_are_distinguished() {
    let (mut node, mut microsoft, mut fair) =
        (node().into_iter(), microsoft(12).into_iter(), fair(24).into_iter());
    let (mut decks, mut of_node, mut of_microsoft) = (Vec::new(), Vec::new(), Vec::new());
    for turn in b"fnfmmfnnffmfnmfnfmfffnmmfnfmnfmnfmnfmfnmnf" {
        let number = decks.len() as u64;
        let next = match turn {
            b'n' => node.next().inspect(|_| of_node.push(number)),
            b'm' => microsoft.next().inspect(|_| of_microsoft.push(number)),
            _ => fair.next(),
        };
        decks.extend(next);
    }
    check(&decks, &[("Microsoft rand() % n", of_microsoft), ("V8 Math.random", of_node)]);
}

#[test]
fn another_generator_in_the_first_half_hides_no_second_one() {
    let decks = [microsoft(20), node()].concat();
    check(&decks, &[("Microsoft rand() % n", (0..20).collect()), ("V8 Math.random", (20..32).collect())]);
}

#[test]
fn repeated_and_missing_records_are_followed() {
    let mut decks = microsoft(30);
    decks.drain(9..12);
    decks.insert(20, decks[19]);
    decks.insert(20, decks[19]);
    check(&decks, &[("Microsoft rand() % n", (0..20).chain(22..29).collect())]);
}

#[test]
fn decks_that_were_never_shuffled_accuse_no_generator() {
    let sorted: Deck = std::array::from_fn(|card| card as u8);
    let one = fair(1)[0];
    let turned: Vec<Deck> = (0..52).map(|by| std::array::from_fn(|place| one[(place + by) % 52])).collect();
    for decks in [vec![sorted; 60], vec![one; 60], turned, vec![one]] {
        assert_eq!(searched(&decks).len(), 0);
    }
}

/// Such a deck shows so few answers of a comparator that thousands of states deal it, and following all of them would take hours.
#[test]
fn decks_that_were_only_cut_accuse_no_generator() {
    let cut = |by: usize| std::array::from_fn(|place| ((place + by) % 52) as u8);
    for by in [20, 30, 34, 38, 45] {
        let (seen, scope) = (Observation::of_decks(&[cut(by), cut(by / 2)]), Scope::usual());
        let models = ["V8 sort(() => Math.random() - 0.5)".to_owned()];
        let request = Request { seen: &seen, segments: &[], scope: &scope, models: &models };
        assert_eq!(search(&request, &Budget::unlimited()).recovered, [], "{by}");
    }
}
