//! In a build without `histories`: the hash of a hand history was compared, and nothing else of it.

use std::collections::BTreeMap;

use crate::log::refusal::Refusal;
use crate::verify::entries::Entries;
use crate::verify::findings::HistoryFinding;
use deckproof_deck::card::Card;
use deckproof_stud::stud::deal::DealtCard;

/// The substitute for the reader of histories.
#[expect(clippy::unnecessary_wraps, reason = "the reader of histories refuses some")]
pub(super) fn bind(
    _: &str,
    _: &Entries,
    _: &[DealtCard],
    _: &BTreeMap<u8, Card>,
) -> Result<HistoryFinding, Refusal> {
    Ok(HistoryFinding::HashedOnly { why: "this build reads no hand histories".to_owned() })
}
