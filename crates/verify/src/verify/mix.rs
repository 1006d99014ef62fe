//! Step 3: where the order in play comes from.

use crate::log::beacon::CheckedRounds;
use crate::log::entry::Mix;
use crate::log::mix::{self, seed_of};
use crate::log::refusal::{Code, Refusal};
use crate::verify::entries::{Ending, Entries};
use crate::verify::{OF_FILE, OwnSeed, SeedSlip};
use deckproof_deck::commitment::cut::{Cut, Randomness, cut_seed, seed_commitment};
use deckproof_deck::commitment::digest::Digest;
use deckproof_stud::stud::seat::Seat;

/// The order in play.
pub(super) struct OrderInPlay {
    pub order: Cut,
    /// 32 zero bytes for mix `none`.
    pub seed: Digest,
}

/// Checks the mix; `None` if the hand was voided before the order in play was known.
pub(super) fn check(
    entries: &Entries,
    own_seeds: &[OwnSeed],
    of_file: Option<OwnSeed>,
) -> Result<Option<OrderInPlay>, Refusal> {
    check_mix(entries, !own_seeds.is_empty() || of_file.is_some())?;
    check_beacon(entries)?;
    check_seeds(entries)?;
    let order = order_in_play(entries);
    check_own_seeds(entries, own_seeds, order.is_some(), "")?;
    check_own_seeds(entries, of_file.as_slice(), order.is_some(), OF_FILE)?;
    Ok(order)
}

fn check_mix(entries: &Entries, has_own_seed: bool) -> Result<(), Refusal> {
    mix::check_open(entries.deck.mix, &entries.open)?;
    if let Some(cut) = &entries.cut {
        mix::check_cut(entries.deck.mix, &entries.open, cut)?;
    }
    if entries.deck.mix == Mix::None && has_own_seed {
        let message = "mix none: no seed enters the order in play";
        return Err(Refusal::new(Code::Mix, "own seed", message));
    }
    Ok(())
}

fn check_beacon(entries: &Entries) -> Result<(), Refusal> {
    mix::check_chain(&entries.open)?;
    entries
        .cut
        .as_ref()
        .map_or(Ok(()), |cut| mix::check_beacon(&entries.open, cut, &mut CheckedRounds::default()))
}

/// A void hand may lack seeds; those that are there must be the committed ones.
fn check_seeds(entries: &Entries) -> Result<(), Refusal> {
    let Some(cut) = &entries.cut else { return Ok(()) };
    if let Ending::Close(_) = entries.ending {
        mix::check_no_seed_missing(&entries.open, cut)?;
    }
    mix::check_commits(&entries.context(), &entries.open, cut)
}

/// The seeds that enter the cut; `None` for a hand that was voided before it was cut.
fn seeds_in_play(entries: &Entries) -> Option<&[(Seat, Digest)]> {
    match entries.deck.mix {
        Mix::Players => entries.cut.as_ref().map(|cut| cut.seeds.as_slice()),
        Mix::None | Mix::Beacon => Some(&entries.open.seeds),
    }
}

/// Whether the hand has this seed for a seat: by its commitment, which is there before a cut too.
fn is_of_seat(entries: &Entries, seat: Seat, seed: &Digest) -> bool {
    match entries.deck.mix {
        Mix::Players => {
            let commit = seed_commitment(&entries.context(), seat.number(), seed);
            seed_of(&entries.open.commits, seat) == Some(commit)
        }
        Mix::None | Mix::Beacon => seed_of(&entries.open.seeds, seat) == Some(*seed),
    }
}

fn check_own_seeds(
    entries: &Entries,
    own_seeds: &[OwnSeed],
    is_cut: bool,
    whose: &str,
) -> Result<(), Refusal> {
    let Some(own) = own_seeds.iter().find(|own| !is_of_seat(entries, own.seat, &own.seed)) else {
        return Ok(());
    };
    let has_seed =
        [&entries.open.commits, &entries.open.seeds].iter().any(|own_of| seed_of(own_of, own.seat).is_some());
    let found = match (is_cut, has_seed) {
        (true, true) => "it is not the seed that entered the cut for seat",
        (true, false) => "no seed entered the cut for seat",
        (false, true) => "it does not fit what the open entry has for seat",
        (false, false) => "the open entry has no seed for seat",
    };
    let message =
        format!("{found} {}; if it is of another hand, or was mistyped, this is no contradiction", own.seat);
    Err(Refusal::new(Code::MySeed, format!("own seed{whose}"), message))
}

/// The slip by which a seed that the player states is none of this hand.
pub(super) fn seed_slip(entries: &Entries, own: OwnSeed) -> Option<SeedSlip> {
    if entries.deck.mix == Mix::None {
        return Some(SeedSlip::NoCut);
    }
    if entries.open.commits.iter().any(|(_, commit)| *commit == own.seed) {
        return Some(SeedSlip::Commitment);
    }
    if is_of_seat(entries, own.seat, &own.seed) {
        return None;
    }
    let mut seats = entries.open.seats.in_order().iter();
    if let Some(seat) = seats.find(|seat| is_of_seat(entries, **seat, &own.seed)) {
        return Some(SeedSlip::OtherSeat(*seat));
    }
    match seeds_in_play(entries).and_then(|seeds| seed_of(seeds, own.seat)) {
        Some(entered) => own.seed.miscopied(&entered).map(SeedSlip::Miscopied),
        None => is_void_for_a_seed(entries, own.seat).then_some(SeedSlip::NotCommitted),
    }
}

/// Whether the hand was voided because a seed was not the committed one, which may have been that of this seat.
fn is_void_for_a_seed(entries: &Entries, seat: Seat) -> bool {
    let is_seed_wrong = matches!(&entries.ending, Ending::Void(void) if void.reason == "seed-wrong");
    is_seed_wrong && seed_of(&entries.open.commits, seat).is_some()
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
