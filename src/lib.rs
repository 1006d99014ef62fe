//! Shuffle certification and RNG audit for Seven-Card Stud.
//!
//! # The way through the house
//! ```text
//! key ─► keystream ─► shuffle ─► DeckBlock ─► Statistic (counts) ─► Outcome ─► Verdict ─► Certificate ─► report
//!         │                    ▲
//!         │        recorded decks, other programs' shufflers
//!         └─► commitment ─► log entry ─► bundle ─► verify
//! ```
//! Data goes one way. Nothing above `certificate` computes a number; nothing below `cli` reads the
//! clock, the environment or the network.
//!
//! # Floors
//! A module may use only lower floors, never its own, never up. `tests/suite/tidy.rs` reads this table and
//! fails on an import that climbs and on a file that no room owns.
//!
//! | floor | rooms | what lives there |
//! |---|---|---|
//! | 14 | `cli` | arguments to values, progress, exit codes; the only room that sees clock, environment and terminal |
//! | 13 | `report` | a page of plain data as HTML or Markdown; computes nothing, draws what it is given |
//! | 12 | `monitoring` | the daily job: configuration, the line it leaves, the mail it writes |
//! | 11 | `verify` | recompute a bundle, one named check at a time |
//! | 10 | `trials` | power table, calibration, selftest: the tool on trial |
//! | 9 | `session` | a whole audit as one call: first look, repeat, checkpoint, going on |
//! | 8 | `certificate` `hands` | the public record, and judging it again · published hands, read, counted and judged |
//! | 7 | `audit` | plan, run over a source on any number of threads, checkpoints, shards, the rule of the verdict |
//! | 6 | `battery` | statistics of decks, and in `battery::stud` of the hands they deal |
//! | 5 | `source` `table` | where decks come from · dealing a committed hand: entries, transcript, bundles |
//! | 4 | `ledger` `dealers` | the entries of the log, and which log is trusted · flawed dealers and controls, what power is measured on |
//! | 3 | `stud` `commitment` | rules, dealing, ranking, betting, hand histories, transcript · leaves, roots, the public cut |
//! | 2 | `shuffle` | the certified shuffle: scalar reference and 64-hand lanes |
//! | 1 | `deck` `key` `keystream` | a permutation, because nothing else can build one · KBKDF chain · ChaCha20 words |
//! | 0 | `card` `math` `file` `json` `text` | cards · special functions, exact distributions · atomic writing, limited reading · strict reading of JSON · text from outside made visible |

pub mod audit;
pub mod battery;
pub mod card;
pub mod certificate;
pub mod cli;
pub mod commitment;
pub mod dealers;
pub mod deck;
pub mod file;
pub mod hands;
pub mod json;
pub mod key;
pub mod keystream;
pub mod ledger;
pub mod math;
pub mod monitoring;
pub mod report;
pub mod session;
pub mod shuffle;
pub mod source;
pub mod stud;
pub mod table;
pub mod text;
pub mod trials;
pub mod verify;
