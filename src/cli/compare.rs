//! `deckproof compare A B`: whether one shuffler can have dealt two sets of decks.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::Args;
use serde_json::json;

use crate::audit::plan::Shard;
use crate::certificate::rejudge::rejudge;
use crate::certificate::{AuditResult, LIMITS};
use crate::cli::audit::options::TableOptions;
use crate::cli::audit::publish::{say, say_sentences};
use crate::cli::source::{self, SourceSettings};
use crate::cli::tool;
use crate::compare::shared::Seen;
use crate::compare::{CompareError, compare, selection, words};
use crate::file;
use crate::inspection::certificate;
use crate::session::Unwatched;
use crate::session::ask::{Wish, ask};
use crate::session::request::AuditRequest;
use crate::text::could_not_say::CouldNotSay;
use crate::text::exit::Exit;

/// Arguments of `deckproof compare`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The first set: decks as --source of `audit` takes them, or a certificate of `audit`.
    a: OsString,
    /// The second set.
    b: OsString,
    #[command(flatten)]
    settings: SourceSettings,
    /// The table at which the decks of both sets are dealt.
    #[command(flatten)]
    table: TableOptions,
    /// How many threads count. Default: all processors.
    #[arg(long, value_name = "N")]
    threads: Option<u16>,
    /// Print the outcome as one JSON object, with every p-value.
    #[arg(long)]
    json: bool,
}

/// One set, counted.
struct Side {
    result: AuditResult,
    /// Its decks, where they were read.
    seen: Option<Seen>,
    /// What was believed of it.
    not_checked: Option<String>,
}

/// Runs `deckproof compare`.
///
/// # Errors
/// [`CouldNotSay`]: decks that cannot be read, or audits that have nothing in common.
pub fn run(arguments: &Arguments) -> Result<Exit, CouldNotSay> {
    let mut sides = Vec::new();
    for text in [&arguments.a, &arguments.b] {
        match arguments.side(text)? {
            Ok(side) => sides.push(side),
            Err(refused) => {
                say_sentences(&refused)?;
                return Ok(Exit::Refused);
            }
        }
    }
    let mut comparison = compare(&sides[0].result, &sides[1].result).map_err(|error| {
        // Decks that were counted just now ended at a record that is none: that record is told.
        let broken = sides
            .iter()
            .zip([&arguments.a, &arguments.b])
            .find(|(side, _)| side.result.first.statistics.is_empty());
        if let (CompareError::NoCounts { .. }, Some((Side { result, not_checked: None, .. }, name))) =
            (&error, broken)
        {
            let proofs = result.first.proofs.join(" ");
            let found =
                format!("{} ends at a record that is no deck. {proofs}", file_name(name).unwrap_or_default());
            return CouldNotSay::new(
                found,
                "Nothing was compared; `deckproof audit` judges such a set by itself.",
            );
        }
        let advice = match error {
            CompareError::Same { .. } => "Give two sets of different decks.",
            CompareError::Tables { .. } => "Audit both at one table: --rules and --players.",
            _ => "Give the decks themselves in the place of certificates.",
        };
        CouldNotSay::new(error, advice)
    })?;
    if let [Some(a), Some(b)] = [&sides[0].seen, &sides[1].seen] {
        comparison = comparison.looked_through(a.shared(b));
    }
    for (source, text) in comparison.sources.iter_mut().zip([&arguments.a, &arguments.b]) {
        if let Some(name) = file_name(text) {
            *source = format!("{name}, {source}");
        }
    }
    let not_checked: Vec<String> = sides.iter().filter_map(|side| side.not_checked.clone()).collect();
    if arguments.json {
        let mut outcome = json!(comparison);
        let not_shown: Vec<String> = words::not_shown(&comparison).into_iter().chain(not_checked).collect();
        outcome["sentence"] = json!(words::verdict_sentence(&comparison));
        outcome["not_shown"] = json!(not_shown);
        say(&format!("{outcome}\n"))?;
    } else {
        say_sentences(&words::text(&comparison, &not_checked))?;
    }
    Ok(comparison.verdict.into())
}

/// The name of a set that is a file or a folder; other texts may hold a key.
fn file_name(text: &OsStr) -> Option<String> {
    Path::new(text).exists().then(|| text.to_string_lossy().into_owned())
}

impl Arguments {
    /// A certificate, judged again, or decks that are counted now; a refusal as a sentence.
    fn side(&self, text: &OsStr) -> Result<Result<Side, String>, CouldNotSay> {
        let path = Path::new(text);
        match path.extension().is_some_and(|extension| extension == "json") && path.is_file() {
            true => of_certificate(path),
            false => {
                let seen = Seen::new();
                let result = self.counted(text, &seen)?;
                Ok(Ok(Side { result, seen: Some(seen), not_checked: None }))
            }
        }
    }

    fn counted(&self, text: &OsStr, seen: &Seen) -> Result<AuditResult, CouldNotSay> {
        let choice = self.settings.ask(text)?;
        source::warn(choice.as_ref());
        let selection = selection(self.table.wishes().table(None)?);
        let request = AuditRequest::once(selection, choice.program_sha256()?);
        let mut asked = ask(seen.through(choice), &Wish::Request(&request), Shard::WHOLE, None)?;
        asked.sentences.iter().for_each(|sentence| crate::cli::screen::warn(sentence));
        Ok(asked.session.answer(tool::threads(self.threads), &Unwatched)?)
    }
}

fn of_certificate(path: &Path) -> Result<Result<Side, String>, CouldNotSay> {
    let name = path.display().to_string();
    let bytes = file::read_limited(path, LIMITS.bytes_max as u64)
        .map_err(|error| CouldNotSay::new(format!("{name}: {error}"), ""))?;
    let result = certificate::read(&name, &bytes)?.result;
    Ok(match rejudge(&result) {
        Err(error) if error.is_of_another_version() => {
            return Err(CouldNotSay::new(format!("{name}: {error}"), "Compare the decks themselves."));
        }
        Err(error) => Err(format!("{name}: the certificate is refused: {error}. Nothing was compared.\n")),
        Ok(()) => Ok(Side {
            result,
            seen: None,
            not_checked: Some(format!(
                "that the integers of {name} are those of its decks: integers can be invented (verify --rerun counts them again)."
            )),
        }),
    })
}
