//! Hands played one after the other: their amounts, and the chips and seats that go from one to the next.

use crate::table::last_hand::LastHand;
use crate::table::plan::PlayPlan;
use deckproof_stud::stud::betting::stakes::{Stakes, StakesError};
use deckproof_stud::stud::rules::RuleSet;
use deckproof_stud::stud::seat::{Seats, SeatsError};

/// Amounts in chips, as far as somebody named them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedAmounts {
    /// The small limit.
    pub small: Option<u64>,
    /// The big limit.
    pub big: Option<u64>,
    /// The ante.
    pub ante: Option<u64>,
    /// The bring-in.
    pub bring_in: Option<u64>,
    /// The stacks: none, one for all seats, or one a seat.
    pub stacks: Vec<u64>,
}

/// Why no hand can be played for these amounts.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct AmountsError(String);

const NO_ANTE: &str = "found an ante of 0, wanted at least 1: every rule text has all players pay one";

impl From<StakesError> for AmountsError {
    fn from(error: StakesError) -> AmountsError {
        AmountsError(error.to_string())
    }
}

impl NamedAmounts {
    /// Whether no amount of the betting was named.
    fn are_none(&self) -> bool {
        [self.small, self.big, self.ante, self.bring_in].iter().all(Option::is_none)
    }

    /// What is played for: what was named; where nothing was, the amounts of the last hand; else the usual ones.
    ///
    /// # Errors
    /// [`AmountsError`].
    pub fn stakes(
        &self,
        rules: &RuleSet,
        players: usize,
        last: Option<&LastHand>,
    ) -> Result<Stakes, AmountsError> {
        let last = last.filter(|_| self.are_none()).map(|last| &last.stakes);
        let small = self.small.or(last.map(|last| last.small)).unwrap_or(100);
        let given_bring_in = self.bring_in.or(last.map(|last| last.bring_in));
        let ante = self.ante.or(last.and_then(|last| last.antes.iter().copied().max()));
        let big = self.big.or(last.map(|last| last.big));
        let by_text = match given_bring_in {
            Some(_) => None,
            None => Stakes::bring_in_of(&rules.play, small, 1)?,
        };
        let stacks = match self.stacks[..] {
            [] => vec![small.saturating_mul(40); players],
            [each] => vec![each; players],
            _ if self.stacks.len() == players => self.stacks.clone(),
            _ => {
                return Err(AmountsError(format!(
                    "found {} stacks, wanted one or {players}",
                    self.stacks.len()
                )));
            }
        };
        let stakes = Stakes {
            antes: vec![ante.unwrap_or((small / 5).max(1)); players],
            bring_in: given_bring_in.or(by_text).unwrap_or((small / 4).max(1)),
            small,
            big: big.unwrap_or(small.saturating_mul(2)),
            stacks: stacks.into_iter().map(Some).collect(),
            // Who is short of the ante contests what it matched (text 2; the others do not say).
            antes_trimmed: true,
            odd_chip_unit: 1,
        };
        stakes.check()?;
        match ante {
            Some(0) => Err(AmountsError(NO_ANTE.to_owned())),
            _ => Ok(stakes),
        }
    }
}

/// How the hands are played.
pub struct Series {
    /// By whom.
    pub plan: PlayPlan,
    /// For what, in the hand that comes.
    pub stakes: Stakes,
    /// What every seat began with, and buys in for again.
    buy_ins: Vec<Option<u64>>,
}

impl Series {
    /// Hands for these amounts, after the last one: chips stay with their seats.
    pub fn begin(plan: PlayPlan, mut stakes: Stakes, seats: &Seats, last: Option<&LastHand>) -> Series {
        let buy_ins = stakes.stacks.clone();
        for (stack, &seat) in stakes.stacks.iter_mut().zip(seats.in_order()) {
            let carried = last.and_then(|last| last.chips_of(seat)).filter(|&chips| chips > 0);
            *stack = carried.or(*stack);
        }
        Series { plan, stakes, buy_ins }
    }

    /// The seats of the next hand, after one that left these chips: the dealer moves one seat on, and chips
    /// stay with their seats.
    ///
    /// # Errors
    /// [`SeatsError`].
    pub fn next_hand(&mut self, seats: &Seats, chips: &[u64]) -> Result<Seats, SeatsError> {
        let after = chips.iter().zip(&self.buy_ins);
        self.stakes.stacks =
            after.map(|(&chips, buy_in)| if chips > 0 { Some(chips) } else { *buy_in }).collect();
        self.stakes.stacks.rotate_left(1);
        self.buy_ins.rotate_left(1);
        let mut order = seats.in_order().to_vec();
        order.rotate_left(1);
        Seats::new(order)
    }
}
