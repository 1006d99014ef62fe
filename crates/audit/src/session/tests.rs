//! Records that are no deck, and checkpoints whose first look asks for no repeat.

use super::*;
use crate::audit::checkpoint;
use crate::audit::run::tests::source_of;
use crate::audit::selection::Selection;
use crate::audit::verdict::Verdict;
use crate::certificate::look::Look;
use crate::source::flawed::{self, Flawed};
use deckproof_deck::deck::block::DeckBlock;
use deckproof_deck::deck::{Deck, DeckError};
use deckproof_stats::battery::{Tier, View};
use std::path::Path;

/// Decks in order until a record that is none.
struct Broken {
    record: u64,
}

impl DeckSource for Broken {
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
        block.clear();
        for record in first + 1..=first + 64 {
            if record == self.record {
                let error = DeckError::NoCard { place: 3, found: 60 };
                return Err(SourceError::NotADeck { record, place: "here".to_owned(), error });
            }
            block.push(&Deck::in_order());
        }
        Ok(())
    }

    fn fork(&self) -> Option<Box<dyn DeckSource>> {
        None
    }
}

fn plan(name: &str) -> Plan {
    let selection = Selection::of_tiers(&Tier::OF_DECKS).only(&["parity".to_owned()]);
    Plan::of_selection(flawed::record(name, 5), Some(1_200), &selection)
}

#[test]
fn a_first_record_that_is_no_deck_says_nothing_and_a_later_one_is_proof() {
    let answer = |record| {
        let source = Box::new(Broken { record });
        Session::begin(plan("sattolo"), Shard::WHOLE, source, None)
            .expect("a sound plan")
            .answer(1, &Unwatched)
    };
    assert!(matches!(answer(1), Err(SessionError::FirstRecord(_))));
    let proved = answer(2).expect("proof");
    assert_eq!((proved.verdict, proved.first.decks), (Verdict::Fail, 1));
    assert!(proved.first.proofs[0].starts_with(&bad_record_opening(1)), "{:?}", proved.first.proofs);
}

/// A generator of 16-bit seeds, so that a deck comes again within 1,200 decks.
#[test]
fn proofs_that_follow_from_equal_decks_are_not_repeated() {
    let wanted = ["duplicates", "duplicates-inverse", "duplicates-top-half"].map(str::to_owned);
    let selection = Selection::of_tiers(&Tier::OF_DECKS).only(&wanted);
    let plan = Plan::of_selection(flawed::record("mt19937-seed16", 1), Some(1_200), &selection);
    let source = Flawed::open("mt19937-seed16:1", 1_200).expect("it is in the list");
    let mut session = Session::begin(plan, Shard::WHOLE, Box::new(source), None).expect("a sound plan");
    let mut look = session.answer(1, &Unwatched).expect("it is counted").first;
    let once = |look: &Look| look.proofs_once().map(str::to_owned).collect::<Vec<_>>();
    let is_equal = |proof: &String| proof.starts_with("The same deck came up again");
    assert!(look.has_equal() && look.proofs.len() > 1, "{:?}", look.proofs);
    assert!(once(&look).len() == 1 && is_equal(&once(&look)[0]), "{:?}", once(&look));
    // Without the record of equal decks nothing follows from another.
    let equal = look.duplicates.iter().position(|own| own.view == View::Deck && own.id == "duplicates");
    look.duplicates.remove(equal.expect("it is looked for"));
    look.proofs.retain(|proof| !is_equal(proof));
    assert_eq!(once(&look), look.proofs);
}

/// A deck of the first look may come again behind the moment at which the repeat was saved.
#[test]
fn a_checkpoint_in_its_repeat_keeps_the_fingerprints_of_the_first_look() {
    let selection = Selection::of_tiers(&[Tier::Core]);
    let plan = Plan::of_selection(flawed::record("certified", 5), Some(1_200), &selection);
    let mut session =
        Session::begin(plan.clone(), Shard::WHOLE, source_of(&plan), None).expect("a sound plan");
    let counted = session.count(1, &Unwatched).expect("decks").evidence;
    let decks = counted.decks();
    let sketches: Vec<Vec<Sketch>> = counted.views.into_iter().map(|view| view.sketches).collect();
    let evidence = Evidence::after(&plan.selection(), decks, sketches.clone());
    let state = RunState { next_segment: 0, evidence, consumed: None };
    let bytes = checkpoint::encode(&plan, Shard::WHOLE, Some("a look"), &state);
    let read = checkpoint::decode(Path::new("c"), &bytes).expect("a checkpoint").state.evidence;
    assert!(decks > 0 && read.views[0].earlier == decks);
    assert!(sketches.iter().flatten().any(|sketch| sketch.count().kept == decks));
    for (view, sketches) in read.views.iter().zip(&sketches) {
        let entries = |sketches: &[Sketch]| -> Vec<Vec<u128>> {
            sketches.iter().map(|sketch| sketch.settled().entries().to_vec()).collect()
        };
        assert!(entries(&view.sketches) == entries(sketches));
    }
}

/// An editor of a checkpoint could write a first look of his own into it.
#[test]
fn a_checkpoint_in_its_repeat_has_a_first_look_that_asked_for_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let begin = |plan: &Plan, saved: Option<SavedRun>| {
        Session::begin(plan.clone(), Shard::WHOLE, source_of(plan), saved)
    };
    for (name, asks) in [("certified", false), ("sattolo", true)] {
        let plan = plan(name);
        let mut session = begin(&plan, None).expect("a sound plan");
        let mut state = session.count(1, &Unwatched).expect("decks");
        let look = Look::of_evidence(&plan, Turn::First, &mut state.evidence);
        // What is written is what a session writes; whether it asks is what is looked at.
        let look = if asks { Look { verdict: Verdict::Investigate, ..look } } else { look };
        let text = first_look_text(&FirstLook { look, source: plan.source.clone() });
        let path = folder.path().join(name);
        let state = RunState::at(0, &plan.selection());
        checkpoint::write(&path, &plan, Shard::WHOLE, Some(&text), &state).expect("written");
        let found = begin(&plan, Some(SavedRun::open(&path).expect("a checkpoint")))
            .err()
            .map(|error| error.to_string());
        // With investigate it is another verdict than its counts give.
        let wanted = if asks { "verdict of the saved look" } else { "only investigate has a repeat" };
        assert!(found.is_some_and(|text| text.contains(wanted)), "{name}");
    }
}
