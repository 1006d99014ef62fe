//! Unit vectors side by side, and the sums of their products: three phases are added by multiplying.

use std::f64::consts::PI;

use multiversion::multiversion;

/// Vectors that are multiplied at a time. Fixed, and sums are added in one order, so that every machine gets
/// the same bits.
const LANES: usize = 8;

/// Lengths are rounded to so many parts, so that no machine's cosine shows.
const UNIT: f64 = 16_384.0;

/// The unit vectors of phases, 0 where there is none.
pub(super) struct Vectors {
    re: Vec<f32>,
    im: Vec<f32>,
}

/// Some of them.
#[derive(Clone, Copy)]
pub(super) struct Slice<'a> {
    re: &'a [f32],
    im: &'a [f32],
}

impl Vectors {
    /// Of 16-bit fractions of a turn.
    pub(super) fn of_phases(phases: impl Iterator<Item = Option<u16>>) -> Vectors {
        let vector = |phase: u16| {
            let (sin, cos) = (2.0 * PI * f64::from(phase) / 65_536.0).sin_cos();
            [cos, sin].map(|part| ((UNIT * part).round() / UNIT) as f32)
        };
        let vectors = phases.map(|phase| phase.map_or([0.0; 2], vector));
        let (re, im) = vectors.chain([[0.0; 2]; LANES - 1]).map(|[re, im]| (re, im)).unzip();
        Vectors { re, im }
    }

    /// Those from a place on, and zeros to fill the last lanes.
    pub(super) fn from(&self, place: usize) -> Slice<'_> {
        Slice { re: &self.re[place..], im: &self.im[place..] }
    }
}

impl<'a> Slice<'a> {
    fn lanes(self) -> impl Iterator<Item = (&'a [f32; LANES], &'a [f32; LANES])> {
        self.re.as_chunks().0.iter().zip(self.im.as_chunks().0)
    }
}

/// `Σ x·y·z`, `Σ x·y·z̄`, `Σ x·ȳ·z` and `Σ x·ȳ·z̄` as real and imaginary parts, over all of `x`, of which the
/// others have no fewer.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
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

/// At how many places all three hold 1.
#[multiversion(targets("x86_64+avx2", "aarch64+neon"))]
pub(super) fn together(x: &[u8], y: &[u8], z: &[u8]) -> u64 {
    x.iter().zip(y).zip(z).map(|((x, y), z)| u32::from(x & y & z)).sum::<u32>().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tape::Tape;

    /// By adding the phases and taking each sum's sine and cosine.
    #[test]
    fn products_of_vectors_are_vectors_of_sums() {
        let mut tape = Tape::new(&[9; 32], 0);
        for length in [1, 7, 8, 9, 100] {
            let mut phases = || -> Vec<Option<u16>> {
                (0..length)
                    .map(|_| tape.word())
                    .map(|word| (word % 5 > 0).then_some((word >> 16) as u16))
                    .collect()
            };
            let [x, y, z] = [phases(), phases(), phases()];
            let [vx, vy, vz] = [&x, &y, &z].map(|phases| Vectors::of_phases(phases.iter().copied()));
            let found = signed_sums(vx.from(0), vy.from(0), vz.from(0));
            for (sum, [of_y, of_z]) in found.into_iter().zip([[1, 1], [1, -1], [-1, 1], [-1, -1]]) {
                let mut expected = [0.0; 2];
                for ((x, y), z) in x.iter().zip(&y).zip(&z) {
                    if let (Some(x), Some(y), Some(z)) = (x, y, z) {
                        let turns = i64::from(*x) + of_y * i64::from(*y) + of_z * i64::from(*z);
                        let angle = 2.0 * PI * turns as f64 / 65_536.0;
                        expected[0] += angle.cos();
                        expected[1] += angle.sin();
                    }
                }
                let off = (sum[0] - expected[0]).hypot(sum[1] - expected[1]);
                assert!(off <= 2e-4 * length as f64, "{sum:?} for {expected:?} of {length}");
            }
            let all = [&x, &y, &z].map(|p| p.iter().map(|p| u8::from(p.is_some())).collect::<Vec<u8>>());
            let expected = (0..length).filter(|&i| x[i].and(y[i]).and(z[i]).is_some()).count();
            assert_eq!(together(&all[0], &all[1], &all[2]), expected as u64);
        }
    }
}
