//! What a verdict says in sentences, what it does not show, and what to do next.

use crate::rendering::audit::effects::{effect_sentence, sight_sentence};
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::certificate::effects::{effect, sight};
use deckproof_audit::certificate::findings::{SortOrder, convicting, is_approximate, sort_order, weakest};
use deckproof_audit::certificate::look::Look;
use deckproof_audit::certificate::{AuditResult, RepeatMissing, StatisticRecord};
use deckproof_audit::source::format::Numbering;
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
    let strongest = weakest(look).and_then(effect).map(effect_sentence);
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
    let sight = sight(&result.plan, look, result.repeat.is_some());
    sight.map_or_else(String::new, |sight| format!(" {}", sight_sentence(sight)))
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
                convicting_sentence(look)
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
    is_approximate(result).then_some(
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
    let missing = result.repeat_missing.iter().map(|reason| format!(" {}", repeat_missing(*reason)));
    Some([advice].into_iter().chain(missing).collect())
}

/// Why a repeat that was due is not there.
pub fn repeat_missing(reason: RepeatMissing) -> &'static str {
    match reason {
        RepeatMissing::StreamEnded => {
            "The declared repeat was not had: the stream ended before its last deck."
        }
        RepeatMissing::NotRun => "The declared repeat was not carried out.",
    }
}

/// That the records were sorted, where all of them were.
fn in_order(look: &Look) -> String {
    let way = match sort_order(look) {
        None => return String::new(),
        Some(SortOrder::Ascending) => "ascending",
        Some(SortOrder::Descending) => "descending",
    };
    format!(
        "The records stand in sorted order, {way}: a file that was sorted does not hold the decks in the order of their \
         dealing, and nothing that looks from deck to deck can be judged by it. "
    )
}

fn strongest(look: &Look) -> String {
    match weakest(look) {
        Some(record) => {
            let effect = effect(record).map(|own| format!(" {}", effect_sentence(own))).unwrap_or_default();
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

/// What convicts, where the smallest p-value is an approximation that may not: the smallest that is exact or proven.
fn convicting_sentence(look: &Look) -> String {
    let sentence = |(record, own): (&StatisticRecord, f64)| {
        format!(
            " That p-value is an approximation and convicts nobody; {} does, with n = {} decks and a p-value that is exact or \
             proven to be no larger: {}.",
            record.id,
            thousands(record.decks),
            p_value(own)
        )
    };
    convicting(look).map(sentence).unwrap_or_default()
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
    use deckproof_audit::audit::plan::Plan;
    use deckproof_audit::audit::selection::Selection;
    use deckproof_audit::certificate::look::Turn;
    use deckproof_audit::source::flawed;
    use deckproof_stats::battery::Tier;

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
        let mut clean = look(&plan, 7);
        clean.proofs.clear();
        let result = AuditResult::of_looks(&plan, plan.source.clone(), clean, None, None);
        assert_eq!(extent(&result), "7", "nothing was found, and no statistic had enough decks");
    }

    fn said_of(verdict: Verdict, family_p_value: f64) -> AuditResult {
        let selection = Selection::of_tiers(&Tier::OF_DECKS).only(&["parity".to_owned()]);
        let plan = Plan::of_selection(flawed::record("sattolo", 1), Some(1_000), &selection).without_repeat();
        let mut look = look(&plan, 1_000);
        (look.proofs, look.verdict, look.family_p_value) = (Vec::new(), verdict, family_p_value);
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
}
