//! The power table: flawed dealers and the decks they need, as reports print it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::audit::plan::names::{StatisticName, TableName};
use crate::audit::plan::{PLAN_FORMAT, Plan};
use crate::dealers::{self, Dealer, Expected};
use crate::source::os;
use crate::trials::power::{Cell, Search};

/// The version of the record.
pub const POWER_FORMAT: &str = "deckproof/power/v2";

/// The table that `deckproof power --out` wrote and that reports print.
static COMMITTED: LazyLock<PowerTable> =
    LazyLock::new(|| serde_json::from_str(include_str!("table.json")).expect("a test reads the file"));

/// What was measured, and how.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PowerTable {
    /// [`POWER_FORMAT`].
    pub format: String,
    /// How it came about.
    pub made: Made,
    /// One row for each dealer.
    pub rows: Vec<PowerRow>,
}

/// How a table came about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Made {
    /// What was typed.
    pub command: String,
    /// Version of the program.
    pub version: String,
    /// [`PLAN_FORMAT`]: what the statistics were shown.
    pub plan: String,
    /// The day, UTC.
    pub date: String,
    /// The tiers that looked.
    pub tiers: Vec<String>,
    /// The table at which hands were dealt.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub table: Option<TableName>,
    /// The statistics with their versions.
    pub statistics: Vec<StatisticName>,
    /// The last number of decks tried.
    pub decks_max: u64,
}

/// One dealer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PowerRow {
    /// Its name after `flawed:`.
    pub dealer: String,
    /// How it cheats or errs, in one sentence.
    pub mechanism: String,
    /// What was expected of it, in words.
    pub expected: String,
    /// The decks needed under each seed, the fewest first; `null` where it was not caught.
    pub decks: Vec<Option<u64>>,
    /// The evidence that caught it most often: view, statistic and part.
    pub caught_by: Option<String>,
}

impl PowerRow {
    fn of_cells(dealer: &Dealer, cells: &[&Cell]) -> PowerRow {
        let mut decks: Vec<Option<u64>> =
            cells.iter().map(|cell| cell.caught.as_ref().map(|catch| catch.decks)).collect();
        decks.sort_by_key(|decks| decks.unwrap_or(u64::MAX));
        let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
        let catches = cells.iter().filter_map(|cell| cell.caught.as_ref());
        catches.for_each(|catch| *votes.entry(&catch.by).or_default() += 1);
        let most = votes.iter().max_by_key(|(name, votes)| (**votes, std::cmp::Reverse(**name)));
        PowerRow {
            dealer: dealer.name.to_owned(),
            mechanism: dealer.about.to_owned(),
            expected: dealer.expected.name(),
            decks,
            caught_by: most.map(|(name, _)| (*name).to_owned()),
        }
    }

    /// Under how many seeds it was caught.
    pub fn caught(&self) -> usize {
        self.decks.iter().flatten().count()
    }

    /// The decks after which it was caught under every seed; `None` if it was not.
    pub fn decks_in_all(&self) -> Option<u64> {
        self.decks.last().copied().flatten()
    }

    /// The decks after which it was caught under half the seeds, the upper of two middles.
    pub fn decks_median(&self) -> Option<u64> {
        self.decks.get(self.decks.len() / 2).copied().flatten()
    }

    /// Whether it is a dealer without a fault.
    pub fn is_control(&self) -> bool {
        self.expected == Expected::Pass.name()
    }
}

impl PowerTable {
    /// The rows of the measured cells, in the order of the dealers' list.
    pub fn of_cells(cells: &[Cell], search: &Search, command: String, date: String) -> PowerTable {
        let Plan { tiers, table, statistics, .. } = search.plan(os::record(), None);
        let row = |dealer: &'static Dealer| {
            let own: Vec<&Cell> = cells.iter().filter(|cell| cell.dealer == dealer.name).collect();
            (!own.is_empty()).then(|| PowerRow::of_cells(dealer, &own))
        };
        PowerTable {
            format: POWER_FORMAT.to_owned(),
            made: Made {
                command,
                version: env!("CARGO_PKG_VERSION").to_owned(),
                plan: PLAN_FORMAT.to_owned(),
                date,
                tiers,
                table,
                statistics,
                decks_max: search.decks_max,
            },
            rows: dealers::list().filter_map(row).collect(),
        }
    }

    /// The bytes of the file: one row a line, so that two tables compare well.
    pub fn to_json(&self) -> String {
        let text = |value: &dyn Fn() -> serde_json::Result<String>| value().expect("a table is plain data");
        let made = text(&|| serde_json::to_string(&self.made));
        let rows: Vec<String> = self.rows.iter().map(|row| text(&|| serde_json::to_string(row))).collect();
        format!(
            "{{\"format\":\"{}\",\n\"made\":{made},\n\"rows\":[\n{}\n]}}\n",
            self.format,
            rows.join(",\n")
        )
    }

    /// Controls that were rejected.
    pub fn rejected_controls(&self) -> impl Iterator<Item = &PowerRow> {
        self.rows.iter().filter(|row| row.is_control() && row.caught() > 0)
    }

    /// Which faulty dealers an audit of `decks` decks catches, and which it does not, under every seed tried.
    pub fn caught_and_missed(&self, decks: u64) -> (Vec<&PowerRow>, Vec<&PowerRow>) {
        let faulty = self.rows.iter().filter(|row| !row.is_control());
        faulty.partition(|row| row.decks_in_all().is_some_and(|needed| needed <= decks))
    }

    /// The risk of passing a flawed shuffler, in words.
    pub fn false_accept_sentence(&self, decks: u64) -> String {
        let (caught, missed) = self.caught_and_missed(decks);
        let names =
            |rows: &[&PowerRow]| rows.iter().map(|r| r.dealer.as_str()).collect::<Vec<_>>().join(", ");
        let first = format!(
            "With {decks} decks this battery catches {} of {} faulty dealers it was tried on, each under every seed{} \
             (family p-value below 0.000001, measured up to {} decks on {}).",
            caught.len(),
            caught.len() + missed.len(),
            caught.iter().map(|row| row.decks.len()).min().map_or_else(String::new, all_of_sentence),
            self.made.decks_max,
            self.made.date
        );
        match missed.is_empty() {
            true => first,
            false => format!("{first} It may pass these: {}.", names(&missed)),
        }
    }
}

/// What "in 20 of 20 seeds" shows: if a dealer is caught with probability q, all of n are with q^n, which is 5 % at the
/// lower end of the one-sided 95 % interval (Clopper & Pearson 1934).
fn all_of_sentence(seeds: usize) -> String {
    let lowest = 100.0 * 0.05f64.powf(1.0 / seeds as f64);
    format!(" ({seeds} of {seeds} seeds show at least {lowest:.0} % of runs, at 95 % confidence)")
}

/// The committed table.
pub fn committed() -> &'static PowerTable {
    &COMMITTED
}

/// The rows of the committed table.
pub fn table() -> &'static [PowerRow] {
    &committed().rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::Tier;
    use crate::trials::power::Catch;

    #[test]
    fn twenty_of_twenty_show_86_percent() {
        assert!(all_of_sentence(20).contains("20 of 20 seeds show at least 86 % of runs"));
        // The rule of three (Hanley & Lippman-Hand 1983): 1 − 3/n.
        assert!(all_of_sentence(300).contains("at least 99 %"));
    }

    fn cell(seed: u64, decks: Option<u64>, by: &str) -> Cell {
        let caught = decks.map(|decks| Catch { decks, by: by.to_owned() });
        Cell { dealer: "sattolo".to_owned(), seed, decks_max: 1_000, caught }
    }

    fn search() -> Search {
        Search { tiers: Tier::OF_DECKS.to_vec(), table: None, decks_max: 1_000, threads: 1 }
    }

    fn table_of(cells: &[Cell]) -> PowerTable {
        PowerTable::of_cells(cells, &search(), "deckproof power".to_owned(), "2026-11-21".to_owned())
    }

    #[test]
    fn a_row_tells_the_worst_the_middle_and_the_usual_evidence() {
        let cells = [cell(1, Some(100), "b"), cell(2, Some(32), "a"), cell(3, Some(32), "a")];
        let row = &table_of(&cells).rows[0];
        assert_eq!((row.decks_in_all(), row.decks_median(), row.caught()), (Some(100), Some(32), 3));
        assert_eq!(row.caught_by.as_deref(), Some("a"));
        let row = &table_of(&[cell(1, Some(100), "b"), cell(2, None, "")]).rows[0];
        assert_eq!((row.decks_in_all(), row.decks_median(), row.caught()), (None, None, 1));
    }

    #[test]
    fn a_table_is_read_back_as_it_was_written() {
        let table = table_of(&[cell(1, Some(100), "b"), cell(2, None, "")]);
        let read: PowerTable = serde_json::from_str(&table.to_json()).expect("it was written");
        assert_eq!(read, table);
        assert!(table.false_accept_sentence(1_000).ends_with("It may pass these: sattolo."));
    }

    #[test]
    fn the_committed_table_is_of_this_list_of_dealers() {
        let table = committed();
        assert_eq!(table.format, POWER_FORMAT);
        let rows: Vec<(&str, &str)> = table.rows.iter().map(|r| (&*r.dealer, &*r.mechanism)).collect();
        let list: Vec<(&str, &str)> = dealers::list().map(|dealer| (dealer.name, dealer.about)).collect();
        assert_eq!(rows, list);
        assert_eq!(table.rejected_controls().count(), 0);
        let Plan { format, statistics, .. } = search().plan(os::record(), None);
        let ids = |names: &[StatisticName]| names.iter().map(|name| name.id.clone()).collect::<Vec<_>>();
        assert_eq!((&table.made.plan, ids(&table.made.statistics)), (&format, ids(&statistics)));
    }
}
