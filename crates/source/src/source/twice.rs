//! Records that stand in an export twice: two lines that name one hand and hold one deck, or that are the same from end to end. They
//! say nothing about the shuffler, and as decks they would be proof against it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};

use deckproof_deck::text::decimal::thousands;

/// Records of which the hashes are kept; of more a half, a quarter and so on, chosen by their hashes.
const KEPT: usize = 1 << 22;

/// The first records of pairs that are named at most.
const TOLD: usize = 16;

/// The hashes of records that are named.
#[derive(Debug, Default)]
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
    fn twice(&mut self) -> Vec<[u64; 2]> {
        let mut pairs = self.pairs();
        pairs.truncate(TOLD);
        pairs
    }

    /// All of them, of the records that are kept.
    pub(super) fn pairs(&mut self) -> Vec<[u64; 2]> {
        self.entries.sort_unstable();
        let pairs = self.entries.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        let mut pairs: Vec<[u64; 2]> = pairs.map(|pair| [pair[0].1, pair[1].1]).collect();
        pairs.sort_unstable_by_key(|pair| pair[1]);
        pairs
    }
}

/// The first records of a file, whose content beside the decks is looked at.
pub(super) const LOOKED_AT: u64 = 1 << 12;

/// What one record in so many may have in common with one of another deck, where that tells records apart.
const ALIKE_SHARE: usize = 10;

/// What a record is known by.
pub(super) enum Identity {
    /// The hash of its id and of its deck.
    Named(u64),
    /// The hash of all of it, and, where looked at, that of what is beside its deck.
    Whole(u64, Option<u64>),
}

/// Those of a file or a stream, while it is read.
pub(super) type SharedIdentities = Arc<Mutex<Identities>>;

/// The records of a source, as far as they can stand there twice.
#[derive(Debug, Default)]
pub(super) struct Identities {
    named: NamedRecords,
    whole: NamedRecords,
    /// What is beside decks, and the whole records.
    beside: Vec<[u64; 2]>,
    looked_at: usize,
}

impl Identities {
    /// Adds a record, counted from 0.
    pub(super) fn push(&mut self, record: u64, identity: Identity) {
        match identity {
            Identity::Named(key) => self.named.push(record, key),
            Identity::Whole(key, beside) => {
                self.whole.push(record, key);
                self.looked_at += usize::from(beside.is_some());
                self.beside.extend(beside.map(|beside| [beside, key]));
            }
        }
    }

    /// Whether what is beside the decks distinguishes records: hardly any two that differ have the same there. A table or a
    /// number of players tells nothing: a deck that comes again under it is as likely the dealer's.
    fn tells_apart(&mut self) -> bool {
        self.beside.sort_unstable();
        self.beside.dedup();
        let alike = self.beside.chunk_by(|one, other| one[0] == other[0]);
        let (groups, shared) = alike.fold((0, 0), |(groups, shared), alike| {
            (groups + 1, shared + if alike.len() > 1 { alike.len() } else { 0 })
        });
        // A dealer of one deck has one such record, however often.
        groups > 0 && ALIKE_SHARE * shared <= self.beside.len() && ALIKE_SHARE * groups >= self.looked_at
    }

    /// Records that stand there twice, the first ones.
    pub(super) fn twice(&mut self) -> Vec<TwiceRead> {
        let named = self.named.twice().into_iter().map(|records| TwiceRead { records, alike: Alike::Named });
        let mut found: Vec<TwiceRead> = named.collect();
        let whole = self.whole.twice();
        if !whole.is_empty() && self.tells_apart() {
            found.extend(whole.into_iter().map(|records| TwiceRead { records, alike: Alike::Whole }));
        }
        found
    }
}

/// Two records that are one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TwiceRead {
    /// Counted from 0.
    pub records: [u64; 2],
    /// What they have in common.
    pub alike: Alike,
}

/// What two records have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alike {
    /// One name and one deck, by the columns that were given.
    Named,
    /// The same, at two times.
    NamedAtTwoTimes,
    /// They are the same from end to end.
    Whole,
}

impl TwiceRead {
    /// What was found and wanted.
    pub(super) fn fault(&self) -> String {
        let [first, second] = self.records.map(|record| thousands(record + 1));
        let same = match self.alike {
            Alike::Named => "have the same name and the same deck, wanted every record once",
            Alike::NamedAtTwoTimes => {
                "have the same name and the same deck at two times, wanted a name of its own for every hand"
            }
            Alike::Whole => "are the same from end to end, wanted every record once",
        };
        format!("records {first} and {second} {same}")
    }

    /// What to do.
    pub(super) fn advice(&self) -> &'static str {
        match self.alike {
            Alike::Named => {
                "If they are one record, the export holds it twice and says nothing about the shuffler: take one of them out. If another \
                 column tells them apart, such as the table, they are two hands with one deck: name both columns, such as --id-column \
                 \"table,hand\", and the decks are judged."
            }
            Alike::NamedAtTwoTimes => {
                "Either the names do not name one hand each, as where each table or each night counts its hands anew, and two hands had \
                 one deck; or one hand was written twice, at two times. If another column tells hands apart, such as the table, name \
                 both, such as --id-column \"table,hand\", and the decks are judged; if they are one hand, take one of the records out."
            }
            Alike::Whole => {
                "Either the export holds one hand twice, as where a record was delivered again or a file was joined to itself, or two \
                 hands had one deck, and nothing in these records tells which. If they are one hand, take one of them out; if they are \
                 two, export a column that tells hands apart."
            }
        }
    }
}

/// The hash of the bytes of a record, without the end of its line.
pub(super) fn whole(line: &[u8]) -> u64 {
    hash(&line.trim_ascii_end())
}

pub(super) fn hash(own: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    own.hash(&mut hasher);
    hasher.finish()
}

/// The hash of a name and the cells of a deck; nothing where there is no name.
pub(super) fn key(name: &str, deck: &[&str]) -> Option<u64> {
    (!name.is_empty()).then(|| hash(&(name, deck)))
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

    #[test]
    fn whole_records_are_one_unless_what_is_beside_decks_differs() {
        // Record by record what is beside its deck, and the deck.
        let twice = |records: &[(u64, u64)]| {
            let mut identities = Identities::default();
            for (place, record) in (0..).zip(records) {
                identities.push(place, Identity::Whole(hash(record), Some(hash(&record.0))));
            }
            identities.twice().into_iter().map(|own| own.records).collect::<Vec<_>>()
        };
        let of_hands =
            |beside: fn(u64) -> u64| (0..100u64).map(|hand| (beside(hand), hand)).collect::<Vec<_>>();
        let again = |records: &[(u64, u64)], from: usize| [records, &records[from..from + 1]].concat();
        assert_eq!(twice(&of_hands(|hand| hand)), Vec::<[u64; 2]>::new());
        assert_eq!(twice(&again(&of_hands(|hand| hand), 7)), [[7, 100]]);
        // Seconds in which two tables dealt, now and then; then one table, and nine.
        assert_eq!(twice(&again(&of_hands(|hand| hand - u64::from(hand % 30 == 1)), 7)), [[7, 100]]);
        assert!(twice(&again(&of_hands(|_| 7), 7)).is_empty());
        assert!(twice(&again(&of_hands(|hand| hand % 9), 7)).is_empty());
        // Every record twice; one deck again and again at one table.
        assert_eq!(twice(&[of_hands(|hand| hand), of_hands(|hand| hand)].concat()).len(), TOLD);
        assert!(twice(&[(7, 7); 100]).is_empty());
        // Decks alone.
        let mut alone = Identities::default();
        (0..2).for_each(|record| alone.push(record, Identity::Whole(7, None)));
        assert!(alone.twice().is_empty());
    }
}
