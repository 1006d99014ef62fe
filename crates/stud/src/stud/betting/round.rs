//! One betting round: whose turn it is, what is owed, what may be bet.

use std::collections::VecDeque;

use crate::stud::readings::ShortAllIn;

/// The state of a betting round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Round {
    /// Who acted or acts first.
    pub opener: usize,
    /// Who might have been first as well, for all the hidden cards, as long as nobody acted.
    pub perhaps: Vec<usize>,
    /// Who is to act, in turn.
    pub queue: VecDeque<usize>,
    /// The highest bet of the round.
    pub level: u64,
    /// The last full bet or raise: `level`, unless an all-in for less is above it.
    pub full: u64,
    /// The size of the last full bet or raise.
    pub last_size: u64,
    /// Full bets and raises made, as the cap counts them.
    pub wagers: u8,
    /// Whether the bring-in is still to be posted.
    pub bring_in_due: bool,
    /// Whether the duty to bring it in went left from a lowest card that is all-in.
    pub is_passed_on: bool,
    /// Whether the next bet completes the bring-in.
    pub completes: bool,
    /// Whether a pair shows on fourth street, and the text makes something of it.
    pub open_pair: OpenPairShown,
    /// Who bet or raised last.
    pub last_bettor: Option<usize>,
    /// What `full` was when each player last acted.
    acted_at: Vec<Option<u64>>,
}

/// Whether a pair shows that opens the big limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OpenPairShown {
    /// None does, or the text makes nothing of it.
    No,
    /// A hidden card may make one.
    Perhaps,
    /// One does.
    Yes,
}

impl Round {
    /// A round of so many players that nobody has acted in.
    pub(super) fn new(players: usize, opener: usize, perhaps: Vec<usize>, queue: VecDeque<usize>) -> Round {
        Round {
            opener,
            perhaps,
            queue,
            level: 0,
            full: 0,
            last_size: 0,
            wagers: 0,
            bring_in_due: false,
            is_passed_on: false,
            completes: false,
            open_pair: OpenPairShown::No,
            last_bettor: None,
            acted_at: vec![None; players],
        }
    }

    /// Records a bet to `amount`, `target` being what it had to be without an all-in.
    pub(super) fn raise(&mut self, player: usize, amount: u64, target: u64, short: ShortAllIn) {
        let is_full = amount >= target;
        // Below the small limit of third street there is only its completion.
        let counts_as_full = short == ShortAllIn::HalfABet
            && !(self.completes || self.bring_in_due)
            && 2 * (amount - self.full) >= target - self.full;
        if is_full || counts_as_full {
            self.last_size = target - self.full;
            self.full = amount;
            self.wagers = self.wagers.saturating_add(1);
            self.completes = false;
        } else if self.bring_in_due {
            self.completes = true;
        }
        self.level = amount;
        self.bring_in_due = false;
        self.last_bettor = Some(player);
        self.acted_at[player] = Some(self.full);
    }

    /// Whether this player has not acted since the last full bet or raise.
    pub(super) fn is_open_to(&self, player: usize) -> bool {
        self.acted_at[player].is_none_or(|full| self.full > full)
    }

    /// Takes the player who acted off the queue.
    pub(super) fn advance(&mut self) {
        if let Some(player) = self.queue.pop_front() {
            self.acted_at[player] = Some(self.full);
        }
        self.perhaps.clear();
    }

    /// Makes a player the opener who might have been: the queue turns to them.
    pub(super) fn turn_to(&mut self, player: usize) {
        if let Some(place) = self.queue.iter().position(|&queued| queued == player) {
            self.queue.rotate_left(place);
            self.opener = player;
        }
    }
}
