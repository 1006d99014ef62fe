//! `deckproof plan`: what will be asked, frozen and hashed before any data.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use crate::cli::audit::options::TypedPlan;
use crate::cli::audit::publish::say;
use crate::cli::source::{self, TypedSource};
use deckproof_audit::audit::plan::Plan;
use deckproof_audit::audit::plan_file;
use deckproof_audit::session::resolved::ResolvedOptions;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::decimal::thousands;
use deckproof_deck::text::exit::Exit;
use deckproof_files::file::{self, Access, TEXT_BYTES_MAX, read_text_limited};
use deckproof_report::rendering::audit::limits::PlanLimits;
use deckproof_stats::battery::stud::table::StudTable;

#[derive(Args, Debug)]
pub struct PlanArguments {
    #[command(flatten)]
    source: TypedSource,
    #[command(flatten)]
    options: TypedPlan,
    /// Write the plan to FILE. Default: to standard output, with the summary as comments.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print the summary as one JSON object, with the plan.
    #[arg(long)]
    json: bool,
}

/// Which hash it is: a file may have comments, too.
pub const OF_PLAN: &str = "that of what the plan says; of the file, sha256sum gives another number";

pub fn plan(arguments: &PlanArguments) -> Result<Exit, CouldNotSay> {
    let request = arguments.options.options().request(arguments.source.0.numbering()?)?;
    let choice = arguments.source.0.ask()?;
    source::warn(choice.as_ref());
    let request = ResolvedOptions { program_sha256: choice.program_sha256()?, ..request };
    let (record, decks) = choice.record(request.decks)?;
    let plan = request.plan(record, decks);
    let limits = plan.decks.map(|decks| PlanLimits::new(&plan, decks));
    let summary = summary(&plan, limits.as_ref());
    let toml =
        plan_file::to_toml(&plan).map_err(|error| CouldNotSay::new(error, "Use numbers below 2^63."))?;
    let comments: String = summary.iter().map(|line| format!("# {line}\n")).collect();
    let text = format!("{comments}{toml}");
    if let Some(path) = &arguments.out {
        write(path, &text, plan.source.access())?;
    }
    if arguments.json {
        let outcome = json!({
            "plan_sha256": plan.sha256(), "plan": plan, "file": arguments.out,
            "limits": limits.as_ref().map(PlanLimits::json), "summary": summary,
        });
        say(&format!("{outcome}\n"))?;
    } else if let Some(path) = &arguments.out {
        let lines: String = summary.iter().map(|line| format!("{line}\n")).collect();
        let is_supplied = plan.source.abilities().is_supplied;
        let supplied = if is_supplied { " --source FILE" } else { "" };
        let next = format!("Next: deckproof audit --plan {}{supplied}", path.display());
        say(&format!("{lines}Written: {}.\n{next}\n", path.display()))?;
    } else {
        say(&text)?;
    }
    Ok(Exit::Passed)
}

/// What is planned, and what it buys, in whole sentences.
fn summary(plan: &Plan, limits: Option<&PlanLimits>) -> Vec<String> {
    let mut lines = vec![format!("Plan SHA-256: {}, {OF_PLAN}.", plan.sha256())];
    lines.extend(plan.subject.iter().map(|subject| format!("Subject, as stated: {subject}.")));
    lines.extend([
        format!("Source: {}.", plan.source),
        match plan.decks {
            Some(decks) => format!("Decks: {}, {}.", thousands(decks), plan.extent()),
            None => format!("Decks: to the end of the stream, {}.", plan.extent()),
        },
    ]);
    if let Some(sha256) = &plan.program_sha256 {
        lines.push(format!(
            "Program: the command line whose words have SHA-256 {sha256}; what its words run is not checked."
        ));
    }
    if let Some(table) = &plan.table {
        lines.push(format!("Table of the dealt hands, every seat to the river: {table}."));
    }
    lines.extend(plan.table().and_then(StudTable::not_judged).map(str::to_owned));
    if let Some(order) = &plan.start_order {
        lines.push(format!(
            "Start order of the dealer, by which order, cycles and draws are judged: {order}."
        ));
    }
    lines.push(format!(
        "A family p-value below {} is not a pass; one below {:e} of p-values that are exact, proven bounds or of large expectations is a fail at once.",
        plan.level, plan.level_fail
    ));
    lines.push(match &plan.repeat {
        Some(repeat) => format!(
            "If the first look says investigate, the next {} decks are audited once, at level {}, and decide.",
            thousands(repeat.decks),
            repeat.level
        ),
        None => "There is no repeat: a first look that says investigate is left at that.".to_owned(),
    });
    match limits {
        Some(limits) => lines.extend(limits.sentences()),
        None => lines.push("What the stream can feed is known when it has ended.".to_owned()),
    }
    lines
}

/// Another plan is never overwritten: it may have been agreed upon.
fn write(path: &Path, text: &str, access: Access) -> Result<(), CouldNotSay> {
    let place = path.display();
    if read_text_limited(path, TEXT_BYTES_MAX).map_or(path.exists(), |old| old != text) {
        let advice = "Choose another --out.";
        return Err(CouldNotSay::new(format!("{place} exists and is not overwritten"), advice));
    }
    file::write_atomic(path, text.as_bytes(), access)
        .map_err(|error| CouldNotSay::new(format!("{place} cannot be written: {error}"), ""))
}
