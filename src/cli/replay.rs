//! `deckproof replay`: recorded hands played through and judged.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::CliError;
use crate::cli::screen;
use crate::file;
use crate::presentation::ruling::{story, verdict};
use crate::stud::history::History;
use crate::stud::history::phh::{self, NamedHand};
use crate::stud::history::pokerstars;
use crate::stud::judge::{Ruling, judge};
use crate::stud::readings::{self, Reading};
use crate::stud::rules::RuleSet;
use crate::text::exit::Exit;
use crate::text::visible;

/// Most bytes of a file of hands.
const FILE_BYTES_MAX: u64 = 256 << 20;

#[derive(Args)]
pub(super) struct Arguments {
    /// Poker Hand History files (.phh or .phhs); - is standard input.
    #[arg(required = true, value_name = "HAND")]
    hands: Vec<PathBuf>,
    /// The rule set [default: the one the record names, else the first that plays its variant].
    #[arg(long, value_name = "NAME")]
    rules: Option<String>,
    /// Fix a reading the text leaves open, such as odd_chip=left_of_dealer.
    #[arg(long = "reading", value_name = "NAME=VALUE")]
    readings: Vec<String>,
    /// Print one JSON object a hand.
    #[arg(long)]
    json: bool,
}

/// What was typed, understood.
struct Settings {
    rules: Option<&'static RuleSet>,
    fixed: Vec<(Reading, String)>,
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    let usage = |error: readings::ReadingError| CliError::Usage(format!("--reading: {error}"));
    let fixed: Result<Vec<_>, _> =
        arguments.readings.iter().map(|text| readings::parse(text).map_err(usage)).collect();
    let rules = arguments.rules.as_deref().map(|name| named(name).map_err(CliError::Usage)).transpose()?;
    let settings = Settings { rules, fixed: fixed?, json: arguments.json };
    let mut out = io::BufWriter::new(screen::out());
    let mut exit = Exit::Passed;
    for path in &arguments.hands {
        let text = read(path)?;
        if pokerstars::is_export(&text) {
            let advice = "this is an export of a poker room; read it with deckproof hands";
            return Err(CliError::Usage(format!("{}: {advice}", path.display())));
        }
        let hands = match phh::parse_file(&text) {
            Ok(hands) => hands,
            Err(error) => vec![(String::new(), Err(error))],
        };
        let several = arguments.hands.len() > 1 || hands.len() > 1;
        for hand in hands {
            let label = several.then(|| label(path, &hand.0));
            exit = exit.and(replay(&mut out, label.as_deref(), &hand, &settings)?);
        }
    }
    out.flush().map_err(CliError::Output)?;
    Ok(exit)
}

fn named(name: &str) -> Result<&'static RuleSet, String> {
    let known = RuleSet::ALL.map(|rules| rules.name).join(", ");
    RuleSet::named(name).ok_or_else(|| format!("{} is no rule set, wanted one of {known}", visible(name)))
}

fn read(path: &Path) -> Result<String, CliError> {
    let bytes = match path == Path::new("-") {
        true => file::read_stream_limited(io::stdin().lock(), FILE_BYTES_MAX),
        false => file::read_limited(path, FILE_BYTES_MAX),
    };
    let text = bytes.and_then(|bytes| {
        String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    });
    text.map_err(|error| CliError::file(path, error))
}

fn label(path: &Path, table: &str) -> String {
    let path = path.display().to_string();
    visible(&if table.is_empty() { path } else { format!("{path} [{table}]") }).into_owned()
}

/// Judges and prints one hand.
fn replay(
    out: &mut impl Write,
    label: Option<&str>,
    hand: &NamedHand,
    settings: &Settings,
) -> Result<Exit, CliError> {
    let judged = hand.1.as_ref().map_err(|error| ("read", error.to_string())).and_then(|history| {
        let rules = rules_of(history, settings).map_err(|error| ("judged", error))?;
        let judgement =
            judge(history, rules, &settings.fixed).map_err(|error| ("judged", error.to_string()))?;
        Ok((history, judgement))
    });
    let (text, exit) = match judged {
        Err((_, problem)) if settings.json => (verdict::unreadable(label, &problem), Exit::CouldNotSay),
        Err((done, problem)) => {
            let label = label.map_or(String::new(), |label| format!("{label}: "));
            (format!("{label}this hand cannot be {done}: {}.\n", visible(&problem)), Exit::CouldNotSay)
        }
        Ok((history, judgement)) => {
            let exit = match judgement.verdict {
                Ruling::Legal => Exit::Passed,
                Ruling::Illegal => Exit::Refused,
                Ruling::Depends => Exit::CouldNotSay,
            };
            let text = if settings.json {
                verdict::to_json(label, history, &judgement)
            } else {
                let heading = label.map_or(String::new(), |label| format!("{label}\n"));
                let story = story::tell(history, &judgement);
                format!("{heading}{story}{}", verdict::in_words(history, &judgement))
            };
            (text, exit)
        }
    };
    writeln!(out, "{text}").map_err(CliError::Output)?;
    Ok(exit)
}

fn rules_of(history: &History, settings: &Settings) -> Result<&'static RuleSet, String> {
    if let Some(rules) = settings.rules {
        return Ok(rules);
    }
    match &history.ruleset {
        Some(name) => named(name),
        None => RuleSet::of_variant(&history.variant)
            .ok_or_else(|| format!("no rule set plays {}; name one with --rules", visible(&history.variant))),
    }
}
