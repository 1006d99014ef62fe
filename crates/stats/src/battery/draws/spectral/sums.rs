//! Sums of 16-bit products: on x86-64 by the instruction that multiplies pairs and adds them.

use multiversion::multiversion;
use multiversion::target::match_target;

use crate::battery::draws::spectral::rounded::{Pair, Pairs, Parts, Sums, THIRDS, ThirdSums, Thirds};

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

/// The sums of all pairs of products with their rows, from that of `first` before the first product on.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn sums_with_thirds(products: &Pairs, thirds: &Thirds, first: usize) -> ThirdSums {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vl" => avx512::sums_with_thirds(products, thirds, first),
        "x86_64+avx2" => avx2::sums_with_thirds(products, thirds, first),
        _ => plain_sums_with_thirds(products, thirds, first),
    }
}

/// Adds the products of every place with the vector of that place.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn add_places(products: [&[Parts]; 4], thirds: [&[Parts]; 2], sums: &mut Sums) {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vl" => avx512::add_places(products, thirds, sums),
        "x86_64+avx2" => avx2::add_places(products, thirds, sums),
        _ => plain_add_places(products, thirds, sums),
    }
}

#[inline(always)]
fn plain_sums_with_thirds(products: &Pairs, thirds: &Thirds, first: usize) -> ThirdSums {
    let mut sums = [[0; 2 * THIRDS]; 4];
    for (pairs, rows) in products.with_rows(thirds, first) {
        for (place, parts) in pairs.iter().rev().enumerate() {
            let row = rows[2 * place..][..THIRDS].as_flattened();
            for (sum, part) in sums.iter_mut().zip(parts) {
                sum.iter_mut().zip(row).for_each(|(sum, third)| *sum += of_pairs(*part, *third));
            }
        }
    }
    sums
}

#[inline(always)]
fn plain_add_places(products: [&[Parts]; 4], thirds: [&[Parts]; 2], sums: &mut Sums) {
    let both = products.into_iter().flat_map(|part| thirds.map(|third| (part, third)));
    for (sum, (part, third)) in sums.iter_mut().zip(both) {
        for (part, third) in part.iter().zip(third) {
            let pairs = part.as_chunks().0.iter().zip(third.as_chunks().0);
            sum.iter_mut().zip(pairs).for_each(|(sum, (a, b))| *sum += of_pairs(*a, *b));
        }
    }
}

/// The sum of both products.
#[inline(always)]
fn of_pairs(a: Pair, b: Pair) -> i32 {
    i32::from(a[0]) * i32::from(b[0]) + i32::from(a[1]) * i32::from(b[1])
}

/// Of one of the third draws the sums with the four parts of products.
pub(super) fn of_third(sums: &ThirdSums, third: usize) -> [[i64; 2]; 4] {
    sums.map(|sum| [sum[2 * third], sum[2 * third + 1]].map(i64::from))
}

/// Of all places the sums with the four parts of products.
pub(super) fn of_places(sums: &Sums) -> [[i64; 2]; 4] {
    let sum = |of: usize| sums[of].iter().map(|&lane| i64::from(lane)).sum();
    std::array::from_fn(|part| [sum(2 * part), sum(2 * part + 1)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::draws::spectral::rounded::{PLACES, Products, Rounded, Scale};
    use crate::battery::draws::spectral::vectors::{Vector, Vectors, signed_sums, vector};
    use deckproof_deck::keystream::Keystream;

    /// Vectors with gaps, or as long as they can be.
    fn lines(length: usize) -> [Vec<Vector>; 2] {
        let mut keystream = Keystream::new(&[3; 32], 0);
        let drawn = |_| match keystream.word() {
            word if word.is_multiple_of(7) => [0.0; 2],
            word => vector((word >> 16) as u16),
        };
        [(0..length).map(drawn).collect(), vec![[1.0, 0.0]; length]]
    }

    fn runs_of(line: &[Vector], short: usize) -> Vec<std::ops::Range<usize>> {
        let is_there = |place: usize| line[place] != [0.0; 2] && line[place + short] != [0.0; 2];
        let there: Vec<usize> = (0..line.len() - short).filter(|&place| is_there(place)).collect();
        there.chunk_by(|a, b| a + 1 == *b).map(|run| run[0]..run[run.len() - 1] + 1).collect()
    }

    /// By the instructions of AVX2, where they are.
    #[multiversion(targets("x86_64+avx2"))]
    fn avx2_sums_with_thirds(products: &Pairs, thirds: &Thirds, first: usize) -> Option<ThirdSums> {
        match_target! {
            "x86_64+avx2" => Some(avx2::sums_with_thirds(products, thirds, first)),
            _ => { let _ = (products, thirds, first); None },
        }
    }

    #[multiversion(targets("x86_64+avx2"))]
    fn avx2_add_places(products: [&[Parts]; 4], thirds: [&[Parts]; 2], sums: &mut Sums) -> bool {
        match_target! {
            "x86_64+avx2" => { avx2::add_places(products, thirds, sums); true },
            _ => { let _ = (products, thirds, sums); false },
        }
    }

    fn longest(sums: [[f64; 2]; 4]) -> f64 {
        sums.iter().map(|[re, im]| libm::hypot(*re, *im)).fold(0.0, f64::max)
    }

    /// The same sums by every instruction set, and as far from those of 32-bit parts as the scale says at most.
    #[test]
    fn sums_at_lags_are_those_of_unrounded_vectors_but_for_rounding() {
        for length in [40, 41, 333, 5_000] {
            for line in lines(length) {
                let vectors: Vectors = line.iter().copied().collect();
                let scale = Scale::of(length);
                let thirds = Thirds::backwards(vectors.from(0, length), length, 30, scale);
                for short in [1, 2, 5] {
                    let mut products = Pairs::new(scale);
                    let (x, y) = (vectors.from(short, length - short), vectors.from(0, length - short));
                    products.fill(x, y, runs_of(&line, short));
                    let first = length - 1 + 3;
                    let found = sums_with_thirds(&products, &thirds, first);
                    assert_eq!(found, plain_sums_with_thirds(&products, &thirds, first));
                    assert!(
                        avx2_sums_with_thirds(&products, &thirds, first).is_none_or(|other| other == found)
                    );
                    for lane in 0..THIRDS {
                        let long = short + 3 + lane;
                        let from = |place: usize| vectors.from(place, length - long);
                        let exact = longest(signed_sums(from(long), from(long - short), from(0)));
                        let near = scale.longest_square(of_third(&found, lane)).sqrt();
                        let terms = (length - long) as u64;
                        assert!(
                            (near - exact).abs() <= scale.error(terms) + 1e-3,
                            "{near} for {exact} of {terms}"
                        );
                        // A test that would not notice a lost product has seen nothing.
                        assert!(length < 5_000 || line[0] != [1.0, 0.0] || exact > 0.99 * terms as f64);
                    }
                }
            }
        }
    }

    #[test]
    fn sums_over_places_are_those_of_unrounded_vectors_but_for_rounding() {
        for length in [32, 40, 333, 5_000] {
            for line in lines(length + 2) {
                let vectors: Vectors = line.iter().copied().collect();
                let scale = Scale::of(length);
                let [x, y, z] = [0, 1, 2].map(|place| vectors.from(place, length));
                let thirds = Rounded::of(z, length, scale);
                let mut products = Products::new(scale);
                products.fill(x, y, length);
                let thirds = thirds.rows(0, length.div_ceil(PLACES));
                let [mut found, mut plain, mut other] = [Sums::default(); 3];
                add_places(products.rows(length), thirds, &mut found);
                plain_add_places(products.rows(length), thirds, &mut plain);
                assert_eq!(found, plain);
                assert!(!avx2_add_places(products.rows(length), thirds, &mut other) || other == found);
                let near = scale.longest_square(of_places(&found));
                // Sums in lanes of eight take in what follows the last vector; none of these is in a product.
                let own = |from: usize| -> Vectors { line[from..from + length].iter().copied().collect() };
                let [x, y, z] = [own(0), own(1), own(2)];
                let exact = longest(signed_sums(x.from(0, length), y.from(0, length), z.from(0, length)));
                let off = (near.sqrt() - exact).abs();
                assert!(off <= scale.error(length as u64) + 1e-2, "{} for {exact} of {length}", near.sqrt());
            }
        }
    }
}
