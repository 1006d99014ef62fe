//! Recovers a generator from a file of decks, 52 numbers a line, and prints the next ten: `recover FILE [MODEL] [SECONDS]`.

use std::process::ExitCode;
use std::time::Duration;

use deckproof_predict::budget::Budget;
use deckproof_predict::catalogue::ALL_MODELS;
use deckproof_predict::deck::{Deck, Observation};
use deckproof_predict::model::Scope;
use deckproof_predict::search::{Request, search};
use deckproof_predict::start::Start;
use deckproof_predict::way::WAYS;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = std::fs::read_to_string(arguments.first().ok_or("no file is given")?)?;
    let decks = text.lines().map(deck).collect::<Option<Vec<Deck>>>().ok_or("a line is no deck")?;
    let seen = Observation::of_decks(&decks);
    let scope = Scope { ways: WAYS.to_vec(), starts: vec![Start::BY_RANKS] };
    let wanted = arguments.get(1).map_or("", String::as_str);
    let names = ALL_MODELS.iter().map(|model| model.name()).filter(|name| name.contains(wanted));
    let models: Vec<String> = names.map(str::to_owned).collect();
    let seconds: u64 = arguments.get(2).map_or(Ok(60), |seconds| seconds.parse())?;
    let budget = Budget::new(Some(Duration::from_secs(seconds)), None);
    let report = search(&Request { seen: &seen, segments: &[], scope: &scope, models: &models }, &budget);
    let Some(recovered) = report.recovered.first() else { return Ok(ExitCode::SUCCESS) };
    println!("model {} after {:.3} s", recovered.model, budget.elapsed().as_secs_f64());
    println!("state {:?} seed {:?}", recovered.candidate.state, recovered.candidate.seed);
    for deck in recovered.next_decks(10, decks.last().copied()) {
        println!("next {}", deck.map(|card| card.to_string()).join(" "));
    }
    Ok(ExitCode::FAILURE)
}

fn deck(line: &str) -> Option<Deck> {
    let cards: Vec<u8> = line.split_whitespace().map(|card| card.parse().ok()).collect::<Option<_>>()?;
    cards.try_into().ok()
}
