//! Who gets which pot: high and low halves, ties, odd chips.

use crate::card::Card;
use crate::stud::betting::Game;
use crate::stud::betting::pots::{Pot, pots};
use crate::stud::card_set::CardSet;
use crate::stud::low::{Low8, LowAceFive};
use crate::stud::play::Contest;
use crate::stud::rank::High;
use crate::stud::readings::{OddChip, OddChipCards};

/// What part of a pot is contested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
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
    pub part: Part,
    /// Chips in it.
    pub amount: u64,
    /// The winning hand, as a player would name it.
    pub hand: Option<String>,
    /// Chips for every winner.
    pub shares: Vec<(usize, u64)>,
    /// Who got the odd chip, if there was one.
    pub odd_chip: Option<usize>,
}

/// A pot and how it was given out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PotResult {
    /// The pot.
    pub pot: Pot,
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
#[non_exhaustive]
pub enum Undecided {
    /// The record ends before the hand does.
    #[error("the record ends before the hand does")]
    Unfinished,
    /// Cards that decide a pot were never shown.
    #[error("p{} contests a pot with cards the record does not show", .player + 1)]
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
        if !self.is_over() {
            return Err(Undecided::Unfinished);
        }
        let mut winnings = vec![0; self.players.len()];
        let mut results = Vec::new();
        for pot in self.pots() {
            let awards = self.award(&pot)?;
            for &(player, share) in awards.iter().flat_map(|award| &award.shares) {
                winnings[player] += share;
            }
            results.push(PotResult { pot, awards });
        }
        Ok(Settlement { pots: results, winnings })
    }

    /// Players who mucked a hand that would have won chips, as far as the record names the cards.
    pub fn mucked_winners(&self) -> Vec<usize> {
        let is_known = |&player: &usize| self.players[player].mucked && self.known_cards(player).is_some();
        let mucked: Vec<usize> = (0..self.players.len()).filter(is_known).collect();
        // Against a live hand nobody has seen, nothing can be said.
        if mucked.is_empty() || self.live_players().any(|player| self.known_cards(player).is_none()) {
            return Vec::new();
        }
        let mut kept = self.clone();
        for &player in &mucked {
            kept.players[player].mucked = false;
            kept.players[player].shown = true;
        }
        match kept.settle() {
            Ok(settled) if self.is_over() && !self.is_folded() => {
                mucked.into_iter().filter(|&player| settled.winnings[player] > 0).collect()
            }
            _ => Vec::new(),
        }
    }

    fn award(&self, pot: &Pot) -> Result<Vec<Award>, Undecided> {
        let mut claims: Vec<usize> =
            pot.eligible.iter().copied().filter(|&player| self.players[player].is_live()).collect();
        if claims.iter().any(|&player| self.players[player].shown) {
            // A hand that nobody saw does not beat one that was shown.
            claims.retain(|&player| self.players[player].shown || self.known_cards(player).is_some());
        }
        match claims[..] {
            [] => Err(Undecided::Unclaimed { amount: pot.amount }),
            [only] => Ok(vec![Award {
                part: Part::Uncontested,
                amount: pot.amount,
                hand: None,
                shares: vec![(only, pot.amount)],
                odd_chip: None,
            }]),
            _ => self.contest(pot.amount, &claims),
        }
    }

    fn contest(&self, amount: u64, claims: &[usize]) -> Result<Vec<Award>, Undecided> {
        let holdings: Vec<(usize, CardSet)> = claims
            .iter()
            .map(|&player| {
                self.known_cards(player).map(|cards| (player, cards)).ok_or(Undecided::Unknown { player })
            })
            .collect::<Result<_, _>>()?;
        Ok(match self.rules.play.contest {
            Contest::High => vec![self.high_award(amount, &holdings)],
            Contest::LowAceFive => {
                let best = holdings.iter().map(|&(_, cards)| LowAceFive::best(cards)).max();
                let winners = holdings.iter().filter(|&&(_, cards)| Some(LowAceFive::best(cards)) == best);
                let hand = best.map(|low| low.to_string());
                vec![self.shared(Part::Low, amount, hand, winners.copied().collect())]
            }
            Contest::HighLow8 => {
                let best = holdings.iter().filter_map(|&(_, cards)| Low8::best(cards)).max();
                let Some(low) = best else { return Ok(vec![self.high_award(amount, &holdings)]) };
                let unit = self.stakes.odd_chip_unit;
                // The chip that cannot be halved goes to the high hand.
                let low_half = amount / 2 / unit * unit;
                let winners = holdings.iter().filter(|&&(_, cards)| Low8::best(cards) == best);
                let winners = winners.copied().collect();
                let low = self.shared(Part::Low, low_half, Some(low.to_string()), winners);
                vec![self.high_award(amount - low_half, &holdings), low]
            }
        })
    }

    fn high_award(&self, amount: u64, holdings: &[(usize, CardSet)]) -> Award {
        let best = holdings.iter().map(|&(_, cards)| High::best(cards)).max();
        let winners = holdings.iter().filter(|&&(_, cards)| Some(High::best(cards)) == best);
        self.shared(Part::High, amount, best.map(|high| high.to_string()), winners.copied().collect())
    }

    /// Equal shares in whole chips; what is left goes to one winner.
    fn shared(&self, part: Part, amount: u64, hand: Option<String>, winners: Vec<(usize, CardSet)>) -> Award {
        let unit = self.stakes.odd_chip_unit;
        let share = amount / winners.len() as u64 / unit * unit;
        let rest = amount - share * winners.len() as u64;
        let odd_chip = (rest > 0 && winners.len() > 1).then(|| self.odd_chip_winner(part, &winners));
        let first = odd_chip.unwrap_or(winners[0].0);
        let shares =
            winners.iter().map(|&(player, _)| (player, share + if player == first { rest } else { 0 }));
        Award { part, amount, hand, shares: shares.collect(), odd_chip }
    }

    fn odd_chip_winner(&self, part: Part, winners: &[(usize, CardSet)]) -> usize {
        if self.readings.odd_chip == OddChip::LeftOfDealer {
            return winners[0].0;
        }
        let deciding = |&&(player, cards): &&(usize, CardSet)| {
            // A community card is in every hand and decides nothing between them.
            let own = CardSet::of(
                &cards.cards().filter(|&card| Some(Some(card)) != self.community).collect::<Vec<_>>(),
            );
            let card = match part {
                Part::Low => lowest_card(self.readings.odd_chip_cards, own, cards),
                _ => highest_card(self.readings.odd_chip_cards, own, cards),
            };
            // Of the same card twice, which only a community card makes, the first left of the dealer.
            (card, std::cmp::Reverse(player))
        };
        winners.iter().max_by_key(deciding).expect("a pot has winners").0
    }

    /// The cards a hand is ranked by, if enough of them are known.
    fn known_cards(&self, player: usize) -> Option<CardSet> {
        let seated = &self.players[player];
        if let Some(shown) = seated.shown_partly {
            let shared = self.community.flatten().into_iter();
            let cards = shared.fold(shown, CardSet::with);
            return (cards.len() >= 5).then_some(cards);
        }
        let cards: Option<Vec<Card>> = self.holding(player).into_iter().collect();
        cards.filter(|cards| cards.len() >= 5).map(|cards| CardSet::of(&cards))
    }
}

/// The key of the highest card: rank, then spades, hearts, diamonds, clubs.
///
/// With five cards deciding, it is the highest of the five that make the high hand: in a flush the
/// highest of its suit, otherwise the player's best suit of the highest rank in the hand.
fn highest_card(deciding: OddChipCards, own: CardSet, all: CardSet) -> (i32, u8) {
    let key = |card: Card| (i32::from(card.rank()), card.suit());
    let best = High::best(all);
    let in_hand = |card: &Card| deciding == OddChipCards::Seven || best.uses(*card, all);
    own.cards().filter(in_hand).map(key).max().unwrap_or((-1, 0))
}

/// The key of the lowest card, greater being lower: rank with the ace low, then spades, hearts,
/// diamonds, clubs.
fn lowest_card(deciding: OddChipCards, own: CardSet, all: CardSet) -> (i32, u8) {
    let low_rank = |card: Card| (card.rank() + 1) % 13;
    let ranks = Low8::best(all).map_or(u32::MAX, Low8::ranks);
    let in_hand = |card: &Card| deciding == OddChipCards::Seven || ranks >> low_rank(*card) & 1 == 1;
    let key = |card: Card| (-i32::from(low_rank(card)), card.suit());
    own.cards().filter(in_hand).map(key).max().unwrap_or((i32::MIN, 0))
}
