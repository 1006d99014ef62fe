//! `deckproof audit` and `deckproof merge`: from arguments to a certificate, a report and a verdict.

pub mod ask;
pub mod options;
pub mod progress;
pub mod publish;

use std::path::{Path, PathBuf};

use clap::Args;

use crate::audit::checkpoint::{self, RunCheckpoint};
use crate::audit::plan::{Plan, Shard};
use crate::audit::plan_file;
use crate::certificate::AuditResult;
use crate::certificate::look::{Look, Turn};
use crate::cli::audit::ask::{Asked, Wish, ask, check_program};
use crate::cli::audit::options::{PlanOptions, parse_shard};
use crate::cli::audit::progress::Progress;
use crate::cli::audit::publish::{Output, say};
use crate::cli::exit::Exit;
use crate::cli::interrupt;
use crate::cli::screen;
use crate::cli::source::{self, SourceOptions};
use crate::cli::tool::{self, Started};
use crate::file::{TEXT_BYTES_MAX, read_text_limited};
use crate::presentation::audit::list;
use crate::session::SessionPart;
use crate::session::request::{AuditRequest, Repetition};
use crate::source::ask::Source;
use crate::text::could_not_say::CouldNotSay;

/// What is asked: a source and wishes, or a plan.
#[derive(Args, Debug)]
pub struct Question {
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
}

/// Decks from which on 10 ms of measuring which way of counting is quicker here are worth while.
const MEASURED_FROM: u64 = 100_000;

/// Arguments of `deckproof audit`.
#[derive(Args, Debug)]
pub struct AuditArguments {
    #[command(flatten)]
    question: Question,
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
    let started = Started::now().reading(arguments.question.source.files());
    tool::describe_soon();
    let Asked { mut session, sentences } =
        arguments.question.ask(arguments.shard, arguments.checkpoint.as_deref())?;
    let plan_sha256 = session.plan().sha256();
    let _room = match arguments.shard {
        None => arguments.output.take_room(&plan_sha256)?,
        Some(_) => None,
    };
    if !arguments.output.quiet {
        sentences.iter().for_each(|sentence| screen::warn(sentence));
    }
    interrupt::listen(arguments.checkpoint.as_deref());
    if session.plan().decks.is_none_or(|decks| decks >= MEASURED_FROM) {
        tool::measure_counting();
    }
    let progress = Progress::start(&session, arguments.output.quiet);
    let threads = tool::threads(arguments.threads);
    let exit = match arguments.shard {
        Some(shard) => {
            let counted = session.count_part(threads, &progress);
            progress.end();
            match counted? {
                SessionPart::Counted(state) => {
                    arguments.output.publish_shard(session.plan(), shard, &state)?
                }
                SessionPart::Broken(result) => {
                    let _room = arguments.output.take_room(&plan_sha256)?;
                    arguments.output.publish(*result, &started)?
                }
            }
        }
        None => {
            let answered = session.answer(threads, &progress);
            progress.end();
            arguments.output.publish(answered?, &started)?
        }
    };
    session.end()?;
    Ok(exit)
}

impl Question {
    /// How many decks, if that was typed.
    pub fn decks(&self) -> Option<u64> {
        self.wishes.decks
    }

    /// That what was typed can be asked of its source, without opening it.
    ///
    /// # Errors
    /// [`CouldNotSay`]: a setting that this kind of source does not take, a value that is none, a plan that cannot be read.
    pub fn check(&self) -> Result<(), CouldNotSay> {
        let Question { source, wishes, plan } = self;
        match plan {
            Some(plan) => {
                source.check_beside_plan()?;
                wishes.check_against(&read_plan(plan)?)
            }
            None => {
                source.check()?;
                wishes.request(source.numbering()?).map(drop)
            }
        }
    }

    /// The session that was typed, or that of the plan.
    ///
    /// # Errors
    /// [`CouldNotSay`]: a source, plan or checkpoint that cannot be had.
    pub fn ask(&self, part: Option<Shard>, checkpoint: Option<&Path>) -> Result<Asked, CouldNotSay> {
        self.ask_through(part, checkpoint, |source| source)
    }

    /// The same of the source through something that sees its decks.
    ///
    /// # Errors
    /// As [`Question::ask`].
    pub fn ask_through(
        &self,
        part: Option<Shard>,
        checkpoint: Option<&Path>,
        through: impl FnOnce(Box<dyn Source>) -> Box<dyn Source>,
    ) -> Result<Asked, CouldNotSay> {
        let Question { source, wishes, plan } = self;
        let shard = part.unwrap_or(Shard::WHOLE);
        let agreed = plan.as_deref().map(read_plan).transpose()?;
        let choice = match &agreed {
            Some(plan) => {
                source.check_beside_plan()?;
                source.ask_planned(&plan.source)?
            }
            None => source.ask()?,
        };
        if part.is_some() {
            source::check_able("--shard", choice.abilities().shard)?;
        }
        if agreed.is_none() {
            source::warn(choice.as_ref());
        }
        if let Some(plan) = &agreed {
            wishes.check_against(plan)?;
            check_program(plan, choice.as_ref())?;
            return ask(through(choice), &Wish::Agreed { plan, stream_decks: None }, shard, checkpoint);
        }
        let request = wishes.request(source.numbering()?)?;
        let repetition = if part.is_some() { Repetition::Off } else { request.repetition };
        let request = AuditRequest { repetition, program_sha256: choice.program_sha256()?, ..request };
        ask(through(choice), &Wish::Request(&request), shard, checkpoint)
    }
}

fn read_plan(path: &Path) -> Result<Plan, CouldNotSay> {
    let place = path.display();
    let text = read_text_limited(path, TEXT_BYTES_MAX)
        .map_err(|error| CouldNotSay::new(format!("{place}: {error}"), ""))?;
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
    let read = |path: &PathBuf| -> Result<RunCheckpoint, CouldNotSay> {
        let found = checkpoint::read(path).map_err(|error| CouldNotSay::new(error, ""))?;
        found.ok_or_else(|| CouldNotSay::new(format!("{}: no such file", path.display()), ""))
    };
    let shards = arguments.shards.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let (plan, evidence) = checkpoint::merge(shards)
        .map_err(|error| CouldNotSay::new(error, "Give every shard of one plan exactly once."))?;
    let first = Look::of_evidence(&plan, Turn::First, &evidence);
    let result = AuditResult::of_looks(&plan, plan.source.clone(), first, None, None);
    let _room = arguments.output.take_room(&plan.sha256())?;
    arguments.output.publish(result, &started)
}
