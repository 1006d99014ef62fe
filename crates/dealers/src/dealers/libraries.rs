//! Shuffles of standard libraries that draw two numbers from one word, on generators that are too weak for it.

use crate::dealers::dice::Dice;
use crate::dealers::generators::mersenne::Mersenne;
use crate::dealers::{CardOrder, Expected, Line, in_order};

dealers! {
    Sequential("std-shuffle-minstd", minstd):
        "std::shuffle of libstdc++ on one stream of minstd_rand0: one number for every two swaps.";
    // 2.36 words are rejected in a million decks: none in 56,234 decks with 88 % of the seeds.
    Sequential("std-shuffle-mt19937", mt19937).expected(Expected::CaughtMostly("a word is rejected in the first 65,536 decks, with one seed in seven")):
        "std::shuffle of libstdc++ on one stream of mt19937: one number for every two swaps.";
    Sequential("std-shuffle-ranlux-base", |seed, _| ranlux_from(1 + Dice::new(seed, 0).below(2_147_483_562))):
        "std::shuffle of libstdc++ on one stream of ranlux24_base, a subtraction with borrow of lags 10 and 24.";
}

/// `std::shuffle` of 52 cards in libstdc++ 12 (`bits/stl_algo.h`): the second card by a number below 2, then cards by
/// twos, `x` below `b·(b + 1)` giving `x / (b + 1)` and `x % (b + 1)`.
fn std_shuffle(mut below: impl FnMut(u32) -> u32) -> CardOrder {
    let mut order = in_order();
    order.swap(1, below(2) as usize);
    for card in (2..order.len()).step_by(2) {
        let range = card as u32 + 1;
        let both = below(range * (range + 1));
        order.swap(card, (both / (range + 1)) as usize);
        order.swap(card + 1, (both % (range + 1)) as usize);
    }
    order
}

/// `uniform_int_distribution` on numbers 0 to `most` that do not fill a word: two divisions.
fn downscaled(mut number: impl FnMut() -> u32, most: u32, range: u32) -> u32 {
    let scaling = most / range;
    loop {
        let found = number();
        if found < range * scaling {
            return found / scaling;
        }
    }
}

const MINSTD_MODULUS: u64 = (1 << 31) - 1;

fn minstd(seed: u64, _: u32) -> Line {
    minstd_from(1 + u64::from(Dice::new(seed, 0).below(MINSTD_MODULUS as u32 - 1)))
}

fn minstd_from(mut state: u64) -> Line {
    let mut number = move || {
        state = state * 16_807 % MINSTD_MODULUS;
        state as u32 - 1
    };
    Box::new(move || std_shuffle(|range| downscaled(&mut number, MINSTD_MODULUS as u32 - 2, range)))
}

fn mt19937(seed: u64, _: u32) -> Line {
    mt19937_from(Dice::new(seed, 0).word())
}

fn mt19937_from(seed: u32) -> Line {
    let mut generator = Mersenne::from_seed(seed);
    // Lemire's multiplication, as on every generator that fills a word.
    let mut below = move |range: u32| loop {
        let wide = u64::from(generator.word()) * u64::from(range);
        let low = wide as u32;
        if low >= range || low >= range.wrapping_neg() % range {
            return (wide >> 32) as u32;
        }
    };
    Box::new(move || std_shuffle(&mut below))
}

/// `x_n = x_{n−10} − x_{n−24} − borrow mod 2^24` (Marsaglia & Zaman 1991; Lüscher 1994 without the numbers thrown away).
struct Ranlux {
    last: [u32; 24],
    next: usize,
    borrow: u32,
}

impl Ranlux {
    /// The constructor of C++: 24 numbers of `x ← 40014·x mod 2147483563`.
    fn new(seed: u32) -> Ranlux {
        let mut state = u64::from(seed);
        let mut number = || {
            state = state * 40_014 % 2_147_483_563;
            state as u32 & 0xff_ffff
        };
        let last: [u32; 24] = std::array::from_fn(|_| number());
        Ranlux { borrow: u32::from(last[23] == 0), last, next: 0 }
    }

    fn number(&mut self) -> u32 {
        let short = self.last[(self.next + 24 - 10) % 24];
        let difference = i64::from(short) - i64::from(self.last[self.next]) - i64::from(self.borrow);
        self.borrow = u32::from(difference < 0);
        let number = difference.rem_euclid(1 << 24) as u32;
        self.last[self.next] = number;
        self.next = (self.next + 1) % 24;
        number
    }
}

fn ranlux_from(seed: u32) -> Line {
    let mut generator = Ranlux::new(seed);
    Box::new(move || std_shuffle(|range| downscaled(|| generator.number(), (1 << 24) - 1, range)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `std::shuffle` of 0 to 51 with `minstd_rand0(42)`, `mt19937(42)` and `ranlux24_base(42)`, and once more with the
    /// same generator; g++ 12, libstdc++ 12.
    const DECKS: [[CardOrder; 2]; 3] = [
        [
            [
                17, 11, 20, 46, 18, 27, 50, 45, 4, 16, 15, 35, 26, 43, 2, 3, 13, 19, 23, 39, 49, 40, 24, 22,
                5, 8, 48, 21, 14, 9, 28, 38, 47, 44, 6, 51, 42, 0, 41, 1, 31, 37, 29, 25, 30, 33, 36, 7, 12,
                10, 32, 34,
            ],
            [
                12, 11, 39, 50, 13, 4, 42, 3, 31, 48, 28, 32, 10, 36, 18, 51, 23, 37, 19, 45, 44, 40, 49, 14,
                16, 24, 29, 5, 41, 7, 27, 30, 20, 9, 43, 25, 1, 22, 8, 38, 21, 17, 2, 0, 33, 15, 35, 34, 26,
                47, 6, 46,
            ],
        ],
        [
            [
                40, 24, 42, 29, 5, 34, 21, 37, 18, 19, 30, 31, 26, 3, 10, 39, 7, 8, 43, 32, 0, 11, 16, 12, 6,
                38, 36, 25, 33, 45, 13, 27, 4, 46, 9, 41, 2, 23, 28, 49, 48, 1, 22, 44, 47, 51, 17, 50, 35,
                15, 14, 20,
            ],
            [
                43, 34, 19, 12, 46, 5, 10, 25, 16, 20, 42, 6, 47, 13, 26, 40, 17, 28, 4, 15, 44, 8, 35, 49,
                45, 24, 11, 51, 0, 18, 37, 50, 27, 14, 21, 29, 9, 38, 48, 39, 1, 22, 36, 41, 33, 7, 32, 31,
                23, 2, 30, 3,
            ],
        ],
        [
            [
                36, 16, 23, 27, 3, 24, 4, 9, 51, 35, 50, 5, 20, 40, 44, 8, 31, 47, 13, 28, 21, 39, 49, 0, 25,
                41, 11, 34, 7, 2, 10, 17, 26, 30, 19, 32, 37, 46, 14, 42, 22, 18, 12, 6, 43, 38, 45, 33, 1,
                48, 29, 15,
            ],
            [
                4, 46, 28, 31, 9, 17, 32, 27, 33, 51, 21, 18, 2, 25, 16, 1, 3, 6, 49, 50, 43, 35, 41, 7, 45,
                47, 0, 38, 12, 20, 8, 30, 26, 37, 39, 23, 13, 22, 14, 29, 10, 44, 15, 19, 11, 48, 5, 42, 40,
                36, 34, 24,
            ],
        ],
    ];

    #[test]
    fn decks_are_those_of_the_library() {
        for (mut line, decks) in [minstd_from(42), mt19937_from(42), ranlux_from(42)].into_iter().zip(DECKS) {
            assert_eq!([line(), line()], decks);
        }
    }
}
