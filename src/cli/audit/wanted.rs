//! What is asked of a source, and the plan it makes.

use crate::audit::plan::{Plan, Shard};
use crate::battery::Tier;
use crate::battery::stud::table::Table;
use crate::cli::exit::CouldNotSay;
use crate::deck::Deck;
use crate::source::record::SourceRecord;

/// What is asked of a source, besides the source itself.
pub struct Wanted {
    /// How many decks in the first look; `None`: what the kind of source gives by default.
    pub decks: Option<u64>,
    /// For a stream that is had again, and whose plan says to its end: how many decks that was.
    pub stream_decks: Option<u64>,
    /// Which tiers of statistics of decks run.
    pub tiers: Vec<Tier>,
    /// The table at which hands are dealt, if they are.
    pub table: Option<&'static Table>,
    /// The dealer's start order, if it is not the usual one.
    pub start_order: Option<Deck>,
    /// Whether a first look that says investigate is repeated.
    pub repeat: Repetition,
    /// Which part of the decks.
    pub shard: Shard,
    /// SHA-256 of the words of the program that deals, if one does.
    pub program_sha256: Option<String>,
}

/// What becomes of a first look that says investigate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Repetition {
    /// It is repeated once, where the source can go on.
    Planned,
    /// The plan has no repeat.
    Off,
    /// The plan has one, and it is not had, for this reason: that of a certificate that is run again.
    Missing(String),
}

impl Wanted {
    /// Everything a plan says, whole.
    ///
    /// # Errors
    /// [`CouldNotSay`] when the start order is none.
    pub fn of_plan(plan: &Plan) -> Result<Wanted, CouldNotSay> {
        Ok(Wanted {
            decks: plan.decks,
            tiers: plan.tiers(),
            table: plan.table(),
            stream_decks: None,
            start_order: plan.start_order().map_err(|error| CouldNotSay::new(error, ""))?,
            repeat: if plan.repeat.is_some() { Repetition::Planned } else { Repetition::Off },
            shard: Shard::WHOLE,
            program_sha256: plan.program_sha256.clone(),
        })
    }

    /// The plan these wishes make of a source.
    pub fn plan(&self, record: SourceRecord, decks: Option<u64>) -> Plan {
        let plan = Plan::new(record, decks, &self.tiers);
        let plan = plan.at_table(self.table).of_program(self.program_sha256.as_deref());
        let plan = if self.repeat == Repetition::Off { plan.without_repeat() } else { plan };
        match &self.start_order {
            Some(order) => plan.with_start_order(order),
            None => plan,
        }
    }
}
