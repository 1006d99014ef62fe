//! The options of a plan besides its source, as typed: read and checked before it becomes a request.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use crate::audit::plan::Plan;
use crate::audit::plan::names::PlannedTable;
use crate::audit::plan::subject::Subject;
use crate::audit::selection::Selection;
use crate::session::resolved::{Repetition, ResolvedOptions};
use crate::source::format::{Numbering, Written};
use crate::source::stream::Stream;
use crate::source::{DeckSource, SourceError};
use deckproof_deck::deck::Deck;
use deckproof_deck::deck::block::DeckBlock;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::{TEXT_BYTES_MAX, read_text_limited};
use deckproof_stats::battery::Tier;
use deckproof_stats::battery::stud::table::StudTable;
use deckproof_stud::stud::rules::RuleSet;

/// What a plan says besides its source; by default all tiers, all decks and one repeat.
#[derive(Debug, Clone, Default)]
pub struct PlanOptions {
    /// How many decks, exactly.
    pub decks: Option<u64>,
    /// Which tiers of statistics run; all where none is named.
    pub tiers: Option<Vec<Tier>>,
    /// Only these statistics of the tiers.
    pub statistics: Option<Vec<String>>,
    /// All statistics of the tiers but these.
    pub without: Vec<String>,
    /// The table at which hands are dealt.
    pub table: TableOptions,
    /// What becomes of a first look that says investigate.
    pub repetition: Repetition,
    /// A file with the dealer's start order.
    pub start_order: Option<PathBuf>,
    /// Names and texts of the lines that say what is examined, for whom and by whom.
    pub subject: Vec<(String, String)>,
}

/// The table at which hands are dealt.
#[derive(Debug, Clone, Default)]
pub struct TableOptions {
    /// The name of the rules.
    pub rules: Option<String>,
    /// How many play, all of them to the river.
    pub players: Option<usize>,
}

/// The rules where none are named.
const RULES_DEFAULT: &str = "stud-hi";

/// How many play where nobody says.
const PLAYERS_DEFAULT: usize = 6;

impl TableOptions {
    /// The table that is named, with the default for what is not given.
    fn name(&self) -> PlannedTable {
        PlannedTable {
            rules: self.rules.clone().unwrap_or_else(|| RULES_DEFAULT.to_owned()),
            players: self.players.unwrap_or(PLAYERS_DEFAULT),
        }
    }

    /// Whether a table says otherwise in a point that is named.
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
        if tiers.is_some_and(|tiers| !tiers.contains(&Tier::Stud)) {
            if self.rules.is_none() && self.players.is_none() {
                return Ok(None);
            }
            let advice = "Add stud to --tiers, or leave --rules and --players out.";
            return Err(CouldNotSay::new("found a table without the tier stud", advice));
        }
        let name = self.name();
        name.table().map(Some).ok_or_else(|| {
            let rules = RuleSet::ALL.map(|rules| rules.name).join(", ");
            let found = format!("found a table of {name}, wanted the rules {rules} and 2 to 8 players");
            CouldNotSay::new(found, "")
        })
    }
}

/// Those of these tiers that see decks, each once and in order; both where none is named.
pub fn tiers_of_decks(tiers: Option<&[Tier]>) -> Vec<Tier> {
    let tiers = tiers.unwrap_or(&Tier::OF_DECKS);
    Tier::OF_DECKS.into_iter().filter(|tier| tiers.contains(tier)).collect()
}

impl PlanOptions {
    /// What was wished for.
    ///
    /// # Errors
    /// [`CouldNotSay`] when the start order cannot be read.
    pub fn request(&self, numbering: Numbering) -> Result<ResolvedOptions, CouldNotSay> {
        Ok(ResolvedOptions {
            decks: self.decks,
            selection: self.selection()?,
            start_order: self.start_order.as_deref().map(|path| read_order(path, numbering)).transpose()?,
            repetition: self.repetition,
            program_sha256: None,
            subject: self.subject()?,
        })
    }

    /// What is to run, of the tiers and at the table that are named.
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
        if selection.is_empty() {
            Err(CouldNotSay::new("no statistic is left to run", "Leave out fewer."))
        } else {
            Ok(selection)
        }
    }

    /// What is examined, for whom and by whom; empty where nothing is given.
    fn subject(&self) -> Result<Subject, CouldNotSay> {
        subject_of(self.subject.iter().map(|(name, text)| (name.as_str(), text.as_str())))
    }

    /// Whether a subject is given that the plan does not have.
    fn is_of_other_subject(&self, planned: Option<&Subject>) -> Result<bool, CouldNotSay> {
        let own = self.subject()?;
        Ok(!own.is_empty() && Some(&own) != planned)
    }

    /// Whether what is given beside a plan is the same as in the plan.
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
            ("--subject or --customer", self.is_of_other_subject(plan.subject.as_ref())?),
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

/// The lines as a subject.
///
/// # Errors
/// [`CouldNotSay`]: a line that no page can take, or one that is there twice.
pub fn subject_of<'a>(lines: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Subject, CouldNotSay> {
    lines
        .into_iter()
        .try_fold(Subject::default(), |subject, (name, text)| subject.with(name, text))
        .map_err(|error| CouldNotSay::new(error, "Say each line once, on one line of plain text."))
}
