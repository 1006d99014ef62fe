//! How dealt hands are played: by a script or by chance, for which amounts.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use crate::cli::CliError;
use crate::commitment::digest::Digest;
use crate::file::{TEXT_BYTES_MAX, read_text_limited};
use crate::key::DayKey;
use crate::stud::betting::stakes::Stakes;
use crate::stud::rules::RuleSet;
use crate::stud::seat::Seats;
use crate::table::last_hand::LastHand;
use crate::table::plan::PlayPlan;

#[derive(Args)]
#[command(group(ArgGroup::new("played").args(["play", "script"])))]
pub(super) struct PlayArguments {
    /// Play the hands and write their histories: every seat acts at random, as the rules allow.
    #[arg(long, value_name = "POLICY")]
    play: Option<Policy>,
    /// Play the hands by a script: lines such as fold 4 2,5 (street, seats; everybody else calls), or the players' actions of a Poker Hand History one a line (p3 pb, p1 cbr 100, p2 f, p3 cc), after which everybody calls; p1 sm mucks a losing hand at the end.
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// The seed of a random play, so that it can be repeated; it has nothing to do with the cards.
    #[arg(long, value_name = "NUMBER", requires = "play")]
    play_seed: Option<u64>,
    /// The small limit in chips [default: 100; with --continue, all amounts not given are those of the last hand if none is given].
    #[arg(long, value_name = "CHIPS", requires = "played")]
    small: Option<u64>,
    /// The big limit in chips [default: twice the small one].
    #[arg(long, value_name = "CHIPS", requires = "played")]
    big: Option<u64>,
    /// The ante in chips [default: a fifth of the small limit].
    #[arg(long, value_name = "CHIPS", requires = "played")]
    ante: Option<u64>,
    /// The bring-in in chips [default: by the rules, else a quarter of the small limit].
    #[arg(long, value_name = "CHIPS", requires = "played")]
    bring_in: Option<u64>,
    /// The stacks in chips before the first hand: one for all seats, or one a seat in the order of --seats [default: 40 small limits]. Chips are carried from hand to hand, with --continue too; a seat without any buys in again for the same (with --continue, for what is typed then).
    #[arg(long, value_name = "CHIPS", value_delimiter = ',', requires = "played")]
    stacks: Vec<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Policy {
    /// Every seat acts at random.
    Random,
}

/// How the hands are played.
pub(super) struct Play {
    pub plan: PlayPlan,
    pub stakes: Stakes,
    /// What every seat began with, and buys in for again.
    buy_ins: Vec<Option<u64>>,
}

impl Play {
    /// The seats of the next hand, after one that left these chips: the dealer moves one seat on, and chips
    /// stay with their seats.
    pub fn next_hand(&mut self, seats: &Seats, chips: &[u64]) -> Result<Seats, CliError> {
        let after = chips.iter().zip(&self.buy_ins);
        self.stakes.stacks =
            after.map(|(&chips, buy_in)| if chips > 0 { Some(chips) } else { *buy_in }).collect();
        self.stakes.stacks.rotate_left(1);
        self.buy_ins.rotate_left(1);
        let mut order = seats.in_order().to_vec();
        order.rotate_left(1);
        Seats::new(order).map_err(|error| CliError::Usage(error.to_string()))
    }
}

impl PlayArguments {
    /// What was typed, understood; nothing if the hands are only dealt.
    pub fn read(
        &self,
        rules: &RuleSet,
        seats: &Seats,
        last: Option<&LastHand>,
    ) -> Result<Option<Play>, CliError> {
        let plan = match (&self.play, &self.script) {
            (Some(Policy::Random), _) => PlayPlan::Random(self.seed()?),
            (None, Some(path)) => {
                let text =
                    read_text_limited(path, TEXT_BYTES_MAX).map_err(|error| CliError::file(path, error))?;
                let usage = |error| CliError::Usage(format!("--script {}: {error}", path.display()));
                PlayPlan::parse(&text, seats).map_err(usage)?
            }
            (None, None) => return Ok(None),
        };
        let last = last.filter(|last| last.rules.name == rules.name);
        let mut stakes = self.stakes(rules, seats.in_order().len(), last)?;
        let buy_ins = stakes.stacks.clone();
        for (stack, &seat) in stakes.stacks.iter_mut().zip(seats.in_order()) {
            let carried = last.and_then(|last| last.chips_of(seat)).filter(|&chips| chips > 0);
            *stack = carried.or(*stack);
        }
        Ok(Some(Play { plan, buy_ins, stakes }))
    }

    /// Whether no amount of the betting was typed.
    fn names_no_amount(&self) -> bool {
        [self.small, self.big, self.ante, self.bring_in].iter().all(Option::is_none)
    }

    fn seed(&self) -> Result<Digest, CliError> {
        match self.play_seed {
            Some(seed) => Ok(Digest::of(seed.to_string())),
            // Any 32 fresh bytes will do; they open nothing.
            None => DayKey::fresh()
                .map(|bytes| Digest::of(bytes.disclose().as_bytes()))
                .map_err(|error| CliError::Key { option: "seed of the play".to_owned(), error }),
        }
    }

    fn stakes(&self, rules: &RuleSet, players: usize, last: Option<&LastHand>) -> Result<Stakes, CliError> {
        let usage = |error: &dyn std::fmt::Display| CliError::Usage(format!("the amounts: {error}"));
        let last = last.filter(|_| self.names_no_amount()).map(|last| &last.stakes);
        let small = self.small.or(last.map(|last| last.small)).unwrap_or(100);
        let given_bring_in = self.bring_in.or(last.map(|last| last.bring_in));
        let ante = self.ante.or(last.and_then(|last| last.antes.iter().copied().max()));
        let big = self.big.or(last.map(|last| last.big));
        let by_text = match given_bring_in {
            Some(_) => None,
            None => Stakes::bring_in_of(&rules.play, small, 1).map_err(|error| usage(&error))?,
        };
        let stacks = match self.stacks[..] {
            [] => vec![small.saturating_mul(40); players],
            [each] => vec![each; players],
            _ if self.stacks.len() == players => self.stacks.clone(),
            _ => {
                let found = self.stacks.len();
                return Err(usage(&format!("found {found} stacks, wanted one or {players}")));
            }
        };
        let stakes = Stakes {
            antes: vec![ante.unwrap_or(small / 5); players],
            bring_in: given_bring_in.or(by_text).unwrap_or((small / 4).max(1)),
            small,
            big: big.unwrap_or(small.saturating_mul(2)),
            stacks: stacks.into_iter().map(Some).collect(),
            // Who is short of the ante contests what it matched (text 2; the others do not say).
            antes_trimmed: true,
            odd_chip_unit: 1,
        };
        stakes.check().map_err(|error| usage(&error))?;
        Ok(stakes)
    }
}
