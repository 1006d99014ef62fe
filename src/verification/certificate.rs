//! A certificate judged again from its integers and, where that is wanted, run again.

use crate::verification::plan::{self, FixedBefore};
use crate::verification::references::JudgedBy;
use crate::verification::{Checked, OTHER_VERSION, hands};
use deckproof_audit::audit::plan::Shard;
use deckproof_audit::certificate::rejudge::{Inconsistency, compare, rejudge};
use deckproof_audit::certificate::{AuditResult, Certificate, ReadError, Tool};
use deckproof_audit::hands::certificate::HandsCertificate;
use deckproof_audit::session::Unwatched;
use deckproof_audit::session::ask::{PlanToRun, ask};
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_report::rendering::audit::checked::{consistent, consistent_json};

/// What to do with the certificate of a stream, where other bytes came.
const OTHER_DECKS: &str = "This says nothing about the certificate: a random program deals other decks every time, and the same decks that \
                           are written otherwise are other bytes. Give the very bytes that were counted, or leave out --rerun.";

/// Judges a certificate again from its integers and, where that is wanted, reproduces the run and compares.
///
/// # Errors
/// [`CouldNotSay`] when the text is no certificate or the run cannot be had again.
pub fn verify(name: &str, bytes: &[u8], wanted: &JudgedBy, is_alone: bool) -> Result<Checked, CouldNotSay> {
    if is_of_hands(bytes) {
        return hands::verify(name, bytes, wanted, is_alone);
    }
    let JudgedBy { rerun, words, by, .. } = wanted;
    let (certificate, own) = judged(name, bytes, &(by.tool)())?;
    let result = &certificate.result;
    let found = match (&own, rerun.is_wanted) {
        (Ok(()), true) => {
            let again = run_again(result, rerun.one_source()?, by.threads)?;
            if let Some(other) = other_stream(result, &again) {
                return Err(CouldNotSay::new(format!("{name}: {other}"), OTHER_DECKS));
            }
            compare(result, &again)
        }
        _ => own,
    };
    Ok(match found {
        Ok(()) => {
            let own = (by.tool)();
            let claims = result.claims(rerun.is_wanted);
            let (sha256, sources) = (result.plan_sha256.as_str(), &[&result.plan.source]);
            let fixed = FixedBefore { sha256, sources, audits: &[] };
            let (claims, plan) = plan::claimed(name, &fixed, claims, wanted, is_alone)?;
            let plan = plan.as_deref();
            Checked::of(
                &claims,
                consistent(name, &certificate, &own, rerun.is_wanted, plan, words),
                consistent_json(&certificate, &own, rerun.is_wanted, &claims, plan),
            )
            .of_plan(sha256)
        }
        Err(inconsistency) => Checked::contradictory(name, &inconsistency.to_string(), words),
    })
}

/// Reads a certificate and judges it again. One that this program does not know, in its format, in a version of a
/// statistic or in the words of another build, is not a broken one.
pub fn judged(
    name: &str,
    bytes: &[u8],
    own: &Tool,
) -> Result<(Certificate, Result<(), Inconsistency>), CouldNotSay> {
    let certificate = read(name, bytes)?;
    let judged = rejudge(&certificate.result);
    match judged.as_ref().err().filter(|error| error.is_of_another_build(&certificate.tool, own)) {
        Some(error) => Err(CouldNotSay::new(format!("{name}: {error}"), OTHER_VERSION)),
        None => Ok((certificate, judged)),
    }
}

/// Whether the bytes are the certificate of published hands, which has a format of its own.
pub fn is_of_hands(bytes: &[u8]) -> bool {
    matches!(Certificate::read(bytes), Err(ReadError::Format(found)) if HandsCertificate::is_format(&found))
}

/// Reads a certificate. One of another format is not a broken one.
pub fn read(name: &str, bytes: &[u8]) -> Result<Certificate, CouldNotSay> {
    Certificate::read(bytes).map_err(|error| match error {
        ReadError::Format(_) => CouldNotSay::new(format!("{name}: {error}"), OTHER_VERSION),
        error if bytes.trim_ascii_start().first() != Some(&b'{') => CouldNotSay::new(
            format!("{name} is no certificate: {error}"),
            "Wanted the certificate.json that deckproof audit, merge or hands wrote.",
        ),
        error => CouldNotSay::new(
            format!("{name}: this certificate cannot be read: {error}"),
            "A file that was cut off or altered has to be had again; a bundle of a hand is read by deckproof verify.",
        ),
    })
}

/// That other bytes were read than those of the stream that was certified; nothing of any other source, which is opened only
/// where it is the one of the plan. A stream that gives other decks owes the first ones to nobody, so nothing follows for
/// the certificate.
pub(super) fn other_stream(result: &AuditResult, again: &AuditResult) -> Option<String> {
    let sha256 = |result: &AuditResult| result.source.text("sha256").unwrap_or_default().to_owned();
    let (wanted, found) = (sha256(result), sha256(again));
    (result.plan.source.is_stream() && (wanted.is_empty() || wanted != found)).then(|| {
        format!("these are other decks than those of the certificate: found a stream with SHA-256 {found:?}, wanted {wanted:?}")
    })
}

/// Deals and counts everything once more.
fn run_again(
    result: &AuditResult,
    supplied: Option<&str>,
    threads: usize,
) -> Result<AuditResult, CouldNotSay> {
    let record = &result.plan.source;
    let choice = match supplied {
        Some(source) if record.abilities().is_supplied => record.ask_supplied(source.as_ref())?,
        Some(_) => {
            return Err(CouldNotSay::new(format!("the certificate is of {record}"), "Leave out --source."));
        }
        None => match record.abilities().rerun {
            Ok(()) => record.ask()?,
            Err(reason) => {
                return Err(CouldNotSay::new(reason, "Its tallies can be judged again: leave out --rerun."));
            }
        },
    };
    // A stream was read to its end; a program that gives the same bytes may have no end.
    let is_program = choice.program_sha256()?.is_some();
    let stream_decks = match result.plan.decks {
        None if is_program => Some(result.first.decks + u64::from(result.first.tallies.is_empty())),
        _ => None,
    };
    let mut asked = ask(choice, &PlanToRun::Agreed { plan: &result.plan, stream_decks }, Shard::WHOLE, None)?;
    Ok(asked.session.answer(threads, &Unwatched)?)
}
