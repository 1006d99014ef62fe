//! Fresh output and known answers: the certified shuffle of this program under a key of the day's own.

use std::ffi::OsStr;

use crate::audit::plan::{Plan, Shard};
use crate::audit::verdict::Verdict;
use crate::battery::Tier;
use crate::certificate::AuditResult;
use crate::math::decimal::{p_value, thousands};
use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::judge::weigh_result;
use crate::session::{Session, Unwatched};
use crate::source::list::CATALOGUE;
use crate::source::settings::Settings;
use crate::trials::selftest;

/// The name of the step.
pub const NAME: &str = "fresh output";

/// The name of the step of known answers.
pub const KNOWN_ANSWERS: &str = "known answers";

/// Vectors of protocol, generator and lanes, and the exact distributions.
pub fn known_answers() -> DayCheck {
    let checks = selftest::known_answers();
    match checks.iter().find(|check| !check.has_passed) {
        Some(failed) => {
            DayCheck::new(KNOWN_ANSWERS, CheckResult::Refused, format!("{} {}", failed.claim, failed.found))
        }
        None => {
            let evidence = format!(
                "{} checks of shuffle, generator and distributions passed; deckproof selftest runs all",
                checks.len()
            );
            DayCheck::new(KNOWN_ANSWERS, CheckResult::Passed, evidence)
        }
    }
}

/// Deals so many decks under a fresh key and judges them. They are this program's, not those of the tables.
pub fn check(decks: u64, threads: usize) -> (DayCheck, Option<AuditResult>) {
    match deal(decks, threads) {
        Err(reason) => (DayCheck::new(NAME, CheckResult::CouldNotSay, reason), None),
        Ok(result) => (judge(&result), Some(result)),
    }
}

fn deal(decks: u64, threads: usize) -> Result<AuditResult, String> {
    let asked =
        CATALOGUE.ask(OsStr::new("audit"), &Settings::default()).map_err(|error| error.to_string())?;
    let opened = asked.open(Some(decks)).map_err(|error| error.to_string())?;
    let plan = Plan::new(opened.record, opened.decks, &[Tier::Core]);
    let session = Session::begin(plan, Shard::WHOLE, opened.source, None);
    let answered = session.and_then(|mut session| session.answer(threads, &Unwatched));
    answered.map_err(|error| error.to_string())
}

fn judge(result: &AuditResult) -> DayCheck {
    let look = result.deciding();
    let said = match (result.verdict, look.proofs.is_empty()) {
        (_, false) => CheckResult::Refused,
        (Verdict::Inconclusive, _) => CheckResult::CouldNotSay,
        _ => weigh_result(result, false),
    };
    let repeat = if result.repeat.is_some() { ", the repeat of a first look that asked for it" } else { "" };
    let evidence = format!(
        "{} decks of the certified shuffle of this program, not of a table, under a fresh key{repeat}: {}, family p-value {} \
         over {} p-values, null: fair shuffle",
        thousands(look.decks),
        result.verdict.name(),
        p_value(look.family_p_value),
        look.statistics.len()
    );
    DayCheck::new(NAME, said, evidence)
}
