//! Who is asked: witnesses for cosignatures, relays for values of the beacon. Several at once; one that fails is named.

pub mod panel;
pub mod relays;
pub mod witnesses;
