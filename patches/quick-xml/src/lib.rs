//! quick-xml 0.42 under the number that citationberg asks for; why stands in `Cargo.toml`.
pub use current::*;
