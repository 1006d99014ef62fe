//! How dealt hands are played: by a script or by chance, for which amounts.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use deckproof_table::table::request::play::PlayOptions;
use deckproof_table::table::series::NamedAmounts;

#[derive(Args)]
#[command(group(ArgGroup::new("played").args(["play", "script"])))]
pub(super) struct PlayArguments {
    /// Play the hands and write their histories: every seat acts at random, as the rules allow.
    #[arg(long, value_name = "POLICY")]
    play: Option<Policy>,
    /// Play the hands by a script. A line such as fold 4 2,5 names street and seats; everybody else calls. Or the players' actions of a Poker Hand History, one a line (p3 pb, p1 cbr 100, p2 f, p3 cc), after which everybody calls; p1 sm mucks a losing hand at the end.
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

impl PlayArguments {
    /// What was typed.
    pub fn options(&self) -> PlayOptions {
        PlayOptions {
            is_random: self.play == Some(Policy::Random),
            script: self.script.clone(),
            seed: self.play_seed,
            amounts: NamedAmounts {
                small: self.small,
                big: self.big,
                ante: self.ante,
                bring_in: self.bring_in,
                stacks: self.stacks.clone(),
            },
        }
    }
}
