//! A source that ends early is named with the numbers of the decks, also where the first one is not deck 0. And runs for the tests of
//! other rooms.

use super::*;
use crate::audit::plan::Plan;
use deckproof_deck::deck::Deck;
use deckproof_stats::battery::Tier;

/// The source that a plan names.
pub(crate) fn source_of(plan: &Plan) -> Box<dyn DeckSource> {
    plan.source.ask().and_then(|source| source.open(None)).expect("the source is ours").source
}

/// What a job finds that nobody watches.
pub(crate) fn counted(job: &Job, source: &mut dyn DeckSource) -> Result<RunState, RunError> {
    let state = RunState::at(job.segments.start, &job.selection);
    run(job, source, state, &mut Hooks { progress: &|_| (), save: &mut |_| Ok(()) })
}

/// Decks up to this one, read anywhere or in order.
#[derive(Clone)]
struct Short {
    end: u64,
    can_fork: bool,
}

impl DeckSource for Short {
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
        block.clear();
        (first..self.end.min(first + BLOCK_HANDS as u64)).for_each(|_| block.push(&Deck::in_order()));
        Ok(())
    }

    fn fork(&self) -> Option<Box<dyn DeckSource>> {
        self.can_fork.then(|| Box::new(self.clone()) as Box<dyn DeckSource>)
    }
}

#[test]
fn a_source_that_ends_early_is_reported_by_numbers_of_decks() {
    let selection = Selection::of_tiers(&Tier::OF_DECKS).only(&["parity".to_owned()]);
    for can_fork in [true, false] {
        let job = Job {
            first_deck: 1_000,
            decks: Some(500),
            segments: 0..1,
            threads: 2,
            selection: selection.clone(),
        };
        let answer = |end: u64| counted(&job, &mut Short { end, can_fork });
        let enough = answer(1_500).expect("500 decks from deck 1,000 on");
        assert_eq!((enough.next_segment, enough.evidence.decks()), (1, 500), "{can_fork}");
        match answer(1_200) {
            Err(RunError::TooFew { found, wanted }) => {
                assert_eq!((found, wanted), (1_200, 1_500), "{can_fork}")
            }
            _ => panic!("the source ends after 1,200 decks"),
        }
    }
}
