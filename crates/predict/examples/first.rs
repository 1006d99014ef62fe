//! The search of an audit on the first decks of a file, 52 numbers a line: `first FILE [DECKS] [WORK]`.

use std::time::Instant;

use deckproof_predict::deck::{Deck, Observation};
use deckproof_predict::first::{Places, WORK_DEFAULT, search_first};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = std::fs::read_to_string(arguments.first().ok_or("no file is given")?)?;
    let decks = text.lines().map(deck).collect::<Option<Vec<Deck>>>().ok_or("a line is no deck")?;
    let count: usize = arguments.get(1).map_or(Ok(decks.len()), |count| count.parse())?;
    let work: u64 = arguments.get(2).map_or(Ok(WORK_DEFAULT), |work| work.parse())?;
    let began = Instant::now();
    let outcome = search_first(&Observation::of_decks(&decks[..count]), Places::default(), work);
    let seconds = began.elapsed().as_secs_f64();
    let found = outcome.recovered.as_ref().map(|own| (own.model, own.used, own.followed.bound_log10));
    println!("{count} decks: {found:?}, {} of {work} work spent, {seconds:.2} s", outcome.work);
    for own in outcome.left_out() {
        println!("left out: {}, {} of {} pairs tried", own.model, own.pairs, own.pairs_all);
    }
    Ok(())
}

fn deck(line: &str) -> Option<Deck> {
    let cards: Vec<u8> = line.split_whitespace().map(|card| card.parse().ok()).collect::<Option<_>>()?;
    cards.try_into().ok()
}
