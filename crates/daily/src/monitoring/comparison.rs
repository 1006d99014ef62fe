//! Comparison: the day's decks beside those of another kind of game, which are promised to be dealt by the same shuffler.

use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::day::DayLine;
use crate::monitoring::judge::open_question;
use crate::monitoring::levels::{Occasion, PValues, weigh};
use deckproof_audit::certificate::AuditResult;
use deckproof_audit::compare::{CompareError, compare};
use deckproof_report::document::words::Language;
use deckproof_report::rendering::comparison::verdict_sentence;

/// The name of the step.
pub const NAME: &str = "comparison";

/// Compares the two sets of decks, at the levels of a day: what asks a question today has tomorrow's decks as its repeat.
pub fn check(
    live: &AuditResult,
    other: &AuditResult,
    other_name: &str,
    earlier: &[DayLine],
    date: &str,
) -> DayCheck {
    let found = match compare(live, other) {
        Ok(found) => found,
        Err(error @ CompareError::Same(_)) => {
            let reason = format!("{error}; wanted two sets of different decks");
            return DayCheck::could_not_say(NAME, reason);
        }
        Err(error) => return DayCheck::could_not_say(NAME, error.to_string()),
    };
    let sentence = format!("with {other_name}: {}", verdict_sentence(&found, Language::English.words()));
    let are_few = found.decks.iter().any(|&decks| decks < deckproof_audit::compare::DECKS_MIN);
    if are_few || found.has_memory() {
        return DayCheck::could_not_say(NAME, sentence);
    }
    let day = PValues { family: found.family_p_value, convicting: found.family_p_value_convicting };
    let open = open_question(earlier, NAME, date);
    let asked = if open.is_some() { Occasion::AfterQuestion } else { Occasion::Daily };
    let (weighed, stop) = (weigh(day, asked), asked.stop());
    let next = match (weighed, open) {
        (CheckResult::Investigate, None) => {
            format!("; a question, whose one repeat are the next day's decks; a stop is {stop:.1e}")
        }
        (CheckResult::Investigate, Some(day)) => {
            format!("; the repeat after {day} asks again, though not so far as stops, {stop:.1e}")
        }
        (CheckResult::Passed, Some(day)) => format!("; this answers the question of {day}"),
        _ => String::new(),
    };
    DayCheck::new(NAME, weighed, format!("{}{next}", sentence.trim_end_matches('.')))
}
