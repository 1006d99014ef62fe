//! `deckproof log checkpoint --witness`: witnesses that are asked over HTTP, and what comes of it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::cli::tool::posix_seconds;
use crate::cli::{CliError, print, screen};
use deckproof_deck::text::exit::Exit;
use deckproof_net::exchange::Address;
use deckproof_net::remote::panel::{PanelNews, PanelQuestion, WitnessPanel};
use deckproof_net::remote::witnesses::{Cosigning, RemoteWitness, WitnessAnswer, ask_all};
use deckproof_serve::service::{AskWitnesses, CosignedCheckpoint};
use deckproof_table::log_folder::Log;
use deckproof_table::log_folder::key_files::{keys, put_lines, read_trust};
use deckproof_table::log_folder::reader::LogReader;
use deckproof_table::table::pending::AskedWitnesses;
use deckproof_verify::log::note::{Note, Signature};
use deckproof_verify::log::trust::Trust;
use deckproof_verify::log::witnessed::Witnessed;

/// How long witnesses are waited for by default.
const WAIT: Duration = Duration::from_secs(10);

/// How often a witness that gives nothing is named by a service.
const NAMED_EVERY: Duration = Duration::from_secs(60);

/// What was typed behind an option.
pub(in crate::cli) fn addresses(option: &str, texts: &[String]) -> Result<Vec<Address>, CliError> {
    let read =
        |text: &String| Address::parse(text).map_err(|error| CliError::Problem(format!("{option}: {error}")));
    texts.iter().map(read).collect()
}

/// Asks these witnesses for each checkpoint, and hands over who gives nothing. What a witness cosigned last is remembered, so that
/// one question is enough.
fn asking(
    log: PathBuf,
    addresses: Vec<Address>,
    wait: Duration,
    mut failed: impl FnMut(&WitnessAnswer) + Send,
) -> impl FnMut(&str, &Trust) -> Vec<Signature> + Send {
    let wait = if wait.is_zero() { WAIT } else { wait };
    let mut witnesses: Vec<RemoteWitness> = addresses.into_iter().map(RemoteWitness::new).collect();
    move |note, trust| {
        let Ok(keys) = trust.keys() else { return Vec::new() };
        let until = Instant::now() + wait;
        let cosigning = Cosigning { log: &log, note, keys: &keys.witness, until, now: posix_seconds };
        let answers = ask_all(&mut witnesses, cosigning);
        answers.iter().filter(|answer| answer.lines.is_err()).for_each(&mut failed);
        answers.into_iter().filter_map(|answer| answer.lines.ok()).flatten().collect()
    }
}

/// Who asks these witnesses for each opening of a table.
pub(in crate::cli) fn asked_witnesses(
    log: &Path,
    addresses: Vec<Address>,
    wait: Duration,
) -> Result<AskedWitnesses, CliError> {
    let failed = |answer: &WitnessAnswer| screen::warn(&format!("deckproof: {answer}"));
    let ask = RefCell::new(asking(log.to_owned(), addresses, wait, failed));
    Ok(AskedWitnesses(Rc::new(move |note, trust| (ask.borrow_mut())(&note.to_string(), trust))))
}

/// Who asks these witnesses for all openings of a service: a round ends with its quorum. One that gives nothing is named once a
/// minute, one that stays silent is left out for a while.
pub(in crate::cli) fn served_witnesses(
    log: &Path,
    texts: &[String],
    trust: Trust,
    wait: Duration,
) -> Result<AskWitnesses, CliError> {
    let wait = if wait.is_zero() { WAIT } else { wait };
    let keys = trust.keys().map_err(|refusal| CliError::Problem(format!("the trust file: {refusal}")))?;
    let (log, keys) = (log.to_owned(), Arc::new(keys.witness.clone()));
    let panel = WitnessPanel::of(addresses("--witness", texts)?);
    let mut panel = panel.map_err(|error| CliError::Problem(format!("--witness: no thread: {error}")))?;
    let mut named: HashMap<String, Instant> = HashMap::new();
    let mut report = move |news: &PanelNews| match news {
        PanelNews::Failed(answer) => {
            let before = named.get(&answer.address.to_string());
            if before.is_none_or(|before| before.elapsed() >= NAMED_EVERY) {
                named.insert(answer.address.to_string(), Instant::now());
                screen::warn(&format!("deckproof: {answer}"));
            }
        }
        PanelNews::LeftOut(address, pause) => screen::warn(&format!(
            "deckproof: witness {address}: no answer in time; it is left out for {} s",
            pause.as_secs()
        )),
        PanelNews::Back(address) => screen::warn(&format!("deckproof: witness {address}: it answers again")),
    };
    Ok(Box::new(move |text| {
        let Ok(mut note) = Note::parse(text) else {
            let note = text.to_owned();
            return CosignedCheckpoint { note, is_met: false, left_out: Vec::new(), accusing: Vec::new() };
        };
        let with = |lines: &[Signature]| {
            let signatures = note.signatures.iter().chain(lines).cloned().collect();
            Note { text: note.text.clone(), signatures }.to_string()
        };
        let is_met = |note: &str| {
            let witnessed = Witnessed::parse(note, &trust, "checkpoint");
            witnessed.is_ok_and(|witnessed| witnessed.quorum_time.is_some())
        };
        let question = PanelQuestion {
            log: log.clone(),
            note: text.to_owned(),
            keys: Arc::clone(&keys),
            until: Instant::now() + wait,
            now: posix_seconds,
        };
        let mut accusing = Vec::new();
        let mut hear = |news: &PanelNews| {
            if let PanelNews::Failed(WitnessAnswer { address, lines: Err(fault) }) = news
                && fault.is_accusation()
            {
                accusing.push(address.to_string());
            }
            report(news);
        };
        let lines = panel.ask(&question, |lines| is_met(&with(lines)), &mut hear);
        note.signatures.extend(lines);
        let (note, left_out) = (note.to_string(), panel.left_out());
        CosignedCheckpoint {
            is_met: is_met(&note),
            note,
            left_out: left_out.iter().map(ToString::to_string).collect(),
            accusing,
        }
    }))
}

/// Asks all, puts on the checkpoint what they gave, prints it, and says whether that is enough.
pub(super) fn witnesses(
    folder: &Path,
    addresses: &[Address],
    trust_path: &Path,
    wait: Duration,
) -> Result<Exit, CliError> {
    let trust = read_trust(trust_path)?;
    // What a witness gives is lost where another program writes: it is looked for before anybody is asked.
    drop(Log::open(folder)?);
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
