//! Carrying a frozen project out: one audit at a time, each going on from its checkpoint.

use std::path::Path;

use crate::project::frozen::FrozenAudit;
use crate::project::frozen::asked::Asked;
use crate::project::settings::Extent;
use crate::project::supplied_decks::Keeping;
use deckproof_audit::audit::plan::Shard;
use deckproof_audit::certificate::rejudge::rejudge;
use deckproof_audit::certificate::{AuditResult, Tool};
use deckproof_audit::selftest::{self, SELFTEST_FORMAT, SelftestCertificate, known_answers};
use deckproof_audit::session::Session;
use deckproof_audit::session::saved::SavedRun;
use deckproof_audit::source::DeckSource;
use deckproof_audit::source::ask::{AskError, Source};
use deckproof_deck::text::could_not_say::CouldNotSay;

/// That the source of an audit cannot be had.
fn unopened(audit: &FrozenAudit) -> impl Fn(AskError) -> CouldNotSay {
    move |error| CouldNotSay::new(format!("{}: {error}", audit.id), &error.advice)
}

/// That an audit ended without a result.
pub fn unanswered<E: Into<CouldNotSay>>(audit: &FrozenAudit) -> impl Fn(E) -> CouldNotSay {
    move |error| {
        let CouldNotSay(text) = error.into();
        CouldNotSay(format!("{}: {text}", audit.id))
    }
}

/// Begins an audit, or goes on with it. A source that cannot be resumed has no checkpoint.
///
/// # Errors
/// [`CouldNotSay`].
pub fn begin(
    asked: &Asked,
    frozen: &FrozenAudit,
    checkpoint: Option<&Path>,
    keep: Option<&Path>,
) -> Result<Session, CouldNotSay> {
    let record = &frozen.plan.source;
    let source = asked.source(record).map_err(|error| CouldNotSay::new(error, ""))?.continued(record);
    let saved = checkpoint.filter(|_| source.abilities().resume.is_ok()).map(SavedRun::open).transpose();
    open(frozen, source, saved.map_err(unanswered(frozen))?, keep)
}

/// The audit of a certificate once more, of these decks.
///
/// # Errors
/// [`CouldNotSay`].
pub fn of_source(frozen: &FrozenAudit, source: Box<dyn DeckSource>) -> Result<Session, CouldNotSay> {
    Session::begin(frozen.plan.clone(), Shard::WHOLE, source, None).map_err(unanswered(frozen))
}

/// The audit of a certificate once more, from the keys and files that its plan names; recorded decks are those of `supplied`.
///
/// # Errors
/// [`CouldNotSay`].
pub fn again(frozen: &FrozenAudit, supplied: Option<Box<dyn Source>>) -> Result<Session, CouldNotSay> {
    let source = match supplied {
        Some(source) => source.continued(&frozen.plan.source),
        None => frozen.plan.source.ask().map_err(unopened(frozen))?,
    };
    open(frozen, source, None, None)
}

fn open(
    frozen: &FrozenAudit,
    source: Box<dyn Source>,
    saved: Option<SavedRun>,
    keep: Option<&Path>,
) -> Result<Session, CouldNotSay> {
    let plan = &frozen.plan;
    let opened = source.open(plan.decks).map_err(unopened(frozen))?;
    if opened.record != plan.source || opened.decks != plan.decks {
        let found = format!("{}: the source is {}, and {} was frozen", frozen.id, opened.record, plan.source);
        let advice = "Freeze a new plan with another --out, or give the source that was frozen.";
        return Err(CouldNotSay::new(found, advice));
    }
    let decks = match keep {
        Some(path) => {
            let kept = Keeping::new(opened.source, path);
            Box::new(kept.map_err(|error| unopened(frozen)(error.into()))?)
        }
        None => opened.source,
    };
    Session::begin(plan.clone(), Shard::WHOLE, decks, saved).map_err(unanswered(frozen))
}

/// Whether a result is that of this audit and follows from its own integers.
///
/// # Errors
/// What does not fit.
pub fn check(frozen: &FrozenAudit, result: &AuditResult) -> Result<(), String> {
    if result.plan_sha256 != frozen.plan_sha256 || result.plan != frozen.plan {
        return Err(format!(
            "it is of the plan {}, and {} was frozen",
            result.plan_sha256, frozen.plan_sha256
        ));
    }
    rejudge(result).map_err(|error| error.to_string())
}

/// The program on trial.
///
/// # Errors
/// [`CouldNotSay`]: a built-in dealer failed.
pub fn examine(extent: Extent, tool: Tool, threads: usize) -> Result<SelftestCertificate, CouldNotSay> {
    match extent {
        Extent::Full => selftest::run(tool, threads).map_err(|error| CouldNotSay::new(error, "")),
        Extent::KnownAnswers => {
            let mut checks = known_answers();
            checks.push(selftest::draws());
            let has_passed = checks.iter().all(|check| check.has_passed);
            Ok(SelftestCertificate { format: SELFTEST_FORMAT.to_owned(), tool, has_passed, checks })
        }
    }
}
