//! What a verdict says in sentences, what it does not show, and what to do next.

use crate::audit::verdict::Verdict;
use crate::certificate::effects;
use crate::certificate::look::Look;
use crate::certificate::{AuditResult, StatisticRecord};
use crate::source::format::Numbering;
use deckproof_stats::math::decimal::{counted, joint_p_value, p_value, thousands};

/// One sentence that a reader may quote, with what was tested and how strong it is; where there was a
/// repeat, a second one with what came first.
pub fn verdict_sentence(result: &AuditResult) -> String {
    short_sentence(result) + &size(result)
}

/// The same, without the size of a fault that could be seen.
pub fn short_sentence(result: &AuditResult) -> String {
    let Some(repeat) = &result.repeat else { return look_sentence(result, &result.first) };
    format!(
        "{} This is the declared repeat on the next decks of the same source; the first look at {} decks said \
         investigate (family p-value {}). {}",
        look_sentence(result, repeat),
        thousands(result.first.decks),
        joint_p_value(result.first.family_p_value),
        strongest(&result.first)
    )
}

/// For a screen, in whole sentences: whether the records were sorted, how large the strongest effect is, and how small
/// a one would be seen.
pub fn sizes(result: &AuditResult) -> Vec<String> {
    let look = result.deciding();
    let has_found = matches!(result.verdict, Verdict::Fail | Verdict::Investigate) && look.proofs.is_empty();
    let strongest = weakest(look).and_then(effects::effect);
    let approximate = approximate(result).map(str::to_owned).unwrap_or_default();
    let sentences =
        [in_order(look), approximate, strongest.unwrap_or_default()].into_iter().filter(|_| has_found);
    let sentences = sentences.chain([size(result)]).map(|sentence| sentence.trim().to_owned());
    sentences.filter(|sentence| !sentence.is_empty()).collect()
}

/// What the deciding look could see.
fn size(result: &AuditResult) -> String {
    let look = result.deciding();
    if !look.proofs.is_empty() {
        return String::new();
    }
    let sight = effects::sight(&result.plan, look, result.repeat.is_some());
    sight.map_or_else(String::new, |sentence| format!(" {sentence}"))
}

fn look_sentence(result: &AuditResult, look: &Look) -> String {
    let decks = thousands(look.decks);
    let unit = if look.decks == 1 { "deck" } else { "decks" };
    // Without statistics nothing was made of the hands.
    let table = result.plan.table.as_ref().filter(|_| !look.statistics.is_empty());
    let unit = table.map_or(unit.to_owned(), |table| format!("{unit}, dealt at the table {table},"));
    let shares = match &result.plan.repeat {
        Some(repeat) if look.first_deck > 0 => &repeat.families,
        _ => &result.plan.families,
    };
    let (found, planned) = (look.statistics.len() as u64, shares.values().sum::<u64>());
    // Few decks feed fewer p-values than the plan gave a share of the level.
    let of = if found < planned { format!("{found} of ") } else { String::new() };
    let p_values = of + &counted(planned, "p-value", "p-values");
    let family = format!(
        "family p-value {} over {p_values} in {} {}; null hypothesis: the decks are independent and every \
         order is equally likely",
        joint_p_value(look.family_p_value),
        shares.len(),
        if shares.len() == 1 { "family" } else { "families" },
    );
    match result.word() {
        Verdict::Pass => format!("PASS: {decks} {unit} show no departure from a fair shuffle ({family})."),
        Verdict::Investigate => format!(
            "INVESTIGATE: {decks} {unit} depart from a fair shuffle more than chance explains easily ({family}). {}{}{}",
            in_order(look),
            strongest(look),
            approximate(result).map_or_else(String::new, |sentence| format!(" {sentence}"))
        ),
        Verdict::Fail if !look.proofs.is_empty() => {
            let counted = match look.statistics.is_empty() {
                // One record that is no deck ends the count, and nothing is made of the decks before it.
                true => format!("Decks: {}.", extent(result)),
                false => format!("{decks} {unit} were counted."),
            };
            format!(
                "FAIL: proof against the shuffler. {} {counted}",
                look.proofs_once().collect::<Vec<_>>().join(" ")
            )
        }
        Verdict::Fail => {
            format!(
                "FAIL: {decks} {unit} are not those of a fair shuffle ({family}). {}{}{}",
                in_order(look),
                strongest(look),
                convicting(look)
            )
        }
        Verdict::Inconclusive => format!(
            "INCONCLUSIVE: nothing was found, but {decks} {unit} are too few to pass a shuffler; \
             at least {} are needed ({family}).",
            thousands(result.plan.decks_min)
        ),
    }
}

/// Below the level of a fail something must say why this is none.
fn approximate(result: &AuditResult) -> Option<&'static str> {
    let is_small =
        result.verdict == Verdict::Investigate && result.deciding().family_p_value < result.plan.level_fail;
    is_small.then_some(
        "So small a p-value is the tail of an approximation, which no exact distribution or proven bound confirms: it raises the \
         question, and a repeat on new decks decides.",
    )
}

/// How many decks were looked at, of how many, and in which look.
pub fn extent(result: &AuditResult) -> String {
    let first = &result.first;
    let (decks, planned) = (thousands(first.decks), result.plan.decks);
    if let Some(repeat) = &result.repeat {
        return format!(
            "{}: {decks} in the first look, which said {}, and the next {} in the declared repeat, which decides",
            thousands(result.decks()),
            first.verdict.name(),
            thousands(repeat.decks)
        );
    }
    if first.statistics.is_empty() && !first.proofs.is_empty() {
        return match planned {
            Some(planned) if planned < first.decks => format!(
                "{} were asked for; what follows them was read too, and {decks} decks stand before the record that is none",
                thousands(planned)
            ),
            Some(planned) => format!("{decks} of {}, then a record that is none", thousands(planned)),
            None => format!("{decks}, then a record that is none"),
        };
    }
    match (result.source.is_stream(), planned) {
        (true, Some(_)) => {
            format!("{decks}, the first of the stream; what may follow them was not looked at")
        }
        (true, None) => format!("{decks}, to the end of the stream"),
        (false, _) => decks,
    }
}

/// What a reader must not conclude.
pub fn not_shown(result: &AuditResult) -> Vec<String> {
    let is_predicted = result.looks().any(Look::is_predicted);
    let predictable = (!is_predicted).then(|| {
        "A pass does not show that the order of the cards cannot be predicted: the generators of a catalogue were tried on the \
         first decks, in a stated amount of work, and a good generator with a known key passes every test. That takes a review \
         of the source code and of where the keys come from."
            .to_owned()
    });
    let mut sentences: Vec<String> = predictable.into_iter().collect();
    sentences.extend([
        "It does not show that the decks dealt at a table are the decks that were audited; that takes a commitment \
         published before each hand, and its verification after."
            .to_owned(),
        "It does not show what happens outside the deck: who sees the cards, who plays together, or which hands \
         were voided."
            .to_owned(),
        "It does not show that the plan was made before the decks: only somebody who was given the plan's SHA-256 \
         before can compare it with the one here."
            .to_owned(),
    ]);
    sentences.extend(other_numbering(result));
    if result.source.abilities().is_supplied {
        sentences.push(
            "Recorded decks are judged as they were given; whether they are all the decks that were dealt, in their \
             order, is not shown."
                .to_owned(),
        );
    }
    sentences
}

/// That hands are judged by one way to number the cards, where records of numbers do not show which it is.
fn other_numbering(result: &AuditResult) -> Option<String> {
    let own = Numbering::of(&result.source)?;
    let other = own.other();
    result.plan.table.as_ref().map(|_| {
        format!(
            "It does not show that the numbers of the cards are {}: all said of ranks, suits and dealt hands hangs on it, and \
             records of numbers do not show it. If they are {}, audit them with --numbering {}.",
            own.words(),
            other.words(),
            other.name()
        )
    })
}

/// What to do when something was found that does not yet convict.
pub fn next_step(result: &AuditResult) -> Option<String> {
    if result.word() != Verdict::Investigate {
        return None;
    }
    let decks = result.first.decks.saturating_mul(4);
    let advice = match result.source.abilities().is_supplied {
        true => format!(
            "Record {} new decks of the same shuffler and audit those; keep this first result.",
            thousands(decks)
        ),
        false => format!(
            "Run the same audit again in one piece, without --no-repeat and --shard: it goes on with the next {} \
             decks, which decide. Keep this first result.",
            thousands(decks)
        ),
    };
    let missing = result.repeat_missing.iter().map(|reason| format!(" {}", reason.sentence()));
    Some([advice].into_iter().chain(missing).collect())
}

/// That the records were sorted, where all of them were.
fn in_order(look: &Look) -> String {
    let record = look.statistics.iter().find(|record| record.id == "deck.sorted-records.pairs");
    let Some(record) = record.filter(|record| record.p_value < SORTED_P_VALUE) else { return String::new() };
    let pairs = record.score_name.rsplit(' ').next().and_then(|pairs| pairs.parse::<f64>().ok());
    let way = match record.score {
        score if score < 0.5 => "descending",
        score if pairs.is_some_and(|pairs| score > pairs - 0.5) => "ascending",
        _ => return String::new(),
    };
    format!(
        "The records stand in sorted order, {way}: a file that was sorted does not hold the decks in the order of their \
         dealing, and nothing that looks from deck to deck can be judged by it. "
    )
}

/// Chance puts records in order more rarely than this.
const SORTED_P_VALUE: f64 = 1e-6;

/// The record with the smallest p-value.
fn weakest(look: &Look) -> Option<&StatisticRecord> {
    look.statistics.iter().min_by(|a, b| a.p_value.total_cmp(&b.p_value))
}

fn strongest(look: &Look) -> String {
    match weakest(look) {
        Some(record) => {
            let effect = effects::effect(record).map(|words| format!(" {words}")).unwrap_or_default();
            format!(
                "The strongest evidence is {} with n = {} decks: {} = {}, p-value {}.{effect}",
                record.id,
                thousands(record.decks),
                record.score_name,
                plain(record.score),
                p_value(record.p_value)
            )
        }
        None => String::new(),
    }
}

/// The p-value that may convict: a proven bound, one whose tail is exact, or none.
fn carries(record: &StatisticRecord) -> f64 {
    match record.p_value_bound {
        Some(bound) => bound,
        None if record.tail.may_convict() => record.p_value,
        None => 1.0,
    }
}

/// The p-value on which a verdict hangs that is not a pass, with the joint p-value that was compared with the level.
#[derive(Clone, PartialEq, Debug)]
pub struct DecidingPValue {
    /// `view.statistic.part`.
    pub id: String,
    /// How many decks it rests on.
    pub decks: u64,
    /// It, or the proven bound that convicts in its stead.
    pub p_value: f64,
    /// Corrected for all p-values of the look.
    pub family_p_value: f64,
    /// Below this the verdict is what it is.
    pub level: f64,
    /// Whether only what is exact or proven was counted.
    pub is_convicting: bool,
    /// Whether it is one of the declared repeat.
    pub is_repeat: bool,
}

/// What decided, where p-values did and nothing was passed.
pub fn deciding_p_value(result: &AuditResult) -> Option<DecidingPValue> {
    let look = result.deciding();
    let is_found = matches!(result.word(), Verdict::Fail | Verdict::Investigate) && look.proofs.is_empty();
    let repeat = result.repeat.as_ref().and(result.plan.repeat.as_ref());
    let (level, shares) = match (repeat, result.verdict) {
        (Some(repeat), _) => (repeat.level, &repeat.families),
        (None, Verdict::Fail) => (result.plan.level_fail, &result.plan.families),
        (None, _) => (result.plan.level, &result.plan.families),
    };
    let is_convicting = repeat.is_none() && result.verdict == Verdict::Fail;
    let weight = |record: &StatisticRecord| {
        let own = if is_convicting { carries(record) } else { record.p_value };
        (own, shares.get(&record.family).map_or(f64::INFINITY, |members| *members as f64 * own))
    };
    let all = look.statistics.iter().map(|record| (record, weight(record)));
    let (record, (p_value, _)) = all.min_by(|(_, a), (_, b)| a.1.total_cmp(&b.1)).filter(|_| is_found)?;
    Some(DecidingPValue {
        id: record.id.clone(),
        decks: record.decks,
        p_value,
        family_p_value: if is_convicting { look.family_p_value_convicting } else { look.family_p_value },
        level,
        is_convicting,
        is_repeat: repeat.is_some(),
    })
}

/// What convicts, where the smallest p-value is an approximation that may not: the smallest that is exact or proven.
fn convicting(look: &Look) -> String {
    let smallest = look.statistics.iter().min_by(|a, b| carries(a).total_cmp(&carries(b)));
    match (weakest(look), smallest) {
        (Some(weakest), Some(smallest)) if weakest.id != smallest.id => format!(
            " That p-value is an approximation and convicts nobody; {} does, with n = {} decks and a p-value that is exact or \
             proven to be no larger: {}.",
            smallest.id,
            thousands(smallest.decks),
            p_value(carries(smallest))
        ),
        _ => String::new(),
    }
}

/// A score with about four digits.
pub fn plain(value: f64) -> String {
    let size = value.abs();
    if size >= 1e7 || (size < 1e-3 && size > 0.0) {
        format!("{value:.3e}")
    } else if value.fract().abs() < f64::EPSILON {
        format!("{value:.0}")
    } else {
        format!("{value:.3}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::plan::Plan;
    use crate::audit::selection::Selection;
    use crate::certificate::look::Turn;
    use crate::source::flawed;
    use deckproof_stats::battery::{Tail, Tier};

    #[test]
    fn numbers_are_shown_with_about_four_digits() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (7.0, "7"),
            (0.25, "0.250"),
            (1e-3, "0.001"),
            (9.9e-4, "9.900e-4"),
            (1e7, "1.000e7"),
        ] {
            assert_eq!(plain(value), text, "{value}");
        }
    }

    fn look(plan: &Plan, decks: u64) -> Look {
        Look::of_bad_record(plan, Turn::First, decks, "Record 8 is not a deck: it is a herring.".to_owned())
    }

    #[test]
    fn decks_before_a_record_that_is_none_are_told_beside_what_was_asked_for() {
        let said = |planned: Option<u64>, decks: u64| {
            let selection = Selection::of_tiers(&Tier::OF_DECKS).only(&["parity".to_owned()]);
            let plan = Plan::of_selection(flawed::record("sattolo", 1), planned, &selection);
            let first = look(&plan, decks);
            extent(&AuditResult::of_looks(&plan, plan.source.clone(), first, None, None))
        };
        assert_eq!(said(Some(1_000), 7), "7 of 1,000, then a record that is none");
        assert_eq!(said(Some(7), 7), "7 of 7, then a record that is none");
        assert_eq!(said(None, 7), "7, then a record that is none");
        assert_eq!(
            said(Some(6), 7),
            "6 were asked for; what follows them was read too, and 7 decks stand before the record that is none"
        );
        let selection = Selection::of_tiers(&Tier::OF_DECKS).only(&["parity".to_owned()]);
        let plan = Plan::of_selection(flawed::record("sattolo", 1), Some(7), &selection);
        let clean = Look { proofs: Vec::new(), ..look(&plan, 7) };
        let result = AuditResult::of_looks(&plan, plan.source.clone(), clean, None, None);
        assert_eq!(extent(&result), "7", "nothing was found, and no statistic had enough decks");
    }

    fn said_of(verdict: Verdict, family_p_value: f64) -> AuditResult {
        let selection = Selection::of_tiers(&Tier::OF_DECKS).only(&["parity".to_owned()]);
        let plan = Plan::of_selection(flawed::record("sattolo", 1), Some(1_000), &selection).without_repeat();
        let look = Look { proofs: Vec::new(), verdict, family_p_value, ..look(&plan, 1_000) };
        AuditResult::of_looks(&plan, plan.source.clone(), look, None, None)
    }

    #[test]
    fn one_is_told_to_be_a_cap_and_a_small_approximation_to_be_one() {
        let sentence = verdict_sentence(&said_of(Verdict::Pass, 1.0));
        assert!(sentence.contains("family p-value 1 (the cap of Bonferroni's inequality"), "{sentence}");
        let sentence = verdict_sentence(&said_of(Verdict::Investigate, 0.0));
        assert!(sentence.contains("is the tail of an approximation"), "{sentence}");
        let told = sizes(&said_of(Verdict::Investigate, 0.0));
        assert!(told.iter().any(|own| own.contains("is the tail of an approximation")), "{told:?}");
        assert!(!verdict_sentence(&said_of(Verdict::Investigate, 0.001)).contains("approximation"));
    }

    #[test]
    fn sorted_records_are_told_with_their_direction() {
        let selection = Selection::of_tiers(&Tier::OF_DECKS).only(&["parity".to_owned()]);
        let plan = Plan::of_selection(flawed::record("sattolo", 1), Some(1_000), &selection);
        let said = |score: f64, p_value: f64| {
            let mut look = look(&plan, 7);
            look.statistics = vec![StatisticRecord {
                id: "deck.sorted-records.pairs".to_owned(),
                family: "sorted-records".to_owned(),
                decks: 1_000,
                score_name: "ascending of 500".to_owned(),
                score,
                p_value,
                tail: Tail::Exact,
                p_value_bound: None,
            }];
            in_order(&look)
        };
        assert!(said(0.0, 1e-9).contains("in sorted order, descending"), "{}", said(0.0, 1e-9));
        assert!(said(500.0, 1e-9).contains("in sorted order, ascending"), "{}", said(500.0, 1e-9));
        for score in [0.5, 1.0, 250.0, 499.0, 499.5] {
            assert_eq!(said(score, 1e-9), "", "{score}: some pairs go the other way");
        }
        assert_eq!(said(500.0, 0.5), "", "as by chance");
    }
}
