//! `deckproof verify certificate.json`: judging a certificate again, and running it again.

use serde_json::json;

use crate::audit::plan::Shard;
use crate::certificate::rejudge::{compare, rejudge};
use crate::certificate::words::verdict_sentence;
use crate::certificate::{AuditResult, Certificate, LIMITS};
use crate::cli::audit::ask::{Wish, ask};
use crate::cli::audit::publish::exit_of;
use crate::cli::exit::{CouldNotSay, Exit};
use crate::cli::tool;
use crate::json::outermost_keys;
use crate::math::decimal::thousands;
use crate::session::Unwatched;

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
    let unreadable = |error: &dyn std::fmt::Display| {
        CouldNotSay::new(format!("{name}: this certificate cannot be read: {error}"), "")
    };
    outermost_keys(bytes, LIMITS).map_err(|error| unreadable(&error))?;
    let certificate: Certificate = serde_json::from_slice(bytes).map_err(|error| unreadable(&error))?;
    let said = &certificate.result;
    let own = rejudge(said);
    let found = match (&own, rerun.is_wanted) {
        (Ok(()), true) => compare(said, &run_again(said, rerun.source)?),
        _ => own,
    };
    Ok(match found {
        Ok(()) => consistent(name, said, rerun.is_wanted),
        Err(inconsistency) => refused(name, &inconsistency.to_string()),
    })
}

fn consistent(name: &str, said: &AuditResult, rerun: bool) -> Checked {
    let how = if rerun {
        format!(
            "{} decks were dealt and counted again, and every integer is the same",
            thousands(said.decks())
        )
    } else {
        "every p-value and the verdict follow from its integers; the decks were not dealt again (--rerun does that)"
            .to_owned()
    };
    let not_checked: &[&str] =
        if rerun { &[] } else { &["that the integers are those of the source (--rerun)"] };
    Checked {
        exit: exit_of(said.verdict),
        text: format!("{name}: the certificate is consistent: {how}.\nIt says: {}\n", verdict_sentence(said)),
        json: json!({
            "verdict": "accepted", "code": null, "certificate_verdict": said.verdict, "decks": said.decks(),
            "family_p_value": said.deciding().family_p_value,
            "repeat": said.repeat.is_some(), "repeat_missing": said.repeat_missing, "rerun": rerun, "not_checked": not_checked,
        }),
    }
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
