//! Shards that tile a plan, and every way in which they do not.

use super::*;
use crate::audit::run::{Job, tests};
use crate::source::flawed;
use deckproof_stats::battery::Tier;

/// Three segments, the last one short, of one small statistic.
fn plan(decks: u64) -> Plan {
    let selection = Selection::of_tiers(&Tier::OF_DECKS).only(&["parity".to_owned()]);
    Plan::of_selection(flawed::record("sattolo", 1), Some(decks), &selection).without_repeat()
}

const DECKS: u64 = 2 * SEGMENT_DECKS + 70;

/// A shard of which so many segments are counted.
fn counted(plan: &Plan, shard: Shard, segments: u64) -> RunCheckpoint {
    let range = shard.segments(plan.segments().expect("a number of decks"));
    let job = Job {
        first_deck: 0,
        decks: plan.decks,
        segments: range.start..range.end.min(range.start.saturating_add(segments)),
        threads: 1,
        selection: plan.selection(),
    };
    let state = tests::counted(&job, tests::source_of(plan).as_mut()).expect("decks");
    RunCheckpoint { plan: plan.clone(), shard, first_look: None, state }
}

fn shard(index: u64, count: u64) -> RunCheckpoint {
    counted(&plan(DECKS), Shard { index, count }, u64::MAX)
}

fn refusal(shards: Vec<RunCheckpoint>) -> String {
    merge(shards).err().expect("they do not tile the plan").to_string()
}

#[test]
fn shards_in_any_order_are_the_whole() {
    let whole = shard(1, 1).state.evidence;
    for order in [[1, 2, 3], [3, 1, 2], [2, 3, 1]] {
        let (merged, evidence) = merge(order.map(|index| shard(index, 3)).into()).expect("they tile");
        assert_eq!(merged, plan(DECKS));
        let counts = |evidence: &Evidence| -> Vec<(u64, Vec<Vec<u64>>)> {
            evidence.views.iter().map(|view| (view.decks, view.counts.clone())).collect()
        };
        assert_eq!(counts(&evidence), counts(&whole));
    }
}

#[test]
fn shards_that_leave_a_gap_or_overlap_are_refused() {
    assert!(merge(Vec::new()).is_err());
    assert!(refusal(vec![shard(1, 2)]).contains("1 shards, wanted 2 shards"));
    assert!(refusal(vec![shard(2, 2)]).contains("shard 2/2, wanted shard 1/2"));
    assert!(refusal(vec![shard(1, 2), shard(1, 2)]).contains("shard 1/2, wanted shard 2/2"));
    assert!(refusal(vec![shard(1, 3), shard(2, 2)]).contains("shard 2/2, wanted shard 2/3"));
    let nobodys = RunCheckpoint { shard: Shard { index: 1, count: 0 }, ..shard(1, 1) };
    assert!(refusal(vec![nobodys]).contains("shard 1/0, wanted shard 1/0"));
    // Two of the three segments of the whole.
    let stopped = counted(&plan(DECKS), Shard::WHOLE, 2);
    let text = refusal(vec![stopped]);
    assert!(
        text.contains("stopped before segment 2") && text.contains("all of its segments 0 to 3"),
        "{text}"
    );
}

#[test]
fn shards_of_another_plan_with_a_repeat_or_without_decks_are_refused() {
    let other = counted(&plan(DECKS + 1), Shard { index: 2, count: 2 }, u64::MAX);
    match merge(vec![shard(1, 2), other]) {
        Err(MergeError::OtherPlan { index, found, wanted }) => {
            assert_eq!((index, found, wanted), (2, plan(DECKS + 1).sha256(), plan(DECKS).sha256()));
        }
        _ => panic!("the second is of another plan"),
    }
    let selection = plan(DECKS).selection();
    let repeated = Plan::of_selection(flawed::record("sattolo", 1), Some(DECKS), &selection);
    assert!(repeated.repeat.is_some());
    let with_repeat = RunCheckpoint { plan: repeated, ..shard(1, 1) };
    assert!(matches!(merge(vec![with_repeat]), Err(MergeError::Repeat)));
    // To the end of a stream: nobody can say that its parts are all there.
    let endless = Plan { decks: None, ..plan(DECKS) };
    let state = RunState::at(0, &endless.selection());
    let part = RunCheckpoint { plan: endless, shard: Shard::WHOLE, first_look: None, state };
    assert!(refusal(vec![part]).contains("0 decks in all"));
}
