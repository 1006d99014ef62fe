//! How long a hand takes from its opening to its first card, under each mix, at one table and at a hundred.
//!
//!     cargo run --release -p deckproof-serve --features http,deckproof-verify/beacon --example latency -- FOLDER HANDS
//!
//! Players' seeds and the value of the beacon are there at once: what people and the round take comes on top.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use deckproof_deck::commitment::cut::seed_commitment;
use deckproof_deck::commitment::digest::Digest;
use deckproof_deck::key::HandContext;
use deckproof_serve::calls::read;
use deckproof_serve::service::{Service, ServiceSettings};
use deckproof_table::log_folder::Log;
use deckproof_verify::log::vkey::{KeyKind, Signer};

type Failed = Box<dyn Error + Send + Sync>;

const ORIGIN: &str = "load.example/log1";

/// Round 1000 of quicknet, as drand published it.
const SIGNATURE: &str =
    "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";

/// The calls of a hand by name, each with what it carries beside its place, and the two between which time is taken.
fn calls(table: &str, hand: u64, mix: &str) -> Vec<(&'static str, String)> {
    let mut open = "\"rules\":\"stud-hi\",\"seats\":[1,2,3,4,5,6]".to_owned();
    let mut cut = None;
    match mix {
        "players" => {
            let context = HandContext::new(ORIGIN, table, hand, mix);
            let seed = |seat: u8| Digest::of(format!("seed {table} {hand} {seat}"));
            let list = |of: &dyn Fn(u8) -> Digest| {
                (1..=6).map(|seat| format!("\"{seat}\":\"{}\"", of(seat))).collect::<Vec<_>>().join(",")
            };
            let commits = list(&|seat| seed_commitment(&context, seat, &seed(seat)));
            open += &format!(",\"commits\":{{{commits}}}");
            cut = Some(format!("\"seeds\":{{{}}}", list(&seed)));
        }
        "beacon" => {
            open += ",\"round\":1000";
            cut = Some(format!("\"signature\":\"{SIGNATURE}\""));
        }
        _ => {}
    }
    let street = || ("street", "\"live\":[1,2,3,4,5,6]".to_owned());
    let begin = [("commit", format!("\"mix\":\"{mix}\"")), ("open", open)];
    let streets = [street(), street(), street(), street(), street()];
    let end = [("close", "\"shown_down\":[1,2]".to_owned())];
    begin.into_iter().chain(cut.map(|cut| ("cut", cut))).chain(streets).chain(end).collect()
}

/// Microseconds from the call `open` to the answer of the first `street`, for each hand of a table.
fn table(service: &Service, name: &str, mix: &str, hands: u64) -> Result<Vec<u32>, Failed> {
    let mut took = Vec::new();
    for hand in 1..=hands {
        let (mut begin, mut is_dealt) = (Instant::now(), false);
        for (step, (kind, members)) in calls(name, hand, mix).into_iter().enumerate() {
            let body = format!("{{\"table\":\"{name}\",\"hand\":{hand},\"step\":{},{members}}}", step + 1);
            if kind == "open" {
                begin = Instant::now();
            }
            service.wait(read::named(kind, body.as_bytes())?)?;
            if kind == "street" && !is_dealt {
                took.push(u32::try_from(begin.elapsed().as_micros())?);
                is_dealt = true;
            }
        }
    }
    Ok(took)
}

fn main() -> Result<(), Failed> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [folder, hands] = &words[..] else { return Err("wanted FOLDER HANDS".into()) };
    let (folder, hands) = (Path::new(folder), hands.parse::<u64>()?);
    fs::create_dir_all(folder)?;
    let signer = || Signer::from_seed(ORIGIN, KeyKind::Log, &[7; 32]);
    Log::init(&folder.join("log"), &signer()?)?;
    let service = Arc::new(Service::start(ServiceSettings {
        rate_max: u32::MAX,
        ..ServiceSettings::new(folder.to_owned(), folder.join("log.key"), signer()?)
    })?);
    for mix in ["none", "players", "beacon"] {
        for tables in [1, 100] {
            let begun = (0..tables).map(|number| {
                let (service, name) = (Arc::clone(&service), format!("{mix}-{tables}-{number}"));
                thread::spawn(move || table(&service, &name, mix, hands))
            });
            let mut took = Vec::new();
            for thread in begun.collect::<Vec<_>>() {
                took.extend(thread.join().map_err(|_| "a table panicked")??);
            }
            took.sort_unstable();
            let part = |of: f64| f64::from(took[((took.len() - 1) as f64 * of) as usize]) / 1000.0;
            println!(
                "{mix}, {tables} tables, {} hands: p50 {:.1} ms, p95 {:.1} ms, p99 {:.1} ms",
                took.len(),
                part(0.5),
                part(0.95),
                part(0.99)
            );
        }
    }
    Ok(())
}
