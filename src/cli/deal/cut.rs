//! What cuts the deck: the players' seeds or a beacon value, given after the hand was opened.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::cli::{CliError, screen};
use deckproof_table::table::pending::AskedBeacon;
use deckproof_table::table::request::cut::CutOptions;
use deckproof_verify::log::entry::Mix;

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
    /// For beacon, in place of --beacon: ask the relay of drand at this address for the round, such as `https://api.drand.sh`; several, each with --relay. They are waited for until the round is due, and as long as --wait says, or 10 seconds.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "beacon")]
    relay: Vec<String>,
    /// What happens when no relay has a round of the last minute before the deck is committed: void goes on, and the hand is voided if its round does not come; players commits a deck that the seeds of --seed-commit cut. A hand that was opened for a round is never cut by anything else.
    #[arg(long, value_name = "POLICY", default_value = "void")]
    outage: Outage,
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

/// What follows when the beacon is out of reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Outage {
    /// The hand is voided.
    Void,
    /// The hand is cut by the players' seeds.
    Players,
}

impl CutArguments {
    /// How long files and witnesses are waited for.
    pub fn wait(&self) -> Duration {
        Duration::from_secs(self.wait)
    }

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

    /// What was typed, after a look at the beacon where an outage has another policy than to void.
    pub fn options(&self) -> Result<CutOptions, CliError> {
        let typed = self.typed();
        if self.relay.is_empty() && self.outage == Outage::Players {
            return Err(CliError::Problem("--outage players: wanted --relay ADDRESS beside it".to_owned()));
        }
        if self.relay.is_empty() {
            return Ok(typed);
        }
        let wait = (self.wait > 0).then_some(self.wait());
        let (asked, is_reached) = relays(&self.relay, wait, self.outage == Outage::Players)?;
        let asked = Some(asked);
        Ok(match (self.mix, self.outage) {
            (MixName::Beacon, Outage::Players) if !is_reached => {
                screen::warn(
                    "deckproof: the beacon is out of reach: as --outage players says, the players' seeds cut this hand",
                );
                CutOptions { mix: Mix::Players, round: None, ..typed }
            }
            (MixName::Beacon, Outage::Players) => {
                CutOptions { seed_commits: Vec::new(), seeds: Vec::new(), asked, ..typed }
            }
            _ => CutOptions { asked, ..typed },
        })
    }

    fn typed(&self) -> CutOptions {
        CutOptions {
            mix: match self.mix {
                MixName::None => Mix::None,
                MixName::Players => Mix::Players,
                MixName::Beacon => Mix::Beacon,
            },
            seed_commits: self.seed_commit.clone(),
            seeds: self.seed.clone(),
            round: self.round,
            beacon: self.beacon.clone(),
            asked: None,
            wait: Duration::from_secs(self.wait),
        }
    }
}

/// Who asks for a round, and whether the beacon is within reach, where that is to be looked at.
#[cfg(feature = "net")]
fn relays(
    texts: &[String],
    wait: Option<Duration>,
    is_looked_at: bool,
) -> Result<(AskedBeacon, bool), CliError> {
    use std::rc::Rc;

    use crate::cli::log::{ask, beacon};
    let relays = ask::addresses("--relay", texts)?;
    let is_reached = !is_looked_at || beacon::is_reached(&relays);
    Ok((AskedBeacon(Rc::new(move |round| beacon::round(&relays, round, wait))), is_reached))
}

#[cfg(not(feature = "net"))]
fn relays(
    _texts: &[String],
    _wait: Option<Duration>,
    _is_looked_at: bool,
) -> Result<(AskedBeacon, bool), CliError> {
    Err(CliError::Problem("--relay: this build was made without the feature net".to_owned()))
}
