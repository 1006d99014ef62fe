//! The project of a laboratory carried through, from the frozen plan to the package that it signs.
//!
//! ```text
//! project.toml ─► plan.toml (frozen, hashed) ─► one audit for each item and usage ─► certificates ─┐
//!                                             └─► raw output of the generator ─► counts ───────────┴─► report, tables, checksums
//! ```
//! What cannot be computed again is kept as it was made: project, plan, certificates, counts of the raw output, lists of
//! files, selftest, amendments. Everything else in a package is a function of those ([`package::derived`]), so that a
//! holder of a package recomputes it byte for byte ([`check`]).

pub mod amend;
pub mod archive;
pub mod between;
pub mod check;
pub mod content;
pub mod facts;
pub mod finished;
pub mod folder;
pub mod frozen;
pub mod issued;
mod logo;
pub mod package;
pub mod paths;
pub mod raw;
pub mod renderings;
pub mod run;
pub mod settings;
pub mod sheets;
pub mod supplied;
pub mod supplied_decks;
pub mod tested;
pub mod work;
