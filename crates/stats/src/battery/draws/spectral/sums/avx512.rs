//! Sixteen lanes at a time.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_madd_epi16, _mm512_set1_epi32, _mm512_setzero_si512,
};

use bytemuck::cast;

use crate::battery::draws::spectral::rounded::{Pair, Pairs, Parts, Sums, THIRDS, Third, ThirdSums, Thirds};

/// Vectors of a row in one register.
const HALF: usize = THIRDS / 2;

#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(super) fn sums_with_thirds(products: &Pairs, thirds: &Thirds, first: usize) -> ThirdSums {
    let mut sums = [[_mm512_setzero_si512(); 2]; 4];
    for (pairs, mut rows) in products.with_rows(thirds, first) {
        for parts in pairs.iter().rev() {
            let row: &[Third; THIRDS] = rows.first_chunk().expect("a row for every pair");
            let [near, far] = row.as_chunks::<HALF>().0 else { unreachable!("two halves") };
            let row = [near, far].map(|half| cast::<[Third; HALF], __m512i>(*half));
            for (sums, &part) in sums.iter_mut().zip(parts) {
                let part = _mm512_set1_epi32(cast::<Pair, i32>(part));
                for (sum, half) in sums.iter_mut().zip(row) {
                    *sum = _mm512_add_epi32(*sum, _mm512_madd_epi16(part, half));
                }
            }
            rows = rows.get(2..).unwrap_or_default();
        }
    }
    sums.map(|[near, far]| {
        let mut both = [0; 2 * THIRDS];
        both.as_chunks_mut()
            .0
            .iter_mut()
            .zip([near, far])
            .for_each(|(half, sum)| *half = cast::<__m512i, [i32; THIRDS]>(sum));
        both
    })
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub(super) fn add_places([pr, pi, tr, ti]: [&[Parts]; 4], [re, im]: [&[Parts]; 2], sums: &mut Sums) {
    let mut own = sums.map(cast::<[i32; THIRDS], __m512i>);
    for (((((pr, pi), tr), ti), re), im) in pr.iter().zip(pi).zip(tr).zip(ti).zip(re).zip(im) {
        let parts = [pr, pi, tr, ti].map(|part| cast::<Parts, __m512i>(*part));
        let thirds = [re, im].map(|part| cast::<Parts, __m512i>(*part));
        for (sums, part) in own.as_chunks_mut::<2>().0.iter_mut().zip(parts) {
            for (sum, third) in sums.iter_mut().zip(thirds) {
                *sum = _mm512_add_epi32(*sum, _mm512_madd_epi16(part, third));
            }
        }
    }
    *sums = own.map(cast);
}
