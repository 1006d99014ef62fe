//! Pairs of decks and near-copies, planted and by chance.

use super::*;
use crate::battery::repeats::duplicates::sketch::Sketch;
use deckproof_deck::keystream::Keystream;

fn keys(seed: u8, n: usize) -> Vec<u128> {
    let mut keystream = Keystream::new(&[seed; 32], 0);
    let mut key = || (0..3).fold(0u128, |key, _| key << 32 | u128::from(keystream.word()));
    (0..n).map(|_| key()).collect()
}

#[test]
fn seed_space_is_the_published_arithmetic() {
    // 10^7 → 43.3 bits, 10^8 → 49.9, 10^9 → 56.5.
    let none = SketchCount { kept: 0, distinct: 0, halvings: 0, pairs: 0 };
    for (decks, bits) in [(10_000_000, 43.3), (100_000_000, 49.9), (1_000_000_000, 56.6)] {
        let shown = seed_space_bits(&none, decks).expect("enough decks");
        assert!((shown - bits).abs() < 0.06, "{decks}: {shown}");
    }
    let halved = SketchCount { halvings: 2, ..none };
    assert!((seed_space_bits(&halved, 10_000_000).expect("enough") - 41.3).abs() < 0.06);
    assert_eq!(EQUAL.outcome(&none, 1_000_000_000).p_value, 1.0);
    assert_eq!(seed_space_bits(&none, 1), None);
}

/// All orders of n cards.
fn orders(n: usize) -> Vec<Vec<usize>> {
    match n {
        0 => vec![Vec::new()],
        _ => {
            let shorter = orders(n - 1);
            let with = |place: usize| {
                shorter.iter().map(move |order| {
                    let mut order = order.clone();
                    order.insert(place, n - 1);
                    order
                })
            };
            (0..n).flat_map(with).collect()
        }
    }
}

/// `P(two independent orders of n cards are alike)·n!`: the mean size of a class.
fn mean_class(n: usize, form: fn(&[usize]) -> Vec<usize>) -> f64 {
    let mut classes = std::collections::BTreeMap::<Vec<usize>, u32>::new();
    let orders = orders(n);
    orders.iter().for_each(|order| *classes.entry(form(order)).or_default() += 1);
    classes.values().map(|&size| f64::from(size).powi(2)).sum::<f64>() / orders.len() as f64
}

#[test]
fn no_class_is_larger_than_the_bound_has_it() {
    let turned = |order: &[usize]| {
        let n = order.len();
        let turn = |start: usize, step: usize| (0..n).map(|i| order[(start + i * step) % n]).collect();
        (0..n).flat_map(|start| [turn(start, 1), turn(start, n - 1)]).min().expect("there are 2n")
    };
    let inverse = |order: &[usize]| {
        let places = (0..order.len()).map(|card| order.iter().position(|&c| c == card).expect("it is there"));
        places.collect::<Vec<_>>().min(order.to_vec())
    };
    for n in [3, 4, 5, 6] {
        assert!((mean_class(n, turned) - 2.0 * n as f64).abs() < 1e-9, "all turns are different");
        // I(n) involutions are alone, the others in twos: 4, 10, 26 and 76 (OEIS A000085).
        let (involutions, all) = ([4.0, 10.0, 26.0, 76.0][n - 3], [6.0, 24.0, 120.0, 720.0][n - 3]);
        assert!((mean_class(n, inverse) - (2.0 - involutions / all)).abs() < 1e-9);
    }
    assert!(TURNED.class_max >= 2.0 * 52.0 && INVERSE.class_max >= 2.0);
}

/// Every equivalence on a deck and a copy of it that is changed as it says, and on one that is not.
#[test]
fn near_copies_have_the_key_of_what_they_copy() {
    use deckproof_deck::deck::Deck;
    let deck: Vec<u8> = (0..52u32).map(|place| ((place * 29 + 11) % 52) as u8).collect();
    // Suits in a circle; ranks in a circle; one half turned over.
    let suits: Vec<u8> = deck.iter().map(|card| card / 4 * 4 + (card + 1) % 4).collect();
    let ranks: Vec<u8> = deck.iter().map(|card| (card + 4) % 52).collect();
    let half = |first: usize| {
        let mut cards = deck.clone();
        cards[first..first + 26].reverse();
        cards
    };
    let other: Vec<u8> = (0..52u32).map(|place| ((place * 31 + 5) % 52) as u8).collect();
    for (equivalence, copy) in
        [(&RANKS, suits), (&SUITS, ranks), (&TOP_HALF, half(26)), (&LOWER_HALF, half(0))]
    {
        let mut block = DeckBlock::default();
        for cards in [&deck, &copy, &other] {
            block.push(&Deck::try_from(&cards[..]).expect("a permutation"));
        }
        let mut keys = [0; BLOCK_HANDS];
        (equivalence.keys)(&block, &mut keys);
        assert!(keys[0] == keys[1] && keys[0] != keys[2], "{}", equivalence.id());
        fingerprints(&block, &mut keys);
        assert!(keys[0] != keys[1]);
    }
    // Classes are those of multinomial coefficients.
    let ln = |n: u64| ln_factorial(n);
    for (class, exact) in
        [(RANKS.class_max, 13.0 * ln(4)), (SUITS.class_max, 4.0 * ln(13)), (HALF_CLASS, ln(26))]
    {
        let off = libm::log(class) - exact;
        assert!((-1e-12..1e-6).contains(&off), "{off}");
    }
}

#[test]
fn a_proof_says_where_it_is() {
    let proof = |view: View, keys: &[u128], first: u64| {
        let mut sketch = Sketch::new(&EQUAL);
        keys.iter().zip(first..).for_each(|(&key, number)| sketch.push(key, number));
        let alike = sketch.addresses();
        assert!(alike.is_sound(first + keys.len() as u64, sketch.count().distinct) || alike.keys == 0);
        EQUAL.proof(view, &sketch.count(), Some(&alike), keys.len() as u64).unwrap_or_default()
    };
    assert_eq!(
        proof(View::Deck, &[5, 6, 7, 6], 0),
        "The same deck came up again: 2 and 4, counted from 1. 1 equal pair among 4 fingerprints of 96 bits."
    );
    let steps = proof(View::Relative, &[5, 6, 7, 6, 5], 1_000);
    assert!(
        steps.contains(": 1,002 to 1,003 and 1,004 to 1,005, 1,001 to 1,002 and 1,005 to 1,006, counted")
    );
    let doubled = proof(View::Deck, &[keys(5, 40), keys(5, 40)].concat(), 0);
    let wanted = "The same deck came up again. The second half of the decks is the first half again: 1 and 41, 2 and 42, \
                  3 and 43, 4 and 44, 5 and 45, and 35 more, counted from 1. 40 equal pairs";
    assert!(doubled.contains(wanted), "{doubled}");
    let overlapping = proof(View::Deck, &[keys(5, 40), keys(5, 30)].concat(), 0);
    assert!(overlapping.contains("Each of the 30 comes again 40 decks later: "), "{overlapping}");
    assert_eq!(proof(View::Deck, &keys(5, 40), 0), "");
}

#[test]
fn seeds_of_sixteen_bits_repeat_soon() {
    let seeds = keys(3, 1 << 16);
    let mut keystream = Keystream::new(&[4; 32], 0);
    let drawn: Vec<u128> = (0..2000).map(|_| seeds[keystream.word() as usize >> 16]).collect();
    let mut sketch = Sketch::new(&EQUAL);
    drawn.iter().zip(0..).for_each(|(&key, number)| sketch.push(key, number));
    let count = sketch.count();
    // C(2000, 2)/65536 = 30.5 pairs, six deviations of 5.5 either way.
    assert!((1..64).contains(&count.pairs), "{}", count.pairs);
    assert!(EQUAL.outcome(&count, 2000).p_value < 1e-20);
}
