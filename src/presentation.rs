//! Results as people and programs read them: pages, tables, sentences and JSON. Values go in, text comes out; nothing
//! here is written, printed or timed.

pub mod audit;
#[cfg(feature = "packages")]
pub mod bundle;
pub mod calibration;
pub mod dealing;
pub mod hands;
#[cfg(all(feature = "cli", feature = "store"))]
pub mod history;
pub mod laboratory;
pub mod log;
#[cfg(feature = "cli")]
pub mod power;
#[cfg(feature = "cli")]
pub mod prediction;
pub mod ranks;
pub mod ruling;
pub mod selftest;
