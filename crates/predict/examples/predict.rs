//! Reads decks, 52 numbers 4·rank + suit a line, and prints what is recovered: for measurements.

use std::io::Read;
use std::time::Duration;

use deckproof_predict::budget::Budget;
use deckproof_predict::catalogue::ALL_MODELS;
use deckproof_predict::deck::{Observation, Record};
use deckproof_predict::model::Scope;
use deckproof_predict::search::{Request, search};

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("text on standard input");
    let shown: usize = std::env::args().nth(1).map_or(52, |text| text.parse().expect("a number of cards"));
    let records: Vec<Record> = text
        .lines()
        .map(|line| {
            let cards: Vec<Option<u8>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
            Record::of_first_cards(&cards[..shown.min(cards.len())]).expect("cards of one deck")
        })
        .collect();
    let seen = Observation { records, gap: Default::default() };
    let wanted = std::env::args().nth(2).unwrap_or_default();
    let mut scope = Scope::usual();
    if std::env::var_os("NARROW").is_some() {
        scope.ways.truncate(1);
        scope.starts.truncate(1);
    }
    let names: Vec<String> = ALL_MODELS
        .iter()
        .map(|model| model.name().to_owned())
        .filter(|name| name.contains(&wanted))
        .collect();
    let seconds = std::env::var("BUDGET").map_or(3_600.0, |text| text.parse().expect("seconds"));
    let budget = Budget::new(Some(Duration::from_secs_f64(seconds)), None);
    let report = search(&Request { seen: &seen, segments: &[], scope: &scope, models: &names }, &budget);
    for own in &report.recovered {
        println!(
            "{}: recovered, used {}, held out {}, missed {}, bound 1e{:.0}, {:?}",
            own.model,
            own.used,
            own.followed.held_out_records,
            own.followed.missed,
            own.followed.bound_log10,
            own.certificate(),
        );
        own.certificate().verify(&seen.records).expect("its own certificate");
    }
    report.not_recovered.iter().for_each(|own| println!("{own:?}"));
    println!("left out {:?}, {:.3} s", report.left_out, budget.elapsed().as_secs_f64());
}
