//! Step 6: the transcript, and that nothing else was opened.

use std::collections::{BTreeMap, BTreeSet};

use crate::log::entry::CloseEntry;
use crate::log::refusal::{Code, Refusal};
use crate::verify::bundle::Closed;
use crate::verify::entries::Entries;
use crate::verify::openings::Openings;
use deckproof_deck::card::Card;
use deckproof_deck::commitment::cut::reshuffle_seed;
use deckproof_deck::commitment::digest::Digest;
use deckproof_stud::stud::deal::{DealtCard, Face};
use deckproof_stud::stud::transcript::{self, TranscriptError};

/// Checks what a closed hand says about its deal, and returns its transcript.
pub(super) fn check(
    closed: &Closed,
    close: &CloseEntry,
    entries: &Entries,
    cut_seed: &Digest,
    openings: &Openings,
    opened: &BTreeMap<u8, Card>,
) -> Result<Vec<DealtCard>, Refusal> {
    let cards = transcript::parse(&closed.transcript).map_err(transcript_refusal)?;
    check_hash(Code::TranscriptHash, "transcript", &Digest::of(&closed.transcript), Some(&close.transcript))?;
    check_dealt(&cards, close)?;
    let seed = reshuffle_seed(&entries.deck_hash, &entries.open_hash, cut_seed);
    transcript::check(entries.open.rules, &entries.open.seats, seed.bytes(), &cards)
        .map_err(transcript_refusal)?;
    if !openings.is_full() {
        check_opened(&cards, opened)?;
    }
    if let Some(history) = &closed.history {
        check_hash(Code::HistoryHash, "history", &Digest::of(history), close.history.as_ref())?;
    }
    Ok(cards)
}

fn transcript_refusal(error: TranscriptError) -> Refusal {
    let code = match &error {
        TranscriptError::Grammar { line: 1, found, .. } => {
            return Refusal::new(Code::Transcript, "transcript", error.to_string())
                .of_line(found, transcript::FIRST_LINE);
        }
        TranscriptError::Grammar { .. } => Code::Transcript,
        TranscriptError::Skip { .. } => Code::DealSkip,
        TranscriptError::Order { .. } | TranscriptError::Street { .. } => Code::DealOrder,
    };
    Refusal::new(code, "transcript", error.to_string())
}

fn check_hash(code: Code, key: &str, found: &Digest, closed_with: Option<&Digest>) -> Result<(), Refusal> {
    match closed_with {
        Some(wanted) if wanted == found => Ok(()),
        Some(wanted) => {
            let message = format!("its hash is {found}, the close entry says {wanted}");
            Err(Refusal::new(code, format!("key {key:?}"), message))
        }
        None => {
            let message = format!("its hash is {found}, the close entry has no {key} line");
            Err(Refusal::new(code, format!("key {key:?}"), message))
        }
    }
}

fn check_dealt(cards: &[DealtCard], close: &CloseEntry) -> Result<(), Refusal> {
    let distinct: BTreeSet<u8> = cards.iter().map(|card| card.position).collect();
    if distinct.len() != usize::from(close.dealt) {
        let message =
            format!("it says {} cards were dealt, the transcript has {}", close.dealt, distinct.len());
        return Err(Refusal::new(Code::Dealt, "close entry", message));
    }
    Ok(())
}

fn check_opened(cards: &[DealtCard], opened: &BTreeMap<u8, Card>) -> Result<(), Refusal> {
    let is_received =
        |position: u8| cards.iter().any(|card| card.position == position && card.face != Face::Burn);
    match opened.keys().find(|position| !is_received(**position)) {
        None => Ok(()),
        Some(position) => {
            let message = "this card is opened, but nobody received it";
            Err(Refusal::new(Code::UndealtOpened, format!("dealt position {position}"), message))
        }
    }
}
