//! Checkpoints and shards: an interrupted run as a file of integers.
//!
//! One line of JSON (plan, shard, how far the run is, how many integers follow), then the counts as
//! little-endian u64, the kept fingerprints as 16 little-endian bytes each, and the SHA-256 of all before it.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::audit::evidence::Evidence;
use crate::audit::plan::error::PlanError;
use crate::audit::plan::{Plan, SEGMENT_DECKS, Shard};
use crate::audit::run::RunState;
use crate::audit::selection::Selection;
use crate::source::Consumed;
use deckproof_files::file::{self, Access, own};
use deckproof_stats::battery::duplicates::sketch::Sketch;

/// The first field of the header.
const FORMAT: &str = "deckproof/checkpoint/v7";

/// How every checkpoint of every version begins: no other file does.
const OPENING: &[u8] = b"{\"format\":\"deckproof/checkpoint/";

/// A checkpoint of all tiers with full sketches takes 117 MB.
const BYTES_MAX: u64 = 1 << 30;

/// Bytes of an entry: a fingerprint of 96 bits and how often it came again.
const KEY_BYTES: usize = 16;

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The operating system's word.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
    /// Some other file, which must not be overwritten or removed.
    #[error("{}: found a file that is no checkpoint or shard of deckproof audit", .0.display())]
    NotOurs(PathBuf),
    /// A checkpoint or shard that is damaged or contradicts itself.
    #[error("{}: {found}, wanted a checkpoint or shard written by deckproof audit", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        found: String,
    },
    /// A checkpoint of another battery.
    #[error("{}: {error}", .path.display())]
    Plan {
        /// The file.
        path: PathBuf,
        /// What differs.
        error: PlanError,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    plan: Plan,
    shard: Shard,
    first_look: Option<String>,
    next_segment: u64,
    consumed: Option<Consumed>,
    views: Vec<ViewHeader>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ViewHeader {
    decks: u64,
    cells: Vec<usize>,
    sketches: Vec<SketchHeader>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SketchHeader {
    id: String,
    halvings: u32,
    keys: usize,
    /// Keys that came more than twice.
    more: usize,
}

/// A run that can go on: what is asked, which part of it, and how far it is.
pub struct RunCheckpoint {
    /// What is asked.
    pub plan: Plan,
    /// Which part of it.
    pub shard: Shard,
    /// When the repeat is counted: the first look, as its judge wrote it down. This floor judges
    /// nothing and only keeps it.
    pub first_look: Option<String>,
    /// How far it is.
    pub state: RunState,
}

/// Writes a checkpoint, whole or not at all.
///
/// # Errors
/// The operating system's.
pub fn write(
    path: &Path,
    plan: &Plan,
    shard: Shard,
    first_look: Option<&str>,
    state: &RunState,
) -> io::Result<()> {
    file::write_atomic(path, &encode(plan, shard, first_look, state), Access::OwnerOnly)
}

/// The bytes of a checkpoint or of a finished shard, which [`decode`] reads.
pub fn encode(plan: &Plan, shard: Shard, first_look: Option<&str>, state: &RunState) -> Vec<u8> {
    // Shares and keys are of one settled sketch: sorting a copy may halve its share once more.
    let sketches: Vec<Vec<Cow<Sketch>>> =
        state.evidence.views.iter().map(|view| view.sketches.iter().map(Sketch::settled).collect()).collect();
    let views = state.evidence.views.iter().zip(&sketches).map(|(view, sketches)| ViewHeader {
        decks: view.decks,
        cells: view.counts.iter().map(Vec::len).collect(),
        sketches: sketches
            .iter()
            .map(|sketch| SketchHeader {
                id: sketch.equivalence().id().to_owned(),
                halvings: sketch.halvings(),
                keys: sketch.entries().len(),
                more: sketch.more().len(),
            })
            .collect(),
    });
    let header = Header {
        format: FORMAT.to_owned(),
        plan: plan.clone(),
        shard,
        first_look: first_look.map(str::to_owned),
        next_segment: state.next_segment,
        consumed: state.consumed.clone(),
        views: views.collect(),
    };
    let mut bytes = serde_json::to_vec(&header).expect("a header is plain data");
    bytes.push(b'\n');
    for (view, sketches) in state.evidence.views.iter().zip(&sketches) {
        view.counts.iter().flatten().for_each(|count| bytes.extend(count.to_le_bytes()));
        let keys = sketches.iter().flat_map(|sketch| sketch.entries().iter().chain(sketch.more()));
        keys.for_each(|key| bytes.extend(key.to_le_bytes()));
    }
    let digest = Sha256::digest(&bytes);
    bytes.extend(digest);
    bytes
}

/// Reads a checkpoint; `None` if there is no such file.
///
/// # Errors
/// [`CheckpointError`]; a damaged file is refused, never guessed at.
pub fn read(path: &Path) -> Result<Option<RunCheckpoint>, CheckpointError> {
    let bytes = match own::read_limited(path, BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(CheckpointError::Io { path: path.to_owned(), error }),
    };
    decode(path, &bytes).map(Some)
}

/// Reads the bytes of a checkpoint; `path` is what messages call them.
///
/// # Errors
/// [`CheckpointError`].
pub fn decode(path: &Path, bytes: &[u8]) -> Result<RunCheckpoint, CheckpointError> {
    let damaged = |found: &str| CheckpointError::Damaged { path: path.to_owned(), found: found.to_owned() };
    if !bytes.starts_with(OPENING) {
        return Err(CheckpointError::NotOurs(path.to_owned()));
    }
    let (body, digest) = bytes.split_last_chunk::<32>().ok_or_else(|| damaged("the file is too short"))?;
    if Sha256::digest(body)[..] != digest[..] {
        return Err(damaged("the checksum at its end is not that of its contents"));
    }
    let line = body.iter().position(|&byte| byte == b'\n').ok_or_else(|| damaged("it has no header line"))?;
    let header: Header = serde_json::from_slice(&body[..line])
        .map_err(|error| damaged(&format!("its header cannot be read ({error})")))?;
    if header.format != FORMAT {
        return Err(damaged(&format!("its format is {:?}", header.format)));
    }
    header.plan.check().map_err(|error| CheckpointError::Plan { path: path.to_owned(), error })?;
    let evidence = decode_evidence(&header, &header.plan.selection(), &body[line + 1..])
        .ok_or_else(|| damaged("its integers are not those of this battery"))?;
    let Header { plan, shard, first_look, next_segment, consumed, .. } = header;
    let state = RunState { next_segment, evidence, consumed };
    let checkpoint = RunCheckpoint { plan, shard, first_look, state };
    match checkpoint.contradiction() {
        Some(found) => Err(damaged(&found)),
        None => Ok(checkpoint),
    }
}

impl RunCheckpoint {
    /// What does not fit together: an editor of the file can also make its checksum fit.
    fn contradiction(&self) -> Option<String> {
        let RunCheckpoint { plan, shard, first_look, state } = self;
        if !shard.is_sound() {
            return Some(format!("its shard is {} of {}", shard.index, shard.count));
        }
        let selection = &plan.selection();
        if first_look.is_none() {
            return state.contradiction(
                selection,
                plan.decks,
                shard.segments(plan.segments().unwrap_or(u64::MAX)),
            );
        }
        let Some(repeat) = plan.repeat.as_ref().filter(|_| *shard == Shard::WHOLE) else {
            return Some("it is of a repeat that its plan does not have".to_owned());
        };
        state.contradiction(selection, Some(repeat.decks), 0..repeat.decks.div_ceil(SEGMENT_DECKS))
    }
}

fn decode_evidence(header: &Header, selection: &Selection, mut body: &[u8]) -> Option<Evidence> {
    let mut evidence = Evidence::new(selection);
    if header.views.len() != evidence.views.len() {
        return None;
    }
    for (view, written) in evidence.views.iter_mut().zip(&header.views) {
        let cells: Vec<usize> = view.counts.iter().map(Vec::len).collect();
        if cells != written.cells {
            return None;
        }
        view.decks = written.decks;
        for count in view.counts.iter_mut().flatten() {
            *count = u64::from_le_bytes(*body.split_off(..8)?.first_chunk()?);
        }
        if view.sketches.len() != written.sketches.len() {
            return None;
        }
        for (sketch, written) in view.sketches.iter_mut().zip(&written.sketches) {
            let equivalence = sketch.equivalence();
            if equivalence.id() != written.id {
                return None;
            }
            let mut numbers = |number: usize| {
                let bytes = body.split_off(..number.checked_mul(KEY_BYTES)?)?;
                Some(bytes.as_chunks::<KEY_BYTES>().0.iter().map(|&key| u128::from_le_bytes(key)).collect())
            };
            let (keys, more) = (numbers(written.keys)?, numbers(written.more)?);
            *sketch = Sketch::from_keys(equivalence, written.halvings, keys, more).ok()?;
        }
    }
    // The repeat keeps the fingerprints of the first look.
    if header.first_look.is_some() {
        evidence.begin_after(header.plan.decks.unwrap_or(0));
    }
    body.is_empty().then_some(evidence)
}

/// Why shards do not make a whole.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// Nothing to merge.
    #[error("no shards were given")]
    Empty,
    /// Shards of different plans.
    #[error("shard {index} has plan {found}, the first one {wanted}")]
    OtherPlan {
        /// Which one, counted from 1 in the order given.
        index: usize,
        /// Its plan.
        found: String,
        /// The plan of the first.
        wanted: String,
    },
    /// Shards of a plan whose repeat no shard can carry out.
    #[error("the plan of the shards declares a repeat, wanted one without: shards count a first look only")]
    Repeat,
    /// Shards that leave a gap, overlap or are not finished.
    #[error("the shards do not tile the plan: {found}, wanted {wanted}")]
    Tiling {
        /// What was found.
        found: String,
        /// What was wanted.
        wanted: String,
    },
}

/// Finished shards in order that tile one plan.
///
/// # Errors
/// [`MergeError`]; every segment of the plan must be there exactly once.
pub fn tiled(mut shards: Vec<RunCheckpoint>) -> Result<(Plan, Vec<RunCheckpoint>), MergeError> {
    let first = shards.first().ok_or(MergeError::Empty)?;
    let plan = first.plan.clone();
    let count = first.shard.count;
    if let Some(index) = shards.iter().position(|shard| shard.plan != plan) {
        let (found, wanted) = (shards[index].plan.sha256(), plan.sha256());
        return Err(MergeError::OtherPlan { index: index + 1, found, wanted });
    }
    if plan.repeat.is_some() {
        return Err(MergeError::Repeat);
    }
    shards.sort_by_key(|shard| (shard.shard.index, shard.shard.count));
    let tiling = |found: String, wanted: String| Err(MergeError::Tiling { found, wanted });
    let total = plan.segments().unwrap_or(0);
    for (part, wanted) in shards.iter().zip(1..) {
        if part.shard != (Shard { index: wanted, count }) || !part.shard.is_sound() {
            let found = format!("shard {}/{}", part.shard.index, part.shard.count);
            return tiling(found, format!("shard {wanted}/{count}"));
        }
        let range = part.shard.segments(total);
        if let Some(found) = part.state.contradiction(&plan.selection(), plan.decks, range.clone()) {
            let found = format!("shard {wanted}/{count}, of which {found}");
            return tiling(found, "the decks of its segments".to_owned());
        }
        if part.state.next_segment != range.end {
            let found = format!("shard {wanted}/{count} stopped before segment {}", part.state.next_segment);
            return tiling(found, format!("all of its segments {} to {}", range.start, range.end));
        }
    }
    if shards.len() as u64 != count {
        return tiling(format!("{} shards", shards.len()), format!("{count} shards"));
    }
    Ok((plan, shards))
}

/// Adds finished shards that tile one plan.
///
/// # Errors
/// [`MergeError`]; every segment of the plan must be there exactly once.
pub fn merge(shards: Vec<RunCheckpoint>) -> Result<(Plan, Evidence), MergeError> {
    let (plan, shards) = tiled(shards)?;
    let mut evidence = Evidence::new(&plan.selection());
    shards.into_iter().for_each(|mut part| evidence.merge(&mut part.state.evidence));
    if Some(evidence.decks()) != plan.decks {
        return Err(MergeError::Tiling {
            found: format!("{} decks in all", evidence.decks()),
            wanted: format!("the {} decks of the plan", plan.decks.unwrap_or(0)),
        });
    }
    Ok((plan, evidence))
}

#[cfg(test)]
mod tests;
