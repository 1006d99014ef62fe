//! Exact distributions of single-deck statistics of a uniform order of 52 cards, by recursion.
//!
//! Every recursion adds and multiplies positive numbers only, so that even 1/52! keeps 13 digits. The
//! tests compare all values with exact integer counts (`fixtures/distributions`).

use std::sync::OnceLock;

use crate::math::distribution::Distribution;

mod tabulated;

/// Cards in a deck; this room lies below the cards.
const CARDS: usize = 52;

/// Declares a distribution that is computed once.
macro_rules! distribution {
    ($(#[$doc:meta])* $name:ident, $first:expr, $points:expr) => {
        $(#[$doc])*
        pub fn $name() -> &'static Distribution {
            static DISTRIBUTION: OnceLock<Distribution> = OnceLock::new();
            DISTRIBUTION.get_or_init(|| Distribution::new($first, $points(CARDS)))
        }
    };
}

distribution! {
    /// Fixed points, 0..=52: `P(k) = d_{n−k}/k!` with `d_m` the share of derangements (de Montmort 1713).
    fixed_points, 0, fixed_points_of
}
distribution! {
    /// Cycles, 0..=52: Stirling numbers of the first kind over n! (Feller 1968, X.6); also records.
    cycles, 0, cycles_of
}
distribution! {
    /// Descents, 0..=51: Eulerian numbers over n! (Stanley, EC1, section 1.4); also exceedances.
    descents, 0, descents_of
}
distribution! {
    /// Rising sequences, 1..=52: descents of the inverse plus one (Bayer & Diaconis 1992).
    rising_sequences, 1, descents_of
}
distribution! {
    /// Inversions, 0..=1326: Mahonian numbers over n!, the sum of uniform digits (Stanley, EC1, 1.3.13).
    inversions, 0, inversions_of
}

distribution! {
    /// Successions `c[i+1] = c[i] + 1`, 0..=51: `C(n−1, k)(D_{n−k} + D_{n−k−1})/n!` with D_m the derangements
    /// (Riordan 1958, "An introduction to combinatorial analysis", section 8.5); −1 apart has the same distribution.
    successions, 0, successions_of
}
distribution! {
    /// Peaks, entries above both neighbours, 0..=25 (David & Barton 1962, "Combinatorial chance", 10).
    peaks, 0, peaks_of
}
distribution! {
    /// Runs up and down, 1..=51 (Levene & Wolfowitz 1944; recursion of André 1884).
    runs_up_down, 1, runs_up_down_of
}
distribution! {
    /// Length of the longest cycle, 1..=52 (Golomb 1964).
    longest_cycle, 1, longest_cycle_of
}
distribution! {
    /// Length of the longest increasing subsequence, 1..=52: `Σ (f^λ)²/n!` over the shapes λ of n cells with
    /// first row k, f by hooks (Schensted 1961; Frame, Robinson & Thrall 1954). Decreasing ones alike.
    longest_increasing, 1, |_| tabulated::LONGEST_INCREASING.to_vec()
}

distribution! {
    /// Half of Spearman's (1906) footrule `Σ|c[i] − i|`, 0..=676; the footrule is even.
    half_footrule, 0, half_footrule_of
}
distribution! {
    /// Length of the longest ascending run of neighbours, 1..=52 (David & Barton 1962, 10). Descending alike.
    longest_run, 1, |_| tabulated::LONGEST_RUN.to_vec()
}

/// `D_m/m!` for m = 0..=n.
fn derangements(n: usize) -> Vec<f64> {
    // D_m = (m−1)(D_{m−1} + D_{m−2}), so d_m = (m−1)/m · (d_{m−1} + d_{m−2}/(m−1)).
    let mut derangements = vec![1.0, 0.0];
    for m in 2..=n {
        let size = m as f64;
        derangements.push((derangements[m - 1] * (size - 1.0) + derangements[m - 2]) / size);
    }
    derangements
}

fn fixed_points_of(n: usize) -> Vec<f64> {
    let derangements = derangements(n);
    let mut factorial = 1.0;
    (0..=n)
        .map(|k| {
            factorial *= k.max(1) as f64;
            derangements[n - k] / factorial
        })
        .collect()
}

fn cycles_of(n: usize) -> Vec<f64> {
    let mut points = vec![1.0];
    for i in 1..=n {
        let size = i as f64;
        // Card i closes a cycle with probability 1/i (Feller's coupling).
        points = (0..=i).map(|k| (at(&points, k) * (size - 1.0) + before(&points, k)) / size).collect();
    }
    points
}

fn descents_of(n: usize) -> Vec<f64> {
    let mut points = vec![1.0];
    for i in 2..=n {
        let from = |k: usize| at(&points, k) * (k + 1) as f64 + before(&points, k) * (i - k) as f64;
        points = (0..i).map(|k| from(k) / i as f64).collect();
    }
    points
}

fn inversions_of(n: usize) -> Vec<f64> {
    let mut points = vec![1.0];
    for i in 2..=n {
        let cells = points.len() + i - 1;
        let window = |k: usize| &points[k.saturating_sub(i - 1)..points.len().min(k + 1)];
        points = (0..cells).map(|k| window(k).iter().sum::<f64>() / i as f64).collect();
    }
    points
}

fn successions_of(n: usize) -> Vec<f64> {
    let derangements = derangements(n);
    let mut factorial = 1.0;
    (0..n)
        .map(|k| {
            factorial *= k.max(1) as f64;
            let rest = (n - k) as f64;
            rest / (n as f64 * factorial) * (derangements[n - k] + derangements[n - k - 1] / rest)
        })
        .collect()
}

fn peaks_of(n: usize) -> Vec<f64> {
    let mut points = vec![1.0];
    for i in 2..=n {
        let from = |k: usize| {
            at(&points, k) * (2 * k + 2) as f64 + before(&points, k) * i.saturating_sub(2 * k) as f64
        };
        points = (0..=(i - 1) / 2).map(|k| from(k) / i as f64).collect();
    }
    points
}

/// The distribution from one run on.
fn runs_up_down_of(n: usize) -> Vec<f64> {
    // R(m, k) = k R(m−1, k) + 2 R(m−1, k−1) + (m−k) R(m−1, k−2), with R(2, 1) = 2.
    let mut points = vec![0.0, 1.0];
    for m in 3..=n {
        let two_before = |k: usize| k.checked_sub(2).map_or(0.0, |k| at(&points, k));
        let from =
            |k: usize| k as f64 * at(&points, k) + 2.0 * before(&points, k) + (m - k) as f64 * two_before(k);
        points = (0..m).map(|k| from(k) / m as f64).collect();
    }
    points.split_off(1)
}

fn longest_cycle_of(n: usize) -> Vec<f64> {
    // The cycle of card 1 has every length with probability 1/m, so F(m) = Σ_{j ≤ longest} F(m−j)/m.
    let within = |longest: usize| {
        let mut shares = vec![1.0];
        for m in 1..=n {
            let sum: f64 = shares[m.saturating_sub(longest)..m].iter().sum();
            shares.push(sum / m as f64);
        }
        shares[n]
    };
    (1..=n).map(|longest| within(longest) - within(longest - 1)).collect()
}

fn half_footrule_of(n: usize) -> Vec<f64> {
    // Place i and card i come at once. Before and after, as many places as cards wait for a partner, k of
    // each, and every line between i and i + 1 is crossed by k pairs upwards and k downwards.
    let most = n * n / 4;
    let mut ways = vec![vec![0.0; most + 1]; n + 2];
    ways[0][0] = 1.0;
    for i in 1..=n {
        let mut next = vec![vec![0.0; most + 1]; n + 2];
        // More than are left to come find no partner.
        for waiting in 0..=i.min(n - i) {
            let k = waiting as f64;
            for sum in waiting..=most {
                let before = |waited: usize| ways[waited][sum - waiting];
                // Both begin to wait, or one takes what waits for it, or they are a pair, or both take one.
                let fewer = waiting.checked_sub(1).map_or(0.0, before);
                let same = (2.0 * k + 1.0) * before(waiting);
                let more = (k + 1.0) * (k + 1.0) * before(waiting + 1);
                next[waiting][sum] = (fewer + same + more) / i as f64;
            }
        }
        ways = next;
    }
    ways.swap_remove(0)
}

fn at(points: &[f64], k: usize) -> f64 {
    points.get(k).copied().unwrap_or(0.0)
}

fn before(points: &[f64], k: usize) -> f64 {
    k.checked_sub(1).map_or(0.0, |k| at(points, k))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_values_are_those_of_the_recursions() {
        assert_eq!(longest_increasing_of(CARDS), tabulated::LONGEST_INCREASING);
        assert_eq!(longest_run_of(CARDS), tabulated::LONGEST_RUN);
    }

    fn longest_increasing_of(n: usize) -> Vec<f64> {
        let mut points = vec![0.0; n];
        let factorial: f64 = (1..=n).map(|i| i as f64).product();
        let mut add = |rows: &[usize]| points[rows[0] - 1] += factorial / hook_product(rows).powi(2);
        for first in 1..=n {
            each_shape(&mut vec![first], n - first, &mut add);
        }
        points
    }

    /// Calls `visit` with every shape that begins with `rows` and has `rest` further cells below.
    fn each_shape(rows: &mut Vec<usize>, rest: usize, visit: &mut impl FnMut(&[usize])) {
        if rest == 0 {
            return visit(rows);
        }
        for row in 1..=rest.min(rows[rows.len() - 1]) {
            rows.push(row);
            each_shape(rows, rest - row, visit);
            rows.pop();
        }
    }

    /// The product of all hook lengths of a shape.
    fn hook_product(rows: &[usize]) -> f64 {
        let mut legs = [0; CARDS];
        let mut product = 1.0;
        for &row in rows.iter().rev() {
            for (column, leg) in legs[..row].iter_mut().enumerate() {
                product *= (row - column + *leg) as f64;
                *leg += 1;
            }
        }
        product
    }

    fn longest_run_of(n: usize) -> Vec<f64> {
        (1..=n).map(|longest| longest_run_is(n, longest)).collect()
    }

    /// Decks from the top, by the length of the run at the end and the rank of the last card among those seen,
    /// of which each new one is uniform; apart are those that have had a run of `longest` and those that have not.
    fn longest_run_is(n: usize, longest: usize) -> f64 {
        let mut without = vec![vec![0.0; n]; longest + 1];
        let mut with = without.clone();
        if longest == 1 {
            with[1][0] = 1.0
        } else {
            without[1][0] = 1.0
        }
        for seen in 1..n {
            let share = 1.0 / (seen + 1) as f64;
            let mut next = [vec![vec![0.0; n]; longest + 1], vec![vec![0.0; n]; longest + 1]];
            for (had, shares) in [&without, &with].into_iter().enumerate() {
                for (length, ranks) in shares.iter().enumerate().skip(1) {
                    // Ranks below the new one rise; the others break the run.
                    let (mut below, mut above) = (0.0, vec![0.0; seen + 1]);
                    (0..seen).rev().for_each(|rank| above[rank] = above[rank + 1] + ranks[rank]);
                    for rank in 0..=seen {
                        if length < longest {
                            let reaches = had.max(usize::from(length + 1 == longest));
                            next[reaches][length + 1][rank] += below * share;
                        }
                        let reaches = had.max(usize::from(longest == 1));
                        next[reaches][1][rank] += above[rank] * share;
                        below += ranks[rank];
                    }
                }
            }
            [without, with] = next;
        }
        with.iter().flatten().sum()
    }
}
