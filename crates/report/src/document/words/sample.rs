//! Values to try a sentence with.

use crate::document::words::{Language, Words};

/// A kind of argument of sentences, with one value of it.
pub trait Sample {
    /// The value.
    fn sample() -> Self;
}

impl Sample for u64 {
    fn sample() -> u64 {
        1_234_567
    }
}

impl Sample for u32 {
    fn sample() -> u32 {
        7
    }
}

impl Sample for f64 {
    fn sample() -> f64 {
        0.012_34
    }
}

impl Sample for bool {
    fn sample() -> bool {
        true
    }
}

impl Sample for &str {
    fn sample() -> &'static str {
        "XYZ"
    }
}

impl Sample for &Words {
    fn sample() -> &'static Words {
        Language::English.words()
    }
}
