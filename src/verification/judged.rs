//! The files judged one by one, then together.

mod beside;

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::verification::fault::BundleFault;
use crate::verification::folder::Found;
use crate::verification::kind::{FileKind, carried, kind_of};
use crate::verification::references::JudgedBy;
use crate::verification::{Checked, OTHER_VERSION_OF_HAND, certificate, folder, package, prediction};
use deckproof_audit::certificate::LIMITS;
use deckproof_deck::card::Card;
use deckproof_deck::commitment::digest::Digest;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::visible;
use deckproof_files::file::input::{FileError, read_input};
use deckproof_lab::project::archive::is_archive;
use deckproof_lab::project::folder::Disk;
use deckproof_report::rendering::bundle::picture::face_word;
use deckproof_report::rendering::bundle::utc;
use deckproof_stud::stud::seat::Seat;
use deckproof_verify::claim::{Claim, Claims, Party, Witness};
use deckproof_verify::log::entry::DeckEntry;
use deckproof_verify::log::refusal::{Code, Refusal};
use deckproof_verify::verify::claims::{HandEvidence, claims};
use deckproof_verify::verify::proofs::HeldProofs;
use deckproof_verify::verify::seats::{Absent, SeenAtSeat};
use deckproof_verify::verify::together;
use deckproof_verify::verify::{Accepted, SeedSlip, Statements, verify_bundle};

/// A bundle that passed its checks, and what is held beside it.
pub(super) struct SoundBundle {
    pub bundle: Accepted,
    pub evidence: HandEvidence,
    /// Another file that tells this hand otherwise, of which the log has nothing.
    pub differs_from: Option<String>,
    /// A file of another hand that one hand key made with this one.
    pub one_key: Option<OneKey>,
}

/// Another hand of the same hand key.
#[derive(Clone)]
pub(super) struct OneKey {
    pub file: String,
    pub hand: DeckEntry,
    /// Whether both decks are proven to be in the log.
    pub is_logged: bool,
}

/// Why nobody should pay on an accepted bundle yet.
pub(super) enum Doubt {
    /// So many cards that lay face up are not opened.
    HiddenUp(usize),
    /// So many down cards are not opened of a seat of which others are, or where the player sat.
    HiddenDown(usize),
    /// What was saved holds the end of the hand too, so not all of it was saved before.
    SavedWithEnd,
    /// One hand key made it and the hand of this file.
    OneKey(String),
}

/// Clocks of honest witnesses differ from that of a reader by less, in seconds.
const CLOCKS_DIFFER_MAX: u64 = 3_600;

impl SoundBundle {
    /// What is claimed of its hand.
    pub fn claims(&self) -> Claims {
        claims(&self.bundle, &self.evidence)
    }

    /// When its witnesses saw what is needed, in POSIX seconds, if that time has not come: a clock is wrong, and nothing was fixed before.
    fn seen_in_future(&self, now: u64) -> Option<u64> {
        let claims = self.claims();
        let needed = claims.list().iter().filter(|claim| claims.needs(claim.subject));
        let time = |claim: &Claim| match claim.witness {
            Some(Witness::Quorum { time }) => Some(time),
            _ => None,
        };
        needed.filter_map(time).max().filter(|time| *time > now.saturating_add(CLOCKS_DIFFER_MAX))
    }

    /// What speaks against relying on it although it is accepted.
    pub fn doubt(&self) -> Option<Doubt> {
        let (claims, up) = (self.claims(), self.bundle.face_up_hidden);
        let down: usize = self.bundle.down_hidden().iter().map(|(_, count)| count).sum();
        let needed = claims.list().iter().filter(|claim| claims.needs(claim.subject));
        let mut witnesses = needed.filter_map(|claim| claim.witness.as_ref());
        let is_saved = witnesses.any(|witness| matches!(witness, Witness::Saved { .. }));
        // Who declares with --opened what was held before may keep the rest in any file.
        if is_saved && self.evidence.saved.is_end_saved && !self.evidence.is_opened_declared {
            return Some(Doubt::SavedWithEnd);
        }
        let hidden = [(up, Doubt::HiddenUp(up)), (down, Doubt::HiddenDown(down))];
        let hidden = hidden.into_iter().find(|(count, _)| *count > 0);
        let one_key = self.one_key.as_ref().map(|other| Doubt::OneKey(other.file.clone()));
        one_key.or(hidden.map(|(_, doubt)| doubt))
    }
}

pub(super) enum FileVerdict {
    Bundle(Box<SoundBundle>),
    Refused(BundleFault),
    Certificate(Checked),
    Unreadable(String),
}

impl FileVerdict {
    /// Whether it contradicts itself, or something that is held beside it.
    pub fn is_refused(&self) -> bool {
        match self {
            FileVerdict::Refused(_) => true,
            FileVerdict::Certificate(checked) => checked.is_refused(),
            FileVerdict::Bundle(_) | FileVerdict::Unreadable(_) => false,
        }
    }

    /// Whether it is a certificate or a package whose verdict follows from its counts, whatever that verdict is.
    pub fn is_consistent_certificate(&self) -> bool {
        matches!(self, FileVerdict::Certificate(_)) && !self.is_refused()
    }
}

pub(super) struct JudgedFile {
    /// As a sentence shows it.
    pub name: String,
    /// As JSON has it, which escapes by itself.
    pub path: String,
    pub verdict: FileVerdict,
}

/// Every file with its verdict.
pub struct JudgedFiles {
    pub(super) files: Vec<JudgedFile>,
    /// JSON of folders that is neither a bundle nor a certificate.
    pub(super) left: Vec<String>,
    /// Options whose saved texts fit none of several files.
    pub(super) fitting_none: Vec<String>,
    /// Whether there was a bundle or a certificate with which something saved could be compared.
    pub(super) is_any_sound: bool,
    pub(super) is_acceptance_required: bool,
    /// The trust file, its quorum and how many witnesses it has, where no cosignatures meet that.
    pub(super) quorum_out_of_reach: Option<(String, u64, u64)>,
}

/// Judges each file, then those of one hand together.
pub fn judge_all(paths: &[PathBuf], wanted: &JudgedBy) -> JudgedFiles {
    let judge = |path: &PathBuf| {
        let name = visible(&path.display().to_string()).into_owned();
        let verdict = judge(path, &name, wanted, paths == [path.clone()])
            .unwrap_or_else(|error| FileVerdict::Unreadable(error.to_string()));
        JudgedFile { name, path: path.display().to_string(), verdict }
    };
    let mut left = Vec::new();
    let judge_folder = |path: &PathBuf| {
        let unreadable = |problem: String| {
            let name = visible(&path.display().to_string()).into_owned();
            let path = path.display().to_string();
            vec![JudgedFile { name, path, verdict: FileVerdict::Unreadable(problem) }]
        };
        match folder::files_of(path) {
            Ok(Found { judged, .. }) if judged.len() > 1 && wanted.statements.is_about_one_hand() => {
                unreadable(format!(
                    "{}: found {} files in it; --seen and --my-seed are about one hand: give one bundle",
                    path.display(),
                    judged.len()
                ))
            }
            Ok(found) => {
                left.extend(found.left.iter().map(|file| visible(&file.display().to_string()).into_owned()));
                found.judged.iter().map(judge).collect()
            }
            Err(error) => unreadable(error.to_string()),
        }
    };
    let files = paths.iter().flat_map(judge_folder).collect();
    together_judged(files, left, wanted)
}

/// Judges a bundle that is held in memory, under a name.
pub fn judge_held(name: &str, bytes: &[u8], wanted: &JudgedBy) -> JudgedFiles {
    let verdict =
        judge_bundle(bytes, name, wanted).unwrap_or_else(|error| FileVerdict::Unreadable(error.to_string()));
    let file = JudgedFile { name: name.to_owned(), path: name.to_owned(), verdict };
    together_judged(vec![file], Vec::new(), wanted)
}

fn together_judged(files: Vec<JudgedFile>, left: Vec<String>, wanted: &JudgedBy) -> JudgedFiles {
    let is_acceptance_required = wanted.is_acceptance_required;
    let keys = wanted.saved.trust.as_ref().and_then(|trust| trust.keys().ok());
    let trust_name = visible(&wanted.saved.trust_name).into_owned();
    let mut judged = JudgedFiles {
        files,
        left,
        fitting_none: Vec::new(),
        is_any_sound: false,
        is_acceptance_required,
        quorum_out_of_reach: keys
            .filter(|keys| !keys.quorum.can_be_met())
            .map(|keys| (trust_name, keys.quorum.threshold, keys.witness.len() as u64)),
    };
    let is_certificate = |file: &JudgedFile| file.verdict.is_consistent_certificate();
    judged.is_any_sound = !judged.sound().is_empty() || judged.files.iter().any(is_certificate);
    let is_alone = judged.is_of_one_hand();
    judged.compare_saved(&wanted.saved, is_alone);
    judged.compare_receipts(&wanted.saved, is_alone);
    judged.compare_logs();
    judged.compare_hands();
    judged.share_proofs();
    judged.compare_keys();
    judged.compare_clocks(wanted.by.now);
    judged
}

/// The bytes of a file. A full reveal holds a hand key, so they are wiped.
fn read_file(file: &Path) -> Result<Zeroizing<Vec<u8>>, FileError> {
    let bytes_max = LIMITS.bytes_max as u64;
    let read = read_input(file, bytes_max).map_err(|fault| {
        if file == Path::new("-") {
            FileError { path: PathBuf::from("standard input"), ..fault }
        } else {
            fault
        }
    });
    read.map(Zeroizing::new)
}

/// `is_alone` says that nothing else is judged, so that what was kept of something else is a slip.
fn judge(path: &Path, name: &str, wanted: &JudgedBy, is_alone: bool) -> Result<FileVerdict, CouldNotSay> {
    let checked = if path.is_dir() {
        package::verify(name, &Disk(path.to_owned()), wanted, is_alone)
    } else if begins_as_archive(path) {
        package::verify_archive(name, path, wanted, is_alone)
    } else {
        let bytes = read_file(path)?;
        match kind_of(&bytes) {
            FileKind::Foreign(what) => Err(CouldNotSay(format!("{name}: {what}"))),
            FileKind::Certificate => certificate::verify(name, &bytes, wanted, is_alone),
            FileKind::Prediction => prediction::verify(name, &bytes, wanted),
            FileKind::Bundle => {
                let own = Zeroizing::new(carried(&bytes).into_owned());
                return judge_bundle(&own, name, wanted);
            }
        }
    };
    checked.map(FileVerdict::Certificate)
}

/// Whether a file on a disk is a ZIP file; of a pipe nothing is taken away to see.
fn begins_as_archive(path: &Path) -> bool {
    let mut beginning = [0; 4];
    let is_plain = path.metadata().is_ok_and(|about| about.is_file());
    is_plain
        && fs::File::open(path).and_then(|mut file| file.read_exact(&mut beginning)).is_ok()
        && is_archive(&beginning)
}

fn judge_bundle(bytes: &[u8], name: &str, wanted: &JudgedBy) -> Result<FileVerdict, CouldNotSay> {
    let mut accepted = match verify_bundle(bytes, wanted.saved.trust.as_ref(), &wanted.statements.own) {
        Ok(accepted) => accepted,
        Err(refusal) if refusal.is_unknown_version => {
            let Refusal { code, place, message, .. } = refusal;
            return Err(CouldNotSay::new(
                format!(
                    "{name}: it was not judged, for it is of a version that this program does not know ({code}): {place}: {message}"
                ),
                OTHER_VERSION_OF_HAND,
            ));
        }
        // Both are about the trust file as much as about the bundle.
        Err(refusal) if matches!(refusal.code, Code::Origin | Code::NoteUnsigned) => {
            return Err(CouldNotSay(format!(
                "{name}: it was not judged, for it and the trust file do not go together ({}): {}: {}. The trust file may be that of another room, or older or newer \
                 than the key of this log. If it is the right one, the log did not sign what this file holds.",
                refusal.code, refusal.place, refusal.message
            )));
        }
        Err(refusal) => return Ok(FileVerdict::Refused(fault(refusal, bytes, wanted))),
    };
    if let Some(slip) = accepted.seed_slip {
        let why = slip_words(slip);
        return Err(CouldNotSay(format!("{name}: it was not judged, for what --my-seed states {why}")));
    }
    if !wanted.statements.at_seats.is_empty() && accepted.transcript.is_empty() {
        return Err(CouldNotSay(format!(
            "{name}: no card of this hand was dealt to a seat; give --seen by position"
        )));
    }
    // What a file does not open hides no contradiction.
    let unopened = accepted.seen_unopened.first();
    let mut no_verdict = unopened.map(|(position, card)| unopened_words(*position, card, &accepted, name));
    for seen in &wanted.statements.at_seats {
        match compare_seen(seen, &mut accepted, name) {
            Ok(None) => {}
            Ok(Some(fault)) => return Ok(FileVerdict::Refused(fault)),
            Err(why) => no_verdict = no_verdict.or(Some(why)),
        }
    }
    if let Some(why) = no_verdict {
        return Err(why);
    }
    let evidence = HandEvidence { has_trust: wanted.saved.trust.is_some(), ..HandEvidence::default() };
    Ok(FileVerdict::Bundle(Box::new(SoundBundle {
        bundle: accepted,
        evidence,
        differs_from: None,
        one_key: None,
    })))
}

/// Why the seed that a player states is not the one that entered.
fn slip_words(slip: SeedSlip) -> String {
    match slip {
        SeedSlip::OtherSeat(seat) => format!("is the seed of seat {seat}: state it for the seat where you sat"),
        SeedSlip::Commitment => {
            "is the commitment to a seed, which seed prints, and not the seed in its file".to_owned()
        }
        SeedSlip::Miscopied(digits) => format!(
            "differs in {digits} of 64 digits from the one that entered for its seat{}. No other seed comes so near: they were copied wrongly, by \
             you or where your seed was taken in",
            shifted(digits)
        ),
        SeedSlip::NotCommitted => {
            "is not the seed to which its seat committed in the open entry. The hand was voided because a seed that was given was another one \
             than the committed one (seed-wrong): it may be this one. Compare the commitment of your seat in the open entry with the one that \
             you sent"
                .to_owned()
        }
        SeedSlip::NoCut => {
            "entered no cut, for this hand has none (mix none): look whether it is the hand you mean".to_owned()
        }
    }
}

/// What a file cannot answer that does not open a card.
const ONLY_OPENED: &str = "whether it was that card only a file that opens them can show, such as";
const WITHOUT_CARD: &str = "Without this card in --seen the rest is judged.";

/// That a file does not open the position at which a card was seen.
fn unopened_words(position: u8, card: &str, accepted: &Accepted, name: &str) -> CouldNotSay {
    let line = accepted.transcript.iter().rfind(|line| line.position == position);
    let (place, opener) = match line.and_then(|line| Some((line.seat?, face_word(line.face)))) {
        Some((seat, face)) => (
            format!("which was dealt to seat {seat}, {face}"),
            format!("the file of seat {seat} or the full reveal"),
        ),
        None => ("which was dealt to no seat".to_owned(), "the full reveal".to_owned()),
    };
    CouldNotSay(format!(
        "{name}: you saw {card} at position {position}, {place}, and this file does not open that: {ONLY_OPENED} {opener}. {WITHOUT_CARD}"
    ))
}

/// Compares a card that was seen at a seat, and counts it: what differs.
fn compare_seen(
    seen: &SeenAtSeat,
    accepted: &mut Accepted,
    name: &str,
) -> Result<Option<BundleFault>, CouldNotSay> {
    match seen.positions(accepted) {
        Ok(positions) => {
            for position in positions.keys() {
                let line = accepted.transcript.iter().rfind(|line| line.position == *position);
                accepted.findings.seen_cards += usize::from(!accepted.seen.contains_key(position));
                accepted.seen.insert(*position, line.copied());
            }
            accepted.stated.seen = accepted.stated.seen.or(Some(Party::Player));
            Ok(None)
        }
        Err(Absent { card, face, may_be_hidden: true }) => {
            let (seat, face) = (seen.seat, face_word(face));
            Err(CouldNotSay(format!(
                "{name}: you saw {card} {face} at seat {seat}, and this file does not open every card that lay {face} there: \
                 {ONLY_OPENED} the file of seat {seat} or the full reveal. {WITHOUT_CARD}"
            )))
        }
        Err(Absent { card, face, .. }) => {
            let instead = instead_of(card, seen.seat, accepted).map_err(|seats| {
                CouldNotSay(format!(
                    "{name}: --seen names seat {}, and nobody was dealt a card there, only at the seats {seats}: look \
                     whether it is the file of the hand you mean",
                    seen.seat
                ))
            })?;
            let message = format!(
                "you saw {card} {} there, and this file {instead}. Look first whether that is what you saw",
                face_word(face)
            );
            let fault = BundleFault::new(Code::Seen.name(), format!("seat {}", seen.seat), message);
            Ok(Some(BundleFault { by: Some(Party::Player), ..fault }))
        }
    }
}

/// A refusal that falls away with what the player says rests on the player's word.
fn fault(refusal: Refusal, bytes: &[u8], wanted: &JudgedBy) -> BundleFault {
    let is_of_file = wanted.statements.own == Statements::default()
        || verify_bundle(bytes, wanted.saved.trust.as_ref(), &Statements::default()).err().as_ref()
            == Some(&refusal);
    let unsigned = is_of_file && !refusal.is_signed && is_of_content(refusal.code);
    let unsigned = unsigned.then(|| HeldProofs::of(bytes, wanted.saved.trust.as_ref()));
    BundleFault { by: (!is_of_file).then_some(Party::Player), unsigned, ..refusal.into() }
}

/// Whether it is about what the file tells of the hand: not its form, which was damaged, nor keys and signatures.
fn is_of_content(code: Code) -> bool {
    use Code::{Ckpt, CkptOrigin, Format, Hex, LogOrder, Missing, Note, NoteSig, NoteUnsigned, Proof, Vkey};
    let others = [Format, Missing, Hex, Vkey, Proof, Note, NoteSig, NoteUnsigned, Ckpt, CkptOrigin, LogOrder];
    !others.contains(&code)
}

impl JudgedFiles {
    /// Bundles whose witnesses saw what is needed at a time to come are not judged.
    fn compare_clocks(&mut self, now: u64) {
        for JudgedFile { name, verdict, .. } in &mut self.files {
            let FileVerdict::Bundle(sound) = verdict else { continue };
            let Some(time) = sound.seen_in_future(now) else { continue };
            *verdict = FileVerdict::Unreadable(format!(
                "{name}: it was not judged, for its witnesses write that they saw it at {}, and the clock of this computer has not come so far. \
                 A clock is wrong, this one or theirs.",
                utc(time)
            ));
        }
    }

    /// The sound bundles, with their places among the files.
    pub(super) fn sound(&self) -> Vec<(usize, &SoundBundle)> {
        let mut found = Vec::new();
        for (place, file) in self.files.iter().enumerate() {
            if let FileVerdict::Bundle(sound) = &file.verdict {
                found.push((place, &**sound));
            }
        }
        found
    }

    pub(super) fn hands(&self) -> usize {
        let sound = self.sound();
        let bundles: Vec<&Accepted> = sound.iter().map(|(_, sound)| &sound.bundle).collect();
        together::by_hand(&bundles).len()
    }

    /// Whether all files are sound bundles of one hand. Otherwise what the player saved may belong to the other hand, or to
    /// the file that was not judged.
    pub(super) fn is_of_one_hand(&self) -> bool {
        let sound = self.sound();
        let unnamed =
            sound.iter().map(|(_, sound)| &sound.bundle).filter(|bundle| bundle.hand.is_without_log());
        let decks: BTreeSet<&str> = unnamed.map(|bundle| &bundle.texts.deck[..]).collect();
        sound.len() == self.files.len() && self.hands() == 1 && decks.len() < 2
    }
}

/// Where digits that were copied wrongly differ in most places.
pub(super) fn shifted(digits: usize) -> &'static str {
    if digits > Digest::MISCOPIED_MAX { ", and one digit more or less makes them agree" } else { "" }
}

/// What a bundle has at a seat in the place of a card that somebody saw there.
///
/// # Errors
/// The seats that were dealt cards, where this one was not.
fn instead_of(card: Card, seat: Seat, bundle: &Accepted) -> Result<String, String> {
    let mut own = bundle.transcript.iter().filter(|line| line.seat == Some(seat)).peekable();
    if own.peek().is_none() {
        let seats: BTreeSet<u8> =
            bundle.transcript.iter().filter_map(|line| Some(line.seat?.number())).collect();
        return Err(seats.iter().map(u8::to_string).collect::<Vec<_>>().join(", "));
    }
    let same = own.find(|line| bundle.opened.get(&line.position) == Some(&card));
    Ok(match same {
        Some(line) => format!("has it at this seat {}", face_word(line.face)),
        None => "opens no such card at this seat".to_owned(),
    })
}
