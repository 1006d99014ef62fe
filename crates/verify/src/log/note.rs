//! Signed notes (c2sp.org/signed-note): a text and the lines that sign it.

use std::fmt::{self, Write};

use crate::log::base64;

/// A note is at most this long, in bytes; 16 signatures of 5 kB, as post-quantum ones are, do not fit,
/// 16 of Ed25519 take 3 kB.
pub const NOTE_BYTES_MAX: usize = 64 * 1024;

/// Before every signature: an em dash and a space.
const MARK: &str = "\u{2014} ";

/// A note whose form is right. Its signatures are unchecked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// What is signed; it ends with a line feed.
    pub text: String,
    /// The signature lines as they stand there, those of unknown types too.
    pub signatures: Vec<Signature>,
}

/// One signature line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Whose key.
    pub name: String,
    /// Which of its keys, and of which type.
    pub key_id: [u8; 4],
    /// What that type says.
    pub bytes: Vec<u8>,
}

/// Why a text is no note (`E_NOTE`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoteError(pub &'static str);

/// Whether a text can name a key: printable ASCII without space and `+`.
pub fn is_key_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'+')
}

impl Note {
    /// Reads a note.
    ///
    /// # Errors
    /// [`NoteError`]; what is accepted prints as the same bytes.
    pub fn parse(text: &str) -> Result<Note, NoteError> {
        if text.len() > NOTE_BYTES_MAX {
            return Err(NoteError("longer than 64 KiB"));
        }
        if text.chars().any(|letter| letter.is_control() && letter != '\n') {
            return Err(NoteError("a control character"));
        }
        let (_, lines) = text.rsplit_once("\n\n").ok_or(NoteError("no empty line before the signatures"))?;
        let body = &text[..text.len() - lines.len() - 1];
        let lines =
            lines.strip_suffix('\n').ok_or(NoteError("no signature line that ends with a line feed"))?;
        let signatures = lines.split('\n').map(Signature::parse).collect::<Option<_>>();
        let signatures =
            signatures.ok_or(NoteError("a signature line that is not \"\u{2014} NAME BASE64\""))?;
        Ok(Note { text: body.to_owned(), signatures })
    }
}

impl Signature {
    /// Reads `— NAME BASE64(key id ‖ signature)`.
    pub fn parse(line: &str) -> Option<Signature> {
        let (name, encoded) = line.strip_prefix(MARK)?.split_once(' ')?;
        let bytes = base64::decode(encoded)?;
        let (key_id, bytes) = bytes.split_first_chunk::<4>()?;
        let is_whole = is_key_name(name) && !bytes.is_empty();
        is_whole.then(|| Signature { name: name.to_owned(), key_id: *key_id, bytes: bytes.to_vec() })
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = [&self.key_id[..], &self.bytes].concat();
        write!(f, "{MARK}{} {}", self.name, base64::encode(&bytes))
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        f.write_char('\n')?;
        self.signatures.iter().try_for_each(|signature| writeln!(f, "{signature}"))
    }
}
