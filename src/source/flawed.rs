//! `flawed:NAME[:SEED]`: dealers with a known fault, and controls without one; what power is measured on.

mod controls;
mod dice;
mod draws;
mod generators;
mod hands;
mod invalid;
mod memory;
mod rigged;
mod seeds;
mod showdown;
mod sorts;
mod swaps;

use crate::card::DECK_CARDS;
use crate::deck::Deck;
use crate::deck::block::DeckBlock;
use crate::source::flawed::dice::Dice;
use crate::source::{DeckSource, SourceError, fill_singly};

/// 52 card numbers from the top, not yet known to be a deck.
type Order = [u8; DECK_CARDS];

/// A dealer whose decks come one after the other.
type Line = Box<dyn FnMut() -> Order + Send>;

/// The seed of `flawed:NAME` without one.
const SEED_DEFAULT: u64 = 1;

/// What the battery ought to say of a dealer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Expected {
    /// A control: an exact shuffle on a good generator, which must pass.
    Pass,
    /// Caught within a million decks, as far as prototypes tell.
    Caught,
    /// Caught when a rare event first happens: a waiting time, not a number of decks.
    Waiting,
    /// Caught within a million deals by who looks at hands: by the tier stud at seven seats.
    AtTable,
    /// Not within a million decks, for this reason; some of them never.
    Hidden(&'static str),
    /// Deals records that are no decks, from the thousand and first record on.
    Invalid,
}

impl Expected {
    /// What it means, in words.
    pub fn name(self) -> String {
        let name = match self {
            Expected::Pass => "a control that must pass",
            Expected::Caught => "caught within a million decks",
            Expected::Waiting => "caught when a rare event happens",
            Expected::AtTable => "caught within a million deals by the tier stud at seven seats",
            Expected::Hidden(reason) => return format!("not within a million decks: {reason}"),
            Expected::Invalid => "deals a record that is no deck",
        };
        name.to_owned()
    }
}

/// A dealer: its name, its mechanism, and what ought to come of it.
pub struct Dealer {
    /// Its name after `flawed:`, lower case with hyphens; a number at its end is its parameter.
    pub name: &'static str,
    /// The mechanism in one sentence.
    pub about: &'static str,
    /// What the battery ought to say.
    pub expected: Expected,
    parameter: u32,
    mechanism: Mechanism,
}

#[derive(Clone, Copy)]
enum Mechanism {
    /// Every deck follows from the seed and its own number.
    Numbered(fn(&mut Dice, u32) -> Order),
    /// Every deck follows from all before it: a jump begins at deck 0 again.
    Sequential(fn(u64, u32) -> Line),
}

impl Dealer {
    const fn numbered(
        name: &'static str,
        about: &'static str,
        expected: Expected,
        deal: fn(&mut Dice, u32) -> Order,
        parameter: u32,
    ) -> Dealer {
        Dealer { name, about, expected, parameter, mechanism: Mechanism::Numbered(deal) }
    }

    const fn sequential(
        name: &'static str,
        about: &'static str,
        expected: Expected,
        line: fn(u64, u32) -> Line,
        parameter: u32,
    ) -> Dealer {
        Dealer { name, about, expected, parameter, mechanism: Mechanism::Sequential(line) }
    }
}

/// All dealers, family by family.
pub fn list() -> impl Iterator<Item = &'static Dealer> {
    let families: [&'static [Dealer]; 11] = [
        controls::DEALERS,
        swaps::DEALERS,
        draws::DEALERS,
        generators::DEALERS,
        seeds::DEALERS,
        sorts::DEALERS,
        hands::DEALERS,
        memory::DEALERS,
        rigged::DEALERS,
        showdown::DEALERS,
        invalid::DEALERS,
    ];
    families.into_iter().flatten()
}

/// The decks of a dealer.
pub struct Flawed {
    dealer: &'static Dealer,
    seed: u64,
    decks: u64,
    /// Where a sequential dealer stands: its line and the number of the deck that comes next.
    line: Option<(u64, Line)>,
}

impl Flawed {
    /// `decks` decks of the dealer `NAME[:SEED]`; the seed is a number below 2^64, 1 without one.
    ///
    /// # Errors
    /// [`SourceError::Failed`]: no such dealer, or a seed that is no number.
    pub fn open(text: &str, decks: u64) -> Result<Flawed, SourceError> {
        let (name, seed) = match text.split_once(':') {
            Some((name, seed)) => (name, parse_seed(seed)?),
            None => (text, SEED_DEFAULT),
        };
        let dealer = list().find(|dealer| dealer.name == name).ok_or_else(|| {
            let names: Vec<_> = list().map(|dealer| dealer.name).collect();
            SourceError::Failed(format!(
                "flawed:{name}: found no such dealer, wanted one of {}",
                names.join(", ")
            ))
        })?;
        Ok(Flawed { dealer, seed, decks, line: None })
    }

    /// Who deals.
    pub fn dealer(&self) -> &'static Dealer {
        self.dealer
    }

    /// The seed, as it stands in a certificate.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    fn order(&mut self, number: u64) -> Order {
        match self.dealer.mechanism {
            Mechanism::Numbered(deal) => deal(&mut Dice::new(self.seed, number), self.dealer.parameter),
            Mechanism::Sequential(start) => {
                let line = match self.line.take() {
                    Some((next, line)) if next <= number => (next, line),
                    _ => (0, start(self.seed, self.dealer.parameter)),
                };
                let (next, line) = self.line.insert(line);
                while *next < number {
                    line();
                    *next += 1;
                }
                *next += 1;
                line()
            }
        }
    }

    fn deck(&mut self, number: u64) -> Result<Deck, SourceError> {
        let order = self.order(number);
        let record = number.saturating_add(1);
        let place = || format!("flawed:{}:{}, record {record}", self.dealer.name, self.seed);
        Deck::try_from(&order[..]).map_err(|error| SourceError::NotADeck { record, place: place(), error })
    }
}

impl DeckSource for Flawed {
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
        let decks = self.decks;
        fill_singly(block, first, decks, |number| self.deck(number))
    }

    fn go_on(&mut self, decks: u64) -> bool {
        self.decks = decks;
        true
    }

    /// A sequential dealer is replayed from deck 0 by its fork.
    fn fork(&self) -> Option<Box<dyn DeckSource>> {
        let Flawed { dealer, seed, decks, .. } = *self;
        Some(Box::new(Flawed { dealer, seed, decks, line: None }))
    }
}

fn parse_seed(text: &str) -> Result<u64, SourceError> {
    let refused = || SourceError::Failed(format!("found the seed {text:?}, wanted a number below 2^64"));
    text.parse().map_err(|_| refused())
}

/// The order 0, 1, … 51.
fn in_order() -> Order {
    std::array::from_fn(|place| place as u8)
}

/// The downward loop every program below starts from (Durstenfeld 1964, Algorithm 235): correct if and
/// only if `below(m)` is uniform on 0..m and independent of the past. The flaws are in `below`.
fn durstenfeld(mut below: impl FnMut(u32) -> u32) -> Order {
    let mut order = in_order();
    for last in (1..DECK_CARDS).rev() {
        order.swap(last, below(last as u32 + 1) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(source: &mut dyn DeckSource, first: u64) -> DeckBlock {
        let mut block = DeckBlock::default();
        source.fill(first, &mut block).expect("no record here is spoilt");
        block
    }

    #[test]
    fn names_are_unique_and_easy_to_type() {
        let names: std::collections::BTreeSet<_> = list().map(|dealer| dealer.name).collect();
        assert_eq!(names.len(), list().count());
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        assert!(names.iter().all(|name| name.bytes().all(is_plain)));
        assert!(list().all(|dealer| dealer.about.ends_with('.') && dealer.about.len() > 20));
    }

    #[test]
    fn every_dealer_deals_decks_and_gives_the_same_ones_after_a_jump_and_a_fork() {
        for dealer in list() {
            let mut source = Flawed::open(dealer.name, 150).expect("it is in the list");
            let blocks = [0, 64, 128].map(|first| block(&mut source, first));
            assert_eq!(blocks[2].hands(), 22, "{}", dealer.name);
            let mut fork = source.fork().expect("every dealer forks");
            for (reader, number) in [(&mut source as &mut dyn DeckSource, 1usize), (&mut *fork, 2)] {
                let again = block(reader, 64 * number as u64);
                assert_eq!(again.rows(), blocks[number].rows(), "{}", dealer.name);
            }
        }
    }

    #[test]
    fn seeds_change_the_decks_of_every_dealer() {
        for dealer in list() {
            let open =
                |seed| Flawed::open(&format!("{}:{seed}", dealer.name), 64).expect("it is in the list");
            assert_ne!(block(&mut open(1), 0).rows(), block(&mut open(2), 0).rows(), "{}", dealer.name);
            let mut unnamed = Flawed::open(dealer.name, 64).expect("it is in the list");
            assert_eq!(block(&mut open(1), 0).rows(), block(&mut unnamed, 0).rows());
        }
    }

    #[test]
    fn spoilt_records_are_named() {
        for (name, expected) in [
            ("joker", "flawed:joker:1, record 1001: place 25 holds 52, wanted a card 0 to 51"),
            ("duplicate-card", "again at place 51"),
        ] {
            let mut source = Flawed::open(name, 2_000).expect("it is in the list");
            let refused = source.fill(960, &mut DeckBlock::default()).expect_err("deck 1,000 is spoilt");
            assert!(matches!(refused, SourceError::NotADeck { record: 1_001, .. }), "{refused}");
            assert!(refused.to_string().ends_with(expected), "{refused}");
        }
    }

    #[test]
    fn unknown_names_and_seeds_are_refused() {
        let refused = |text| Flawed::open(text, 1).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(
            refused("satollo").starts_with("flawed:satollo: found no such dealer, wanted one of certified,")
        );
        assert_eq!(refused("sattolo:x"), "found the seed \"x\", wanted a number below 2^64");
        assert!(refused("sattolo:-1").contains("-1"));
    }
}
