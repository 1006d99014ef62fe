//! One step of the day: its name, its result and what it rests on.

use std::io;

use serde::{Deserialize, Serialize};

use deckproof_deck::text::exit::Exit;
use deckproof_deck::text::named::named;
use deckproof_deck::text::visible;
use deckproof_verify::log::refusal::Refusal;

named! {
    /// What a step says. Later ones outweigh earlier ones.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum CheckResult {
        /// The configuration does not ask for it: nothing was checked.
        NotSetUp = "not set up",
        /// Checked, and nothing was found.
        Passed = "passed",
        /// It was to be checked and could not.
        CouldNotSay = "could not say",
        /// A question that more evidence answers.
        Investigate = "investigate",
        /// A contradiction was found: stop.
        Refused = "stop",
    }
    /// In words.
    pub fn words;
}

impl CheckResult {
    /// The same for programs, which find the words of the first version: a stop is `refused` to them.
    pub fn machine_words(self) -> &'static str {
        match self {
            CheckResult::Refused => "refused",
            other => other.words(),
        }
    }

    /// The exit status of a command that ends with it.
    pub fn exit(self) -> Exit {
        match self {
            CheckResult::Passed => Exit::Passed,
            CheckResult::Refused => Exit::Refused,
            CheckResult::Investigate => Exit::Investigate,
            CheckResult::CouldNotSay | CheckResult::NotSetUp => Exit::CouldNotSay,
        }
    }
}

/// A step that was done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DayCheck {
    /// Which step.
    pub name: String,
    /// What it says.
    pub result: CheckResult,
    /// What it rests on, in one line with numbers.
    pub evidence: String,
    /// What a mail and later days choose by, beside the result; rows of before this field have none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub remark: Option<Remark>,
}

/// A fact of a step beside its result. No code looks for it in the words of the evidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Remark {
    /// The decks are those of an earlier row: a file explains that, and a shuffler that dealt them again as well.
    MayBeDealt,
    /// The configuration asks for the step no longer, which one day says.
    NoLongerSetUp,
}

impl DayCheck {
    /// A step; line feeds of its evidence would forge lines of a mail, and names of files could steer a terminal.
    pub fn new(name: &str, result: CheckResult, evidence: impl Into<String>) -> DayCheck {
        let evidence = evidence.into().replace(['\n', '\r'], " ");
        let evidence = visible(evidence.trim_end_matches('.')).into_owned();
        DayCheck { name: name.to_owned(), result, evidence, remark: None }
    }

    /// A step that passed.
    pub fn passed(name: &str, evidence: impl Into<String>) -> DayCheck {
        DayCheck::new(name, CheckResult::Passed, evidence)
    }

    /// A step that could not say anything.
    pub fn could_not_say(name: &str, reason: impl Into<String>) -> DayCheck {
        DayCheck::new(name, CheckResult::CouldNotSay, reason)
    }

    /// A step that found what stops dealing.
    pub fn stop(name: &str, fault: impl Into<String>) -> DayCheck {
        DayCheck::new(name, CheckResult::Refused, fault)
    }

    /// A step that the configuration asks for no longer: a day says so, so that no check goes away in silence. Later days
    /// take it as not set up.
    pub fn no_longer_set_up(self, before: &str) -> DayCheck {
        let evidence = format!("{NO_LONGER}, it was on {before}: {}", self.evidence);
        let remark = Some(Remark::NoLongerSetUp);
        DayCheck { remark, ..DayCheck::new(&self.name, CheckResult::CouldNotSay, evidence) }
    }

    /// Whether the configuration asked for it.
    pub fn is_set_up(&self) -> bool {
        self.result != CheckResult::NotSetUp && !self.is_reported_once()
    }

    /// Whether it says only that the configuration asks for it no longer, which is told on one day.
    pub fn is_reported_once(&self) -> bool {
        // A row of before the remark has the words alone.
        let is_in_words = self.remark.is_none() && self.evidence.starts_with(NO_LONGER);
        self.result == CheckResult::CouldNotSay && (self.remark == Some(Remark::NoLongerSetUp) || is_in_words)
    }

    /// Whether its decks may have been dealt again.
    pub fn may_be_dealt(&self) -> bool {
        self.remark == Some(Remark::MayBeDealt)
    }

    /// A step that the configuration does not ask for, with the key that would.
    pub fn not_set_up(name: &str, key: &str) -> DayCheck {
        DayCheck::new(name, CheckResult::NotSetUp, format!("{key} is not in the configuration"))
    }
}

/// What the evidence of a step begins with on the first day that does not ask for it.
const NO_LONGER: &str = "no longer set up";

/// Why a step ends before its judgement.
#[derive(Debug)]
pub enum StepFault {
    /// Something cannot be read.
    Unreadable(String),
    /// Something contradicts itself or what was seen earlier.
    Refused(String),
}

impl StepFault {
    /// That something cannot be read.
    pub fn unreadable(reason: impl ToString) -> StepFault {
        StepFault::Unreadable(reason.to_string())
    }

    /// The same, with its place before it.
    pub fn at(self, place: &str) -> StepFault {
        match self {
            StepFault::Unreadable(reason) => StepFault::Unreadable(format!("{place}: {reason}")),
            StepFault::Refused(fault) => StepFault::Refused(format!("{place}: {fault}")),
        }
    }

    /// In words, whatever kind it is.
    pub fn into_words(self) -> String {
        let (StepFault::Unreadable(words) | StepFault::Refused(words)) = self;
        words
    }

    /// The step that ends so.
    pub fn check(&self, name: &str) -> DayCheck {
        match self {
            StepFault::Unreadable(reason) => DayCheck::new(name, CheckResult::CouldNotSay, reason.as_str()),
            StepFault::Refused(fault) => DayCheck::new(name, CheckResult::Refused, fault.as_str()),
        }
    }
}

impl From<io::Error> for StepFault {
    fn from(error: io::Error) -> StepFault {
        StepFault::unreadable(error)
    }
}

impl From<Refusal> for StepFault {
    fn from(Refusal { code, place, message, .. }: Refusal) -> StepFault {
        StepFault::Refused(format!("{code}: {place}: {message}"))
    }
}

/// The first step that says so.
pub fn first_of(checks: &[DayCheck], result: CheckResult) -> Option<&DayCheck> {
    checks.iter().find(|check| check.result == result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_one_line_that_steers_no_terminal() {
        let evidence = |text: &str| DayCheck::new("a", CheckResult::Passed, text).evidence;
        assert_eq!(evidence("b\nc."), "b c");
        assert_eq!(evidence("b\u{1b}[2J"), "b\\u001b[2J");
    }

    #[test]
    fn a_step_that_is_taken_out_is_told_for_one_day() {
        let first = DayCheck::not_set_up("a", "b").no_longer_set_up("2026-11-01");
        let wanted = "no longer set up, it was on 2026-11-01: b is not in the configuration";
        assert_eq!((first.result, first.evidence.as_str()), (CheckResult::CouldNotSay, wanted));
        assert!(!first.is_set_up() && !DayCheck::not_set_up("a", "b").is_set_up());
        assert!(DayCheck::new("a", CheckResult::CouldNotSay, "no disk").is_set_up());
    }

    /// A row of before the remark, as it stands in a record, is read and judged as it was.
    #[test]
    fn a_row_without_a_remark_is_read_by_its_words() {
        let old =
            r#"{"name":"a","result":"could-not-say","evidence":"no longer set up, it was on 2026-11-01: b"}"#;
        let read = |text: &str| serde_json::from_str::<DayCheck>(text).expect("a step");
        assert!(!read(old).is_set_up() && read(old).is_reported_once());
        assert_eq!(serde_json::to_string(&read(old)).expect("plain data"), old);
        // With it the words do not count.
        let fact = old
            .replace("no longer set up, it was", "gone")
            .replace("b\"}", "b\",\"remark\":\"no-longer-set-up\"}");
        assert!(!read(&fact).is_set_up() && read(&fact).is_reported_once());
        assert!(read(&fact.replace("no-longer-set-up", "may-be-dealt")).is_set_up());
    }
}
