//! Weak generators are caught by the statistics that look along the stream of draws, fair ones are not.

use std::collections::BTreeMap;

use deckproof::audit::evidence::Counter;
use deckproof::audit::selection::Selection;
use deckproof::battery::{self, Scope, Segment, Statistic};
use deckproof::deck::Deck;
use deckproof::deck::block::DeckBlock;
use deckproof::math::binomial;
use rand::rngs::ChaCha20Rng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

use crate::battery::{Outcomes, family_p_value};
use crate::common::decks::dealt;

/// The outcomes of all views of one segment.
fn outcomes(selection: &Selection, blocks: &[DeckBlock]) -> Outcomes {
    let mut counter = Counter::new(selection);
    counter.count_segment(Segment::ONLY, blocks);
    let of_view = |view: &deckproof::audit::evidence::ViewEvidence| -> Outcomes {
        let with_counts = selection.seeing(view.view).zip(&view.counts);
        with_counts
            .flat_map(|(statistic, counts)| {
                let is_held = |held: u64| statistic.can_hold(held, view.decks);
                assert!(statistic.decks_in(counts).is_some_and(is_held), "{}", statistic.about().id);
                let found = statistic.finish(counts, view.decks);
                found.into_iter().map(|outcome| (statistic.family(), view.view, outcome))
            })
            .collect()
    };
    counter.evidence.views.iter().flat_map(of_view).collect()
}

/// Without the search for a generator, which needs ten CPU seconds for any decks and no statistics: the tests of
/// `deckproof-predict` and `predict.rs` are about it.
fn selection(scope: impl Fn(Scope) -> bool) -> Selection {
    let is_wanted = |statistic: &&dyn Statistic| {
        scope(statistic.scope()) && statistic.about().id != "recovered-generator"
    };
    let statistics: Vec<_> = battery::all().iter().copied().filter(is_wanted).collect();
    Selection::of_parts(&statistics, &[])
}

/// One statistic alone.
fn selection_of(id: &str) -> Selection {
    let statistics: Vec<_> = battery::all().iter().copied().filter(|s| s.about().id == id).collect();
    Selection::of_parts(&statistics, &[])
}

/// The dealer is caught with family p < 1e-6 by `decks` decks, for two seeds.
fn check_caught(name: &str, decks: u64, selection: &Selection) {
    for seed in 1..=2 {
        let found = outcomes(selection, &dealt(&format!("{name}:{seed}"), decks));
        let (p_value, part) = family_p_value(&found);
        assert!(p_value < 1e-6, "{name}:{seed}, {decks} decks: family p {p_value:e} of {part}");
    }
}

#[test]
fn streams_of_weak_generators_are_caught_with_few_decks() {
    let selection = selection(|_| true);
    check_caught("randu", 100, &selection);
    check_caught("dotnet", 100, &selection);
    check_caught("xorshift32", 100, &selection);
    check_caught("asf-seed32", 200, &selection);
    check_caught("msvc-rand", 316, &selection);
    check_caught("glibc-rand", 500, &selection);
    check_caught("java-random", 1_000, &selection);
    // Every number of these is a wave that their published multiplier or lag tells beforehand.
    for name in ["drand48", "minstd", "mmix", "mmix-seed64", "wichmann-hill"] {
        check_caught(name, 10, &selection);
    }
    check_caught("minstd-modulo", 32, &selection);
    // The same behind a cut after every shuffle.
    check_caught("minstd-cut", 10, &selection);
    check_caught("xorshift32-cut", 100, &selection);
    check_caught("lagged-fibonacci", 32, &selection);
    // Twice the bits of state, and a few more: too many decks to be looked at by statistics that do not follow the stream.
    let selection = self::selection(|scope| scope != Scope::Batch);
    check_caught("v8-math-random", 16_500, &selection);
    check_caught("mt19937-stream", 40_000, &selection);
}

#[test]
fn what_lies_between_blocks_is_looked_at() {
    let selection = selection(|scope| scope == Scope::Batch);
    check_caught("every-64th", 20_000, &selection);
}

#[test]
fn changed_copies_of_the_last_deck_are_caught_when_they_come() {
    let selection = selection(|scope| scope != Scope::Prefix);
    for name in ["cut-last", "reversed-last", "inverse-last"] {
        // 4.6/rate decks hold one at 99 %: twice that here.
        check_caught(name, 9_200, &selection);
    }
}

/// Shuffles by the loop most programs have, on a fraction from 0 up to 1.
fn blocks_dealt(mut fraction: impl FnMut() -> f64, decks: usize) -> Vec<DeckBlock> {
    let mut blocks = vec![DeckBlock::default(); decks.div_ceil(64)];
    for number in 0..decks {
        let mut deck: Vec<u8> = (0..52).collect();
        for last in (1..52).rev() {
            deck.swap(last, (fraction() * (last + 1) as f64) as usize);
        }
        blocks[number / 64].push(&Deck::try_from(&deck[..]).expect("a permutation"));
    }
    blocks
}

/// Generators that are no dealers of the list: the sum of two and multiply-with-carry have one wave as well.
#[test]
fn sums_and_carries_are_caught_with_few_decks() {
    let selection = selection(|_| true);
    // PHP's lcg_value (L'Ecuyer 1988).
    let (mut s1, mut s2) = (12_345u64, 67_890u64);
    let lcg_value = || {
        (s1, s2) = (s1 * 40_014 % 2_147_483_563, s2 * 40_692 % 2_147_483_399);
        let z = s1 as i64 - s2 as i64;
        (if z < 1 { z + 2_147_483_562 } else { z }) as f64 * 4.656_613e-10
    };
    let (p_value, part) = family_p_value(&outcomes(&selection, &blocks_dealt(lcg_value, 20)));
    assert!(p_value < 1e-6 && part.ends_with(" congruential"), "{p_value:e} of {part}");
    // Marsaglia's two side by side, as some had them from him.
    let (mut z, mut w) = (362_436_069u32, 521_288_629u32);
    let mwc1616 = || {
        z = 36_969 * (z & 0xffff) + (z >> 16);
        w = 18_000 * (w & 0xffff) + (w >> 16);
        f64::from((z << 16).wrapping_add(w & 0xffff)) / 4_294_967_296.0
    };
    let (p_value, part) = family_p_value(&outcomes(&selection, &blocks_dealt(mwc1616, 20)));
    assert!(p_value < 1e-6 && part.ends_with(" congruential"), "{p_value:e} of {part}");
    // V8 until 2015, math.js: the upper half is that of 18,030.
    let (mut r0, mut r1) = (0x1234_5678u32, 0x9abc_def0u32);
    let v8 = || {
        r0 = 18_030u32.wrapping_mul(r0 & 0xffff).wrapping_add(r0 >> 16);
        r1 = 36_969u32.wrapping_mul(r1 & 0xffff).wrapping_add(r1 >> 16);
        f64::from((r0 << 16).wrapping_add(r1 & 0xffff)) / 4_294_967_296.0
    };
    let (p_value, part) = family_p_value(&outcomes(&selection, &blocks_dealt(v8, 32)));
    assert!(p_value < 1e-6 && part.ends_with(" congruential"), "{p_value:e} of {part}");
}

/// Generators with a seed of its own for each deck, so that nothing but the multiplier joins their numbers.
#[test]
fn congruential_generators_of_published_multipliers_are_caught_with_few_decks() {
    // Unreal Engine's FRandomStream, what fills MT19937, Waterman, L'Ecuyer 1999, Derive.
    let modulo_32 = [196_314_165, 1_812_433_253, 1_566_083_941, 2_891_336_453, 3_141_592_653];
    // Windows, IMSL, two of GSL by Fishman and Moore; MINSTD thrice, SIMSCRIPT II, Fishman and Moore, SAS.
    let modulo_31 = [2_147_483_629, 950_706_376, 62_089_911, 1_226_874_159];
    let older = [16_807, 48_271, 69_621, 630_360_016, 742_938_285, 397_204_094];
    // L'Ecuyer 1999.
    let modulo_64 = [2_862_933_555_777_941_757, 3_935_559_000_370_003_845, 3_202_034_522_624_059_733];
    let modulo_prime = |multiplier| (multiplier, (1 << 31) - 1, 0);
    let primes = modulo_31.map(modulo_prime).into_iter();
    let primes = primes.chain([(40_014, 2_147_483_563, 0), (40_692, 2_147_483_399, 0)]);
    // Each number, or two for one fraction.
    let doubles = primes.clone().chain(older.map(modulo_prime)).map(|generator| (2, generator));
    let generators = modulo_32
        .map(|multiplier| (multiplier, 1u128 << 32, 907_633_515))
        .into_iter()
        .chain(primes)
        .chain([(13u128.pow(13), 1 << 59, 0)])
        .chain(modulo_64.map(|multiplier| (multiplier, 1 << 64, 1)));
    let generators = generators.map(|generator| (1, generator)).chain(doubles);
    let selection = selection_of("spectral");
    for (number, (numbers, (multiplier, modulus, increment))) in generators.enumerate() {
        let mut seeds = ChaCha20Rng::seed_from_u64(number as u64);
        let (mut drawn, mut state) = (0, 0);
        let fraction = || {
            if drawn % 51 == 0 {
                state = u128::from(seeds.next_u64()) % modulus;
            }
            drawn += 1;
            // The number before is the smaller part of a fraction of two.
            (0..numbers).fold(0.0, |before, _| {
                state = (state * multiplier + increment) % modulus;
                (state as f64 + before) / modulus as f64
            })
        };
        let (p_value, part) = family_p_value(&outcomes(&selection, &blocks_dealt(fraction, 24)));
        assert!(
            p_value < 1e-6 && part.ends_with(" congruential"),
            "{numbers} of {multiplier}: {p_value:e} of {part}"
        );
    }
}

/// P-values of fair decks, of the statistics of a prefix, at a level: at most the level.
#[test]
fn fair_draws_are_rejected_at_most_at_the_level() {
    let selection = selection(|scope| scope == Scope::Prefix);
    let mut rng = ChaCha20Rng::seed_from_u64(11);
    let mut deck: Vec<u8> = (0..52).collect();
    let mut rejected: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
    let replicates = 25;
    for decks in [10, 32, 100] {
        for _ in 0..replicates {
            let mut blocks = vec![DeckBlock::default(); 2];
            for number in 0..decks {
                deck.shuffle(&mut rng);
                blocks[number / 64].push(&Deck::try_from(&deck[..]).expect("a permutation"));
            }
            for (_, _, outcome) in outcomes(&selection, &blocks[..decks.div_ceil(64)]) {
                let counts = rejected.entry(outcome.part).or_default();
                counts[0] += u64::from(outcome.p_value <= 0.05);
                counts[1] += u64::from(outcome.p_value <= 0.01);
                counts[2] += 1;
            }
        }
    }
    for (part, [at_5, at_1, all]) in rejected {
        for (count, level) in [(at_5, 0.05), (at_1, 0.01)] {
            let upper = binomial::tails(all, level, count).1;
            assert!(upper > 1e-6, "{part}: {count} of {all} at {level}");
        }
    }
}
