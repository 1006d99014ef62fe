//! How a hand is bet and won, as plain data: one value a rule set.

use crate::stud::readings::{Reading, Readings};

/// What a rule text says about betting and winning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Play {
    /// The variant of the game in Poker Hand History files.
    pub phh_variant: &'static str,
    /// Which hands win.
    pub contest: Contest,
    /// How much the bring-in is.
    pub bring_in: BringInAmount,
    /// How much the big limit is.
    pub big_limit: BigLimit,
    /// What the text says about the ante's amount.
    pub ante: AnteAmount,
    /// Whether a visible pair on fourth street opens the big limit.
    pub open_pair: OpenPair,
    /// Who shows first.
    pub showdown: ShowdownOrder,
    /// What happens to a player who lets the clock run out.
    pub time_out: Option<TimeOut>,
    /// The default of every reading under this text.
    pub readings: Readings,
    /// The readings this text leaves open: a verdict is tried under all their values.
    pub open_readings: &'static [Reading],
}

impl Play {
    /// Whether a record, or the opening of its hand, may say how this point is read.
    pub fn leaves_to_the_table(&self, reading: Reading) -> bool {
        self.open_readings.contains(&reading) && reading.may_be_stated()
    }
}

/// Which hands win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contest {
    /// The best high hand.
    High,
    /// Half each to the best high hand and the best 8-or-better low.
    HighLow8,
}

/// How much the text says the bring-in is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BringInAmount {
    /// Half the small limit.
    HalfSmall,
    /// The small limit.
    Small,
    /// An amount the table states.
    Explicit,
}

/// How much the text says the big limit is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BigLimit {
    /// Twice the small limit.
    Double,
    /// The text does not say.
    Unstated,
}

/// How much the text says the ante is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnteAmount {
    /// About a fifth of the small limit.
    AboutAFifth,
    /// An amount the table states.
    Explicit,
}

/// Whether a visible pair on fourth street opens the big limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpenPair {
    /// Everybody may open at the big limit.
    BigLimit,
    /// Fourth street is a small street whatever shows.
    Ignored,
}

/// Who shows first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShowdownOrder {
    /// The text says nothing: any order is accepted.
    Unstated,
    /// The last bettor of seventh street, else the first to act on it.
    LastBettorFirst,
}

/// A player who lets the clock run out is all-in with what is in the pot, or folds if that is nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeOut {
    /// Seconds to act, warning included.
    pub seconds: u64,
    /// Seconds more for a player who was disconnected and is back.
    pub reconnected_seconds: u64,
}
