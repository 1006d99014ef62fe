//! The configuration of the daily job: a name, a folder, and what `deckproof audit` takes.

use std::path::{Component, Path, PathBuf};

use deckproof_deck::text::excerpt;
use deckproof_deck::text::toml_problem::TomlProblem;

/// What the configuration file of the daily job says (TOML; unknown keys are refused).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// What the mail calls the shuffler.
    pub name: String,
    /// Where outcomes, certificates and reports go; relative to the configuration file, as every path in it.
    pub folder: String,
    /// Everything else: keys of the steps and options of `deckproof audit`, with underscores, in the order of the file.
    pub options: Vec<ConfigOption>,
}

/// One key and what it says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigOption {
    /// Its name, such as `first_hand` for `--first-hand`.
    pub name: String,
    /// What it says; none for an option that is only there or not.
    pub values: Vec<String>,
}

/// A configuration that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct ConfigError {
    /// The key that is meant, where one is.
    pub key: Option<String>,
    /// What was found and wanted, with its line.
    problem: String,
}

/// What stands for the day.
pub const DATE: &str = "{date}";

/// Most letters of an unknown key that a message repeats.
const KEY_LETTERS_MAX: usize = 20;

impl ConfigError {
    /// A complaint about no key of its own.
    pub fn of_all(problem: impl Into<String>) -> ConfigError {
        ConfigError { key: None, problem: problem.into() }
    }

    /// A complaint about a key, with the line on which it stands, if it stands on one alone: each of several shufflers may
    /// have its own.
    pub fn at_key(text: &str, key: &str, problem: &str) -> ConfigError {
        let is_own = |line: &str| {
            line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='))
        };
        let mut lines = text.lines().enumerate().filter(|(_, line)| is_own(line)).map(|(place, _)| place + 1);
        let problem = match (lines.next(), lines.next()) {
            (Some(line), None) => format!("line {line}: {problem}"),
            _ => problem.to_owned(),
        };
        ConfigError { key: Some(key.to_owned()), problem }
    }
}

impl Config {
    /// Reads the text of a configuration file; `known` are the keys of the steps and the options that an audit takes. One configuration of its own for every `[[shuffler]]`, which takes what it does not say itself from above.
    ///
    /// # Errors
    /// [`ConfigError`] with the line and what was wanted.
    pub fn parse(text: &str, known: &[&str]) -> Result<Vec<Config>, ConfigError> {
        // The line and the complaint, without the line's text: it may hold a key.
        let problem =
            |error: toml::de::Error| TomlProblem::of(text, error.span(), error.message()).to_string();
        let mut shared: toml::Table =
            toml::from_str(text).map_err(|error| ConfigError::of_all(problem(error)))?;
        let tables = match shared.remove("shuffler") {
            None => return Config::of_table(text, shared, known).map(|config| vec![config]),
            Some(toml::Value::Array(tables)) => tables,
            Some(_) => {
                return Err(ConfigError::of_all("shuffler is no list, wanted [[shuffler]] above each"));
            }
        };
        let of_shuffler = |own: toml::Value| match own {
            toml::Value::Table(own) => {
                let mut table = shared.clone();
                table.extend(own);
                Config::of_table(text, table, known)
            }
            _ => Err(ConfigError::of_all("shuffler is no table, wanted [[shuffler]] above each")),
        };
        let configs = tables.into_iter().map(of_shuffler).collect::<Result<Vec<Config>, _>>()?;
        // Two shufflers in one folder would be one chain of days.
        let repeated = configs.iter().enumerate().find(|(place, config)| {
            let is_one = |other: &Config| plain(&other.folder) == plain(&config.folder);
            configs[..*place].iter().any(|other| is_one(other) || other.name == config.name)
        });
        match repeated {
            Some((_, config)) => Err(ConfigError::of_all(format!(
                "two shufflers have the name {:?} or the folder {:?}, wanted one of each for every shuffler",
                config.name, config.folder
            ))),
            None => Ok(configs),
        }
    }

    fn of_table(text: &str, mut table: toml::Table, known: &[&str]) -> Result<Config, ConfigError> {
        let is_known = |key: &str| ["name", "folder"].contains(&key) || known.contains(&key);
        // A misspelt key is named with its line, before anything is said to be missing in its stead.
        let unknown: Vec<&String> = table.keys().filter(|key| !is_known(key)).collect();
        if let Some(first) = unknown.first() {
            let found: Vec<String> =
                unknown.iter().map(|key| format!("{:?}", excerpt(key, KEY_LETTERS_MAX))).collect();
            let keys = if found.len() == 1 { "key" } else { "keys" };
            let problem = format!(
                "found the {keys} {}, wanted name, folder, a step of the day or an option of deckproof audit",
                found.join(", ")
            );
            return Err(ConfigError::at_key(text, first, &problem));
        }
        let name = take_text(text, &mut table, "name")?;
        if name.chars().any(char::is_control) {
            // A line feed would forge lines of the mail.
            return Err(ConfigError::at_key(text, "name", "name holds a control character, wanted one line"));
        }
        let folder = take_text(text, &mut table, "folder")?;
        for (key, value) in [("name", &name), ("folder", &folder)] {
            if value.contains(DATE) {
                let problem = format!(
                    "{key} holds {DATE}, wanted the same {key} on every day: one record has all days of a shuffler"
                );
                return Err(ConfigError::at_key(text, key, &problem));
            }
        }
        let options = table.iter().filter_map(|(name, value)| option(text, name, value).transpose());
        Ok(Config { name, folder, options: options.collect::<Result<_, _>>()? })
    }

    /// The same with the day where `{date}` stands.
    pub fn on(&self, day: &str) -> Config {
        let mut config = self.clone();
        let values = config.options.iter_mut().flat_map(|option| &mut option.values);
        values.for_each(|value| *value = value.replace(DATE, day));
        config
    }

    /// Takes a key out; false if it was not there.
    pub fn remove(&mut self, name: &str) -> bool {
        let before = self.options.len();
        self.options.retain(|option| option.name != name);
        self.options.len() < before
    }

    /// Says another thing in an option's stead.
    pub fn set(&mut self, name: &str, value: String) {
        self.remove(name);
        self.options.push(ConfigOption { name: name.to_owned(), values: vec![value] });
    }

    /// Whether a key stands there and is not false.
    pub fn has(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.name == name)
    }

    /// What a key says, if it stands there.
    pub fn values(&self, name: &str) -> &[String] {
        self.options.iter().find(|option| option.name == name).map_or(&[], |option| &option.values)
    }
}

/// A path without what changes nothing of it: `./days/` is `days`.
pub fn plain(path: &str) -> PathBuf {
    let parts = Path::new(path).components().filter(|part| !matches!(part, Component::CurDir));
    parts.collect()
}

fn take_text(text: &str, table: &mut toml::Table, key: &str) -> Result<String, ConfigError> {
    match table.remove(key) {
        Some(toml::Value::String(value)) => Ok(value),
        Some(_) => Err(ConfigError::at_key(text, key, &format!("{key} is no text, wanted one in quotes"))),
        None => Err(ConfigError::of_all(format!("{key} is missing"))),
    }
}

/// An option, or nothing where it is said not to be there.
fn option(text: &str, name: &str, value: &toml::Value) -> Result<Option<ConfigOption>, ConfigError> {
    let values = match value {
        toml::Value::Boolean(false) => return Ok(None),
        toml::Value::Boolean(true) => Vec::new(),
        toml::Value::Array(values) => {
            values.iter().map(|value| one(text, name, value)).collect::<Result<_, _>>()?
        }
        value => vec![one(text, name, value)?],
    };
    Ok(Some(ConfigOption { name: name.to_owned(), values }))
}

fn one(text: &str, name: &str, value: &toml::Value) -> Result<String, ConfigError> {
    match value {
        toml::Value::String(value) => Ok(value.clone()),
        toml::Value::Integer(number) => Ok(number.to_string()),
        // `1e6` is a float to TOML, and the option reads it again.
        toml::Value::Float(number) => Ok(number.to_string()),
        _ => {
            let problem = format!("{name} is neither a text nor a number, nor a list of them");
            Err(ConfigError::at_key(text, name, &problem))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_key_is_refused_with_its_line() {
        let text = "name = \"a\"\nsource = \"audit\"\ndeck = 5\nfolder = \".\"\n";
        let error = Config::parse(text, &["source", "decks"]).expect_err("deck is no key").to_string();
        assert!(error.contains("line 3") && error.contains("deck"), "{error}");
    }

    #[test]
    fn every_misspelt_key_is_named_and_a_folder_has_no_date() {
        let text = "name = \"a\"\nsuorce = \"audit\"\ndeck = 5\nfolder = \".\"\n";
        let error = Config::parse(text, &["source", "decks"]).expect_err("two are none").to_string();
        assert!(error.starts_with("line 2: found the keys \"suorce\", \"deck\""), "{error}");
        let text = "name = \"a\"\nfolder = \"i-{date}\"\n";
        let error = Config::parse(text, &[]).expect_err("one record has all days").to_string();
        assert!(error.starts_with("line 2: folder holds {date}"), "{error}");
    }

    #[test]
    fn options_keep_their_order_and_every_kind_of_value() {
        let text = "name = \"a\"\nsource = [\"x\", \"y\"]\ndecks = 1e6\nplayers = 6\nno_repeat = true\n\
                    start_order = \"o\"\nquiet = false\nfolder = \".\"\n";
        let known = ["source", "decks", "players", "no_repeat", "start_order", "quiet"];
        let config = Config::parse(text, &known).expect("it is sound").remove(0);
        let options: Vec<(&str, String)> =
            config.options.iter().map(|option| (&*option.name, option.values.join("|"))).collect();
        let wanted = [
            ("source", "x|y"),
            ("decks", "1000000"),
            ("players", "6"),
            ("no_repeat", ""),
            ("start_order", "o"),
        ];
        assert_eq!(options, wanted.map(|(name, value)| (name, value.to_owned())));
    }

    #[test]
    fn shufflers_share_what_they_do_not_say_themselves() {
        let text = "tiers = \"core\"\nmanifest = \"m\"\n[[shuffler]]\nname = \"a\"\nfolder = \"a\"\nsource = \"{date}.csv\"\n\
                    [[shuffler]]\nname = \"b\"\nfolder = \"b\"\nsource = \"b.csv\"\ntiers = \"deep\"\n";
        let configs = Config::parse(text, &["source", "tiers", "manifest"]).expect("it is sound");
        let of = |config: &Config| {
            let config = config.on("2026-11-22");
            let value = |name: &str| config.values(name).join("|");
            (config.name.clone(), value("source"), value("tiers"), value("manifest"))
        };
        let wanted = [("a", "2026-11-22.csv", "core", "m"), ("b", "b.csv", "deep", "m")];
        let found: Vec<_> = configs.iter().map(of).collect();
        let wanted = wanted.map(|(a, b, c, d)| (a.to_owned(), b.to_owned(), c.to_owned(), d.to_owned()));
        assert_eq!(found, wanted);
        for folder in ["a", "./a", "a/"] {
            let twice = text.replace("folder = \"b\"", &format!("folder = \"{folder}\""));
            assert!(Config::parse(&twice, &["source", "tiers", "manifest"]).is_err(), "{folder}");
        }
    }
}
