//! `deckproof verify certificate.json`: judging a certificate again, and running it again.

use serde_json::json;

use crate::audit::plan::Shard;
use crate::certificate::rejudge::{Inconsistency, compare, rejudge};
use crate::certificate::words::{extent, verdict_sentence};
use crate::certificate::{AuditResult, Certificate, ReadError};
use crate::cli::audit::ask::{Wish, ask};
use crate::cli::audit::publish::exit_of;
use crate::cli::exit::{CouldNotSay, Exit};
use crate::cli::hands::certificate as hands;
use crate::cli::tool;
use crate::hands::certificate::HandsCertificate;
use crate::math::decimal::thousands;
use crate::session::Unwatched;

/// What to do with a certificate that another version of this program understands.
const OTHER_VERSION: &str =
    "Nothing is said about this certificate: judge it with the version of deckproof that it names.";

/// Whether the whole run is to be reproduced.
pub struct Rerun<'a> {
    /// Whether it is.
    pub is_wanted: bool,
    /// Recorded decks, supplied again, as `--source` takes them.
    pub source: Option<&'a str>,
}

/// What the check found, for text and JSON alike.
pub struct Checked {
    /// 0 consistent and pass, 1 inconsistent or not a pass, 2 inconclusive.
    pub exit: Exit,
    /// Sentences.
    pub text: String,
    /// The same for programs.
    pub json: serde_json::Value,
}

/// Judges a certificate again from its integers and, with `rerun`, reproduces the run and compares.
///
/// # Errors
/// [`CouldNotSay`] when the text is no certificate or the run cannot be had again.
pub fn verify(name: &str, bytes: &[u8], rerun: &Rerun) -> Result<Checked, CouldNotSay> {
    if is_of_hands(bytes) {
        let hands::Checked { exit, text, json } = hands::verify(name, bytes, rerun.is_wanted, rerun.source)?;
        return Ok(Checked { exit, text, json });
    }
    let (certificate, own) = judged(name, bytes)?;
    let said = &certificate.result;
    let found = match (&own, rerun.is_wanted) {
        (Ok(()), true) => compare(said, &run_again(said, rerun.source)?),
        _ => own,
    };
    Ok(match found {
        Ok(()) => consistent(name, &certificate, rerun.is_wanted),
        Err(inconsistency) => refused(name, &inconsistency.to_string()),
    })
}

/// Reads a certificate and judges it again. One that this program does not know, in its format or in a version of a
/// statistic, is not a broken one.
///
/// # Errors
/// [`CouldNotSay`].
pub fn judged(name: &str, bytes: &[u8]) -> Result<(Certificate, Result<(), Inconsistency>), CouldNotSay> {
    let certificate = read(name, bytes)?;
    let own = rejudge(&certificate.result);
    match own.as_ref().err().filter(|error| error.is_of_another_version()) {
        Some(error) => Err(CouldNotSay::new(format!("{name}: {error}"), OTHER_VERSION)),
        None => Ok((certificate, own)),
    }
}

/// Whether the bytes are the certificate of published hands, which has a format of its own.
pub fn is_of_hands(bytes: &[u8]) -> bool {
    matches!(Certificate::read(bytes), Err(ReadError::Format { found }) if HandsCertificate::is_format(&found))
}

/// Reads a certificate. One of another format is not a broken one.
///
/// # Errors
/// [`CouldNotSay`].
pub fn read(name: &str, bytes: &[u8]) -> Result<Certificate, CouldNotSay> {
    Certificate::read(bytes).map_err(|error| match error {
        ReadError::Format { .. } => CouldNotSay::new(format!("{name}: {error}"), OTHER_VERSION),
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

fn consistent(name: &str, certificate: &Certificate, rerun: bool) -> Checked {
    let said = &certificate.result;
    let how = if rerun {
        format!(
            "{} decks were dealt and counted again, and every integer is the same",
            thousands(said.decks())
        )
    } else {
        "every p-value and the verdict follow from its integers".to_owned()
    };
    let not_checked = not_checked(certificate, rerun);
    let mut text = format!("{name}: the certificate is consistent: {how}.\n");
    facts(certificate).iter().for_each(|fact| text += &format!("{fact}\n"));
    text += &format!("It says: {}\n", verdict_sentence(said));
    not_checked.iter().for_each(|sentence| text += &format!("Not checked: {sentence}\n"));
    Checked {
        exit: exit_of(said.verdict),
        text,
        json: json!({
            "verdict": "accepted", "code": null, "certificate_verdict": said.verdict, "decks": said.decks(),
            "family_p_value": said.deciding().family_p_value,
            "subject": said.plan.subject, "source": said.source, "source_words": said.source.to_string(), "decks_planned": said.plan.decks,
            "statistics": said.plan.extent(), "plan_sha256": said.plan_sha256, "tool": certificate.tool,
            "repeat": said.repeat.is_some(), "repeat_missing": said.repeat_missing, "rerun": rerun,
            "not_checked": not_checked,
        }),
    }
}

/// What was judged: source, decks, statistics, plan and tool.
fn facts(certificate: &Certificate) -> Vec<String> {
    let (result, tool) = (&certificate.result, &certificate.tool);
    let subject = result.plan.subject.iter();
    let mut facts: Vec<String> =
        subject.map(|subject| format!("Subject, as the plan says and nobody checked: {subject}.")).collect();
    facts.push(format!("Source: {}.", result.source));
    let planned = match result.plan.decks {
        Some(planned) => format!("the plan asked for {}", thousands(planned)),
        None => "the plan asked for all".to_owned(),
    };
    facts.push(format!("Decks: {}; {planned}.", extent(result)));
    facts.push(format!(
        "Statistics: {}, {} p-values.",
        result.plan.extent(),
        result.deciding().statistics.len()
    ));
    facts.push(format!("Plan SHA-256: {}.", result.plan_sha256));
    facts.push(format!("Tool: deckproof {}, commit {}.", tool.version, tool.commit));
    facts
}

/// What nobody, or not this call, has looked at.
fn not_checked(certificate: &Certificate, rerun: bool) -> Vec<String> {
    let mut sentences = Vec::new();
    match certificate.result.plan.source.abilities().rerun {
        _ if rerun => {}
        Err(reason) => sentences.push(format!(
            "that the integers are those of the source, which nobody can check: {reason}, and integers can be invented."
        )),
        Ok(()) => sentences.push(
            "that the integers are those of the source: integers can be invented, and judging them again shows only \
             that the arithmetic is right (--rerun counts the decks again)."
                .to_owned(),
        ),
    }
    let own = tool::describe();
    if own != certificate.tool {
        sentences.push(
            "the tool: this is another build of the program than the one the certificate names.".to_owned(),
        );
    }
    sentences
}

fn refused(name: &str, inconsistency: &str) -> Checked {
    Checked {
        exit: Exit::Refused,
        text: format!("{name}: the certificate is refused: {inconsistency}.\n"),
        json: json!({ "verdict": "refused", "code": "E_CERTIFICATE", "message": inconsistency }),
    }
}

/// Deals and counts everything once more.
fn run_again(said: &AuditResult, supplied: Option<&str>) -> Result<AuditResult, CouldNotSay> {
    let record = &said.plan.source;
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
    let stream_decks = match said.plan.decks {
        None if is_program => Some(said.first.decks + u64::from(said.first.tallies.is_empty())),
        _ => None,
    };
    let mut asked = ask(choice, &Wish::Agreed { plan: &said.plan, stream_decks }, Shard::WHOLE, None)?;
    Ok(asked.session.answer(tool::threads(None), &Unwatched)?)
}
