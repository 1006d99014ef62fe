//! Decks that PHP, Ruby, Python, NumPy, R, Lua and Go dealt from one seed: the seed is found, and the second deck is the one that comes.

use deckproof_predict::budget::Budget;
use deckproof_predict::deck::{Deck, Observation};
use deckproof_predict::model::{Found, Scope};
use deckproof_predict::seeds::list::SEED_SEARCHES;
use deckproof_predict::start::Start;
use deckproof_predict::way::WAYS;

const SEED: u64 = 1_700_000_123;

/// `fixtures/seeded.csv`: the two decks of a program.
fn decks(program: &str) -> Vec<Deck> {
    let rows = include_str!("../fixtures/seeded.csv").lines().filter_map(|line| line.split_once(','));
    let deck = |text: &str| {
        let cards: Vec<u8> = text.split(' ').map(|card| card.parse().expect("a card")).collect();
        cards.try_into().expect("52 cards")
    };
    rows.filter(|(name, _)| *name == program).map(|(_, text)| deck(text)).collect()
}

fn check(program: &str, search: &str) {
    let decks = decks(program);
    let seen = Observation::of_decks(&decks);
    let scope = Scope { ways: WAYS.to_vec(), starts: vec![Start::BY_RANKS] };
    let search = SEED_SEARCHES.iter().find(|own| own.name.contains(search)).expect(search);
    let found = search.range(&seen, &scope, SEED - 2_000, SEED + 2_000, &Budget::unlimited());
    let Found { candidate, followed, .. } = found.unwrap_or_else(|| panic!("{program}"));
    assert_eq!(candidate.seed.map(|own| own.seed), Some(SEED), "{program}");
    assert_eq!((decks.len(), followed.records, followed.missed), (2, 2, 0), "{program} {followed:?}");
}

#[test]
fn seeds_of_real_programs_are_found() {
    check("php shuffle", "PHP");
    check("php mt_rand", "PHP");
    check("ruby shuffle", "Ruby");
    check("ruby rand", "Ruby");
    check("numpy shuffle", "NumPy");
    check("python shuffle", "Python");
    check("python random", "Python");
    check("r sample", "R sample");
    check("r sample rounding", "R sample");
    check("lua 5.4", "Lua");
    check("go s", "Go");
    check("go p", "Go");
    check("go i", "Go");
}
