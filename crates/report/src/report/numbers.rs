//! Numbers as text: thousands separators, scores.

use deckproof_stats::battery::{Tail, View};
use deckproof_stats::math::decimal::thousands;

/// A number with this many decimals, separators, and a real minus sign: `−1,234.5`.
pub(super) fn decimal(number: f64, decimals: usize) -> String {
    if !number.is_finite() {
        return if number.is_nan() { "undefined" } else { "beyond all numbers" }.to_string();
    }
    let text = format!("{:.decimals$}", number.abs());
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let whole = whole.parse().map_or_else(|_| whole.to_string(), thousands);
    let is_zero = text.bytes().all(|byte| !byte.is_ascii_digit() || byte == b'0');
    let sign = if number < 0.0 && !is_zero { "−" } else { "" };
    format!("{sign}{whole}{fraction}")
}

/// A score or an expectation: about four digits.
pub(super) fn score(number: f64) -> String {
    if number.is_finite() && number.fract().abs() <= 0.0 {
        return decimal(number, 0);
    }
    decimal(number, if number.abs() >= 100.0 { 1 } else { 3 })
}

/// `1,000,000 decks` or `999,984 neighbouring pairs`.
pub(super) fn sample(view: View, decks: u64) -> String {
    let unit = match (view.is_of_pairs(), decks) {
        (false, 1) => "deck",
        (false, _) => "decks",
        (true, 1) => "neighbouring pair",
        (true, _) => "neighbouring pairs",
    };
    format!("{} {unit}", thousands(decks))
}

/// What a tail means to somebody who wants to rely on the p-value.
pub(super) fn trust(tail: Tail) -> &'static str {
    match tail {
        Tail::Exact => "exact distribution",
        Tail::Bound => "proven upper bound",
        Tail::LargeExpectations => "large expectations",
        Tail::Asymptotic => "approximation",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_fractions_survive() {
        assert_eq!(decimal(-1234.56, 1), "−1,234.6");
        assert_eq!(decimal(-0.04, 1), "0.0");
        assert_eq!(decimal(f64::NAN, 1), "undefined");
        assert_eq!(score(12.0), "12");
    }
}
