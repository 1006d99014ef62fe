//! Prints what every model costs for one way and start of fair decks: microseconds of one thread against what its `work` says:
//! `costs DECKS [NAME]`, with RAYON_NUM_THREADS=1.

use std::time::{Duration, Instant};

use deckproof_predict::budget::Budget;
use deckproof_predict::catalogue::ALL_MODELS;
use deckproof_predict::deck::{Deck, Observation};
use deckproof_predict::model::Scope;
use deckproof_predict::start::Start;
use deckproof_predict::way::WAYS;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = std::fs::read_to_string(arguments.first().ok_or("no file is given")?)?;
    let decks = text.lines().map(deck).collect::<Option<Vec<Deck>>>().ok_or("a line is no deck")?;
    let name = arguments.get(1).map_or("", String::as_str);
    let mut scope = Scope { ways: WAYS.to_vec(), starts: Start::usual() };
    scope.starts.truncate(4);
    let mut seen = Observation::of_decks(&decks);
    if let Some(calls) = arguments.get(2) {
        seen.gap.calls_max = calls.parse()?;
    }
    for model in ALL_MODELS.iter().filter(|model| model.name().contains(name)) {
        let once = Scope { ways: vec![WAYS[0]], starts: vec![Start::BY_RANKS] };
        let limit = Some(Duration::from_secs(3));
        let began = Instant::now();
        model.recover(&seen, &once, &Budget::new(limit, None));
        let first = began.elapsed().as_micros();
        let (began, budget) = (Instant::now(), Budget::new(limit, None));
        model.recover(&seen, &scope, &budget);
        let each = began.elapsed().as_micros() / 48;
        println!(
            "{:>9} {:>9} {:>9} {} {}",
            first,
            each,
            budget.counted() / 48,
            budget.is_spent(),
            model.name()
        );
    }
    Ok(())
}

fn deck(line: &str) -> Option<Deck> {
    let cards: Vec<u8> = line.split_whitespace().map(|card| card.parse().ok()).collect::<Option<_>>()?;
    cards.try_into().ok()
}
