//! Hands dealt one after the other: each committed, announced, cut, dealt or played out, and closed; every step durable
//! before it is disclosed.

use crate::table::durable::{DurableError, DurableTable, HandInPlay, StreetError};
use crate::table::mix::Announcement;
use crate::table::pending::PendingCut;
use crate::table::play::{PlayError, TableSetting, play_out};
use crate::table::series::Series;
use crate::table::storage::Storage;
use crate::table::{OpenHand, VoidedHand};
use deckproof_stud::stud::readings::Reading;
use deckproof_stud::stud::rules::RuleSet;
use deckproof_stud::stud::seat::{Seats, SeatsError};
use deckproof_verify::log::beacon;

/// Five streets: where hands are not played, every seat stays to the river.
const STREETS: usize = 5;

/// What is dealt, and how it is played.
pub struct Dealing {
    /// The rules.
    pub rules: &'static RuleSet,
    /// How points are read that the rules leave open; the open entry binds it.
    pub readings: Vec<(Reading, String)>,
    /// The seats of the next hand.
    pub seats: Seats,
    /// How hands are played; they are only dealt where it is `None`.
    pub play: Option<Series>,
    /// The announcement of the cut before it.
    pub announcement: Announcement,
    /// Where the cut comes from.
    pub cut: PendingCut,
    /// Who is warned of a beacon that was quicker than the log, where openings go to one.
    pub watch: Option<RoundWatch>,
}

/// The clock by which a round of the beacon is out, and who is warned.
#[derive(Clone, Copy)]
pub struct RoundWatch {
    /// The time in POSIX seconds.
    pub now: fn() -> u64,
    /// Gets a sentence.
    pub warn: fn(&str),
}

impl RoundWatch {
    /// Once a hand was opened: a round that is out by then leaves it open whether the opening was chosen after it.
    fn check(self, hand: u64, announcement: &Announcement) {
        let Announcement::Beacon { round, .. } = announcement else { return };
        if beacon::time_of(*round) <= (self.now)() {
            (self.warn)(&format!(
                "deckproof: hand {hand}: round {round} of the beacon was out when its opening was in the log, with the \
                 cosignatures that came by then, so that these may not show that the opening came first: take a later --round."
            ));
        }
    }
}

/// Why hands ended early.
#[derive(Debug, thiserror::Error)]
pub enum DealingError {
    /// Something could not be made durable; what was begun is ended when the table goes on.
    #[error(transparent)]
    Stopped(#[from] DurableError),
    /// A hand that was voided in the log; its deck is spent.
    #[error("hand {hand} was voided: {reason}")]
    Spent {
        /// What went wrong.
        reason: String,
        /// Its number.
        hand: u64,
    },
    /// No seats for another hand.
    #[error(transparent)]
    Seats(#[from] SeatsError),
}

impl Dealing {
    /// Deals so many hands; the seats are then those of the hand after them.
    ///
    /// # Errors
    /// [`DealingError`]; the hands before it are closed.
    pub fn deal<S: Storage>(&mut self, table: &mut DurableTable<S>, hands: u64) -> Result<(), DealingError> {
        for _ in 0..hands {
            let stacks = self.deal_one(table)?;
            if let Some(play) = &mut self.play {
                self.seats = play.next_hand(&self.seats, &stacks)?;
            }
        }
        Ok(())
    }

    /// Deals a hand, and plays it if it is to be played: then the chips of each seat after it.
    fn deal_one<S: Storage>(&self, table: &mut DurableTable<S>) -> Result<Vec<u64>, DealingError> {
        let name = table.name().clone();
        let committed = table.commit(self.announcement.mix())?;
        let number = committed.number();
        let announced = committed.announce(self.rules, &self.readings, &self.seats, &self.announcement)?;
        if let Some(watch) = self.watch {
            watch.check(number, &self.announcement);
        }
        let revealed = self.cut.wait(|revealed| announced.check(revealed).is_ok());
        if let Err(error) = announced.check(&revealed) {
            let voided = announced.void(error.void_reason())?;
            return Err(spent(&error, &voided));
        }
        let mut open = announced.cut(&revealed)?;
        let Some(Series { plan, stakes, .. }) = &self.play else {
            self.deal_to_the_river(&mut open)?;
            open.close(&[], None)?;
            return Ok(Vec::new());
        };
        let setting = TableSetting {
            name,
            rules: self.rules,
            readings: self.readings.clone(),
            seats: self.seats.clone(),
            stakes: stakes.clone(),
        };
        match play_out(&mut open, &setting, plan) {
            Ok(played) => {
                open.close(&played.shown_down, Some(played.history))?;
                Ok(played.stacks)
            }
            Err(PlayError::Street(StreetError::Durable(error))) => Err(error.into()),
            Err(error) => {
                let voided = open.void(error.void_reason())?;
                Err(spent(&error, &voided))
            }
        }
    }

    fn deal_to_the_river<S: Storage>(
        &self,
        open: &mut HandInPlay<'_, S, OpenHand>,
    ) -> Result<(), DurableError> {
        for _ in 0..STREETS {
            match open.deal_street(self.seats.in_order()) {
                Ok(_) => {}
                Err(StreetError::Durable(error)) => return Err(error),
                Err(StreetError::Deal(_)) => unreachable!("all seats stay, and five streets are dealt once"),
            }
        }
        Ok(())
    }
}

/// A hand that was voided, and why.
fn spent(error: &dyn std::fmt::Display, voided: &VoidedHand) -> DealingError {
    DealingError::Spent { reason: error.to_string(), hand: voided.number() }
}
