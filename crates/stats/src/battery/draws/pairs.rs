//! Pairs of draws: two swaps by one number, as std::shuffle of libstdc++ and batched shuffles draw them.
//!
//! Null: two draws of bases m and m − 1 are one digit of base m(m − 1), and such digits are independent and
//! uniform. Where a program made both of one number, that number's lattice and its bits show in the digit and in
//! neither draw alone. Parts: `congruential`, `lags`, `far-lags`, the waves of the spectral scan over the numbers
//! of a deck, up to two decks apart, and at the lags of published generators; `complexity-long`, the shortest
//! register of the top bit of the number for bases 52 and 51 over the first 65,536 decks; `complexity`, that of 50
//! bits at strides 1 to 64 over 1,024 terms; `rank`, the rank over GF(2) of the bits of 2, 4 or 8 decks; `following`,
//! which values follow which, learned and then counted. Either draw may be the higher digit; eight ways
//! of undoing; Bonferroni. Waves need 10 decks, bits 32. Published: Brackett-Rozinsky & Lemire (2024), "Batched
//! ranged random integer generation".

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::battery::draws::coin::Coin;
use crate::battery::draws::following::guesses;
use crate::battery::draws::linear::Worst;
use crate::battery::draws::linear::pairs as bits;
use crate::battery::draws::spectral::circle::Peak;
use crate::battery::draws::spectral::pairs::{self as waves, Higher, Numbers};
use crate::battery::outcome::Outcome;
use crate::battery::statistic::{About, Design, SEGMENT_DECKS, Scope, Statistic, about_and_cells};
use crate::battery::stream::{self, DRAWS, Undoing, WAYS};
use crate::battery::tier::Tier;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};

pub(in crate::battery) struct DrawnPairs;

const ABOUT: About = About {
    id: "drawn-pairs",
    version: 6,
    tier: Tier::Deep,
    title: "pairs of draws as one number",
    null: "Two neighbouring numbers of a Fisher–Yates shuffle are independent, as if each had been drawn on its own.",
    source: "digit x = d·m' + d' of base m·m': waves |Σ e^{2πi(a·u)}|²/n ~ Exp(1), bound by Chernoff (1952); linear complexity \
             (Massey 1969; Rueppel 1986) and rank (Marsaglia & Tsay 1985), exact; guesses of d′ by what followed d before: Bin(n, 1/2), exact; \
             Bonferroni (1936); the first decks only, of each part as many as it says and from the end 4,096 at most",
    detects: "std::shuffle and other shuffles that make two draws of one number, on a generator that is too weak; draws of bytes that overlap.",
    decks_min: 10,
    design: Design { parts: PARTS.len() as u64 + 4, scope: Scope::Prefix, ..Design::OF_DECKS },
};

/// The parts of bits, and the decks that each reads at most.
const BITS: [(&str, u64); 3] =
    [("complexity-long", SEGMENT_DECKS), ("complexity", bits::SHORT_DECKS), ("rank", bits::RANK_DECKS)];

/// The part of what follows what.
const FOLLOWING: &str = "following";

/// Decks from which on bits and what follows are looked at.
const DECKS_BITS: u64 = 32;

/// Decks whose numbers are made for waves.
const DECKS_WAVES: usize = waves::FAR_BLOCKS * BLOCK_HANDS;

/// Decks read from the end, where fewer are read.
const DECKS_FROM_THE_END: usize = 4_096;

/// One scan of the numbers of a deck.
struct Part {
    name: &'static str,
    /// Waves of one way and one order of digits.
    waves: usize,
    /// Blocks read at most.
    blocks: usize,
    scan: fn(&Numbers, &mut dyn FnMut(Peak)),
}

static PARTS: [Part; 3] = [
    Part {
        name: "congruential",
        waves: waves::SCALED_WAVES,
        blocks: waves::SCALED_BLOCKS,
        scan: waves::scaled,
    },
    Part { name: "lags", waves: waves::LAG_WAVES, blocks: waves::LAG_BLOCKS, scan: waves::lags },
    Part { name: "far-lags", waves: waves::FAR_WAVES, blocks: waves::FAR_BLOCKS, scan: waves::far },
];

/// Where the counts of the bits begin.
const AT_BITS: usize = 1 + Peak::CELLS * PARTS.len();
const AT_FOLLOWING: usize = AT_BITS + Worst::CELLS;
const CELLS: usize = AT_FOLLOWING + Coin::CELLS;

/// The highest peak of each part, the worst of the bits, and of what follows what.
type Found = ([Peak; PARTS.len()], Worst, Coin);

impl Statistic for DrawnPairs {
    about_and_cells!(ABOUT, CELLS);

    fn reads(&self) -> Vec<(&'static str, u64)> {
        let of_waves = PARTS.iter().map(|part| (part.name, (part.blocks * BLOCK_HANDS) as u64));
        of_waves.chain(BITS).chain([(FOLLOWING, SEGMENT_DECKS)]).collect()
    }

    /// Decks of the first segment, then the highest peak of each part, the worst of the bits and of what follows.
    fn observe(&self, blocks: &[DeckBlock], counts: &mut [u64]) {
        assert_eq!(counts.len(), CELLS);
        let of_ways: Vec<Found> =
            WAYS.par_iter().enumerate().map(|(way, undoing)| of_way(blocks, way, undoing)).collect();
        let (mut worst, mut coin) = (Worst::default(), Coin::default());
        for (_, bits, guesses) in &of_ways {
            worst.deepen(bits);
            coin.deepen(*guesses);
        }
        counts[0] += stream::decks_of(blocks);
        Peak::write_highest(of_ways.iter().map(|(peaks, ..)| &peaks[..]), &mut counts[1..AT_BITS]);
        for (count, cell) in counts[AT_BITS..].iter_mut().zip(worst.cells().chain(coin.cells())) {
            *count = count.wrapping_add(cell);
        }
    }

    fn decks_in(&self, counts: &[u64]) -> Option<u64> {
        let decks = counts[0];
        let is_sound = Peak::are_sound(&counts[1..AT_BITS], decks)
            && Worst::read(&counts[AT_BITS..AT_FOLLOWING]).is_sound(decks)
            && guesses_in(counts).is_sound(decks.saturating_mul(DRAWS as u64));
        is_sound.then_some(decks)
    }

    fn outcomes(&self, counts: &[u64], decks: u64) -> Vec<Outcome> {
        let (ways, peaks) = (WAYS.len(), counts[1..AT_BITS].chunks(Peak::CELLS).map(Peak::read));
        let mut outcomes: Vec<Outcome> = PARTS
            .iter()
            .zip(peaks)
            .map(|(part, peak)| peak.outcome(part.name, 2 * ways * part.waves))
            .collect();
        if decks >= DECKS_BITS {
            let coin = guesses_in(counts);
            outcomes.extend(Worst::read(&counts[AT_BITS..AT_FOLLOWING]).outcomes(bits::CHANCES));
            outcomes.push(Outcome::of_worst(FOLLOWING, "z", coin.score(), ways, coin.p_value()));
        }
        outcomes
    }
}

fn guesses_in(counts: &[u64]) -> Coin {
    Coin::from_cells([counts[AT_FOLLOWING], counts[AT_FOLLOWING + 1]])
}

fn of_way(blocks: &[DeckBlock], way: usize, undoing: &Undoing) -> Found {
    let read = undoing.first(blocks, SEGMENT_DECKS as usize, DECKS_FROM_THE_END);
    let stream = stream::undone(read, undoing);
    let mut peaks = [Peak::default(); PARTS.len()];
    for (order, higher) in Higher::BOTH.into_iter().enumerate() {
        let numbers = Numbers::of(stream::first(&stream, DECKS_WAVES), higher);
        for (part, highest) in PARTS.iter().zip(&mut peaks) {
            (part.scan)(&numbers, &mut |peak| highest.raise(peak.on(2 * way + order)));
        }
    }
    (peaks, bits::worst_of(&stream), guesses(&stream))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::walk::sample::{convicting, counts, dealt};

    fn outcomes(name: &str, decks: u64) -> Vec<Outcome> {
        DrawnPairs.finish(&counts(&DrawnPairs, &dealt(name, 0..decks)), decks)
    }

    fn check(name: &str, decks: u64, part: &str) {
        let outcomes = outcomes(name, decks);
        assert!(convicting(&outcomes, part) < 1e-9, "{name}: {outcomes:?}");
    }

    #[test]
    fn numbers_that_gave_two_draws_are_seen() {
        check("std-shuffle-minstd", 10, "congruential");
        check("std-shuffle-ranlux-base", 32, "lags");
        check("std-shuffle-mt19937", 40_000, "complexity-long");
        let fair = outcomes("certified", 200);
        assert_eq!(fair.len(), 7);
        assert!(fair.iter().all(|outcome| outcome.p_value > 1e-3), "{fair:?}");
    }
}
