//! Lattices of congruential generators: a reduced basis, and the lattice point near a target.
//!
//! Every sequence `y, A₁·y, A₂·y, … mod M` is a point of a lattice of determinant M^(d − 1), so that points lie about M^((d − 1)/d)
//! apart: d draws that tell log2 n bits each point to one of them (Frieze, Håstad, Kannan, Lagarias & Shamir 1988).
//! Vectors are exact integers; only the coefficients of the orthogonalised basis are floating-point numbers, and what is found is
//! tried against the draws anyway.

/// A vector of the lattice.
pub type Vector = Vec<i128>;

/// A reduced basis with its orthogonalised vectors.
#[derive(Clone, Debug)]
pub struct Basis {
    rows: Vec<Vector>,
    orthogonal: Vec<Vec<f64>>,
    squares: Vec<f64>,
    coefficients: Vec<Vec<f64>>,
}

/// Lovász's constant: nearly 1, for bases of a few dimensions are cheap.
const LOVASZ: f64 = 0.99;

/// Rounds of size reduction of one row until the last bits of large numbers agree; two or three are usual.
const ROUNDS_MAX: usize = 60;

impl Basis {
    /// The reduced basis of `{(m₀·y, m₁·y, …) mod M}`; M is 2^64 at most, and m₀ is 1 or prime to M.
    pub fn of_multiples(multipliers: &[u64], modulus: u128) -> Basis {
        Basis::of_residues(multipliers, &vec![modulus; multipliers.len()])
    }

    /// The same with a modulus for each coordinate, all of which divide the first.
    pub fn of_residues(multipliers: &[u64], moduli: &[u128]) -> Basis {
        let mut basis =
            Basis { rows: Vec::new(), orthogonal: Vec::new(), squares: Vec::new(), coefficients: Vec::new() };
        // One dimension more at a time: every stage begins nearly reduced, so that doubles are enough.
        for (dimension, &modulus) in moduli.iter().enumerate() {
            let m = modulus as i128;
            if dimension == 0 {
                basis.rows.push(vec![1]);
            } else {
                for row in &mut basis.rows {
                    let next = mod_product(multipliers[dimension], row[0], modulus);
                    row.push(centred(next as i128, m));
                }
                let mut row = vec![0; dimension + 1];
                row[dimension] = m;
                basis.rows.push(row);
            }
            basis.reduce();
        }
        basis
    }

    /// The reduced basis of what these rows span; they are independent, and nearly reduced where their numbers are large.
    pub fn of_rows(rows: Vec<Vector>) -> Basis {
        let mut basis = Basis { rows, orthogonal: Vec::new(), squares: Vec::new(), coefficients: Vec::new() };
        basis.reduce();
        basis
    }

    /// Its vectors.
    pub fn into_rows(self) -> Vec<Vector> {
        self.rows
    }

    /// The length of the shortest orthogonalised vector: a target nearer than half of it to a point is rounded to that point.
    pub fn least(&self) -> f64 {
        self.squares.iter().fold(f64::INFINITY, |least, &square| least.min(square)).sqrt()
    }

    /// Lenstra, Lenstra & Lovász (1982).
    fn reduce(&mut self) {
        let dimensions = self.rows.len();
        self.orthogonal = vec![Vec::new(); dimensions];
        self.squares = vec![0.0; dimensions];
        self.coefficients = vec![vec![0.0; dimensions]; dimensions];
        let mut at = 0;
        while at < dimensions {
            self.reduce_row(at);
            if at > 0 && self.is_shorter_before(at) {
                self.rows.swap(at, at - 1);
                at -= 1;
            } else {
                at += 1;
            }
        }
    }

    /// Whether the row would be shorter one place before.
    fn is_shorter_before(&self, at: usize) -> bool {
        let shift = self.coefficients[at][at - 1];
        self.squares[at] + shift * shift * self.squares[at - 1] < LOVASZ * self.squares[at - 1]
    }

    fn reduce_row(&mut self, at: usize) {
        for _ in 0..ROUNDS_MAX {
            self.orthogonalise(at);
            let mut has_changed = false;
            for before in (0..at).rev() {
                let times = self.coefficients[at][before].round();
                if times != 0.0 {
                    has_changed = true;
                    self.subtract(at, before, times);
                }
            }
            if !has_changed {
                return;
            }
        }
        self.orthogonalise(at);
    }

    fn subtract(&mut self, at: usize, before: usize, times: f64) {
        let (head, tail) = self.rows.split_at_mut(at);
        tail[0].iter_mut().zip(&head[before]).for_each(|(own, other)| *own -= times as i128 * other);
        let other = self.coefficients[before].clone();
        self.coefficients[at]
            .iter_mut()
            .zip(other)
            .take(before)
            .for_each(|(own, other)| *own -= times * other);
        self.coefficients[at][before] -= times;
    }

    /// What is left of a row beside the rows before (modified Gram–Schmidt).
    fn orthogonalise(&mut self, at: usize) {
        let mut left: Vec<f64> = self.rows[at].iter().map(|&cell| float(cell)).collect();
        for before in 0..at {
            let coefficient = dot(&left, &self.orthogonal[before]) / self.squares[before];
            self.coefficients[at][before] = coefficient;
            left.iter_mut()
                .zip(&self.orthogonal[before])
                .for_each(|(own, other)| *own -= coefficient * other);
        }
        self.squares[at] = dot(&left, &left);
        self.orthogonal[at] = left;
    }

    /// Coordinates of a point.
    pub fn dimensions(&self) -> usize {
        self.rows.len()
    }

    /// A lattice point near the target: the nearest plane of each row in turn (Babai 1986).
    pub fn near(&self, target: &[i128]) -> Vector {
        let mut left = target.to_vec();
        for row in (0..self.rows.len()).rev() {
            let along: f64 =
                left.iter().zip(&self.orthogonal[row]).map(|(&own, other)| float(own) * other).sum();
            let times = (along / self.squares[row]).round() as i128;
            left.iter_mut().zip(&self.rows[row]).for_each(|(own, other)| *own -= times * other);
        }
        target.iter().zip(left).map(|(target, left)| target - left).collect()
    }
}

impl Basis {
    /// The first coordinates of all points whose coordinates differ by at most half from those of a target, all of them below 2^53.
    /// One in some thousand that lie near corners is lost.
    pub fn within(&self, target: &[i128], half: f64) -> Vec<i128> {
        let left: Vec<f64> = target.iter().map(|&own| own as f64).collect();
        let square_max = CORNERS * half * half * left.len() as f64;
        let mut inside = Inside { basis: self, half, square_max, found: Vec::new() };
        inside.walk(self.rows.len(), &left, 0.0);
        inside.found.into_iter().map(|off| target[0] - off as i128).collect()
    }
}

/// The same number as `whole as f64`, without a call where it has 64 bits.
fn float(whole: i128) -> f64 {
    i64::try_from(whole).map_or(whole as f64, |whole| whole as f64)
}

/// The square of a distance within a box is a third of that of a corner in the mean.
const CORNERS: f64 = 0.65;

/// A walk through all points within a box: coefficients of the last vector first, as far as its direction leaves room (Fincke & Pohst
/// 1985).
struct Inside<'a> {
    basis: &'a Basis,
    half: f64,
    square_max: f64,
    found: Vec<f64>,
}

impl Inside<'_> {
    fn walk(&mut self, rows: usize, left: &[f64], square: f64) {
        let Some(row) = rows.checked_sub(1) else {
            if left.iter().all(|own| own.abs() <= self.half) {
                self.found.push(left[0]);
            }
            return;
        };
        let (orthogonal, own) = (&self.basis.orthogonal[row], self.basis.squares[row]);
        let along = dot(left, orthogonal) / own;
        let widest = self.half * orthogonal.iter().map(|cell| cell.abs()).sum::<f64>() / own;
        let room = widest.min(((self.square_max - square).max(0.0) / own).sqrt());
        let mut times = (along - room).ceil();
        while times <= along + room {
            let cells = left.iter().zip(&self.basis.rows[row]);
            let next: Vec<f64> = cells.map(|(left, cell)| left - times * float(*cell)).collect();
            self.walk(row, &next, square + (along - times) * (along - times) * own);
            times += 1.0;
        }
    }
}

/// A basis for many targets side by side, in floating-point numbers: exact while all of its numbers are below 2^53.
pub struct Planes {
    rows: Vec<Vec<f64>>,
    orthogonal: Vec<Vec<f64>>,
    squares: Vec<f64>,
}

impl Planes {
    /// Of a basis whose vectors have coordinates of some 32 bits.
    pub fn of(basis: Basis) -> Planes {
        let rows = basis.rows.iter().map(|row| row.iter().map(|&cell| cell as f64).collect()).collect();
        Planes { rows, orthogonal: basis.orthogonal, squares: basis.squares }
    }

    /// The first coordinate of the point that [`Basis::near`] finds, of every lane.
    #[inline(always)]
    pub fn near_first<const LANES: usize>(&self, mut left: Vec<[f64; LANES]>) -> [f64; LANES] {
        let target = left[0];
        for (number, row) in self.rows.iter().enumerate().rev() {
            let mut times = [0.0; LANES];
            for (own, other) in left.iter().zip(&self.orthogonal[number]) {
                times.iter_mut().zip(own).for_each(|(times, own)| *times += own * other);
            }
            times.iter_mut().for_each(|times| *times = (*times / self.squares[number]).round());
            for (own, other) in left.iter_mut().zip(row) {
                own.iter_mut().zip(times).for_each(|(own, times)| *own -= times * other);
            }
        }
        std::array::from_fn(|lane| target[lane] - left[0][lane])
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// `m·y mod M`.
fn mod_product(multiplier: u64, y: i128, modulus: u128) -> u128 {
    let y = y.rem_euclid(modulus as i128) as u128;
    (u128::from(multiplier) * y) % modulus
}

fn centred(value: i128, modulus: i128) -> i128 {
    if 2 * value > modulus { value - modulus } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn powers(multiplier: u64, modulus: u128, count: usize) -> Vec<u64> {
        let mut power = 1u128;
        (0..count)
            .map(|_| {
                let own = power as u64;
                power = power * u128::from(multiplier) % modulus;
                own
            })
            .collect()
    }

    /// RANDU in three dimensions: `9·x − 6·y + z = 0 mod 2^31`, so that its dual is that short and points lie on 15 planes
    /// (Marsaglia 1968); the determinant is M^2 whatever the basis.
    #[test]
    fn rows_belong_to_the_lattice_and_keep_its_determinant() {
        let modulus = 1u128 << 31;
        let multipliers = powers(65_539, modulus, 3);
        let basis = Basis::of_multiples(&multipliers, modulus);
        for row in &basis.rows {
            assert_eq!((9 * row[0] - 6 * row[1] + row[2]).rem_euclid(1 << 31), 0);
            assert_eq!((65_539 * row[0] - row[1]).rem_euclid(1 << 31), 0);
        }
        let volume: f64 = basis.squares.iter().map(|square| libm::log2(*square) / 2.0).sum();
        assert!((volume - 62.0).abs() < 1e-6);
    }

    /// Points that are known within one part in 40 of each coordinate are found, up to 64 bits.
    #[test]
    fn the_point_behind_leading_bits_is_found() {
        for (multiplier, bits, dimensions) in
            [(0x5_deec_e66d, 48, 16), (6_364_136_223_846_793_005, 64, 22), (214_013, 31, 10)]
        {
            let modulus = 1u128 << bits;
            let multipliers = powers(multiplier, modulus, dimensions);
            let basis = Basis::of_multiples(&multipliers, modulus);
            let mut y = 0x1234_5678_9abc_def1u128 % modulus;
            for _ in 0..200 {
                y = (y * 0xda94_2042_e4dd_58b5 + 12_345) % modulus;
                let point: Vec<i128> =
                    multipliers.iter().map(|&own| (y * u128::from(own) % modulus) as i128).collect();
                let width = (modulus / 40) as i128;
                let target: Vec<i128> = point.iter().map(|own| own / width * width + width / 2).collect();
                assert_eq!(basis.near(&target), point, "{bits} bits");
                if bits < 32 {
                    let lanes = target.iter().map(|&own| [own as f64, (own - 1) as f64]).collect();
                    assert_eq!(Planes::of(basis.clone()).near_first(lanes), [point[0] as f64; 2]);
                }
            }
        }
    }
}
