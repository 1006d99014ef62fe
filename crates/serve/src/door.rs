//! The ways in: JSON lines on a pipe, and HTTP/1.1 on a socket of this machine, to tables or to a witness.

#[cfg(feature = "http")]
pub mod caller;
#[cfg(feature = "http")]
pub mod http;
pub mod lines;
#[cfg(feature = "http")]
pub mod listen;
#[cfg(feature = "http")]
mod mailbox;
#[cfg(feature = "http")]
mod patience;
#[cfg(feature = "http")]
pub mod public;
pub mod qr_code;
#[cfg(feature = "http")]
pub mod witness;
