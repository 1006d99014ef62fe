//! What `predict` looked at: whose records, how many of how many, what of each, and which seeds.

use serde::{Deserialize, Serialize};

use crate::rendering::bundle::utc;
use deckproof_deck::text::decimal::{counted, thousands};

/// Whose records, how many of how many, what of each, and by what.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookedAt {
    /// Sources, one after the other.
    pub sources: Vec<LookedSource>,
    /// What of every record was used, as `--know` has it.
    pub know: String,
    /// Cards used of every record.
    pub cards: u64,
    /// Numbers of records, from 1, on which all was tried as on the first one of each source.
    pub begins: Vec<u64>,
    /// The seeds that were tried instead of the models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<LookedSeeds>,
}

/// One source.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookedSource {
    /// The names of its files, without folders.
    pub files: Vec<String>,
    /// What it is.
    pub source: String,
    /// SHA-256 of what was read, where nothing of it was left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Records that were used.
    pub records: u64,
    /// Records that there are, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records_all: Option<u64>,
    /// Whether others were not looked at.
    pub is_part: bool,
}

/// Which seeds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookedSeeds {
    /// All of one seeding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeding: Option<String>,
    /// Those of clocks around a time: the middle in seconds since 1970, and how many seconds before and behind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub around: Option<[u64; 2]>,
    /// Calls between the seed and the first draw, at most.
    pub calls: u64,
}

impl LookedAt {
    /// Records that were used.
    pub fn records(&self) -> u64 {
        self.sources.iter().map(|own| own.records).fold(0, u64::saturating_add)
    }

    /// `10,000 of 12,040 records`.
    pub(super) fn number(&self) -> String {
        let read = self.records();
        let all = self.sources.iter().try_fold(0u64, |sum, own| Some(sum.saturating_add(own.all()?)));
        match all {
            Some(all) if all > read => {
                format!("{} of {}", thousands(read), counted(all, "record", "records"))
            }
            Some(_) => counted(read, "record", "records"),
            None => format!("the first {}", counted(read, "record", "records")),
        }
    }

    /// Whose records they are, and what of them was used.
    pub(super) fn sentences(&self) -> String {
        let mut first = 1u64;
        let mut text = String::new();
        for own in &self.sources {
            let last = first.saturating_add(own.records).saturating_sub(1);
            let place = match self.sources.len() {
                1 => "Looked at".to_owned(),
                _ if own.records == 0 => "No record".to_owned(),
                _ => format!("Records {} to {}", thousands(first), thousands(last)),
            };
            text += &format!("{place}: {}.\n", own.words());
            first = last.saturating_add(1);
        }
        if self.sources.iter().any(|own| own.is_part) {
            text += "Records are counted from the first one that was looked at.\n";
        }
        if self.know != "decks" {
            text += &format!("Of each record {} of 52 cards were used (--know {}).\n", self.cards, self.know);
        }
        if !self.begins.is_empty() {
            let numbers: Vec<String> = self.begins.iter().map(|number| thousands(*number)).collect();
            text += &format!("Searched as first records too: {} (--begins).\n", numbers.join("; "));
        }
        text + &self.seeds.as_ref().map_or_else(String::new, LookedSeeds::sentence)
    }
}

impl LookedSource {
    /// How many records there are, where that is known.
    fn all(&self) -> Option<u64> {
        self.records_all.or((!self.is_part).then_some(self.records))
    }

    fn words(&self) -> String {
        let name = if self.files.is_empty() { String::new() } else { self.files.join(", ") + ", " };
        let part = if self.is_part && self.records_all.is_none() {
            let records = counted(self.records, "record", "records");
            format!(", the first {records}; what follows them was not looked at")
        } else {
            String::new()
        };
        format!("{name}{}{part}", self.source)
    }
}

impl LookedSeeds {
    fn sentence(&self) -> String {
        let seeds = match (&self.seeding, self.around) {
            (Some(name), _) => format!("seeds of {name}"),
            (_, Some([middle, width])) => format!(
                "seeds of a clock from {} to {}",
                utc(middle.saturating_sub(width)),
                utc(middle.saturating_add(width))
            ),
            _ => "no seeds".to_owned(),
        };
        let calls = match self.calls {
            0 => String::new(),
            calls => format!(", at most {} before the first draw", counted(calls, "call", "calls")),
        };
        format!("Tried instead of the models: {seeds}{calls}.\n")
    }
}
