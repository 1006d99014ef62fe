//! What is asked over a network: cosignatures of witnesses and values of the beacon. Nothing is believed that is not signed.

pub mod exchange;
pub mod remote;
