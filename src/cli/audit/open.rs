//! From the words of `--source` to a source that is open.

use std::io::{IsTerminal, stdin};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use clap::Args;

use crate::audit::plan::{Plan, SourceRecord};
use crate::cli::exit::CouldNotSay;
use crate::cli::secret::Secret;
use crate::key::{AuditKey, DayKey, KeyError};
use crate::source::audit::Audit;
use crate::source::chain::{Chain, ChainStart};
use crate::source::command::{self, COMMAND_DECKS_DEFAULT, Program};
use crate::source::flawed::Flawed;
use crate::source::format::{Format, NameError, Numbering};
use crate::source::os::OperatingSystem;
use crate::source::recorded::Recorded;
use crate::source::stream::Stream;
use crate::source::{DeckSource, SourceError};

/// Decks of an audit when nobody says.
const DECKS_DEFAULT: u64 = 1_000_000;

/// Most characters of an unknown kind of source that a message repeats.
const KIND_CHARS_MAX: usize = 12;

/// The options that say where decks come from.
#[derive(Args, Debug, Clone)]
pub struct SourceOptions {
    /// Where the decks come from: audit, audit:KEY, chain:KEY, os, csv:FILE, raw:FILE,
    /// cmd:'PROGRAM ARGS', - (standard input), flawed:NAME or flawed:NAME:SEED.
    ///
    /// KEY is 64 hexadecimal digits, @FILE or - (standard input). Keys on a command line are visible to
    /// other users of the machine: prefer @FILE. `audit` without a key, the default, makes a fresh one and
    /// records it.
    #[arg(long, value_name = "SOURCE")]
    pub source: Option<String>,
    /// How decks are written: raw (52 bytes a deck), indices (52 numbers 0 to 51 a line) or cards
    /// (As Kd … a line). Texts are recognised by their first line if this is not given.
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// How numbers name cards: rank-suit (4·rank + suit, 2c 2d 2h 2s 3c …) or suit-rank (2c 3c … Ac 2d …).
    #[arg(long, default_value = "rank-suit", value_name = "NUMBERING")]
    pub numbering: Numbering,
    /// With chain: the origin of the log.
    #[arg(long)]
    pub origin: Option<String>,
    /// With chain: the table.
    #[arg(long)]
    pub chain_table: Option<String>,
    /// With chain: the number of the first hand of the day.
    #[arg(long, default_value_t = 1)]
    pub first_hand: u64,
    /// With chain: none, beacon or players.
    #[arg(long, default_value = "none", value_parser = ["none", "beacon", "players"])]
    pub mix: String,
}

impl SourceOptions {
    /// Options that would say nothing about this source are refused: whoever gave them believes otherwise.
    fn check_belonging(&self) -> Result<(), CouldNotSay> {
        let source = self.source.as_deref().unwrap_or("audit");
        let kind = source.split(':').next().unwrap_or_default();
        let is_certified_or_flawed = ["audit", "chain", "os", "flawed"].contains(&kind);
        if is_certified_or_flawed && (self.format.is_some() || self.numbering != Numbering::RankSuit) {
            return Err(CouldNotSay::new(
                "--format and --numbering are about recorded decks, and this source has none",
                "Leave them out, or use csv:FILE, raw:FILE, cmd:'PROGRAM ARGS' or -.",
            ));
        }
        let is_of_chain =
            self.origin.is_some() || self.chain_table.is_some() || self.first_hand != 1 || self.mix != "none";
        if kind != "chain" && is_of_chain {
            return Err(CouldNotSay::new(
                "--origin, --chain-table, --first-hand and --mix are about a chain, and this source is none",
                "Leave them out, or use chain:KEY.",
            ));
        }
        Ok(())
    }

    /// Recorded decks in a format that a certificate names.
    ///
    /// # Errors
    /// [`CouldNotSay`] when the certificate names no format there is.
    pub fn recorded(source: &str, format: &str, numbering: &str) -> Result<SourceOptions, CouldNotSay> {
        let wrong = |error: NameError| CouldNotSay::new(format!("the certificate's format: {error}"), "");
        Ok(SourceOptions {
            source: Some(source.to_owned()),
            format: Some(format.parse().map_err(wrong)?),
            numbering: numbering.parse().map_err(wrong)?,
            origin: None,
            chain_table: None,
            first_hand: 1,
            mix: "none".to_owned(),
        })
    }
}

/// A source as it was asked for.
pub enum SourceChoice {
    /// The audit path; without a key a fresh one is made.
    Audit(Option<AuditKey>),
    /// The chain path.
    Chain(ChainStart),
    /// Operating-system keys.
    Os,
    /// A file.
    File {
        /// Where.
        path: PathBuf,
        /// How its decks are written; `None`: a text that tells by itself.
        format: Option<Format>,
        /// How its numbers count.
        numbering: Numbering,
    },
    /// A program.
    Command {
        /// Its words.
        words: String,
        /// As for files.
        format: Option<Format>,
        /// As for files.
        numbering: Numbering,
    },
    /// Standard input.
    Stdin {
        /// As for files.
        format: Option<Format>,
        /// As for files.
        numbering: Numbering,
    },
    /// A flawed dealer, `NAME` or `NAME:SEED`.
    Flawed(String),
}

/// A source that is open.
pub struct Opened {
    /// Gives the decks.
    pub source: Box<dyn DeckSource>,
    /// What the plan says of it.
    pub record: SourceRecord,
    /// How many decks it is to give; `None`: to the end of the stream.
    pub decks: Option<u64>,
    /// What the reader took the file for, in one sentence.
    pub sentence: Option<String>,
}

impl SourceChoice {
    /// Understands `--source` and the options that belong to it.
    ///
    /// # Errors
    /// [`CouldNotSay`] with the spellings there are.
    pub fn parse(options: &SourceOptions) -> Result<SourceChoice, CouldNotSay> {
        options.check_belonging()?;
        let (format, numbering) = (options.format, options.numbering);
        let source = options.source.as_deref().unwrap_or("audit");
        let (kind, rest) = match source.split_once(':') {
            Some((kind, rest)) => (kind, Some(rest)),
            None => (source, None),
        };
        match (kind, rest) {
            ("audit", None) => Ok(SourceChoice::Audit(None)),
            ("audit", Some(key)) => read_key(key).map(|key| SourceChoice::Audit(Some(key))),
            ("chain", Some(key)) => chain_start(key, options).map(SourceChoice::Chain),
            ("os", None) => Ok(SourceChoice::Os),
            ("csv", Some(_)) if format == Some(Format::Raw) => Err(CouldNotSay::new(
                "csv: reads text, and --format raw asks for bytes",
                "Use raw:FILE, or --format indices or cards.",
            )),
            ("csv", Some(path)) => Ok(SourceChoice::File { path: path.into(), format, numbering }),
            ("raw", Some(path)) if matches!(format, None | Some(Format::Raw)) => {
                Ok(SourceChoice::File { path: path.into(), format: Some(Format::Raw), numbering })
            }
            ("raw", Some(_)) => Err(CouldNotSay::new(
                "raw: reads 52 bytes a deck, and --format asks for text",
                "Use csv:FILE for text.",
            )),
            ("cmd", Some(words)) => Ok(SourceChoice::Command { words: words.to_owned(), format, numbering }),
            ("-", None) => Ok(SourceChoice::Stdin { format, numbering }),
            ("flawed", Some(rest)) => Ok(SourceChoice::Flawed(rest.to_owned())),
            _ => Err(CouldNotSay::new(
                // What follows the colon, and a word as long as a key, may be a misplaced key.
                format!("found --source {:?}", kind.chars().take(KIND_CHARS_MAX).collect::<String>()),
                "Wanted audit, audit:KEY, chain:KEY, os, csv:FILE, raw:FILE, cmd:'PROGRAM ARGS', - or \
                 flawed:NAME[:SEED].",
            )),
        }
    }

    /// The source a certificate names, if it can be had again from the record alone.
    ///
    /// # Errors
    /// [`CouldNotSay`] for sources that cannot be replayed or that must be supplied.
    pub fn of_record(record: &SourceRecord) -> Result<SourceChoice, CouldNotSay> {
        let broken =
            |error: &dyn std::fmt::Display| CouldNotSay::new(format!("the certificate's key: {error}"), "");
        match record {
            SourceRecord::Audit { key } => {
                Ok(SourceChoice::Audit(Some(key.parse().map_err(|error| broken(&error))?)))
            }
            SourceRecord::Chain { day_key, origin, table, first_hand, mix } => {
                Ok(SourceChoice::Chain(ChainStart {
                    day_key: day_key.parse().map_err(|error| broken(&error))?,
                    origin: origin.clone(),
                    table: table.clone(),
                    first_hand: *first_hand,
                    mix: mix.clone(),
                }))
            }
            SourceRecord::Flawed { name, seed } => Ok(SourceChoice::Flawed(format!("{name}:{seed}"))),
            SourceRecord::Os {} => Err(CouldNotSay::new(
                "an audit of fresh operating-system keys cannot be run again",
                "Its tallies can be judged again: leave out --rerun.",
            )),
            SourceRecord::Recorded { sha256, .. } => Err(CouldNotSay::new(
                format!("the certificate is of recorded decks with SHA-256 {sha256}"),
                "Supply the file with --source csv:FILE or raw:FILE.",
            )),
            SourceRecord::Stream { .. } => Err(CouldNotSay::new(
                "the certificate is of a stream, and names its bytes by their SHA-256",
                "Supply the same bytes with --source -, or cmd:'PROGRAM ARGS'.",
            )),
        }
    }

    /// The source of a plan; recorded decks and streams must be supplied, and any other source that is
    /// named must be the plan's own.
    ///
    /// # Errors
    /// [`CouldNotSay`] for a source that is missing or cannot be understood.
    pub fn of_plan(plan: &Plan, supplied: &SourceOptions) -> Result<SourceChoice, CouldNotSay> {
        match (&supplied.source, &plan.source) {
            (
                Some(source),
                SourceRecord::Recorded { format, numbering, .. }
                | SourceRecord::Stream { format, numbering, .. },
            ) => SourceChoice::parse(&SourceOptions::recorded(source, format, numbering)?),
            // What was typed may hold a key.
            (Some(_), record @ SourceRecord::Chain { .. }) => Err(CouldNotSay::new(
                format!("found a --source, and the plan names {record}"),
                "Leave out --source: the plan holds the key.",
            )),
            (Some(_), record) => Ok(SourceChoice::parse(supplied)?.continued(record)),
            (None, SourceRecord::Os {}) => Ok(SourceChoice::Os),
            (None, record @ (SourceRecord::Recorded { .. } | SourceRecord::Stream { .. })) => {
                Err(CouldNotSay::new(
                    format!("the plan is of {record}"),
                    "Supply these decks with --source csv:FILE, raw:FILE, cmd:'PROGRAM ARGS' or -.",
                ))
            }
            (None, record) => SourceChoice::of_record(record),
        }
    }

    /// What a plan says of the source, and of how many decks, without drawing one. A recorded file is read
    /// for its hash; a program or a stream is not touched.
    ///
    /// # Errors
    /// [`CouldNotSay`] naming file or option.
    pub fn record(self, decks: Option<u64>) -> Result<(SourceRecord, Option<u64>), CouldNotSay> {
        let no_format = || {
            CouldNotSay::new(
                "a plan reads no stream, so it cannot tell how the decks are written",
                "Give --format raw, indices or cards.",
            )
        };
        match self {
            SourceChoice::Command { format, numbering, .. } => {
                let decks = decks.unwrap_or(COMMAND_DECKS_DEFAULT);
                Ok((stream_record(format.ok_or_else(no_format)?, numbering), Some(decks)))
            }
            SourceChoice::Stdin { format, numbering } => {
                Ok((stream_record(format.ok_or_else(no_format)?, numbering), decks))
            }
            choice => choice.open(decks).map(|opened| (opened.record, opened.decks)),
        }
    }

    /// With a checkpoint's source in the place of a key that was not given.
    pub fn continued(self, record: &SourceRecord) -> SourceChoice {
        match (&self, SourceChoice::of_record(record)) {
            (SourceChoice::Audit(None), Ok(recorded @ SourceChoice::Audit(Some(_)))) => recorded,
            _ => self,
        }
    }

    /// What a plan says of the program that deals, if one does.
    ///
    /// # Errors
    /// [`CouldNotSay`]: no words, or words that do not split.
    pub fn program_sha256(&self) -> Result<Option<String>, CouldNotSay> {
        match self {
            SourceChoice::Command { words, .. } => command::sha256(words).map(Some).map_err(of_source),
            _ => Ok(None),
        }
    }

    /// Whether a part of the decks can be asked for on its own.
    ///
    /// # Errors
    /// [`CouldNotSay`] with the reason.
    pub fn check_shardable(&self) -> Result<(), CouldNotSay> {
        let reason = match self {
            SourceChoice::Audit(None) => "shards of a fresh key would have different keys; give audit:KEY",
            SourceChoice::Os => "fresh operating-system keys are different in every shard",
            SourceChoice::Command { .. } | SourceChoice::Stdin { .. } => {
                "a stream can be read only from its beginning"
            }
            _ => return Ok(()),
        };
        Err(CouldNotSay::new(format!("--shard cannot be had from this source: {reason}"), ""))
    }

    /// Whether an interrupted run can go on.
    ///
    /// # Errors
    /// [`CouldNotSay`] with the reason.
    pub fn check_resumable(&self) -> Result<(), CouldNotSay> {
        match self {
            SourceChoice::Os => Err(CouldNotSay::new(
                "--checkpoint cannot be had from this source: fresh operating-system keys cannot be drawn again",
                "Leave out --checkpoint, or use the source audit.",
            )),
            _ => Ok(()),
        }
    }

    /// Opens the source for `decks` decks, or as many as the kind of source gives by default.
    ///
    /// # Errors
    /// [`CouldNotSay`] naming file or program.
    pub fn open(self, decks: Option<u64>) -> Result<Opened, CouldNotSay> {
        let or_default = decks.unwrap_or(DECKS_DEFAULT);
        match self {
            SourceChoice::Audit(key) => {
                let key =
                    key.map_or_else(AuditKey::fresh, Ok).map_err(|error| CouldNotSay::new(error, ""))?;
                let record = SourceRecord::Audit { key: key.disclose().to_string() };
                Ok(Opened::of(Audit::new(&key, or_default), record, or_default))
            }
            SourceChoice::Chain(start) => {
                let record = SourceRecord::Chain {
                    day_key: start.day_key.disclose().to_string(),
                    origin: start.origin.clone(),
                    table: start.table.clone(),
                    first_hand: start.first_hand,
                    mix: start.mix.clone(),
                };
                let chain = Chain::new(Arc::new(start), or_default).map_err(of_source)?;
                Ok(Opened::of(chain, record, or_default))
            }
            SourceChoice::Os => {
                Ok(Opened::of(OperatingSystem::new(or_default), SourceRecord::Os {}, or_default))
            }
            SourceChoice::File { path, format, numbering } => {
                let (recorded, facts) = Recorded::open(&path, format, numbering).map_err(of_source)?;
                let decks = decks.unwrap_or(facts.decks);
                let recorded = recorded.limited(decks).map_err(of_source)?;
                let record = SourceRecord::Recorded {
                    sha256: base16ct::lower::encode_string(&facts.sha256),
                    format: facts.format.name().to_owned(),
                    numbering: facts.numbering.name().to_owned(),
                };
                Ok(Opened { sentence: Some(facts.sentence), ..Opened::of(recorded, record, decks) })
            }
            SourceChoice::Command { words, format, numbering } => {
                let decks = decks.unwrap_or(COMMAND_DECKS_DEFAULT);
                let program = Program::start(&words, format, numbering, decks).map_err(of_source)?;
                let record = stream_record(program.format(), numbering);
                let sentence = Some(program.sentence().to_owned());
                Ok(Opened { sentence, ..Opened::of(program, record, decks) })
            }
            SourceChoice::Stdin { format, numbering } => {
                if stdin().is_terminal() {
                    let advice = "Pipe decks into deckproof: PROGRAM | deckproof audit --source -.";
                    return Err(CouldNotSay::new("standard input is a terminal, wanted decks", advice));
                }
                let stream =
                    Stream::open(stdin(), "standard input", format, numbering, decks).map_err(of_source)?;
                let record = stream_record(stream.format(), numbering);
                let sentence = Some(stream.sentence().to_owned());
                Ok(Opened { source: Box::new(stream), record, decks, sentence })
            }
            SourceChoice::Flawed(text) => {
                let flawed = Flawed::open(&text, or_default).map_err(of_source)?;
                let (name, seed) = (flawed.dealer().name.to_owned(), flawed.seed());
                Ok(Opened::of(flawed, SourceRecord::Flawed { name, seed }, or_default))
            }
        }
    }
}

impl Opened {
    fn of(source: impl DeckSource + 'static, record: SourceRecord, decks: u64) -> Opened {
        Opened { source: Box::new(source), record, decks: Some(decks), sentence: None }
    }
}

/// A record that is no deck in the very first line is no proof of anything.
fn of_source(error: SourceError) -> CouldNotSay {
    CouldNotSay::new(error, "")
}

fn stream_record(format: Format, numbering: Numbering) -> SourceRecord {
    let (format, numbering) = (format.name().to_owned(), numbering.name().to_owned());
    SourceRecord::Stream { format, numbering, sha256: String::new() }
}

/// A key given as digits, `@FILE` or `-`.
fn read_key<K: FromStr<Err = KeyError>>(text: &str) -> Result<K, CouldNotSay> {
    let Ok(secret) = text.parse::<Secret>();
    secret.key("--source").map_err(|error| CouldNotSay::new(error, ""))
}

fn chain_start(key: &str, options: &SourceOptions) -> Result<ChainStart, CouldNotSay> {
    let day_key: DayKey = read_key(key)?;
    let (Some(origin), Some(table)) = (options.origin.clone(), options.chain_table.clone()) else {
        return Err(CouldNotSay::new("chain needs to know the table", "Give --origin and --chain-table."));
    };
    Ok(ChainStart { day_key, origin, table, first_hand: options.first_hand, mix: options.mix.clone() })
}
