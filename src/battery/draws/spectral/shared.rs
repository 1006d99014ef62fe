//! The highest of many waves that share their first two draws: those that may be are looked for by sums in any order,
//! and only these are summed in the one order that every machine has.
//!
//! A scan of all short waves asks for thousands of sums and keeps one. `x·y` and `x·ȳ` are multiplied once for all third
//! draws, and what is more than the errors of 32-bit sums below the highest sum so far is left out.

use multiversion::multiversion;

use crate::battery::draws::spectral::circle::Peak;
use crate::battery::draws::spectral::line::SIGNS;
use crate::battery::draws::spectral::vectors::{ROOM, Slice, WIDE_LANES, signed_sums};

/// `x·y` and `x·ȳ` of two slices, and zeros behind them.
#[derive(Default)]
pub(super) struct Products {
    plain: [Vec<f32>; 2],
    turned: [Vec<f32>; 2],
    length: usize,
}

impl Products {
    /// Those of as many vectors.
    pub(super) fn fill(&mut self, x: Slice, y: Slice, length: usize) {
        self.length = length;
        for part in self.plain.iter_mut().chain(&mut self.turned) {
            part.resize(length + ROOM, 0.0);
            part[length..].fill(0.0);
        }
        let [plain_re, plain_im] = &mut self.plain;
        let [turned_re, turned_im] = &mut self.turned;
        multiply(x, y, [plain_re, plain_im, turned_re, turned_im].map(|part| &mut part[..length]));
    }

    /// What [`signed_sums`] gives for those from a place on, but for the errors of adding in another order.
    fn near_sums(&self, place: usize, z: Slice) -> [[f64; 2]; SIGNS] {
        let end = place + (self.length - place).next_multiple_of(WIDE_LANES);
        let [plain_re, plain_im] = &self.plain;
        let [turned_re, turned_im] = &self.turned;
        near_sums([plain_re, plain_im, turned_re, turned_im].map(|part| &part[place..end]), z)
    }
}

/// The waves of one scan of which one may be the highest.
#[derive(Default)]
pub(super) struct Highest {
    so_far: Peak,
}

impl Highest {
    /// Reports the waves of three slices that may be the highest, or equal to it, all over `terms` terms; one that is not
    /// wanted is `None`. From `place` on, `products` are those of x and y; z is for lanes of [`WIDE_LANES`].
    pub(super) fn sum(
        &mut self,
        (products, place): (&Products, usize),
        [x, y, z]: [Slice; 3],
        terms: u64,
        wave: impl Fn(usize, [f64; 2]) -> Option<Peak>,
        report: &mut dyn FnMut(Peak),
    ) {
        let longest =
            products.near_sums(place, z).iter().map(|[re, im]| re * re + im * im).fold(0.0, f64::max);
        if !self.so_far.may_be_passed(longest.sqrt() + slack(terms), terms) {
            return;
        }
        for (sign, sum) in signed_sums(x, y, z).into_iter().enumerate() {
            if let Some(peak) = wave(sign, sum) {
                self.so_far.raise(peak);
                report(peak);
            }
        }
    }
}

/// How far two sums of so many products of 32 bits may lie apart, added in different orders: n/8 additions in a lane, each
/// off by 2^-24 of at most n/8, in 8 lanes, for both parts and both sums, and a few roundings of each product.
fn slack(terms: u64) -> f64 {
    let terms = terms as f64;
    terms * terms / f64::from(1 << 24) + 1e-5 * terms + 1e-3
}

/// `x·y` and `x·ȳ`, real part first.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn multiply(x: Slice, y: Slice, out: [&mut [f32]; 4]) {
    let [plain_re, plain_im, turned_re, turned_im] = out;
    let length = plain_re.len();
    let [(xr, xi), (yr, yi)] = [x, y].map(|slice| slice.parts(length));
    let (plain_im, turned_re, turned_im) =
        (&mut plain_im[..length], &mut turned_re[..length], &mut turned_im[..length]);
    for i in 0..length {
        let (rr, ii, ri, ir) = (xr[i] * yr[i], xi[i] * yi[i], xr[i] * yi[i], xi[i] * yr[i]);
        plain_re[i] = rr - ii;
        plain_im[i] = ri + ir;
        turned_re[i] = rr + ii;
        turned_im[i] = ir - ri;
    }
}

/// The sums of both products with z and z̄, in the order of [`signed_sums`].
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn near_sums(products: [&[f32]; 4], z: Slice) -> [[f64; 2]; SIGNS] {
    let [pr, pi, tr, ti] = products.map(|part| part.as_chunks::<WIDE_LANES>().0);
    let lanes = pr.len();
    let (zr, zi) = z.parts(WIDE_LANES * lanes);
    let [zr, zi] = [zr, zi].map(|part| part.as_chunks::<WIDE_LANES>().0);
    let (pi, tr, ti, zr, zi) = (&pi[..lanes], &tr[..lanes], &ti[..lanes], &zr[..lanes], &zi[..lanes]);
    let [mut a, mut b, mut c, mut d] = [[0f32; WIDE_LANES]; 4];
    let [mut e, mut f, mut g, mut h] = [[0f32; WIDE_LANES]; 4];
    for i in 0..lanes {
        for lane in 0..WIDE_LANES {
            a[lane] += pr[i][lane] * zr[i][lane];
            b[lane] += pi[i][lane] * zi[i][lane];
            c[lane] += pr[i][lane] * zi[i][lane];
            d[lane] += pi[i][lane] * zr[i][lane];
            e[lane] += tr[i][lane] * zr[i][lane];
            f[lane] += ti[i][lane] * zi[i][lane];
            g[lane] += tr[i][lane] * zi[i][lane];
            h[lane] += ti[i][lane] * zr[i][lane];
        }
    }
    let [a, b, c, d] = [a, b, c, d].map(|lanes| sum(&lanes));
    let [e, f, g, h] = [e, f, g, h].map(|lanes| sum(&lanes));
    [[a - b, c + d], [a + b, d - c], [e - f, g + h], [e + f, h - g]]
}

/// The sum of all lanes, halves added to halves.
#[inline(always)]
fn sum(lanes: &[f32; WIDE_LANES]) -> f64 {
    let halves = |width: usize, lanes: &[f32; WIDE_LANES]| -> [f32; WIDE_LANES] {
        std::array::from_fn(|lane| if lane < width { lanes[lane] + lanes[lane + width] } else { 0.0 })
    };
    let eight = halves(8, lanes);
    let four = halves(4, &eight);
    f64::from((four[0] + four[1]) + (four[2] + four[3]))
}
