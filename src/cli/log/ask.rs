//! `deckproof log checkpoint --witness`: witnesses that are asked over HTTP, and what comes of it.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::cli::tool::posix_seconds;
use crate::cli::{CliError, print, screen};
use deckproof_deck::text::exit::Exit;
use deckproof_net::exchange::Address;
use deckproof_net::remote::witnesses::{Cosigning, RemoteWitness, ask_all};
use deckproof_table::log::kept::{keys, put_lines, read_trust};
use deckproof_table::log::reader::LogReader;
use deckproof_table::table::awaited::AskedWitnesses;
use deckproof_verify::ledger::witnessed::Witnessed;

/// How long witnesses are waited for where nothing else was said.
const WAIT: Duration = Duration::from_secs(10);

/// What was typed behind an option.
pub(in crate::cli) fn addresses(option: &str, texts: &[String]) -> Result<Vec<Address>, CliError> {
    let read =
        |text: &String| Address::parse(text).map_err(|error| CliError::Usage(format!("{option}: {error}")));
    texts.iter().map(read).collect()
}

/// Who asks these witnesses for each opening of a table, and names those that give nothing. What a witness cosigned last is
/// remembered, so that one question is enough.
pub(in crate::cli) fn asked_witnesses(
    log: &Path,
    addresses: Vec<Address>,
    wait: Duration,
) -> Result<AskedWitnesses, CliError> {
    let wait = if wait.is_zero() { WAIT } else { wait };
    let witnesses = RefCell::new(addresses.into_iter().map(RemoteWitness::new).collect::<Vec<_>>());
    let log = log.to_owned();
    Ok(AskedWitnesses(Rc::new(move |note, trust| {
        let Ok(keys) = trust.keys() else { return Vec::new() };
        let (text, until) = (note.to_string(), Instant::now() + wait);
        let cosigning = Cosigning { log: &log, note: &text, keys: &keys.witness, until, now: posix_seconds };
        let answers = ask_all(&mut witnesses.borrow_mut(), cosigning);
        let failed = answers.iter().filter(|answer| answer.lines.is_err());
        failed.for_each(|answer| screen::warn(&format!("deckproof: {answer}")));
        answers.into_iter().filter_map(|answer| answer.lines.ok()).flatten().collect()
    })))
}

/// Asks all, puts on the checkpoint what they gave, prints it, and says whether that is enough.
pub(super) fn witnesses(
    folder: &Path,
    addresses: &[Address],
    trust_path: &Path,
    wait: Duration,
) -> Result<Exit, CliError> {
    let trust = read_trust(trust_path)?;
    let reader = LogReader::open(folder)?;
    let cosigning = Cosigning {
        log: folder,
        note: reader.note(),
        keys: &keys(&trust, trust_path)?.witness,
        until: Instant::now() + wait,
        now: posix_seconds,
    };
    let mut witnesses: Vec<RemoteWitness> = addresses.iter().cloned().map(RemoteWitness::new).collect();
    let answers = ask_all(&mut witnesses, cosigning);
    answers.iter().for_each(|answer| screen::warn(&format!("deckproof: {answer}")));
    let lines: Vec<_> =
        answers.iter().filter_map(|answer| answer.lines.as_ref().ok()).flatten().cloned().collect();
    let note = put_lines(folder, &reader, lines)?;
    print(&note)?;
    if answers.iter().any(|answer| answer.lines.as_ref().is_err_and(|fault| fault.is_accusation())) {
        return Ok(Exit::Refused);
    }
    match Witnessed::parse(&note, &trust, "checkpoint") {
        Err(refusal) => super::refused(&refusal, false),
        Ok(Witnessed { quorum_time: Some(_), .. }) => Ok(Exit::Passed),
        Ok(_) => {
            screen::warn("deckproof: the quorum of the trust file has not cosigned this checkpoint");
            Ok(Exit::CouldNotSay)
        }
    }
}
