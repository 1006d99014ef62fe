//! Recovers a generator from a file of decks, 52 numbers a line, and prints the next ten: `recover FILE [MODEL]`.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use deckproof_predict::budget::Budget;
use deckproof_predict::catalogue::MODELS;
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
    let scope = match std::env::var_os("USUAL") {
        Some(_) => Scope::usual(),
        None => Scope { ways: WAYS.to_vec(), starts: vec![Start::BY_RANKS] },
    };
    let wanted = arguments.get(1).map_or("", String::as_str);
    for model in MODELS.iter().filter(|model| model.name().contains(wanted)) {
        let began = Instant::now();
        let budget = Budget::new(Some(Duration::from_secs(60)), None);
        let models = [model.name().to_owned()];
        let request = Request { seen: &seen, segments: &[], scope: &scope, models: &models };
        if let Some(recovered) = search(&request, &budget).recovered.first() {
            println!("model {} after {:.3} s", recovered.model, began.elapsed().as_secs_f64());
            println!("state {:?} seed {:?}", recovered.candidate.state, recovered.candidate.seed);
            for deck in recovered.next_decks(10, decks.last().copied()) {
                println!("next {}", deck.map(|card| card.to_string()).join(" "));
            }
            return Ok(ExitCode::FAILURE);
        }
        if arguments.len() > 2 {
            println!("not {} after {:.3} s", model.name(), began.elapsed().as_secs_f64());
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn deck(line: &str) -> Option<Deck> {
    let cards: Vec<u8> = line.split_whitespace().map(|card| card.parse().ok()).collect::<Option<_>>()?;
    cards.try_into().ok()
}
