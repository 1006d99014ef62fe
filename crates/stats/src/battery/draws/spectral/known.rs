//! Waves that published generators stand on, known before any deck is seen.
//!
//! All numbers `u = x/M` of a congruential generator `x ← a·x + c mod M` keep `v·u` whole but for a constant, for every
//! vector v of its dual lattice, `Σ v_i·a^i ≡ 0 mod M` (Coveyou & MacPherson 1967; Knuth, TAOCP 2, 3.3.4).
//! The more parts a vector has, the smaller they are, so that even the coarse digits of a deck show it. The
//! vectors are reduced by `fixtures/math/lattices.py`, and checked by the compiler.

/// `2^31 − 1`, a prime.
pub(super) const M31: i128 = (1 << 31) - 1;

/// A vector, if it belongs to the dual lattice; else this does not compile.
const fn dual(multiplier: i128, modulus: i128, vector: &'static [i32]) -> &'static [i32] {
    let (mut sum, mut power, mut place) = (0, 1, 0);
    while place < vector.len() {
        sum = (sum + vector[place] as i128 * power).rem_euclid(modulus);
        power = power * multiplier % modulus;
        // No base of 13 to 52 divides a part.
        assert!(vector[place].unsigned_abs() < 13);
        place += 1;
    }
    assert!(sum == 0 && vector[0] != 0 && vector[vector.len() - 1] != 0);
    vector
}

/// `multiplier^draws mod M31`.
const fn power(multiplier: i128, draws: u32) -> i128 {
    let (mut power, mut draw) = (1, 0);
    while draw < draws {
        power = power * multiplier % M31;
        draw += 1;
    }
    power
}

/// Of consecutive numbers, scaled to the ranges.
pub(super) static SCALED: [&[i32]; 52] = [
    // MINSTD, minstd_rand0.
    dual(16_807, M31, &[-1, 0, 1, 0, 2, 0, -3, -2, -1, 1, 1, 2]),
    // minstd_rand of C++11.
    dual(48_271, M31, &[5, -1, 0, -1, 0, -3, 1, -2, -1, 0, 1]),
    // MINSTD, third multiplier.
    dual(69_621, M31, &[-1, -3, 0, -1, 0, 3, -1, 0, -1, 1, 3, 1]),
    // SIMSCRIPT II.
    dual(630_360_016, M31, &[1, -1, 1, 2, -1, 0, -1, -1, -2, 0, -2, 2]),
    // Fishman and Moore.
    dual(742_938_285, M31, &[1, 0, -1, -2, -1, 1, -1, 2, 1, -1, 1, 1]),
    // SAS, IMSL.
    dual(397_204_094, M31, &[1, 0, -2, 1, -3, 2, 1, 2, -1, 0, 1, -2, 1]),
    // ANSI C, glibc TYPE_0.
    dual(1_103_515_245, 1 << 31, &[-3, 3, -1, -2, 2, 0, -1, 2, 2, 2]),
    // Numerical Recipes.
    dual(1_664_525, 1 << 32, &[-3, 2, 1, -3, 1, 0, -1, 0, 3, 2, 0, 2]),
    // VAX.
    dual(69_069, 1 << 32, &[3, -1, 1, 1, 1, 3, 2, -2, 0, 3, 0, 1]),
    // Borland C.
    dual(22_695_477, 1 << 32, &[-1, 1, 0, 0, -2, 0, 0, 2, -1, -1, -1, 1, 1, 1]),
    // Microsoft C, 31 bits of its state.
    dual(214_013, 1 << 31, &[-1, 1, 0, -4, -1, 0, 0, -2, -1, 4]),
    // Delphi and Turbo Pascal.
    dual(134_775_813, 1 << 32, &[1, 0, -2, -4, 1, 1, 1, -1, 0, -2, 1, -1, 1]),
    // drand48, java.util.Random.
    dual(25_214_903_917, 1 << 48, &[-1, -1, -4, 2, 2, 0, 1, -1, 0, -1, 4, 1, 0, 0, 1, 2, 3]),
    // Java's nextDouble: every second number of the same.
    dual(
        25_214_903_917 * 25_214_903_917 % (1 << 48),
        1 << 48,
        &[-3, -1, -3, 0, 2, 1, 1, -2, -1, 0, 2, 2, -1, 1, -1, 3],
    ),
    // RANF of the Cray.
    dual(44_485_709_377_909, 1 << 48, &[-1, -2, 1, -1, -1, 0, 3, -1, -1, -3, 0, 0, 3, 2, -2, -1, 0, -1, 1]),
    // MMIX, musl, newlib.
    dual(6_364_136_223_846_793_005, 1 << 64, &[-4, 1, -4, -1, 0, -5, 2, 0, 1, 2, 3, -3, 1, 3, 4, 0, 4, 1, 3]),
    // Visual Basic.
    dual(1_140_671_485, 1 << 24, &[-1, 1, 3, -1, -1, 0, -1, 0, -2, 2]),
    // Wichmann and Hill, as one generator.
    dual(16_555_425_264_690, 30_269 * 30_307 * 30_323, &[-3, 1, -1, 1, 0, -1, 1, -3, 2, 2, 0, -1, 0, -2, 2]),
    // L'Ecuyer's sum of two generators (1988), as one; PHP's lcg_value.
    dual(
        1_968_402_271_571_654_650,
        2_147_483_563 * 2_147_483_399,
        &[2, 0, 1, 6, 5, 4, 1, 2, -5, -3, -1, 1, 0, 0, -1, 0, -3, -1, 2, 1],
    ),
    // Marsaglia's multiply-with-carry of 16 bits, two of them side by side: modulo a·b − 1.
    dual(36_969, (36_969 << 16) - 1, &[-1, 1, 4, -2, -1, -1, -1, -3, 2, 0, 1, 1]),
    dual(18_000, (18_000 << 16) - 1, &[-1, -1, -3, 2, -1, -1, -1, -1, 0, 0, 0, 0, 2]),
    // The visible halves of what V8 made of it, first and later.
    dual(18_273, (18_273 << 16) - 1, &[-2, 1, 0, 0, 2, 1, 0, 1, -1, 0, 1, 3]),
    dual(18_030, (18_030 << 16) - 1, &[-2, 2, -4, -3, -1, 1, 0, 1, 1, 1]),
    // The same of 32 bits, and that of KISS.
    dual(
        4_294_957_665,
        (4_294_957_665 << 32) - 1,
        &[-3, -2, -3, 0, 0, 2, -2, 6, 6, -2, 1, 1, 4, -2, 1, -1, 3, 2, -1, 1],
    ),
    dual(
        698_769_069,
        (698_769_069 << 32) - 1,
        &[4, 4, 2, -2, 1, 3, 2, 2, -4, 0, 0, 1, 1, 1, -1, 1, -1, -4, 3],
    ),
    // Unreal Engine.
    dual(196_314_165, 1 << 32, &[3, 1, -1, 1, -4, 2, 2, 1, 2, -1, 2]),
    // Borosh and Niederreiter; what fills MT19937 from a seed.
    dual(1_812_433_253, 1 << 32, &[2, 0, 0, -1, 2, -3, 0, 1, 2, -1, 1, 0, 0, 1]),
    // Waterman.
    dual(1_566_083_941, 1 << 32, &[-4, -1, 1, 0, 0, 2, 3, 0, -1, 0, 2, 2]),
    // L'Ecuyer 1999, of 32 bits.
    dual(2_891_336_453, 1 << 32, &[-1, -2, -1, 2, 0, 2, -1, -1, 0, -1, -1, 0, 0, -1, 1]),
    // Derive.
    dual(3_141_592_653, 1 << 32, &[-2, 1, 4, 1, 0, 0, 2, 1, -1, -1, 1, 2]),
    // RtlUniform of Windows.
    dual(2_147_483_629, M31, &[-3, -3, 1, 0, -1, 2, 0, 4, 1, 1, 0, 2]),
    // Fishman and Moore, in IMSL.
    dual(950_706_376, M31, &[-3, 1, 0, -1, 1, 1, 3, 2, 1, 1, 2, 1]),
    // Fishman and Moore, the first two of GSL.
    dual(62_089_911, M31, &[-4, 0, -1, 2, -3, 1, 0, -1, -1, -2, 2]),
    dual(1_226_874_159, M31, &[-2, -2, -1, 0, 0, 1, -1, 0, -1, 0, -1, 0, 1, 0, 1]),
    // The two of L'Ecuyer's sum, each by itself.
    dual(40_014, 2_147_483_563, &[1, 3, 4, 0, -1, 1, 0, -4, -1, 1]),
    dual(40_692, 2_147_483_399, &[-3, -3, -2, 1, 0, -2, -1, 1, 0, 0, 1, 1, 1]),
    // NAG.
    dual(302_875_106_592_253, 1 << 59, &[-1, -1, 1, 5, 2, -3, 0, 0, 2, -1, -2, 1, -5, -2, -1, 2, 0, 1, 0, 2]),
    // L'Ecuyer 1999, of 64 bits; the second is also that of Numerical Recipes, third edition.
    dual(
        2_862_933_555_777_941_757,
        1 << 64,
        &[1, 3, 4, 0, 0, -1, -3, 1, 6, -3, 0, 1, -1, -2, 2, 3, -4, -1, 1, 1],
    ),
    dual(
        3_935_559_000_370_003_845,
        1 << 64,
        &[5, 3, -4, -4, -1, -1, 0, 4, 0, 1, -2, 1, -3, 1, 5, 0, -1, 4, -1, 1],
    ),
    dual(
        3_202_034_522_624_059_733,
        1 << 64,
        &[2, 0, -4, 0, -4, -4, 1, 0, -6, 0, 2, -5, -4, -1, 5, 0, -1, 2, 1],
    ),
    // Every second number of those modulo primes, as C++ makes a double of two of 31 bits (generate_canonical): the second weighs most.
    dual(16_807 * 16_807 % M31, M31, &[-4, 2, 0, 0, 0, -4, 0, -2, -1, 1, 1]),
    dual(48_271 * 48_271 % M31, M31, &[-1, 1, 3, -1, 2, 0, -1, -1, 2, 4]),
    dual(69_621 * 69_621 % M31, M31, &[-2, 0, 1, 0, 0, -1, 0, 1, 0, 0, 0, 2, 1]),
    dual(630_360_016 * 630_360_016 % M31, M31, &[1, -2, -4, 2, 1, -1, 2, 2, -1, -2, 1]),
    dual(742_938_285 * 742_938_285 % M31, M31, &[-1, -2, 3, 0, 4, -1, -1, -3, 1, 2]),
    dual(397_204_094 * 397_204_094 % M31, M31, &[-2, 0, 0, -1, 0, -2, 0, -1, -1, -4, 1]),
    dual(2_147_483_629 * 2_147_483_629 % M31, M31, &[-1, -3, -3, 0, 2, -2, -2, -1, -1, -2, -1, 1]),
    dual(950_706_376 * 950_706_376 % M31, M31, &[2, 3, 0, 1, -3, -2, -3, 0, 0, 0, 1]),
    dual(62_089_911 * 62_089_911 % M31, M31, &[-2, -1, 0, -1, 1, 1, 0, 1, -2, 2, 0, 3]),
    dual(1_226_874_159 * 1_226_874_159 % M31, M31, &[1, -1, 4, -2, -1, 0, 2, 0, 1, 0, 0, 0, 2]),
    dual(40_014 * 40_014, 2_147_483_563, &[-1, -1, -3, -1, 3, 1, 1, 3, -1, 2]),
    dual(40_692 * 40_692, 2_147_483_399, &[1, 2, -1, -1, 1, 0, 0, 1, -2, -1, 0, 1, -1, 1]),
];

/// Of numbers of which five bits are drawn, again and again while they are as large as the range: the shortest vectors for the
/// bases from 32 down, where few are rejected. Bits in the middle are the highest ones modulo a smaller power of two.
pub(super) static REJECTED: [&[i32]; 20] = [
    // MINSTD, minstd_rand0.
    dual(16_807, M31, &[4, 0, 2, 9, 10, 3, 8]),
    // minstd_rand of C++11.
    dual(48_271, M31, &[3, -4, 4, 4, 2, -1, 2, 4]),
    // MINSTD, third multiplier.
    dual(69_621, M31, &[-1, 0, 9, 3, -4, 5, -1, 7]),
    // ANSI C, glibc TYPE_0.
    dual(1_103_515_245, 1 << 31, &[-1, -4, -10, -1, 0, -6, 2]),
    // ANSI C, bits 16 to 20.
    dual(1_103_515_245, 1 << 21, &[2, -4, 5, -6, -1, 4]),
    // Numerical Recipes.
    dual(1_664_525, 1 << 32, &[-2, -5, 5, 2, 10, 8, 10]),
    // VAX.
    dual(69_069, 1 << 32, &[-3, 11, -4, 8, -4, 4]),
    // VAX, bits 16 to 20.
    dual(69_069, 1 << 21, &[6, -4, -4, 4, 4, 2]),
    // Borland C, 31 bits of its state.
    dual(22_695_477, 1 << 31, &[-5, -5, 5, 1, 3, 1, 12]),
    // Borland C, the whole state.
    dual(22_695_477, 1 << 32, &[3, 3, -1, -2, 6, 2, -6, 3]),
    // Borland C, bits 16 to 20.
    dual(22_695_477, 1 << 21, &[4, 3, 1, -2, 1, 9]),
    // Microsoft C, 31 bits of its state.
    dual(214_013, 1 << 31, &[4, -6, 3, 2, 2, -7, -6, 4]),
    // Microsoft C, bits 16 to 20.
    dual(214_013, 1 << 21, &[-9, 3, 5, 1]),
    // Delphi and Turbo Pascal.
    dual(134_775_813, 1 << 32, &[5, -3, 5, 6, -5, -1, 1]),
    // drand48, java.util.Random.
    dual(25_214_903_917, 1 << 48, &[2, 6, 10, 1, 4, -3, -3, -1, -2, 9, 9]),
    // lrand48, nextInt of Java: bits 17 to 21.
    dual(25_214_903_917, 1 << 22, &[-9, 0, -4, -4, 4, 1]),
    // nextInt of Java without a range: bits 16 to 20.
    dual(25_214_903_917, 1 << 21, &[-2, -1, 9, -4, 5, 1]),
    // musl, MMIX: bits 33 to 37.
    dual(6_364_136_223_846_793_005, 1 << 38, &[-5, 10, -5, 2, -1, 10, -1, -5, 7]),
    // newlib, MMIX: bits 32 to 36.
    dual(6_364_136_223_846_793_005, 1 << 37, &[-5, 10, -5, 2, -1, 10, -1, -5, 7]),
    // Visual Basic.
    dual(1_140_671_485, 1 << 24, &[9, -12, -2, 4, 1]),
];

/// Of numbers 51 or 52 draws apart, that is of the same draw in deck after deck, modulo [`M31`] and then modulo the
/// range. Moduli that are powers of two show their low bits to the linear complexity.
pub(super) static REDUCED: [&[i32]; 12] = [
    // MINSTD, minstd_rand0.
    dual(power(16_807, 51), M31, &[-1, 0, -1, 0, 2, 0, 0, 0, 2, -2, 3, 4]),
    // MINSTD, minstd_rand0.
    dual(power(16_807, 52), M31, &[2, 1, 1, 0, 0, -3, 0, -2, -2, 1, 3, 2]),
    // minstd_rand of C++11.
    dual(power(48_271, 51), M31, &[3, 2, 2, 2, 0, 0, 0, -2, -2, -3, -2, 1]),
    // minstd_rand of C++11.
    dual(power(48_271, 52), M31, &[-1, 0, -1, 1, 0, -4, 3, 1, 0, 0, 1]),
    // MINSTD, third multiplier.
    dual(power(69_621, 51), M31, &[1, 2, 0, 2, 1, 0, 0, 0, 1, 1, -1, 1]),
    // MINSTD, third multiplier.
    dual(power(69_621, 52), M31, &[-3, -3, 0, 1, 1, 3, -2, 2, 0, 0, -1, 3]),
    // SIMSCRIPT II.
    dual(power(630_360_016, 51), M31, &[2, -1, 1, 2, -2, -1, 1, 3, 0, -1, -1, 2]),
    // SIMSCRIPT II.
    dual(power(630_360_016, 52), M31, &[2, 0, 3, -1, 0, 0, -2, 2, 4, 0, 1]),
    // Fishman and Moore.
    dual(power(742_938_285, 51), M31, &[-1, -3, 0, 0, -2, 1, 1, 1, 0, 3, 0, 3]),
    // Fishman and Moore.
    dual(power(742_938_285, 52), M31, &[-1, -1, 1, -1, 2, 2, -4, 1, 3, -1, 0, 1]),
    // SAS, IMSL.
    dual(power(397_204_094, 51), M31, &[-1, 2, 2, 3, 0, 4, 0, 1, -3, 1, -2, 2]),
    // SAS, IMSL.
    dual(power(397_204_094, 52), M31, &[1, -2, -4, 3, 2, -2, 2, -2, 0, 0, 0, 2]),
];

/// Lags s < r of `x_n = x_{n−r} ± x_{n−s}` that are longer than two decks: Knuth, TAOCP 2, 3.2.2, table 1, among them
/// (273, 607) of Go's math/rand; the lags of Boost's `lagged_fibonacci`; R250.
pub(super) const LAGS: [(usize, usize); 20] = [
    (30, 127),
    (103, 250),
    (83, 258),
    (107, 378),
    (168, 521),
    (273, 607),
    (334, 607),
    (418, 1_279),
    (861, 1_279),
    (1_029, 2_281),
    (1_252, 2_281),
    (576, 3_217),
    (2_098, 4_423),
    (2_325, 4_423),
    (4_187, 9_689),
    (5_502, 9_689),
    (7_083, 19_937),
    (9_842, 19_937),
    (9_739, 23_209),
    (13_470, 23_209),
];

/// The same of at most two decks: those of BSD's `random` (degrees 7, 15, 31, 63), glibc's `rand` among them; ranlux; Mitchell
/// and Moore's 24 and 55, Knuth's `ran3` among them, and what .NET made of it; RANMAR; others of Knuth's table.
pub(super) static SHORT_LAGS: [(usize, usize); 11] =
    [(3, 7), (1, 15), (5, 17), (10, 24), (3, 31), (24, 55), (34, 55), (1, 63), (38, 89), (33, 97), (37, 100)];
