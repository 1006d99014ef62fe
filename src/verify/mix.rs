//! Step 3: where the order in play comes from.

use crate::commitment::cut::{Cut, Randomness, cut_seed, seed_commitment};
use crate::commitment::digest::Digest;
use crate::ledger::entry::{CutEntry, Mix, OpenEntry};
use crate::stud::seat::Seat;
use crate::verify::OwnSeed;
use crate::verify::entries::{Ending, Entries};
use crate::verify::refusal::{Code, Refusal};

/// drand quicknet, the one beacon the protocol knows (PROTOCOL.md, section 7).
const QUICKNET: &str = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";

/// The order in play.
pub(super) struct OrderInPlay {
    pub order: Cut,
    /// 32 zero bytes for mix `none`.
    pub seed: Digest,
}

/// Checks the mix; `None` if the hand was voided before the order in play was known.
pub(super) fn check(entries: &Entries, own_seeds: &[OwnSeed]) -> Result<Option<OrderInPlay>, Refusal> {
    check_mix(entries, own_seeds)?;
    check_beacon(entries)?;
    check_seeds(entries)?;
    check_own_seeds(entries, own_seeds)?;
    Ok(order_in_play(entries))
}

fn check_mix(entries: &Entries, own_seeds: &[OwnSeed]) -> Result<(), Refusal> {
    let refuse = |place: &str, message: &str| {
        let message = format!("mix {}: {message}", entries.deck.mix.name());
        Err(Refusal::new(Code::Mix, place, message))
    };
    match unfit(entries.deck.mix, &entries.open, entries.cut.as_ref()) {
        Some((place, message)) => refuse(place, message),
        None if entries.deck.mix == Mix::None && !own_seeds.is_empty() => {
            refuse("own seed", "no seed enters the order in play")
        }
        None => Ok(()),
    }
}

/// The first thing that does not go with the mix (PROTOCOL.md, section 6): its place, and what is wrong.
fn unfit(mix: Mix, open: &OpenEntry, cut: Option<&CutEntry>) -> Option<(&'static str, &'static str)> {
    let has_seeds = !open.seeds.is_empty();
    let has_commits = !open.commits.is_empty();
    let has_beacon = open.beacon.is_some();
    let open_fault = match mix {
        Mix::None if has_seeds || has_commits || has_beacon => Some("wanted no seed, commit or beacon line"),
        Mix::Beacon if !has_beacon => Some("wanted a beacon line"),
        Mix::Beacon if has_commits => Some("wanted no commit line"),
        Mix::Players if !has_commits => Some("wanted at least one commit line"),
        Mix::Players if has_seeds || has_beacon => Some("wanted commit lines only"),
        _ => None,
    };
    if let Some(fault) = open_fault {
        return Some(("open entry", fault));
    }
    let cut = cut?;
    let is_committed = |seat: Seat| open.commits.iter().any(|commit| commit.0 == seat);
    let cut_fault = match mix {
        Mix::None => Some("wanted no cut entry"),
        Mix::Beacon if cut.beacon.is_none() || !cut.seeds.is_empty() => Some("wanted the beacon line only"),
        Mix::Players if cut.beacon.is_some() => Some("wanted seed lines only"),
        Mix::Players if cut.seeds.iter().any(|seed| !is_committed(seed.0)) => {
            Some("wanted seeds of committed seats only")
        }
        _ => None,
    };
    cut_fault.map(|fault| ("cut entry", fault))
}

fn check_beacon(entries: &Entries) -> Result<(), Refusal> {
    let Some(announced) = &entries.open.beacon else { return Ok(()) };
    if announced.chain.to_string() != QUICKNET {
        let message =
            format!("found the beacon network {}, wanted drand quicknet {QUICKNET}", announced.chain);
        return Err(Refusal::new(Code::BeaconChain, "open entry", message));
    }
    let Some(value) = entries.cut.as_ref().and_then(|cut| cut.beacon) else { return Ok(()) };
    if value.round != announced.round {
        let message = format!("found round {}, announced was {}", value.round, announced.round);
        return Err(Refusal::new(Code::BeaconRound, "cut entry", message));
    }
    let hash = Digest::of(value.signature);
    if value.randomness != hash {
        let message = format!("found randomness {}, the hash of the signature is {hash}", value.randomness);
        return Err(Refusal::new(Code::BeaconValue, "cut entry", message));
    }
    Ok(())
}

fn seed_of(seeds: &[(Seat, Digest)], seat: Seat) -> Option<Digest> {
    seeds.iter().find(|seed| seed.0 == seat).map(|seed| seed.1)
}

/// A void hand may lack seeds; those that are there must be the committed ones.
fn check_seeds(entries: &Entries) -> Result<(), Refusal> {
    let Some(cut) = &entries.cut else { return Ok(()) };
    let missing = entries.open.commits.iter().find(|commit| seed_of(&cut.seeds, commit.0).is_none());
    if let (Some((seat, _)), Ending::Close(_)) = (missing, &entries.ending) {
        let message = format!("seat {seat} committed to a seed that is not revealed; such a hand is void");
        return Err(Refusal::new(Code::SeedMissing, "cut entry", message));
    }
    let context = entries.context();
    for (seat, commit) in &entries.open.commits {
        let Some(seed) = seed_of(&cut.seeds, *seat) else { continue };
        let found = seed_commitment(&context, seat.number(), &seed);
        if found != *commit {
            let message = format!("the seed of seat {seat} commits to {found}, open says {commit}");
            return Err(Refusal::new(Code::SeedCommit, "cut entry", message));
        }
    }
    Ok(())
}

/// The seeds that enter the cut; `None` for a hand that was voided before it was cut.
pub(super) fn seeds_in_play(entries: &Entries) -> Option<&[(Seat, Digest)]> {
    match entries.deck.mix {
        Mix::Players => entries.cut.as_ref().map(|cut| cut.seeds.as_slice()),
        Mix::None | Mix::Beacon => Some(&entries.open.seeds),
    }
}

fn check_own_seeds(entries: &Entries, own_seeds: &[OwnSeed]) -> Result<(), Refusal> {
    let Some(seeds) = seeds_in_play(entries) else { return Ok(()) };
    for own in own_seeds {
        if seed_of(seeds, own.seat) != Some(own.seed) {
            let message = format!("it is not the seed that entered the cut for seat {}", own.seat);
            return Err(Refusal::new(Code::MySeed, "own seed", message));
        }
    }
    Ok(())
}

fn order_in_play(entries: &Entries) -> Option<OrderInPlay> {
    let mut randomness = Randomness { seeds: [Digest::ZERO; 8], beacon: Digest::ZERO };
    let seeds = seeds_in_play(entries)?;
    match entries.deck.mix {
        Mix::None => return Some(OrderInPlay { order: Cut::identity(), seed: Digest::ZERO }),
        Mix::Beacon => randomness.beacon = entries.cut.as_ref()?.beacon?.randomness,
        Mix::Players if entries.open.commits.iter().any(|commit| seed_of(seeds, commit.0).is_none()) => {
            return None;
        }
        Mix::Players => {}
    }
    for (seat, seed) in seeds {
        randomness.seeds[usize::from(seat.number()) - 1] = *seed;
    }
    let seed = cut_seed(&entries.deck_hash, &entries.open_hash, &randomness);
    Some(OrderInPlay { order: Cut::from_seed(&seed), seed })
}
