//! `deckproof selftest`: the tool examines itself and says so in a certificate.

use std::path::PathBuf;

use clap::Args;

use crate::cli::audit::publish::say;
use crate::cli::tool;
use deckproof_audit::power::results_file::write;
use deckproof_audit::selftest;
use deckproof_deck::shuffle::lanes::instruction_set;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::exit::Exit;
use deckproof_files::file;
use deckproof_report::rendering::selftest::text_of;
use deckproof_report::report::validation::{ValidationRun, validation};

#[derive(Args, Debug)]
pub struct SelftestArguments {
    /// Write the certificate to selftest.json in this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write a laboratory's validation file (ISO/IEC 17025, 7.11) to FILE: intended use, risks, requirements, results on this
    /// machine, versions, and fields to sign.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Print the certificate instead of sentences.
    #[arg(long)]
    json: bool,
    /// How many threads work. Default: one for each processor. The result does not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

/// Runs `deckproof selftest`: refused if a check fails.
pub fn selftest(arguments: &SelftestArguments) -> Result<Exit, CouldNotSay> {
    let certificate = selftest::run(tool::describe(), tool::threads(arguments.threads))
        .map_err(|error| CouldNotSay::new(error, ""))?;
    let mut json = serde_json::to_string_pretty(&certificate).expect("a certificate is plain data");
    json.push('\n');
    if let Some(folder) = &arguments.out {
        let unmade = |error| CouldNotSay::new(format!("{} cannot be made: {error}", folder.display()), "");
        std::fs::create_dir_all(folder).map_err(unmade)?;
        write(&folder.join("selftest.json"), &json)?;
    }
    if let Some(path) = &arguments.report {
        let run = ValidationRun {
            time: tool::time_utc(),
            machine: tool::machine(),
            instructions: instruction_set().to_string(),
            certificate_sha256: file::sha256(json.as_bytes()),
        };
        write(path, &validation(&certificate, &run))?;
    }
    say(&if arguments.json { json } else { text_of(&certificate) })?;
    Ok(if certificate.has_passed { Exit::Passed } else { Exit::Refused })
}
