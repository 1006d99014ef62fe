//! Whether the decks of a set depend on one another: a comparison supposes that they do not.
//!
//! Two questions have one answer whatever the distribution of the decks, as long as they are independent: whether even decks are
//! like odd ones, and whether those before the middle are like those after it (`even-odd`, `halves`). The relative decks and
//! the decks up to 32 further on (`matches`, `lags`, `rotation`) are uniform if decks are fair and independent, and depart if either
//! fails; a flaw of independent decks shows in the decks themselves more than in their steps, so that of steps which depart
//! much further than decks a memory is the reason.

use serde::Serialize;

use crate::audit::verdict::joint_p_value;
use crate::certificate::StatisticRecord;
use crate::certificate::look::Look;

/// Below this the decks of a set are judged to depend on one another.
pub const LEVEL: f64 = 1e-3;

/// Statistics that are asked of the relative decks too.
const OF_PAIRS: [&str; 6] =
    ["card-place", "cycles", "inversions", "rising-sequences", "exceedances", "footrule"];

/// Statistics that look some decks on.
const OF_LAGS: [&str; 3] = ["matches", "lags", "rotation"];

/// Statistics that hold for independent decks of any distribution.
const OF_ORDER: [&str; 2] = ["even-odd", "halves"];

/// Whether a statistic is counted for this.
pub(super) fn is_asked(id: &str) -> bool {
    is_asked_of_pairs(id) || OF_LAGS.contains(&id) || OF_ORDER.contains(&id)
}

/// Whether it is asked of the relative decks.
pub(super) fn is_asked_of_pairs(id: &str) -> bool {
    OF_PAIRS.contains(&id)
}

/// What was seen of the memory of one set.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Memory {
    /// Whether its decks depend on one another.
    pub is_seen: bool,
    /// Of even and odd decks, and of the two halves: independent decks of any distribution are uniform here.
    pub p_value_of_order: f64,
    /// Of the steps from deck to deck, 1 to 32 decks on.
    pub p_value_of_steps: f64,
    /// Of the decks themselves.
    pub p_value_of_decks: f64,
}

impl Memory {
    /// Of a look, if it has all that is asked for.
    pub(super) fn of(look: &Look) -> Option<Memory> {
        let joint = |is_own: &dyn Fn(&str, &str) -> bool| {
            let own = look.statistics.iter().filter(|record| {
                let (view, statistic) = names(record);
                is_own(view, statistic)
            });
            let own: Vec<(&str, f64)> = own.map(|record| (record.family.as_str(), record.p_value)).collect();
            (!own.is_empty()).then(|| joint_p_value(own.into_iter()))
        };
        let order = joint(&|view, id| view == "deck" && OF_ORDER.contains(&id))?;
        let steps = joint(&|view, id| match view {
            "relative" => OF_PAIRS.contains(&id),
            _ => view == "deck" && OF_LAGS.contains(&id),
        })?;
        let decks = joint(&|view, id| view == "deck" && OF_PAIRS.contains(&id))?;
        // Steps of independent decks depart as the square of what the decks do, at most.
        let is_seen = order < LEVEL || steps < LEVEL && steps < decks * decks;
        Some(Memory { is_seen, p_value_of_order: order, p_value_of_steps: steps, p_value_of_decks: decks })
    }
}

/// View and statistic.
fn names(record: &StatisticRecord) -> (&str, &str) {
    let mut names = record.id.split('.');
    (names.next().unwrap_or_default(), names.next().unwrap_or_default())
}
