//! The case of one hand in dispute: one file with everything that an arbiter needs, in which each bundle is judged again.
//!
//! A case is packed as a laboratory's package is: `SHA256SUMS` over all files, signed by OpenSSH, one ZIP file whose bytes
//! follow from its files.

mod hand;
mod readme;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::verification::Inspector;
use crate::verification::judged::judge_held;
use crate::verification::package::CASE;
use crate::verification::references::{Given, JudgedBy};
use crate::verification::replay::HandReplay;
use deckproof_audit::manifest::signature::{self, Signers, Signing};
use deckproof_deck::commitment::digest::leaf_hash;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::decimal::counted;
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::temporary::TemporaryFile;
use deckproof_files::file::{Access, Prepared, own};
use deckproof_lab::project::archive::{Archive, write};
use deckproof_lab::project::check::{SIGNATURE, Shelf, listed};
use deckproof_lab::project::package::SUMS;
use deckproof_lab::project::package::sums::Sums;
use deckproof_stud::stud::history::phh;
use deckproof_verify::log::entry::{CloseEntry, Entry};
use deckproof_verify::log::receipt::Receipt;
use deckproof_verify::log::trust::Trust;
use deckproof_verify::log::witnessed::Witnessed;

/// The log that is trusted.
pub const TRUST: &str = "trust.json";

/// Who received which position, without cards.
pub const TRANSCRIPT: &str = "transcript.txt";

/// The hand history.
pub const HISTORY: &str = "history.phh";

/// Where the bundles, their judgements, and receipts that somebody saved lie.
pub const FOLDERS: [&str; 3] = ["bundles/", "verify/", "receipts/"];

/// The file of a receipt that somebody saved, counted from 1.
pub fn saved_receipt(number: usize) -> String {
    format!("{}saved-{number}.proof", FOLDERS[2])
}

/// The files of a case by their names.
pub type CaseFiles = BTreeMap<String, Vec<u8>>;

/// One bundle and its judgement.
pub struct JudgedBundle {
    /// Its file.
    pub name: String,
    /// In words.
    pub text: String,
    /// For programs.
    pub json: String,
    /// 0 accepted, 1 refused, 2 could not say.
    pub exit: Exit,
}

impl JudgedBundle {
    /// The first line of its judgement, without its name.
    pub fn head(&self) -> &str {
        let head = self.text.lines().find(|line| !line.trim().is_empty()).unwrap_or("it was not judged");
        head.trim_start_matches(self.name.as_str()).trim_start_matches(": ")
    }
}

fn failed(error: impl std::fmt::Display) -> CouldNotSay {
    CouldNotSay::new(error, "")
}

fn named<'a>(files: &'a CaseFiles, folder: &'a str) -> impl Iterator<Item = (&'a String, &'a Vec<u8>)> {
    files.iter().filter(move |(name, _)| name.starts_with(folder))
}

fn trust_of(files: &CaseFiles) -> Result<Option<Trust>, CouldNotSay> {
    let trust = files.get(TRUST).map(|bytes| Trust::parse(bytes)).transpose();
    trust.map_err(|error| failed(format!("{TRUST}: {error}")))
}

/// The folder of the entries of the hand, each beside its proof.
const LOG: &str = "log/";

/// The entry of an opening, which comes into the log after the case was made.
const UNSEAL: &str = "log/unseal.txt";

/// Whether an entry is the one of this kind of the hand: of its table and number, or of its deck or opening by their hashes.
fn is_of_hand(kind: &str, text: &str, files: &CaseFiles, case: &Value) -> bool {
    let hash =
        |kind: &str| Some(leaf_hash(std::str::from_utf8(files.get(&format!("{LOG}{kind}.txt"))?).ok()?));
    match (kind, Entry::parse(text)) {
        ("deck", Ok(Entry::Deck(deck))) => case["table"] == deck.table && case["hand"] == deck.hand,
        ("open", Ok(Entry::Open(open))) => hash("deck") == Some(open.deck),
        ("cut", Ok(Entry::Cut(cut))) => hash("open") == Some(cut.open),
        ("close", Ok(Entry::Close(close))) => hash("open") == Some(close.open),
        ("void", Ok(Entry::Void(void))) => hash("deck") == Some(void.deck),
        _ => false,
    }
}

/// Compares each entry of the hand with its proof, in a sentence; in the error what does not hold.
fn check_entries(files: &CaseFiles, trust: &Trust, case: &Value) -> Result<String, String> {
    let texts = named(files, LOG).filter(|(name, _)| name.ends_with(".txt") && *name != UNSEAL);
    let mut proven = 0;
    for (name, bytes) in texts {
        let proof = format!("{}.proof", name.trim_end_matches(".txt"));
        let receipt = files.get(&proof).and_then(|bytes| Receipt::parse(std::str::from_utf8(bytes).ok()?));
        let receipt = receipt.ok_or_else(|| format!("{name}: found no proof of it, wanted {proof}"))?;
        let text = std::str::from_utf8(bytes)
            .map_err(|_| format!("{name}: found no text, wanted an entry of a log"))?;
        let witnessed = Witnessed::parse(&receipt.note, trust, &proof);
        let holds = witnessed.and_then(|witnessed| receipt.check_under(&leaf_hash(text), &witnessed, &proof));
        holds.map_err(|refusal| format!("{name} is not the entry that {proof} proves ({refusal})"))?;
        let kind = name.trim_start_matches(LOG).trim_end_matches(".txt");
        if !is_of_hand(kind, text, files, case) {
            return Err(format!("{name} is no {kind} entry of the hand that {CASE} names"));
        }
        proven += 1;
    }
    Ok(format!(
        "{}, as the proofs under the log of {TRUST} say",
        counted(proven, "entry of the hand is in the log", "entries of the hand are in the log")
    ))
}

/// Whether the trust file is of the log of the hand, and each receipt of one of its entries: a case with those of another hand or log
/// would refuse honest bundles.
pub fn check_given(files: &CaseFiles, receipts: &[PathBuf]) -> Result<(), CouldNotSay> {
    let trust = trust_of(files)?.ok_or_else(|| failed(format!("found no {TRUST}")))?;
    check_entries(files, &trust, &case_of(files)?)
        .map_err(|fault| CouldNotSay::new(fault, "Give the trust file of this log."))?;
    for (number, path) in (1..).zip(receipts) {
        if !proves_an_entry(files, &trust, &saved_receipt(number)) {
            return Err(CouldNotSay::new(
                format!("--receipt {}: it proves no entry of this hand under the trust file", path.display()),
                "It is of another hand, it was damaged, or another entry was logged. No case was written. Who says that it is of this hand \
                 shows that with deckproof verify BUNDLE --trust FILE --receipt FILE.",
            ));
        }
    }
    Ok(())
}

/// Whether a receipt of a case proves an entry of its hand.
fn proves_an_entry(files: &CaseFiles, trust: &Trust, name: &str) -> bool {
    let text = |bytes| std::str::from_utf8(bytes).ok();
    let Some(receipt) = files.get(name).and_then(|bytes| Receipt::parse(text(bytes)?)) else { return false };
    let Ok(witnessed) = Witnessed::parse(&receipt.note, trust, name) else { return false };
    let mut texts = named(files, LOG).filter(|(name, _)| name.ends_with(".txt") && *name != UNSEAL);
    let is_proven = |entry| receipt.check_under(&leaf_hash(entry), &witnessed, name).is_ok();
    texts.any(|(_, bytes)| text(bytes).is_some_and(is_proven))
}

/// Judges each bundle of a case with its trust file and its receipts, in memory: a bundle is confidential.
///
/// # Errors
/// [`CouldNotSay`]: a trust file or a receipt that is none.
fn judge_bundles(files: &CaseFiles, by: &Inspector) -> Result<Vec<JudgedBundle>, CouldNotSay> {
    let trust = trust_of(files)?;
    let mut receipts = Vec::new();
    for (name, bytes) in named(files, FOLDERS[2]) {
        let receipt = std::str::from_utf8(bytes).ok().and_then(Receipt::parse);
        let receipt =
            receipt.ok_or_else(|| failed(format!("{name}: found no receipt of a log (tlog-proof)")))?;
        receipts.push((name.clone(), receipt));
    }
    let saved = Given { receipts, trust, ..Given::default() };
    // What lies in a case is the same whenever it is checked, so no clock is asked.
    let by = Inspector { now: u64::MAX, ..*by };
    let wanted = JudgedBy { saved, ..JudgedBy::itself(by) };
    let judged = named(files, FOLDERS[0]).map(|(name, bytes)| {
        let judged = judge_held(name, bytes, &wanted);
        let (text, json) = (judged.report(wanted.words), judged.json_lines());
        JudgedBundle { name: name.clone(), text, json, exit: judged.exit() }
    });
    Ok(judged.collect())
}

/// What follows from the other files of a case: what is stated of each bundle, what the rules say of the history, and the page in
/// words.
///
/// # Errors
/// [`CouldNotSay`]: a trust file or a receipt that is none.
pub fn derived(
    files: &CaseFiles,
    is_signed: bool,
    by: &Inspector,
) -> Result<(Vec<JudgedBundle>, CaseFiles), CouldNotSay> {
    let judged = judge_bundles(files, by)?;
    let mut followed = CaseFiles::new();
    for bundle in &judged {
        let [text, json] = judgement_names(&bundle.name);
        followed.insert(text, bundle.text.as_bytes().to_vec());
        followed.insert(json, bundle.json.as_bytes().to_vec());
    }
    if let Some(history) = files.get(HISTORY) {
        let hands = phh::parse_file(&String::from_utf8_lossy(history));
        let hands = hands.unwrap_or_else(|error| vec![(String::new(), Err(error))]);
        for (name, is_json) in RULINGS {
            let replay = HandReplay::new(None, &[], is_json)?;
            let rulings: Vec<String> = hands.iter().map(|hand| replay.judged(None, hand).0 + "\n").collect();
            followed.insert(name.to_owned(), rulings.concat().into_bytes());
        }
    }
    let readme = readme::readme(files, &case_of(files)?, &judged, is_signed);
    followed.insert(README.to_owned(), readme.into_bytes());
    Ok((judged, followed))
}

/// What the rules say of the history, in words and for programs.
const RULINGS: [(&str, bool); 2] = [("ruling.txt", false), ("ruling.json", true)];

/// The page in words.
const README: &str = "README.txt";

/// Whether a file follows from others.
fn is_derived(name: &str) -> bool {
    name.starts_with(FOLDERS[1]) || name == README || RULINGS.iter().any(|(own, _)| *own == name)
}

/// What a case says of itself.
fn case_of(files: &CaseFiles) -> Result<Value, CouldNotSay> {
    let bytes = files
        .get(CASE)
        .ok_or_else(|| failed(format!("found no {CASE}, wanted what deckproof dispute wrote")))?;
    serde_json::from_slice(bytes).map_err(|error| failed(format!("{CASE}: {error}")))
}

/// The entry of this kind in a case.
fn entry(files: &CaseFiles, kind: &str) -> Option<Entry> {
    Entry::parse(std::str::from_utf8(files.get(&format!("{LOG}{kind}.txt"))?).ok()?).ok()
}

/// The close entry of the hand, if it has one.
fn closed(files: &CaseFiles) -> Option<CloseEntry> {
    match entry(files, "close")? {
        Entry::Close(close) => Some(close),
        _ => None,
    }
}

/// Where the judgement of a bundle is, in words and for programs.
fn judgement_names(bundle: &str) -> [String; 2] {
    let stem = bundle.strip_prefix(FOLDERS[0]).unwrap_or(bundle).trim_end_matches(".json");
    [format!("{}{stem}.txt", FOLDERS[1]), format!("{}{stem}.json", FOLDERS[1])]
}

/// Packs a case as one file for its owner alone, beside its place, with its checksums signed if there is a key.
///
/// # Errors
/// [`CouldNotSay`]: it was not signed, or cannot be written; then there is no file.
pub fn pack(mut files: CaseFiles, key: Option<&Path>, out: &Path) -> Result<Prepared, CouldNotSay> {
    let sums = Sums::of(&files).to_string().into_bytes();
    if let Some(key) = key {
        files.insert(SIGNATURE.to_owned(), signed(&sums, key)?);
    }
    files.insert(SUMS.to_owned(), sums);
    let bytes = write(&files).map_err(failed)?;
    let problem = |error| CouldNotSay::new(format!("{}: {error}", out.display()), "Nothing was written.");
    Prepared::write(out, &bytes, Access::OwnerOnly).map_err(problem)
}

/// The signature of OpenSSH on some bytes.
fn signed(sums: &[u8], key: &Path) -> Result<Vec<u8>, CouldNotSay> {
    let file = TemporaryFile::holding(sums).map_err(failed)?;
    let status = signature::sign(file.path(), key).map_err(failed)?;
    if !status.success() {
        return Err(CouldNotSay::new(format!("ssh-keygen did not sign ({status})"), "Nothing was written."));
    }
    let path = signature::file_of(file.path());
    let bytes = own::read_limited(&path, SIGNATURE_BYTES_MAX).map_err(failed);
    // It lies in the case.
    let _ = std::fs::remove_file(&path);
    bytes
}

/// Longest signature, in bytes.
const SIGNATURE_BYTES_MAX: u64 = 1 << 16;

/// What a case shows when it is checked.
pub struct CheckedCase {
    /// What holds, and what was not looked at.
    pub lines: Vec<String>,
    /// What does not hold.
    pub fault: Option<String>,
    /// How many bundles are refused: the case may be whole, and what it holds not.
    pub refused: usize,
    /// Whether this build made the case, so that its page, ruling and judgements were compared.
    pub is_own: bool,
}

/// A case that lacks the signature which the reader wants: a key or a file may have been left out.
fn unsigned(problem: String) -> CouldNotSay {
    CouldNotSay::new(
        problem,
        "It was not judged. Ask who made the case, in another way than by the case, for a signed copy, or whether the key is theirs.",
    )
}

/// Checks a case: its checksums, its signature, that its log is the `known` one, and what this program says of each bundle, which is what lies beside it if the
/// same program wrote that.
///
/// # Errors
/// [`CouldNotSay`]: no case, or one that cannot be read.
pub fn check(
    bytes: &[u8],
    signers: Option<&Signers>,
    known: Option<&Trust>,
    by: &Inspector,
) -> Result<CheckedCase, CouldNotSay> {
    let refused =
        |fault: String| Ok(CheckedCase { lines: Vec::new(), fault: Some(fault), refused: 0, is_own: false });
    let archive = match Archive::read(bytes) {
        Ok(archive) => archive,
        Err(error) if error.is_forged() => return refused(error.to_string()),
        Err(error) => return Err(failed(error)),
    };
    let (followed, files): (CaseFiles, CaseFiles) =
        whole(&archive).into_iter().partition(|(name, _)| is_derived(name));
    let case = case_of(&files)?;
    let sums = match listed(&archive) {
        Ok(sums) => match sums.unlisted.first() {
            None => sums,
            Some(name) => {
                return Err(CouldNotSay::new(
                    format!("{name}: SHA256SUMS does not list it: it is no part of the case"),
                    "The case was not judged. Take this file out of it and check it again.",
                ));
            }
        },
        Err(fault) => return refused(fault.to_string()),
    };
    let mut lines = vec!["every file has the checksum that SHA256SUMS says".to_owned()];
    match signature_line(archive.file(SIGNATURE), &sums.text, signers)? {
        Ok(line) => lines.extend(line),
        Err(fault) => return refused(fault),
    }
    let Some(trust) = trust_of(&files)? else {
        return refused(format!("found no {TRUST}, wanted the log by which the bundles are judged"));
    };
    if known.is_some_and(|known| *known != trust) {
        return Err(CouldNotSay::new(
            format!("{TRUST} in the case has another log, or other witnesses, than the trust file you gave"),
            "It was not judged. Find out which of the two files is right.",
        ));
    }
    match check_hand(&files, &trust, &case) {
        Ok(sentence) => lines.push(sentence),
        Err(fault) => return refused(fault),
    }
    lines.push(format!(
        "{CASE}, the bundles, the transcript and the history are of the hand that these entries name"
    ));
    lines.extend(not_checked(&files));
    let is_own = case["tool"] == own_name(by).as_str();
    let (judged, own) = derived(&files, archive.file(SIGNATURE).is_some(), by)?;
    if let Some(fault) = difference(&own, &followed, is_own) {
        return refused(fault);
    }
    let again = if is_own { "judged again, with the same words" } else { "judged again" };
    for bundle in &judged {
        lines.push(format!("{}: {again}: {}", bundle.name, bundle.head()));
    }
    let refused = judged.iter().filter(|bundle| bundle.exit == Exit::Refused).count();
    if !is_own {
        lines.push(format!(
            "not compared: {README}, the ruling and the words below {}, which are those of {}",
            FOLDERS[1], case["tool"]
        ));
    }
    let own_log = if known.is_some() {
        String::new()
    } else {
        format!("that {TRUST}, which lies in the case, names the log that you know (--trust); ")
    };
    lines.push(format!("not checked: {own_log}what {CASE} says of the poker server"));
    Ok(CheckedCase { lines, fault: None, refused, is_own })
}

/// Whose the signature of a case is, where it is known who may sign; in the inner error, that it is none of these checksums.
fn signature_line(
    signature: Option<&[u8]>,
    sums: &[u8],
    signers: Option<&Signers>,
) -> Result<Result<Option<String>, String>, CouldNotSay> {
    let signature = match (signature, signers) {
        (Some(signature), _) => signature,
        (None, None) => {
            return Ok(Ok(Some("not signed: anybody can have made or altered this case".to_owned())));
        }
        (None, Some(signers)) => {
            return Err(unsigned(format!("found no signature, wanted that of {}", signers.identity)));
        }
    };
    match (signature::judge(signature, sums, signers).map_err(failed)?, signers) {
        (Signing::ByNamed, _) => Ok(Ok(signers.map(|signers| format!("signed by {}", signers.identity)))),
        (Signing::ByKey(key), None) => Ok(Ok(Some(format!(
            "signed by the key {key}; whose key that is was not checked (--signers, --signer)"
        )))),
        (Signing::ByKey(key), Some(signers)) => Err(unsigned(signers.other_key(&key))),
        (Signing::OnOtherBytes(answer), _) => {
            Ok(Err(format!("the signature is not one of these checksums: {answer}")))
        }
        (Signing::Unread(answer), _) => Err(unsigned(format!("the signature cannot be read: {answer}"))),
    }
}

/// That the entries, the files of the hand and the saved receipts are of one hand: the sentence on the entries, or the fault.
fn check_hand(files: &CaseFiles, trust: &Trust, case: &Value) -> Result<String, String> {
    let sentence = check_entries(files, trust, case)?;
    hand::check(files, trust, case)?;
    match named(files, FOLDERS[2]).find(|(name, _)| !proves_an_entry(files, trust, name)) {
        Some((name, _)) => {
            Err(format!("{name} proves no entry of this hand: it is of another hand, or it was damaged"))
        }
        None => Ok(sentence),
    }
}

/// What the entries of a case leave open.
fn not_checked(files: &CaseFiles) -> impl Iterator<Item = String> {
    let unsealed = files.contains_key(UNSEAL).then(|| {
        format!(
            "not checked: that {UNSEAL} is in the log, whose checkpoint in this case is older, and what it says: no key signs it"
        )
    });
    let is_void_alone = entry(files, "void").is_some() && entry(files, "open").is_none();
    let void = is_void_alone.then(|| {
        "not checked: whether the hand was opened: a void entry names the deck alone, and no open entry is in this case".to_owned()
    });
    unsealed.into_iter().chain(void)
}

/// How the files that follow from others differ from what this program makes of those; their bytes count in a case of its own.
fn difference(own: &CaseFiles, found: &CaseFiles, is_own: bool) -> Option<String> {
    if let Some(name) =
        own.keys().chain(found.keys()).find(|name| own.contains_key(*name) != found.contains_key(*name))
    {
        let what = if own.contains_key(name) { "found no such file" } else { "found it" };
        return Some(format!("{name}: {what}, wanted what follows from the other files of this case"));
    }
    let (name, _) = own.iter().find(|(name, bytes)| is_own && found.get(*name) != Some(*bytes))?;
    Some(format!("{name} is not what this program says of the other files"))
}

/// This program and its commit, as a case names it.
pub fn own_name(by: &Inspector) -> String {
    let tool = (by.tool)();
    format!("deckproof {} (commit {})", tool.version, tool.commit)
}

fn whole(archive: &Archive) -> CaseFiles {
    let names = archive.names().unwrap_or_default().into_iter();
    let names = names.filter(|name| name != SUMS && name != SIGNATURE);
    names.filter_map(|name| Some((name.clone(), archive.file(&name)?.to_vec()))).collect()
}
