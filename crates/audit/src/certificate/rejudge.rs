//! Judging a certificate again: from its own integers, and against a second run.

use serde::Serialize;

use crate::audit::plan::error::PlanError;
use crate::audit::plan::{DECKS_MIN, Plan, SEGMENT_DECKS};
use crate::audit::selection::Selection;
use crate::certificate::look::{Look, Turn, as_kept};
use crate::certificate::standards::{Scarce, StandardRecord, TestRecord, judge_as_named};
use crate::certificate::{
    AuditResult, CERTIFICATE_FORMAT, DuplicateRecord, StatisticRecord, TallyRecord, Tool, bad_record_opening,
};
use deckproof_deck::card::{Card, DECK_CARDS};
use deckproof_deck::deck::DeckError;
use deckproof_stats::battery::duplicates::{EQUAL, Equivalence};
use deckproof_stats::battery::{Scope, View, comparable_proof, decks_of};

/// How far two p-values of the same integers may differ, relative to the larger.
const P_VALUE_TOLERANCE: f64 = 1e-5;

/// Why a certificate is not what its integers say.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Inconsistency {
    /// Another version of the record.
    #[error("this program knows {CERTIFICATE_FORMAT}, the certificate is {0:?}")]
    Format(String),
    /// A plan this program does not run.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A tally that contradicts itself or the number of decks.
    #[error("the tally {tally} {found}, wanted {wanted}")]
    Tally {
        /// View and statistic.
        tally: String,
        /// What it holds.
        found: String,
        /// What it should hold.
        wanted: String,
    },
    /// A field that does not follow from the integers.
    #[error(transparent)]
    Field(#[from] WrongField),
    /// A sentence that this build words otherwise, where everything else follows.
    #[error("the field {} says {}, and this build says {}", .0.field, .0.found, .0.wanted)]
    Words(WrongField),
}

/// A field that does not follow from the integers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the field {field} says {found}, the integers give {wanted}")]
pub struct WrongField {
    /// Which one.
    pub field: String,
    /// What the certificate says.
    pub found: String,
    /// What was computed.
    pub wanted: String,
}

impl Inconsistency {
    /// Whether nothing is wrong with the certificate but that another version of this program wrote it.
    pub fn is_of_another_version(&self) -> bool {
        match self {
            Inconsistency::Format(_) => true,
            Inconsistency::Plan(error) => error.is_of_another_version(),
            _ => false,
        }
    }

    /// The same, of a certificate that this tool wrote, for another one: that it words a sentence otherwise is no contradiction.
    pub fn is_of_another_build(&self, tool: &Tool, own: &Tool) -> bool {
        self.is_of_another_version() || matches!(self, Inconsistency::Words(_)) && tool != own
    }
}

/// Recomputes everything that follows from the integers of a certificate and compares.
///
/// # Errors
/// The first [`Inconsistency`].
pub fn rejudge(result: &AuditResult) -> Result<(), Inconsistency> {
    if result.format != CERTIFICATE_FORMAT {
        return Err(Inconsistency::Format(result.format.clone()));
    }
    result.plan.check()?;
    let plan = &result.plan;
    let first = recompute(plan, Turn::First, plan.decks, &result.first)?;
    let repeat = match &result.repeat {
        Some(look) => {
            let turn = Turn::Repeat { first_deck: first.decks };
            same(
                "a repeat, where the plan and the first look ask for one",
                &true,
                &first.asks_for_repeat(plan),
            )?;
            Some(recompute(plan, turn, plan.repeat.as_ref().map(|repeat| repeat.decks), look)?)
        }
        None => None,
    };
    let missing = result.repeat_missing;
    if let Some(reason) = missing.filter(|reason| !reason.is_possible(&plan.source)) {
        let wanted = "the repeat, which this source can always give".to_owned();
        let found = format!("{reason:?}");
        return Err(WrongField { field: "repeat_missing".to_owned(), found, wanted }.into());
    }
    compare(result, &AuditResult::of_looks(plan, result.source.clone(), first, repeat, missing))
}

/// Judges one look again, as a checkpoint or a certificate holds it.
///
/// # Errors
/// The first [`Inconsistency`].
pub fn rejudge_look(plan: &Plan, turn: Turn, stated: &Look) -> Result<Look, Inconsistency> {
    let decks = match turn {
        Turn::First => plan.decks,
        Turn::Repeat { .. } => plan.repeat.as_ref().map(|repeat| repeat.decks),
    };
    let computed = recompute(plan, turn, decks, stated)?;
    compare_look("saved", stated, &computed)?;
    compare_words("saved", stated, &computed)?;
    Ok(computed)
}

/// A look judged again from its own integers, which must be those of `decks` decks.
fn recompute(plan: &Plan, turn: Turn, decks: Option<u64>, stated: &Look) -> Result<Look, Inconsistency> {
    if is_of_bad_record(stated) {
        check_bad_record(plan, turn, decks, stated)?;
        return Ok(Look::of_bad_record(plan, turn, stated.decks, stated.proofs[0].clone()));
    }
    same("decks of the plan", &stated.decks, &decks.unwrap_or(stated.decks))?;
    check_tallies(plan, stated)?;
    let look = Look::of_integers(plan, turn, stated.decks, stated.tallies.clone(), stated.duplicates.clone());
    match look.unplanned(plan, turn) {
        None => Ok(look),
        Some((family, found, planned)) => Err(WrongField {
            field: format!("families of the plan, {family}"),
            found: planned.to_string(),
            wanted: format!("at least the {found} p-values that these counts have"),
        }
        .into()),
    }
}

/// A record that is not a deck leaves nothing but its proof.
fn is_of_bad_record(look: &Look) -> bool {
    look.tallies.is_empty() && look.duplicates.is_empty() && look.proofs.len() == 1
}

/// A record after the first, inside the plan, of a source that is not the certified shuffle; its number
/// is that of the decks before it and one more.
fn check_bad_record(plan: &Plan, turn: Turn, decks: Option<u64>, look: &Look) -> Result<(), WrongField> {
    let field = |field: &str, found: String, wanted: &str| {
        Err(WrongField { field: field.to_owned(), found, wanted: wanted.to_owned() })
    };
    if plan.source.is_certified() {
        return field("proofs", look.proofs[0].clone(), "tallies: the certified shuffle deals decks");
    }
    let before = turn.first_deck().saturating_add(look.decks);
    let is_inside = decks.is_none_or(|decks| look.decks < decks);
    if before == 0 || !is_inside {
        return field("decks", look.decks.to_string(), "at least 1 and fewer than the plan has");
    }
    let opening = bad_record_opening(before);
    let is_named = look.proofs[0].strip_prefix(&opening).and_then(|rest| rest.strip_suffix('.'));
    match is_named {
        Some(error) if is_deck_error(error) => Ok(()),
        _ => field("proofs", look.proofs[0].clone(), &format!("{opening}and what is wrong with it")),
    }
}

/// Whether a text is what a [`DeckError`] says: it is rebuilt from the numbers in it and compared.
fn is_deck_error(text: &str) -> bool {
    let digits = text.split(|letter: char| !letter.is_ascii_digit());
    let numbers: Vec<u64> = digits.filter_map(|digits| digits.parse().ok()).collect();
    let place = |number: u64| usize::try_from(number).ok().filter(|&place| place < DECK_CARDS);
    let no_card = || {
        let &[number, found, ..] = numbers.as_slice() else { return None };
        (found >= DECK_CARDS as u64).then_some(DeckError::NoCard { place: place(number)?, found })
    };
    let repeated = || {
        let &[.., card, first, second] = numbers.as_slice() else { return None };
        let card = Card::from_index(u8::try_from(card).ok()?)?;
        let (first, place) = (place(first)?, place(second)?);
        (first < place).then_some(DeckError::Repeated { place, first, card })
    };
    let count = || {
        let found = usize::try_from(*numbers.first()?).ok()?;
        (found != DECK_CARDS).then_some(DeckError::Count { found })
    };
    [no_card(), repeated(), count()].into_iter().flatten().any(|error| error.to_string() == text)
}

/// Compares what a certificate says with what was computed: integers and words exactly, p-values to 1e-5.
///
/// # Errors
/// The first [`Inconsistency`].
pub fn compare(stated: &AuditResult, computed: &AuditResult) -> Result<(), Inconsistency> {
    same("plan_sha256", &stated.plan_sha256, &computed.plan_sha256)?;
    same("source", &stated.source, &computed.source.as_recorded_by(&stated.source))?;
    same("kind of source", &stated.source.as_planned(), &stated.plan.source.as_planned())?;
    compare_look("first", &stated.first, &computed.first)?;
    same("repeat, whether it was had", &stated.repeat.is_some(), &computed.repeat.is_some())?;
    if let (Some(stated), Some(computed)) = (&stated.repeat, &computed.repeat) {
        compare_look("repeat", stated, computed)?;
    }
    same("repeat_missing", &stated.repeat_missing, &computed.repeat_missing)?;
    same("verdict", &stated.verdict, &computed.verdict)?;
    // Sentences come last: another build may word them otherwise.
    compare_words("first", &stated.first, &computed.first).map_err(Inconsistency::Words)?;
    if let (Some(stated), Some(computed)) = (&stated.repeat, &computed.repeat) {
        compare_words("repeat", stated, computed).map_err(Inconsistency::Words)?;
    }
    same("rule", &stated.rule, &computed.rule).map_err(Inconsistency::Words)
}

/// The sentences of a look: its proofs, and why parts did not run.
fn compare_words(turn: &str, stated: &Look, computed: &Look) -> Result<(), WrongField> {
    let proofs = |look: &Look| look.proofs.iter().map(|proof| comparable_proof(proof)).collect::<Vec<_>>();
    same(&format!("proofs of the {turn} look"), &proofs(stated), &proofs(computed))?;
    same(&format!("not_run of the {turn} look"), &stated.not_run, &computed.not_run)
}

fn compare_look(turn: &str, stated: &Look, computed: &Look) -> Result<(), WrongField> {
    let field = |name: &str| format!("{name} of the {turn} look");
    same(&field("first_deck"), &stated.first_deck, &computed.first_deck)?;
    same(&field("decks"), &stated.decks, &computed.decks)?;
    for (stated, computed) in stated.tallies.iter().zip(&computed.tallies) {
        compare_tally(stated, computed)?;
    }
    same(&field("number of tallies"), &stated.tallies.len(), &computed.tallies.len())?;
    same(&field("duplicates"), &stated.duplicates, &computed.duplicates)?;
    same(&field("integers_sha256"), &stated.integers_sha256, &computed.integers_sha256)?;
    same(&field("number of statistics"), &stated.statistics.len(), &computed.statistics.len())?;
    for (stated, computed) in stated.statistics.iter().zip(&computed.statistics) {
        compare_statistic(stated, computed)?;
    }
    close(&field("family_p_value"), stated.family_p_value, computed.family_p_value)?;
    close(
        &field("family_p_value_convicting"),
        stated.family_p_value_convicting,
        computed.family_p_value_convicting,
    )?;
    same(&field("number of proofs"), &stated.proofs.len(), &computed.proofs.len())?;
    let not_run = |look: &Look| look.not_run.iter().map(|part| part.id.clone()).collect::<Vec<_>>();
    same(&field("not_run"), &not_run(stated), &not_run(computed))?;
    let scarce = Scarce::of(computed.decks, DECKS_MIN);
    let own = judge_as_named(&stated.standards, &computed.statistics, scarce);
    same(&field("number of standards"), &stated.standards.len(), &own.len())?;
    for (stated, computed) in stated.standards.iter().zip(&own) {
        compare_standard(stated, computed)?;
    }
    same(&field("verdict"), &stated.verdict, &computed.verdict)
}

fn compare_tally(stated: &TallyRecord, computed: &TallyRecord) -> Result<(), WrongField> {
    let name = format!("tallies, {}.{}", computed.view.name(), computed.id);
    let head = |tally: &TallyRecord| (tally.view, tally.id.clone(), tally.decks, tally.counts.len());
    same(&name, &head(stated), &head(computed))?;
    let differs =
        stated.counts.iter().zip(&computed.counts).position(|(stated, computed)| stated != computed);
    differs.map_or(Ok(()), |place| {
        let count = |tally: &TallyRecord| tally.counts[place] as i64;
        same(&format!("{name}, count {place}"), &count(stated), &count(computed))
    })
}

fn compare_standard(stated: &StandardRecord, computed: &StandardRecord) -> Result<(), WrongField> {
    let standard = format!("{} at {} %", computed.name, computed.confidence_percent);
    // Words and integers exactly, p-values by `close`: the rest of the record without them.
    let without_p_values = |record: &StandardRecord| {
        let tests = record.tests.iter().map(|test| TestRecord { p_value: None, ..test.clone() }).collect();
        StandardRecord { family_p_value: None, tests, ..record.clone() }
    };
    same(&format!("standard {standard}"), &without_p_values(stated), &without_p_values(computed))?;
    close_if_any(&format!("family_p_value of {standard}"), stated.family_p_value, computed.family_p_value)?;
    for (stated, computed) in stated.tests.iter().zip(&computed.tests) {
        close_if_any(&format!("{} of {standard}", computed.name), stated.p_value, computed.p_value)?;
    }
    Ok(())
}

fn compare_statistic(stated: &StatisticRecord, computed: &StatisticRecord) -> Result<(), WrongField> {
    let field = |name: &str| format!("{name} of {}", computed.id);
    same(&field("id"), &stated.id, &computed.id)?;
    same(&field("family"), &stated.family, &computed.family)?;
    same(&field("decks"), &stated.decks, &computed.decks)?;
    same(&field("score_name"), &stated.score_name, &computed.score_name)?;
    same(&field("tail"), &stated.tail, &computed.tail)?;
    close(&field("score"), stated.score, computed.score)?;
    close(&field("p_value"), stated.p_value, computed.p_value)?;
    close_if_any(&field("p_value_bound"), stated.p_value_bound, computed.p_value_bound)
}

fn close_if_any(field: &str, stated: Option<f64>, computed: Option<f64>) -> Result<(), WrongField> {
    match (stated, computed) {
        (Some(stated), Some(computed)) => close(field, stated, computed),
        (stated, computed) => same(field, &stated.is_some(), &computed.is_some()),
    }
}

/// Integers and words exactly.
pub(crate) fn same<T: PartialEq + Serialize>(
    field: &str,
    stated: &T,
    computed: &T,
) -> Result<(), WrongField> {
    if stated == computed {
        return Ok(());
    }
    // As the file writes it.
    let short =
        |value: &T| serde_json::to_string(value).expect("fields are plain data").chars().take(200).collect();
    Err(WrongField { field: field.to_owned(), found: short(stated), wanted: short(computed) })
}

/// P-values up to [`P_VALUE_TOLERANCE`].
pub(crate) fn close(field: &str, stated: f64, computed: f64) -> Result<(), WrongField> {
    if (stated - computed).abs() <= P_VALUE_TOLERANCE * stated.abs().max(computed.abs()) {
        return Ok(());
    }
    let (found, wanted) = (format!("{stated:e}"), format!("{computed:e}"));
    Err(WrongField { field: field.to_owned(), found, wanted })
}

fn wrong(tally: String, found: String, wanted: String) -> Result<(), Inconsistency> {
    Err(Inconsistency::Tally { tally, found, wanted })
}

/// Every statistic of the battery on every view, each with the right decks and with counts that add up.
fn check_tallies(plan: &Plan, look: &Look) -> Result<(), Inconsistency> {
    let selection = plan.selection();
    let of_view = |view| selection.seeing(view).map(move |statistic| (view, statistic));
    let wanted: Vec<_> = View::ALL.into_iter().flat_map(of_view).collect();
    if look.tallies.len() != wanted.len() {
        let found = format!("list has {} entries", look.tallies.len());
        return wrong("list".to_owned(), found, format!("{}", wanted.len()));
    }
    for (tally, (view, statistic)) in look.tallies.iter().zip(wanted) {
        let name = format!("{}.{}", view.name(), statistic.about().id);
        if (tally.view, tally.id.as_str()) != (view, statistic.about().id) {
            return wrong(name.clone(), format!("is {}.{}", tally.view.name(), tally.id), name);
        }
        let decks = decks_of(view, look.decks);
        if tally.decks != decks {
            return wrong(name, format!("is of {} decks", tally.decks), format!("{decks}"));
        }
        if tally.counts.len() != statistic.cells() {
            return wrong(
                name,
                format!("has {} counts", tally.counts.len()),
                format!("{}", statistic.cells()),
            );
        }
        let held = match statistic.scope() {
            Scope::Batch | Scope::Segment | Scope::Declared => decks,
            Scope::Prefix => decks_of(view, look.decks.min(SEGMENT_DECKS)),
        };
        if as_kept(statistic, tally.counts.clone()) != tally.counts {
            let wanted = "those that a certificate keeps, each in its place".to_owned();
            return wrong(name, "has other counts".to_owned(), wanted);
        }
        if !statistic.decks_in(&tally.counts).is_some_and(|found| statistic.can_hold(found, held)) {
            return wrong(
                name,
                "has counts that do not add up".to_owned(),
                format!("the sums of {held} decks"),
            );
        }
    }
    check_duplicates(&selection, look)
}

/// Every sketch of the plan on each of its views.
fn check_duplicates(selection: &Selection, look: &Look) -> Result<(), Inconsistency> {
    let on_view = |view: View| selection.equivalences_on(view).map(move |equivalence| (view, equivalence));
    let wanted: Vec<(View, &Equivalence)> = View::ALL.into_iter().flat_map(on_view).collect();
    if look.duplicates.len() != wanted.len() {
        let found = format!("list has {} entries", look.duplicates.len());
        return wrong("duplicates".to_owned(), found, format!("{}", wanted.len()));
    }
    for (record, (view, equivalence)) in look.duplicates.iter().zip(wanted) {
        // A deck of the first look may come again in the repeat.
        let decks = decks_of(view, look.decks) + decks_of(view, look.first_deck);
        let name = format!("{}.{}", view.name(), equivalence.id());
        if (record.view, record.id.as_str()) != (view, equivalence.id()) {
            return wrong(name.clone(), format!("is {}.{}", record.view.name(), record.id), name);
        }
        if record.decks != decks || !is_sound(equivalence, record) {
            let found = format!("keeps {} fingerprints of {} decks", record.kept, record.decks);
            return wrong(name, found, format!("those of {decks} decks"));
        }
    }
    // Equal decks are alike in every form, as long as nothing was thinned.
    let whole = look.duplicates.iter().filter(|record| record.halvings == 0 && record.view == View::Deck);
    let plain = whole.clone().find(|record| record.id == EQUAL.id()).map_or(0, |record| record.pairs);
    match whole.clone().find(|record| record.pairs < plain) {
        Some(record) => wrong(
            format!("{}.{}", record.view.name(), record.id),
            format!("has {} pairs", record.pairs),
            format!("at least the {plain} of equal decks"),
        ),
        None => Ok(()),
    }
}

/// Whether so many fingerprints can be left of so many decks, and so many pairs be among them.
fn is_sound(equivalence: &Equivalence, record: &DuplicateRecord) -> bool {
    let &DuplicateRecord { decks, kept, distinct, halvings, pairs, .. } = record;
    let (is_thinned, keys_max) = (halvings > 0, equivalence.keys_max as u64);
    let thins_rightly = if is_thinned { decks > keys_max && kept <= decks } else { kept == decks };
    let Some(copies) = kept.checked_sub(distinct) else { return false };
    // Copies of different keys give the fewest pairs, copies of one key the most.
    let pairs_max = u128::from(copies) * (u128::from(copies) + 1) / 2;
    let has_addresses = match &record.alike {
        Some(alike) => pairs > 0 && alike.is_sound(decks, distinct),
        None => true,
    };
    thins_rightly
        && has_addresses
        && distinct <= keys_max
        && (distinct > 0 || kept == 0)
        && u128::from(pairs) <= pairs_max
        && copies <= pairs
}

#[cfg(test)]
mod tests;
