//! The power table: flawed dealers and the decks they need, as reports print it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::audit::plan::Plan;
use crate::audit::plan::names::{PlannedTable, SketchName, StatisticName};
use crate::power::{Cell, Search};
use crate::source::os;
use deckproof_dealers::dealers::{self, Expected, TestDealer};
use deckproof_stats::battery::stud;
use deckproof_stats::battery::{Tier, View};

/// The version of the record.
pub const POWER_FORMAT: &str = "deckproof/power/v3";

/// The tables that `deckproof power --out` wrote and that reports print, one for each set of statistics.
static COMMITTED: LazyLock<Vec<PowerTable>> = LazyLock::new(|| {
    let texts = [include_str!("default.json"), include_str!("decks.json"), include_str!("stud_hi_7.json")];
    texts.map(|text| serde_json::from_str(text).expect("a test reads the file")).into()
});

/// What was measured, and how.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PowerTable {
    /// [`POWER_FORMAT`].
    pub format: String,
    /// How it came about.
    pub made: Made,
    /// One row for each dealer.
    pub rows: Vec<DealerPower>,
}

/// How a table came about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Made {
    /// What was typed.
    pub command: String,
    /// Version of the program.
    pub version: String,
    /// The day, UTC.
    pub date: String,
    /// The tiers that looked.
    pub tiers: Vec<String>,
    /// The table at which hands were dealt.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub table: Option<PlannedTable>,
    /// The statistics with their versions and views.
    pub statistics: Vec<StatisticName>,
    /// What looked for repeated decks.
    pub sketches: Vec<SketchName>,
    /// The last number of decks tried.
    pub decks_max: u64,
}

/// One dealer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DealerPower {
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

impl DealerPower {
    fn of_cells(dealer: &TestDealer, cells: &[&Cell]) -> DealerPower {
        let mut decks: Vec<Option<u64>> =
            cells.iter().map(|cell| cell.caught.as_ref().map(|catch| catch.decks)).collect();
        decks.sort_by_key(|decks| decks.unwrap_or(u64::MAX));
        let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
        let catches = cells.iter().filter_map(|cell| cell.caught.as_ref());
        catches.for_each(|catch| *votes.entry(&catch.by).or_default() += 1);
        let most = votes.iter().max_by_key(|(name, votes)| (**votes, std::cmp::Reverse(**name)));
        DealerPower {
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
        let plan = search.plan(os::record(), None);
        // Of the search: without one statistic they are no whole tiers of a plan.
        let hands = search.instrument.table.map(|_| &Tier::Stud);
        let tiers = search.instrument.tiers.iter().chain(hands).map(|tier| tier.name().to_owned()).collect();
        let Plan { table, statistics, sketches, .. } = plan;
        let row = |dealer: &'static TestDealer| {
            let own: Vec<&Cell> = cells.iter().filter(|cell| cell.dealer == dealer.name).collect();
            (!own.is_empty()).then(|| DealerPower::of_cells(dealer, &own))
        };
        PowerTable {
            format: POWER_FORMAT.to_owned(),
            made: Made {
                command,
                version: env!("CARGO_PKG_VERSION").to_owned(),
                date,
                tiers,
                table,
                statistics,
                sketches,
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
    pub fn rejected_controls(&self) -> impl Iterator<Item = &DealerPower> {
        self.rows.iter().filter(|row| row.is_control() && row.caught() > 0)
    }

    /// Which faulty dealers an audit of `decks` decks catches, and which it does not, under every seed tried.
    pub fn caught_and_missed(&self, decks: u64) -> (Vec<&DealerPower>, Vec<&DealerPower>) {
        let faulty = self.rows.iter().filter(|row| !row.is_control());
        faulty.partition(|row| row.decks_in_all().is_some_and(|needed| needed <= decks))
    }
}

/// What is known of the power of one plan.
pub enum Power {
    /// Measured with exactly its statistics, in their versions and on their views.
    Measured(&'static PowerTable),
    /// Measured with the same statistics, some of them in other versions or not there yet.
    OtherVersions {
        /// The measurement.
        table: &'static PowerTable,
        /// What differs, such as `spectral 4, here 5`.
        changed: Vec<String>,
    },
    /// Not measured: nothing can be excluded by number.
    NotMeasured,
}

impl Power {
    /// The power of a plan, as far as the committed tables tell.
    pub fn of_plan(plan: &Plan) -> Power {
        Power::among(&COMMITTED.iter().collect::<Vec<_>>(), plan)
    }

    fn among(tables: &[&'static PowerTable], plan: &Plan) -> Power {
        match (Power::of_set(tables, plan), plan.table()) {
            (Power::NotMeasured, Some(_)) => Power::without_hands(tables, plan),
            (power, _) => power,
        }
    }

    /// The power of its statistics of decks, where those of dealt hands were not there when it was measured.
    fn without_hands(tables: &[&'static PowerTable], plan: &Plan) -> Power {
        let mut of_decks = Plan { table: None, ..plan.clone() };
        of_decks.statistics.retain(|name| stud::abouts().all(|about| about.id != name.id));
        let hands = plan.statistics.len() - of_decks.statistics.len();
        let absent = format!("those of dealt hands none, here {hands}");
        match Power::of_set(tables, &of_decks) {
            Power::NotMeasured => Power::NotMeasured,
            Power::Measured(table) => Power::OtherVersions { table, changed: vec![absent] },
            Power::OtherVersions { table, changed } => {
                let changed = changed.into_iter().chain([absent]).collect();
                Power::OtherVersions { table, changed }
            }
        }
    }

    fn of_set(tables: &[&'static PowerTable], plan: &Plan) -> Power {
        let own = names_of(&plan.statistics, &plan.sketches);
        let with_changes =
            tables.iter().filter(|table| table.made.table == plan.table).filter_map(|&table| {
                let measured = names_of(&table.made.statistics, &table.made.sketches);
                Some((table, changes(&measured, &own)?))
            });
        // Of several tables the one that differs least.
        match with_changes.min_by_key(|(_, changed)| changed.len()) {
            Some((table, changed)) if changed.is_empty() => Power::Measured(table),
            Some((table, changed)) => Power::OtherVersions { table, changed },
            None => Power::NotMeasured,
        }
    }

    /// `measured`, `measured with other versions` or `not measured`.
    pub fn name(&self) -> &'static str {
        match self {
            Power::Measured(_) => "measured",
            Power::OtherVersions { .. } => "measured with other versions",
            Power::NotMeasured => "not measured",
        }
    }

    /// The faulty dealers of the measurement, if there is one.
    pub fn faulty(&self) -> impl Iterator<Item = &'static DealerPower> {
        self.table().into_iter().flat_map(|table| table.rows.iter().filter(|row| !row.is_control()))
    }

    /// Under how many seeds each of them was tried at least.
    pub fn seeds_min(&self) -> u64 {
        self.faulty().map(|row| row.decks.len() as u64).min().unwrap_or(0)
    }

    /// The most decks that any of them was tried with.
    pub fn decks_max(&self) -> u64 {
        self.table().map_or(0, |table| table.made.decks_max)
    }

    fn table(&self) -> Option<&'static PowerTable> {
        match self {
            Power::Measured(table) | Power::OtherVersions { table, .. } => Some(*table),
            Power::NotMeasured => None,
        }
    }

    /// Those among them that so many decks catch under every seed tried.
    pub fn caught(&self, decks: u64) -> Vec<&'static DealerPower> {
        self.faulty().filter(|row| row.decks_in_all().is_some_and(|needed| needed <= decks)).collect()
    }
}

/// What differs between the statistics that were measured and those of a plan, which may have more of them; `None` if it
/// lacks one, for then it may miss what that one caught.
fn changes(measured: &[PowerName], own: &[PowerName]) -> Option<Vec<String>> {
    let is_same = |a: &PowerName, b: &PowerName| (a.id, a.views) == (b.id, b.views);
    if !measured.iter().all(|name| own.iter().any(|other| is_same(name, other))) {
        return None;
    }
    let change = |name: &PowerName| match measured.iter().find(|other| is_same(name, other)) {
        None => Some(format!("{} not there, here {}", name.id, name.version)),
        Some(other) => (other.version != name.version)
            .then(|| format!("{} {}, here {}", name.id, other.version, name.version)),
    };
    Some(own.iter().filter_map(change).collect())
}

/// What power hangs on, of a statistic or a sketch.
struct PowerName<'a> {
    id: &'a str,
    version: u32,
    views: &'a [View],
}

fn names_of<'a>(statistics: &'a [StatisticName], sketches: &'a [SketchName]) -> Vec<PowerName<'a>> {
    let counted =
        statistics.iter().map(|name| PowerName { id: &name.id, version: name.version, views: &name.views });
    let sketches =
        sketches.iter().map(|name| PowerName { id: &name.id, version: name.version, views: &name.views });
    let mut names: Vec<PowerName> = counted.chain(sketches).collect();
    // The order in which a plan names them changes nothing.
    names.sort_by_key(|name| name.id);
    names
}

/// The committed tables.
pub fn committed() -> &'static [PowerTable] {
    &COMMITTED
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::power::{Catch, Instrument};
    use deckproof_stats::battery::stud::table::StudTable;
    use deckproof_stud::stud::rules::RuleSet;

    fn cell(seed: u64, decks: Option<u64>, by: &str) -> Cell {
        let caught = decks.map(|decks| Catch { decks, by: by.to_owned() });
        Cell { dealer: "sattolo".to_owned(), seed, decks_max: 1_000, caught }
    }

    fn search() -> Search {
        Search { instrument: Instrument::of_tiers(&Tier::OF_DECKS), decks_max: 1_000, threads: 1 }
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
        let (caught, missed) = table.caught_and_missed(1_000);
        assert_eq!((caught.len(), missed.len(), missed[0].dealer.as_str()), (0, 1, "sattolo"));
    }

    #[test]
    fn the_committed_tables_are_of_this_list_of_dealers() {
        for table in committed() {
            assert_eq!(table.format, POWER_FORMAT);
            let mut list = dealers::list().map(|dealer| (dealer.name, dealer.about));
            // In its order and words; dealers that came after the measurement are not in it.
            for row in &table.rows {
                assert!(list.any(|dealer| dealer == (&*row.dealer, &*row.mechanism)), "{}", row.dealer);
            }
            assert_eq!(table.rejected_controls().count(), 0, "{}", table.made.command);
        }
    }

    /// Leaked, because the committed table lives as long.
    fn measured(tiers: &[Tier], change: &dyn Fn(&mut Made)) -> &'static PowerTable {
        let search = Search { instrument: Instrument::of_tiers(tiers), ..search() };
        let cells = [cell(1, Some(100), "b")];
        let mut table =
            PowerTable::of_cells(&cells, &search, "deckproof power".to_owned(), "2026-11-21".to_owned());
        change(&mut table.made);
        Box::leak(Box::new(table))
    }

    #[test]
    fn power_is_claimed_for_the_very_statistics_it_was_measured_with() {
        let plan = |tiers: &[Tier]| Plan::new(os::record(), Some(1_000_000), tiers);
        let all = measured(&Tier::OF_DECKS, &|_| {});
        let of_all = Power::among(&[all], &plan(&Tier::OF_DECKS));
        assert!(matches!(of_all, Power::Measured(_)), "{}", of_all.name());
        assert_eq!(of_all.caught(1_000).len(), 1);
        // A plan with more says so.
        let before = measured(&Tier::OF_DECKS, &|made| drop(made.statistics.pop()));
        let changed = |power: Power| match power {
            Power::OtherVersions { changed, .. } => changed,
            other => panic!("{}", other.name()),
        };
        let of_more = changed(Power::among(&[before], &plan(&Tier::OF_DECKS)));
        let last = all.made.statistics.last().expect("it was measured with some");
        assert_eq!(of_more, [format!("{} not there, here {}", last.id, last.version)]);
        // One tier of them is another instrument: it may miss what the other tier caught.
        let of_core = Power::among(&[all], &plan(&[Tier::Core]));
        assert!(matches!(of_core, Power::NotMeasured), "{}", of_core.name());
        assert!(of_core.caught(u64::MAX).is_empty() && of_core.faulty().count() == 0);
        // A changed version is named.
        let older = measured(&Tier::OF_DECKS, &|made| made.statistics[0].version -= 1);
        let of_older = changed(Power::among(&[older], &plan(&Tier::OF_DECKS)));
        assert!(of_older.len() == 1 && of_older[0].starts_with("card-place"), "{of_older:?}");
        assert!(matches!(Power::among(&[older, all], &plan(&Tier::OF_DECKS)), Power::Measured(_)));
        // Fewer views are another instrument too.
        // Hands that were not dealt then are reported, and claim nothing.
        let seated = plan(&Tier::OF_DECKS).at_table(StudTable::of(RuleSet::ALL[0], 6));
        let of_seated = changed(Power::among(&[all], &seated));
        assert!(of_seated[0].starts_with("those of dealt hands none, here 1"), "{of_seated:?}");
        let fewer = measured(&Tier::OF_DECKS, &|made| made.statistics[0].views.truncate(1));
        assert!(matches!(Power::among(&[fewer], &plan(&Tier::OF_DECKS)), Power::NotMeasured));
    }
}
