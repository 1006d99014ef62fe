//! The finished cells of a power search, so that an interrupted one goes on where it stopped.

use serde::{Deserialize, Serialize};

use crate::audit::plan::names::{PlannedTable, StatisticName};
use crate::audit::plan::{PLAN_FORMAT, Plan};
use crate::power::{Cell, Search};
use crate::source::os;
use deckproof_dealers::dealers::TestDealer;

/// The version of the record.
const STATE_FORMAT: &str = "deckproof/power-state/v3";

/// Finished cells, and the battery that they were measured with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PowerState {
    format: String,
    plan: String,
    tiers: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    table: Option<PlannedTable>,
    statistics: Vec<StatisticName>,
    /// In no order.
    pub cells: Vec<Cell>,
}

/// Why a state is of no use.
#[derive(Debug, thiserror::Error)]
pub enum PowerStateError {
    /// Not a state.
    #[error("found no state of deckproof power: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// Measured with other statistics or other versions of them.
    #[error("found the cells of another battery, wanted those of this program and these tiers")]
    OtherBattery,
}

impl PowerState {
    /// Nothing measured yet.
    pub fn new(search: &Search) -> PowerState {
        let plan = search.plan(os::record(), None);
        let tiers = plan.tier_names();
        let Plan { table, statistics, .. } = plan;
        let (format, plan) = (STATE_FORMAT.to_owned(), PLAN_FORMAT.to_owned());
        PowerState { format, plan, tiers, table, statistics, cells: Vec::new() }
    }

    /// Reads a state that goes on with this search.
    ///
    /// # Errors
    /// [`PowerStateError`].
    pub fn parse(text: &str, search: &Search) -> Result<PowerState, PowerStateError> {
        let state: PowerState = serde_json::from_str(text)?;
        let wanted = PowerState { cells: state.cells.clone(), ..PowerState::new(search) };
        if state == wanted { Ok(state) } else { Err(PowerStateError::OtherBattery) }
    }

    /// The bytes of the file.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a state is plain data")
    }

    /// Adds a cell in place of an older one of the same dealer and seed.
    pub fn add(&mut self, cell: Cell) {
        self.cells.retain(|old| (&old.dealer, old.seed) != (&cell.dealer, cell.seed));
        self.cells.push(cell);
    }

    /// The cells that the search still has to find.
    pub fn missing(
        &self,
        search: &Search,
        wanted: &[(&'static TestDealer, u64)],
    ) -> Vec<(&'static TestDealer, u64)> {
        let is_done = |dealer: &TestDealer, seed: u64| {
            self.cells
                .iter()
                .any(|cell| cell.dealer == dealer.name && cell.seed == seed && cell.answers(search.decks_max))
        };
        wanted.iter().copied().filter(|&(dealer, seed)| !is_done(dealer, seed)).collect()
    }

    /// The cells of the search, in the order of the wanted ones.
    pub fn found(&self, wanted: &[(&'static TestDealer, u64)]) -> Vec<Cell> {
        let of = |&(dealer, seed): &(&'static TestDealer, u64)| {
            self.cells.iter().find(|cell| cell.dealer == dealer.name && cell.seed == seed).cloned()
        };
        wanted.iter().filter_map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::power::Instrument;
    use deckproof_stats::battery::Tier;

    fn search(decks_max: u64, tiers: &[Tier]) -> Search {
        Search { instrument: Instrument::of_tiers(tiers), decks_max, threads: 1 }
    }

    #[test]
    fn a_state_is_read_back_by_the_same_battery_only() {
        let core = search(100, &[Tier::Core]);
        let mut state = PowerState::new(&core);
        state.add(Cell { dealer: "sattolo".to_owned(), seed: 1, decks_max: 100, caught: None });
        let read = PowerState::parse(&state.to_json(), &core).expect("it was written");
        assert_eq!(read, state);
        let other = PowerState::parse(&state.to_json(), &search(100, &Tier::OF_DECKS));
        assert!(matches!(other, Err(PowerStateError::OtherBattery)));
        assert!(matches!(PowerState::parse("{}", &core), Err(PowerStateError::Unreadable(_))));
    }

    #[test]
    fn finished_cells_are_not_measured_again_unless_the_limit_moved() {
        let sattolo = TestDealer::named("sattolo").expect("it is in the list");
        let wanted = [(sattolo, 1), (sattolo, 2)];
        let mut state = PowerState::new(&search(100, &[Tier::Core]));
        state.add(Cell { dealer: "sattolo".to_owned(), seed: 1, decks_max: 100, caught: None });
        let missing = |decks_max| state.missing(&search(decks_max, &[Tier::Core]), &wanted).len();
        assert_eq!((missing(100), missing(1_000)), (1, 2));
        assert_eq!(state.found(&wanted).len(), 1);
    }
}
