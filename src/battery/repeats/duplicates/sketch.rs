//! A sketch of fingerprints: as many as memory allows, such that both members of a pair stay.

use std::borrow::Cow;

use crate::battery::repeats::duplicates::Equivalence;
use crate::battery::repeats::duplicates::sort::sort;
use crate::deck::block::{BLOCK_HANDS, DeckBlock};
use crate::deck::orders::Decks;

/// Bits of a fingerprint.
pub const KEY_BITS: u32 = 96;

/// Bits of an entry that count further copies of its key; above them stands the key.
const COPIES_BITS: u32 = 128 - KEY_BITS;

/// The most further copies an entry counts.
const COPIES_MAX: u128 = (1 << COPIES_BITS) - 1;

/// Keys that are not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SketchError {
    /// Not strictly ascending.
    #[error("entry {place} does not follow the one before, wanted ascending distinct keys")]
    Order {
        /// Which entry, counted from 0.
        place: usize,
    },
    /// A key that the thinning would have dropped.
    #[error("entry {place} lies above the share 1/2^{halvings}, wanted keys below it")]
    Thinned {
        /// Which entry, counted from 0.
        place: usize,
        /// How often the share was halved.
        halvings: u32,
    },
    /// More keys than are ever kept, or more halvings than a key has bits.
    #[error("found {keys} keys after {halvings} halvings, wanted at most {keys_max} and {KEY_BITS}")]
    Size {
        /// How many keys.
        keys: usize,
        /// How many halvings.
        halvings: u32,
        /// The most keys this sketch keeps.
        keys_max: usize,
    },
}

/// A sketch of all keys seen: the distinct keys below 2^(96−k) with their copies, k the smallest number
/// that leaves at most as many as it may keep. A function of the multiset of keys alone.
#[derive(Clone, Debug)]
pub struct Sketch {
    /// `key · 2^32 + further copies`; the first `compacted` ascending and distinct, the rest as they came.
    entries: Vec<u128>,
    compacted: usize,
    halvings: u32,
    equivalence: &'static Equivalence,
    keys_max: usize,
}

/// What the sketch holds in the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SketchCount {
    /// Keys kept, copies included.
    pub kept: u64,
    /// Distinct keys among them.
    pub distinct: u64,
    /// `q = 2^-halvings`: the share of all keys that could be kept.
    pub halvings: u32,
    /// `Σ c(c−1)/2` over the keys that came c times.
    pub pairs: u64,
}

impl Sketch {
    /// Nothing seen yet.
    pub fn new(equivalence: &'static Equivalence) -> Sketch {
        Sketch::with_cap(equivalence, equivalence.keys_max)
    }

    fn with_cap(equivalence: &'static Equivalence, keys_max: usize) -> Sketch {
        Sketch { entries: Vec::new(), compacted: 0, halvings: 0, equivalence, keys_max }
    }

    /// What it looks for.
    pub fn equivalence(&self) -> &'static Equivalence {
        self.equivalence
    }

    /// Adds the fingerprints of a block's decks.
    pub fn observe(&mut self, block: &DeckBlock) {
        let mut keys = [0; BLOCK_HANDS];
        (self.equivalence.keys)(block, &mut keys);
        keys[..block.hands()].iter().for_each(|&key| self.push(key));
    }

    /// The same of decks that are shown one by one too.
    pub fn observe_orders(&mut self, blocks: &[DeckBlock], decks: Decks) {
        match self.equivalence.keys_of_orders {
            Some(keys) => keys(decks, &mut |key| self.push(key)),
            None => blocks.iter().for_each(|block| self.observe(block)),
        }
    }

    /// Adds a key, the low 96 bits of `key`.
    pub fn push(&mut self, key: u128) {
        let entry = key << COPIES_BITS;
        if entry <= self.entry_max() {
            self.make_room(1);
            self.entries.push(entry);
            if self.entries.len() >= self.keys_max + self.keys_max / 4 {
                self.compact();
            }
        }
    }

    /// Moves everything another sketch has seen into this one; the other stays empty and from now on drops
    /// what this one would. Whether and when it is sorted does not show in the end.
    pub fn merge(&mut self, other: &mut Sketch) {
        if other.halvings > self.halvings {
            self.compact();
            self.halvings = other.halvings;
            self.thin();
            self.compacted = self.entries.len();
        }
        let max = self.entry_max();
        self.make_room(other.entries.len());
        self.entries.extend(other.entries.drain(..).filter(|&entry| entry <= max));
        if self.entries.len() >= self.keys_max + self.keys_max / 4 {
            self.compact();
        }
        (other.compacted, other.halvings) = (0, self.halvings);
    }

    /// Grows by doubling, but not past what is kept before thinning: a vector left to itself would reserve
    /// half as much again.
    fn make_room(&mut self, more: usize) {
        let (length, capacity) = (self.entries.len(), self.entries.capacity());
        if capacity - length < more {
            let limit = self.keys_max + self.keys_max / 4;
            self.entries.reserve_exact(more.max(length.min(limit.saturating_sub(length))));
        }
    }

    /// The count of pairs.
    pub fn count(&self) -> SketchCount {
        self.settled().count_compacted()
    }

    /// Sorts now what [`count`](Sketch::count) and [`settled`](Sketch::settled) would have to sort in a copy.
    pub fn settle(&mut self) {
        self.compact();
    }

    /// The sketch in the one form that all ways to the same keys end in.
    pub fn settled(&self) -> Cow<'_, Sketch> {
        if self.compacted == self.entries.len() && self.compacted <= self.keys_max {
            return Cow::Borrowed(self);
        }
        let mut sorted = self.clone();
        sorted.compact();
        Cow::Owned(sorted)
    }

    fn count_compacted(&self) -> SketchCount {
        let copies = |entry: &u128| (entry & COPIES_MAX) as u64 + 1;
        SketchCount {
            kept: self.entries.iter().map(copies).sum(),
            distinct: self.entries.len() as u64,
            halvings: self.halvings,
            pairs: self.entries.iter().map(|e| pairs(copies(e))).fold(0, u64::saturating_add),
        }
    }

    /// How often the share of kept keys was halved so far.
    pub fn halvings(&self) -> u32 {
        self.halvings
    }

    /// The entries `key · 2^32 + further copies`, ascending once the sketch is settled: with
    /// [`Sketch::halvings`] of the same sketch all there is to write down.
    pub fn entries(&self) -> &[u128] {
        &self.entries
    }

    /// Reads back the entries of a settled sketch.
    ///
    /// # Errors
    /// [`SketchError`] if no sketch could have written it.
    pub fn from_keys(
        equivalence: &'static Equivalence,
        halvings: u32,
        keys: Vec<u128>,
    ) -> Result<Sketch, SketchError> {
        let keys_max = equivalence.keys_max;
        if keys.len() > keys_max || halvings > KEY_BITS {
            return Err(SketchError::Size { keys: keys.len(), halvings, keys_max });
        }
        let follows = |pair: &[u128]| pair[0] >> COPIES_BITS < pair[1] >> COPIES_BITS;
        if let Some(place) = keys.windows(2).position(|pair| !follows(pair)) {
            return Err(SketchError::Order { place: place + 1 });
        }
        let compacted = keys.len();
        let sketch = Sketch { entries: keys, compacted, halvings, equivalence, keys_max };
        match sketch.entries.iter().position(|&entry| entry > sketch.entry_max()) {
            Some(place) => Err(SketchError::Thinned { place, halvings }),
            None => Ok(sketch),
        }
    }

    /// The largest entry whose key lies below 2^(96−k).
    fn entry_max(&self) -> u128 {
        if self.halvings >= KEY_BITS { COPIES_MAX } else { u128::MAX >> self.halvings }
    }

    /// Sorts, joins copies, and halves the share until the distinct keys fit.
    ///
    /// Copies are joined first: a stuck shuffler has one key, which must not be thinned away.
    fn compact(&mut self) {
        if self.compacted < self.entries.len() {
            sort(&mut self.entries, self.halvings);
            self.entries.dedup_by(|next, kept| {
                let is_copy = *next >> COPIES_BITS == *kept >> COPIES_BITS;
                if is_copy {
                    let copies = (*kept & COPIES_MAX) + (*next & COPIES_MAX) + 1;
                    *kept = *kept >> COPIES_BITS << COPIES_BITS | copies.min(COPIES_MAX);
                }
                is_copy
            });
        }
        self.thin();
        while self.entries.len() > self.keys_max {
            self.halvings += 1;
            self.thin();
        }
        self.compacted = self.entries.len();
    }

    fn thin(&mut self) {
        let max = self.entry_max();
        self.entries.truncate(self.entries.partition_point(|&entry| entry <= max));
    }
}

fn pairs(copies: u64) -> u64 {
    let pairs = u128::from(copies) * u128::from(copies - 1) / 2;
    u64::try_from(pairs).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::repeats::duplicates::EQUAL;
    use crate::keystream::Keystream;

    fn keys(seed: u8, n: usize) -> Vec<u128> {
        let mut keystream = Keystream::new(&[seed; 32], 0);
        let mut key = || (0..3).fold(0u128, |key, _| key << 32 | u128::from(keystream.word()));
        (0..n).map(|_| key()).collect()
    }

    fn sketch(cap: usize, keys: &[u128]) -> Sketch {
        let mut sketch = Sketch::with_cap(&EQUAL, cap);
        keys.iter().for_each(|&key| sketch.push(key));
        sketch
    }

    /// The definition, without any sketch.
    fn by_definition(cap: usize, keys: &[u128]) -> (u32, Vec<u128>) {
        let mut sorted = keys.to_vec();
        sorted.sort_unstable();
        let kept =
            |k: u32| -> Vec<u128> { sorted.iter().copied().filter(|key| key >> (96 - k) == 0).collect() };
        for k in 0.. {
            let kept = kept(k);
            let mut distinct = kept.clone();
            distinct.dedup();
            if distinct.len() <= cap {
                let copies = |key: &u128| kept.iter().filter(|other| *other == key).count() as u128 - 1;
                return (k, distinct.iter().map(|key| key << 32 | copies(key)).collect());
            }
        }
        unreachable!("96 halvings leave one key")
    }

    #[test]
    fn sketch_is_its_definition_in_any_order_and_sharding() {
        let mut all = keys(1, 1000);
        all.extend_from_within(100..400);
        all.extend_from_within(150..160);
        let (k, wanted) = by_definition(64, &all);
        assert!(k >= 4 && wanted.iter().any(|entry| entry & COPIES_MAX > 0));
        for turn in [0, 1, 137, 700] {
            all.rotate_left(turn);
            let (left, right) = all.split_at(turn * 13 % all.len());
            let mut merged = sketch(64, left);
            merged.merge(&mut sketch(64, right));
            for sketch in [sketch(64, &all), merged] {
                let settled = sketch.settled();
                assert_eq!((settled.entries(), settled.halvings()), (&wanted[..], k));
            }
        }
    }

    #[test]
    fn a_stuck_shuffler_is_not_thinned_away() {
        let stuck = vec![u128::MAX >> 32; 10_000];
        let count = sketch(64, &stuck).count();
        assert_eq!(count, SketchCount { kept: 10_000, distinct: 1, halvings: 0, pairs: 49_995_000 });
        assert!(EQUAL.outcome(&count, 10_000).p_value < 1e-20);
    }

    #[test]
    fn written_sketches_are_read_back_and_impossible_ones_refused() {
        let all = [keys(2, 500), keys(2, 20)].concat();
        let sketch = sketch(EQUAL.keys_max, &all);
        let settled = sketch.settled();
        let read = Sketch::from_keys(&EQUAL, settled.halvings(), settled.entries().to_vec())
            .expect("it was written");
        let count = read.count();
        assert_eq!((count.pairs, count.kept, count.distinct), (20, 520, 500));
        let refused = |halvings, keys| Sketch::from_keys(&EQUAL, halvings, keys).err();
        assert_eq!(refused(0, vec![5 << 32, 5 << 32 | 1]), Some(SketchError::Order { place: 1 }));
        assert_eq!(
            refused(3, vec![1 << 124, 1 << 125]),
            Some(SketchError::Thinned { place: 1, halvings: 3 })
        );
        assert_eq!(
            refused(97, vec![]),
            Some(SketchError::Size { keys: 0, halvings: 97, keys_max: EQUAL.keys_max })
        );
    }
}
