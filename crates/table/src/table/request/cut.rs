//! What is asked of the cut: the players' seeds or a beacon value, given after the hand was opened.

use std::path::PathBuf;
use std::time::Duration;

use crate::table::mix::Announcement;
use crate::table::pending::{AskedBeacon, PendingBeacon, PendingCut, read_seed};
use deckproof_deck::commitment::digest::Digest;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::excerpt;
use deckproof_stud::stud::seat::{Seat, Seats};
use deckproof_verify::log::beacon;
use deckproof_verify::log::entry::Mix;

/// What is asked of the cut of hands.
#[derive(Clone)]
pub struct CutOptions {
    /// What cuts the deck after it was committed.
    pub mix: Mix,
    /// For players: `SEAT:HEX`, the commitment of a seat to its seed.
    pub seed_commits: Vec<String>,
    /// `SEAT:@FILE`, the seed of a seat.
    pub seeds: Vec<String>,
    /// For beacon: the round.
    pub round: Option<u64>,
    /// For beacon: the file that will hold its value.
    pub beacon: Option<PathBuf>,
    /// For beacon: who asks for it, in place of the file.
    pub asked: Option<AskedBeacon>,
    /// How long seeds, the beacon value and witnesses are waited for.
    pub wait: Duration,
}

fn usage(message: impl Into<String>) -> CouldNotSay {
    CouldNotSay(message.into())
}

impl CutOptions {
    /// What was asked, parsed at a time in POSIX seconds. A commitment and a round are for one hand.
    ///
    /// # Errors
    /// [`CouldNotSay`]: what cannot be parsed or read.
    pub fn read(
        &self,
        hands: u64,
        seats: &Seats,
        is_test: bool,
        now: u64,
    ) -> Result<(Announcement, PendingCut), CouldNotSay> {
        if self.mix != Mix::None && hands != 1 {
            return Err(usage("--mix players and --mix beacon cut one hand: give --hands 1"));
        }
        let seeds = seat_files(&self.seeds, seats)?;
        let announcement = match self.mix {
            Mix::None if self.has_more() => {
                return Err(usage(
                    "--seed-commit, --seed, --round, --beacon and --relay need --mix players or --mix beacon",
                ));
            }
            Mix::None => Announcement::None,
            Mix::Players => self.players(seats)?,
            Mix::Beacon => self.beacon_round(&seeds, is_test, now)?,
        };
        let seeds = if self.mix == Mix::Players { seeds } else { Vec::new() };
        Ok((announcement, PendingCut { seeds, beacon: self.pending_beacon(), wait: self.wait }))
    }

    fn has_more(&self) -> bool {
        !self.seed_commits.is_empty() || !self.seeds.is_empty() || self.round.is_some() || self.has_beacon()
    }

    fn has_beacon(&self) -> bool {
        self.beacon.is_some() || self.asked.is_some()
    }

    fn pending_beacon(&self) -> Option<PendingBeacon> {
        let asked = self.asked.clone().zip(self.round);
        let asked = asked.map(|(asked, round)| PendingBeacon::Asked { asked, round });
        asked.or_else(|| self.beacon.clone().map(PendingBeacon::File))
    }

    fn players(&self, seats: &Seats) -> Result<Announcement, CouldNotSay> {
        if self.round.is_some() || self.has_beacon() {
            return Err(usage("--round, --beacon and --relay belong to --mix beacon"));
        }
        let read = |text: &String| {
            let (seat, commit) = text.split_once(':').unwrap_or(("", text));
            let own = Seat::parse(seat).filter(|seat| seats.has(*seat));
            // A seed may have been typed in its place, so that it is counted and not repeated.
            own.zip(Digest::from_hex(commit)).ok_or_else(|| {
                usage(format!(
                    "--seed-commit: found seat {:?} and {} characters, wanted a seat of this hand and the 64 hexadecimal \
                     digits that deckproof seed printed, such as 4:3fa0…",
                    excerpt(seat, 2),
                    commit.chars().count()
                ))
            })
        };
        let commits: Vec<(Seat, Digest)> = self.seed_commits.iter().map(read).collect::<Result<_, _>>()?;
        if commits.is_empty() {
            Err(usage("--mix players needs at least one --seed-commit"))
        } else {
            Ok(Announcement::Players(ascending(commits, "--seed-commit")?))
        }
    }

    fn beacon_round(
        &self,
        seeds: &[(Seat, PathBuf)],
        is_test: bool,
        now: u64,
    ) -> Result<Announcement, CouldNotSay> {
        if !self.seed_commits.is_empty() {
            return Err(usage("--seed-commit belongs to --mix players"));
        }
        let round = self.round.filter(|round| (1..=1 << 53).contains(round));
        let (Some(round), true) = (round, self.has_beacon()) else {
            return Err(usage("--mix beacon needs --round NUMBER, and --beacon FILE or --relay ADDRESS"));
        };
        if beacon::time_of(round) <= now && !is_test {
            return Err(usage(format!(
                "--round {round}: this round is out, so anybody who knows it could choose the deck; take round {} or later, or add --not-for-production for a test",
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

fn ascending<T>(mut lines: Vec<(Seat, T)>, option: &str) -> Result<Vec<(Seat, T)>, CouldNotSay> {
    lines.sort_by_key(|line| line.0);
    match lines.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err(usage(format!("{option}: seat {} is named twice", pair[0].0))),
        None => Ok(lines),
    }
}

fn seat_files(texts: &[String], seats: &Seats) -> Result<Vec<(Seat, PathBuf)>, CouldNotSay> {
    let read = |text: &String| {
        let (seat, path) = text.split_once(":@")?;
        Some((Seat::parse(seat).filter(|seat| seats.has(*seat))?, PathBuf::from(path)))
    };
    // A seed may have been typed in the place of its file.
    let wanted = || usage("--seed: wanted a seat of this hand and a file, such as 4:@seed.txt");
    let files: Option<Vec<(Seat, PathBuf)>> = texts.iter().map(read).collect();
    ascending(files.ok_or_else(wanted)?, "--seed")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(mix: Mix) -> CutOptions {
        CutOptions {
            mix,
            seed_commits: Vec::new(),
            seeds: Vec::new(),
            round: None,
            beacon: None,
            asked: None,
            wait: Duration::ZERO,
        }
    }

    fn refusal(options: &CutOptions, hands: u64, now: u64) -> String {
        let seats = Seats::parse("1,2,4").expect("seats");
        let Err(error) = options.read(hands, &seats, false, now) else { return String::new() };
        error.to_string()
    }

    #[test]
    fn a_round_that_is_out_cuts_no_hand() {
        // Round 1000 came 2997 seconds after the first one.
        let (out, beacon) = (1_692_803_367 + 2_997, Some(PathBuf::from("value.json")));
        let wanted = CutOptions { round: Some(1_000), beacon, ..options(Mix::Beacon) };
        assert_eq!(refusal(&wanted, 1, out - 1), "");
        let message = refusal(&wanted, 1, out);
        assert!(
            message.contains("this round is out") && message.contains("take round 1002 or later"),
            "{message}"
        );
        let seats = Seats::parse("1,2,4").expect("seats");
        let (announcement, _) = wanted.read(1, &seats, true, out).expect("a test may");
        assert_eq!(announcement, Announcement::Beacon { round: 1_000, seeds: Vec::new() });
    }

    #[test]
    fn commitments_are_of_seats_of_the_hand_each_once() {
        let commit = |seat: &str| format!("{seat}:{}", Digest::of("a seed"));
        let with = |commits: &[&str]| {
            let seed_commits = commits.iter().map(|seat| commit(seat)).collect();
            CutOptions { seed_commits, ..options(Mix::Players) }
        };
        let seats = Seats::parse("1,2,4").expect("seats");
        let (announcement, _) = with(&["4", "1"]).read(1, &seats, false, 0).expect("seats of the hand");
        let Announcement::Players(commits) = announcement else { panic!("players cut") };
        assert_eq!(commits.iter().map(|commit| commit.0.to_string()).collect::<Vec<_>>(), ["1", "4"]);
        for (options, hands, wanted) in [
            (with(&["3"]), 1, "--seed-commit: found seat \"3\" and 64 characters, wanted a seat"),
            (with(&["1", "1"]), 1, "--seed-commit: seat 1 is named twice"),
            (with(&[]), 1, "needs at least one --seed-commit"),
            (with(&["1"]), 2, "cut one hand"),
            (CutOptions { mix: Mix::None, ..with(&["1"]) }, 1, "need --mix players"),
            (CutOptions { mix: Mix::Beacon, ..with(&["1"]) }, 1, "belongs to --mix players"),
        ] {
            let message = refusal(&options, hands, 0);
            assert!(message.contains(wanted), "{message}");
        }
    }
}
