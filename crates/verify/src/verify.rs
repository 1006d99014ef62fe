//! Recomputes a reveal bundle, one named check at a time; the first failure stops, with its code.

pub mod before;
mod bundle;
pub mod claims;
mod deal;
mod entries;
pub mod findings;
#[cfg(feature = "histories")]
mod history;
#[cfg(not(feature = "histories"))]
mod history_hashed;
#[doc(hidden)]
mod mix;
mod openings;
pub mod proofs;
pub mod receipts;
#[doc(hidden)]
pub mod seats;
pub mod together;

use std::collections::BTreeMap;

use crate::claim::Party;
use crate::log::beacon;
use crate::log::entry::DeckEntry;
use crate::log::refusal::{Code, Refusal};
use crate::log::tree::TreeHead;
use crate::log::trust::Trust;
use crate::verify::bundle::{Bundle, Closed, End};
use crate::verify::entries::Ending;
use crate::verify::findings::{Findings, Shows, Unchecked};
#[cfg(not(feature = "histories"))]
use crate::verify::history_hashed as history;
use crate::verify::together::EntryTexts;
use deckproof_deck::card::Card;
use deckproof_deck::commitment::digest::Digest;
use deckproof_stud::stud::deal::{DealtCard, Face};
use deckproof_stud::stud::rules::RuleSet;
use deckproof_stud::stud::seat::{Seat, Seats};

/// What the verifying player says himself, beside the same statements in the bundle.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statements {
    /// Cards seen, by dealt position.
    pub seen: Vec<(u8, String)>,
    /// The seeds this player gave.
    pub own_seeds: Vec<OwnSeed>,
}

/// A seed the verifying player gave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OwnSeed {
    /// The player's seat.
    pub seat: Seat,
    /// The player's seed.
    pub seed: Digest,
}

/// A bundle that passed every check that was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Accepted {
    /// Which hand it is, and what it was committed to.
    pub hand: DeckEntry,
    /// What the checks show.
    pub findings: Findings,
    /// What was not checked.
    pub not_checked: Vec<Unchecked>,
    /// The opened cards by dealt position.
    pub opened: BTreeMap<u8, Card>,
    /// SHA-256 of the salt of each opened card, by secret position: two hands have none in common.
    pub salt_hashes: BTreeMap<usize, Digest>,
    /// How many cards lay face up at the table and are not opened, though every player saw them.
    pub face_up_hidden: usize,
    /// Where the verifying player sat, as the stated seed says.
    pub own_seat: Option<Seat>,
    /// Whether two quorums of the trust file may have no witness in common, so that each may have seen another log.
    pub may_quorums_differ: bool,
    /// Where the seen cards went: the last line of the transcript for this position, if it was dealt.
    pub seen: BTreeMap<u8, Option<DealtCard>>,
    /// The log proofs that were checked, in log order; none without a trust file.
    pub proven: Vec<ProvenEntry>,
    /// The exact texts of its entries.
    pub texts: EntryTexts,
    /// What was dealt to whom; nothing in the void form.
    pub transcript: Vec<DealtCard>,
    /// By whose rules.
    pub rules: &'static RuleSet,
    /// Who played.
    pub seats: Seats,
    /// Whether the hand was played to its end, and not voided.
    pub is_closed: bool,
    /// Whether the order in play is known: everything that cuts the deck is there, or nothing does.
    pub is_cut: bool,
    /// When the beacon's round was due that the opening announces, in POSIX seconds.
    pub beacon_due: Option<u64>,
    /// Whose word the cards seen and the own seed are.
    pub stated: Stated,
    /// A slip in the seed that the verifying player states. Then no own seed was compared.
    pub seed_slip: Option<SeedSlip>,
    /// Cards that the verifying player states at positions that are not opened, and that are opened nowhere: nothing here can be compared with them.
    pub seen_unopened: Vec<(u8, String)>,
}

/// Why what a player states as the own seed is none of this hand, and says nothing of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeedSlip {
    /// It is that of this seat.
    OtherSeat(Seat),
    /// It is the commitment to a seed.
    Commitment,
    /// So many of its digits differ from those of the seed that entered for the seat: they were copied wrongly.
    Miscopied(usize),
    /// No seed enters a cut under mix `none`.
    NoCut,
    /// The seat committed to another one, and the hand was voided because a seed was another one.
    NotCommitted,
}

/// Whose word a statement is: the player's who verifies, or that of the file alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stated {
    /// Cards seen.
    pub seen: Option<Party>,
    /// The own seed.
    pub seed: Option<Party>,
}

/// An entry that is proven to be in the trusted log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProvenEntry {
    /// `deck`, `open`, `cut`, `close` or `void`.
    pub entry: &'static str,
    /// Its place in the log, from 0.
    pub index: u64,
    /// The tree under whose checkpoint that is proven.
    pub tree: TreeHead,
    /// When a quorum of witnesses had cosigned that checkpoint, in POSIX seconds.
    pub quorum_time: Option<u64>,
}

/// Verifies a reveal bundle (PROTOCOL.md, section 12); then, beyond the protocol, binds a hand
/// history to it. Without a trust file no key of the log is known, and its proofs are not checked.
///
/// What passes is consistent. Whether it is accepted, [`claims::claims`] says, with what is held beside the bundle. Where
/// [`Accepted::seed_slip`] names a slip, or [`Accepted::seen_unopened`] a card, section 12 gives no verdict.
///
/// # Errors
/// A refusal with [`Code::Format`] is no verdict on the hand: a file that was cut off, or is another one, gives it too. Nor is one with
/// [`Code::Origin`] or [`Code::NoteUnsigned`], for the trust file may be that of another log.
///
/// [`Refusal`]: the first check that fails, in the order of PROTOCOL.md, section 12; a hand history that does not
/// tell this hand comes last, with a code of our own.
pub fn verify_bundle(bytes: &[u8], trust: Option<&Trust>, own: &Statements) -> Result<Accepted, Refusal> {
    let bundle = bundle::read(bytes)?;
    let entries = entries::read(&bundle, trust)?;
    let seed_slip = own.own_seeds.iter().find_map(|seed| mix::seed_slip(&entries, *seed));
    let own_seeds = if seed_slip.is_some() { Vec::new() } else { own.own_seeds.clone() };
    let cut = mix::check(&entries, &own_seeds, bundle.my_seed)?;
    let openings = openings::open(&bundle, &entries)?;
    let opened = openings.by_dealt_position(cut.as_ref().map(|cut| &cut.order));
    let (seen_unopened, seen) = own.seen.iter().cloned().partition(|seen| is_unopened(seen, &opened));
    let own = &Statements { seen, own_seeds };
    let all_seen = all_seen(&bundle, own);
    check_seen(&own.seen, &opened, "")?;
    check_seen(&bundle.seen, &opened, OF_FILE)?;
    let transcript = match (&bundle.end, &entries.ending) {
        (End::Closed(closed), Ending::Close(close)) => {
            let cut_seed = cut.as_ref().map_or(Digest::ZERO, |cut| cut.seed);
            deal::check(closed, close, &entries, &cut_seed, &openings, &opened)?
        }
        _ => Vec::new(),
    };
    let proofs = proofs::check(&bundle, trust)?;
    let overlap = trust.and_then(|trust| trust.keys().ok()).is_none_or(|keys| keys.quorum.always_overlaps());
    let history = match &bundle.end {
        End::Closed(Closed { history: Some(text), .. }) => {
            Some(history::bind(text, &entries, &transcript, &opened)?)
        }
        _ => None,
    };
    let stated = stated(&bundle, own);
    let is_up = |line: &&DealtCard| matches!(line.face, Face::Up | Face::Community);
    let face_up = transcript.iter().filter(is_up);
    let face_up_hidden = face_up.filter(|line| !opened.contains_key(&line.position)).count();
    let down =
        |seat: Seat| transcript.iter().filter(move |line| line.seat == Some(seat) && line.face == Face::Down);
    let opens = |seat: Seat| down(seat).all(|line| opened.contains_key(&line.position));
    let seats = entries.open.seats.in_order();
    let opens_no_seat = !transcript.is_empty() && !seats.iter().copied().any(opens);
    let own_seat = own.own_seeds.first().map(|own| own.seat);
    let is_down_hidden = opens_no_seat || !down_hidden(seats, &transcript, &opened, own_seat).is_empty();
    let seen = all_seen.iter().map(|&(position, _)| (position, last_line(&transcript, position)));
    Ok(Accepted {
        not_checked: findings::not_checked(
            &bundle,
            &entries,
            trust,
            &transcript,
            (face_up_hidden, is_down_hidden),
            history.as_ref(),
        ),
        face_up_hidden,
        own_seat,
        findings: findings::findings(
            &Shows {
                bundle: &bundle,
                entries: &entries,
                openings: &openings,
                seen_cards: all_seen.len(),
                stated,
                is_cut: cut.is_some(),
                proofs: proofs.as_deref(),
                overlap,
            },
            history,
        ),
        may_quorums_differ: !overlap,
        seen: seen.collect(),
        proven: proofs.unwrap_or_default(),
        texts: texts(&bundle),
        rules: entries.open.rules,
        seats: entries.open.seats.clone(),
        is_closed: matches!(entries.ending, Ending::Close(_)),
        is_cut: cut.is_some(),
        beacon_due: entries.open.beacon.map(|announced| beacon::time_of(announced.round)),
        stated,
        seed_slip,
        seen_unopened,
        salt_hashes: openings.salt_hashes.clone(),
        hand: entries.deck,
        opened,
        transcript,
    })
}

impl Accepted {
    /// Seats that were dealt down cards of which some are opened and others are not, and that of the verifying player if any of its own is
    /// not, with how many are not.
    pub fn down_hidden(&self) -> Vec<(Seat, usize)> {
        down_hidden(self.seats.in_order(), &self.transcript, &self.opened, self.own_seat)
    }
}

fn down_hidden(
    seats: &[Seat],
    transcript: &[DealtCard],
    opened: &BTreeMap<u8, Card>,
    own: Option<Seat>,
) -> Vec<(Seat, usize)> {
    let hidden = |&seat: &Seat| {
        let down = transcript.iter().filter(|line| line.seat == Some(seat) && line.face == Face::Down);
        let (dealt, closed) =
            (down.clone().count(), down.filter(|line| !opened.contains_key(&line.position)).count());
        (closed > 0 && (closed < dealt || own == Some(seat))).then_some((seat, closed))
    };
    seats.iter().filter_map(hidden).collect()
}

/// Beside the place of what the file states in the name of the player: what the player states is tried first, and rests on the player's word.
const OF_FILE: &str = " of the file";

/// What the file says is the player's word only where the player repeats all of it.
fn stated(bundle: &Bundle, own: &Statements) -> Stated {
    let party = |has_own: bool, is_all: bool, has_any: bool| match (has_own && is_all, has_any) {
        (true, _) => Some(Party::Player),
        (false, true) => Some(Party::File),
        (false, false) => None,
    };
    let is_all_seen = bundle.seen.iter().all(|seen| own.seen.contains(seen));
    let has_seen = !(own.seen.is_empty() && bundle.seen.is_empty());
    Stated {
        seen: party(!own.seen.is_empty(), is_all_seen, has_seen),
        seed: party(!own.own_seeds.is_empty(), true, bundle.my_seed.is_some()),
    }
}

fn texts(bundle: &Bundle) -> EntryTexts {
    EntryTexts {
        deck: bundle.deck_entry.clone(),
        open: bundle.open_entry.clone(),
        cut: bundle.cut_entry.clone(),
        end: match &bundle.end {
            End::Closed(closed) => closed.close_entry.clone(),
            End::Voided { void_entry } => void_entry.clone(),
        },
    }
}

/// The cards that the player and the file state, each once.
fn all_seen(bundle: &Bundle, own: &Statements) -> Vec<(u8, String)> {
    let of_file = bundle.seen.iter().filter(|seen| !own.seen.contains(seen));
    own.seen.iter().chain(of_file).cloned().collect()
}

/// Whether a file says nothing of a card that was seen: it opens neither the position nor, elsewhere, the card.
fn is_unopened((position, text): &(u8, String), opened: &BTreeMap<u8, Card>) -> bool {
    let is_hidden =
        |card: Card| !opened.contains_key(position) && !opened.values().any(|other| *other == card);
    text.parse::<Card>().is_ok_and(is_hidden)
}

/// `E_SEEN`: shown card is no card, is not the committed one, or is not opened. The place says whose word it is.
fn check_seen(seen: &[(u8, String)], opened: &BTreeMap<u8, Card>, whose: &str) -> Result<(), Refusal> {
    for (position, text) in seen {
        let refuse = |message| Err(Refusal::new(Code::Seen, format!("seen card {position}{whose}"), message));
        if text.parse::<Card>().ok().is_none_or(|card| card.to_string() != *text) {
            return refuse(format!("found {text:?}, wanted a card such as 7h"));
        }
        match opened.get(position) {
            None => return refuse(format!("{text} was seen, but the bundle does not open this position")),
            Some(card) if card.to_string() != *text => {
                return refuse(format!("{text} was seen, but the deck was committed with {card} here"));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

fn last_line(transcript: &[DealtCard], position: u8) -> Option<DealtCard> {
    transcript.iter().rfind(|line| line.position == position).copied()
}

#[cfg(test)]
mod tests;
