//! Words that come again in a row: at which lag, by fingerprints of twelve draws. They choose, and what is chosen is summed.

use crate::battery::draws::reused::{LOT_DECKS, WIDE_DRAWS, lot_windows};
use crate::battery::stream::{DRAWS, Drawn, base_of};
use deckproof_deck::deck::block::BLOCK_HANDS;

/// Draws of a fingerprint. One random pair in 2^36 has the same; a segment has some 2^34 pairs to compare.
const DRAWS_ALIKE: usize = 12;

/// Of each draw the eighth of the unit interval in which it lies: digits of one word in two bases share it mostly.
const BITS: usize = 3;

/// Fingerprints of a deck.
const PLACES: usize = WIDE_DRAWS - DRAWS_ALIKE + 1;

/// Lags chosen at most: a dealer with more repeats himself all the time.
const CHOSEN_MAX: usize = 1 << 12;

/// Bits of a place in the stream, of a segment at most.
const PLACE_BITS: u32 = 22;

/// Pairs of neighbouring lots and lags, of which each was met by a fingerprint in the later deck.
pub(super) fn windows_and_lags(stream: &[Drawn]) -> Vec<(usize, usize)> {
    let decks = stream.iter().map(Drawn::hands).sum::<usize>();
    let mut seen = Seen::of(PLACES.div_ceil(16) * decks);
    let mut chosen = Vec::new();
    for (deck, bits) in stream.iter().flat_map(eighths).enumerate() {
        // Those that begin with one below 1/8 and one below 1/2: of sixteen one, the same wherever the words come again.
        let mut begins = !(bits | bits >> 1 | bits >> 2 | bits >> (2 * BITS - 1)) & BEGINS;
        while begins != 0 {
            let shift = begins.trailing_zeros() as usize;
            begins &= begins - 1;
            let place = DRAWS * deck + shift / BITS;
            let Some(before) = seen.replace((bits >> shift) as u64 & FINGERPRINT, place) else { continue };
            let own = (deck / LOT_DECKS, place - before);
            if chosen.last() != Some(&own) && chosen.len() < CHOSEN_MAX {
                chosen.push(own);
            }
        }
    }
    let last = lot_windows(decks.div_ceil(LOT_DECKS)) - 1;
    let windows = |(lot, lag): (usize, usize)| [lot.saturating_sub(1), lot.min(last)].map(|lot| (lot, lag));
    let mut all: Vec<(usize, usize)> = chosen.into_iter().flat_map(windows).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The bits of a fingerprint.
const FINGERPRINT: u64 = (1 << (BITS * DRAWS_ALIKE)) - 1;

/// The lowest bit of each draw with which a fingerprint may begin.
const BEGINS: u128 = {
    let (mut bits, mut place) = (0, 0);
    while place < PLACES {
        bits |= 1 << (BITS * place);
        place += 1;
    }
    bits
};

/// `8(d + 1/2)/m`, rounded down, of each digit of each wide draw.
static EIGHTHS: [[u8; BLOCK_HANDS]; WIDE_DRAWS] = {
    let mut all = [[0; BLOCK_HANDS]; WIDE_DRAWS];
    let mut draw = 0;
    while draw < WIDE_DRAWS {
        let mut digit = 0;
        while digit < base_of(draw) {
            all[draw][digit] = (((2 * digit + 1) << BITS) / (2 * base_of(draw))) as u8;
            digit += 1;
        }
        draw += 1;
    }
    all
};

/// The eighths of the wide draws of each deck, the first draw lowest.
fn eighths(block: &Drawn) -> Vec<u128> {
    const HALF: usize = WIDE_DRAWS / 2;
    let mut halves = [[0u64; BLOCK_HANDS]; 2];
    for draw in 0..WIDE_DRAWS {
        let shift = BITS * (draw % HALF);
        for (deck, digit) in halves[draw / HALF].iter_mut().zip(block.of_base(base_of(draw))) {
            *deck |= u64::from(EIGHTHS[draw][usize::from(digit & 63)]) << shift;
        }
    }
    let [low, high] = halves;
    let whole = |(low, high): (u64, u64)| u128::from(low) | u128::from(high) << (BITS * HALF);
    low.into_iter().zip(high).map(whole).take(block.hands()).collect()
}

/// Fingerprints by themselves: of two in one place the later one stays.
struct Seen {
    places: Vec<u64>,
    shift: u32,
}

impl Seen {
    fn of(fingerprints: usize) -> Seen {
        let places = (2 * fingerprints).next_power_of_two().max(2);
        Seen { places: vec![u64::MAX; places], shift: u64::BITS - places.trailing_zeros() }
    }

    /// Fibonacci hashing (Knuth, TAOCP 3, section 6.4).
    fn at(&self, fingerprint: u64) -> usize {
        (fingerprint.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    /// The place of the same fingerprint before, if it is there; this one is kept.
    fn replace(&mut self, fingerprint: u64, place: usize) -> Option<usize> {
        let at = self.at(fingerprint);
        let kept = std::mem::replace(&mut self.places[at], fingerprint << PLACE_BITS | place as u64);
        (kept >> PLACE_BITS == fingerprint).then_some((kept & ((1 << PLACE_BITS) - 1)) as usize)
    }
}
