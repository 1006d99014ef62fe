//! The log: its entries as exact text, its tree and tiles, its signed checkpoints, and which log is trusted.

mod base64;
pub mod beacon;
pub mod checkpoint;
pub mod entry;
pub mod log;
pub mod mix;
pub mod note;
mod number;
pub mod policy;
pub mod quorum;
pub mod receipt;
pub mod refusal;
pub mod request;
pub mod sample;
pub mod scan;
pub mod tree;
pub mod trust;
pub mod vkey;
pub mod witness;
pub mod witnessed;
