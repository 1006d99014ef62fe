//! The same census under a fair deal, many times over: exact tests where χ² is not to be trusted.
//!
//! A test that compares the score of the data with those of B samples of a fair deal, p = (1 + how many are at least
//! as far)/(B + 1), keeps its level exactly for any number of hands (Barnard 1963; Besag & Clifford 1989,
//! "Generalized Monte Carlo significance tests").

use crate::hands::census::Census;
use crate::hands::null::{Null, PARTS, Scores};
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::keystream::Keystream;

/// Monte Carlo samples under the null; the smallest p-value they can give is 2 in ten thousand.
pub(super) const SAMPLES: u64 = 9_999;

/// The seed: the samples are the same for everybody.
const SEED: &[u8; 32] = b"deckproof rehearsal of published";

/// Lower and upper tail of every score.
pub(super) fn tails(census: &Census, null: &Null) -> [(f64, f64); PARTS] {
    let scores = null.scores(census);
    let mut dealer =
        Dealer { keystream: Keystream::new(SEED, 0), deck: std::array::from_fn(|card| card as u8) };
    let mut counts = [(1u64, 1u64); PARTS];
    for _ in 0..SAMPLES {
        let sampled: Scores = null.scores(&dealer.sample(census));
        for ((lower, upper), (found, score)) in counts.iter_mut().zip(sampled.iter().zip(&scores)) {
            // Equal scores may differ in their last digits by the order of adding.
            let slack = 1e-9 * score.abs().max(1.0);
            *lower += u64::from(*found <= score + slack);
            *upper += u64::from(*found >= score - slack);
        }
    }
    let share = |count: u64| count as f64 / (SAMPLES + 1) as f64;
    counts.map(|(lower, upper)| (share(lower), share(upper)))
}

struct Dealer {
    keystream: Keystream,
    /// In whatever order the last hand left it.
    deck: [u8; DECK_CARDS],
}

impl Dealer {
    /// Fair hands of as many seats, and as many first three cards.
    fn sample(&mut self, census: &Census) -> Census {
        let mut sampled = Census::new();
        for (seats, group) in census.groups.iter().enumerate() {
            for _ in 0..group.hands {
                self.draw(seats);
                sampled.count_doors(&self.deck[..seats]);
            }
        }
        for _ in 0..census.exporters() {
            self.draw(3);
            sampled.count_three([self.deck[0], self.deck[1], self.deck[2]]);
        }
        sampled
    }

    /// Brings distinct random cards to the front (Durstenfeld 1964). A draw is off by at most 2⁻²⁶ of itself,
    /// far below what ten thousand samples can see.
    fn draw(&mut self, cards: usize) {
        for place in 0..cards {
            let left = (DECK_CARDS - place) as u64;
            let other = place + ((u64::from(self.keystream.word()) * left) >> 32) as usize;
            self.deck.swap(place, other);
        }
    }
}
