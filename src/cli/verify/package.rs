//! `deckproof verify PACKAGE`: a report package, recomputed from what it keeps.

use std::path::Path;

use serde_json::json;

use crate::campaign::check::{Consistent, SIGNATURE, check};
use crate::campaign::frozen::FrozenAudit;
use crate::campaign::package::SUMS;
use crate::campaign::package::inputs::{certificate_name, is_same_claim, raw_name};
use crate::campaign::{raw, run};
use crate::certificate::AuditResult;
use crate::certificate::rejudge::compare;
use crate::cli::audit::publish::exit_of;
use crate::cli::certificate::{Checked, Rerun};
use crate::cli::certify::folder::{Disk, renderings};
use crate::cli::certify::work::examine;
use crate::cli::exit::{CouldNotSay, Exit};
use crate::cli::tool;
use crate::manifest::signature::{self, Signers};
use crate::math::decimal::thousands;
use crate::session::Unwatched;

/// What a contradiction is called.
const CODE: &str = "E_PACKAGE";

/// What was looked at, and what was not.
#[derive(Default)]
struct Said {
    checked: Vec<String>,
    not_checked: Vec<String>,
}

/// Checks a package and says what it shows; the first file that does not match refuses it.
///
/// # Errors
/// [`CouldNotSay`]: no package, one of another version, or a source that cannot be had again.
pub(super) fn verify(
    name: &str,
    folder: &Path,
    rerun: &Rerun,
    signers: Option<&Signers>,
) -> Result<Checked, CouldNotSay> {
    let is_package = [SUMS, "report.json", "plan.toml"].iter().any(|file| folder.join(file).exists());
    if !is_package {
        return Err(CouldNotSay::new(
            format!("{name}: this folder holds none of {SUMS}, report.json and plan.toml"),
            "Give the folder that deckproof certify wrote.",
        ));
    }
    let consistent = match check(&Disk(folder.to_owned()), &renderings(), &tool::describe()) {
        Ok(consistent) => consistent,
        Err(fault) if fault.is_of_another_version => {
            let advice =
                "Nothing is said about this package: judge it with the version of deckproof that it names.";
            return Err(CouldNotSay::new(format!("{name}: {fault}"), advice));
        }
        Err(fault) => return Ok(refused(name, &fault.to_string())),
    };
    let mut said = Said::default();
    if let Err(fault) = check_signature(&mut said, folder, &consistent, signers)? {
        return Ok(refused(name, &fault));
    }
    match rerun.is_wanted {
        true => {
            if let Err(fault) = run_again(&mut said, &consistent, rerun.source)? {
                return Ok(refused(name, &fault));
            }
        }
        false => said.not_checked.push(
            "that the integers are those of the sources: integers can be invented, and judging them again shows only \
             that the arithmetic is right (--rerun counts again)."
                .to_owned(),
        ),
    }
    Ok(accepted(name, &consistent, said, rerun.is_wanted))
}

fn refused(name: &str, fault: &str) -> Checked {
    Checked {
        exit: Exit::Refused,
        text: format!("{name}: the package is refused: {fault}.\n"),
        json: json!({ "verdict": "refused", "code": CODE, "message": fault }),
    }
}

/// Asks ssh-keygen, where it is known who may sign.
fn check_signature(
    said: &mut Said,
    folder: &Path,
    consistent: &Consistent,
    signers: Option<&Signers>,
) -> Result<Result<(), String>, CouldNotSay> {
    let is_there = folder.join(SIGNATURE).exists();
    let Some(signers) = signers else {
        said.not_checked.push(match is_there {
            true => "who signed it (--signers FILE --identity NAME).".to_owned(),
            false => "who made it: it has no signature.".to_owned(),
        });
        return Ok(Ok(()));
    };
    if !is_there {
        return Ok(Err(format!("{SIGNATURE}: found no signature, wanted one of {}", signers.identity)));
    }
    let asked = signature::verify(&folder.join(SUMS), &consistent.sums, signers);
    match asked.map_err(|error| CouldNotSay::new(error, ""))? {
        Ok(()) => {
            said.checked.push(format!("The checksums are signed by {}.", signers.identity));
            Ok(Ok(()))
        }
        Err(words) => Ok(Err(format!(
            "{SIGNATURE}: it is not the signature of {} on these checksums; ssh-keygen says: {words}",
            signers.identity
        ))),
    }
}

/// Deals and counts everything once more, and runs the selftest.
fn run_again(
    said: &mut Said,
    consistent: &Consistent,
    supplied: Option<&str>,
) -> Result<Result<(), String>, CouldNotSay> {
    let inputs = &consistent.inputs;
    let (mut decks, mut left) = (0, Vec::new());
    for (audit, certificate) in inputs.frozen.audits.iter().zip(&inputs.certificates) {
        let Some(result) = count_again(audit, supplied)? else {
            left.push(audit.id.clone());
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
    let again = examine(inputs.frozen.selftest, tool::threads(None))?.checks;
    let is_same = again.len() == inputs.selftest.checks.len()
        && again.iter().zip(&inputs.selftest.checks).all(|(own, said)| is_same_claim(own, said));
    if !is_same {
        return Ok(Err("selftest.json: run again, the selftest found something else".to_owned()));
    }
    said.checked.push(format!(
        "{} decks and the raw output were counted again, and every integer is the same; so is the selftest.",
        thousands(decks)
    ));
    if !left.is_empty() {
        said.not_checked
            .push(format!("these audits, whose decks must be supplied with --source: {}.", left.join(", ")));
    }
    Ok(Ok(()))
}

fn count_again(audit: &FrozenAudit, supplied: Option<&str>) -> Result<Option<AuditResult>, CouldNotSay> {
    let record = &audit.plan.source;
    let source = match supplied {
        Some(text) if record.abilities().is_supplied => Some(record.ask_supplied(text.as_ref())?),
        _ if record.abilities().rerun.is_err() || record.abilities().is_supplied => return Ok(None),
        _ => None,
    };
    let mut session = run::again(audit, source)?;
    Ok(Some(session.answer(tool::threads(None), &Unwatched)?))
}

fn accepted(name: &str, consistent: &Consistent, mut said: Said, is_rerun: bool) -> Checked {
    let Consistent { inputs, facts, files, recomputed, not_recomputed, .. } = consistent;
    said.not_checked.extend(
        not_recomputed
            .iter()
            .map(|file| format!("{file}, but for its checksum: this build cannot write it.")),
    );
    said.not_checked.push(
        "what people say in it: names, dates, declarations, evidence and opinions are as whoever signs them says.".to_owned(),
    );
    said.not_checked.push(
        "that it is the first one: whoever may sign can make another package, with other keys or other words, that is as \
         consistent. What tells them apart is the campaign hash, deposited before the first deck."
            .to_owned(),
    );
    let mut text = format!(
        "{name}: the package is consistent: {files} files have their checksums, and {recomputed} of them follow from project, \
         plan, certificates and counts, byte for byte.\n"
    );
    said.checked.iter().for_each(|sentence| text += &format!("{sentence}\n"));
    let audits = facts.audits.len();
    text += &format!(
        "It says: {}: report {}, revision {}, {audits} audits, {} decks; null hypothesis of each audit: the decks \
         are independent and every order is equally likely.\n",
        facts.verdict.name().to_uppercase(),
        inputs.project.report.number,
        facts.revision,
        thousands(facts.items.iter().map(|item| item.decks).fold(0, u64::saturating_add))
    );
    text += &format!("Campaign SHA-256: {}.\n", facts.campaign_sha256);
    said.not_checked.iter().for_each(|sentence| text += &format!("Not checked: {sentence}\n"));
    Checked {
        exit: exit_of(facts.verdict),
        text,
        json: json!({
            "verdict": "accepted", "code": null, "package_verdict": facts.verdict, "report": inputs.project.report.number,
            "revision": facts.revision, "campaign_sha256": facts.campaign_sha256, "files": files,
            "recomputed": recomputed, "rerun": is_rerun, "checked": said.checked, "not_checked": said.not_checked,
        }),
    }
}
