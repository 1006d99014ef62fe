//! Refusals: the code of the first check that failed, the place, and what is wrong there.

use std::fmt;

use deckproof_deck::text::named::named;
use deckproof_deck::text::visible;

named! {
    /// The code of a check (PROTOCOL.md, section 12; every code has a row in section 15).
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Code {
        /// Not JSON of a bundle.
        Format = "E_FORMAT",
        /// A key the form needs is absent.
        Missing = "E_MISSING",
        /// No lower-case hexadecimal of the right length.
        Hex = "E_HEX",
        /// An entry of another version.
        EntryVersion = "E_ENTRY_VERSION",
        /// An unknown kind of entry, or one in the wrong place.
        EntryKind = "E_ENTRY_KIND",
        /// An entry that is not exact.
        Entry = "E_ENTRY",
        /// The log of another operator.
        Origin = "E_ORIGIN",
        /// An entry that names another one than that of the bundle.
        Link = "E_LINK",
        /// Lines that do not go with the mix.
        Mix = "E_MIX",
        /// Another beacon network.
        BeaconChain = "E_BEACON_CHAIN",
        /// Another round than announced.
        BeaconRound = "E_BEACON_ROUND",
        /// Randomness that is not the hash of the signature.
        BeaconValue = "E_BEACON_VALUE",
        /// A value the beacon network did not sign.
        BeaconSig = "E_BEACON_SIG",
        /// A committed seed that was not revealed.
        SeedMissing = "E_SEED_MISSING",
        /// A seed that is not the committed one.
        SeedCommit = "E_SEED_COMMIT",
        /// The verifying player's seed did not enter the cut.
        MySeed = "E_MY_SEED",
        /// Not 52 leaves, or a misshapen one.
        Leaves = "E_LEAVES",
        /// No such card.
        Card = "E_CARD",
        /// Cards and salts that do not lead to the committed root.
        DeckRoot = "E_DECK_ROOT",
        /// A card committed twice.
        DuplicateCard = "E_DUPLICATE_CARD",
        /// A seen card that is not the committed one.
        Seen = "E_SEEN",
        /// A text that is no transcript.
        Transcript = "E_TRANSCRIPT",
        /// Another transcript than that of the close entry.
        TranscriptHash = "E_TRANSCRIPT_HASH",
        /// Another number of dealt cards than that of the close entry.
        Dealt = "E_DEALT",
        /// A card that was passed over.
        DealSkip = "E_DEAL_SKIP",
        /// A card that went to the wrong place.
        DealOrder = "E_DEAL_ORDER",
        /// A card is opened that nobody received.
        UndealtOpened = "E_UNDEALT_OPENED",
        /// Another hand history than that of the close entry.
        HistoryHash = "E_HISTORY_HASH",
        /// A key of the trust file that is none.
        Vkey = "E_VKEY",
        /// A text that is no log proof.
        Proof = "E_PROOF",
        /// A text that is no signed note.
        Note = "E_NOTE",
        /// A signature of a known key that does not verify.
        NoteSig = "E_NOTE_SIG",
        /// A note without a signature of the log.
        NoteUnsigned = "E_NOTE_UNSIGNED",
        /// A note that is no checkpoint.
        Ckpt = "E_CKPT",
        /// The checkpoint of another log.
        CkptOrigin = "E_CKPT_ORIGIN",
        /// A proof that does not lead to the root of its checkpoint, or two roots of one size.
        ProofRoot = "E_PROOF_ROOT",
        /// Entries logged in another order than the protocol's.
        LogOrder = "E_LOG_ORDER",
        /// An entry of the log that names no earlier entry of the right kind.
        LogOrphan = "E_LOG_ORPHAN",
        /// A second deck of a hand, open of a deck, cut of an open or end of a hand.
        LogDup = "E_LOG_DUP",
        /// A hand number that is not the next one of its table.
        LogGap = "E_LOG_GAP",
        /// A deck opened or voided while a lower hand of the table has not ended.
        LogSkip = "E_LOG_SKIP",
        /// A hand that was opened and never ended.
        LogOpen = "E_LOG_OPEN",
        /// A log that does not contain an earlier one.
        LogConsistency = "E_LOG_CONSISTENCY",
        /// A hand history that tells another hand than the committed one, or breaks the rules. The
        /// protocol, which only hashes histories, has no such code.
        History = "E_HISTORY",
    }
    /// The code as the protocol spells it.
    pub fn name;
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a bundle or a log is refused. Holds nothing secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {place}: {message}")]
pub struct Refusal {
    /// Which check failed.
    pub code: Code,
    /// Where, on one line and without hidden characters.
    pub place: String,
    /// What was found and what was wanted, on one line and without hidden characters.
    pub message: String,
    /// Whether signatures of the log contradict each other, whatever the file says.
    pub is_signed: bool,
    /// Whether it is of a version that this program does not know, which says nothing of the hand or the log.
    pub is_unknown_version: bool,
}

/// Whether a line is the `tag` of a format in another version than its own, which is 1; a tag that ends with a space may go on.
pub fn is_unknown_version(line: &str, tag: &str) -> bool {
    let Some((before, after)) = tag.split_once("v1") else { return false };
    let number = |rest: &str| rest.chars().take_while(char::is_ascii_digit).count();
    let parts = line.strip_prefix(before).and_then(|rest| rest.strip_prefix('v'));
    parts.is_some_and(|rest| {
        let (version, rest) = rest.split_at(number(rest));
        let is_version = !version.is_empty() && !version.starts_with('0') && version != "1";
        is_version && if after.ends_with(' ') { rest.starts_with(after) } else { rest == after }
    })
}

impl Refusal {
    /// The same, of a line that was to be a tag: of another version it is no verdict.
    pub fn of_line(self, line: &str, tag: &str) -> Refusal {
        Refusal { is_unknown_version: is_unknown_version(line, tag), ..self }
    }

    /// A refusal.
    pub fn new(code: Code, place: impl Into<String>, message: impl Into<String>) -> Refusal {
        let (place, message): (String, String) = (place.into(), message.into());
        let (place, message) = (visible(&place).into_owned(), visible(&message).into_owned());
        Refusal { code, place, message, is_signed: false, is_unknown_version: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_a_number_from_2_on_in_the_place_of_1() {
        let (reveal, entry, proof) = ("deckproof/v1 reveal", "deckproof/v1 ", "c2sp.org/tlog-proof@v1");
        for (line, tag) in [
            ("deckproof/v2 reveal", reveal),
            ("deckproof/v10 reveal", reveal),
            ("deckproof/v2 deck", entry),
            ("deckproof/v3 another kind", entry),
            ("c2sp.org/tlog-proof@v2", proof),
        ] {
            assert!(is_unknown_version(line, tag), "{line}");
        }
        for (line, tag) in [
            (reveal, reveal),
            ("deckproof/v1 reveals", reveal),
            ("deckproof/v2 reveals", reveal),
            ("deckproof/v0 reveal", reveal),
            ("deckproof/v02 reveal", reveal),
            ("deckproof/v reveal", reveal),
            ("deckproof/vX reveal", reveal),
            ("deckproof/v2.0 reveal", reveal),
            ("deckproof/v2", entry),
            ("other/v2 deck", entry),
            ("c2sp.org/tlog-proof@v2x", proof),
            ("", proof),
        ] {
            assert!(!is_unknown_version(line, tag), "{line}");
        }
    }
}
