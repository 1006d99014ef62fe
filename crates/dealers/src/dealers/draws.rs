//! Shuffles whose loop is right and whose draws are not quite uniform.

use crate::dealers::dice::Dice;
use crate::dealers::{CardOrder, Expected, durstenfeld};

const MODULO: &str =
    "Every index is a random number of so many bits modulo its range, so small indices come more often.";
const SCALING: &str =
    "Every index is a random number of so many bits scaled to its range, so some indices come more often.";

const REREAD: &str = "Words are scaled to their ranges; one draw in so many takes the word of the draw before again, as two threads at one buffer do.";

/// Weights off by 52/2^b of themselves.
const SMALL_BIAS: &str = "so small a bias takes five to 35 million";

dealers! {
    Numbered("modulo-8", modulo).with(8): MODULO;
    Numbered("modulo-10", modulo).with(10): MODULO;
    Numbered("modulo-12", modulo).with(12): MODULO;
    Numbered("modulo-15", modulo).expected(Expected::Hidden(SMALL_BIAS)).with(15): MODULO;
    Numbered("modulo-16", modulo).expected(Expected::Hidden(SMALL_BIAS)).with(16): MODULO;
    Numbered("scale-8", scale).with(8): SCALING;
    Numbered("scale-10", scale).with(10): SCALING;
    Numbered("scale-12", scale).with(12): SCALING;
    Numbered("scale-15", scale).expected(Expected::Hidden(SMALL_BIAS)).with(15): SCALING;
    Numbered("scale-16", scale).expected(Expected::Hidden(SMALL_BIAS)).with(16): SCALING;
    Numbered("byte-off-by-one", |dice, _| durstenfeld(|range| off_by_one(range, || dice.bits(8)))):
        "Bytes past the last multiple of the range are drawn again, but one too many is kept (Cryptocat 2013).";
    Numbered("reread-20", reread).with(20): REREAD;
    Numbered("reread-100", reread).with(100): REREAD;
}

/// `random_bits % range`.
fn modulo(dice: &mut Dice, bits: u32) -> CardOrder {
    durstenfeld(|range| dice.bits(bits) % range)
}

/// `random_bits * range >> bits`.
fn scale(dice: &mut Dice, bits: u32) -> CardOrder {
    durstenfeld(|range| (dice.bits(bits) * range) >> bits)
}

fn reread(dice: &mut Dice, rate: u32) -> CardOrder {
    let mut last = dice.word();
    durstenfeld(|range| {
        if !dice.one_in(rate) {
            last = dice.word();
        }
        ((u64::from(last) * u64::from(range)) >> 32) as u32
    })
}

/// Thomas 2013, "DecryptoCat": `byte <= 250` where `byte < 250` was meant gave the digit 0 26 of 251.
fn off_by_one(range: u32, mut byte: impl FnMut() -> u32) -> u32 {
    let limit = 256 - 256 % range;
    loop {
        let byte = byte();
        if byte <= limit {
            return byte % range;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each index comes when every number of `bits` bits comes once.
    fn weights(range: u32, bits: u32, index: impl Fn(u32) -> u32) -> Vec<u32> {
        let mut weights = vec![0; range as usize];
        (0..1 << bits).for_each(|number| weights[index(number) as usize] += 1);
        weights
    }

    #[test]
    fn a_byte_modulo_52_favours_the_first_48() {
        // 256 = 4·52 + 48.
        let weights = weights(52, 8, |number| number % 52);
        assert!(
            weights[..48].iter().all(|&weight| weight == 5)
                && weights[48..].iter().all(|&weight| weight == 4)
        );
    }

    #[test]
    fn the_last_place_shows_the_bias_of_a_byte() {
        // P(card below 48 at place 51) = 240/256, and 48/52 on a fair deck: 18,750 and 18,462 of 20,000.
        for deal in [modulo, scale] {
            let fair = (0..20_000).filter(|&deck| deal(&mut Dice::new(1, deck), 16)[51] < 48).count();
            assert!((18_300..18_620).contains(&fair), "{fair}");
        }
        let seen = (0..20_000).filter(|&deck| modulo(&mut Dice::new(1, deck), 8)[51] < 48).count();
        assert!((18_620..18_880).contains(&seen), "{seen}");
    }

    #[test]
    fn the_digit_zero_of_cryptocat_comes_26_times_in_251() {
        let mut counts = [0; 10];
        for byte in 0..=250 {
            counts[off_by_one(10, || byte) as usize] += 1;
        }
        assert_eq!(counts, [26, 25, 25, 25, 25, 25, 25, 25, 25, 25]);
        let mut bytes = [251, 255, 7].into_iter();
        assert_eq!(off_by_one(10, || bytes.next().expect("the third is kept")), 7);
    }
}
