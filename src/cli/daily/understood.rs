//! What a configuration says of the audit, read as it would be typed.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches};

use crate::cli::daily::DayAudit;
use crate::cli::without_keys;
use crate::monitoring::config::{Config, ConfigError};

/// The options of a configuration as `deckproof audit` understands them.
pub(super) fn understand(text: &str, config: &Config) -> Result<DayAudit, ConfigError> {
    let matches = DayAudit::command().try_get_matches_from(words(config));
    let audit = matches.and_then(|matches| DayAudit::from_arg_matches(&matches));
    audit.map_err(|error| of_clap(text, &error))
}

/// The configuration as it would be typed.
fn words(config: &Config) -> Vec<OsString> {
    let mut words = Vec::new();
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
