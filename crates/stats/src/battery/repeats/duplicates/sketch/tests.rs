//! Keys that come again, against maps of all keys.

use super::*;
use crate::battery::repeats::duplicates::EQUAL;
use deckproof_deck::keystream::Keystream;

fn keys(seed: u8, n: usize) -> Vec<u128> {
    let mut keystream = Keystream::new(&[seed; 32], 0);
    let mut key = || (0..3).fold(0u128, |key, _| key << 32 | u128::from(keystream.word()));
    (0..n).map(|_| key()).collect()
}

/// Keys of decks with their numbers.
fn sketch_of(cap: usize, keys: &[(u128, u64)]) -> Sketch {
    let mut sketch = Sketch::with_cap(&EQUAL, cap);
    keys.iter().for_each(|&(key, number)| sketch.push(key, number));
    sketch
}

fn sketch(cap: usize, keys: &[u128]) -> Sketch {
    sketch_of(cap, &numbered(keys))
}

fn numbered(keys: &[u128]) -> Vec<(u128, u64)> {
    keys.iter().copied().zip(0..).collect()
}

/// The definition, without any sketch: halvings, entries, further copies.
fn by_definition(cap: usize, keys: &[(u128, u64)]) -> (u32, Vec<u128>, Vec<u128>) {
    let mut by_key = std::collections::BTreeMap::<u128, Vec<u64>>::new();
    keys.iter().for_each(|&(key, number)| by_key.entry(key).or_default().push(number));
    by_key.values_mut().for_each(|numbers| numbers.sort_unstable());
    for k in 0.. {
        let kept = || by_key.iter().filter(move |(key, _)| **key >> (96 - k) == 0);
        if kept().count() <= cap {
            let first_two = |(key, numbers): (&u128, &Vec<u64>)| {
                let two = numbers.iter().take(2).map(|&number| key << 32 | u128::from(number));
                two.collect::<Vec<_>>()
            };
            let further = kept().filter(|(_, numbers)| numbers.len() > 2);
            let further = further.map(|(key, numbers)| key << 32 | (numbers.len() as u128 - 2));
            return (k, kept().flat_map(first_two).collect(), further.collect());
        }
    }
    unreachable!("96 halvings leave one key")
}

#[test]
fn sketch_is_its_definition_in_any_order_and_sharding() {
    let mut all = keys(1, 1000);
    all.extend_from_within(100..400);
    all.extend_from_within(150..160);
    all.extend_from_within(150..160);
    let mut all = numbered(&all);
    // The highest key of every share, of a deck with the highest number.
    all.splice(0..0, (0..8).map(|k| ((1 << (KEY_BITS - k)) - 1, LOW_MAX as u64)));
    let (k, wanted, more) = by_definition(64, &all);
    assert!(k >= 4 && wanted.windows(2).any(|two| key_of(two[0]) == key_of(two[1])));
    // Those of 96 bits of which all are kept have some that came four times.
    assert!(by_definition(2_000, &all).2.iter().any(|entry| entry & LOW_MAX == 2));
    for cap in [64, 2_000] {
        let (k, wanted, more) =
            if cap == 64 { (k, wanted.clone(), more.clone()) } else { by_definition(cap, &all) };
        for turn in [0, 1, 137, 700] {
            all.rotate_left(turn);
            let (left, right) = all.split_at(turn * 13 % all.len());
            let mut merged = sketch_of(cap, left);
            merged.merge(&mut sketch_of(cap, right));
            for sketch in [sketch_of(cap, &all), merged] {
                let settled = sketch.settled();
                assert_eq!((settled.entries(), settled.more()), (&wanted[..], &more[..]));
                assert_eq!(settled.halvings(), k);
            }
        }
    }
}

#[test]
fn further_copies_above_the_share_go_with_their_keys() {
    let all = numbered(&[keys(3, 20), keys(3, 20), keys(3, 20), keys(4, 1_000)].concat());
    let mut sketch = sketch_of(64, &all[..60]);
    sketch.settle();
    sketch.merge(&mut sketch_of(64, &all[60..]));
    let (k, wanted, more) = by_definition(64, &all);
    assert!(k >= 4 && more.len() < 20);
    let settled = sketch.settled();
    assert_eq!((settled.halvings(), settled.entries(), settled.more()), (k, &wanted[..], &more[..]));
}

#[test]
fn a_stuck_shuffler_is_not_thinned_away() {
    let stuck = vec![u128::MAX >> 32; 10_000];
    let sketch = sketch(64, &stuck);
    let count = sketch.count();
    assert_eq!(count, SketchCount { kept: 10_000, distinct: 1, halvings: 0, pairs: 49_995_000 });
    assert!(EQUAL.outcome(&count, 10_000).p_value < 1e-20);
    assert_eq!(sketch.addresses(), Addresses { pairs: vec![[0, 1]], keys: 1, apart: Some(1) });
}

#[test]
fn repeated_decks_have_addresses_that_no_sharding_changes() {
    let mut all = keys(7, 3_000);
    // A file whose second half is its first, in one sketch that keeps all of it and in one that keeps a share.
    all.extend_from_within(..);
    for cap in [64, 5_000] {
        let (left, right) = (numbered(&all), numbered(&all).split_off(2_500));
        let mut merged = sketch_of(cap, &right);
        merged.merge(&mut sketch_of(cap, &left[..2_500]));
        for sketch in [sketch(cap, &all), merged] {
            let addresses = sketch.addresses();
            assert_eq!((addresses.apart, addresses.keys), (Some(3_000), sketch.count().distinct));
            assert!(addresses.pairs.iter().all(|[first, second]| first + 3_000 == *second));
            assert!(addresses.pairs.len() == 5 && addresses.pairs.is_sorted());
        }
    }
    // One pair more, and they are no longer equally far apart.
    all.push(all[17]);
    all.push(all[5_999]);
    let odd = keys(8, 1)[0];
    all.extend([odd, odd]);
    assert_eq!(sketch(10_000, &all).addresses().apart, None);
    assert_eq!(sketch(10_000, &keys(9, 500)).addresses(), Addresses::default());
}

#[test]
fn written_sketches_are_read_back_and_impossible_ones_refused() {
    let all = [keys(2, 500), keys(2, 20), keys(2, 3)].concat();
    let sketch = sketch(EQUAL.keys_max, &all);
    let settled = sketch.settled();
    let (entries, more) = (settled.entries().to_vec(), settled.more().to_vec());
    let read =
        Sketch::from_keys(&EQUAL, settled.halvings(), entries.clone(), more.clone()).expect("it was written");
    let count = read.count();
    assert_eq!((count.pairs, count.kept, count.distinct), (17 + 3 * 3, 523, 500));
    assert_eq!((more.len(), entries.len()), (3, 520));
    let refused = |halvings, keys| Sketch::from_keys(&EQUAL, halvings, keys, Vec::new()).err();
    assert_eq!(refused(0, vec![5 << 32, 5 << 32]), Some(SketchError::Order { place: 1 }));
    assert_eq!(refused(0, vec![5 << 32, 5 << 32 | 1, 5 << 32 | 2]), Some(SketchError::Order { place: 2 }));
    assert_eq!(refused(3, vec![1 << 124, 1 << 125]), Some(SketchError::Thinned { place: 1, halvings: 3 }));
    assert_eq!(
        refused(97, vec![]),
        Some(SketchError::Size { keys: 0, halvings: 97, keys_max: EQUAL.keys_max })
    );
    // Copies of a key that came once, none at all, and the same key again.
    let is_single =
        |three: &&[u128]| key_of(three[0]) != key_of(three[1]) && key_of(three[1]) != key_of(three[2]);
    let single = key_of(entries.windows(3).find(is_single).expect("most came once")[1]);
    for wrong in [vec![single << 32 | 1], vec![more[0] & !LOW_MAX], vec![more[0], more[0]]] {
        let found = Sketch::from_keys(&EQUAL, 0, entries.clone(), wrong).err();
        assert!(matches!(found, Some(SketchError::Copies { .. })), "{found:?}");
    }
}
