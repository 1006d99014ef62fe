//! Tails of the hypergeometric distribution.

use crate::math::saddle::{binomial_point, series};

/// `P(X ≤ k)` and `P(X ≥ k)` of the marked among `drawn` of `all`, of which `marked` are marked.
///
/// Each side is summed away from `k`, where every term is below the last, until terms no longer show; the other is its
/// complement.
pub fn tails(all: u64, marked: u64, drawn: u64, k: u64) -> (f64, f64) {
    assert!(marked <= all && drawn <= all, "found {marked} and {drawn} of {all}");
    let (least, most) = ((marked + drawn).saturating_sub(all), marked.min(drawn));
    if k < least {
        return (0.0, 1.0);
    }
    if k > most {
        return (1.0, 0.0);
    }
    if least == most {
        return (1.0, 1.0);
    }
    let point = point(all, marked, drawn, k);
    let (n, m, d, x) = (all as f64, marked as f64, drawn as f64, k as f64);
    if x * n > m * d {
        let odds = |x: f64| (m - x) * (d - x) / ((x + 1.0) * (n - m - d + x + 1.0));
        let upper = (point * series(x, odds, 1.0)).min(1.0);
        ((1.0 - upper + point).min(1.0), upper)
    } else {
        let odds = |x: f64| x * (n - m - d + x) / ((m - x + 1.0) * (d - x + 1.0));
        let lower = (point * series(x, odds, -1.0)).min(1.0);
        (lower, (1.0 - lower + point).min(1.0))
    }
}

/// `Bin(m, p)(k)·Bin(n − m, p)(d − k)/Bin(n, p)(d)` for any p, here d/n (Loader 2000, "Fast and accurate computation of
/// binomial probabilities", section 5).
fn point(all: u64, marked: u64, drawn: u64, k: u64) -> f64 {
    let (n, m, d, x) = (all as f64, marked as f64, drawn as f64, k as f64);
    if drawn == 0 || drawn == all {
        return 1.0;
    }
    let p = d / n;
    binomial_point(m, p, x) * binomial_point(n - m, p, d - x) / binomial_point(n, p, d)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every draw of small urns, by binomial coefficients in whole numbers.
    #[test]
    fn tails_are_those_of_counting_all_draws() {
        let choose = |n: u64, k: u64| (0..k).fold(1u64, |c, i| c * (n - i) / (i + 1));
        for (all, marked, drawn) in [(10, 4, 5), (12, 12, 3), (7, 0, 2), (30, 11, 13), (9, 8, 8), (20, 5, 20)]
        {
            let ways = |k: u64| {
                if k <= marked && drawn >= k && drawn - k <= all - marked {
                    choose(marked, k) * choose(all - marked, drawn - k)
                } else {
                    0
                }
            };
            let total = choose(all, drawn) as f64;
            for k in 0..=drawn {
                let share = |from: u64, to: u64| (from..=to).map(ways).sum::<u64>() as f64 / total;
                let (lower, upper) = tails(all, marked, drawn, k);
                let off = (lower - share(0, k)).abs().max((upper - share(k, drawn)).abs());
                assert!(off < 1e-12, "{k} of {drawn} of {all}: {lower} {upper}");
            }
        }
    }

    /// Fisher (1935), the lady tasting tea: all four cups right, 1 in 70.
    #[test]
    fn the_lady_tasting_tea() {
        assert!((tails(8, 4, 4, 4).1 - 1.0 / 70.0).abs() < 1e-15);
    }
}
