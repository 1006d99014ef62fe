//! Decks that stand in two audits of a package: independent shuffles never deal one deck twice. Each audit looks inside itself;
//! this looks between them, by the fingerprints that each kept.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::project::facts::decks::name_of;
use crate::project::frozen::{Frozen, FrozenAudit};
use deckproof_files::file::own;
use deckproof_stats::battery::duplicates::sketch::{KEY_BITS, Sketch};

/// Most fingerprints of all audits together, 32 bytes each; above, a smaller share of every audit is compared.
const FINGERPRINTS_MAX: usize = 1 << 22;

/// What came of looking for decks of one audit in another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BetweenAudits {
    /// The audits whose decks were compared, in the order of the plan.
    pub compared: Vec<String>,
    /// One fingerprint in 2^halvings was compared.
    pub halvings: u32,
    /// Every two of them that have decks in common.
    pub common: Vec<CommonDecks>,
}

/// Decks that stand in two audits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommonDecks {
    /// Both audits, in the order of the plan.
    pub audits: [String; 2],
    /// How many different decks, of those that were compared.
    pub decks: u64,
    /// The first of them: its number in either audit, counted from 1.
    pub first: [u64; 2],
}

impl BetweenAudits {
    /// What it says that no audits of this plan can have.
    pub fn fault(&self, frozen: &Frozen) -> Option<String> {
        let place = |id: &String| frozen.audits.iter().position(|audit| audit.id == *id);
        let compared: Option<Vec<usize>> = self.compared.iter().map(place).collect();
        let is_pair = |own: &CommonDecks| {
            let [one, other] = &own.audits;
            own.audits.iter().all(|id| self.compared.contains(id))
                && place(one) < place(other)
                && own.decks > 0
                && !own.first.contains(&0)
        };
        let is_sound = compared.is_some_and(|places| places.is_sorted_by(|one, other| one < other))
            && self.halvings <= KEY_BITS
            && self.common.iter().all(is_pair);
        (!is_sound).then(|| "it compares decks of audits that were not frozen so".to_owned())
    }

    /// What stays of it when these audits were counted anew, and their decks cannot be compared with the rest.
    pub fn without(mut self, audits: &[&str]) -> BetweenAudits {
        let is_left = |id: &String| !audits.contains(&id.as_str());
        self.compared.retain(is_left);
        self.common.retain(|own| own.audits.iter().all(is_left));
        self
    }
}

/// The bytes of the fingerprints that an audit kept; none of one that ended without.
pub(super) fn written(seen: Option<&Sketch>) -> Vec<u8> {
    let numbers = seen
        .into_iter()
        .flat_map(|seen| [u128::from(seen.halvings())].into_iter().chain(seen.entries().iter().copied()));
    numbers.flat_map(u128::to_le_bytes).collect()
}

/// Fingerprints of several audits, thinned so that memory does not grow with their number.
#[derive(Default)]
pub struct Fingerprints {
    /// `key · 2^32 + number of the deck`, and the place of its audit in the plan.
    entries: Vec<(u128, usize)>,
    halvings: u32,
    compared: Vec<usize>,
}

impl Fingerprints {
    /// Adds those of an audit that was counted.
    pub fn add(&mut self, audit: usize, seen: &Sketch) {
        self.push(audit, seen.halvings(), seen.entries().iter().copied());
    }

    /// Adds those that an audit left in a file; an empty one has none.
    pub(super) fn read(&mut self, audit: usize, path: &Path) -> io::Result<()> {
        let bytes = own::read_limited(path, u64::MAX)?;
        let mut numbers = bytes.as_chunks().0.iter().map(|number| u128::from_le_bytes(*number));
        if let Some(halvings) = numbers.next() {
            self.push(audit, u32::try_from(halvings).unwrap_or(KEY_BITS), numbers);
        }
        Ok(())
    }

    fn push(&mut self, audit: usize, halvings: u32, entries: impl Iterator<Item = u128>) {
        self.compared.push(audit);
        self.thin(halvings.max(self.halvings));
        let mut before = None;
        for entry in entries {
            // A deck that comes again within an audit is for that audit to say.
            if before.replace(key_of(entry)) != Some(key_of(entry)) && is_kept(entry, self.halvings) {
                self.entries.push((entry, audit));
            }
            if self.entries.len() > FINGERPRINTS_MAX {
                self.thin(self.halvings + 1);
            }
        }
    }

    fn thin(&mut self, halvings: u32) {
        if halvings > self.halvings {
            self.halvings = halvings;
            self.entries.retain(|(entry, _)| is_kept(*entry, halvings));
        }
    }

    /// What they have in common. One draw that two audits of an item read is no repeat: the same record of a file, or the same
    /// deck of a key.
    pub fn between(mut self, frozen: &Frozen) -> BetweenAudits {
        self.entries.sort_unstable();
        let draws: Vec<Draws> = frozen.audits.iter().map(Draws::of).collect();
        let mut common: BTreeMap<(usize, usize), (u64, [u64; 2])> = BTreeMap::new();
        for own in self.entries.chunk_by(|one, other| key_of(one.0) == key_of(other.0)) {
            let mut own: Vec<(usize, u64)> =
                own.iter().map(|(entry, audit)| (*audit, u64::from(*entry as u32))).collect();
            own.sort_unstable();
            for (at, (one, first)) in own.iter().enumerate() {
                for (other, second) in &own[at + 1..] {
                    if draws[*one].is_one_draw(*first, &draws[*other], *second) {
                        continue;
                    }
                    let (pair, numbers) = ((*one, *other), [first + 1, second + 1]);
                    let (decks, least) = common.entry(pair).or_insert((0, numbers));
                    (*decks, *least) = (*decks + 1, (*least).min(numbers));
                }
            }
        }
        self.compared.sort_unstable();
        let id = |audit: usize| frozen.audits[audit].id.clone();
        let common = common.into_iter().map(|((one, other), (decks, first))| {
            let audits = [id(one), id(other)];
            CommonDecks { audits, decks, first }
        });
        let compared = self.compared.iter().map(|audit| id(*audit)).collect();
        BetweenAudits { compared, halvings: self.halvings, common: common.collect() }
    }
}

fn key_of(entry: u128) -> u128 {
    entry >> (u128::BITS - KEY_BITS)
}

fn is_kept(entry: u128, halvings: u32) -> bool {
    entry.checked_shr(u128::BITS - halvings).unwrap_or(0) == 0
}

/// Where the decks of an audit come from.
struct Draws<'a> {
    item: &'a str,
    /// What its decks are called, and the number of the first; `None` where nobody has the same decks again.
    name: Option<(String, u64)>,
    /// Records without a deck count in the number of the first deck only.
    empty: u64,
}

impl Draws<'_> {
    fn of(audit: &FrozenAudit) -> Draws<'_> {
        let source = &audit.plan.source;
        let empty = source.number_if_any("empty_decks").ok().flatten().unwrap_or(0);
        Draws { item: &audit.item, name: name_of(source), empty }
    }

    fn is_one_draw(&self, number: u64, other: &Draws, other_number: u64) -> bool {
        let (Some((name, first)), Some((other_name, other_first))) = (&self.name, &other.name) else {
            return false;
        };
        let apart = (first + number).abs_diff(other_first + other_number);
        self.item == other.item && name == other_name && apart <= 2 * (self.empty + other.empty)
    }
}

#[cfg(test)]
mod tests;
