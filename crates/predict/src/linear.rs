//! Models that are linear over GF(2): known bits of draws are equations in the bits of the first state.

mod cache;
pub mod compared;
pub mod dealer;
mod decoding;
mod doubtful;
pub mod equations;
mod keys;
pub mod outputs;
pub mod single;
pub mod sums;
pub mod system;
pub mod twister;
mod wide;
