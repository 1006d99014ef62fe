//! Records that stand in an export twice: two lines that name one hand and hold one deck. They say nothing about the
//! shuffler, and as decks they would be proof against it.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Records of which the hashes are kept; of more a half, a quarter and so on, chosen by their hashes.
const KEPT: usize = 1 << 22;

/// The first records of pairs that are told at most.
const TOLD: usize = 16;

/// The hashes of records that are named.
#[derive(Default)]
pub(super) struct NamedRecords {
    entries: Vec<(u64, u64)>,
    halvings: u32,
}

impl NamedRecords {
    /// Adds a record, counted from 0, by the name that its row gives it and the cells of its deck.
    pub(super) fn push(&mut self, record: u64, key: u64) {
        if self.is_kept(key) {
            self.entries.push((key, record));
        }
        while self.entries.len() > KEPT {
            self.halvings += 1;
            let halvings = self.halvings;
            self.entries.retain(|(key, _)| key.leading_zeros() >= halvings);
        }
    }

    fn is_kept(&self, key: u64) -> bool {
        key.leading_zeros() >= self.halvings
    }

    /// Pairs of records that are the same, in the order of the second one.
    pub(super) fn twice(self) -> Vec<[u64; 2]> {
        let mut pairs = self.pairs();
        pairs.truncate(TOLD);
        pairs
    }

    /// All of them, of the records that are kept.
    pub(super) fn pairs(mut self) -> Vec<[u64; 2]> {
        self.entries.sort_unstable();
        let pairs = self.entries.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        let mut pairs: Vec<[u64; 2]> = pairs.map(|pair| [pair[0].1, pair[1].1]).collect();
        pairs.sort_unstable_by_key(|pair| pair[1]);
        pairs
    }
}

/// The hash of a name and the cells of a deck; nothing where there is no name.
pub(super) fn key(name: &str, deck: &[&str]) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    (name, deck).hash(&mut hasher);
    (!name.is_empty()).then(|| hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hand_that_comes_again_is_found_among_more_than_are_kept() {
        let mut named = NamedRecords::default();
        let names = (0..1_000u64).map(|hand| if hand == 700 { 300 } else { hand });
        for (record, hand) in (0..).zip(names) {
            let key = key(&format!("hand {hand}"), &["2c 3c"]).expect("it has a name");
            named.push(record, key);
        }
        assert_eq!(named.twice(), [[300, 700]]);
        assert_eq!(key("", &["2c 3c"]), None);
        assert_ne!(key("7", &["2c 3c"]), key("7", &["3c 2c"]));
        // Of more than are kept both of a pair are kept or neither is.
        let mut named = NamedRecords::default();
        (0..6_000_000u64).for_each(|record| named.push(record, (record % 5_000_000) << 41));
        assert!(named.halvings > 0 && named.entries.len() <= KEPT);
        let twice = named.twice();
        assert!(!twice.is_empty() && twice.iter().all(|[first, second]| first + 5_000_000 == *second));
    }
}
