//! What an accepted bundle shows, and what was not checked.

use serde::Serialize;

use crate::ledger::entry::Mix;
use crate::ledger::trust::Trust;
use crate::stud::deal::{DealtCard, Face};
use crate::verify::Statements;
use crate::verify::bundle::Bundle;
use crate::verify::entries::{Ending, Entries};
use crate::verify::mix::seeds_in_play;
use crate::verify::openings::Openings;

/// What the checks of a bundle show (PROTOCOL.md, section 12, step 8). What hangs on a
/// check that was not made is absent, and stands in the list of [`Unchecked`].
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
    /// What kept the operator from trying many decks: `none`, `players`, `beacon claimed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anti_grinding: Option<&'static str>,
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
    /// Nothing can be said.
    #[serde(rename = "not shown")]
    NotShown,
}

/// Who gave randomness.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Players {
    /// The seats that committed to a seed.
    pub committed: Vec<u8>,
    /// `checked` if the verifying player's seed entered the cut, else `not checked`.
    pub own_seed: &'static str,
}

/// What was not checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Unchecked {
    /// There was no trust file.
    Origin,
    /// The keys of the trust file.
    TrustKeys,
    /// The log proofs of the bundle.
    LogProofs,
    /// Whether the beacon network signed the value.
    BeaconSignature,
    /// The close entry names a hand history that the bundle lacks.
    HistoryAbsent,
    /// What the hand history says.
    HistoryContent,
    /// Who was still in when the community card was dealt.
    CommunityCardSeats,
    /// Whether the deck was opened a second time.
    OtherOpen,
}

impl Unchecked {
    /// A short name.
    pub fn name(self) -> &'static str {
        match self {
            Unchecked::Origin => "origin",
            Unchecked::TrustKeys => "trust keys",
            Unchecked::LogProofs => "log proofs",
            Unchecked::BeaconSignature => "beacon signature",
            Unchecked::HistoryAbsent => "history absent",
            Unchecked::HistoryContent => "history content",
            Unchecked::CommunityCardSeats => "community card seats",
            Unchecked::OtherOpen => "other open entries",
        }
    }

    /// A sentence for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Unchecked::Origin => "Whether this is the log you trust: no trust file was given (--trust FILE).",
            Unchecked::TrustKeys => "The keys in the trust file: only its origin was compared.",
            Unchecked::LogProofs => {
                "The log proofs in the bundle: this version does not verify them, so nothing is said about the log."
            }
            Unchecked::BeaconSignature => "The signature of the beacon value: only its hash was compared.",
            Unchecked::HistoryAbsent => {
                "The hand history: the close entry names one, but it is not in the bundle."
            }
            Unchecked::HistoryContent => "What the hand history says: only its hash was compared.",
            Unchecked::CommunityCardSeats => {
                "Who was still in when the community card was dealt: the transcript cannot tell who folded on sixth street."
            }
            Unchecked::OtherOpen => {
                "Whether the same deck was opened a second time: only a scan of the whole log shows that."
            }
        }
    }
}

pub(super) fn findings(
    bundle: &Bundle,
    entries: &Entries,
    openings: &Openings,
    statements: &Statements,
    history: Option<HistoryFinding>,
) -> Findings {
    let has_no_proofs = bundle.proofs.is_empty();
    Findings {
        permutation: if openings.count() == 52 { Shown::Proven } else { Shown::NotContradicted },
        openings: openings.count(),
        derivation: if openings.is_full { Shown::Proven } else { Shown::NotShown },
        seen_cards: statements.seen.len(),
        deal_order: match entries.ending {
            Ending::Close(_) => Shown::Proven,
            Ending::Void(_) => Shown::NotShown,
        },
        logged: has_no_proofs.then(Vec::new),
        log_view: has_no_proofs.then_some("none"),
        anti_grinding: match entries.deck.mix {
            Mix::None => Some("none"),
            Mix::Players => Some("players"),
            // With a proof of the open entry it may be witnessed; that proof is not checked.
            Mix::Beacon => (!bundle.proofs.contains(&"open")).then_some("beacon claimed"),
        },
        players: Players {
            committed: entries.open.commits.iter().map(|commit| commit.0.number()).collect(),
            own_seed: match seeds_in_play(entries) {
                Some(_) if !statements.own_seeds.is_empty() => "checked",
                _ => "not checked",
            },
        },
        history,
    }
}

pub(super) fn not_checked(
    bundle: &Bundle,
    entries: &Entries,
    trust: Option<&Trust>,
    transcript: &[DealtCard],
    history: Option<&HistoryFinding>,
) -> Vec<Unchecked> {
    // With a bound history it is known who was still in when the community card was dealt.
    let is_bound = matches!(history, Some(HistoryFinding::Bound { .. }));
    let history = match (history, &entries.ending) {
        (Some(HistoryFinding::Bound { .. }), _) => None,
        (Some(HistoryFinding::HashedOnly { .. }), _) => Some(Unchecked::HistoryContent),
        (None, Ending::Close(close)) if close.history.is_some() => Some(Unchecked::HistoryAbsent),
        (None, _) => None,
    };
    let has_beacon = entries.cut.as_ref().is_some_and(|cut| cut.beacon.is_some());
    let has_community_card = transcript.iter().any(|card| card.face == Face::Community);
    let trust = if trust.is_none() { Unchecked::Origin } else { Unchecked::TrustKeys };
    [
        Some(trust),
        (!bundle.proofs.is_empty()).then_some(Unchecked::LogProofs),
        has_beacon.then_some(Unchecked::BeaconSignature),
        history,
        (has_community_card && !is_bound).then_some(Unchecked::CommunityCardSeats),
        Some(Unchecked::OtherOpen),
    ]
    .into_iter()
    .flatten()
    .collect()
}
