//! A hand of fixed-limit stud as a game: every action is allowed or refused by the rule set's data.

pub mod action;
mod bounds;
pub mod dealing;
mod hidden;
mod odd_chips;
mod opening;
pub mod pots;
pub mod refusal;
mod round;
mod showdown;
pub mod stakes;
mod wager;
pub mod winners;

use crate::stud::betting::action::{Action, MaybeCard};
use crate::stud::betting::opening::Visible;
use crate::stud::betting::refusal::{HandRule, Infraction};
use crate::stud::betting::round::{OpenPairShown, Round};
use crate::stud::betting::stakes::{Stakes, StakesError};
use crate::stud::card_set::CardSet;
use crate::stud::deal::Street;
use crate::stud::play::OpenPair;
use crate::stud::readings::{CommunityCountsForFirst, LowAllIn, Readings, ShortAnte, StreetLimits};
use crate::stud::rules::RuleSet;
use deckproof_deck::card::Card;

/// What a player whose chips are unknown plays with: more than any bet, far from overflow.
const UNKNOWN_STACK: u64 = 1 << 58;

/// One player of a hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerState {
    /// Chips behind.
    pub stack: u64,
    /// Whether the chips are counted; otherwise `stack` has no meaning.
    pub stack_known: bool,
    /// The ante paid.
    pub ante: u64,
    /// The bet in front of the player in this round.
    pub bet: u64,
    /// Bets of earlier rounds, and the ante where antes are trimmed.
    pub paid: u64,
    /// Cards in the order dealt: two down, four up, one down.
    pub cards: Vec<MaybeCard>,
    /// Whether the player folded.
    pub folded: bool,
    /// Whether the player gave up at the showdown.
    pub mucked: bool,
    /// Whether the clock ran out with money in the pot: all-in without betting the rest.
    pub timed_out: bool,
    /// Whether the player showed.
    pub shown: bool,
    /// Whether the player mucked after showing: a hand that was seen keeps what it wins.
    pub taken_back: bool,
}

impl PlayerState {
    /// Whether the player can still win.
    pub fn is_live(&self) -> bool {
        !self.folded && !self.mucked
    }

    /// Whether the player can still bet.
    pub fn can_act(&self) -> bool {
        self.is_live() && !self.timed_out && self.stack > 0
    }

    /// The up cards.
    pub fn visible(&self) -> &[MaybeCard] {
        self.cards.get(2..self.cards.len().min(6)).unwrap_or_default()
    }

    /// Moves chips in front of the player; an all-in when there are fewer.
    fn pay(&mut self, amount: u64) {
        let amount = amount.min(self.stack);
        self.stack -= amount;
        self.bet += amount;
    }
}

/// Where a hand is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Phase {
    /// The dealer serves a street.
    Dealing,
    /// Players bet.
    Betting(Round),
    /// Hands are shown.
    Showdown,
    /// One player is left.
    Folded,
}

/// A hand of stud being played.
#[derive(Debug, Clone)]
pub struct Game {
    rules: &'static RuleSet,
    readings: Readings,
    stakes: Stakes,
    players: Vec<PlayerState>,
    /// Streets begun, less one: 0 is third street.
    street: usize,
    phase: Phase,
    /// Whether seventh street is one community card.
    community: Option<MaybeCard>,
    seen: CardSet,
    /// The last bettor of seventh street, else the first to act on it.
    shows_first: Option<usize>,
    /// What hangs on hidden cards, or on what the text does not say.
    doubts: Vec<String>,
}

impl Game {
    /// A hand with its antes posted and no card dealt.
    ///
    /// # Errors
    /// [`StakesError`].
    pub fn new(rules: &'static RuleSet, readings: Readings, stakes: Stakes) -> Result<Game, StakesError> {
        stakes.check()?;
        let mut players: Vec<PlayerState> = stakes.stacks.iter().map(|&stack| seated(stack)).collect();
        for (place, player) in players.iter_mut().enumerate() {
            player.ante = stakes.ante_owed(place).min(player.stack);
            player.pay(player.ante);
        }
        let mut game = Game {
            rules,
            readings,
            stakes,
            players,
            street: 0,
            phase: Phase::Dealing,
            community: None,
            seen: CardSet::EMPTY,
            shows_first: None,
            doubts: Vec::new(),
        };
        game.collect_antes();
        Ok(game)
    }

    /// Applies an action.
    ///
    /// # Errors
    /// [`Infraction`]; then nothing changed.
    pub fn apply(&mut self, action: &Action) -> Result<(), Infraction> {
        if let Some(player) = action.player().filter(|&player| player >= self.players.len()) {
            let found = format!("{} acts", name(player));
            return Err(self.refuse(HandRule::NoSuchPlayer, found));
        }
        match action {
            Action::DealHole { player, cards } => self.deal_hole(*player, cards),
            Action::DealBoard { cards } => self.deal_board(cards),
            Action::BringIn { player } => self.post_bring_in(*player),
            Action::CheckOrCall { player } => self.check_or_call(*player),
            Action::BetTo { player, amount } => self.bet_to(*player, *amount),
            Action::Fold { player } => self.fold(*player),
            Action::Show { player, cards } => self.show(*player, cards),
            Action::Muck { player } => self.muck(*player),
            Action::TimeOut { player, milliseconds, connection } => {
                self.time_out(*player, *milliseconds, *connection)
            }
            Action::Nothing => Ok(()),
        }
    }

    /// The rule set.
    pub fn rules(&self) -> &'static RuleSet {
        self.rules
    }

    /// The amounts.
    pub fn stakes(&self) -> &Stakes {
        &self.stakes
    }

    /// The readings it is judged by.
    pub fn readings(&self) -> &Readings {
        &self.readings
    }

    /// The players from the dealer's left.
    pub fn players(&self) -> &[PlayerState] {
        &self.players
    }

    /// The street being dealt or bet.
    pub fn street(&self) -> Street {
        Street::ALL[self.street]
    }

    /// The community card of seventh street, once it is turned.
    pub fn community(&self) -> Option<MaybeCard> {
        self.community
    }

    /// Who is to act, if somebody is.
    pub fn to_act(&self) -> Option<usize> {
        match &self.phase {
            Phase::Betting(round) => round.queue.front().copied(),
            _ => None,
        }
    }

    /// Whether a street has still to be dealt.
    pub fn is_dealing(&self) -> bool {
        self.phase == Phase::Dealing
    }

    /// Whether all betting is over, so that the pots can be given out.
    pub fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Showdown | Phase::Folded)
    }

    /// Whether everybody but one gave up.
    pub fn is_folded(&self) -> bool {
        self.phase == Phase::Folded
    }

    /// Whether at most one of several live players has chips left to bet, so that the hands are shown
    /// before the rest of the cards is dealt.
    pub fn is_all_in(&self) -> bool {
        let can_act = self.players.iter().filter(|player| player.can_act()).count();
        self.is_dealing() && self.live_count() > 1 && can_act < 2
    }

    /// What hangs on cards nobody knows or on a point the text is silent about: a sentence each, without
    /// its full stop. With any of them, the hand cannot be ruled to be played by the rules.
    pub fn doubts(&self) -> &[String] {
        &self.doubts
    }

    /// Chips in the middle and in front of the players.
    pub fn pot_total(&self) -> u64 {
        self.dead() + self.players.iter().map(|player| player.paid + player.bet).sum::<u64>()
    }

    /// Everything that is allowed now, in words.
    pub fn allowed(&self) -> String {
        match &self.phase {
            Phase::Dealing => self.deal_allowed(),
            Phase::Betting(round) => self.wager_allowed(round),
            Phase::Showdown => "showing or mucking the hands that are still in".to_owned(),
            Phase::Folded => "nothing more but showing the winning hand".to_owned(),
        }
    }

    fn refuse(&self, rule: HandRule, found: String) -> Infraction {
        Infraction { rule, found, allowed: self.allowed() }
    }

    /// Antes that everybody contests alike.
    fn dead(&self) -> u64 {
        if self.trims_antes() { 0 } else { self.players.iter().map(|player| player.ante).sum() }
    }

    fn live_players(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.players.len()).filter(|&player| self.players[player].is_live())
    }

    fn live_count(&self) -> usize {
        self.live_players().count()
    }

    fn trims_antes(&self) -> bool {
        self.readings.short_ante == ShortAnte::WhatItMatched
    }

    fn collect_antes(&mut self) {
        if self.trims_antes() {
            self.collect_bets();
            // What nobody matched went back.
            return self.players.iter_mut().for_each(|player| player.ante = player.paid);
        }
        for player in &mut self.players {
            player.bet = 0;
        }
    }

    /// Moves the bets to the middle; what nobody matched goes back.
    fn collect_bets(&mut self) {
        let mut bets: Vec<u64> = self.players.iter().map(|player| player.bet).collect();
        bets.sort_unstable();
        let matched = bets[bets.len() - 2];
        for player in &mut self.players {
            let unmatched = player.bet.saturating_sub(matched);
            player.stack += unmatched;
            player.paid += player.bet - unmatched;
            player.bet = 0;
        }
    }

    /// Ends the betting of a street.
    fn end_round(&mut self) {
        if let Phase::Betting(round) = &self.phase
            && self.street() == Street::Seventh
        {
            self.shows_first = Some(round.last_bettor.unwrap_or(round.opener));
        }
        self.collect_bets();
        self.phase = match self.street() {
            _ if self.live_count() == 1 => Phase::Folded,
            Street::Seventh => Phase::Showdown,
            _ => {
                self.street += 1;
                Phase::Dealing
            }
        };
    }

    /// Begins the betting of a street that is dealt, unless fewer than two players have chips.
    fn begin_round(&mut self) {
        let openers = self.openers();
        let third = self.street() == Street::Third;
        let seats = self.players.len();
        let seats_from = |first: usize| (0..seats).map(move |step| (first + step) % seats);
        // An all-in player with the first word passes it on to the left.
        let first_to_act = |opener: usize| seats_from(opener).find(|&player| self.players[player].can_act());
        let mut firsts: Vec<usize> = openers.iter().filter_map(|&opener| first_to_act(opener)).collect();
        firsts.dedup();
        let first = firsts.first().copied().unwrap_or(openers[0]);
        let queue: std::collections::VecDeque<usize> =
            seats_from(first).filter(|&player| self.players[player].can_act()).collect();
        let contested = queue.len() > 1;
        if contested && firsts.len() > 1 {
            let names: Vec<String> = firsts.iter().copied().map(name).collect();
            let deed = if third { "brings it in" } else { "acts first" };
            let street = self.street().number();
            let doubt =
                format!("who {deed} on street {street}, {}, hangs on a hidden card", names.join(" or "));
            self.doubts.push(doubt);
        }
        let mut round = Round::new(seats, first, firsts.into_iter().skip(1).collect(), queue);
        round.bring_in_due = third;
        round.is_passed_on = third && openers.iter().any(|&opener| !self.players[opener].can_act());
        round.open_pair = self.open_pair();
        self.phase = Phase::Betting(round);
        if !contested {
            self.end_round();
        }
    }

    /// Who brings it in or has the first word: one player, or several where hidden cards decide.
    fn openers(&self) -> Vec<usize> {
        let third = self.street() == Street::Third;
        let mut players: Vec<usize> = self.live_players().collect();
        let has_chips = |player: &usize| self.players[*player].can_act();
        if third && self.readings.low_all_in == LowAllIn::NextLowestBringsIn && players.iter().any(has_chips)
        {
            players.retain(has_chips);
        }
        let visible: Vec<Visible> =
            players.into_iter().map(|player| Visible { player, cards: self.visible_cards(player) }).collect();
        if third {
            opening::bring_in(self.seen, &visible)
        } else {
            opening::best_board(&self.readings, self.seen, &visible)
        }
    }

    /// Whether a player still in shows a pair as fourth street begins, and the text makes something of it.
    fn open_pair(&self) -> OpenPairShown {
        if self.rules.play.open_pair == OpenPair::Ignored || self.street() != Street::Fourth {
            return OpenPairShown::No;
        }
        let mut shown = OpenPairShown::No;
        for player in self.live_players() {
            match *self.players[player].visible() {
                [Some(first), Some(second)] if first.rank() == second.rank() => return OpenPairShown::Yes,
                [Some(_), Some(_)] => {}
                _ => shown = OpenPairShown::Perhaps,
            }
        }
        shown
    }

    fn visible_cards(&self, player: usize) -> Vec<MaybeCard> {
        let own = self.players[player].visible().iter().copied();
        let counts = self.readings.community_counts_for_first == CommunityCountsForFirst::Yes;
        own.chain(self.community.filter(|_| counts)).collect()
    }

    /// The sizes of a bet on this street, before any choice an open pair gives.
    fn limits(&self) -> Vec<u64> {
        let (small, big) = (self.stakes.small, self.stakes.big);
        match self.readings.street_limits {
            StreetLimits::Either if small != big => vec![small, big],
            _ if self.street < 2 => vec![small],
            _ => vec![big],
        }
    }
}

/// `p3`.
pub(in crate::stud) fn name(player: usize) -> String {
    format!("p{}", player + 1)
}

/// `Ah7c`, unknown cards as `??`.
pub fn cards_text(cards: &[MaybeCard]) -> String {
    cards.iter().map(|card| card.map_or("??".to_owned(), |card: Card| card.to_string())).collect()
}

fn seated(stack: Option<u64>) -> PlayerState {
    PlayerState {
        stack: stack.unwrap_or(UNKNOWN_STACK),
        stack_known: stack.is_some(),
        ante: 0,
        bet: 0,
        paid: 0,
        cards: Vec::new(),
        folded: false,
        mucked: false,
        timed_out: false,
        shown: false,
        taken_back: false,
    }
}
