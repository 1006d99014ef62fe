//! Right shuffles on published generators that are too weak, as programs used them.

mod additive;
mod chacha;
pub(super) mod congruential;
mod dotnet;
mod glibc;
pub(super) mod mersenne;
pub(super) mod pcg;
mod rc4;
mod v8;
pub(super) mod xorshift;

use crate::dealers::dice::Dice;
use crate::dealers::generators::additive::LaggedFibonacci;
use crate::dealers::generators::chacha::ReducedChaCha;
use crate::dealers::generators::congruential::{
    Borland, MINSTD_MODULUS, Minstd, Mmix, Msvc, Rand48, Randu, WichmannHill,
};
use crate::dealers::generators::dotnet::DotNet;
use crate::dealers::generators::glibc::Glibc;
use crate::dealers::generators::mersenne::Mersenne;
use crate::dealers::generators::rc4::Rc4;
use crate::dealers::generators::v8::V8;
use crate::dealers::generators::xorshift::Xorshift32;
use crate::dealers::{CardOrder, Expected, Line, durstenfeld, in_order};

const CHACHA: &str = "One ChaCha stream with so few rounds instead of 20, its words scaled to the ranges.";

dealers! {
    Numbered("asf-1999", |dice, _| asf(Borland::new(dice.below(DAY_MILLISECONDS)))):
        "The code ASF Software published for Planet Poker, seeded with the milliseconds since midnight (Arkin and others 1999).";
    Numbered("asf-seed32", |dice, _| asf(Borland::new(dice.word()))):
        "The same code and generator, seeded with 32 fair bits for every deck.";
    Numbered("mt19937-seed16", python_shuffle).with(16):
        "Python's random.seed(s) and random.shuffle with a new 16-bit seed for every deck.";
    Numbered("mt19937-seed32", python_shuffle).expected(Expected::Waiting).with(32):
        "Python's random.seed(s) and random.shuffle with a new 32-bit seed for every deck.";
    Sequential("mt19937-stream", mt19937_stream):
        "One stream of MT19937, its words scaled to the ranges: 19,937 bits of state, all of them linear.";
    Sequential("mt19937-stream-python", python_stream).expected(Expected::Hidden("what rejected words leave of the relations is not looked for")):
        "Python's random.shuffle on one stream for all decks: rejected words shift the linear relations at random.";
    Sequential("v8-math-random", v8_math_random):
        "JavaScript's Math.floor(Math.random() * range) in V8, one stream: 128 bits of state, all of them linear.";
    Sequential("xorshift32", xorshift32):
        "One stream of Marsaglia's 32-bit xorshift (13, 17, 5), its words scaled to the ranges.";
    Sequential("randu", randu): "One stream of IBM's RANDU (65539 modulo 2^31), scaled to the ranges.";
    Sequential("dotnet", dotnet):
        "One stream of .NET's seeded System.Random, Next(range): Knuth's subtractive generator with a wrong lag.";
    Numbered("dotnet-seed31", dotnet_seed31):
        "System.Random with a new 31-bit seed for every deck, as new Random() took it from the clock.";
    Sequential("glibc-rand", glibc_rand):
        "One stream of glibc's rand() modulo the range: an additive generator of lags 3 and 31.";
    Sequential("msvc-rand", msvc_rand):
        "One stream of Microsoft's rand() modulo the range: 15 bits of a 32-bit congruential state.";
    Sequential("java-random", java_random):
        "Collections.shuffle on one stream of java.util.Random: 48 bits of congruential state.";
    Sequential("drand48", drand48):
        "One stream of lrand48(), scaled to the ranges: the same 48-bit generator.";
    Sequential("minstd", minstd): "One stream of MINSTD (16807 modulo 2^31 - 1), scaled to the ranges.";
    Sequential("minstd-modulo", minstd_modulo):
        "One stream of MINSTD modulo the range, as rand() of macOS was used.";
    Sequential("mmix", mmix):
        "One stream of Knuth's MMIX, 64 bits of congruential state of which 31 are seen, scaled to the ranges.";
    Numbered("mmix-seed64", mmix_seed64):
        "The same with a new 64-bit seed for every deck: no deck ever knows of another.";
    Sequential("wichmann-hill", wichmann_hill):
        "One stream of Wichmann and Hill's AS 183, scaled to the ranges, as RAND of Excel 2003.";
    Sequential("lagged-fibonacci", lagged_fibonacci):
        "One stream of the additive generator of lags 273 and 607, as Go's math/rand, scaled to the ranges.";
    Numbered("rc4", rc4_from_first_byte):
        "RC4 with a new 128-bit key for every deck from its very first byte on, plain rejection of bytes.";
    Sequential("weak-later", |seed, from| later(seed, from, xorshift32(seed, 0))).with(100_000):
        "Fair decks until a fall-back: from number 100,000 on one stream of 32-bit xorshift, scaled to the ranges.";
    Sequential("minstd-later", |seed, from| later(seed, from, minstd(seed, 0))).with(300_000):
        "Fair decks until a fall-back: from number 300,000 on one stream of MINSTD, scaled to the ranges.";
    Numbered("chacha-rounds-1", chacha).with(1): CHACHA;
    Numbered("chacha-rounds-2", chacha).with(2): CHACHA;
    Numbered("chacha-rounds-3", chacha).with(3): CHACHA;
    Numbered("chacha-rounds-4", chacha).expected(Expected::Hidden("no flaw of four rounds is known that decks could show")).with(4): CHACHA;
}

/// Milliseconds of a day: all that `randomize` took from the clock.
const DAY_MILLISECONDS: u32 = 86_400_000;

/// Arkin, Hill, Marks, Schmid & Walls 1999, "How We Learned to Cheat at Online Poker": cards 1 to 52 are
/// swapped with card `random(51) + 1`, so that the last card is never chosen.
fn asf(mut generator: Borland) -> CardOrder {
    let mut order = in_order();
    for place in 0..order.len() {
        order.swap(place, generator.random(51) as usize);
    }
    order
}

fn python_shuffle(dice: &mut Dice, bits: u32) -> CardOrder {
    let mut generator = Mersenne::from_key(&[dice.bits(bits)]);
    durstenfeld(|range| generator.below(range))
}

fn mt19937_stream(seed: u64, _: u32) -> Line {
    let mut generator = Mersenne::from_seed(Dice::new(seed, 0).word());
    Box::new(move || durstenfeld(|range| scaled(generator.word(), 32, range)))
}

pub(super) fn v8_math_random(seed: u64, _: u32) -> Line {
    let mut generator = V8::new(seed);
    Box::new(move || durstenfeld(|range| generator.below(range)))
}

/// The two halves of a seed as a key: Python hands a number over in words of 32 bits, the low one first.
fn python_stream(seed: u64, _: u32) -> Line {
    let words = [seed as u32, (seed >> 32) as u32];
    let mut generator = Mersenne::from_key(if words[1] == 0 { &words[..1] } else { &words });
    Box::new(move || durstenfeld(|range| generator.below(range)))
}

/// A number of `bits` bits scaled to a range.
pub(super) fn scaled(number: u32, bits: u32, range: u32) -> u32 {
    ((u64::from(number) * u64::from(range)) >> bits) as u32
}

pub(super) fn xorshift32(seed: u64, _: u32) -> Line {
    let mut generator = Xorshift32::new(Dice::new(seed, 0).word());
    Box::new(move || durstenfeld(|range| scaled(generator.word(), 32, range)))
}

/// Fair up to a deck, a generator's from there on.
pub(super) fn later(seed: u64, from: u32, mut weak: Line) -> Line {
    let mut number = 0;
    Box::new(move || {
        number += 1;
        if number <= u64::from(from) { Dice::labelled(seed, number, 1).fair() } else { weak() }
    })
}

pub(super) fn randu(seed: u64, _: u32) -> Line {
    let mut generator = Randu::new(Dice::new(seed, 0).word());
    Box::new(move || durstenfeld(|range| scaled(generator.number(), 31, range)))
}

pub(super) fn dotnet(seed: u64, _: u32) -> Line {
    let mut generator = DotNet::new(Dice::new(seed, 0).bits(31) as i32);
    Box::new(move || durstenfeld(|range| generator.below(range)))
}

fn dotnet_seed31(dice: &mut Dice, _: u32) -> CardOrder {
    let mut generator = DotNet::new(dice.bits(31) as i32);
    durstenfeld(|range| generator.below(range))
}

fn glibc_rand(seed: u64, _: u32) -> Line {
    let mut generator = Glibc::new(Dice::new(seed, 0).bits(31));
    Box::new(move || durstenfeld(|range| generator.rand() % range))
}

fn msvc_rand(seed: u64, _: u32) -> Line {
    let mut generator = Msvc::new(Dice::new(seed, 0).word());
    Box::new(move || durstenfeld(|range| generator.rand() % range))
}

pub(super) fn java_random(seed: u64, _: u32) -> Line {
    let mut generator = Rand48::java(Dice::new(seed, 0).long());
    Box::new(move || durstenfeld(|range| generator.next_int(range)))
}

pub(super) fn drand48(seed: u64, _: u32) -> Line {
    let mut generator = Rand48::posix(Dice::new(seed, 0).word());
    Box::new(move || durstenfeld(|range| scaled(generator.bits(31), 31, range)))
}

pub(super) fn minstd(seed: u64, _: u32) -> Line {
    let mut generator = Minstd::new(Dice::new(seed, 0).bits(31));
    Box::new(move || {
        durstenfeld(|range| {
            (u64::from(generator.number()) * u64::from(range) / u64::from(MINSTD_MODULUS)) as u32
        })
    })
}

fn minstd_modulo(seed: u64, _: u32) -> Line {
    let mut generator = Minstd::new(Dice::new(seed, 0).bits(31));
    Box::new(move || durstenfeld(|range| generator.number() % range))
}

fn mmix(seed: u64, _: u32) -> Line {
    let mut generator = Mmix::new(Dice::new(seed, 0).long());
    Box::new(move || durstenfeld(|range| scaled(generator.number(), 31, range)))
}

fn mmix_seed64(dice: &mut Dice, _: u32) -> CardOrder {
    let mut generator = Mmix::new(dice.long());
    durstenfeld(|range| scaled(generator.number(), 31, range))
}

pub(super) fn wichmann_hill(seed: u64, _: u32) -> Line {
    let mut dice = Dice::new(seed, 0);
    let mut generator = WichmannHill::new(std::array::from_fn(|_| 1 + dice.below(30_000)));
    Box::new(move || durstenfeld(|range| (generator.fraction() * f64::from(range)) as u32))
}

fn lagged_fibonacci(seed: u64, _: u32) -> Line {
    let mut dice = Dice::new(seed, 0);
    let mut generator = LaggedFibonacci::new(std::array::from_fn(|_| dice.long()));
    Box::new(move || durstenfeld(|range| scaled(generator.word(), 32, range)))
}

fn rc4_from_first_byte(dice: &mut Dice, _: u32) -> CardOrder {
    let key: [u8; 16] = std::array::from_fn(|_| dice.bits(8) as u8);
    let mut generator = Rc4::new(&key);
    durstenfeld(|range| generator.below(range))
}

/// 51 words are four blocks of 16, so deck i begins at block 4i of the dealer's one key.
fn chacha(dice: &mut Dice, rounds: u32) -> CardOrder {
    let mut key = Dice::labelled(dice.seed(), 0, 1);
    let key: [u32; 8] = std::array::from_fn(|_| key.word());
    let mut generator = ReducedChaCha::new(key, dice.deck().wrapping_mul(4), rounds);
    durstenfeld(|range| scaled(generator.word(), 32, range))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `random.Random(42).shuffle(list(range(52)))`, CPython 3.11.
    const PYTHON_42: CardOrder = [
        9, 23, 25, 3, 21, 38, 16, 39, 19, 11, 46, 24, 33, 29, 31, 43, 4, 28, 10, 26, 36, 0, 44, 18, 42, 50,
        35, 48, 30, 20, 22, 12, 51, 32, 45, 13, 41, 49, 2, 27, 37, 5, 34, 6, 8, 14, 15, 17, 47, 1, 7, 40,
    ];

    /// The second `shuffle(list(range(52)))` of `random.Random(12345)`, CPython 3.11.
    const PYTHON_12345_SECOND: CardOrder = [
        6, 18, 9, 42, 32, 15, 30, 29, 20, 41, 23, 3, 39, 28, 49, 22, 25, 24, 34, 48, 47, 1, 43, 26, 12, 5,
        36, 17, 40, 44, 4, 0, 19, 10, 46, 8, 50, 27, 37, 16, 11, 35, 13, 31, 7, 51, 2, 21, 45, 38, 33, 14,
    ];

    /// `Collections.shuffle` of 0..52 with `new Random(42)`, OpenJDK.
    const JAVA_42: CardOrder = [
        15, 39, 34, 35, 32, 1, 21, 4, 47, 25, 3, 17, 16, 27, 13, 2, 33, 22, 14, 10, 41, 49, 11, 28, 40, 12,
        0, 7, 19, 37, 8, 29, 46, 23, 50, 24, 9, 51, 6, 36, 30, 42, 44, 43, 38, 5, 20, 18, 31, 48, 45, 26,
    ];

    /// The second deck of `node --random-seed=42` that counts down from 51 with `floor(Math.random() * (i + 1))`,
    /// Node.js 20.20.2, V8 11.3.
    const NODE_42_SECOND: CardOrder = [
        43, 30, 31, 12, 14, 48, 47, 17, 2, 15, 10, 29, 33, 13, 28, 27, 20, 25, 7, 49, 51, 40, 23, 4, 50, 11,
        38, 22, 41, 8, 32, 45, 34, 5, 37, 39, 19, 9, 18, 3, 6, 21, 16, 44, 46, 35, 36, 42, 26, 1, 0, 24,
    ];

    #[test]
    fn node_shuffles_the_same_decks() {
        let mut line = v8_math_random(42, 0);
        line();
        assert_eq!(line(), NODE_42_SECOND);
    }

    #[test]
    fn python_and_java_shuffle_the_same_decks() {
        let mut generator = Mersenne::from_key(&[42]);
        assert_eq!(durstenfeld(|range| generator.below(range)), PYTHON_42);
        assert_eq!(python_stream(42, 0)(), PYTHON_42);
        let mut line = python_stream(12_345, 0);
        line();
        assert_eq!(line(), PYTHON_12345_SECOND);
        let mut generator = Rand48::java(42);
        assert_eq!(durstenfeld(|range| generator.next_int(range)), JAVA_42);
    }

    #[test]
    fn the_last_card_is_never_chosen_by_asf() {
        // At its own step the last card is swapped away for good, so place 51 never keeps it.
        assert!((0..2_000).all(|seed| asf(Borland::new(seed))[51] != 51));
    }

    #[test]
    fn sixteen_bit_seeds_deal_at_most_65_536_decks() {
        let decks: std::collections::HashSet<CardOrder> =
            (0..3_000).map(|deck| python_shuffle(&mut Dice::new(1, deck), 16)).collect();
        // 3,000 draws from 65,536: 67.6 repeats expected, s.d. 8.
        assert!((2_895..2_970).contains(&decks.len()), "{}", decks.len());
    }
}
