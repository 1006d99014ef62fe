//! Who gets which pot: high and low halves, ties, odd chips, rake.

use crate::stud::betting::Game;
use crate::stud::betting::bounds::{Holding, winners};
use crate::stud::betting::hidden::unseen;
use crate::stud::betting::pots::{Pot, pots};
use crate::stud::card_set::CardSet;
use crate::stud::low::Low8;
use crate::stud::play::Contest;
use crate::stud::rank::High;
use crate::stud::readings::{MuckedHand, SeveralOddChips};

/// What part of a pot is contested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PotPart {
    /// One player was left.
    Uncontested,
    /// The best high hand.
    High,
    /// The best low hand.
    Low,
}

/// One part of a pot and who got it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Award {
    /// Which part.
    pub part: PotPart,
    /// Chips in it.
    pub amount: u64,
    /// The winning hand, as a player would name it.
    pub hand: Option<String>,
    /// Chips for every winner.
    pub shares: Vec<(usize, u64)>,
    /// Who got the chips that cannot be split, a player a chip, in the order of preference.
    pub odd_chips: Vec<usize>,
}

/// A pot and how it was given out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PotResult {
    /// The pot, as it was before a rake.
    pub pot: Pot,
    /// Chips that were taken from it.
    pub rake: u64,
    /// Its parts.
    pub awards: Vec<Award>,
}

/// A hand whose pots are given out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    /// Main pot first.
    pub pots: Vec<PotResult>,
    /// Chips every player won.
    pub winnings: Vec<u64>,
}

/// A pot that cannot be given out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Undecided {
    /// The record ends before the hand does.
    #[error("the record ends before the hand does")]
    Unfinished,
    /// Cards that decide a pot were never shown.
    #[error("the cards of p{} that the record does not show may decide a pot", .player + 1)]
    Unknown {
        /// Whose cards.
        player: usize,
    },
    /// Everybody who contests a pot threw the hand away.
    #[error("all players who contest a pot of {amount} mucked")]
    Unclaimed {
        /// Chips in the pot.
        amount: u64,
    },
}

/// Where a rake comes from when several pots are raked; no text speaks of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RakeFrom {
    /// The main pot first, then the side pots in order.
    MainPotFirst,
    /// Every pot by its share, what does not divide from the main pot.
    EveryPot,
}

impl Game {
    /// The pots as they stand, bets in front of the players apart.
    pub fn pots(&self) -> Vec<Pot> {
        let paid: Vec<u64> = self.players.iter().map(|player| player.paid).collect();
        let live: Vec<bool> = self.players.iter().map(|player| !player.folded).collect();
        pots(self.dead(), &paid, &live)
    }

    /// Gives the pots out.
    ///
    /// # Errors
    /// [`Undecided`].
    pub fn settle(&self) -> Result<Settlement, Undecided> {
        self.settle_raked(0, RakeFrom::MainPotFirst)
    }

    /// Gives the pots out after so many chips were taken from them.
    ///
    /// # Errors
    /// [`Undecided`].
    pub fn settle_raked(&self, rake: u64, from: RakeFrom) -> Result<Settlement, Undecided> {
        if !self.is_over() {
            return Err(Undecided::Unfinished);
        }
        let pots = self.pots();
        let rakes = rakes(&pots, rake, from);
        let mut winnings = vec![0; self.players.len()];
        let mut results = Vec::new();
        for (pot, rake) in pots.into_iter().zip(rakes) {
            let awards = self.award(&pot, pot.amount - rake)?;
            for &(player, share) in awards.iter().flat_map(|award| &award.shares) {
                winnings[player] += share;
            }
            results.push(PotResult { pot, rake, awards });
        }
        Ok(Settlement { pots: results, winnings })
    }

    fn award(&self, pot: &Pot, amount: u64) -> Result<Vec<Award>, Undecided> {
        // A player alone in a pot has won it, and need not show for it.
        let keeps_claim = |player: &usize| {
            let by_reading = self.readings.mucked_hand == MuckedHand::BestHandWins;
            by_reading || pot.eligible.len() == 1 || self.players[*player].is_live()
        };
        let rivals: Vec<usize> = pot.eligible.iter().copied().filter(keeps_claim).collect();
        match rivals[..] {
            [] => Err(Undecided::Unclaimed { amount: pot.amount }),
            [only] => Ok(vec![Award {
                part: PotPart::Uncontested,
                amount,
                hand: None,
                shares: vec![(only, amount)],
                odd_chips: Vec::new(),
            }]),
            _ => self.contest(amount, &rivals),
        }
    }

    fn contest(&self, amount: u64, rivals: &[usize]) -> Result<Vec<Award>, Undecided> {
        let holdings: Vec<Holding> = rivals.iter().map(|&player| self.holding_of(player)).collect();
        let left = unseen(self.seen);
        let unknown = |player| Undecided::Unknown { player };
        let high = |amount| {
            let (best, winners) = winners(&holdings, &left, High::best).map_err(unknown)?;
            Ok(self.shared(PotPart::High, amount, best.to_string(), &winners))
        };
        Ok(match self.rules.play.contest {
            Contest::High => vec![high(amount)?],
            Contest::HighLow8 => {
                let (best, winners) = winners(&holdings, &left, Low8::best).map_err(unknown)?;
                let Some(low) = best else { return Ok(vec![high(amount)?]) };
                let unit = self.stakes.odd_chip_unit;
                // The chip that cannot be halved goes to the high hand.
                let low_half = amount / 2 / unit * unit;
                let low = self.shared(PotPart::Low, low_half, low.to_string(), &winners);
                vec![high(amount - low_half)?, low]
            }
        })
    }

    /// Equal shares in whole chips; of what is left, one chip each in the order of preference, or all to the first.
    fn shared(&self, part: PotPart, amount: u64, hand: String, winners: &[Holding]) -> Award {
        let unit = self.stakes.odd_chip_unit;
        let share = amount / winners.len() as u64 / unit * unit;
        let rest = amount - share * winners.len() as u64;
        let cards: Vec<(usize, CardSet)> = winners.iter().map(|won| (won.player, won.known)).collect();
        let mut odd_chips = self.odd_chip_order(part, &cards);
        odd_chips.truncate(if winners.len() > 1 { rest.div_ceil(unit) as usize } else { 0 });
        if let (SeveralOddChips::AllToFirst, Some(&first)) =
            (self.readings.several_odd_chips, odd_chips.first())
        {
            odd_chips.fill(first);
        }
        // What is less than a chip goes with the last one.
        let chips = |place: usize| (rest - place as u64 * unit).min(unit);
        let odd = |player: usize| -> u64 {
            let places = odd_chips.iter().enumerate().filter(|(_, lucky)| **lucky == player);
            places.map(|(place, _)| chips(place)).sum()
        };
        let own = |player| if winners.len() == 1 { rest } else { odd(player) };
        let shares = winners.iter().map(|won| (won.player, share + own(won.player))).collect();
        Award { part, amount, hand: Some(hand), shares, odd_chips }
    }

    fn holding_of(&self, player: usize) -> Holding {
        let cards = self.holding(player);
        let known: Vec<_> = cards.iter().copied().flatten().collect();
        // A hand that was thrown away before all cards were dealt has the rest hidden as well.
        let hidden = SHOWDOWN_CARDS.saturating_sub(known.len());
        Holding { player, known: CardSet::of(&known), hidden }
    }
}

/// Cards of a hand at the showdown, a community card counted.
const SHOWDOWN_CARDS: usize = 7;

/// What is taken from every pot.
fn rakes(pots: &[Pot], rake: u64, from: RakeFrom) -> Vec<u64> {
    let total: u64 = pots.iter().map(|pot| pot.amount).sum();
    let mut left = rake.min(total);
    let share = |pot: &Pot| (u128::from(pot.amount) * u128::from(rake) / u128::from(total.max(1))) as u64;
    let mut rakes: Vec<u64> = match from {
        RakeFrom::MainPotFirst => vec![0; pots.len()],
        RakeFrom::EveryPot => pots.iter().map(|pot| share(pot).min(pot.amount)).collect(),
    };
    left -= rakes.iter().sum::<u64>().min(left);
    for (taken, pot) in rakes.iter_mut().zip(pots) {
        let more = left.min(pot.amount - *taken);
        *taken += more;
        left -= more;
    }
    rakes
}
