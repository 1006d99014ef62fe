//! Results as people and programs read them: pages, tables, sentences and JSON. Values go in, text comes out; nothing
//! here is written, printed or timed.

pub mod audit;
pub mod bundle;
pub mod calibration;
pub mod columns;
pub mod comparison;
pub mod dealing;
pub mod hands;
pub mod log;
pub mod power;
pub mod prediction;
pub mod ranks;
pub mod ruling;
pub mod selftest;
