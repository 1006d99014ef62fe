//! What a certificate of shards rests on, in sentences.

use deckproof_audit::audit::spot::Spot;
use deckproof_stats::math::decimal::{counted, thousands};

/// A plan without the statistics of repeated decks leaves nothing of single decks in a shard.
const NOTHING_KEPT: &str =
    "The shards keep no fingerprints of decks, so that no segment dealt again could be compared with them.";

/// What a merge believes: the counts of its shards, but for a segment of each that was dealt again, if any was.
pub fn believed(shards: usize, spots: Option<&[Spot]>) -> Vec<String> {
    let shards = counted(shards as u64, "shard", "shards");
    let word = format!(
        "The counts are those of {shards}, as they stand in their files: who counted them, with which build and on \
         which decks, nothing in them shows."
    );
    let looked_at = match spots {
        None => "The decks are recorded or came as a stream, and none of them was read again.".to_owned(),
        Some(spots) => {
            let fingerprints: u64 = spots.iter().map(|spot| spot.fingerprints).sum();
            if fingerprints == 0 {
                return vec![word, NOTHING_KEPT.to_owned()];
            }
            let segments: u64 = spots.iter().map(|spot| spot.segments).sum();
            format!(
                "One segment of each shard, drawn at random, was dealt again, {} of {}: the {} fingerprints that the \
                 shards should keep of them are there. The other segments, and every count, are the shards' word.",
                thousands(spots.len() as u64),
                thousands(segments),
                thousands(fingerprints)
            )
        }
    };
    vec![word, looked_at]
}
