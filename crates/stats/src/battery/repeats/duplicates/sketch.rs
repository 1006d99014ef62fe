//! A sketch of fingerprints: as many as memory allows, such that both members of a pair stay.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::battery::repeats::duplicates::Equivalence;
use crate::battery::repeats::duplicates::sort::sort;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof_deck::deck::orders::Decks;

/// Bits of a fingerprint.
pub const KEY_BITS: u32 = 96;

/// Bits of an entry below its key: the deck that it is of, or how often the key came beyond twice.
const LOW_BITS: u32 = 128 - KEY_BITS;

/// The most they say: later decks and more copies are as this.
const LOW_MAX: u128 = (1 << LOW_BITS) - 1;

/// Decks with one key that are kept with their numbers: a pair has an address.
const ADDRESSED: usize = 2;

/// Keys that are not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SketchError {
    /// Not ascending, or a key more than twice.
    #[error("entry {place} does not follow the one before, wanted ascending keys, none more than twice")]
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
    /// Further copies of a key that is not kept twice.
    #[error("further copies {place} are of no key that came twice, wanted ascending keys that did")]
    Copies {
        /// Which entry, counted from 0.
        place: usize,
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

/// A sketch of all keys seen: the distinct keys below 2^(96−k), each with the numbers of the first two decks that have it
/// and with how many others do, k the smallest number that leaves at most as many as it may keep. A function of the multiset
/// of keys and numbers alone.
#[derive(Clone, Debug)]
pub struct Sketch {
    /// `key · 2^32 + number of the deck`; the first `compacted` ascending, no key more than twice, the rest as they came.
    entries: Vec<u128>,
    compacted: usize,
    /// Distinct keys among the compacted entries.
    distinct: usize,
    /// `key · 2^32 + copies beyond two`, ascending and distinct.
    more: Vec<u128>,
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

/// Which decks are alike: the first two of every key that came more than once.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Addresses {
    /// Of the keys that came again soonest, the numbers of both decks, counted from 0; at most [`ADDRESSES_MAX`].
    pub pairs: Vec<[u64; 2]>,
    /// How many keys came more than once.
    pub keys: u64,
    /// By how many decks the second follows the first, if that is the same for every key.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub apart: Option<u64>,
}

impl Addresses {
    /// Whether a look at so many decks, of which so many keys were distinct, can have found them.
    pub fn is_sound(&self, decks: u64, distinct: u64) -> bool {
        let Addresses { pairs, keys, apart } = self;
        let is_pair = |&[first, second]: &[u64; 2]| {
            let is_apart = apart.is_none_or(|apart| second.saturating_sub(first) == apart);
            first <= second && second < decks && is_apart
        };
        let later = |pair: &[u64; 2]| [pair[1], pair[0]];
        (1..=distinct).contains(keys)
            && pairs.len() as u64 == (*keys).min(ADDRESSES_MAX as u64)
            && pairs.iter().all(is_pair)
            && pairs.is_sorted_by_key(later)
    }
}

/// Pairs that are named.
pub const ADDRESSES_MAX: usize = 5;

/// The key of an entry.
fn key_of(entry: u128) -> u128 {
    entry >> LOW_BITS
}

impl Sketch {
    /// Nothing seen yet.
    pub fn new(equivalence: &'static Equivalence) -> Sketch {
        Sketch::with_cap(equivalence, equivalence.keys_max)
    }

    fn with_cap(equivalence: &'static Equivalence, keys_max: usize) -> Sketch {
        Sketch {
            entries: Vec::new(),
            compacted: 0,
            distinct: 0,
            more: Vec::new(),
            halvings: 0,
            equivalence,
            keys_max,
        }
    }

    /// What it looks for.
    pub fn equivalence(&self) -> &'static Equivalence {
        self.equivalence
    }

    /// Adds the fingerprints of a block's decks, of which the first has number `first`.
    pub fn observe(&mut self, first: u64, block: &DeckBlock) {
        let mut keys = [0; BLOCK_HANDS];
        (self.equivalence.keys)(block, &mut keys);
        self.push_all(&keys[..block.hands()], first);
    }

    /// The same of blocks whose decks are shown one by one too.
    pub fn observe_orders(&mut self, first: u64, blocks: &[DeckBlock], decks: Decks) {
        match self.equivalence.keys_of_orders {
            Some(keys) => {
                let mut number = first;
                keys(decks, &mut |keys| {
                    self.push_all(keys, number);
                    number += keys.len() as u64;
                });
            }
            None => self.observe_blocks(first, blocks),
        }
    }

    /// Adds the fingerprints of blocks that follow one another.
    pub fn observe_blocks(&mut self, first: u64, blocks: &[DeckBlock]) {
        let mut number = first;
        for block in blocks {
            self.observe(number, block);
            number += block.hands() as u64;
        }
    }

    /// Adds the key of a deck, the low 96 bits of `key`.
    pub fn push(&mut self, key: u128, number: u64) {
        self.push_all(&[key], number);
    }

    /// Adds the keys of decks that follow one another.
    fn push_all(&mut self, keys: &[u128], first: u64) {
        let entry = |(&key, number): (&u128, u64)| key << LOW_BITS | u128::from(number).min(LOW_MAX);
        let (entries, max) = (keys.iter().zip(first..).map(entry), self.entry_max());
        self.make_room(keys.len());
        match self.halvings {
            0 => self.entries.extend(entries),
            _ => self.entries.extend(entries.filter(|&entry| entry <= max)),
        }
        self.shrink();
    }

    /// Makes room when there are too many entries: drops half of the keys where more than may be kept are certainly
    /// distinct, which does not take sorting them.
    fn shrink(&mut self) {
        while self.entries.len() >= self.limit() {
            if self.distinct_at_least() <= self.keys_max {
                return self.compact();
            }
            self.halve(self.halvings + 1);
        }
    }

    /// A number that the distinct keys are not below: that of their values of so many bits that a quarter of the values come.
    fn distinct_at_least(&self) -> usize {
        let bits = self.keys_max.ilog2() + 2;
        // The numbers of the decks do not count.
        let shift = (u128::BITS - bits).saturating_sub(self.halvings).max(LOW_BITS);
        let mut seen = vec![0u64; (1 << bits) / 64];
        for entry in &self.entries {
            let value = (entry >> shift) as usize;
            seen[value / 64] |= 1 << (value % 64);
        }
        seen.iter().map(|seen| seen.count_ones() as usize).sum()
    }

    /// Keeps a smaller share of the keys; entries need not be sorted.
    fn halve(&mut self, halvings: u32) {
        self.halvings = halvings;
        let (max, mut kept) = (self.entry_max(), 0);
        // Every other entry goes: nobody could foretell a branch.
        for place in 0..self.entries.len() {
            let entry = self.entries[place];
            self.entries[kept] = entry;
            kept += usize::from(entry <= max);
        }
        self.entries.truncate(kept);
        self.more.retain(|&entry| entry <= max);
        (self.compacted, self.distinct) = (0, 0);
    }

    /// Entries from which on they are too many: almost a quarter of what is kept may come in before. Not quite, so that the
    /// views of steps, which lack one in every segment, are full when the decks are, and no thread waits for the other.
    fn limit(&self) -> usize {
        self.compacted.max(self.keys_max) + self.keys_max / 4 - self.keys_max / 256
    }

    /// Moves everything another sketch has seen into this one; the other stays empty and from now on drops
    /// what this one would. Whether and when it is sorted does not show in the end.
    pub fn merge(&mut self, other: &mut Sketch) {
        if other.halvings > self.halvings {
            self.halve(other.halvings);
        }
        let max = self.entry_max();
        self.make_room(other.entries.len());
        self.entries.extend(other.entries.drain(..).filter(|&entry| entry <= max));
        self.more.extend(other.more.drain(..).filter(|&entry| entry <= max));
        self.join_copies();
        self.shrink();
        (other.compacted, other.distinct, other.halvings) = (0, 0, self.halvings);
    }

    /// Grows by doubling, but not past what is kept before thinning: a vector left to itself would reserve
    /// half as much again.
    #[inline]
    fn make_room(&mut self, more: usize) {
        let (length, capacity) = (self.entries.len(), self.entries.capacity());
        if capacity - length < more {
            let limit = self.limit();
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
        if self.compacted == self.entries.len() && self.distinct <= self.keys_max {
            return Cow::Borrowed(self);
        }
        let mut sorted = self.clone();
        sorted.compact();
        Cow::Owned(sorted)
    }

    /// Every key that came more than once, with its first two decks and how many there are, of entries that are sorted.
    fn repeated(&self) -> impl Iterator<Item = ([u64; ADDRESSED], u64)> + '_ {
        // Where every entry has a key of its own, which is almost always, none of them need be read again.
        let entries = if self.distinct == self.entries.len() { &[][..] } else { &self.entries[..] };
        let twice = entries.windows(ADDRESSED).filter(|two| key_of(two[0]) == key_of(two[1]));
        let mut more = self.more.iter().copied().peekable();
        twice.map(move |two| {
            let further = more.next_if(|&further| key_of(further) == key_of(two[0]));
            let copies = ADDRESSED as u64 + further.map_or(0, |further| (further & LOW_MAX) as u64);
            ([two[0], two[1]].map(|entry| (entry & LOW_MAX) as u64), copies)
        })
    }

    fn count_compacted(&self) -> SketchCount {
        let further: u64 = self.more.iter().map(|further| (further & LOW_MAX) as u64).sum();
        SketchCount {
            kept: self.entries.len() as u64 + further,
            distinct: self.distinct as u64,
            halvings: self.halvings,
            pairs: self.repeated().map(|(_, copies)| pairs(copies)).fold(0, u64::saturating_add),
        }
    }

    /// Which decks are alike.
    pub fn addresses(&self) -> Addresses {
        let settled = self.settled();
        let mut addresses = Addresses::default();
        let mut soonest: Vec<[u64; 2]> = Vec::new();
        for ([first, second], _) in settled.repeated() {
            let apart = second.saturating_sub(first);
            addresses.apart = (addresses.keys == 0 || addresses.apart == Some(apart)).then_some(apart);
            addresses.keys += 1;
            soonest.push([second, first]);
            if soonest.len() > 64 * ADDRESSES_MAX {
                soonest.sort_unstable();
                soonest.truncate(ADDRESSES_MAX);
            }
        }
        soonest.sort_unstable();
        addresses.pairs =
            soonest.into_iter().take(ADDRESSES_MAX).map(|[second, first]| [first, second]).collect();
        addresses
    }

    /// How often the share of kept keys was halved so far.
    pub fn halvings(&self) -> u32 {
        self.halvings
    }

    /// The entries `key · 2^32 + number of the deck`, ascending once the sketch is settled: with
    /// [`Sketch::halvings`] and [`Sketch::more`] of the same sketch all there is to write down.
    pub fn entries(&self) -> &[u128] {
        &self.entries
    }

    /// The keys that came more than twice, `key · 2^32 + copies beyond two`.
    pub fn more(&self) -> &[u128] {
        &self.more
    }

    /// Reads back the entries of a settled sketch.
    ///
    /// # Errors
    /// [`SketchError`] if no sketch could have written it.
    pub fn from_keys(
        equivalence: &'static Equivalence,
        halvings: u32,
        keys: Vec<u128>,
        more: Vec<u128>,
    ) -> Result<Sketch, SketchError> {
        let keys_max = equivalence.keys_max;
        let distinct = distinct_of(&keys);
        if distinct > keys_max || halvings > KEY_BITS {
            return Err(SketchError::Size { keys: distinct, halvings, keys_max });
        }
        // Numbers of decks end at the largest, at which two may be equal.
        let follows = |pair: &[u128]| pair[0] < pair[1] || pair[0] == pair[1] && pair[0] & LOW_MAX == LOW_MAX;
        if let Some(place) = keys.windows(2).position(|pair| !follows(pair)) {
            return Err(SketchError::Order { place: place + 1 });
        }
        if let Some(place) = keys.windows(3).position(|three| key_of(three[0]) == key_of(three[2])) {
            return Err(SketchError::Order { place: place + 2 });
        }
        let compacted = keys.len();
        let sketch = Sketch { entries: keys, compacted, distinct, more, halvings, equivalence, keys_max };
        if let Some(place) = sketch.entries.iter().position(|&entry| entry > sketch.entry_max()) {
            return Err(SketchError::Thinned { place, halvings });
        }
        match sketch.wrong_copies() {
            Some(place) => Err(SketchError::Copies { place }),
            None => Ok(sketch),
        }
    }

    /// The first of the further copies that cannot be: not ascending, none, or of a key that is not kept twice.
    fn wrong_copies(&self) -> Option<usize> {
        let is_twice = |further: u128| {
            let first = self.entries.partition_point(|&entry| key_of(entry) < key_of(further));
            self.entries.get(first + 1).is_some_and(|&second| key_of(second) == key_of(further))
        };
        let follows = |place: usize| place == 0 || key_of(self.more[place - 1]) < key_of(self.more[place]);
        self.more
            .iter()
            .enumerate()
            .position(|(place, &further)| further & LOW_MAX == 0 || !follows(place) || !is_twice(further))
    }

    /// The largest entry whose key lies below 2^(96−k).
    fn entry_max(&self) -> u128 {
        if self.halvings >= KEY_BITS { LOW_MAX } else { u128::MAX >> self.halvings }
    }

    /// Sorts, joins copies, and halves the share until the distinct keys fit.
    ///
    /// Copies are joined first: a stuck shuffler has one key, which must not be thinned away.
    fn compact(&mut self) {
        if self.compacted < self.entries.len() {
            sort(&mut self.entries, self.halvings);
            let (mut kept, mut distinct, mut more) = (0, 0, Vec::new());
            for place in 0..self.entries.len() {
                let entry = self.entries[place];
                if kept >= ADDRESSED && key_of(self.entries[kept - ADDRESSED]) == key_of(entry) {
                    more.push(key_of(entry) << LOW_BITS | 1);
                } else {
                    distinct += usize::from(kept == 0 || key_of(self.entries[kept - 1]) != key_of(entry));
                    self.entries[kept] = entry;
                    kept += 1;
                }
            }
            self.entries.truncate(kept);
            (self.compacted, self.distinct) = (kept, distinct);
            self.more.append(&mut more);
            self.join_copies();
        }
        while self.distinct > self.keys_max {
            self.halvings += 1;
            self.thin();
        }
    }

    /// One entry for the further copies of each key.
    fn join_copies(&mut self) {
        self.more.sort_unstable();
        self.more.dedup_by(|next, kept| {
            let is_same = key_of(*next) == key_of(*kept);
            if is_same {
                let copies = (*kept & LOW_MAX) + (*next & LOW_MAX);
                *kept = key_of(*kept) << LOW_BITS | copies.min(LOW_MAX);
            }
            is_same
        });
    }

    /// Drops what lies above the share, of entries that are sorted.
    fn thin(&mut self) {
        let max = self.entry_max();
        self.entries.truncate(self.entries.partition_point(|&entry| entry <= max));
        self.more.truncate(self.more.partition_point(|&entry| entry <= max));
        (self.compacted, self.distinct) = (self.entries.len(), distinct_of(&self.entries));
    }
}

/// Distinct keys of sorted entries.
fn distinct_of(entries: &[u128]) -> usize {
    entries.chunk_by(|a, b| key_of(*a) == key_of(*b)).count()
}

fn pairs(copies: u64) -> u64 {
    let pairs = u128::from(copies) * u128::from(copies - 1) / 2;
    u64::try_from(pairs).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
