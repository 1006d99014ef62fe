//! `flawed:NAME[:SEED]`: dealers with a known fault, and controls without one.

use std::ffi::OsStr;

use crate::source::ask::{Abilities, AskError, DECKS_DEFAULT, Opened, Source};
use crate::source::kind::{self, Kind, KindFacts};
use crate::source::record::{RecordError, SourceRecord};
use crate::source::settings::Settings;
use crate::source::{DeckSource, SourceError, fill_singly};
use deckproof_dealers::dealers::{self, DealtOrders, TestDealer};
use deckproof_deck::deck::Deck;
use deckproof_deck::deck::block::DeckBlock;

/// The seed of `flawed:NAME` without one.
const SEED_DEFAULT: u64 = 1;

/// The kind, as it is in the list.
pub(super) struct FlawedKind;

impl Kind for FlawedKind {
    fn facts(&self) -> KindFacts {
        KindFacts::new("flawed", "flawed:NAME[:SEED]")
    }

    fn parse(&self, rest: Option<&OsStr>, _: &Settings) -> Result<Box<dyn Source>, AskError> {
        Ok(Box::new(Flawed::open(kind::text(self, rest)?, DECKS_DEFAULT)?))
    }

    fn of_record(&self, record: &SourceRecord) -> Result<Box<dyn Source>, AskError> {
        let (name, seed) = fields(record)?;
        Ok(Box::new(Flawed::open(&format!("{name}:{seed}"), DECKS_DEFAULT)?))
    }

    fn check(&self, record: &SourceRecord) -> Result<(), RecordError> {
        let (name, _) = fields(record)?;
        match TestDealer::named(name) {
            Some(_) => Ok(()),
            None => Err(record.wrong("name", name, "a dealer of this program")),
        }
    }

    fn words(&self, record: &SourceRecord) -> Result<String, RecordError> {
        let (name, seed) = fields(record)?;
        Ok(format!("the flawed dealer {name}, seed {seed}"))
    }
}

fn fields(record: &SourceRecord) -> Result<(&str, u64), RecordError> {
    record.only(&["name", "seed"])?;
    Ok((record.text("name")?, record.number("seed")?))
}

/// What the public record says of a flawed dealer.
pub fn record(name: &str, seed: u64) -> SourceRecord {
    SourceRecord::new("flawed").with("name", name).with("seed", seed)
}

/// The decks of a dealer.
pub struct Flawed {
    deals: DealtOrders,
    decks: u64,
}

impl Flawed {
    /// `decks` decks of the dealer `NAME[:SEED]`; the seed is a number below 2^64, 1 without one.
    ///
    /// # Errors
    /// [`SourceError::Failed`]: no such dealer, or a seed that is no number.
    pub fn open(text: &str, decks: u64) -> Result<Flawed, SourceError> {
        let (name, seed) = match text.split_once(':') {
            Some((name, seed)) => (name, parse_seed(seed)?),
            None => (text, SEED_DEFAULT),
        };
        let dealer = TestDealer::named(name).ok_or_else(|| {
            let names: Vec<_> = dealers::list().map(|dealer| dealer.name).collect();
            SourceError::Failed(format!(
                "flawed:{name}: found no such dealer, wanted one of {}",
                names.join(", ")
            ))
        })?;
        Ok(Flawed { deals: dealer.deals(seed), decks })
    }

    fn deck(&mut self, number: u64) -> Result<Deck, SourceError> {
        let order = self.deals.order(number);
        let record = number.saturating_add(1);
        let place = || format!("flawed:{}:{}, record {record}", self.deals.dealer().name, self.deals.seed());
        Deck::try_from(&order[..]).map_err(|error| SourceError::NotADeck { record, place: place(), error })
    }
}

impl DeckSource for Flawed {
    fn fill(&mut self, first: u64, block: &mut DeckBlock) -> Result<(), SourceError> {
        let decks = self.decks;
        fill_singly(block, first, decks, |number| self.deck(number))
    }

    fn go_on(&mut self, decks: u64) -> bool {
        self.decks = decks;
        true
    }

    /// A sequential dealer is replayed from deck 0 by its fork.
    fn fork(&self) -> Option<Box<dyn DeckSource>> {
        let deals = self.deals.dealer().deals(self.deals.seed());
        Some(Box::new(Flawed { deals, decks: self.decks }))
    }
}

impl Source for Flawed {
    fn abilities(&self) -> Abilities {
        FlawedKind.facts().abilities
    }

    fn open(mut self: Box<Self>, decks: Option<u64>) -> Result<Opened, AskError> {
        self.decks = decks.unwrap_or(DECKS_DEFAULT);
        let (record, decks) = (record(self.deals.dealer().name, self.deals.seed()), self.decks);
        Ok(Opened::of(self, record, decks))
    }
}

fn parse_seed(text: &str) -> Result<u64, SourceError> {
    let refused = || SourceError::Failed(format!("found the seed {text:?}, wanted a number below 2^64"));
    text.parse().map_err(|_| refused())
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_dealers::dealers::list;

    fn block(source: &mut dyn DeckSource, first: u64) -> DeckBlock {
        let mut block = DeckBlock::default();
        source.fill(first, &mut block).expect("no record here is spoilt");
        block
    }

    #[test]
    fn every_dealer_deals_decks_and_gives_the_same_ones_after_a_jump_and_a_fork() {
        for dealer in list() {
            let mut source = Flawed::open(dealer.name, 150).expect("it is in the list");
            let blocks = [0, 64, 128].map(|first| block(&mut source, first));
            assert_eq!(blocks[2].hands(), 22, "{}", dealer.name);
            let mut fork = source.fork().expect("every dealer forks");
            for (reader, number) in [(&mut source as &mut dyn DeckSource, 1usize), (&mut *fork, 2)] {
                let again = block(reader, 64 * number as u64);
                assert_eq!(again.rows(), blocks[number].rows(), "{}", dealer.name);
            }
        }
    }

    #[test]
    fn seeds_change_the_decks_of_every_dealer() {
        for dealer in list() {
            let open =
                |seed| Flawed::open(&format!("{}:{seed}", dealer.name), 64).expect("it is in the list");
            assert_ne!(block(&mut open(1), 0).rows(), block(&mut open(2), 0).rows(), "{}", dealer.name);
            let mut unnamed = Flawed::open(dealer.name, 64).expect("it is in the list");
            assert_eq!(block(&mut open(1), 0).rows(), block(&mut unnamed, 0).rows());
        }
    }

    #[test]
    fn spoilt_records_are_named() {
        for (name, expected) in [
            ("joker", "flawed:joker:1, record 1001: place 25 holds 52, wanted a card 0 to 51"),
            ("duplicate-card", "again at place 51"),
        ] {
            let mut source = Flawed::open(name, 2_000).expect("it is in the list");
            let refused = source.fill(960, &mut DeckBlock::default()).expect_err("deck 1,000 is spoilt");
            assert!(matches!(refused, SourceError::NotADeck { record: 1_001, .. }), "{refused}");
            assert!(refused.to_string().ends_with(expected), "{refused}");
        }
    }

    #[test]
    fn unknown_names_and_seeds_are_refused() {
        let refused = |text| Flawed::open(text, 1).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(
            refused("satollo").starts_with("flawed:satollo: found no such dealer, wanted one of certified,")
        );
        assert_eq!(refused("sattolo:x"), "found the seed \"x\", wanted a number below 2^64");
        assert!(refused("sattolo:-1").contains("-1"));
    }
}
