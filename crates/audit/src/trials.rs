//! The battery on trial: what it catches, how often it rejects a fair shuffler, and a certificate of the tool.

pub mod calibration;
pub mod incremental;
pub mod kept;
pub mod power;
pub mod selftest;
