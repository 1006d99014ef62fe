//! What the day's decks, earlier days and the evidence over all of them say, as steps.

use std::collections::BTreeMap;

use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::day::{DayLine, Examined};
use crate::monitoring::drift::tables::Drift;
use crate::monitoring::drift::{Alarm, stands_at};
use crate::monitoring::event::Event;
use crate::monitoring::gaming_day::days_before;
use crate::monitoring::levels::{Occasion, PValues, weigh};
use crate::monitoring::places;
use crate::monitoring::rows::counting;
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::certificate::AuditResult;
use deckproof_audit::certificate::look::Look;
use deckproof_deck::text::decimal::{counted, joint_p_value, thousands};
use deckproof_report::document::words::Language;
use deckproof_report::rendering::audit::verdict::verdict_sentence;

/// The name of the step of new decks.
pub const FRESH: &str = "fresh evidence";
/// The name of the step of the record.
pub const CHAIN: &str = "chain";
/// The name of the step of the day's decks.
pub const LIVE: &str = "live output";
/// The name of the step of all days.
pub const DRIFT: &str = "drift";

/// Days without a result that are named.
const NAMED_MAX: usize = 5;

/// The chain was recomputed; days without a result are named.
pub fn chain(
    days: &[DayLine],
    date: &str,
    last_sha256: &str,
    certificates_gone: usize,
    missing: &[String],
) -> DayCheck {
    let rows = counted(days.len() as u64, "row", "rows");
    let head = last_sha256.get(..12).map_or_else(String::new, |head| format!(", the last is {head}"));
    let gone = match certificates_gone {
        0 => String::new(),
        gone => {
            format!(", {} went by the stated retention", counted(gone as u64, "certificate", "certificates"))
        }
    };
    let without = without_result(days, missing);
    let of_people =
        |what: fn(&DayLine) -> bool, one: &str, many: &str| match days.iter().filter(|day| what(day)).count()
        {
            0 => String::new(),
            1 => format!(", 1 of them {one}"),
            count => format!(", {count} of them {many}"),
        };
    let corrections = of_people(|day| day.correction.is_some(), "a correction", "corrections")
        + &of_people(|day| day.event.is_some(), "an event", "events");
    let named = match without.len() {
        0 => String::new(),
        many => {
            let named = without[..many.min(NAMED_MAX)].join(" ");
            let more =
                if many > NAMED_MAX { format!(" and {} more", many - NAMED_MAX) } else { String::new() };
            format!("; no result on {named}{more}")
        }
    };
    let gone_for_good =
        days.iter().filter_map(|day| day.event.as_ref()).flat_map(Event::lost_rows).collect::<Vec<_>>();
    let lost = match gone_for_good.len() {
        0 => String::new(),
        many => {
            let many = counted(many as u64, "row", "rows");
            format!("; {many} lost, by the list that had them: {}", gone_for_good.join(", "))
        }
    };
    // Whoever names an earlier day chooses what is read: it is said, and lifts nothing.
    let later = counting(days).find(|(_, day)| *day.day > *date);
    let late = later.map_or_else(String::new, |(row, day)| {
        format!("; {date} is recorded after a later day (row {row}, {}): it lifts no stop and answers no question of one", day.day)
    });
    DayCheck::passed(CHAIN, format!("{rows} recomputed{corrections}{head}{gone}{lost}{named}{late}"))
}

/// Days that have no row, and those of which no row says anything.
pub fn without_result(days: &[DayLine], missing: &[String]) -> Vec<String> {
    let silent = days.iter().filter(|day| day.result() == CheckResult::CouldNotSay && day.is_day());
    let mut without: Vec<String> = silent.map(|day| day.day.clone()).chain(missing.iter().cloned()).collect();
    without.sort();
    without.dedup();
    // A day that was run again and then said something has a result.
    without.retain(|date| {
        !counting(days).any(|(_, day)| day.day == *date && day.result() != CheckResult::CouldNotSay)
    });
    without
}

/// The day's decks. After a day whose recorded decks asked a question, this one's are the one repeat that answers it. Of a source
/// that only grows they may be a part of those of the day.
pub fn live(result: &AuditResult, earlier: &[DayLine], date: &str, is_growing: bool) -> DayCheck {
    let look = result.deciding();
    if let Some(proof) = look.proofs.first() {
        return DayCheck::stop(LIVE, format!("{}: {proof}", result.verdict.name()));
    }
    // What follows is joined by a semicolon.
    let sentence = verdict_sentence(result, Language::English.words()).trim_end_matches('.').to_owned();
    let open = open_question(earlier, LIVE, date);
    let asked = if open.is_some() { Occasion::AfterQuestion } else { Occasion::Daily };
    let weighed = weigh_result(result, asked);
    if let Some(evidence) =
        small_room(result, earlier, (date, is_growing), open).filter(|_| weighed == CheckResult::Passed)
    {
        return DayCheck::passed(LIVE, evidence);
    }
    if result.verdict == Verdict::Inconclusive {
        return DayCheck::could_not_say(LIVE, sentence);
    }
    // An audit of so few decks that asks a question is no pass where the day asks none.
    let decks = result.first.decks + result.repeat.as_ref().map_or(0, |repeat| repeat.decks);
    if weighed == CheckResult::Passed && decks < result.plan.decks_min {
        let answers = open.map_or(String::new(), |day| format!(" and do not answer the question of {day}"));
        let least = thousands(result.plan.decks_min);
        let evidence = format!("fewer than {least} decks show too little{answers}; {sentence}");
        return DayCheck::could_not_say(LIVE, evidence);
    }
    let sentence = format!("{sentence}{}", one_audit(result.verdict, weighed));
    let evidence = match (weighed, open) {
        (CheckResult::Passed, Some(day)) => {
            format!("the one repeat, which answers the question of {day}; {sentence}")
        }
        (CheckResult::Investigate, Some(day)) => format!(
            "the one repeat after {day} departs too, though not so far as stops ({}, null: fair shuffle): look into the shuffler; \
             the evidence over all days goes on weighing it; {sentence}",
            below(look, asked)
        ),
        (CheckResult::Refused, Some(day)) => {
            format!(
                "the one repeat after {day} departs too: {}, null: fair shuffle; {sentence}",
                below(look, asked)
            )
        }
        (CheckResult::Investigate, None) => format!(
            "a question, not a finding; the next day's decks are its one repeat ({}); {sentence}",
            below(look, asked)
        ),
        _ => sentence,
    };
    let departs = [CheckResult::Refused, CheckResult::Investigate].contains(&weighed);
    let explanation = places::explanation(look).filter(|_| departs);
    let explanation = explanation.map_or_else(String::new, |words| format!("; {words}"));
    DayCheck::new(LIVE, weighed, evidence + &explanation)
}

/// A stop that is no proof, beside what hands that were left out of an export explain.
pub fn beside_left_out(check: DayCheck, result: &AuditResult, left_out: Option<String>) -> DayCheck {
    let is_proof = !result.deciding().proofs.is_empty();
    match left_out.filter(|_| check.result == CheckResult::Refused && !is_proof) {
        Some(words) => DayCheck { evidence: format!("{}; {words}", check.evidence), ..check },
        None => check,
    }
}

/// Days of which a small room's decks are taken together.
const WEEK: u32 = 7;

/// That the decks of a small room, too few by themselves for a pass, are enough with those of the days before, after the last
/// that asked a question. What the days show together is weighed by the evidence over all days.
fn small_room(
    result: &AuditResult,
    earlier: &[DayLine],
    (date, is_growing): (&str, bool),
    open: Option<&str>,
) -> Option<String> {
    let decks = result.decks();
    let first = days_before(date, WEEK - 1)?;
    let has_asked = |line: &&DayLine| *line.day < *date && result_of(line, LIVE) > CheckResult::CouldNotSay;
    let asked = counting(earlier).map(|(_, line)| line).filter(has_asked).map(|line| &line.day).max();
    let is_of_week = |line: &&DayLine| {
        line.examined.is_some() && *line.day >= *first && asked.is_none_or(|asked| line.day > *asked)
    };
    // Of a day that was run again the last row counts: the whole file holds what half of it held. Of a growing file each row has
    // other records, also those of this day.
    let begin = |examined: &Examined| examined.records.filter(|_| is_growing).map_or(1, |(first, _)| first);
    let own = begin(&Examined::of_source(&result.source));
    let part = |line: &'_ DayLine| line.examined.as_ref().map_or(1, begin);
    let is_before = |line: &&DayLine| {
        let is_part = || part(line) < own && result_of(line, LIVE) <= CheckResult::CouldNotSay;
        *line.day < *date || *line.day == *date && is_part()
    };
    let days = counting(earlier).map(|(_, line)| line).filter(is_of_week).filter(is_before);
    let parts: BTreeMap<(&str, u64), u64> =
        days.map(|line| ((line.day.as_str(), part(line)), line.decks)).collect();
    let of_day =
        |day: &str| parts.iter().filter(|((own, _), _)| *own == day).map(|(_, decks)| decks).sum::<u64>();
    let all = decks + parts.values().sum::<u64>();
    let least = result.plan.decks_min;
    let has_proof = !result.deciding().proofs.is_empty();
    // Half a file of a larger room is no small room.
    let is_usual = parts.keys().all(|(day, _)| decks + of_day(date) >= of_day(day) / 2);
    (decks < least && all >= least && is_usual && !has_proof).then(|| {
        let answers = open.map_or(String::new(), |day| format!(", which answers the question of {day}"));
        format!(
            "{} are too few by themselves; {} in seven days, no question{answers} (family p-value {} over {}, null: fair shuffle)",
            counted(decks, "deck", "decks"),
            thousands(all),
            joint_p_value(result.deciding().family_p_value),
            counted(result.deciding().statistics.len() as u64, "p-value", "p-values")
        )
    })
}

/// Why the certificate of a day says another word than the day: it is an audit by itself, of which there is one, and
/// days come every day.
fn one_audit(verdict: Verdict, weighed: CheckResult) -> &'static str {
    match (verdict, weighed) {
        (Verdict::Fail, CheckResult::Investigate | CheckResult::Passed) => {
            "; the certificate says fail, by the levels of one audit, which many days would meet by chance"
        }
        (Verdict::Investigate, CheckResult::Passed) => {
            "; the certificate says investigate, by the level of one audit, which one fair day in a hundred meets"
        }
        _ => "",
    }
}

/// What the looks of an audit say at the levels of a day.
pub fn weigh_result(result: &AuditResult, asked: Occasion) -> CheckResult {
    let of =
        |look: &Look| PValues { family: look.family_p_value, convicting: look.family_p_value_convicting };
    let first = weigh(of(&result.first), asked);
    match &result.repeat {
        Some(_) if first == CheckResult::Refused => first,
        Some(repeat) => weigh(of(repeat), Occasion::OwnRepeat),
        None => first,
    }
}

/// The p-value that could stop, and from where on it does.
fn below(look: &Look, asked: Occasion) -> String {
    format!(
        "family p-value that may convict {}, a stop is {:.1e}",
        joint_p_value(look.family_p_value_convicting),
        asked.stop()
    )
}

/// Steps that the day before asked for and this one does not are said to be gone.
pub fn no_longer_set_up(checks: &mut [DayCheck], earlier: &[DayLine]) {
    let Some(before) = earlier.iter().rev().find(|day| !day.checks.is_empty()) else { return };
    for check in checks.iter_mut().filter(|check| check.result == CheckResult::NotSetUp) {
        if before.checks.iter().any(|old| old.name == check.name && old.is_set_up()) {
            *check = check.clone().no_longer_set_up(&before.day);
        }
    }
}

/// The day on which a step asked a question that `date` may answer. Decks of an earlier day answer none, nor do others of the
/// same day: whoever names the day would choose them.
pub fn open_question<'a>(earlier: &'a [DayLine], step: &str, date: &str) -> Option<&'a str> {
    let mut open = None::<&str>;
    for (_, line) in counting(earlier) {
        match (result_of(line, step), open) {
            (CheckResult::CouldNotSay | CheckResult::NotSetUp, _) => {}
            (_, Some(day)) if *line.day <= *day => {}
            (CheckResult::Investigate, _) => open = Some(&line.day),
            (CheckResult::Passed | CheckResult::Refused, _) => open = None,
        }
    }
    open.filter(|&day| day < date)
}

/// What a step said on a day; rows of the first form have the verdict of the decks alone.
fn result_of(line: &DayLine, step: &str) -> CheckResult {
    match line.checks.iter().find(|check| check.name == step) {
        Some(check) => check.result,
        None if line.checks.is_empty() && step == LIVE => line.result(),
        None => CheckResult::NotSetUp,
    }
}

/// The evidence over all days.
pub fn drift(drift: &Drift, earlier: &[DayLine]) -> DayCheck {
    let (now, highest) = (drift.ln_evidence(), drift.ln_highest());
    let strongest = drift.strongest().filter(|_| now >= std::f64::consts::LN_2 && !drift.has_repeated());
    let strongest =
        strongest.map_or_else(String::new, |family| format!(", most of it in {}", family.words()));
    let ever = if highest > now + 0.1 {
        // An alarm stays one: the day it was highest is what to look into.
        let day = earlier
            .iter()
            .find(|day| day.drift.as_ref().is_some_and(|own| own.ln_evidence >= highest - 1e-9));
        let on = day.map_or_else(String::new, |day| format!(", on {}", day.day));
        let stood_at = stands_at(highest).replacen("is ", "was ", 1);
        format!("; at its highest it {stood_at}{on}")
    } else {
        String::new()
    };
    let tables = match (drift.tables().len(), drift.tables().strongest()) {
        (0, _) => String::new(),
        (many, None) => {
            format!("; {} by themselves, none with any", counted(many as u64, "table", "tables"))
        }
        (many, Some((name, family, ln))) => format!(
            "; {} by themselves, the most at {name} ({}), which by itself {}",
            counted(many as u64, "table", "tables"),
            family.words(),
            stands_at(ln)
        ),
    };
    let days = drift.days();
    let over = match days {
        0 => "no day has been counted yet".to_owned(),
        days => {
            format!(
                "over {} the evidence against the shuffler {}",
                counted(days, "day", "days"),
                stands_at(now)
            )
        }
    };
    let evidence = format!(
        "{over}{strongest}{tables}{ever}; alarms at 1 in 1,000 and 1 in 1,000,000 over its whole life"
    );
    let result = match Alarm::of(highest) {
        Alarm::None => CheckResult::Passed,
        Alarm::Investigate => CheckResult::Investigate,
        Alarm::Stop => CheckResult::Refused,
    };
    DayCheck::new(DRIFT, result, evidence)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(date: &str, result: CheckResult) -> DayLine {
        let mut line = DayLine::of_failure(date, "a", "0", "", "");
        line.checks = vec![DayCheck::new(LIVE, result, "b")];
        line
    }

    #[test]
    fn a_question_is_answered_by_a_later_day_and_by_no_other_decks() {
        use CheckResult::{CouldNotSay, Investigate, Passed, Refused};
        let asked = day("2026-11-20", Investigate);
        let open = |rows: &[DayLine], date| open_question(rows, LIVE, date).map(str::to_owned);
        let on_20 = Some("2026-11-20".to_owned());
        assert_eq!(open(&[], "2026-11-21"), None);
        assert_eq!(open(std::slice::from_ref(&asked), "2026-11-21"), on_20);
        assert_eq!(open(std::slice::from_ref(&asked), "2026-11-20"), None);
        assert_eq!(open(std::slice::from_ref(&asked), "2026-11-19"), None);
        for (date, result, is_open) in [
            ("2026-11-21", Passed, false),
            ("2026-11-21", Refused, false),
            ("2026-11-21", CouldNotSay, true),
            ("2026-11-20", Passed, true),
            ("2026-11-19", Passed, true),
            ("2026-11-19", Investigate, true),
        ] {
            let rows = [asked.clone(), day(date, result)];
            assert_eq!(open(&rows, "2026-11-22"), on_20.clone().filter(|_| is_open), "{date} {result:?}");
        }
    }

    #[test]
    fn a_day_that_is_recorded_after_a_later_one_is_called_so() {
        let rows = [day("2026-11-18", CheckResult::Passed), day("2026-11-20", CheckResult::Passed)];
        let evidence = |date| chain(&rows, date, "", 0, &[]).evidence;
        assert!(evidence("2026-11-19").ends_with(
            "after a later day (row 2, 2026-11-20): it lifts no stop and answers no question of one"
        ));
        assert!(!evidence("2026-11-20").contains("later day"));
    }
}
