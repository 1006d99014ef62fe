//! `deckproof rank`: hands named as a player would.

use std::io::{self, BufRead, Write};

use clap::Args;
use serde_json::{Value, json};

use crate::card::Card;
use crate::cli::CliError;
use crate::cli::exit::Exit;
use crate::cli::screen;
use crate::stud::card_set::CardSet;
use crate::stud::low::{LOW_CLASSES, Low8};
use crate::stud::rank::census::{RankCensus, census};
use crate::stud::rank::{Category, High};

#[derive(Args)]
pub(super) struct Arguments {
    /// Five to seven cards, such as 'As Ks 9h 9d 4c 3c 2s'; with - or without any, one hand a line from standard input.
    #[arg(value_name = "CARDS")]
    hands: Vec<String>,
    /// Print one JSON object a hand.
    #[arg(long)]
    json: bool,
    /// Rank all 133,784,560 hands of seven cards, and print the counts by high category and low.
    #[arg(long, conflicts_with_all = ["hands", "json"])]
    exhaustive: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    let mut out = io::BufWriter::new(screen::out());
    if arguments.exhaustive {
        return write_census(&mut out, &census(7)).map(|()| Exit::Passed).map_err(CliError::Output);
    }
    if arguments.hands.is_empty() || arguments.hands == ["-"] {
        for (number, line) in (1..).zip(io::stdin().lock().lines()) {
            let line = line.map_err(|error| CliError::file("standard input".as_ref(), error))?;
            if !line.trim().is_empty() {
                name(&mut out, &format!("line {number}"), &line, arguments.json)?;
            }
        }
    } else {
        // Typed without quotes, a hand comes as one argument a card.
        let is_one_hand =
            arguments.hands.len() > 1 && arguments.hands.iter().all(|hand| words(hand).len() == 1);
        let hands = if is_one_hand { vec![arguments.hands.join(" ")] } else { arguments.hands.clone() };
        for (number, hand) in (1..).zip(&hands) {
            name(&mut out, &format!("hand {number}"), hand, arguments.json)?;
        }
    }
    out.flush().map_err(CliError::Output)?;
    Ok(Exit::Passed)
}

fn name(out: &mut impl Write, place: &str, text: &str, as_json: bool) -> Result<(), CliError> {
    let cards = parse(text).map_err(|problem| CliError::Usage(format!("{place}: {problem}")))?;
    let (high, low) = (High::best(cards), Low8::best(cards));
    let line = if as_json { to_json(high, low).to_string() } else { in_words(text, high, low) };
    writeln!(out, "{line}").map_err(CliError::Output)
}

/// Reads five to seven distinct cards, with or without blanks or commas between them.
fn parse(text: &str) -> Result<CardSet, String> {
    let mut set = CardSet::EMPTY;
    for (number, word) in (1..).zip(words(text)) {
        let card: Card = word.parse().map_err(|error| format!("card {number}: {error}"))?;
        if set.contains(card) {
            return Err(format!("card {number}: {card} stands there a second time"));
        }
        set = set.with(card);
    }
    match set.len() {
        5..=7 => Ok(set),
        found => Err(format!("found {found} cards, wanted 5 to 7")),
    }
}

/// The cards as words; `AsKs9h` is cut after every suit letter.
fn words(text: &str) -> Vec<&str> {
    let parts = text.split(|letter: char| letter.is_whitespace() || letter == ',');
    let cut = parts.flat_map(|part| part.split_inclusive(['c', 'd', 'h', 's', 'C', 'D', 'H', 'S']));
    cut.filter(|word| !word.is_empty()).collect()
}

fn in_words(text: &str, high: High, low: Option<Low8>) -> String {
    let low = low.map_or("no low".to_owned(), |low| format!("low {low}"));
    format!("{}: {high}; {low}", text.trim())
}

fn to_json(high: High, low: Option<Low8>) -> Value {
    let low = low.map(
        |low| json!({ "category": low.category_id(), "strength": low.strength(), "name": low.to_string() }),
    );
    json!({
        "high": { "category": high.category().id(), "strength": high.ordinal(), "name": high.to_string() },
        "low": low,
    })
}

/// The counts as a table: a line for every high category, the lows by their highest card.
fn write_census(out: &mut impl Write, counts: &RankCensus) -> io::Result<()> {
    writeln!(
        out,
        "{:<16} {:>12} {:>12} {:>10} {:>10} {:>10} {:>10}",
        "", "all", "no low", "5-low", "6-low", "7-low", "8-low"
    )?;
    for category in Category::ALL.iter().rev() {
        let lows = &counts.joint[*category as usize];
        let all: u64 = lows.iter().sum();
        write!(out, "{:<16} {all:>12} {:>12}", category.id(), lows[0])?;
        writeln!(out, "{}", by_highest_card(lows))?;
    }
    let lows: [u64; LOW_CLASSES + 1] = std::array::from_fn(|strength| counts.low_total(strength));
    writeln!(out, "{:<16} {:>12} {:>12}{}", "all", counts.sets_total(), lows[0], by_highest_card(&lows))?;
    let low_classes = lows[1..].iter().filter(|&&count| count > 0).count();
    writeln!(out, "{} distinct high hands, {low_classes} distinct lows.", counts.classes_total())
}

fn by_highest_card(lows: &[u64; LOW_CLASSES + 1]) -> String {
    // Of the 56 lows, 1 has the five on top, 5 the six, 15 the seven and 35 the eight.
    let columns = [&lows[56..], &lows[51..56], &lows[36..51], &lows[1..36]];
    columns.map(|column| format!(" {:>10}", column.iter().sum::<u64>())).concat()
}
