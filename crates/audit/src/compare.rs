//! Two audits side by side: whether both sets of decks have one distribution.
//!
//! Play money against real money, table against table, before a release against after it. Nothing is assumed of the
//! shuffler but that its decks are independent of one another: a flaw that both sets share is no difference. Where the decks of
//! either set are seen to depend on one another nothing is stated ([`memory`]). Compared are the counts of
//! all statistics that ask a question of each deck by itself ([`deckproof_stats::battery::two_samples`]), of the first look of each
//! audit. Families share the level as in an audit ([`crate::audit::verdict`]): below 0.01 the sets are judged to differ in a
//! way that chance seldom explains, below one in a million, on an exact distribution, that they are not alike.

mod claims;
pub mod memory;
pub mod shared;

use serde::Serialize;

use crate::audit::plan::Plan;
use crate::audit::selection::Selection;
use crate::audit::verdict::{Finding, Rule, Verdict, judge};
use crate::certificate::AuditResult;
use crate::certificate::look::Look;
use crate::compare::memory::Memory;
use crate::compare::shared::SharedDecks;
use crate::source::format::Numbering;
use deckproof_stats::battery::stud::table::StudTable;
use deckproof_stats::battery::two_samples::{Share, SideBySide, is_comparable, side_by_side};
use deckproof_stats::battery::{Outcome, Statistic, Tier, View};
use deckproof_stats::math::normal;

/// Family p-values below this are a question.
pub const LEVEL: f64 = 0.01;

/// Family p-values below this, of an exact distribution, say that the sets are not alike.
pub const LEVEL_FAIL: f64 = 1e-6;

/// Fewer decks in either set and nothing can be concluded.
pub const DECKS_MIN: u64 = 1_000;

/// Why two audits cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// The same decks twice.
    #[error("both sets are the same decks: {0}")]
    Same(String),
    /// Some decks twice.
    #[error("some records are in both sets: {0}, and {1}")]
    Overlap(String, String),
    /// All counts twice.
    #[error(
        "found the same counts in both sets, in every statistic that is compared, as of a copy or of decks that were counted twice"
    )]
    SameCounts,
    /// No statistic in the same version on both sides.
    #[error("the audits have no statistic in common that can be compared")]
    NothingInCommon,
    /// Dealt at different tables.
    #[error("found hands dealt at {first} and at {second}, wanted one table")]
    Tables {
        /// The first audit's table.
        first: String,
        /// The second one's.
        second: String,
    },
    /// An audit that ended before its statistics were counted.
    #[error("the {0} audit has no counts: it ended at a record that is no deck")]
    NoCounts(&'static str),
}

/// The statistics that are compared, of decks and of the hands they deal at a table.
pub fn selection(table: Option<&'static StudTable>) -> Selection {
    let all = Selection::of_tiers(&Tier::OF_DECKS).at_table(table);
    let is_asked =
        |statistic: &&dyn Statistic| is_comparable(*statistic) || memory::is_asked(statistic.about().id);
    let ids: Vec<String> =
        all.seeing(View::Deck).filter(is_asked).map(|statistic| statistic.about().id.to_owned()).collect();
    let mut own = all.only(&ids);
    for chosen in &mut own.statistics {
        chosen.views = if memory::is_asked_of_pairs(chosen.statistic.about().id) {
            vec![View::Deck, View::Relative]
        } else {
            vec![View::Deck]
        };
    }
    own.views = vec![View::Deck, View::Relative];
    own
}

/// What was found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Comparison {
    /// [`Verdict::Pass`]: no difference was found.
    pub verdict: Verdict,
    /// Decks of the first and of the second set.
    pub decks: [u64; 2],
    /// Where they came from.
    pub sources: [String; 2],
    /// Over all p-values, with equal shares for families.
    pub family_p_value: f64,
    /// The same over those of exact distributions.
    pub family_p_value_convicting: f64,
    /// Every p-value, the smallest first.
    pub p_values: Vec<PValue>,
    /// For every statistic the answer whose share differs most, in the order of `p_values`.
    pub differences: Vec<UnevenAnswer>,
    /// Of either set whether its decks were seen to depend on one another, where that was asked.
    pub memory: [Option<Memory>; 2],
    /// Statistics that are compared where both audits have counted them, and that one of these has not.
    #[serde(skip)]
    pub not_compared: Vec<String>,
    /// Statistics of single decks that are not put side by side.
    #[serde(skip)]
    pub not_side_by_side: Vec<String>,
    /// How the numbers of either set were taken for cards; `None` where its records name the cards, or the user said how they count.
    #[serde(skip)]
    pub numberings: [Option<Numbering>; 2],
    /// Decks of the first set that stand in the second, where both were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared: Option<SharedDecks>,
}

impl Comparison {
    /// The same once the decks of one set were looked for in the other. The statistics compare independent decks: of sets
    /// that share some, alike or not, they say nothing.
    pub fn looked_through(mut self, shared: SharedDecks) -> Comparison {
        if shared.decks > 0 {
            self.verdict = Verdict::Inconclusive;
        }
        self.shared = Some(shared);
        self
    }

    /// Whether the decks of a set depend on one another, so that the comparison says nothing.
    pub fn has_memory(&self) -> bool {
        self.memory.iter().flatten().any(|own| own.is_seen)
    }

    /// How many decks of the first set were found in the second.
    pub fn decks_shared(&self) -> u64 {
        self.shared.as_ref().map_or(0, |shared| shared.decks)
    }
}

/// One p-value. Null: both sets are of one distribution.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PValue {
    /// Statistic and part.
    pub id: String,
    /// The family it shares its level with.
    pub family: String,
    /// What the score is.
    pub score_name: String,
    /// The score.
    pub score: f64,
    /// Two-sided.
    pub p_value: f64,
    /// Whether it rests on an exact distribution, a bound, or χ² with large expectations.
    pub may_convict: bool,
}

/// One answer in both sets.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct UnevenAnswer {
    /// The statistic.
    pub statistic: String,
    /// The answer.
    pub answer: String,
    /// How many decks of each set give it.
    pub decks: [u64; 2],
    /// The difference of the shares, the first less the second.
    pub difference: f64,
    /// What it lies in with a confidence of 99 %, whichever of the answers of whichever statistic is the most uneven one (Newcombe
    /// 1998, method 10, with Bonferroni over all of them). It is an approximation for large sets, from [`DECKS_MIN`] decks on.
    pub interval: [f64; 2],
    /// A difference of so much of the share itself is called one nine times in ten, with these numbers of decks.
    pub found_from: f64,
}

impl UnevenAnswer {
    /// How small a relative difference is found: of one card at one place, or behind another, in the share that a fair shuffler gives it, so that it
    /// says what so many decks show and not what these did.
    pub fn found_from_fair(&self, decks: [u64; 2]) -> f64 {
        let odds = |share: f64| (1.0 - share) / share;
        let all = self.decks.iter().sum::<u64>() as f64 / decks.iter().sum::<u64>() as f64;
        match self.statistic.as_str() {
            "card-place" | "adjacency" if 0.0 < all && all < 1.0 => {
                self.found_from * (odds(1.0 / 52.0) / odds(all)).sqrt()
            }
            _ => self.found_from,
        }
    }
}

/// One side of a comparison.
struct Side<'a> {
    plan: &'a Plan,
    look: &'a Look,
    selection: Selection,
}

impl<'a> Side<'a> {
    fn of(result: &'a AuditResult, which: &'static str) -> Result<Side<'a>, CompareError> {
        if result.first.tallies.is_empty() {
            return Err(CompareError::NoCounts(which));
        }
        Ok(Side { plan: &result.plan, look: &result.first, selection: result.plan.selection() })
    }

    fn counts(&self, id: &str) -> Option<&[u64]> {
        let own = self.look.tallies.iter().find(|tally| tally.view == View::Deck && tally.id == id)?;
        Some(&own.counts)
    }

    fn version(&self, id: &str) -> Option<u32> {
        let own = self.selection.seeing(View::Deck).find(|statistic| statistic.about().id == id)?;
        Some(own.about().version)
    }
}

/// Compares the first looks of two audits. The caller has judged them again: their integers are taken as they are.
///
/// # Errors
/// [`CompareError`] if they have nothing in common or are the same decks.
pub fn compare(first: &AuditResult, second: &AuditResult) -> Result<Comparison, CompareError> {
    if first.source == second.source {
        return Err(CompareError::Same(first.source.to_string()));
    }
    if first.source.overlaps(&second.source) {
        return Err(CompareError::Overlap(first.source.to_string(), second.source.to_string()));
    }
    let sides = [Side::of(first, "first")?, Side::of(second, "second")?];
    check_tables(&sides)?;
    let sizes = [sides[0].look.decks, sides[1].look.decks];
    let mut found = compared(&sides, sizes)?;
    let families = found.len() as f64;
    let findings: Vec<Finding> = found
        .iter()
        .flat_map(|(statistic, compared)| {
            compared.outcomes.iter().map(|outcome| finding(*statistic, outcome))
        })
        .collect();
    let rule = Rule { level: LEVEL, level_fail: LEVEL_FAIL, decks_min: DECKS_MIN };
    let shares = found
        .iter()
        .map(|(statistic, own)| (statistic.about().id.to_owned(), own.outcomes.len() as u64))
        .collect();
    let judged = judge(&rule, false, sizes[0].min(sizes[1]), &findings, &shares);
    found.sort_by(|a, b| smallest(&a.1.outcomes).total_cmp(&smallest(&b.1.outcomes)));
    let differences = found
        .iter()
        .map(|(statistic, own)| {
            // One answer needs a p-value below its part of the level: families, p-values of the family, answers, sides.
            let parts = families * own.outcomes.len() as f64 * own.answers as f64;
            let answers = families * own.answers as f64;
            difference(statistic.about().id, &own.widest, answers, parts, sizes)
        })
        .collect();
    let mut p_values: Vec<PValue> = found
        .iter()
        .flat_map(|(statistic, own)| own.outcomes.iter().map(|outcome| p_value(*statistic, outcome)))
        .collect();
    p_values.sort_by(|a, b| a.p_value.total_cmp(&b.p_value));
    let table = sides.iter().find_map(|side| side.plan.table());
    let (not_compared, not_side_by_side) = left_out(&found, table);
    let memory = sides.each_ref().map(|side| Memory::of(side.look));
    let is_seen = memory.iter().flatten().any(|own| own.is_seen);
    Ok(Comparison {
        verdict: if is_seen { Verdict::Inconclusive } else { judged.verdict },
        memory,
        decks: sizes,
        sources: [first.source.to_string(), second.source.to_string()],
        family_p_value: judged.family_p_value,
        family_p_value_convicting: judged.family_p_value_convicting,
        p_values,
        differences,
        not_compared,
        not_side_by_side,
        numberings: [first, second].map(|own| Numbering::of(&own.source)),
        shared: None,
    })
}

/// The statistics that both sides have in one version, and what their counts say of both.
fn compared<'a>(
    sides: &'a [Side; 2],
    sizes: [u64; 2],
) -> Result<Vec<(&'a dyn Statistic, SideBySide)>, CompareError> {
    let (mut found, mut is_same) = (Vec::new(), true);
    for statistic in sides[0].selection.seeing(View::Deck) {
        let id = statistic.about().id;
        let counts = sides[0].counts(id).zip(sides[1].counts(id));
        if let (Some((a, b)), Some(version)) = (counts, sides[1].version(id))
            && version == statistic.about().version
            && let Some(compared) = side_by_side(statistic, [a, b], sizes)
        {
            is_same &= a == b;
            found.push((statistic, compared));
        }
    }
    if found.is_empty() {
        return Err(CompareError::NothingInCommon);
    }
    if is_same { Err(CompareError::SameCounts) } else { Ok(found) }
}

/// The statistics that can be compared and were not, and those of single decks that are not asked.
fn left_out(
    found: &[(&dyn Statistic, SideBySide)],
    table: Option<&'static StudTable>,
) -> (Vec<String>, Vec<String>) {
    let is_left = |id: &&'static str| found.iter().all(|(own, _)| own.about().id != *id);
    let all = Selection::of_tiers(&Tier::OF_DECKS).at_table(table);
    let (all, others): (Vec<_>, Vec<_>) =
        all.seeing(View::Deck).partition(|statistic| is_comparable(*statistic));
    let not_side_by_side = others.iter().map(|statistic| statistic.about().id.to_owned()).collect();
    let left = all.iter().map(|statistic| statistic.about().id).filter(is_left);
    let not_compared = left.chain(table.is_none().then_some("dealt hands")).map(str::to_owned).collect();
    (not_compared, not_side_by_side)
}

fn check_tables(sides: &[Side; 2]) -> Result<(), CompareError> {
    match [&sides[0].plan.table, &sides[1].plan.table] {
        [Some(first), Some(second)] if first != second => {
            Err(CompareError::Tables { first: first.to_string(), second: second.to_string() })
        }
        _ => Ok(()),
    }
}

fn smallest(outcomes: &[Outcome]) -> f64 {
    outcomes.iter().map(|outcome| outcome.p_value).fold(1.0, f64::min)
}

fn finding(statistic: &dyn Statistic, outcome: &Outcome) -> Finding {
    let p_value_convicting = if outcome.tail.may_convict() { outcome.p_value } else { 1.0 };
    Finding { family: statistic.about().id, p_value: outcome.p_value, p_value_convicting }
}

fn p_value(statistic: &dyn Statistic, outcome: &Outcome) -> PValue {
    PValue {
        id: format!("{}.{}", statistic.about().id, outcome.part),
        family: statistic.about().id.to_owned(),
        score_name: outcome.score_name.clone(),
        score: outcome.score,
        p_value: outcome.p_value,
        may_convict: outcome.tail.may_convict(),
    }
}

fn difference(statistic: &str, widest: &Share, answers: f64, parts: f64, sizes: [u64; 2]) -> UnevenAnswer {
    let shares = [0, 1].map(|set| widest.decks[set] as f64 / sizes[set] as f64);
    let wilson = |set: usize| wilson(widest.decks[set], sizes[set], z_of(0.01 / (2.0 * answers)));
    let ([low_a, high_a], [low_b, high_b]) = (wilson(0), wilson(1));
    let off = |a: f64, b: f64| (a * a + b * b).sqrt();
    let (a, b) = (shares[0], shares[1]);
    let all = (widest.decks[0] + widest.decks[1]) as f64 / (sizes[0] + sizes[1]) as f64;
    let weight = 1.0 / sizes[0] as f64 + 1.0 / sizes[1] as f64;
    let needed = z_of(LEVEL / (2.0 * parts)) + z_of(0.1);
    UnevenAnswer {
        statistic: statistic.to_owned(),
        answer: widest.words.clone(),
        decks: widest.decks,
        difference: a - b,
        interval: [a - b - off(a - low_a, high_b - b), a - b + off(high_a - a, b - low_b)],
        found_from: needed * ((1.0 - all) / all * weight).sqrt(),
    }
}

/// Wilson's score interval (1927) of k of n.
fn wilson(k: u64, n: u64, z: f64) -> [f64; 2] {
    let (n, share) = (n as f64, k as f64 / n as f64);
    let middle = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    [middle - half, middle + half]
}

/// The z above which a normal variable lies with this probability, by halving.
fn z_of(probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        if normal::upper(middle) > probability { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::plan::Shard;
    use crate::session::resolved::ResolvedOptions;
    use crate::session::{Session, Unwatched};
    use crate::source::list::CATALOGUE;
    use crate::source::settings::Settings;

    fn audited(source: &str, decks: u64) -> AuditResult {
        let choice = CATALOGUE.ask(source.as_ref(), &Settings::default()).expect("a source");
        let request = ResolvedOptions {
            decks: Some(decks),
            ..ResolvedOptions::once(selection(StudTable::all().first()), None)
        };
        let opened = choice.open(request.decks).expect("it opens");
        let plan = request.plan(opened.record, opened.decks);
        let mut session = Session::begin(plan, Shard::WHOLE, opened.source, None).expect("it begins");
        session.answer(1, &Unwatched).expect("it is counted")
    }

    fn fair(number: usize, decks: u64) -> AuditResult {
        audited(&format!("audit:{number:064x}"), decks)
    }

    /// Sets of fair decks, also of unequal sizes: the p-values of single questions lie as they should, and few
    /// pairs are questioned.
    #[test]
    fn fair_pairs_are_not_distinguished() {
        const PAIRS: usize = 40;
        let (mut low, mut all, mut questioned) = (0, 0, 0);
        for pair in 0..PAIRS {
            let sizes = if pair % 2 == 0 { [1_000, 1_000] } else { [1_000, 3_000] };
            let own = [0, 1].map(|set| fair(2 * pair + set + 1, sizes[set]));
            let compared = compare(&own[0], &own[1]).expect("they can be compared");
            let shapes = compared.p_values.iter().filter(|own| {
                [
                    "rising-sequences.shape", "card-place.total", "card-place.ranks", "bring-in.shape",
                    "footrule.shape",
                ]
                .contains(&own.id.as_str())
            });
            for own in shapes {
                all += 1;
                low += u32::from(own.p_value < 0.2);
            }
            questioned += u32::from(compared.verdict != Verdict::Pass);
        }
        assert_eq!(all, 5 * PAIRS as u32);
        // 200 p-values, 40 of them below 0.2, give or take four standard deviations of 5.7.
        assert!((17..=63).contains(&low), "{low} of {all}");
        assert!(questioned <= 3, "{questioned} of {PAIRS}");
    }

    /// What a flawed dealer does in one set is found, and named by what it does.
    #[test]
    fn a_flawed_dealer_is_distinguished_from_a_fair_one() {
        let naive = audited("flawed:naive-swap", 20_000);
        let compared = compare(&naive, &fair(7, 20_000)).expect("they can be compared");
        assert_eq!(compared.verdict, Verdict::Fail);
        let sattolo = audited("flawed:sattolo", 2_000);
        let compared = compare(&sattolo, &fair(8, 2_000)).expect("they can be compared");
        assert_eq!(compared.verdict, Verdict::Fail);
        assert_eq!(compared.p_values[0].family, "cycles");
        // Sattolo's algorithm makes one cycle of all cards, which one fair deck in 52 is.
        assert_eq!(compared.differences[0].answer, "cycles of the deck: 1");
        assert_eq!(compared.differences[0].decks[0], 2_000);
    }

    /// Dealers that are fair deck by deck and have a memory: nothing is concluded about what they deal.
    #[test]
    fn decks_with_a_memory_are_not_compared() {
        for dealer in ["flawed:not-reset", "flawed:carry-over", "flawed:two-packs"] {
            let compared = compare(&audited(dealer, 2_000), &fair(9, 2_000)).expect("they can be compared");
            assert_eq!(compared.verdict, Verdict::Inconclusive, "{dealer}: {:?}", compared.memory);
            assert!(compared.has_memory() && compared.memory[1].is_some_and(|own| !own.is_seen));
        }
    }

    /// Newcombe's interval and the smallest difference, worked by SciPy 1.17 for 170,000 and 166,667 of a million.
    #[test]
    fn a_difference_of_two_percent_of_a_seat_is_found_among_a_million() {
        let share = Share { words: String::new(), decks: [170_000, 166_667] };
        let own = difference("winner", &share, 14.0, 13.0 * 2.0 * 14.0, [1_000_000, 1_000_000]);
        assert!((own.interval[0] - 0.001_542_359_506_817_497).abs() < 1e-12, "{:?}", own.interval);
        assert!((own.interval[1] - 0.005_123_628_929_120_216).abs() < 1e-12, "{:?}", own.interval);
        assert!((own.found_from - 0.017_210_352_924_743_065).abs() < 1e-12, "{}", own.found_from);
    }

    #[test]
    fn the_same_decks_and_other_tables_are_no_comparison() {
        let own = fair(1, 1_000);
        assert!(matches!(compare(&own, &own), Err(CompareError::Same(_))));
        let mut other = fair(2, 1_000);
        other.plan.table.as_mut().expect("a table").players = 5;
        assert!(matches!(compare(&own, &other), Err(CompareError::Tables { .. })));
        let few = fair(3, 100);
        assert_eq!(compare(&own, &few).map(|own| own.verdict), Ok(Verdict::Inconclusive));
    }
}
