//! Dealers with a known fault, and controls without one: what power is measured on.

/// The dealers of a family as `DEALERS`, a row each: its name and what deals, by its [`Mechanism`]; where something else than to be
/// caught ought to come of it, and its parameter; the mechanism in one sentence.
macro_rules! dealers {
    ($($kind:ident($name:literal, $deal:expr)$(.$set:ident($value:expr))*: $about:expr;)+) => {
        pub(super) const DEALERS: &[$crate::dealers::TestDealer] = &[$(
            $crate::dealers::TestDealer::new($name, $about, $crate::dealers::Mechanism::$kind($deal))
                $(.$set($value))*
        ),+];
    };
}

mod controls;
mod dice;
mod draws;
mod generators;
mod hands;
mod hidden;
mod invalid;
mod libraries;
mod memory;
mod packs;
mod rhythms;
mod rigged;
mod seeds;
mod showdown;
mod sorts;
mod swaps;

use crate::dealers::dice::Dice;
use deckproof_deck::card::DECK_CARDS;

/// 52 card numbers from the top, not yet known to be a deck.
pub type CardOrder = [u8; DECK_CARDS];

/// A dealer whose decks come one after the other.
type Line = Box<dyn FnMut() -> CardOrder + Send>;

/// What the battery ought to say of a dealer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Expected {
    /// A control: an exact shuffle on a good generator, which must pass.
    Pass,
    /// Caught within a million decks, as far as prototypes tell.
    Caught,
    /// The same with most seeds; with the others something happens that hides the flaw, which is this.
    CaughtMostly(&'static str),
    /// Caught when a rare event first happens: a waiting time, not a number of decks.
    Waiting,
    /// Caught within a million deals by who looks at hands: by the tier stud at seven seats.
    AtTable,
    /// Not within a million decks, for this reason; some of them never.
    Hidden(&'static str),
    /// Deals records that are no decks, from the thousand and first record on.
    Invalid,
}

/// How the words of [`Expected::CaughtMostly`] begin.
const MOSTLY: &str = "caught within a million decks with most seeds, unless ";

impl Expected {
    /// What it means, in words.
    pub fn name(self) -> String {
        let name = match self {
            Expected::Pass => "a control that must pass",
            Expected::Caught => "caught within a million decks",
            Expected::CaughtMostly(unless) => {
                return format!("{MOSTLY}{unless}");
            }
            Expected::Waiting => "caught when a rare event happens",
            Expected::AtTable => "caught within a million deals by the tier stud at seven seats",
            Expected::Hidden(reason) => return format!("not within a million decks: {reason}"),
            Expected::Invalid => "deals a record that is no deck",
        };
        name.to_owned()
    }

    /// Whether this name is one of [`Expected::CaughtMostly`].
    pub fn is_mostly(name: &str) -> bool {
        name.starts_with(MOSTLY)
    }
}

/// A dealer: its name, its mechanism, and what ought to come of it.
pub struct TestDealer {
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
    Numbered(fn(&mut Dice, u32) -> CardOrder),
    /// Every deck follows from all before it: a jump begins at deck 0 again.
    Sequential(fn(u64, u32) -> Line),
}

impl TestDealer {
    const fn new(name: &'static str, about: &'static str, mechanism: Mechanism) -> TestDealer {
        TestDealer { name, about, expected: Expected::Caught, parameter: 0, mechanism }
    }

    /// The same where something else than to be caught ought to come of it.
    const fn expected(self, expected: Expected) -> TestDealer {
        TestDealer { expected, ..self }
    }

    /// The same with a parameter.
    const fn with(self, parameter: u32) -> TestDealer {
        TestDealer { parameter, ..self }
    }
}

/// All dealers, family by family.
pub fn list() -> impl Iterator<Item = &'static TestDealer> {
    let families: [&'static [TestDealer]; 15] = [
        controls::DEALERS,
        swaps::DEALERS,
        draws::DEALERS,
        generators::DEALERS,
        libraries::DEALERS,
        hidden::DEALERS,
        seeds::DEALERS,
        sorts::DEALERS,
        hands::DEALERS,
        memory::DEALERS,
        rhythms::DEALERS,
        packs::DEALERS,
        rigged::DEALERS,
        showdown::DEALERS,
        invalid::DEALERS,
    ];
    families.into_iter().flatten()
}

/// What a dealer deals from one seed.
pub struct DealtOrders {
    dealer: &'static TestDealer,
    seed: u64,
    /// How far a sequential dealer is: its line and the number of the deck that comes next.
    line: Option<(u64, Line)>,
}

impl TestDealer {
    /// The dealer of this name.
    pub fn named(name: &str) -> Option<&'static TestDealer> {
        list().find(|dealer| dealer.name == name)
    }

    /// Its decks from a seed.
    pub fn deals(&'static self, seed: u64) -> DealtOrders {
        DealtOrders { dealer: self, seed, line: None }
    }
}

impl DealtOrders {
    /// Who deals.
    pub fn dealer(&self) -> &'static TestDealer {
        self.dealer
    }

    /// From which seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Deck number so-and-so, counted from 0. A sequential dealer that is asked to jump back begins again.
    pub fn order(&mut self, number: u64) -> CardOrder {
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
}

/// The order 0, 1, … 51.
fn in_order() -> CardOrder {
    std::array::from_fn(|place| place as u8)
}

/// The downward loop every program below starts from (Durstenfeld 1964, Algorithm 235): correct if and
/// only if `below(m)` is uniform on 0..m and independent of the past. The flaws are in `below`.
fn durstenfeld(mut below: impl FnMut(u32) -> u32) -> CardOrder {
    let mut order = in_order();
    for last in (1..DECK_CARDS).rev() {
        order.swap(last, below(last as u32 + 1) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_easy_to_type() {
        let names: std::collections::BTreeSet<_> = list().map(|dealer| dealer.name).collect();
        assert_eq!(names.len(), list().count());
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        assert!(names.iter().all(|name| name.bytes().all(is_plain)));
        assert!(list().all(|dealer| dealer.about.ends_with('.') && dealer.about.len() > 20));
    }
}
