//! What the configuration asks of the day beside the audit: files, noise, log, tables, and who is told.

use std::path::PathBuf;

use crate::monitoring::completeness::LogAsked;
use crate::monitoring::config::{Config, ConfigError};
use crate::monitoring::entropy::EntropyClaim;
use crate::monitoring::identity::Identified;
use crate::monitoring::known_line;
use crate::monitoring::restart;
use deckproof_audit::manifest::signature::Signers;
use deckproof_deck::text::excerpt;
use deckproof_report::document::words::Language;

/// Keys of the configuration that are not options of an audit.
pub const KEYS: [&str; 32] = [
    "day_ends", "append_only", "keeps_days", "min_decks", "manifest", "manifest_base", "signers", "identity",
    "entropy_source", "entropy_per_sample", "entropy_bits", "log", "trust", "tables", "replay_hands",
    "beacon", "compare", "dealt", "known_decks", "per_table", "restart", "restarts", "selftest",
    "fresh_decks", "sign_key", "keep_certificates_days", "kept_rows", "on_alarm", "on_day", "metrics",
    "junit", "language",
];

/// Those of them that are `true` or `false`; all others have values.
const SWITCHES: [&str; 3] = ["append_only", "per_table", "selftest"];

/// Decks of the fresh output where nobody says how many.
pub const FRESH_DECKS: u64 = 1_000_000;

/// Hands that are replayed where nobody says how many.
const REPLAY_HANDS: usize = 20;

/// Letters of a value that an error shows.
const FOUND_MAX: usize = 60;

/// The steps, understood.
#[derive(Clone, PartialEq, Debug)]
pub struct Steps {
    /// When a gaming day ends, such as `06:00 America/Toronto`; else days are those of UTC.
    pub day_ends: Option<String>,
    /// Whether a file only grows, so that each day goes on after the last record of the day before.
    pub is_append_only: bool,
    /// How many days such a file keeps, where its beginning is cut off from time to time.
    pub keeps_days: Option<u32>,
    /// Fewer records are not all of a day.
    pub min_decks: Option<u64>,
    /// Files that have to be the same.
    pub identified: Option<Identified>,
    /// A file or `cmd:` with output of the noise source.
    pub entropy_source: Option<String>,
    /// What its maker claims.
    pub claim: EntropyClaim,
    /// The log of hands.
    pub log: Option<LogAsked>,
    /// Folders of tables whose hands are replayed.
    pub tables: Vec<PathBuf>,
    /// How many of the day's hands.
    pub replay_hands: usize,
    /// A round of drand quicknet that came after the hands, which the sample is drawn from too.
    pub beacon: Option<String>,
    /// Whether the whole selftest runs.
    pub selftest: bool,
    /// Decks of another kind of game, which the day's are compared with.
    pub compare: Option<String>,
    /// Files of dealt cards, and folders of tables, that are judged beside the decks.
    pub dealt: Vec<PathBuf>,
    /// Whether every file of the source is one table's, which is bet on by itself.
    pub is_per_table: bool,
    /// How many decks of earlier days are remembered; none for zero.
    pub known_decks: u64,
    /// The words of the operator's shuffler, which is started again and again.
    pub restart: Option<String>,
    /// How often.
    pub restarts: usize,
    /// Decks of the certified shuffle under a fresh key; none for zero.
    pub fresh_decks: u64,
    /// The key of OpenSSH that signs report.json.
    pub sign_key: Option<PathBuf>,
    /// How many days a certificate is kept; for ever where nobody says.
    pub keep_certificates_days: Option<u32>,
    /// A list of the rows on another machine or medium, compared before a day and written after it.
    pub kept_rows: Option<PathBuf>,
    /// A program and its words, run on any day that is no pass.
    pub on_alarm: Vec<String>,
    /// A program and its words, run on every day.
    pub on_day: Vec<String>,
    /// Where the metrics for a textfile collector go.
    pub metrics: Option<PathBuf>,
    /// Where the results go as JUnit XML.
    pub junit: Option<PathBuf>,
    /// In which language the mail is.
    pub language: Language,
}

impl Steps {
    /// What a configuration says.
    ///
    /// # Errors
    /// [`ConfigError`] with the line of the key.
    pub fn of(text: &str, config: &Config) -> Result<Steps, ConfigError> {
        let own = Values { text, config };
        own.check_kinds()?;
        let path = |key: &str| own.one(key).map(|value| value.map(PathBuf::from));
        let paths = |key: &str| config.values(key).iter().map(PathBuf::from).collect();
        let signers = match (path("signers")?, own.one("identity")?) {
            (Some(file), Some(identity)) => Some(Signers { file, identity, on: None }),
            (None, None) => None,
            (Some(_), None) => return Err(own.wrong("signers", "identity beside it")),
            (None, Some(_)) => return Err(own.wrong("identity", "signers beside it")),
        };
        let base = path("manifest_base")?.unwrap_or_else(|| PathBuf::from("."));
        let identified = path("manifest")?.map(|manifest| Identified { manifest, base, signers });
        let trust = path("trust")?;
        Ok(Steps {
            day_ends: own.one("day_ends")?,
            is_append_only: config.has("append_only"),
            keeps_days: own.days("keeps_days")?,
            min_decks: own.one("min_decks")?.map(|_| own.whole("min_decks", 0)).transpose()?,
            identified,
            entropy_source: own.one("entropy_source")?,
            claim: own.entropy_claim()?,
            log: path("log")?.map(|folder| LogAsked { folder, trust }),
            tables: paths("tables"),
            replay_hands: own.whole("replay_hands", REPLAY_HANDS as u64)? as usize,
            beacon: own.one("beacon")?,
            selftest: config.has("selftest"),
            compare: own.one("compare")?,
            dealt: paths("dealt"),
            is_per_table: config.has("per_table"),
            known_decks: own.whole("known_decks", known_line::DECKS_MAX)?,
            restart: own.one("restart")?,
            restarts: (own.whole("restarts", restart::STARTS as u64)? as usize).max(2),
            fresh_decks: own.whole("fresh_decks", FRESH_DECKS)?,
            sign_key: path("sign_key")?,
            keep_certificates_days: own.days("keep_certificates_days")?,
            kept_rows: path("kept_rows")?,
            on_alarm: config.values("on_alarm").to_vec(),
            on_day: config.values("on_day").to_vec(),
            metrics: path("metrics")?,
            junit: path("junit")?,
            language: own.language()?,
        })
    }
}

/// The values of a configuration, each as its key wants it.
struct Values<'a> {
    text: &'a str,
    config: &'a Config,
}

impl Values<'_> {
    fn wrong(&self, key: &str, wanted: &str) -> ConfigError {
        let found = match self.config.values(key) {
            [] if self.config.has(key) => "true or an empty list".to_owned(),
            [] => "nothing".to_owned(),
            values => format!("{:?}", excerpt(&values.join(", "), FOUND_MAX)),
        };
        ConfigError::at_key(self.text, key, &format!("{key}: found {found}, wanted {wanted}"))
    }

    /// A step would otherwise be off, or on, that the operator believes to be the other.
    fn check_kinds(&self) -> Result<(), ConfigError> {
        for key in KEYS.into_iter().filter(|key| self.config.has(key)) {
            match (SWITCHES.contains(&key), self.config.values(key).is_empty()) {
                (true, false) => return Err(self.wrong(key, "true or false")),
                (false, true) => return Err(self.wrong(key, "a value")),
                _ => {}
            }
        }
        Ok(())
    }

    fn one(&self, key: &str) -> Result<Option<String>, ConfigError> {
        match self.config.values(key) {
            [] => Ok(None),
            [value] => Ok(Some(value.clone())),
            _ => Err(self.wrong(key, "one value")),
        }
    }

    fn number(&self, key: &str, otherwise: f64) -> Result<f64, ConfigError> {
        let Some(value) = self.one(key)? else { return Ok(otherwise) };
        let number = value.parse::<f64>().ok().filter(|n| n.is_finite() && *n >= 0.0);
        number.ok_or_else(|| self.wrong(key, "a number"))
    }

    fn whole(&self, key: &str, otherwise: u64) -> Result<u64, ConfigError> {
        match self.number(key, otherwise as f64)? {
            n if n.fract() == 0.0 => Ok(n as u64),
            _ => Err(self.wrong(key, "a whole number")),
        }
    }

    fn days(&self, key: &str) -> Result<Option<u32>, ConfigError> {
        let Some(value) = self.one(key)? else { return Ok(None) };
        let days = value.parse::<u32>().ok().filter(|&days| days > 0);
        days.map(Some).ok_or_else(|| self.wrong(key, "a number of days above 0"))
    }

    fn entropy_claim(&self) -> Result<EntropyClaim, ConfigError> {
        let sample_bits = self.number("entropy_bits", 8.0)? as u32;
        let entropy = self.number("entropy_per_sample", f64::from(sample_bits))?;
        if ![1, 8].contains(&sample_bits) {
            return Err(self.wrong("entropy_bits", "1 or 8"));
        }
        if !(entropy > 0.0 && entropy <= f64::from(sample_bits)) {
            let wanted = "bits of min-entropy, above 0 and at most entropy_bits";
            return Err(self.wrong("entropy_per_sample", wanted));
        }
        Ok(EntropyClaim { sample_bits, entropy })
    }

    fn language(&self) -> Result<Language, ConfigError> {
        match self.one("language")?.as_deref() {
            None => Ok(Language::English),
            Some(code) => {
                Language::from_code(code).ok_or_else(|| self.wrong("language", &Language::codes(" or ")))
            }
        }
    }
}
