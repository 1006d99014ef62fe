//! The battery on trial: what it catches, how often it accuses the innocent, and a certificate of the tool.

pub mod calibration;
pub mod growth;
pub mod power;
pub mod selftest;
