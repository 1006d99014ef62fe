//! What the day's decks, earlier days and the evidence over all of them say, as steps.

use crate::audit::verdict::Verdict;
use crate::certificate::AuditResult;
use crate::certificate::words::verdict_sentence;
use crate::math::decimal::{p_value, thousands};
use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::drift::tables::Drift;
use crate::monitoring::drift::{Alarm, stands_at};
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
        gone => format!(", {gone} certificates are no longer here"),
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
    let open = open_question(earlier);
    let level = result.plan.level;
    let sentence = match look.proofs.first() {
        Some(proof) => format!("{}: {proof}", result.verdict.name()),
        None => verdict_sentence(result),
    };
    let (said, evidence) = match (result.verdict, open) {
        (Verdict::Fail, _) => (CheckResult::Refused, sentence),
        (Verdict::Investigate, Some(day)) => {
            let found = p_value(look.family_p_value);
            let evidence = format!(
                "the one repeat after {day} departs too: family p-value {found} below {level}, null: fair shuffle; {sentence}"
            );
            (CheckResult::Refused, evidence)
        }
        (Verdict::Investigate, None) => {
            let evidence =
                format!("a question, not a finding; the next day's decks are its one repeat; {sentence}");
            (CheckResult::Investigate, evidence)
        }
        (Verdict::Pass, Some(day)) => {
            (CheckResult::Passed, format!("the one repeat, which answers the question of {day}; {sentence}"))
        }
        (Verdict::Pass, None) => (CheckResult::Passed, sentence),
        (Verdict::Inconclusive, _) => (CheckResult::CouldNotSay, sentence),
    };
    DayCheck::new(LIVE, said, evidence)
}

/// The day whose decks asked a question that no later decks have answered.
fn open_question(earlier: &[DayLine]) -> Option<&str> {
    let judged = |line: &&DayLine| matches!(line.verdict.as_str(), "pass" | "fail" | "investigate");
    let last = earlier.iter().rev().find(judged)?;
    // What was itself the repeat is final: its row says refused.
    let was_asked = last.verdict == "investigate"
        && !last.checks.iter().any(|check| check.name == LIVE && check.result == CheckResult::Refused);
    was_asked.then_some(last.day.as_str())
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
