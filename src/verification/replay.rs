//! Recorded hands played through and judged, one by one.

use std::io;
use std::path::Path;

use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::exit::Exit;
use deckproof_deck::text::visible;
use deckproof_files::file::input::{FileError, read_input};
use deckproof_report::rendering::ruling::{story, verdict};
use deckproof_stud::stud::history::History;
use deckproof_stud::stud::history::phh::{self, NamedHand};
use deckproof_stud::stud::history::pokerstars;
use deckproof_stud::stud::judge::{RuledHand, Ruling, judge, judge_unnamed};
use deckproof_stud::stud::readings::{self, Reading};
use deckproof_stud::stud::rules::RuleSet;

/// Most bytes of a file of hands.
const FILE_BYTES_MAX: u64 = 256 << 20;

/// How hands are judged and printed.
pub struct HandReplay {
    rules: Option<&'static RuleSet>,
    fixed: Vec<(Reading, String)>,
    is_json: bool,
}

impl HandReplay {
    /// By the rules of this name, or those that each record names, or what all texts share; with readings that are fixed, such as
    /// `odd_chip=left_of_dealer`.
    pub fn new(rules: Option<&str>, fixed: &[String], is_json: bool) -> Result<HandReplay, CouldNotSay> {
        let usage = |error: readings::ReadingError| CouldNotSay(format!("--reading: {error}"));
        let fixed: Result<Vec<_>, _> =
            fixed.iter().map(|text| readings::parse(text).map_err(usage)).collect();
        let rules = rules.map(|name| named(name).map_err(CouldNotSay)).transpose()?;
        Ok(HandReplay { rules, fixed: fixed?, is_json })
    }

    /// Judges one hand; the text ends without a line feed. The label names it among others.
    pub fn judged(&self, label: Option<&str>, hand: &NamedHand) -> (String, Exit) {
        let judged = hand.1.as_ref().map_err(|error| ("read", error.to_string())).and_then(|history| {
            let judgement = self.judge(history).map_err(|error| ("judged", error))?;
            Ok((history, judgement))
        });
        match judged {
            Err((_, problem)) if self.is_json => (verdict::unreadable(label, &problem), Exit::CouldNotSay),
            Err((done, problem)) => {
                let label = label.map_or(String::new(), |label| format!("{label}: "));
                (format!("{label}this hand cannot be {done}: {}.\n", visible(&problem)), Exit::CouldNotSay)
            }
            Ok((history, judgement)) => {
                let exit = match judgement.verdict {
                    Ruling::Legal => Exit::Passed,
                    Ruling::Illegal => Exit::Refused,
                    Ruling::Depends => Exit::CouldNotSay,
                };
                let text = if self.is_json {
                    verdict::to_json(label, history, &judgement)
                } else {
                    let heading = label.map_or(String::new(), |label| format!("{label}\n"));
                    let story = story::tell(history, &judgement);
                    format!("{heading}{story}{}", verdict::in_words(history, &judgement))
                };
                (text, exit)
            }
        }
    }

    /// By the rules that are named here, else in the record, else by what all texts of its variant share.
    fn judge(&self, history: &History) -> Result<RuledHand, String> {
        let by_record = || history.ruleset.as_deref().map(named).transpose();
        let ruled = match self.rules.map_or_else(by_record, |rules| Ok(Some(rules)))? {
            Some(rules) => judge(history, rules, &self.fixed),
            None => judge_unnamed(history, &self.fixed),
        };
        ruled.map_err(|error| error.to_string())
    }
}

fn named(name: &str) -> Result<&'static RuleSet, String> {
    let known = RuleSet::ALL.map(|rules| rules.name).join(", ");
    RuleSet::named(name).ok_or_else(|| format!("{} is no rule set, wanted one of {known}", visible(name)))
}

/// The hands of a file, or of standard input for `-`.
///
/// # Errors
/// [`CouldNotSay`]: it cannot be read, or is an export of a poker room.
pub fn hands_of(path: &Path) -> Result<Vec<NamedHand>, CouldNotSay> {
    let text = String::from_utf8(read_input(path, FILE_BYTES_MAX)?)
        .map_err(|error| FileError::new(path, io::Error::new(io::ErrorKind::InvalidData, error)))?;
    if pokerstars::is_export(&text) {
        let advice = "this is an export of a poker room; read it with deckproof hands";
        return Err(CouldNotSay(format!("{}: {advice}", path.display())));
    }
    Ok(match phh::parse_file(&text) {
        Ok(hands) => hands,
        Err(error) => vec![(String::new(), Err(error))],
    })
}

/// A hand among others, by its file and its table there.
pub fn label(path: &Path, table: &str) -> String {
    let path = path.display().to_string();
    visible(&if table.is_empty() { path } else { format!("{path} [{table}]") }).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_passes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("hand.phh");
        std::fs::write(&path, "variant = 'F7S'\n").expect("a file");
        let hands = hands_of(&path).expect("it can be read");
        let (text, exit) =
            HandReplay::new(None, &[], false).expect("nothing is fixed").judged(Some("a\u{1b}"), &hands[0]);
        assert!(text.contains(": this hand cannot be read: ") && exit == Exit::CouldNotSay, "{text}");
        let (text, exit) =
            HandReplay::new(None, &[], true).expect("nothing is fixed").judged(None, &hands[0]);
        let json: serde_json::Value = serde_json::from_str(&text).expect("one object");
        assert!(json.is_object() && exit == Exit::CouldNotSay, "{text}");
    }

    #[test]
    fn rules_and_readings_are_known_ones() {
        let error = HandReplay::new(Some("omaha"), &[], false).err().expect("none of these").to_string();
        assert!(error.starts_with("omaha is no rule set, wanted one of stud-hi"), "{error}");
        let error = HandReplay::new(None, &["odd_chip=mine".to_owned()], false).err().expect("none of these");
        assert!(error.to_string().starts_with("--reading: "), "{error}");
        assert_eq!(label(Path::new("a.phhs"), "7"), "a.phhs [7]");
        assert_eq!(label(Path::new("a\n.phhs"), ""), "a\\u000a.phhs");
    }
}
