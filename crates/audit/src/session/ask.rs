//! From what is asked to a session that is ready: the source opened, the plan frozen, the checkpoint in hand.

use std::path::Path;

use crate::audit::checkpoint::CheckpointError;
use crate::audit::plan::{Plan, Shard};
use crate::session::resolved::ResolvedOptions;
use crate::session::saved::SavedRun;
use crate::session::{Session, SessionError};
use crate::source::ask::{Opened, Source, check_able};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::decimal::counted;

/// A session, and what its user should know about its source.
pub struct ReadySession {
    /// Ready to be counted.
    pub session: Session,
    /// What the reader took the file for, and from where it goes on.
    pub sentences: Vec<String>,
}

/// Whose plan is run.
pub enum PlanToRun<'a> {
    /// That of a request, made here.
    Request(&'a ResolvedOptions),
    /// Exactly this one.
    Agreed {
        /// The plan.
        plan: &'a Plan,
        /// For a plan to the end of a stream: how many decks a program is to give.
        stream_decks: Option<u64>,
    },
}

/// Opens the source, freezes the plan and begins the session, or goes on with that of the checkpoint.
///
/// # Errors
/// [`CouldNotSay`], also when the checkpoint is of another audit or the source not that of an agreed plan.
pub fn ask(
    choice: Box<dyn Source>,
    wish: &PlanToRun,
    shard: Shard,
    checkpoint: Option<&Path>,
) -> Result<ReadySession, CouldNotSay> {
    if checkpoint.is_some() {
        check_able("--checkpoint", choice.abilities().resume)?;
    }
    let saved = checkpoint.map(SavedRun::open).transpose()?;
    let choice = match saved.as_ref().and_then(SavedRun::plan) {
        Some(plan) => choice.continued(&plan.source),
        None => choice,
    };
    let wanted = match wish {
        PlanToRun::Request(request) => request.decks,
        PlanToRun::Agreed { plan, stream_decks } => plan.decks.or(*stream_decks),
    };
    let Opened { source, record, decks, mut sentences } = choice.open(wanted)?;
    let plan = match wish {
        PlanToRun::Request(request) => request.plan(record, decks),
        PlanToRun::Agreed { plan, .. } if plan.source != record.as_recorded_by(&plan.source) => {
            let detail =
                format!("source is not that of the plan: the plan says {}, found {record}", plan.source);
            return Err(other_plan(&detail));
        }
        PlanToRun::Agreed { plan, stream_decks: None } if plan.decks != decks => {
            return Err(other_plan("number of decks is not that of the plan"));
        }
        PlanToRun::Agreed { plan, .. } => (*plan).clone(),
    };
    let session = Session::begin(plan, shard, source, saved)?;
    if session.decks_counted() > 0 || session.is_in_repeat() {
        let look = if session.is_in_repeat() { "of the repeat " } else { "" };
        let place = checkpoint.unwrap_or(Path::new("")).display();
        sentences.push(format!(
            "{place}: going on after {} {look}counted before.",
            counted(session.decks_counted(), "deck", "decks")
        ));
    }
    Ok(ReadySession { session, sentences })
}

/// Before a program that was not agreed upon is even started.
///
/// # Errors
/// [`CouldNotSay`] naming both programs by hash.
pub fn check_program(agreed: &Plan, choice: &dyn Source) -> Result<(), CouldNotSay> {
    let typed = choice.program_sha256()?;
    if agreed.program_sha256 == typed {
        return Ok(());
    }
    let named = |sha256: &Option<String>| match sha256 {
        Some(sha256) => format!("one whose words have SHA-256 {sha256}"),
        None => "none".to_owned(),
    };
    let (wanted, found) = (named(&agreed.program_sha256), named(&typed));
    Err(other_plan(&format!("program is not that of the plan: the plan says {wanted}, found {found}")))
}

fn other_plan(detail: &str) -> CouldNotSay {
    CouldNotSay::new(
        format!("the {detail}"),
        "Nothing was run: a plan is run as it is, on the decks that it names. Give those; another question takes a plan of its own.",
    )
}

impl From<SessionError> for CouldNotSay {
    fn from(error: SessionError) -> CouldNotSay {
        let advice = match &error {
            SessionError::Checkpoint(CheckpointError::NotOurs(_)) => {
                "Name another --checkpoint: this file is left as it is."
            }
            SessionError::Checkpoint(CheckpointError::Damaged { .. } | CheckpointError::Plan { .. })
            | SessionError::SavedLook { .. } => "Remove this checkpoint to start afresh.",
            SessionError::OtherAudit(_) => {
                "Give the same source, number of decks and shard, or another --checkpoint to start afresh."
            }
            SessionError::Lock(_) => "Wait until it has ended, or name another --checkpoint.",
            SessionError::ShardRepeat => "Write the plan with --no-repeat.",
            SessionError::Remove { .. } => "The results are written; remove it by hand.",
            SessionError::FirstRecord(_) => {
                "This is the very first record, so the format or the numbering may be wrong: see --format and \
                 --numbering. This says nothing about the shuffler."
            }
            SessionError::Sum { .. } => {
                "The checkpoint it went on from was changed or is damaged: remove it to start afresh."
            }
            _ => "",
        };
        CouldNotSay::new(error, advice)
    }
}
