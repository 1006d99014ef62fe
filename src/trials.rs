//! The battery on trial: what it catches, how often it rejects the innocent, and a certificate of the tool.

pub mod calibration;
pub mod incremental;
pub mod power;
pub mod selftest;
