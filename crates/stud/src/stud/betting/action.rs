//! What the dealer and the players do, one value an action.

use deckproof_deck::card::Card;

/// A card that may be unknown.
pub type MaybeCard = Option<Card>;

/// One action of a hand; players count from 0, the dealer's left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Cards to a player.
    DealHole {
        /// Who gets them.
        player: usize,
        /// In the order dealt.
        cards: Vec<MaybeCard>,
    },
    /// A community card.
    DealBoard {
        /// One card in stud.
        cards: Vec<MaybeCard>,
    },
    /// The forced first bet.
    BringIn {
        /// Who posts it.
        player: usize,
    },
    /// A check, or a call of what is owed.
    CheckOrCall {
        /// Who.
        player: usize,
    },
    /// A completion, bet or raise to an amount.
    BetTo {
        /// Who.
        player: usize,
        /// The bet in front of the player afterwards.
        amount: u64,
    },
    /// Giving up the hand.
    Fold {
        /// Who.
        player: usize,
    },
    /// Showing cards; none named means those already known.
    Show {
        /// Who.
        player: usize,
        /// What is shown, in the order dealt.
        cards: Vec<MaybeCard>,
    },
    /// Giving up the hand at the showdown.
    Muck {
        /// Who.
        player: usize,
    },
    /// The clock ran out.
    TimeOut {
        /// Whose clock.
        player: usize,
        /// Thousandths of a second the player had, where they are recorded.
        milliseconds: Option<u64>,
        /// Whether the player was connected.
        connection: Connection,
    },
    /// A remark.
    Nothing,
}

/// The line to a player while the clock ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Connection {
    /// Nothing is recorded about it.
    Kept,
    /// It broke, and the player came back in time.
    Regained,
    /// It broke, and the player never came back.
    Lost,
}

impl Action {
    /// Whose action it is, if a player's.
    pub fn player(&self) -> Option<usize> {
        match *self {
            Action::BringIn { player }
            | Action::CheckOrCall { player }
            | Action::BetTo { player, .. }
            | Action::Fold { player }
            | Action::Show { player, .. }
            | Action::Muck { player }
            | Action::TimeOut { player, .. } => Some(player),
            Action::DealHole { .. } | Action::DealBoard { .. } | Action::Nothing => None,
        }
    }
}
