//! A distribution on consecutive whole numbers, known exactly.

/// The exact distribution of a whole number, with both tails.
#[derive(Debug)]
pub struct Distribution {
    first: u64,
    points: Vec<f64>,
    ln_points: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    mean: f64,
    variance: f64,
}

impl Distribution {
    /// The distribution with `points[i] = P(X = first + i)`.
    ///
    /// # Panics
    /// If the probabilities do not add up to 1 within 1e-12.
    pub fn new(first: u64, points: Vec<f64>) -> Distribution {
        let running = |sum: &mut f64, point: &f64| {
            *sum += point;
            Some(sum.min(1.0))
        };
        let lower: Vec<f64> = points.iter().scan(0.0, running).collect();
        let mut upper: Vec<f64> = points.iter().rev().scan(0.0, running).collect();
        upper.reverse();
        let total: f64 = points.iter().sum();
        assert!((total - 1.0).abs() < 1e-12, "probabilities add up to {total}");
        let moment = |f: &dyn Fn(f64) -> f64| -> f64 {
            points.iter().enumerate().map(|(i, point)| point * f((first + i as u64) as f64)).sum()
        };
        let mean = moment(&|x| x);
        let variance = moment(&|x| (x - mean) * (x - mean));
        let ln_points = points.iter().map(|point| libm::log(*point)).collect();
        Distribution { first, lower, upper, mean, variance, ln_points, points }
    }

    /// The smallest value.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// `P(X = first + i)`.
    pub fn points(&self) -> &[f64] {
        &self.points
    }

    /// `ln P(X = first + i)`.
    pub fn ln_points(&self) -> &[f64] {
        &self.ln_points
    }

    /// E X.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Var X.
    pub fn variance(&self) -> f64 {
        self.variance
    }

    /// `P(X = x)`.
    pub fn point(&self, x: u64) -> f64 {
        self.index(x).map_or(0.0, |i| self.points[i])
    }

    /// `P(X ≤ x)`.
    pub fn lower(&self, x: u64) -> f64 {
        match self.index(x) {
            Some(i) => self.lower[i],
            None if x < self.first => 0.0,
            None => 1.0,
        }
    }

    /// `P(X ≥ x)`.
    pub fn upper(&self, x: u64) -> f64 {
        match self.index(x) {
            Some(i) => self.upper[i],
            None if x < self.first => 1.0,
            None => 0.0,
        }
    }

    /// `min(P(X ≤ x), P(X ≥ x))`: how far out in its tail a value lies.
    pub fn depth(&self, x: u64) -> f64 {
        self.lower(x).min(self.upper(x))
    }

    /// `P(depth(X) < d)` and `P(depth(X) ≤ d)`, of one observation.
    pub fn depth_tails(&self, depth: f64) -> (f64, f64) {
        let (mut below, mut within) = (0.0, 0.0);
        for ((point, lower), upper) in self.points.iter().zip(&self.lower).zip(&self.upper) {
            let here = lower.min(*upper);
            // Values mirrored in a symmetric distribution have the same depth up to rounding.
            if here <= depth * (1.0 + 1e-9) {
                within += point;
            }
            if here < depth * (1.0 - 1e-9) {
                below += point;
            }
        }
        (below, within.min(1.0))
    }

    /// Values with their probabilities.
    pub fn iter(&self) -> impl Iterator<Item = (u64, f64)> + '_ {
        self.points.iter().enumerate().map(|(i, &point)| (self.first + i as u64, point))
    }

    fn index(&self, x: u64) -> Option<usize> {
        let i = usize::try_from(x.checked_sub(self.first)?).ok()?;
        (i < self.points.len()).then_some(i)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_die_has_depths_of_sixths() {
        let die = Distribution::new(1, vec![1.0 / 6.0; 6]);
        assert!((die.mean() - 3.5).abs() < 1e-14 && (die.variance() - 35.0 / 12.0).abs() < 1e-13);
        assert_eq!((die.upper(0), die.lower(0), die.upper(7), die.lower(9)), (1.0, 0.0, 0.0, 1.0));
        let (below, within) = die.depth_tails(die.depth(2));
        assert!((below - 1.0 / 3.0).abs() < 1e-14 && (within - 2.0 / 3.0).abs() < 1e-14);
    }
}
