//! A report package, recomputed from what it keeps.

mod signing;

use std::path::Path;

use serde_json::json;

use crate::verification::package::signing::PackageSignature;
use crate::verification::pairs::examined::record_of;
use crate::verification::recount::{Recount, Supplied, count_again};
use crate::verification::references::JudgedBy;
use crate::verification::{Checked, Inspector, plan};
use deckproof_audit::manifest::signature::Signers;
use deckproof_audit::source::record::SourceRecord;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_files::file::read_limited;
use deckproof_lab::project::archive::{ARCHIVE_BYTES_MAX, Archive};
use deckproof_lab::project::between::Fingerprints;
use deckproof_lab::project::check::{Consistent, Fault, FaultKind, Shelf, check_content, listed};
use deckproof_lab::project::content::observed;
use deckproof_lab::project::facts::claims::{self as report, NEEDED};
use deckproof_lab::project::frozen::{Frozen, FrozenError};
use deckproof_lab::project::package::inputs::{certificate_name, is_same_claim, raw_name};
use deckproof_lab::project::package::{FILE_BYTES_MAX, SUMS};
use deckproof_lab::project::raw;
use deckproof_lab::project::renderings::renderings;
use deckproof_lab::project::run::examine;
use deckproof_lab::project::supplied::pairs::{pairs_name, table_name};
use deckproof_lab::project::supplied::words_name;
use deckproof_report::document::words::Words;
use deckproof_verify::claim::{Claim, ClaimGap, ClaimSubject, Claims, Witness};

/// What a hand in dispute is packed with: its presence makes an archive a case, and no package.
pub const CASE: &str = "case.json";

/// The frozen plan.
const PLAN: &str = "plan.toml";

/// What happened while the project ran.
const RUNS: &str = "runs.json";

/// What a contradiction is called.
const CODE: &str = "E_PACKAGE";

/// What was checked of a package, and what was not.
struct Coverage {
    signature: PackageSignature,
    /// Whether the reader named whom he trusts, so that the head needs the signature.
    needs_signature: bool,
    /// Whether the decks were to be counted again, so that the head needs the counts.
    needs_counts: bool,
    unlisted: Vec<String>,
    checked: Vec<String>,
    not_checked: Vec<String>,
}

impl Coverage {
    /// The signature alone.
    fn of(signature: PackageSignature, signers: Option<&Signers>, words: &Words) -> Coverage {
        let own = &words.package;
        let identity = signers.map_or("", |signers| &signers.identity);
        let (checked, not_checked) = match &signature {
            PackageSignature::Absent => (None, Some(own.unsigned.to_owned())),
            PackageSignature::OfUnnamed => (None, Some(own.who_signed.to_owned())),
            PackageSignature::OfNamed => (Some(own.signed_by(identity)), None),
            PackageSignature::Expired(day) => (None, Some(own.expired(identity, &words.date(*day)))),
        };
        Coverage {
            signature,
            needs_signature: signers.is_some(),
            needs_counts: false,
            unlisted: Vec::new(),
            checked: checked.into_iter().collect(),
            not_checked: not_checked.into_iter().collect(),
        }
    }
}

/// Checks the package of a ZIP file, without writing any of it.
///
/// # Errors
/// As [`verify`], and an archive that cannot be read.
pub fn verify_archive(
    name: &str,
    path: &Path,
    wanted: &JudgedBy,
    is_alone: bool,
) -> Result<Checked, CouldNotSay> {
    let bytes = read_limited(path, ARCHIVE_BYTES_MAX)
        .map_err(|error| CouldNotSay::new(format!("{name}: {error}"), ""))?;
    match Archive::read(&bytes) {
        Ok(archive) => verify(name, &archive, wanted, is_alone),
        Err(error) if error.is_forged() => {
            let own = &wanted.words.package;
            let what = own.fault_archive(&error.to_string());
            Ok(refused(own.refused(name, &what), &what))
        }
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
pub fn verify(
    name: &str,
    shelf: &dyn Shelf,
    wanted: &JudgedBy,
    is_alone: bool,
) -> Result<Checked, CouldNotSay> {
    let JudgedBy { rerun, words, by, .. } = wanted;
    let signers = wanted.signers.as_ref();
    let names = shelf.names().map_err(|error| CouldNotSay::new(format!("{name}: {error}"), ""))?;
    check_kind(name, &names)?;
    if let Some(found) = unfinished(shelf, &names) {
        return judge_unfinished(name, found, words);
    }
    // A forger of a package alters its checksums or not: that is seen before any version of the program is asked.
    let listed = match listed(shelf) {
        Ok(listed) => listed,
        Err(fault) => return refused_for(name, &fault, words),
    };
    let signature = signing::read(name, shelf, &names)?;
    let signature = match signing::judge((name, signature.as_deref()), (shelf, &listed), signers, words)? {
        Ok(signature) => signature,
        Err(fault) => return Ok(contradicted(name, &fault, words)),
    };
    let mut coverage = Coverage {
        unlisted: listed.unlisted.clone(),
        needs_counts: rerun.is_wanted,
        ..Coverage::of(signature, signers, words)
    };
    let consistent = match check_content(shelf, listed, &renderings(), &(by.tool)()) {
        Ok(consistent) => consistent,
        Err(fault) if fault.is_of_another_version => {
            let so_far = format!("{} {}", words.package.sums_hold, coverage.checked.join(" "));
            let advice = format!(
                "{} This says nothing more about the package: judge it with the version of deckproof that it names.",
                so_far.trim()
            );
            return Err(CouldNotSay::new(format!("{name}: {fault}"), &advice));
        }
        Err(fault) => return refused_for(name, &fault, words),
    };
    match replayed(&consistent, by, words)? {
        Ok(sentences) => coverage.checked.extend(sentences),
        Err(fault) => return Ok(contradicted(name, &fault, words)),
    }
    let counted: Vec<String> = consistent.inputs.words().map(|(item, _)| words_name(item)).collect();
    if !counted.is_empty() {
        coverage.not_checked.push(words.supplied.counts_of_file(&words.list(&counted)));
    }
    if consistent.inputs.tests.iter().any(|test| test.output.is_some()) {
        coverage.not_checked.push(words.tested.not_again.to_owned());
    }
    if !rerun.is_wanted {
        coverage.not_checked.push(words.package.integers.to_owned());
        return accepted(name, &consistent, coverage, false, wanted, is_alone);
    }
    match run_again(&mut coverage, &consistent, wanted)? {
        Err(fault) => Ok(contradicted(name, &fault, words)),
        // What was to be counted again and was not, is needed all the same.
        Ok(is_whole) => accepted(name, &consistent, coverage, is_whole, wanted, is_alone),
    }
}

/// That files of these names are a report package.
fn check_kind(name: &str, names: &[String]) -> Result<(), CouldNotSay> {
    if names.iter().any(|own| own == CASE) {
        return Err(CouldNotSay::new(
            format!("{name}: this is the case of a hand in dispute"),
            "deckproof dispute --check FILE judges it; of an unpacked one give the bundles.",
        ));
    }
    if ![SUMS, "report.json", PLAN].iter().any(|file| names.iter().any(|own| own == file)) {
        return Err(CouldNotSay::new(
            format!("{name}: it holds none of {SUMS}, report.json and plan.toml"),
            "Give the folder or the ZIP file that deckproof certify wrote, or a folder with bundles or certificates (.json).",
        ));
    }
    Ok(())
}

/// Missing certificates, or files beside the package, that are named.
const MISSING_NAMED: usize = 3;

/// What is there and what is missing of a project that was frozen and has no report yet; a frozen plan that contradicts
/// itself is a fault, finished or not.
fn unfinished(shelf: &dyn Shelf, names: &[String]) -> Option<Result<String, FrozenError>> {
    let has = |wanted: &str| names.iter().any(|own| own == wanted);
    if !has(PLAN) || [SUMS, "report.json"].iter().any(|file| has(file)) {
        return None;
    }
    let read = shelf.read(PLAN, FILE_BYTES_MAX).map_err(|error| error.to_string());
    let text = read.and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()));
    let frozen = text.map_err(FrozenError::Text).and_then(|text| Frozen::parse(&text));
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

/// An unfinished package cannot be judged; only a frozen plan that contradicts itself refuses it.
fn judge_unfinished(
    name: &str,
    found: Result<String, FrozenError>,
    words: &Words,
) -> Result<Checked, CouldNotSay> {
    match found {
        Ok(found) => {
            let advice = "This says nothing about the package or the shuffler. The command that began it (deckproof certify with \
                          the same --project and --out) goes on where it stopped.";
            Err(CouldNotSay::new(format!("{name}: {found}"), advice))
        }
        Err(fault @ FrozenError::Version { .. }) => {
            let advice = "This says nothing about it: judge it with the version of deckproof that froze it.";
            Err(CouldNotSay::new(format!("{name}: {PLAN}: {fault}"), advice))
        }
        Err(fault) => {
            let what = words.package.fault_unsound(PLAN, &fault.to_string());
            Ok(contradicted(name, &what, words))
        }
    }
}

/// The fault in words; for programs it is the same in every language. What a copy does to a package says nothing against it.
fn refused_for(name: &str, fault: &Fault, words: &Words) -> Result<Checked, CouldNotSay> {
    let own = &words.package;
    let (file, what) = (&fault.file, &fault.what);
    let altered = |sentence: String| Ok(refused(own.refused(name, &sentence), &fault.to_string()));
    let unsound = |sentence: String| Ok(refused(own.contradicts(name, &sentence), &fault.to_string()));
    match fault.kind {
        FaultKind::Checksum => altered(own.fault_checksum(file, what)),
        FaultKind::Foreign => altered(own.fault_foreign(file, what)),
        FaultKind::Missing => unsound(own.fault_missing(file, what)),
        FaultKind::Derived => unsound(own.fault_derived(file, what)),
        FaultKind::Unsound => unsound(own.fault_unsound(file, what)),
        FaultKind::Lost => unjudged(name, &own.fault_missing(file, what), NOT_WHOLE),
        FaultKind::Cut => unjudged(name, &own.fault_cut(file), NOT_WHOLE),
        FaultKind::LineEnds => unjudged(name, &own.fault_line_ends(file), OTHER_LINE_ENDS),
    }
}

/// What to do where a file was lost on its way.
const NOT_WHOLE: &str =
    "The package is not whole, which says nothing against its report: ask for it again, best as a ZIP file.";

/// What to do where a program took a file for a text and wrote it with other line ends.
const OTHER_LINE_ENDS: &str =
    "This says nothing against its report: copy the package again in binary mode, best as a ZIP file.";

fn unjudged<T>(name: &str, sentence: &str, advice: &str) -> Result<T, CouldNotSay> {
    Err(CouldNotSay::new(format!("{name}: {sentence}"), advice))
}

fn contradicted(name: &str, fault: &str, words: &Words) -> Checked {
    refused(words.package.contradicts(name, fault), fault)
}

fn refused(sentence: String, fault: &str) -> Checked {
    let claims = Claims::new(vec![Claim::contradicted(ClaimSubject::Form, CODE, fault)], &[]);
    let json = json!({ "verdict": "refused", "code": CODE, "message": fault, "claims": claims });
    Checked::of(&claims, sentence + "\n", json)
}

/// Replays every customer's table that the package keeps. Another build may know other methods that give the same decks.
fn replayed(
    consistent: &Consistent,
    by: &Inspector,
    words: &Words,
) -> Result<Result<Vec<String>, String>, CouldNotSay> {
    let inputs = &consistent.inputs;
    let own = (by.tool)();
    let is_own_build = (&own.version, &own.commit) == (&inputs.runs.tool.version, &inputs.runs.tool.commit);
    let mut sentences = Vec::new();
    for (item, record, table) in inputs.pairs() {
        let asked = inputs.project.item.iter().find(|own| own.id == item).and_then(|own| own.pairs.as_ref());
        let again = asked.map(|asked| record_of(asked, table)).transpose()?;
        let is_same = again.is_some_and(|again| {
            if is_own_build { again == *record } else { again.without_others() == record.without_others() }
        });
        if !is_same {
            return Ok(Err(words.supplied.replayed_otherwise(&pairs_name(item))));
        }
        sentences.push(words.supplied.replayed(&table_name(item), record.decks));
    }
    Ok(Ok(sentences))
}

/// Deals and counts everything once more, and runs the selftest; whether all audits were counted again, in the error what is not
/// the same.
fn run_again(
    coverage: &mut Coverage,
    consistent: &Consistent,
    wanted: &JudgedBy,
) -> Result<Result<bool, String>, CouldNotSay> {
    let JudgedBy { rerun, words, by, .. } = wanted;
    let inputs = &consistent.inputs;
    let supplied = Supplied::of(rerun, inputs)?;
    // Audits whose decks were not handed in, that nobody can hand in, of which others came, and that the package keeps.
    let (mut decks, mut kept) = (0, 0);
    let (mut missing, mut gone, mut others) = (Vec::new(), Vec::new(), Vec::new());
    let mut seen = Fingerprints::default();
    for (place, (own, certificate)) in inputs.frozen.audits.iter().zip(&inputs.certificates).enumerate() {
        let (audit, counted) = (own.id.as_str(), certificate.result.decks());
        match count_again(inputs, (place, own, certificate), &supplied, (by.threads, &mut seen))? {
            Recount::Same => decks += counted,
            Recount::SameAsKept => kept += counted,
            Recount::Differs(what) => {
                return Ok(Err(words.package.counted_otherwise(&certificate_name(audit), &what)));
            }
            Recount::OtherDecks => others.push(audit),
            Recount::Missing => missing.push(audit),
            Recount::Gone => gone.push(audit),
        }
    }
    if let Some(stated) =
        inputs.runs.between.as_ref().filter(|_| missing.len() + gone.len() + others.len() == 0)
    {
        let again = seen.between(&inputs.frozen);
        if again.compared == stated.compared && again != *stated {
            return Ok(Err(words.package.compared_otherwise(RUNS)));
        }
    }
    for (asked, record) in inputs.frozen.raw.iter().zip(&inputs.raw) {
        let key = asked.key.parse().map_err(|error| CouldNotSay::new(error, ""))?;
        if raw::count(asked, &key) != *record {
            return Ok(Err(words.package.words_otherwise(&raw_name(&asked.item))));
        }
    }
    let again = examine(inputs.frozen.selftest, (by.tool)(), by.threads)?.checks;
    let is_same = again.len() == inputs.selftest.checks.len()
        && again.iter().zip(&inputs.selftest.checks).all(|(own, stated)| is_same_claim(own, stated));
    if !is_same {
        return Ok(Err(words.package.selftest_otherwise.to_owned()));
    }
    match (decks, inputs.raw.is_empty()) {
        (0, true) => {}
        (decks, true) => coverage.checked.push(words.package.decks_again(decks)),
        (decks, false) => coverage.checked.push(words.package.counted_again(decks)),
    }
    if kept > 0 {
        coverage.checked.push(words.package.kept_again(kept));
        coverage.not_checked.push(words.package.kept_whose.to_owned());
    }
    let own = &words.package;
    let [missing, gone, others] = [&missing, &gone, &others].map(|audits| audits.join(", "));
    let open = [
        (!missing.is_empty()).then(|| own.supplied(&missing)),
        (!gone.is_empty()).then(|| own.gone(&gone)),
        (!others.is_empty()).then(|| own.other_decks(&others)),
    ];
    let is_whole = open.iter().all(Option::is_none);
    coverage.not_checked.extend(open.into_iter().flatten());
    Ok(Ok(is_whole))
}

/// What the judgement of a package rests on.
fn claims(consistent: &Consistent, coverage: &Coverage, is_rerun: bool) -> Claims {
    let mut all = vec![Claim::shown(ClaimSubject::Form, Witness::Computation)];
    all.extend(report::claims(&consistent.inputs, &consistent.facts).into_iter().map(|claim| {
        match claim.subject {
            ClaimSubject::Counts if is_rerun => Claim::shown(ClaimSubject::Counts, Witness::Computation),
            _ => claim,
        }
    }));
    all.push(match coverage.signature {
        PackageSignature::OfNamed => Claim::shown(ClaimSubject::Signature, Witness::Signer),
        PackageSignature::Expired(_) => Claim::not_looked_at(ClaimSubject::Signature, ClaimGap::KeyExpired),
        PackageSignature::Absent | PackageSignature::OfUnnamed => {
            Claim::not_looked_at(ClaimSubject::Signature, ClaimGap::NothingGiven)
        }
    });
    let mut needed = vec![ClaimSubject::Form];
    needed.extend(NEEDED);
    needed.extend(coverage.needs_signature.then_some(ClaimSubject::Signature));
    needed.extend(coverage.needs_counts.then_some(ClaimSubject::Counts));
    // Another report may stand beside a sound one, and its reader would take that for verified.
    let beside = (!coverage.unlisted.is_empty()).then_some(ClaimSubject::AllRead);
    all.extend(beside.map(|subject| Claim::not_looked_at(subject, ClaimGap::Unread)));
    needed.extend(beside);
    Claims::new(all, &needed)
}

fn accepted(
    name: &str,
    consistent: &Consistent,
    mut coverage: Coverage,
    is_rerun: bool,
    wanted: &JudgedBy,
    is_alone: bool,
) -> Result<Checked, CouldNotSay> {
    let words = wanted.words;
    let Consistent { inputs, facts, files, recomputed, not_recomputed, .. } = consistent;
    let own = &words.package;
    coverage.not_checked.extend(not_recomputed.iter().map(|file| own.page(file)));
    let (verdict, decks) = (observed::headline(words, facts.headline), facts.decks);
    let (number, revision) = (&inputs.project.report.number, u64::from(facts.revision));
    let mut lines = vec![own.consistent(name, verdict, *files as u64, *recomputed as u64)];
    let named = words.list(&coverage.unlisted[..coverage.unlisted.len().min(MISSING_NAMED)]);
    let unlisted = (!named.is_empty()).then(|| own.unlisted(coverage.unlisted.len() as u64, &named));
    lines[0].extend(unlisted.iter().map(|sentence| format!(" {sentence}")));
    lines.extend(coverage.checked.iter().cloned());
    lines.push(own.says(verdict, number, revision, facts.audits.len() as u64, decks));
    lines.extend(observed::against(inputs, facts, words));
    lines.extend(observed::revised(inputs, facts, words));
    lines.push(own.campaign(&facts.campaign_sha256));
    let claims = claims(consistent, &coverage, is_rerun);
    let sources: Vec<&SourceRecord> = inputs.frozen.audits.iter().map(|audit| &audit.plan.source).collect();
    let (sha256, sources, audits) = (&*facts.campaign_sha256, &*sources, &*inputs.frozen.audits);
    let fixed = plan::FixedBefore { sha256, sources, audits };
    let (claims, plan) = plan::claimed(name, &fixed, claims, wanted, is_alone)?;
    coverage.not_checked.extend(plan.is_none().then(|| own.plan_time.to_owned()));
    coverage.not_checked.extend((!inputs.amendments.is_empty()).then(|| own.earlier_revisions.to_owned()));
    coverage.not_checked.extend([own.people.to_owned(), own.first_one.to_owned()]);
    lines.extend(plan);
    lines.extend(coverage.not_checked.iter().map(|sentence| own.not_checked(sentence)));
    coverage.not_checked.extend(unlisted);
    let text = lines.join("\n") + "\n";
    Ok(Checked::of(
        &claims,
        text,
        json!({
            "claims": claims,
            "verdict": "consistent", "code": null, "package_verdict": facts.verdict, "headline": facts.headline,
            "observations": facts.observations, "report": inputs.project.report.number,
            "revision": facts.revision, "campaign_sha256": facts.campaign_sha256, "files": files,
            "recomputed": recomputed, "rerun": is_rerun, "checked": coverage.checked, "not_checked": coverage.not_checked,
        }),
    )
    .of_plan(sha256))
}
