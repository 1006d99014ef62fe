//! What a certificate of shards rests on, in sentences.

use crate::document::words::Words;
use deckproof_audit::audit::spot::Spot;

/// What a merge believes: the counts of its shards, but for a segment of each that was dealt again, if any was.
pub fn believed(shards: usize, spots: Option<&[Spot]>, words: &Words) -> Vec<String> {
    let own = &words.verdict;
    let sum = |of: fn(&Spot) -> u64| spots.into_iter().flatten().map(of).sum::<u64>();
    let fingerprints = sum(|spot| spot.fingerprints);
    let looked_at = match spots {
        None => own.merged_unread.to_owned(),
        // A plan without the statistics of repeated decks leaves nothing of single decks in a shard.
        Some(_) if fingerprints == 0 => own.merged_unkept.to_owned(),
        Some(spots) => own.merged_spots(spots.len() as u64, sum(|spot| spot.segments), fingerprints),
    };
    vec![own.merged(shards as u64), looked_at]
}
