//! Shuffle certification and RNG audit for Seven-Card Stud.
//!
//! Three uses, each also a command of the program `deckproof`:
//! an **operator** or **test lab** audits a shuffler with exact statistics and gets a certificate that anybody can
//! judge again ([`audit`], [`certificate`]); a **player or arbiter** verifies that a hand was dealt from the deck that was
//! committed before it ([`verify`], after `PROTOCOL.md`); and a **table** deals hands under such commitments
//! ([`table`], [`commitment`]).
//!
//! Without the default feature `cli` the library takes no crate along that only a terminal or a page needs.
//!
//! # Audit a generator in process, and judge the certificate again
//! ```
//! use deckproof::audit::plan::{Plan, Shard};
//! use deckproof::audit::verdict::Verdict;
//! use deckproof::battery::Tier;
//! use deckproof::certificate::rejudge::rejudge;
//! use deckproof::deck::Deck;
//! use deckproof::deck::block::{BLOCK_HANDS, DeckBlock};
//! use deckproof::session::{Session, Unwatched};
//! use deckproof::source::{DeckSource, SourceError, ask::Source, own::Own};
//!
//! /// Sattolo's algorithm, a common slip: it never leaves a card in its place.
//! struct MyShuffler(u64);
//!
//! impl DeckSource for MyShuffler {
//!     fn fill(&mut self, _first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
//!         block.clear();
//!         for _ in 0..BLOCK_HANDS {
//!             let mut deck = Deck::in_order();
//!             for place in (1..52).rev() {
//!                 // Knuth's MMIX generator; its high bits are good enough to hide behind.
//!                 self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
//!                 deck.swap(place, (self.0 >> 33) as usize % place);
//!             }
//!             block.push(&deck);
//!         }
//!         Ok(())
//!     }
//!
//!     fn fork(&self) -> Option<Box<dyn DeckSource>> {
//!         None
//!     }
//! }
//!
//! // The certificate names it so, "as its author names it, not checked".
//! let own: Box<dyn Source> = Box::new(Own::new("my shuffler, build 7", Box::new(MyShuffler(42)), 1_000));
//! let opened = own.open(None)?;
//! let plan = Plan::new(opened.record, opened.decks, &[Tier::Core]).without_repeat();
//! let mut session = Session::begin(plan, Shard::WHOLE, opened.source, None)?;
//! let result = session.answer(1, &Unwatched)?;
//! assert_eq!(result.verdict, Verdict::Fail);
//! assert!(result.deciding().family_p_value < 1e-6);
//!
//! // A reader of the certificate recomputes every p-value and the verdict from its integers.
//! rejudge(&result)?;
//! let mut embellished = result.clone();
//! embellished.verdict = Verdict::Pass;
//! assert!(rejudge(&embellished).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Deal a hand under a commitment and verify it
//! ```
//! use deckproof::key::DayKey;
//! use deckproof::stud::rules::RuleSet;
//! use deckproof::stud::seat::Seats;
//! use deckproof::table::{Table, TableName, deal_hand};
//! use deckproof::verify::{Statements, verify_bundle};
//!
//! let rules = RuleSet::named("stud-hi").ok_or("no such rule set")?;
//! let seats = Seats::parse("1,2,4,6")?;
//! let table = Table::begin(TableName::new("stud.example/log1", "T-1")?, DayKey::fresh()?, 1)?;
//! let (committed, _table_for_the_next_hand) = table.commit();
//! // Published before the hand: the order of the deck is fixed from here on.
//! assert!(committed.deck_entry().starts_with("deckproof/v1 deck\norigin stud.example/log1\n"));
//! // Two streets: everybody gets three cards, then seat 1 has folded.
//! let everybody = seats.in_order().to_vec();
//! let hand = deal_hand(committed, rules, &seats, &[everybody.clone(), everybody[1..].to_vec()])?;
//!
//! let bundle = hand.seat_bundle(everybody[1], &[]);
//! let accepted = verify_bundle(bundle.as_bytes(), None, &Statements::default())?;
//! // The player sees 3 of his cards and the 4th street's, and the door cards and up cards of the others.
//! assert_eq!(accepted.opened.len(), 4 + 3 + 2);
//!
//! let forged = bundle.replace("dealt 15", "dealt 16");
//! let refusal = verify_bundle(forged.as_bytes(), None, &Statements::default()).unwrap_err();
//! assert_eq!(refusal.code.name(), "E_DEALT");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rank a hand
//! ```
//! use deckproof::card::Card;
//! use deckproof::stud::card_set::CardSet;
//! use deckproof::stud::low::Low8;
//! use deckproof::stud::rank::High;
//!
//! let cards: Vec<Card> = "As 4d 2c 3h 5s Kd Kc".split(' ').map(str::parse).collect::<Result<_, _>>()?;
//! let hand = CardSet::of(&cards);
//! assert_eq!(High::best(hand).to_string(), "straight, five high");
//! assert_eq!(Low8::best(hand).map(|low| low.to_string()).as_deref(), Some("5-4-3-2-A"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Glossary
//! - **Keystream**: the ChaCha20 words of a key, from which a deck is drawn. **Fisher–Yates draws**: the 51 numbers a shuffle
//!   draws; undone from a deck they are its *Lehmer code*, in one of six ways.
//! - **View**: the same decks looked at in one of four ways: cards by place, places by card, and how each deck lies in the next, by place or by card.
//! - **Statistic**: counts over decks with a stated null hypothesis, the distribution of the counts if every deck is uniform and independent.
//!   **Outcome**: its p-value, and how far the tail can be trusted: exact, a proven bound, chi-squared with large expectations, or asymptotic.
//! - **Family**: the statistics that share one part of the level. **Tier**: a named set of statistics (`core`, `deep`, `stud`).
//! - **Plan**: what is run and how it is judged, fixed and hashed before the data. **First look**, **repeat**: the planned decks, and the one
//!   planned second sample that decides after *investigate*.
//! - **Verdict**: pass, investigate, fail or inconclusive. **Certificate**: plan, integer counts and verdict, judged again by [`certificate::rejudge`].
//! - **Segment**: 65,536 decks, the unit of threads, shards and checkpoints. **Tally**: integer counts, merged by addition.
//! - **Power**: how many decks a plan needs to detect each of the flawed dealers, measured.
//! - **Deck root**, **leaf**, **opening**: the hash published before a hand, one card of it with its salt, and the two shown afterwards. **Entry**: a text of the log.
//!   **Bundle**: everything a verifier needs for one hand. **Public cut**: the permutation by players' seeds or a beacon, after the commitment.
//!
//! # The way through the house
//! Crates, rooms and the way of the data stand in `ARCHITECTURE.md`.

// Hidden rooms are for the program and for the tests of this workspace; no promise is made of them.
/// The program's command line.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
/// Bundles, certificates and packages that are handed in, judged one by one and together.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod verification;

pub use deckproof_audit::{audit, certificate, compare, hands, session, source};
#[doc(hidden)]
pub use deckproof_audit::{calibration, collection, manifest, power, selftest, standards};
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use deckproof_daily::{daily, monitoring};
#[doc(hidden)]
pub use deckproof_dealers::dealers;
pub use deckproof_deck::{card, commitment, deck, key, shuffle};
#[doc(hidden)]
pub use deckproof_deck::{json, keystream, text};
#[doc(hidden)]
pub use deckproof_files::file;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use deckproof_lab::{external, project};
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use deckproof_report::{document, output, rendering, report};
pub use deckproof_stats::battery;
#[doc(hidden)]
pub use deckproof_stats::math;
pub use deckproof_stud::stud;
pub use deckproof_table::{log_folder, table};
#[doc(hidden)]
pub use deckproof_verify::claim;
pub use deckproof_verify::{log, verify};
