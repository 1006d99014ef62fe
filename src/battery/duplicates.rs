//! Duplicates: decks that come twice, and what their absence says about the seeds.
//!
//! Null: no deck ever repeats (52! orders). Keys are 96-bit fingerprints of one canonical form. Above a cap only
//! keys below q·2^96 are kept, q halving as needed, so that both members of a pair stay, in any order and
//! any sharding; pairs found and the seed space shown then scale by q. It sees seed spaces of up to about
//! twice as many bits as N has, stuck and repeating shufflers: a duplicate is proof.

use std::borrow::Cow;

use crate::battery::kernel::fingerprint::fingerprints;
use crate::battery::{About, Exhibit, Outcome, Spread, Tail, Tier};
use crate::deck::block::{BLOCK_HANDS, DeckBlock};
use crate::math::gamma::ln_factorial;

/// Distinct keys kept before q halves: 64 MB, and a quarter more while they come in.
pub const KEYS_MAX: usize = 1 << 22;

/// Bits of a fingerprint.
pub const KEY_BITS: u32 = 96;

/// Bits of an entry that count further copies of its key; above them stands the key.
const COPIES_BITS: u32 = 128 - KEY_BITS;

/// The most further copies an entry counts.
const COPIES_MAX: u128 = (1 << COPIES_BITS) - 1;

/// What looking for repeated decks is.
pub const ABOUT: About = About {
    id: "duplicates",
    version: 1,
    tier: Tier::Core,
    title: "repeated decks",
    null: "No deck ever comes twice: there are 52! orders.",
    source: "pairs of equal 96-bit fingerprints; P(a pair) ≤ C(N,2)·(1/52! + 2^-96); seed space by the birthday \
             bound exp(−N²/2S)",
    sees: "Stuck and repeating shufflers, and generators with too few seeds.",
    decks_min: 1,
};

/// Keys that are not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DuplicatesError {
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
    #[error("found {keys} keys after {halvings} halvings, wanted at most {KEYS_MAX} and {KEY_BITS}")]
    Size {
        /// How many keys.
        keys: usize,
        /// How many halvings.
        halvings: u32,
    },
}

/// A sketch of all keys seen: the distinct keys below 2^(96−k) with their copies, k the smallest number
/// that leaves at most [`KEYS_MAX`] of them. A function of the multiset of keys alone.
#[derive(Clone, Debug)]
pub struct Duplicates {
    /// `key · 2^32 + further copies`; the first `compacted` ascending and distinct, the rest as they came.
    entries: Vec<u128>,
    compacted: usize,
    halvings: u32,
    keys_max: usize,
}

/// What the sketch holds in the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DuplicatesCount {
    /// Keys kept, copies included.
    pub kept: u64,
    /// Distinct keys among them.
    pub distinct: u64,
    /// `q = 2^-halvings`: the share of all keys that could be kept.
    pub halvings: u32,
    /// `Σ c(c−1)/2` over the keys that came c times.
    pub pairs: u64,
}

impl Default for Duplicates {
    fn default() -> Duplicates {
        Duplicates::new()
    }
}

impl Duplicates {
    /// Nothing seen yet.
    pub fn new() -> Duplicates {
        Duplicates::with_cap(KEYS_MAX)
    }

    fn with_cap(keys_max: usize) -> Duplicates {
        Duplicates { entries: Vec::new(), compacted: 0, halvings: 0, keys_max }
    }

    /// Adds the fingerprints of a block's decks.
    pub fn observe(&mut self, block: &DeckBlock) {
        let mut keys = [0; BLOCK_HANDS];
        fingerprints(block, &mut keys);
        keys[..block.hands()].iter().for_each(|&key| self.push(key));
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
    pub fn merge(&mut self, other: &mut Duplicates) {
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
    pub fn count(&self) -> DuplicatesCount {
        self.compacted().count_compacted()
    }

    /// Sorts now what [`count`](Duplicates::count) and [`keys_sorted`](Duplicates::keys_sorted) would
    /// have to sort in a copy.
    pub fn settle(&mut self) {
        self.compact();
    }

    fn compacted(&self) -> Cow<'_, Duplicates> {
        if self.compacted == self.entries.len() && self.compacted <= self.keys_max {
            return Cow::Borrowed(self);
        }
        let mut sorted = self.clone();
        sorted.compact();
        Cow::Owned(sorted)
    }

    fn count_compacted(&self) -> DuplicatesCount {
        let copies = |entry: &u128| (entry & COPIES_MAX) as u64 + 1;
        DuplicatesCount {
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

    /// The entries `key · 2^32 + further copies`, ascending: with [`Duplicates::halvings`] all there is
    /// to write down.
    pub fn keys_sorted(&self) -> Vec<u128> {
        self.compacted().into_owned().entries
    }

    /// Reads back what [`Duplicates::keys_sorted`] wrote.
    ///
    /// # Errors
    /// [`DuplicatesError`] if no sketch could have written it.
    pub fn from_keys(halvings: u32, keys: Vec<u128>) -> Result<Duplicates, DuplicatesError> {
        if keys.len() > KEYS_MAX || halvings > KEY_BITS {
            return Err(DuplicatesError::Size { keys: keys.len(), halvings });
        }
        let follows = |pair: &[u128]| pair[0] >> COPIES_BITS < pair[1] >> COPIES_BITS;
        if let Some(place) = keys.windows(2).position(|pair| !follows(pair)) {
            return Err(DuplicatesError::Order { place: place + 1 });
        }
        let compacted = keys.len();
        let sketch = Duplicates { entries: keys, compacted, halvings, keys_max: KEYS_MAX };
        match sketch.entries.iter().position(|&entry| entry > sketch.entry_max()) {
            Some(place) => Err(DuplicatesError::Thinned { place, halvings }),
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
            sort(&mut self.entries);
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

/// Entries that one thread sorts by itself.
const PIECE: usize = 1 << 19;

/// Sorts on every idle thread: the views fill at different moments, and one would wait for the other.
fn sort(entries: &mut [u128]) {
    if entries.len() <= PIECE {
        entries.sort_unstable();
    } else {
        let (smaller, _, larger) = entries.select_nth_unstable(entries.len() / 2);
        rayon::join(|| sort(smaller), || sort(larger));
    }
}

fn pairs(copies: u64) -> u64 {
    let pairs = u128::from(copies) * u128::from(copies - 1) / 2;
    u64::try_from(pairs).unwrap_or(u64::MAX)
}

/// The p-value of the pairs among `decks` decks: 1 if there are none, else the bound
/// `P(a duplicate) ≤ C(N,2)·(1/52! + 2^-96)`, the second term for two decks with one fingerprint.
pub fn outcome(count: &DuplicatesCount, decks: u64) -> Outcome {
    let n = decks as f64;
    let chance = (-ln_factorial(52)).exp() + (-f64::from(KEY_BITS)).exp2();
    Outcome {
        part: "pairs",
        score_name: "colliding pairs".to_owned(),
        score: count.pairs as f64,
        p_value: if count.pairs == 0 { 1.0 } else { (0.5 * n * (n - 1.0) * chance).min(1.0) },
        tail: Tail::Bound,
        p_value_bound: None,
        spread: Spread::Conservative,
        exhibit: Exhibit::None,
    }
}

/// `2 ln 100`: without a repeat among N draws from S seeds, `exp(−N²/2S) < 1 %` for smaller S.
const SEED_SPACE_DIVISOR: f64 = 9.210_340_371_976_182;

/// Bits of seed space that the absence of pairs shows at 99 %: log2(N²q/9.21), for seeds drawn
/// independently and uniformly. None if there are pairs or too few decks.
pub fn seed_space_bits(count: &DuplicatesCount, decks: u64) -> Option<f64> {
    let bits = 2.0 * (decks as f64).log2() - f64::from(count.halvings) - SEED_SPACE_DIVISOR.log2();
    (count.pairs == 0 && bits > 0.0).then_some(bits)
}

/// What the count means, in one or two sentences.
pub fn seed_space_sentence(count: &DuplicatesCount, decks: u64) -> String {
    let share = match count.halvings {
        0 => String::new(),
        halvings => format!(" (fingerprints below a share of q = 1/{} were kept)", exponential(halvings)),
    };
    if count.pairs > 0 {
        return format!(
            "{} pairs of equal decks among {decks} decks{share}: that is proof that the decks are not independent.",
            count.pairs
        );
    }
    let shown = match seed_space_bits(count, decks) {
        Some(bits) => format!(
            "No deck repeats among {decks} decks{share}, which shows a seed space above {bits:.1} bits at 99 % \
             for seeds drawn independently and uniformly."
        ),
        None => {
            format!("No deck repeats among {decks} decks{share}, which says nothing about the seed space.")
        }
    };
    format!("{shown} No number of decks could show all 225.6 bits of a deck this way.")
}

fn exponential(halvings: u32) -> u128 {
    1 << halvings.min(KEY_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tape::Tape;

    fn keys(seed: u8, n: usize) -> Vec<u128> {
        let mut tape = Tape::new(&[seed; 32], 0);
        let mut key = || (0..3).fold(0u128, |key, _| key << 32 | u128::from(tape.word()));
        (0..n).map(|_| key()).collect()
    }

    fn sketch(cap: usize, keys: &[u128]) -> Duplicates {
        let mut sketch = Duplicates::with_cap(cap);
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
                assert_eq!((sketch.keys_sorted(), sketch.count().halvings), (wanted.clone(), k));
            }
        }
    }

    #[test]
    fn a_stuck_shuffler_is_not_thinned_away() {
        let stuck = vec![u128::MAX >> 32; 10_000];
        let count = sketch(64, &stuck).count();
        assert_eq!(count, DuplicatesCount { kept: 10_000, distinct: 1, halvings: 0, pairs: 49_995_000 });
        assert!(outcome(&count, 10_000).p_value < 1e-20);
    }

    #[test]
    fn written_sketches_are_read_back_and_impossible_ones_refused() {
        let all = [keys(2, 500), keys(2, 20)].concat();
        let sketch = sketch(KEYS_MAX, &all);
        let read = Duplicates::from_keys(sketch.halvings(), sketch.keys_sorted()).expect("it was written");
        let count = read.count();
        assert_eq!((count.pairs, count.kept, count.distinct), (20, 520, 500));
        let refused = |halvings, keys| Duplicates::from_keys(halvings, keys).err();
        assert_eq!(refused(0, vec![5 << 32, 5 << 32 | 1]), Some(DuplicatesError::Order { place: 1 }));
        assert_eq!(
            refused(3, vec![1 << 124, 1 << 125]),
            Some(DuplicatesError::Thinned { place: 1, halvings: 3 })
        );
        assert_eq!(refused(97, vec![]), Some(DuplicatesError::Size { keys: 0, halvings: 97 }));
    }

    #[test]
    fn seed_space_is_the_published_arithmetic() {
        // 10^7 → 43.3 bits, 10^8 → 49.9, 10^9 → 56.5.
        let none = DuplicatesCount { kept: 0, distinct: 0, halvings: 0, pairs: 0 };
        for (decks, bits) in [(10_000_000, 43.3), (100_000_000, 49.9), (1_000_000_000, 56.6)] {
            let shown = seed_space_bits(&none, decks).expect("enough decks");
            assert!((shown - bits).abs() < 0.06, "{decks}: {shown}");
        }
        let halved = DuplicatesCount { halvings: 2, ..none };
        assert!((seed_space_bits(&halved, 10_000_000).expect("enough") - 41.3).abs() < 0.06);
        assert_eq!(outcome(&none, 1_000_000_000).p_value, 1.0);
        assert_eq!(seed_space_bits(&none, 1), None);
    }

    #[test]
    fn seeds_of_sixteen_bits_repeat_soon() {
        let seeds = keys(3, 1 << 16);
        let mut tape = Tape::new(&[4; 32], 0);
        let drawn: Vec<u128> = (0..2000).map(|_| seeds[tape.word() as usize >> 16]).collect();
        let count = sketch(KEYS_MAX, &drawn).count();
        // C(2000, 2)/65536 = 30.5 pairs, six deviations of 5.5 either way.
        assert!((1..64).contains(&count.pairs), "{}", count.pairs);
        assert!(outcome(&count, 2000).p_value < 1e-20);
    }
}
