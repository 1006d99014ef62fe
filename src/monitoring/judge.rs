//! What the day's decks, earlier days and the evidence over all of them say, as steps.

use crate::audit::verdict::Verdict;
use crate::certificate::AuditResult;
use crate::certificate::look::Look;
use crate::certificate::words::verdict_sentence;
use crate::math::decimal::{p_value, thousands};
use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::drift::tables::Drift;
use crate::monitoring::drift::{Alarm, stands_at};
use crate::monitoring::levels::{PValues, STOP_ONE_DAY, STOP_REPEAT, weigh};
use crate::monitoring::line::DayLine;

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
pub fn chain(days: &[DayLine], last_sha256: &str, certificates_gone: usize, missing: &[String]) -> DayCheck {
    let rows = thousands(days.len() as u64);
    let head = last_sha256.get(..12).map_or_else(String::new, |head| format!(", the last is {head}"));
    let gone = match certificates_gone {
        0 => String::new(),
        gone => format!(", {gone} certificates went by the stated retention"),
    };
    let without =
        days.iter().filter(|day| day.result() == CheckResult::CouldNotSay).map(|day| day.day.clone());
    let mut without: Vec<String> = without.chain(missing.iter().cloned()).collect();
    without.sort();
    without.dedup();
    // A day that was run again and then said something has a result.
    without
        .retain(|date| !days.iter().any(|day| day.day == *date && day.result() != CheckResult::CouldNotSay));
    let named = match without.len() {
        0 => String::new(),
        many => {
            let named = without[..many.min(NAMED_MAX)].join(" ");
            let more =
                if many > NAMED_MAX { format!(" and {} more", many - NAMED_MAX) } else { String::new() };
            format!("; no result on {named}{more}")
        }
    };
    DayCheck::new(CHAIN, CheckResult::Passed, format!("{rows} rows recomputed{head}{gone}{named}"))
}

/// The day's decks. After a day whose recorded decks asked a question, this one's are the one repeat that answers it.
pub fn live(result: &AuditResult, earlier: &[DayLine]) -> DayCheck {
    let look = result.deciding();
    if let Some(proof) = look.proofs.first() {
        return DayCheck::new(LIVE, CheckResult::Refused, format!("{}: {proof}", result.verdict.name()));
    }
    let sentence = verdict_sentence(result);
    if result.verdict == Verdict::Inconclusive {
        return DayCheck::new(LIVE, CheckResult::CouldNotSay, sentence);
    }
    let open = open_question(earlier);
    let said = weigh_result(result, open.is_some());
    let evidence = match (said, open) {
        (CheckResult::Passed, Some(day)) => {
            format!("the one repeat, which answers the question of {day}; {sentence}")
        }
        (CheckResult::Investigate, Some(day)) => format!(
            "the one repeat after {day} departs too, though not so far as stops ({}, null: fair shuffle): look into the shuffler; \
             the evidence over all days goes on weighing it; {sentence}",
            below(look, STOP_REPEAT)
        ),
        (CheckResult::Refused, Some(day)) => {
            format!(
                "the one repeat after {day} departs too: {}, null: fair shuffle; {sentence}",
                below(look, STOP_REPEAT)
            )
        }
        (CheckResult::Investigate, None) => format!(
            "a question, not a finding; the next day's decks are its one repeat ({}); {sentence}",
            below(look, STOP_ONE_DAY)
        ),
        _ => sentence,
    };
    DayCheck::new(LIVE, said, evidence)
}

/// What the looks of an audit say at the levels of a day: an audit that has its own repeat was asked for it by chance
/// as seldom as a day is.
pub fn weigh_result(result: &AuditResult, is_repeat: bool) -> CheckResult {
    let of =
        |look: &Look| PValues { family: look.family_p_value, convicting: look.family_p_value_convicting };
    let first = weigh(of(&result.first), is_repeat);
    match &result.repeat {
        Some(_) if first == CheckResult::Refused => first,
        Some(repeat) => weigh(of(repeat), true),
        None => first,
    }
}

/// The p-value that could stop, and from where on it does.
fn below(look: &Look, level: f64) -> String {
    format!(
        "family p-value that may convict {}, a stop is {level:.1e}",
        p_value(look.family_p_value_convicting)
    )
}

/// The day whose decks asked a question that no later decks have answered.
fn open_question(earlier: &[DayLine]) -> Option<&str> {
    let judged = |line: &&DayLine| matches!(line.verdict.as_str(), "pass" | "fail" | "investigate");
    let last = earlier.iter().rev().find(judged)?;
    if last.checks.is_empty() {
        // Rows of the first form have the verdict alone.
        return (last.verdict == "investigate").then_some(last.day.as_str());
    }
    open_question_of(std::slice::from_ref(last), LIVE)
}

/// The last day on which a step said anything, if that was a question.
pub fn open_question_of<'a>(earlier: &'a [DayLine], step: &str) -> Option<&'a str> {
    let said = |line: &'a DayLine| {
        let own = line.checks.iter().find(|check| check.name == step)?;
        let is_word = !matches!(own.result, CheckResult::CouldNotSay | CheckResult::NotSetUp);
        is_word.then_some((own.result, line.day.as_str()))
    };
    let (result, day) = earlier.iter().rev().find_map(said)?;
    (result == CheckResult::Investigate).then_some(day)
}

/// The evidence over all days.
pub fn drift(drift: &Drift) -> DayCheck {
    let (now, highest) = (drift.ln_evidence(), drift.ln_highest());
    let strongest =
        drift.strongest().map_or_else(String::new, |family| format!(", most of it in {}", family.words()));
    let ever = if highest > now + 0.1 {
        format!("; at its highest it {}", stands_at(highest).replacen("stands", "stood", 1))
    } else {
        String::new()
    };
    let strongest = if drift.has_repeated() { String::new() } else { strongest };
    let days = drift.days();
    let unit = if days == 1 { "day" } else { "days" };
    let evidence = format!(
        "over {} {unit} the evidence against the shuffler {}{strongest}{ever}; alarms at 1 in 1,000 and 1 in 1,000,000 over its whole life",
        thousands(days),
        stands_at(now)
    );
    let result = match Alarm::of(highest) {
        Alarm::None => CheckResult::Passed,
        Alarm::Investigate => CheckResult::Investigate,
        Alarm::Stop => CheckResult::Refused,
    };
    DayCheck::new(DRIFT, result, evidence)
}
