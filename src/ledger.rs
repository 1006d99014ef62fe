//! The log: its entries as exact text, and which log a verifier trusts.

pub mod entry;
pub mod trust;
