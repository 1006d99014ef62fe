//! Seat suits: the suits of the first three cards of every seat, from two seats to eight.
//!
//! Null: two cards down and one up, dealt round by round to P seats, lie at the places s, s + P and s + 2P; their
//! suits in order fall into 64 cells of probabilities `13·12·11`, `13·12·13` or `13³` over 52·51·50, an exact
//! multinomial for each seat. Part: χ² of the worst of the 35 seats of seven tables, by Bonferroni, bound by
//! Agrawal.

use crate::battery::kernel;
use crate::battery::kernel::seat_suits::{CELLS, CODES};
use crate::battery::outcome::Outcome;
use crate::battery::pairs::first_cards::{suit_cells, worst};
use crate::battery::statistic::{About, Design, Statistic, about_and_cells, common_sum};
use crate::battery::tier::Tier;
use crate::battery::view::{Label, View};
use deckproof_deck::deck::block::DeckBlock;

pub(in crate::battery) struct SeatSuits;

const ABOUT: About = About {
    id: "seat-suits",
    version: 1,
    tier: Tier::Deep,
    title: "suits of the first three cards of a seat",
    null: "The first three cards of every seat, of two to eight, have suits as by chance.",
    source: "64 cells of 13·12·11, 13·12·13 or 13³ over 52·51·50 at the places s, s+P, s+2P; Pearson (1900) χ² of cells \
             expecting 10, bound by Agrawal (2020), Bonferroni (1936) over 35 seats",
    detects: "Suits that alternate or cling in step with the seats: hands gathered in order, a seat dealt its flushes.",
    decks_min: 65,
    design: Design { views: View::OF_CARDS, label: Label::Card, ..Design::PLAIN },
};

impl Statistic for SeatSuits {
    about_and_cells!(ABOUT, CELLS);

    /// Suits in base 4 of seats 0, 1 of two, 0 to 2 of three, …, 0 to 7 of eight.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        kernel::seat_suits::seat_suits(blocks, counts);
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        common_sum(counts.chunks(CODES).map(|own| own.iter().copied()))
    }

    fn outcomes(&self, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let seats = counts.chunks(CODES).map(|own| suit_cells(own, decks).pooled());
        worst("suits", seats.collect()).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::kernel::seat_suits::{SEATS, first_three};
    use crate::battery::walk::sample::counts;
    use deckproof_deck::deck::Deck;
    use deckproof_stud::stud::deal::DealOrder;
    use deckproof_stud::stud::rules::RuleSet;
    use deckproof_stud::stud::seat::{Seat, Seats};

    /// Seven-Card Stud as the rule sets deal it.
    #[test]
    fn first_three_are_what_third_street_deals() {
        let mut places = first_three();
        for seats in SEATS {
            let all: Vec<Seat> = (1..=seats as u8).filter_map(Seat::new).collect();
            let rules = RuleSet::named("stud-hi").expect("a rule set");
            let mut order = DealOrder::new(rules, &Seats::new(all.clone()).expect("clockwise"), &[0; 32]);
            let dealt = order.deal_street(&all).expect("third street is dealt to all");
            for seat in all {
                let own =
                    dealt.iter().filter(|card| card.seat == Some(seat)).map(|card| card.position.into());
                assert_eq!(own.collect::<Vec<usize>>(), places.next().expect("as many seats"));
            }
        }
        assert_eq!(places.next(), None);
    }

    #[test]
    fn a_sorted_deck_gives_each_seat_of_four_its_own_suit() {
        let mut counts = counts(&SeatSuits, &[Deck::in_order(); 640]);
        // Five seats come before, of two and of three; suits 0, 1, 2, 3 thrice are codes 0, 21, 42 and 63.
        for (seat, own) in counts.chunks(CODES).skip(5).take(4).enumerate() {
            assert_eq!(own[21 * seat], 640);
        }
        assert!(SeatSuits.finish(&counts, 640)[0].p_value < 1e-300);
        counts[CODES] += 1;
        assert_eq!(SeatSuits.decks_in(&counts), None);
    }
}
