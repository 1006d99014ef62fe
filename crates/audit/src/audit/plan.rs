//! The plan: everything that decides a result, frozen and hashed before the first deck.

#[doc(hidden)]
pub mod error;
#[doc(hidden)]
pub mod names;
pub mod subject;

use serde::{Deserialize, Serialize};

use crate::audit::plan::error::PlanError;
use crate::audit::plan::names::{PlannedTable, SketchName, StatisticName};
use crate::audit::plan::subject::Subject;
use crate::audit::selection::{Chosen, ChosenSketch, Selection};
use crate::audit::verdict::Families;
use crate::source::format::Numbering;
use crate::source::record::SourceRecord;
use deckproof_deck::card::Card;
use deckproof_deck::commitment::digest::Digest;
use deckproof_deck::deck::Deck;
use deckproof_deck::deck::block::BLOCK_HANDS;
use deckproof_files::file;
use deckproof_stats::battery::stud::table::StudTable;
use deckproof_stats::battery::{self, Tier};

/// Decks per segment: work is cut, counted and resumed in whole segments from deck 0, so that a result
/// does not depend on threads, shards or interruption.
pub const SEGMENT_DECKS: u64 = battery::SEGMENT_DECKS;

/// Blocks of 64 decks in a segment.
pub const SEGMENT_BLOCKS: u64 = SEGMENT_DECKS / BLOCK_HANDS as u64;

/// The version of plans and certificates; a change of meaning is a new one.
pub const PLAN_FORMAT: &str = "deckproof/plan/v6";

/// What is to be run. Its hash is in every output.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// [`PLAN_FORMAT`].
    pub format: String,
    /// What is examined, for whom and by whom, as somebody says.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub subject: Option<Subject>,
    /// Where the decks come from.
    pub source: SourceRecord,
    /// Of a program whose output the decks are: SHA-256 of the words of its command line, each followed by a zero
    /// byte. What the words refer to is not checked.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub program_sha256: Option<String>,
    /// How many decks; absent: to the end of the stream.
    pub decks: Option<u64>,
    /// The table at which the tier stud deals hands; there exactly where a statistic of dealt hands runs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub table: Option<PlannedTable>,
    /// The dealer's start order, 52 cards from the top, if it is not 2c 2d 2h 2s 3c … As: what asks for order, cycles and
    /// draws then sees each card as the place it had in this order, what asks for ranks and suits sees the card. Where
    /// the records number the cards suit by suit, that is the order unless another one is named.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub start_order: Option<String>,
    /// The one repeat if the first look says investigate; absent where it is switched off or the source
    /// cannot go on.
    pub repeat: Option<Repeat>,
    /// Family p-values below this are not a pass.
    pub level: f64,
    /// Family p-values below this are a fail at once, if they can carry it.
    pub level_fail: f64,
    /// With fewer decks and nothing found the verdict is inconclusive.
    pub decks_min: u64,
    /// The K families that share the level of the first look equally, each with m_f, the number of p-values that share its
    /// part: as many as its statistics can have of the decks planned, whatever they turn out to have.
    pub families: Families,
    /// What counts, each in its version and on its views: this list alone decides what runs.
    pub statistics: Vec<StatisticName>,
    /// What looks for repeated decks.
    pub sketches: Vec<SketchName>,
}

/// The one repeat that a plan declares, before any data: the next decks of the same source, judged once.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repeat {
    /// How many decks, the next ones of the same source.
    pub decks: u64,
    /// Family p-values below this are a fail, others a pass: there is no third zone.
    pub level: f64,
    /// The families and numbers of p-values of the repeat.
    pub families: Families,
}

impl Repeat {
    fn of(decks: u64, selection: &Selection) -> Repeat {
        Repeat { decks, level: LEVEL, families: selection.families(Some(decks)) }
    }
}

/// The repeat that the rest of a file gives. With fewer decks than the first look it would pass what it could not see.
fn rest_of(source: &SourceRecord, decks: Option<u64>, selection: &Selection) -> Option<Repeat> {
    let decks = decks.filter(|&decks| decks > 0)?;
    let rest = source.records_left()?.min(decks.saturating_mul(REPEAT_FACTOR));
    (rest >= decks).then(|| Repeat::of(rest, selection))
}

/// Family p-values below this are not a pass.
const LEVEL: f64 = 0.01;

/// Family p-values below this are a fail at once, if they can carry it.
const LEVEL_FAIL: f64 = 1e-6;

/// With fewer decks and nothing found the verdict is inconclusive.
pub const DECKS_MIN: u64 = 1_000;

/// How many times the decks of the first look the repeat has.
const REPEAT_FACTOR: u64 = 4;

impl Plan {
    /// The plan of some tiers of decks on a source; with the repeat, where the source can go on. The tier
    /// stud comes with its table: [`Plan::at_table`].
    pub fn new(source: SourceRecord, decks: Option<u64>, tiers: &[Tier]) -> Plan {
        Plan::of_selection(source, decks, &Selection::of_tiers(tiers))
    }

    /// The plan of a selection on a source; with the repeat, where the source can go on.
    pub fn of_selection(source: SourceRecord, decks: Option<u64>, selection: &Selection) -> Plan {
        let repeat_decks =
            decks.filter(|_| source.abilities().go_on).and_then(|n| n.checked_mul(REPEAT_FACTOR));
        let repeat_of = |decks| Repeat::of(decks, selection);
        let numbered = Numbering::start_order_of(&source);
        let plan = Plan {
            format: PLAN_FORMAT.to_owned(),
            subject: None,
            program_sha256: None,
            decks,
            table: selection.table().map(PlannedTable::of),
            start_order: None,
            source,
            repeat: repeat_decks.map(repeat_of),
            statistics: selection.statistics.iter().map(Chosen::name).collect(),
            sketches: selection.sketches.iter().map(ChosenSketch::name).collect(),
            level: LEVEL,
            level_fail: LEVEL_FAIL,
            decks_min: DECKS_MIN,
            families: selection.families(decks),
        };
        match &numbered {
            Some(order) => plan.with_start_order(order),
            None => plan,
        }
    }

    /// The same plan with hands dealt at a table, if there is one.
    pub fn at_table(self, table: Option<&'static StudTable>) -> Plan {
        if table.is_none() {
            return self;
        }
        let selection = self.selection().at_table(table);
        let usual = Plan::of_selection(self.source.clone(), self.decks, &selection);
        let repeat = self.repeat.clone().and(usual.repeat.clone());
        let Plan { subject, program_sha256, start_order, .. } = self;
        Plan { subject, repeat, program_sha256, start_order, ..usual }
    }

    /// The same plan with what is examined, for whom and by whom; an empty subject says nothing.
    pub fn about(self, subject: Subject) -> Plan {
        Plan { subject: Some(subject).filter(|subject| !subject.is_empty()), ..self }
    }

    /// The same plan with the repeat from the rest of a file of recorded decks, where as many decks as those of the first look
    /// are left: four times as many, or what there is.
    pub fn repeated_from_the_rest(self) -> Plan {
        if self.repeat.is_some() {
            return self;
        }
        let selection = self.selection();
        let repeat = rest_of(&self.source, self.decks, &selection);
        Plan { repeat, ..self }
    }

    /// The table at which hands are dealt, if there is one and this program knows it.
    pub fn table(&self) -> Option<&'static StudTable> {
        self.table.as_ref().and_then(PlannedTable::table)
    }

    /// The same plan without the repeat.
    pub fn without_repeat(self) -> Plan {
        Plan { repeat: None, ..self }
    }

    /// The same plan for the output of one command line.
    pub fn of_program(self, sha256: Option<&str>) -> Plan {
        Plan { program_sha256: sha256.map(str::to_owned), ..self }
    }

    /// The same plan for a dealer that starts from another order than 2c 2d 2h 2s 3c … As.
    pub fn with_start_order(self, order: &Deck) -> Plan {
        let cards: Vec<String> = order.cards().map(|card| card.to_string()).collect();
        let is_usual = *order == Deck::in_order();
        Plan { start_order: (!is_usual).then(|| cards.join(" ")), ..self }
    }

    /// The dealer's start order; `None` for 2c 2d 2h 2s 3c … As.
    ///
    /// # Errors
    /// [`PlanError::StartOrder`] if the plan names anything but the 52 cards in another order.
    pub fn start_order(&self) -> Result<Option<Deck>, PlanError> {
        let Some(text) = &self.start_order else { return Ok(None) };
        let wrong = |found: String| PlanError::StartOrder(found);
        let cards: Result<Vec<u8>, _> =
            text.split(' ').map(|word| word.parse::<Card>().map(Card::index)).collect();
        let order = Deck::try_from(&cards.map_err(|error| wrong(error.to_string()))?[..])
            .map_err(|error| wrong(error.to_string()))?;
        let again = self.clone().with_start_order(&order).start_order;
        if again == self.start_order { Ok(Some(order)) } else { Err(wrong(format!("{text:?}"))) }
    }

    /// The dealer's start order where somebody stated another than that of the numbering: it decides where order, cycles and draws
    /// are looked at, and nothing in the decks of a fair dealer shows whether it is true.
    pub fn stated_start_order(&self) -> Option<Deck> {
        let own = self.start_order().ok()?.unwrap_or_else(Deck::in_order);
        let usual = Numbering::start_order_of(&self.source).unwrap_or_else(Deck::in_order);
        (own != usual).then_some(own)
    }

    /// SHA-256 of the plan as compact JSON with its fields in the order of this type.
    pub fn sha256(&self) -> String {
        let text = serde_json::to_string(self).expect("a plan is plain data");
        file::sha256(text)
    }

    /// What windows are drawn by: the first 64 bits of its hash.
    fn draw(&self) -> u64 {
        let text = self.sha256();
        u64::from_str_radix(&text[..16], 16).expect("a hash is hexadecimal digits")
    }

    /// Checks that this program runs what the plan says, and that the plan says one thing only.
    ///
    /// # Errors
    /// [`PlanError`] names the part that is unknown or differs.
    pub fn check(&self) -> Result<(), PlanError> {
        if self.format != PLAN_FORMAT {
            return Err(PlanError::Format { found: self.format.clone(), wanted: PLAN_FORMAT });
        }
        self.source.check().map_err(PlanError::Source)?;
        self.start_order()?;
        let selection = self.known_selection()?;
        if selection.is_empty() {
            return Err(PlanError::Empty);
        }
        let usual = Plan::of_selection(self.source.clone(), self.decks, &selection);
        let rest = || rest_of(&self.source, self.decks, &selection);
        let repeat = self.repeat.as_ref().and(usual.repeat.clone().or_else(rest));
        let is_sha256 = |text: &String| Digest::from_hex(text).is_some();
        let program_sha256 =
            self.program_sha256.clone().filter(is_sha256).filter(|_| self.source.is_stream());
        let (subject, start_order) = (self.subject.clone(), self.start_order.clone());
        let own = Plan { subject, start_order, program_sha256, repeat, ..usual };
        let parts = [
            ("program", self.program_sha256 == own.program_sha256),
            ("table", self.table == own.table),
            ("statistics", self.statistics == own.statistics),
            ("sketches of fingerprints", self.sketches == own.sketches),
            ("families", self.families == own.families),
            ("repeat", self.repeat == own.repeat),
            ("levels", self == &own),
        ];
        match parts.into_iter().find(|(_, is_same)| !is_same) {
            Some((part, _)) => Err(PlanError::Other(part)),
            None => Ok(()),
        }
    }

    fn known_selection(&self) -> Result<Selection, PlanError> {
        Selection::of_names(&self.statistics, &self.sketches, self.table())
    }

    /// The statistics and sketches it names, in its order.
    ///
    /// # Panics
    /// If the plan is not one of this program: [`Plan::check`] says so.
    pub fn selection(&self) -> Selection {
        let order = self.start_order().expect("a plan is checked before it is run");
        let own = self.known_selection().expect("a plan is checked before it is run");
        own.of_dealer(order.as_ref()).drawn_by(self.draw())
    }

    /// The tiers whose statistics of this program it runs, all of them and in their versions: a short name for a plan,
    /// or `None` for a plan that is its own.
    pub fn tiers(&self) -> Option<Vec<Tier>> {
        let named = |tiers: &[Tier]| {
            let selection = Selection::of_tiers(tiers).at_table(self.table());
            let statistics: Vec<StatisticName> = selection.statistics.iter().map(Chosen::name).collect();
            let sketches: Vec<SketchName> = selection.sketches.iter().map(ChosenSketch::name).collect();
            (statistics, sketches) == (self.statistics.clone(), self.sketches.clone())
        };
        let sets: [&[Tier]; 4] = [&[], &[Tier::Core], &[Tier::Deep], &Tier::OF_DECKS];
        let tiers = sets.into_iter().find(|tiers| named(tiers))?;
        Some(tiers.iter().copied().chain(self.table.iter().map(|_| Tier::Stud)).collect())
    }

    /// The names of its tiers; none for a plan that is its own.
    pub fn tier_names(&self) -> Vec<String> {
        self.tiers().into_iter().flatten().map(|tier| tier.name().to_owned()).collect()
    }

    /// What runs, in a few words: `tiers core, deep`, or how many of the program's statistics.
    pub fn extent(&self) -> String {
        // The search for repeated decks is in no tier.
        match self.tiers().filter(|tiers| !tiers.is_empty()) {
            Some(tiers) => {
                format!("tiers {}", tiers.iter().map(|tier| tier.name()).collect::<Vec<_>>().join(", "))
            }
            None => {
                let (own, all) = (self.statistics.len() + self.sketches.len(), Plan::all_ids().len());
                format!("{own} of the {all} statistics of this program")
            }
        }
    }

    /// Every statistic of this program; those of dealt hands are the program's too, whatever table a plan has.
    pub fn all_ids() -> Vec<&'static str> {
        Selection::of_tiers(&Tier::OF_DECKS).at_table(StudTable::all().first()).ids().collect()
    }

    /// The statistics of this program that do not run, in no version.
    pub fn left_out(&self) -> Vec<String> {
        let own: Vec<&str> = self.selection().ids().collect();
        Plan::all_ids().into_iter().filter(|id| !own.contains(id)).map(str::to_owned).collect()
    }

    /// How many segments the plan has, the last one perhaps short; `None` for a stream to its end.
    pub fn segments(&self) -> Option<u64> {
        self.decks.map(|decks| decks.div_ceil(SEGMENT_DECKS))
    }
}

/// One of n parts of a plan, for runs on several machines; parts are whole segments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// 1 to `count`.
    pub index: u64,
    /// Into how many parts the plan is cut.
    pub count: u64,
}

impl Shard {
    /// The whole plan.
    pub const WHOLE: Shard = Shard { index: 1, count: 1 };

    /// Whether it is one of so many parts.
    pub fn is_sound(self) -> bool {
        (1..=self.count).contains(&self.index)
    }

    /// The segments of this part of so many: `⌊S·(i−1)/n⌋ .. ⌊S·i/n⌋`.
    ///
    /// # Panics
    /// If it is not [sound](Shard::is_sound).
    pub fn segments(self, total: u64) -> std::ops::Range<u64> {
        assert!(self.is_sound(), "a part is one of those there are");
        let bound = |part: u64| (u128::from(total) * u128::from(part) / u128::from(self.count)) as u64;
        bound(self.index - 1)..bound(self.index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{flawed, os};

    #[test]
    fn shards_tile_the_plan_whatever_the_numbers() {
        for total in [0, 1, 2, 7, 16, 15_259] {
            for count in [1, 2, 3, 16, 20] {
                let mut next = 0;
                for index in 1..=count {
                    let range = Shard { index, count }.segments(total);
                    assert_eq!(range.start, next);
                    next = range.end;
                }
                assert_eq!(next, total);
            }
        }
    }

    #[test]
    fn a_plan_of_another_battery_is_refused_by_name() {
        let mut plan = Plan::new(os::record(), Some(10), &Tier::OF_DECKS);
        assert_eq!(plan.check(), Ok(()));
        plan.statistics[0].version += 1;
        let error = plan.check().expect_err("there is no such version");
        assert!(error.is_of_another_version(), "{error}");
        plan.statistics[0].version -= 1;
        plan.statistics[0].id = "horoscope".to_owned();
        assert_eq!(plan.check(), Err(PlanError::Unknown("horoscope".to_owned())));
    }

    #[test]
    fn a_plan_that_says_two_things_is_refused() {
        let plan = || Plan::new(os::record(), Some(2_000), &[Tier::Core]);
        let refused = |change: &dyn Fn(&mut Plan)| {
            let mut plan = plan();
            change(&mut plan);
            let error = plan.check().expect_err("it was changed");
            assert!(!error.is_of_another_version(), "{error}");
            error.to_string()
        };
        assert!(refused(&|plan| plan.statistics[0].views.clear()).contains("views"));
        assert!(refused(&|plan| plan.statistics[0].views.reverse()).contains("views"));
        assert!(refused(&|plan| plan.statistics.push(plan.statistics[0].clone())).contains("twice"));
        assert!(refused(&|plan| plan.sketches[0].keys_max = 1).contains("sketches"));
        assert!(refused(&|plan| plan.decks = Some(3_000)).contains("repeat"));
        assert!(refused(&|plan| plan.level = 0.5).contains("levels"));
        assert!(
            refused(&|plan| *plan.families.get_mut("cycles").expect("core has it") -= 1).contains("families")
        );
        let lenient = |plan: &mut Plan| {
            plan.repeat.as_mut().expect("it goes on").families.insert("luck".to_owned(), 1);
        };
        assert!(refused(&lenient).contains("repeat"));
        let empty = |plan: &mut Plan| {
            plan.statistics.clear();
            plan.sketches.clear();
        };
        assert!(refused(&empty).contains("nothing"));
    }

    #[test]
    fn a_plan_names_its_tiers_or_says_how_many_of_the_statistics_it_has() {
        let plan = |tiers: &[Tier]| Plan::new(flawed::record("sattolo", 1), Some(1_000), tiers);
        let core = plan(&[Tier::Core]);
        assert_eq!((core.tier_names(), core.extent()), (vec!["core".to_owned()], "tiers core".to_owned()));
        let all = plan(&Tier::OF_DECKS);
        let rules = deckproof_stud::stud::rules::RuleSet::named("stud-hi").expect("it is published");
        let table = StudTable::of(rules, 6).expect("it is judged");
        let at_table = all.clone().at_table(Some(table));
        assert_eq!(at_table.tier_names(), ["core", "deep", "stud"]);
        assert_eq!(all.clone().at_table(None), all);
        let ids = ["parity".to_owned(), "cycles".to_owned(), "duplicates".to_owned()];
        let selection = Selection::of_tiers(&Tier::OF_DECKS).only(&ids);
        let own = Plan::of_selection(flawed::record("sattolo", 1), Some(1_000), &selection);
        let known = Selection::of_tiers(&Tier::OF_DECKS).at_table(Some(table)).ids().count();
        assert_eq!(own.tier_names(), Vec::<String>::new());
        assert_eq!(own.extent(), format!("3 of the {known} statistics of this program"));
    }
}
