//! `deckproof hands`: published hands read, counted, and judged as far as betting has no part in them.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::plan::OF_PLAN;
use crate::cli::subject::parse_line;
use crate::cli::{CliError, done, print, tool};
use crate::verification::hands::{read_all, read_plan};
use deckproof_audit::hands::census::Census;
use deckproof_audit::hands::certificate::{HandsCertificate, HandsResult};
use deckproof_audit::hands::dealt::files::read_dealt;
use deckproof_audit::hands::dealt::judge;
use deckproof_audit::hands::description::describe;
use deckproof_audit::hands::plan::HandsPlan;
use deckproof_audit::session::options::subject_of;
use deckproof_deck::text::exit::Exit;
use deckproof_report::output;
use deckproof_report::output::hands::write_certificate;
use deckproof_report::rendering::hands::{HandsFindings, dealt, json, words};

#[derive(Args)]
#[command(
    after_help = "Judged are the door cards of all seats dealt in, the bring-in by seat and card, and the exporting \
player's first three cards: betting has no part in them. Later streets and shown hands are described only, unless \
--dealt says that every dealt card is there.\n\n\
Exit codes: 0 nothing found in 1,000 hands or more, 1 something found, 2 too few hands, or some that cannot be read, 3 a question, not a finding."
)]
pub(super) struct HandsArguments {
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

pub(super) fn run(arguments: &HandsArguments) -> Result<Exit, CliError> {
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
    let description = describe(&collection.records);
    let claims = judgement.claims(&collection);
    let findings = HandsFindings { collection, census, description, judgement, claims };
    let mut text =
        if arguments.json { format!("{}\n", json::print(&findings)) } else { words::print(&findings) };
    if let Some(folder) = arguments.out.as_ref().filter(|_| !arguments.json) {
        text += &format!("Written: {}.\n", folder.join("certificate.json").display());
    }
    print(&text)?;
    Ok(findings.claims.exit())
}

/// The cards that were really dealt.
fn judge_dealt(arguments: &HandsArguments) -> Result<Exit, CliError> {
    let hands = read_dealt(&arguments.files)?;
    let judgement = judge(&hands);
    print(&if arguments.json {
        format!("{}\n", dealt::to_json(&hands, &judgement))
    } else {
        dealt::in_words(&hands, &judgement)
    })?;
    Ok(judgement.claims(&hands).exit())
}

fn write_plan(path: &Path, lines: &[(String, String)]) -> Result<Exit, CliError> {
    let subject = subject_of(lines.iter().map(|(name, text)| (name.as_str(), text.as_str())))?;
    let plan = HandsPlan::usual().about(subject);
    output::hands::write_plan(path, &plan)?;
    let text = format!(
        "Plan SHA-256: {}, {OF_PLAN}. Publish or send it before the hands are had; anybody who has the plan can then see that it was \
         not chosen after them.\nWritten: {}. Next: deckproof hands --plan {} --out DIR FILE...\n",
        plan.sha256(),
        path.display(),
        path.display()
    );
    done(&text)
}
