//! `deckproof dispute`: what an arbiter needs of one hand, in one signed file; and that file checked.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use crate::cli::vault::holder::TokenArguments;
use crate::cli::vault::open::{self, parse_reason};
use crate::cli::vault::record::RecordArguments;
use crate::cli::{CliError, check_new, failed, print, screen, tool};
use crate::verification::case::{
    CaseFiles, FOLDERS, HISTORY, TRANSCRIPT, TRUST, check, check_given, derived, own_name, pack,
    saved_receipt,
};
use crate::verification::package::CASE;
use crate::verification::statements::read_trust;
use deckproof_audit::manifest::signature::Signers;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::decimal::counted;
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::{TEXT_BYTES_MAX, read_limited};
use deckproof_lab::project::archive::ARCHIVE_BYTES_MAX;
use deckproof_serve::service::case::{HandCase, case_of};
use deckproof_serve::service::opening::VaultOpening;
use deckproof_verify::log::entry::Entry;

#[derive(Args)]
pub(super) struct DisputeArguments {
    /// The folder of the service.
    #[arg(value_name = "FOLDER", required_unless_present = "check", requires_all = ["table", "hand", "trust", "out"])]
    folder: Option<PathBuf>,
    /// The table.
    #[arg(long, value_name = "TABLE")]
    table: Option<String>,
    /// The hand.
    #[arg(long, value_name = "HAND", value_parser = clap::value_parser!(u64).range(1..))]
    hand: Option<u64>,
    /// The log by which the bundles are judged: a JSON file with origin, log, witness and quorum; it goes into the case. With --check: the log you know, which must be that of the case.
    #[arg(long, value_name = "FILE")]
    trust: Option<PathBuf>,
    /// A receipt that somebody saved before the hand; it goes into the case.
    #[arg(long, value_name = "FILE")]
    receipt: Vec<PathBuf>,
    /// The age keys of the two people, to open all 52 cards too: give it twice, or once beside --hsm.
    #[arg(long, value_name = "FILE", requires_all = ["reason", "folder"])]
    identity: Vec<PathBuf>,
    #[command(flatten)]
    token: TokenArguments,
    /// Why the hand is opened: up to 200 characters of ASCII. They stay in the log, which is public: name nobody.
    #[arg(long, value_name = "TEXT", requires = "identity", value_parser = parse_reason)]
    reason: Option<String>,
    #[command(flatten)]
    record: RecordArguments,
    /// Sign the checksums with ssh-keygen and this key of OpenSSH, or a public one whose private part an agent holds.
    #[arg(long, value_name = "FILE")]
    sign_key: Option<PathBuf>,
    /// The case, a new ZIP file for its owner alone: it holds what each seat may see.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Check a case: checksums, signature, and each bundle judged again.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["folder", "table", "hand", "receipt", "out", "sign_key"])]
    check: Option<PathBuf>,
    /// With --check: who may sign, a file of allowed signers as ssh-keygen(1) describes it.
    #[arg(long, value_name = "FILE", requires_all = ["signer", "check"])]
    signers: Option<PathBuf>,
    /// Who signed, as the file of allowed signers names him.
    #[arg(long, value_name = "NAME", requires = "signers")]
    signer: Option<String>,
}

pub(super) fn run(arguments: &DisputeArguments) -> Result<Exit, CliError> {
    match (&arguments.check, &arguments.folder) {
        (Some(path), _) => check_case(arguments, path),
        (None, Some(folder)) => make(arguments, folder),
        (None, None) => unreachable!("clap wants one of them"),
    }
}

fn check_case(arguments: &DisputeArguments, path: &Path) -> Result<Exit, CliError> {
    let bytes = read_limited(path, ARCHIVE_BYTES_MAX).map_err(|error| CliError::file(path, error))?;
    let signers = arguments.signers.clone().zip(arguments.signer.clone());
    let signers = signers.map(|(file, identity)| Signers { file, identity, on: None });
    let name = path.display();
    let known = arguments.trust.as_deref().map(read_trust).transpose()?;
    let checked = check(&bytes, signers.as_ref(), known.as_ref(), &tool::inspector())
        .map_err(|CouldNotSay(problem)| CliError::Problem(format!("{name}: {problem}")))?;
    if let Some(fault) = checked.fault {
        print(&format!("{name}: REFUSED: {fault}\n"))?;
        return Ok(Exit::Refused);
    }
    let but = if checked.is_own {
        ""
    } else {
        ", but for its words, which it says are of another build: they were not compared"
    };
    let refused = match checked.refused {
        0 => String::new(),
        refused => format!(", {} REFUSED", counted(refused as u64, "bundle of it", "bundles of it")),
    };
    print(&format!("{name}: a whole case{but}{refused}\n{}\n", checked.lines.join("\n")))?;
    Ok(if checked.refused > 0 { Exit::Refused } else { Exit::Passed })
}

fn make(arguments: &DisputeArguments, folder: &Path) -> Result<Exit, CliError> {
    let DisputeArguments { table: Some(table), hand: Some(hand), trust: Some(trust), out: Some(out), .. } =
        arguments
    else {
        unreachable!("clap wants all of them");
    };
    check_new(out)?;
    let case = case_of(folder, table, *hand).map_err(failed)?;
    let mut files = CaseFiles::new();
    let read = |path: &Path| read_limited(path, TEXT_BYTES_MAX).map_err(|error| CliError::file(path, error));
    files.insert(TRUST.to_owned(), read(trust)?);
    for (number, path) in (1..).zip(&arguments.receipt) {
        files.insert(saved_receipt(number), read(path)?);
    }
    put_hand(&mut files, &case);
    let opened = match (&arguments.identity[..], &arguments.reason) {
        ([], _) | (_, None) => None,
        (identities, Some(reason)) => {
            match open::opened(folder, (table, *hand), (identities, &arguments.token), reason)? {
                None => return Ok(Exit::Refused),
                opened => opened,
            }
        }
    };
    if let Some(opened) = &opened {
        files.insert(format!("{}full-reveal.json", FOLDERS[0]), opened.bundle.as_bytes().to_vec());
        files.insert(
            "log/unseal.txt".to_owned(),
            Entry::Unseal(opened.unseal.clone()).to_string().into_bytes(),
        );
    }
    files.insert(CASE.to_owned(), about(arguments, &case, opened.as_ref()).into_bytes());
    check_given(&files, &arguments.receipt)?;
    let is_signed = arguments.sign_key.is_some();
    let (judged, followed) = derived(&files, is_signed, &tool::inspector())?;
    files.extend(followed);
    let case = pack(files, arguments.sign_key.as_deref(), out)?;
    let recorded = arguments.record.record(folder, opened.map(|opened| opened.unseal), out, case)?;
    let (exit, refused) = match judged.iter().filter(|bundle| bundle.exit == Exit::Refused).count() {
        0 => (Exit::Passed, String::new()),
        refused => (Exit::Refused, format!(", {refused} of them REFUSED")),
    };
    print(&format!(
        "{}: hand {hand} at table {table}, {} bundles judged{refused}\n",
        out.display(),
        judged.len()
    ))?;
    print(&recorded)?;
    if !is_signed {
        screen::warn("deckproof: the case is not signed: --sign-key KEY signs it");
    }
    Ok(exit)
}

/// Entries, proofs, bundles and texts of the hand.
fn put_hand(files: &mut CaseFiles, case: &HandCase) {
    let mut put = |name: String, text: &str| drop(files.insert(name, text.as_bytes().to_vec()));
    put("log/checkpoint".to_owned(), &case.checkpoint);
    for entry in &case.entries {
        put(format!("log/{}.txt", entry.kind), &entry.text);
        put(format!("log/{}.proof", entry.kind), &entry.proof);
    }
    for (seat, bundle) in &case.bundles {
        put(format!("{}seat-{seat}.json", FOLDERS[0]), bundle);
    }
    if let Some(transcript) = &case.transcript {
        put(TRANSCRIPT.to_owned(), transcript);
    }
    if let Some(history) = &case.history {
        put(HISTORY.to_owned(), history);
    }
}

/// What the case is of, for programs.
fn about(arguments: &DisputeArguments, case: &HandCase, opened: Option<&VaultOpening>) -> String {
    let entries: Vec<_> =
        case.entries.iter().map(|entry| json!({ "kind": entry.kind, "index": entry.index })).collect();
    let events: Vec<_> = case
        .events
        .iter()
        .map(|event| json!({ "seat": event.seat.number(), "what": event.what.name(), "at": event.at }))
        .collect();
    let about = json!({
        "format": "deckproof/case/v1",
        "tool": own_name(&tool::inspector()),
        "origin": case.origin,
        "table": arguments.table,
        "hand": arguments.hand,
        "end": if case.voided.is_some() { "voided" } else { "closed" },
        "reason": case.voided,
        "log": { "size": case.tree.size, "root": case.tree.root.to_string() },
        "entries": entries,
        "seats": case.bundles.iter().map(|(seat, _)| seat.number()).collect::<Vec<u8>>(),
        "opened": opened.map(|opened| json!({ "holders": opened.unseal.holders, "reason": opened.unseal.reason })),
        "events": events,
    });
    let mut text = serde_json::to_string_pretty(&about).expect("strings and numbers always serialise");
    text.push('\n');
    text
}
