//! A report package, recomputed from what it keeps.

use std::path::Path;

use serde_json::json;

use crate::audit::verdict::Verdict;
use crate::campaign::archive::{ARCHIVE_BYTES_MAX, Archive};
use crate::campaign::check::{Consistent, SIGNATURE, Shelf, check};
use crate::campaign::folder::Disk;
use crate::campaign::frozen::{Frozen, FrozenAudit};
use crate::campaign::package::inputs::{certificate_name, is_same_claim, raw_name};
use crate::campaign::package::{FILE_BYTES_MAX, SUMS};
use crate::campaign::raw;
use crate::campaign::run::{self, examine};
use crate::certificate::AuditResult;
use crate::certificate::rejudge::compare;
use crate::document::words::Words;
use crate::file::read_limited;
use crate::inspection::{Checked, Inspector, Rerun};
use crate::manifest::signature::{self, Signers};
use crate::presentation::laboratory::renderings;
use crate::session::Unwatched;
use crate::text::could_not_say::CouldNotSay;
use crate::text::exit::Exit;

/// The frozen campaign.
const PLAN: &str = "plan.toml";

/// What a contradiction is called.
const CODE: &str = "E_PACKAGE";

/// What was looked at, and what was not.
#[derive(Default)]
struct Said {
    checked: Vec<String>,
    not_checked: Vec<String>,
}

/// Longest signature, in bytes.
const SIGNATURE_BYTES_MAX: u64 = 1 << 16;

/// Checks the package of a folder.
///
/// # Errors
/// [`CouldNotSay`]: no package, one of another version, or a source that cannot be had again.
pub fn verify_folder(
    name: &str,
    folder: &Path,
    rerun: &Rerun,
    signers: Option<&Signers>,
    words: &Words,
    by: &Inspector,
) -> Result<Checked, CouldNotSay> {
    verify(name, &Disk(folder.to_owned()), rerun, signers, words, by)
}

/// Checks the package of a ZIP file, without writing any of it.
///
/// # Errors
/// As [`verify_folder`], and an archive that cannot be read.
pub fn verify_archive(
    name: &str,
    path: &Path,
    rerun: &Rerun,
    signers: Option<&Signers>,
    words: &Words,
    by: &Inspector,
) -> Result<Checked, CouldNotSay> {
    let bytes = read_limited(path, ARCHIVE_BYTES_MAX)
        .map_err(|error| CouldNotSay::new(format!("{name}: {error}"), ""))?;
    match Archive::read(&bytes) {
        Ok(archive) => verify(name, &archive, rerun, signers, words, by),
        Err(error) if error.is_forged() => Ok(refused(name, &error.to_string(), words)),
        Err(error) => Err(CouldNotSay::new(
            format!("{name}: {error}"),
            "Nothing was unpacked. Ask for the package again, or for its folder.",
        )),
    }
}

/// Checks a package and says what it shows; the first file that does not match refuses it.
///
/// # Errors
/// [`CouldNotSay`]: no package, one of another version, or a source that cannot be had again.
fn verify(
    name: &str,
    shelf: &dyn Shelf,
    rerun: &Rerun,
    signers: Option<&Signers>,
    words: &Words,
    by: &Inspector,
) -> Result<Checked, CouldNotSay> {
    let names = shelf.names().map_err(|error| CouldNotSay::new(format!("{name}: {error}"), ""))?;
    if ![SUMS, "report.json", PLAN].iter().any(|file| names.iter().any(|own| own == file)) {
        return Err(CouldNotSay::new(
            format!("{name}: it holds none of {SUMS}, report.json and plan.toml"),
            "Give the folder or the ZIP file that deckproof certify wrote, or a folder with bundles or certificates (.json).",
        ));
    }
    match unfinished(shelf, &names) {
        None => {}
        Some(Ok(found)) => {
            let advice = "Nothing is said about the package or the shuffler. The command that began it (deckproof certify with \
                          the same --project and --out) goes on where it stopped.";
            return Err(CouldNotSay::new(format!("{name}: {found}"), advice));
        }
        Some(Err(fault)) => return Ok(refused(name, &format!("plan.toml: {fault}"), words)),
    }
    let signature = match names.iter().any(|own| own == SIGNATURE) {
        true => Some(
            shelf
                .read(SIGNATURE, SIGNATURE_BYTES_MAX)
                .map_err(|error| CouldNotSay::new(format!("{name}: {SIGNATURE}: {error}"), ""))?,
        ),
        false => None,
    };
    let consistent = match check(shelf, &renderings(), &(by.tool)()) {
        Ok(consistent) => consistent,
        Err(fault) if fault.is_of_another_version => {
            let advice =
                "Nothing is said about this package: judge it with the version of deckproof that it names.";
            return Err(CouldNotSay::new(format!("{name}: {fault}"), advice));
        }
        Err(fault) => return Ok(refused(name, &fault.to_string(), words)),
    };
    let mut said = Said::default();
    if let Err(fault) = check_signature(&mut said, signature.as_deref(), &consistent, signers, words)? {
        return Ok(refused(name, &fault, words));
    }
    if !rerun.is_wanted {
        said.not_checked.push(words.package.integers.to_owned());
        return Ok(accepted(name, &consistent, said, false, words));
    }
    match run_again(&mut said, &consistent, rerun.source, words, by)? {
        Err(fault) => Ok(refused(name, &fault, words)),
        Ok(IsWhole(true)) => Ok(accepted(name, &consistent, said, true, words)),
        // What was asked for was not done, though nothing contradicts.
        Ok(IsWhole(false)) => {
            let checked = accepted(name, &consistent, said, false, words);
            Ok(Checked { exit: checked.exit.and(Exit::CouldNotSay), ..checked })
        }
    }
}

/// Missing certificates that are named.
const MISSING_NAMED: usize = 3;

/// What is there and what is missing of a campaign that was frozen and has no report yet; a frozen campaign that contradicts
/// itself is a fault, finished or not.
fn unfinished(shelf: &dyn Shelf, names: &[String]) -> Option<Result<String, String>> {
    let has = |wanted: &str| names.iter().any(|own| own == wanted);
    if !has(PLAN) || [SUMS, "report.json"].iter().any(|file| has(file)) {
        return None;
    }
    let read = shelf.read(PLAN, FILE_BYTES_MAX).map_err(|error| error.to_string());
    let text = read.and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()));
    let frozen = text.and_then(|text| Frozen::parse(&text).map_err(|error| error.to_string()));
    Some(frozen.map(|frozen| {
        let missing: Vec<String> =
            frozen.audits.iter().map(|audit| certificate_name(&audit.id)).filter(|name| !has(name)).collect();
        let certificates = match missing.len() {
            0 => String::new(),
            all => {
                let more = match all.saturating_sub(MISSING_NAMED) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                let named = missing[..all.min(MISSING_NAMED)].join(", ");
                format!("{all} of {} certificates ({named}{more}), ", frozen.audits.len())
            }
        };
        format!(
            "the package is not finished. It holds {PLAN}; missing are {certificates}report.json and {SUMS}"
        )
    }))
}

fn refused(name: &str, fault: &str, words: &Words) -> Checked {
    Checked {
        exit: Exit::Refused,
        text: (words.package.refused)(name, fault) + "\n",
        json: json!({ "verdict": "refused", "code": CODE, "message": fault }),
    }
}

/// Asks ssh-keygen, where it is known who may sign.
fn check_signature(
    said: &mut Said,
    signature: Option<&[u8]>,
    consistent: &Consistent,
    signers: Option<&Signers>,
    words: &Words,
) -> Result<Result<(), String>, CouldNotSay> {
    let own = &words.package;
    let Some(signers) = signers else {
        said.not_checked.push(match signature.is_some() {
            true => own.who_signed.to_owned(),
            false => own.unsigned.to_owned(),
        });
        return Ok(Ok(()));
    };
    let Some(signature) = signature else {
        return Ok(Err(format!("{SIGNATURE}: found no signature, wanted one of {}", signers.identity)));
    };
    let asked = signature::verify_detached(signature, &consistent.sums, signers);
    match asked.map_err(|error| CouldNotSay::new(error, ""))? {
        Ok(()) => {
            said.checked.push((own.signed_by)(&signers.identity));
            Ok(Ok(()))
        }
        Err(words) => Ok(Err(format!(
            "{SIGNATURE}: it is not the signature of {} on these checksums; ssh-keygen says: {words}",
            signers.identity
        ))),
    }
}

/// Whether all audits were counted again.
struct IsWhole(bool);

/// Deals and counts everything once more, and runs the selftest.
fn run_again(
    said: &mut Said,
    consistent: &Consistent,
    supplied: Option<&str>,
    words: &Words,
    by: &Inspector,
) -> Result<Result<IsWhole, String>, CouldNotSay> {
    let inputs = &consistent.inputs;
    // Audits whose decks were not handed in, and those whose decks nobody can hand in.
    let (mut decks, mut awaited, mut gone) = (0, Vec::new(), Vec::new());
    for (audit, certificate) in inputs.frozen.audits.iter().zip(&inputs.certificates) {
        let Some(result) = count_again(audit, supplied, by.threads)? else {
            let is_supplied = audit.plan.source.abilities().is_supplied;
            if is_supplied { &mut awaited } else { &mut gone }.push(audit.id.as_str());
            continue;
        };
        decks += result.decks();
        if let Err(error) = compare(&certificate.result, &result) {
            return Ok(Err(format!("{}: counted again, {error}", certificate_name(&audit.id))));
        }
    }
    for (asked, record) in inputs.frozen.raw.iter().zip(&inputs.raw) {
        let key = asked.key.parse().map_err(|error| CouldNotSay::new(error, ""))?;
        if raw::count(asked, &key) != *record {
            return Ok(Err(format!(
                "{}: counted again, the words of its key have other counts",
                raw_name(&asked.item)
            )));
        }
    }
    let again = examine(inputs.frozen.selftest, (by.tool)(), by.threads)?.checks;
    let is_same = again.len() == inputs.selftest.checks.len()
        && again.iter().zip(&inputs.selftest.checks).all(|(own, said)| is_same_claim(own, said));
    if !is_same {
        return Ok(Err("selftest.json: run again, the selftest found something else".to_owned()));
    }
    match (decks, inputs.raw.is_empty()) {
        (0, true) => {}
        (decks, true) => said.checked.push((words.package.decks_again)(decks)),
        (decks, false) => said.checked.push((words.package.counted_again)(decks)),
    }
    for (audits, sentence) in [(&awaited, words.package.supplied), (&gone, words.package.gone)] {
        if !audits.is_empty() {
            said.not_checked.push(sentence(&audits.join(", ")));
        }
    }
    Ok(Ok(IsWhole(awaited.is_empty() && gone.is_empty())))
}

fn count_again(
    audit: &FrozenAudit,
    supplied: Option<&str>,
    threads: usize,
) -> Result<Option<AuditResult>, CouldNotSay> {
    let record = &audit.plan.source;
    let source = match supplied {
        Some(text) if record.abilities().is_supplied => Some(record.ask_supplied(text.as_ref())?),
        _ if record.abilities().rerun.is_err() || record.abilities().is_supplied => return Ok(None),
        _ => None,
    };
    let mut session = run::again(audit, source)?;
    Ok(Some(session.answer(threads, &Unwatched)?))
}

fn accepted(name: &str, consistent: &Consistent, mut said: Said, is_rerun: bool, words: &Words) -> Checked {
    let Consistent { inputs, facts, files, recomputed, not_recomputed, .. } = consistent;
    let (own, cover) = (&words.package, &words.cover);
    said.not_checked.extend(not_recomputed.iter().map(|file| (own.page)(file)));
    said.not_checked.extend([own.people.to_owned(), own.first_one.to_owned()]);
    let verdict = match facts.verdict {
        Verdict::Pass => cover.pass,
        Verdict::Investigate => cover.investigate,
        Verdict::Fail => cover.fail,
        Verdict::Inconclusive => cover.inconclusive,
    };
    let decks = facts.items.iter().map(|item| item.decks).fold(0, u64::saturating_add);
    let (number, revision) = (&inputs.project.report.number, u64::from(facts.revision));
    let mut lines = vec![(own.consistent)(name, *files as u64, *recomputed as u64)];
    lines.extend(said.checked.iter().cloned());
    lines.push((own.says)(verdict, number, revision, facts.audits.len() as u64, decks));
    lines.push((own.campaign)(&facts.campaign_sha256));
    lines.extend(said.not_checked.iter().map(|sentence| (own.not_checked)(sentence)));
    let text = lines.join("\n") + "\n";
    Checked {
        exit: facts.verdict.into(),
        text,
        json: json!({
            "verdict": "accepted", "code": null, "package_verdict": facts.verdict, "report": inputs.project.report.number,
            "revision": facts.revision, "campaign_sha256": facts.campaign_sha256, "files": files,
            "recomputed": recomputed, "rerun": is_rerun, "checked": said.checked, "not_checked": said.not_checked,
        }),
    }
}
