//! Searches every seed for the decks of a file, 52 numbers a line, and prints the rate: `seeds FILE [NAME] [BITS]`.

use std::time::Instant;

use deckproof_predict::budget::Budget;
use deckproof_predict::deck::{Deck, Observation};
use deckproof_predict::model::Scope;
use deckproof_predict::seeds::list::SEED_SEARCHES;
use deckproof_predict::start::Start;
use deckproof_predict::way::{WAYS, Way};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = std::fs::read_to_string(arguments.first().ok_or("no file is given")?)?;
    let decks = text.lines().map(deck).collect::<Option<Vec<Deck>>>().ok_or("a line is no deck")?;
    let name = arguments.get(1).map_or("", String::as_str);
    let bits: u32 = arguments.get(2).map_or(Ok(24), |bits| bits.parse())?;
    let ways = arguments.get(3).and_then(|way| Way::named(way)).map_or(WAYS.to_vec(), |way| vec![way]);
    let scope = Scope { ways, starts: vec![Start::BY_RANKS] };
    for search in SEED_SEARCHES.iter().filter(|search| search.name.contains(name)) {
        let total = 1u64 << bits.min(search.bits());
        let began = Instant::now();
        let found = search.range(&Observation::of_decks(&decks), &scope, 0, total, &Budget::unlimited());
        let seconds = began.elapsed().as_secs_f64();
        let rate = total as f64 / seconds;
        println!(
            "{}: {:.1} million seeds a second, 2^{} take {:.0} s",
            search.name,
            rate / 1e6,
            search.bits(),
            (1u64 << search.bits()) as f64 / rate
        );
        if let Some(found) = found {
            println!(
                "found {:?} {:?}, {} records",
                found.candidate.seed, found.candidate.dealing, found.followed.records
            );
        }
    }
    Ok(())
}

fn deck(line: &str) -> Option<Deck> {
    let cards: Vec<u8> = line.split_whitespace().map(|card| card.parse().ok()).collect::<Option<_>>()?;
    cards.try_into().ok()
}
