//! Shuffles by hand and by machine, from a new deck each time and too short.

use crate::dealers::dice::Dice;
use crate::dealers::{CardOrder, in_order};
use deckproof_deck::card::DECK_CARDS;

const RIFFLE: &str = "So many Gilbert-Shannon-Reeds riffles of a new deck (Bayer & Diaconis 1992).";

dealers! {
    Numbered("riffle-1", riffles).with(1): RIFFLE;
    Numbered("riffle-2", riffles).with(2): RIFFLE;
    Numbered("riffle-3", riffles).with(3): RIFFLE;
    Numbered("riffle-4", riffles).with(4): RIFFLE;
    Numbered("riffle-5", riffles).with(5): RIFFLE;
    Numbered("riffle-6", riffles).with(6): RIFFLE;
    Numbered("riffle-7", riffles).with(7): RIFFLE;
    Numbered("riffle-8", riffles).with(8): RIFFLE;
    Numbered("riffle-9", riffles).with(9): RIFFLE;
    Numbered("riffle-10", riffles).with(10): RIFFLE;
    Numbered("riffle-11", riffles).with(11): RIFFLE;
    Numbered("riffle-12", riffles).with(12): RIFFLE;
    Numbered("overhand", overhand).with(10):
        "Ten overhand shuffles of a new deck, in packets of five cards on average (Pemantle 1989: thousands are needed).";
    Numbered("cut", cut): "A new deck, cut once anywhere.";
    Numbered("pile", pile).with(7): "A new deck dealt into seven piles, which are picked up in random order.";
    Numbered("shelf", shelf).with(10):
        "One pass of a new deck through a machine of ten shelves (Diaconis, Fulman & Holmes 2013).";
    Numbered("top-to-random", top_to_random).with(100):
        "The top card of a new deck put back anywhere, a hundred times where 52 log 52 = 205 are needed (Aldous & Diaconis 1986).";
}

pub(super) fn riffles(dice: &mut Dice, times: u32) -> CardOrder {
    riffled(dice, in_order(), times)
}

pub(super) fn riffled(dice: &mut Dice, order: CardOrder, times: u32) -> CardOrder {
    (0..times).fold(order, |order, _| riffle(dice, &order))
}

/// One riffle. All 2^52 words of 52 bits are equally likely: the ones of a word are the places of the
/// left packet, so that the cut is binomial and every interleaving of the packets as likely as any other
/// (Bayer & Diaconis 1992, section 3).
fn riffle(dice: &mut Dice, order: &CardOrder) -> CardOrder {
    let word = dice.long() >> (64 - DECK_CARDS);
    let (mut left, mut right) = (0, word.count_ones() as usize);
    std::array::from_fn(|place| {
        let from = if word >> place & 1 == 1 { &mut left } else { &mut right };
        *from += 1;
        order[*from - 1]
    })
}

/// Every gap between two cards breaks with probability 1/5; the packets come to lie in reverse order.
fn overhand(dice: &mut Dice, times: u32) -> CardOrder {
    (0..times).fold(in_order(), |order, _| {
        let mut result = order;
        let mut first = 0;
        for end in 1..=DECK_CARDS {
            if end == DECK_CARDS || dice.one_in(5) {
                result[DECK_CARDS - end..DECK_CARDS - first].copy_from_slice(&order[first..end]);
                first = end;
            }
        }
        result
    })
}

fn cut(dice: &mut Dice, _: u32) -> CardOrder {
    let mut order = in_order();
    order.rotate_left(dice.below(DECK_CARDS as u32) as usize);
    order
}

/// A card dealt onto a pile covers the ones before it.
fn pile(dice: &mut Dice, piles: u32) -> CardOrder {
    let mut places: Vec<usize> = (0..piles as usize).collect();
    for last in (1..places.len()).rev() {
        places.swap(last, dice.below(last as u32 + 1) as usize);
    }
    let cards = places.iter().flat_map(|&first| (first..DECK_CARDS).step_by(piles as usize).rev());
    collect(cards.map(|card| card as u8))
}

/// Every card goes to a random shelf, on top of or below what lies there; the shelves are then stacked.
fn shelf(dice: &mut Dice, shelves: u32) -> CardOrder {
    let mut stacks = vec![std::collections::VecDeque::new(); shelves as usize];
    for card in in_order() {
        let stack = &mut stacks[dice.below(shelves) as usize];
        if dice.bits(1) == 1 {
            stack.push_front(card);
        } else {
            stack.push_back(card);
        }
    }
    collect(stacks.into_iter().flatten())
}

fn top_to_random(dice: &mut Dice, times: u32) -> CardOrder {
    let mut order = in_order();
    for _ in 0..times {
        order[..=dice.below(DECK_CARDS as u32) as usize].rotate_left(1);
    }
    order
}

fn collect(cards: impl Iterator<Item = u8>) -> CardOrder {
    let cards: Vec<u8> = cards.collect();
    cards.try_into().expect("52 cards went in")
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::deck::inverse_of;

    fn rising_sequences(order: &CardOrder) -> usize {
        let places = inverse_of(order);
        1 + places.windows(2).filter(|pair| pair[0] > pair[1]).count()
    }

    fn rotations(order: &CardOrder) -> usize {
        (0..52).filter(|&i| order[(i + 1) % 52] != (order[i] + 1) % 52).count()
    }

    #[test]
    fn k_riffles_leave_at_most_two_to_the_k_rising_sequences() {
        // Bayer & Diaconis 1992, section 2; and one riffle leaves two unless it changes nothing.
        for times in 1..=4 {
            let most = (0..400).map(|deck| rising_sequences(&riffles(&mut Dice::new(1, deck), times))).max();
            assert!(
                most.is_some_and(|most| most <= 1 << times && most > 1 << (times - 1)),
                "{times}: {most:?}"
            );
        }
        assert_eq!(riffles(&mut Dice::new(1, 0), 0), in_order());
    }

    #[test]
    fn mean_of_rising_sequences_after_seven_riffles_is_that_of_bayer_and_diaconis() {
        // Mean of an a-shuffle, a = 2^k: a − (n+1)/a^n·Σ_{r<a} r^n (their Corollary and Tanny 1973): for
        // n = 52, a = 128 it is 24.71037 (computed in rationals by an independent program); uniform: 26.5.
        let sum: usize = (0..4_000).map(|deck| rising_sequences(&riffles(&mut Dice::new(1, deck), 7))).sum();
        let mean = sum as f64 / 4_000.0;
        assert!((mean - 24.71037).abs() < 0.15, "{mean}");
    }

    #[test]
    fn a_cut_keeps_the_ring_and_an_overhand_its_packets() {
        assert!((0..100).all(|deck| rotations(&cut(&mut Dice::new(1, deck), 0)) == 0));
        // One overhand breaks 51/5 = 10.2 of 51 neighbours.
        let broken: usize = (0..400).map(|deck| rotations(&overhand(&mut Dice::new(1, deck), 1))).sum();
        assert!((3_900..4_700).contains(&broken), "{broken}");
    }

    #[test]
    fn piles_step_by_seven() {
        let order = pile(&mut Dice::new(1, 0), 7);
        let steps = order.windows(2).filter(|pair| pair[0] == pair[1] + 7).count();
        assert_eq!(steps, 52 - 7);
    }

    #[test]
    fn a_shelf_has_one_valley() {
        // Diaconis, Fulman & Holmes 2013, section 3: m shelves give at most m − 1 valleys.
        let one = shelf(&mut Dice::new(1, 0), 1);
        let bottom = one.iter().position(|&card| card == 0).expect("every deck has a 2c");
        assert!(one[..=bottom].is_sorted_by(|a, b| a > b) && one[bottom..].is_sorted());
        for deck in 0..200 {
            let order = shelf(&mut Dice::new(1, deck), 10);
            assert!(order.windows(3).filter(|w| w[1] < w[0] && w[1] < w[2]).count() <= 10);
        }
    }

    #[test]
    fn the_bottom_card_rises_only_when_a_card_is_put_below_it() {
        let kept = (0..2_000).filter(|&deck| top_to_random(&mut Dice::new(1, deck), 20)[51] == 51).count();
        // Each of the 20 cards is put below it with probability 1/52: (51/52)^20 = 0.678 of 2,000 = 1,356 ± 21.
        assert!((1_270..1_440).contains(&kept), "{kept}");
    }
}
