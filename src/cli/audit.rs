//! `deckproof audit` and `deckproof merge`: from arguments to a certificate, a report and a verdict.

pub mod options;
pub mod progress;
pub mod publish;

use std::path::PathBuf;

use clap::Args;

use crate::cli::audit::options::{TypedPlan, parse_shard};
use crate::cli::audit::progress::Progress;
use crate::cli::audit::publish::{Output, say};
use crate::cli::interrupt;
use crate::cli::screen;
use crate::cli::source::TypedSource;
use crate::cli::tool;
use deckproof_audit::audit::checkpoint::{self, RunCheckpoint};
use deckproof_audit::audit::plan::{Plan, Shard};
use deckproof_audit::audit::spot::{Spot, look_again};
use deckproof_audit::certificate::AuditResult;
use deckproof_audit::session::SessionPart;
use deckproof_audit::session::ask::ReadySession;
use deckproof_audit::session::request::AuditRequest;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::exit::Exit;
use deckproof_report::rendering::audit::{Beginning, list, merged};

/// What is asked: a source and options, or a plan.
#[derive(Args, Debug)]
pub struct RequestArguments {
    #[command(flatten)]
    source: TypedSource,
    #[command(flatten)]
    options: TypedPlan,
    /// Run exactly this plan, which deckproof plan wrote; a changed plan and an option that says otherwise
    /// are refused. Recorded decks and streams still need --source.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["no_repeat", "start_order"]
    )]
    plan: Option<PathBuf>,
}

/// Decks from which on 10 ms of measuring which way of counting is quicker here are worth while.
const MEASURED_FROM: u64 = 100_000;

#[derive(Args, Debug)]
pub struct AuditArguments {
    #[command(flatten)]
    request: RequestArguments,
    /// Print every statistic and what answers to the regulators' names, and run nothing.
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    pub output: Output,
    /// How many threads count. Default: one for each processor. The result does not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Save the run to FILE as it goes and go on from there if it exists; removed when the run is done.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Count only part i of n, for `deckproof merge` to add. Needs a source with an explicit key, or a file. Where parts are counted from 0,
    /// as by a Kubernetes Indexed Job, k+1/n is the same.
    #[arg(long, value_name = "i/n", value_parser = parse_shard)]
    shard: Option<Shard>,
}

#[derive(Args, Debug)]
pub struct MergeArguments {
    /// The files that `deckproof audit --shard i/n` wrote, all of them, in any order.
    #[arg(required = true, value_name = "SHARD")]
    shards: Vec<PathBuf>,
    #[command(flatten)]
    pub output: Output,
}

pub fn audit(arguments: &AuditArguments) -> Result<Exit, CouldNotSay> {
    if arguments.list {
        let text = if arguments.output.json { format!("{}\n", list::json()) } else { list::text() };
        return say(&text).map(|()| Exit::Passed);
    }
    let started =
        tool::started().reading(arguments.request.source.0.files()).speaking(arguments.output.language);
    let words = &started.language.words().verdict;
    let warn = |sentence: &str| screen::warn(&words.own_words(sentence));
    let request = arguments.request.request();
    let ReadySession { mut session, sentences } =
        request.ask(arguments.shard, arguments.checkpoint.as_deref(), &warn)?;
    let plan_sha256 = session.plan().sha256();
    let _room = match arguments.shard {
        None => arguments.output.place().take(&plan_sha256)?,
        Some(_) => None,
    };
    if !arguments.output.quiet {
        sentences.iter().for_each(|sentence| warn(sentence));
    }
    let started = if session.is_resumed() { started.beginning(Beginning::Resumed) } else { started };
    interrupt::listen(arguments.checkpoint.as_deref());
    if session.plan().decks.is_none_or(|decks| decks >= MEASURED_FROM) {
        tool::measure_counting();
    }
    let progress = Progress::start(&session, arguments.output.quiet);
    let threads = tool::threads(arguments.threads);
    let exit = match arguments.shard {
        Some(shard) => {
            let counted = session.count_part(threads, &progress);
            drop(progress);
            match counted? {
                SessionPart::Counted(state) => {
                    let decks = session.plan().decks.unwrap_or_default();
                    session.left_open(decks).iter().for_each(|sentence| warn(sentence));
                    arguments.output.publish_shard(session.plan(), shard, &state)?
                }
                SessionPart::Broken(result) => {
                    let _room = arguments.output.place().take(&plan_sha256)?;
                    arguments.output.publish(*result, &started.with_bad_record(session.bad_record()))?
                }
            }
        }
        None => {
            let answered = session.answer(threads, &progress);
            drop(progress);
            let result = answered?;
            result.check_held_once()?;
            let left_open = session.left_open(result.decks());
            let left_open = left_open.iter().map(|sentence| words.own_words(sentence)).collect();
            let extreme_deck = session.extreme_deck(&result);
            let started = started.with_bad_record(session.bad_record()).believing(left_open);
            let started = started.with_extreme_deck(extreme_deck);
            arguments.output.publish(result, &started)?
        }
    };
    session.end()?;
    Ok(exit)
}

impl RequestArguments {
    /// What was typed.
    pub fn request(&self) -> AuditRequest {
        AuditRequest {
            source: self.source.0.clone(),
            options: self.options.options(),
            plan: self.plan.clone(),
        }
    }
}

/// One segment of every shard, dealt again, where a key deals. Who counts a shard cannot know which one it will be.
fn spots(plan: &Plan, shards: &[RunCheckpoint]) -> Result<Option<Vec<Spot>>, CouldNotSay> {
    let abilities = plan.source.abilities();
    if abilities.is_supplied || abilities.rerun.is_err() {
        return Ok(None);
    }
    let mut source = plan.source.ask()?.open(plan.decks)?.source;
    let threads = tool::threads(None);
    let mut look = |part: &RunCheckpoint| {
        let draw = tool::random().map_err(|error| CouldNotSay::new(error, ""))?;
        let advice = "No certificate was issued: count this shard again.";
        look_again(part, source.as_mut(), draw, threads).map_err(|error| CouldNotSay::new(error, advice))
    };
    let spots: Vec<Option<Spot>> = shards.iter().map(&mut look).collect::<Result<_, _>>()?;
    Ok(Some(spots.into_iter().flatten().collect()))
}

pub fn merge(arguments: &MergeArguments) -> Result<Exit, CouldNotSay> {
    let started = tool::started().beginning(Beginning::Merge).speaking(arguments.output.language);
    let read = |path: &PathBuf| -> Result<RunCheckpoint, CouldNotSay> {
        let found = checkpoint::read(path).map_err(|error| CouldNotSay::new(error, ""))?;
        found.ok_or_else(|| CouldNotSay::new(format!("{}: no such file", path.display()), ""))
    };
    let shards = arguments.shards.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let failed = |error| CouldNotSay::new(error, "Give every shard of one plan exactly once.");
    let (plan, shards) = checkpoint::tiled(shards).map_err(failed)?;
    let spots = spots(&plan, &shards)?;
    let believed = merged::believed(shards.len(), spots.as_deref(), started.language.words());
    let started = started.believing(believed);
    let (plan, evidence) = checkpoint::merge(shards).map_err(failed)?;
    let result = AuditResult::of_evidence(&plan, plan.source.clone(), evidence);
    result.check_held_once()?;
    let _room = arguments.output.place().take(&plan.sha256())?;
    arguments.output.publish(result, &started)
}
