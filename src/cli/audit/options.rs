//! Options that make a plan, and values of options: numbers of decks, shards, tiers, start orders.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::audit::plan::names::PlannedTable;
use crate::audit::plan::{Plan, Shard};
use crate::audit::selection::Selection;
use crate::battery::Tier;
use crate::battery::stud::table::StudTable;
use crate::cli::subject::SubjectOptions;
use crate::deck::Deck;
use crate::deck::block::DeckBlock;
use crate::file::{TEXT_BYTES_MAX, read_text_limited};
use crate::session::request::{AuditRequest, Repetition};
use crate::source::format::{Numbering, Written};
use crate::source::stream::Stream;
use crate::source::{DeckSource, SourceError};
use crate::stud::rules::RuleSet;
use crate::text::could_not_say::CouldNotSay;

/// What a plan says besides its source.
#[derive(Args, Debug, Clone)]
pub struct PlanOptions {
    /// How many decks, exactly: 1000000, 1e6 or 2.5e9. Default: 1,000,000, or all records of a file, or
    /// standard input to its end.
    #[arg(long, value_name = "N", value_parser = parse_decks)]
    pub decks: Option<u64>,
    /// Which tiers of statistics run: core (fast), deep, stud (hands dealt at the table of --rules and --players).
    /// Default: all three.
    #[arg(long, value_name = "TIERS", value_delimiter = ',', value_parser = parse_tier)]
    pub tiers: Option<Vec<Tier>>,
    /// Only these statistics of the tiers, by the ids that --list prints; the power of such a plan is not measured.
    #[arg(long, value_name = "IDS", value_delimiter = ',', conflicts_with = "without")]
    pub statistics: Option<Vec<String>>,
    /// All statistics of the tiers but these.
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub without: Vec<String>,
    /// The table at which hands are dealt.
    #[command(flatten)]
    pub table: TableOptions,
    /// No repeat: a first look that says investigate is left at that. Otherwise the next decks of the same
    /// source, four times as many, are audited at once and decide, where the source can go on.
    #[arg(long)]
    pub no_repeat: bool,
    /// The dealer's start order, 52 cards or numbers, the top first. Order, cycles and draws are then judged by the
    /// places of the cards in it, ranks, suits and hands by the cards. Without it: that of the numbering, 2c 2d 2h 2s
    /// 3c … As or 2c 3c … Ac 2d …
    #[arg(long, value_name = "FILE")]
    pub start_order: Option<PathBuf>,
    /// What is examined, for whom and by whom.
    #[command(flatten)]
    pub subject: SubjectOptions,
}

/// The table at which hands are dealt.
#[derive(Args, Debug, Clone)]
pub struct TableOptions {
    /// The rules by which hands are dealt: stud-hi, stud-8b or espacejeux. Default: stud-hi.
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
    /// How many play, 2 to 8, all of them to the river. Default: 6.
    #[arg(long, value_name = "N")]
    players: Option<usize>,
}

/// The rules where none are named.
const RULES_DEFAULT: &str = "stud-hi";

/// How many play where nobody says.
const PLAYERS_DEFAULT: usize = 6;

impl TableOptions {
    /// No table was typed: that of the default.
    pub fn usual() -> TableOptions {
        TableOptions { rules: None, players: None }
    }

    fn is_typed(&self) -> bool {
        self.rules.is_some() || self.players.is_some()
    }

    /// The table that was typed, with the default for what was not said of it.
    fn name(&self) -> PlannedTable {
        PlannedTable {
            rules: self.rules.clone().unwrap_or_else(|| RULES_DEFAULT.to_owned()),
            players: self.players.unwrap_or(PLAYERS_DEFAULT),
        }
    }

    /// Whether a table says otherwise in a point that was typed.
    fn differs_from(&self, table: Option<&PlannedTable>) -> bool {
        let rules = table.map(|table| &table.rules);
        let players = table.map(|table| table.players);
        (self.rules.is_some() && self.rules.as_ref() != rules)
            || (self.players.is_some() && self.players != players)
    }

    /// The table, if the tier stud runs: where that tier is named, and where no tier is named.
    ///
    /// # Errors
    /// [`CouldNotSay`]: no such table, or a table without its tier.
    pub fn table(&self, tiers: Option<&[Tier]>) -> Result<Option<&'static StudTable>, CouldNotSay> {
        let failed = |what: String, advice: &str| Err(CouldNotSay::new(what, advice));
        if tiers.is_some_and(|tiers| !tiers.contains(&Tier::Stud)) {
            return match self.is_typed() {
                true => failed(
                    "found a table without the tier stud".to_owned(),
                    "Add stud to --tiers, or leave --rules and --players out.",
                ),
                false => Ok(None),
            };
        }
        let name = self.name();
        let rules: Vec<&str> = RuleSet::ALL.iter().map(|rules| rules.name).collect();
        match name.table() {
            Some(table) => Ok(Some(table)),
            None => failed(
                format!("found a table of {name}, wanted the rules {} and 2 to 8 players", rules.join(", ")),
                "",
            ),
        }
    }
}

/// Those of these tiers that see decks, each once and in order; both where none is named.
pub(in crate::cli) fn tiers_of_decks(tiers: Option<&[Tier]>) -> Vec<Tier> {
    let tiers = tiers.unwrap_or(&Tier::OF_DECKS);
    Tier::OF_DECKS.into_iter().filter(|tier| tiers.contains(tier)).collect()
}

impl PlanOptions {
    /// What was wished for.
    ///
    /// # Errors
    /// [`CouldNotSay`] when the start order cannot be read.
    pub fn request(&self, numbering: Numbering) -> Result<AuditRequest, CouldNotSay> {
        Ok(AuditRequest {
            decks: self.decks,
            selection: self.selection()?,
            start_order: self.start_order.as_deref().map(|path| read_order(path, numbering)).transpose()?,
            repetition: if self.no_repeat { Repetition::Off } else { Repetition::Planned },
            program_sha256: None,
            subject: self.subject.subject()?,
        })
    }

    /// What is to run, of the tiers and at the table that were typed.
    fn selection(&self) -> Result<Selection, CouldNotSay> {
        let table = self.table.table(self.tiers.as_deref())?;
        let tiers = Selection::of_tiers(&tiers_of_decks(self.tiers.as_deref())).at_table(table);
        let named = self.statistics.iter().flatten().chain(&self.without);
        for id in named {
            if !tiers.ids().any(|known| known == id) {
                let known: Vec<&str> = tiers.ids().collect();
                return Err(CouldNotSay::new(
                    format!("found the statistic {id:?}, wanted some of {}", known.join(", ")),
                    "deckproof audit --list tells what they are.",
                ));
            }
        }
        let selection = match &self.statistics {
            Some(ids) => tiers.only(ids),
            None => tiers.without(&self.without),
        };
        match selection.is_empty() {
            true => Err(CouldNotSay::new("no statistic is left to run", "Leave out fewer.")),
            false => Ok(selection),
        }
    }

    /// Whether what was typed beside a plan says the same as the plan.
    ///
    /// # Errors
    /// [`CouldNotSay`] naming the option that says otherwise.
    pub fn check_against(&self, plan: &Plan) -> Result<(), CouldNotSay> {
        let tiers = plan.tiers();
        let is_other = |own: &Vec<Tier>| {
            let same =
                |tiers: &Vec<Tier>| own.len() == tiers.len() && own.iter().all(|tier| tiers.contains(tier));
            !tiers.as_ref().is_some_and(same)
        };
        let faults = [
            ("--decks", self.decks.is_some_and(|decks| plan.decks != Some(decks))),
            ("--tiers", self.tiers.as_ref().is_some_and(is_other)),
            ("--subject or --customer", self.subject.differs_from(plan.subject.as_ref())?),
            ("--statistics", self.statistics.is_some()),
            ("--without", !self.without.is_empty()),
            ("--rules or --players", self.table.differs_from(plan.table.as_ref())),
        ];
        match faults.into_iter().find(|(_, is_fault)| *is_fault) {
            Some((option, _)) => Err(CouldNotSay::new(
                format!("{option} says otherwise than the plan"),
                "Nothing was run: leave it out, or write a new plan with deckproof plan.",
            )),
            None => Ok(()),
        }
    }
}

/// Reads 52 cards or numbers, however they are broken into lines.
fn read_order(path: &Path, numbering: Numbering) -> Result<Deck, CouldNotSay> {
    let place = path.display().to_string();
    let failed = |error: &dyn std::fmt::Display| {
        CouldNotSay::new(format!("--start-order {place}: {error}"), "Wanted the 52 cards, the top first.")
    };
    let text = read_text_limited(path, TEXT_BYTES_MAX).map_err(|error| failed(&error))?;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ") + "\n";
    let mut block = DeckBlock::default();
    let read = || -> Result<(), SourceError> {
        let name = "its cards as one line";
        Stream::open(Cursor::new(line), name, &Written::new(None, numbering), Some(1))?.fill(0, &mut block)
    };
    read().map_err(|error| failed(&error))?;
    Ok(block.deck(0))
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

/// Reads `i/n` with 1 ≤ i ≤ n.
pub(in crate::cli) fn parse_shard(text: &str) -> Result<Shard, String> {
    let shard = text
        .split_once('/')
        .and_then(|(index, count)| Some(Shard { index: index.parse().ok()?, count: count.parse().ok()? }));
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
        for text in ["0/5", "6/5", "1", "1/0", "a/b"] {
            assert!(parse_shard(text).is_err(), "{text}");
        }
    }
}
