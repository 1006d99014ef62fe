//! Generators behind other orders: the statistics of draws as dealers see them who number the cards another way, cut the
//! shuffled deck or deal it seat by seat.
//!
//! Null: that of the statistic it repeats, for cards renamed or places exchanged by a fixed order leave a deck uniform. It
//! reads the first decks by each of its orders, each counted apart; every part takes the worst of them by Bonferroni. The
//! orders are the six usual start orders (by ranks or suits, aces high or low, a new pack and that turned over), or
//! those of dealing: each of the 51 cuts, and whole hands to 2, 3, … and 7 seats, one after the other. Draws undone from a
//! wrong order look like chance whatever the generator, so that a weak one would hide behind a new pack or a cut.

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

use crate::battery::draws::linear::{REGISTERS, Ranks};
use crate::battery::draws::spectral::{FEW, WITHOUT_LAGS};
use crate::battery::nulls::histogram;
use crate::battery::outcome::Outcome;
use crate::battery::pack::{ORDERS, renamed};
use crate::battery::statistic::{About, Design, Scope, Statistic};
use crate::battery::tier::Tier;
use crate::battery::view::Label;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};

/// A statistic of a prefix, by every order of a list.
pub(in crate::battery) struct ByOrder {
    about: &'static About,
    of: &'static dyn Statistic,
    /// How to read a block by each of them.
    orders: &'static [Order],
    /// Decks read, one block of 64 or less or whole blocks.
    decks: u64,
}

/// An order that the plan does not name.
#[derive(Clone, Copy)]
enum Order {
    /// The new deck is in a start order, given by its place among [`ORDERS`].
    Start(usize),
    /// The shuffled deck is turned by so many places.
    Cut(usize),
    /// The shuffled deck is dealt seven cards in a row to each of so many seats, then in order.
    SeatBySeat(usize),
}

impl Order {
    /// The decks as they were shuffled.
    fn undone(&self, block: &DeckBlock) -> DeckBlock {
        match *self {
            Order::Start(order) => renamed(block, ORDERS[order]),
            Order::Cut(places) => moved(block, |place| (place + places) % DECK_CARDS),
            Order::SeatBySeat(seats) => moved(block, |place| dealt_place(place, seats)),
        }
    }
}

/// The block whose place `place` holds what lies at `from(place)`.
fn moved(block: &DeckBlock, from: impl Fn(usize) -> usize) -> DeckBlock {
    let mut moved = DeckBlock::default();
    moved.fill(block.hands(), |rows| {
        rows.iter_mut().enumerate().for_each(|(place, row)| *row = *block.row(from(place)));
    });
    moved
}

/// Cards of a seat.
const SEAT_CARDS: usize = 7;

/// When the card is dealt that is at a place of a deck dealt seat by seat.
const fn dealt_place(place: usize, seats: usize) -> usize {
    if place < SEAT_CARDS * seats { place % SEAT_CARDS * seats + place / SEAT_CARDS } else { place }
}

const START_ORDERS: [Order; ORDERS.len()] =
    [Order::Start(0), Order::Start(1), Order::Start(2), Order::Start(3), Order::Start(4), Order::Start(5)];

/// 51 cuts, then 2 to 7 seats: eight seats have no seven cards each.
const CUTS: [Order; 57] = {
    let mut orders = [Order::Cut(1); 57];
    let mut number = 1;
    while number < orders.len() {
        orders[number] = if number < 51 { Order::Cut(number + 1) } else { Order::SeatBySeat(number - 49) };
        number += 1;
    }
    orders
};

const LINEAR_ABOUT: About = About {
    id: "linear-complexity-orders",
    version: 2,
    tier: Tier::Deep,
    title: "linear complexity and ranks of bits, by start orders",
    null: "No bit of the numbers that a shuffle of a new deck in a usual order must have drawn follows linearly from others.",
    source: "linear-complexity without relations on the first 256 decks by six usual start orders, Bonferroni (1936) over orders",
    detects: "Linear generators behind another order of a new deck than the plan names.",
    decks_min: 32,
    design: Design {
        family: Some("linear-complexity"),
        label: Label::Card,
        scope: Scope::Prefix,
        ..Design::OF_DECKS
    },
};

pub(in crate::battery) static LINEAR: ByOrder =
    ByOrder { about: &LINEAR_ABOUT, of: &REGISTERS, orders: &START_ORDERS, decks: 256 };

const SPECTRAL_ABOUT: About = About {
    id: "spectral-orders",
    version: 5,
    tier: Tier::Deep,
    title: "spectral scan of the draws, by start orders",
    null: "No wave runs through the numbers that a shuffle of a new deck in a usual order must have drawn.",
    source: "spectral without lags on the first 16 decks by six usual start orders, Bonferroni (1936) over orders",
    detects: "Congruential, additive and subtractive generators behind another order of a new deck than the plan names.",
    decks_min: 10,
    design: Design { family: Some("spectral"), label: Label::Card, scope: Scope::Prefix, ..Design::OF_DECKS },
};

pub(in crate::battery) static SPECTRAL: ByOrder =
    ByOrder { about: &SPECTRAL_ABOUT, of: &WITHOUT_LAGS, orders: &START_ORDERS, decks: 16 };

pub(in crate::battery) static LINEAR_CUTS: ByOrder = ByOrder {
    about: &About {
        id: "linear-complexity-cuts",
        version: 1,
        tier: Tier::Deep,
        title: "ranks of bits, by cuts",
        null: "No bit of the numbers that a shuffle must have drawn before a fixed cut, or before dealing seat by seat, follows linearly from others.",
        source: "rank over GF(2) as in linear-complexity, on the first 128 decks turned by 1 to 51 places, and dealt seven cards in \
                 a row to each of 2 to 7 seats; Bonferroni (1936) over these 57 orders",
        detects: "Linear generators of few bits behind a cut that is the same for all decks, or dealt seat by seat.",
        decks_min: 32,
        design: Design { family: Some("linear-complexity"), scope: Scope::Prefix, ..Design::OF_DECKS },
    },
    of: &Ranks,
    orders: &CUTS,
    decks: 128,
};

pub(in crate::battery) static SPECTRAL_CUTS: ByOrder = ByOrder {
    about: &About {
        id: "spectral-cuts",
        version: 1,
        tier: Tier::Deep,
        title: "spectral scan of the draws, by cuts",
        null: "No wave runs through the numbers that a shuffle must have drawn before a fixed cut, or before dealing seat by seat.",
        source: "short waves and waves of published generators as in spectral, on the first 16 decks turned by 1 to 51 places, and dealt \
                 seven cards in a row to each of 2 to 7 seats; Bonferroni (1936) over these 57 orders",
        detects: "Congruential, additive and subtractive generators behind a cut that is the same for all decks, or dealt seat by seat.",
        decks_min: 10,
        design: Design { family: Some("spectral"), scope: Scope::Prefix, ..Design::OF_DECKS },
    },
    of: &FEW,
    orders: &CUTS,
    decks: 16,
};

impl Statistic for ByOrder {
    fn about(&self) -> &'static About {
        self.about
    }

    fn cells(&self) -> usize {
        self.orders.len() * self.of.cells()
    }

    fn parts(&self, decks: u64) -> u64 {
        self.of.parts(decks)
    }

    fn decks_read(&self, part: &str, counts: &[u64], _decks: u64) -> u64 {
        self.of.decks_read(part, counts, counts[0])
    }

    /// For every order the counts of the statistic.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), self.cells());
        let read = (self.decks as usize).div_ceil(BLOCK_HANDS);
        self.orders.par_iter().zip(counts.par_chunks_mut(self.of.cells())).for_each(|(order, own)| {
            let mut undone: Vec<DeckBlock> =
                blocks.iter().take(read).map(|block| order.undone(block)).collect();
            undone.iter_mut().for_each(|block| block.truncate(self.decks as usize));
            self.of.observe(&undone, own);
        });
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let mut decks = counts.chunks(self.of.cells()).map(|own| self.of.decks_in(own));
        let first = decks.next().flatten()?;
        (decks.all(|other| other == Some(first)) && first <= self.decks).then_some(first)
    }

    fn can_hold(&self, held: u64, decks: u64) -> bool {
        held == decks.min(self.decks)
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        // The first count of each is how many decks it was shown.
        histogram::worst_of_each(
            counts.chunks(self.of.cells()).map(|own| self.of.finish(own, own[0])).collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::draws::spectral::SPECTRAL as OF_SPECTRAL;
    use crate::battery::walk::sample::{self, outcome};
    use deckproof_deck::deck::Deck;

    /// The number of a card in a new deck.
    type Numbering = fn(usize) -> usize;

    const NEW: Numbering = |card| card;

    /// Decks swapped by a stream of fractions, the cards of a new deck numbered so.
    fn decks(mut fraction: impl FnMut() -> f64, number: Numbering, decks: usize) -> Vec<[u8; 52]> {
        let mut start = [0u8; 52];
        (0..52).for_each(|card| start[number(card)] = card as u8);
        let mut deck = || {
            let mut cards = start;
            for place in (1..52).rev() {
                cards.swap(place, (fraction() * (place as f64 + 1.0)) as usize);
            }
            cards
        };
        (0..decks).map(|_| deck()).collect()
    }

    /// Fractions of a multiplicative generator: RANDU is [65,539, 2^31], MINSTD [16,807, 2^31 − 1].
    fn multiplied([multiplier, modulus]: [u64; 2]) -> impl FnMut() -> f64 {
        let mut state = 12_345_u64;
        move || {
            state = state * multiplier % modulus;
            state as f64 / modulus as f64
        }
    }

    const RANDU: [u64; 2] = [65_539, 1 << 31];
    const MINSTD: [u64; 2] = [16_807, (1 << 31) - 1];

    fn blocks(decks: &[[u8; 52]]) -> Vec<DeckBlock> {
        let whole = |cards: &[u8; 52]| Deck::try_from(&cards[..]).expect("swaps keep a permutation");
        sample::blocks(&decks.iter().map(whole).collect::<Vec<_>>())
    }

    /// Cut after so many cards.
    fn cut(decks: &[[u8; 52]], cards: usize) -> Vec<[u8; 52]> {
        let cut = |deck: &[u8; 52]| {
            let mut deck = *deck;
            deck.rotate_left(cards);
            deck
        };
        decks.iter().map(cut).collect()
    }

    /// Seven cards in a row to each seat, as they come out where one card a seat and round is written down.
    fn seat_by_seat(decks: &[[u8; 52]], seats: usize) -> Vec<[u8; 52]> {
        let dealt = |deck: &[u8; 52]| {
            let (hands, stub) = deck.split_at(7 * seats);
            let hands: Vec<&[u8]> = hands.chunks(7).collect();
            let mut written: Vec<u8> =
                (0..7).flat_map(|round| hands.iter().map(move |hand| hand[round])).collect();
            written.extend(stub);
            written.try_into().expect("52 cards")
        };
        decks.iter().map(dealt).collect()
    }

    fn counts(statistic: &dyn Statistic, blocks: &[DeckBlock]) -> Vec<u64> {
        let mut counts = vec![0; statistic.cells()];
        statistic.observe(blocks, &mut counts);
        counts
    }

    fn p_value(statistic: &dyn Statistic, counts: &[u64], part: &str) -> f64 {
        outcome(&statistic.finish(counts, 512), part).p_value
    }

    #[test]
    fn randu_is_seen_behind_every_start_order() {
        // By ranks with aces low is by ranks with aces high, turned: that one is not hidden.
        let numbers: [(usize, Numbering); 3] = [
            (0, |card| ORDERS[0](card / 4, card % 4)),
            (1, |card| ORDERS[1](card / 4, card % 4)),
            (5, |card| ORDERS[5](card / 4, card % 4)),
        ];
        for (order, number) in numbers {
            let blocks = blocks(&decks(multiplied(RANDU), number, 64));
            let mut counts = counts(&SPECTRAL, &blocks);
            assert_eq!(SPECTRAL.decks_in(&counts), Some(16));
            assert!(p_value(&SPECTRAL, &counts, "short") < 1e-12, "order {order}");
            // By the order that decks are written in nothing is to be seen, unless it is that one.
            let own = self::counts(&OF_SPECTRAL, &blocks);
            assert_eq!(p_value(&OF_SPECTRAL, &own, "short") < 1e-6, order == 0, "order {order}");
            counts[OF_SPECTRAL.cells()] += 1;
            assert_eq!(SPECTRAL.decks_in(&counts), None);
        }
    }

    #[test]
    fn randu_and_minstd_are_seen_behind_a_cut_and_seat_by_seat() {
        for (generator, part) in [(RANDU, "short"), (MINSTD, "congruential")] {
            let drawn = decks(multiplied(generator), NEW, 64);
            let cuts = [1, 26, 51].map(|cards| cut(&drawn, cards));
            let seats = [2, 6, 7].map(|seats| seat_by_seat(&drawn, seats));
            for dealt in cuts.iter().chain(&seats) {
                let blocks = blocks(dealt);
                let mut counts = counts(&SPECTRAL_CUTS, &blocks);
                assert_eq!(SPECTRAL_CUTS.decks_in(&counts), Some(16));
                assert!(p_value(&SPECTRAL_CUTS, &counts, part) < 1e-12, "{part}");
                counts[FEW.cells()] += 1;
                assert_eq!(SPECTRAL_CUTS.decks_in(&counts), None);
            }
            // A cut in the middle hides it from the statistic that is repeated.
            let own = counts(&OF_SPECTRAL, &blocks(&cuts[1]));
            assert!(p_value(&OF_SPECTRAL, &own, part) > 1e-6, "{part}");
        }
    }

    /// Marsaglia (2003) has 32 bits of state, so that no matrix of them has a higher rank.
    #[test]
    fn xorshift_is_seen_behind_a_cut() {
        let mut state = 2_463_534_242_u32;
        let xorshift = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            f64::from(state) / 4_294_967_296.0
        };
        let drawn = decks(xorshift, NEW, 192);
        for dealt in [cut(&drawn, 13), seat_by_seat(&drawn, 6)] {
            let blocks = blocks(&dealt);
            let counts = counts(&LINEAR_CUTS, &blocks);
            assert_eq!(LINEAR_CUTS.decks_in(&counts), Some(128));
            assert!(p_value(&LINEAR_CUTS, &counts, "rank") < 1e-12);
            let own = self::counts(&Ranks, &blocks);
            assert!(p_value(&Ranks, &own, "rank") > 1e-6);
        }
    }

    #[test]
    fn every_cut_and_every_number_of_seats_is_undone_once() {
        let drawn = decks(multiplied(MINSTD), NEW, 3);
        let wanted = blocks(&drawn);
        let dealt = (1..52).map(|cards| cut(&drawn, 52 - cards));
        let dealt = dealt.chain((2..=7).map(|seats| seat_by_seat(&drawn, seats)));
        let undone: Vec<DeckBlock> =
            dealt.zip(&CUTS).map(|(dealt, order)| order.undone(&blocks(&dealt)[0])).collect();
        assert_eq!(undone.len(), CUTS.len());
        for block in undone {
            assert_eq!((block.hands(), block.rows()), (3, wanted[0].rows()));
        }
    }

    #[test]
    fn only_the_first_decks_are_read() {
        let blocks = blocks(&decks(multiplied(RANDU), |card| ORDERS[4](card / 4, card % 4), 640));
        let counts = counts(&LINEAR, &blocks[..9]);
        assert_eq!(LINEAR.decks_in(&counts), Some(256));
        assert!(LINEAR.can_hold(256, 576) && !LINEAR.can_hold(256, 255) && LINEAR.can_hold(40, 40));
        // RANDU's low bits are never drawn by scaling: its complexity is high, and no p-value is small.
        assert!(p_value(&LINEAR, &counts, "complexity") > 1e-6);
    }
}
