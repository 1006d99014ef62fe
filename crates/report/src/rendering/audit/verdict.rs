//! What a verdict says in sentences, what it does not show, and what to do next.

use crate::document::words::Words;
use crate::rendering::audit::effects::{effect_sentence, sight_sentence};
use crate::rendering::audit::left_out::left_out;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::certificate::effects::{effect, sight};
use deckproof_audit::certificate::findings::{SortOrder, convicting, is_approximate, sort_order, weakest};
use deckproof_audit::certificate::look::Look;
use deckproof_audit::certificate::{AuditResult, RepeatMissing};
use deckproof_audit::session::extreme::ExtremeDeck;
use deckproof_audit::source::format::{Numbering, Written};
use deckproof_audit::source::lines::LinesRead;

/// One sentence that a reader may quote, with what was tested and how strong it is; where there was a
/// repeat, a second one with what came first.
pub fn verdict_sentence(result: &AuditResult, words: &Words) -> String {
    let size = size(result, words).into_iter();
    [short_sentence(result, words)].into_iter().chain(size).collect::<Vec<_>>().join(" ")
}

/// The same, without the size of a fault that could be seen.
pub fn short_sentence(result: &AuditResult, words: &Words) -> String {
    let Some(repeat) = &result.repeat else { return look_sentence(result, &result.first, words) };
    words.verdict.repeated(
        &look_sentence(result, repeat, words),
        result.first.decks,
        &words.joint_p_value(result.first.family_p_value),
        &strongest(&result.first, words).unwrap_or_default(),
    )
}

/// For a screen, in whole sentences: whether the records were sorted, how large the strongest effect is, and how small
/// a one would be seen.
pub fn sizes(result: &AuditResult, words: &Words) -> Vec<String> {
    let look = result.deciding();
    let has_found = matches!(result.verdict, Verdict::Fail | Verdict::Investigate) && look.proofs.is_empty();
    let strongest = weakest(look).and_then(effect).map(|effect| effect_sentence(effect, words));
    let sentences = [in_order(look, words), approximate(result, words), strongest];
    sentences.into_iter().filter(|_| has_found).chain([size(result, words)]).flatten().collect()
}

/// What the deciding look could see.
fn size(result: &AuditResult, words: &Words) -> Option<String> {
    let look = result.deciding();
    let sight = sight(&result.plan, look, result.repeat.is_some()).filter(|_| look.proofs.is_empty())?;
    Some(sight_sentence(sight, words))
}

fn look_sentence(result: &AuditResult, look: &Look, words: &Words) -> String {
    let own = &words.verdict;
    // Without statistics nothing was made of the hands.
    let decks = match result.plan.table.as_ref().filter(|_| !look.statistics.is_empty()) {
        Some(table) => own.decks_at(look.decks, &words.result.players(&table.rules, table.players as u64)),
        None => own.decks(look.decks),
    };
    let shares = match &result.plan.repeat {
        Some(repeat) if look.first_deck > 0 => &repeat.families,
        _ => &result.plan.families,
    };
    let (found, planned) = (look.statistics.len() as u64, shares.values().sum::<u64>());
    // Few decks feed fewer p-values than the plan gave a share of the level.
    let p_values = if found < planned { own.p_values_of(found, planned) } else { own.p_values(planned) };
    let family = own.family(&words.joint_p_value(look.family_p_value), &p_values, shares.len() as u64);
    // Fair decks fail by an order that was chosen by looking at them.
    let is_stated = result.plan.stated_start_order().is_some();
    let start = is_stated.then(|| own.by_start.to_owned());
    let found = |head: String, last: Option<String>| {
        let parts = [Some(head), in_order(look, words), strongest(look, words), last, start.clone()];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    let without = |pass: String| {
        let left_out = left_out(&result.plan, words);
        left_out.map_or(pass.clone(), |left_out| format!("{pass} {}", own.plan_left_out(&left_out)))
    };
    match result.word() {
        Verdict::Pass if is_stated => without(own.pass_start(&decks, &family)),
        Verdict::Pass => without(own.pass(&decks, &family)),
        Verdict::Investigate => found(own.investigate(&decks, &family), approximate(result, words)),
        Verdict::Fail if !look.proofs.is_empty() => {
            // One record that is no deck ends the count, and nothing is made of the decks before it.
            let is_ended = look.statistics.is_empty();
            let counted = if is_ended { own.extent(&extent(result, words)) } else { own.counted(&decks) };
            let proofs = look.proofs_once().collect::<Vec<_>>().join(" ");
            match slip(result, words) {
                Some(slip) if slip == own.slip_twice => own.fail_twice(&proofs, &counted),
                Some(slip) => format!("{} {slip}", own.fail_proof(&proofs, &counted)),
                None => own.fail_proof(&proofs, &counted),
            }
        }
        Verdict::Fail => found(own.fail(&decks, &family), convicting_sentence(look, words)),
        Verdict::Inconclusive => own.inconclusive(&decks, result.plan.decks_min, &family),
    }
}

/// What of an export explains a proof as well.
pub fn slip(result: &AuditResult, words: &Words) -> Option<&'static str> {
    let is_bad_record = result.source.abilities().is_supplied && result.deciding().ends_at_bad_record();
    match (is_bad_record, result.may_hold_twice()) {
        (true, _) => Some(words.verdict.slip_record),
        (false, true) => Some(words.verdict.slip_twice),
        (false, false) => None,
    }
}

/// Below the level of a fail something must say why this is none.
fn approximate(result: &AuditResult, words: &Words) -> Option<String> {
    is_approximate(result).then(|| words.verdict.approximate.to_owned())
}

/// How many decks were looked at, of how many, and in which look.
pub fn extent(result: &AuditResult, words: &Words) -> String {
    let (own, first) = (&words.verdict, &result.first);
    let (decks, planned) = (first.decks, result.plan.decks);
    if let Some(repeat) = &result.repeat {
        let verdict = words.cover.small(first.verdict);
        return own.extent_repeat(result.decks(), decks, verdict, repeat.decks);
    }
    if first.statistics.is_empty() && !first.proofs.is_empty() {
        return match planned {
            Some(planned) => own.extent_bad_of(decks, planned),
            None => own.extent_bad(decks),
        };
    }
    match (result.source.is_stream(), planned) {
        (true, Some(_)) => own.extent_stream_first(decks),
        (true, None) => own.extent_stream(decks),
        (false, _) => words.number(decks),
    }
}

/// What a reader must not conclude.
pub fn not_shown(result: &AuditResult, words: &Words) -> Vec<String> {
    let own = &words.verdict;
    let is_predicted = result.looks().any(Look::is_predicted);
    let of_pass: &[&str] = if is_predicted { &[] } else { &[own.limit_predicted, own.limit_kinds] };
    let always = [own.limit_table, own.limit_outside, own.limit_plan];
    let mut sentences: Vec<String> = of_pass.iter().chain(&always).map(|&text| text.to_owned()).collect();
    sentences.extend(result.plan.stated_start_order().map(|_| own.limit_start.to_owned()));
    sentences.extend(left_out(&result.plan, words).map(|left_out| own.limit_left_out(&left_out)));
    sentences.extend(Written::chosen(&result.source).map(|option| own.limit_chosen(&option)));
    sentences.extend(other_numbering(result, words));
    if result.source.abilities().is_supplied {
        sentences.push(own.limit_supplied.to_owned());
    }
    sentences
}

/// What the record of the source leaves open: lines of a log that were passed over, and times that fall from one record to the next.
pub fn open_of_source(result: &AuditResult, words: &Words) -> Vec<String> {
    let lines = LinesRead::of(&result.source)
        .map(|lines| words.certificate.lines_passed(lines.passed_over, lines.all, lines.with_cards));
    let falls = result.source.number_if_any("time_falls").ok().flatten();
    lines.into_iter().chain(falls.map(|falls| words.certificate.fallen(falls))).collect()
}

/// That hands are judged by one way to number the cards, where records of numbers do not show which it is.
fn other_numbering(result: &AuditResult, words: &Words) -> Option<String> {
    let [taken, meant, option] = numbering_of_hands(result, words)?;
    Some(words.verdict.limit_numbers(taken, meant, option))
}

/// The same as something that was not checked.
pub fn numbering_unchecked(result: &AuditResult, words: &Words) -> Option<String> {
    let [taken, meant, option] = numbering_of_hands(result, words)?;
    Some(words.certificate.numbers(taken, meant, option))
}

/// How the numbers of hands were taken for cards, how else they may count, and the option that says so.
fn numbering_of_hands(result: &AuditResult, words: &Words) -> Option<[&'static str; 3]> {
    let own = Numbering::of(&result.source).filter(|_| result.plan.table.is_some())?;
    let other = own.other();
    Some([words.verdict.numbering(own), words.verdict.numbering(other), other.name()])
}

/// What to do when something was found: a question has to be asked again, and what was recorded may be the export's fault.
pub fn next_step(result: &AuditResult, extreme: Option<&ExtremeDeck>, words: &Words) -> Option<String> {
    let (own, page, is_supplied) = (&words.verdict, &words.page, result.source.abilities().is_supplied);
    if result.word() == Verdict::Fail {
        let export = match result.may_hold_twice() {
            _ if result.looks().any(|look| look.ends_at_bad_record()) => page.next_bad_record,
            true if result.source.shown("deck_regex").is_some() => page.next_repeated_log,
            true => page.next_repeated,
            false => page.next_failed,
        };
        let extreme = extreme.map(|deck| format!("{} ", page.next_extreme(deck.decks)));
        return is_supplied.then(|| extreme.unwrap_or_default() + export);
    }
    if result.word() != Verdict::Investigate {
        return None;
    }
    let decks = result.first.decks.saturating_mul(4);
    let advice = if is_supplied { own.next_recorded(decks) } else { own.next_again(decks) };
    let missing = result.repeat_missing.map(|reason| repeat_missing(reason, words));
    Some(missing.map_or(advice.clone(), |missing| format!("{advice} {missing}")))
}

/// Where the deck is that decided, and how many others have its value.
pub fn extreme_place(deck: &ExtremeDeck, words: &Words) -> String {
    match deck.decks {
        0 | 1 => deck.place.clone(),
        decks => words.page.extreme_first(&deck.place, decks),
    }
}

/// Why a repeat that was due is not there.
pub fn repeat_missing(reason: RepeatMissing, words: &Words) -> &'static str {
    match reason {
        RepeatMissing::StreamEnded => words.verdict.repeat_ended,
        RepeatMissing::NotRun => words.verdict.repeat_not_run,
    }
}

/// That the records were sorted, where all of them were.
fn in_order(look: &Look, words: &Words) -> Option<String> {
    let own = &words.verdict;
    sort_order(look).map(|way| match way {
        SortOrder::Ascending => own.sorted(own.ascending),
        SortOrder::Descending => own.sorted(own.descending),
    })
}

fn strongest(look: &Look, words: &Words) -> Option<String> {
    let record = weakest(look)?;
    let (score, p_value) = (words.figures(&plain(record.score)), words.p_value(record.p_value));
    let sentence = words.verdict.strongest(&record.id, record.decks, &record.score_name, &score, &p_value);
    Some(
        effect(record)
            .map_or(sentence.clone(), |effect| format!("{sentence} {}", effect_sentence(effect, words))),
    )
}

/// What convicts, where the smallest p-value is an approximation that may not.
fn convicting_sentence(look: &Look, words: &Words) -> Option<String> {
    let (record, p_value) = convicting(look)?;
    Some(words.verdict.convicting(&record.id, record.decks, &words.p_value(p_value)))
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
    use crate::document::words::Language;
    use deckproof_audit::audit::plan::Plan;
    use deckproof_audit::audit::selection::Selection;
    use deckproof_audit::certificate::look::Turn;
    use deckproof_audit::source::flawed;
    use deckproof_stats::battery::Tier;

    fn english() -> &'static Words {
        Language::English.words()
    }

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
    fn decks_before_a_record_that_is_none_are_given_beside_the_planned_ones() {
        let extent_of = |planned: Option<u64>, decks: u64| {
            let selection = Selection::of_tiers(&Tier::OF_DECKS).only(&["parity".to_owned()]);
            let plan = Plan::of_selection(flawed::record("sattolo", 1), planned, &selection);
            let first = look(&plan, decks);
            extent(&AuditResult::of_looks(&plan, plan.source.clone(), first, None, None), english())
        };
        assert_eq!(extent_of(Some(1_000), 7), "7 of 1,000, then a record that is none");
        assert_eq!(extent_of(Some(7), 7), "7 of 7, then a record that is none");
        assert_eq!(extent_of(None, 7), "7, then a record that is none");
        let selection = Selection::of_tiers(&Tier::OF_DECKS).only(&["parity".to_owned()]);
        let plan = Plan::of_selection(flawed::record("sattolo", 1), Some(7), &selection);
        let mut clean = look(&plan, 7);
        clean.proofs.clear();
        let result = AuditResult::of_looks(&plan, plan.source.clone(), clean, None, None);
        assert_eq!(extent(&result, english()), "7", "nothing was found, and no statistic had enough decks");
    }

    fn result_of(verdict: Verdict, family_p_value: f64) -> AuditResult {
        let selection = Selection::of_tiers(&Tier::OF_DECKS).only(&["parity".to_owned()]);
        let plan = Plan::of_selection(flawed::record("sattolo", 1), Some(1_000), &selection).without_repeat();
        let mut look = look(&plan, 1_000);
        (look.proofs, look.verdict, look.family_p_value) = (Vec::new(), verdict, family_p_value);
        AuditResult::of_looks(&plan, plan.source.clone(), look, None, None)
    }

    #[test]
    fn one_is_called_a_bound_and_a_small_approximation_is_called_one() {
        let sentence = verdict_sentence(&result_of(Verdict::Pass, 1.0), english());
        assert!(sentence.contains("family p-value 1 (an upper bound; nothing is unusual)"), "{sentence}");
        let sentence = verdict_sentence(&result_of(Verdict::Investigate, 0.0), english());
        assert!(sentence.contains("is the tail of an approximation"), "{sentence}");
        let sentences = sizes(&result_of(Verdict::Investigate, 0.0), english());
        assert!(sentences.iter().any(|own| own.contains("is the tail of an approximation")), "{sentences:?}");
        assert!(
            !verdict_sentence(&result_of(Verdict::Investigate, 0.001), english()).contains("approximation")
        );
    }
}
