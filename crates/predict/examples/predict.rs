//! Reads decks, 52 numbers 4·rank + suit a line, and prints what is recovered: for measurements.

use std::io::Read;
use std::time::Instant;

use deckproof_predict::budget::Budget;
use deckproof_predict::catalogue::{MODELS, attempt};
use deckproof_predict::deck::{Observation, Record};
use deckproof_predict::model::{Answer, Scope};

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
    for model in MODELS.iter().filter(|model| model.name().contains(&wanted)) {
        let began = Instant::now();
        match attempt(*model, &seen, 0, &scope, &Budget::unlimited()) {
            Answer::Recovered(own) => println!(
                "{}: recovered in {:.3} s, used {}, held out {}, missed {}, bound 1e{:.0}, {:?}",
                own.model,
                began.elapsed().as_secs_f64(),
                own.used,
                own.followed.held_out_records,
                own.followed.missed,
                own.followed.bound_log10,
                own.certificate(),
            ),
            Answer::NotRecovered(own) => println!("{own:?}"),
        }
    }
}
