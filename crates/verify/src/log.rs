//! The log: its entries as exact text, its tree and tiles, its signed checkpoints, and which log is trusted.

mod base64;
pub mod beacon;
pub mod checkpoint;
pub mod entry;
#[doc(hidden)]
pub mod mix;
#[doc(hidden)]
pub mod note;
mod number;
#[doc(hidden)]
pub mod policy;
#[doc(hidden)]
pub mod quorum;
pub mod receipt;
pub mod refusal;
#[doc(hidden)]
pub mod request;
pub mod scan;
pub mod tree;
pub mod trust;
pub mod vkey;
pub mod witness;
#[doc(hidden)]
pub mod witnessed;
