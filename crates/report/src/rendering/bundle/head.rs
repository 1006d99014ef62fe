//! The head of what is reported of a bundle: a function of its claims.

use crate::document::words::Words;
use crate::rendering::bundle::{utc, void_reason};
use deckproof_stud::stud::seat::Seat;
use deckproof_verify::claim::{
    Claim, ClaimGap, ClaimState, ClaimSubject, Claims, Headline, Otherwise, Party, Witness,
};
use deckproof_verify::verify::Accepted;
use deckproof_verify::verify::claims::{HandEvidence, gave_seed_or_needs_none};
use deckproof_verify::verify::findings::HistoryFinding;

/// What is shown of the time before the hand, and how it ended or was played where that is no plain yes.
pub fn headline(bundle: &Accepted, evidence: &HandEvidence, claims: &Claims, words: &Words) -> String {
    let voided = match void_reason(bundle) {
        Some(reason) => words.bundle.was_voided(reason),
        None if bundle.transcript.is_empty() => words.bundle.closed_undealt.to_owned(),
        None => String::new(),
    };
    let played = history_headline(bundle.findings.history.as_ref(), words);
    let hidden = match bundle.face_up_hidden {
        0 => String::new(),
        count => words.bundle.up_hidden(count as u64),
    };
    let down = |(seat, count): &(Seat, usize)| words.bundle.down_hidden(*count as u64, &seat.to_string());
    let down: String = bundle.down_hidden().iter().map(down).collect();
    format!("{}{voided}{played}{hidden}{down}", shown_before(bundle, evidence, claims, words))
}

fn shown_before(bundle: &Accepted, evidence: &HandEvidence, claims: &Claims, words: &Words) -> String {
    let own = &words.bundle;
    let deck = claims.of(ClaimSubject::DeckFixed).expect("every hand claims its deck");
    match claims.headline() {
        Headline::Accepted => {
            let opening = claims.of(ClaimSubject::OpeningFixed);
            let shows = format!("{}{}", deck_shown(deck, words), opening_shown(bundle, opening, words));
            own.accepted(&conditions(bundle, evidence, deck, opening, words), &shows)
        }
        Headline::Partly => own.partly(&conditions(bundle, evidence, deck, None, words)),
        Headline::Consistent | Headline::Refused => unshown(deck, words).to_owned(),
    }
}

/// What a bundle that is not accepted lacks, and what would show it next time.
pub fn lacking(name: &str, bundle: &Accepted, claims: &Claims, words: &Words) -> String {
    let own = &words.bundle;
    let is_beacon = bundle.beacon_due.is_some();
    let all = [
        (ClaimSubject::DeckFixed, own.lacks_deck, own.next_deck),
        if is_beacon {
            (ClaimSubject::OpeningFixed, own.lacks_opening_beacon, own.next_opening_beacon)
        } else {
            (ClaimSubject::OpeningFixed, own.lacks_opening, own.next_opening)
        },
    ];
    let is_lacking = |subject: ClaimSubject| claims.needs(subject) && !claims.shows(subject);
    let lacking = all.iter().filter(|(subject, ..)| is_lacking(*subject));
    let (lacks, next): (Vec<&str>, Vec<&str>) = lacking.map(|(_, lacks, next)| (*lacks, *next)).unzip();
    own.not_accepted(name, &words.series(&lacks), &next.join(" "))
}

/// What the reader alone can know, on which the head hangs.
fn conditions(
    bundle: &Accepted,
    evidence: &HandEvidence,
    deck: &Claim,
    opening: Option<&Claim>,
    words: &Words,
) -> String {
    let own = &words.bundle;
    let of_opening = conditions_of_opening(bundle, opening, words);
    // What binds the opening before the seeds binds the deck that it names. Without a cut nobody is asked for an opening.
    let is_declared = |opening: &Claim| matches!(opening.witness, Some(Witness::Person { .. }));
    let is_open_bound = !of_opening.is_empty() || opening.is_some_and(is_declared);
    let of_deck = match &deck.witness {
        Some(Witness::Quorum { time }) => Some(own.if_card_after(&utc(*time))),
        Some(Witness::Saved { .. }) if evidence.saved.is_end_saved => Some(own.if_saved_before.to_owned()),
        Some(Witness::Saved { .. }) if !is_open_bound => Some(own.if_saved.to_owned()),
        Some(Witness::Receipt { .. }) if !is_open_bound => Some(own.if_receipt.to_owned()),
        _ => None,
    };
    joined(of_deck.into_iter().chain(of_opening).collect(), words)
}

/// The same of the opening alone.
fn conditions_of_opening(bundle: &Accepted, opening: Option<&Claim>, words: &Words) -> Vec<String> {
    let own = &words.bundle;
    let of_opening = opening.and_then(|opening| match (&opening.witness, bundle.beacon_due) {
        // A reader who held it before the round was due has to see when that was.
        (Some(Witness::Saved { .. } | Witness::Person { party: Party::Player }), Some(due)) => {
            Some(own.if_opening_saved_by(&utc(due)))
        }
        (Some(Witness::Saved { .. }), None) => Some(own.if_opening_saved.to_owned()),
        (Some(Witness::Quorum { time }), None) => Some(own.if_seed_after(&utc(*time))),
        (Some(Witness::Receipt { name }), None) => Some(own.if_receipt_before(name)),
        _ => None,
    });
    // Who gave no seed of this cut has no moment before which the opening had to be fixed. Where there was no cut, no seed entered it.
    let is_own_seed_open = of_opening.is_some() && bundle.is_cut && !gave_seed_or_needs_none(bundle);
    let of_seed = is_own_seed_open.then(|| own.if_own_seed.to_owned());
    of_seed.into_iter().chain(of_opening).collect()
}

fn joined(conditions: Vec<String>, words: &Words) -> String {
    let own = &words.bundle;
    if conditions.is_empty() { String::new() } else { own.conditions(&conditions.join(own.and)) }
}

/// That an opening was fixed before its cut, and on what that hangs.
pub(super) fn opening_fixed(bundle: &Accepted, opening: &Claim, words: &Words) -> String {
    let how = opening_shown(bundle, Some(opening), words);
    let conditions = joined(conditions_of_opening(bundle, Some(opening), words), words);
    words.bundle.opening_is(&format!("{how}{conditions}"))
}

fn deck_shown(deck: &Claim, words: &Words) -> &'static str {
    match deck.witness {
        Some(Witness::Receipt { .. }) => words.bundle.deck_receipt,
        Some(Witness::Quorum { .. }) => words.bundle.deck_quorum,
        _ => words.bundle.deck_saved,
    }
}

pub(super) fn opening_shown(bundle: &Accepted, opening: Option<&Claim>, words: &Words) -> &'static str {
    let own = &words.bundle;
    match opening.and_then(|opening| opening.witness.as_ref()) {
        Some(Witness::Saved { .. }) => own.opening_saved,
        Some(Witness::Person { party: Party::Player }) => own.opening_declared,
        Some(Witness::Receipt { .. }) => own.opening_receipt,
        Some(Witness::Quorum { .. }) if bundle.beacon_due.is_some() => own.opening_quorum_beacon,
        Some(Witness::Quorum { .. }) => own.opening_quorum,
        _ => "",
    }
}

/// ClaimGap the deck is not shown to be fixed before the hand.
fn unshown(deck: &Claim, words: &Words) -> &'static str {
    let own = &words.bundle;
    let has = |otherwise: &Otherwise| deck.otherwise.contains(otherwise);
    let is_seen = matches!(deck.witness, Some(Witness::Quorum { .. }));
    match &deck.state {
        ClaimState::NotLookedAt { why: ClaimGap::NoProof } => own.unshown_proofs,
        ClaimState::Claimed { .. } if has(&Otherwise::LateTree) && is_seen => own.unshown_end,
        ClaimState::Claimed { .. } if has(&Otherwise::LateTree) => own.unshown_receipt_late,
        ClaimState::Claimed { .. } if has(&Otherwise::EndNotProven) && is_seen => own.unshown_no_end,
        ClaimState::Claimed { .. } if has(&Otherwise::EndNotProven) => own.unshown_receipt,
        ClaimState::Claimed { .. } => own.unshown_time,
        _ => own.consistent,
    }
}

/// What the head adds where the ruling on the history hangs on something: a file may be accepted
/// for its cards while nobody can say whether the bets were by the rules.
pub fn history_headline(finding: Option<&HistoryFinding>, words: &Words) -> &'static str {
    match finding {
        Some(HistoryFinding::Bound { chips_missing: true, .. }) => words.bundle.history_chips_missing,
        Some(HistoryFinding::Bound { verdict: "depends", .. }) => words.bundle.history_depends,
        Some(HistoryFinding::HashedOnly { .. }) => words.bundle.history_not_judged,
        Some(HistoryFinding::Bound { .. }) | None => "",
    }
}
