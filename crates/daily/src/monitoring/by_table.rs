//! Counts of each table by itself: where every file of the source is one table's, the fault of one is not thinned out by the
//! decks of the others.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};

use deckproof_audit::audit::selection::Selection;
use deckproof_audit::source::FileEnd;
use deckproof_deck::card::DECK_CARDS;
use deckproof_deck::deck::block::DeckBlock;
use deckproof_stats::battery::{Statistic, View};

/// The statistics of which each table has counts of its own.
const WINNER: &str = "winner";
const BRING_IN: &str = "bring-in";

/// More tables than these are a list of something else.
pub const TABLES_MAX: usize = 1_000;

/// What a day says of each table.
pub type TablesSeen = BTreeMap<String, TableCounts>;

/// The decks of one table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableCounts {
    /// How many.
    pub decks: u64,
    /// Which card lies on top.
    pub top: Vec<u64>,
    /// Which seat wins high, of the decks that one seat wins; empty where no hands are dealt.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub wins: Vec<u64>,
    /// Which seat wins low.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub low_wins: Vec<u64>,
    /// Which seat brings it in.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub bring_in: Vec<u64>,
}

impl TableCounts {
    fn add(&mut self, other: &TableCounts) {
        self.decks += other.decks;
        let pairs = [
            (&mut self.top, &other.top),
            (&mut self.wins, &other.wins),
            (&mut self.low_wins, &other.low_wins),
            (&mut self.bring_in, &other.bring_in),
        ];
        for (sums, counts) in pairs {
            sums.resize(counts.len().max(sums.len()), 0);
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }

    /// The decks of these that are not among a part of them.
    fn rest(&self, part: &TableCounts) -> Option<TableCounts> {
        Some(TableCounts {
            decks: self.decks.checked_sub(part.decks).filter(|decks| *decks > 0)?,
            top: without(&self.top, &part.top)?,
            wins: without(&self.wins, &part.wins)?,
            low_wins: without(&self.low_wins, &part.low_wins)?,
            bring_in: without(&self.bring_in, &part.bring_in)?,
        })
    }

    /// Of the decks of a block.
    fn of_block(block: &DeckBlock, statistics: &[&'static dyn Statistic]) -> TableCounts {
        let mut counts =
            TableCounts { decks: block.hands() as u64, top: vec![0; DECK_CARDS], ..TableCounts::default() };
        for &card in &block.row(0)[..block.hands()] {
            counts.top[usize::from(card)] += 1;
        }
        for statistic in statistics {
            let mut cells = vec![0; statistic.cells()];
            statistic.observe(std::slice::from_ref(block), &mut cells);
            match statistic.about().id {
                WINNER => {
                    let seats = cells.len() / 2 - 1;
                    counts.wins = cells[..seats].to_vec();
                    counts.low_wins = cells[seats + 1..2 * seats + 1].to_vec();
                }
                _ => counts.bring_in = cells.chunks(DECK_CARDS).map(|own| own.iter().sum()).collect(),
            }
        }
        counts
    }
}

/// Counts without those of a part of what was counted; none if it is no part.
pub fn without(all: &[u64], part: &[u64]) -> Option<Vec<u64>> {
    let pairs = (all.len() == part.len()).then(|| all.iter().zip(part))?;
    pairs.map(|(all, part)| all.checked_sub(*part)).collect()
}

/// What each table has beside a part of the day in which tables were counted too.
pub fn rest_of(all: &TablesSeen, part: &TablesSeen) -> TablesSeen {
    let rest = |(name, own): (&String, &TableCounts)| {
        let rest = part.get(name).map_or_else(|| Some(own.clone()), |part| own.rest(part));
        Some((name.clone(), rest?))
    };
    if part.is_empty() { TablesSeen::new() } else { all.iter().filter_map(rest).collect() }
}

/// Counts that several readers of a source add to.
#[derive(Clone, Default)]
pub struct ByTable(Arc<Inner>);

#[derive(Default)]
struct Inner {
    files: OnceLock<Vec<FileEnd>>,
    statistics: OnceLock<Vec<&'static dyn Statistic>>,
    counts: Mutex<BTreeMap<usize, TableCounts>>,
}

impl ByTable {
    /// What the source is made of, once it is open.
    pub fn set_files(&self, files: Vec<FileEnd>) {
        // A source is opened once.
        let _ = self.0.files.set(files);
    }

    /// What the plan counts of hands, before the first deck.
    pub fn set_statistics(&self, selection: &Selection) {
        let own = |statistic: &&'static dyn Statistic| [WINNER, BRING_IN].contains(&statistic.about().id);
        let _ = self.0.statistics.set(selection.seeing(View::Deck).filter(own).collect());
    }

    /// Adds a block whose first deck has this number.
    pub fn add(&self, first: u64, block: &DeckBlock) {
        let Some(files) = self.0.files.get().filter(|files| !files.is_empty()) else { return };
        let statistics = self.0.statistics.get().map_or(&[][..], Vec::as_slice);
        let file_of = |lane: usize| files.partition_point(|file| file.end <= first + lane as u64);
        let mut lane = 0;
        while lane < block.hands() {
            let file = file_of(lane);
            let end = (lane..block.hands()).find(|&lane| file_of(lane) != file).unwrap_or(block.hands());
            let counts = if end - lane == block.hands() {
                TableCounts::of_block(block, statistics)
            } else {
                let mut own = DeckBlock::default();
                (lane..end).for_each(|lane| own.push(&block.deck(lane)));
                TableCounts::of_block(&own, statistics)
            };
            let mut all = self.0.counts.lock().unwrap_or_else(PoisonError::into_inner);
            all.entry(file).or_default().add(&counts);
            lane = end;
        }
    }

    /// The counts by the tables' names.
    ///
    /// # Errors
    /// Why there are none, in one clause.
    pub fn tables(&self, day: &str) -> Result<TablesSeen, String> {
        let files = self.0.files.get().filter(|files| !files.is_empty());
        let files =
            files.ok_or_else(|| "the source is no list of files, wanted one of each table".to_owned())?;
        let mut tables = TablesSeen::new();
        for (place, counts) in self.0.counts.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let Some(file) = files.get(*place) else { continue };
            tables.entry(table_name(&file.name, day)).or_default().add(counts);
        }
        match tables.len() {
            many if many > TABLES_MAX => Err(format!("found {many} tables, wanted at most {TABLES_MAX}")),
            _ => Ok(tables),
        }
    }
}

/// `T-1-2026-11-22.csv` is of table `T-1` on that day.
fn table_name(file: &str, day: &str) -> String {
    let stem = file.split('.').next().unwrap_or(file);
    let name = stem.replace(day, "");
    let name = name.trim_matches(['-', '_', ' ']);
    if name.is_empty() { stem.to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deckproof_deck::key::AuditKey;
    use deckproof_deck::shuffle::lanes::{PreparedAuditKey, audit_block};
    use deckproof_stats::battery::stud::table::StudTable;
    use deckproof_stud::stud::rules::RuleSet;

    #[test]
    fn names_of_tables_are_those_of_their_files_without_the_day() {
        for (file, name) in [
            ("T-1-2026-11-22.csv", "T-1"),
            ("2026-11-22_T-1.csv.gz", "T-1"),
            ("table 7.csv", "table 7"),
            ("2026-11-22.csv", "2026-11-22"),
        ] {
            assert_eq!(table_name(file, "2026-11-22"), name, "{file}");
        }
    }

    /// 200 decks in files of 70, 1 and 129, in blocks that do not end with them, against each file by itself.
    #[test]
    fn blocks_are_cut_where_files_end() {
        let table = StudTable::of(RuleSet::named("stud-8b").expect("rules"), 5).expect("a table");
        let selection = Selection::of_parts(&[], &[]).at_table(Some(table));
        let key = PreparedAuditKey::new(&AuditKey::from_bytes([7; 32]));
        let block_of = |first: u64, hands: usize| {
            let mut block = DeckBlock::default();
            audit_block(&key, first, hands, &mut block);
            block
        };
        let all = ByTable::default();
        let file = |name: &str, end: u64| FileEnd { name: name.to_owned(), end };
        all.set_files(vec![file("a.csv", 70), file("b-2026.csv", 71), file("c.csv", 200)]);
        all.set_statistics(&selection);
        for first in [128, 0, 192, 64] {
            all.add(first, &block_of(first, (200 - first as usize).min(64)));
        }
        let found = all.tables("2026").expect("files");
        assert_eq!(found.keys().collect::<Vec<_>>(), ["a", "b", "c"]);
        for (name, first, hands) in [("a", 0u64, 70usize), ("b", 70, 1), ("c", 71, 129)] {
            let mut wins = vec![0; 5];
            let mut wanted = TableCounts::default();
            for number in first..first + hands as u64 {
                let one = ByTable::default();
                one.set_files(vec![file("one", u64::MAX)]);
                one.set_statistics(&selection);
                let block = block_of(number, 1);
                one.add(0, &block);
                wanted.add(&one.tables("").expect("a file")["one"]);
                if let Some(seat) = one.tables("").expect("a file")["one"].wins.iter().position(|&n| n == 1) {
                    wins[seat] += 1;
                }
            }
            assert_eq!(found[name], wanted, "{name}");
            assert_eq!((found[name].decks, &found[name].wins), (hands as u64, &wins), "{name}");
            assert_eq!(found[name].bring_in.iter().sum::<u64>(), hands as u64, "{name}");
            assert_eq!(found[name].top.iter().sum::<u64>(), hands as u64, "{name}");
        }
        assert!(ByTable::default().tables("").is_err());
    }
}
