//! Carrying a frozen project out: one audit at a time, each going on from its checkpoint.

use std::path::Path;

use crate::project::frozen::asked::Asked;
use crate::project::frozen::{FrozenAudit, FrozenError};
use crate::project::settings::Extent;
use crate::project::supplied_decks::Keeping;
use deckproof_audit::audit::plan::Shard;
use deckproof_audit::certificate::rejudge::rejudge;
use deckproof_audit::certificate::{AuditResult, Tool};
use deckproof_audit::selftest::{self, SELFTEST_FORMAT, SelftestCertificate, known_answers};
use deckproof_audit::session::saved::SavedRun;
use deckproof_audit::session::{Session, SessionError};
use deckproof_audit::source::ask::{AskError, Source};
use deckproof_audit::source::{DeckSource, SourceError};
use deckproof_deck::text::could_not_say::CouldNotSay;

/// Why an audit of a project gave no result.
#[derive(Debug, thiserror::Error)]
pub enum AuditRunError {
    /// Its source cannot be had.
    #[error("{audit}: {error}")]
    Source {
        /// Which audit.
        audit: String,
        /// Why.
        error: AskError,
    },
    /// Its source is not the one that was frozen.
    #[error("{audit}: the source is {found}, and {planned} was frozen")]
    OtherSource {
        /// Which audit.
        audit: String,
        /// What is there.
        found: String,
        /// What the plan says.
        planned: String,
    },
    /// The project names no source.
    #[error(transparent)]
    Frozen(#[from] FrozenError),
    /// The session ended without a result.
    #[error("{audit}: {error}")]
    Session {
        /// Which audit.
        audit: String,
        /// Why.
        error: Box<SessionError>,
    },
}

/// Begins an audit, or goes on with it. A source that cannot be resumed has no checkpoint.
///
/// # Errors
/// [`AuditRunError`].
pub fn begin(
    asked: &Asked,
    frozen: &FrozenAudit,
    checkpoint: Option<&Path>,
    keep: Option<&Path>,
) -> Result<Session, AuditRunError> {
    let record = &frozen.plan.source;
    let source = asked.source(record)?.continued(record);
    let saved = checkpoint.filter(|_| source.abilities().resume.is_ok()).map(SavedRun::open).transpose();
    let failed = |error| AuditRunError::Session { audit: frozen.id.clone(), error: Box::new(error) };
    open(frozen, source, saved.map_err(failed)?, keep)
}

/// The audit of a certificate once more, of these decks.
///
/// # Errors
/// [`AuditRunError`].
pub fn of_source(frozen: &FrozenAudit, source: Box<dyn DeckSource>) -> Result<Session, AuditRunError> {
    Session::begin(frozen.plan.clone(), Shard::WHOLE, source, None)
        .map_err(|error| AuditRunError::Session { audit: frozen.id.clone(), error: Box::new(error) })
}

/// The audit of a certificate once more, from the keys and files that its plan names; recorded decks are those of `supplied`.
///
/// # Errors
/// [`AuditRunError`].
pub fn again(frozen: &FrozenAudit, supplied: Option<Box<dyn Source>>) -> Result<Session, AuditRunError> {
    let failed = |error| AuditRunError::Source { audit: frozen.id.clone(), error };
    let source = match supplied {
        Some(source) => source.continued(&frozen.plan.source),
        None => frozen.plan.source.ask().map_err(failed)?,
    };
    open(frozen, source, None, None)
}

fn open(
    frozen: &FrozenAudit,
    source: Box<dyn Source>,
    saved: Option<SavedRun>,
    keep: Option<&Path>,
) -> Result<Session, AuditRunError> {
    let audit = || frozen.id.clone();
    let plan = &frozen.plan;
    let opened = source.open(plan.decks).map_err(|error| AuditRunError::Source { audit: audit(), error })?;
    if opened.record != plan.source || opened.decks != plan.decks {
        let (found, planned) = (opened.record.to_string(), plan.source.to_string());
        return Err(AuditRunError::OtherSource { audit: audit(), found, planned });
    }
    let failed = |error: SourceError| AuditRunError::Source { audit: audit(), error: error.into() };
    let decks = match keep {
        Some(path) => Box::new(Keeping::new(opened.source, path).map_err(failed)?),
        None => opened.source,
    };
    Session::begin(plan.clone(), Shard::WHOLE, decks, saved)
        .map_err(|error| AuditRunError::Session { audit: audit(), error: Box::new(error) })
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

impl From<AuditRunError> for CouldNotSay {
    fn from(error: AuditRunError) -> CouldNotSay {
        match error {
            AuditRunError::Source { audit, error } => {
                let advice = error.advice.clone();
                CouldNotSay::new(format!("{audit}: {error}"), &advice)
            }
            AuditRunError::Session { audit, error } => {
                let CouldNotSay(text) = (*error).into();
                CouldNotSay(format!("{audit}: {text}"))
            }
            AuditRunError::OtherSource { .. } => CouldNotSay::new(
                error,
                "Freeze a new plan with another --out, or give the source that was frozen.",
            ),
            error => CouldNotSay::new(error, ""),
        }
    }
}
