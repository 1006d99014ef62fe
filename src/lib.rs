//! Shuffle certification and RNG audit for Seven-Card Stud.
//!
//! # The way through the house
//! ```text
//! key ─► tape ─► shuffle ─► DeckBlock ─► Statistic (counts) ─► Outcome ─► Verdict ─► Certificate ─► report
//!         │                    ▲
//!         │        recorded decks, other programs' shufflers
//!         └─► commitment ─► log entry ─► bundle ─► verify
//! ```
//! Data goes one way. Nothing above `certificate` computes a number; nothing below `cli` reads the
//! clock, the environment or the network.
//!
//! # Floors
//! A module may use only lower floors, never its own, never up. `tests/tidy.rs` reads this table and
//! fails on an import that climbs and on a file that no room owns.
//!
//! | floor | rooms | what lives there |
//! |---|---|---|
//! | 6 | `battery` | deck-level statistics |
//! | 5 | `source` | where decks come from |
//! | 3 | `stud` | rules, dealing, ranking, betting, hand histories |
//! | 2 | `shuffle` | the certified shuffle: scalar reference and 64-hand lanes |
//! | 1 | `deck` `key` `tape` | a permutation, because nothing else can build one · KBKDF chain · ChaCha20 words |
//! | 0 | `card` `math` `file` | cards and text · special functions, exact distributions · atomic writing |

pub mod battery;
pub mod card;
pub mod deck;
pub mod file;
pub mod key;
pub mod math;
pub mod shuffle;
pub mod source;
pub mod stud;
pub mod tape;
