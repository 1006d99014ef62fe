//! The players' part: bring-in, checks, calls, bets, raises, folds and time-outs.

use crate::stud::betting::action::Action;
use crate::stud::betting::refusal::{Refusal, Rule};
use crate::stud::betting::round::Round;
use crate::stud::betting::{Game, Phase, name};
use crate::stud::board::{Board, Showing};
use crate::stud::card_set::CardSet;
use crate::stud::deal::Street;
use crate::stud::play::OpenPair;
use crate::stud::readings::{CompletionCounts, OpenPairRaise};

impl Game {
    pub(super) fn post_bring_in(&mut self, player: usize) -> Result<(), Refusal> {
        let mut round = self.turn_of(player, "posts the bring-in")?;
        if !round.bring_in_due {
            return Err(self.refuse(Rule::NoBringIn, format!("{} posts the bring-in", name(player))));
        }
        self.players[player].pay(self.stakes.bring_in);
        round.level = self.players[player].bet;
        round.bring_in_due = false;
        // A bring-in of the whole small limit is the bet; a smaller one is still to be completed.
        round.completes = self.stakes.bring_in < self.stakes.small;
        round.wagers = self.bring_in_wagers();
        round.advance();
        self.continue_with(round);
        Ok(())
    }

    pub(super) fn check_or_call(&mut self, player: usize) -> Result<(), Refusal> {
        let mut round = self.turn_of(player, "checks or calls")?;
        if round.bring_in_due {
            return Err(self.refuse(Rule::BringInDue, format!("{} checks or calls", name(player))));
        }
        let owed = round.level - self.players[player].bet;
        self.players[player].pay(owed);
        round.advance();
        self.continue_with(round);
        Ok(())
    }

    pub(super) fn fold(&mut self, player: usize) -> Result<(), Refusal> {
        let mut round = self.turn_of(player, "folds")?;
        if round.bring_in_due {
            return Err(self.refuse(Rule::BringInDue, format!("{} folds", name(player))));
        }
        self.players[player].folded = true;
        round.advance();
        self.continue_with(round);
        Ok(())
    }

    pub(super) fn bet_to(&mut self, player: usize, amount: u64) -> Result<(), Refusal> {
        let found = || format!("{} bets or raises to {amount}", name(player));
        let mut round = self.turn_of(player, &format!("bets or raises to {amount}"))?;
        let targets = self.targets(&round, player).map_err(|rule| self.refuse(rule, found()))?;
        let all_in = self.players[player].stack + self.players[player].bet;
        let Some(&full) = targets.iter().find(|&&target| amount == target.min(all_in)) else {
            return Err(self.refuse(Rule::Amount, found()));
        };
        let owed = amount - self.players[player].bet;
        self.players[player].pay(owed);
        if round.bring_in_due {
            round.wagers = self.bring_in_wagers();
        }
        if self.is_full_bring_in() && round.bring_in_due {
            // The full bring-in by another name: it is the bet already.
            round.wagers = 0;
        }
        round.perhaps.clear();
        round.raise(player, amount, full);
        let seats = self.players.len();
        round.queue = (1..seats)
            .map(|step| (player + step) % seats)
            .filter(|&other| self.players[other].can_act())
            .collect();
        self.continue_with(round);
        Ok(())
    }

    pub(super) fn time_out(
        &mut self,
        player: usize,
        seconds: Option<u64>,
        reconnected: bool,
    ) -> Result<(), Refusal> {
        let found = || format!("the time of {} runs out", name(player));
        let mut round = self.turn_of(player, "runs out of time")?;
        let Some(clock) = self.rules.play.time_out else {
            return Err(self.refuse(Rule::NoTimeOut, found()));
        };
        let granted = clock.seconds + if reconnected { clock.reconnected_seconds } else { 0 };
        if let Some(seconds) = seconds.filter(|&seconds| seconds < granted) {
            let found = format!("{} after {seconds} of {granted} seconds", found());
            return Err(self.refuse(Rule::TooEarly, found));
        }
        let seated = &mut self.players[player];
        // Trimmed antes stand among the bets paid.
        let bets = seated.paid + seated.bet - if self.stakes.antes_trimmed { seated.ante } else { 0 };
        if bets > 0 || (self.readings.timeout_money_includes_ante && seated.ante > 0) {
            seated.timed_out = true;
        } else {
            seated.folded = true;
        }
        let was_due = round.bring_in_due;
        round.advance();
        // The duty to bring it in passes to the left with the turn.
        round.bring_in_due = was_due;
        self.continue_with(round);
        Ok(())
    }

    /// The round, if it is this player's turn.
    fn turn_of(&self, player: usize, deed: &str) -> Result<Round, Refusal> {
        let found = || format!("{} {deed}", name(player));
        match &self.phase {
            Phase::Dealing => Err(self.refuse(Rule::DealFirst, found())),
            Phase::Showdown | Phase::Folded => Err(self.refuse(Rule::HandOver, found())),
            Phase::Betting(round) if round.queue.front() == Some(&player) => Ok(round.clone()),
            Phase::Betting(round) if round.perhaps.contains(&player) => {
                let mut turned = round.clone();
                turned.turn_to(player);
                Ok(turned)
            }
            Phase::Betting(_) => Err(self.refuse(Rule::Turn, found())),
        }
    }

    /// Goes on with the round, or ends it when nobody is left to act.
    fn continue_with(&mut self, round: Round) {
        let over = round.queue.is_empty() || self.live_count() == 1;
        self.phase = Phase::Betting(round);
        if over {
            self.end_round();
        }
    }

    /// Whether the bring-in is the whole small limit, so that there is nothing to complete.
    fn is_full_bring_in(&self) -> bool {
        self.stakes.bring_in == self.stakes.small
    }

    /// What the cap counts before anybody completes.
    fn bring_in_wagers(&self) -> u8 {
        u8::from(self.is_full_bring_in() || self.readings.completion_counts == CompletionCounts::Raise)
    }

    /// The amounts a bet or raise may be to, before an all-in cuts them, or the rule against any.
    fn targets(&self, round: &Round, player: usize) -> Result<Vec<u64>, Rule> {
        let seated = &self.players[player];
        let owed = round.level - seated.bet;
        let heads_up = self.readings.heads_up_uncapped && self.live_count() == 2;
        // A player who has acted owes all that was raised since: less than a full raise means that only
        // short all-ins followed.
        if owed < round.last_raise && owed > 0 {
            return Err(Rule::ShortAllIn);
        }
        if round.wagers > self.readings.max_raises && !heads_up {
            return Err(Rule::Cap);
        }
        if seated.stack <= owed {
            return Err(Rule::Covered);
        }
        let others = (0..self.players.len()).filter(|&other| other != player);
        let mut others = others.map(|other| &self.players[other]).filter(|other| other.can_act());
        if !others.any(|other| other.stack + other.bet > round.level) {
            return Err(Rule::NobodyLeft);
        }
        if round.bring_in_due || round.completes {
            // A bring-in that was itself all-in for more than nothing is completed to the small limit.
            return Ok(vec![self.stakes.small]);
        }
        Ok(self.sizes(round).into_iter().map(|size| round.level + size).collect())
    }

    /// The sizes a bet or raise may have.
    fn sizes(&self, round: &Round) -> Vec<u64> {
        let limit = self.limit();
        if !self.has_open_pair() {
            return vec![limit];
        }
        let big = self.stakes.big;
        match self.readings.open_pair_raise {
            _ if round.level == 0 => vec![limit, big],
            OpenPairRaise::OpeningOnly => vec![limit],
            // A raise is not smaller than the bet it raises.
            OpenPairRaise::BigAllowed if round.last_raise >= big => vec![big],
            OpenPairRaise::BigAllowed => vec![limit, big],
        }
    }

    /// Whether a live player shows a pair on fourth street and the text makes something of it.
    fn has_open_pair(&self) -> bool {
        if self.rules.play.open_pair == OpenPair::Ignored || self.street() != Street::Fourth {
            return false;
        }
        self.live_players().any(|player| {
            let cards: Option<Vec<_>> = self.players[player].visible().iter().copied().collect();
            cards.is_some_and(|cards| {
                !cards.is_empty() && Board::of(CardSet::of(&cards)).showing() == Showing::Pair
            })
        })
    }

    /// Every action the player to act may choose; none when nobody is to act.
    pub fn options(&self) -> Vec<Action> {
        let Phase::Betting(round) = &self.phase else { return Vec::new() };
        let Some(&player) = round.queue.front() else { return Vec::new() };
        let mut options = if round.bring_in_due && self.is_full_bring_in() {
            // Posting it is a bet of the small limit, which is offered below.
            Vec::new()
        } else if round.bring_in_due {
            vec![Action::BringIn { player }]
        } else {
            vec![Action::Fold { player }, Action::CheckOrCall { player }]
        };
        let all_in = self.players[player].stack + self.players[player].bet;
        let mut amounts: Vec<u64> = self.targets(round, player).unwrap_or_default();
        amounts.iter_mut().for_each(|amount| *amount = all_in.min(*amount));
        amounts.dedup();
        options.extend(amounts.into_iter().map(|amount| Action::BetTo { player, amount }));
        options
    }

    pub(super) fn wager_allowed(&self, round: &Round) -> String {
        let Some(&player) = round.queue.front() else { return "nothing".to_owned() };
        let seated = &self.players[player];
        let owed = (round.level - seated.bet).min(seated.stack);
        let verb = match round {
            Round { bring_in_due: true, .. } if self.is_full_bring_in() => "post the bring-in, a bet",
            Round { bring_in_due: true, .. } | Round { completes: true, .. } => "complete",
            Round { level: 0, .. } => "bet",
            _ => "raise",
        };
        let allowed: Vec<String> = self
            .options()
            .into_iter()
            .map(|option| match option {
                Action::BringIn { .. } => {
                    format!("post the bring-in of {}", self.stakes.bring_in.min(seated.stack))
                }
                Action::CheckOrCall { .. } if owed == 0 => "check".to_owned(),
                Action::CheckOrCall { .. } => format!("call {owed}"),
                Action::BetTo { amount, .. } => format!("{verb} to {amount}"),
                _ => "fold".to_owned(),
            })
            .collect();
        let who: Vec<String> =
            std::iter::once(player).chain(round.perhaps.iter().copied()).map(name).collect();
        format!("{} may {}", who.join(" or "), allowed.join(", "))
    }
}
