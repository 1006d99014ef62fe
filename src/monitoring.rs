//! The daily job: what is checked each day, the line it leaves, and the mail it writes.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::audit::verdict::Verdict;
use crate::certificate::Certificate;
use crate::source::list::CATALOGUE;
use crate::text::excerpt;

/// The file of outcomes, one JSON object a line.
pub const STORE_FILE: &str = "daily.jsonl";

/// What the configuration file of the daily job says (TOML; unknown keys are refused).
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// What the mail calls the shuffler.
    pub name: String,
    /// As `deckproof audit --source`; keys as `@FILE`.
    pub source: String,
    /// How many decks a day.
    pub decks: u64,
    /// Where outcomes, certificates and reports go; relative to the configuration file.
    pub folder: String,
    /// The settings of the source, as `first_hand` for `--first-hand`.
    #[serde(flatten)]
    pub settings: BTreeMap<String, SettingValue>,
}

/// What a setting says: a text, a number, or that it is there.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(untagged)]
pub enum SettingValue {
    /// Text.
    Text(String),
    /// A whole number.
    Number(u64),
    /// `true`.
    Flag(bool),
}

impl fmt::Display for SettingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingValue::Text(text) => f.write_str(text),
            SettingValue::Number(number) => write!(f, "{number}"),
            SettingValue::Flag(flag) => write!(f, "{flag}"),
        }
    }
}

/// A configuration that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

impl ConfigError {
    /// The line and the complaint, without the line's text: it may hold a key.
    fn of_toml(text: &str, error: &toml::de::Error) -> ConfigError {
        let start = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = text.as_bytes()[..start].iter().filter(|&&byte| byte == b'\n').count() + 1;
        ConfigError(format!("line {line}: {}", error.message().replace('\n', ", ")))
    }

    fn at_key(text: &str, key: &str, problem: &str) -> ConfigError {
        let line =
            text.lines().position(|line| line.trim_start().starts_with(key)).map_or(1, |line| line + 1);
        ConfigError(format!("line {line}: {problem}"))
    }
}

impl Config {
    /// Reads the text of a configuration file.
    ///
    /// # Errors
    /// [`ConfigError`] with the line and what was wanted.
    pub fn parse(text: &str) -> Result<Config, ConfigError> {
        check_keys(text)?;
        let config: Config = toml::from_str(text).map_err(|error| ConfigError::of_toml(text, &error))?;
        if config.decks == 0 {
            return Err(ConfigError::at_key(text, "decks", "decks is 0, wanted at least 1"));
        }
        if config.name.chars().any(char::is_control) {
            // A line feed would forge lines of the mail.
            return Err(ConfigError::at_key(text, "name", "name holds a control character, wanted one line"));
        }
        Ok(config)
    }
}

/// A misspelt key is named with its line, before anything is said to be missing in its stead.
fn check_keys(text: &str) -> Result<(), ConfigError> {
    let table: toml::Table = toml::from_str(text).map_err(|error| ConfigError::of_toml(text, &error))?;
    let settings = CATALOGUE.settings();
    let is_known = |key: &str| {
        // The table of a chain is called so in its record.
        ["name", "source", "decks", "folder", "table"].contains(&key)
            || settings.iter().any(|setting| setting.name == key)
    };
    match table.keys().find(|key| !is_known(key)) {
        Some(key) => {
            let found = excerpt(key, KEY_LETTERS_MAX);
            let wanted = "wanted name, source, decks, folder or a setting of the source";
            Err(ConfigError::at_key(text, key, &format!("found the key {found:?}, {wanted}")))
        }
        None => Ok(()),
    }
}

/// Most letters of an unknown key that a message repeats.
const KEY_LETTERS_MAX: usize = 20;

/// One day's outcome.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DayLine {
    /// The day, UTC.
    pub day: String,
    /// What the shuffler is called.
    pub name: String,
    /// `pass`, `investigate`, `fail`, `inconclusive`, or `could not say`.
    pub verdict: String,
    /// Why nothing could be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How many decks were judged.
    pub decks: u64,
    /// The p-value of the whole family.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub family_p_value: Option<f64>,
    /// Proof against the shuffler.
    pub proofs: Vec<String>,
    /// SHA-256 of the certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate_sha256: Option<String>,
    /// Where the certificate stands, relative to this file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// SHA-256 of the plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_sha256: Option<String>,
    /// Version of the program.
    pub version: String,
    /// SHA-256 of the line before this one, so that none can be taken out unseen; empty for the first.
    pub previous_sha256: String,
}

impl DayLine {
    /// The line of a day that was judged.
    pub fn of_certificate(
        day: &str,
        name: &str,
        certificate: &Certificate,
        path: &str,
        store: &str,
    ) -> DayLine {
        let result = &certificate.result;
        let look = result.deciding();
        DayLine {
            day: day.to_owned(),
            name: name.to_owned(),
            verdict: result.verdict.name().to_owned(),
            reason: None,
            decks: look.decks,
            family_p_value: Some(look.family_p_value),
            proofs: look.proofs.clone(),
            certificate_sha256: Some(certificate.sha256()),
            certificate: Some(path.to_owned()),
            plan_sha256: Some(result.plan_sha256.clone()),
            version: certificate.tool.version.clone(),
            previous_sha256: last_line_sha256(store),
        }
    }

    /// The line of a day about which nothing could be said: a gap must be seen too.
    pub fn of_failure(day: &str, name: &str, version: &str, reason: &str, store: &str) -> DayLine {
        DayLine {
            day: day.to_owned(),
            name: name.to_owned(),
            verdict: "could not say".to_owned(),
            reason: Some(reason.to_owned()),
            decks: 0,
            family_p_value: None,
            proofs: Vec::new(),
            certificate_sha256: None,
            certificate: None,
            plan_sha256: None,
            version: version.to_owned(),
            previous_sha256: last_line_sha256(store),
        }
    }

    /// The line as it stands in the store, with its line feed.
    pub fn to_json_line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("a line is plain data");
        line.push('\n');
        line
    }

    /// Five lines fit for mail; `folder` is where the store lies.
    pub fn mail(&self, folder: &Path, sentence: &str, seed_space: &str) -> String {
        let Some(certificate) = &self.certificate else {
            let reason =
                self.reason.as_deref().unwrap_or("no reason was recorded").replace(['\n', '\r'], " ");
            return format!(
                "Daily integrity check of {}, {} (UTC): COULD NOT SAY.\n\
                 Reason: {reason}\n\
                 No deck was judged today; this is neither a pass nor a fail.\n\
                 The day is recorded in {} as a day without a result.\n\
                 Next: mend the cause and run deckproof daily again.\n",
                self.name,
                self.day,
                folder.join(STORE_FILE).display()
            );
        };
        let next = match self.verdict.as_str() {
            word if word == Verdict::Pass.name() => {
                "Not shown: whether cards can be predicted, and what happens outside the deck (see the report)."
            }
            word if word == Verdict::Inconclusive.name() => "Next: raise the number of decks a day.",
            _ => "Next: stop relying on this shuffler until the report has been read, and keep this record.",
        };
        format!(
            "Daily integrity check of {}, {} (UTC): {}.\n{sentence}\n{seed_space}\n\
             Certificate: {}, SHA-256 {}.\n{next}\n",
            self.name,
            self.day,
            self.verdict.to_uppercase(),
            folder.join(certificate).display(),
            self.certificate_sha256.as_deref().unwrap_or("unknown"),
        )
    }
}

fn last_line_sha256(store: &str) -> String {
    store
        .lines()
        .last()
        .map_or_else(String::new, |line| base16ct::lower::encode_string(&Sha256::digest(line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_key_is_refused_with_its_line() {
        let text = "name = \"a\"\nsource = \"audit\"\ndeck = 5\nfolder = \".\"\n";
        let error = Config::parse(text).expect_err("deck is no key").to_string();
        assert!(error.contains("line 3") && error.contains("deck"), "{error}");
    }

    #[test]
    fn every_day_names_the_line_before_it() {
        let first = DayLine::of_failure("2026-11-20", "a", "0", "no disk", "");
        assert_eq!(first.previous_sha256, "");
        let store = first.to_json_line();
        let second = DayLine::of_failure("2026-11-21", "a", "0", "no disk", &store);
        let digest = Sha256::digest(store.trim_end());
        assert_eq!(second.previous_sha256, base16ct::lower::encode_string(&digest));
        assert_eq!(second.mail(Path::new("days"), "", "").lines().count(), 5);
    }
}
