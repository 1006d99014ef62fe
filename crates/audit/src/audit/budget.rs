//! The data budget: which statistics of a plan a number of decks can feed, known before any data.

use crate::audit::plan::{Plan, SEGMENT_DECKS};
use deckproof_stats::battery::{View, decks_of};

/// What one statistic on one view needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Need {
    /// View and statistic, such as `deck.card-place`.
    pub id: String,
    /// What people call it.
    pub title: &'static str,
    /// With fewer decks of the source it says nothing.
    pub decks_needed: u64,
}

impl Need {
    /// How many more decks it needs than these.
    pub fn decks_missing(&self, decks: u64) -> u64 {
        self.decks_needed.saturating_sub(decks)
    }
}

/// What every statistic of a plan needs, views and statistics in the order of certificates.
pub fn needs(plan: &Plan) -> Vec<Need> {
    let selection = plan.selection();
    let of_view = |view: View| {
        selection.seeing(view).map(move |statistic| {
            let about = statistic.about();
            let id = format!("{}.{}", view.name(), about.id);
            Need { id, title: about.title, decks_needed: decks_for(view, about.decks_min) }
        })
    };
    View::ALL.into_iter().flat_map(of_view).collect()
}

/// The fewest decks of a source that give so many decks of a view.
fn decks_for(view: View, wanted: u64) -> u64 {
    if !view.is_of_pairs() {
        return wanted;
    }
    // One deck more for every segment that is begun.
    let decks = wanted + wanted.div_ceil(SEGMENT_DECKS - 1);
    debug_assert!(decks_of(view, decks) == wanted, "every number of pairs can be had exactly");
    decks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::os;
    use deckproof_stats::battery::Tier;

    #[test]
    fn no_fewer_decks_give_the_relative_decks() {
        for wanted in (0..400).chain([65_534, 65_535, 65_536, 131_070, 131_071, 1_000_000]) {
            let decks = decks_for(View::Relative, wanted);
            assert_eq!(decks_of(View::Relative, decks), wanted);
            assert!(decks == 0 || decks_of(View::Relative, decks - 1) < wanted);
        }
    }

    #[test]
    fn every_statistic_of_a_plan_is_in_its_budget_on_each_of_its_views() {
        let plan = Plan::new(os::record(), Some(100), &Tier::OF_DECKS);
        let needs = needs(&plan);
        let selection = plan.selection();
        let views = selection.statistics.iter().map(|chosen| chosen.views.len());
        assert_eq!(needs.len(), views.sum::<usize>());
        let parity = needs.iter().find(|need| need.id == "deck.parity").expect("it is in the battery");
        assert_eq!(parity.decks_missing(parity.decks_needed - 1), 1);
        assert_eq!(parity.decks_missing(parity.decks_needed), 0);
    }
}
