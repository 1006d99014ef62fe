//! Linear complexity: bits that a linear recurrence foretells.
//!
//! Null: the top bits [d ≥ m/2] of the digits of even bases m, and the low bits d mod 2^v where 2^v divides m, are
//! fair coins. Parts: `complexity-long`, the shortest linear register of one bit a deck over the first 65,536
//! decks, whose distribution is exact: of 2^n sequences 2^min(2n−2L, 2L−1) have complexity L; `complexity`, the
//! same of 52 bits at strides 1, 2, 4, … 64 over 1,024 terms; `rank`, the rank over GF(2) of the bits of 2, 4 or 8
//! decks in each row, exact (Kovalenko 1972); `pairs` and `triples`, the exclusive or of two
//! or three bits of one deck and the next, never all from one digit: Bin(n, 1/2). All exact with Bonferroni over
//! bits and the eight ways of undoing.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::battery::draws::coin::Coin;
use crate::battery::draws::linear::bits::{Bit, HIGH, LOW};
use crate::battery::draws::linear::complexity::{Register, linear_complexities, linear_complexity};
use crate::battery::draws::linear::rank::Rank;
use crate::battery::draws::linear::sequence::Sequence;
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, Scope, Statistic, about_and_cells};
use crate::battery::stream::{self, Drawn, Undoing, WAYS};
use crate::battery::tier::Tier;
use deckproof_deck::deck::block::DeckBlock;

mod bits;
mod complexity;
pub(super) mod pairs;
pub(super) mod rank;
mod relation;
mod sequence;

pub(in crate::battery) struct Linear;

const ABOUT: About = About {
    id: "linear-complexity",
    version: 3,
    tier: Tier::Deep,
    title: "linear complexity, ranks and relations of bits",
    null: "No bit of the numbers a Fisher–Yates shuffle must have drawn follows linearly from others.",
    source: "Berlekamp–Massey (Massey 1969), distribution: 2^min(2n−2L, 2L−1) of 2^n sequences (Rueppel 1986); rank: Marsaglia \
             & Tsay (1985); relations: Bin(n, 1/2); exact, Bonferroni (1936); the first decks only, of each part as many as it says and from \
             the end 8,192 at most",
    detects: "Linear generators such as xorshift and the Mersenne twister, low bits of rand(), weak ciphers.",
    decks_min: 32,
    design: Design { parts: 5, scope: Scope::Prefix, ..Design::PLAIN },
};

/// Decks read from the end, where fewer are read.
const DECKS_FROM_THE_END: usize = 8_192;

/// Decks read for the long register, for short ones, pairs and triples.
const DECKS_LONG: usize = 65_536;
const TERMS_SHORT: usize = 1_024;
const DECKS_PAIRS: usize = 65_536;
const DECKS_TRIPLES: usize = 4_096;

/// Strides of the short registers.
const STRIDES: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

/// Decks in a row of a matrix; 26 bits each.
const ROW_DECKS: [usize; 3] = [2, 4, 8];

/// The bits of a deck that rows are made of: as many top ones as low ones.
const ROW_BITS: usize = HIGH.len();

/// How many decks each part reads at most.
const READS: [(&str, u64); 5] = [
    ("complexity-long", DECKS_LONG as u64),
    ("complexity", (TERMS_SHORT * STRIDES[STRIDES.len() - 1]) as u64),
    ("rank", Rank::decks_max(ROW_BITS, ROW_DECKS[ROW_DECKS.len() - 1])),
    (RELATIONS[0], DECKS_PAIRS as u64),
    (RELATIONS[1], DECKS_TRIPLES as u64),
];

/// Long registers, short ones, matrices of one way.
const LONG: usize = 2;
const SHORT: usize = 52 * STRIDES.len();
const MATRICES: usize = 2 * ROW_DECKS.len();

/// Where the counts of the parts begin.
const AT_LONG: usize = 1;
const AT_SHORT: usize = AT_LONG + Register::CELLS;
const AT_RANK: usize = AT_SHORT + Register::CELLS;
const AT_PAIRS: usize = AT_RANK + Rank::CELLS;
const AT_TRIPLES: usize = AT_PAIRS + Coin::CELLS;
const CELLS: usize = AT_TRIPLES + Coin::CELLS;

/// The worst of each part so far.
#[derive(Default)]
struct Worst {
    long: Register,
    short: Register,
    rank: Rank,
    pairs: Coin,
    triples: Coin,
}

impl Worst {
    fn read(counts: &[u64]) -> Worst {
        let register = |at: usize| Register::from_cells([counts[at], counts[at + 1]]);
        let relation = |at: usize| Coin::from_cells([counts[at], counts[at + 1]]);
        Worst {
            long: register(AT_LONG),
            short: register(AT_SHORT),
            rank: Rank::from_cells([counts[AT_RANK], counts[AT_RANK + 1], counts[AT_RANK + 2]]),
            pairs: relation(AT_PAIRS),
            triples: relation(AT_TRIPLES),
        }
    }

    /// Takes the other's part wherever it is worse; of equal ones the first stays.
    fn deepen(&mut self, other: &Worst) {
        self.long.deepen(other.long);
        self.short.deepen(other.short);
        self.rank.deepen(other.rank);
        self.pairs.deepen(other.pairs);
        self.triples.deepen(other.triples);
    }

    fn of(stream: &[Drawn]) -> Worst {
        let mut worst = Worst::of_registers(stream);
        worst.pairs.deepen(relation::pairs(stream::first(stream, DECKS_PAIRS)));
        worst.triples.deepen(relation::triples(stream::first(stream, DECKS_TRIPLES)));
        worst
    }

    /// Of registers and matrices, without the relations between bits.
    fn of_registers(stream: &[Drawn]) -> Worst {
        let mut worst = Worst::default();
        for bit in [Bit::top(52), Bit::low(52, 0)] {
            worst.long.deepen(linear_complexity(&bit.sequence(stream)));
        }
        worst.short = shortest(HIGH.iter().chain(&LOW).map(|bit| bit.sequence(stream)));
        worst.rank = worst_rank(stream);
        worst
    }
}

/// The worst short register of some sequences, at every stride.
fn shortest(sequences: impl Iterator<Item = Sequence>) -> Register {
    let strided = |sequence: Sequence| STRIDES.map(|stride| sequence.strided(stride, TERMS_SHORT));
    let mut worst = Register::default();
    linear_complexities(&sequences.flat_map(strided).collect::<Vec<_>>())
        .into_iter()
        .for_each(|register| worst.deepen(register));
    worst
}

/// Of the top bits and of the low ones of 2, 4 or 8 decks in a row.
fn worst_rank(stream: &[Drawn]) -> Rank {
    let mut worst = Rank::default();
    for bits in [&HIGH, &LOW] {
        for decks in ROW_DECKS {
            let words = |block: &Drawn| bits.iter().map(|bit| bit.word(block)).collect();
            worst.deepen(Rank::of(stream, &words, ROW_BITS, decks));
        }
    }
    worst
}

/// Registers and matrices without the relations between bits, which take most of the time: for those who repeat them.
pub(super) struct Registers;

impl Statistic for Registers {
    about_and_cells!(ABOUT, CELLS);

    fn parts(&self, _: u64) -> u64 {
        5 - RELATIONS.len() as u64
    }

    fn reads(&self) -> Vec<(&'static str, u64)> {
        READS.to_vec()
    }

    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        observe(blocks, Worst::of_registers, counts);
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        Linear.decks_in(counts)
    }

    fn outcomes(&self, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let mut outcomes = Linear.finish(counts, decks);
        outcomes.retain(|outcome| !RELATIONS.contains(&outcome.part));
        outcomes
    }
}

/// The ranks alone, which few decks feed: for those who read many windows.
pub(super) struct Ranks;

impl Statistic for Ranks {
    about_and_cells!(ABOUT, 1 + Rank::CELLS);

    fn parts(&self, _: u64) -> u64 {
        1
    }

    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        let ways: Vec<Rank> = WAYS.par_iter().map(|way| worst_rank(&stream::undone(blocks, way))).collect();
        let mut worst = Rank::default();
        ways.into_iter().for_each(|rank| worst.deepen(rank));
        let cells = [stream::decks_of(blocks)].into_iter().chain(worst.cells());
        counts.iter_mut().zip(cells).for_each(|(count, cell)| *count = count.wrapping_add(cell));
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        Rank::from_cells([counts[1], counts[2], counts[3]]).is_sound(counts[0]).then_some(counts[0])
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let rank = Rank::from_cells([counts[1], counts[2], counts[3]]);
        let chances = MATRICES * WAYS.len();
        vec![Outcome::of_worst("rank", "rank", rank.score(), chances, rank.p_value())]
    }
}

/// The parts that are relations between bits.
const RELATIONS: [&str; 2] = ["pairs", "triples"];

fn observe(blocks: &[DeckBlock], worst_of: fn(&[Drawn]) -> Worst, counts: &mut [u64]) {
    assert_eq!(counts.len(), CELLS);
    let of_way =
        |way: &Undoing| worst_of(&stream::undone(way.first(blocks, DECKS_LONG, DECKS_FROM_THE_END), way));
    let of_ways: Vec<Worst> = WAYS.par_iter().map(of_way).collect();
    let mut worst = Worst::default();
    of_ways.iter().for_each(|other| worst.deepen(other));
    let cells = [stream::decks_of(blocks)]
        .into_iter()
        .chain(worst.long.cells())
        .chain(worst.short.cells())
        .chain(worst.rank.cells())
        .chain(worst.pairs.cells())
        .chain(worst.triples.cells());
    counts.iter_mut().zip(cells).for_each(|(count, cell)| *count = count.wrapping_add(cell));
}

impl Statistic for Linear {
    about_and_cells!(ABOUT, CELLS);

    fn reads(&self) -> Vec<(&'static str, u64)> {
        READS.to_vec()
    }

    /// Decks of the first segment, then the worst of each part.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        observe(blocks, Worst::of, counts);
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let decks = counts[0];
        let worst = Worst::read(counts);
        let is_sound = [worst.long, worst.short].iter().all(|register| register.is_sound(decks))
            && [worst.pairs, worst.triples].iter().all(|relation| relation.is_sound(decks))
            && worst.rank.is_sound(decks);
        is_sound.then_some(decks)
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let Worst { long, short, rank, pairs, triples } = Worst::read(counts);
        let ways = WAYS.len();
        vec![
            Outcome::of_worst(
                "complexity-long",
                "linear complexity",
                long.score(),
                LONG * ways,
                long.p_value(),
            ),
            Outcome::of_worst(
                "complexity",
                "linear complexity",
                short.score(),
                SHORT * ways,
                short.p_value(),
            ),
            Outcome::of_worst("rank", "rank", rank.score(), MATRICES * ways, rank.p_value()),
            Outcome::of_worst(RELATIONS[0], "z", pairs.score(), relation::PAIRS * ways, pairs.p_value()),
            Outcome::of_worst(
                RELATIONS[1],
                "z",
                triples.score(),
                relation::TRIPLES * ways,
                triples.p_value(),
            ),
        ]
    }
}
