//! The exclusive or of two or three fair bits of one deck and the next.

use multiversion::multiversion;

use crate::battery::draws::coin::Coin;
use crate::battery::draws::linear::bits::{self, Bit};
use crate::battery::stream::Drawn;

/// Bits of a deck.
const BITS: usize = 70;

/// At most: pairs and triples of the bits of two decks with at least one of the first deck.
pub(super) const PAIRS: usize = BITS * (BITS - 1) / 2 + BITS * BITS;
pub(super) const TRIPLES: usize =
    BITS * (BITS - 1) * (BITS - 2) / 6 + BITS * BITS * (BITS - 1) / 2 + BITS * BITS * (BITS - 1) / 2;

/// The bits of each deck and of the next one, a row of words for each bit.
struct Rows {
    bits: Vec<Bit>,
    words: Vec<Vec<u64>>,
    trials: u64,
}

impl Rows {
    fn new(stream: &[Drawn]) -> Rows {
        let bits = bits::all();
        let after = |words: &[u64]| -> Vec<u64> {
            let next = words.iter().skip(1).chain([&0]);
            words.iter().zip(next).map(|(own, next)| own >> 1 | next << 63).collect()
        };
        let present: Vec<u64> = stream.iter().map(Drawn::present).collect();
        let links: Vec<u64> = present.iter().zip(after(&present)).map(|(own, next)| own & next).collect();
        let linked = |words: Vec<u64>| words.iter().zip(&links).map(|(word, link)| word & link).collect();
        let own: Vec<Vec<u64>> =
            bits.iter().map(|bit| stream.iter().map(|block| bit.word(block)).collect()).collect();
        let next: Vec<Vec<u64>> = own.iter().map(|words| linked(after(words))).collect();
        let words = own.into_iter().map(linked).chain(next).collect();
        Rows { words, trials: links.iter().map(|word| u64::from(word.count_ones())).sum(), bits }
    }

    /// Whether two of the rows are bits of one digit.
    fn share_digit(&self, a: usize, b: usize) -> bool {
        let own = self.bits.len();
        a / own == b / own && self.bits[a % own].shares_digit(self.bits[b % own])
    }
}

/// The pair furthest from one half.
pub(super) fn pairs(stream: &[Drawn]) -> Coin {
    let rows = Rows::new(stream);
    let mut worst = Coin::default();
    for a in 0..rows.bits.len() {
        for b in (a + 1..rows.words.len()).filter(|&b| !rows.share_digit(a, b)) {
            worst.deepen(Coin { trials: rows.trials, ones: ones(&rows.words[a], &rows.words[b]) });
        }
    }
    worst
}

/// The triple furthest from one half. A digit that gives but one bit makes the sum fair.
pub(super) fn triples(stream: &[Drawn]) -> Coin {
    let rows = Rows::new(stream);
    let columns: Vec<Column> =
        (0..stream.len()).map(|word| std::array::from_fn(|row| rows.words[row][word])).collect();
    let mut worst = Coin::default();
    for a in 0..rows.bits.len() {
        for b in a + 1..rows.words.len() {
            let mut ones = [0; ROWS];
            let excess_max = count_triples(&columns, [a, b], rows.trials, &mut ones);
            if worst.trials > 0 && excess_max <= worst.excess() {
                continue;
            }
            let is_one_digit = rows.share_digit(a, b);
            let further = (b + 1..ROWS).filter(|&c| !(is_one_digit && rows.share_digit(b, c)));
            further.for_each(|c| worst.deepen(Coin { trials: rows.trials, ones: ones[c] }));
        }
    }
    worst
}

/// Rows of bits: those of a deck and of the next one.
const ROWS: usize = 2 * BITS;

/// A word of every row.
type Column = [u64; ROWS];

/// Columns counted before their sums are stored.
const TOGETHER: usize = 4;

/// Ones of the exclusive or of two rows and each other one; and how far from one half the furthest of the rows
/// behind them lies, at most.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vpopcntdq",
    "x86_64+avx2+popcnt",
    "aarch64+neon"
))]
fn count_triples(columns: &[Column], [a, b]: [usize; 2], trials: u64, ones: &mut Column) -> u64 {
    let ones = &mut ones[b + 1..];
    let (together, others) = columns.as_chunks::<TOGETHER>();
    for [first, second, third, fourth] in together {
        // No closures: they would be compiled for any processor.
        let sums = [first[a] ^ first[b], second[a] ^ second[b], third[a] ^ third[b], fourth[a] ^ fourth[b]];
        let words = first[b + 1..].iter().zip(&second[b + 1..]).zip(&third[b + 1..]).zip(&fourth[b + 1..]);
        for (ones, (((first, second), third), fourth)) in ones.iter_mut().zip(words) {
            let pair = u64::from((sums[0] ^ first).count_ones()) + u64::from((sums[1] ^ second).count_ones());
            *ones +=
                pair + u64::from((sums[2] ^ third).count_ones()) + u64::from((sums[3] ^ fourth).count_ones());
        }
    }
    for column in others {
        let sum = column[a] ^ column[b];
        for (ones, word) in ones.iter_mut().zip(&column[b + 1..]) {
            *ones += u64::from((sum ^ word).count_ones());
        }
    }
    ones.iter().map(|ones| (2 * *ones).abs_diff(trials)).max().unwrap_or(0)
}

/// Ones of the exclusive or.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vpopcntdq",
    "x86_64+avx2+popcnt",
    "aarch64+neon"
))]
fn ones(a: &[u64], b: &[u64]) -> u64 {
    a.iter().zip(b).map(|(a, b)| u64::from((a ^ b).count_ones())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::stream::{WAYS, undone};
    use crate::battery::walk::Order;
    use deckproof_deck::deck::Deck;
    use deckproof_deck::deck::block::DeckBlock;
    use deckproof_deck::keystream::Keystream;

    /// Fair digits except that the low bit of base 52 is the sum of those of 50 and 48 of the deck before.
    #[test]
    fn a_planted_triple_is_always_one_of_two() {
        let mut keystream = Keystream::new(&[9; 32], 0);
        let (mut blocks, mut low) = (vec![DeckBlock::default(); 2], 0);
        for number in 0..128 {
            let mut order: Order = std::array::from_fn(|place| place as u8);
            let mut next_low = 0;
            for i in (1..52u32).rev() {
                let mut digit = keystream.word() % (i + 1);
                if i == 51 {
                    digit = digit & !1 | low;
                }
                next_low ^= if [49, 47].contains(&i) { digit & 1 } else { 0 };
                order.swap(i as usize, digit as usize);
            }
            low = next_low;
            blocks[number / 64].push(&Deck::try_from(&order[..]).expect("a permutation"));
        }
        let stream = undone(&blocks, &WAYS[0]);
        assert_eq!(triples(&stream), Coin { trials: 127, ones: 0 });
        assert!(pairs(&stream).p_value() > 1e-6);
    }

    /// Bit by bit, for numbers of columns that are counted together, one by one, and both.
    #[test]
    fn ones_of_triples_are_those_of_every_bit() {
        let mut keystream = Keystream::new(&[8; 32], 0);
        let mut word = || u64::from(keystream.word()) << 32 | u64::from(keystream.word());
        for number in [0, 1, 4, 7] {
            let columns: Vec<Column> = (0..number).map(|_| std::array::from_fn(|_| word())).collect();
            for [a, b] in [[0, 1], [3, 70], [69, ROWS - 2]] {
                let mut ones = [0; ROWS];
                let excess_max = count_triples(&columns, [a, b], 64 * number, &mut ones);
                let of_row = |c: usize| {
                    let bits = columns.iter().flat_map(|column| (0..64).map(move |bit| (column, bit)));
                    bits.filter(|(column, bit)| {
                        [a, b, c].iter().filter(|&&row| column[row] >> bit & 1 == 1).count() % 2 == 1
                    })
                    .count() as u64
                };
                let expected: Vec<u64> = (b + 1..ROWS).map(of_row).collect();
                assert_eq!(ones[b + 1..], expected, "{number} columns, rows {a} and {b}");
                let furthest = expected.iter().map(|ones| (2 * ones).abs_diff(64 * number)).max();
                assert_eq!(Some(excess_max), furthest);
            }
        }
    }

    #[test]
    fn relations_are_as_many_as_allowed_for() {
        let rows = Rows::new(&[]);
        let pairs = (0..BITS).flat_map(|a| (a + 1..2 * BITS).map(move |b| (a, b)));
        assert_eq!((rows.bits.len(), pairs.clone().count()), (BITS, PAIRS));
        assert_eq!(pairs.map(|(_, b)| 2 * BITS - 1 - b).sum::<usize>(), TRIPLES);
    }
}
