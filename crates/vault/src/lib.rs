//! What opens the hands that ended, in two shares for two people.

pub mod vault;
