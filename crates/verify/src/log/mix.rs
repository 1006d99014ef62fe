//! What the mix asks of the entries of a hand (PROTOCOL.md, section 6), one question a function.

use crate::log::beacon::{self, CheckedRounds};
use crate::log::entry::{CutEntry, Mix, OpenEntry};
use crate::log::refusal::{Code, Refusal};
use deckproof_deck::commitment::cut::seed_commitment;
use deckproof_deck::commitment::digest::Digest;
use deckproof_deck::key::HandContext;
use deckproof_stud::stud::seat::Seat;

const OPEN: &str = "open entry";
const CUT: &str = "cut entry";

fn mix_refusal(mix: Mix, place: &str, message: &str) -> Refusal {
    Refusal::new(Code::Mix, place, format!("mix {}: {message}", mix.name()))
}

/// `E_MIX` of an open entry.
///
/// # Errors
/// The refusal.
pub fn check_open(mix: Mix, open: &OpenEntry) -> Result<(), Refusal> {
    let has_seeds = !open.seeds.is_empty();
    let has_commits = !open.commits.is_empty();
    let has_beacon = open.beacon.is_some();
    let fault = match mix {
        Mix::None if has_seeds || has_commits || has_beacon => "wanted no seed, commit or beacon line",
        Mix::Beacon if !has_beacon => "wanted a beacon line",
        Mix::Beacon if has_commits => "wanted no commit line",
        Mix::Players if !has_commits => "wanted at least one commit line",
        Mix::Players if has_seeds || has_beacon => "wanted commit lines only",
        _ => return Ok(()),
    };
    Err(mix_refusal(mix, OPEN, fault))
}

/// `E_MIX` of a cut entry.
///
/// # Errors
/// The refusal.
pub fn check_cut(mix: Mix, open: &OpenEntry, cut: &CutEntry) -> Result<(), Refusal> {
    let is_committed = |seat: Seat| open.commits.iter().any(|commit| commit.0 == seat);
    let fault = match mix {
        Mix::None => "wanted no cut entry",
        Mix::Beacon if cut.beacon.is_none() || !cut.seeds.is_empty() => "wanted the beacon line only",
        Mix::Players if cut.beacon.is_some() => "wanted seed lines only",
        Mix::Players if cut.seeds.iter().any(|seed| !is_committed(seed.0)) => {
            "wanted seeds of committed seats only"
        }
        _ => return Ok(()),
    };
    Err(mix_refusal(mix, CUT, fault))
}

/// `E_BEACON_CHAIN`.
///
/// # Errors
/// The refusal.
pub fn check_chain(open: &OpenEntry) -> Result<(), Refusal> {
    match &open.beacon {
        Some(announced) if announced.chain.to_string() != beacon::QUICKNET => {
            let wanted = beacon::QUICKNET;
            let message =
                format!("found the beacon network {}, wanted drand quicknet {wanted}", announced.chain);
            Err(Refusal::new(Code::BeaconChain, OPEN, message))
        }
        _ => Ok(()),
    }
}

/// `E_BEACON_ROUND`, `E_BEACON_VALUE` and `E_BEACON_SIG`; a signature that was checked before is not checked again.
///
/// # Errors
/// The refusal.
pub fn check_beacon(open: &OpenEntry, cut: &CutEntry, checked: &mut CheckedRounds) -> Result<(), Refusal> {
    let (Some(announced), Some(value)) = (&open.beacon, &cut.beacon) else { return Ok(()) };
    let refuse = |code, message| Err(Refusal::new(code, CUT, message));
    if value.round != announced.round {
        let message = format!("found round {}, announced was {}", value.round, announced.round);
        return refuse(Code::BeaconRound, message);
    }
    let hash = beacon::randomness(&value.signature);
    if value.randomness != hash {
        let message = format!("found randomness {}, the hash of the signature is {hash}", value.randomness);
        return refuse(Code::BeaconValue, message);
    }
    if !checked.is_signed(value.round, &value.signature) {
        let message = format!("the signature is not that of the beacon network for round {}", value.round);
        return refuse(Code::BeaconSig, message);
    }
    Ok(())
}

/// The first seat that committed to a seed the cut does not reveal.
pub fn missing_seed(open: &OpenEntry, cut: &CutEntry) -> Option<Seat> {
    open.commits.iter().map(|commit| commit.0).find(|seat| seed_of(&cut.seeds, *seat).is_none())
}

/// The seed of a seat.
pub fn seed_of(seeds: &[(Seat, Digest)], seat: Seat) -> Option<Digest> {
    seeds.iter().find(|seed| seed.0 == seat).map(|seed| seed.1)
}

/// `E_SEED_MISSING`: what a hand that is closed may not lack.
///
/// # Errors
/// The refusal.
pub fn check_no_seed_missing(open: &OpenEntry, cut: &CutEntry) -> Result<(), Refusal> {
    match missing_seed(open, cut) {
        None => Ok(()),
        Some(seat) => {
            let message =
                format!("seat {seat} committed to a seed that is not revealed; such a hand is void");
            Err(Refusal::new(Code::SeedMissing, CUT, message))
        }
    }
}

/// `E_SEED_COMMIT`: the seeds that are revealed are the committed ones.
///
/// # Errors
/// The refusal.
pub fn check_commits(context: &HandContext, open: &OpenEntry, cut: &CutEntry) -> Result<(), Refusal> {
    for (seat, commit) in &open.commits {
        let Some(seed) = seed_of(&cut.seeds, *seat) else { continue };
        let found = seed_commitment(context, seat.number(), &seed);
        if found != *commit {
            let message = format!("the seed of seat {seat} commits to {found}, open says {commit}");
            return Err(Refusal::new(Code::SeedCommit, CUT, message));
        }
    }
    Ok(())
}

/// `E_ENTRY`: a cut's seeds are of seats in the hand.
///
/// # Errors
/// The refusal.
pub fn check_cut_seats(open: &OpenEntry, cut: &CutEntry) -> Result<(), Refusal> {
    match cut.seeds.iter().map(|seed| seed.0).find(|seat| !open.seats.has(*seat)) {
        None => Ok(()),
        Some(seat) => {
            let message = format!("a seed of seat {seat}, the hand has the seats {}", open.seats);
            Err(Refusal::new(Code::Entry, CUT, message))
        }
    }
}
