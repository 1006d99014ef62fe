//! Eight lanes at a time, half a row in two registers: the sums of a whole row are more than there are registers.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_madd_epi16, _mm256_set1_epi32, _mm256_setzero_si256,
};

use bytemuck::cast;

use crate::battery::draws::spectral::rounded::{Pair, Pairs, Parts, Sums, THIRDS, Third, ThirdSums, Thirds};

/// Lanes of 32 bits.
const LANES: usize = 8;

/// Vectors of a row in two registers.
const HALF: usize = THIRDS / 2;

#[target_feature(enable = "avx2")]
pub(super) fn sums_with_thirds(products: &Pairs, thirds: &Thirds, first: usize) -> ThirdSums {
    let mut all = [[0; 2 * THIRDS]; 4];
    for half in [0, HALF] {
        let mut sums = [[_mm256_setzero_si256(); 2]; 4];
        for (pairs, rows) in products.with_rows(thirds, first) {
            let mut rows = &rows[half..];
            for parts in pairs.iter().rev() {
                let row: &[Third; HALF] = rows.first_chunk().expect("a row for every pair");
                let row: [__m256i; 2] = cast(*row);
                for (sums, &part) in sums.iter_mut().zip(parts) {
                    let part = _mm256_set1_epi32(cast::<Pair, i32>(part));
                    for (sum, quarter) in sums.iter_mut().zip(row) {
                        *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(part, quarter));
                    }
                }
                rows = rows.get(2..).unwrap_or_default();
            }
        }
        for (all, sums) in all.iter_mut().zip(sums) {
            all[2 * half..][..2 * HALF].copy_from_slice(&cast::<[__m256i; 2], [i32; 2 * HALF]>(sums));
        }
    }
    all
}

#[target_feature(enable = "avx2")]
pub(super) fn add_places([pr, pi, tr, ti]: [&[Parts]; 4], [re, im]: [&[Parts]; 2], sums: &mut Sums) {
    for half in 0..THIRDS / LANES {
        let own = |row: &Parts| cast::<Parts, [__m256i; THIRDS / LANES]>(*row)[half];
        let mut added = [[_mm256_setzero_si256(); 2]; 4];
        for (((((pr, pi), tr), ti), re), im) in pr.iter().zip(pi).zip(tr).zip(ti).zip(re).zip(im) {
            let (parts, thirds) = ([pr, pi, tr, ti].map(own), [re, im].map(own));
            for (sums, part) in added.iter_mut().zip(parts) {
                for (sum, third) in sums.iter_mut().zip(thirds) {
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(part, third));
                }
            }
        }
        for (sum, added) in sums.iter_mut().zip(added.as_flattened()) {
            let added: [i32; LANES] = cast(*added);
            sum[LANES * half..].iter_mut().zip(added).for_each(|(sum, added)| *sum += added);
        }
    }
}
