//! Decks that PHP, Ruby, Python, NumPy, R, Lua and Go dealt from one seed: the seed is found, and the second deck is the one that comes.

use deckproof_predict::budget::Budget;
use deckproof_predict::catalogue::MODELS;
use deckproof_predict::deck::{Deck, Observation};
use deckproof_predict::model::{Found, Recovered, Scope};
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

fn found(decks: &[Deck], search: &str) -> Option<Found> {
    let seen = Observation::of_decks(decks);
    let scope = Scope { ways: WAYS.to_vec(), starts: vec![Start::BY_RANKS] };
    let search = SEED_SEARCHES.iter().find(|own| own.name.contains(search)).expect(search);
    search.range(&seen, &scope, SEED - 2_000, SEED + 2_000, &Budget::unlimited())
}

fn check(program: &str, search: &str) {
    let decks = decks(program);
    let Found { candidate, followed, .. } = found(&decks, search).unwrap_or_else(|| panic!("{program}"));
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
    check("c++ double", "std::mt19937");
}

/// One deck tells the state, and the state the deck that g++ dealt next.
#[test]
fn doubles_of_a_congruential_generator_are_dealt_on() {
    let decks = decks("c++ double minstd");
    let scope = Scope { ways: WAYS.to_vec(), starts: vec![Start::BY_RANKS] };
    let model =
        MODELS.iter().find(|model| model.about().name == "minstd scaled, doubles of C++").expect("listed");
    let found = model.recover(&Observation::of_decks(&decks[..1]), &scope, &Budget::unlimited());
    let next =
        Recovered::new("minstd", found.expect("one deck is enough")).expect("it moves").next_decks(1, None);
    assert_eq!((decks.len(), next), (2, decks[1..].to_vec()));
}

/// Python's `random.sample` reads one word or more after each deck: of these, 1, 3, 1 and 1. Until that is seen to vary, another dealer
/// deals the same decks, one that reads as many each time.
#[test]
fn a_sample_of_python_is_dealt_on() {
    let decks = decks("python sample");
    let next = |known: usize| {
        let found = found(&decks[..known], "Python").expect("its seed is one of these");
        Recovered::new("Python", found).expect("it moves").next_decks(5 - known, None)
    };
    assert_eq!(decks.len(), 5);
    assert!(next(1).is_empty() && next(2).is_empty());
    assert_eq!(next(3), decks[3..]);
    assert_eq!(next(4), decks[4..]);
}
