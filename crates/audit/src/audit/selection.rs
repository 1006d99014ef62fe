//! The statistics and sketches that a plan runs, as this program has them.

use crate::audit::plan::error::PlanError;
use crate::audit::plan::names::{SketchName, StatisticName, views_among};
use crate::audit::verdict::Families;
use deckproof_deck::deck::Deck;
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock, EMPTY_LANE, Row};
use deckproof_stats::battery::catalogue::{self, Unknown};
use deckproof_stats::battery::duplicates::{self, Equivalence};
use deckproof_stats::battery::stud::table::StudTable;
use deckproof_stats::battery::stud::{self, Seated};
use deckproof_stats::battery::{self, Label, Statistic, Tier, View};

/// One statistic and the views it is shown.
#[derive(Clone)]
pub struct Chosen {
    /// What counts.
    pub statistic: &'static dyn Statistic,
    /// On what.
    pub views: Vec<View>,
}

/// One look for repeated decks and the views it is at.
#[derive(Clone)]
pub struct ChosenSketch {
    /// What counts as the same.
    pub equivalence: &'static Equivalence,
    /// Where.
    pub views: Vec<View>,
}

impl Chosen {
    fn on_all_views(statistic: &'static dyn Statistic) -> Chosen {
        Chosen { statistic, views: statistic.views().to_vec() }
    }

    /// The name of a statistic with what decides its result.
    pub fn name(&self) -> StatisticName {
        let about = self.statistic.about();
        StatisticName { id: about.id.to_owned(), version: about.version, views: self.views.clone() }
    }
}

impl ChosenSketch {
    /// The name of a sketch with what decides its result.
    pub fn name(&self) -> SketchName {
        let ChosenSketch { equivalence, views } = self;
        SketchName {
            id: equivalence.id().to_owned(),
            version: equivalence.about.version,
            views: views.clone(),
            keys_max: equivalence.keys_max as u64,
        }
    }
}

/// What a plan runs.
#[derive(Clone)]
pub struct Selection {
    /// What counts, in the order of certificates.
    pub statistics: Vec<Chosen>,
    /// What looks for repeated decks.
    pub sketches: Vec<ChosenSketch>,
    /// The views that are shown to any of them, and the decks themselves in any case.
    pub views: Vec<View>,
    /// The dealer's numbers of the cards, where they are not those of this program.
    pub(super) numbers: Option<Row>,
    /// What windows are drawn by: the beginning of the plan's hash.
    pub(super) draw: u64,
}

impl Selection {
    /// Everything of some tiers, in the order of certificates.
    pub fn of_tiers(tiers: &[Tier]) -> Selection {
        let shown = View::of_tiers(tiers);
        let among = |views: &[View]| shown.iter().copied().filter(|view| views.contains(view)).collect();
        let statistics = battery::of_tiers(tiers)
            .into_iter()
            .map(|statistic| Chosen { statistic, views: among(statistic.views()) });
        let sketches = duplicates::of_tiers(tiers)
            .into_iter()
            .map(|equivalence| ChosenSketch { equivalence, views: among(equivalence.about.design.views) });
        Selection::of_chosen(statistics.collect(), sketches.collect())
    }

    /// These, each on all of its views.
    pub fn of_parts(
        statistics: &[&'static dyn Statistic],
        equivalences: &[&'static Equivalence],
    ) -> Selection {
        let sketch = |&equivalence: &&'static Equivalence| ChosenSketch {
            equivalence,
            views: equivalence.about.design.views.to_vec(),
        };
        let statistics = statistics.iter().copied().map(Chosen::on_all_views).collect();
        Selection::of_chosen(statistics, equivalences.iter().map(sketch).collect())
    }

    fn of_chosen(statistics: Vec<Chosen>, sketches: Vec<ChosenSketch>) -> Selection {
        let statistics: Vec<Chosen> =
            statistics.into_iter().filter(|chosen| !chosen.views.is_empty()).collect();
        let sketches: Vec<ChosenSketch> =
            sketches.into_iter().filter(|chosen| !chosen.views.is_empty()).collect();
        let is_shown = |view: &View| {
            *view == View::Deck
                || statistics.iter().any(|chosen| chosen.views.contains(view))
                || sketches.iter().any(|chosen| chosen.views.contains(view))
        };
        let views = View::ALL.into_iter().filter(is_shown).collect();
        Selection { statistics, sketches, views, numbers: None, draw: 0 }
    }

    /// The same for a dealer that starts from an order of its own: the number of a card is its place in that order.
    pub(super) fn of_dealer(self, start: Option<&Deck>) -> Selection {
        let numbers = |start: &Deck| {
            let mut numbers = [EMPTY_LANE; BLOCK_HANDS];
            numbers[..start.places().len()].copy_from_slice(&start.places());
            numbers
        };
        Selection { numbers: start.map(numbers), ..self }
    }

    /// The same with windows drawn by a plan's hash.
    pub(super) fn drawn_by(self, draw: u64) -> Selection {
        Selection { draw, ..self }
    }

    /// What a plan names, from the catalogue of this program.
    ///
    /// # Errors
    /// [`PlanError`]: a name that is unknown, a version that this program does not have, a view that means nothing.
    pub(super) fn of_names(
        statistics: &[StatisticName],
        sketches: &[SketchName],
        table: Option<&'static StudTable>,
    ) -> Result<Selection, PlanError> {
        let statistics: Vec<Chosen> = statistics
            .iter()
            .map(|name| {
                let statistic = catalogue::find(&name.id, name.version, table)?;
                Ok(Chosen { statistic, views: views_among(&name.id, &name.views, statistic.views())? })
            })
            .collect::<Result<_, PlanError>>()?;
        let sketches: Vec<ChosenSketch> = sketches
            .iter()
            .map(|name| {
                let equivalence = find_sketch(duplicates::all(), name)?;
                Ok(ChosenSketch {
                    equivalence,
                    views: views_among(&name.id, &name.views, equivalence.about.design.views)?,
                })
            })
            .collect::<Result<_, PlanError>>()?;
        let selection = Selection::of_chosen(statistics, sketches);
        match selection.twice() {
            Some(id) => Err(PlanError::Twice(id.to_owned())),
            None => Ok(selection),
        }
    }

    /// An id that is there more than once: tallies go by it.
    fn twice(&self) -> Option<&'static str> {
        let ids: Vec<&str> = self.ids().collect();
        ids.iter().enumerate().find(|(place, id)| ids[..*place].contains(id)).map(|(_, id)| *id)
    }

    /// The same with the statistics of the hands dealt at a table, if there is one.
    pub fn at_table(self, table: Option<&'static StudTable>) -> Selection {
        let dealt = table.into_iter().flat_map(stud::at_table);
        let dealt = dealt.map(Chosen::on_all_views);
        Selection::of_chosen(self.statistics.into_iter().chain(dealt).collect(), self.sketches)
    }

    /// Only what has one of these ids.
    pub fn only(self, ids: &[String]) -> Selection {
        self.keeping(|id| ids.iter().any(|named| named == id))
    }

    /// Everything but what has one of these ids.
    pub fn without(self, ids: &[String]) -> Selection {
        self.keeping(|id| !ids.iter().any(|named| named == id))
    }

    fn keeping(self, is_kept: impl Fn(&str) -> bool) -> Selection {
        let Selection { mut statistics, mut sketches, .. } = self;
        statistics.retain(|chosen| is_kept(chosen.statistic.about().id));
        sketches.retain(|chosen| is_kept(chosen.equivalence.id()));
        Selection::of_chosen(statistics, sketches)
    }

    /// The K families that share the level, and how many p-values each can have of so many decks; of a stream whose end
    /// nobody knows, of any number.
    pub fn families(&self, decks: Option<u64>) -> Families {
        let mut families = Families::new();
        let held = |view: View| decks.map_or(u64::MAX, |decks| battery::decks_of(view, decks));
        for Chosen { statistic, views } in &self.statistics {
            let fed =
                views.iter().map(|&view| held(view)).filter(|&held| held >= statistic.about().decks_min);
            let p_values: u64 = fed.map(|held| statistic.parts(held)).sum();
            if p_values > 0 {
                *families.entry(statistic.family().to_owned()).or_default() += p_values;
            }
        }
        let searches: u64 = self.sketches.iter().map(|chosen| chosen.views.len() as u64).sum();
        if searches > 0 {
            families.insert(duplicates::FAMILY.to_owned(), searches);
        }
        families
    }

    /// The ids of the statistics, then those of the sketches.
    pub fn ids(&self) -> impl Iterator<Item = &'static str> + '_ {
        let counted = self.statistics.iter().map(|chosen| chosen.statistic.about().id);
        counted.chain(self.sketches.iter().map(|chosen| chosen.equivalence.id()))
    }

    /// Whether nothing runs.
    pub fn is_empty(&self) -> bool {
        self.statistics.is_empty() && self.sketches.is_empty()
    }

    /// The statistics that see a view, in its order.
    pub fn seeing(&self, view: View) -> impl Iterator<Item = &'static dyn Statistic> + '_ {
        let seeing = self.statistics.iter().filter(move |chosen| chosen.views.contains(&view));
        seeing.map(|chosen| chosen.statistic)
    }

    /// Blocks of decks as a statistic is shown them: with the dealer's numbers of the cards, where it asks for those.
    pub fn shown_to(&self, statistic: &dyn Statistic, blocks: Vec<DeckBlock>) -> Vec<DeckBlock> {
        match &self.numbers {
            Some(numbers) if statistic.label(View::Deck) == Label::Number => {
                blocks.iter().map(|block| block.renamed(numbers)).collect()
            }
            _ => blocks,
        }
    }

    /// Whether any statistic or sketch sees a view.
    pub(super) fn shows(&self, view: View) -> bool {
        self.views.contains(&view)
    }

    /// The table at which hands are dealt, if they are.
    pub(super) fn table(&self) -> Option<&'static StudTable> {
        self.statistics.iter().find_map(|chosen| chosen.statistic.seated()).map(Seated::table)
    }

    /// What looks for repeated decks on a view.
    pub fn equivalences_on(&self, view: View) -> impl Iterator<Item = &'static Equivalence> + '_ {
        let looking = self.sketches.iter().filter(move |chosen| chosen.views.contains(&view));
        looking.map(|chosen| chosen.equivalence)
    }
}

/// What counts as the same deck, by name and version.
fn find_sketch(
    catalogue: &[&'static Equivalence],
    name: &SketchName,
) -> Result<&'static Equivalence, PlanError> {
    let of_id = catalogue.iter().copied().filter(|equivalence| equivalence.id() == name.id);
    let known: Vec<u32> = of_id.clone().map(|equivalence| equivalence.about.version).collect();
    let mut of_version = of_id.filter(|equivalence| equivalence.about.version == name.version);
    let (id, found) = (name.id.clone(), name.version);
    of_version.next().ok_or_else(|| {
        if known.is_empty() {
            Unknown::Id { id }.into()
        } else {
            Unknown::Version { id, found, known }.into()
        }
    })
}
