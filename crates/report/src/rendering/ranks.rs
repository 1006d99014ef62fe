//! The ranks of hands in words and as JSON, and the counts of all of them.

use std::io::{self, Write};

use serde_json::{Value, json};

use deckproof_stud::stud::low::{LOW_CLASSES, Low8};
use deckproof_stud::stud::rank::census::RankCensus;
use deckproof_stud::stud::rank::{Category, High};

/// Both hands of some cards, after the cards as they were typed.
pub fn in_words(text: &str, high: High, low: Option<Low8>) -> String {
    let low = low.map_or("no low".to_owned(), |low| format!("low {low}"));
    format!("{}: {high}; {low}", text.trim())
}

/// Both hands for programs.
pub fn to_json(high: High, low: Option<Low8>) -> Value {
    let low = low.map(
        |low| json!({ "category": low.category_id(), "strength": low.strength(), "name": low.to_string() }),
    );
    json!({
        "high": { "category": high.category().id(), "strength": high.ordinal(), "name": high.to_string() },
        "low": low,
    })
}

/// The counts as a table: a line for every high category, the lows by their highest card.
///
/// # Errors
/// Those of `out`.
pub fn write_census(out: &mut impl Write, counts: &RankCensus) -> io::Result<()> {
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
