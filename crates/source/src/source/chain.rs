//! `chain:KEY`: the certified shuffle exactly as a table deals it, one chain key after the other.

use std::ffi::OsStr;
use std::sync::Arc;

use crate::source::ask::{Abilities, AskError, DECKS_DEFAULT, Opened, Source};
use crate::source::kind::{self, Kind, KindFacts};
use crate::source::record::{RecordError, SourceRecord};
use crate::source::settings::{Settings, SourceSetting};
use crate::source::{DeckSource, SourceError};
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof_deck::key::{ChainKey, DayKey, HandContext, HandKey};
use deckproof_deck::shuffle::lanes::{HandKeys, shuffle_block};
use deckproof_files::file::Access;

/// The settings of a chain.
const SETTINGS: &[SourceSetting] = &[
    SourceSetting::new("origin", "ORIGIN", "With chain: the origin of the log"),
    SourceSetting::new("chain_table", "TABLE", "With chain: the table"),
    SourceSetting::new("first_hand", "N", "With chain: the number of the first hand of the day [default: 1]"),
    SourceSetting::new("mix", "MIX", "With chain: none, beacon or players [default: none]"),
    SourceSetting::flag(
        "not_for_production",
        "With chain: admit that the day key becomes public. It is in the plan and the certificate, and \
         opens every hand of its day, so that nobody may play these for money",
    ),
];

/// What is mixed into the hands of a chain.
const MIXES: [&str; 3] = ["none", "beacon", "players"];

/// The kind, as it is in the list.
pub(super) struct ChainKind;

impl Kind for ChainKind {
    fn facts(&self) -> KindFacts {
        KindFacts {
            settings: SETTINGS,
            access: Access::OwnerOnly,
            is_certified: true,
            ..KindFacts::new("chain", "chain:KEY")
        }
    }

    fn parse(&self, rest: Option<&OsStr>, settings: &Settings) -> Result<Box<dyn Source>, AskError> {
        kind::something(self, rest)?;
        if !settings.is_given("not_for_production") {
            return Err(AskError::new(
                "chain: is refused: the day key would be in the plan and in the certificate, and anybody who has it \
                 knows every card of every hand of its day",
                "For a key that deals nothing else add --not-for-production. To audit what a table dealt, give its \
                 recorded decks.",
            ));
        }
        let (Some(origin), Some(table)) = (settings.text("origin"), settings.text("chain_table")) else {
            return Err(AskError::new("chain needs to know the table", "Give --origin and --chain-table."));
        };
        let mix = settings.text("mix").unwrap_or("none");
        if !MIXES.contains(&mix) {
            return Err(AskError::new(format!("found --mix {mix:?}"), "Wanted none, beacon or players."));
        }
        Ok(Box::new(ChainStart {
            day_key: kind::key(self, rest)?,
            origin: origin.to_owned(),
            table: table.to_owned(),
            first_hand: settings.value("first_hand")?.unwrap_or(1),
            mix: mix.to_owned(),
        }))
    }

    fn of_record(&self, record: &SourceRecord) -> Result<Box<dyn Source>, AskError> {
        Ok(Box::new(start_of(record)?))
    }

    fn check(&self, record: &SourceRecord) -> Result<(), RecordError> {
        start_of(record).map(drop)
    }

    fn words(&self, record: &SourceRecord) -> Result<String, RecordError> {
        let (origin, table) = (record.text("origin")?, record.text("table")?);
        let (first_hand, mix) = (record.number("first_hand")?, record.text("mix")?);
        Ok(format!(
            "the certified shuffle, chain path of {origin}, table {table}, from hand {first_hand}, mix {mix}"
        ))
    }
}

fn start_of(record: &SourceRecord) -> Result<ChainStart, RecordError> {
    record.only(&["day_key", "origin", "table", "first_hand", "mix"])?;
    let day_key = record.hexadecimal("day_key")?.parse();
    let (first_hand, mix) = (record.number("first_hand")?, record.text("mix")?);
    if first_hand == 0 {
        return Err(record.wrong("first_hand", first_hand, "1 or more: hands count from 1"));
    }
    if !MIXES.contains(&mix) {
        return Err(record.wrong("mix", format!("{mix:?}"), "none, beacon or players"));
    }
    Ok(ChainStart {
        day_key: day_key.map_err(|error| record.wrong("day_key", error, "64 hexadecimal digits"))?,
        origin: record.text("origin")?.to_owned(),
        table: record.text("table")?.to_owned(),
        first_hand,
        mix: mix.to_owned(),
    })
}

impl Source for ChainStart {
    fn abilities(&self) -> Abilities {
        ChainKind.facts().abilities
    }

    fn open(self: Box<Self>, decks: Option<u64>) -> Result<Opened, AskError> {
        let decks = decks.unwrap_or(DECKS_DEFAULT);
        let record = SourceRecord::new("chain")
            .with("day_key", self.day_key.disclose().as_str())
            .with("origin", self.origin.as_str())
            .with("table", self.table.as_str())
            .with("first_hand", self.first_hand)
            .with("mix", self.mix.as_str());
        Ok(Opened::of(Box::new(Chain::new(Arc::from(self), decks)?), record, decks))
    }

    fn warning(&self) -> Option<&'static str> {
        Some(
            "This key is public from now on: it is in the plan and in the certificate, and it opens every hand of \
             its day. Never deal with it.",
        )
    }
}

/// What a table's chain of a day begins with.
pub struct ChainStart {
    /// The key of the day.
    pub day_key: DayKey,
    /// Who deals.
    pub origin: String,
    /// Where.
    pub table: String,
    /// The hand the chain begins with.
    pub first_hand: u64,
    /// What is mixed into every hand, `none` without players' seeds.
    pub mix: String,
}

impl ChainStart {
    fn chain_key(&self) -> ChainKey {
        self.day_key.chain(&self.origin, &self.table, self.first_hand)
    }

    fn context(&self, hand: u64) -> HandContext {
        HandContext::new(&self.origin, &self.table, hand, &self.mix)
    }
}

/// Deck n is the deck of hand `first_hand + n`.
///
/// A chain has no short cut: a fork or a jump back begins at the day key again and steps.
pub struct Chain {
    start: Arc<ChainStart>,
    decks: u64,
    link: Link,
}

/// The chain key of one deck; `None` only while it is being replaced.
struct Link {
    number: u64,
    key: Option<ChainKey>,
}

impl Chain {
    /// The first `decks` hands of a chain.
    ///
    /// # Errors
    /// [`SourceError::Failed`] when the hand numbers pass 2^64.
    pub fn new(start: Arc<ChainStart>, decks: u64) -> Result<Chain, SourceError> {
        if start.first_hand.checked_add(decks).is_none() {
            let (first, limit) = (start.first_hand, u64::MAX);
            return Err(SourceError::Failed(format!(
                "found {decks} hands from hand {first}, wanted hand numbers up to {limit}"
            )));
        }
        Ok(Chain::at_start(start, decks))
    }

    fn at_start(start: Arc<ChainStart>, decks: u64) -> Chain {
        let link = Link { number: 0, key: Some(start.chain_key()) };
        Chain { start, decks, link }
    }
}

impl Link {
    fn go_to(&mut self, number: u64, start: &ChainStart) {
        if number < self.number {
            *self = Link { number: 0, key: Some(start.chain_key()) };
        }
        while self.number < number {
            self.key = self.key.take().map(ChainKey::next);
            self.number += 1;
        }
    }

    fn hand_key(&mut self, number: u64, start: &ChainStart) -> HandKey {
        self.go_to(number, start);
        let key = self.key.as_ref().expect("a link always has its key back");
        key.hand_key(&start.context(start.first_hand + number))
    }
}

impl DeckSource for Chain {
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
        let Chain { start, decks, link } = self;
        let mut keys = HandKeys::default();
        for number in first..(*decks).min(first.saturating_add(BLOCK_HANDS as u64)) {
            keys.push(&link.hand_key(number, start));
        }
        shuffle_block(&keys, block);
        Ok(())
    }

    /// Not past hand numbers of 64 bits.
    fn go_on(&mut self, decks: u64) -> bool {
        let fits = self.start.first_hand.checked_add(decks).is_some();
        self.decks = if fits { decks } else { self.decks };
        fits
    }

    fn fork(&self) -> Option<Box<dyn DeckSource>> {
        Some(Box::new(Chain::at_start(Arc::clone(&self.start), self.decks)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::shuffle::shuffle_deck;

    fn start() -> Arc<ChainStart> {
        Arc::new(ChainStart {
            day_key: DayKey::from_bytes([9; 32]),
            origin: "example.org".into(),
            table: "T1".into(),
            first_hand: 5,
            mix: "none".into(),
        })
    }

    #[test]
    fn deck_n_is_hand_first_plus_n_of_the_chain() {
        let context = |hand| HandContext::new("example.org", "T1", hand, "none");
        let key = DayKey::from_bytes([9; 32]).chain("example.org", "T1", 5);
        let zeroth = shuffle_deck(key.hand_key(&context(5)).bytes());
        let second = shuffle_deck(key.next().next().hand_key(&context(7)).bytes());
        let (mut block, mut chain) =
            (DeckBlock::default(), Chain::new(start(), 3).expect("3 hands fit into 64 bits"));
        chain.fill(0, &mut block).expect("a chain cannot fail");
        assert_eq!((block.hands(), block.deck(0), block.deck(2)), (3, zeroth, second));
    }

    #[test]
    fn jumps_and_forks_step_to_the_same_decks() {
        let mut chain = Chain::new(start(), 300).expect("300 hands fit into 64 bits");
        let (mut ahead, mut back, mut forked) =
            (DeckBlock::default(), DeckBlock::default(), DeckBlock::default());
        chain.fill(192, &mut ahead).expect("a chain cannot fail");
        chain.fill(0, &mut back).expect("a chain cannot fail");
        let mut fork = chain.fork().expect("a chain forks by stepping");
        fork.fill(192, &mut forked).expect("a chain cannot fail");
        assert_eq!(ahead.rows(), forked.rows());
        assert_ne!(ahead.rows(), back.rows());
    }

    #[test]
    fn hand_numbers_past_64_bits_are_refused() {
        assert!(matches!(Chain::new(start(), u64::MAX), Err(SourceError::Failed(_))));
    }
}
