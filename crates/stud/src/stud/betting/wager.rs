//! The players' part: bring-in, checks, calls, bets, raises, folds and time-outs.

use crate::stud::betting::action::{Action, Connection};
use crate::stud::betting::refusal::{HandRule, Infraction};
use crate::stud::betting::round::{OpenPairShown, Round};
use crate::stud::betting::{Game, Phase, name};
use crate::stud::readings::{
    CompletionCounts, HeadsUpUncapped, LowAllIn, MaxRaises, OpenPairRaise, TimeoutMoneyIncludesAnte,
};

/// Raises after the bet where the text caps them: "trois relances".
const RAISES_MAX: u8 = 3;

impl Game {
    pub(super) fn post_bring_in(&mut self, player: usize) -> Result<(), Infraction> {
        let mut round = self.turn_of(player, "posts the bring-in")?;
        if !round.bring_in_due {
            return Err(self.refuse(HandRule::NoBringIn, format!("{} posts the bring-in", name(player))));
        }
        self.players[player].pay(self.stakes.bring_in);
        round.level = self.players[player].bet;
        round.bring_in_due = false;
        // A bring-in of the whole small limit is the bet; a smaller one is still to be completed.
        round.completes = round.level < self.stakes.small;
        if !round.completes {
            (round.full, round.last_size) = (round.level, round.level);
        }
        round.wagers = if self.is_full_bring_in() && round.completes { 0 } else { self.bring_in_wagers() };
        round.advance();
        self.continue_with(round);
        Ok(())
    }

    pub(super) fn check_or_call(&mut self, player: usize) -> Result<(), Infraction> {
        let mut round = self.turn_of(player, "checks or calls")?;
        if round.bring_in_due {
            return Err(self.refuse(HandRule::BringInDue, format!("{} checks or calls", name(player))));
        }
        let owed = round.level - self.players[player].bet;
        self.players[player].pay(owed);
        round.advance();
        self.continue_with(round);
        Ok(())
    }

    pub(super) fn fold(&mut self, player: usize) -> Result<(), Infraction> {
        let mut round = self.turn_of(player, "folds")?;
        if round.bring_in_due && !self.may_fold_bring_in(&round) {
            return Err(self.refuse(HandRule::BringInDue, format!("{} folds", name(player))));
        }
        self.players[player].folded = true;
        round.advance();
        self.continue_with(round);
        Ok(())
    }

    /// Whether the duty came from a lowest card that is all-in, and goes on with a fold.
    fn may_fold_bring_in(&self, round: &Round) -> bool {
        round.is_passed_on && self.readings.low_all_in == LowAllIn::LeftMayFold
    }

    pub(super) fn bet_to(&mut self, player: usize, amount: u64) -> Result<(), Infraction> {
        let found = || format!("{} bets or raises to {amount}", name(player));
        let mut round = self.turn_of(player, &format!("bets or raises to {amount}"))?;
        let targets = self.targets(&round, player).map_err(|rule| self.refuse(rule, found()))?;
        let all_in = self.players[player].stack + self.players[player].bet;
        let stated = targets.iter().copied().find(|&target| amount == target.min(all_in));
        let Some(target) = stated.or_else(|| self.uncounted_all_in(&round, player, amount, &targets)) else {
            return Err(self.refuse(HandRule::Amount, found()));
        };
        if stated.is_none() {
            self.players[player].stack = amount - self.players[player].bet;
            self.doubts.push(format!(
                "whether {} may bet to {amount}, less than the limit, hangs on chips that the record does not count: allowed is an all-in",
                name(player)
            ));
        }
        if round.open_pair == OpenPairShown::Perhaps {
            let mut without = round.clone();
            without.open_pair = OpenPairShown::No;
            let certain = self.targets(&without, player).unwrap_or_default();
            if !certain.iter().any(|&target| amount == target.min(all_in)) {
                self.doubts.push(format!(
                    "whether {} may bet to {amount} on street 4 hangs on whether a hidden card makes an open pair",
                    name(player)
                ));
            }
        }
        let owed = amount - self.players[player].bet;
        self.players[player].pay(owed);
        if round.bring_in_due && !self.is_full_bring_in() {
            round.wagers = self.bring_in_wagers();
        }
        round.perhaps.clear();
        round.raise(player, amount, target, self.readings.short_all_in);
        let seats = self.players.len();
        round.queue = (1..seats)
            .map(|step| (player + step) % seats)
            .filter(|&other| self.players[other].can_act())
            .collect();
        self.continue_with(round);
        Ok(())
    }

    /// What a bet below the limit had to be, where the player's chips are not counted, so that it may be
    /// an all-in.
    fn uncounted_all_in(&self, round: &Round, player: usize, amount: u64, targets: &[u64]) -> Option<u64> {
        let may_be_all_in = !self.players[player].stack_known && amount > round.level;
        targets.iter().copied().find(|&target| may_be_all_in && amount < target)
    }

    pub(super) fn time_out(
        &mut self,
        player: usize,
        milliseconds: Option<u64>,
        connection: Connection,
    ) -> Result<(), Infraction> {
        let found = || format!("the time of {} runs out", name(player));
        let mut round = self.turn_of(player, "runs out of time")?;
        match self.rules.play.time_out {
            None => self.doubts.push(format!(
                "the text of {} does not say what becomes of a player whose time runs out",
                self.rules.name
            )),
            Some(clock) => {
                let more = if connection == Connection::Regained { clock.reconnected_seconds } else { 0 };
                let granted = clock.seconds + more;
                if let Some(passed) = milliseconds.filter(|&passed| passed < 1000 * granted) {
                    let seconds = passed as f64 / 1000.0;
                    let found = format!("{} after {seconds} of {granted} seconds", found());
                    return Err(self.refuse(HandRule::TooEarly, found));
                }
            }
        }
        let counts_ante = self.readings.timeout_money_includes_ante == TimeoutMoneyIncludesAnte::Yes;
        let trims_antes = self.trims_antes();
        let seated = &mut self.players[player];
        // Trimmed antes stand among the bets paid.
        let bets = seated.paid + seated.bet - if trims_antes { seated.ante } else { 0 };
        let has_money_in = bets > 0 || (counts_ante && seated.ante > 0);
        // Who is cut off and does not come back is all-in whatever is in the pot (text 2).
        if has_money_in || connection == Connection::Lost {
            seated.timed_out = true;
        } else {
            seated.folded = true;
        }
        let was_due = round.bring_in_due;
        round.advance();
        // The duty to bring it in passes to the left with the turn.
        round.bring_in_due = was_due;
        round.is_passed_on |= was_due;
        self.continue_with(round);
        Ok(())
    }

    /// The round, if it is this player's turn.
    fn turn_of(&self, player: usize, action: &str) -> Result<Round, Infraction> {
        let found = || format!("{} {action}", name(player));
        match &self.phase {
            Phase::Dealing => Err(self.refuse(HandRule::DealFirst, found())),
            Phase::Showdown | Phase::Folded => Err(self.refuse(HandRule::HandOver, found())),
            Phase::Betting(round) if round.queue.front() == Some(&player) => Ok(round.clone()),
            Phase::Betting(round) if round.perhaps.contains(&player) => {
                let mut turned = round.clone();
                turned.turn_to(player);
                Ok(turned)
            }
            Phase::Betting(_) => Err(self.refuse(HandRule::Turn, found())),
        }
    }

    /// Goes on with the round, or ends it when nobody is left to act.
    fn continue_with(&mut self, round: Round) {
        // A player who would bring it in against all-in players alone need not.
        let pointless = round.bring_in_due && round.queue.len() < 2;
        let over = round.queue.is_empty() || self.live_count() == 1 || pointless;
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

    fn is_capped(&self, round: &Round) -> bool {
        let is_lifted = self.readings.heads_up_uncapped == HeadsUpUncapped::Yes && self.live_count() == 2;
        self.readings.max_raises == MaxRaises::Three && round.wagers > RAISES_MAX && !is_lifted
    }

    /// The amounts a bet or raise may be to, before an all-in cuts them, or the rule against any.
    fn targets(&self, round: &Round, player: usize) -> Result<Vec<u64>, HandRule> {
        let seated = &self.players[player];
        let owed = round.level - seated.bet;
        if !round.is_open_to(player) {
            return Err(HandRule::ShortAllIn);
        }
        if self.is_capped(round) {
            return Err(HandRule::Cap);
        }
        if seated.stack <= owed {
            return Err(HandRule::Covered);
        }
        let others = (0..self.players.len()).filter(|&other| other != player);
        let mut others = others.map(|other| &self.players[other]).filter(|other| other.can_act());
        if !others.any(|other| other.stack + other.bet > round.level) {
            return Err(HandRule::NobodyLeft);
        }
        if round.bring_in_due || round.completes {
            // "Toutes les enchères de ce tour-là doivent être égales à la petite limite" (text 1): what
            // is below it is completed to it.
            return Ok(vec![self.stakes.small]);
        }
        // An all-in between two full bets is completed to the upper one.
        let targets = self.sizes(round).into_iter().map(|size| round.full + size);
        Ok(targets.filter(|&target| target > round.level).collect())
    }

    /// The sizes a bet or raise may have.
    fn sizes(&self, round: &Round) -> Vec<u64> {
        let limits = self.limits();
        if round.open_pair == OpenPairShown::No {
            return limits;
        }
        let big = self.stakes.big;
        let with_big = [limits.clone(), vec![big]].concat();
        match self.readings.open_pair_raise {
            _ if round.full == 0 => with_big,
            OpenPairRaise::OpeningOnly => limits,
            // A raise is not smaller than the bet it raises.
            OpenPairRaise::BigAllowed if round.last_size >= big => vec![big],
            OpenPairRaise::BigAllowed => with_big,
        }
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
        if round.bring_in_due && self.may_fold_bring_in(round) {
            options.push(Action::Fold { player });
        }
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
            Round { level, full, .. } if level > full => "complete",
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
