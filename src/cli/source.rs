//! The options that say where decks come from, made from the settings of all kinds of sources.

use std::ffi::OsString;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use crate::cli::screen;
use deckproof_audit::source::ask::Source;
use deckproof_audit::source::list::CATALOGUE;
use deckproof_audit::source::named::NamedSource;
use deckproof_audit::source::settings::{Settings, SourceSetting};

/// The settings of sources alone, for commands that name their sources otherwise.
#[derive(Clone, Debug, Default)]
pub struct SourceSettings(Settings);

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
            } else if let Some(values) = matches.get_many::<String>(setting.name) {
                self.0.set(setting.name, values.map(String::as_str).collect::<Vec<_>>().join(","));
            }
        }
        Ok(())
    }
}

impl SourceSettings {
    /// What was typed.
    pub fn settings(&self) -> &Settings {
        &self.0
    }
}

/// A source as it is named on the command line.
#[derive(Clone, Debug, Default)]
pub struct TypedSource(pub NamedSource);

const SOURCE: &str = "source";

/// Files that stand without the option.
const FILES: &str = "files";

impl Args for TypedSource {
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
        let files = Arg::new(FILES)
            .value_name("FILE")
            .num_args(0..)
            .value_parser(clap::value_parser!(OsString))
            .conflicts_with(SOURCE)
            .help("Files or folders that hold the decks: the same as --source before each");
        SourceSettings::augment_args(command.arg(files).arg(source))
    }

    fn augment_args_for_update(command: Command) -> Command {
        TypedSource::augment_args(command)
    }
}

fn arg(setting: &SourceSetting) -> Arg {
    let arg =
        Arg::new(setting.name).long(setting.option().trim_start_matches('-').to_owned()).help(setting.help);
    match setting {
        _ if setting.is_flag() => arg.action(ArgAction::SetTrue),
        _ if setting.is_list => arg.value_name(setting.value).action(ArgAction::Append),
        _ => arg.value_name(setting.value),
    }
}

impl FromArgMatches for TypedSource {
    fn from_arg_matches(matches: &ArgMatches) -> Result<TypedSource, clap::Error> {
        let mut options = TypedSource::default();
        options.update_from_arg_matches(matches)?;
        Ok(options)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let typed = |name: &str| matches.get_many::<OsString>(name).into_iter().flatten().cloned();
        let mut sources = typed(SOURCE).chain(typed(FILES));
        let TypedSource(named) = self;
        named.source = sources.next();
        let more = sources.collect();
        named.settings = SourceSettings::from_arg_matches(matches)?.0;
        named.settings.more = more;
        Ok(())
    }
}

/// Says to a user what he should know before anything is written.
pub fn warn(source: &dyn Source) {
    source.warning().iter().for_each(|warning| screen::warn(&format!("warning: {warning}")));
}
