//! Hands of a seat that come again.
//!
//! Null: the cards that a seat holds after the river are any m of 52, whatever their order: 133,784,560 sets of seven, 20,358,520 of
//! six where a reshuffle hides the river. The pairs `Σ k(k−1)/2` of equal sets among the decks of each segment of 65,536 are a Poisson
//! count of mean `Σ n(n−1)/2M` of each seat, which may convict by the number of repeats against a proven bound. Part: `each-seat`, the
//! worst seat by Bonferroni.

use crate::battery::nulls::histogram::worst_of_each;
use crate::battery::nulls::throws::{Fallen, Throws};
use crate::battery::outcome::Outcome;
use crate::battery::repeats::collisions::compared_in;
use crate::battery::statistic::{About, Design, SEGMENT_DECKS, Scope};
use crate::battery::stud::HandStatistic;
use crate::battery::stud::deals::Deals;
use crate::battery::stud::table::StudTable;
use crate::battery::tier::Tier;
use crate::battery::view::Label;
use deckproof_deck::deck::block::BLOCK_HANDS;

pub(super) struct SeatRepeats;

pub(super) const ABOUT: About = About {
    id: "seat-repeats",
    version: 1,
    tier: Tier::Stud,
    title: "hands of a seat that come again",
    null: "A seat holds the same cards again as rarely as it should.",
    source: "pairs of equal hands of a seat in segments of 65,536 decks, Poisson(Σ n(n−1)/2M), M = C(52, 7), or C(52, 6) where a \
             reshuffle hides the river: Arratia, Goldstein & Gordon (1989); repeats bounded by Hoeffding (1956) and Anderson & \
             Samuels (1967); Bonferroni (1936) over seats",
    detects: "Prepared hands for a friend: a seat whose cards are now and then taken from a list.",
    decks_min: 1_000,
    design: Design {
        family: Some("seat-cards"),
        label: Label::Card,
        scope: Scope::Segment,
        ..Design::OF_DECKS
    },
};

/// Sets of m cards: C(52, 6) and C(52, 7).
const SETS: [(usize, f64); 2] = [(6, 20_358_520.0), (7, 133_784_560.0)];

impl HandStatistic for SeatRepeats {
    fn cells(&self, table: &StudTable) -> usize {
        2 + 2 * table.players()
    }

    /// Decks; pairs of decks compared; then pairs and repeats of each seat's hands.
    fn observe(&self, deals: &Deals, counts: &mut [u64]) {
        let decks = deals.decks();
        counts[0] += decks;
        counts[1] += decks * decks.saturating_sub(1) / 2;
        let mut hands: Vec<u64> = Vec::with_capacity(decks as usize);
        for (seat, own) in counts[2..].chunks_mut(2).enumerate() {
            hands.clear();
            for block in deals.blocks {
                let mut sets = [0; BLOCK_HANDS];
                for &place in deals.table.places(seat) {
                    let row = block.row(usize::from(place));
                    sets.iter_mut().zip(row).for_each(|(set, &card)| *set |= 1 << (card & 63));
                }
                hands.extend_from_slice(&sets[..block.hands()]);
            }
            let fallen = Fallen::of_keys(&mut hands);
            own[0] += fallen.pairs;
            own[1] += fallen.repeats;
        }
    }

    fn decks_in(&self, _: &StudTable, counts: &[u64]) -> Option<u64> {
        let (decks, compared) = (counts[0], u128::from(counts[1]));
        let are_sound = counts[2..].chunks(2).all(|own| fallen(own).is_sound(decks, compared));
        (compared == compared_in(decks, SEGMENT_DECKS) && are_sound).then_some(decks)
    }

    fn outcomes(&self, table: &StudTable, counts: &[u64], _: u64) -> Vec<Outcome> {
        let cells = SETS.iter().find(|(cards, _)| *cards == table.cards()).expect("six or seven cards").1;
        let throws = Throws { keys: counts[0] as f64, compared: counts[1] as f64, cells };
        let of_seat = |own: &[u64]| vec![throws.outcome("each-seat", fallen(own))];
        worst_of_each(counts[2..].chunks(2).map(of_seat).collect())
    }
}

fn fallen(own: &[u64]) -> Fallen {
    Fallen { pairs: own[0], repeats: own[1] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::stud::sample;
    use deckproof_deck::deck::Deck;
    use deckproof_deck::deck::block::DeckBlock;
    use deckproof_stud::stud::rules::RuleSet;

    #[test]
    fn sets_are_binomial_coefficients() {
        for (cards, sets) in SETS {
            let ways: f64 = (0..cards).map(|i| (52 - i) as f64 / (i + 1) as f64).product();
            assert!((sets - ways).abs() < 0.5, "{cards}");
        }
    }

    /// Six play stud high, and nobody burns: seat 2 holds places 2, 8, … 38. Of deck 10 its cards come again there in another order, and
    /// once more at the next seat, where they are new.
    #[test]
    fn a_hand_is_the_same_in_any_order_and_at_its_seat_alone() {
        let table = StudTable::of(RuleSet::ALL[0], 6).expect("six play");
        let mut decks: Vec<Deck> = (0..64).map(|lane| sample::blocks(7, 1)[0].deck(lane)).collect();
        for (to, seat) in [(40, 2), (50, 3)] {
            for round in 0..7 {
                let card = decks[10].indices()[2 + 6 * round];
                let here = decks[to].places()[usize::from(card)];
                decks[to].swap(usize::from(here), seat + 6 * (6 - round));
            }
        }
        let mut block = DeckBlock::default();
        decks.iter().for_each(|deck| block.push(deck));
        let mut counts = vec![0; SeatRepeats.cells(table)];
        SeatRepeats.observe(&Deals { table, blocks: &[block], hands: &[] }, &mut counts);
        assert_eq!(counts, [64, 64 * 63 / 2, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0]);
        let [outcome] = &SeatRepeats.outcomes(table, &counts, 64)[..] else { panic!("one part") };
        // One of six seats, on both sides.
        let wanted = 6.0 * 2.0 * 2_016.0 / 133_784_560.0;
        assert!((outcome.p_value / wanted - 1.0).abs() < 1e-3, "{}", outcome.p_value);
        for (place, added) in [(0, 1), (1, 1), (2, 2), (7, 1)] {
            let mut forged = counts.clone();
            forged[place] += added;
            assert_ne!(SeatRepeats.decks_in(table, &forged), Some(64), "{place}");
        }
    }
}
