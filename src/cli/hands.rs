//! `deckproof hands`: published hands read, counted, and judged as far as betting has no part in them.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::audit::verdict::Verdict;
use crate::cli::subject::parse_line;
use crate::cli::tool;
use crate::cli::{CliError, print};
use crate::file::input::read_input;
use crate::file::{self, Access};
use crate::hands::census::Census;
use crate::hands::certificate::{HandsCertificate, HandsResult};
use crate::hands::dealt::judge;
use crate::hands::dealt::read::DealtHands;
use crate::hands::description::describe;
use crate::hands::plan::HandsPlan;
use crate::inspection::hands::{FILE_BYTES_MAX, read_all};
use crate::presentation::hands::{HandsFindings, dealt, json, words};
use crate::session::wishes::subject_of;
use crate::table::book::{ENTRIES, HANDS, TRANSCRIPTS, history_file};
use crate::table::ended::WrittenHands;
use crate::text::could_not_say::CouldNotSay;
use crate::text::exit::Exit;

/// Most bytes of one hand's history.
const HISTORY_BYTES_MAX: u64 = 1 << 20;

/// Most bytes of a plan.
const PLAN_BYTES_MAX: u64 = 1 << 20;

#[derive(Args)]
#[command(
    after_help = "Judged are the door cards of all seats dealt in, the bring-in by seat and card, and the exporting \
player's first three cards: betting has no part in them. Later streets and shown hands are described only, unless \
--dealt says that every dealt card is there.\n\n\
Exit codes: 0 nothing found in 1,000 hands or more, 1 something found, 2 too few hands, or some that cannot be read."
)]
pub(super) struct Arguments {
    /// Text exports of PokerStars and Full Tilt Poker, and Poker Hand History files (.phh, .phhs); - is standard input.
    #[arg(required_unless_present = "write_plan", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The files hold every dealt card in the order dealt, hidden ones too, and all streets are judged: tables with the columns hand, seat, street, card (seat - for a card all seats share; burned cards left out), Poker Hand Histories without an unknown card, or the folder of a table that deal wrote.
    #[arg(long, conflicts_with_all = ["plan", "write_plan", "out"])]
    dealt: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Judge by a plan that was written before the hands were had, with --write-plan.
    #[arg(long, value_name = "FILE", conflicts_with = "write_plan")]
    plan: Option<PathBuf>,
    /// Write the plan, with its SHA-256 to be published or sent before the hands are had, and judge nothing.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["files", "out", "json"])]
    write_plan: Option<PathBuf>,
    /// A line of the plan, such as customer='Room 7'; once for each line.
    #[arg(long, value_name = "NAME=TEXT", requires = "write_plan", value_parser = parse_line)]
    subject: Vec<(String, String)>,
    /// Write certificate.json into this folder: everybody can judge it again with deckproof verify.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, CliError> {
    if arguments.dealt {
        return judge_dealt(arguments);
    }
    if let Some(path) = &arguments.write_plan {
        return write_plan(path, &arguments.subject);
    }
    let plan = arguments.plan.as_deref().map_or(Ok(HandsPlan::usual()), read_plan)?;
    let (collection, files) = read_all(&arguments.files)?;
    if let Some(folder) = &arguments.out {
        let result = HandsResult::of_collection(&plan, files, &collection);
        write_certificate(folder, &HandsCertificate { tool: tool::describe(), result })?;
    }
    let census = Census::of(&collection.records);
    let judgement = plan.judge(&census, !collection.impossible.is_empty());
    let exit = exit(judgement.verdict, collection.unread.is_empty());
    let description = describe(&collection.records);
    let findings = HandsFindings { collection, census, description, judgement };
    let mut text = match arguments.json {
        true => format!("{}\n", json::print(&findings)),
        false => words::print(&findings),
    };
    if let Some(folder) = arguments.out.as_ref().filter(|_| !arguments.json) {
        text += &format!("Written: {}.\n", folder.join("certificate.json").display());
    }
    print(&text)?;
    Ok(exit)
}

/// The cards that were really dealt.
fn judge_dealt(arguments: &Arguments) -> Result<Exit, CliError> {
    let mut hands = DealtHands::default();
    for path in &arguments.files {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        match path.is_dir() {
            true => add_table(&mut hands, &name, path).map_err(|error| CliError::file(path, error))?,
            false => hands.add(&name, &String::from_utf8_lossy(&read_input(path, FILE_BYTES_MAX)?)),
        }
    }
    let judgement = judge(&hands);
    let exit = exit(judgement.verdict, hands.unread.is_empty());
    let text = match arguments.json {
        true => format!("{}\n", dealt::to_json(&hands, &judgement)),
        false => dealt::in_words(&hands, &judgement),
    };
    print(&text)?;
    Ok(exit)
}

/// The hands of a table that `deckproof deal` wrote.
fn add_table(hands: &mut DealtHands, name: &str, folder: &Path) -> io::Result<()> {
    let open = |file: &str| File::open(folder.join(file)).map(BufReader::new);
    let written = WrittenHands::new(open(ENTRIES)?, open(TRANSCRIPTS)?, open(HANDS)?);
    let history = |hand| {
        let bytes = file::read_limited(&folder.join(history_file(hand)), HISTORY_BYTES_MAX).ok()?;
        String::from_utf8(bytes).ok()
    };
    hands.add_hands_of_table(name, written, history)
}

fn write_plan(path: &Path, lines: &[(String, String)]) -> Result<Exit, CliError> {
    let subject = subject_of(lines.iter().map(|(name, text)| (name.as_str(), text.as_str())))?;
    if path.exists() {
        let advice = "A plan is never overwritten; choose another file.";
        return Err(CouldNotSay::new(format!("{} exists", path.display()), advice).into());
    }
    let plan = HandsPlan::usual().about(subject);
    file::write_atomic(path, plan.to_toml().as_bytes(), Access::Public)
        .map_err(|error| CliError::file(path, error))?;
    let text = format!(
        "Plan SHA-256: {}. Publish or send it before the hands are had; whoever has the plan can then see that it was \
         not chosen after them.\nWritten: {}. Next: deckproof hands --plan {} --out DIR FILE...\n",
        plan.sha256(),
        path.display(),
        path.display()
    );
    print(&text)?;
    Ok(Exit::Passed)
}

fn read_plan(path: &Path) -> Result<HandsPlan, CliError> {
    let bytes = file::read_limited(path, PLAN_BYTES_MAX).map_err(|error| CliError::file(path, error))?;
    let refused = |error: &dyn std::fmt::Display| {
        CouldNotSay::new(
            format!("{}: {error}", path.display()),
            "Nothing was judged; a plan comes from deckproof hands --write-plan.",
        )
    };
    let text = String::from_utf8(bytes).map_err(|error| refused(&error))?;
    Ok(HandsPlan::from_toml(&text).map_err(|error| refused(&error))?)
}

fn write_certificate(folder: &Path, certificate: &HandsCertificate) -> Result<(), CliError> {
    let path = folder.join("certificate.json");
    let json = certificate.to_json();
    if file::read_limited(&path, json.len() as u64).is_ok_and(|bytes| bytes == json.as_bytes()) {
        return Ok(());
    }
    if path.exists() {
        let reason = format!("{} is the certificate of another audit and is not overwritten", path.display());
        return Err(CouldNotSay::new(reason, "Choose another --out.").into());
    }
    fs::create_dir_all(folder)
        .and_then(|()| file::write_atomic(&path, json.as_bytes(), Access::Public))
        .map_err(|error| CliError::file(&path, error))
}

/// Hands that cannot be read might be just those that matter, so nothing passes without them.
fn exit(verdict: Verdict, are_all_read: bool) -> Exit {
    match verdict {
        Verdict::Fail | Verdict::Investigate => Exit::Refused,
        Verdict::Inconclusive => Exit::CouldNotSay,
        Verdict::Pass if !are_all_read => Exit::CouldNotSay,
        Verdict::Pass => Exit::Passed,
    }
}
