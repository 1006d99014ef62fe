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
        let wrong = |key: &str, wanted: &str| {
            let found = match config.values(key) {
                [] if config.has(key) => "true or an empty list".to_owned(),
                [] => "nothing".to_owned(),
                values => format!("{:?}", excerpt(&values.join(", "), FOUND_MAX)),
            };
            ConfigError::at_key(text, key, &format!("{key}: found {found}, wanted {wanted}"))
        };
        for key in KEYS.into_iter().filter(|key| config.has(key)) {
            // Else a step would be off, or on, that the operator believes to be the other.
            match (SWITCHES.contains(&key), config.values(key).is_empty()) {
                (true, false) => return Err(wrong(key, "true or false")),
                (false, true) => return Err(wrong(key, "a value")),
                _ => {}
            }
        }
        let one = |key: &str| match config.values(key) {
            [] => Ok(None),
            [value] => Ok(Some(value.clone())),
            _ => Err(wrong(key, "one value")),
        };
        let path = |key: &str| one(key).map(|value| value.map(PathBuf::from));
        let number = |key: &str, otherwise: f64| match one(key)? {
            None => Ok(otherwise),
            Some(value) => value
                .parse::<f64>()
                .ok()
                .filter(|n| n.is_finite() && *n >= 0.0)
                .ok_or_else(|| wrong(key, "a number")),
        };
        let whole = |key: &str, otherwise: u64| match number(key, otherwise as f64)? {
            n if n.fract() == 0.0 => Ok(n as u64),
            _ => Err(wrong(key, "a whole number")),
        };
        let signers = match (path("signers")?, one("identity")?) {
            (Some(file), Some(identity)) => Some(Signers { file, identity, on: None }),
            (None, None) => None,
            (Some(_), None) => return Err(wrong("signers", "identity beside it")),
            (None, Some(_)) => return Err(wrong("identity", "signers beside it")),
        };
        let base = path("manifest_base")?.unwrap_or_else(|| PathBuf::from("."));
        let identified = path("manifest")?.map(|manifest| Identified { manifest, base, signers });
        let sample_bits = number("entropy_bits", 8.0)? as u32;
        let entropy = number("entropy_per_sample", f64::from(sample_bits))?;
        if ![1, 8].contains(&sample_bits) {
            return Err(wrong("entropy_bits", "1 or 8"));
        }
        if !(entropy > 0.0 && entropy <= f64::from(sample_bits)) {
            return Err(wrong("entropy_per_sample", "bits of min-entropy, above 0 and at most entropy_bits"));
        }
        let trust = path("trust")?;
        let days = |key: &str| match one(key)?.map(|days| days.parse::<u32>().ok().filter(|&days| days > 0)) {
            Some(None) => Err(wrong(key, "a number of days above 0")),
            days => Ok(days.flatten()),
        };
        let keep_certificates_days = days("keep_certificates_days")?;
        let language = match one("language")?.as_deref() {
            None => Language::English,
            Some(code) => {
                Language::from_code(code).ok_or_else(|| wrong("language", &Language::codes(" or ")))?
            }
        };
        Ok(Steps {
            day_ends: one("day_ends")?,
            is_append_only: config.has("append_only"),
            keeps_days: days("keeps_days")?,
            min_decks: one("min_decks")?.map(|_| whole("min_decks", 0)).transpose()?,
            identified,
            entropy_source: one("entropy_source")?,
            claim: EntropyClaim { sample_bits, entropy },
            log: path("log")?.map(|folder| LogAsked { folder, trust }),
            tables: config.values("tables").iter().map(PathBuf::from).collect(),
            replay_hands: whole("replay_hands", REPLAY_HANDS as u64)? as usize,
            beacon: one("beacon")?,
            selftest: config.has("selftest"),
            compare: one("compare")?,
            dealt: config.values("dealt").iter().map(PathBuf::from).collect(),
            is_per_table: config.has("per_table"),
            known_decks: whole("known_decks", known_line::DECKS_MAX)?,
            restart: one("restart")?,
            restarts: (whole("restarts", restart::STARTS as u64)? as usize).max(2),
            fresh_decks: whole("fresh_decks", FRESH_DECKS)?,
            sign_key: path("sign_key")?,
            keep_certificates_days,
            kept_rows: path("kept_rows")?,
            on_alarm: config.values("on_alarm").to_vec(),
            on_day: config.values("on_day").to_vec(),
            metrics: path("metrics")?,
            junit: path("junit")?,
            language,
        })
    }
}
