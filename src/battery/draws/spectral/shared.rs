//! The highest of many waves that share their first two draws: those that may be are looked for by sums in any order,
//! and only these are summed in the one order that every machine has.
//!
//! A scan asks for thousands of sums and keeps one. `x·y` and `x·ȳ` are multiplied once for all third draws, and what is
//! more than the errors of 32-bit sums below the highest sum so far is left out. At lags the sums with 16 third draws are
//! added up side by side, for of the products of a line few lie in a row; of short waves 16 products with one third draw.

use std::ops::Range;

use multiversion::multiversion;

use crate::battery::draws::spectral::circle::Peak;
use crate::battery::draws::spectral::vectors::{Slice, signed_sums};

/// Third draws whose sums are added up side by side.
pub(super) const THIRDS: usize = 16;

/// One part of the vectors of [`THIRDS`] third draws, or of their sums.
type Row = [f32; THIRDS];

/// `x·y` and `x·ȳ`, of both first the real part.
#[derive(Default)]
pub(super) struct Products {
    parts: [Vec<f32>; 4],
    /// All others are empty: of two draws of a line at least one often is.
    runs: Vec<Range<usize>>,
}

impl Products {
    /// Those of some vectors in runs; all others up to the last run's end are empty.
    pub(super) fn fill(&mut self, x: Slice, y: Slice, runs: impl IntoIterator<Item = Range<usize>>) {
        self.runs.clear();
        self.runs.extend(runs);
        let length = self.runs.last().map_or(0, |run| run.end);
        self.parts.iter_mut().for_each(|part| part.resize(length, 0.0));
        multiply(x, y, self.parts.each_mut().map(Vec::as_mut_slice));
    }

    /// Of 16 third draws the square of the longest of the four sums of [`signed_sums`], but for the errors of adding in
    /// another order.
    pub(super) fn longest_squares(&self, thirds: &Thirds, first: usize) -> Row {
        near_squares(self, thirds, first)
    }
}

/// The vectors of a line from its end back to its start: a row of them holds those further and further before a product.
pub(super) struct Thirds {
    re: Vec<f32>,
    im: Vec<f32>,
}

impl Thirds {
    /// Those of a line, and zeros behind them for up to so many places.
    pub(super) fn backwards(line: Slice, length: usize, places: usize) -> Thirds {
        let (re, im) = line.parts(length);
        let turned = |part: &[f32]| {
            let mut turned = Vec::with_capacity(length + places + THIRDS);
            turned.extend(part.iter().rev());
            turned.resize(length + places + THIRDS, 0.0);
            turned
        };
        Thirds { re: turned(re), im: turned(im) }
    }
}

/// The sums of products with one third draw, of every sixteenth place in a lane.
#[derive(Clone, Default)]
pub(super) struct PlaceSums([Row; 8]);

impl PlaceSums {
    /// Adds the products, whole rows of them, with as many vectors.
    pub(super) fn add(&mut self, products: &Products, z: Slice) {
        add_products(products, z, &mut self.0);
    }

    /// The square of the longest of the four sums of [`signed_sums`], but for the errors of adding in another order.
    pub(super) fn longest_square(&self) -> f32 {
        let mut sums = [0.0; 8];
        for lane in 0..THIRDS {
            sums.iter_mut().zip(&self.0).for_each(|(sum, lanes)| *sum += lanes[lane]);
        }
        longest_square(sums)
    }
}

/// The highest wave of one scan so far.
#[derive(Default)]
pub(super) struct Highest {
    so_far: Peak,
}

impl Highest {
    /// Whether one of four waves of so many terms, the longest of which has nearly this square, may be higher or equal.
    pub(super) fn may_be_passed(&self, near_square: f32, terms: u64) -> bool {
        self.so_far.may_be_passed(f64::from(near_square).sqrt() + slack(terms), terms)
    }

    /// Reports the four waves of three slices; one that is not wanted is `None`.
    pub(super) fn sum(
        &mut self,
        [x, y, z]: [Slice; 3],
        wave: impl Fn(usize, [f64; 2]) -> Option<Peak>,
        report: &mut dyn FnMut(Peak),
    ) {
        for (sign, sum) in signed_sums(x, y, z).into_iter().enumerate() {
            if let Some(peak) = wave(sign, sum) {
                self.so_far.raise(peak);
                report(peak);
            }
        }
    }
}

/// How far two sums of so many products of 32 bits may lie apart, added in different orders: each of n additions is off
/// by 2^-24 of at most n/2 in the mean, for both parts of both sums here, and less in the eight lanes there; and a few
/// roundings of each product and of the square.
fn slack(terms: u64) -> f64 {
    let terms = terms as f64;
    2.0 * terms * terms / f64::from(1 << 24) + 1e-5 * terms + 1e-3
}

#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn multiply(x: Slice, y: Slice, [pr, pi, tr, ti]: [&mut [f32]; 4]) {
    let length = pr.len();
    let [(xr, xi), (yr, yi)] = [x, y].map(|slice| slice.parts(length));
    let (pi, tr, ti) = (&mut pi[..length], &mut tr[..length], &mut ti[..length]);
    for i in 0..length {
        let (rr, ii, ri, ir) = (xr[i] * yr[i], xi[i] * yi[i], xr[i] * yi[i], xi[i] * yr[i]);
        pr[i] = rr - ii;
        pi[i] = ri + ir;
        tr[i] = rr + ii;
        ti[i] = ir - ri;
    }
}

/// The products with the rows of thirds, the first product with the row that begins at `first`, the next one with the row
/// that begins one vector before it.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn near_squares(products: &Products, thirds: &Thirds, first: usize) -> Row {
    // Sums of their own, or the compiler keeps them in memory.
    let [mut a, mut b, mut c, mut d] = [[0f32; THIRDS]; 4];
    let [mut e, mut f, mut g, mut h] = [[0f32; THIRDS]; 4];
    let [pr, pi, tr, ti] = &products.parts;
    for run in &products.runs {
        let (pr, pi) = (&pr[run.clone()], &pi[run.clone()]);
        let (tr, ti) = (&tr[run.clone()], &ti[run.clone()]);
        let rows = first + 1 - run.end..first - run.start + THIRDS;
        let rows = thirds.re[rows.clone()].windows(THIRDS).zip(thirds.im[rows].windows(THIRDS)).rev();
        for ((((pr, pi), tr), ti), (re, im)) in pr.iter().zip(pi).zip(tr).zip(ti).zip(rows) {
            let (re, im) = (row_of(re), row_of(im));
            for lane in 0..THIRDS {
                a[lane] += pr * re[lane];
                b[lane] += pi * im[lane];
                c[lane] += pr * im[lane];
                d[lane] += pi * re[lane];
                e[lane] += tr * re[lane];
                f[lane] += ti * im[lane];
                g[lane] += tr * im[lane];
                h[lane] += ti * re[lane];
            }
        }
    }
    std::array::from_fn(|lane| {
        longest_square([a[lane], b[lane], c[lane], d[lane], e[lane], f[lane], g[lane], h[lane]])
    })
}

#[inline(always)]
fn row_of(window: &[f32]) -> Row {
    *window.first_chunk::<THIRDS>().expect("a window of so many")
}

/// The products of every place with the vector of that place.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn add_products(products: &Products, z: Slice, sums: &mut [Row; 8]) {
    let length = products.parts[0].len();
    assert_eq!(length % THIRDS, 0, "whole rows");
    let [pr, pi, tr, ti] = &products.parts;
    let (pr, pi) = (pr.as_chunks::<THIRDS>().0, pi.as_chunks::<THIRDS>().0);
    let (tr, ti) = (tr.as_chunks::<THIRDS>().0, ti.as_chunks::<THIRDS>().0);
    let (re, im) = z.parts(length);
    let (re, im) = (re.as_chunks::<THIRDS>().0, im.as_chunks::<THIRDS>().0);
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *sums;
    for (((((pr, pi), tr), ti), re), im) in pr.iter().zip(pi).zip(tr).zip(ti).zip(re).zip(im) {
        for lane in 0..THIRDS {
            a[lane] += pr[lane] * re[lane];
            b[lane] += pi[lane] * im[lane];
            c[lane] += pr[lane] * im[lane];
            d[lane] += pi[lane] * re[lane];
            e[lane] += tr[lane] * re[lane];
            f[lane] += ti[lane] * im[lane];
            g[lane] += tr[lane] * im[lane];
            h[lane] += ti[lane] * re[lane];
        }
    }
    *sums = [a, b, c, d, e, f, g, h];
}

/// Of the four sums that eight sums of parts make.
#[inline(always)]
fn longest_square([a, b, c, d, e, f, g, h]: [f32; 8]) -> f32 {
    let sums = [[a - b, c + d], [a + b, d - c], [e - f, g + h], [e + f, h - g]];
    sums.iter().map(|[re, im]| re * re + im * im).fold(0.0, f32::max)
}
