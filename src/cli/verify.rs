//! `deckproof verify`: bundles, checked and explained.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use zeroize::Zeroizing;

use crate::card::Card;
use crate::certificate::LIMITS;
use crate::cli::CliError;
use crate::cli::certificate::{self, Rerun};
use crate::cli::exit::Exit;
use crate::cli::findings::{explain, to_json};
use crate::cli::screen;
use crate::cli::secret::Secret;
use crate::commitment::digest::Digest;
use crate::file::{read_limited, read_stream_limited};
use crate::json::outermost_keys;
use crate::ledger::trust::Trust;
use crate::stud::seat::Seat;
use crate::text::visible;
use crate::verify::{OwnSeed, Statements, verify_bundle};

#[derive(Args)]
#[command(
    after_help = "PROTOCOL.md specifies the bundle and every check; its section 15 explains the codes E_…."
)]
pub(super) struct Arguments {
    /// Reveal bundles and certificates of audits; - is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The log you trust: a JSON file with origin, log, witness and quorum.
    #[arg(long, value_name = "FILE")]
    trust: Option<PathBuf>,
    /// One JSON object a file, one a line.
    #[arg(long)]
    json: bool,
    /// Cards you saw at the table, by dealt position: 0=7h,12=As.
    #[arg(long, value_name = "POSITION=CARD", value_delimiter = ',', value_parser = parse_seen)]
    seen: Vec<(u8, String)>,
    /// The seed you gave, with your seat: SEAT:@FILE, SEAT:- for standard input, or SEAT:HEX, which other users of this machine can see.
    #[arg(long, value_name = "SEAT:SEED")]
    my_seed: Option<Secret>,
    /// For a certificate: deal and count everything again. A bundle is always recomputed in full.
    #[arg(long)]
    rerun: bool,
    /// With --rerun, for a certificate of recorded decks: csv:FILE, raw:FILE, cmd:'PROGRAM ARGS' or -.
    #[arg(long, value_name = "SOURCE", requires = "rerun")]
    source: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    let trust = arguments.trust.as_deref().map(read_trust).transpose()?;
    let own = statements(arguments)?;
    let mut exit = Exit::Passed;
    for file in &arguments.files {
        exit = exit.and(match verify_file(file, arguments, trust.as_ref(), &own) {
            Ok(exit) => exit,
            Err(CliError::Output(error)) => return Err(CliError::Output(error)),
            Err(error) => {
                screen::warn(&format!("deckproof: {error}"));
                if arguments.json && arguments.files.len() > 1 {
                    // A line for every file, so that nobody counts this one among the sound.
                    let (file, message) = (file.display().to_string(), error.to_string());
                    let line = json!({ "file": file, "verdict": null, "code": null, "message": message });
                    writeln!(screen::out(), "{line}").map_err(CliError::Output)?;
                }
                Exit::CouldNotSay
            }
        });
    }
    Ok(exit)
}

/// Reads one file and says what it is worth. The kind of file decides who judges it.
fn verify_file(
    file: &Path,
    arguments: &Arguments,
    trust: Option<&Trust>,
    own: &Statements,
) -> Result<Exit, CliError> {
    let bytes = read_file(file)?;
    if is_certificate(&bytes) {
        return verify_certificate(file, &bytes, arguments);
    }
    let result = verify_bundle(&bytes, trust, own);
    let text = match arguments.json {
        true => {
            let name = (arguments.files.len() > 1).then(|| file.display().to_string());
            format!("{}\n", to_json(name.as_deref(), &result))
        }
        false => format!("{}: {}", visible(&file.display().to_string()), explain(&result)),
    };
    screen::out().write_all(text.as_bytes()).map_err(CliError::Output)?;
    Ok(if result.is_ok() { Exit::Passed } else { Exit::Refused })
}

/// A certificate of an audit has a `result`; no bundle has. What is not JSON goes by its first key.
fn is_certificate(bytes: &[u8]) -> bool {
    match outermost_keys(bytes, LIMITS) {
        Ok(keys) => keys.iter().any(|key| key == "result") && !keys.iter().any(|key| key == "format"),
        Err(_) => {
            let rest = bytes.trim_ascii_start().strip_prefix(b"{").unwrap_or_default();
            [b"\"result\"".as_slice(), b"\"tool\""].iter().any(|key| rest.trim_ascii_start().starts_with(key))
        }
    }
}

/// The certificate of an audit, judged again from its tallies, and run again with `--rerun`.
fn verify_certificate(file: &Path, bytes: &[u8], arguments: &Arguments) -> Result<Exit, CliError> {
    let name = visible(&file.display().to_string()).into_owned();
    let rerun = Rerun { is_wanted: arguments.rerun, source: arguments.source.as_deref() };
    let checked = certificate::verify(&name, bytes, &rerun)?;
    let text = match arguments.json {
        true => {
            let mut json = checked.json;
            if arguments.files.len() > 1 {
                json["file"] = name.into();
            }
            format!("{json}\n")
        }
        false => checked.text,
    };
    screen::out().write_all(text.as_bytes()).map_err(CliError::Output)?;
    Ok(checked.exit)
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

fn read_trust(path: &Path) -> Result<Trust, CliError> {
    let bytes = read_limited(path, 1 << 20).map_err(|error| CliError::file(path, error))?;
    Trust::parse(&bytes).map_err(|error| CliError::Usage(format!("--trust {}: {error}", path.display())))
}

/// What the player says; it is about one hand, so it goes with one bundle.
fn statements(arguments: &Arguments) -> Result<Statements, CliError> {
    let reads_stdin = arguments.files.iter().filter(|file| *file == Path::new("-")).count()
        + usize::from(arguments.my_seed.as_ref().is_some_and(own_seed_is_on_stdin));
    if reads_stdin > 1 {
        return Err(CliError::Usage("standard input can be read once only: give one -".to_owned()));
    }
    let speaks = !arguments.seen.is_empty() || arguments.my_seed.is_some();
    if speaks && arguments.files.len() > 1 {
        return Err(CliError::Usage("--seen and --my-seed are about one hand: give one bundle".to_owned()));
    }
    let own_seeds = arguments.my_seed.iter().map(own_seed).collect::<Result<_, _>>()?;
    Ok(Statements { seen: distinct_seen(&arguments.seen)?, own_seeds })
}

fn distinct_seen(seen: &[(u8, String)]) -> Result<Vec<(u8, String)>, CliError> {
    let mut distinct: Vec<(u8, String)> = Vec::new();
    for (position, card) in seen {
        match distinct.iter().find(|other| other.0 == *position) {
            Some((_, other)) if other != card => {
                let message = format!("--seen: position {position} cannot be {other} and {card}");
                return Err(CliError::Usage(message));
            }
            Some(_) => {}
            None => distinct.push((*position, card.clone())),
        }
    }
    Ok(distinct)
}

fn parse_seen(text: &str) -> Result<(u8, String), String> {
    let (position, card) = text.split_once('=').ok_or("wanted POSITION=CARD such as 0=7h")?;
    let known = (0..52u8).find(|number| number.to_string() == position);
    let position = known.ok_or("wanted a dealt position 0 to 51 before the =")?;
    let card: Card = card.parse().map_err(|error| format!("{error}"))?;
    Ok((position, card.to_string()))
}

/// Splits `SEAT:SEED`; the text may be secret, so no message repeats it.
fn split_own_seed(argument: &Secret) -> Option<(Seat, Secret)> {
    let Secret::Inline(text) = argument else { return None };
    let (seat, seed) = text.split_once(':')?;
    Some((Seat::parse(seat)?, seed.parse().ok()?))
}

fn own_seed_is_on_stdin(argument: &Secret) -> bool {
    matches!(split_own_seed(argument), Some((_, Secret::Stdin)))
}

fn own_seed(argument: &Secret) -> Result<OwnSeed, CliError> {
    let usage = |message: &str| CliError::Usage(format!("--my-seed: {message}"));
    let (seat, seed) =
        split_own_seed(argument).ok_or_else(|| usage("wanted SEAT:@FILE, such as 4:@seed.txt"))?;
    let text = seed.text()?;
    let seed = Digest::from_hex(&text.to_ascii_lowercase());
    Ok(OwnSeed { seat, seed: seed.ok_or_else(|| usage("the seed is not 64 hexadecimal digits"))? })
}
