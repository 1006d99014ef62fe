//! Decks that an earlier row examined: judged by it, or nothing new.

use crate::daily::job::{DayJob, Decks};
use crate::daily::resolved::program;
use crate::monitoring::day::{DayLine, Examined, NOTHING_NEW};
use crate::monitoring::explained::Explained;
use crate::monitoring::rows::counting;
use crate::monitoring::store::Store;

impl DayJob {
    /// Decks that an earlier row examined: those of this day are judged by it, those of another are nothing new.
    pub(super) fn seen(&self, store: &Store, examined: &Examined, decks: Option<u64>) -> Option<Decks> {
        let is_all = |line: &DayLine| {
            let is_same = line.examined.as_ref().is_some_and(|other| examined.is_same(other));
            is_same && line.day == self.day.date && line.certificate.is_some() && decks == Some(line.decks)
        };
        let own = counting(store.days()).find(|(_, line)| is_all(line)).map(|(row, _)| row);
        let Some(row) = own else {
            return self.seen_before(store, examined).map(Decks::unjudged);
        };
        Some(Decks::judged_in(store, row))
    }

    /// Why decks are not new: an earlier row examined some of them.
    pub(super) fn seen_before(&self, store: &Store, examined: &Examined) -> Option<Explained> {
        let row = store.row_of(examined)?;
        let line = &store.days()[row - 1];
        let decks = format!("the decks of row {row} ({}, {})", line.day, line.verdict);
        if let Some(program) = program(&self.config) {
            return Some(Explained::given_again(program, &format!("gave {decks} again")));
        }
        let what = format!("{NOTHING_NEW}: these are {decks}");
        // Ids may begin again each day; the times of two days differ.
        let has_times = !self.config.values("time_column").is_empty();
        let may_be_dealt = examined.source_sha256.is_some() && line.day != self.day.date && !has_times;
        Some(if may_be_dealt {
            Explained::held_again(
                &what,
                "the file is that of an earlier day: give the one of this day and run this day again",
            )
        } else {
            what.into()
        })
    }
}
