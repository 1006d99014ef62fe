//! Prints what every model costs for all ways and start orders of fair decks: seconds by the clock and of both processors, states, and
//! whether it was cut short: `costs FILE [NAME] [SECONDS]`.

use std::time::{Duration, Instant};

use deckproof_predict::budget::Budget;
use deckproof_predict::catalogue::ALL_MODELS;
use deckproof_predict::deck::{Deck, Observation};
use deckproof_predict::model::Scope;
use deckproof_predict::search::{Request, search};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = std::fs::read_to_string(arguments.first().ok_or("no file is given")?)?;
    let decks = text.lines().map(deck).collect::<Option<Vec<Deck>>>().ok_or("a line is no deck")?;
    let name = arguments.get(1).map_or("", String::as_str);
    let seconds: u64 = arguments.get(2).map_or(Ok(3_600), |seconds| seconds.parse())?;
    let (seen, scope) = (Observation::of_decks(&decks), Scope::usual());
    let mut all = 0.0;
    for model in ALL_MODELS.iter().filter(|model| model.name().contains(name)) {
        let (began, before) = (Instant::now(), processor_seconds()?);
        let models = [model.name().to_owned()];
        let budget = Budget::new(Some(Duration::from_secs(seconds)), None);
        let report = search(&Request { seen: &seen, segments: &[], scope: &scope, models: &models }, &budget);
        let spent = processor_seconds()? - before;
        all += spent;
        let states: u64 = report.not_recovered.iter().map(|own| own.states).sum();
        let is_cut_short = report.not_recovered.iter().any(|own| own.is_cut_short);
        println!(
            "{:>8.2} {:>8.2} {states:>14} {} {} {}",
            began.elapsed().as_secs_f64(),
            spent,
            if is_cut_short { "cut" } else { "   " },
            model.name(),
            if report.recovered.is_empty() { "" } else { "RECOVERED" },
        );
    }
    println!("{all:>17.2} processor seconds of all");
    Ok(())
}

/// User and system time of this process: Linux counts in hundredths of a second.
fn processor_seconds() -> Result<f64, Box<dyn std::error::Error>> {
    let line = std::fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = line.rsplit(") ").next().unwrap_or("").split(' ').collect();
    let ticks = |at: usize| fields.get(at).and_then(|own| own.parse::<f64>().ok()).ok_or("no such field");
    Ok((ticks(11)? + ticks(12)?) / 100.0)
}

fn deck(line: &str) -> Option<Deck> {
    let cards: Vec<u8> = line.split_whitespace().map(|card| card.parse().ok()).collect::<Option<_>>()?;
    cards.try_into().ok()
}
