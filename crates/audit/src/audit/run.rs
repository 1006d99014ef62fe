//! The run: a source, cut into segments, counted on any number of threads.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::iter::{IntoParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use crate::audit::evidence::{BATCH_BLOCKS, Counter, Evidence, ViewEvidence};
use crate::audit::plan::{SEGMENT_BLOCKS, SEGMENT_DECKS};
use crate::audit::selection::Selection;
use crate::source::{Consumed, DeckSource, SourceError};
use deckproof_deck::deck::block::{BLOCK_HANDS, DeckBlock};
use deckproof_stats::battery::{Segment, decks_of};

/// Segments a thread counts between two moments at which the run can be saved.
const SEGMENTS_PER_THREAD: u64 = 16;

/// What is to be counted.
#[derive(Clone)]
pub struct Job {
    /// The number of the first deck; segments are counted from it.
    pub first_deck: u64,
    /// How many decks from there on, in all segments; `None`: to the end of the stream.
    pub decks: Option<u64>,
    /// The segments of this run; its end is ignored for a stream without a number of decks.
    pub segments: Range<u64>,
    /// How many threads count.
    pub threads: usize,
    /// What to run.
    pub selection: Selection,
}

/// Why a run gave no evidence.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The source failed.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The source ended early.
    #[error("the source ended after {found} decks, wanted {wanted}")]
    TooFew {
        /// What it gave.
        found: u64,
        /// What the plan wants.
        wanted: u64,
    },
    /// The run could not be saved.
    #[error("the checkpoint could not be written: {0}")]
    Save(std::io::Error),
    /// No threads.
    #[error("the threads could not be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// How far a run is between two rounds.
pub struct RunState {
    /// The next segment to count.
    pub next_segment: u64,
    /// What was counted before it.
    pub evidence: Evidence,
    /// What has been read of a stream that can be read only once.
    pub consumed: Option<Consumed>,
}

impl RunState {
    /// Before the first deck of a range of segments.
    pub fn at(segment: u64, selection: &Selection) -> RunState {
        RunState { next_segment: segment, evidence: Evidence::new(selection), consumed: None }
    }

    /// What does not fit together in a run over these segments of so many decks: each view must hold exactly
    /// the decks of the segments stated to be counted.
    pub fn contradiction(
        &self,
        selection: &Selection,
        decks: Option<u64>,
        segments: Range<u64>,
    ) -> Option<String> {
        let (next, counted) = (self.next_segment, self.evidence.decks());
        if !(segments.start..=segments.end).contains(&next) {
            return Some(format!("segment {next} comes next, which is not among its segments"));
        }
        let up_to = |segment: u64| {
            let whole = segment.saturating_mul(SEGMENT_DECKS);
            decks.map_or(whole, |decks| decks.min(whole))
        };
        let wanted = up_to(next) - up_to(segments.start);
        let is_last_short = decks.is_none() && counted.div_ceil(SEGMENT_DECKS) == next;
        if counted != wanted && !is_last_short {
            return Some(format!("{counted} decks are counted, and its segments have {wanted}"));
        }
        let is_wrong = |view: &&ViewEvidence| view.decks != decks_of(view.view, counted);
        if let Some(view) = self.evidence.views.iter().find(is_wrong) {
            return Some(format!("the view {} has {} of {counted} decks", view.view.name(), view.decks));
        }
        let wrong = self.evidence.views.iter().find_map(|view| view.wrong_sum(selection, segments.start));
        wrong.map(|name| format!("the counts of {name} do not add up"))
    }
}

/// What the caller wants to hear during the run.
pub struct Hooks<'a> {
    /// Called from any thread with the number of decks counted since the last call.
    pub progress: &'a (dyn Fn(u64) + Sync),
    /// Called between rounds, when the state is whole; it may save it.
    pub save: &'a mut (dyn FnMut(&RunState) -> std::io::Result<()> + Send),
}

/// Counts the job's segments from where `state` left off.
///
/// # Errors
/// [`RunError`]; of several bad records the first one in the order of the decks.
pub fn run(
    job: &Job,
    source: &mut dyn DeckSource,
    state: RunState,
    hooks: &mut Hooks,
) -> Result<RunState, RunError> {
    let counted = || {
        let mut state = run_on_pool(job, source, state, hooks)?;
        state.evidence.settle();
        Ok(state)
    };
    // A page has no threads to make a pool of: its one thread counts.
    if cfg!(target_family = "wasm") {
        return counted();
    }
    rayon::ThreadPoolBuilder::new().num_threads(job.threads.max(1)).build()?.install(counted)
}

fn run_on_pool(
    job: &Job,
    source: &mut dyn DeckSource,
    state: RunState,
    hooks: &mut Hooks,
) -> Result<RunState, RunError> {
    // A segment is counted by one thread.
    let segments = usize::try_from(job.segments.end - state.next_segment).unwrap_or(usize::MAX);
    let forks: Option<Vec<_>> = (0..job.threads.min(segments).max(1)).map(|_| source.fork()).collect();
    match forks {
        Some(forks) => run_forked(job, forks, state, hooks),
        None => run_in_order(job, source, state, hooks),
    }
}

/// Each thread reads its own decks.
fn run_forked(
    job: &Job,
    forks: Vec<Box<dyn DeckSource>>,
    mut state: RunState,
    hooks: &mut Hooks,
) -> Result<RunState, RunError> {
    let mut workers: Vec<Worker> = forks.into_iter().map(|source| Worker::new(source, job)).collect();
    let threads = workers.len() as u64;
    while state.next_segment < job.segments.end {
        let end = job.segments.end.min(state.next_segment + threads * SEGMENTS_PER_THREAD);
        let next = AtomicU64::new(state.next_segment);
        let claim = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&segment| segment < end);
        let progress = hooks.progress;
        // Segments are claimed in rising order: everything before a bad record has been claimed, and is
        // counted, before anybody stops.
        let stops: Vec<Option<(u64, RunError)>> = workers
            .par_iter_mut()
            .map(|worker| {
                std::iter::from_fn(claim)
                    .find_map(|segment| worker.count(segment, progress).err().map(|error| (segment, error)))
            })
            .collect();
        if let Some((_, error)) = stops.into_iter().flatten().min_by_key(|(segment, _)| *segment) {
            return Err(error);
        }
        for worker in &mut workers {
            state.evidence.merge(&mut worker.counter.evidence);
        }
        state.next_segment = end;
        (hooks.save)(&state).map_err(RunError::Save)?;
    }
    Ok(state)
}

/// One thread's reader and counts; its memory serves round after round.
struct Worker<'a> {
    source: Box<dyn DeckSource>,
    job: &'a Job,
    counter: Counter<'a>,
    blocks: Vec<DeckBlock>,
}

impl<'a> Worker<'a> {
    fn new(source: Box<dyn DeckSource>, job: &'a Job) -> Worker<'a> {
        // A small audit does not wait for the memory of a whole segment.
        let decks = job.decks.unwrap_or(SEGMENT_DECKS).min(SEGMENT_DECKS);
        let blocks = vec![DeckBlock::default(); decks.div_ceil(BLOCK_HANDS as u64) as usize];
        Worker { source, job, counter: Counter::from(job.first_deck, &job.selection), blocks }
    }

    /// Counts a whole segment, of which the job has all decks.
    fn count(&mut self, segment: u64, progress: &(dyn Fn(u64) + Sync)) -> Result<(), RunError> {
        let first_deck = self.job.first_deck;
        let decks = self.job.decks.expect("a source that can be read anywhere knows how many decks it has");
        let last = first_deck + decks.min((segment + 1) * SEGMENT_DECKS);
        let mut first = first_deck + segment * SEGMENT_DECKS;
        let (mut filled_blocks, mut observed) = (0, 0);
        loop {
            // A block more than the batch: its last deck is linked to the next one.
            let ahead = self.blocks.len().min(observed + BATCH_BLOCKS + 1);
            if first < last && filled_blocks < ahead {
                let room = &mut self.blocks[filled_blocks..ahead];
                let filled = fill_blocks(self.source.as_mut(), first, last, room)?;
                if filled == 0 {
                    return Err(RunError::TooFew { found: first, wanted: first_deck + decks });
                }
                filled_blocks += filled.div_ceil(BLOCK_HANDS as u64) as usize;
                first += filled;
                progress(filled);
            }
            if observed == filled_blocks {
                break;
            }
            let end = filled_blocks.min(observed + BATCH_BLOCKS);
            self.counter.observe(segment, &self.blocks[..filled_blocks], observed..end);
            observed = end;
        }
        let held = first - first_deck - segment * SEGMENT_DECKS;
        self.counter
            .close_segment(Segment::of_run(segment, Some(decks), held), &self.blocks[..filled_blocks]);
        Ok(())
    }
}

/// Fills blocks with the decks from `first` up to `last` or the end of the source; says how many came.
fn fill_blocks(
    source: &mut dyn DeckSource,
    first: u64,
    last: u64,
    blocks: &mut [DeckBlock],
) -> Result<u64, SourceError> {
    let mut filled = 0;
    for block in blocks {
        let wanted = (last - first - filled).min(BLOCK_HANDS as u64);
        if wanted == 0 {
            break;
        }
        source.fill(first + filled, block)?;
        block.truncate(wanted as usize);
        filled += block.hands() as u64;
        if block.hands() < BLOCK_HANDS {
            break;
        }
    }
    Ok(filled)
}

/// One reader, while the threads count what was read before.
fn run_in_order(
    job: &Job,
    source: &mut dyn DeckSource,
    mut state: RunState,
    hooks: &mut Hooks,
) -> Result<RunState, RunError> {
    if let Some(consumed) = &state.consumed {
        source.resume(consumed)?;
    }
    let last = job
        .decks
        .map_or(u64::MAX, |decks| job.first_deck + decks.min(job.segments.end.saturating_mul(SEGMENT_DECKS)));
    // A short last segment may be behind us: the stream knows best how far it was read.
    let reached = job.first_deck + state.next_segment * SEGMENT_DECKS;
    let mut first = state.consumed.as_ref().map_or(reached, |consumed| consumed.decks).min(last);
    let mut reading = Round::read(source, first, last, job.threads)?;
    while reading.decks > 0 {
        let counting = reading;
        first += counting.decks;
        let progress = hooks.progress;
        let (mut counted, next) = rayon::join(
            || counting.count(job, state.next_segment, progress),
            || {
                if counting.is_last {
                    Ok(Round::none())
                } else {
                    Round::read(source, first, last, job.threads)
                }
            },
        );
        state.evidence.merge(&mut counted);
        state.next_segment += counting.decks.div_ceil(SEGMENT_DECKS);
        state.consumed = counting.consumed.clone();
        (hooks.save)(&state).map_err(RunError::Save)?;
        reading = next?;
    }
    match job.decks {
        Some(decks) if first < last => Err(RunError::TooFew { found: first, wanted: job.first_deck + decks }),
        _ => Ok(state),
    }
}

/// Whole segments read in order, ready to be counted.
struct Round {
    blocks: Vec<DeckBlock>,
    decks: u64,
    is_last: bool,
    consumed: Option<Consumed>,
}

impl Round {
    fn none() -> Round {
        Round { blocks: Vec::new(), decks: 0, is_last: true, consumed: None }
    }

    fn read(
        source: &mut dyn DeckSource,
        first: u64,
        last: u64,
        threads: usize,
    ) -> Result<Round, SourceError> {
        let blocks_wanted = SEGMENT_BLOCKS as usize * threads.max(1);
        let (mut blocks, mut decks) = (Vec::new(), 0);
        // Batch by batch: a small audit does not wait for the memory of whole segments.
        while blocks.len() < blocks_wanted {
            let filled = blocks.len();
            blocks.resize(blocks_wanted.min(filled + BATCH_BLOCKS), DeckBlock::default());
            let come = fill_blocks(source, first + decks, last, &mut blocks[filled..])?;
            decks += come;
            if come < ((blocks.len() - filled) * BLOCK_HANDS) as u64 {
                break;
            }
        }
        blocks.truncate(decks.div_ceil(BLOCK_HANDS as u64) as usize);
        let is_last = decks < (blocks_wanted * BLOCK_HANDS) as u64;
        Ok(Round { blocks, decks, is_last, consumed: source.consumed() })
    }

    /// Counts the segments of this round, of which the first has number `first`.
    fn count(&self, job: &Job, first: u64, progress: &(dyn Fn(u64) + Sync)) -> Evidence {
        let selection = &job.selection;
        let segments: Vec<(u64, &[DeckBlock])> =
            (first..).zip(self.blocks.chunks(SEGMENT_BLOCKS as usize)).collect();
        let count_one = |(index, blocks): (u64, &[DeckBlock])| {
            let mut counter = Counter::from(job.first_deck, selection);
            let held = blocks.iter().map(|block| block.hands() as u64).sum();
            counter.count_segment(Segment::of_run(index, job.decks, held), blocks);
            progress(counter.evidence.decks());
            counter.evidence
        };
        let parts: Vec<Evidence> = segments.into_par_iter().map(count_one).collect();
        let sum = parts.into_iter().reduce(|mut sum, mut part| {
            sum.merge(&mut part);
            sum
        });
        sum.unwrap_or_else(|| Evidence::new(selection))
    }
}

#[cfg(test)]
pub(crate) mod tests;
