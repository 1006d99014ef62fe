//! The files judged one by one, then together.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::campaign::archive::is_archive;
use crate::certificate::LIMITS;
use crate::commitment::digest::leaf_hash;
use crate::document::words::Words;
use crate::file::input::{FileError, read_input};
use crate::inspection::fault::BundleFault;
use crate::inspection::folder::Found;
use crate::inspection::{Checked, Inspector, Rerun, certificate, folder, package};
use crate::ledger::receipt::Receipt;
use crate::ledger::trust::Trust;
use crate::manifest::signature::Signers;
use crate::presentation::bundle::picture::face_word;
use crate::text::could_not_say::CouldNotSay;
use crate::text::visible;
use crate::verify::before::{COMMITTED, Committed, Compared, FixedBy, fixed_by_log};
use crate::verify::kind::{FileKind, kind_of};
use crate::verify::receipts;
use crate::verify::seats::{Absent, SeenAtSeat};
use crate::verify::together::{self, DIFFERENT, conflicts};
use crate::verify::{Accepted, Statements, verify_bundle};

/// What was saved before the hand.
pub struct Saved {
    /// Commitments to decks.
    pub committed: Vec<Committed>,
    /// Receipts of the log, with the names of their files.
    pub receipts: Vec<(String, Receipt)>,
    /// Which log is trusted.
    pub trust: Option<Trust>,
}

/// What the player saw and gave.
pub struct PlayerWords {
    /// By dealt position, and the own seed.
    pub own: Statements,
    /// By seat.
    pub at_seats: Vec<SeenAtSeat>,
}

impl PlayerWords {
    /// Whether anything was said, which is of one hand.
    fn is_about_one_hand(&self) -> bool {
        !(self.own.seen.is_empty() && self.own.own_seeds.is_empty() && self.at_seats.is_empty())
    }
}

/// What the files are judged by.
pub struct JudgedBy<'a> {
    /// What was saved before the hand.
    pub saved: Saved,
    /// What the player saw and gave.
    pub said: PlayerWords,
    /// Whether certificates and packages are run again.
    pub rerun: Rerun<'a>,
    /// Who may sign packages, where that is known.
    pub signers: Option<Signers>,
    /// The language of the sentences.
    pub words: &'static Words,
    /// The program that judges.
    pub by: Inspector<'a>,
}

pub(super) enum FileVerdict {
    Bundle(Box<Accepted>, Option<FixedBy>),
    Refused(BundleFault),
    Certificate(Checked),
    Unreadable(String),
}

pub(super) struct JudgedFile {
    pub name: String,
    pub verdict: FileVerdict,
}

/// Every file with its verdict.
pub struct JudgedFiles {
    pub(super) files: Vec<JudgedFile>,
    /// JSON of folders that is neither a bundle nor a certificate.
    pub(super) left: Vec<String>,
}

/// Judges each file, then those of one hand together.
pub fn judge_all(paths: &[PathBuf], wanted: &JudgedBy) -> JudgedFiles {
    let judge = |path: &PathBuf| {
        let name = visible(&path.display().to_string()).into_owned();
        let verdict =
            judge(path, &name, wanted).unwrap_or_else(|error| FileVerdict::Unreadable(error.to_string()));
        JudgedFile { name, verdict }
    };
    let mut left = Vec::new();
    let judge_folder = |path: &PathBuf| {
        let unreadable = |problem: String| {
            let name = visible(&path.display().to_string()).into_owned();
            vec![JudgedFile { name, verdict: FileVerdict::Unreadable(problem) }]
        };
        match folder::files_of(path) {
            Ok(Found { judged, .. }) if judged.len() > 1 && wanted.said.is_about_one_hand() => {
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
    let mut judged = JudgedFiles { files, left };
    judged.compare_saved(&wanted.saved.committed);
    judged.compare_receipts(&wanted.saved);
    judged.compare_hands();
    judged
}

/// The bytes of a file. A full reveal holds a hand key, so they are wiped.
fn read_file(file: &Path) -> Result<Zeroizing<Vec<u8>>, FileError> {
    let bytes_max = LIMITS.bytes_max as u64;
    let read = read_input(file, bytes_max).map_err(|fault| match file == Path::new("-") {
        true => FileError { path: PathBuf::from("standard input"), ..fault },
        false => fault,
    });
    read.map(Zeroizing::new)
}

fn judge(path: &Path, name: &str, wanted: &JudgedBy) -> Result<FileVerdict, CouldNotSay> {
    let (rerun, signers) = (&wanted.rerun, wanted.signers.as_ref());
    if path.is_dir() {
        return Ok(FileVerdict::Certificate(package::verify_folder(
            name,
            path,
            rerun,
            signers,
            wanted.words,
            &wanted.by,
        )?));
    }
    if begins_as_archive(path) {
        return Ok(FileVerdict::Certificate(package::verify_archive(
            name,
            path,
            rerun,
            signers,
            wanted.words,
            &wanted.by,
        )?));
    }
    let bytes = read_file(path)?;
    match kind_of(&bytes) {
        FileKind::Foreign(what) => Err(CouldNotSay(format!("{name}: {what}"))),
        FileKind::Certificate => {
            Ok(FileVerdict::Certificate(certificate::verify(name, &bytes, rerun, wanted.words, &wanted.by)?))
        }
        FileKind::Bundle => judge_bundle(&bytes, name, wanted),
    }
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
    let mut accepted = match verify_bundle(bytes, wanted.saved.trust.as_ref(), &wanted.said.own) {
        Ok(accepted) => accepted,
        Err(refusal) => {
            return Ok(FileVerdict::Refused(refusal.into()));
        }
    };
    if !wanted.said.at_seats.is_empty() && accepted.transcript.is_empty() {
        return Err(CouldNotSay(format!(
            "{name}: no card of this hand was dealt to a seat; give --seen by position"
        )));
    }
    for seen in &wanted.said.at_seats {
        match seen.positions(&accepted) {
            Ok(positions) => {
                for position in positions.keys() {
                    let line = accepted.transcript.iter().rfind(|line| line.position == *position);
                    accepted.findings.seen_cards += usize::from(!accepted.seen.contains_key(position));
                    accepted.seen.insert(*position, line.copied());
                }
            }
            Err(Absent { card, face, may_be_hidden: true }) => {
                let (seat, face) = (seen.seat, face_word(face));
                return Err(CouldNotSay(format!(
                    "{name}: you saw {card} {face} at seat {seat}, and this file does not open every card that lay {face} there: \
                     whether it was that card only the file of seat {seat} or the full reveal can show. Without this card in --seen \
                     the rest is judged."
                )));
            }
            Err(Absent { card, face, .. }) => {
                let message = format!(
                    "you saw {card} {} there, and this file opens no such card at this seat",
                    face_word(face)
                );
                let place = format!("seat {}", seen.seat);
                return Ok(FileVerdict::Refused(BundleFault { code: "E_SEEN".to_owned(), place, message }));
            }
        }
    }
    let fixed = fixed_by_log(&accepted);
    Ok(FileVerdict::Bundle(Box::new(accepted), fixed))
}

impl JudgedFiles {
    /// The accepted bundles, with their places among the files.
    pub(super) fn accepted(&self) -> Vec<(usize, &Accepted)> {
        let mut found = Vec::new();
        for (place, file) in self.files.iter().enumerate() {
            if let FileVerdict::Bundle(accepted, _) = &file.verdict {
                found.push((place, &**accepted));
            }
        }
        found
    }

    pub(super) fn hands(&self) -> usize {
        let bundles: Vec<&Accepted> = self.accepted().into_iter().map(|(_, accepted)| accepted).collect();
        together::by_hand(&bundles).len()
    }

    /// Compares every bundle with the commitments that the player saved.
    fn compare_saved(&mut self, saved: &[Committed]) {
        if saved.is_empty() {
            return;
        }
        let hands = self.hands();
        for file in &mut self.files {
            let FileVerdict::Bundle(accepted, fixed) = &mut file.verdict else { continue };
            let compared: Vec<Compared> = saved.iter().map(|one| one.compare(accepted)).collect();
            // A bare hash does not say of which hand it is, so among several hands it only confirms.
            let contradicts = |(one, compared): (&Committed, &Compared)| {
                *compared == Compared::Different && (hands == 1 || one.hand().is_some())
            };
            if saved.iter().zip(&compared).any(contradicts) {
                let message = format!(
                    "it was committed as deck entry {}, deck root {}; you saved another one for this hand",
                    leaf_hash(&accepted.texts.deck),
                    accepted.hand.deck
                );
                let place = "deck entry".to_owned();
                file.verdict =
                    FileVerdict::Refused(BundleFault { code: COMMITTED.to_owned(), place, message });
            } else if compared.contains(&Compared::Same) {
                *fixed = Some(FixedBy::Saved);
            } else if hands == 1 {
                let hand = &accepted.hand;
                let message = format!(
                    "{}: what --committed gives is of another hand than this one, {} at table {} of {}",
                    file.name, hand.hand, hand.table, hand.origin
                );
                file.verdict = FileVerdict::Unreadable(message);
            }
        }
    }

    /// Looks for the entries of every bundle in the receipts that the player saved.
    fn compare_receipts(&mut self, saved: &Saved) {
        let Some(trust) = saved.trust.as_ref().filter(|_| !saved.receipts.is_empty()) else { return };
        let hands = self.hands();
        for file in &mut self.files {
            let FileVerdict::Bundle(accepted, fixed) = &mut file.verdict else { continue };
            match receipts::compare(accepted, &saved.receipts, trust, hands == 1) {
                Err(refusal) => file.verdict = FileVerdict::Refused(refusal.into()),
                Ok(true) => {
                    *fixed = (*fixed).filter(|how| *how == FixedBy::Saved).or(Some(FixedBy::Receipts))
                }
                Ok(false) => {}
            }
        }
    }

    /// Two files that tell one hand differently are both refused: nobody can say which of them is true.
    fn compare_hands(&mut self) {
        let accepted = self.accepted();
        let bundles: Vec<&Accepted> = accepted.iter().map(|(_, accepted)| *accepted).collect();
        let mut faults: BTreeMap<usize, BundleFault> = BTreeMap::new();
        for conflict in conflicts(&bundles) {
            let places = [accepted[conflict.first].0, accepted[conflict.second].0];
            let [first, second] = places.map(|place| &self.files[place].name);
            let [one, other] = &conflict.lines;
            let entry = if conflict.entry == "end" { "close or void" } else { conflict.entry };
            let message = format!("{first} has {one:?} in its {entry} entry, {second} has {other:?}");
            for place in places {
                let fault = BundleFault {
                    code: DIFFERENT.to_owned(),
                    place: format!("{entry} entry of {first} and {second}"),
                    message: message.clone(),
                };
                faults.entry(place).or_insert(fault);
            }
        }
        for (place, fault) in faults {
            self.files[place].verdict = FileVerdict::Refused(fault);
        }
    }
}
