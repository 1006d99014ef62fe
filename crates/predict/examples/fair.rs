//! Looks for generators in files of decks from the operating system's random numbers: `fair FILES [WAYS STARTS]`. None is to
//! be found. Sizes run from 1 to 200 decks; every fifth file shows 14 cards of each.

use std::fs::File;
use std::io::{BufReader, Read};
use std::process::ExitCode;
use std::time::Instant;

use deckproof_predict::budget::Budget;
use deckproof_predict::catalogue::MODELS;
use deckproof_predict::deck::{Observation, Record};
use deckproof_predict::model::{Model, Scope};
use deckproof_predict::start::Start;
use deckproof_predict::way::{WAYS, Way};

/// Files between two lines on the screen.
const SHOWN: usize = 50;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let arguments: Vec<usize> = std::env::args().skip(1).map(|own| own.parse()).collect::<Result<_, _>>()?;
    let files = arguments.first().copied().unwrap_or(100);
    let mut scope = Scope { ways: WAYS.to_vec(), starts: Start::usual() };
    scope.ways.truncate(arguments.get(1).copied().unwrap_or(WAYS.len()));
    scope.starts.truncate(arguments.get(2).copied().unwrap_or(1));
    let models: Vec<&dyn Model> = MODELS.iter().copied().filter(|model| model.is_quick()).collect();
    let mut random = BufReader::with_capacity(1 << 16, File::open("/dev/urandom")?);
    let (began, mut recovered) = (Instant::now(), 0);
    for file in 0..files {
        let seen = observation(file, &mut random)?;
        for model in &models {
            if let Some(found) = model.recover(&seen, &scope, &Budget::unlimited()) {
                recovered += 1;
                println!("file {file}, {} records: {} {found:?}", seen.records.len(), model.name());
            }
        }
        if (file + 1) % SHOWN == 0 {
            println!("{} files, {recovered} recovered, {:.0} s", file + 1, began.elapsed().as_secs_f64());
        }
    }
    println!(
        "{files} fair files, {} quick models, {} ways, {} starts: {recovered} recovered",
        models.len(),
        scope.ways.len(),
        scope.starts.len()
    );
    Ok(if recovered == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn observation(file: usize, random: &mut impl Read) -> std::io::Result<Observation> {
    // 1 to 200 decks, as many of each order of size.
    let sizes = [1, 2, 3, 4, 5, 6, 8, 10, 14, 20, 30, 50, 100, 200];
    let mut records = Vec::new();
    for _ in 0..sizes[file % sizes.len()] {
        let mut draws = [0; 51];
        for (draw, range) in draws.iter_mut().zip(WAYS[0].ranges()) {
            *draw = below(range, random)?;
        }
        let deck = Way::deal(WAYS[0], &draws);
        let whole = Record::whole(&deck);
        let first = Record::of_first_cards(&whole.cards()[..14]).expect("cards of one deck");
        records.push(if file % 5 == 4 { first } else { whole });
    }
    Ok(Observation { records, gap: Default::default() })
}

/// Bytes from the last incomplete range on are drawn again.
fn below(range: u8, random: &mut impl Read) -> std::io::Result<u8> {
    loop {
        let mut byte = [0];
        random.read_exact(&mut byte)?;
        if u16::from(byte[0]) < 256 / u16::from(range) * u16::from(range) {
            return Ok(byte[0] % range);
        }
    }
}
