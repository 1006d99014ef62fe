//! The amounts a hand is played for.

use crate::stud::play::{BringInAmount, Play};

/// Amounts of one hand, in the smallest unit of its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stakes {
    /// The ante of every player.
    pub antes: Vec<u64>,
    /// The forced first bet.
    pub bring_in: u64,
    /// The limit of third and fourth street.
    pub small: u64,
    /// The limit of the later streets.
    pub big: u64,
    /// Chips of every player before the antes; nothing where they are unknown.
    pub stacks: Vec<Option<u64>>,
    /// Whether the record says that a player short of the ante contests only that much of every ante.
    pub antes_trimmed: bool,
    /// The smallest chip: no pot is split finer.
    pub odd_chip_unit: u64,
}

/// Amounts no hand can be played for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StakesError(pub(crate) String);

/// Largest amount: eight of them and all their pots stay far below 2^64.
pub const AMOUNT_MAX: u64 = 1 << 56;

impl Stakes {
    /// Refuses amounts no hand can be played for.
    ///
    /// # Errors
    /// [`StakesError`].
    pub fn check(&self) -> Result<(), StakesError> {
        self.check_record()?;
        if self.big < self.small || self.bring_in > self.small { Err(self.limits()) } else { Ok(()) }
    }

    fn limits(&self) -> StakesError {
        let (small, big, bring_in) = (self.small, self.big, self.bring_in);
        StakesError(format!(
            "found limits {small} and {big} with a bring-in of {bring_in}, wanted 0 < bring-in ≤ small ≤ big"
        ))
    }

    /// Refuses amounts that no record can hold; limits that no text has are left to the judge.
    ///
    /// # Errors
    /// [`StakesError`].
    pub fn check_record(&self) -> Result<(), StakesError> {
        let players = self.stacks.len();
        if !(2..=8).contains(&players) {
            return Err(StakesError(format!("found {players} players, wanted 2 to 8")));
        }
        if self.antes.len() != players {
            let antes = self.antes.len();
            return Err(StakesError(format!(
                "found {antes} antes for {players} stacks, wanted one each a player"
            )));
        }
        let (small, big, bring_in) = (self.small, self.big, self.bring_in);
        if small == 0 || big == 0 || bring_in == 0 || bring_in > AMOUNT_MAX {
            return Err(self.limits());
        }
        let stacks = self.stacks.iter().flatten().copied();
        let positive = stacks.chain([self.odd_chip_unit, small, big]);
        let wrong = positive.clone().find(|amount| !(1..=AMOUNT_MAX).contains(amount));
        let wrong = wrong.or_else(|| self.antes.iter().copied().find(|&ante| ante > AMOUNT_MAX));
        wrong.map_or(Ok(()), |found| {
            Err(StakesError(format!("found an amount of {found}, wanted 1 to {AMOUNT_MAX}")))
        })
    }

    /// The bring-in the rule text fixes for a small limit; nothing where it leaves it to the table.
    ///
    /// # Errors
    /// [`StakesError`].
    pub fn bring_in_of(play: &Play, small: u64, unit: u64) -> Result<Option<u64>, StakesError> {
        match play.bring_in {
            BringInAmount::Explicit => Ok(None),
            BringInAmount::Small => Ok(Some(small)),
            BringInAmount::HalfSmall if small.is_multiple_of(unit.saturating_mul(2)) => Ok(Some(small / 2)),
            BringInAmount::HalfSmall => Err(StakesError(format!(
                "half of the small limit {small} is no whole number of chips of {unit}"
            ))),
        }
    }

    /// The ante a player owes. With two players the antes are given the other way round
    /// (Poker Hand History, section "Required Fields": forced bets are reversed heads-up).
    pub(in crate::stud) fn ante_owed(&self, player: usize) -> u64 {
        let place = if self.antes.len() == 2 { 1 - player } else { player };
        self.antes[place]
    }
}
