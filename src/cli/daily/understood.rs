//! What a configuration says, understood for a day: the steps, and the audit as it would be typed.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches};
use jiff::Timestamp;

use crate::cli::daily::{DayAudit, DayAuditOptions};
use crate::cli::without_keys;
use crate::monitoring::config::{Config, ConfigError};
use crate::monitoring::gaming_day::{GamingDay, Wanted};
use crate::monitoring::steps::Steps;

/// The configuration of one shuffler, for a day.
pub(super) struct Understood {
    /// As it is written.
    pub written: Config,
    /// With the day where `{date}` stands.
    pub config: Config,
    pub steps: Steps,
    pub audit: DayAudit,
    pub day: GamingDay,
}

impl Understood {
    /// What a configuration says for the day that is wanted.
    ///
    /// # Errors
    /// Every [`ConfigError`], not the first one alone: a key that cannot be used is taken out, and the rest is read.
    pub fn of(
        text: &str,
        written: Config,
        wanted: &Wanted,
        now: Timestamp,
    ) -> Result<Understood, Vec<ConfigError>> {
        let mut faults = Vec::new();
        let mut sound = written.clone();
        let undated = without_faults(&mut sound, &mut faults, |config| Steps::of(text, config));
        let day_ends = undated.as_ref().and_then(|steps| steps.day_ends.as_deref());
        let day = GamingDay::of(day_ends, wanted, now);
        let date = day.as_ref().map_or("", |day| &day.date);
        let mut config = sound.on(date);
        let steps = without_faults(&mut config, &mut faults, |config| Steps::of(text, config));
        let audit = without_faults(&mut config, &mut faults, |config| understand(text, config));
        match (day, steps, audit) {
            (Ok(day), Some(steps), Some(audit)) if faults.is_empty() => {
                Ok(Understood { written, config, steps, audit, day })
            }
            (day, ..) => {
                // What is wrong with a day that was typed has no line.
                faults.extend(day.err().map(|problem| match problem.starts_with(DAY_ENDS) {
                    true => ConfigError::at_key(text, DAY_ENDS, &problem),
                    false => ConfigError::of_all(problem),
                }));
                Err(faults)
            }
        }
    }
}

/// When a gaming day ends.
const DAY_ENDS: &str = "day_ends";

/// Reads a configuration, and where a key cannot be used goes on without it.
fn without_faults<T>(
    config: &mut Config,
    faults: &mut Vec<ConfigError>,
    read: impl Fn(&Config) -> Result<T, ConfigError>,
) -> Option<T> {
    loop {
        match read(config) {
            Ok(read) => return Some(read),
            Err(fault) => {
                let has_less = fault.key.as_ref().is_some_and(|key| config.remove(key));
                faults.push(fault);
                if !has_less {
                    return None;
                }
            }
        }
    }
}

/// The options of a configuration as `deckproof audit` understands them.
pub(super) fn understand(text: &str, config: &Config) -> Result<DayAudit, ConfigError> {
    let matches = DayAuditOptions::command().try_get_matches_from(words(config));
    let typed = matches.and_then(|matches| DayAuditOptions::from_arg_matches(&matches));
    let audit =
        |typed: DayAuditOptions| DayAudit { question: typed.question.question(), threads: typed.threads };
    typed.map(audit).map_err(|error| of_clap(text, &error))
}

/// How long a program or standard input may be silent where the configuration does not say: a program that hangs would
/// otherwise hold up every night after it.
const SILENCE_MAX: &str = "60m";

/// Whether decks come from a program or standard input, which may hang.
pub(super) fn is_stream(config: &Config) -> bool {
    config.values("source").iter().any(|source| source.starts_with("cmd:") || source == "-")
}

/// The configuration as it would be typed.
fn words(config: &Config) -> Vec<OsString> {
    let mut words = Vec::new();
    if is_stream(config) && config.values("timeout").is_empty() {
        words.push(format!("--timeout={SILENCE_MAX}").into());
    }
    for option in &config.options {
        let name = if option.name == "table" { "chain_table" } else { option.name.as_str() };
        let typed = format!("--{}", name.replace('_', "-"));
        if option.values.is_empty() {
            words.push(typed.clone().into());
        }
        words.extend(option.values.iter().map(|value| format!("{typed}={value}").into()));
    }
    words
}

/// What is wrong with an option, with its line and without what may be a key.
fn of_clap(text: &str, error: &clap::Error) -> ConfigError {
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
    ConfigError::at_key(text, &key, &without_keys(&format!("{name}{reason}")))
}

/// A message of the audit in the words of a configuration: `--deck-column NAME` is `deck_column = NAME` there.
pub(super) fn in_keys(message: &str) -> String {
    let command = DayAuditOptions::command();
    let mut options: Vec<&str> = command.get_arguments().filter_map(clap::Arg::get_long).collect();
    // The longest first: --records begins with no other, --deck-column might.
    options.sort_by_key(|option| std::cmp::Reverse(option.len()));
    let mut text = message.to_owned();
    for option in options {
        let (typed, key) = (format!("--{option}"), option.replace('-', "_"));
        let mut parts = text.split(typed.as_str());
        let mut said = parts.next().unwrap_or_default().to_owned();
        for rest in parts {
            let has_value = rest.strip_prefix(' ').is_some_and(|value| {
                value.starts_with(|letter: char| letter.is_ascii_uppercase() || letter == '"')
            });
            said += &key;
            said += if has_value { " =" } else { "" };
            said += rest;
        }
        text = said;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that hangs ends its night, and not every one after it.
    #[test]
    fn a_program_may_be_silent_for_an_hour_where_nobody_says_how_long() {
        let words = |source: &str, more: &str| {
            let text = format!("name = \"a\"\nfolder = \"b\"\nsource = \"{source}\"\n{more}");
            let config = Config::parse(&text, &["source", "timeout"], &[]).expect("it is sound").remove(0);
            let words: Vec<String> =
                words(&config).iter().map(|word| word.to_string_lossy().into_owned()).collect();
            words.into_iter().filter(|word| word.starts_with("--timeout")).collect::<Vec<_>>()
        };
        assert_eq!(words("cmd:./shuffler", ""), ["--timeout=60m"]);
        assert_eq!(words("-", ""), ["--timeout=60m"]);
        assert_eq!(words("cmd:./shuffler", "timeout = \"5m\"\n"), ["--timeout=5m"]);
        assert!(words("export.csv", "").is_empty());
    }

    #[test]
    fn options_are_named_as_the_configuration_has_them() {
        for (typed, written) in [
            ("--columns is \"c0\"", "columns is \"c0\""),
            (
                "named: --deck-column NAME, or --columns FIRST..LAST",
                "named: deck_column = NAME, or columns = FIRST..LAST",
            ),
            ("found --timeout \"soon\"", "found timeout = \"soon\""),
            (
                "see --format and --numbering. Name it with --date.",
                "see format and numbering. Name it with --date.",
            ),
        ] {
            assert_eq!(in_keys(typed), written);
        }
    }
}
