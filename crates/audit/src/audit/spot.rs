//! Shards looked at again: one segment of a shard is dealt and counted once more, and compared with what the shard keeps of it.

use crate::audit::checkpoint::RunCheckpoint;
use crate::audit::evidence::Evidence;
use crate::audit::plan::Shard;
use crate::audit::run::{Hooks, Job, RunError, RunState, run};
use crate::audit::selection::Selection;
use crate::source::DeckSource;
use deckproof_stats::battery::duplicates::sketch::{KEY_BITS, Sketch};

/// A segment that was counted again, and found in its shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// Of this shard.
    pub shard: Shard,
    /// Its number in the plan, from 0.
    pub segment: u64,
    /// How many segments the shard has.
    pub segments: u64,
    /// Fingerprints of its decks that a shard of these decks keeps, all of them there.
    pub fingerprints: u64,
}

/// Why a shard is not believed.
#[derive(Debug, thiserror::Error)]
pub enum SpotError {
    /// The segment could not be counted.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The shard does not keep what counting its segment leaves.
    #[error(
        "shard {}/{} is not of the decks of its plan: segment {segment}, dealt again, has fingerprints that it does not keep",
        .shard.index, .shard.count
    )]
    Other {
        /// Which shard.
        shard: Shard,
        /// Which segment.
        segment: u64,
    },
}

/// Deals one segment of a finished shard again, of which `draw` decides which one, and looks for its fingerprints in
/// the shard. Counts are sums over all segments and cannot be compared; a shard without segments has nothing to look at.
///
/// # Errors
/// [`SpotError`].
pub fn look_again(
    part: &RunCheckpoint,
    source: &mut dyn DeckSource,
    draw: u64,
    threads: usize,
) -> Result<Option<Spot>, SpotError> {
    let (plan, shard) = (&part.plan, part.shard);
    let range = shard.segments(plan.segments().unwrap_or(0));
    let segments = range.end - range.start;
    if segments == 0 {
        return Ok(None);
    }
    let segment = range.start + draw % segments;
    // Counts are not compared, and need not be made.
    let selection = Selection { statistics: Vec::new(), ..plan.selection() };
    let job = Job {
        first_deck: 0,
        decks: plan.decks,
        segments: segment..segment + 1,
        threads,
        selection: selection.clone(),
    };
    let state = RunState::at(segment, &selection);
    let mut hooks = Hooks { progress: &|_| {}, save: &mut |_| Ok(()) };
    let again = run(&job, source, state, &mut hooks)?.evidence;
    match fingerprints_in(&part.state.evidence, &again) {
        Some(fingerprints) => Ok(Some(Spot { shard, segment, segments, fingerprints })),
        None => Err(SpotError::Other { shard, segment }),
    }
}

/// How many fingerprints of a part the whole keeps, if it keeps all that it should.
fn fingerprints_in(whole: &Evidence, part: &Evidence) -> Option<u64> {
    let sketches = |evidence: &Evidence| -> Vec<Sketch> {
        evidence
            .views
            .iter()
            .flat_map(|view| view.sketches.iter().map(|s| s.settled().into_owned()))
            .collect()
    };
    let (whole, part) = (sketches(whole), sketches(part));
    whole.iter().zip(&part).map(|(whole, part)| keys_in(whole, part)).sum()
}

fn keys_in(whole: &Sketch, part: &Sketch) -> Option<u64> {
    let key = |entry: u128| entry >> (u128::BITS - KEY_BITS);
    // The whole saw more decks, and so it may keep a smaller share.
    let is_kept = |entry: &&u128| key(**entry).checked_shr(KEY_BITS - whole.halvings()) == Some(0);
    let is_there = |entry: &u128| whole.entries().binary_search_by_key(&key(*entry), |one| key(*one)).is_ok();
    let kept: Vec<&u128> = part.entries().iter().filter(is_kept).collect();
    kept.iter().all(|entry| is_there(entry)).then_some(kept.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::plan::Plan;
    use crate::audit::run::tests::counted;
    use crate::source::record::SourceRecord;
    use deckproof_stats::battery::Tier;

    const KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    /// The second half of four segments of the decks of a key, under a plan that names this key.
    fn shard(dealt_by: &str) -> RunCheckpoint {
        let record = SourceRecord::new("audit").with("key", KEY);
        let plan =
            Plan::new(record, Some(4 * crate::audit::plan::SEGMENT_DECKS), &[Tier::Core]).without_repeat();
        let shard = Shard { index: 2, count: 2 };
        let segments = shard.segments(plan.segments().expect("a number of decks"));
        let (decks, selection) = (plan.decks, plan.selection());
        let job = Job { first_deck: 0, decks, segments, threads: 2, selection };
        let state = counted(&job, source(dealt_by).as_mut()).expect("it counts");
        RunCheckpoint { plan, shard, first_look: None, state }
    }

    fn source(key: &str) -> Box<dyn DeckSource> {
        let asked = SourceRecord::new("audit").with("key", key).ask().expect("its own record");
        asked.open(None).expect("a key deals").source
    }

    #[test]
    fn a_segment_of_a_shard_is_found_in_it_and_one_of_other_decks_is_not() {
        let own = shard(KEY);
        for draw in [0, 1, u64::MAX] {
            let spot = look_again(&own, source(KEY).as_mut(), draw, 2).expect("its own").expect("segments");
            assert_eq!((spot.segment, spot.segments), (2 + draw % 2, 2));
            assert!(spot.fingerprints > 1_000, "{spot:?}");
        }
        let other = shard(&KEY.replace('0', "1"));
        let error = look_again(&other, source(KEY).as_mut(), 0, 2).expect_err("other decks").to_string();
        assert!(error.starts_with("shard 2/2 is not of the decks of its plan: segment 2"), "{error}");
    }
}
