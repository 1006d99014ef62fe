//! Whether a recorded hand was played by the rules, and under which readings.
//!
//! The record is believed in what was done, not in what was allowed. A rule text decides some points; a record
//! that claims another value of one of them is refused. What the text leaves open is tried under every value:
//! where the values differ, the ruling is [`Ruling::Depends`], unless the record states its reading of a point
//! that is open, or the judge's user fixes one. Three things only the user can answer, for the record would
//! be witness in its own cause: whether a time-out it claims happened, whether a hand that was thrown away
//! gives up the pot, whether chips that are missing are a rake ([`Reading::may_be_stated`]). Cards that are
//! hidden count for every card they might be.
//!
//! Where the rule texts and PokerKit, the reference reader of the histories, differ, the text decides:
//! each pot is split high and low on its own, also when a hand that lost leaves two pots the same players
//! (text 2); a side pot whose players have no low goes to its high hand (text 2); a pair on fourth street
//! opens the big limit (text 1); a bring-in may be the whole small limit (text 3); a short seventh street
//! is one community card or a reshuffle, never folded cards (all three); an all-in below the full bet is
//! completed to it (text 1); who is short of the ante contests only what it matched (text 2).

mod houses;
mod notes;
mod run;
mod search;
mod structure;

use crate::stud::betting::refusal::Infraction;
use crate::stud::betting::stakes::{Stakes, StakesError};
use crate::stud::history::History;
use crate::stud::judge::run::AtTable;
use crate::stud::judge::search::{Search, search};
use crate::stud::readings::{self, Reading, ReadingError, Readings};
use crate::stud::rules::RuleSet;
use deckproof_deck::text::named::named;
use deckproof_deck::text::visible;

pub use crate::stud::judge::houses::{HouseRuling, judge_unnamed};
pub use crate::stud::judge::run::Run;
pub use crate::stud::judge::structure::stated_readings;

/// Whose word it is that a hand was played by a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum House {
    /// The record names the text, or the judge's user does.
    Named,
    /// Nobody does: amounts that only this text fixes refuse nothing.
    Supposed,
}

named! {
    /// The answer.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Ruling {
        /// Every reading accepts the hand.
        Legal = "legal",
        /// No reading accepts it.
        Illegal = "illegal",
        /// Readings differ, or the record does not show enough.
        Depends = "depends",
    }
    /// The word in records.
    pub fn id;
}

/// One value of a reading that the text leaves open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadingTrial {
    /// The reading.
    pub reading: Reading,
    /// Its value.
    pub value: &'static str,
    /// Whether it accepts the hand, alone or together with values of other readings.
    pub accepts: bool,
    /// The stacks under it.
    pub stacks: Vec<Option<u64>>,
}

/// What the smallest chip is taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmallestChip {
    /// The record states it.
    Stated,
    /// The record is silent: the unit of its amounts.
    UnitOfAmounts,
    /// The smallest that gives the final stacks of the record.
    FromFinalStacks,
}

/// A hand judged.
#[derive(Debug, Clone)]
pub struct RuledHand {
    /// The answer.
    pub verdict: Ruling,
    /// The run the answer shows: the first that accepts the hand, else the one by default.
    pub run: Run,
    /// What every open reading says.
    pub trials: Vec<ReadingTrial>,
    /// What the ruling hangs on, a sentence each: none where it is not [`Ruling::Depends`].
    pub open_points: Vec<String>,
    /// What the reader should know.
    pub notes: Vec<String>,
    /// The readings the record states of points that the text leaves open.
    pub stated: Vec<(Reading, String)>,
    /// Where the smallest chip of the run comes from.
    pub smallest_chip: SmallestChip,
    /// What every text of the variant says, where the record names none; `run` is played by one of them.
    pub houses: Vec<HouseRuling>,
    /// Chips that were in play before the hand and are not after it.
    pub chips_missing: u64,
}

/// A hand that cannot be judged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JudgeError {
    /// Amounts no hand can be played for.
    #[error(transparent)]
    Stakes(#[from] StakesError),
    /// A reading was asked for that is none of this text.
    #[error(transparent)]
    Reading(#[from] ReadingError),
    /// The record has no bring-in, and the text leaves its amount to the table.
    #[error("field bring_in is missing, and the text of {text} leaves its amount to the table")]
    BringIn {
        /// The name of the rule set.
        text: &'static str,
    },
    /// No rule text plays the game of the record.
    #[error("no rule set plays {}; name one with --rules", visible(variant))]
    Variant {
        /// The variant as it stood.
        variant: String,
    },
}

/// Judges a hand: plays it by the defaults of the rule set and the readings that are fixed, then
/// under every other value of the readings its text leaves open.
///
/// # Errors
/// [`JudgeError`].
pub fn judge(
    history: &History,
    rules: &'static RuleSet,
    fixed: &[(Reading, String)],
) -> Result<RuledHand, JudgeError> {
    judge_by(history, rules, House::Named, fixed)
}

fn judge_by(
    history: &History,
    rules: &'static RuleSet,
    house: House,
    fixed: &[(Reading, String)],
) -> Result<RuledHand, JudgeError> {
    let open = |reading: &Reading| rules.play.open_readings.contains(reading);
    for (reading, value) in fixed {
        let by_text = rules.play.readings.value(*reading);
        if !open(reading) && by_text != value {
            let (text, name) = (rules.name, reading.name());
            return Err(ReadingError(format!("{text} fixes {name}={by_text}, found {value}")).into());
        }
    }
    let mut stated = structure::stated_readings(history, rules);
    stated.retain(|(reading, _)| !fixed.iter().any(|(other, _)| other == reading));
    let readings = readings::chosen(readings::chosen(rules.play.readings, &stated)?, fixed)?;
    let is_fixed = |reading: &Reading| stated.iter().chain(fixed).any(|(other, _)| other == reading);
    let vary: Vec<Reading> =
        rules.play.open_readings.iter().copied().filter(|reading| !is_fixed(reading)).collect();
    let stakes = structure::stakes(history, rules)?;
    let found = search(&AtTable { history, rules, stakes: &stakes }, readings, &vary)?;
    let (stakes, found, smallest_chip) = with_smallest_chip(history, rules, stakes, found, readings, &vary)?;
    let broken = structure::broken(history, rules, &stakes, house);
    let supposed = match house {
        House::Named => Vec::new(),
        House::Supposed => structure::supposed(history, rules, &stakes),
    };
    Ok(rule(history, rules, found, (broken, supposed), stated, smallest_chip))
}

/// A record need not say what the smallest chip is; the final stacks may. Of the chips that divide every
/// amount and give these stacks, the smallest is taken.
fn with_smallest_chip(
    history: &History,
    rules: &'static RuleSet,
    stakes: Stakes,
    found: Search,
    readings: Readings,
    vary: &[Reading],
) -> Result<(Stakes, Search, SmallestChip), JudgeError> {
    if history.odd_chip_unit_given {
        return Ok((stakes, found, SmallestChip::Stated));
    }
    if !found.is_accepted() && found.hangs_on_the_pots() {
        for unit in structure::units(history).into_iter().filter(|&unit| unit > 1) {
            let stakes = Stakes { odd_chip_unit: unit, ..stakes.clone() };
            let coarser = search(&AtTable { history, rules, stakes: &stakes }, readings, vary)?;
            if coarser.is_accepted() {
                return Ok((stakes, coarser, SmallestChip::FromFinalStacks));
            }
        }
    }
    Ok((stakes, found, SmallestChip::UnitOfAmounts))
}

/// Puts the answer together; `amounts` are what the amounts break, and those that only a supposed text refuses.
fn rule(
    history: &History,
    rules: &'static RuleSet,
    found: Search,
    amounts: (Vec<Infraction>, Vec<String>),
    stated: Vec<(Reading, String)>,
    smallest_chip: SmallestChip,
) -> RuledHand {
    let (broken, supposed) = amounts;
    let is_guessed = smallest_chip == SmallestChip::FromFinalStacks;
    let chip = structure::bring_in(history, rules, found.shown().game.stakes());
    let hangs_on_chip = matches!(chip, structure::BringIn::RoundedTo { .. });
    let verdict = if !broken.is_empty() || !found.is_accepted() {
        Ruling::Illegal
    } else if found.is_certain() && !is_guessed && !hangs_on_chip && supposed.is_empty() {
        Ruling::Legal
    } else {
        Ruling::Depends
    };
    let mut run = found.shown().clone();
    let mut notes = notes::about_the_record(history, rules, &run, &stated, &broken);
    if verdict == Ruling::Illegal {
        notes.extend(notes::refused_earlier(rules, &found));
    } else {
        notes.extend(notes::about_the_pots(history, &found));
    }
    // Amounts that break the rules say more than an end that follows from them.
    if run.refused.as_ref().is_none_or(|(line, _)| line.is_none()) {
        run.refused = broken.into_iter().next().map(|infraction| (None, infraction)).or(run.refused);
    }
    let open_points = match verdict {
        Ruling::Depends => {
            supposed.into_iter().chain(notes::open_points(history, rules, &found, smallest_chip)).collect()
        }
        _ => Vec::new(),
    };
    let trials = found.trials();
    let chips_missing = run.rake.max(run::chips_missing(history));
    let houses = Vec::new();
    RuledHand { verdict, run, trials, open_points, notes, stated, smallest_chip, houses, chips_missing }
}
