//! The views of a batch of decks: made lane by lane, or deck by deck where a deck is one register.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::audit::selection::Selection;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof_deck::deck::inverse::inverse;
use deckproof_deck::deck::orders::{self, Decks, Order};
use deckproof_deck::deck::relative::relative;
use deckproof_stats::battery::View;

/// Whether decks were found to be slower one by one than side by side; see [`crate::audit::speed`].
static IS_BY_LANE: AtomicBool = AtomicBool::new(false);

/// Whether decks are counted one by one. Before a measurement: wherever the processor has what it takes.
pub fn is_by_order() -> bool {
    orders::are_possible() && !IS_BY_LANE.load(Ordering::Relaxed)
}

/// From now on counts one by one, or side by side. Results do not depend on it.
pub(super) fn choose(is_by_order: bool) {
    IS_BY_LANE.store(!is_by_order, Ordering::Relaxed);
}

/// What is worked out of one batch; its memory serves the next one.
pub(super) struct Views {
    is_by_order: bool,
    /// The inverse decks, and those of one block more for the link to it.
    inverse: Vec<DeckBlock>,
    /// The relative decks by card: `r'_t = c_{t+1}∘v_t` is to the inverse decks what `r_t` is to the decks.
    relative_cards: Vec<DeckBlock>,
    orders: Orders,
}

/// The decks of a batch and of the block behind it, one by one.
#[derive(Default)]
struct Orders {
    cards: Vec<Order>,
    places: Vec<Order>,
    /// How many of them belong to the batch.
    own: usize,
    steps: Vec<Order>,
    steps_back: Vec<Order>,
}

/// Blocks that were read of a segment, and which of them are the batch: behind it lies one more, unless the segment
/// ends with it.
#[derive(Clone)]
pub(super) struct Batch<'a> {
    pub(super) read: &'a [DeckBlock],
    pub(super) own: Range<usize>,
}

impl<'a> Batch<'a> {
    fn blocks(&self) -> &'a [DeckBlock] {
        &self.read[self.own.clone()]
    }

    /// With the block behind it.
    fn linked(&self) -> &'a [DeckBlock] {
        &self.read[self.own.start..self.read.len().min(self.own.end + 1)]
    }
}

impl Views {
    /// The way that is quicker on this processor.
    pub(super) fn new() -> Views {
        Views::by(is_by_order())
    }

    fn by(is_by_order: bool) -> Views {
        let [inverse, relative_cards] = [Vec::new(), Vec::new()];
        Views { is_by_order, inverse, relative_cards, orders: Orders::default() }
    }

    /// Works out what several views need.
    pub(super) fn begin(&mut self, selection: &Selection, batch: &Batch) {
        if self.is_by_order {
            self.orders.begin(batch);
        } else if selection.shows(View::Inverse) || selection.shows(View::RelativeCards) {
            let linked = batch.linked();
            self.inverse.resize(linked.len(), DeckBlock::default());
            linked.iter().zip(&mut self.inverse).for_each(|(block, out)| inverse(block, out));
        }
    }

    /// Shows one view of the batch; the relative decks stay in `relatives`.
    pub(super) fn show(
        &mut self,
        view: View,
        batch: &Batch,
        relatives: &mut [DeckBlock],
        visit: impl FnOnce(&[DeckBlock], Option<Decks>),
    ) {
        let length = batch.own.len();
        match view {
            View::Deck if self.is_by_order => visit(batch.blocks(), Some(self.orders.decks())),
            View::Deck => visit(batch.blocks(), None),
            View::Relative if self.is_by_order => {
                self.orders.step_by_place();
                fill(relatives, &self.orders.steps);
                visit(relatives, Some(self.orders.moves()));
            }
            View::Relative => {
                for (out, number) in relatives.iter_mut().zip(batch.own.clone()) {
                    relative(&batch.read[number], batch.read.get(number + 1), out);
                }
                visit(relatives, None);
            }
            View::Inverse if self.is_by_order => {
                self.inverse.resize(length, DeckBlock::default());
                let Decks { orders, inverses } = self.orders.decks();
                fill(&mut self.inverse, inverses);
                visit(&self.inverse, Some(Decks { orders: inverses, inverses: orders }));
            }
            View::Inverse => visit(&self.inverse[..length], None),
            View::RelativeCards => {
                self.relative_cards.resize(length, DeckBlock::default());
                if self.is_by_order {
                    self.orders.step_by_card();
                    fill(&mut self.relative_cards, &self.orders.steps);
                    return visit(&self.relative_cards, Some(self.orders.moves()));
                }
                for (number, out) in self.relative_cards.iter_mut().enumerate() {
                    relative(&self.inverse[number], self.inverse.get(number + 1), out);
                }
                visit(&self.relative_cards, None);
            }
        }
    }
}

/// Puts the orders into blocks, 64 into each and what is left into the last ones.
fn fill(blocks: &mut [DeckBlock], orders: &[Order]) {
    for (number, block) in blocks.iter_mut().enumerate() {
        let rest = &orders[orders.len().min(BLOCK_HANDS * number)..];
        orders::fill_block(&rest[..rest.len().min(BLOCK_HANDS)], block);
    }
}

impl Orders {
    fn begin(&mut self, batch: &Batch) {
        let linked = batch.linked();
        let mut behind = linked.iter().skip_while(|block| block.hands() == BLOCK_HANDS).skip(1);
        assert!(behind.all(DeckBlock::is_empty), "only the last block of decks may be short");
        self.cards.clear();
        linked.iter().for_each(|block| orders::push_decks(block, &mut self.cards));
        orders::inverses(&self.cards, &mut self.places);
        self.own = batch.blocks().iter().map(DeckBlock::hands).sum();
    }

    fn decks(&self) -> Decks<'_> {
        Decks { orders: &self.cards[..self.own], inverses: &self.places[..self.own] }
    }

    /// How many decks of the batch have a next one.
    fn pairs(&self) -> usize {
        self.own.min(self.cards.len().saturating_sub(1))
    }

    /// The relative decks `r_t = v_{t+1}∘c_t` and their inverses `v_t∘c_{t+1}`.
    fn step_by_place(&mut self) {
        let pairs = self.pairs();
        let [(cards, next), (places, next_places)] =
            [&self.cards, &self.places].map(|orders| (&orders[..pairs], orders.get(1..).unwrap_or_default()));
        orders::composed(cards, next_places, &mut self.steps);
        orders::composed(&next[..pairs], places, &mut self.steps_back);
    }

    /// The relative decks by card `r'_t = c_{t+1}∘v_t` and their inverses `c_t∘v_{t+1}`.
    fn step_by_card(&mut self) {
        let pairs = self.pairs();
        let [(cards, next), (places, next_places)] =
            [&self.cards, &self.places].map(|orders| (&orders[..pairs], orders.get(1..).unwrap_or_default()));
        orders::composed(places, next, &mut self.steps);
        orders::composed(&next_places[..pairs], cards, &mut self.steps_back);
    }

    fn moves(&self) -> Decks<'_> {
        Decks { orders: &self.steps, inverses: &self.steps_back }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::key::AuditKey;
    use deckproof_deck::shuffle::lanes::{PreparedAuditKey, audit_block};
    use deckproof_stats::battery::Tier;

    /// A batch of some blocks, perhaps with a block behind it, the last one of so many hands.
    fn check(blocks: usize, hands_last: usize, has_link: bool) {
        let key = PreparedAuditKey::new(&AuditKey::from_bytes([7; 32]));
        let mut read = vec![DeckBlock::default(); blocks + usize::from(has_link)];
        let last = read.len() - 1;
        for (number, block) in read.iter_mut().enumerate() {
            audit_block(&key, 64 * number as u64, if number == last { hands_last } else { 64 }, block);
        }
        let (selection, batch) =
            (Selection::of_tiers(&Tier::OF_DECKS), Batch { read: &read, own: 0..blocks });
        let [mut by_lane, mut by_order] = [false, true].map(Views::by);
        by_lane.begin(&selection, &batch);
        by_order.begin(&selection, &batch);
        for view in View::ALL {
            let [mut one, mut other] = [(); 2].map(|()| vec![DeckBlock::default(); blocks]);
            by_lane.show(view, &batch, &mut one, |expected, decks| {
                assert!(decks.is_none());
                by_order.show(view, &batch, &mut other, |found, decks| check_equal(expected, found, decks));
            });
        }
    }

    fn check_equal(expected: &[DeckBlock], found: &[DeckBlock], decks: Option<Decks>) {
        assert_eq!(expected.len(), found.len());
        let is_same = |(one, other): (&DeckBlock, &DeckBlock)| {
            one.hands() == other.hands() && one.rows() == other.rows()
        };
        assert!(expected.iter().zip(found).all(is_same));
        let decks = decks.expect("this way shows them one by one");
        let mut pairs = decks.orders.iter().zip(decks.inverses);
        for block in expected {
            for (lane, (order, inverse)) in (0..block.hands()).zip(&mut pairs) {
                let deck = block.deck(lane);
                assert_eq!(order.bytes()[..52], *deck.indices());
                assert_eq!(inverse.bytes()[..52], deck.places());
            }
        }
        assert!(pairs.next().is_none() && decks.orders.len() == decks.inverses.len());
    }

    #[test]
    fn both_ways_show_the_same_decks() {
        for hands_last in [1, 2, 63, 64] {
            for (blocks, has_link) in [(1, false), (1, true), (3, false), (3, true)] {
                check(blocks, hands_last, has_link);
            }
        }
    }
}
