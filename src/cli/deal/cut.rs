//! What cuts the deck: the players' seeds or a beacon value, given after the hand was opened.

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::{Args, ValueEnum};

use crate::cli::CliError;
use crate::commitment::digest::Digest;
use crate::ledger::beacon;
use crate::stud::seat::{Seat, Seats};
use crate::table::awaited::{AwaitedCut, read_seed};
use crate::table::mix::Announcement;

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

impl CutArguments {
    /// How long to wait for seeds, the beacon value, or witnesses.
    pub fn wait(&self) -> Duration {
        Duration::from_secs(self.wait)
    }
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

fn usage(message: impl Into<String>) -> CliError {
    CliError::Usage(message.into())
}

impl CutArguments {
    /// What was typed, understood. A commitment and a round are for one hand.
    pub fn read(
        &self,
        hands: u64,
        seats: &Seats,
        is_test: bool,
    ) -> Result<(Announcement, AwaitedCut), CliError> {
        if self.mix != MixName::None && hands != 1 {
            return Err(usage("--mix players and --mix beacon cut one hand: give --hands 1"));
        }
        let seeds = seat_files(&self.seed, seats)?;
        let announcement = match self.mix {
            MixName::None if self.has_more() => {
                return Err(usage(
                    "--seed-commit, --seed, --round and --beacon need --mix players or --mix beacon",
                ));
            }
            MixName::None => Announcement::None,
            MixName::Players => self.players(seats)?,
            MixName::Beacon => self.beacon_round(&seeds, is_test)?,
        };
        let seeds = if self.mix == MixName::Players { seeds } else { Vec::new() };
        Ok((announcement, AwaitedCut { seeds, beacon: self.beacon.clone(), wait: self.wait() }))
    }

    fn has_more(&self) -> bool {
        !self.seed_commit.is_empty() || !self.seed.is_empty() || self.round.is_some() || self.beacon.is_some()
    }

    fn players(&self, seats: &Seats) -> Result<Announcement, CliError> {
        if self.round.is_some() || self.beacon.is_some() {
            return Err(usage("--round and --beacon belong to --mix beacon"));
        }
        let read = |text: &String| {
            let (seat, commit) = text.split_once(':')?;
            let seat = Seat::parse(seat).filter(|seat| seats.has(*seat))?;
            Some((seat, Digest::from_hex(commit)?))
        };
        let commits: Option<Vec<(Seat, Digest)>> = self.seed_commit.iter().map(read).collect();
        let commits = commits.ok_or_else(|| {
            usage(
                "--seed-commit: wanted a seat of this hand and what deckproof seed printed, such as 4:3fa0…",
            )
        })?;
        match commits.is_empty() {
            true => Err(usage("--mix players needs at least one --seed-commit")),
            false => Ok(Announcement::Players(ascending(commits, "--seed-commit")?)),
        }
    }

    fn beacon_round(&self, seeds: &[(Seat, PathBuf)], is_test: bool) -> Result<Announcement, CliError> {
        if !self.seed_commit.is_empty() {
            return Err(usage("--seed-commit belongs to --mix players"));
        }
        let round = self.round.filter(|round| (1..=1 << 53).contains(round));
        let (Some(round), Some(_)) = (round, &self.beacon) else {
            return Err(usage("--mix beacon needs --round NUMBER and --beacon FILE"));
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        if beacon::time_of(round) <= now && !is_test {
            return Err(usage(format!(
                "--round {round}: this round is out, so whoever knows it could choose the deck; take round {} or later, or add --not-for-production for a test",
                beacon::first_round_at(now + 6)
            )));
        }
        let read = |(seat, path): &(Seat, PathBuf)| {
            read_seed(path).map(|seed| (*seat, seed)).ok_or_else(|| {
                usage(format!("--seed {seat}:@{}: found no 64 hexadecimal digits there", path.display()))
            })
        };
        let seeds: Vec<(Seat, Digest)> = seeds.iter().map(read).collect::<Result<_, _>>()?;
        Ok(Announcement::Beacon { round, seeds })
    }
}

fn ascending<T>(mut lines: Vec<(Seat, T)>, option: &str) -> Result<Vec<(Seat, T)>, CliError> {
    lines.sort_by_key(|line| line.0);
    match lines.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err(usage(format!("{option}: seat {} is named twice", pair[0].0))),
        None => Ok(lines),
    }
}

fn seat_files(texts: &[String], seats: &Seats) -> Result<Vec<(Seat, PathBuf)>, CliError> {
    let read = |text: &String| {
        let (seat, path) = text.split_once(":@")?;
        Some((Seat::parse(seat).filter(|seat| seats.has(*seat))?, PathBuf::from(path)))
    };
    let files: Option<Vec<(Seat, PathBuf)>> = texts.iter().map(read).collect();
    ascending(
        files.ok_or_else(|| usage("--seed: wanted a seat of this hand and a file, such as 4:@seed.txt"))?,
        "--seed",
    )
}
