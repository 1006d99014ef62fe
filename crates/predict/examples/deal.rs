//! Deals decks of a generator of the catalogue: name, mapping, way, decks, calls between, state. For measurements.

use deckproof_predict::candidate::{Dealing, Tape, next_deck};
use deckproof_predict::generator::{Generator, state_of};
use deckproof_predict::mapping::Mapping;
use deckproof_predict::seeding::Seeding;
use deckproof_predict::start::Start;
use deckproof_predict::way::Way;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| words[at].parse::<u64>().expect("a number");
    let dealing = Dealing {
        generator: Generator::named(&words[0]).expect("a generator"),
        mapping: Mapping::named(&words[1]).expect("a mapping"),
        way: Way::named(&words[2]).expect("a way"),
        start: Start::BY_RANKS,
    };
    let state = match words[5].split_once(':') {
        Some((name, seed)) => (Seeding::named(name).expect("a seeding").state)(seed.parse().expect("a seed")),
        None => state_of(&words[5]).expect("a state"),
    };
    let mut tape = Tape::new(dealing.generator, &state);
    let mut place = 1_000;
    for _ in 0..number(3) {
        let (deck, end) = next_deck(&dealing, &mut tape, place, None).expect("a start order that is known");
        place = end + number(4);
        tape.forget_before(place);
        println!("{}", deck.map(|card| card.to_string()).join(" "));
    }
}
