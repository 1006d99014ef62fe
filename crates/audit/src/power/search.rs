//! A power search as it is asked for: its dealers and seeds, and the file in which finished cells are kept.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use crate::audit::plan::names::PlannedTable;
use crate::power::results_file::{without_typed, write};
use crate::power::state::PowerState;
use crate::power::table::PowerTable;
use crate::power::{Cell, Instrument, Search, measure};
use crate::source::SourceError;
use deckproof_dealers::dealers::{self as room, Expected, TestDealer};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::{STATE_BYTES_MAX, read_text_limited};
use deckproof_stats::battery::Tier;

/// What is asked of a power search.
#[derive(Clone, Debug)]
pub struct PowerOptions {
    /// Which dealers, by name, or `all`.
    pub dealers: Vec<String>,
    /// Under how many seeds each.
    pub seeds: u64,
    /// Under how many those that nobody expects to be caught; as the others where it is `None`.
    pub seeds_others: Option<u64>,
    /// Which tiers look, as they were named.
    pub tiers: Vec<Tier>,
    /// What looks, at how many decks at most.
    pub search: Search,
    /// Where finished cells are kept.
    pub state: Option<PathBuf>,
}

impl PowerOptions {
    /// Measures what the state does not have yet; `today` is asked for the day when that is done, and `finished` hears of each cell, with how many are done and of how many.
    ///
    /// # Errors
    /// [`CouldNotSay`]: a dealer that is none, or a file that cannot be read or written.
    pub fn measure(
        &self,
        today: fn() -> String,
        finished: &dyn Fn(usize, usize, &Cell),
    ) -> Result<PowerTable, CouldNotSay> {
        let (search, wanted) = (&self.search, self.wanted()?);
        let mut state = read_state(self.state.as_deref(), search)?;
        let missing = state.missing(search, &wanted);
        search_missing(search, &missing, &mut state, self.state.as_deref(), finished)?;
        Ok(PowerTable::of_cells(&state.found(&wanted), search, self.command(), today()))
    }

    /// Every dealer that was named, under each of its seeds.
    fn wanted(&self) -> Result<Vec<(&'static TestDealer, u64)>, CouldNotSay> {
        let seeds = |dealer: &TestDealer| match self.seeds_others {
            Some(others) if !can_be_caught(dealer, &self.search) => others,
            _ => self.seeds,
        };
        let dealers = dealers(&self.dealers)?;
        Ok(dealers.iter().flat_map(|&dealer| (1..=seeds(dealer)).map(move |seed| (dealer, seed))).collect())
    }

    /// What would be typed, without the files and threads that do not change the result.
    fn command(&self) -> String {
        let Instrument { table, without, .. } = &self.search.instrument;
        let tiers: Vec<&str> = self.tiers.iter().map(|tier| tier.name()).collect();
        format!(
            "deckproof power --dealers {} --seeds {}{} --decks-max {} --tiers {}{}{}",
            self.dealers.join(","),
            self.seeds,
            self.seeds_others.map_or_else(String::new, |others| format!(" --seeds-others {others}")),
            self.search.decks_max,
            tiers.join(","),
            table.map(PlannedTable::of).as_ref().map(PlannedTable::typed).unwrap_or_default(),
            without_typed(without)
        )
    }
}

fn dealers(names: &[String]) -> Result<Vec<&'static TestDealer>, CouldNotSay> {
    if names == ["all"] {
        return Ok(room::list().collect());
    }
    let known = |name: &String| {
        TestDealer::named(name).ok_or_else(|| {
            let all: Vec<&str> = room::list().map(|dealer| dealer.name).collect();
            CouldNotSay::new(
                format!("--dealers: found {name:?}, wanted all, or some of {}", all.join(", ")),
                "",
            )
        })
    };
    names.iter().map(known).collect()
}

/// Whether anybody expects these statistics to catch it.
fn can_be_caught(dealer: &TestDealer, search: &Search) -> bool {
    match dealer.expected {
        Expected::Caught | Expected::CaughtMostly(_) | Expected::Waiting | Expected::Invalid => true,
        Expected::AtTable => search.instrument.table.is_some(),
        Expected::Pass | Expected::Hidden(_) => false,
    }
}

fn read_state(path: Option<&Path>, search: &Search) -> Result<PowerState, CouldNotSay> {
    let Some(path) = path else { return Ok(PowerState::new(search)) };
    match read_text_limited(path, STATE_BYTES_MAX) {
        Ok(text) => PowerState::parse(&text, search).map_err(|error| {
            CouldNotSay::new(
                format!("{}: {error}", path.display()),
                "Name another file, or remove this one to begin anew.",
            )
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(PowerState::new(search)),
        Err(error) => Err(CouldNotSay::new(format!("{}: {error}", path.display()), "")),
    }
}

/// Searches on other threads while this one keeps what they find.
fn search_missing(
    search: &Search,
    missing: &[(&'static TestDealer, u64)],
    state: &mut PowerState,
    path: Option<&Path>,
    finished_one: &dyn Fn(usize, usize, &Cell),
) -> Result<(), CouldNotSay> {
    let (sender, finished) = mpsc::channel::<Cell>();
    std::thread::scope(|scope| {
        let measuring = scope.spawn(move || -> Result<(), SourceError> {
            // The receiver is gone only when the state could not be saved, which is reported below.
            measure(search, missing, &|cell| drop(sender.send(cell)))
        });
        for (done, cell) in finished.into_iter().enumerate() {
            finished_one(done + 1, missing.len(), &cell);
            state.add(cell);
            path.map_or(Ok(()), |path| write(path, &state.to_json()))?;
        }
        match measuring.join() {
            Ok(measured) => measured.map_err(|error| CouldNotSay::new(error, "")),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(dealers: &[&str]) -> PowerOptions {
        PowerOptions {
            dealers: dealers.iter().map(|&name| name.to_owned()).collect(),
            seeds: 1,
            seeds_others: None,
            tiers: vec![Tier::Core],
            search: Search { instrument: Instrument::of_tiers(&[Tier::Core]), decks_max: 100, threads: 2 },
            state: None,
        }
    }

    #[test]
    fn seeds_of_others_are_for_those_that_nobody_expects_to_be_caught() {
        let asked = PowerOptions { seeds: 3, seeds_others: Some(1), ..options(&["all"]) };
        let wanted = asked.wanted().expect("all of them");
        let count = |name: &str| wanted.iter().filter(|(dealer, _)| dealer.name == name).count();
        let pass = room::list().find(|dealer| matches!(dealer.expected, Expected::Pass)).expect("a control");
        assert_eq!((count("sattolo"), count(pass.name)), (3, 1));
        let error = options(&["no-such"]).wanted().err().expect("none of these").to_string();
        assert!(error.starts_with("--dealers: found \"no-such\", wanted all, or some of "), "{error}");
    }
}
