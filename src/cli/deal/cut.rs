//! What cuts the deck: the players' seeds or a beacon value, given after the hand was opened.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};

use deckproof_table::table::wishes::cut::CutWishes;
use deckproof_verify::ledger::entry::Mix;

#[derive(Args)]
pub(super) struct CutArguments {
    /// What cuts the deck after it was committed.
    #[arg(long, value_name = "MIX", default_value = "none")]
    mix: MixName,
    /// For players: the commitment of a seat to its seed, as deckproof seed prints it; once a seat.
    #[arg(long, value_name = "SEAT:HEX")]
    seed_commit: Vec<String>,
    /// The seed of a seat, SEAT:@FILE; for players the file is read after the hand was opened, and a seed that does not come makes the hand void.
    #[arg(long, value_name = "SEAT:@FILE")]
    seed: Vec<String>,
    /// For beacon: the round of drand quicknet that will cut the deck.
    #[arg(long, value_name = "NUMBER")]
    round: Option<u64>,
    /// For beacon: the file that will hold the value of the round, as drand publishes it; read after the hand was opened, and a value that does not come makes the hand void.
    #[arg(long, value_name = "FILE")]
    beacon: Option<PathBuf>,
    /// How many seconds to wait for seeds, the beacon value, or witnesses.
    #[arg(long, value_name = "SECONDS", default_value_t = 0)]
    wait: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum MixName {
    /// Nothing: the operator alone made the order.
    None,
    /// Seeds the players committed to.
    Players,
    /// A round of drand quicknet, and any seeds players give in the open.
    Beacon,
}

impl CutArguments {
    /// What players do while this program waits, where it waits for their seeds.
    pub fn while_waiting(&self, out: &Path) -> Option<String> {
        (self.mix == MixName::Players && self.wait > 0).then(|| {
            format!(
                "deckproof: each hand is opened first, then its seeds are waited for, {} s at most. Players save the open entry, in \
                 {}/public/entries.txt, before they give their seeds.",
                self.wait,
                out.display()
            )
        })
    }

    /// What was typed.
    pub fn wishes(&self) -> CutWishes {
        CutWishes {
            mix: match self.mix {
                MixName::None => Mix::None,
                MixName::Players => Mix::Players,
                MixName::Beacon => Mix::Beacon,
            },
            seed_commits: self.seed_commit.clone(),
            seeds: self.seed.clone(),
            round: self.round,
            beacon: self.beacon.clone(),
            wait: Duration::from_secs(self.wait),
        }
    }
}
