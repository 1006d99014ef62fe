//! Which record a fail rests on that was decided by the most extreme deck: recorded decks are read once more for it.

use std::ops::Range;

use serde::Serialize;

use crate::audit::plan::SEGMENT_DECKS;
use crate::audit::selection::Selection;
use crate::audit::verdict::Verdict;
use crate::certificate::AuditResult;
use crate::certificate::findings::deciding_p_value;
use crate::session::Session;
use crate::session::request::AuditRequest;
use crate::source::DeckSource;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof_stats::battery::{Statistic, View};

/// The first deck with the value that decided.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ExtremeDeck {
    /// File, record, line, and its id where one is known.
    pub place: String,
    /// How many decks of the look have the value.
    pub decks: u64,
}

impl ExtremeDeck {
    /// As [`Session::extreme_deck`], of a session that is gone: its files are opened again.
    pub fn of_files(request: &AuditRequest, result: &AuditResult) -> Option<ExtremeDeck> {
        // What is no file can be read only once.
        result.source.number("file_records").ok().filter(|_| result.word() == Verdict::Fail)?;
        request.ask(None, None, &|_| ()).ok()?.session.extreme_deck(result)
    }

    /// What a person should look at.
    pub fn note(&self) -> String {
        let first = if self.decks == 1 { "" } else { ", the first such deck" };
        format!(
            "the fail rests on {}{first}; look whether it was dealt, or is a self-test or a placeholder",
            self.place
        )
    }
}

impl Session {
    /// Reads recorded decks once more, where a fail was decided by the most extreme of them.
    pub fn extreme_deck(&mut self, result: &AuditResult) -> Option<ExtremeDeck> {
        let decided = deciding_p_value(result).filter(|_| result.word() == Verdict::Fail)?;
        let (view, rest) = decided.id.split_once('.').filter(|(view, _)| *view == View::Deck.name())?;
        let (id, part) = rest.split_once('.')?;
        let (selection, look) = (self.plan.selection(), result.deciding());
        let statistic = selection.seeing(View::Deck).find(|statistic| statistic.about().id == id)?;
        let tally = look.tallies.iter().find(|tally| tally.view.name() == view && tally.id == id)?;
        let cell = statistic.extreme_cell(part, &tally.counts)?;
        // Nothing is read of what can be read only once.
        self.source.place_of(look.first_deck)?;
        let decks = look.first_deck..look.first_deck + look.decks;
        let deck = first_counted(&selection, statistic, cell, self.source.as_mut(), decks)?;
        Some(ExtremeDeck { place: self.source.place_of(deck)?, decks: tally.counts[cell] })
    }
}

/// The first of these decks that adds to a count.
fn first_counted(
    selection: &Selection,
    statistic: &dyn Statistic,
    cell: usize,
    source: &mut dyn DeckSource,
    decks: Range<u64>,
) -> Option<u64> {
    for segment in decks.clone().step_by(SEGMENT_DECKS as usize) {
        let held = SEGMENT_DECKS.min(decks.end - segment) as usize;
        let mut blocks = vec![DeckBlock::default(); held.div_ceil(BLOCK_HANDS)];
        for (number, block) in blocks.iter_mut().enumerate() {
            source.fill(segment + (number * BLOCK_HANDS) as u64, block).ok()?;
        }
        let blocks = selection.shown_to(statistic, blocks);
        // Which decks of a segment are looked at goes by their places in it: so its beginnings are counted.
        let is_in_first = |decks: usize| {
            let mut beginning = blocks[..decks.div_ceil(BLOCK_HANDS)].to_vec();
            beginning.last_mut().expect("no deck is none").truncate((decks - 1) % BLOCK_HANDS + 1);
            let mut counts = vec![0; statistic.cells()];
            statistic.observe(&beginning, &mut counts);
            counts[cell] > 0
        };
        if is_in_first(held) {
            let (mut without, mut with) = (0, held);
            while with - without > 1 {
                let middle = (without + with) / 2;
                if is_in_first(middle) { with = middle } else { without = middle }
            }
            return Some(segment + without as u64);
        }
    }
    None
}
