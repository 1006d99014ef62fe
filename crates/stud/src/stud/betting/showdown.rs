//! Showing and giving up hands.

use crate::stud::betting::action::MaybeCard;
use crate::stud::betting::refusal::{HandRule, Infraction};
use crate::stud::betting::{Game, Phase, cards_text, name};
use crate::stud::card_set::CardSet;
use crate::stud::play::ShowdownOrder;

impl Game {
    pub(super) fn show(&mut self, player: usize, cards: &[MaybeCard]) -> Result<(), Infraction> {
        let found = || format!("{} shows {}", name(player), cards_text(cards));
        self.check_showdown(player, &found)?;
        let merged = self.merge_shown(player, cards, &found)?;
        for card in merged.iter().copied().flatten() {
            self.seen = self.seen.with(card);
        }
        let seated = &mut self.players[player];
        seated.cards = merged;
        seated.shown = true;
        Ok(())
    }

    pub(super) fn muck(&mut self, player: usize) -> Result<(), Infraction> {
        let found = || format!("{} mucks", name(player));
        self.check_showdown(player, &found)?;
        if self.live_count() == 1 {
            // The last hand left has won already and need not be seen.
            return Ok(());
        }
        if self.players[player].shown {
            self.players[player].taken_back = true;
            return Ok(());
        }
        self.players[player].mucked = true;
        if self.live_count() == 1 && self.phase == Phase::Dealing {
            // Everybody was all-in and all but one gave up: no more cards are needed.
            self.phase = Phase::Folded;
        }
        Ok(())
    }

    fn check_showdown(&self, player: usize, found: &impl Fn() -> String) -> Result<(), Infraction> {
        if !self.is_over() && !self.is_all_in() {
            return Err(self.refuse(HandRule::ShowdownFirst, found()));
        }
        if !self.players[player].is_live() {
            return Err(self.refuse(HandRule::Turn, found()));
        }
        let ordered = self.rules.play.showdown == ShowdownOrder::LastBettorFirst;
        let nobody_yet = !self.players.iter().any(|seated| seated.shown || seated.mucked);
        match self.shows_first {
            Some(first) if ordered && nobody_yet && first != player && self.players[first].is_live() => {
                let mut refusal = self.refuse(HandRule::ShowdownOrder, found());
                refusal.allowed = format!("{} shows or mucks first", name(first));
                Err(refusal)
            }
            _ => Ok(()),
        }
    }

    /// The player's cards with the shown ones filled in.
    fn merge_shown(
        &self,
        player: usize,
        cards: &[MaybeCard],
        found: &impl Fn() -> String,
    ) -> Result<Vec<MaybeCard>, Infraction> {
        let dealt = &self.players[player].cards;
        if cards.is_empty() {
            return Ok(dealt.clone());
        }
        if cards.len() > dealt.len() {
            return Err(self.refuse(HandRule::ShownOther, found()));
        }
        let own = CardSet::of(&dealt.iter().copied().flatten().collect::<Vec<_>>());
        let shown: Vec<_> = cards.iter().copied().flatten().collect();
        let shown_set = CardSet::of(&shown);
        let news = shown.iter().copied().filter(|&card| !own.contains(card));
        let news: Vec<_> = news.collect();
        let repeated = shown_set.len() as usize != shown.len();
        if repeated || news.iter().any(|&card| self.is_seen(card)) {
            return Err(self.refuse(HandRule::RepeatedCard, found()));
        }
        let hidden = dealt.len() - shown.len();
        let kept = own.cards().filter(|&card| !shown_set.contains(card)).count();
        let unknown = dealt.iter().filter(|card| card.is_none()).count();
        if kept > hidden || news.len() > unknown {
            return Err(self.refuse(HandRule::ShownOther, found()));
        }
        // Cards at their own places first; a record may list them in another order.
        let mut merged = dealt.clone();
        let mut left = news;
        for (place, card) in merged.iter_mut().zip(cards) {
            if place.is_none()
                && let Some(at) = left.iter().position(|new| Some(*new) == *card)
            {
                *place = Some(left.remove(at));
            }
        }
        for (place, new) in merged.iter_mut().filter(|place| place.is_none()).zip(left) {
            *place = Some(new);
        }
        Ok(merged)
    }
}
