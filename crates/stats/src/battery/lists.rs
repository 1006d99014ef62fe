//! What two sets of decks are compared by: lists of values of which every deck has exactly one.

use std::ops::Range;

/// A question about one deck that has one answer, such as who wins, and the answers there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct List {
    /// What is asked, such as `the high hand is won`.
    pub name: String,
    /// The answers, neighbours beside each other; every deck gives one of them.
    pub answers: Vec<DeckAnswer>,
}

/// One answer and the counts of the statistic that hold it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeckAnswer {
    /// In words, such as `by seat 3`.
    pub words: String,
    /// Whose counts add up to the decks that give it.
    pub cells: Vec<usize>,
}

impl List {
    /// One answer for each of these counts.
    pub(in crate::battery) fn new(
        name: impl Into<String>,
        cells: Range<usize>,
        words: impl Fn(usize) -> String,
    ) -> List {
        let first = cells.start;
        let answers =
            cells.map(|cell| DeckAnswer { words: words(cell - first), cells: vec![cell] }).collect();
        List { name: name.into(), answers }
    }

    /// The decks that give each answer.
    pub fn decks(&self, counts: &[u64]) -> Vec<u64> {
        let of_answer = |answer: &DeckAnswer| answer.cells.iter().map(|&cell| counts[cell]).sum();
        self.answers.iter().map(of_answer).collect()
    }
}

/// Seats from 1, as people count them.
pub(in crate::battery) fn seat(seat: usize) -> String {
    format!("by seat {}", seat + 1)
}
