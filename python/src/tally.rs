//! Plans and tallies: a partition counted on its own, added to the others, judged once.
//!
//! A tally is what `deckproof audit --shard i/n` writes, byte for byte, and what `deckproof merge` adds.

use std::path::Path;

use deckproof_audit::audit::checkpoint::{self, RunCheckpoint};
use deckproof_audit::audit::plan::{Plan, SEGMENT_DECKS, Shard};
use deckproof_audit::audit::plan_file;
use deckproof_audit::audit::run::{self, Hooks, Job, RunState};
use deckproof_audit::certificate::AuditResult;
use deckproof_audit::source::format::Numbering;
use deckproof_deck::card::DECK_CARDS;
use pyo3::prelude::{Py, PyAny, PyRef, PyResult, Python, pyclass, pymethods};
use sha2::{Digest, Sha256};

use crate::certificate::PyCertificate;
use crate::decks::{DeckArray, HeldDecks, value_error};

/// What is run and how it is judged, fixed before the first deck is counted.
#[pyclass(name = "Plan", module = "deckproof", frozen)]
pub struct PyPlan {
    pub plan: Plan,
    /// Decks and SHA-256 of each file, where they are known: a plan of several files names the hash of their hashes alone.
    pub files: Vec<(u64, [u8; 32])>,
}

#[pymethods]
impl PyPlan {
    /// The text that `deckproof audit --plan` reads.
    fn to_toml(&self) -> PyResult<String> {
        plan_file::to_toml(&self.plan).map_err(value_error)
    }

    /// A plan that was written by `to_toml` or by `deckproof plan`.
    #[staticmethod]
    fn from_toml(text: &str) -> PyResult<PyPlan> {
        let plan = plan_file::from_toml(text).map_err(value_error)?;
        plan.check().map_err(value_error)?;
        let files = only_file(&plan).into_iter().collect();
        Ok(PyPlan { plan, files })
    }

    /// How many decks are counted.
    #[getter]
    fn decks(&self) -> u64 {
        self.plan.decks.unwrap_or(0)
    }

    /// SHA-256 of the plan.
    #[getter]
    fn sha256(&self) -> String {
        self.plan.sha256()
    }

    /// The decks of one part of so many: the number of the first, and of the first after them.
    fn range(&self, part: u64, parts: u64) -> PyResult<(u64, u64)> {
        range_of(&self.plan, shard_of(part, parts)?)
    }
}

/// The declared decks of so many parts, for whoever writes the partitions before there is a plan.
///
/// # Errors
/// `ValueError`: no such part.
pub fn declared_range(decks: u64, part: u64, parts: u64) -> PyResult<(u64, u64)> {
    let segments = shard_of(part, parts)?.segments(decks.div_ceil(SEGMENT_DECKS));
    Ok((decks.min(segments.start * SEGMENT_DECKS), decks.min(segments.end * SEGMENT_DECKS)))
}

/// The file of a plan of one, where its bytes are those of its decks.
fn only_file(plan: &Plan) -> Option<(u64, [u8; 32])> {
    let source = &plan.source;
    let is_raw = source.text("format").ok()? == "raw" && source.number_if_any("files").ok()?.is_none();
    let decks = source.number("file_records").ok().filter(|&decks| is_raw && plan.decks == Some(decks))?;
    let mut sha256 = [0; 32];
    base16ct::lower::decode(source.text("sha256").ok()?, &mut sha256).ok()?;
    Some((decks, sha256))
}

fn range_of(plan: &Plan, shard: Shard) -> PyResult<(u64, u64)> {
    let decks = plan
        .decks
        .ok_or_else(|| value_error("found a plan to the end of a stream, wanted a number of decks"))?;
    declared_range(decks, shard.index, shard.count)
}

fn shard_of(part: u64, parts: u64) -> PyResult<Shard> {
    let shard = Shard { index: part, count: parts };
    if shard.is_sound() {
        Ok(shard)
    } else {
        Err(value_error(format!("found part {part} of {parts}, wanted 1 to {parts}")))
    }
}

/// The counts of one part of a plan, or of several that were merged.
#[pyclass(name = "Tally", module = "deckproof")]
pub struct PyTally {
    plan: Plan,
    shards: Vec<Counted>,
}

/// One part and how far it is.
struct Counted {
    shard: Shard,
    /// Its decks: the first, and the first after them.
    range: (u64, u64),
    state: RunState,
    /// Decks that are not a whole segment yet.
    waiting: Vec<u8>,
    hash: Sha256,
    files: Files,
    /// Why decks were refused: what is held then is not all of what was added, and no more is counted.
    refused: Option<String>,
}

/// The files of a plan, as far as decks of a part were compared with them.
struct Files {
    /// The number of the first deck of each that lies within the part, how many it has, and their SHA-256.
    wanted: Vec<(u64, u64, [u8; 32])>,
    /// The next deck that is added.
    next: u64,
    hash: Sha256,
}

impl Files {
    fn of(files: &[(u64, [u8; 32])], range: (u64, u64)) -> Files {
        let mut first = 0;
        let placed = files.iter().map(|&(decks, sha256)| {
            first += decks;
            (first - decks, decks, sha256)
        });
        let is_within = |&(first, decks, _): &(u64, u64, _)| range.0 <= first && first + decks <= range.1;
        Files { wanted: placed.filter(is_within).collect(), next: range.0, hash: Sha256::new() }
    }

    /// Adds decks, and compares each file that ends among them.
    fn add(&mut self, mut decks: &[u8]) -> Result<(), String> {
        while !decks.is_empty() {
            let here = |&&(first, count, _): &&(u64, u64, _)| first <= self.next && self.next < first + count;
            let file = self.wanted.iter().find(here).copied();
            let next_begins = self.wanted.iter().map(|own| own.0).filter(|&first| first > self.next).min();
            let end = file.map_or(next_begins, |(first, count, _)| Some(first + count));
            let held =
                end.map_or(decks.len(), |end| decks.len().min((end - self.next) as usize * DECK_CARDS));
            let (own, rest) = decks.split_at(held);
            self.next += (held / DECK_CARDS) as u64;
            decks = rest;
            let Some((first, _, sha256)) = file else { continue };
            self.hash.update(own);
            if end == Some(self.next) && self.hash.finalize_reset()[..] != sha256 {
                return Err(format!(
                    "decks {first} to {}: found other decks than those of the plan (SHA-256)",
                    self.next
                ));
            }
        }
        Ok(())
    }
}

impl Counted {
    fn next(&self) -> u64 {
        let counted = (self.state.next_segment * SEGMENT_DECKS).min(self.range.1);
        counted + (self.waiting.len() / DECK_CARDS) as u64
    }

    fn is_whole(&self) -> bool {
        self.next() == self.range.1 && self.waiting.is_empty()
    }

    fn name(&self) -> String {
        let Shard { index, count } = self.shard;
        format!("part {index} of {count} (decks {} to {})", self.range.0, self.range.1)
    }

    /// Counts what waits, as far as it is whole segments, or the last one.
    fn count(&mut self, plan: &Plan, threads: usize) -> Result<(), String> {
        let first = (self.state.next_segment * SEGMENT_DECKS).min(self.range.1);
        let whole = if self.next() == self.range.1 {
            self.range.1
        } else {
            self.next() / SEGMENT_DECKS * SEGMENT_DECKS
        };
        if whole <= first {
            return Ok(());
        }
        let selection = plan.selection();
        let segments = self.state.next_segment..whole.div_ceil(SEGMENT_DECKS);
        let job = Job { first_deck: 0, decks: plan.decks, segments, threads, selection: selection.clone() };
        let length = (whole - first) as usize * DECK_CARDS;
        let numbering = Numbering::of(&plan.source).unwrap_or(Numbering::RankSuit);
        let state = std::mem::replace(&mut self.state, RunState::at(0, &selection));
        let mut held = HeldDecks { bytes: &self.waiting[..length], first, numbering };
        let hooks = &mut Hooks { progress: &|_| (), save: &mut |_| Ok(()) };
        self.state = run::run(&job, &mut held, state, hooks).map_err(|error| {
            format!(
                "{error}. A part has no verdict: audit these decks by themselves, which says what that proves"
            )
        })?;
        self.waiting.drain(..length);
        Ok(())
    }
}

#[pymethods]
impl PyTally {
    /// An empty tally of one part of a plan.
    #[new]
    #[pyo3(signature = (plan, part = 1, parts = 1))]
    fn new(plan: PyRef<'_, PyPlan>, part: u64, parts: u64) -> PyResult<PyTally> {
        let (files, plan) = (&plan.files, plan.plan.clone());
        if plan.repeat.is_some() {
            return Err(value_error(
                "found a plan with a repeat, wanted one without: a tally counts a first look only",
            ));
        }
        let shard = shard_of(part, parts)?;
        let range = range_of(&plan, shard)?;
        let first_segment = shard.segments(plan.segments().unwrap_or(0)).start;
        let state = RunState::at(first_segment, &plan.selection());
        let files = Files::of(files, range);
        let (waiting, hash) = (Vec::new(), Sha256::new());
        let counted = Counted { shard, range, state, waiting, hash, files, refused: None };
        Ok(PyTally { plan, shards: vec![counted] })
    }

    /// Counts the next decks; `first`, where it is given, is the number of the first of them.
    #[pyo3(signature = (array, first = None, threads = None))]
    fn add_bytes(
        &mut self,
        py: Python<'_>,
        array: Py<PyAny>,
        first: Option<u64>,
        threads: Option<usize>,
    ) -> PyResult<()> {
        let array = DeckArray::of(py, array)?;
        let PyTally { plan, shards } = self;
        let [own] = &mut shards[..] else {
            return Err(value_error(
                "found a merged tally, wanted one of a single part: count before you merge",
            ));
        };
        check_sound(own)?;
        let (next, name) = (own.next(), own.name());
        if let Some(found) = first.filter(|&found| found != next) {
            let fault = if found < next {
                format!("decks {found} to {next} come twice")
            } else {
                format!("decks {next} to {found} are missing")
            };
            return Err(value_error(format!("{name}: found deck {found}, wanted deck {next}: {fault}")));
        }
        let (found, room) = (array.decks(), own.range.1 - next);
        if found > room {
            return Err(value_error(format!(
                "{name}: found {found} decks from deck {next} on, wanted at most {room}"
            )));
        }
        let threads = crate::threads(threads)?;
        let mut signal = Ok(());
        let counted = py.detach(|| {
            let mut fault = None;
            let read = array.each_chunk(|bytes| {
                if fault.is_none() {
                    signal = crate::check_signals();
                    fault = signal.is_err().then(|| format!("{name}: its decks were not read to the end"));
                }
                if fault.is_none() {
                    own.hash.update(bytes);
                    own.waiting.extend(bytes);
                    fault = own.files.add(bytes).err();
                    // As many segments as there are threads at a time.
                    if fault.is_none() && own.waiting.len() >= threads * SEGMENT_DECKS as usize * DECK_CARDS {
                        fault = own.count(plan, threads).err();
                    }
                }
            });
            if read.is_err() {
                signal = read;
                return Err(format!("{name}: its decks were not read to the end"));
            }
            // What is left waits for the rest of its segment, or is the last one.
            fault.map_or_else(|| own.count(plan, threads), Err)
        });
        own.refused = counted.err();
        signal.and_then(|()| check_sound(own))
    }

    /// How many decks were added.
    #[getter]
    fn decks(&self) -> u64 {
        self.shards.iter().map(|own| own.next() - own.range.0).sum()
    }

    /// SHA-256 of the bytes that were added to a tally of one part.
    #[getter]
    fn added_sha256(&self) -> PyResult<String> {
        match &self.shards[..] {
            [own] => Ok(base16ct::lower::encode_string(&own.hash.clone().finalize())),
            _ => Err(value_error("found a merged tally, wanted one of a single part")),
        }
    }

    /// A finished part as the bytes that `deckproof audit --shard` writes.
    fn to_bytes(&self) -> PyResult<Vec<u8>> {
        let [own] = &self.shards[..] else {
            return Err(value_error("found a merged tally, wanted one of a single part"));
        };
        check_whole(own)?;
        Ok(checkpoint::encode(&self.plan, own.shard, None, &own.state))
    }

    /// A finished part from its bytes. A damaged one is refused.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<PyTally> {
        let RunCheckpoint { plan, shard, state, .. } =
            checkpoint::decode(Path::new("tally"), bytes).map_err(value_error)?;
        let range = range_of(&plan, shard)?;
        let (waiting, hash, files) = (Vec::new(), Sha256::new(), Files::of(&[], range));
        let own = Counted { shard, range, state, waiting, hash, files, refused: None };
        check_whole(&own)?;
        Ok(PyTally { plan, shards: vec![own] })
    }

    /// Adds the parts of another tally of the same plan, whose decks are none of those that are here.
    fn merge(&mut self, other: &mut PyTally) -> PyResult<()> {
        if other.plan != self.plan {
            return Err(value_error(format!(
                "found a tally of plan {}, wanted one of plan {}",
                other.plan.sha256(),
                self.plan.sha256()
            )));
        }
        for own in &self.shards {
            let overlaps = |theirs: &&Counted| {
                theirs.shard == own.shard || (theirs.range.0 < own.range.1 && own.range.0 < theirs.range.1)
            };
            if let Some(theirs) = other.shards.iter().find(overlaps) {
                let fault = if theirs.shard == own.shard { "it comes twice" } else { "they overlap" };
                return Err(value_error(format!("found {} beside {}: {fault}", theirs.name(), own.name())));
            }
        }
        self.shards.append(&mut other.shards);
        Ok(())
    }

    /// The certificate of the whole plan: every part once, every deck counted.
    fn finish(&mut self, py: Python<'_>) -> PyResult<PyCertificate> {
        self.shards.iter().try_for_each(check_whole)?;
        let PyTally { plan, shards } = self;
        py.detach(|| {
            // What is added is used up, so that a refusal leaves the tally as it is.
            let copies = shards.iter().map(|own| checkpoint::encode(plan, own.shard, None, &own.state));
            let parts: Result<Vec<RunCheckpoint>, _> =
                copies.map(|bytes| checkpoint::decode(Path::new("tally"), &bytes)).collect();
            let (plan, evidence) = checkpoint::merge(parts.map_err(value_error)?).map_err(value_error)?;
            PyCertificate::of(AuditResult::of_evidence(&plan, plan.source.clone(), evidence))
        })
    }
}

/// Whether no decks were refused.
fn check_sound(own: &Counted) -> PyResult<()> {
    own.refused.as_ref().map_or(Ok(()), |refused| Err(value_error(refused)))
}

fn check_whole(own: &Counted) -> PyResult<()> {
    check_sound(own)?;
    if own.is_whole() {
        Ok(())
    } else {
        Err(value_error(format!(
            "{}: found {} decks, wanted {}: decks {} to {} are missing",
            own.name(),
            own.next() - own.range.0,
            own.range.1 - own.range.0,
            own.next(),
            own.range.1
        )))
    }
}
