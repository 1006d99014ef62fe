//! Power: how many decks of each flawed dealer the battery needs to catch it.
//!
//! Caught means a family p-value below [`LEVEL_CAUGHT`], in any zone, or proof. The search looks at 10, 32, 100,
//! 316 … decks, stops at the first of them that suffices, and then tries the number between it and the one
//! before: 18, 57, 178 … The answer for one seed is therefore right within a factor of 1.8. A p-value is not
//! monotone in the number of decks, so a dealer may be caught a step early by luck: hence several seeds.

pub mod faults;
pub mod incremental;
pub mod results_file;
pub mod search;
pub mod state;
pub mod table;

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use crate::audit::plan::Plan;
use crate::audit::selection::Selection;
use crate::certificate::AuditResult;
use crate::certificate::look::Look;
use crate::power::incremental::IncrementalEvidence;
use crate::source::SourceError;
use crate::source::flawed::{self, Flawed};
use crate::source::record::SourceRecord;
use deckproof_dealers::dealers::TestDealer;
use deckproof_stats::battery::Tier;
use deckproof_stats::battery::stud::table::StudTable;

/// A dealer is caught when the family p-value falls below this.
pub const LEVEL_CAUGHT: f64 = 1e-6;

/// The statistics by which decks are looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instrument {
    /// Which of decks.
    pub tiers: Vec<Tier>,
    /// The table at which hands are dealt, if they are.
    pub table: Option<&'static StudTable>,
    /// Statistics of these that do not look, by their ids.
    pub without: Vec<String>,
}

impl Instrument {
    /// All statistics of decks of some tiers.
    pub fn of_tiers(tiers: &[Tier]) -> Instrument {
        Instrument { tiers: tiers.to_vec(), table: None, without: Vec::new() }
    }

    /// The statistics.
    pub fn selection(&self) -> Selection {
        Selection::of_tiers(&self.tiers).at_table(self.table).without(&self.without)
    }
}

/// What is searched for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Search {
    /// What looks.
    pub instrument: Instrument,
    /// The last number of decks tried.
    pub decks_max: u64,
    /// How many work at the same time.
    pub threads: usize,
}

impl Search {
    /// What a dealer is audited by.
    pub fn plan(&self, source: SourceRecord, decks: Option<u64>) -> Plan {
        Plan::of_selection(source, decks, &self.instrument.selection())
    }
}

/// One dealer under one seed, after its search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// The dealer.
    pub dealer: String,
    /// Its seed.
    pub seed: u64,
    /// Up to how many decks it was watched.
    pub decks_max: u64,
    /// With how many it was caught.
    pub caught: Option<Catch>,
}

/// How a dealer was caught.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catch {
    /// The first number of decks tried that sufficed.
    pub decks: u64,
    /// The strongest evidence: view, statistic and part, or `a record that is no deck`.
    pub by: String,
}

impl Cell {
    /// Whether a search up to `decks_max` decks would find nothing else.
    pub fn answers(&self, decks_max: u64) -> bool {
        match &self.caught {
            Some(catch) => catch.decks <= decks_max,
            None => self.decks_max == decks_max,
        }
    }
}

/// The numbers of decks that are tried: two to a decade up to `decks_max`, which is the last.
pub fn steps(decks_max: u64) -> Vec<u64> {
    let mut steps: Vec<u64> = (2..32).map(step).take_while(|&decks| decks < decks_max).collect();
    steps.push(decks_max);
    steps
}

/// 10^(k/2) to whole decks, as people write them: 31.62 → 32, 316.2 → 316.
fn step(k: i32) -> u64 {
    libm::pow(10f64, f64::from(k) / 2.0).round() as u64
}

/// Halfway between two numbers of decks, as their ratio goes: 18 between 10 and 32.
fn between(fewer: u64, more: u64) -> u64 {
    (fewer as f64 * more as f64).sqrt().round() as u64
}

/// Searches for every dealer under every seed; `done` hears of each cell as soon as it is finished, from
/// any thread, in no order.
///
/// # Errors
/// The first [`SourceError`] that is not a record of the dealer.
pub fn measure(
    search: &Search,
    cells: &[(&'static TestDealer, u64)],
    done: &(dyn Fn(Cell) + Sync),
) -> Result<(), SourceError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(search.threads.max(1))
        .build()
        .map_err(|error| SourceError::Failed(error.to_string()))?;
    let one = |&(dealer, seed): &(&'static TestDealer, u64)| {
        done(find(search, dealer, seed)?);
        Ok(())
    };
    // Threads take the cells one by one: some are done at ten decks, others at a million.
    pool.install(|| cells.par_iter().with_max_len(1).try_for_each(one))
}

/// The fewest decks tried with which one dealer under one seed is caught.
///
/// # Errors
/// [`SourceError`] of a source that fails otherwise than by a record that is no deck.
pub fn find(search: &Search, dealer: &'static TestDealer, seed: u64) -> Result<Cell, SourceError> {
    let decks_max = search.decks_max;
    let cell = |caught| Cell { dealer: dealer.name.to_owned(), seed, decks_max, caught };
    let mut watch = Watch::new(search, dealer, seed)?;
    let mut before = None;
    for decks in steps(decks_max) {
        if let Some(by) = watch.caught_by(decks)? {
            // Fewer decks than were read: the dealer deals them again.
            let halfway = before.map(|before| between(before, decks)).filter(|&halfway| halfway < decks);
            let earlier = match halfway {
                Some(decks) => {
                    Watch::new(search, dealer, seed)?.caught_by(decks)?.map(|by| Catch { decks, by })
                }
                None => None,
            };
            return Ok(cell(Some(earlier.unwrap_or(Catch { decks, by }))));
        }
        before = Some(decks);
    }
    Ok(cell(None))
}

/// A dealer who is watched with more and more decks.
struct Watch<'a> {
    search: &'a Search,
    record: SourceRecord,
    growth: IncrementalEvidence,
}

impl Watch<'_> {
    fn new<'a>(search: &'a Search, dealer: &TestDealer, seed: u64) -> Result<Watch<'a>, SourceError> {
        let source = Flawed::open(&format!("{}:{seed}", dealer.name), search.decks_max)?;
        let record = flawed::record(dealer.name, seed);
        let growth =
            IncrementalEvidence::new(Box::new(source), &search.plan(record.clone(), None).selection(), 0);
        Ok(Watch { search, record, growth })
    }

    /// What catches it with so many decks, if anything does.
    fn caught_by(&mut self, decks: u64) -> Result<Option<String>, SourceError> {
        match self.growth.until(decks) {
            Ok(evidence) => {
                let plan = self.search.plan(self.record.clone(), Some(decks));
                Ok(caught_by(&AuditResult::of_evidence(&plan, self.record.clone(), evidence)))
            }
            Err(error) if error.is_proof() => Ok(Some("a record that is no deck".to_owned())),
            Err(error) => Err(error),
        }
    }
}

/// What caught a dealer, if its audit says that it is one.
pub fn caught_by(result: &AuditResult) -> Option<String> {
    let look = &result.first;
    let is_caught = look.family_p_value < LEVEL_CAUGHT || !look.proofs.is_empty();
    is_caught.then(|| strongest(look))
}

/// The p-value that weighs most: the smallest after its family's number of p-values.
fn strongest(look: &Look) -> String {
    let members = |family: &str| look.statistics.iter().filter(|r| r.family == family).count() as f64;
    let weighed = look.statistics.iter().map(|record| (record.p_value * members(&record.family), record));
    let first = weighed.min_by(|a, b| a.0.total_cmp(&b.0));
    first.map_or_else(|| "nothing".to_owned(), |(_, record)| record.id.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_two_to_a_decade_and_end_where_they_must() {
        assert_eq!(steps(1_000), [10, 32, 100, 316, 1_000]);
        assert_eq!(steps(50_000), [10, 32, 100, 316, 1_000, 3_162, 10_000, 31_623, 50_000]);
        assert_eq!(steps(7), [7]);
        assert_eq!(
            [(10, 32), (32, 100), (316_228, 1_000_000)].map(|(a, b)| between(a, b)),
            [18, 57, 562_342]
        );
    }

    #[test]
    fn a_catch_is_measured_within_a_factor_of_1_8() {
        let search = Search { instrument: Instrument::of_tiers(&[Tier::Core]), decks_max: 1_000, threads: 1 };
        let riffle = TestDealer::named("riffle-7").expect("a dealer");
        let cell = find(&search, riffle, 1).expect("it deals");
        let caught = cell.caught.expect("seven riffles are too few").decks;
        let watched = |decks: u64| {
            let mut watch = Watch::new(&search, riffle, 1).expect("it deals");
            watch.caught_by(decks).expect("it deals").is_some()
        };
        let tried = [10, 18, 32, 57, 100, 178, 316, 562, 1_000];
        let place = tried.iter().position(|&decks| decks == caught).expect("a number that is tried");
        assert!(watched(caught) && !watched(tried[place - 1]), "{caught}");
    }

    #[test]
    fn a_cell_answers_for_other_limits_only_where_it_must() {
        let cell = |caught| Cell { dealer: "cut".to_owned(), seed: 1, decks_max: 1_000, caught };
        let caught = cell(Some(Catch { decks: 100, by: "deck.cycles.mean".to_owned() }));
        assert!(caught.answers(100) && caught.answers(1_000_000) && !caught.answers(32));
        assert!(cell(None).answers(1_000) && !cell(None).answers(10_000) && !cell(None).answers(100));
    }
}
