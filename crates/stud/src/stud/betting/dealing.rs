//! The dealer's part: who gets cards, how many, and what a short seventh street gets.

use crate::stud::betting::action::MaybeCard;
use crate::stud::betting::refusal::{HandRule, Infraction};
use crate::stud::betting::{Game, Phase, cards_text, name};
use crate::stud::deal::Street;
use crate::stud::readings::{DealOrder, ShortageWhen};
use crate::stud::rules::{Burn, Shortage};
use deckproof_deck::card::{Card, DECK_CARDS};

/// How seventh street is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Serving {
    OneEach,
    Community,
    /// The reading in force covers no such shortage.
    Uncovered,
}

/// Who gets the next cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Served {
    /// This player gets so many.
    Player {
        /// Who.
        player: usize,
        /// Cards of this street still missing.
        cards: usize,
    },
    /// Everybody shares one.
    Community,
}

impl Game {
    /// Who gets the next cards, the first left of the dealer being served whole; nothing when no
    /// street is to be dealt.
    pub fn next_served(&self) -> Option<Served> {
        if self.phase != Phase::Dealing {
            return None;
        }
        match self.serving() {
            Serving::Community => Some(Served::Community),
            Serving::Uncovered => None,
            Serving::OneEach => {
                let player = self.live_players().find(|&player| self.missing(player) > 0)?;
                Some(Served::Player { player, cards: self.missing(player) })
            }
        }
    }

    pub(super) fn deal_hole(&mut self, player: usize, cards: &[MaybeCard]) -> Result<(), Infraction> {
        let found = || format!("{} is dealt {}", name(player), cards_text(cards));
        if self.phase != Phase::Dealing {
            return Err(self.refuse(self.out_of_deal(), found()));
        }
        if self.serving() != Serving::OneEach {
            return Err(self.refuse(HandRule::Shortage, found()));
        }
        if player >= self.players.len() {
            return Err(self.refuse(HandRule::NoSuchPlayer, found()));
        }
        if !self.is_served_next(player) {
            return Err(self.refuse(HandRule::DealOrder, found()));
        }
        if cards.is_empty() || cards.len() > self.missing(player) {
            return Err(self.refuse(HandRule::DealCount, found()));
        }
        self.see(cards, found)?;
        self.players[player].cards.extend(cards);
        if self.live_players().all(|player| self.missing(player) == 0) {
            self.begin_round();
        }
        Ok(())
    }

    pub(super) fn deal_board(&mut self, cards: &[MaybeCard]) -> Result<(), Infraction> {
        let found = || format!("community card {}", cards_text(cards));
        if self.phase != Phase::Dealing {
            return Err(self.refuse(self.out_of_deal(), found()));
        }
        if self.serving() != Serving::Community {
            return Err(self.refuse(HandRule::Shortage, found()));
        }
        let &[card] = cards else { return Err(self.refuse(HandRule::DealCount, found())) };
        self.see(cards, found)?;
        self.community = Some(card);
        self.begin_round();
        Ok(())
    }

    pub(super) fn deal_allowed(&self) -> String {
        let street = self.street().number();
        match self.serving() {
            Serving::OneEach => {
                let next: Vec<String> = self
                    .live_players()
                    .filter(|&player| self.is_served_next(player))
                    .map(|player| format!("{} to {}", cards_counted(self.missing(player)), name(player)))
                    .collect();
                format!("on street {street}, {}", next.join(" or "))
            }
            Serving::Community => format!("on street {street}, one community card for everybody"),
            Serving::Uncovered => {
                "nothing: the reading shortage_when=all_eight_live covers no such shortage".to_owned()
            }
        }
    }

    /// Notes known cards as dealt.
    fn see(&mut self, cards: &[MaybeCard], found: impl Fn() -> String) -> Result<(), Infraction> {
        let mut seen = self.seen;
        for card in cards.iter().copied().flatten() {
            if seen.contains(card) {
                return Err(self.refuse(HandRule::RepeatedCard, format!("{} with {card} again", found())));
            }
            seen = seen.with(card);
        }
        self.seen = seen;
        Ok(())
    }

    /// Cards the player has still to get on this street.
    fn missing(&self, player: usize) -> usize {
        (self.street + 3).saturating_sub(self.players[player].cards.len())
    }

    /// Whether cards may go to this player now. On third street a record may give three cards at
    /// once or one a round.
    fn is_served_next(&self, player: usize) -> bool {
        if !self.players[player].is_live() || self.missing(player) == 0 {
            return false;
        }
        if self.readings.deal_order == DealOrder::Any {
            return true;
        }
        let first = self.live_players().find(|&other| self.missing(other) > 0);
        let fewest = self.live_players().min_by_key(|&other| self.players[other].cards.len());
        first == Some(player) || fewest == Some(player)
    }

    fn out_of_deal(&self) -> HandRule {
        if self.is_over() { HandRule::HandOver } else { HandRule::BettingFirst }
    }

    /// How many cards have been burned, and whether they may come back on seventh street.
    pub fn burns(&self) -> (usize, bool) {
        if self.rules.burn == Burn::Never {
            return (0, false);
        }
        let most = self.players.iter().map(|player| player.cards.len()).max().unwrap_or(0);
        let seventh = self.players.iter().filter(|player| player.cards.len() > 6).count();
        let live = if self.community.is_some() { self.live_count() } else { seventh };
        let has_seventh = live > 0 && (seventh > 0 || self.community.is_some());
        // A short seventh street is served from the burned cards, and burns none.
        let is_short = has_seventh && (self.community.is_some() || self.undealt() < live + 1);
        let later = most.saturating_sub(3).min(3) + usize::from(seventh > 0 && !is_short);
        (later, is_short)
    }

    /// Every known card, with its place in the hand; a community card counts as of seventh street.
    pub fn cards_dealt(&self) -> impl Iterator<Item = (usize, Card)> + '_ {
        let own = self.players.iter().flat_map(|player| player.cards.iter().copied().enumerate());
        own.chain(self.community.map(|card| (6, card))).filter_map(|(place, card)| Some((place, card?)))
    }

    /// Cards that were neither dealt nor burned before seventh street.
    fn undealt(&self) -> usize {
        let dealt: usize = self.players.iter().map(|player| player.cards.len().min(6)).sum();
        let burned = if self.rules.burn == Burn::FromFourthStreet { 3 } else { 0 };
        DECK_CARDS.saturating_sub(dealt + burned)
    }

    /// How this street is served, from the cards that are left.
    fn serving(&self) -> Serving {
        if self.street() != Street::Seventh {
            return Serving::OneEach;
        }
        let live = self.live_count();
        // Cards of this street do not count: the choice is made before it.
        let undealt = self.undealt();
        let (burned, burn) = match self.rules.burn {
            Burn::Never => (0, 0),
            Burn::FromFourthStreet => (3, 1),
        };
        if undealt >= live + burn {
            return Serving::OneEach;
        }
        match self.rules.shortage {
            Shortage::Reshuffle if undealt + burned >= live => Serving::OneEach,
            Shortage::CommunityCard
                if self.readings.shortage_when == ShortageWhen::AllEightLive && live < 8 =>
            {
                Serving::Uncovered
            }
            _ => Serving::Community,
        }
    }

    /// Cards of a player with the community card: what the hand is made of.
    pub(super) fn holding(&self, player: usize) -> Vec<MaybeCard> {
        self.players[player].cards.iter().copied().chain(self.community).collect()
    }

    /// Whether this card was dealt or shown before.
    pub(super) fn is_seen(&self, card: Card) -> bool {
        self.seen.contains(card)
    }
}

fn cards_counted(count: usize) -> String {
    if count == 1 { "one card".to_owned() } else { format!("{count} cards") }
}
