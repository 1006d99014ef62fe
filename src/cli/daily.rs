//! `deckproof daily`: what was typed, one job for each shuffler of the configuration, and the exit code.

mod examine;
mod job;
mod record;
mod soundness;
mod there;
mod turn;
mod understood;

use std::fs::File;
use std::path::{Path, PathBuf};

use clap::{Args, Parser};
use jiff::Timestamp;

use crate::cli::audit::QuestionOptions;
use crate::cli::audit::publish::say;
use crate::cli::daily::job::{Asked, Ended, Job, unusable};
use crate::cli::screen;
use crate::monitoring::gaming_day::Wanted;
use crate::monitoring::told::write_voices;
use crate::monitoring::voices::Told;
use crate::session::question::Question;
use crate::text::could_not_say::CouldNotSay;
use crate::text::exit::Exit;

/// Arguments of `deckproof daily`.
#[derive(Args, Debug)]
pub struct DailyArguments {
    /// The configuration, TOML: name, folder and source, and whatever else deckproof audit takes of source and plan,
    /// with underscores: decks, records, format, rules, players, timeout, plan …; the other steps of the day, as
    /// docs/daily.md lists them; and a [[shuffler]] for each of several. Paths are relative to this file, {date} stands for the day.
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// The gaming day that runs, on demand, instead of the last one that is over. Without day_ends it is always the day of
    /// UTC that runs; day_ends = "00:00 UTC" takes the last one that is over.
    #[arg(long, conflicts_with = "date")]
    now: bool,
    /// This day, such as 2026-11-22.
    #[arg(long, value_name = "DAY")]
    date: Option<String>,
    /// Only check the configuration: what is read, whether all files, folders and programs that it names are there, and
    /// what could not be new or pass each day. Everything that is wrong is told at once; nothing is examined.
    #[arg(long)]
    check_config: bool,
    /// Print nothing on a day that passed, as cron wants it.
    #[arg(long)]
    quiet: bool,
    /// Print the row of the day as one JSON object a shuffler.
    #[arg(long, conflicts_with = "steps")]
    json: bool,
    /// Print every step below the five lines of mail.
    #[arg(long)]
    steps: bool,
}

/// What a configuration may say of the audit, read as it is read on a command line.
#[derive(Parser, Debug)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct DayAuditOptions {
    #[command(flatten)]
    question: QuestionOptions,
    /// How many threads count.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

/// The audit of a day, understood.
struct DayAudit {
    question: Question,
    threads: Option<u16>,
}

impl DailyArguments {
    fn wanted(&self) -> Wanted {
        match (&self.date, self.now) {
            (Some(date), _) => Wanted::Of(date.clone()),
            (None, true) => Wanted::Running,
            (None, false) => Wanted::Last,
        }
    }
}

/// Locks the record of a folder until the file is dropped.
///
/// # Errors
/// [`CouldNotSay`].
pub fn lock(folder: &Path) -> Result<File, CouldNotSay> {
    turn::wait_for_turn(folder)
}

/// Runs `deckproof daily`.
///
/// # Errors
/// [`CouldNotSay`]; the day is then recorded as a day without a result, if the store can be written.
pub fn daily(arguments: &DailyArguments) -> Result<Exit, CouldNotSay> {
    let Asked { text, jobs } = Job::read_all(&arguments.config, &arguments.wanted(), Timestamp::now())?;
    if arguments.check_config {
        return check_config(&arguments.config, &text, &jobs);
    }
    let mut exit = Exit::Passed;
    let mut ended = Vec::new();
    let mut stopped = None;
    for job in &jobs {
        let others: Vec<&Job> = jobs.iter().filter(|other| !std::ptr::eq(*other, job)).collect();
        let mut day = job.run(&others);
        exit = exit.and(day.exit);
        // One shuffler that cannot be recorded does not keep the others from their day.
        if let Some(CouldNotSay(earlier)) = day.fault.take().and_then(|reason| stopped.replace(reason)) {
            screen::warn(&earlier);
        }
        ended.push(day);
    }
    let printed = print(arguments, &ended);
    let told: Vec<Told> = ended.iter().filter_map(Ended::told).collect();
    let metrics = jobs.iter().find_map(|job| job.steps.metrics.as_deref());
    write_voices(metrics, jobs.iter().find_map(|job| job.steps.junit.as_deref()), &told)?;
    printed?;
    match stopped {
        Some(reason) if exit == Exit::CouldNotSay => Err(reason),
        Some(CouldNotSay(reason)) => {
            screen::warn(&reason);
            Ok(exit)
        }
        None => Ok(exit),
    }
}

fn print(arguments: &DailyArguments, ended: &[Ended]) -> Result<(), CouldNotSay> {
    for day in ended {
        if arguments.quiet && day.exit == Exit::Passed {
            continue;
        }
        if arguments.json {
            say(&format!("{}\n", day.json()))?;
            continue;
        }
        say(&day.mail)?;
        if arguments.steps {
            say(&day.steps())?;
        }
    }
    Ok(())
}

fn check_config(path: &Path, text: &str, jobs: &[Job]) -> Result<Exit, CouldNotSay> {
    let faults = soundness::faults(text, jobs);
    if !faults.is_empty() {
        return Err(unusable(path, &faults));
    }
    jobs.iter().try_for_each(|job| say(&job.describe()))?;
    Ok(Exit::Passed)
}
