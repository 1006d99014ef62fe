//! What is asked of a table: which hands are dealt, into which folder and log, how they are cut and played.

mod change;
pub mod cut;
pub mod log;
pub mod play;

use std::fmt;
use std::io::BufReader;
use std::path::PathBuf;

use crate::table::dealing::{Dealing, DealingError, RoundWatch};
use crate::table::durable::{DurableError, DurableTable};
use crate::table::files::{HANDS, STATE};
use crate::table::last_hand::LastHand;
use crate::table::recovery::Restart;
use crate::table::request::cut::CutOptions;
use crate::table::request::log::{GivenLog, LogOptions};
use crate::table::request::play::PlayOptions;
use crate::table::storage::Folder;
use crate::table::{HAND_MAX, Table, TableName};
use deckproof_deck::key::DayKey;
use deckproof_deck::key::secret::Secret;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::input::FileError;
use deckproof_files::file::{TEXT_BYTES_MAX, own};
use deckproof_stud::stud::readings::{self, Reading};
use deckproof_stud::stud::rules::RuleSet;
use deckproof_stud::stud::seat::Seats;

/// The log of a table that has none yet; nobody else's name.
const DEFAULT_ORIGIN: &str = "localhost/log1";

/// Rules and seats of a table that has played no hand.
const DEFAULT_RULES: &str = "stud-hi";
const DEFAULT_SEATS: &str = "1,2,3,4,5,6";

/// Hands that are asked of a table, as they were typed.
#[derive(Clone)]
pub struct DealOptions {
    /// Its name.
    pub table: String,
    /// How many hands.
    pub hands: u64,
    /// The folder of the table.
    pub out: PathBuf,
    /// The name of its log; that of `log` where it is not given.
    pub origin: Option<String>,
    /// The number of the first hand of the day.
    pub first_hand: Option<u64>,
    /// By which rules; where it is not given, those of the last hand played.
    pub rules: Option<String>,
    /// Readings that the open entries bind, such as `odd_chip=left_of_dealer`.
    pub readings: Vec<String>,
    /// The seats; where it is not given, those of the last hand played, the dealer one seat on.
    pub seats: Option<String>,
    /// Whether a table goes on whose state is in the folder.
    pub is_resumed: bool,
    /// The day key, for tests; it comes from the operating system where it is not given.
    pub day_key: Option<Secret>,
    /// Whether nobody plays these hands for money.
    pub is_test: bool,
    /// The log the entries go to.
    pub log: Option<LogOptions>,
    /// How they are played.
    pub play: PlayOptions,
    /// What cuts the deck.
    pub cut: CutOptions,
}

/// Hands that were dealt.
pub struct Dealt {
    /// Where.
    pub name: TableName,
    /// By which rules.
    pub rules: &'static RuleSet,
    /// The seats of the next hand where they were played, else those of all.
    pub seats: Seats,
    /// Whether they were played.
    pub are_played: bool,
    /// The first of them.
    pub first: u64,
    /// The one after the last of them.
    pub next: u64,
}

/// Why hands were not dealt, or ended early.
#[derive(Debug)]
pub enum DealFault {
    /// What was asked cannot be parsed, or a file of it cannot be read.
    Asked(CouldNotSay),
    /// The table stopped.
    Ended(DealingError),
}

impl From<CouldNotSay> for DealFault {
    fn from(reason: CouldNotSay) -> DealFault {
        DealFault::Asked(reason)
    }
}

impl From<DurableError> for DealFault {
    fn from(error: DurableError) -> DealFault {
        DealFault::Ended(error.into())
    }
}

impl DealOptions {
    /// Deals the hands. `now` gives the time in POSIX seconds, `warn` gets what somebody should know at once.
    ///
    /// # Errors
    /// [`DealFault`]; what was dealt before it is closed.
    pub fn deal(&self, now: fn() -> u64, warn: fn(&str)) -> Result<Dealt, DealFault> {
        let rules = self.rules.as_deref().map(rule_set).transpose()?;
        let seats = self.seats.as_deref().map(seats).transpose()?;
        let mut log = self.log.as_ref().map(|log| log.read(self.cut.wait, warn)).transpose()?;
        let resumed = if self.is_resumed { Some(self.resume(log.take(), warn)?) } else { None };
        // How the last hand ended is known once a hand that was under way is ended.
        let last = if self.is_resumed { self.last_hand()? } else { None };
        let rules = match (rules, &last) {
            (Some(rules), _) => rules,
            (None, Some(last)) => last.rules,
            (None, None) => rule_set(DEFAULT_RULES)?,
        };
        let readings = readings_of(rules, &self.readings)?;
        let seats = match (seats, &last) {
            (Some(seats), _) => seats,
            (None, Some(last)) => last.next_seats(),
            (None, None) => self::seats(DEFAULT_SEATS)?,
        };
        if let Some(change) =
            resumed.as_ref().and_then(|_| change::notice(&self.out, &seats, rules, &readings))
        {
            warn(&format!("deckproof: {change}"));
        }
        let play = self.play.read(rules, &seats, last.as_ref())?;
        let (announcement, cut) = self.cut.read(self.hands, &seats, self.is_test, now())?;
        let watch = self.log.as_ref().map(|_| RoundWatch { now, warn });
        let mut game = Dealing { rules, readings, seats, play, announcement, cut, watch };
        let mut table = match resumed {
            Some(table) => table,
            None => self.begin(log)?,
        };
        let first = table.next_hand().unwrap_or(HAND_MAX);
        if self.hands > HAND_MAX - first {
            let message = format!("--hands {}: hand numbers end at {HAND_MAX}", self.hands);
            return Err(CouldNotSay(message).into());
        }
        game.deal(&mut table, self.hands).map_err(DealFault::Ended)?;
        let (name, next) = (table.name().clone(), table.next_hand().unwrap_or(HAND_MAX));
        Ok(Dealt { name, rules, are_played: game.play.is_some(), seats: game.seats, first, next })
    }

    /// A table at the start of a day, in a folder where none has begun.
    fn begin(&self, log: Option<GivenLog>) -> Result<DurableTable<Folder>, DealFault> {
        let usage = |error: &dyn fmt::Display| DealFault::Asked(CouldNotSay(error.to_string()));
        let logged = log.as_ref().map(|log| &log.origin[..]);
        let origin = self.origin.as_deref().or(logged).unwrap_or(DEFAULT_ORIGIN);
        if let Some(logged) = logged.filter(|logged| *logged != origin) {
            return Err(usage(&format!("--origin {origin}: the log of --log is {logged}")));
        }
        let name = TableName::new(origin, &self.table).map_err(|error| usage(&error))?;
        let first_hand = self.first_hand.unwrap_or(1);
        let table =
            Table::begin(name, self.fresh_or_given_key()?, first_hand).map_err(|error| usage(&error))?;
        if self.hands > HAND_MAX - first_hand {
            return Err(usage(&format!("--hands {}: hand numbers end at {HAND_MAX}", self.hands)));
        }
        let folder = Folder::create(&self.out).map_err(|error| usage(&error))?;
        let log = log.map(|log| log.open(&self.out)).transpose()?;
        Ok(DurableTable::begin(folder, table, log)?)
    }

    /// Of this day.
    fn fresh_or_given_key(&self) -> Result<DayKey, CouldNotSay> {
        match &self.day_key {
            None => DayKey::fresh().map_err(|error| CouldNotSay(format!("day key: {error}"))),
            Some(_) if !self.is_test => Err(CouldNotSay(
                "--day-key is refused: anybody who chose the key knows every card; leave it out, or add --not-for-production for a test"
                    .to_owned(),
            )),
            Some(key) => Ok(key.key("--day-key")?),
        }
    }

    /// The table whose state is in the folder; the hand that was under way is ended.
    fn resume(&self, log: Option<GivenLog>, warn: fn(&str)) -> Result<DurableTable<Folder>, DealFault> {
        let out = &self.out;
        if !out.join(STATE).exists() {
            return Err(DurableError::NoTable.into());
        }
        let folder = Folder::open(out).map_err(|error| CouldNotSay(error.to_string()))?;
        let log = log.map(|log| log.open(out)).transpose()?;
        let (table, restart) = DurableTable::resume(folder, log)?;
        match &restart {
            Restart::Clean => {}
            Restart::Closed { hand } => {
                warn(&format!("deckproof: hand {hand} had been played to its end and was closed now"))
            }
            Restart::Voided { hand, reason } => {
                warn(&format!(
                    "deckproof: hand {hand} was under way when the table stopped; it was voided ({reason})"
                ));
            }
        }
        let (origin, name) = (table.name().origin(), table.name().table());
        let is_this = name == self.table && self.origin.as_deref().is_none_or(|given| given == origin);
        if is_this {
            Ok(table)
        } else {
            Err(DealFault::Asked(CouldNotSay(format!(
                "{}: found the table {name} of {origin}; give its --table and --origin",
                out.display()
            ))))
        }
    }

    /// How the last hand that was played left this table.
    fn last_hand(&self) -> Result<Option<LastHand>, CouldNotSay> {
        let out = &self.out;
        let path = out.join(HANDS);
        let records = own::open_to_read(&path).map_err(|error| FileError::new(&path, error))?;
        let read = |file: &str| own::read_text_limited(&out.join(file), TEXT_BYTES_MAX);
        LastHand::find(BufReader::new(records), read)
            .map_err(|error| CouldNotSay(format!("{}: {error}", out.display())))
    }
}

fn seats(text: &str) -> Result<Seats, CouldNotSay> {
    Seats::parse(text).map_err(|error| CouldNotSay(format!("--seats: {error}")))
}

/// Readings as they were typed, each of a point that the rules leave to the table.
fn readings_of(rules: &RuleSet, texts: &[String]) -> Result<Vec<(Reading, String)>, CouldNotSay> {
    let mut chosen: Vec<(Reading, String)> = Vec::new();
    for text in texts {
        let usage = |why: String| CouldNotSay(format!("--reading {text}: {why}"));
        let (reading, value) = readings::parse(text).map_err(|error| usage(error.to_string()))?;
        if !rules.play.leaves_to_the_table(reading) {
            return Err(usage(format!("{} does not leave this to the table", rules.name)));
        }
        if chosen.iter().any(|(other, _)| *other == reading) {
            return Err(usage("this reading was given before".to_owned()));
        }
        chosen.push((reading, value));
    }
    Ok(chosen)
}

fn rule_set(name: &str) -> Result<&'static RuleSet, CouldNotSay> {
    RuleSet::named(name).ok_or_else(|| {
        let known: Vec<&str> = RuleSet::ALL.iter().map(|rules| rules.name).collect();
        CouldNotSay(format!("--rules {name:?}: wanted one of {}", known.join(", ")))
    })
}
