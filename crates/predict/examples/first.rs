//! The search of an audit on the first decks of a file, 52 numbers a line: `first FILE [DECKS] [WORK]`. Of many files with an
//! empty line behind each on standard input: `first - DECKS [WORK]`, one line for each of them.

use std::io::BufRead;
use std::time::Instant;

use deckproof_predict::deck::{Deck, Observation};
use deckproof_predict::first::{Places, WORK_DEFAULT, search_first};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let name = arguments.first().ok_or("no file is given")?;
    let count: usize = arguments.get(1).map_or(Ok(usize::MAX), |count| count.parse())?;
    let work: u64 = arguments.get(2).map_or(Ok(WORK_DEFAULT), |work| work.parse())?;
    if name != "-" {
        return searched(&decks_of(&std::fs::read_to_string(name)?)?, count, work, true);
    }
    let mut text = String::new();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if line.is_empty() {
            searched(&decks_of(&text)?, count, work, false)?;
            text.clear();
        } else {
            text.push_str(&line);
            text.push('\n');
        }
    }
    Ok(())
}

fn searched(decks: &[Deck], count: usize, work: u64, shows_left_out: bool) -> Result<(), Failure> {
    let count = count.min(decks.len());
    let began = Instant::now();
    let outcome = search_first(&Observation::of_decks(&decks[..count]), Places::default(), work);
    let seconds = began.elapsed().as_secs_f64();
    let found = outcome.recovered.as_ref().map(|own| (own.model, own.used, own.followed.bound_log10));
    println!("{count} decks: {found:?}, {} of {work} work spent, {seconds:.2} s", outcome.work);
    for own in outcome.left_out().filter(|_| shows_left_out) {
        println!("left out: {}, {} of {} pairs tried", own.model, own.pairs, own.pairs_all);
    }
    Ok(())
}

fn decks_of(text: &str) -> Result<Vec<Deck>, Failure> {
    Ok(text.lines().map(deck).collect::<Option<Vec<Deck>>>().ok_or("a line is no deck")?)
}

fn deck(line: &str) -> Option<Deck> {
    let cards: Vec<u8> = line.split_whitespace().map(|card| card.parse().ok()).collect::<Option<_>>()?;
    cards.try_into().ok()
}
