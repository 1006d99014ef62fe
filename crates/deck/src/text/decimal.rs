//! Numbers as people read them: whole numbers grouped, p-values with their strength.

/// `1234567` as `1,234,567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How many of something: `1 row`, `1,200 rows`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

/// A p-value, everywhere a person reads one: `0.0312`, and `3.2e-9` below 0.001. Never 0 and never rounded
/// up to 1: an event that happened was possible, and only certainty is certain.
pub fn p_value(p: f64) -> String {
    if p.is_nan() {
        "undefined".to_owned()
    } else if p < 1e-300 {
        // Below the smallest normal double, 2.2e-308, digits get lost; 0 means underflow.
        "below 1e-300".to_owned()
    } else if p >= 1.0 {
        "1".to_owned()
    } else if p >= 0.9999 {
        "0.9999".to_owned()
    } else if p >= 0.001 {
        format!("{p:.4}").trim_end_matches('0').to_owned()
    } else {
        format!("{p:.1e}")
    }
}

/// What 1 means where it is the p-value of many tests together: Bonferroni's inequality bounds it, and it is no probability of the null hypothesis.
const CAP: &str = "1 (an upper bound; nothing is unusual)";

/// The p-value of many tests together: 1 is distinguished from a probability.
pub fn joint_p_value(p: f64) -> String {
    if p >= 1.0 { CAP.to_owned() } else { p_value(p) }
}

/// The same as a part of a sentence: `p = 0.0312`.
pub fn joint_p_is(p: f64) -> String {
    is(&joint_p_value(p))
}

/// The same in a column or a short line: `1 (a bound)`.
pub fn joint_p_value_small(p: f64) -> String {
    if p >= 1.0 { "1 (a bound)".to_owned() } else { p_value(p) }
}

/// A p-value as a part of a sentence: `p = 0.0312`, `p below 1e-300`.
pub fn p_is(p: f64) -> String {
    is(&p_value(p))
}

/// A p-value that was written, as a part of a sentence.
pub fn is(text: &str) -> String {
    if text.starts_with("below") { format!("p {text}") } else { format!("p = {text}") }
}

/// How many times as much: three decimals where they say something, else whole.
pub fn times(ratio: f64) -> String {
    if (0.0..100.0).contains(&ratio) || !ratio.is_finite() {
        format!("{ratio:.3}")
    } else {
        thousands(ratio.round() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_many_tests_together_is_called_a_cap() {
        assert!(
            joint_p_value(1.0).starts_with("1 (an upper bound; ")
                && joint_p_is(1.0).starts_with("p = 1 (an upper bound; ")
        );
        assert_eq!((joint_p_value(0.99999), joint_p_is(0.25)), ("0.9999".to_owned(), "p = 0.25".to_owned()));
    }

    #[test]
    fn p_values_keep_their_strength_and_are_never_zero() {
        for (p, text) in [
            (0.031_24, "0.0312"),
            (0.43, "0.43"),
            (0.001, "0.001"),
            (0.000_999_9, "1.0e-3"),
            (0.000_04, "4.0e-5"),
            (3.21e-9, "3.2e-9"),
            (1e-299, "1.0e-299"),
            (0.0, "below 1e-300"),
            (5e-324, "below 1e-300"),
            (1.0, "1"),
            (0.999_99, "0.9999"),
            (f64::NAN, "undefined"),
        ] {
            assert_eq!(p_value(p), text);
        }
    }

    #[test]
    fn sentences_say_equal_only_where_a_number_follows() {
        assert_eq!([p_is(0.5), p_is(0.0)], ["p = 0.5", "p below 1e-300"]);
        assert_eq!([times(2.0), times(99.9), times(12_750.4)], ["2.000", "99.900", "12,750"]);
    }

    #[test]
    fn numbers_are_grouped_by_three() {
        for (number, text) in [
            (0, "0"),
            (12, "12"),
            (123, "123"),
            (1_234, "1,234"),
            (999_999, "999,999"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(thousands(number), text);
        }
    }
}
