//! The files judged one by one, then together; what is said of them, and the exit code.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use zeroize::Zeroizing;

use crate::campaign::archive::is_archive;
use crate::certificate::LIMITS;
use crate::cli::CliError;
use crate::cli::certificate::{self, Checked, Rerun};
use crate::cli::verify::fault::Fault;
use crate::cli::verify::package;
use crate::cli::verify::said::{Said, Saved};
use crate::commitment::digest::leaf_hash;
use crate::document::words::{Language, Words};
use crate::file::{read_limited, read_stream_limited};
use crate::manifest::signature::Signers;
use crate::presentation::bundle::picture::{self, face_word};
use crate::presentation::bundle::{accepted_json, explain, headline, history_headline, members};
use crate::text::exit::Exit;
use crate::text::visible;
use crate::verify::before::{COMMITTED, Committed, Compared, FixedBy, fixed_by_log};
use crate::verify::findings::{HistoryFinding, Shown};
use crate::verify::kind::{FileKind, kind_of};
use crate::verify::receipts;
use crate::verify::together::{self, DIFFERENT, conflicts};
use crate::verify::{Accepted, verify_bundle};

/// What the files are judged by.
pub(super) struct Wanted<'a> {
    pub saved: Saved,
    pub said: Said,
    pub rerun: bool,
    pub source: Option<&'a str>,
    pub signers: Option<Signers>,
    pub words: &'static Words,
}

enum Verdict {
    Bundle(Box<Accepted>, Option<FixedBy>),
    Refused(Fault),
    Certificate(Checked),
    Unreadable(String),
}

struct File {
    name: String,
    verdict: Verdict,
}

/// Every file with its verdict.
pub(super) struct Judged {
    files: Vec<File>,
}

/// Judges each file, then those of one hand together.
pub(super) fn judge_all(paths: &[PathBuf], wanted: &Wanted) -> Judged {
    let judge = |path: &PathBuf| {
        let name = visible(&path.display().to_string()).into_owned();
        let verdict =
            judge(path, &name, wanted).unwrap_or_else(|error| Verdict::Unreadable(error.to_string()));
        File { name, verdict }
    };
    let mut judged = Judged { files: paths.iter().map(judge).collect() };
    judged.compare_saved(&wanted.saved.committed);
    judged.compare_receipts(&wanted.saved);
    judged.compare_hands();
    judged
}

/// The bytes of a file. A full reveal holds a hand key, so they are wiped.
fn read_file(file: &Path) -> Result<Zeroizing<Vec<u8>>, CliError> {
    let bytes_max = LIMITS.bytes_max as u64;
    match file == Path::new("-") {
        true => read_stream_limited(io::stdin(), bytes_max)
            .map_err(|error| CliError::file(Path::new("standard input"), error)),
        false => read_limited(file, bytes_max).map_err(|error| CliError::file(file, error)),
    }
    .map(Zeroizing::new)
}

fn judge(path: &Path, name: &str, wanted: &Wanted) -> Result<Verdict, CliError> {
    let rerun = Rerun { is_wanted: wanted.rerun, source: wanted.source };
    let signers = wanted.signers.as_ref();
    if path.is_dir() {
        return Ok(Verdict::Certificate(package::verify_folder(name, path, &rerun, signers, wanted.words)?));
    }
    if begins_as_archive(path) {
        return Ok(Verdict::Certificate(package::verify_archive(name, path, &rerun, signers, wanted.words)?));
    }
    let bytes = read_file(path)?;
    match kind_of(&bytes) {
        FileKind::Foreign(what) => Err(CliError::Usage(format!("{name}: {what}"))),
        FileKind::Certificate => Ok(Verdict::Certificate(certificate::verify(name, &bytes, &rerun)?)),
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

fn judge_bundle(bytes: &[u8], name: &str, wanted: &Wanted) -> Result<Verdict, CliError> {
    let mut accepted = match verify_bundle(bytes, wanted.saved.trust.as_ref(), &wanted.said.own) {
        Ok(accepted) => accepted,
        Err(refusal) => {
            return Ok(Verdict::Refused(refusal.into()));
        }
    };
    if !wanted.said.at_seats.is_empty() && accepted.transcript.is_empty() {
        return Err(CliError::Usage(format!(
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
            Err((card, face)) => {
                let message = format!(
                    "you saw {card} {} there, and this file opens no such card at this seat",
                    face_word(face)
                );
                let place = format!("seat {}", seen.seat);
                return Ok(Verdict::Refused(Fault { code: "E_SEEN".to_owned(), place, message }));
            }
        }
    }
    let fixed = fixed_by_log(&accepted);
    Ok(Verdict::Bundle(Box::new(accepted), fixed))
}

impl Judged {
    /// The accepted bundles, with their places among the files.
    fn accepted(&self) -> Vec<(usize, &Accepted)> {
        let mut found = Vec::new();
        for (place, file) in self.files.iter().enumerate() {
            if let Verdict::Bundle(accepted, _) = &file.verdict {
                found.push((place, &**accepted));
            }
        }
        found
    }

    fn hands(&self) -> usize {
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
            let Verdict::Bundle(accepted, fixed) = &mut file.verdict else { continue };
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
                file.verdict = Verdict::Refused(Fault { code: COMMITTED.to_owned(), place, message });
            } else if compared.contains(&Compared::Same) {
                *fixed = Some(FixedBy::Saved);
            } else if hands == 1 {
                let hand = &accepted.hand;
                let message = format!(
                    "{}: what --committed gives is of another hand than this one, {} at table {} of {}",
                    file.name, hand.hand, hand.table, hand.origin
                );
                file.verdict = Verdict::Unreadable(message);
            }
        }
    }

    /// Looks for the entries of every bundle in the receipts that the player saved.
    fn compare_receipts(&mut self, saved: &Saved) {
        let Some(trust) = saved.trust.as_ref().filter(|_| !saved.receipts.is_empty()) else { return };
        let hands = self.hands();
        for file in &mut self.files {
            let Verdict::Bundle(accepted, fixed) = &mut file.verdict else { continue };
            match receipts::compare(accepted, &saved.receipts, trust, hands == 1) {
                Err(refusal) => file.verdict = Verdict::Refused(refusal.into()),
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
        let mut faults: BTreeMap<usize, Fault> = BTreeMap::new();
        for conflict in conflicts(&bundles) {
            let places = [accepted[conflict.first].0, accepted[conflict.second].0];
            let [first, second] = places.map(|place| &self.files[place].name);
            let [one, other] = &conflict.lines;
            let entry = if conflict.entry == "end" { "close or void" } else { conflict.entry };
            let message = format!("{first} has {one:?} in its {entry} entry, {second} has {other:?}");
            for place in places {
                let fault = Fault {
                    code: DIFFERENT.to_owned(),
                    place: format!("{entry} entry of {first} and {second}"),
                    message: message.clone(),
                };
                faults.entry(place).or_insert(fault);
            }
        }
        for (place, fault) in faults {
            self.files[place].verdict = Verdict::Refused(fault);
        }
    }

    /// 1 beats 2 beats 0.
    pub fn exit(&self) -> Exit {
        self.files.iter().fold(Exit::Passed, |exit, file| {
            exit.and(match &file.verdict {
                Verdict::Bundle(..) => Exit::Passed,
                Verdict::Refused(_) => Exit::Refused,
                Verdict::Certificate(checked) => checked.exit,
                Verdict::Unreadable(_) => Exit::CouldNotSay,
            })
        })
    }

    /// What could not be read, for standard error.
    pub fn unreadable(&self) -> impl Iterator<Item = &str> {
        self.files.iter().filter_map(|file| match &file.verdict {
            Verdict::Unreadable(problem) => Some(&problem[..]),
            _ => None,
        })
    }

    /// One JSON object a file, one a line.
    pub fn json_lines(&self) -> String {
        let mut text = String::new();
        let is_one = self.files.len() == 1;
        for file in &self.files {
            let mut object = Map::new();
            if !is_one {
                object.insert("file".to_owned(), json!(file.name));
            }
            object.extend(match &file.verdict {
                Verdict::Bundle(accepted, fixed) => accepted_json(accepted, *fixed),
                Verdict::Refused(fault) => refused_json(fault),
                Verdict::Certificate(checked) => members(checked.json.clone()),
                // Alone it is said on standard error only; among others, nobody shall count it as sound.
                Verdict::Unreadable(_) if is_one => continue,
                Verdict::Unreadable(problem) => {
                    members(json!({ "verdict": null, "code": null, "message": problem }))
                }
            });
            writeln!(text, "{}", Value::Object(object)).expect("a string takes every line");
        }
        text
    }

    /// Only what is refused.
    pub fn refusals(&self, words: &Words) -> String {
        self.files.iter().filter_map(|file| file.refusal(words)).collect()
    }

    /// Everything, in words: one hand in full, several hands one line each with totals.
    pub fn report(&self, words: &Words) -> String {
        let (accepted, is_one_hand) = (self.accepted(), self.hands() == 1);
        if let [file] = &self.files[..] {
            return file.explain(words);
        }
        let mut text: String = self.files.iter().map(|file| file.line(words)).collect();
        if is_one_hand && accepted.len() == self.files.len() {
            let bundles: Vec<&Accepted> = accepted.into_iter().map(|(_, accepted)| accepted).collect();
            let fixed = self.files.iter().find_map(File::fixed);
            let all = merged(&bundles);
            text.push_str(&(words.bundle.together)(&explain(
                &all,
                fixed,
                &picture::lines(&all, words),
                words,
            )));
        } else {
            text.push_str(&self.totals(words));
        }
        text
    }

    fn totals(&self, words: &Words) -> String {
        let own = &words.bundle;
        let count = |is: fn(&Verdict) -> bool| self.files.iter().filter(|file| is(&file.verdict)).count();
        let parts: [CountedWords; 5] = [
            (count(|verdict| matches!(verdict, Verdict::Bundle(_, Some(_)))), own.are_accepted),
            (count(|verdict| matches!(verdict, Verdict::Bundle(_, None))), own.are_consistent),
            (count(|verdict| matches!(verdict, Verdict::Certificate(_))), own.are_certificates),
            (count(|verdict| matches!(verdict, Verdict::Refused(_))), own.are_refused),
            (count(|verdict| matches!(verdict, Verdict::Unreadable(_))), own.are_unreadable),
        ];
        let parts: Vec<String> = parts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, words)| words(count as u64))
            .collect();
        let depends = self.accepted().into_iter().filter(|(_, accepted)| {
            matches!(accepted.findings.history, Some(HistoryFinding::Bound { verdict: "depends", .. }))
        });
        let depends = match depends.count() {
            0 => String::new(),
            count => (own.depends_of)(count as u64),
        };
        let (files, hands) = (self.files.len() as u64, self.hands() as u64);
        format!("{}{depends}\n", (own.totals)(files, hands, &parts.join(", ")))
    }
}

/// How many files ended in one way, and the words for so many.
type CountedWords = (usize, fn(u64) -> String);

/// One picture of what bundles of one hand open.
fn merged(bundles: &[&Accepted]) -> Accepted {
    let fullest = bundles.iter().max_by_key(|bundle| bundle.findings.openings);
    let mut all = (*fullest.expect("there are several")).clone();
    all.opened = together::opened(bundles);
    if all.findings.openings < all.opened.len() {
        all.findings.openings = all.opened.len();
        if all.opened.len() == 52 {
            all.findings.permutation = Shown::Proven;
        }
    }
    all
}

impl File {
    fn fixed(&self) -> Option<FixedBy> {
        match &self.verdict {
            Verdict::Bundle(_, fixed) => *fixed,
            _ => None,
        }
    }

    fn refusal(&self, words: &Words) -> Option<String> {
        match &self.verdict {
            Verdict::Refused(fault) => Some((words.bundle.file)(&self.name, &fault.explain(words))),
            Verdict::Certificate(checked) if checked.exit != Exit::Passed => Some(checked.text.clone()),
            _ => None,
        }
    }

    /// Everything about this file.
    fn explain(&self, words: &Words) -> String {
        match &self.verdict {
            Verdict::Bundle(accepted, fixed) => {
                let said = explain(accepted, *fixed, &picture::lines(accepted, words), words);
                (words.bundle.file)(&self.name, &said)
            }
            Verdict::Certificate(checked) => checked.text.clone(),
            Verdict::Refused(_) | Verdict::Unreadable(_) => self.refusal(words).unwrap_or_default(),
        }
    }

    /// One line; a refusal says all it has to say.
    fn line(&self, words: &Words) -> String {
        let own = &words.bundle;
        match &self.verdict {
            Verdict::Bundle(accepted, fixed) => {
                let hand = &accepted.hand;
                let played = history_headline(accepted.findings.history.as_ref(), words);
                let headline = format!("{}{played}", headline(accepted, *fixed, words));
                let which =
                    (own.hand_of)(&hand.hand.to_string(), &hand.table.to_string(), &hand.origin.to_string());
                let (cards, root) = (accepted.findings.openings as u64, hand.deck.to_string());
                (own.one_line)(&self.name, &headline, &which, cards, &root) + "\n"
            }
            Verdict::Unreadable(_) => (own.unreadable)(&self.name) + "\n",
            Verdict::Refused(_) | Verdict::Certificate(_) => self.explain(words),
        }
    }
}

impl Fault {
    fn explain(&self, words: &Words) -> String {
        let means = words.refusal.sentence(&self.code).map_or(String::new(), |means| format!("  {means}.\n"));
        // Place and message are the check's own words, in English.
        format!(
            "{}\n{means}  {}: {}.\n  {}\n",
            (words.bundle.refused)(&self.code),
            self.place,
            self.message,
            words.bundle.first_failure
        )
    }
}

fn refused_json(fault: &Fault) -> Map<String, Value> {
    members(json!({
        "verdict": "refused",
        "code": fault.code,
        "place": fault.place,
        "message": fault.message,
        "sentence": Language::English.words().refusal.sentence(&fault.code).unwrap_or_default(),
        "findings": {},
        "history": null,
        "not_checked": ["everything after the first failure"],
        "opened": {},
        "seen": {},
    }))
}
