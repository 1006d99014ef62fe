//! What a configuration says, understood for a day: the steps, and the audit as it would be typed.

use std::path::PathBuf;

use jiff::Timestamp;

use crate::daily::host::{AuditOptions, DayAudit};
use crate::daily::job::DayJob;
use crate::monitoring::config::{Config, ConfigError, ConfigOption, DATE};
use crate::monitoring::gaming_day::{GamingDay, Wanted};
use crate::monitoring::steps::{KEYS, Steps};

impl DayJob {
    /// What the configuration of one shuffler says for the day that is wanted.
    ///
    /// # Errors
    /// Every [`ConfigError`], not the first one alone: a key that cannot be used is taken out, and the rest is read.
    pub(super) fn of(
        text: &str,
        written: Config,
        wanted: &Wanted,
        now: Timestamp,
        options: &dyn AuditOptions,
    ) -> Result<DayJob, Vec<ConfigError>> {
        let mut faults = Vec::new();
        let mut sound = written.clone();
        let undated = without_faults(&mut sound, &mut faults, |config| Steps::of(text, config));
        let day_ends = undated.as_ref().and_then(|steps| steps.day_ends.as_deref());
        let day = GamingDay::of(day_ends, wanted, now);
        let date = day.as_ref().map_or("", |day| &day.date);
        let mut config = sound.on(date);
        let steps = without_faults(&mut config, &mut faults, |config| Steps::of(text, config));
        let audit = without_faults(&mut config, &mut faults, |config| understand(text, config, options));
        match (day, steps, audit) {
            (Ok(day), Some(steps), Some(audit)) if faults.is_empty() => {
                // Without it an audit takes the certified shuffle of this program, which no night is about.
                let is_named = |key: &str| !config.values(key).is_empty();
                if !is_named("source") && !is_named("plan") && steps.dealt.is_empty() {
                    return Err(vec![ConfigError::at_key(text, "source", NO_SOURCE)]);
                }
                let is_dated = |source: &String| source.contains(DATE) && !source.starts_with("cmd:");
                if steps.is_append_only && written.values("source").iter().any(is_dated) {
                    return Err(vec![ConfigError::at_key(text, "append_only", ANOTHER_FILE)]);
                }
                if steps.is_append_only && is_stream(&config) {
                    return Err(vec![ConfigError::at_key(text, "append_only", NO_FILE)]);
                }
                let folder = PathBuf::from(&config.folder);
                let is_named = matches!(wanted, Wanted::Of(_));
                Ok(DayJob { written, config, audit, steps, folder, day, is_named })
            }
            (day, ..) => {
                // What is wrong with a day that was typed has no line.
                faults.extend(day.err().map(|problem| {
                    if problem.starts_with(DAY_ENDS) {
                        ConfigError::at_key(text, DAY_ENDS, &problem)
                    } else {
                        ConfigError::of_all(problem)
                    }
                }));
                Err(faults)
            }
        }
    }
}

const NO_SOURCE: &str = "source is not given, wanted the export that holds the decks of the day, such as source = \"export.csv\", or \
                         source = \"audit\" for the certified shuffle of this program";

const ANOTHER_FILE: &str = "append_only: found {date} in source, which is another file each day, so that no night goes on after the last \
                            record of the one before; wanted one file that grows, or append_only left out";

const NO_FILE: &str = "append_only: found a program or standard input in source, of which no night goes on after the last record of the one \
                       before; wanted a file: write the output into one before each night, or leave append_only out";

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

/// The options of a configuration as an audit understands them.
pub(super) fn understand(
    text: &str,
    config: &Config,
    options: &dyn AuditOptions,
) -> Result<DayAudit, ConfigError> {
    let read = options.read(&as_options(config));
    read.map_err(|fault| ConfigError::at_key(text, &fault.key, &fault.problem))
}

/// How long a program or standard input may be silent where the configuration does not say: a program that hangs would
/// otherwise hold up every night after it.
const SILENCE_MAX: &str = "60m";

/// Whether decks come from a program or standard input, which may hang.
pub(super) fn is_stream(config: &Config) -> bool {
    config.values("source").iter().any(|source| source.starts_with("cmd:") || source == "-")
}

/// What decks come out of that may deal them anew at each start.
pub(super) fn program(config: &Config) -> Option<&'static str> {
    let is_command = |source: &String| source.starts_with("cmd:");
    let is_there = config.values("source").iter().any(is_command);
    if is_there { Some("the program") } else { is_stream(config).then_some("standard input") }
}

/// The options of the audit alone, each under the name that the audit has for it, and a limit to silence.
fn as_options(config: &Config) -> Config {
    let mut config = config.clone();
    config.options.retain(|option| !KEYS.contains(&option.name.as_str()));
    if is_stream(&config) && config.values("timeout").is_empty() {
        let timeout = ConfigOption { name: "timeout".to_owned(), values: vec![SILENCE_MAX.to_owned()] };
        config.options.insert(0, timeout);
    }
    // The table of a chain is called so in its record.
    for option in config.options.iter_mut().filter(|option| option.name == "table") {
        "chain_table".clone_into(&mut option.name);
    }
    config
}

/// A message of the audit in the words of a configuration: `--deck-column NAME` is `deck_column = NAME` there.
pub(super) fn in_keys(message: &str, options: &dyn AuditOptions) -> String {
    let mut names = options.names();
    // The longest first: --records begins with no other, --deck-column might.
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let mut text = message.to_owned();
    for key in names {
        let typed = format!("--{}", key.replace('_', "-"));
        let mut parts = text.split(typed.as_str());
        let mut part = parts.next().unwrap_or_default().to_owned();
        for rest in parts {
            let has_value = rest.strip_prefix(' ').is_some_and(|value| {
                value.starts_with(|letter: char| letter.is_ascii_uppercase() || letter == '"')
            });
            part += &key;
            part += if has_value { " =" } else { "" };
            part += rest;
        }
        text = part;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daily::host::OptionFault;

    /// Options that are only named.
    struct Named(&'static [&'static str]);

    impl AuditOptions for Named {
        fn names(&self) -> Vec<String> {
            self.0.iter().map(|&name| name.to_owned()).collect()
        }

        fn read(&self, _: &Config) -> Result<DayAudit, OptionFault> {
            Err(OptionFault { key: String::new(), problem: String::new() })
        }
    }

    /// A program that hangs ends its night, and not every one after it.
    #[test]
    fn a_program_may_be_silent_for_an_hour_where_nobody_says_how_long() {
        let timeout = |source: &str, more: &str| {
            let text = format!("name = \"a\"\nfolder = \"b\"\nsource = \"{source}\"\n{more}");
            let config = Config::parse(&text, &["source", "timeout"]).expect("it is sound").remove(0);
            as_options(&config).values("timeout").to_vec()
        };
        assert_eq!(timeout("cmd:./shuffler", ""), ["60m"]);
        assert_eq!(timeout("-", ""), ["60m"]);
        assert_eq!(timeout("cmd:./shuffler", "timeout = \"5m\"\n"), ["5m"]);
        assert!(timeout("export.csv", "").is_empty());
    }

    #[test]
    fn options_are_named_as_the_configuration_has_them() {
        let options = Named(&["columns", "deck_column", "timeout", "format", "numbering", "records"]);
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
            assert_eq!(in_keys(typed, &options), written);
        }
    }
}
