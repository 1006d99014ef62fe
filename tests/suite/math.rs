//! Special functions and exact distributions against an arbitrary-precision source.

use deckproof::math::distribution::Distribution;
use deckproof::math::{binomial, chi_squared, gamma, normal, permutation, poisson};

/// How far a tail may lie from its true value, as a share of it.
const TOLERANCE: f64 = 1e-12;

fn records(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().skip(1).map(|line| line.split(',').collect())
}

fn number(text: &str) -> f64 {
    text.parse().expect("fixtures hold numbers")
}

/// Checks every row of one distribution in `fixtures/math/tails.csv` and how many there are.
fn check_tails(distribution: &str, rows: usize, tails: impl Fn(f64, f64, f64) -> (f64, f64)) {
    let mut seen = 0;
    let mut worst = (0.0, String::new());
    for record in
        records(include_str!("../../fixtures/math/tails.csv")).filter(|record| record[0] == distribution)
    {
        let [a, b, x] = [1, 2, 3].map(|column| number(record[column]));
        let (lower, upper) = tails(a, b, x);
        for (found, wanted) in [(lower, number(record[4])), (upper, number(record[5]))] {
            let away = (found / wanted - 1.0).abs();
            if away >= worst.0 {
                worst = (away, format!("{record:?}: found {found:e}, wanted {wanted:e}"));
            }
        }
        seen += 1;
    }
    assert!(worst.0 <= TOLERANCE, "off by {:e} of it: {}", worst.0, worst.1);
    assert_eq!(seen, rows);
}

#[test]
fn normal_tails_keep_twelve_digits() {
    check_tails("normal", 149, |_, _, z| (normal::lower(z), normal::upper(z)));
}

#[test]
fn chi_squared_tails_keep_twelve_digits() {
    check_tails("chi-squared", 204, |freedom, _, x| chi_squared::tails(freedom, x));
}

#[test]
fn poisson_tails_keep_twelve_digits() {
    check_tails("poisson", 54, |mean, _, k| poisson::tails(mean, k as u64));
}

#[test]
fn binomial_tails_keep_twelve_digits() {
    check_tails("binomial", 262, |n, p, k| binomial::tails(n as u64, p, k as u64));
}

#[test]
fn log_gamma_keeps_twelve_digits_of_itself_or_of_one() {
    for record in records(include_str!("../../fixtures/math/tails.csv")).filter(|r| r[0] == "ln-gamma") {
        let (x, wanted) = (number(record[1]), number(record[4]));
        let away = (gamma::ln_gamma(x) - wanted).abs() / wanted.abs().max(1.0);
        assert!(away <= TOLERANCE, "ln Γ({x}) off by {away:e}");
    }
}

fn check_distribution(distribution: &Distribution, table: &str) {
    let mut values = 0;
    for record in records(table) {
        let (value, wanted) = (number(record[0]) as u64, number(record[1]));
        assert!((distribution.point(value) - wanted).abs() <= TOLERANCE * wanted, "value {value}");
        values += usize::from(wanted > 0.0);
    }
    assert_eq!(distribution.points().iter().filter(|&&point| point > 0.0).count(), values);
}

/// The table with every value, which must be even, halved.
fn halved(table: &str) -> String {
    let half = |record: Vec<&str>| {
        let value: u64 = record[0].parse().expect("values are whole");
        assert_eq!(value % 2, 0, "the footrule is even");
        format!("\n{},{}", value / 2, record[1])
    };
    records(table).map(half).fold("value,prob".to_owned(), |table, row| table + &row)
}

#[test]
fn exact_distributions_equal_the_integer_counts() {
    check_distribution(
        permutation::fixed_points(),
        include_str!("../../fixtures/distributions/fixed_points.csv"),
    );
    check_distribution(permutation::cycles(), include_str!("../../fixtures/distributions/cycles.csv"));
    check_distribution(permutation::descents(), include_str!("../../fixtures/distributions/descents.csv"));
    check_distribution(
        permutation::inversions(),
        include_str!("../../fixtures/distributions/inversions.csv"),
    );
    check_distribution(
        permutation::successions(),
        include_str!("../../fixtures/distributions/successions.csv"),
    );
    check_distribution(permutation::peaks(), include_str!("../../fixtures/distributions/peaks.csv"));
    check_distribution(
        permutation::runs_up_down(),
        include_str!("../../fixtures/distributions/runs_up_down.csv"),
    );
    check_distribution(
        permutation::longest_cycle(),
        include_str!("../../fixtures/distributions/longest_cycle.csv"),
    );
    check_distribution(
        permutation::longest_increasing(),
        include_str!("../../fixtures/distributions/lis.csv"),
    );
    check_distribution(
        permutation::longest_run(),
        include_str!("../../fixtures/distributions/longest_run.csv"),
    );
    check_distribution(
        permutation::half_footrule(),
        &halved(include_str!("../../fixtures/distributions/footrule.csv")),
    );
}

#[test]
fn moments_are_the_known_formulas() {
    let close = |found: f64, wanted: f64| assert!((found / wanted - 1.0).abs() < 1e-12, "{found}, {wanted}");
    let n = 52.0;
    close(permutation::fixed_points().mean(), 1.0);
    close(permutation::fixed_points().variance(), 1.0);
    let harmonic = |power: i32| (1..=52).map(|i| f64::from(i).powi(-power)).sum::<f64>();
    close(permutation::cycles().mean(), harmonic(1));
    close(permutation::cycles().variance(), harmonic(1) - harmonic(2));
    close(permutation::descents().mean(), (n - 1.0) / 2.0);
    close(permutation::descents().variance(), (n + 1.0) / 12.0);
    // Diaconis & Graham (1977), "Spearman's footrule as a measure of disarray", table 1.
    close(2.0 * permutation::half_footrule().mean(), (n * n - 1.0) / 3.0);
    close(4.0 * permutation::half_footrule().variance(), (n + 1.0) * (2.0 * n * n + 7.0) / 45.0);
    close(permutation::inversions().mean(), n * (n - 1.0) / 4.0);
    close(permutation::inversions().variance(), n * (n - 1.0) * (2.0 * n + 5.0) / 72.0);
}

/// Compares a tail with that of `statrs`, in the body and in probability: its tails
/// keep fewer digits than ours, and at Bin(1,000,000, ¼) it is off by 1.3e-9 even there.
fn check_body(name: &str, found: (f64, f64), wanted: (f64, f64), compared: &mut u32) {
    for (found, wanted) in [(found.0, wanted.0), (found.1, wanted.1)] {
        if (1e-3..=1.0 - 1e-3).contains(&wanted) {
            assert!((found - wanted).abs() <= 1e-9, "{name}: found {found:e}, statrs has {wanted:e}");
            *compared += 1;
        }
    }
}

/// The library everybody uses shares no code with ours.
#[test]
fn tails_agree_with_statrs_in_the_body() {
    use statrs::distribution::{Binomial, ChiSquared, ContinuousCDF, DiscreteCDF, Normal, Poisson};
    let mut compared = 0;
    let normal = Normal::new(0.0, 1.0).expect("a distribution");
    for z in (-30..=30).map(|tenth| f64::from(tenth) / 10.0) {
        // Its erfc is off by 9e-11 of itself at most, near 0.7.
        check_body(
            &format!("normal {z}"),
            (normal::lower(z), normal::upper(z)),
            (normal.cdf(z), normal.sf(z)),
            &mut compared,
        );
    }
    for freedom in [1.0, 2.0, 3.5, 9.0, 51.0, 153.0, 612.0, 2601.0] {
        let chi = ChiSquared::new(freedom).expect("a distribution");
        for deviations in -25..=30 {
            let x = freedom + f64::from(deviations) / 10.0 * (2.0 * freedom).sqrt();
            if x > 0.0 {
                let found = chi_squared::tails(freedom, x);
                check_body(&format!("χ²({freedom}) {x}"), found, (chi.cdf(x), chi.sf(x)), &mut compared);
            }
        }
    }
    for (n, p) in [(10, 0.5), (52, 1.0 / 52.0), (1_000, 0.01), (100_000, 1.0 / 52.0), (10_000, 0.25)] {
        let binomial = Binomial::new(p, n).expect("a distribution");
        let (mean, deviation) = (n as f64 * p, (n as f64 * p * (1.0 - p)).sqrt());
        for k in (-30..=30).map(|tenth| mean + deviation * f64::from(tenth) / 10.0) {
            if k >= 1.0 && k < n as f64 {
                let k = k as u64;
                let wanted = (binomial.cdf(k), binomial.sf(k - 1));
                check_body(&format!("Bin({n}, {p}) {k}"), binomial::tails(n, p, k), wanted, &mut compared);
            }
        }
    }
    for mean in [0.3, 1.0, 7.5, 120.0, 40_000.0] {
        let poisson = Poisson::new(mean).expect("a distribution");
        for k in (-30..=30).map(|tenth| mean + mean.sqrt() * f64::from(tenth) / 10.0) {
            if k >= 1.0 {
                let k = k as u64;
                let wanted = (poisson.cdf(k), poisson.sf(k - 1));
                check_body(&format!("Poisson({mean}) {k}"), poisson::tails(mean, k), wanted, &mut compared);
            }
        }
    }
    assert!(compared > 1_500, "{compared}");
}
