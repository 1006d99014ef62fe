//! Exact distributions of cards drawn without replacement: overlaps, order statistics, neighbours of one kind.

use crate::math::distribution::Distribution;

/// The distribution on first, first + 1, … whose neighbouring probabilities have the given ratio: positive terms
/// only, then scaled to 1.
fn by_ratios(first: u64, last: u64, ratio: impl Fn(f64) -> f64) -> Distribution {
    let mut term = 1.0;
    let mut terms = vec![term];
    for k in first..last {
        term *= ratio(k as f64);
        terms.push(term);
    }
    let total: f64 = terms.iter().sum();
    Distribution::new(first, terms.into_iter().map(|term| term / total).collect())
}

/// How many of `m` marked cards are among `m` drawn of `n`, `2m ≤ n`: `C(m, k)C(n−m, m−k)/C(n, m)`.
pub fn overlap(n: u64, m: u64) -> Distribution {
    let (n, size) = (n as f64, m as f64);
    by_ratios(0, m, |k| (size - k).powi(2) / ((k + 1.0) * (n - 2.0 * size + k + 1.0)))
}

/// The j-th smallest of `m` numbers drawn of 1..=n: `C(x−1, j−1)C(n−x, m−j)/C(n, m)` for x = j..=n−m+j.
pub fn order_statistic(n: u64, m: u64, j: u64) -> Distribution {
    let (from, size, rank) = (n as f64, m as f64, j as f64);
    by_ratios(j, n - m + j, |x| x * (from - x - size + rank) / ((x - rank + 1.0) * (from - x)))
}

/// How many neighbours are of one kind in a random order of `kinds` kinds of `size` cards each, from 0 up to
/// `kinds·(size − 1)`.
///
/// Kind by kind: `size` new cards fall into b blocks, x of them between old neighbours of one kind, in
/// `C(k, x)·C(g − k, b − x)·C(size − 1, b − 1)` ways of `C(g + size − 1, size)`, g the gaps of the old order.
pub fn same_neighbours(kinds: u64, size: u64) -> Distribution {
    let most = (kinds * (size - 1)) as usize;
    let mut points = vec![0.0; most + 1];
    points[size as usize - 1] = 1.0;
    for kind in 1..kinds {
        let gaps = kind * size + 1;
        let mut next = vec![0.0; most + 1];
        for (same, &point) in points.iter().enumerate().filter(|(_, point)| **point > 0.0) {
            for blocks in 1..=size.min(gaps) {
                for split in 0..=blocks.min(same as u64) {
                    let ways = binomial(same as u64, split)
                        * binomial(gaps - same as u64, blocks - split)
                        * binomial(size - 1, blocks - 1)
                        / binomial(gaps + size - 1, size);
                    next[same - split as usize + (size - blocks) as usize] += point * ways;
                }
            }
        }
        points = next;
    }
    let total: f64 = points.iter().sum();
    Distribution::new(0, points.into_iter().map(|point| point / total).collect())
}

/// `C(n, k)`, exact while it fits a double's 53 bits.
fn binomial(n: u64, k: u64) -> f64 {
    if k > n { 0.0 } else { (0..k).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every order of the numbers 0..n, by Heap's algorithm.
    fn orders(n: usize, visit: &mut dyn FnMut(&[usize])) {
        fn permute(k: usize, order: &mut [usize], visit: &mut dyn FnMut(&[usize])) {
            if k <= 1 {
                return visit(order);
            }
            for i in 0..k {
                permute(k - 1, order, visit);
                order.swap(if k.is_multiple_of(2) { i } else { 0 }, k - 1);
            }
        }
        let mut order: Vec<usize> = (0..n).collect();
        permute(n, &mut order, visit);
    }

    fn check(distribution: &Distribution, n: usize, measure: impl Fn(&[usize]) -> u64) {
        let mut counts = vec![0u64; distribution.points().len()];
        orders(n, &mut |order| counts[(measure(order) - distribution.first()) as usize] += 1);
        let total: u64 = counts.iter().sum();
        for ((value, point), count) in distribution.iter().zip(counts) {
            assert!((point - count as f64 / total as f64).abs() < 1e-12, "value {value}: {point}");
        }
    }

    #[test]
    fn distributions_are_those_of_all_orders_of_eight_cards() {
        check(&overlap(8, 3), 8, |order| order[..3].iter().filter(|&&card| card < 3).count() as u64);
        for j in 1..=3 {
            check(&order_statistic(8, 3, j), 8, |order| {
                let mut first = order[..3].to_vec();
                first.sort_unstable();
                first[j as usize - 1] as u64 + 1
            });
        }
        for (kinds, size) in [(4, 2), (2, 4)] {
            let same = |pair: &[usize]| pair[0] / size as usize == pair[1] / size as usize;
            check(&same_neighbours(kinds, size), 8, |order| {
                order.windows(2).filter(|p| same(p)).count() as u64
            });
        }
    }

    #[test]
    fn neighbours_of_a_deck_have_the_known_means() {
        // 51 neighbours, 12/51 of one suit and 3/51 of one rank.
        let (suits, ranks) = (same_neighbours(4, 13), same_neighbours(13, 4));
        assert!((suits.mean() - 12.0).abs() < 1e-11 && (ranks.mean() - 3.0).abs() < 1e-11);
    }
}
