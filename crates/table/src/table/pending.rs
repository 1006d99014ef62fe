//! What a table waits for after a hand was opened: players' seeds, a beacon value, cosignatures of witnesses.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

use crate::table::logged::Witnesses;
use crate::table::mix::Revealed;
use deckproof_deck::commitment::digest::{Digest, parse_hex};
use deckproof_deck::json::{Json, Limits};
use deckproof_deck::key::secret::Secret;
use deckproof_files::file::read_limited;
use deckproof_stud::stud::seat::Seat;
use deckproof_verify::log::beacon;
use deckproof_verify::log::entry::BeaconValue;
use deckproof_verify::log::note::{NOTE_BYTES_MAX, Note, Signature};
use deckproof_verify::log::trust::Trust;
use deckproof_verify::log::witnessed::{Witnessed, add_cosignatures};

/// How long to sleep between two looks for what is pending.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// A beacon value takes 400 bytes.
const LIMITS: Limits = Limits { bytes_max: 1 << 16, members_max: 8 };

/// From a signed checkpoint and a trust file, lines that verify under its keys.
pub type AskLines = dyn Fn(&Note, &Trust) -> Vec<Signature>;

/// Asks witnesses over a network.
#[derive(Clone)]
pub struct AskedWitnesses(pub Rc<AskLines>);

/// Asks for the value of a round over a network, for as long as its maker says.
#[derive(Clone)]
pub struct AskedBeacon(pub Rc<dyn Fn(u64) -> Option<BeaconValue>>);

/// Where the value of a round comes from.
#[derive(Clone)]
pub enum PendingBeacon {
    /// The file that will hold it.
    File(PathBuf),
    /// A network asked for it.
    Asked {
        /// Whom.
        asked: AskedBeacon,
        /// For which round.
        round: u64,
    },
}

/// From where the cut of a hand comes.
pub struct PendingCut {
    /// The file with the seed of each seat that committed to one.
    pub seeds: Vec<(Seat, PathBuf)>,
    /// The value of the round.
    pub beacon: Option<PendingBeacon>,
    /// How long files are waited for.
    pub wait: Duration,
}

impl PendingCut {
    /// Waits for what cuts the deck, for at most the time given; what has not come by then is absent.
    pub fn wait(&self, mut is_enough: impl FnMut(&Revealed) -> bool) -> Revealed {
        let deadline = Instant::now() + self.wait;
        if let Some(PendingBeacon::Asked { asked, round }) = &self.beacon {
            return Revealed { beacon: (asked.0)(*round), ..self.look() };
        }
        loop {
            let revealed = self.look();
            if is_enough(&revealed) || Instant::now() >= deadline {
                return revealed;
            }
            thread::sleep(LOOK_AGAIN);
        }
    }

    fn look(&self) -> Revealed {
        let seeds = self.seeds.iter().filter_map(|(seat, path)| Some((*seat, read_seed(path)?)));
        let value = |path| parse_value(&read_limited(path, LIMITS.bytes_max as u64).ok()?);
        let beacon = match &self.beacon {
            Some(PendingBeacon::File(path)) => value(path),
            Some(PendingBeacon::Asked { .. }) | None => None,
        };
        Revealed { seeds: seeds.collect(), beacon }
    }
}

/// A seed from its file, if it is there.
pub fn read_seed(path: &Path) -> Option<Digest> {
    let secret: Secret = format!("@{}", path.display()).parse().ok()?;
    Digest::from_hex(&secret.text().ok()?.to_ascii_lowercase())
}

/// `{"round": 1, "randomness": "…", "signature": "…"}`; what is no such object is not there.
pub fn parse_value(bytes: &[u8]) -> Option<BeaconValue> {
    let json = Json::parse(bytes, LIMITS).ok()?;
    let round: u64 = match json.member("round")? {
        Json::Number(text) => text.parse().ok()?,
        _ => return None,
    };
    let signature: [u8; 48] = parse_hex(json.member("signature")?.text()?)?;
    let randomness = beacon::randomness(&signature);
    (round > 0).then_some(BeaconValue { round, randomness, signature })
}

/// Asks witnesses, and waits for the files of others, until a quorum has cosigned or the time is up; `warn` reports the latter.
pub fn cosignatures(
    trust: Trust,
    files: Vec<PathBuf>,
    asked: Option<AskedWitnesses>,
    wait: Duration,
    warn: impl Fn(&str) + 'static,
) -> Witnesses {
    Box::new(move |note| {
        let deadline = Instant::now() + wait;
        let given = asked.as_ref().map_or_else(Vec::new, |asked| (asked.0)(note, &trust));
        loop {
            let cosigned = look(note, &given, &files, &trust);
            let is_met = Witnessed::parse(&cosigned.to_string(), &trust, "checkpoint")
                .is_ok_and(|witnessed| witnessed.quorum_time.is_some());
            if is_met || files.is_empty() || Instant::now() >= deadline {
                if !is_met {
                    warn(
                        "deckproof: the quorum of the trust file did not cosign in time: the receipts do not bear it",
                    );
                }
                return cosigned.signatures[note.signatures.len()..].to_vec();
            }
            thread::sleep(LOOK_AGAIN);
        }
    })
}

/// The note with all cosignatures that are there.
fn look(note: &Note, given: &[Signature], files: &[PathBuf], trust: &Trust) -> Note {
    let mut cosigned = note.clone();
    cosigned.signatures.extend_from_slice(given);
    // The keys were checked when the trust file was read.
    let witnesses = trust.keys().map(|keys| &keys.witness[..]).unwrap_or_default();
    for file in files {
        // A file that is not there yet, or still holds the line for an older checkpoint, is looked at again.
        if let Ok(bytes) = read_limited(file, NOTE_BYTES_MAX as u64) {
            add_cosignatures(&mut cosigned, &String::from_utf8_lossy(&bytes), witnesses);
        }
    }
    cosigned
}
