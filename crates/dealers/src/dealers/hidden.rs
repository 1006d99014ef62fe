//! Weak generators where they are hard to see: dealt from the end, behind fair decks, a deck at a time.

use crate::dealers::dice::Dice;
use crate::dealers::generators::congruential::{Msvc, Rand48};
use crate::dealers::generators::xorshift::Xorshift32;
use crate::dealers::generators::{
    dotnet, drand48, java_random, later, minstd, scaled, v8_math_random, wichmann_hill, xorshift32,
};
use crate::dealers::{CardOrder, Line, durstenfeld};

dealers! {
    Sequential("popped-wichmann-hill", |seed, _| popped(wichmann_hill(seed, 0))):
        "One stream of Wichmann and Hill's AS 183; the last card of the shuffled array is dealt first, as by sample() of R.";
    Sequential("popped-minstd", |seed, _| popped(minstd(seed, 0))):
        "One stream of MINSTD, scaled to the ranges; the last card of the shuffled array is dealt first, as by deck.pop().";
    Sequential("popped-xorshift32", |seed, _| popped(xorshift32(seed, 0))):
        "One stream of 32-bit xorshift, scaled to the ranges; the last card of the shuffled array is dealt first.";
    Sequential("minstd-cut", |seed, places| cut(minstd(seed, 0), places)).with(26):
        "One stream of MINSTD, scaled to the ranges; every shuffled deck is cut after the same card, the twenty-sixth.";
    Sequential("xorshift32-cut", |seed, places| cut(xorshift32(seed, 0), places)).with(39):
        "One stream of 32-bit xorshift, scaled to the ranges; every shuffled deck is cut after the thirty-ninth card.";
    Sequential("wichmann-hill-after-100", |seed, decks| later(seed, decks, wichmann_hill(seed, 0))).with(100): AFTER;
    Sequential("minstd-after-300", |seed, decks| later(seed, decks, minstd(seed, 0))).with(300): AFTER;
    Sequential("dotnet-after-1100", |seed, decks| later(seed, decks, dotnet(seed, 0))).with(1_100): AFTER;
    Sequential("java-after-9000", |seed, decks| later(seed, decks, java_random(seed, 0))).with(9_000): AFTER;
    Sequential("v8-after-9000", |seed, decks| later(seed, decks, v8_math_random(seed, 0))).with(9_000): AFTER;
    Sequential("drand48-after-70000", |seed, decks| later(seed, decks, drand48(seed, 0))).with(70_000): AFTER;
    Sequential("wichmann-hill-after-330000", |seed, decks| later(seed, decks, wichmann_hill(seed, 0))).with(330_000): AFTER;
    Numbered("java-each-deck", java_each_deck):
        "java.util.Random with a new seed for every deck, nextInt(range) as Collections.shuffle takes it.";
    Numbered("java-one-in-eight", |dice, tables| one_of(dice, tables, java_each_deck)).with(8):
        "The same at one table of eight in turn; the others are fair.";
    Numbered("msvc-each-deck", msvc_each_deck):
        "Microsoft's rand() modulo the range, with a new 32-bit seed for every deck.";
    Numbered("xorshift32-each-deck", xorshift32_each_deck):
        "Marsaglia's 32-bit xorshift modulo the range, with a new 32-bit seed for every deck.";
    Numbered("xorshift32-scaled-each-deck", xorshift32_scaled_each_deck):
        "The same, its words scaled to the ranges.";
    Numbered("minstd-each-deck", |dice, _| minstd(dice.long(), 0)()):
        "MINSTD with a new 31-bit seed for every deck, scaled to the ranges.";
    Numbered("minstd-one-in-eight", |dice, tables| one_of(dice, tables, |dice, _| minstd(dice.long(), 0)())).with(8):
        "The same at one table of eight in turn; the others are fair.";
    Sequential("stale-buffer", stale_buffer).with(20):
        "Words are read 1,024 at a time and scaled to the ranges; one read in 20 gets the words of the read before again.";
    Sequential("stale-buffer-200", stale_buffer).with(200): "The same, one read in 200.";
    Sequential("snapshot-13", snapshot).with(13):
        "A saved state is restored after 1,000 decks: the words from the fourteenth on are scaled to the ranges once more.";
    Sequential("snapshot-modulo-13", snapshot_modulo).with(13):
        "A saved state is restored after 1,000 decks: the words from the fourteenth on are taken modulo the ranges once more.";
    Sequential("counter-16", counter_16).with(1 << 18):
        "Words of a good cipher with a counter of 16 bits, scaled to the ranges: 262,144 words, over and over.";
    Sequential("hum", hum).with(1_000):
        "Words scaled to the ranges, whose top bit leans one way and the other by a tenth, once in a thousand words.";
    Sequential("stuck-bit", stuck_bit).with(100):
        "Words are read 1,024 at a time and scaled to the ranges; in one read of 100 the second highest bit is always 1.";
}

const AFTER: &str =
    "Fair decks up to the number in its name, one stream of the generator in its name from there on.";

/// From the last card to the first.
fn popped(mut line: Line) -> Line {
    Box::new(move || {
        let mut order = line();
        order.reverse();
        order
    })
}

/// Cut after so many cards.
fn cut(mut line: Line, cards: u32) -> Line {
    Box::new(move || {
        let mut order = line();
        order.rotate_left(cards as usize);
        order
    })
}

/// One table of so many in turn is dealt by `deal`, the others are fair.
fn one_of(dice: &mut Dice, tables: u32, deal: fn(&mut Dice, u32) -> CardOrder) -> CardOrder {
    if dice.deck() % u64::from(tables) == 3 { deal(dice, 0) } else { dice.fair() }
}

fn java_each_deck(dice: &mut Dice, _: u32) -> CardOrder {
    let mut generator = Rand48::java(dice.long());
    durstenfeld(|range| generator.next_int(range))
}

fn msvc_each_deck(dice: &mut Dice, _: u32) -> CardOrder {
    let mut generator = Msvc::new(dice.word());
    durstenfeld(|range| generator.rand() % range)
}

fn xorshift32_each_deck(dice: &mut Dice, _: u32) -> CardOrder {
    let mut generator = Xorshift32::new(dice.word());
    durstenfeld(|range| generator.word() % range)
}

fn xorshift32_scaled_each_deck(dice: &mut Dice, _: u32) -> CardOrder {
    let mut generator = Xorshift32::new(dice.word());
    durstenfeld(|range| scaled(generator.word(), 32, range))
}

/// A shuffle that takes its words one after the other.
fn shuffled(mut word: impl FnMut() -> u32 + Send + 'static) -> Line {
    Box::new(move || durstenfeld(|range| scaled(word(), 32, range)))
}

fn stale_buffer(seed: u64, rate: u32) -> Line {
    let (mut dice, mut buffer, mut read) = (Dice::new(seed, 0), vec![0; 1_024], 1_024);
    shuffled(move || {
        if read == buffer.len() {
            read = 0;
            if !dice.one_in(rate) {
                buffer.iter_mut().for_each(|word| *word = dice.word());
            }
        }
        read += 1;
        buffer[read - 1]
    })
}

/// Words dealt before the state is restored: those of 1,000 decks.
const SNAPSHOT_WORDS: u32 = 51_000;

fn snapshot(seed: u64, off: u32) -> Line {
    shuffled(restored(seed, off))
}

fn snapshot_modulo(seed: u64, off: u32) -> Line {
    let mut word = restored(seed, off);
    Box::new(move || durstenfeld(|range| word() % range))
}

fn restored(seed: u64, off: u32) -> impl FnMut() -> u32 + Send {
    let (mut dice, mut read) = (Dice::new(seed, 0), 0);
    move || {
        if read == SNAPSHOT_WORDS {
            dice = Dice::new(seed, 0);
            (0..off).for_each(|_| _ = dice.word());
        }
        read = read.saturating_add(1);
        dice.word()
    }
}

fn counter_16(seed: u64, words: u32) -> Line {
    let (mut dice, mut read) = (Dice::new(seed, 0), 0);
    shuffled(move || {
        if read == words {
            (dice, read) = (Dice::new(seed, 0), 0);
        }
        read += 1;
        dice.word()
    })
}

fn hum(seed: u64, period: u32) -> Line {
    let (mut dice, mut number) = (Dice::new(seed, 0), 0u64);
    shuffled(move || {
        number += 1;
        let swing = libm::sin(std::f64::consts::TAU * number as f64 / f64::from(period));
        let (word, leans) = (dice.word(), f64::from(dice.word()) / 2f64.powi(32) < 0.1 * swing.abs());
        match (leans, swing > 0.0) {
            (false, _) => word,
            (true, true) => word | 1 << 31,
            (true, false) => word & !(1 << 31),
        }
    })
}

fn stuck_bit(seed: u64, rate: u32) -> Line {
    let (mut dice, mut read, mut stuck) = (Dice::new(seed, 0), 0u64, 0);
    shuffled(move || {
        if read % 1_024 == 0 {
            stuck = u32::from(dice.one_in(rate)) << 30;
        }
        read += 1;
        dice.word() | stuck
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decks_are_those_of_the_generator_from_their_number_on_and_from_the_end() {
        let (mut late, mut weak) = (later(5, 3, minstd(5, 0)), minstd(5, 0));
        let decks: Vec<CardOrder> = (0..5).map(|_| late()).collect();
        let wanted = [weak(), weak()];
        assert_eq!(decks[3..], wanted);
        let mut last = popped(minstd(5, 0))();
        last.reverse();
        assert_eq!(last, wanted[0]);
        // A cut after 26 cards puts the twenty-seventh on top.
        let halves = cut(minstd(5, 0), 26)();
        assert_eq!([&halves[26..], &halves[..26]].concat(), wanted[0]);
    }
}
