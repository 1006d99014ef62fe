//! The log: its entries as exact text, and which log is trusted.

pub mod entry;
pub mod refusal;
pub mod trust;
