//! A whole audit as one call: plan, source and checkpoint in, a judged result out.
//!
//! The first look, the declared repeat, saving and going on, and the order in which things become durable are
//! here; nothing here prints or reads the clock.
//!
//! Order of durable writes: the plan with its key is in the checkpoint before the first deck is drawn; a judged first
//! look is there before the first deck of the repeat; the checkpoint goes when the caller says that the result is
//! published ([`Session::end`]). Killed between any two of them, the same call goes on and ends in the same result.

#[doc(hidden)]
pub mod ask;
#[doc(hidden)]
pub mod extreme;
#[doc(hidden)]
pub mod folder;
#[doc(hidden)]
pub mod options;
#[doc(hidden)]
pub mod request;
pub mod resolved;
#[doc(hidden)]
pub mod saved;

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use serde::{Deserialize, Serialize};

use crate::audit::checkpoint::CheckpointError;
use crate::audit::evidence::{Evidence, equal_decks};
use crate::audit::plan::error::PlanError;
use crate::audit::plan::{Plan, SEGMENT_DECKS, Shard};
use crate::audit::run::{self, Hooks, Job, RunError, RunState};
use crate::certificate::look::{Look, Turn};
use crate::certificate::rejudge::{Inconsistency, rejudge_look};
use crate::certificate::{AuditResult, RepeatMissing, bad_record_opening};
use crate::session::saved::SavedRun;
use crate::source::order::{self, RecordOrder};
use crate::source::record::SourceRecord;
use crate::source::{Consumed, DeckSource, SourceError};
use deckproof_files::file::lock::LockError;
use deckproof_stats::battery::duplicates::sketch::Sketch;

/// Why an audit gave no result. Nothing then follows about the shuffler.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// A plan that this program cannot run.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A part of a plan whose repeat no part can carry out.
    #[error("found a plan with a repeat, wanted one without: shards count a first look only")]
    ShardRepeat,
    /// A checkpoint that cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The checkpoint is in use.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// A checkpoint of something else.
    #[error("{0}: found a checkpoint of another audit, wanted one of this plan and shard")]
    OtherAudit(String),
    /// A checkpoint whose first look is not what its integers say.
    #[error("{place}: its first look is not sound: {found}")]
    SavedLook {
        /// The file.
        place: String,
        /// What is wrong.
        found: String,
    },
    /// The checkpoint could not be removed when the result was published.
    #[error("{place}: {error}")]
    Remove {
        /// The file.
        place: String,
        /// What happened.
        error: io::Error,
    },
    /// The very first record is no deck, which more likely means the wrong format.
    #[error("{0}")]
    FirstRecord(SourceError),
    /// The run ended without evidence.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A finished run that does not hold the decks it was to count.
    #[error("the run holds {found}, wanted the {wanted} decks of its plan")]
    Sum {
        /// What does not fit.
        found: String,
        /// How many decks the look has.
        wanted: u64,
    },
}

impl SessionError {
    /// Whether an interrupted run cannot go on because the stream gives other bytes this time.
    pub fn is_of_other_stream(&self) -> bool {
        matches!(self, SessionError::Run(RunError::Source(SourceError::OtherStream { .. })))
    }
}

/// Who listens to a run. Every method may be left as it is.
pub trait Watch: Sync {
    /// So many more decks are counted; called from any thread.
    fn counted(&self, _decks: u64) {}

    /// The first look asked for the repeat, which has so many decks.
    fn repeat_begins(&self, _decks: u64) {}

    /// Whether it is time to save the run, between two rounds.
    fn wants_save(&self) -> bool {
        true
    }

    /// The run was saved. An error here ends the run as a crash would.
    ///
    /// # Errors
    /// Whatever is to end the run.
    fn saved(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Nobody listens.
pub struct Unwatched;

impl Watch for Unwatched {}

/// A finished first look, while the repeat is counted.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FirstLook {
    look: Look,
    /// With the hash of what a stream had given until then.
    source: SourceRecord,
}

/// What a counted shard is.
pub enum SessionPart {
    /// Its integers, for merging; a shard has no verdict.
    Counted(RunState),
    /// A record that is no deck is proof, in every part.
    Broken(Box<AuditResult>),
}

/// An audit that is ready to be counted.
pub struct Session {
    plan: Plan,
    shard: Shard,
    source: Box<dyn DeckSource>,
    /// In which order the records stand, where they are somebody's.
    order: Option<RecordOrder>,
    first: Option<FirstLook>,
    state: RunState,
    saved: Option<SavedRun>,
    /// Whether it goes on from what was saved.
    is_resumed: bool,
    /// Where the record is that was no deck: file, record, line.
    bad_record: Option<String>,
    /// The fingerprints of the decks of all looks, once it is answered.
    seen: Option<Sketch>,
}

impl Session {
    /// Freezes the plan and, with a checkpoint, saves it or goes on from it. The source must be the one the plan
    /// names, at its first deck.
    ///
    /// # Errors
    /// [`SessionError`], also when the checkpoint is of another audit.
    pub fn begin(
        plan: Plan,
        shard: Shard,
        source: Box<dyn DeckSource>,
        saved: Option<SavedRun>,
    ) -> Result<Session, SessionError> {
        plan.check()?;
        if shard != Shard::WHOLE && plan.repeat.is_some() {
            return Err(SessionError::ShardRepeat);
        }
        let first_segment = shard.segments(plan.segments().unwrap_or(0)).start;
        let state = RunState::at(first_segment, &plan.selection());
        let (source, order) = if plan.source.abilities().is_supplied {
            let first = plan.source.number_if_any("first_record").ok().flatten().unwrap_or(1);
            let (source, order) = RecordOrder::of(source, plan.stated_start_order().as_ref(), first);
            (source, Some(order))
        } else {
            (source, None)
        };
        let (first, is_resumed, bad_record, seen) = (None, false, None, None);
        let mut session =
            Session { plan, shard, source, order, first, state, saved, is_resumed, bad_record, seen };
        session.go_on_from_saved()?;
        session.save()?;
        Ok(session)
    }

    /// Whether it goes on from a checkpoint.
    pub fn is_resumed(&self) -> bool {
        self.is_resumed
    }

    /// Where the record is that was no deck and ended the audit: file, record, line, and its id where one is known.
    pub fn bad_record(&self) -> Option<&str> {
        self.bad_record.as_deref()
    }

    /// What is asked, frozen before the first deck.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// How many decks the open look has to count, if that is known.
    pub fn decks_to_count(&self) -> Option<u64> {
        let decks = self.plan.decks?;
        if self.first.is_some() {
            return self.plan.repeat.as_ref().map(|repeat| repeat.decks);
        }
        let range = self.shard.segments(self.plan.segments()?);
        Some(decks.min(range.end * SEGMENT_DECKS) - decks.min(range.start * SEGMENT_DECKS))
    }

    /// How many of them an interrupted run has counted.
    pub fn decks_counted(&self) -> u64 {
        self.state.evidence.decks()
    }

    /// How many decks of a stream have come, as they come.
    pub fn arrivals(&self) -> Option<Arc<AtomicU64>> {
        self.source.arrivals()
    }

    /// Whether the first look is judged and the repeat is open.
    pub fn is_in_repeat(&self) -> bool {
        self.first.is_some()
    }

    /// Counts the first look, judges it and, if it asks for the repeat, counts and judges that too.
    ///
    /// # Errors
    /// [`SessionError`] where nothing can be concluded about the shuffler.
    pub fn answer(&mut self, threads: usize, watch: &dyn Watch) -> Result<AuditResult, SessionError> {
        if self.first.is_none() {
            let counted = self.count_to_the_end(threads, watch);
            let CountedLook { look, consumed, sketches } = look_of(&self.plan, Turn::First, counted)?;
            let source = source_of(&self.plan, consumed.as_ref());
            if look.proofs.is_empty() {
                self.check_order(look.decks)?;
            }
            if !look.asks_for_repeat(&self.plan) {
                self.seen = equal_decks(sketches);
                return Ok(AuditResult::of_looks(&self.plan, source, look, None, None));
            }
            if !self.go_on() {
                self.seen = equal_decks(sketches);
                let ended = Some(RepeatMissing::StreamEnded);
                return Ok(AuditResult::of_looks(&self.plan, source, look, None, ended));
            }
            self.begin_repeat(FirstLook { look, source }, sketches, consumed)?;
            watch.saved().map_err(RunError::Save)?;
            watch.repeat_begins(self.decks_to_count().unwrap_or(0));
        }
        self.answer_repeat(threads, watch)
    }

    /// The fingerprints of the decks that were judged, of both looks; none where a record was no deck, or a repeat broke off.
    pub fn take_seen(&mut self) -> Option<Sketch> {
        self.seen.take()
    }

    /// Counts one part of a plan.
    ///
    /// # Errors
    /// [`SessionError`] where there are no integers to merge.
    pub fn count_part(&mut self, threads: usize, watch: &dyn Watch) -> Result<SessionPart, SessionError> {
        match self.count(threads, watch) {
            Ok(state) => {
                // Of a sorted file every part is sorted.
                self.check_order(self.plan.decks.unwrap_or(state.evidence.decks()))?;
                Ok(SessionPart::Counted(state))
            }
            Err(SessionError::Run(error)) => {
                let CountedLook { look, .. } = look_of(&self.plan, Turn::First, Err(error.into()))?;
                let source = self.plan.source.clone();
                Ok(SessionPart::Broken(Box::new(AuditResult::of_looks(&self.plan, source, look, None, None))))
            }
            Err(error) => Err(error),
        }
    }

    /// What records that were counted leave open by what they say of themselves, in sentences; of the first so many.
    pub fn left_open(&self, decks: u64) -> Vec<String> {
        let source = source_of(&self.plan, self.source.consumed().as_ref());
        order::left_open(&source, self.source.marks().as_ref(), decks)
    }

    fn check_order(&self, decks: u64) -> Result<(), RunError> {
        let Some(order) = &self.order else { return Ok(()) };
        order.check(self.source.marks().as_ref(), decks).map_err(RunError::Source)
    }

    /// The result is published: the checkpoint is of no more use.
    ///
    /// # Errors
    /// [`SessionError::Remove`].
    pub fn end(self) -> Result<(), SessionError> {
        self.saved.map_or(Ok(()), SavedRun::remove)
    }

    /// A program that fails after its decks has not dealt them.
    fn count_to_the_end(&mut self, threads: usize, watch: &dyn Watch) -> Result<RunState, SessionError> {
        let state = self.count(threads, watch)?;
        self.source.check_end().map_err(|error| {
            if let SourceError::NotADeck { place, .. } = &error {
                self.bad_record = Some(place.clone());
            }
            RunError::Source(error)
        })?;
        Ok(state)
    }

    /// Readies the source for the decks of the repeat.
    fn go_on(&mut self) -> bool {
        let decks = self.plan.decks.zip(self.plan.repeat.as_ref()).map(|(n, repeat)| n + repeat.decks);
        decks.is_some_and(|decks| self.source.go_on(decks))
    }

    /// The run is saved with what the stream has given; the stream itself stays where it is.
    fn begin_repeat(
        &mut self,
        first: FirstLook,
        sketches: Vec<Vec<Sketch>>,
        consumed: Option<Consumed>,
    ) -> Result<(), SessionError> {
        let evidence = Evidence::after(&self.plan.selection(), first.look.decks, sketches);
        self.first = Some(first);
        self.state = RunState { next_segment: 0, evidence, consumed };
        self.save()?;
        self.state.consumed = None;
        Ok(())
    }

    fn answer_repeat(&mut self, threads: usize, watch: &dyn Watch) -> Result<AuditResult, SessionError> {
        let counted = self.count_to_the_end(threads, watch);
        let FirstLook { look: first, source } = self.first.take().expect("the repeat follows a first look");
        let plan = &self.plan;
        let turn = Turn::Repeat { first_deck: first.decks };
        match counted {
            // However a stream ends, its first result is never dropped. Other sources cannot end: what keeps them from
            // going on says nothing, and the run can be had again.
            Err(SessionError::Run(error)) if is_end(&error) && plan.source.is_stream() => {
                Ok(AuditResult::of_looks(plan, source, first, None, Some(RepeatMissing::StreamEnded)))
            }
            counted => {
                let CountedLook { look: repeat, consumed, sketches } = look_of(plan, turn, counted)?;
                self.seen = equal_decks(sketches);
                let source = source_of(plan, consumed.as_ref());
                Ok(AuditResult::of_looks(plan, source, first, Some(repeat), None))
            }
        }
    }

    /// Counts the open look on any number of threads, saving as it goes.
    fn count(&mut self, threads: usize, watch: &dyn Watch) -> Result<RunState, SessionError> {
        let job = self.job(threads);
        let empty = RunState::at(0, &job.selection);
        let state = std::mem::replace(&mut self.state, empty);
        let first = self.first.as_ref().map(first_look_text);
        let Session { plan, shard, source, saved, .. } = self;
        let mut save = |state: &RunState| match saved {
            Some(saved) if watch.wants_save() => {
                saved.save(plan, *shard, first.as_deref(), state)?;
                watch.saved()
            }
            _ => Ok(()),
        };
        let progress = |decks| watch.counted(decks);
        let hooks = &mut Hooks { progress: &progress, save: &mut save };
        let counted = run::run(&job, source.as_mut(), state, hooks);
        if let Err(RunError::Source(SourceError::NotADeck { place, .. })) = &counted {
            self.bad_record = Some(place.clone());
        }
        let state = counted?;
        // A resumed run adds to integers that somebody else may have written.
        let wanted = self.decks_to_count().unwrap_or(state.evidence.decks());
        let found = state.contradiction(&job.selection, job.decks, job.segments).or_else(|| {
            (state.evidence.decks() != wanted).then(|| format!("{} decks", state.evidence.decks()))
        });
        found.map_or(Ok(state), |found| Err(SessionError::Sum { found, wanted }))
    }

    fn job(&self, threads: usize) -> Job {
        let selection = self.plan.selection();
        let repeat = self.first.as_ref().and(self.plan.repeat.as_ref()).zip(self.plan.decks);
        if let Some((repeat, first_deck)) = repeat {
            let segments = 0..repeat.decks.div_ceil(SEGMENT_DECKS);
            return Job { first_deck, decks: Some(repeat.decks), segments, threads, selection };
        }
        let segments = self.shard.segments(self.plan.segments().unwrap_or(u64::MAX / SEGMENT_DECKS));
        Job { first_deck: 0, decks: self.plan.decks, segments, threads, selection }
    }

    fn save(&self) -> Result<(), SessionError> {
        let first = self.first.as_ref().map(first_look_text);
        let Session { plan, shard, saved, state, .. } = self;
        let Some(saved) = saved else { return Ok(()) };
        saved.save(plan, *shard, first.as_deref(), state).map_err(|error| RunError::Save(error).into())
    }

    fn go_on_from_saved(&mut self) -> Result<(), SessionError> {
        let Some((saved, place)) = self.saved.as_mut().and_then(SavedRun::take) else { return Ok(()) };
        if saved.plan != self.plan || saved.shard != self.shard {
            return Err(SessionError::OtherAudit(place));
        }
        if let Some(text) = &saved.first_look {
            self.first = Some(
                self.sound_first_look(text)
                    .map_err(|found| SessionError::SavedLook { place: place.clone(), found })?,
            );
            self.go_on();
        }
        self.state = saved.state;
        self.is_resumed = true;
        Ok(())
    }

    /// The first look of a checkpoint, judged again from its integers: it must ask for the repeat.
    fn sound_first_look(&self, text: &str) -> Result<FirstLook, String> {
        let FirstLook { look, source } = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let judged = |error: Inconsistency| error.to_string();
        let look = rejudge_look(&self.plan, Turn::First, &look).map_err(judged)?;
        if !look.asks_for_repeat(&self.plan) {
            return Err(format!("it says {}, and only investigate has a repeat", look.verdict));
        }
        Ok(FirstLook { look, source })
    }
}

fn first_look_text(first: &FirstLook) -> String {
    serde_json::to_string(first).expect("a look is plain data")
}

/// Whether a source had no more decks, rather than a record that is none.
fn is_end(error: &RunError) -> bool {
    match error {
        RunError::Source(error) => !matches!(error, SourceError::NotADeck { .. }),
        RunError::TooFew { .. } => true,
        _ => false,
    }
}

/// A counted look, judged.
struct CountedLook {
    look: Look,
    /// What a stream had given until its end.
    consumed: Option<Consumed>,
    /// The fingerprints of its decks, for the repeat.
    sketches: Vec<Vec<Sketch>>,
}

/// A look from what was counted; a record that is no deck is proof, anything else leaves nothing to say.
fn look_of(
    plan: &Plan,
    turn: Turn,
    counted: Result<RunState, SessionError>,
) -> Result<CountedLook, SessionError> {
    match counted {
        Ok(RunState { mut evidence, consumed, .. }) => {
            let look = Look::of_evidence(plan, turn, &mut evidence);
            let sketches = evidence.views.into_iter().map(|view| view.sketches).collect();
            Ok(CountedLook { look, consumed, sketches })
        }
        Err(SessionError::Run(RunError::Source(error))) => {
            let look = look_of_bad_record(plan, turn, error)?;
            Ok(CountedLook { look, consumed: None, sketches: Vec::new() })
        }
        Err(error) => Err(error),
    }
}

fn look_of_bad_record(plan: &Plan, turn: Turn, error: SourceError) -> Result<Look, SessionError> {
    match error {
        SourceError::NotADeck { record, error, .. } if record > 1 => {
            let proof = format!("{}{error}.", bad_record_opening(record - 1));
            // Records are counted from the first deck of all, looks from their own.
            let before = (record - 1).saturating_sub(turn.first_deck());
            Ok(Look::of_bad_record(plan, turn, before, proof))
        }
        error @ SourceError::NotADeck { .. } => Err(SessionError::FirstRecord(error)),
        error => Err(RunError::Source(error).into()),
    }
}

/// The plan's source, and for a stream what its bytes hash to.
fn source_of(plan: &Plan, consumed: Option<&Consumed>) -> SourceRecord {
    consumed.map_or_else(|| plan.source.clone(), |consumed| plan.source.with_consumed(consumed))
}

#[cfg(test)]
mod tests;
