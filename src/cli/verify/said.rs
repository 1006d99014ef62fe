//! What the player says and saved: commitments, the trust file, cards seen, the own seed.

use std::path::Path;

use crate::card::Card;
use crate::cli::CliError;
use crate::cli::verify::Arguments;
use crate::commitment::digest::Digest;
use crate::file::read_limited;
use crate::inspection::judged::{PlayerWords, Saved};
use crate::key::secret::Secret;
use crate::ledger::receipt::Receipt;
use crate::ledger::trust::Trust;
use crate::stud::seat::Seat;
use crate::verify::before::Committed;
use crate::verify::seats::SeenAtSeat;
use crate::verify::{OwnSeed, Statements};

/// No trust file and no file of saved entries is longer, in bytes.
const SAVED_BYTES_MAX: u64 = 64 << 20;

/// What was typed of what was saved before the hand, read and understood.
pub(super) fn saved(arguments: &Arguments) -> Result<Saved, CliError> {
    let mut committed = Vec::new();
    for text in &arguments.committed {
        committed.extend(read_committed(text)?);
    }
    let receipts = arguments.receipt.iter().map(|path| read_receipt(path)).collect::<Result<_, _>>()?;
    Ok(Saved { committed, receipts, trust: arguments.trust.as_deref().map(read_trust).transpose()? })
}

fn read_committed(given: &str) -> Result<Vec<Committed>, CliError> {
    if Digest::from_hex(given).is_some() {
        return Ok(Committed::read(given));
    }
    let path = Path::new(given);
    if given.len() > 8 && given.bytes().all(|byte| byte.is_ascii_hexdigit()) && !path.exists() {
        let digits = given.len();
        return Err(CliError::Usage(format!(
            "--committed {given}: found {digits} hexadecimal digits, wanted 64 lower-case ones, or a file that holds the deck entry"
        )));
    }
    let bytes = read_limited(path, SAVED_BYTES_MAX).map_err(|error| CliError::file(path, error))?;
    let found = std::str::from_utf8(&bytes).map(Committed::read).unwrap_or_default();
    match found.is_empty() {
        true => Err(CliError::Usage(format!(
            "--committed {given}: found neither a deck entry nor 64 lower-case hexadecimal digits"
        ))),
        false => Ok(found),
    }
}

/// A receipt is a note of at most 64 KiB behind a few hashes.
fn read_receipt(path: &Path) -> Result<(String, Receipt), CliError> {
    let name = path.display().to_string();
    let bytes = read_limited(path, 1 << 17).map_err(|error| CliError::file(path, error))?;
    let receipt = std::str::from_utf8(&bytes).ok().and_then(Receipt::parse);
    match receipt {
        Some(receipt) => Ok((name, receipt)),
        None => Err(CliError::Usage(format!(
            "--receipt {name}: found no receipt in the format c2sp.org/tlog-proof@v1"
        ))),
    }
}

fn read_trust(path: &Path) -> Result<Trust, CliError> {
    let bytes = read_limited(path, 1 << 20).map_err(|error| CliError::file(path, error))?;
    Trust::parse(&bytes).map_err(|error| CliError::Usage(format!("--trust {}: {error}", path.display())))
}

/// What the player says; it is about one hand, so it goes with one bundle.
pub(super) fn statements(arguments: &Arguments) -> Result<PlayerWords, CliError> {
    let usage = |message: &str| CliError::Usage(message.to_owned());
    let reads_stdin = arguments.files.iter().filter(|file| *file == Path::new("-")).count()
        + usize::from(arguments.my_seed.as_ref().is_some_and(own_seed_is_on_stdin));
    if reads_stdin > 1 {
        return Err(usage("standard input can be read once only: give one -"));
    }
    let speaks = !arguments.seen.is_empty() || arguments.my_seed.is_some();
    if speaks && arguments.files.len() > 1 {
        return Err(usage("--seen and --my-seed are about one hand: give one bundle"));
    }
    let own_seeds = arguments.my_seed.iter().map(own_seed).collect::<Result<_, _>>()?;
    let (mut seen, mut at_seats) = (Vec::new(), Vec::new());
    for text in &arguments.seen {
        if text.trim_start().starts_with("seat") {
            at_seats.extend(SeenAtSeat::parse_all(text).ok_or_else(|| {
                usage(&format!(
                    "--seen: found {text:?}, wanted cards such as 'seat 4: 7h Ks down, 2c up', seats apart by ;"
                ))
            })?);
            continue;
        }
        for pair in text.split(',') {
            seen.push(parse_seen(pair).map_err(|wanted| usage(&format!("--seen: {wanted}")))?);
        }
    }
    Ok(PlayerWords { own: Statements { seen: distinct_seen(&seen)?, own_seeds }, at_seats })
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
    let (position, card) = text.trim().split_once('=').ok_or_else(|| {
        format!(
            "found {text:?}, wanted cards such as 'seat 4: 7h Ks down, 2c up' or POSITION=CARD such as 0=7h"
        )
    })?;
    let known = (0..52u8).find(|number| number.to_string() == position);
    let position =
        known.ok_or_else(|| format!("found {position:?}, wanted a dealt position 0 to 51 before the ="))?;
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
