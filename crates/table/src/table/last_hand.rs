//! How the last hand that was played left its table: chips by seat, amounts, and where the dealer sat.

use std::io::{self, BufRead};

use zeroize::Zeroizing;

use crate::table::files::{HandEnd, HandRecord, history_file};
use deckproof_deck::commitment::digest::Digest;
use deckproof_stud::stud::betting::stakes::Stakes;
use deckproof_stud::stud::history::phh;
use deckproof_stud::stud::rules::RuleSet;
use deckproof_stud::stud::seat::{Seat, Seats};

/// The end of a hand that was played, from its history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LastHand {
    /// Its number.
    pub hand: u64,
    /// Its rules.
    pub rules: &'static RuleSet,
    /// Its seats, from the dealer's left.
    pub seats: Seats,
    /// The amounts it was played for.
    pub stakes: Stakes,
    /// Chips after it, in the order of the seats.
    pub chips: Vec<u64>,
}

/// Why it is not known how the last hand ended.
#[derive(Debug, thiserror::Error)]
pub enum LastHandError {
    /// The history is not the one that the records name.
    #[error("{file} is not the history that was written when the hand was closed")]
    Other {
        /// Which.
        file: String,
    },
    /// A file could not be read.
    #[error("{file}: {problem}")]
    System {
        /// Which.
        file: String,
        /// The error of the system.
        problem: io::Error,
    },
}

impl LastHand {
    /// The last hand of the records that was closed with a history; a hand that was voided moves no chips
    /// and no dealer. `read` reads a public file.
    ///
    /// # Errors
    /// [`LastHandError`].
    pub fn find(
        records: impl BufRead,
        read: impl FnOnce(&str) -> io::Result<String>,
    ) -> Result<Option<LastHand>, LastHandError> {
        let system = |file: &str, problem| LastHandError::System { file: file.to_owned(), problem };
        let mut last = None;
        for line in records.lines() {
            let line = Zeroizing::new(line.map_err(|problem| system("the records of hands", problem))?);
            if let Some(HandRecord { hand, end: HandEnd::Closed { history: Some(hash), .. }, .. }) =
                HandRecord::parse(&line)
            {
                last = Some((hand, hash));
            }
        }
        let Some((hand, hash)) = last else { return Ok(None) };
        let file = history_file(hand);
        let text = read(&file).map_err(|problem| system(&file, problem))?;
        match LastHand::of(hand, &text).filter(|_| Digest::of(&text) == hash) {
            Some(found) => Ok(Some(found)),
            None => Err(LastHandError::Other { file }),
        }
    }

    fn of(hand: u64, text: &str) -> Option<LastHand> {
        let history = phh::parse(text).ok()?;
        let rules = RuleSet::named(history.ruleset.as_deref()?)?;
        let seats = Seats::parse(&history.field("seats")?.join(",")).ok()?;
        let chips: Option<Vec<u64>> = history.finishing_stacks?.into_iter().collect();
        let chips = chips.filter(|chips| chips.len() == seats.in_order().len())?;
        Some(LastHand { hand, rules, seats, stakes: history.stakes, chips })
    }

    /// The seats of the next hand: the dealer moves one seat on.
    pub fn next_seats(&self) -> Seats {
        let mut order = self.seats.in_order().to_vec();
        order.rotate_left(1);
        Seats::new(order).expect("a rotation of seats is as clockwise as they were")
    }

    /// Chips of a seat after the hand; nothing if it did not play.
    pub fn chips_of(&self, seat: Seat) -> Option<u64> {
        let place = self.seats.in_order().iter().position(|&other| other == seat)?;
        Some(self.chips[place])
    }
}
