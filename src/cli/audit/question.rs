//! The question an audit asks: plan, shard, source, and where an interrupted run left off.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::audit::checkpoint;
use crate::audit::plan::{Plan, SEGMENT_DECKS, Shard, SourceRecord};
use crate::audit::run::{self, Hooks, Job, RunError, Standing};
use crate::battery::Tier;
use crate::certificate::{AuditResult, bad_record_opening};
use crate::cli::audit::open::{Opened, SourceChoice};
use crate::cli::audit::publish::Output;
use crate::cli::exit::CouldNotSay;
use crate::source::{DeckSource, SourceError};

/// A killed run loses about this much, or ten times what saving takes if that is longer.
const SAVE_EVERY: Duration = Duration::from_secs(2);

/// What is asked, ready to be counted.
pub struct Question {
    /// Frozen before the first deck.
    pub plan: Plan,
    shard: Shard,
    source: Box<dyn DeckSource>,
    sentence: Option<String>,
    standing: Standing,
    checkpoint: Option<PathBuf>,
}

impl Question {
    /// Opens the source, freezes the plan and, with a checkpoint, saves it or goes on from it. The key
    /// is in the checkpoint before the first deck is drawn.
    ///
    /// # Errors
    /// [`CouldNotSay`], also when the checkpoint answers another question.
    pub fn ask(
        choice: SourceChoice,
        decks: Option<u64>,
        tiers: &[Tier],
        shard: Shard,
        checkpoint: Option<&Path>,
    ) -> Result<Question, CouldNotSay> {
        if checkpoint.is_some() {
            choice.check_resumable()?;
        }
        let saved = match checkpoint {
            Some(path) => checkpoint::read(path)
                .map_err(|error| CouldNotSay::new(error, "Remove the file to start afresh."))?,
            None => None,
        };
        let choice = match &saved {
            Some(saved) => choice.continued(&saved.plan.source),
            None => choice,
        };
        let Opened { source, record, decks, sentence } = choice.open(decks)?;
        let plan = Plan::new(record, decks, tiers);
        let standing = match saved {
            Some(saved) if saved.plan != plan || saved.shard != shard => {
                let path = checkpoint.unwrap_or(Path::new("")).display();
                let advice =
                    "Give the same source, number of decks and shard, or remove the file to start afresh.";
                return Err(CouldNotSay::new(format!("{path}: this checkpoint is of another audit"), advice));
            }
            Some(saved) => saved.standing,
            None => Standing::at(shard.segments(plan.segments().unwrap_or(0)).start, &plan.selection()),
        };
        let checkpoint = checkpoint.map(Path::to_owned);
        let question = Question { plan, shard, source, sentence, standing, checkpoint };
        question.save_first()?;
        Ok(question)
    }

    fn save_first(&self) -> Result<(), CouldNotSay> {
        let Some(path) = &self.checkpoint else { return Ok(()) };
        checkpoint::write(path, &self.plan, self.shard, &self.standing)
            .map_err(|error| CouldNotSay::new(RunError::Save(error), ""))
    }

    /// Tells a user at a terminal what the reader took the file for.
    pub fn say_what_it_reads(&self, output: &Output) {
        if let (Some(sentence), false) = (&self.sentence, output.quiet) {
            eprintln!("{sentence}");
        }
    }

    /// How many decks this run has to count in all, if that is known.
    pub fn decks_to_count(&self) -> Option<u64> {
        let decks = self.plan.decks?;
        let range = self.shard.segments(self.plan.segments()?);
        Some(decks.min(range.end * SEGMENT_DECKS) - decks.min(range.start * SEGMENT_DECKS))
    }

    /// How many of them an interrupted run has counted.
    pub fn decks_counted(&self) -> u64 {
        self.standing.evidence.decks()
    }

    /// Counts on any number of threads, saving as it goes.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn count(
        self,
        threads: Option<usize>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Standing, RunError> {
        let threads =
            threads.or_else(|| std::thread::available_parallelism().ok().map(usize::from)).unwrap_or(1);
        let segments = self.shard.segments(self.plan.segments().unwrap_or(u64::MAX / SEGMENT_DECKS));
        let job = Job { decks: self.plan.decks, segments, threads, selection: self.plan.selection() };
        let (plan, shard, checkpoint) = (self.plan, self.shard, self.checkpoint);
        let (mut saved_at, mut pause) = (Instant::now(), SAVE_EVERY);
        let mut save = |standing: &Standing| match &checkpoint {
            Some(path) if saved_at.elapsed() >= pause => {
                let started = Instant::now();
                let written = checkpoint::write(path, &plan, shard, standing);
                saved_at = Instant::now();
                pause = SAVE_EVERY.max(10 * (saved_at - started));
                written
            }
            _ => Ok(()),
        };
        run::run(&job, self.source, self.standing, &mut Hooks { progress, save: &mut save })
    }
}

/// What a finished or broken run says: evidence is judged, a record that is no deck is proof, anything
/// else leaves nothing to say.
///
/// # Errors
/// [`CouldNotSay`].
pub fn result_of(plan: &Plan, counted: Result<Standing, RunError>) -> Result<AuditResult, CouldNotSay> {
    match counted {
        Ok(standing) => {
            let source = source_of(plan, &standing);
            Ok(AuditResult::of_evidence(plan, source, &standing.evidence))
        }
        Err(RunError::Source(SourceError::NotADeck { record, error, .. })) if record > 1 => {
            let decks_before = record - 1;
            let proof = format!("{}{error}.", bad_record_opening(decks_before));
            Ok(AuditResult::of_bad_record(plan, plan.source.clone(), decks_before, proof))
        }
        Err(RunError::Source(error @ SourceError::NotADeck { .. })) => Err(CouldNotSay::new(
            error,
            "This is the very first record, so the format or the numbering may be wrong: see --format and \
             --numbering. Nothing is said about the shuffler.",
        )),
        Err(error) => Err(CouldNotSay::new(error, "")),
    }
}

/// The plan's source, and for a stream what its bytes hash to.
fn source_of(plan: &Plan, standing: &Standing) -> SourceRecord {
    match (&plan.source, &standing.consumed) {
        (SourceRecord::Stream { format, numbering, .. }, Some(consumed)) => SourceRecord::Stream {
            format: format.clone(),
            numbering: numbering.clone(),
            sha256: base16ct::lower::encode_string(&consumed.sha256),
        },
        (source, _) => source.clone(),
    }
}
