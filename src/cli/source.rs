//! The options that say where decks come from, made from the settings of all kinds of sources.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use crate::cli::screen;
use crate::source::ask::{AskError, Source};
use crate::source::format::Numbering;
use crate::source::list::{CATALOGUE, SOURCE_DEFAULT, ask_planned};
use crate::source::record::SourceRecord;
use crate::source::settings::{Settings, SourceSetting};
use crate::text::could_not_say::CouldNotSay;

/// What was typed of a source. No `Debug`: it may hold a key.
#[derive(Clone, Default)]
pub struct SourceOptions {
    /// What `--source` says.
    pub source: Option<OsString>,
    /// The settings beside it.
    pub settings: Settings,
}

impl std::fmt::Debug for SourceOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SourceOptions").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// The settings of sources alone, for commands that name their sources otherwise. No `Debug` of values: it may hold a key.
#[derive(Clone, Default)]
pub struct SourceSettings(Settings);

impl std::fmt::Debug for SourceSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("SourceSettings").field(&self.0).finish()
    }
}

impl Args for SourceSettings {
    fn augment_args(command: Command) -> Command {
        CATALOGUE.settings().iter().fold(command, |command, setting| command.arg(arg(setting)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        SourceSettings::augment_args(command)
    }
}

impl FromArgMatches for SourceSettings {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SourceSettings, clap::Error> {
        let mut settings = SourceSettings::default();
        settings.update_from_arg_matches(matches)?;
        Ok(settings)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for setting in CATALOGUE.settings() {
            if setting.is_flag() {
                if matches.get_flag(setting.name) {
                    self.0.set(setting.name, "true");
                }
            } else if let Some(value) = matches.get_one::<String>(setting.name) {
                self.0.set(setting.name, value);
            }
        }
        Ok(())
    }
}

impl SourceSettings {
    /// The source that a text names, with these settings.
    ///
    /// # Errors
    /// [`CouldNotSay`] with the spellings there are.
    pub fn ask(&self, text: &OsStr) -> Result<Box<dyn Source>, CouldNotSay> {
        Ok(CATALOGUE.ask(text, &self.0)?)
    }
}

const SOURCE: &str = "source";

impl Args for SourceOptions {
    fn augment_args(command: Command) -> Command {
        let source = Arg::new(SOURCE)
            .long(SOURCE)
            .value_name("SOURCE")
            .value_parser(clap::value_parser!(OsString))
            .action(ArgAction::Append)
            .help(format!("Where the decks come from: {}", CATALOGUE.forms()))
            .long_help(format!(
                "Where the decks come from: {}. A file or folder may be named alone; what it holds is seen by its first \
                 lines.\n\nKEY is 64 hexadecimal digits, @FILE or - (standard input). Keys on a \
                 command line are visible to other users of the machine: prefer @FILE. `audit` without a key, the \
                 default, makes a fresh one and records it. Several files, each with its own --source, are read one after the \
                 other.",
                CATALOGUE.forms()
            ));
        SourceSettings::augment_args(command.arg(source))
    }

    fn augment_args_for_update(command: Command) -> Command {
        SourceOptions::augment_args(command)
    }
}

fn arg(setting: &SourceSetting) -> Arg {
    let arg =
        Arg::new(setting.name).long(setting.option().trim_start_matches('-').to_owned()).help(setting.help);
    match setting.is_flag() {
        true => arg.action(ArgAction::SetTrue),
        false => arg.value_name(setting.value),
    }
}

impl FromArgMatches for SourceOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SourceOptions, clap::Error> {
        let mut options = SourceOptions::default();
        options.update_from_arg_matches(matches)?;
        Ok(options)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let mut sources = matches.get_many::<OsString>(SOURCE).into_iter().flatten().cloned();
        self.source = sources.next();
        let more = sources.collect();
        self.settings = SourceSettings::from_arg_matches(matches)?.0;
        self.settings.more = more;
        Ok(())
    }
}

impl SourceOptions {
    /// The source that was typed.
    ///
    /// # Errors
    /// [`CouldNotSay`] with the spellings there are.
    pub fn ask(&self) -> Result<Box<dyn Source>, CouldNotSay> {
        let text = self.source.as_deref().unwrap_or(OsStr::new(SOURCE_DEFAULT));
        Ok(CATALOGUE.ask(text, &self.settings)?)
    }

    /// That there is such a source and that it takes these settings. A file that is not there yet is taken for a text.
    ///
    /// # Errors
    /// [`CouldNotSay`] with what was wanted.
    pub fn check(&self) -> Result<(), CouldNotSay> {
        let text = self.source.as_deref().unwrap_or(OsStr::new(SOURCE_DEFAULT));
        let name = text.to_string_lossy();
        if name.strip_prefix("table:").is_some_and(|path| !Path::new(path).exists()) {
            // What a table holds is asked for when it is there.
            return Ok(());
        }
        let is_later = name.contains(['.', '/']) && !name.contains(':') && !Path::new(text).exists();
        let named = match (is_later, self.settings.text("format")) {
            (false, _) => text.to_owned(),
            (true, Some("raw")) => format!("raw:{name}").into(),
            (true, _) => format!("csv:{name}").into(),
        };
        let mut alone = self.settings.clone();
        alone.more.clear();
        Ok(CATALOGUE.ask(&named, &alone).map(drop)?)
    }

    /// The names of the files that were typed, without their folders.
    pub fn files(&self) -> Vec<String> {
        let name_of = |source: &OsString| {
            let text = source.to_string_lossy();
            let bare =
                ["csv:", "raw:", "parquet:", "table:"].iter().find_map(|prefix| text.strip_prefix(prefix));
            let path = bare.map_or(Path::new(source), Path::new);
            path.file_name().filter(|_| path.exists()).map(|name| name.to_string_lossy().into_owned())
        };
        self.source.iter().chain(&self.settings.more).filter_map(name_of).collect()
    }

    /// The source of a plan, supplied if its decks must be.
    ///
    /// # Errors
    /// [`CouldNotSay`] for a source that is missing or cannot be understood.
    pub fn ask_planned(&self, record: &SourceRecord) -> Result<Box<dyn Source>, CouldNotSay> {
        Ok(ask_planned(self.source.as_deref(), &self.settings, record)?)
    }

    /// Beside a plan nothing can be said of the source but where its decks are.
    ///
    /// # Errors
    /// [`CouldNotSay`] naming the options.
    pub fn check_beside_plan(&self) -> Result<(), CouldNotSay> {
        // How long a stream may be silent says nothing of its decks.
        let given: Vec<&str> = self.settings.names().filter(|name| *name != "timeout").collect();
        if given.is_empty() {
            return Ok(());
        }
        let options: Vec<String> = given.iter().map(|name| format!("--{}", name.replace('_', "-"))).collect();
        Err(CouldNotSay::new(
            format!("{} cannot be used with --plan", options.join(" ")),
            "Leave it out: the plan says it, or write a new plan with deckproof plan.",
        ))
    }

    /// How numbers name cards.
    ///
    /// # Errors
    /// [`CouldNotSay`]: not as was typed.
    pub fn numbering(&self) -> Result<Numbering, CouldNotSay> {
        Ok(self.settings.value("numbering")?.unwrap_or(Numbering::RankSuit))
    }
}

impl From<AskError> for CouldNotSay {
    fn from(error: AskError) -> CouldNotSay {
        CouldNotSay::new(&error, &error.advice)
    }
}

/// That an option can be had from a source.
///
/// # Errors
/// [`CouldNotSay`] with the reason why not.
pub fn check_able(option: &str, ability: Result<(), &'static str>) -> Result<(), CouldNotSay> {
    ability.map_err(|reason| {
        CouldNotSay::new(
            format!("{option} cannot be had from this source: {reason}"),
            "Leave it out, or use another source.",
        )
    })
}

/// Says to a user what he should know before anything is written.
pub fn warn(source: &dyn Source) {
    source.warning().iter().for_each(|warning| screen::warn(&format!("warning: {warning}")));
}
