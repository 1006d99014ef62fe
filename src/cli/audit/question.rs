//! The question an audit asks: plan, shard, source, and where an interrupted run left off.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::audit::checkpoint::{self, Checkpoint};
use crate::audit::plan::{Plan, SEGMENT_DECKS, Shard};
use crate::audit::run::{self, Hooks, Job, RunError, Standing};
use crate::certificate::look::{Look, Turn};
use crate::certificate::{AuditResult, bad_record_opening};
use crate::cli::audit::progress::Progress;
use crate::cli::audit::publish::Output;
use crate::cli::audit::wanted::{Repetition, Wanted};
use crate::cli::exit::CouldNotSay;
use crate::cli::source::check_able;
use crate::math::decimal::thousands;
use crate::source::ask::{Opened, Source};
use crate::source::record::SourceRecord;
use crate::source::relabelled::Relabelled;
use crate::source::{Consumed, DeckSource, SourceError};

/// A killed run loses about this much, or ten times what saving takes if that is longer.
const SAVE_EVERY: Duration = Duration::from_secs(2);

/// A finished first look, while the repeat is counted.
#[derive(Serialize, Deserialize)]
struct FirstLook {
    look: Look,
    /// With the hash of what a stream had given until then.
    source: SourceRecord,
}

/// Where a run is saved, and what of it does not change while it is counted.
struct Saving<'a> {
    path: Option<&'a Path>,
    plan: &'a Plan,
    shard: Shard,
    first: Option<&'a FirstLook>,
}

impl Saving<'_> {
    fn save(&self, standing: &Standing) -> std::io::Result<()> {
        let Some(path) = self.path else { return Ok(()) };
        let first = self.first.map(|first| serde_json::to_string(first).expect("a look is plain data"));
        checkpoint::write(path, self.plan, self.shard, first.as_deref(), standing)
    }
}

/// What is asked, ready to be counted.
pub struct Question {
    /// Frozen before the first deck.
    pub plan: Plan,
    shard: Shard,
    repeat: Repetition,
    source: Box<dyn DeckSource>,
    sentences: Vec<String>,
    first: Option<FirstLook>,
    standing: Standing,
    checkpoint: Option<PathBuf>,
}

impl Question {
    /// Opens the source, freezes the plan and, with a checkpoint, saves it or goes on from it. The key
    /// is in the checkpoint before the first deck is drawn. With `agreed`, only that very plan is run.
    ///
    /// # Errors
    /// [`CouldNotSay`], also when the checkpoint answers another question.
    pub fn ask(
        choice: Box<dyn Source>,
        wanted: Wanted,
        agreed: Option<&Plan>,
        checkpoint: Option<&Path>,
    ) -> Result<Question, CouldNotSay> {
        if checkpoint.is_some() {
            check_able("--checkpoint", choice.abilities().resume)?;
        }
        if let Some(agreed) = agreed {
            check_program(agreed, &wanted)?;
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
        let Opened { source, record, decks, sentences } =
            choice.open(wanted.decks.or(wanted.stream_decks))?;
        let decks = if wanted.stream_decks.is_some() { wanted.decks } else { decks };
        let plan = wanted.plan(record, decks);
        plan.check().map_err(|error| CouldNotSay::new(error, ""))?;
        if let Some(agreed) = agreed.filter(|agreed| **agreed != plan) {
            return Err(other_plan(agreed, &plan));
        }
        let source = match &wanted.start_order {
            Some(order) => Box::new(Relabelled::new(source, order)),
            None => source,
        };
        let mut question = Question {
            standing: Standing::at(
                wanted.shard.segments(plan.segments().unwrap_or(0)).start,
                &plan.selection(),
            ),
            plan,
            shard: wanted.shard,
            repeat: wanted.repeat,
            source,
            sentences,
            first: None,
            checkpoint: checkpoint.map(Path::to_owned),
        };
        if let Some(saved) = saved {
            question.continue_from(saved)?;
        }
        question.save_now()?;
        Ok(question)
    }

    fn continue_from(&mut self, saved: Checkpoint) -> Result<(), CouldNotSay> {
        let path = self.checkpoint.as_deref().unwrap_or(Path::new("")).display().to_string();
        if saved.plan != self.plan || saved.shard != self.shard {
            let advice =
                "Give the same source, number of decks and shard, or remove the file to start afresh.";
            return Err(CouldNotSay::new(format!("{path}: this checkpoint is of another audit"), advice));
        }
        if let Some(text) = &saved.first_look {
            let FirstLook { look, source } = serde_json::from_str(text).map_err(|error| {
                CouldNotSay::new(
                    format!("{path}: its first look cannot be read: {error}"),
                    "Remove the file to start afresh.",
                )
            })?;
            // Judged again from its integers, so that no digit depends on how it was written down.
            let look = Look::of_integers(&self.plan, Turn::First, look.tallies, look.duplicates);
            self.go_on();
            self.first = Some(FirstLook { look, source });
        }
        self.standing = saved.standing;
        let look = if self.first.is_some() { "of the repeat " } else { "" };
        self.sentences.push(format!(
            "{path}: going on after {} decks {look}that were counted before.",
            thousands(self.standing.evidence.decks())
        ));
        Ok(())
    }

    fn save_now(&self) -> Result<(), CouldNotSay> {
        let Question { plan, shard, first, checkpoint, .. } = self;
        let saving = Saving { path: checkpoint.as_deref(), plan, shard: *shard, first: first.as_ref() };
        saving.save(&self.standing).map_err(|error| CouldNotSay::new(RunError::Save(error), ""))
    }

    /// Tells a user at a terminal what the reader took the file for, and from where it goes on.
    pub fn say_what_it_reads(&self, output: &Output) {
        if !output.quiet {
            self.sentences.iter().for_each(|sentence| eprintln!("{sentence}"));
        }
    }

    /// How many decks the look that stands open has to count, if that is known.
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
        self.standing.evidence.decks()
    }

    /// Counts the first look, judges it and, if it asks for the repeat, counts and judges that too.
    ///
    /// # Errors
    /// [`CouldNotSay`] where nothing can be said about the shuffler.
    pub fn answer(mut self, threads: Option<usize>, progress: &Progress) -> Result<AuditResult, CouldNotSay> {
        if self.first.is_none() {
            let counted = self.count_to_the_end(threads, progress);
            let (look, consumed) = look_of(&self.plan, Turn::First, counted)?;
            let source = source_of(&self.plan, consumed.as_ref());
            let missing = match self.repeat.clone() {
                _ if !look.asks_for_repeat(&self.plan) => None,
                Repetition::Missing(reason) => Some(reason),
                _ if !self.go_on() => Some("The source cannot go on.".to_owned()),
                _ => {
                    self.begin_repeat(FirstLook { look, source }, consumed)?;
                    progress.begin_repeat(&self);
                    return self.answer_repeat(threads, progress);
                }
            };
            return Ok(AuditResult::of_looks(&self.plan, source, look, None, missing));
        }
        self.answer_repeat(threads, progress)
    }

    /// A program that fails after its decks has not dealt them.
    fn count_to_the_end(
        &mut self,
        threads: Option<usize>,
        progress: &Progress,
    ) -> Result<Standing, RunError> {
        let standing = self.count(threads, progress)?;
        self.source.check_end()?;
        Ok(standing)
    }

    /// Readies the source for the decks of the repeat.
    fn go_on(&mut self) -> bool {
        let decks = self.plan.decks.zip(self.plan.repeat.as_ref()).map(|(n, repeat)| n + repeat.decks);
        decks.is_some_and(|decks| self.source.go_on(decks))
    }

    /// The standing is saved with what the stream has given; the stream itself stands where it is.
    fn begin_repeat(&mut self, first: FirstLook, consumed: Option<Consumed>) -> Result<(), CouldNotSay> {
        self.first = Some(first);
        self.standing = Standing { consumed, ..Standing::at(0, &self.plan.selection()) };
        self.save_now()?;
        self.standing.consumed = None;
        Ok(())
    }

    fn answer_repeat(
        mut self,
        threads: Option<usize>,
        progress: &Progress,
    ) -> Result<AuditResult, CouldNotSay> {
        let counted = self.count_to_the_end(threads, progress);
        let FirstLook { look: first, source } = self.first.take().expect("the repeat follows a first look");
        let plan = &self.plan;
        let turn = Turn::Repeat { first_deck: first.decks };
        match counted {
            // Whatever ends the source, the first result is never dropped.
            Err(RunError::Source(error)) if !matches!(error, SourceError::NotADeck { .. }) => {
                let missing = format!("The source did not go on: {error}.");
                Ok(AuditResult::of_looks(plan, source, first, None, Some(missing)))
            }
            Err(error @ RunError::TooFew { .. }) => {
                let missing = format!("The source did not go on: {error}.");
                Ok(AuditResult::of_looks(plan, source, first, None, Some(missing)))
            }
            counted => {
                let (repeat, consumed) = look_of(plan, turn, counted)?;
                let source = source_of(plan, consumed.as_ref());
                Ok(AuditResult::of_looks(plan, source, first, Some(repeat), None))
            }
        }
    }

    /// What a shard says that could not be counted: a record that is no deck is proof, in every part.
    ///
    /// # Errors
    /// [`CouldNotSay`] for everything else.
    pub fn broken_by(&self, error: RunError) -> Result<AuditResult, CouldNotSay> {
        let (look, _) = look_of(&self.plan, Turn::First, Err(error))?;
        Ok(AuditResult::of_looks(&self.plan, self.plan.source.clone(), look, None, None))
    }

    /// Counts the look that stands open on any number of threads, saving as it goes.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn count(&mut self, threads: Option<usize>, progress: &Progress) -> Result<Standing, RunError> {
        let threads =
            threads.or_else(|| std::thread::available_parallelism().ok().map(usize::from)).unwrap_or(1);
        let job = self.job(threads);
        let empty = Standing::at(0, &job.selection);
        let standing = std::mem::replace(&mut self.standing, empty);
        let Question { plan, shard, source, first, checkpoint, .. } = self;
        let saving = Saving { path: checkpoint.as_deref(), plan, shard: *shard, first: first.as_ref() };
        let (mut saved_at, mut pause) = (Instant::now(), SAVE_EVERY);
        let mut save = |standing: &Standing| {
            if saved_at.elapsed() < pause {
                return Ok(());
            }
            let started = Instant::now();
            let written = saving.save(standing);
            saved_at = Instant::now();
            pause = SAVE_EVERY.max(10 * (saved_at - started));
            written
        };
        let add = |decks| progress.add(decks);
        run::run(&job, source.as_mut(), standing, &mut Hooks { progress: &add, save: &mut save })
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
}

/// Before a program that was not agreed upon is even started.
fn check_program(agreed: &Plan, wanted: &Wanted) -> Result<(), CouldNotSay> {
    if agreed.program_sha256 == wanted.program_sha256 {
        return Ok(());
    }
    let named = |sha256: &Option<String>| match sha256 {
        Some(sha256) => format!("one whose words have SHA-256 {sha256}"),
        None => "none".to_owned(),
    };
    let (wanted, found) = (named(&agreed.program_sha256), named(&wanted.program_sha256));
    Err(CouldNotSay::new(
        format!("the program is not that of the plan: the plan says {wanted}, found {found}"),
        "Nothing was run: a plan is run as it is. Write a new one with deckproof plan.",
    ))
}

/// A plan that was agreed upon, and a question that is another one.
fn other_plan(agreed: &Plan, found: &Plan) -> CouldNotSay {
    let parts = [
        ("source", agreed.source == found.source),
        ("number of decks", agreed.decks == found.decks),
        ("table", agreed.table == found.table),
        ("tiers", agreed.tiers == found.tiers),
        ("start order", agreed.start_order == found.start_order),
        ("repeat", agreed.repeat == found.repeat),
    ];
    let part = parts.iter().find(|(_, is_same)| !is_same).map_or("rest", |(part, _)| part);
    let detail = match part {
        "source" => format!(": the plan says {}, found {}", agreed.source, found.source),
        _ => String::new(),
    };
    CouldNotSay::new(
        format!("the {part} is not that of the plan{detail}"),
        "Nothing was run: a plan is run as it is. Write a new one with deckproof plan.",
    )
}

/// A counted look, judged, with what a stream had given until its end; a record that is no deck is proof,
/// anything else leaves nothing to say.
fn look_of(
    plan: &Plan,
    turn: Turn,
    counted: Result<Standing, RunError>,
) -> Result<(Look, Option<Consumed>), CouldNotSay> {
    match counted {
        Ok(standing) => Ok((Look::of_evidence(plan, turn, &standing.evidence), standing.consumed)),
        Err(RunError::Source(SourceError::NotADeck { record, error, .. })) if record > 1 => {
            let proof = format!("{}{error}.", bad_record_opening(record - 1));
            let before = (record - 1).saturating_sub(turn.first_deck());
            Ok((Look::of_bad_record(plan, turn, before, proof), None))
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
fn source_of(plan: &Plan, consumed: Option<&Consumed>) -> SourceRecord {
    consumed.map_or_else(|| plan.source.clone(), |consumed| plan.source.with_consumed(consumed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::verdict::Verdict;
    use crate::battery::Tier;
    use crate::source::flawed::Flawed;

    fn wanted() -> Wanted {
        Wanted {
            decks: Some(100),
            tiers: vec![Tier::Core],
            table: None,
            stream_decks: None,
            start_order: None,
            repeat: Repetition::Planned,
            shard: Shard::WHOLE,
            program_sha256: None,
        }
    }

    fn ask(name: &str, checkpoint: Option<&Path>) -> Question {
        let choice = Box::new(Flawed::open(name, 0).expect("the dealer is in the list"));
        Question::ask(choice, wanted(), None, checkpoint).expect("the dealer is in the list")
    }

    /// A dealer that a hundred decks make suspect without convicting it.
    fn suspect() -> String {
        let names = (1..100).map(|seed| format!("riffle-8:{seed}"));
        let mut suspects = names.filter(|name| {
            let mut question = ask(name, None);
            let counted = question.count(Some(1), &Progress::silent());
            let (look, _) = look_of(&question.plan, Turn::First, counted).expect("no record is spoilt");
            look.verdict == Verdict::Investigate
        });
        suspects.next().expect("eight riffles are seen at about a hundred decks")
    }

    #[test]
    fn a_run_interrupted_in_either_look_ends_in_the_same_record() {
        let name = suspect();
        let silent = Progress::silent();
        let whole = ask(&name, None).answer(Some(1), &silent).expect("no record is spoilt");
        assert!(whole.repeat.as_ref().is_some_and(|look| (look.first_deck, look.decks) == (100, 400)));

        let folder = tempfile::tempdir().expect("a scratch folder can be made");
        let path = folder.path().join("run.checkpoint");
        // Saved before the first deck, and killed.
        drop(ask(&name, Some(&path)));
        let again = ask(&name, Some(&path)).answer(Some(1), &silent).expect("it goes on");
        assert_eq!(again, whole);

        // Saved when the repeat began, and killed.
        let mut question = ask(&name, Some(&path));
        if question.first.is_none() {
            let counted = question.count(Some(1), &silent);
            let (look, consumed) =
                look_of(&question.plan, Turn::First, counted).expect("no record is spoilt");
            let source = source_of(&question.plan, None);
            question.begin_repeat(FirstLook { look, source }, consumed).expect("the folder can be written");
        }
        drop(question);
        let question = ask(&name, Some(&path));
        assert!(question.first.is_some() && question.decks_to_count() == Some(400));
        assert_eq!(question.answer(Some(1), &silent).expect("it goes on"), whole);
    }
}
