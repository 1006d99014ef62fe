//! Shuffles by sorting: with a comparator that guesses, or by keys that are too short.

use std::cmp::Ordering;

use crate::dealers::dice::Dice;
use crate::dealers::{CardOrder, Expected, in_order};
use deckproof_deck::card::DECK_CARDS;

const SORT_KEY: &str = "Cards are sorted by random keys of so few bits that equal keys keep the old order.";

/// Of 52 keys of 15 bits two are equal in 4 % of the decks, and then two cards keep their order.
const FEW_TIES: &str = "two keys are equal in one deck of 25 or fewer, which moves no count enough";

dealers! {
    Numbered("sort-comparator", |dice, _| by_guessing(dice, binary_insertion_sort)):
        "sort(() => Math.random() - 0.5) where 52 cards are sorted by binary insertion: Node, Chrome since 70, Python.";
    Numbered("sort-comparator-v8", |dice, _| by_guessing(dice, |order, compare| quicksort(order, compare))):
        "The same in Chrome before 70: quicksort with the median of three and insertion for ten or fewer.";
    Numbered("sort-comparator-merge", |dice, _| by_guessing(dice, merge_sort)):
        "The same with a merge sort from below, as Firefox had it.";
    Numbered("sort-comparator-insertion", |dice, _| by_guessing(dice, |order, compare| insertion_sort(order, compare))):
        "The same with plain insertion: a card moves down as long as coins fall heads, so cards stay near home.";
    Numbered("sort-key-8", sort_key).with(8): SORT_KEY;
    Numbered("sort-key-12", sort_key).with(12): SORT_KEY;
    Numbered("sort-key-15", sort_key).expected(Expected::Hidden(FEW_TIES)).with(15): SORT_KEY;
    Numbered("sort-key-16", sort_key).expected(Expected::Hidden(FEW_TIES)).with(16): SORT_KEY;
    Numbered("rank-double", |dice, _| unrank(dice.long() >> 11)):
        "The order's rank is a double times 52!, unranked exactly: 2^53 decks, and the last choices have few bits left.";
}

/// How two cards compare; it may guess.
type Compare<'a> = &'a mut dyn FnMut(u8, u8) -> Ordering;

/// Weir 2010, "Doing the Microsoft Shuffle": the browser ballot of the European Union sorted with a
/// comparator that tossed a coin, and every sorting algorithm answers with its own bias.
fn by_guessing(dice: &mut Dice, sort: impl Fn(&mut [u8], Compare)) -> CardOrder {
    let mut order = in_order();
    sort(&mut order, &mut |_, _| if dice.bits(1) == 0 { Ordering::Less } else { Ordering::Greater });
    order
}

/// TimSort on fewer than 64 items (Peters 2002, listsort.txt): the run at the front is kept, a falling one
/// reversed, and the others are inserted by halving.
fn binary_insertion_sort(order: &mut [u8], compare: Compare) {
    let run = first_run(order, compare);
    for here in run..order.len() {
        let card = order[here];
        let (mut low, mut high) = (0, here);
        while low < high {
            let middle = low + (high - low) / 2;
            match compare(card, order[middle]) {
                Ordering::Less => high = middle,
                _ => low = middle + 1,
            }
        }
        order[low..=here].rotate_right(1);
    }
}

fn first_run(order: &mut [u8], compare: Compare) -> usize {
    let falls = compare(order[1], order[0]).is_lt();
    let mut run = 2;
    while run < order.len() && compare(order[run], order[run - 1]).is_lt() == falls {
        run += 1;
    }
    if falls {
        order[..run].reverse();
    }
    run
}

fn insertion_sort(order: &mut [u8], compare: Compare) {
    for here in 1..order.len() {
        let card = order[here];
        let mut place = here;
        while place > 0 && compare(order[place - 1], card).is_gt() {
            order[place] = order[place - 1];
            place -= 1;
        }
        order[place] = card;
    }
}

/// V8's `array.js` of 2008 to 2018, for arrays of at most 1,000.
fn quicksort(order: &mut [u8], compare: Compare) {
    if order.len() <= 10 {
        return insertion_sort(order, compare);
    }
    let pivot = median_of_three(order, compare);
    let (mut low_end, mut high_start) = (1, order.len() - 1);
    let mut here = 2;
    'partition: while here < high_start {
        let mut verdict = compare(order[here], pivot);
        if verdict.is_gt() {
            loop {
                high_start -= 1;
                if high_start == here {
                    break 'partition;
                }
                verdict = compare(order[high_start], pivot);
                if !verdict.is_gt() {
                    break;
                }
            }
            order.swap(here, high_start);
        }
        if verdict.is_lt() {
            order.swap(here, low_end);
            low_end += 1;
        }
        here += 1;
    }
    // The shorter side first, as there; it matters when the comparator guesses.
    let (low, high) = (0..low_end, high_start..order.len());
    let sides = if high.len() < low.len() { [high, low] } else { [low, high] };
    for side in sides {
        quicksort(&mut order[side], compare);
    }
}

/// Puts the first, last and middle card in order, the middle one at place 1; which card that is.
fn median_of_three(order: &mut [u8], compare: Compare) -> u8 {
    let (last, third) = (order.len() - 1, order.len() / 2);
    let (mut a, mut b, mut c) = (order[0], order[last], order[third]);
    if compare(a, b).is_gt() {
        (a, b) = (b, a);
    }
    if compare(a, c).is_ge() {
        (a, b, c) = (c, a, b);
    } else if compare(b, c).is_gt() {
        (b, c) = (c, b);
    }
    (order[0], order[last]) = (a, c);
    order[third] = order[1];
    order[1] = b;
    b
}

/// Merges runs of 1, 2, 4, … cards.
fn merge_sort(order: &mut [u8], compare: Compare) {
    let mut width = 1;
    while width < order.len() {
        for run in order.chunks_mut(2 * width) {
            merge(run, width, compare);
        }
        width *= 2;
    }
}

fn merge(run: &mut [u8], width: usize, compare: Compare) {
    if run.len() <= width {
        return;
    }
    let whole = run.to_vec();
    let (left, right) = whole.split_at(width);
    let (mut l, mut r) = (0, 0);
    for place in run {
        let takes_left = r == right.len() || l < left.len() && compare(left[l], right[r]).is_le();
        *place = if takes_left { left[l] } else { right[r] };
        (l, r) = if takes_left { (l + 1, r) } else { (l, r + 1) };
    }
}

fn sort_key(dice: &mut Dice, bits: u32) -> CardOrder {
    let keys: [u32; DECK_CARDS] = std::array::from_fn(|_| dice.bits(bits));
    let mut order = in_order();
    order.sort_by_key(|&card| keys[usize::from(card)]);
    order
}

/// `unrank(floor(Math.random() * 52!))` in exact arithmetic: the 53 bits are multiplied by 52, 51, … and
/// each whole part chooses a card that is left (Lehmer 1960). 52! holds 2^49, so few bits reach the end.
fn unrank(mut fraction: u64) -> CardOrder {
    let mut left = in_order().to_vec();
    std::array::from_fn(|_| {
        let product = u128::from(fraction) * left.len() as u128;
        fraction = (product % (1 << 53)) as u64;
        left.remove((product >> 53) as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `[0..52].sort((a, b) => coin ? -1 : 1)` in Node 20, and `sorted` with `cmp_to_key` in CPython 3.11,
    /// the coin being the top bit of xorshift32 from 1: both gave this.
    const BOTH_TIMSORTS: CardOrder = [
        0, 30, 39, 6, 23, 51, 42, 17, 24, 41, 50, 1, 25, 35, 8, 7, 16, 29, 43, 36, 37, 18, 27, 13, 9, 26, 31,
        33, 20, 3, 2, 40, 11, 22, 12, 46, 14, 10, 44, 45, 21, 32, 15, 34, 38, 4, 5, 47, 49, 19, 48, 28,
    ];

    /// The `QuickSort` of V8's `array.js`, run in Node with the same coin.
    const OLD_V8: CardOrder = [
        38, 27, 50, 45, 36, 43, 11, 40, 2, 41, 26, 28, 5, 35, 1, 46, 24, 34, 42, 32, 10, 21, 22, 23, 51, 4,
        8, 37, 30, 48, 19, 12, 33, 29, 7, 18, 9, 0, 13, 49, 6, 20, 3, 44, 39, 47, 16, 25, 15, 17, 31, 14,
    ];

    fn coin() -> impl FnMut(u8, u8) -> Ordering {
        let mut state = 1u32;
        move |_, _| {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            if state >> 31 == 1 { Ordering::Less } else { Ordering::Greater }
        }
    }

    #[test]
    fn binary_insertion_guesses_as_node_and_python_do() {
        let mut order = in_order();
        binary_insertion_sort(&mut order, &mut coin());
        assert_eq!(order, BOTH_TIMSORTS);
    }

    #[test]
    fn quicksort_guesses_as_the_old_v8_did() {
        let mut order = in_order();
        quicksort(&mut order, &mut coin());
        assert_eq!(order, OLD_V8);
    }

    #[test]
    fn every_sort_sorts_when_the_comparator_is_honest() {
        let sorts: [fn(&mut [u8], Compare); 4] =
            [binary_insertion_sort, quicksort, merge_sort, insertion_sort];
        for (number, sort) in sorts.iter().enumerate() {
            for deck in 0..200 {
                let mut order = Dice::new(1, deck).fair();
                sort(&mut order, &mut |a, b| a.cmp(&b));
                assert_eq!(order, in_order(), "sort {number}, deck {deck}");
            }
        }
    }

    #[test]
    fn short_keys_tie_and_ties_keep_their_order() {
        // 52 keys of 8 bits: 52·51/2/256 = 5.18 pairs tie, and every tie is an ascent: P(ascent) above 1/2.
        let ascents = |bits: u32| -> usize {
            (0..4_000)
                .map(|deck| sort_key(&mut Dice::new(1, deck), bits))
                .map(|o| o.windows(2).filter(|w| w[0] < w[1]).count())
                .sum()
        };
        // Fair: 25.5 of 51 each, 102,000 ± 133. Tied neighbours: 51·(1/256 or so) more, halved: about +5.1·…
        assert!((101_400..102_600).contains(&ascents(32)), "{}", ascents(32));
        assert!(ascents(8) > 105_000, "{}", ascents(8));
        assert!(ascents(1) > ascents(8));
    }

    #[test]
    fn unranking_begins_with_the_highest_digit() {
        assert_eq!(unrank(0), in_order());
        // One half of 52! decks lie before the first that begins with card 26, and the rest is in order.
        let half = unrank(1 << 52);
        assert_eq!((half[0], half[1], half[51]), (26, 0, 51));
        // 1 − 2^-53: the last deck but for the few bits that the last choices had.
        assert_eq!(unrank((1 << 53) - 1)[..5], [51, 50, 49, 48, 47]);
    }
}
