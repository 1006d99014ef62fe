//! A signed checkpoint as the trust file sees it: signed by the log, and witnessed when.

use crate::log::checkpoint::Checkpoint;
use crate::log::note::{Note, Signature};
use crate::log::refusal::{Code, Refusal};
use crate::log::trust::{Keys, Trust};
use crate::log::vkey::{Signed, Vkey, VkeyError};
use deckproof_deck::text::excerpt;

/// A checkpoint of the trusted log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witnessed {
    /// What the log signed.
    pub checkpoint: Checkpoint,
    /// When the quorum was met, in POSIX seconds; `None` if it is not.
    pub quorum_time: Option<u64>,
}

/// The refusal of a trust file's key, `E_VKEY`.
pub fn vkey_refusal(error: &VkeyError) -> Refusal {
    Refusal::new(Code::Vkey, "trust file", error.to_string())
}

impl Witnessed {
    /// Reads and checks a signed checkpoint; `place` names it in a refusal.
    ///
    /// # Errors
    /// `E_VKEY`, then in this order `E_NOTE`, `E_NOTE_SIG`, `E_NOTE_UNSIGNED`, `E_CKPT`, `E_CKPT_ORIGIN`.
    pub fn parse(text: &str, trust: &Trust, place: &str) -> Result<Witnessed, Refusal> {
        let keys = trust.keys().map_err(vkey_refusal)?;
        let refuse = |code, message: String| Refusal::new(code, place, message);
        let note = Note::parse(text).map_err(|error| refuse(Code::Note, error.to_string()))?;
        let cosigned = check_signatures(&note, keys, place)?;
        let checkpoint = Checkpoint::parse(&note.text).ok_or_else(|| {
            let found = excerpt(&note.text.trim_end().replace('\n', " / "), 120);
            refuse(Code::Ckpt, format!("found \"{found}\", wanted exactly three lines: origin, size, root"))
        })?;
        if checkpoint.origin != trust.origin {
            let found: String = checkpoint.origin.chars().take(80).collect();
            let message = format!("found the log {found:?}, the trust file names {:?}", trust.origin);
            return Err(refuse(Code::CkptOrigin, message));
        }
        Ok(Witnessed { checkpoint, quorum_time: keys.quorum.time(&cosigned) })
    }
}

/// The time of each witness that counts: every line of a known key verifies, and one is the log's.
fn check_signatures(note: &Note, keys: &Keys, place: &str) -> Result<Vec<Option<u64>>, Refusal> {
    let mut cosigned: Vec<Option<u64>> = vec![None; keys.witness.len()];
    let mut is_signed = false;
    for line in &note.signatures {
        if let Some(who) = verified(&note.text, line, &keys.log, place)? {
            is_signed |= matches!(who, (_, Signed::ByLog));
        }
        // Of several lines of one key the latest counts, and time 0 does not.
        if let Some((witness, Signed::ByWitness { time })) = verified(&note.text, line, &keys.witness, place)?
            && time > 0
        {
            cosigned[witness] = cosigned[witness].max(Some(time));
        }
    }
    if is_signed {
        Ok(cosigned)
    } else {
        let message = "no signature of a log key of the trust file";
        Err(Refusal::new(Code::NoteUnsigned, place, message))
    }
}

/// Whose signature a line is, by place in the list; `None` if it names none of these keys.
fn verified(
    text: &str,
    line: &Signature,
    keys: &[Vkey],
    place: &str,
) -> Result<Option<(usize, Signed)>, Refusal> {
    let mut named = keys.iter().enumerate().filter(|(_, key)| key.is_named_by(line)).peekable();
    if named.peek().is_none() {
        return Ok(None);
    }
    // Two keys may share name and key id, which has 32 bits only: the line is one of theirs.
    match named.find_map(|(at, key)| Some((at, key.verify(text, line)?))) {
        Some(found) => Ok(Some(found)),
        None => {
            let message = format!("the signature line of {} does not verify", line.name);
            Err(Refusal::new(Code::NoteSig, place, message))
        }
    }
}

/// Adds the lines of a text that known witnesses gave for this note, each once, and returns how many others
/// were left out.
pub fn add_cosignatures(note: &mut Note, text: &str, witnesses: &[Vkey]) -> usize {
    let mut left_out = 0;
    for line in text.lines() {
        let parsed = Signature::parse(line);
        let is_theirs = parsed.as_ref().is_some_and(|signature| {
            let mut named = witnesses.iter().filter(|key| key.is_named_by(signature));
            named.any(|key| key.verify(&note.text, signature).is_some())
        });
        match parsed {
            Some(signature) if is_theirs && !note.signatures.contains(&signature) => {
                note.signatures.push(signature);
            }
            Some(_) if is_theirs => {}
            _ => left_out += 1,
        }
    }
    left_out
}
