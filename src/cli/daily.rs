//! `deckproof daily`: what was typed, the days it asks for, and the exit code.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Args, CommandFactory, FromArgMatches, Parser};
use jiff::Timestamp;

use crate::cli::audit::RequestArguments;
use crate::cli::audit::publish::say;
use crate::cli::{interrupt, screen, tool, without_keys};
use deckproof_daily::daily::host::{AuditOptions, DayAudit, Host, OptionFault};
use deckproof_daily::daily::job::{Configured, DayEnd, DaysEnd, io, unusable};
use deckproof_daily::daily::preflight;
use deckproof_daily::monitoring::config::Config;
use deckproof_daily::monitoring::gaming_day::Wanted;
use deckproof_deck::text::could_not_say::CouldNotSay;
use deckproof_deck::text::exit::Exit;

#[derive(Args, Debug)]
pub struct DailyArguments {
    /// The configuration, TOML: name, folder and source, and whatever else deckproof audit takes of source and plan,
    /// with underscores: decks, records, format, rules, players, timeout, plan …; the other steps of the day, as
    /// docs/daily.md lists them; and a [[shuffler]] for each of several. Paths are relative to this file, {date} means the day.
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
    /// what could not be new or pass each day. Everything that is wrong is listed at once; nothing is examined.
    #[arg(long)]
    check_config: bool,
    /// Print nothing on a day that passed, as cron wants it.
    #[arg(long)]
    quiet: bool,
    /// Print the row of the day as one JSON object a shuffler.
    #[arg(long, conflicts_with = "steps")]
    json: bool,
    /// Print every step below the mail.
    #[arg(long)]
    steps: bool,
}

/// What a configuration may say of the audit, read as it is read on a command line.
#[derive(Parser, Debug)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct DayAuditOptions {
    #[command(flatten)]
    request: RequestArguments,
    /// How many threads count.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
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

/// The options of `deckproof audit`, by which a configuration is read.
struct Typed;

impl AuditOptions for Typed {
    fn names(&self) -> Vec<String> {
        DayAuditOptions::command().get_arguments().map(Arg::get_id).map(ToString::to_string).collect()
    }

    fn read(&self, config: &Config) -> Result<DayAudit, OptionFault> {
        let matches = DayAuditOptions::command().try_get_matches_from(words(config));
        let typed = matches.and_then(|matches| DayAuditOptions::from_arg_matches(&matches));
        let audit =
            |typed: DayAuditOptions| DayAudit { request: typed.request.request(), threads: typed.threads };
        typed.map(audit).map_err(|error| of_clap(&error))
    }
}

/// The options of a configuration as they would be typed.
fn words(config: &Config) -> Vec<OsString> {
    let mut words = Vec::new();
    for option in &config.options {
        let typed = format!("--{}", option.name.replace('_', "-"));
        if option.values.is_empty() {
            words.push(typed.clone().into());
        }
        words.extend(option.values.iter().map(|value| format!("{typed}={value}").into()));
    }
    words
}

/// What is wrong with an option, without what may be a key.
fn of_clap(error: &clap::Error) -> OptionFault {
    let option = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) => option.clone(),
        Some(ContextValue::Strings(options)) => options.first().cloned().unwrap_or_default(),
        _ => String::new(),
    };
    let key = option.trim_start_matches('-').split([' ', '=']).next().unwrap_or_default().replace('-', "_");
    let reason = std::error::Error::source(error).map_or_else(
        || error.to_string().lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned(),
        ToString::to_string,
    );
    let name = if key.is_empty() { String::new() } else { format!("{key}: ") };
    OptionFault { key, problem: without_keys(&format!("{name}{reason}")) }
}

pub fn daily(arguments: &DailyArguments) -> Result<Exit, CouldNotSay> {
    interrupt::end_programs();
    let path = &arguments.config;
    let configured = Configured::read(path, &arguments.wanted(), Timestamp::now(), &Typed)?;
    // Every path of a configuration begins in its folder.
    if let Some(own) = path.parent().filter(|own| !own.as_os_str().is_empty()) {
        std::env::set_current_dir(own).map_err(|error| io(own, &error))?;
    }
    let host = Host {
        options: &Typed,
        tool: &tool::describe,
        threads: tool::threads(None),
        started: &tool::started,
        time: &tool::time_utc,
        search_path: std::env::var_os("PATH").unwrap_or_default(),
        warn: &screen::warn,
    };
    if arguments.check_config {
        check_config(path, &configured, &host)
    } else {
        run(arguments, &configured, &host)
    }
}

fn check_config(path: &Path, configured: &Configured, host: &Host) -> Result<Exit, CouldNotSay> {
    let faults = preflight::faults(configured, host);
    if !faults.is_empty() {
        return Err(unusable(path, &faults));
    }
    configured.jobs.iter().try_for_each(|job| say(&job.describe()))?;
    Ok(Exit::Passed)
}

fn run(arguments: &DailyArguments, configured: &Configured, host: &Host) -> Result<Exit, CouldNotSay> {
    let shared = preflight::shared_faults(configured);
    if !shared.is_empty() {
        return Err(unusable(&arguments.config, &shared));
    }
    let DaysEnd { days, exit, fault } = configured.run(host);
    let printed = print(arguments, &days);
    configured.tell(&days)?;
    printed?;
    match fault {
        Some(reason) if exit == Exit::CouldNotSay => Err(reason),
        Some(CouldNotSay(reason)) => {
            screen::warn(&reason);
            Ok(exit)
        }
        None => Ok(exit),
    }
}

fn print(arguments: &DailyArguments, ended: &[DayEnd]) -> Result<(), CouldNotSay> {
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
