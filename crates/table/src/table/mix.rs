//! Where the order in play comes from: what the open entry announces, and what cuts the deck.

use std::collections::BTreeSet;

use crate::table::{CommittedHand, OpenHand, VoidedHand};
use deckproof_deck::commitment::cut::{Cut, Randomness, cut_seed, reshuffle_seed, seed_commitment};
use deckproof_deck::commitment::digest::{Digest, leaf_hash};
use deckproof_stud::stud::deal::DealOrder;
use deckproof_stud::stud::readings::Reading;
use deckproof_stud::stud::rules::RuleSet;
use deckproof_stud::stud::seat::{Seat, Seats};
use deckproof_verify::log::beacon::{CheckedRounds, QUICKNET};
use deckproof_verify::log::entry::{BeaconRound, BeaconValue, CutEntry, Entry, Mix, OpenEntry};

/// What the open entry announces of the cut; seats ascend.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Announcement {
    /// Nothing: the secret order is the order in play.
    None,
    /// The players' commitments to their seeds.
    Players(Vec<(Seat, Digest)>),
    /// A round of drand quicknet, and seeds that players give in the open.
    Beacon {
        /// Which round, from 1.
        round: u64,
        /// The players' seeds.
        seeds: Vec<(Seat, Digest)>,
    },
}

impl Announcement {
    /// The mix it belongs to.
    pub fn mix(&self) -> Mix {
        match self {
            Announcement::None => Mix::None,
            Announcement::Players(_) => Mix::Players,
            Announcement::Beacon { .. } => Mix::Beacon,
        }
    }
}

/// What was revealed after the open entry was published.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Revealed {
    /// The players' seeds, ascending by seat.
    pub seeds: Vec<(Seat, Digest)>,
    /// The value of the beacon round.
    pub beacon: Option<BeaconValue>,
}

/// Why a deck cannot be cut with what was revealed: the hand must be voided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CutError {
    /// A player who committed to a seed did not reveal it.
    #[error("seat {seat} committed to a seed and did not reveal it")]
    SeedMissing {
        /// Whose.
        seat: Seat,
    },
    /// A seed that is not the committed one.
    #[error("the seed of seat {seat} is not the one this seat committed to")]
    SeedWrong {
        /// Whose.
        seat: Seat,
    },
    /// The round never came.
    #[error("the announced beacon round has no value")]
    BeaconMissing,
    /// The value of another round, or randomness that is not the hash of its signature.
    #[error("the beacon value is not that of the announced round")]
    BeaconWrong,
    /// A value that the network never signed.
    #[error("the beacon value has a signature that is not the network's")]
    BeaconFalse,
}

impl CutError {
    /// The reason in the void entry of the hand.
    pub fn void_reason(self) -> &'static str {
        match self {
            CutError::SeedMissing { .. } => "seed-missing",
            CutError::SeedWrong { .. } => "seed-wrong",
            CutError::BeaconMissing => "beacon-missing",
            CutError::BeaconWrong => "beacon-wrong",
            CutError::BeaconFalse => "beacon-false",
        }
    }
}

/// An opened hand whose order in play is not known yet.
///
/// No `Debug`, `Display` or `Clone`; its secrets are wiped when dropped.
pub struct AnnouncedHand {
    pub(super) hand: CommittedHand,
    pub(super) open_entry: String,
    terms: OpenEntry,
}

impl CommittedHand {
    /// Opens the hand for these rules and seats under mix `none`.
    ///
    /// # Panics
    /// If the deck was committed for another mix.
    pub fn open(self, rules: &'static RuleSet, seats: &Seats) -> OpenHand {
        self.announce(rules, &[], seats, &Announcement::None).cut(&Revealed::default())
    }

    /// Opens the hand for these rules, readings and seats, and announces what will cut it.
    ///
    /// # Panics
    /// If the deck was committed for another mix.
    pub fn announce(
        self,
        rules: &'static RuleSet,
        readings: &[(Reading, String)],
        seats: &Seats,
        announcement: &Announcement,
    ) -> AnnouncedHand {
        assert_eq!(announcement.mix(), self.mix, "the mix is part of the commitment");
        let (mut seeds, mut commits, mut beacon) = (Vec::new(), Vec::new(), None);
        match announcement {
            Announcement::None => {}
            Announcement::Players(committed) => commits = committed.clone(),
            Announcement::Beacon { round, seeds: given } => {
                let chain = Digest::from_hex(QUICKNET).expect("it is a digest");
                beacon = Some(BeaconRound { chain, round: *round });
                seeds = given.clone();
            }
        }
        let deck = leaf_hash(&self.deck_entry);
        let mut readings: Vec<(String, String)> =
            readings.iter().map(|(reading, value)| (reading.name().to_owned(), value.clone())).collect();
        readings.sort_unstable();
        let terms = OpenEntry { deck, rules, readings, seats: seats.clone(), seeds, commits, beacon };
        let open_entry = Entry::Open(terms.clone()).to_string();
        AnnouncedHand { hand: self, open_entry, terms }
    }
}

impl AnnouncedHand {
    /// A hand as its open entry has it.
    pub(super) fn restore(hand: CommittedHand, open_entry: String, terms: OpenEntry) -> AnnouncedHand {
        AnnouncedHand { hand, open_entry, terms }
    }

    /// The exact text of the open entry, to be published before anything is revealed.
    pub fn open_entry(&self) -> &str {
        &self.open_entry
    }

    /// Whether this seat committed to a seed in the open entry.
    pub fn has_committed(&self, seat: Seat) -> bool {
        self.terms.commits.iter().any(|commit| commit.0 == seat)
    }

    /// Gives the hand up before a card was dealt.
    pub fn void(self, reason: &str) -> VoidedHand {
        self.hand.voided(reason, Some(self.open_entry), None, BTreeSet::new())
    }

    /// What keeps the deck from being cut with this, if anything does.
    ///
    /// # Errors
    /// [`CutError`]. A build without the feature `beacon` takes every signature.
    pub fn check(&self, revealed: &Revealed) -> Result<(), CutError> {
        self.check_with(revealed, &mut CheckedRounds::default())
    }

    fn check_with(&self, revealed: &Revealed, rounds: &mut CheckedRounds) -> Result<(), CutError> {
        for (seat, commit) in &self.terms.commits {
            let seed = revealed.seeds.iter().find(|seed| seed.0 == *seat);
            let (_, seed) = seed.ok_or(CutError::SeedMissing { seat: *seat })?;
            if seed_commitment(&self.hand.context, seat.number(), seed) != *commit {
                return Err(CutError::SeedWrong { seat: *seat });
            }
        }
        match (&self.terms.beacon, &revealed.beacon) {
            (None, _) => Ok(()),
            (Some(_), None) => Err(CutError::BeaconMissing),
            (Some(announced), Some(value)) => {
                let is_it = value.round == announced.round && value.randomness == Digest::of(value.signature);
                if !is_it {
                    Err(CutError::BeaconWrong)
                } else if !rounds.is_signed(value.round, &value.signature) {
                    Err(CutError::BeaconFalse)
                } else {
                    Ok(())
                }
            }
        }
    }

    /// Cuts the deck in the open; what was not announced is left out.
    ///
    /// # Panics
    /// If [`AnnouncedHand::check`] refuses it.
    pub fn cut(self, revealed: &Revealed) -> OpenHand {
        self.check(revealed).expect("the caller has checked what was revealed");
        self.cut_checked(revealed)
    }

    /// Cuts the deck as [`AnnouncedHand::cut`] does, checked once: the signature of a beacon takes a millisecond, and many tables
    /// are cut by one round.
    ///
    /// # Errors
    /// [`CutError`], with the hand as it was.
    pub fn try_cut(
        self,
        revealed: &Revealed,
        rounds: &mut CheckedRounds,
    ) -> Result<OpenHand, (Box<AnnouncedHand>, CutError)> {
        match self.check_with(revealed, rounds) {
            Ok(()) => Ok(self.cut_checked(revealed)),
            Err(error) => Err((Box::new(self), error)),
        }
    }

    fn cut_checked(self, revealed: &Revealed) -> OpenHand {
        let AnnouncedHand { hand, open_entry, terms } = self;
        let (deck, open) = (leaf_hash(&hand.deck_entry), leaf_hash(&open_entry));
        let is_committed = |seat: Seat| terms.commits.iter().any(|commit| commit.0 == seat);
        let seeds: Vec<(Seat, Digest)> =
            revealed.seeds.iter().copied().filter(|seed| is_committed(seed.0)).collect();
        let beacon = terms.beacon.and(revealed.beacon);
        let mut randomness = Randomness { seeds: [Digest::ZERO; 8], beacon: Digest::ZERO };
        for (seat, seed) in terms.seeds.iter().chain(&seeds) {
            randomness.seeds[usize::from(seat.number()) - 1] = *seed;
        }
        if let Some(value) = &beacon {
            randomness.beacon = value.randomness;
        }
        let (cut, seed, cut_entry) = match hand.mix {
            Mix::None => (Cut::identity(), Digest::ZERO, None),
            Mix::Beacon | Mix::Players => {
                let seed = cut_seed(&deck, &open, &randomness);
                let entry = Entry::Cut(CutEntry { open, seeds, beacon }).to_string();
                (Cut::from_seed(&seed), seed, Some(entry))
            }
        };
        let order = DealOrder::new(terms.rules, &terms.seats, reshuffle_seed(&deck, &open, &seed).bytes());
        OpenHand { hand, open_entry, cut_entry, cut, order, lines: Vec::new() }
    }
}
