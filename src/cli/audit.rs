//! `deckproof audit` and `deckproof merge`: from arguments to a certificate, a report and a verdict.

pub mod open;
pub mod publish;
pub mod question;

pub mod table;

pub(super) mod options;
mod page;
mod progress;

use std::path::PathBuf;

use clap::Args;

use crate::audit::checkpoint::{self, Checkpoint};
use crate::audit::plan::Shard;
use crate::battery::Tier;
use crate::certificate::AuditResult;
use crate::cli::audit::open::{SourceChoice, SourceOptions};
use crate::cli::audit::options::{parse_decks, parse_shard, parse_tier};
use crate::cli::audit::progress::Progress;
use crate::cli::audit::publish::Output;
use crate::cli::audit::question::{Question, result_of};
use crate::cli::exit::{CouldNotSay, Exit};
use crate::cli::tool::Started;

/// Arguments of `deckproof audit`.
#[derive(Args, Debug)]
pub struct AuditArguments {
    #[command(flatten)]
    source: SourceOptions,
    /// How many decks, exactly: 1000000, 1e6 or 2.5e9. Default: 1,000,000, or all records of a file, or
    /// standard input to its end.
    #[arg(long, value_name = "N", value_parser = parse_decks)]
    decks: Option<u64>,
    /// Which tiers of statistics run: core (fast), deep.
    #[arg(long, value_name = "TIERS", value_delimiter = ',', default_value = "core", value_parser = parse_tier)]
    tiers: Vec<Tier>,
    #[command(flatten)]
    output: Output,
    /// How many threads count. Default: one for each processor. The result does not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Save the run to FILE as it goes and go on from there if it exists; removed when the run is done.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Count only part i of n, for `deckproof merge` to add. Needs a source with an explicit key, or a file.
    #[arg(long, value_name = "i/n", value_parser = parse_shard)]
    shard: Option<Shard>,
}

/// Arguments of `deckproof merge`.
#[derive(Args, Debug)]
pub struct MergeArguments {
    /// The files that `deckproof audit --shard i/n` wrote, all of them, in any order.
    #[arg(required = true, value_name = "SHARD")]
    shards: Vec<PathBuf>,
    #[command(flatten)]
    output: Output,
}

/// Runs `deckproof audit`.
///
/// # Errors
/// [`CouldNotSay`] where nothing can be said about the shuffler.
pub fn audit(arguments: &AuditArguments) -> Result<Exit, CouldNotSay> {
    let started = Started::now();
    let choice = SourceChoice::parse(&arguments.source)?;
    if arguments.shard.is_some() {
        choice.check_shardable()?;
    }
    let shard = arguments.shard.unwrap_or(Shard::WHOLE);
    let question =
        Question::ask(choice, arguments.decks, &arguments.tiers, shard, arguments.checkpoint.as_deref())?;
    let plan = question.plan.clone();
    if arguments.shard.is_none() {
        arguments.output.check_room(&plan.sha256())?;
    }
    question.say_what_it_reads(&arguments.output);
    let progress = Progress::start(&question, arguments.output.quiet);
    let threads = arguments.threads.map(usize::from);
    let counted = question.count(threads, &|decks| progress.add(decks));
    progress.end();
    let exit = match (counted, arguments.shard) {
        (Ok(standing), Some(shard)) => arguments.output.publish_shard(&plan, shard, &standing)?,
        (counted, _) => arguments.output.publish(result_of(&plan, counted)?, &started)?,
    };
    if let Some(path) = &arguments.checkpoint {
        std::fs::remove_file(path).map_err(|error| {
            CouldNotSay::new(
                format!("{}: {error}", path.display()),
                "The results are written; remove it by hand.",
            )
        })?;
    }
    Ok(exit)
}

/// Runs `deckproof merge`.
///
/// # Errors
/// [`CouldNotSay`] when the shards cannot be read or do not make a whole.
pub fn merge(arguments: &MergeArguments) -> Result<Exit, CouldNotSay> {
    let started = Started::now();
    let read = |path: &PathBuf| -> Result<Checkpoint, CouldNotSay> {
        let found = checkpoint::read(path).map_err(|error| CouldNotSay::new(error, ""))?;
        found.ok_or_else(|| CouldNotSay::new(format!("{}: no such file", path.display()), ""))
    };
    let shards = arguments.shards.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let (plan, evidence) = checkpoint::merge(shards)
        .map_err(|error| CouldNotSay::new(error, "Give every shard of one plan exactly once."))?;
    let result = AuditResult::of_evidence(&plan, plan.source.clone(), &evidence);
    arguments.output.publish(result, &started)
}
