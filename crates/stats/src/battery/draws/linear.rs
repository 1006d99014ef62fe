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

pub(in crate::battery) struct Linear {
    has_relations: bool,
}

pub(in crate::battery) static LINEAR: Linear = Linear { has_relations: true };

/// Registers and matrices without the relations between bits, which take most of the time: for those who repeat them.
pub(super) static REGISTERS: Linear = Linear { has_relations: false };

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

/// Where the counts of the relations begin.
const AT_RELATIONS: usize = 1 + Worst::CELLS;
const CELLS: usize = AT_RELATIONS + 2 * Coin::CELLS;

/// The worst register and matrix so far.
#[derive(Default)]
pub(super) struct Worst {
    long: Register,
    short: Register,
    rank: Rank,
}

impl Worst {
    pub(super) const CELLS: usize = 2 * Register::CELLS + Rank::CELLS;

    /// Takes the other's part wherever it is worse; of equal ones the first stays.
    pub(super) fn deepen(&mut self, other: &Worst) {
        self.long.deepen(other.long);
        self.short.deepen(other.short);
        self.rank.deepen(other.rank);
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = u64> {
        self.long.cells().into_iter().chain(self.short.cells()).chain(self.rank.cells())
    }

    pub(super) fn read(cells: &[u64]) -> Worst {
        Worst {
            long: Register::from_cells([cells[0], cells[1]]),
            short: Register::from_cells([cells[2], cells[3]]),
            rank: Rank::from_cells([cells[4], cells[5], cells[6]]),
        }
    }

    pub(super) fn is_sound(&self, decks: u64) -> bool {
        self.long.is_sound(decks) && self.short.is_sound(decks) && self.rank.is_sound(decks)
    }

    /// Of so many long registers, short ones and matrices of each way.
    pub(super) fn outcomes(&self, [long, short, matrices]: [usize; 3]) -> Vec<Outcome> {
        let of = |part, score_name, score, chances, p_value| {
            Outcome::of_worst(part, score_name, score, chances * WAYS.len(), p_value)
        };
        vec![
            of("complexity-long", "linear complexity", self.long.score(), long, self.long.p_value()),
            of("complexity", "linear complexity", self.short.score(), short, self.short.p_value()),
            of("rank", "rank", self.rank.score(), matrices, self.rank.p_value()),
        ]
    }

    fn of(stream: &[Drawn]) -> Worst {
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

impl Linear {
    fn of_way(&self, blocks: &[DeckBlock], way: &Undoing) -> (Worst, [Coin; 2]) {
        let stream = stream::undone(way.first(blocks, DECKS_LONG, DECKS_FROM_THE_END), way);
        let relations = || {
            [
                relation::pairs(stream::first(&stream, DECKS_PAIRS)),
                relation::triples(stream::first(&stream, DECKS_TRIPLES)),
            ]
        };
        (Worst::of(&stream), if self.has_relations { relations() } else { Default::default() })
    }
}

/// The relations in counts.
fn relations_in(counts: &[u64]) -> [Coin; 2] {
    let cells = &counts[AT_RELATIONS..];
    [Coin::from_cells([cells[0], cells[1]]), Coin::from_cells([cells[2], cells[3]])]
}

impl Statistic for Linear {
    about_and_cells!(ABOUT, CELLS);

    fn parts(&self, _: u64) -> u64 {
        if self.has_relations { 5 } else { 3 }
    }

    fn reads(&self) -> Vec<(&'static str, u64)> {
        READS.to_vec()
    }

    /// Decks of the first segment, then the worst of each part.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), CELLS);
        let of_ways: Vec<_> = WAYS.par_iter().map(|way| self.of_way(blocks, way)).collect();
        let (mut worst, mut relations) = (Worst::default(), [Coin::default(); 2]);
        for (of_way, own) in of_ways {
            worst.deepen(&of_way);
            relations.iter_mut().zip(own).for_each(|(relation, own)| relation.deepen(own));
        }
        let relations = relations.into_iter().flat_map(Coin::cells);
        let cells = [stream::decks_of(blocks)].into_iter().chain(worst.cells()).chain(relations);
        counts.iter_mut().zip(cells).for_each(|(count, cell)| *count = count.wrapping_add(cell));
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let decks = counts[0];
        let is_sound = Worst::read(&counts[1..]).is_sound(decks)
            && relations_in(counts).iter().all(|relation| relation.is_sound(decks));
        is_sound.then_some(decks)
    }

    fn outcomes(&self, counts: &[u64], _: u64) -> Vec<Outcome> {
        let mut outcomes = Worst::read(&counts[1..]).outcomes([LONG, SHORT, MATRICES]);
        let chances = [relation::PAIRS, relation::TRIPLES];
        for ((part, coin), chances) in RELATIONS.into_iter().zip(relations_in(counts)).zip(chances) {
            outcomes.push(Outcome::of_worst(part, "z", coin.score(), chances * WAYS.len(), coin.p_value()));
        }
        outcomes.truncate(self.parts(0) as usize);
        outcomes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk::sample::{counts, dealt};

    /// glibc's rand() adds the numbers 3 and 31 before: their low bits are a relation of three.
    #[test]
    fn relations_are_counted_where_they_are_asked_for() {
        let p_values = |linear: &Linear, name: &str| {
            let outcomes = linear.finish(&counts(linear, &dealt(name, 0..512)), 512);
            outcomes.iter().find(|own| own.part == RELATIONS[1]).map(|own| own.p_value)
        };
        assert!(p_values(&LINEAR, "glibc-rand").is_some_and(|p| p < 1e-12));
        assert!(p_values(&LINEAR, "certified").is_some_and(|p| p > 1e-3));
        assert_eq!(p_values(&REGISTERS, "glibc-rand"), None);
    }
}
