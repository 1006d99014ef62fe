//! Unit vectors and products of them in 16-bit parts, laid out for sums that only have to be nearly right.

use std::ops::Range;

use multiversion::multiversion;

use crate::battery::draws::spectral::vectors::Slice;

/// Third draws whose sums are added up side by side, and the lanes of a sum over places.
pub(super) const THIRDS: usize = 16;

/// Places whose products are added up at a time.
pub(super) const PLACES: usize = 2 * THIRDS;

/// Parts of two vectors, one after the other, or of two products.
pub(super) type Pair = [i16; 2];

/// Parts of [`PLACES`] vectors in a row.
pub(super) type Parts = [i16; PLACES];

/// Real and imaginary parts of a vector in the line and of the one before it.
pub(super) type Third = [Pair; 2];

/// The products of two places, their parts in the order of [`Products`].
pub(super) type Both = [Pair; 4];

/// The sums of products and third draws in 16 lanes: of the four parts of products those with real and then those with
/// imaginary parts.
pub(super) type Sums = [[i32; THIRDS]; 8];

/// The same of 16 third draws: of the four parts of products those with real and imaginary parts of a draw in turn.
pub(super) type ThirdSums = [[i32; 2 * THIRDS]; 4];

/// How many units a length of 1 has, so that sums of 32 bits hold the products of two parts for so many places.
#[derive(Clone, Copy)]
pub(super) struct Scale(f32);

impl Scale {
    /// Parts are rounded, and vectors a little longer than 1: 2 % are left for both.
    pub(super) fn of(places: usize) -> Scale {
        let most = (f64::from(i32::MAX) / places.max(1) as f64).sqrt();
        Scale((0.98 * most).floor().min(16_384.0) as f32)
    }

    /// The nearest whole number of units, of a part that is at most 1: what is added leaves the fraction no bits.
    #[inline(always)]
    fn round(self, part: f32) -> i16 {
        const NO_FRACTION: f32 = 12_582_912.0;
        (self.0 * part + NO_FRACTION).to_bits() as i16
    }

    /// How far a sum of so many products may lie from that of parts that are not rounded: both factors, of length 1, are off
    /// by at most half a unit in both parts.
    pub(super) fn error(self, terms: u64) -> f64 {
        let each = std::f64::consts::FRAC_1_SQRT_2 / f64::from(self.0);
        (2.001 * each + each * each) * terms as f64
    }

    /// The square of the longest of four sums, of the four parts of products with real and imaginary parts.
    pub(super) fn longest_square(self, [pr, pi, tr, ti]: [[i64; 2]; 4]) -> f64 {
        let ([a, c], [d, b], [e, g], [h, f]) = (pr, pi, tr, ti);
        let sums = [[a - b, c + d], [a + b, d - c], [e - f, g + h], [e + f, h - g]];
        let longest = sums.iter().map(|[re, im]| re * re + im * im).fold(0, i64::max);
        longest as f64 / f64::from(self.0).powi(4)
    }
}

/// `x·y` and `x·ȳ` in 16-bit parts, of both first the real part.
pub(super) struct Products {
    scale: Scale,
    parts: [Vec<i16>; 4],
}

impl Products {
    /// None yet.
    pub(super) fn new(scale: Scale) -> Products {
        Products { scale, parts: Default::default() }
    }

    /// Those of so many vectors.
    pub(super) fn fill(&mut self, x: Slice, y: Slice, length: usize) {
        // Empty ones fill the last row, or the last pair of places.
        self.parts.iter_mut().for_each(|part| {
            part.truncate(length);
            part.resize((length + 1).next_multiple_of(PLACES), 0);
        });
        multiply(self.scale, x, y, self.parts.each_mut().map(|part| &mut part[..length]));
    }

    /// Whole rows of so many.
    pub(super) fn rows(&self, length: usize) -> [&[Parts]; 4] {
        self.parts.each_ref().map(|part| &part.as_chunks().0[..length.div_ceil(PLACES)])
    }
}

/// Products of a line in pairs of places, run after run: all others are empty, for of two draws of a line at least one often
/// is.
pub(super) struct Pairs {
    products: Products,
    pairs: Vec<Both>,
    /// Where each run begins in the line, and where its pairs end.
    runs: Vec<(usize, usize)>,
}

impl Pairs {
    /// None yet.
    pub(super) fn new(scale: Scale) -> Pairs {
        Pairs { products: Products::new(scale), pairs: Vec::new(), runs: Vec::new() }
    }

    /// Those of some vectors in runs; the place behind a run is empty.
    pub(super) fn fill(&mut self, x: Slice, y: Slice, runs: impl IntoIterator<Item = Range<usize>>) {
        let runs: Vec<Range<usize>> = runs.into_iter().collect();
        self.products.fill(x, y, runs.last().map_or(0, |run| run.end));
        self.pairs.clear();
        self.runs.clear();
        for run in runs {
            let places = run.start..run.start + run.len().next_multiple_of(2);
            let [pr, pi, tr, ti] =
                self.products.parts.each_ref().map(|part| part[places.clone()].as_chunks().0.iter());
            self.pairs.extend(pr.zip(pi).zip(tr).zip(ti).map(|(((pr, pi), tr), ti)| [*pr, *pi, *tr, *ti]));
            self.runs.push((run.start, self.pairs.len()));
        }
    }

    /// The pairs of every run, and the rows of thirds from that of the last pair on; that of the pair before it begins two
    /// vectors further on. The third draw of the first product is the one `first` from the end of the line.
    #[inline(always)]
    pub(super) fn with_rows<'a>(
        &'a self,
        thirds: &'a Thirds,
        first: usize,
    ) -> impl Iterator<Item = (&'a [Both], &'a [Third])> {
        let mut begun = 0;
        self.runs.iter().map(move |&(start, end)| {
            let pairs = &self.pairs[begun..end];
            begun = end;
            let last = first + 2 - start - 2 * pairs.len();
            (pairs, &thirds.0[last..last + 2 * (pairs.len() - 1) + THIRDS])
        })
    }
}

/// The vectors of a line from its end back to its start, each beside the one before it: a row of them holds those further
/// and further before a product and the next one.
pub(super) struct Thirds(Vec<Third>);

impl Thirds {
    /// Those of a line, and zeros behind them for up to so many places.
    pub(super) fn backwards(line: Slice, length: usize, places: usize, scale: Scale) -> Thirds {
        let (re, im) = line.parts(length);
        let mut thirds = Vec::with_capacity(length + places + THIRDS);
        let mut after = [0; 2];
        for (&re, &im) in re.iter().zip(im).rev() {
            let [re, im] = [scale.round(re), scale.round(im)];
            thirds.push([[re, after[0]], [im, after[1]]]);
            after = [re, im];
        }
        thirds.push([[0, after[0]], [0, after[1]]]);
        thirds.resize(length + places + THIRDS, [[0; 2]; 2]);
        Thirds(thirds)
    }
}

/// Vectors in 16-bit parts.
pub(super) struct Rounded {
    re: Vec<i16>,
    im: Vec<i16>,
}

impl Rounded {
    /// So many, and zeros to fill the last row from whichever place it begins.
    pub(super) fn of(vectors: Slice, length: usize, scale: Scale) -> Rounded {
        let (re, im) = vectors.parts(length);
        let [re, im] = [re, im].map(|part| {
            let mut rounded: Vec<i16> = Vec::with_capacity(length + PLACES);
            rounded.extend(part.iter().map(|&part| scale.round(part)));
            rounded.resize(length + PLACES, 0);
            rounded
        });
        Rounded { re, im }
    }

    /// Whole rows of the real and of the imaginary parts from a place on.
    pub(super) fn rows(&self, place: usize, rows: usize) -> [&[Parts]; 2] {
        [&self.re, &self.im].map(|part| part[place..place + rows * PLACES].as_chunks().0)
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn multiply(scale: Scale, x: Slice, y: Slice, [pr, pi, tr, ti]: [&mut [i16]; 4]) {
    let length = pr.len();
    let [(xr, xi), (yr, yi)] = [x, y].map(|slice| slice.parts(length));
    let (pi, tr, ti) = (&mut pi[..length], &mut tr[..length], &mut ti[..length]);
    for i in 0..length {
        let (rr, ii, ri, ir) = (xr[i] * yr[i], xi[i] * yi[i], xr[i] * yi[i], xi[i] * yr[i]);
        pr[i] = scale.round(rr - ii);
        pi[i] = scale.round(ri + ir);
        tr[i] = scale.round(rr + ii);
        ti[i] = scale.round(ir - ri);
    }
}
