//! What an accepted bundle shows, and what was not checked.

use serde::Serialize;

use crate::claim::Party;
use crate::log::beacon;
use crate::log::entry::Mix;
use crate::log::trust::Trust;
use crate::verify::bundle::Bundle;
use crate::verify::entries::{Ending, Entries};
use crate::verify::openings::Openings;
use crate::verify::proofs::log_view;
use crate::verify::{ProvenEntry, Stated};
use deckproof_deck::text::named::named;
use deckproof_stud::stud::deal::{DealtCard, Face};

/// What the checks of a bundle show (PROTOCOL.md, section 12, step 8). What hangs on a
/// check that was not made is absent, and is in the list of [`Unchecked`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Findings {
    /// Whether the deck held 52 distinct cards.
    pub permutation: Shown,
    /// How many cards are opened.
    pub openings: usize,
    /// Whether the deck is the certified shuffle of its hand key.
    pub derivation: Shown,
    /// How many cards the player saw, all of them as committed.
    pub seen_cards: usize,
    /// Whether the cards left the deck in order, to the right seats.
    pub deal_order: Shown,
    /// Which entries are proven to be in the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logged: Option<Vec<&'static str>>,
    /// How the checkpoints of the log are tied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_view: Option<&'static str>,
    /// What kept the operator from trying many decks: `none`, `players`, `beacon claimed`, `beacon witnessed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anti_grinding: Option<&'static str>,
    /// `checked` if the beacon network's signature was, else `not checked`; for the mixes without a
    /// beacon too. It is beside the findings in JSON.
    #[serde(skip)]
    pub beacon_signature: &'static str,
    /// Who gave randomness.
    pub players: Players,
    /// What the hand history is worth, if the bundle has one. As text it is without what hangs on a
    /// check that was not made, so a history that was only hashed is absent there.
    #[serde(skip_serializing_if = "is_not_bound")]
    pub history: Option<HistoryFinding>,
}

/// What a hand history is worth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "binding", rename_all = "lowercase")]
pub enum HistoryFinding {
    /// It tells the committed hand: its cards, their order, its seats and folds.
    Bound {
        /// Whether the hand was played by the rules: `legal`, or `depends` on how the text is read.
        verdict: &'static str,
        /// Cards it names that are opened, all of them as committed.
        cards_compared: usize,
        /// Cards it names that this bundle does not open.
        cards_not_opened: usize,
        /// Cards it hides that this bundle opens; it was judged with them.
        cards_filled: usize,
        /// Readings that its open entry binds, by which it was judged.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        readings_bound: Vec<String>,
        /// Further readings it states of points that the rule text leaves open.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        readings_stated: Vec<String>,
        /// Whether chips that were in play before the hand are not after it; `open_points` says what of.
        #[serde(skip)]
        chips_missing: bool,
        /// What `depends` hangs on, a sentence each.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        open_points: Vec<String>,
    },
    /// Only its hash was compared.
    #[serde(rename = "hashed only")]
    HashedOnly {
        /// Why: what keeps it from being read as one hand of Poker Hand History.
        why: String,
    },
}

fn is_not_bound(history: &Option<HistoryFinding>) -> bool {
    !matches!(history, Some(HistoryFinding::Bound { .. }))
}

/// How far something is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shown {
    /// It is so.
    Proven,
    /// Nothing that was opened speaks against it.
    #[serde(rename = "not contradicted")]
    NotContradicted,
    /// Nothing can be concluded.
    #[serde(rename = "not shown")]
    NotShown,
}

/// Who gave randomness.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Players {
    /// The seats that committed to a seed.
    pub committed: Vec<u8>,
    /// `checked` if the seed that the verifying player states entered the cut, or is the committed one of a hand that was not
    /// cut, `as the file says` if the file alone states it, else `not checked`.
    pub own_seed: &'static str,
}

named! {
    /// What was not checked.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Unchecked {
        /// There was no trust file.
        Origin = "origin",
        /// The log proofs of the bundle.
        LogProofs = "log proofs",
        /// Whether the beacon network signed the value.
        BeaconSignature = "beacon signature",
        /// The close entry names a hand history that the bundle lacks.
        HistoryAbsent = "history absent",
        /// What the hand history says.
        HistoryContent = "history content",
        /// The bets and the last folds of a hand history.
        HistoryBets = "history bets",
        /// Who was still in when the community card was dealt.
        CommunityCardSeats = "community card seats",
        /// Cards that lay face up at the table and are not opened.
        FaceUpCards = "face-up cards",
        /// Down cards: those of no seat are opened.
        DownCards = "down cards",
        /// Whether the log holds another opening or end of this hand.
        OtherOpen = "other open entries",
    }
    /// A short name.
    pub fn name;
}

/// What the findings are made of.
pub(super) struct Shows<'a> {
    pub bundle: &'a Bundle,
    pub entries: &'a Entries,
    pub openings: &'a Openings,
    pub seen_cards: usize,
    pub stated: Stated,
    /// Whether the order in play is known.
    pub is_cut: bool,
    /// Absent without a trust file.
    pub proofs: Option<&'a [ProvenEntry]>,
    /// Whether two quorums have a witness in common.
    pub overlap: bool,
}

pub(super) fn findings(shows: &Shows, history: Option<HistoryFinding>) -> Findings {
    let Shows { bundle, entries, openings, seen_cards, stated, is_cut, proofs, overlap } = *shows;
    let has_no_proofs = bundle.proofs.is_empty();
    Findings {
        permutation: if openings.count() == 52 { Shown::Proven } else { Shown::NotContradicted },
        openings: openings.count(),
        derivation: if openings.is_derived { Shown::Proven } else { Shown::NotShown },
        seen_cards,
        deal_order: match &entries.ending {
            Ending::Close(close) if close.dealt > 0 => Shown::Proven,
            // That no card was dealt is the operator's word.
            Ending::Close(_) | Ending::Void(_) => Shown::NotShown,
        },
        logged: match proofs {
            Some(proofs) => Some(proofs.iter().map(|proven| proven.entry).collect()),
            None => has_no_proofs.then(Vec::new),
        },
        log_view: match proofs {
            Some(proofs) => Some(log_view(proofs, overlap)),
            None => has_no_proofs.then_some("none"),
        },
        anti_grinding: match entries.deck.mix {
            Mix::None => Some("none"),
            Mix::Players => Some("players"),
            // A proof shows "not later than": one that came when the round was out is no evidence of anything.
            Mix::Beacon => match proofs {
                Some(proofs) if is_before_round(entries, proofs) => Some("beacon witnessed"),
                Some(_) => Some("beacon claimed"),
                // With a proof of the open entry it may be witnessed; that proof was not checked.
                None => bundle.proofs.iter().all(|(kind, _)| *kind != "open").then_some("beacon claimed"),
            },
        },
        beacon_signature: match entries.cut.as_ref().and_then(|cut| cut.beacon) {
            Some(_) if beacon::CHECKS_SIGNATURES => "checked",
            _ => "not checked",
        },
        players: Players {
            committed: entries.open.commits.iter().map(|commit| commit.0.number()).collect(),
            own_seed: match stated.seed {
                Some(Party::Player) => "checked",
                Some(_) if is_cut => "as the file says",
                _ => "not checked",
            },
        },
        history,
    }
}

/// Whether a quorum had seen the open entry before the beacon's round was due.
fn is_before_round(entries: &Entries, proofs: &[ProvenEntry]) -> bool {
    let due = entries.open.beacon.map(|announced| beacon::time_of(announced.round));
    let open = proofs.iter().find(|proven| proven.entry == "open");
    open.and_then(|open| open.quorum_time).zip(due).is_some_and(|(seen, due)| seen < due)
}

pub(super) fn not_checked(
    bundle: &Bundle,
    entries: &Entries,
    trust: Option<&Trust>,
    transcript: &[DealtCard],
    (face_up_hidden, is_down_hidden): (usize, bool),
    history: Option<&HistoryFinding>,
) -> Vec<Unchecked> {
    // With a bound history it is known who was still in when the community card was dealt.
    let is_bound = matches!(history, Some(HistoryFinding::Bound { .. }));
    let history = match (history, &entries.ending) {
        (Some(HistoryFinding::Bound { .. }), _) => Some(Unchecked::HistoryBets),
        (Some(HistoryFinding::HashedOnly { .. }), _) => Some(Unchecked::HistoryContent),
        (None, Ending::Close(close)) if close.history.is_some() => Some(Unchecked::HistoryAbsent),
        (None, _) => None,
    };
    let has_beacon = entries.cut.as_ref().is_some_and(|cut| cut.beacon.is_some());
    let has_community_card = transcript.iter().any(|card| card.face == Face::Community);
    [
        trust.is_none().then_some(Unchecked::Origin),
        (trust.is_none() && !bundle.proofs.is_empty()).then_some(Unchecked::LogProofs),
        (has_beacon && !beacon::CHECKS_SIGNATURES).then_some(Unchecked::BeaconSignature),
        history,
        (has_community_card && !is_bound).then_some(Unchecked::CommunityCardSeats),
        (face_up_hidden > 0).then_some(Unchecked::FaceUpCards),
        is_down_hidden.then_some(Unchecked::DownCards),
        Some(Unchecked::OtherOpen),
    ]
    .into_iter()
    .flatten()
    .collect()
}
