//! Which decks are equal: a second reading of a source that repeats decks, for the eyes of a person.

use crate::deck::block::DeckBlock;
use crate::math::decimal::thousands;
use crate::source::DeckSource;
use crate::source::record::SourceRecord;

/// More decks than this are not read again: 24 bytes each are kept.
const DECKS_MAX: u64 = 1 << 22;

/// Decks of a look: the number of the first, from 0, and how many.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub(super) first: u64,
    pub(super) decks: u64,
}

/// Which two are equal, or how they repeat, in one sentence; nothing where no two are or they cannot be read again.
pub(super) fn sentence(source: &mut dyn DeckSource, record: &SourceRecord, extent: Extent) -> Option<String> {
    let keys = keys(source, extent)?;
    let words = Words::of(record, extent.first);
    let mut places: Vec<(u128, u32)> = keys.iter().copied().zip(0..).collect();
    places.sort_unstable();
    let mut pairs: Vec<(u32, u32)> =
        places.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| (pair[0].1, pair[1].1)).collect();
    pairs.sort_unstable_by_key(|&(earlier, later)| (later, earlier));
    let &(earlier, later) = pairs.first()?;
    let (count, all) = (pairs.len() as u64, keys.len() as u64);
    if count + 1 == all {
        return Some(format!("All {} {} hold the same deck.", thousands(all), words.many()));
    }
    let lag = u64::from(later - earlier);
    let run = pairs
        .iter()
        .zip(u64::from(later)..)
        .take_while(|(pair, place)| u64::from(pair.1) == *place && u64::from(pair.1 - pair.0) == lag);
    let run = run.count() as u64;
    if run < 2 {
        let others = if count == 1 {
            String::new()
        } else {
            format!("; {} repeat an earlier one in all", thousands(count))
        };
        return Some(format!("{} and {} are the same deck{others}.", words.one(earlier), words.one(later)));
    }
    let again = format!(
        "{} are {} again, in the same order",
        words.range(u64::from(later), run),
        words.range(u64::from(earlier), run)
    );
    let is_half = lag * 2 == all && run == lag;
    Some(match (is_half, words.is_of_file) {
        (true, true) => format!("{again}: the second half of the file is the first half."),
        (true, false) => format!("{again}: the second half is the first half."),
        _ if run == count => format!("{again}."),
        _ => format!("{again}; {} repeat an earlier one in all.", thousands(count)),
    })
}

/// All decks as 128 bits: equal ones are equal, and others are by chance only.
fn keys(source: &mut dyn DeckSource, extent: Extent) -> Option<Vec<u128>> {
    if extent.decks > DECKS_MAX {
        return None;
    }
    let (mut keys, mut block) = (Vec::with_capacity(extent.decks as usize), DeckBlock::default());
    while (keys.len() as u64) < extent.decks {
        source.fill(extent.first + keys.len() as u64, &mut block).ok()?;
        let wanted = extent.decks - keys.len() as u64;
        let decks = (0..block.hands().min(wanted as usize)).map(|lane| block.deck(lane));
        let before = keys.len();
        keys.extend(decks.map(|deck| key(deck.indices())));
        if keys.len() == before {
            return None;
        }
    }
    Some(keys)
}

/// Two remainders of the deck read as a number in base 53, by primes near 2^61 and 2^63.
fn key(cards: &[u8; 52]) -> u128 {
    let remainder =
        |prime: u128| cards.iter().fold(0, |sum: u128, &card| (sum * 53 + u128::from(card)) % prime);
    (remainder((1 << 61) - 1) << 64) | remainder((1 << 63) - 25)
}

/// How decks are named: by their record in a file, by their number otherwise.
struct Words {
    is_of_file: bool,
    /// What the first deck of all is called.
    begin: u64,
}

impl Words {
    fn of(record: &SourceRecord, first_deck: u64) -> Words {
        let is_of_file = record.number("file_records").is_ok();
        let first_record = record.number("first_record").unwrap_or(1);
        Words { is_of_file, begin: first_record + first_deck }
    }

    fn many(&self) -> &'static str {
        if self.is_of_file { "records" } else { "decks" }
    }

    fn one(&self, place: u32) -> String {
        let name = if self.is_of_file { "record" } else { "deck" };
        format!("{name} {}", thousands(self.begin + u64::from(place)))
    }

    fn range(&self, place: u64, run: u64) -> String {
        let first = self.begin + place;
        format!("{} {} to {}", self.many(), thousands(first), thousands(first + run - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deck::Deck;
    use crate::deck::block::BLOCK_HANDS;
    use crate::source::SourceError;

    /// Decks by number: deck n is the order turned by n cards.
    struct Listed(Vec<usize>);

    impl DeckSource for Listed {
        fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
            block.clear();
            for number in self.0.iter().skip(first as usize).take(BLOCK_HANDS) {
                let mut cards = *Deck::in_order().indices();
                cards.rotate_left(number % 52);
                cards.swap(number / 52, 51);
                block.push(&Deck::try_from(&cards[..]).expect("a deck"));
            }
            Ok(())
        }

        fn fork(&self) -> Option<Box<dyn DeckSource>> {
            None
        }
    }

    #[test]
    fn equal_decks_are_named_as_a_person_would() {
        let file = || SourceRecord::new("recorded").with("file_records", 500);
        let check = |numbers: Vec<usize>, record: &SourceRecord, wanted: Option<&str>| {
            let extent = Extent { first: 0, decks: numbers.len() as u64 };
            let found = sentence(&mut Listed(numbers), record, extent);
            assert_eq!(found.as_deref(), wanted);
        };
        let apart = |from: usize, to: usize| (from..to).collect::<Vec<usize>>();
        check(apart(0, 200), &file(), None);
        let twice = [apart(0, 100), apart(0, 100)].concat();
        let half = "records 101 to 200 are records 1 to 100 again, in the same order: the second half of the file is the \
                    first half.";
        check(twice.clone(), &file(), Some(half));
        let half = "decks 101 to 200 are decks 1 to 100 again, in the same order: the second half is the first half.";
        check(twice, &SourceRecord::new("flawed"), Some(half));
        check([apart(0, 90), vec![17]].concat(), &file(), Some("record 18 and record 91 are the same deck."));
        let part = file().with("first_record", 1001).with("last_record", 1091);
        check(
            [apart(0, 90), vec![17]].concat(),
            &part,
            Some("record 1,018 and record 1,091 are the same deck."),
        );
        let scattered = "record 3 and record 91 are the same deck; 2 repeat an earlier one in all.";
        check([apart(0, 90), vec![2, 40]].concat(), &file(), Some(scattered));
        let block = "records 91 to 93 are records 3 to 5 again, in the same order.";
        check([apart(0, 90), vec![2, 3, 4]].concat(), &file(), Some(block));
        check(vec![7; 70], &file(), Some("All 70 records hold the same deck."));
    }
}
