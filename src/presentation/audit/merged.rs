//! What a certificate of shards rests on, in sentences.

use crate::audit::spot::Spot;
use crate::math::decimal::{counted, thousands};

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
