//! The output on files that were judged: exit code, sentences and JSON.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use crate::verification::fault::BundleFault;
use crate::verification::judged::{Doubt, FileVerdict, JudgedFile, JudgedFiles, OneKey, SoundBundle};
use deckproof_deck::text::exit::Exit;
use deckproof_report::document::words::BundleWords;
use deckproof_report::document::words::{Language, Words};
use deckproof_report::rendering::bundle::head::{headline, lacking};
use deckproof_report::rendering::bundle::picture;
use deckproof_report::rendering::bundle::{accepted_json, explain, members};
use deckproof_verify::claim::Headline;
use deckproof_verify::verify::Accepted;
use deckproof_verify::verify::claims::HandEvidence;
use deckproof_verify::verify::findings::{HistoryFinding, Shown};
use deckproof_verify::verify::proofs::HeldProofs;
use deckproof_verify::verify::together;

/// Files that were not judged and are named.
const LEFT_NAMED: usize = 3;

impl JudgedFiles {
    /// 1 beats 2 beats 0.
    pub fn exit(&self) -> Exit {
        // JSON of a folder that was left alone is no bundle that was accepted.
        let is_left = self.is_acceptance_required && !self.left.is_empty();
        // What was given and compared with nothing may be of a hand whose file is not there, or was exchanged.
        let is_unused = !self.fitting_none.is_empty();
        let left = if is_left || is_unused { Exit::CouldNotSay } else { Exit::Passed };
        self.files.iter().fold(left, |exit, file| exit.and(self.exit_of(file)))
    }

    /// Without a trust file nobody asked when the deck was published; with one, an answer is due.
    fn exit_of(&self, file: &JudgedFile) -> Exit {
        let is_acceptance_required = self.is_acceptance_required;
        match &file.verdict {
            FileVerdict::Bundle(sound) => match sound.claims().headline() {
                Headline::Refused => Exit::Refused,
                Headline::Accepted if is_acceptance_required && sound.doubt().is_some() => Exit::CouldNotSay,
                Headline::Accepted => Exit::Passed,
                _ if is_acceptance_required || sound.evidence.has_trust => Exit::CouldNotSay,
                _ => Exit::Passed,
            },
            FileVerdict::Refused(_) => Exit::Refused,
            // Nothing but a hand is ever accepted: who hands a certificate to a script that pays gets no 0.
            FileVerdict::Certificate(checked) if is_acceptance_required && !checked.is_refused() => {
                Exit::CouldNotSay
            }
            FileVerdict::Certificate(checked) => checked.exit,
            FileVerdict::Unreadable(_) => Exit::CouldNotSay,
        }
    }

    /// What could not be read, for standard error.
    pub fn unreadable(&self) -> impl Iterator<Item = &str> {
        self.files.iter().filter_map(|file| match &file.verdict {
            FileVerdict::Unreadable(problem) => Some(&problem[..]),
            _ => None,
        })
    }

    /// What each bundle lacks that was to be accepted and is not, for standard error.
    pub fn lacking(&self, words: &Words) -> Vec<String> {
        let is_due = |file: &&JudgedFile| self.exit_of(file) == Exit::CouldNotSay;
        let lacks = |file: &JudgedFile| match &file.verdict {
            FileVerdict::Bundle(sound) => match sound.claims().headline() {
                Headline::Accepted => sound.doubt().map(|doubt| doubt.sentence(&file.name, words)),
                _ => Some(lacking(&file.name, &sound.bundle, &sound.claims(), words)),
            },
            FileVerdict::Certificate(_) if self.is_acceptance_required => {
                Some(words.bundle.not_a_hand(&file.name))
            }
            _ => None,
        };
        let mut lacking: Vec<String> = self.files.iter().filter(is_due).filter_map(lacks).collect();
        if let (false, Some((trust, quorum, witnesses))) = (lacking.is_empty(), &self.quorum_out_of_reach) {
            lacking.push(words.bundle.quorum_out_of_reach(trust, *quorum, *witnesses));
        }
        lacking
    }

    /// What the player saved that fits none of several files, for standard error: beside another hand it convicts none, and nothing is
    /// passed over without a word.
    pub fn fitting_none(&self, words: &Words) -> Vec<String> {
        let own = &words.bundle;
        let sentence = |option: &String| {
            if self.is_any_sound { own.fits_none(option) } else { own.compared_with_none(option) }
        };
        self.fitting_none.iter().map(sentence).collect()
    }

    /// What stood in folders and was not judged, for standard error.
    pub fn left_alone(&self, words: &Words) -> Option<String> {
        let all = self.left.len();
        let named = self.left[..all.min(LEFT_NAMED)].join(", ");
        let more = all.saturating_sub(LEFT_NAMED) as u64;
        (all > 0).then(|| words.bundle.left_alone(&named, more))
    }

    /// One JSON object a file, one a line.
    pub fn json_lines(&self) -> String {
        let mut text = String::new();
        let is_one = self.files.len() == 1;
        for file in &self.files {
            let mut object = Map::new();
            if !is_one {
                object.insert("file".to_owned(), json!(file.path));
            }
            object.extend(match &file.verdict {
                FileVerdict::Bundle(sound) => {
                    let mut object = accepted_json(&sound.bundle, &sound.claims());
                    let one_key = sound.one_key.as_ref();
                    object.extend(one_key.map(|other| ("one_key_with".to_owned(), json!(other.file))));
                    object
                }
                FileVerdict::Refused(fault) => refused_json(fault),
                FileVerdict::Certificate(checked) => members(checked.json.clone()),
                FileVerdict::Unreadable(problem) => {
                    members(json!({ "verdict": null, "code": null, "message": problem }))
                }
            });
            writeln!(text, "{}", Value::Object(object)).expect("a string takes every line");
        }
        text
    }

    /// One line a file, or what is refused and what could not be judged.
    pub fn lines(&self, words: &Words) -> String {
        self.files.iter().map(|file| file.short(words)).collect()
    }

    /// Everything, in words: one hand in full, several hands one line each with totals.
    pub fn report(&self, words: &Words) -> String {
        if let [file] = &self.files[..] {
            return file.explain(words);
        }
        let mut text: String = self.files.iter().map(|file| file.line(words)).collect();
        if self.is_of_one_hand() {
            let sound = self.sound();
            let bundles: Vec<&Accepted> = sound.iter().map(|(_, sound)| &sound.bundle).collect();
            let all = merged(&bundles);
            // What one bundle proves in the log, all share.
            let evidence = &sound[0].1.evidence;
            let proven = bundles.iter().flat_map(|bundle| bundle.proven.iter().copied()).collect();
            let evidence = HandEvidence { proven, ..evidence.clone() };
            let cards = picture::lines(&all, words);
            text.push_str(&words.bundle.together(&explain(&all, &evidence, &cards, words)));
        } else {
            text.push_str(&self.totals(words));
        }
        text
    }

    fn totals(&self, words: &Words) -> String {
        let own = &words.bundle;
        let count = |is: fn(&FileVerdict) -> bool| self.files.iter().filter(|file| is(&file.verdict)).count();
        let headed = |wanted: Headline, asks: bool| {
            let is = |sound: &SoundBundle| {
                sound.claims().headline() == wanted
                    && (sound.evidence.has_trust == asks || wanted != Headline::Consistent)
            };
            self.sound().iter().filter(|(_, sound)| is(sound)).count()
        };
        let parts: [CountedWords; 7] = [
            (headed(Headline::Accepted, false), BundleWords::are_accepted),
            (headed(Headline::Partly, false), BundleWords::are_partly),
            (headed(Headline::Consistent, false), BundleWords::are_consistent),
            (headed(Headline::Consistent, true), BundleWords::are_unshown),
            (count(FileVerdict::is_consistent_certificate), BundleWords::are_certificates),
            (count(FileVerdict::is_refused), BundleWords::are_refused),
            (count(|verdict| matches!(verdict, FileVerdict::Unreadable(_))), BundleWords::are_unreadable),
        ];
        let parts: Vec<String> = parts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, sentence)| sentence(own, count as u64))
            .collect();
        let depends = self.sound().into_iter().filter(|(_, sound)| {
            matches!(sound.bundle.findings.history, Some(HistoryFinding::Bound { verdict: "depends", .. }))
        });
        let depends = match depends.count() {
            0 => String::new(),
            count => own.depends_of(count as u64),
        };
        let (files, hands) = (self.files.len() as u64, self.hands() as u64);
        format!("{}{depends}\n", own.totals(files, hands, &parts.join(", ")))
    }
}

/// How many files ended in one way, and the words for so many.
type CountedWords = (usize, fn(&BundleWords, u64) -> String);

/// One picture of what bundles of one hand open.
fn merged(bundles: &[&Accepted]) -> Accepted {
    let fullest = bundles.iter().max_by_key(|bundle| bundle.findings.openings);
    let mut all = (*fullest.expect("there are several")).clone();
    all.opened = together::opened(bundles);
    // What log proofs show is taken from the bundle that has most of them.
    if let Some(logged) = bundles.iter().max_by_key(|bundle| bundle.proven.len()) {
        all.proven.clone_from(&logged.proven);
        all.findings.logged.clone_from(&logged.findings.logged);
        all.findings.log_view = logged.findings.log_view;
    }
    if all.findings.openings < all.opened.len() {
        all.findings.openings = all.opened.len();
        if all.opened.len() == 52 {
            all.findings.permutation = Shown::Proven;
        }
    }
    all
}

impl Doubt {
    fn sentence(&self, name: &str, words: &Words) -> String {
        let own = &words.bundle;
        match self {
            Doubt::HiddenUp(count) => own.hides_up(name, *count as u64),
            Doubt::HiddenDown(count) => own.hides_down(name, *count as u64),
            Doubt::SavedWithEnd => own.saved_with_end(name),
            Doubt::OneKey(other) => own.one_key_doubt(name, other),
        }
    }
}

impl JudgedFile {
    /// One line, whatever it is; what is refused in full.
    fn short(&self, words: &Words) -> String {
        match &self.verdict {
            FileVerdict::Unreadable(_) => String::new(),
            FileVerdict::Certificate(checked) if checked.json["verdict"] != "refused" => {
                checked.text.lines().next().map_or(String::new(), |line| format!("{line}\n"))
            }
            _ => self.line(words),
        }
    }

    /// Everything about this file.
    fn explain(&self, words: &Words) -> String {
        match &self.verdict {
            FileVerdict::Bundle(sound) => {
                let cards = picture::lines(&sound.bundle, words);
                let text = explain(&sound.bundle, &sound.evidence, &cards, words);
                words.bundle.file(&self.name, &text) + &sound.other_telling(words)
            }
            FileVerdict::Certificate(checked) => checked.text.clone(),
            FileVerdict::Refused(fault) => words.bundle.file(&self.name, &fault.explain(words)),
            FileVerdict::Unreadable(_) => String::new(),
        }
    }

    /// One line; a refusal says all it has to say.
    fn line(&self, words: &Words) -> String {
        let own = &words.bundle;
        match &self.verdict {
            FileVerdict::Bundle(sound) => {
                let accepted = &sound.bundle;
                let hand = &accepted.hand;
                let headline = headline(accepted, &sound.evidence, &sound.claims(), words);
                let which =
                    own.hand_of(&hand.hand.to_string(), &hand.table.to_string(), &hand.origin.to_string());
                let (cards, root) = (accepted.findings.openings as u64, hand.deck.to_string());
                own.one_line(&self.name, &headline, &which, cards, &root) + "\n" + &sound.other_telling(words)
            }
            FileVerdict::Unreadable(_) => own.unreadable(&self.name) + "\n",
            FileVerdict::Refused(_) | FileVerdict::Certificate(_) => self.explain(words),
        }
    }
}

impl SoundBundle {
    /// A line on a file that tells this hand otherwise, and one on a file of another hand with its key.
    fn other_telling(&self, words: &Words) -> String {
        let own = &words.bundle;
        let differs = self.differs_from.as_ref().map(|other| own.differs_from(other));
        let one_key = self.one_key.as_ref().map(|OneKey { file, hand, is_logged }| {
            let which =
                own.hand_of(&hand.hand.to_string(), &hand.table.to_string(), &hand.origin.to_string());
            let whose = if *is_logged { own.one_key_logged } else { own.one_key_unlogged };
            own.one_key(file, &which, whose)
        });
        differs.into_iter().chain(one_key).map(|line| format!("  {line}\n")).collect()
    }
}

impl BundleFault {
    fn explain(&self, words: &Words) -> String {
        let means = words.refusal.sentence(&self.code);
        let means = means.map_or(String::new(), |means| format!("  {means}.\n"));
        let own = &words.bundle;
        let whose = match (self.by, &self.unsigned) {
            (Some(_), _) => own.word_unsigned.to_owned(),
            (None, None) => String::new(),
            (None, Some(HeldProofs { held, .. })) if held.is_empty() => own.unsigned_unproven.to_owned(),
            (None, Some(HeldProofs { held, in_log: None })) => own.unsigned_unchecked(&held.join(", ")),
            (None, Some(HeldProofs { held, in_log: Some(proven) })) => match &proven[..] {
                [] => own.unsigned_unsound(&held.join(", ")),
                proven => own.unsigned_logged(&proven.join(", ")),
            },
        };
        let signed = self.receipt.as_ref().map(|(name, index)| own.word_signed(name, &index.to_string()));
        let whose: String = signed
            .into_iter()
            .chain((!whose.is_empty()).then_some(whose))
            .map(|line| format!("  {line}\n"))
            .collect();
        // Place and message are the check's own words, in English.
        format!(
            "{}\n{means}  {}.\n{whose}  {}\n",
            words.bundle.refused(&self.code),
            words.bundle.own_words(&self.place, &self.message),
            words.bundle.first_failure
        )
    }
}

fn refused_json(fault: &BundleFault) -> Map<String, Value> {
    members(json!({
        "verdict": "refused",
        "code": fault.code,
        "place": fault.place,
        "message": fault.message,
        "claims": fault.claims(),
        "sentence": Language::English.words().refusal.sentence(&fault.code).unwrap_or_default(),
        "findings": {},
        "history": null,
        "not_checked": ["everything after the first failure"],
        "opened": {},
        "seen": {},
    }))
}
