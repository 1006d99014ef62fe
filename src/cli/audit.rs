//! `deckproof audit` and `deckproof merge`: from arguments to a certificate, a report and a verdict.

pub mod limits;
pub mod options;
pub mod progress;
pub mod publish;
pub mod question;
pub mod table;
pub mod wanted;

mod csv;
mod list;
mod outcome;
mod page;

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::audit::checkpoint::{self, Checkpoint};
use crate::audit::plan::{Plan, Shard};
use crate::audit::plan_file;
use crate::certificate::AuditResult;
use crate::certificate::look::{Look, Turn};
use crate::cli::audit::options::{PlanOptions, parse_shard};
use crate::cli::audit::progress::Progress;
use crate::cli::audit::publish::{Output, say};
use crate::cli::audit::question::Question;
use crate::cli::audit::wanted::Wanted;
use crate::cli::exit::{CouldNotSay, Exit};
use crate::cli::source::{self, SourceOptions};
use crate::cli::tool::Started;

/// Arguments of `deckproof audit`.
#[derive(Args, Debug)]
pub struct AuditArguments {
    #[command(flatten)]
    source: SourceOptions,
    #[command(flatten)]
    wishes: PlanOptions,
    /// Run exactly this plan, which deckproof plan wrote; a changed plan and an option that says otherwise
    /// are refused. Recorded decks and streams still need --source.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["no_repeat", "start_order"]
    )]
    plan: Option<PathBuf>,
    /// Print every statistic and what answers to the regulators' names, and run nothing.
    #[arg(long)]
    list: bool,
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
    if arguments.list {
        let text = if arguments.output.json { format!("{}\n", list::json()) } else { list::text() };
        return say(&text).map(|()| Exit::Passed);
    }
    let started = Started::now();
    let mut question = ask(arguments)?;
    if arguments.shard.is_none() {
        arguments.output.check_room(&question.plan.sha256())?;
    }
    question.say_what_it_reads(&arguments.output);
    let progress = Progress::start(&question, arguments.output.quiet);
    let threads = arguments.threads.map(usize::from);
    let exit = match arguments.shard {
        Some(shard) => {
            let counted = question.count(threads, &progress);
            progress.end();
            match counted {
                Ok(standing) => arguments.output.publish_shard(&question.plan, shard, &standing)?,
                Err(error) => {
                    let result = question.broken_by(error)?;
                    arguments.output.check_room(&result.plan_sha256)?;
                    arguments.output.publish(result, &started)?
                }
            }
        }
        None => {
            let answered = question.answer(threads, &progress);
            progress.end();
            arguments.output.publish(answered?, &started)?
        }
    };
    if let Some(path) = &arguments.checkpoint {
        fs::remove_file(path).map_err(|error| {
            CouldNotSay::new(
                format!("{}: {error}", path.display()),
                "The results are written; remove it by hand.",
            )
        })?;
    }
    Ok(exit)
}

/// The question that was typed, or that of the plan.
fn ask(arguments: &AuditArguments) -> Result<Question, CouldNotSay> {
    let AuditArguments { source, wishes, plan, checkpoint, .. } = arguments;
    let shard = arguments.shard.unwrap_or(Shard::WHOLE);
    let agreed = plan.as_deref().map(read_plan).transpose()?;
    let (choice, wanted) = match &agreed {
        Some(plan) => {
            wishes.check_against(plan)?;
            source.check_beside_plan()?;
            (source.ask_planned(&plan.source)?, Wanted { shard, ..Wanted::of_plan(plan)? })
        }
        None => (source.ask()?, wishes.wanted(source.numbering()?, shard)?),
    };
    if arguments.shard.is_some() {
        source::check_able("--shard", choice.abilities().shard)?;
    }
    if agreed.is_none() {
        source::warn(choice.as_ref());
    }
    let wanted = Wanted { program_sha256: choice.program_sha256()?, ..wanted };
    Question::ask(choice, wanted, agreed.as_ref(), checkpoint.as_deref())
}

fn read_plan(path: &Path) -> Result<Plan, CouldNotSay> {
    let place = path.display();
    let text = fs::read_to_string(path).map_err(|error| CouldNotSay::new(format!("{place}: {error}"), ""))?;
    plan_file::from_toml(&text).map_err(|error| {
        CouldNotSay::new(
            format!("{place}: {error}"),
            "Nothing was run. Write a new plan with deckproof plan.",
        )
    })
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
    let first = Look::of_evidence(&plan, Turn::First, &evidence);
    let missing = "The decks were counted in shards, so that the repeat is an audit of its own.".to_owned();
    let result = AuditResult::of_looks(&plan, plan.source.clone(), first, None, Some(missing));
    arguments.output.check_room(&plan.sha256())?;
    arguments.output.publish(result, &started)
}
