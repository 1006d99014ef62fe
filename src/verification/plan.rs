//! What shows that a plan was made before its data: its hash, as the reader kept it or as a receipt of a log has it.

use crate::verification::references::{Given, JudgedBy};
use deckproof_audit::source::record::SourceRecord;
use deckproof_deck::commitment::digest::{Digest, leaf_hash};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_lab::project::facts::premises::holds_decks;
use deckproof_lab::project::frozen::FrozenAudit;
use deckproof_report::document::words::Words;
use deckproof_report::rendering::bundle::utc;
use deckproof_verify::claim::{Claim, ClaimSubject, Claims, Otherwise, Witness};
use deckproof_verify::verify::before::Saved;

/// A plan of which something was kept: the claim, and the same as a sentence.
struct KeptPlan {
    claim: Claim,
    sentence: String,
}

/// What was fixed before the data, by its SHA-256: one plan, or the campaign of a package.
pub(super) struct FixedBefore<'a> {
    pub sha256: &'a str,
    pub sources: &'a [&'a SourceRecord],
    /// Of a package, whose campaign holds their plans.
    pub audits: &'a [FrozenAudit],
}

/// The claims of a judgement with that of what was `fixed`, as what the reader kept shows it. `is_alone` says that nothing else
/// is judged, so that what is of another plan is a slip.
///
/// # Errors
/// [`CouldNotSay`]: what was kept is of something else, or is no receipt of the trusted log.
pub(super) fn claimed(
    name: &str,
    fixed: &FixedBefore,
    claims: Claims,
    wanted: &JudgedBy,
    is_alone: bool,
) -> Result<(Claims, Option<String>), CouldNotSay> {
    let (given, words) = (&wanted.saved, wanted.words);
    if is_alone && !given.opened.is_empty() {
        return Err(CouldNotSay(format!("{name}: --opened is about a hand, and this is no bundle of one")));
    }
    let logged = logged(name, fixed.sha256, given, is_alone, words)?;
    let saved = saved(name, fixed, given, is_alone, words)?;
    Ok(match logged.or(saved) {
        // A plan cannot hold the hash of decks that are still to come.
        Some(_) if fixed.sources.iter().any(|source| holds_decks(source)) => {
            (claims, Some(words.certificate.plan_after.to_owned()))
        }
        Some(KeptPlan { claim, sentence }) => (claims.with(claim), Some(sentence)),
        None => (claims, None),
    })
}

fn saved(
    name: &str,
    FixedBefore { sha256, audits, .. }: &FixedBefore,
    given: &Given,
    is_alone: bool,
    words: &Words,
) -> Result<Option<KeptPlan>, CouldNotSay> {
    let is_given = |sha256: &str| {
        let own = Digest::from_hex(sha256).map(Saved::Hash).expect("a hash of a plan that was read");
        given.saved().any(|saved| *saved == own)
    };
    if is_given(sha256) {
        let claim = Claim::shown(ClaimSubject::PlanFixed, Witness::Saved { is_entry: false });
        let claim = claim.or(Otherwise::SavedLater).or(Otherwise::UnsignedWord);
        return Ok(Some(KeptPlan { claim, sentence: words.certificate.plan_saved.to_owned() }));
    }
    if is_alone && !given.committed.is_empty() {
        let kind = if audits.is_empty() { "Plan" } else { "campaign" };
        let found = match audits.iter().find(|audit| is_given(&audit.plan_sha256)) {
            Some(audit) => format!("that of the plan of its audit {}", audit.id),
            None => "another number".to_owned(),
        };
        Err(CouldNotSay::new(
            format!("{name}: its {kind} SHA-256 is {sha256}, and --committed gives {found}"),
            "Digits that were typed wrong, another plan than the one you were given, or the SHA-256 of the file plan.toml, which is another number: \
             compare them. This says nothing against it.",
        ))
    } else {
        Ok(None)
    }
}

/// The entry of a log that holds a plan: its SHA-256 as 64 digits, and a line feed.
pub fn line_of(sha256: &str) -> String {
    format!("{sha256}\n")
}

fn logged(
    name: &str,
    sha256: &str,
    given: &Given,
    is_alone: bool,
    words: &Words,
) -> Result<Option<KeptPlan>, CouldNotSay> {
    let Some(trust) = &given.trust else { return Ok(None) };
    let leaf = leaf_hash(&line_of(sha256));
    for (file, receipt) in &given.receipts {
        let logged = match receipt.check(&leaf, trust, &format!("receipt {file}")) {
            Ok(logged) => logged,
            Err(_) if !is_alone => continue,
            Err(fault) => {
                return Err(CouldNotSay::new(
                    format!(
                        "{name}: the receipt {file} does not show the SHA-256 of its plan, {sha256}: {}",
                        fault.message
                    ),
                    "The entry of the log has to be these 64 digits and a line feed. This says nothing against the certificate.",
                ));
            }
        };
        let (own, index) = (&words.certificate, logged.index);
        let subject = ClaimSubject::PlanFixed;
        return Ok(Some(match logged.witnessed.quorum_time {
            Some(time) => KeptPlan {
                claim: Claim::shown(subject, Witness::Quorum { time }).or(Otherwise::WitnessesNotIndependent),
                sentence: own.plan_quorum(&trust.origin, index, &utc(time)),
            },
            None => KeptPlan {
                claim: Claim::shown(subject, Witness::Receipt { name: file.clone() })
                    .or(Otherwise::SavedLater),
                sentence: own.plan_receipt(file, &trust.origin, index),
            },
        }));
    }
    Ok(None)
}
