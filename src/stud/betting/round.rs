//! One betting round: whose turn it is, what is owed, what may be bet.

use std::collections::VecDeque;

/// The state of a betting round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Round {
    /// Who acted or acts first.
    pub opener: usize,
    /// Who might have been first instead, as long as nobody acted.
    pub perhaps: Vec<usize>,
    /// Who is to act, in turn.
    pub queue: VecDeque<usize>,
    /// The highest bet of the round.
    pub level: u64,
    /// The size of the last full bet or raise.
    pub last_raise: u64,
    /// Bets and raises made, as the cap counts them.
    pub wagers: u8,
    /// Whether the bring-in is still to be posted.
    pub bring_in_due: bool,
    /// Whether the next bet completes the bring-in.
    pub completes: bool,
    /// Who bet or raised last.
    pub last_bettor: Option<usize>,
}

impl Round {
    /// A round nobody has acted in.
    pub(super) fn new(opener: usize, perhaps: Vec<usize>, queue: VecDeque<usize>) -> Round {
        Round {
            opener,
            perhaps,
            queue,
            level: 0,
            last_raise: 0,
            wagers: 0,
            bring_in_due: false,
            completes: false,
            last_bettor: None,
        }
    }

    /// Records a bet to `amount`, `full` being what it had to be without an all-in.
    pub(super) fn raise(&mut self, player: usize, amount: u64, full: u64) {
        let by = amount - self.level;
        // Less than the full raise is an all-in, and the next raise is measured as before.
        self.last_raise = if amount >= full { by } else { self.last_raise.max(by) };
        self.level = amount;
        self.wagers = self.wagers.saturating_add(1);
        self.bring_in_due = false;
        self.completes = false;
        self.last_bettor = Some(player);
    }

    /// Takes the next player off the queue.
    pub(super) fn advance(&mut self) {
        self.queue.pop_front();
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
