//! Whether the files of a case are those of one hand, as the entries of that hand name them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::verification::case::{
    CaseFiles, FOLDERS, HISTORY, LOG, TRANSCRIPT, TRUST, UNSEAL, closed, entry, named,
};
use crate::verification::package::CASE;
use deckproof_deck::commitment::digest::Digest;
use deckproof_stud::stud::seat::Seat;
use deckproof_verify::log::entry::Entry;
use deckproof_verify::log::receipt::Receipt;
use deckproof_verify::log::trust::Trust;
use deckproof_verify::log::witnessed::Witnessed;
use deckproof_verify::verify::{Statements, verify_bundle};

/// In the error what does not hold. The entries themselves are held to their proofs before.
pub(super) fn check(files: &CaseFiles, trust: &Trust, case: &Value) -> Result<(), String> {
    let ends = ["close", "void"].iter().filter(|kind| entry(files, kind).is_some()).count();
    if ends != 1 || entry(files, "deck").is_none() {
        return Err(format!(
            "{LOG}: found {ends} entries that end the hand, wanted its deck entry and the close or the void entry: a hand that has ended has both in its log"
        ));
    }
    check_unseal(files, trust, case)?;
    let own = json!({
        "origin": trust.origin,
        "log": tree(files, trust)?,
        "entries": entries(files, case),
        "seats": seats(files),
        "end": if closed(files).is_some() { "closed" } else { "voided" },
        "reason": match entry(files, "void") {
            Some(Entry::Void(void)) => json!(void.reason),
            _ => Value::Null,
        },
        "opened": match entry(files, "unseal") {
            Some(Entry::Unseal(unseal)) => json!({ "holders": unseal.holders, "reason": unseal.reason }),
            _ => Value::Null,
        },
    });
    for (key, own) in own.as_object().into_iter().flatten() {
        if case[key] != *own {
            return Err(format!("{CASE}: {key} is not what the entries and the checkpoint of this case say"));
        }
    }
    check_names(files, case)?;
    check_texts(files)?;
    named(files, FOLDERS[0]).try_for_each(|(name, bytes)| check_bundle(files, name, bytes))
}

/// That an entry of an opening is of the hand.
fn check_unseal(files: &CaseFiles, trust: &Trust, case: &Value) -> Result<(), String> {
    match entry(files, "unseal") {
        Some(Entry::Unseal(own))
            if own.origin == trust.origin && case["table"] == own.table && case["hand"] == own.hand =>
        {
            Ok(())
        }
        None if !files.contains_key(UNSEAL) => Ok(()),
        _ => Err(format!("{UNSEAL} is no unseal entry of the hand that {CASE} names")),
    }
}

/// The tree of the checkpoint of the case.
fn tree(files: &CaseFiles, trust: &Trust) -> Result<Value, String> {
    let name = format!("{LOG}checkpoint");
    let note = files.get(&name).and_then(|bytes| std::str::from_utf8(bytes).ok());
    let note = note.ok_or_else(|| format!("{name}: found none, wanted a signed checkpoint"))?;
    let witnessed = Witnessed::parse(note, trust, &name).map_err(|refusal| format!("{name}: {refusal}"))?;
    let tree = witnessed.checkpoint.tree;
    Ok(json!({ "size": tree.size, "root": tree.root.to_string() }))
}

/// The entries that the case lists, each at the place that its proof names.
fn entries(files: &CaseFiles, case: &Value) -> Value {
    let kinds = case["entries"].as_array().into_iter().flatten().filter_map(|entry| entry["kind"].as_str());
    let place = |kind: &str| {
        let proof = files.get(&format!("{LOG}{kind}.proof"))?;
        let receipt = Receipt::parse(std::str::from_utf8(proof).ok()?)?;
        Some(json!({ "kind": kind, "index": receipt.index }))
    };
    kinds.map(|kind| place(kind).unwrap_or_default()).collect()
}

/// The seats that get a bundle: of a hand that was closed those which its open entry names.
fn seats(files: &CaseFiles) -> Vec<u8> {
    let mut seats = match (closed(files), entry(files, "open")) {
        (Some(_), Some(Entry::Open(open))) => {
            open.seats.in_order().iter().map(|seat| seat.number()).collect()
        }
        _ => Vec::new(),
    };
    seats.sort_unstable();
    seats
}

/// The files that follow from what the case lists, and receipts; no others.
fn check_names(files: &CaseFiles, case: &Value) -> Result<(), String> {
    let mut wanted: BTreeSet<String> = [CASE, TRUST].map(str::to_owned).into();
    wanted.insert(format!("{LOG}checkpoint"));
    for kind in case["entries"].as_array().into_iter().flatten().filter_map(|entry| entry["kind"].as_str()) {
        wanted.extend(["txt", "proof"].map(|end| format!("{LOG}{kind}.{end}")));
    }
    wanted.extend(seats(files).iter().map(|seat| format!("{}seat-{seat}.json", FOLDERS[0])));
    if !case["opened"].is_null() {
        wanted.extend([UNSEAL.to_owned(), format!("{}full-reveal.json", FOLDERS[0])]);
    }
    if let Some(close) = closed(files) {
        wanted.insert(TRANSCRIPT.to_owned());
        wanted.extend(close.history.map(|_| HISTORY.to_owned()));
    }
    if let Some(name) = wanted.iter().find(|name| !files.contains_key(*name)) {
        return Err(format!("{name}: found no such file, and the hand has one"));
    }
    match files.keys().find(|name| !wanted.contains(*name) && !name.starts_with(FOLDERS[2])) {
        Some(name) => Err(format!("{name}: found it, and the hand has no such file")),
        None => Ok(()),
    }
}

/// The texts whose hashes the close entry has.
fn check_texts(files: &CaseFiles) -> Result<(), String> {
    let Some(close) = closed(files) else { return Ok(()) };
    for (name, wanted) in [(TRANSCRIPT, Some(close.transcript)), (HISTORY, close.history)] {
        let found = files.get(name).map(Digest::of);
        if found != wanted {
            return Err(format!("{name}: its hash is not that in the close entry"));
        }
    }
    Ok(())
}

/// The entries in a bundle are those of the case; one that cannot be read is refused by its judgement.
fn check_bundle(files: &CaseFiles, name: &str, bytes: &[u8]) -> Result<(), String> {
    let Ok(bundle) = serde_json::from_slice::<Value>(bytes) else { return Ok(()) };
    let is_other = |kind: &str| {
        let own = files.get(&format!("{LOG}{kind}.txt"));
        bundle[format!("{kind}_entry")]
            .as_str()
            .is_some_and(|text| own.map(Vec::as_slice) != Some(text.as_bytes()))
    };
    match ["deck", "open", "cut", "close", "void"].into_iter().find(|kind| is_other(kind)) {
        Some(kind) => Err(format!("{name}: its {kind} entry is not that of the case")),
        None => check_seat(name, bytes),
    }
}

/// The bundle of a seat opens the cards of that seat.
fn check_seat(name: &str, bytes: &[u8]) -> Result<(), String> {
    let seat =
        name.strip_prefix(FOLDERS[0]).and_then(|name| name.strip_prefix("seat-")?.strip_suffix(".json"));
    let (Some(seat), Ok(bundle)) =
        (seat.and_then(Seat::parse), verify_bundle(bytes, None, &Statements::default()))
    else {
        return Ok(());
    };
    let mut own = bundle.transcript.iter().filter(|line| line.seat == Some(seat));
    match own.find(|line| !bundle.opened.contains_key(&line.position)) {
        Some(line) => {
            Err(format!("{name}: it does not open position {}, which seat {seat} was dealt", line.position))
        }
        None => Ok(()),
    }
}
