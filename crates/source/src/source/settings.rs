//! Settings of sources: what may be given beside the name of a source, in one list for every way to give it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::str::FromStr;

use crate::source::ask::AskError;

/// One setting. `first_number` is `--first-number` on the command line, and `first_number` in a configuration
/// and in the record of a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceSetting {
    /// Its name, words joined by underscores.
    pub name: &'static str,
    /// What its value is called in a help text; empty for a setting that is only there or not.
    pub value: &'static str,
    /// What it says.
    pub help: &'static str,
    /// Whether it may be given several times; its values are then one text with commas between.
    pub is_list: bool,
}

impl SourceSetting {
    /// A setting with a value.
    pub const fn new(name: &'static str, value: &'static str, help: &'static str) -> SourceSetting {
        SourceSetting { name, value, help, is_list: false }
    }

    /// A setting with one value or several.
    pub const fn list(name: &'static str, value: &'static str, help: &'static str) -> SourceSetting {
        SourceSetting { is_list: true, ..SourceSetting::new(name, value, help) }
    }

    /// A setting that is there or not.
    pub const fn flag(name: &'static str, help: &'static str) -> SourceSetting {
        SourceSetting::new(name, "", help)
    }

    /// Whether it is there or not, and has no value.
    pub fn is_flag(&self) -> bool {
        self.value.is_empty()
    }

    /// As it is typed.
    pub fn option(&self) -> String {
        option(self.name)
    }
}

/// A setting as it is typed on the command line.
fn option(name: &str) -> String {
    format!("--{}", name.replace('_', "-"))
}

/// The settings that were given, by name. They hold no keys.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Settings {
    values: BTreeMap<String, String>,
    /// Further files of the same source, in this order.
    pub more: Vec<OsString>,
}

impl Settings {
    /// None.
    pub fn none() -> Settings {
        Settings::default()
    }

    /// With one more; a flag has any value.
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Settings {
        self.set(name, value);
        self
    }

    /// Adds one.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.values.insert(name.to_owned(), value.into());
    }

    /// The names of those that were given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// Whether one was given.
    pub fn is_given(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// The text of one.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// The value of one, if it was given.
    ///
    /// # Errors
    /// [`AskError`] naming the option and what its reader wanted.
    pub fn value<T: FromStr<Err: std::fmt::Display>>(&self, name: &str) -> Result<Option<T>, AskError> {
        let read = |text: &str| {
            text.parse().map_err(|error| AskError::new(format!("{} {text:?}: {error}", option(name)), ""))
        };
        self.text(name).map(read).transpose()
    }

    /// The options that were given and are not in this list, as they are typed.
    pub(super) fn beyond(&self, known: &[SourceSetting]) -> Vec<String> {
        let is_known = |name: &&str| known.iter().any(|setting| setting.name == *name);
        self.names().filter(|name| !is_known(name)).map(option).collect()
    }
}
