//! What is said of files that were judged: exit code, sentences and JSON.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use crate::document::words::{Language, Words};
use crate::inspection::fault::BundleFault;
use crate::inspection::judged::{FileVerdict, JudgedFile, JudgedFiles};
use crate::presentation::bundle::picture;
use crate::presentation::bundle::{accepted_json, explain, headline, history_headline, members};
use crate::text::exit::Exit;
use crate::verify::Accepted;
use crate::verify::before::{FixedBy, asks_the_log, fixed_by_log};
use crate::verify::findings::{HistoryFinding, Shown};
use crate::verify::together;

/// Files that were not judged and are named.
const LEFT_NAMED: usize = 3;

impl JudgedFiles {
    /// 1 beats 2 beats 0. Of bundles of one hand, which agree on its entries, one that shows when they were
    /// published shows it for all.
    pub fn exit(&self) -> Exit {
        if self.is_one_picture() && self.files.iter().any(|file| file.fixed().is_some()) {
            return Exit::Passed;
        }
        self.files.iter().fold(Exit::Passed, |exit, file| exit.and(file.exit()))
    }

    /// Whether all files are sound bundles of one hand.
    fn is_one_picture(&self) -> bool {
        self.hands() == 1 && self.accepted().len() == self.files.len()
    }

    /// What could not be read, for standard error.
    pub fn unreadable(&self) -> impl Iterator<Item = &str> {
        self.files.iter().filter_map(|file| match &file.verdict {
            FileVerdict::Unreadable(problem) => Some(&problem[..]),
            _ => None,
        })
    }

    /// What stood in folders and was not judged, for standard error.
    pub fn left_alone(&self) -> Option<String> {
        let all = self.left.len();
        let named = self.left[..all.min(LEFT_NAMED)].join(", ");
        let more = all.saturating_sub(LEFT_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (all > 0).then(|| format!("not judged, for it is neither a bundle nor a certificate: {named}{more}"))
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
                FileVerdict::Bundle(accepted, fixed) => accepted_json(accepted, *fixed),
                FileVerdict::Refused(fault) => refused_json(fault),
                FileVerdict::Certificate(checked) => members(checked.json.clone()),
                // Alone it is said on standard error only; among others, nobody shall count it as sound.
                FileVerdict::Unreadable(_) if is_one => continue,
                FileVerdict::Unreadable(problem) => {
                    members(json!({ "verdict": null, "code": null, "message": problem }))
                }
            });
            writeln!(text, "{}", Value::Object(object)).expect("a string takes every line");
        }
        text
    }

    /// Only what is refused, or could not be said.
    pub fn refusals(&self, words: &Words) -> String {
        match self.exit() {
            Exit::Passed => String::new(),
            _ => self.files.iter().filter_map(|file| file.refusal(words)).collect(),
        }
    }

    /// Everything, in words: one hand in full, several hands one line each with totals.
    pub fn report(&self, words: &Words) -> String {
        if let [file] = &self.files[..] {
            return file.explain(words);
        }
        let mut text: String = self.files.iter().map(|file| file.line(words)).collect();
        if self.is_one_picture() {
            let bundles: Vec<&Accepted> = self.accepted().into_iter().map(|(_, accepted)| accepted).collect();
            let fixed = self.files.iter().find_map(JudgedFile::fixed);
            let mut all = merged(&bundles);
            if let Some(shows) = bundles.iter().find(|bundle| fixed_by_log(bundle).is_some()) {
                take_log_from(&mut all, shows);
            }
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
        let count = |is: fn(&FileVerdict) -> bool| self.files.iter().filter(|file| is(&file.verdict)).count();
        let parts: [CountedWords; 6] = [
            (count(|verdict| matches!(verdict, FileVerdict::Bundle(_, Some(_)))), own.are_accepted),
            (
                count(|verdict| matches!(verdict, FileVerdict::Bundle(own, None) if !asks_the_log(own))),
                own.are_consistent,
            ),
            (
                count(|verdict| matches!(verdict, FileVerdict::Bundle(own, None) if asks_the_log(own))),
                own.are_unshown,
            ),
            (count(|verdict| matches!(verdict, FileVerdict::Certificate(_))), own.are_certificates),
            (count(|verdict| matches!(verdict, FileVerdict::Refused(_))), own.are_refused),
            (count(|verdict| matches!(verdict, FileVerdict::Unreadable(_))), own.are_unreadable),
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

impl JudgedFile {
    /// Without a trust file nobody asked when the deck was published; with one, an answer is due.
    fn exit(&self) -> Exit {
        match &self.verdict {
            FileVerdict::Bundle(accepted, None) if asks_the_log(accepted) => Exit::CouldNotSay,
            FileVerdict::Bundle(..) => Exit::Passed,
            FileVerdict::Refused(_) => Exit::Refused,
            FileVerdict::Certificate(checked) => checked.exit,
            FileVerdict::Unreadable(_) => Exit::CouldNotSay,
        }
    }

    fn fixed(&self) -> Option<FixedBy> {
        match &self.verdict {
            FileVerdict::Bundle(_, fixed) => *fixed,
            _ => None,
        }
    }

    fn refusal(&self, words: &Words) -> Option<String> {
        match &self.verdict {
            FileVerdict::Refused(fault) => Some((words.bundle.file)(&self.name, &fault.explain(words))),
            FileVerdict::Certificate(checked) if checked.exit != Exit::Passed => Some(checked.text.clone()),
            FileVerdict::Bundle(..) if self.exit() != Exit::Passed => Some(self.line(words)),
            _ => None,
        }
    }

    /// Everything about this file.
    fn explain(&self, words: &Words) -> String {
        match &self.verdict {
            FileVerdict::Bundle(accepted, fixed) => {
                let said = explain(accepted, *fixed, &picture::lines(accepted, words), words);
                (words.bundle.file)(&self.name, &said)
            }
            FileVerdict::Certificate(checked) => checked.text.clone(),
            FileVerdict::Refused(_) | FileVerdict::Unreadable(_) => self.refusal(words).unwrap_or_default(),
        }
    }

    /// One line; a refusal says all it has to say.
    fn line(&self, words: &Words) -> String {
        let own = &words.bundle;
        match &self.verdict {
            FileVerdict::Bundle(accepted, fixed) => {
                let hand = &accepted.hand;
                let played = history_headline(accepted.findings.history.as_ref(), words);
                let headline = format!("{}{played}", headline(accepted, *fixed, words));
                let which =
                    (own.hand_of)(&hand.hand.to_string(), &hand.table.to_string(), &hand.origin.to_string());
                let (cards, root) = (accepted.findings.openings as u64, hand.deck.to_string());
                (own.one_line)(&self.name, &headline, &which, cards, &root) + "\n"
            }
            FileVerdict::Unreadable(_) => (own.unreadable)(&self.name) + "\n",
            FileVerdict::Refused(_) | FileVerdict::Certificate(_) => self.explain(words),
        }
    }
}

impl BundleFault {
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

fn refused_json(fault: &BundleFault) -> Map<String, Value> {
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

/// Takes what log proofs show from another bundle of the same hand.
fn take_log_from(all: &mut Accepted, other: &Accepted) {
    all.proven.clone_from(&other.proven);
    all.findings.logged.clone_from(&other.findings.logged);
    all.findings.log_view = other.findings.log_view;
    all.findings.anti_grinding = other.findings.anti_grinding;
}
