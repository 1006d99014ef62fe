//! Unit vectors side by side, and the sums of their products: three phases are added by multiplying.

use std::f64::consts::PI;
use std::sync::OnceLock;

use multiversion::multiversion;

use deckproof_deck::deck::block::BLOCK_HANDS;

/// Vectors that are multiplied at a time. Fixed, and sums are added in one order, so that every machine gets
/// the same bits.
pub(super) const LANES: usize = 8;

/// Lengths are rounded to so many parts, so that no machine's cosine shows.
pub(in crate::battery::draws) const UNIT: f64 = 16_384.0;

/// A unit vector, real part first.
pub(super) type Vector = [f32; 2];

/// The unit vector of a 16-bit fraction of a turn.
pub(super) fn vector(phase: u16) -> Vector {
    let both = circle()[usize::from(phase)];
    parts(both).map(|part| (part as f64 / UNIT) as f32)
}

/// Turns in a quarter of the circle.
const QUARTER: usize = 1 << 14;

/// A vector in parts of [`UNIT`]: the imaginary part times 2^32 plus the real one, so that one addition adds both.
pub(in crate::battery::draws) type Both = i64;

/// Both parts of a sum, real part first, neither of which may leave 32 bits with its sign.
pub(in crate::battery::draws) fn parts(both: Both) -> [i64; 2] {
    let re = i64::from(both as i32);
    [re, (both - re) >> 32]
}

/// The unit vector of every 16-bit fraction of a turn: one quarter is worked out and turned.
pub(in crate::battery::draws) fn circle() -> &'static [Both; 4 * QUARTER] {
    static CIRCLE: OnceLock<Box<[Both; 4 * QUARTER]>> = OnceLock::new();
    CIRCLE.get_or_init(|| {
        let mut circle = Box::new([0; 4 * QUARTER]);
        for phase in 0..QUARTER {
            let (sin, cos) = libm::sincos(2.0 * PI * phase as f64 / (4 * QUARTER) as f64);
            let [re, im] = [cos, sin].map(|part| (UNIT * part).round() as i64);
            for (turn, [re, im]) in [[re, im], [-im, re], [-re, -im], [im, -re]].into_iter().enumerate() {
                circle[phase + turn * QUARTER] = (im << 32) + re;
            }
        }
        circle
    })
}

/// Unit vectors, 0 where there is none, and zeros to fill the last lanes.
#[derive(Clone, Default)]
pub(super) struct Vectors {
    re: Vec<f32>,
    im: Vec<f32>,
    length: usize,
}

/// Some of them.
#[derive(Clone, Copy)]
pub(super) struct Slice<'a> {
    re: &'a [f32],
    im: &'a [f32],
}

/// Zeros behind the last vector, from whichever place lanes are read.
const ROOM: usize = LANES - 1;

impl Vectors {
    /// None, and room for so many.
    pub(super) fn with_capacity(length: usize) -> Vectors {
        let [re, im] = [(); 2].map(|()| Vec::with_capacity(length + ROOM));
        Vectors { re, im, length: 0 }
    }

    /// Leaves none.
    pub(super) fn clear(&mut self) {
        self.re.clear();
        self.im.clear();
        self.length = 0;
    }

    /// Adds the vectors of some digits below 64, and empty ones up to so many in all.
    pub(super) fn push(&mut self, digits: &[u8], vectors: &[Vector; BLOCK_HANDS], places: usize) {
        self.length += places;
        for (part, own) in [&mut self.re, &mut self.im].into_iter().enumerate() {
            own.truncate(self.length - places);
            own.extend(digits.iter().map(|&digit| vectors[usize::from(digit) % BLOCK_HANDS][part]));
            own.resize(self.length + ROOM, 0.0);
        }
    }

    /// Leaves the first ones of another, at most so many.
    pub(super) fn take(&mut self, other: &Vectors, length: usize) {
        self.clear();
        self.length = length.min(other.length);
        for (own, part) in [(&mut self.re, &other.re), (&mut self.im, &other.im)] {
            own.extend_from_slice(&part[..self.length]);
            own.resize(self.length + ROOM, 0.0);
        }
    }

    /// The first vectors from a place on, and what fills their last lanes: other vectors, unless these are the last.
    /// Of vectors that are multiplied one slice has to end with the last, so that zeros follow.
    pub(super) fn from(&self, place: usize, length: usize) -> Slice<'_> {
        let end = place + length + ROOM;
        Slice { re: &self.re[place..end], im: &self.im[place..end] }
    }

    /// Each turned back by the one `jump` before it, those without one left out; and their sum.
    pub(super) fn differences_into(&self, jump: usize, out: &mut Vectors) -> [f64; 2] {
        out.length = self.length.saturating_sub(jump);
        let room = out.length.next_multiple_of(LANES);
        for part in [&mut out.re, &mut out.im] {
            part.resize(room, 0.0);
        }
        let sum = match out.length {
            0 => [0.0; 2],
            length => turn_back(self.from(jump, length), self.from(0, length), &mut out.re, &mut out.im),
        };
        for part in [&mut out.re, &mut out.im] {
            part.resize(room + ROOM, 0.0);
        }
        sum
    }
}

impl FromIterator<Vector> for Vectors {
    fn from_iter<Of: IntoIterator<Item = Vector>>(vectors: Of) -> Vectors {
        let (mut re, mut im): (Vec<f32>, Vec<f32>) = vectors.into_iter().map(|[re, im]| (re, im)).unzip();
        let length = re.len();
        for part in [&mut re, &mut im] {
            part.resize(length + ROOM, 0.0);
        }
        Vectors { re, im, length }
    }
}

impl<'a> Slice<'a> {
    /// The real and the imaginary parts of so many.
    pub(super) fn parts(self, length: usize) -> (&'a [f32], &'a [f32]) {
        (&self.re[..length], &self.im[..length])
    }

    fn lanes(self) -> impl Iterator<Item = (&'a [f32; LANES], &'a [f32; LANES])> {
        self.re.as_chunks().0.iter().zip(self.im.as_chunks().0)
    }
}

/// `Σ x·y·z`, `Σ x·y·z̄`, `Σ x·ȳ·z` and `Σ x·ȳ·z̄` as real and imaginary parts, over as many of each.
///
/// The 16 registers of AVX2 are one too few, and the sum that is kept in memory waits for itself.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn signed_sums(x: Slice, y: Slice, z: Slice) -> [[f64; 2]; 4] {
    let [mut a, mut b, mut c, mut d] = [[0f32; LANES]; 4];
    let [mut e, mut f, mut g, mut h] = [[0f32; LANES]; 4];
    for (((xr, xi), (yr, yi)), (zr, zi)) in x.lanes().zip(y.lanes()).zip(z.lanes()) {
        for lane in 0..LANES {
            let (rr, ii) = (xr[lane] * yr[lane], xi[lane] * yi[lane]);
            let (ri, ir) = (xr[lane] * yi[lane], xi[lane] * yr[lane]);
            let (re, im) = (rr - ii, ri + ir);
            a[lane] += re * zr[lane];
            b[lane] += im * zi[lane];
            c[lane] += re * zi[lane];
            d[lane] += im * zr[lane];
            let (re, im) = (rr + ii, ir - ri);
            e[lane] += re * zr[lane];
            f[lane] += im * zi[lane];
            g[lane] += re * zi[lane];
            h[lane] += im * zr[lane];
        }
    }
    let sum = |lanes: [f32; LANES]| lanes.iter().map(|&part| f64::from(part)).sum::<f64>();
    let [a, b, c, d] = [a, b, c, d].map(sum);
    let [e, f, g, h] = [e, f, g, h].map(sum);
    [[a - b, c + d], [a + b, d - c], [e - f, g + h], [e + f, h - g]]
}

/// Places turned back at a time: both factors, the product and its sums stay in the first cache.
const STRETCH: usize = 64 * LANES;

/// `x·ȳ` and its sum. One part and one thing at a time: together, the compiler takes the lanes apart.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
fn turn_back(x: Slice, y: Slice, re: &mut [f32], im: &mut [f32]) -> [f64; 2] {
    let mut sums = [[0f32; LANES]; 2];
    let factors =
        x.re.chunks(STRETCH).zip(x.im.chunks(STRETCH)).zip(y.re.chunks(STRETCH).zip(y.im.chunks(STRETCH)));
    for ((re, im), ((xr, xi), (yr, yi))) in re.chunks_mut(STRETCH).zip(im.chunks_mut(STRETCH)).zip(factors) {
        for ((((re, xr), xi), yr), yi) in re.iter_mut().zip(xr).zip(xi).zip(yr).zip(yi) {
            *re = xr * yr + xi * yi;
        }
        for ((((im, xr), xi), yr), yi) in im.iter_mut().zip(xr).zip(xi).zip(yr).zip(yi) {
            *im = xi * yr - xr * yi;
        }
        for (sums, part) in sums.iter_mut().zip([re, im]) {
            for lanes in part.as_chunks::<LANES>().0 {
                sums.iter_mut().zip(lanes).for_each(|(sum, part)| *sum += part);
            }
        }
    }
    sums.map(|lanes| lanes.iter().map(|&part| f64::from(part)).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::keystream::Keystream;

    fn phases(keystream: &mut Keystream, length: usize) -> Vec<Option<u16>> {
        let word = |_| Some(keystream.word()).filter(|word| word % 5 > 0).map(|word| (word >> 16) as u16);
        (0..length).map(word).collect()
    }

    fn vectors(phases: &[Option<u16>]) -> Vectors {
        phases.iter().map(|phase| phase.map_or([0.0; 2], vector)).collect()
    }

    /// The sum of the unit vectors of whole phases.
    fn sum_of(phases: impl Iterator<Item = i64>) -> [f64; 2] {
        phases.fold([0.0; 2], |[re, im], phase| {
            let angle = 2.0 * PI * phase as f64 / 65_536.0;
            [re + libm::cos(angle), im + libm::sin(angle)]
        })
    }

    fn assert_near(found: [f64; 2], expected: [f64; 2], terms: usize) {
        let off = libm::hypot(found[0] - expected[0], found[1] - expected[1]);
        assert!(off <= 2e-4 * terms as f64, "{found:?} for {expected:?} of {terms}");
    }

    #[test]
    fn every_turn_has_its_sine_and_cosine() {
        for phase in 0..=u16::MAX {
            let (sin, cos) = libm::sincos(2.0 * PI * f64::from(phase) / 65_536.0);
            let expected = [cos, sin].map(|part| ((UNIT * part).round() / UNIT) as f32);
            assert_eq!(vector(phase), expected, "phase {phase}");
            assert_eq!(parts(circle()[usize::from(phase)]).map(|part| (part as f64 / UNIT) as f32), expected);
        }
    }

    /// By adding the phases and taking each sum's sine and cosine.
    #[test]
    fn products_of_vectors_are_vectors_of_sums() {
        let mut keystream = Keystream::new(&[9; 32], 0);
        for length in [1, 7, 8, 9, 100] {
            let phases: [Vec<Option<u16>>; 3] = std::array::from_fn(|_| phases(&mut keystream, length));
            let [vx, vy, vz] = [&phases[0], &phases[1], &phases[2]].map(|phases| vectors(phases));
            let found = signed_sums(vx.from(0, length), vy.from(0, length), vz.from(0, length));
            for (sum, [of_y, of_z]) in found.into_iter().zip([[1, 1], [1, -1], [-1, 1], [-1, -1]]) {
                let turns = (0..length).filter_map(|i| {
                    let [x, y, z] = [&phases[0], &phases[1], &phases[2]].map(|own| own[i].map(i64::from));
                    Some(x? + of_y * y? + of_z * z?)
                });
                assert_near(sum, sum_of(turns), length);
            }
        }
    }

    /// Differences of differences, by subtracting the phases.
    #[test]
    fn vectors_turned_back_are_those_of_differences_of_phases() {
        let mut keystream = Keystream::new(&[4; 32], 0);
        for (length, jump) in [(1, 1), (9, 1), (40, 4), (100, 8), (100, 33), (300, 16)] {
            let mut phases: Vec<Option<i64>> =
                phases(&mut keystream, length).into_iter().map(|phase| phase.map(i64::from)).collect();
            let mut own: Vectors =
                phases.iter().map(|phase| phase.map_or([0.0; 2], |phase| vector(phase as u16))).collect();
            let mut next = Vectors::default();
            for order in 1..=6 {
                phases =
                    phases.iter().zip(phases.iter().skip(jump)).map(|(y, x)| Some((*x)? - (*y)?)).collect();
                let found = own.differences_into(jump, &mut next);
                std::mem::swap(&mut own, &mut next);
                assert_eq!(own.length, phases.len());
                assert_near(found, sum_of(phases.iter().flatten().copied()), length << order);
            }
        }
    }
}
