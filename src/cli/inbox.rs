//! `deckproof inbox`: the reports that operators sent to a laboratory, and who sent none.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::cli::audit::publish::say;
use crate::cli::tool;
use deckproof_daily::daily::inbox::{Inbox, InboxEntry};
use deckproof_daily::monitoring::check::CheckResult;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::exit::Exit;

#[derive(Args, Debug)]
pub struct InboxArguments {
    /// A folder with one folder an operator, which holds each report.json that the operator sent, under any name that ends in .json.
    folder: PathBuf,
    /// Allowed signers as OpenSSH has them, each operator under the name of its folder; FILE.json.sig is the signature of FILE.json.
    #[arg(long, value_name = "FILE")]
    signers: Option<PathBuf>,
    /// How many hours ago the newest day of an operator may have ended.
    #[arg(long, value_name = "HOURS", default_value_t = 36)]
    hours: u32,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &InboxArguments) -> Result<Exit, CouldNotSay> {
    let inbox = Inbox {
        folder: &arguments.folder,
        signers: arguments.signers.as_deref(),
        hours_max: i64::from(arguments.hours),
        now: tool::now_seconds(),
    };
    let entries = inbox.read().map_err(CouldNotSay)?;
    let result = entries.iter().map(InboxEntry::result).max().unwrap_or(CheckResult::CouldNotSay);
    let text = if arguments.json {
        let found = json!({
            "format": "deckproof/inbox/v1",
            "exit_code": result.exit().code(),
            "result": result.machine_words(),
            "entries": entries.iter().map(InboxEntry::json).collect::<Vec<_>>(),
            "not_checked": inbox.not_checked(),
        });
        format!("{found}\n")
    } else {
        let lines: String = entries.iter().map(InboxEntry::words).collect();
        format!("{lines}Not checked: {}.\n", inbox.not_checked().join(", "))
    };
    say(&text)?;
    Ok(result.exit())
}
