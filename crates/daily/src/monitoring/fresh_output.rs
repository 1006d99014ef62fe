//! Fresh output and known answers: the certified shuffle of this program under a key of the day's own.

use std::ffi::OsStr;

use crate::monitoring::check::{CheckResult, DayCheck};
use crate::monitoring::judge::weigh_result;
use crate::monitoring::levels::Occasion;
use deckproof_audit::audit::plan::{Plan, Shard};
use deckproof_audit::audit::verdict::Verdict;
use deckproof_audit::certificate::{AuditResult, Tool};
use deckproof_audit::selftest;
use deckproof_audit::session::{Session, Unwatched};
use deckproof_audit::source::list::CATALOGUE;
use deckproof_audit::source::settings::Settings;
use deckproof_deck::text::decimal::{counted, joint_p_value};
use deckproof_stats::battery::Tier;

/// The name of the step.
pub const NAME: &str = "fresh output";

/// The name of the step of known answers.
pub const KNOWN_ANSWERS: &str = "known answers";

/// Vectors of protocol, generator and lanes, and the exact distributions; with a number of threads the whole selftest, which
/// also lets this program find flawed dealers and clear fair ones.
pub fn known_answers(whole: Option<usize>, tool: impl FnOnce() -> Tool) -> DayCheck {
    let checks = match whole {
        None => Ok(selftest::known_answers()),
        Some(threads) => selftest::run(tool(), threads).map(|certificate| certificate.checks),
    };
    let checks = match checks {
        Ok(checks) => checks,
        Err(error) => return DayCheck::could_not_say(KNOWN_ANSWERS, error.to_string()),
    };
    if let Some(failed) = checks.iter().find(|check| !check.has_passed) {
        let fault = format!("{} {}", failed.claim, failed.found);
        return DayCheck::stop(KNOWN_ANSWERS, fault);
    }
    let what = match whole {
        None => "of shuffle, generator and distributions passed; selftest = true runs all",
        Some(_) => "of the selftest passed",
    };
    DayCheck::passed(KNOWN_ANSWERS, format!("{} checks {what}", checks.len()))
}

/// Deals so many decks under a fresh key and judges them. They are this program's, not those of the tables.
pub fn check(decks: u64, threads: usize) -> (DayCheck, Option<AuditResult>) {
    match deal(decks, threads) {
        Err(reason) => (DayCheck::could_not_say(NAME, reason), None),
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
    let own = match (result.verdict, look.proofs.is_empty()) {
        (_, false) => CheckResult::Refused,
        (Verdict::Inconclusive, _) => CheckResult::CouldNotSay,
        _ => weigh_result(result, Occasion::Daily),
    };
    let repeat = if result.repeat.is_some() { ", the repeat that its first look called for" } else { "" };
    let evidence = format!(
        "{} of the certified shuffle of this program, not of a table, under a fresh key{repeat}: {}, family p-value {} \
         over {}, null: fair shuffle",
        counted(look.decks, "deck", "decks"),
        result.verdict.name(),
        joint_p_value(look.family_p_value),
        counted(look.statistics.len() as u64, "p-value", "p-values")
    );
    DayCheck::new(NAME, own, evidence)
}
