//! The statistics and sketches that a plan runs, as this program has them.

use crate::battery::duplicates::{self, Equivalence};
use crate::battery::stud::table::Table;
use crate::battery::stud::{self, Seated};
use crate::battery::{self, Statistic, Tier, View};

/// What a plan runs.
#[derive(Clone)]
pub struct Selection {
    /// What counts.
    pub statistics: Vec<&'static dyn Statistic>,
    /// What looks for repeated decks, each on its own views.
    pub equivalences: Vec<&'static Equivalence>,
    /// On what views.
    pub views: Vec<View>,
}

impl Selection {
    /// Everything of some tiers, in the order of certificates.
    pub fn of_tiers(tiers: &[Tier]) -> Selection {
        Selection {
            statistics: battery::of_tiers(tiers),
            equivalences: duplicates::of_tiers(tiers),
            views: View::of_tiers(tiers),
        }
    }

    /// The same with the statistics of the hands dealt at a table, if there is one.
    pub fn at_table(mut self, table: Option<&'static Table>) -> Selection {
        self.statistics.extend(table.into_iter().flat_map(stud::at_table));
        self
    }

    /// The statistics that see a view, in its order.
    pub fn seeing(&self, view: View) -> impl Iterator<Item = &'static dyn Statistic> + '_ {
        let is_shown = self.shows(view);
        self.statistics.iter().copied().filter(move |statistic| is_shown && statistic.views().contains(&view))
    }

    /// Whether any statistic or sketch sees a view.
    pub(super) fn shows(&self, view: View) -> bool {
        self.views.contains(&view)
    }

    /// The table at which hands are dealt, if they are.
    pub(super) fn table(&self) -> Option<&'static Table> {
        self.statistics.iter().find_map(|statistic| statistic.seated()).map(Seated::table)
    }

    /// What looks for repeated decks on a view.
    pub fn equivalences_on(&self, view: View) -> impl Iterator<Item = &'static Equivalence> + '_ {
        self.equivalences.iter().copied().filter(move |equivalence| equivalence.views.contains(&view))
    }
}
