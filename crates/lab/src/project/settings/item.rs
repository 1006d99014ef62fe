//! What is tested and at which tables: the part of a project that decides the project.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::project::settings::people::Sampling;
use crate::project::settings::supplied::{CustomerWordsFile, PairsFile};
use crate::project::supplied_decks::KEPT_DECKS_MAX;
use deckproof_audit::audit::plan::names::PlannedTable;
use deckproof_audit::source::settings::Settings;
use deckproof_stats::battery::Tier;
use deckproof_stud::stud::rules::RuleSet;

/// One implementation of a shuffler, tested by itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// A short name for files and tables: lower-case letters, digits and hyphens.
    pub id: String,
    /// What it is.
    pub name: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// Serial number, or whatever names the copy that was tested.
    pub serial: Option<String>,
    /// In what state it was received.
    pub condition: Option<String>,
    /// Who made it.
    pub manufacturer: Option<String>,
    /// Hardware, operating system, entropy devices, configuration.
    pub platform: Option<String>,
    /// How it shuffles, in a few sentences.
    pub description: Option<String>,
    /// Where its decks come from, as `deckproof audit --source` takes it.
    pub source: String,
    /// What belongs to the source, as the options of `deckproof audit` with underscores.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// The folder that `files` are relative to.
    pub base: Option<String>,
    /// Executables, libraries, configurations, sources; folders whole.
    #[serde(default)]
    pub files: Vec<String>,
    /// How many decks in the first look of the final outcomes; all of them, where the source has an end.
    pub decks: Option<u64>,
    /// Which tiers of statistics judge them: core and deep, if none is named.
    #[serde(default)]
    pub tiers: Vec<String>,
    /// How many words of 32 bits of raw output are judged; none, if not given.
    #[serde(default)]
    pub raw_words: u64,
    /// Whether the package keeps the decks that were drawn, where nobody has them a second time.
    #[serde(default)]
    pub keep_stream: bool,
    /// How its decks were come by, where that is not as the project says of all.
    pub sampling: Option<Sampling>,
    /// Raw words of its generator, in a file of the customer.
    pub words: Option<CustomerWordsFile>,
    /// Words beside the decks that they gave, in a file of the customer.
    pub pairs: Option<PairsFile>,
}

/// Tables at which hands are dealt from the decks of an item.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Rule sets.
    pub rules: Vec<String>,
    /// Numbers of players, 2 to 8, all of them to the river.
    pub players: Vec<usize>,
    /// How many hands at each table; all decks, where the source has an end.
    pub decks: Option<u64>,
    /// Of which items; all, if none is named.
    #[serde(default)]
    pub items: Vec<String>,
}

/// What of an item decides the project.
#[derive(Serialize)]
pub(super) struct Asked<'a> {
    id: &'a str,
    source: &'a str,
    settings: &'a BTreeMap<String, String>,
    files: &'a [String],
    decks: Option<u64>,
    tiers: &'a [String],
    raw_words: u64,
    keep_stream: bool,
    // Projects without these files have the hash that they had before there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<&'a CustomerWordsFile>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<&'a PairsFile>,
}

/// Its keys.
const ASKED: [&str; 10] =
    ["id", "source", "settings", "files", "decks", "tiers", "raw_words", "keep_stream", "words", "pairs"];

/// The key that is wrong, and what is wrong with it.
pub(super) type Fault = (&'static str, String);

/// A short name of an item or a run, which no other one before it has.
pub(super) fn check_name<'a>(
    id: &str,
    what: &str,
    mut before: impl Iterator<Item = &'a str>,
) -> Result<(), Fault> {
    let is_own = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    if !(1..=24).contains(&id.len()) || !id.chars().all(is_own) {
        let wanted = "wanted at most 24 lower-case letters, digits and hyphens";
        Err(("id", format!("found {id:?}, {wanted}")))
    } else if before.any(|other| other == id) {
        Err(("id", format!("found {id:?} twice, wanted another name for each {what}")))
    } else {
        Ok(())
    }
}

impl Item {
    pub(super) fn asked(&self) -> Asked<'_> {
        let Item { id, source, settings, files, decks, tiers, raw_words, keep_stream, .. } = self;
        let (decks, raw_words, keep_stream) = (*decks, *raw_words, *keep_stream);
        let (words, pairs) = (self.words.as_ref(), self.pairs.as_ref());
        Asked { id, source, settings, files, decks, tiers, raw_words, keep_stream, words, pairs }
    }

    /// The first key of what decides the project that another item has otherwise.
    pub(super) fn asked_otherwise(&self, other: &Item) -> Option<String> {
        let asked = |item: &Item| serde_json::to_value(item.asked()).expect("an item is plain data");
        let (own, other) = (asked(self), asked(other));
        let key = ASKED.into_iter().find(|key| own.get(key) != other.get(key))?;
        Some(format!("{key} of the item {}", self.id))
    }

    pub(super) fn check(&self, before: &[Item]) -> Result<(), Fault> {
        check_name(&self.id, "item", before.iter().map(|other| other.id.as_str()))?;
        let kind = self.source.split(':').next().unwrap_or("");
        if kind == "chain" {
            let found = "found chain, whose secret keys would stand in the package";
            return Err(("source", format!("{found}, wanted a source that may be published, such as audit")));
        }
        if kind == "-" {
            let problem = "found standard input, wanted a source that can be opened for each audit";
            return Err(("source", problem.to_owned()));
        }
        if let Some(name) =
            self.tiers.iter().find(|name| !Tier::OF_DECKS.iter().any(|tier| tier.name() == **name))
        {
            let wanted = "wanted core and deep; the tier stud comes with [[usage]]";
            return Err(("tiers", format!("found {name:?}, {wanted}")));
        }
        if self.decks == Some(0) {
            return Err(no_decks());
        }
        if self.raw_words > 0 && kind != "audit" {
            let wanted = "wanted no raw_words, or source = \"audit\": of other sources the words behind the decks are not known";
            let words = self.raw_words;
            return Err(("raw_words", format!("found {words} beside source {kind:?}, {wanted}")));
        }
        if self.keep_stream && !["cmd", "os"].contains(&kind) {
            let wanted = "wanted it only where nobody has the decks a second time: cmd and os";
            return Err(("keep_stream", format!("found it with the source {kind:?}, {wanted}")));
        }
        if self.keep_stream && !self.decks.is_some_and(can_be_kept) {
            return Err(("keep_stream", format!("wanted decks beside it, at most {KEPT_DECKS_MAX}")));
        }
        if self.words.is_some() && self.raw_words > 0 {
            let wanted = "wanted raw_words of the certified generator, or a file of words of another";
            return Err(("words", format!("found it beside raw_words, {wanted}")));
        }
        if self.raw_words > RAW_WORDS_MAX {
            return Err(("raw_words", format!("found {}, wanted at most {RAW_WORDS_MAX}", self.raw_words)));
        }
        Ok(())
    }

    /// Whether the program draws its decks itself, each audit under a key that is frozen with the plan.
    pub(super) fn is_drawn_here(&self) -> bool {
        self.source.split(':').next() == Some("audit")
    }

    /// The tiers that judge its decks.
    pub fn tiers(&self) -> Vec<Tier> {
        let is_asked =
            |tier: &Tier| self.tiers.is_empty() || self.tiers.iter().any(|name| name == tier.name());
        Tier::OF_DECKS.into_iter().filter(is_asked).collect()
    }

    /// What belongs to its source.
    pub fn settings(&self) -> Settings {
        self.settings
            .iter()
            .fold(Settings::none(), |settings, (name, value)| settings.with(name, value.clone()))
    }

    /// Its name with its version; its id where neither is given.
    pub fn title(&self) -> String {
        let parts = [&self.name, &self.version].into_iter().filter_map(|part| part.as_deref());
        let parts: Vec<&str> = parts.filter(|part| !part.trim().is_empty()).collect();
        if parts.is_empty() { self.id.clone() } else { parts.join(", ") }
    }

    /// What identifies it beside its files: name, version, serial number and manufacturer, as far as the project states them.
    pub fn identity(&self) -> String {
        let more = [&self.serial, &self.manufacturer].into_iter().filter_map(|part| part.as_deref());
        let more = more.filter(|part| !part.trim().is_empty()).map(str::to_owned);
        [self.title()].into_iter().chain(more).collect::<Vec<_>>().join(", ")
    }
}

/// An audit of no decks.
fn no_decks() -> Fault {
    let problem = "found 0, wanted 1 or more, or no such key for all decks of a source that has an end";
    ("decks", problem.to_owned())
}

/// Whether a package holds so many decks and a repeat of them.
fn can_be_kept(decks: u64) -> bool {
    decks <= KEPT_DECKS_MAX
}

/// Most words of raw output; of the repeat four times as many.
const RAW_WORDS_MAX: u64 = 1 << 33;

impl Usage {
    pub(super) fn check(&self, items: &[Item]) -> Result<(), Fault> {
        if let Some(name) = self.rules.iter().find(|name| RuleSet::named(name).is_none()) {
            let known: Vec<&str> = RuleSet::ALL.iter().map(|rules| rules.name).collect();
            return Err(("rules", format!("found {name:?}, wanted some of {}", known.join(", "))));
        }
        if let Some(players) = self.players.iter().find(|players| !(2..=8).contains(*players)) {
            return Err(("players", format!("found {players} players, wanted 2 to 8")));
        }
        if let Some(id) = self.items.iter().find(|id| !items.iter().any(|item| item.id == **id)) {
            return Err(("items", format!("found {id:?}, wanted the id of an [[item]]")));
        }
        if self.decks == Some(0) {
            return Err(no_decks());
        }
        let keeps = items.iter().any(|item| item.keep_stream && self.is_of(item));
        if keeps && !self.decks.is_some_and(can_be_kept) {
            let problem = format!("wanted at most {KEPT_DECKS_MAX} for an item that keeps its stream");
            return Err(("decks", problem));
        }
        Ok(())
    }

    /// Its tables.
    pub fn tables(&self) -> impl Iterator<Item = PlannedTable> + '_ {
        let of_rules = |rules: &String| {
            let rules = rules.clone();
            self.players.iter().map(move |&players| PlannedTable { rules: rules.clone(), players })
        };
        self.rules.iter().flat_map(of_rules)
    }

    /// Whether it is asked of an item.
    pub fn is_of(&self, item: &Item) -> bool {
        self.items.is_empty() || self.items.contains(&item.id)
    }
}
