//! Options that make a plan, and values of options: numbers of decks, shards, tiers, start orders.

use std::path::PathBuf;

use clap::Args;

use crate::cli::subject::SubjectOptions;
use deckproof_audit::audit::plan::Shard;
use deckproof_audit::session::options::{PlanOptions, TableOptions};
use deckproof_audit::session::resolved::Repetition;
use deckproof_stats::battery::Tier;

/// What a plan says besides its source.
#[derive(Args, Debug, Clone)]
pub struct TypedPlan {
    /// How many decks, exactly: 1000000, 1e6 or 2.5e9. Default: 1,000,000 of a dealer in this program,
    /// all records of a file, and a program or standard input to its end.
    #[arg(long, value_name = "N", value_parser = parse_decks)]
    decks: Option<u64>,
    /// Which tiers of statistics run: core (fast), deep, stud (hands dealt at the table of --rules and --players).
    /// Default: all three.
    #[arg(long, value_name = "TIERS", value_delimiter = ',', value_parser = parse_tier)]
    tiers: Option<Vec<Tier>>,
    /// Only these statistics of the tiers, by the ids that --list prints; the power of such a plan is not measured.
    #[arg(long, value_name = "IDS", value_delimiter = ',', conflicts_with = "without")]
    statistics: Option<Vec<String>>,
    /// All statistics of the tiers but these.
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    without: Vec<String>,
    /// The table at which hands are dealt.
    #[command(flatten)]
    table: TableArguments,
    /// No repeat: a first look that says investigate is left at that. Otherwise the next decks of the same
    /// source, four times as many, are audited at once and decide, where the source can go on.
    #[arg(long)]
    no_repeat: bool,
    /// The dealer's start order, 52 cards or numbers, the top first. Order, cycles and draws are then judged by the
    /// places of the cards in it, ranks, suits and hands by the cards. Without it: that of the numbering, 2c 2d 2h 2s
    /// 3c … As or 2c 3c … Ac 2d …
    #[arg(long, value_name = "FILE")]
    start_order: Option<PathBuf>,
    /// What is examined, for whom and by whom.
    #[command(flatten)]
    subject: SubjectOptions,
}

/// The table at which hands are dealt.
#[derive(Args, Debug, Clone)]
pub struct TableArguments {
    /// The rules by which hands are dealt: stud-hi, stud-8b or espacejeux. Default: stud-hi.
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
    /// How many play, 2 to 8, all of them to the river. Default: 6.
    #[arg(long, value_name = "N")]
    players: Option<usize>,
}

impl TableArguments {
    /// What was typed.
    pub fn options(&self) -> TableOptions {
        TableOptions { rules: self.rules.clone(), players: self.players }
    }
}

impl TypedPlan {
    /// What was typed.
    pub fn options(&self) -> PlanOptions {
        PlanOptions {
            decks: self.decks,
            tiers: self.tiers.clone(),
            statistics: self.statistics.clone(),
            without: self.without.clone(),
            table: self.table.options(),
            repetition: if self.no_repeat { Repetition::Off } else { Repetition::Planned },
            start_order: self.start_order.clone(),
            subject: self.subject.lines(),
        }
    }
}

/// The most decks a plan may ask for: 2^53, so that every reader of JSON keeps the number.
const DECKS_MAX: u64 = 1 << 53;

/// Reads `1000000`, `1_000_000`, `1,000,000`, `1e6` and `2.5e9`.
pub(in crate::cli) fn parse_decks(text: &str) -> Result<u64, String> {
    let wanted = "wanted a whole number of decks from 1 to 2^53, such as 1000000, 1e6 or 2.5e9";
    let plain: String = text.chars().filter(|&c| c != '_' && c != ',').collect();
    let decks = plain.parse::<u64>().ok().or_else(|| scientific(&plain));
    match decks {
        Some(decks) if (1..=DECKS_MAX).contains(&decks) => Ok(decks),
        _ => Err(format!("found {text:?}, {wanted}")),
    }
}

/// `mantissa e exponent` as an exact whole number: no float is asked what it holds.
fn scientific(text: &str) -> Option<u64> {
    let (mantissa, exponent) = text.split_once(['e', 'E'])?;
    let exponent: usize = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let zeros = exponent.checked_sub(fraction.len())?;
    if zeros > 18 || !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    format!("{whole}{fraction}{}", "0".repeat(zeros)).parse().ok()
}

/// Reads `i/n` with 1 ≤ i ≤ n, or `k+1/n` of a scheduler that counts from 0 and has no shell.
pub(in crate::cli) fn parse_shard(text: &str) -> Result<Shard, String> {
    let index = |text: &str| match text.strip_suffix("+1") {
        Some(before) => before.parse::<u64>().ok()?.checked_add(1),
        None => text.parse().ok(),
    };
    let shard =
        text.split_once('/').and_then(|(i, n)| Some(Shard { index: index(i)?, count: n.parse().ok()? }));
    shard
        .filter(|shard| (1..=shard.count).contains(&shard.index))
        .ok_or_else(|| format!("found {text:?}, wanted i/n with i from 1 to n, such as 2/5"))
}

/// Reads the name of a tier.
pub(in crate::cli) fn parse_tier(text: &str) -> Result<Tier, String> {
    let names = Tier::ALL.map(Tier::name).join(", ");
    Tier::ALL
        .into_iter()
        .find(|tier| tier.name() == text)
        .ok_or_else(|| format!("found {text:?}, wanted one of {names}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_decks_in_every_spelling() {
        for (text, decks) in [
            ("1000000", 1_000_000),
            ("1e6", 1_000_000),
            ("2.5e9", 2_500_000_000),
            ("1_000", 1_000),
            ("1.50e1", 15),
        ] {
            assert_eq!(parse_decks(text), Ok(decks), "{text}");
        }
        for text in ["0", "", "e6", "1.5", "1.55e1", "-1", "1e19", "0x10", "1e", "nan"] {
            assert!(parse_decks(text).is_err(), "{text}");
        }
    }

    #[test]
    fn shards_count_from_one() {
        assert_eq!(parse_shard("2/5"), Ok(Shard { index: 2, count: 5 }));
        assert_eq!(parse_shard("0+1/5"), Ok(Shard { index: 1, count: 5 }));
        assert_eq!(parse_shard("4+1/5"), Ok(Shard { index: 5, count: 5 }));
        for text in ["0/5", "6/5", "1", "1/0", "a/b", "5+1/5", "+1/5", "1+2/5", "18446744073709551615+1/5"] {
            assert!(parse_shard(text).is_err(), "{text}");
        }
    }
}
